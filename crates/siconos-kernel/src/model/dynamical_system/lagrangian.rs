//! General Lagrangian systems: mass, and internal, gyroscopic, external and control forces.

use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayViewMut2};
use siconos_linalg::{Matrix, add_scaled};

use super::control::{self, ControlScratch, ControlTerm};
use super::force::{Force, GYROSCOPIC, INTERNAL, StateForce};
use super::jacobian::{self, DerivativePoint, DifferenceScratch, Jacobian, JacobianMismatch, Variable};
use super::lagrangian_linear::check_initial;
use crate::model::closure::Closure;
use crate::model::coefficient::{Coefficient, VectorCoefficient};
use crate::model::configuration::{ConfigurationSpace, Factor, PositionSpace};
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, ModelError, Parameters, check_matrix};

type MassFunction = Closure<dyn Fn(&Parameters, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync>;

#[derive(Clone, Debug)]
enum Mass {
    Constant(Matrix),
    Function(MassFunction),
}

/// Force as a function of (q, v, out).
type ForceOfState<'a> = Box<dyn FnMut(&[f64], &[f64], &mut [f64]) + 'a>;

/// Internal, gyroscopic or control force with its derivatives.
struct Term<'a> {
    name_q: &'static str,
    name_v: &'static str,
    jacobian_q: &'a Jacobian,
    jacobian_v: &'a Jacobian,
    force: ForceOfState<'a>,
}

impl<'a> Term<'a> {
    fn of_force(force: &'a Force, at: At<'a>) -> Self {
        let function = Box::new(move |q: &[f64], v: &[f64], f: &mut [f64]| force.write(at, q, v, f));
        let Force { names, jacobian_q, jacobian_v, .. } = force;
        Self { name_q: names.in_q, name_v: names.in_v, jacobian_q, jacobian_v, force: function }
    }

    fn of_control(control: &'a ControlTerm, n: usize, at: At<'a>) -> Self {
        let mut scratch = control.scratch(n);
        let [.., name_q, name_v] = control::NAMES;
        Self {
            name_q,
            name_v,
            jacobian_q: &control.jacobian_q,
            jacobian_v: &control.jacobian_v,
            force: Box::new(move |q, v, f| control.add_into(1.0, at, q, v, &mut scratch, f)),
        }
    }
}

/// General Lagrangian system
///
/// $$ M(q) \dot v + F_{gyr}(q, v) + F_{int}(t, q, v) = F_{ext}(t) + T_L(q) u_L(t, q, v) + p,
///    \qquad \dot q = v $$
///
/// (as plain text: M(q) v' + F_gyr(q, v) + F_int(t, q, v) = F_ext(t) + T_L(q) u_L(t, q, v) + p). See the
/// developer's notes of Siconos, 3.7 to 3.18. In SI units, forces are in \[N\] or \[N m\]. The forces on the
/// left-hand side oppose motion: a spring is `F_int = k q`.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::{Jacobian, Lagrangian};
///
/// // A pendulum of length l: m l^2 theta'' + m g l sin theta = 0.
/// let (m, g, l) = (1.0, 9.81, 0.5);
/// let pendulum = Lagrangian::new(vec![1.0], vec![0.0], array![[m * l * l]]).with_internal_force(
///     move |_t, q, _v, f| f[0] = m * g * l * q[0].sin(),
///     Jacobian::function(move |_t, q, _v, j| j[[0, 0]] = m * g * l * q[0].cos()),
///     Jacobian::Zero,
/// );
/// pendulum.check_jacobians(0.0, &[0.7], &[0.1], 1e-6)?;
/// # Ok::<(), siconos_kernel::model::JacobianMismatch>(())
/// ```
#[doc(alias = "LagrangianDS")]
#[derive(Clone, Debug)]
pub struct Lagrangian {
    q0: Vec<f64>,
    v0: Vec<f64>,
    space: PositionSpace,
    mass: Mass,
    internal: Option<Force>,
    gyroscopic: Option<Force>,
    external: Option<VectorCoefficient>,
    control: Option<ControlTerm>,
}

impl Lagrangian {
    /// Creates a system with `n` degrees of freedom and a constant mass (`n x n`; a vector is taken as the
    /// diagonal). A block sparse mass is converted to a dense matrix, because the iteration matrix of the
    /// system is dense.
    ///
    /// Shapes and finiteness are checked when the system is added to a model.
    pub fn new(q0: impl Into<Array1<f64>>, v0: impl Into<Array1<f64>>, mass: impl Into<Matrix>) -> Self {
        Self {
            q0: q0.into().to_vec(),
            v0: v0.into().to_vec(),
            space: PositionSpace::Vector,
            mass: Mass::Constant(match mass.into() {
                Matrix::BlockCsr(blocks) => Matrix::Dense(blocks.to_dense()),
                other => other,
            }),
            internal: None,
            gyroscopic: None,
            external: None,
            control: None,
        }
    }

    /// Creates a system with a mass function `M(parameters, q, out)`; `out` is `n x n` and is zeroed before
    /// the call.
    ///
    /// If a closure is first bound with `let`, its argument types must be written out.
    pub fn of_mass_function(
        q0: impl Into<Array1<f64>>,
        v0: impl Into<Array1<f64>>,
        mass: impl Fn(&Parameters, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        let mut system = Self::new(q0, v0, Array1::zeros(0));
        system.mass = Mass::Function(Closure::new(Arc::new(mass)));
        system
    }

    /// Sets the configuration space. The number of its position coordinates must equal the length of `q0`. A
    /// step updates the position with [`advance`](ConfigurationSpace::advance), and $\dot q = T(q) v$
    /// replaces $\dot q = v$. With a configuration space, the derivatives of forces with respect to q and the
    /// Jacobians of relations are derivatives with respect to the velocity coordinates. Default: the position
    /// is a vector.
    #[must_use]
    pub fn with_configuration(mut self, space: impl ConfigurationSpace + 'static) -> Self {
        let (positions, velocities) = (self.q0.len(), self.v0.len());
        self.space = PositionSpace::of([Factor { positions, velocities, space: Some(Arc::new(space)) }]);
        self
    }

    /// Sets the internal force `F_int(at, q, v, out)` with its derivatives with respect to q and v; `out` is
    /// zeroed before the call.
    #[must_use]
    pub fn with_internal_force(
        mut self,
        force: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        jacobian_q: Jacobian,
        jacobian_v: Jacobian,
    ) -> Self {
        self.internal = Some(Force::new(INTERNAL, force, (jacobian_q, jacobian_v)));
        self
    }

    /// Sets the gyroscopic and centrifugal force `F_gyr(parameters, q, v, out)` (NNL in Siconos) with its
    /// derivatives.
    #[doc(alias = "NNL")]
    #[must_use]
    pub fn with_gyroscopic_force(
        mut self,
        force: impl Fn(&Parameters, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        jacobian_q: Jacobian,
        jacobian_v: Jacobian,
    ) -> Self {
        let function = move |at: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]| {
            force(at.parameters(), q, v, out);
        };
        self.gyroscopic = Some(Force::new(GYROSCOPIC, function, (jacobian_q, jacobian_v)));
        self
    }

    /// Sets the external force `F_ext(at, out)`; `out` is zeroed before the call.
    #[must_use]
    pub fn with_external_force(mut self, force: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static) -> Self {
        self.external = Some(VectorCoefficient::of_time(force));
        self
    }

    /// Sets a constant external force, `n` entries, such as a weight.
    #[must_use]
    pub fn with_constant_external_force(mut self, force: impl Into<Array1<f64>>) -> Self {
        self.external = Some(VectorCoefficient::Constant(force.into()));
        self
    }

    /// Sets the control term.
    #[must_use]
    pub fn with_control(mut self, control: ControlTerm) -> Self {
        self.control = Some(control);
        self
    }

    /// Returns the mass matrix, or the origin of the mass function.
    #[must_use]
    pub fn mass(&self) -> Coefficient<'_, Matrix> {
        match &self.mass {
            Mass::Constant(mass) => Coefficient::Constant(mass),
            Mass::Function(function) => Coefficient::of_function(function),
        }
    }

    /// Returns the internal force, if any.
    #[must_use]
    pub fn internal_force(&self) -> Option<StateForce<'_>> {
        self.internal.as_ref().map(Force::view)
    }

    /// Returns the gyroscopic and centrifugal force, if any.
    #[must_use]
    pub fn gyroscopic_force(&self) -> Option<StateForce<'_>> {
        self.gyroscopic.as_ref().map(Force::view)
    }

    /// Returns the external force, if any.
    #[must_use]
    pub fn external_force(&self) -> Option<Coefficient<'_, Array1<f64>>> {
        self.external.as_ref().map(VectorCoefficient::view)
    }

    /// Returns the control term, if any.
    #[must_use]
    pub fn control(&self) -> Option<&ControlTerm> {
        self.control.as_ref()
    }

    /// Returns the configuration space; `None` if the position is a vector.
    #[must_use]
    pub fn configuration(&self) -> Option<&dyn ConfigurationSpace> {
        self.space.only()
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

    /// Compares each user-supplied Jacobian with central differences at one point.
    ///
    /// # Errors
    ///
    /// If the difference in an entry exceeds `tolerance` times the larger of 1 and the largest magnitude of
    /// an entry. The error reports the entry with the largest difference.
    pub fn check_jacobians<'a>(
        &self,
        at: impl Into<At<'a>>,
        q: &[f64],
        v: &[f64],
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        let (n, at) = (self.v0.len(), at.into());
        let mut scratch = DifferenceScratch::new(n, n);
        for mut term in self.terms(at) {
            for (what, jacobian, variable) in [
                (term.name_q, term.jacobian_q, Variable::Position),
                (term.name_v, term.jacobian_v, Variable::Velocity),
            ] {
                let point = DerivativePoint { at, q, v, variable, space: &self.space };
                let (mut given, mut expected) = (Array2::zeros((n, n)), Array2::zeros((n, n)));
                for (jacobian, target) in
                    [(jacobian, &mut given), (&Jacobian::FiniteDifference, &mut expected)]
                {
                    jacobian.add_into(1.0, point, point.partial(&mut term.force), &mut scratch, target);
                }
                jacobian::compare(what, &given, &expected, tolerance)?;
            }
        }
        Ok(())
    }

    /// Returns the forces that depend on position or velocity, as functions of (q, v) at a given time.
    fn terms<'a>(&'a self, at: At<'a>) -> Vec<Term<'a>> {
        let forces = [&self.internal, &self.gyroscopic].into_iter().flatten();
        let control = self.control.iter().map(|control| Term::of_control(control, self.v0.len(), at));
        forces.map(|force| Term::of_force(force, at)).chain(control).collect()
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        let n = self.v0.len();
        check_initial(&self.q0, &self.v0, &self.space)?;
        if let Mass::Constant(mass) = &self.mass {
            check_matrix("mass", (n, n), mass)?;
        }
        for force in [&self.internal, &self.gyroscopic].into_iter().flatten() {
            force.check(n)?;
        }
        self.external.as_ref().map_or(Ok(()), |force| force.check("external force", n))?;
        self.control.as_ref().map_or(Ok(()), |control| control.check(n))
    }

    /// Returns the space of the positions.
    pub(crate) fn space(&self) -> &PositionSpace {
        &self.space
    }

    /// Returns M, or `None` if it depends on q.
    pub(crate) fn constant_mass(&self) -> Option<&Matrix> {
        self.mass().constant()
    }

    /// Returns the derivative of $F_{int} + F_{gyr} - T_L u_L$ with respect to a variable as a sum of
    /// constant matrices, each with its sign; `None` if a term is not constant.
    pub(crate) fn constant_jacobian(
        &self,
        variable: Variable,
    ) -> Option<impl Iterator<Item = (f64, &Array2<f64>)>> {
        let jacobians = move || self.jacobians(variable);
        let is_constant =
            |(_, jacobian): (f64, &Jacobian)| matches!(jacobian, Jacobian::Zero | Jacobian::Constant(_));
        jacobians().all(is_constant).then(|| {
            jacobians().filter_map(|(sign, jacobian)| match jacobian {
                Jacobian::Constant(matrix) => Some((sign, matrix)),
                _ => None,
            })
        })
    }

    /// Returns the derivatives of the terms of $F_{int} + F_{gyr} - T_L u_L$ with respect to a variable, each
    /// with its sign.
    fn jacobians<'a>(&'a self, variable: Variable) -> impl Iterator<Item = (f64, &'a Jacobian)> {
        let forces = [&self.internal, &self.gyroscopic].into_iter().flatten();
        let of_force = move |force: &'a Force| (1.0, force.jacobian(variable));
        let of_control = move |control: &'a ControlTerm| (-1.0, control.jacobian(variable));
        forces.map(of_force).chain(self.control.iter().map(of_control))
    }

    /// Allocates the workspace for evaluating forces and their derivatives.
    pub(crate) fn scratch(&self) -> LagrangianScratch {
        let n = self.v0.len();
        let is_evaluated = |variable| self.jacobians(variable).any(|(_, jacobian)| jacobian.needs_scratch());
        let size = if is_evaluated(Variable::Position) || is_evaluated(Variable::Velocity) { n } else { 0 };
        LagrangianScratch {
            force: vec![0.0; n],
            control: self.control.as_ref().map(|control| control.scratch(n)).unwrap_or_default(),
            difference: DifferenceScratch::new(size, size),
        }
    }

    /// Writes $M(q)$ to `out`.
    pub(crate) fn mass_into(&self, parameters: &Parameters, q: &[f64], out: &mut Array2<f64>) {
        out.fill(0.0);
        match &self.mass {
            Mass::Constant(Matrix::Diagonal(d)) => out.diag_mut().assign(d),
            Mass::Constant(Matrix::Dense(a)) => out.assign(a),
            Mass::Constant(other) => out.assign(&other.view().to_dense()),
            Mass::Function(function) => (function.0)(parameters, q, &mut out.view_mut()),
        }
    }

    /// Writes the forces on the right-hand side, $F = F_{ext} + T_L u_L - F_{int} - F_{gyr}$.
    pub(crate) fn forces_into(
        &self,
        at: At<'_>,
        q: &[f64],
        v: &[f64],
        scratch: &mut LagrangianScratch,
        out: &mut [f64],
    ) {
        self.sum_forces([&self.internal, &self.gyroscopic], at, q, v, scratch, out);
    }

    /// Writes the forces that do work, $F_{ext} + T_L u_L - F_{int}$. $F_{gyr}$ is not included, because it
    /// is an inertial force.
    pub(crate) fn applied_forces_into(
        &self,
        at: At<'_>,
        q: &[f64],
        v: &[f64],
        scratch: &mut LagrangianScratch,
        out: &mut [f64],
    ) {
        self.sum_forces([&self.internal, &None], at, q, v, scratch, out);
    }

    fn sum_forces(
        &self,
        forces: [&Option<Force>; 2],
        at: At<'_>,
        q: &[f64],
        v: &[f64],
        scratch: &mut LagrangianScratch,
        out: &mut [f64],
    ) {
        out.fill(0.0);
        for force in forces.into_iter().flatten() {
            scratch.force.fill(0.0);
            force.write(at, q, v, &mut scratch.force);
            add_scaled(-1.0, &scratch.force, out);
        }
        if let Some(external) = &self.external {
            external.write(at, &mut scratch.force);
            add_scaled(1.0, &scratch.force, out);
        }
        if let Some(control) = &self.control {
            control.add_into(1.0, at, q, v, &mut scratch.control, out);
        }
    }

    /// Writes the tangent stiffness $-\partial F / \partial q$ and the tangent damping
    /// $-\partial F / \partial v$.
    pub(crate) fn jacobians_into(
        &self,
        at: At<'_>,
        q: &[f64],
        v: &[f64],
        scratch: &mut LagrangianScratch,
        out_q: &mut Array2<f64>,
        out_v: &mut Array2<f64>,
    ) {
        for (variable, out) in [(Variable::Position, out_q), (Variable::Velocity, out_v)] {
            let point = DerivativePoint { at, q, v, variable, space: &self.space };
            out.fill(0.0);
            for force in [&self.internal, &self.gyroscopic].into_iter().flatten() {
                force.add_jacobian(point, &mut scratch.difference, out);
            }
            if let Some(control) = &self.control {
                let memory = &mut scratch.control;
                let function = point.partial(|q, v, f| control.add_into(1.0, at, q, v, memory, f));
                let jacobian = control.jacobian(variable);
                jacobian.add_into(-1.0, point, function, &mut scratch.difference, out);
            }
        }
    }
}

impl HasParts for Lagrangian {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("Lagrangian");
        parts.count("number of positions", self.q0.len());
        parts.count("number of degrees of freedom", self.v0.len());
        if let Some(space) = self.configuration() {
            parts.word("configuration space", space.name().unwrap_or("one of the user").to_owned());
        }
        match &self.mass {
            Mass::Constant(mass) => parts.matrix("M", mass),
            Mass::Function(function) => parts.function("M", function),
        }
        for force in [&self.internal, &self.gyroscopic].into_iter().flatten() {
            force.list(&mut parts);
        }
        self.external.iter().for_each(|force| force.list("F_ext", &mut parts));
        self.control.iter().for_each(|control| control.list(&control::NAMES, &mut parts));
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        let mut origins = Vec::new();
        if let Mass::Function(function) = &mut self.mass {
            origins.extend(function.origin_mut());
        }
        for force in [&mut self.internal, &mut self.gyroscopic].into_iter().flatten() {
            origins.extend(force.origins_mut());
        }
        origins.extend(self.external.iter_mut().filter_map(VectorCoefficient::origin_mut));
        origins.extend(self.control.iter_mut().flat_map(ControlTerm::origins_mut));
        origins
    }
}

/// Workspace of one Lagrangian system.
#[derive(Clone, Debug, Default)]
pub(crate) struct LagrangianScratch {
    force: Vec<f64>,
    control: ControlScratch,
    difference: DifferenceScratch,
}
