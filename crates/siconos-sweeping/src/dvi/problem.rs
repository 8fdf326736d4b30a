//! Definition of a differential variational inequality.

use super::{DviError, DviSet, InputMap, StateMap, ViMap};
use siconos_kernel::ModelError;
use siconos_kernel::analysis::LinearSystem;

/// Differential variational inequality that is separable in u,
///
/// $$ \dot x = f(t, x) + B(t, x) u, \qquad u \in \mathrm{SOL}\bigl(K, G(t, x) + F(\cdot)\bigr), $$
///
/// with n states x and m components of u. As plain text: x' = f + B u, and u is a point of K with (v - u)^T
/// (G(t, x) + F(u)) >= 0 for all v in K. K does not move. F can also be a
/// [function of time](ViMap::function_of_time).
///
/// [`DviStepper`](super::DviStepper) solves initial value problems,
/// [`solve_boundary_value`](super::solve_boundary_value) solves problems with conditions at both ends, and
/// [`DviReport`](super::DviReport) checks the assumptions of the theory.
///
/// ```
/// use ndarray::array;
/// use siconos_sweeping::dvi::{Dvi, DviSet, StateMap, ViMap};
///
/// // x' = -x + u, u = proj of 2 - 3 x onto [-1, 1]: u in SOL(K, 3 x - 2 + u).
/// let saturated = Dvi::new(
///     StateMap::linear(array![[-1.0]]),
///     array![[1.0]],
///     StateMap::linear(array![[3.0]]).with_offset(vec![-2.0]),
///     ViMap::Linear(array![[1.0]]),
///     DviSet::Box { lower: vec![-1.0], upper: vec![1.0] },
/// )?;
/// assert!(saturated.is_affine());
/// # Ok::<(), siconos_sweeping::dvi::DviError>(())
/// ```
///
/// Reference: J.-S. Pang, D. Stewart (2008), "Differential variational inequalities", Mathematical
/// Programming 113, 345-424.
#[doc(alias = "DVI")]
#[derive(Clone, Debug)]
pub struct Dvi {
    f: StateMap,
    b: InputMap,
    g: StateMap,
    map: ViMap,
    set: DviSet,
}

impl Dvi {
    /// Creates a problem from f (n components), B (n x m), G (m components), F and K.
    ///
    /// # Errors
    ///
    /// If n = 0 or m = 0, if shapes are wrong, if entries are not finite, or if a lower bound exceeds its
    /// upper bound ([`DviError::Model`]); or if a polyhedron is empty ([`DviError::EmptySet`]).
    pub fn new(
        f: StateMap,
        b: impl Into<InputMap>,
        g: StateMap,
        map: ViMap,
        set: DviSet,
    ) -> Result<Self, DviError> {
        let b = b.into();
        let (n, m) = (f.rows(), g.rows());
        for (what, size) in [("f", n), ("G", m)] {
            if size == 0 {
                return Err(ModelError::Empty { what }.into());
            }
        }
        f.check("f", (n, n))?;
        b.check((n, m))?;
        g.check("G", (m, n))?;
        map.check(m)?;
        set.check(m)?;
        Ok(Self { f, b, g, map, set })
    }

    /// Creates the linear problem x' = A x + B u, u in SOL(K, C x + D u) from four matrices.
    ///
    /// # Errors
    ///
    /// See [`new`](Self::new).
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::analysis::LinearSystem;
    /// use siconos_sweeping::dvi::{Dvi, DviSet};
    ///
    /// let rc = LinearSystem::new(array![[-1.0]], array![[1.0]], array![[1.0]], array![[0.0]])?;
    /// assert_eq!(Dvi::affine(&rc, DviSet::Orthant)?.states(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn affine(system: &LinearSystem, set: DviSet) -> Result<Self, DviError> {
        Self::new(
            StateMap::linear(system.a().to_owned()),
            system.b().to_owned(),
            StateMap::linear(system.c().to_owned()),
            ViMap::Linear(system.d().to_owned()),
            set,
        )
    }

    /// Returns n, the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.f.rows()
    }

    /// Returns m, the number of components of u.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.g.rows()
    }

    /// Returns f, the rate of x without the contribution of u.
    #[must_use]
    pub fn f(&self) -> &StateMap {
        &self.f
    }

    /// Returns the matrix B that multiplies u.
    #[must_use]
    pub fn b(&self) -> &InputMap {
        &self.b
    }

    /// Returns G, the term of the inequality that depends on x.
    #[must_use]
    pub fn g(&self) -> &StateMap {
        &self.g
    }

    /// Returns F, the map of the inequality that depends on u.
    #[must_use]
    pub fn map(&self) -> &ViMap {
        &self.map
    }

    /// Returns the set K, which contains u.
    #[must_use]
    pub fn set(&self) -> &DviSet {
        &self.set
    }

    /// Returns `true` if f and G are affine in x with constant matrices and F is linear. Each step is then an
    /// affine variational inequality in u.
    #[must_use]
    pub fn is_affine(&self) -> bool {
        self.f.is_affine() && self.g.is_affine() && self.map.matrix().is_some()
    }
}
