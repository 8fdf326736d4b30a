//! Friction contact in global form: the velocities of the bodies are unknowns beside those of the contacts.

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::ContactLaw;
use crate::error::{ProblemError, check_finite, check_length};
use crate::linalg::{Matrix, MatrixRef, contiguous, norm, slice};

/// A friction-contact problem in global form, owned, in the plane (`D` = 2) or in space (`D` = 3):
///
/// $$ M v = H r + f, \qquad u = H^T v + w, $$
///
/// as plain text M v = H r + f, u = H^T v + w, with Coulomb's law between u and r at every contact. With a regular M it is
/// the local problem with $W = H^T M^{-1} H$ and $q = H^T M^{-1} f + w$.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::contact::GlobalFrictionProblem;
///
/// // One particle of 2 kg above the ground, contact frame along the axes.
/// let (mass, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// let problem = GlobalFrictionProblem::<2>::new(mass, h, array![-0.2, 0.0], array![0.0, 0.0], array![0.5])?;
/// assert_eq!((problem.freedoms(), problem.contacts()), (2, 1));
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "GlobalFrictionContactProblem")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct GlobalFrictionProblem<const D: usize> {
    m: Matrix,
    h: Matrix,
    f: Array1<f64>,
    w: Array1<f64>,
    mu: Array1<f64>,
}

/// The data as a file has them.
#[derive(Deserialize)]
struct Unchecked {
    m: Matrix,
    h: Matrix,
    f: Array1<f64>,
    w: Array1<f64>,
    mu: Array1<f64>,
}

impl<const D: usize> TryFrom<Unchecked> for GlobalFrictionProblem<D> {
    type Error = ProblemError;

    fn try_from(data: Unchecked) -> Result<Self, ProblemError> {
        Self::new(data.m, data.h, data.f, data.w, data.mu)
    }
}

impl<const D: usize> GlobalFrictionProblem<D> {
    /// Checks shapes, coefficients and finiteness. `m` is the mass matrix (or iteration matrix) \[kg\], `h` the transposed
    /// contact Jacobian with a row per degree of freedom and `D` columns per contact, `f` the free momentum \[N s\], `w` the
    /// part of the contact velocity that is given \[m/s\], `mu` the coefficients of friction \[-\].
    ///
    /// # Errors
    ///
    /// [`ProblemError`] that names the array, the contact and the number.
    pub fn new(
        m: impl Into<Matrix>,
        h: impl Into<Matrix>,
        f: Array1<f64>,
        w: Array1<f64>,
        mu: Array1<f64>,
    ) -> Result<Self, ProblemError> {
        const { assert!(D == 2 || D == 3, "Coulomb friction is in the plane or in space") };
        let problem =
            Self { m: m.into(), h: h.into(), f: contiguous(f), w: contiguous(w), mu: contiguous(mu) };
        let (m, h, law) = (problem.m.view(), problem.h.view(), problem.law());
        law.check()?;
        if m.rows() != m.columns() {
            return Err(ProblemError::NotSquare { rows: m.rows(), columns: m.columns() });
        }
        check_length("f", m.rows(), problem.f.len())?;
        if h.columns() != law.size() {
            let (blocks, expected) = (law.blocks(), law.size());
            return Err(ProblemError::ContactColumns { columns: h.columns(), blocks, expected });
        }
        check_length("columns of H, which", m.rows(), h.rows())?;
        check_length("w", h.columns(), problem.w.len())?;
        for (what, matrix) in [("M", m), ("H", h)] {
            if let Some((index, value)) = matrix.first_non_finite() {
                return Err(ProblemError::NotFinite { what, index, value });
            }
        }
        check_finite("f", slice(&problem.f))?;
        check_finite("w", slice(&problem.w))?;
        Ok(problem)
    }

    /// The number of contacts.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.mu.len()
    }

    /// The number of degrees of freedom.
    #[must_use]
    pub fn freedoms(&self) -> usize {
        self.f.len()
    }

    /// The mass matrix.
    #[must_use]
    pub fn m(&self) -> MatrixRef<'_> {
        self.m.view()
    }

    /// The transposed contact Jacobian, a column per contact unknown.
    #[must_use]
    pub fn h(&self) -> MatrixRef<'_> {
        self.h.view()
    }

    /// The free momentum.
    #[must_use]
    pub fn f(&self) -> &[f64] {
        slice(&self.f)
    }

    /// The given part of the contact velocity.
    #[must_use]
    pub fn w(&self) -> &[f64] {
        slice(&self.w)
    }

    /// The coefficients of friction.
    #[must_use]
    pub fn mu(&self) -> &[f64] {
        slice(&self.mu)
    }

    /// The law of the contacts.
    #[must_use]
    pub fn law(&self) -> ContactLaw<'_> {
        ContactLaw::Coulomb { dimension: D, mu: slice(&self.mu) }
    }

    /// The error of a reaction `r` and global velocity `v`; writes $u = H^T v + w$ to `u`. NaN when an entry is not finite.
    ///
    /// $$ e = \frac{\lVert -M v + H r + f \rVert}{\max(\lVert f \rVert, \lVert M v \rVert, \lVert H r \rVert)} +
    ///    \frac{\lVert \text{natural map} \rVert}{\max(\lVert u \rVert, \lVert r \rVert)}, $$
    ///
    /// each divided only where its scale exceeds the root of the machine precision; the natural map is that of the
    /// [local problem](super::error). It is `gfc3d_compute_error` of Siconos.
    ///
    /// # Panics
    ///
    /// When a slice has the wrong length.
    #[doc(alias = "gfc3d_compute_error")]
    #[track_caller]
    #[must_use]
    pub fn error_of_point(&self, r: &[f64], v: &[f64], u: &mut [f64]) -> f64 {
        u.copy_from_slice(self.w());
        self.h().add_transposed_product(1.0, v, u);
        let (mut momentum, mut impulse) = (vec![0.0; self.freedoms()], vec![0.0; self.freedoms()]);
        self.m().add_product(1.0, v, &mut momentum);
        self.h().add_product(1.0, r, &mut impulse);
        let scale = norm(self.f()).max(norm(&momentum)).max(norm(&impulse));
        let sums = momentum.iter().zip(&impulse).zip(self.f());
        let residual = sums.map(|((m, h), f)| (h + f - m).powi(2)).sum::<f64>().sqrt();
        let map = super::residual::natural_map_norm(&self.law(), r, u);
        relative(residual, scale) + relative(map, norm(u).max(norm(r)))
    }
}

fn relative(x: f64, scale: f64) -> f64 {
    if scale > f64::EPSILON.sqrt() { x / scale } else { x }
}
