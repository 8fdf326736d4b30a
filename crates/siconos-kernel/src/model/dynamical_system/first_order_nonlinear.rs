//! General first-order systems.

use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayViewMut2};
use siconos_linalg::Matrix;

use super::control::{ControlScratch, ControlTerm};
use super::jacobian::{self, DerivativePoint, DifferenceScratch, Jacobian, JacobianMismatch, Variable};
use super::lagrangian::Lagrangian;
use super::lagrangian_view::{LagrangianView, ViewScratch};
use super::{check_initial_state, write_mass};
use crate::model::closure::Closure;
use crate::model::coefficient::Coefficient;
use crate::model::configuration::VECTOR;
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, ModelError, check_matrix};

type FieldFunction = Closure<dyn Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync>;
type MassFunction = Closure<dyn Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync>;

#[derive(Clone, Debug)]
enum Mass {
    Identity,
    Constant(Matrix),
    Function(MassFunction),
    /// Mass matrix of the Lagrangian system that the field contains.
    OfView,
}

#[derive(Clone, Debug)]
enum Field {
    Function { f: FieldFunction, jacobian: Jacobian },
    View(Box<LagrangianView>),
}

/// Names of the parts of the control term of a first-order system. They differ from the names for a
/// Lagrangian system, because a field that is a Lagrangian system can have its own control term.
const CONTROL: [&str; 5] =
    ["number of inputs", "T", "u", "derivative of T u in x", "derivative of T u in x'"];
const CONTROL_OF_VIEW: [&str; 5] =
    ["number of inputs of x", "T of x", "u of x", "derivative of T u in x", "derivative of T u in x'"];

/// Vector field f of a first-order system.
///
/// ```
/// use siconos_kernel::model::{FirstOrderNonlinear, Jacobian, Lagrangian, VectorField};
///
/// let decay = FirstOrderNonlinear::new(vec![1.0], |_at, x, f| f[0] = -x[0], Jacobian::FiniteDifference);
/// assert!(matches!(decay.field(), VectorField::Function { .. }));
/// let mass = Lagrangian::new(vec![1.0], vec![0.0], ndarray::array![2.0]);
/// let VectorField::OfLagrangian(view) = FirstOrderNonlinear::of_lagrangian(&mass).field() else {
///     panic!("a view")
/// };
/// # let _ = (decay, mass);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum VectorField<'a> {
    /// User function.
    Function {
        /// Origin of the function.
        f: &'a Origin,
        /// Derivative with respect to x.
        jacobian: &'a Jacobian,
    },
    /// Right-hand side of a Lagrangian system in first-order form; see
    /// [`FirstOrderNonlinear::of_lagrangian`].
    OfLagrangian(&'a Lagrangian),
}

/// General first-order system
///
/// $$ M \dot x = f(x, t) + T(x) u(x, \dot x, t) + r, \qquad x(t_0) = x_0 $$
///
/// (as plain text: M x' = f(x, t) + T(x) u(x, x', t) + r). See the developer's notes of Siconos, 3.1. The
/// interactions determine the input r. In the arguments of u, $\dot x$ is the mean rate over the step.
///
/// ```
/// use siconos_kernel::model::{FirstOrderNonlinear, Jacobian};
///
/// // Van der Pol's oscillator.
/// let oscillator = FirstOrderNonlinear::new(
///     vec![2.0, 0.0],
///     |_t, x, f| (f[0], f[1]) = (x[1], (1.0 - x[0] * x[0]) * x[1] - x[0]),
///     Jacobian::of_state(|_t, x, j| {
///         (j[[0, 0]], j[[0, 1]]) = (0.0, 1.0);
///         (j[[1, 0]], j[[1, 1]]) = (-2.0 * x[0] * x[1] - 1.0, 1.0 - x[0] * x[0]);
///     }),
/// );
/// oscillator.check_jacobians(0.0, &[1.5, 0.3], &[0.0, 0.0], 1e-6)?;
/// # Ok::<(), siconos_kernel::model::JacobianMismatch>(())
/// ```
#[doc(alias = "FirstOrderNonLinearDS")]
#[derive(Clone, Debug)]
pub struct FirstOrderNonlinear {
    x0: Vec<f64>,
    mass: Mass,
    field: Field,
    control: Option<ControlTerm>,
}

impl FirstOrderNonlinear {
    /// Creates a system with the initial state `x0` (`n`), the vector field `f(at, x, out)`, and the
    /// derivative of f with respect to x (`n x n`; use [`Jacobian::of_state`] for a function). `out` is
    /// zeroed before each call of f.
    ///
    /// Shapes and finiteness are checked when the system is added to a model. If a closure is first bound
    /// with `let`, its argument types must be written out.
    pub fn new(
        x0: impl Into<Array1<f64>>,
        f: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
        jacobian: Jacobian,
    ) -> Self {
        Self {
            x0: x0.into().to_vec(),
            mass: Mass::Identity,
            field: Field::Function { f: Closure::new(Arc::new(f)), jacobian },
            control: None,
        }
    }

    /// Converts a Lagrangian system to a first-order system with the state x = (q, v), which has n = 2 `ndof`
    /// components (developer's notes of Siconos, 3.10 to 3.18):
    ///
    /// $$ \begin{pmatrix} I & 0 \cr 0 & M(q) \end{pmatrix} \dot x =
    ///    \begin{pmatrix} v \cr F_{ext} + T_L u_L - F_{int} - F_{gyr} \end{pmatrix} + r, \qquad
    ///    r = \begin{pmatrix} 0 \cr p \end{pmatrix}. $$
    ///
    /// As plain text: q' = v, M(q) v' = F + p. The mass stays on the left-hand side, so that M is not
    /// inverted and its inverse is not differentiated. With the theta scheme, the discretisation is the same
    /// as with [`MoreauJean`](crate::integrator::MoreauJean). In addition, relations can combine position and
    /// velocity.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::model::{FirstOrderNonlinear, Lagrangian};
    ///
    /// let falling = Lagrangian::new(vec![1.0], vec![0.0], array![2.0]).with_external_force(|_t, f| f[0] = -19.62);
    /// assert_eq!(FirstOrderNonlinear::of_lagrangian(&falling).x0(), [1.0, 0.0]);
    /// ```
    #[must_use]
    pub fn of_lagrangian(system: &Lagrangian) -> Self {
        Self {
            x0: system.q0().iter().chain(system.v0()).copied().collect(),
            mass: Mass::OfView,
            field: Field::View(Box::new(LagrangianView::new(system.clone()))),
            control: None,
        }
    }

    /// Sets a constant matrix M, `n x n` (a vector is taken as the diagonal). Default: the identity.
    #[must_use]
    pub fn with_mass(mut self, mass: impl Into<Matrix>) -> Self {
        self.mass = Mass::Constant(mass.into());
        self
    }

    /// Sets M as a matrix function `M(at, x, out)`; `out` is `n x n` and is zeroed before the call.
    ///
    /// The Newton matrix omits the derivative of M with respect to x. In the exact matrix, this derivative is
    /// multiplied by the change of x over the step. Newton's method therefore converges linearly, at a rate
    /// proportional to the step size.
    #[must_use]
    pub fn with_mass_function(
        mut self,
        mass: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.mass = Mass::Function(Closure::new(Arc::new(mass)));
        self
    }

    /// Sets the control term T(x) u(at, x, x'). The second and third arguments of u are x and the mean rate
    /// of x over the step.
    #[must_use]
    pub fn with_control(mut self, control: ControlTerm) -> Self {
        self.control = Some(control);
        self
    }

    /// Returns the initial state.
    #[must_use]
    pub fn x0(&self) -> &[f64] {
        &self.x0
    }

    /// Returns M, or `None` for the identity and for a system that was converted from a Lagrangian system.
    #[must_use]
    pub fn mass(&self) -> Option<Coefficient<'_, Matrix>> {
        match &self.mass {
            Mass::Identity | Mass::OfView => None,
            Mass::Constant(mass) => Some(Coefficient::Constant(mass)),
            Mass::Function(function) => Some(Coefficient::of_function(function)),
        }
    }

    /// Returns the vector field f.
    #[must_use]
    pub fn field(&self) -> VectorField<'_> {
        match &self.field {
            Field::Function { f, jacobian } => VectorField::Function { f: f.origin_or_unknown(), jacobian },
            Field::View(view) => VectorField::OfLagrangian(view.lagrangian()),
        }
    }

    /// Returns the control term, if any.
    #[must_use]
    pub fn control(&self) -> Option<&ControlTerm> {
        self.control.as_ref()
    }

    /// Compares each user-supplied Jacobian with central differences at one point.
    ///
    /// # Errors
    ///
    /// If the difference in an entry exceeds `tolerance` times the larger of 1 and the largest magnitude of
    /// an entry. The error reports the entry with the largest difference.
    ///
    /// # Panics
    ///
    /// If `x` or `rate` does not have `n` entries.
    pub fn check_jacobians<'a>(
        &self,
        at: impl Into<At<'a>>,
        x: &[f64],
        rate: &[f64],
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        let (n, at) = (self.x0.len(), at.into());
        let point = |variable| DerivativePoint { at, q: x, v: rate, variable, space: &VECTOR };
        match &self.field {
            Field::Function { f, jacobian } => {
                let field = |x: &[f64], out: &mut [f64]| (f.0)(at, x, out);
                compared("derivative of f in x", jacobian, point(Variable::Position), field, tolerance)?;
            }
            Field::View(view) => view.check_jacobians(at, x, tolerance)?,
        }
        if let Some(control) = &self.control {
            let mut memory = control.scratch(n);
            let of_x = |x: &[f64], f: &mut [f64]| control.add_into(1.0, at, x, rate, &mut memory, f);
            compared(CONTROL[3], &control.jacobian_q, point(Variable::Position), of_x, tolerance)?;
            let mut memory = control.scratch(n);
            let of_rate = |v: &[f64], f: &mut [f64]| control.add_into(1.0, at, x, v, &mut memory, f);
            compared(CONTROL[4], &control.jacobian_v, point(Variable::Velocity), of_rate, tolerance)?;
        }
        Ok(())
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        check_initial_state(&self.x0)?;
        let n = self.x0.len();
        if let Mass::Constant(mass) = &self.mass {
            check_matrix("M", (n, n), mass)?;
        }
        match &self.field {
            Field::Function { jacobian, .. } => jacobian.check("derivative of f in x", n)?,
            Field::View(view) => view.check()?,
        }
        self.control.as_ref().map_or(Ok(()), |control| control.check(n))
    }

    /// Allocates the workspace for [`mass_into`](Self::mass_into), [`field_into`](Self::field_into) and
    /// [`subtract_jacobian`](Self::subtract_jacobian).
    #[must_use]
    pub fn scratch(&self) -> FirstOrderScratch {
        let n = self.x0.len();
        FirstOrderScratch {
            control: self.control.as_ref().map(|control| control.scratch(n)).unwrap_or_default(),
            difference: DifferenceScratch::new(n, n),
            jacobian: Array2::zeros((n, n)),
            view: match &self.field {
                Field::Function { .. } => ViewScratch::default(),
                Field::View(view) => view.scratch(),
            },
        }
    }

    /// Returns `true` if the mass matrix is constant.
    #[must_use]
    pub fn has_constant_mass(&self) -> bool {
        matches!(self.mass, Mass::Identity | Mass::Constant(_))
    }

    /// Returns `true` if the mass matrix is the identity.
    #[must_use]
    pub fn has_identity_mass(&self) -> bool {
        matches!(self.mass, Mass::Identity)
    }

    pub(crate) fn has_constant_jacobian(&self) -> bool {
        matches!(&self.field, Field::Function { jacobian: Jacobian::Zero | Jacobian::Constant(_), .. })
    }

    /// Returns `true` if there is a control term. Its function u can depend on the rate of x.
    #[must_use]
    pub fn has_control(&self) -> bool {
        self.control.is_some()
    }

    /// Writes M(t, x) to an `n x n` matrix.
    pub fn mass_into(
        &self,
        at: At<'_>,
        x: &[f64],
        scratch: &mut FirstOrderScratch,
        out: &mut ArrayViewMut2<'_, f64>,
    ) {
        match &self.mass {
            Mass::OfView => {
                if let Field::View(view) = &self.field {
                    view.mass_into(at.parameters(), x, &mut scratch.view, out);
                }
            }
            Mass::Identity => write_mass(None, out),
            Mass::Constant(mass) => write_mass(Some(mass), out),
            Mass::Function(function) => {
                out.fill(0.0);
                (function.0)(at, x, out);
            }
        }
    }

    /// Writes $f(x, t) + T(x) u(x, \dot x, t)$ to `out`, which has `n` entries.
    pub fn field_into(
        &self,
        at: At<'_>,
        x: &[f64],
        rate: &[f64],
        scratch: &mut FirstOrderScratch,
        out: &mut [f64],
    ) {
        match &self.field {
            Field::Function { f, .. } => {
                out.fill(0.0);
                (f.0)(at, x, out);
            }
            Field::View(view) => view.field_into(at, x, &mut scratch.view, out),
        }
        if let Some(control) = &self.control {
            control.add_into(1.0, at, x, rate, &mut scratch.control, out);
        }
    }

    /// Subtracts two matrices from `w`: the derivative of the field with respect to x, times `factor_x`, and
    /// its derivative with respect to the rate of x, times `factor_rate`.
    pub fn subtract_jacobian(
        &self,
        (factor_x, factor_rate): (f64, f64),
        at: At<'_>,
        x: &[f64],
        rate: &[f64],
        scratch: &mut FirstOrderScratch,
        w: &mut ArrayViewMut2<'_, f64>,
    ) {
        let point = |variable| DerivativePoint { at, q: x, v: rate, variable, space: &VECTOR };
        let FirstOrderScratch { control: memory, difference, jacobian: sum, view: of_view } = scratch;
        sum.fill(0.0);
        match &self.field {
            Field::Function { f, jacobian } => {
                let field = |x: &[f64], out: &mut [f64]| (f.0)(at, x, out);
                jacobian.add_into(factor_x, point(Variable::Position), field, difference, sum);
            }
            Field::View(view) => view.add_jacobian(factor_x, at, x, of_view, sum),
        }
        if let Some(control) = &self.control {
            let of_x = |x: &[f64], out: &mut [f64]| control.add_into(1.0, at, x, rate, memory, out);
            control.jacobian_q.add_into(factor_x, point(Variable::Position), of_x, difference, sum);
            let of_rate = |v: &[f64], out: &mut [f64]| control.add_into(1.0, at, x, v, memory, out);
            control.jacobian_v.add_into(factor_rate, point(Variable::Velocity), of_rate, difference, sum);
        }
        w.scaled_add(-1.0, sum);
    }
}

impl HasParts for FirstOrderNonlinear {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("FirstOrderNonlinear");
        parts.count("number of states", self.x0.len());
        let (mass, control) = match &self.field {
            Field::Function { .. } => ("M", &CONTROL),
            Field::View(_) => ("M of x", &CONTROL_OF_VIEW),
        };
        match &self.mass {
            Mass::Identity | Mass::OfView => {}
            Mass::Constant(matrix) => parts.matrix(mass, matrix),
            Mass::Function(function) => parts.function(mass, function),
        }
        match &self.field {
            Field::Function { f, jacobian } => {
                parts.function("f", f);
                jacobian.list("derivative of f in x", &mut parts);
            }
            Field::View(view) => {
                parts.word("field", "that of a Lagrangian system");
                parts.append(view.lagrangian().parts());
            }
        }
        self.control.iter().for_each(|term| term.list(control, &mut parts));
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        let mut origins = Vec::new();
        if let Mass::Function(function) = &mut self.mass {
            origins.extend(function.origin_mut());
        }
        match &mut self.field {
            Field::Function { f, jacobian } => {
                origins.extend(f.origin_mut());
                origins.extend(jacobian.origin_mut());
            }
            Field::View(view) => origins.extend(view.lagrangian_mut().origins_mut()),
        }
        origins.extend(self.control.iter_mut().flat_map(ControlTerm::origins_mut));
        origins
    }
}

/// Compares a Jacobian with central differences of its function.
fn compared(
    what: &'static str,
    given: &Jacobian,
    point: DerivativePoint<'_>,
    mut function: impl FnMut(&[f64], &mut [f64]),
    tolerance: f64,
) -> Result<(), JacobianMismatch> {
    let n = point.q.len();
    let mut scratch = DifferenceScratch::new(n, n);
    let (mut value, mut expected) = (Array2::zeros((n, n)), Array2::zeros((n, n)));
    for (jacobian, target) in [(given, &mut value), (&Jacobian::FiniteDifference, &mut expected)] {
        jacobian.add_into(1.0, point, &mut function, &mut scratch, target);
    }
    jacobian::compare(what, &value, &expected, tolerance)
}

/// Workspace of one first-order system.
#[derive(Clone, Debug, Default)]
pub struct FirstOrderScratch {
    control: ControlScratch,
    difference: DifferenceScratch,
    jacobian: Array2<f64>,
    view: ViewScratch,
}
