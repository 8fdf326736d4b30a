//! Linear Lagrangian systems with constant coefficients.

use ndarray::Array1;
use siconos_linalg::Matrix;

use crate::model::coefficient::{Coefficient, VectorCoefficient};
use crate::model::configuration::PositionSpace;
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, ModelError, check_finite, check_matrix, check_shape};

/// Linear, time-invariant Lagrangian system
///
/// $$ M \dot v + C v + K q = F_{ext}(t) + p, \qquad \dot q = v, \qquad q(t_0) = q_0,\ v(t_0) = v_0 $$
///
/// (as plain text: M v' + C v + K q = F_ext(t) + p, q' = v). The user chooses the units. In SI units, q is in
/// \[m\] or \[rad\], M in \[kg\] or \[kg m2\], C in \[N s/m\], K in \[N/m\], and F in \[N\] or \[N m\]. The
/// reaction p of the interactions includes the impulses of impacts.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::LagrangianLinear;
///
/// // A ball of 1 kg under gravity, one metre above the ground. The mass is given as a diagonal.
/// let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]).with_constant_external_force(vec![-9.81]);
/// assert_eq!(ball.q0(), [1.0]);
/// ```
#[doc(alias = "LagrangianLinearTIDS")]
#[doc(alias = "LagrangianLinearDiagonalDS")]
#[derive(Clone, Debug)]
pub struct LagrangianLinear {
    q0: Vec<f64>,
    v0: Vec<f64>,
    mass: Matrix,
    damping: Option<Matrix>,
    stiffness: Option<Matrix>,
    external_force: Option<VectorCoefficient>,
}

impl LagrangianLinear {
    /// Creates a system with `n` degrees of freedom from its initial position and velocity (`n` entries each)
    /// and its mass (`n x n`; a vector is taken as the diagonal).
    ///
    /// Shapes and finiteness are checked when the system is added to a model.
    pub fn new(q0: impl Into<Array1<f64>>, v0: impl Into<Array1<f64>>, mass: impl Into<Matrix>) -> Self {
        Self {
            q0: q0.into().to_vec(),
            v0: v0.into().to_vec(),
            mass: mass.into(),
            damping: None,
            stiffness: None,
            external_force: None,
        }
    }

    /// Creates a rigid body in the plane at rest, with its mass \[kg\], its moment of inertia about the
    /// centre of mass \[kg m2\], and its initial position: x, y \[m\] and angle \[rad\]. Its velocities are
    /// the rates of these coordinates. An external force has three entries: two components of a force, and
    /// one moment. [`PlanarContact`](crate::model::PlanarContact) defines contacts of planar bodies.
    ///
    /// ```
    /// use siconos_kernel::model::LagrangianLinear;
    ///
    /// // A disc of 2 kg with a radius of 0.1 m rolls under gravity.
    /// let disc = LagrangianLinear::planar_body(2.0, 0.5 * 2.0 * 0.1 * 0.1, [0.0, 0.1, 0.0])
    ///     .with_velocity(vec![1.0, 0.0, -10.0])
    ///     .with_constant_external_force(vec![0.0, -2.0 * 9.81, 0.0]);
    /// assert_eq!(disc.v0(), [1.0, 0.0, -10.0]);
    /// ```
    #[must_use]
    pub fn planar_body(mass: f64, inertia: f64, position: [f64; 3]) -> Self {
        Self::new(position.to_vec(), vec![0.0; 3], Array1::from(vec![mass, mass, inertia]))
    }

    /// Sets the initial velocity. Default of [`planar_body`](Self::planar_body): 0.
    #[must_use]
    pub fn with_velocity(mut self, velocity: impl Into<Array1<f64>>) -> Self {
        self.v0 = velocity.into().to_vec();
        self
    }

    /// Sets the damping matrix C, `n x n`. Default: none.
    #[must_use]
    pub fn with_damping(mut self, damping: impl Into<Matrix>) -> Self {
        self.damping = Some(damping.into());
        self
    }

    /// Sets the stiffness matrix K, `n x n`. Default: none.
    #[must_use]
    pub fn with_stiffness(mut self, stiffness: impl Into<Matrix>) -> Self {
        self.stiffness = Some(stiffness.into());
        self
    }

    /// Sets the external force as a function `f(at, out)`, which writes `n` entries; `out` is zeroed before
    /// the call. Default: none.
    ///
    /// The force must depend only on time and parameters. Its value at the end of a step is reused at the
    /// beginning of the next step, unless a parameter has changed or an event may have changed the force. If
    /// a closure is first bound with `let`, its argument types must be written out.
    #[must_use]
    pub fn with_external_force(mut self, force: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static) -> Self {
        self.external_force = Some(VectorCoefficient::of_time(force));
        self
    }

    /// Sets a constant external force, `n` entries, such as a weight. Default: none.
    #[must_use]
    pub fn with_constant_external_force(mut self, force: impl Into<Array1<f64>>) -> Self {
        self.external_force = Some(VectorCoefficient::Constant(force.into()));
        self
    }

    /// Returns the initial position.
    #[must_use]
    pub fn q0(&self) -> &[f64] {
        &self.q0
    }

    /// Returns the initial velocity.
    #[must_use]
    pub fn v0(&self) -> &[f64] {
        &self.v0
    }

    /// Returns the mass matrix.
    #[must_use]
    pub fn mass(&self) -> &Matrix {
        &self.mass
    }

    /// Returns the damping matrix, if any.
    #[must_use]
    pub fn damping(&self) -> Option<&Matrix> {
        self.damping.as_ref()
    }

    /// Returns the stiffness matrix, if any.
    #[must_use]
    pub fn stiffness(&self) -> Option<&Matrix> {
        self.stiffness.as_ref()
    }

    /// Returns the external force, if any.
    #[must_use]
    pub fn external_force(&self) -> Option<Coefficient<'_, Array1<f64>>> {
        self.external_force.as_ref().map(VectorCoefficient::view)
    }

    /// Returns `true` if mass, damping and stiffness are diagonal.
    pub(crate) fn is_diagonal(&self) -> bool {
        [Some(&self.mass), self.damping.as_ref(), self.stiffness.as_ref()].into_iter().flatten().all(
            |matrix| {
                let mut is_diagonal = true;
                matrix.view().for_each_entry(|row, column, x| is_diagonal &= row == column || x == 0.0);
                is_diagonal
            },
        )
    }

    /// Returns `true` if the external force is absent or does not depend on time.
    pub(crate) fn has_constant_force(&self) -> bool {
        self.external_force.as_ref().is_none_or(VectorCoefficient::is_constant)
    }

    /// Writes $F_{ext}(t)$ to `out`.
    ///
    /// # Panics
    ///
    /// If the length of a constant force differs from the length of `out`, or the user function writes past
    /// the end of `out`.
    pub fn external_force_into<'a>(&self, at: impl Into<At<'a>>, out: &mut [f64]) {
        match &self.external_force {
            Some(force) => force.write(at.into(), out),
            None => out.fill(0.0),
        }
    }

    /// Writes $F_{ext}(t) - C v - K q$ to `out`.
    pub(crate) fn forces_into(&self, at: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.external_force_into(at, out);
        if let Some(damping) = &self.damping {
            damping.add_product(-1.0, v, out);
        }
        if let Some(stiffness) = &self.stiffness {
            stiffness.add_product(-1.0, q, out);
        }
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        check_initial(&self.q0, &self.v0, &PositionSpace::Vector)?;
        let square = (self.q0.len(), self.q0.len());
        check_matrix("mass", square, &self.mass)?;
        for (what, matrix) in [("damping", &self.damping), ("stiffness", &self.stiffness)] {
            if let Some(matrix) = matrix {
                check_matrix(what, square, matrix)?;
            }
        }
        self.external_force.as_ref().map_or(Ok(()), |force| force.check("external force", self.q0.len()))
    }
}

impl HasParts for LagrangianLinear {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("LagrangianLinear");
        parts.count("number of degrees of freedom", self.q0.len());
        parts.matrix("M", &self.mass);
        for (name, matrix) in [("C", &self.damping), ("K", &self.stiffness)] {
            matrix.iter().for_each(|matrix| parts.matrix(name, matrix));
        }
        self.external_force.iter().for_each(|force| force.list("F_ext", &mut parts));
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        self.external_force.iter_mut().filter_map(VectorCoefficient::origin_mut).collect()
    }
}

/// Checks the initial state of a second-order system.
pub(super) fn check_initial(q0: &[f64], v0: &[f64], space: &PositionSpace) -> Result<(), ModelError> {
    if q0.is_empty() || v0.is_empty() {
        return Err(ModelError::NoDegreeOfFreedom);
    }
    if space.is_vector() {
        check_shape("v0", (q0.len(), 1), (v0.len(), 1))?;
    }
    check_finite("q0", q0)?;
    check_finite("v0", v0)
}
