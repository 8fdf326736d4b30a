//! Laws with multipliers in polyhedra and in second-order cones.

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};
use siconos_numerics::cone::Polyhedron;

use super::description::{FIRST_ORDER_LAW, LawDescription, OTHER_EVENTS, Refusals, RowLaw};
use crate::model::ModelError;
use crate::model::Refusal;

/// Normal cone law $-y \in N_P(\lambda)$ with the polyhedron $P = \lbrace \lambda : H \lambda \ge k \rbrace$.
///
/// As plain text: lambda lies in P = {H lambda >= k}, and -y in the normal cone of P at lambda. Each block of
/// `H.ncols()` components has its own copy of the polyhedron.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::NormalCone;
///
/// // The triangle lambda_1 >= 0, lambda_2 >= 0, lambda_1 + lambda_2 <= 1.
/// let h = array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]];
/// let law = NormalCone::new(h, vec![0.0, 0.0, -1.0])?;
/// assert_eq!(law.size(), 2);
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "NormalConeNSL")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Polyhedron", into = "Polyhedron")]
pub struct NormalCone {
    polyhedron: Polyhedron,
}

impl TryFrom<Polyhedron> for NormalCone {
    type Error = ModelError;

    fn try_from(polyhedron: Polyhedron) -> Result<Self, ModelError> {
        if polyhedron.dimension() == 0 {
            return Err(ModelError::Empty { what: "normal cone" });
        }
        Ok(Self { polyhedron })
    }
}

impl From<NormalCone> for Polyhedron {
    fn from(law: NormalCone) -> Self {
        law.polyhedron
    }
}

impl NormalCone {
    pub(super) const DESCRIPTION: LawDescription = LawDescription {
        name: "NormalCone",
        rows: RowLaw::Polyhedron,
        opens: false,
        is_force: false,
        refused: Refusals {
            first_order_events: Some(Refusal::new("a polyhedron of multipliers", OTHER_EVENTS)),
            ..Refusals::of_first_order_law(Refusal::new("the normal cone to a polyhedron", FIRST_ORDER_LAW))
        },
    };

    /// Creates the law with `p` inequalities: H is `p x m`, k has `p` entries.
    ///
    /// # Errors
    ///
    /// If H has zero columns ([`ModelError::Empty`]), or the shapes differ, an entry is not finite, or a row
    /// of H is zero ([`ModelError::Set`]).
    pub fn new(h: Array2<f64>, k: impl Into<Array1<f64>>) -> Result<Self, ModelError> {
        if h.ncols() == 0 {
            return Err(ModelError::Empty { what: "normal cone" });
        }
        Polyhedron::new(h, k)?.try_into()
    }

    /// Returns the polyhedron P.
    #[must_use]
    pub fn polyhedron(&self) -> &Polyhedron {
        &self.polyhedron
    }

    /// Returns the number of components of a block.
    #[must_use]
    pub fn size(&self) -> usize {
        self.polyhedron.dimension()
    }
}

/// Cone complementarity $K^* \ni y \perp \lambda \in K$, where K is a product of second-order cones
/// $\lVert \bar\lambda \rVert \le \lambda_0$.
///
/// As plain text: lambda lies in K, y lies in the dual cone, and y and lambda are orthogonal. A cone with one
/// component is the half-line $\lambda \ge 0$, and a product of half-lines is the nonnegative orthant.
/// Second-order cones are self-dual.
///
/// ```
/// use siconos_kernel::model::ConeComplementarity;
///
/// // A cone with three components, and a half-line.
/// let law = ConeComplementarity::second_order([3, 1])?;
/// assert_eq!((law.size(), law.cones()), (4, &[3, 1][..]));
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct ConeComplementarity {
    sizes: Vec<usize>,
}

/// Unchecked sizes, as read from a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    sizes: Vec<usize>,
}

impl TryFrom<Unchecked> for ConeComplementarity {
    type Error = ModelError;

    fn try_from(Unchecked { sizes }: Unchecked) -> Result<Self, ModelError> {
        Self::second_order(sizes)
    }
}

impl ConeComplementarity {
    pub(super) const DESCRIPTION: LawDescription = LawDescription {
        name: "ConeComplementarity",
        rows: RowLaw::Cones,
        opens: false,
        is_force: false,
        refused: Refusals {
            first_order_events: Some(Refusal::new("a second-order cone", OTHER_EVENTS)),
            ..Refusals::of_first_order_law(Refusal::new("second-order cones", FIRST_ORDER_LAW))
        },
    };

    /// Creates the law for a product of second-order cones of the given sizes, in this order.
    ///
    /// # Errors
    ///
    /// If `sizes` is empty, or a size is 0 ([`ModelError::Empty`]).
    pub fn second_order(sizes: impl Into<Vec<usize>>) -> Result<Self, ModelError> {
        let sizes = sizes.into();
        if sizes.is_empty() || sizes.contains(&0) {
            return Err(ModelError::Empty { what: "cone" });
        }
        Ok(Self { sizes })
    }

    /// Returns the number of components of a block.
    #[must_use]
    pub fn size(&self) -> usize {
        // The sum saturates instead of overflowing, because a file can contain arbitrarily large sizes, which
        // no relation has.
        self.sizes.iter().fold(0, |sum: usize, size| sum.saturating_add(*size))
    }

    /// Returns the sizes of the cones.
    #[must_use]
    pub fn cones(&self) -> &[usize] {
        &self.sizes
    }
}
