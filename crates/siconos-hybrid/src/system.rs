//! Hybrid system: equations, discrete variables and events.

use std::fmt;
use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};
use siconos_linalg::DenseLu;

use super::answer::Direction;
use super::event::{Event, GuardOf};
use super::names::TIME;
use super::switch::{Switch, SwitchTime, SwitchTimes};
use super::variable::Discrete;
use super::{DiscreteId, GuardFunction, HybridError, Variable, VariableType, View};
use siconos_kernel::arena::Arena;
use siconos_kernel::engine::{check_finite, check_shape, next_stamp};
use siconos_kernel::model::{At, Parameter, ParameterId, Parameters};

/// Function that writes the right-hand sides, or the residuals of the algebraic equations.
type Equations = Arc<dyn Fn(View<'_>, &mut [f64]) + Send + Sync>;
type Derivative = Arc<dyn Fn(View<'_>, ArrayViewMut2<'_, f64>) + Send + Sync>;

/// Equations with discrete variables and events:
///
/// $$ M \dot x = f(t, x, z, d), \qquad 0 = g(t, x, z, d), $$
///
/// or $M \ddot y = a(t, y, \dot y, z, d)$. The discrete variables d change only at events. (As plain text: M
/// x' = f, 0 = g; or M y'' = a.)
///
/// ```
/// use siconos_hybrid::{Action, IntegrationOutcome, HybridSettings, HybridSolution, HybridSystem, Trigger, View};
///
/// // A ball falls from 1 m and rebounds with 0.9 of its speed.
/// let mut ball = HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -9.81)?;
/// ball.event(Trigger::decreasing("y"), Action::set(|p| p.set(1, -0.9 * p.x()[1])))?;
/// let mut solution = HybridSolution::new(&ball, 0.0, &[1.0, 0.0], HybridSettings::default())?;
/// assert_eq!(solution.at(1.0)?, IntegrationOutcome::Reached);
/// let first = solution.last_fired(&[1])?[0];
/// assert!((first - (2.0_f64 / 9.81).sqrt()).abs() < 1e-10);
/// # Ok::<(), siconos_hybrid::HybridError>(())
/// ```
#[derive(Clone)]
pub struct HybridSystem {
    /// Number of differential equations: the number of variables, not counting derivatives.
    pub(super) unknowns: usize,
    pub(super) is_second_order: bool,
    pub(super) rate: Equations,
    pub(super) mass: Option<Array2<f64>>,
    pub(super) algebraic: Option<Equations>,
    pub(super) jacobian: Option<Derivative>,
    /// Names of the states (in a second-order system, with their derivatives) and of the algebraic variables.
    pub(super) names: Vec<String>,
    pub(super) discrete: Vec<Discrete>,
    /// `required[i]` is `true` if a root requires a value of discrete variable i.
    pub(super) required: Vec<bool>,
    pub(super) declared_parameters: Arena<Parameter>,
    pub(super) parameters: Parameters,
    pub(super) events: Vec<Event>,
    /// Functions at whose zeros the equations switch.
    pub(super) switches: Vec<Switch>,
    pub(super) switch_times: Vec<SwitchTimes>,
}

impl HybridSystem {
    /// Creates a first-order system, $\dot x = f(t, x, d)$, with one variable per name. The function writes
    /// the derivatives \[unit of the variable per s\].
    ///
    /// # Errors
    ///
    /// [`HybridError::NoVariables`] if `names` is empty; [`HybridError::NameTaken`] if a name is taken.
    pub fn first_order<S: Into<String>>(
        names: impl IntoIterator<Item = S>,
        f: impl Fn(View<'_>, &mut [f64]) + Send + Sync + 'static,
    ) -> Result<Self, HybridError> {
        Self::new(names.into_iter().map(Into::into).collect(), false, Arc::new(f))
    }

    /// Creates a second-order system, $\ddot y = a(t, y, \dot y, d)$, with one variable per name. The states
    /// are the variables followed by their derivatives, which have the names `y'`. The function writes the
    /// accelerations \[unit of the variable per s^2\].
    ///
    /// # Errors
    ///
    /// See [`first_order`](Self::first_order).
    pub fn second_order<S: Into<String>>(
        names: impl IntoIterator<Item = S>,
        a: impl Fn(View<'_>, &mut [f64]) + Send + Sync + 'static,
    ) -> Result<Self, HybridError> {
        Self::new(names.into_iter().map(Into::into).collect(), true, Arc::new(a))
    }

    fn new(mut names: Vec<String>, is_second_order: bool, rate: Equations) -> Result<Self, HybridError> {
        let unknowns = names.len();
        if unknowns == 0 {
            return Err(HybridError::NoVariables);
        }
        if is_second_order {
            names.extend_from_within(..);
            names[unknowns..].iter_mut().for_each(|name| name.push('\''));
        }
        let mut system = Self {
            unknowns,
            is_second_order,
            rate,
            mass: None,
            algebraic: None,
            jacobian: None,
            names: Vec::with_capacity(names.len()),
            discrete: Vec::new(),
            required: Vec::new(),
            declared_parameters: Arena::default(),
            parameters: Parameters::default(),
            events: Vec::new(),
            switches: Vec::new(),
            switch_times: Vec::new(),
        };
        system.take_names(names)?;
        Ok(system)
    }

    fn take_names(&mut self, names: Vec<String>) -> Result<(), HybridError> {
        for name in names {
            self.check_name(&name)?;
            self.names.push(name);
        }
        Ok(())
    }

    /// Sets a constant nonsingular mass matrix M, with one row and one column for each differential equation.
    /// The system is then integrated by the [stiff](siconos_ode::Method::Stiff) method.
    ///
    /// # Errors
    ///
    /// [`HybridError::Model`] if the matrix has the wrong shape or an entry that is not finite;
    /// [`HybridError::SingularMass`] if it is singular.
    pub fn with_mass(self, mass: Array2<f64>) -> Result<Self, HybridError> {
        check_shape("mass", (self.unknowns, self.unknowns), mass.dim())?;
        check_finite("mass", &mass)?;
        let factors = DenseLu::default().factor_in_any_units(mass.view());
        factors.map_err(|_singular| HybridError::SingularMass)?;
        Ok(Self { mass: Some(mass), ..self })
    }

    /// Adds algebraic variables z and the equations 0 = g(t, x, z, d), one equation for each variable. The
    /// function writes g. The equations must be of index 1: dg/dz must be nonsingular. After each action,
    /// consistent values of z are computed. If an action assigns a value to z, the value is only the initial
    /// guess of this computation.
    ///
    /// # Errors
    ///
    /// [`HybridError::NameTaken`] if a name is taken; [`HybridError::Option`] if the system already has
    /// algebraic variables or events.
    pub fn with_algebraic<S: Into<String>>(
        mut self,
        names: impl IntoIterator<Item = S>,
        g: impl Fn(View<'_>, &mut [f64]) + Send + Sync + 'static,
    ) -> Result<Self, HybridError> {
        if self.algebraic.is_some() || !self.events.is_empty() {
            let why = "algebraic variables must be added all at once, and before the events";
            return Err(HybridError::Option { event: self.events.len() + 1, why });
        }
        self.take_names(names.into_iter().map(Into::into).collect())?;
        self.algebraic = Some(Arc::new(g));
        Ok(self)
    }

    /// Sets the Jacobian of the equations with respect to all continuous variables. The function writes a
    /// matrix, which is zero on entry. It has one row for each equation, f (or a) followed by g, and one
    /// column for each continuous variable. By default, finite differences are used.
    #[must_use]
    pub fn with_jacobian(
        self,
        jacobian: impl Fn(View<'_>, ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self { jacobian: Some(Arc::new(jacobian)), ..self }
    }

    /// Declares a discrete variable with its initial value. The value of a boolean is `true`, `false`, 1 or
    /// 0.
    ///
    /// # Errors
    ///
    /// [`HybridError::NameTaken`] if the name is taken; [`HybridError::InitialValue`] if the value is not
    /// valid for the type.
    pub fn discrete(
        &mut self,
        name: impl Into<String>,
        kind: VariableType,
        initial: impl Into<f64>,
    ) -> Result<DiscreteId, HybridError> {
        let (name, initial) = (name.into(), initial.into());
        self.check_name(&name)?;
        if let Some(must_be) = kind.refuses(initial) {
            return Err(HybridError::InitialValue { name, value: initial, must_be });
        }
        self.discrete.push(Discrete { name, kind, initial });
        self.required.push(false);
        Ok(DiscreteId(self.discrete.len() - 1))
    }

    /// Declares a parameter with its initial values. User functions read it as `p.at[id]`.
    ///
    /// # Errors
    ///
    /// [`HybridError::Model`] if `initial` is empty or a value is not finite; [`HybridError::NameTaken`]
    /// if the name is taken.
    pub fn parameter(
        &mut self,
        name: impl Into<String>,
        initial: Vec<f64>,
    ) -> Result<ParameterId, HybridError> {
        let name = name.into();
        self.check_name(&name)?;
        let label = name.clone();
        let parameter = Parameter::new(name, initial)?;
        let values = parameter.initial().to_vec();
        let id = self.declared_parameters.insert(Some(&label), parameter, next_stamp());
        self.parameters.push(id, &values);
        Ok(id)
    }

    /// Sets the initial values of a parameter. Only solutions that are created after this call use them.
    ///
    /// # Errors
    ///
    /// [`HybridError::Model`] if the id belongs to another system, the length is wrong, or an entry is not
    /// finite.
    pub fn set_initial_parameter(&mut self, id: ParameterId, initial: &[f64]) -> Result<(), HybridError> {
        self.parameters.set(id, initial)?;
        if let Some(declared) = self.declared_parameters.get_mut(id) {
            declared.set_initial(initial);
        }
        Ok(())
    }

    /// Declares a switch: the equations jump or have a kink when the function `f` of t, x and d crosses zero.
    /// The integration stops and restarts at the switch, so that no step crosses it. Messages contain the
    /// name.
    ///
    /// ```
    /// use siconos_hybrid::{
    ///     IntegrationOutcome, GuardFunction, HybridSettings, HybridSolution, HybridSystem, View,
    /// };
    ///
    /// // A push that lasts a thousandth of a second, while x' = 1 takes y from 0 to 1e-3.
    /// let push = |p: View, rate: &mut [f64]| {
    ///     (rate[0], rate[1]) = (1.0, if p.x[0] > 0.5 && p.x[0] < 0.501 { 1.0 } else { 0.0 });
    /// };
    /// let mut system = HybridSystem::first_order(["x", "y"], push)?;
    /// for edge in [0.5, 0.501] {
    ///     system.switch("an edge", GuardFunction::new(move |p: View| p.x[0] - edge).with_degree(1));
    /// }
    /// let mut solution = HybridSolution::new(&system, 0.0, &[0.0, 0.0], HybridSettings::default())?;
    /// assert_eq!(solution.at(10.0)?, IntegrationOutcome::Reached);
    /// assert!((solution.x()[1] - 1e-3).abs() < 1e-12);
    /// # Ok::<(), siconos_hybrid::HybridError>(())
    /// ```
    pub fn switch(&mut self, name: impl Into<String>, f: impl Into<GuardFunction>) {
        self.switches.push(Switch { name: name.into(), f: GuardOf::Function(f.into()) });
    }

    /// Declares times at which the equations switch, independent of the state. The function returns the next
    /// switch after the time of the given point, in the given direction. It can depend on the time, the
    /// parameters and the discrete variables. Steps end at the switch, and each step evaluates the equations
    /// on one side of the switch only.
    pub fn switch_times(
        &mut self,
        times: impl Fn(View<'_>, Direction) -> Option<SwitchTime> + Send + Sync + 'static,
    ) {
        self.switch_times.push(Arc::new(times));
    }

    /// Returns the number of events.
    #[must_use]
    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// Returns the names of the continuous variables: the states (in a second-order system, with their
    /// derivatives), followed by the algebraic variables.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the variable with the given name, or `None` if no variable has this name.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<Variable> {
        let continuous = self.names.iter().position(|known| known == name).map(Variable::Continuous);
        let discrete = || self.discrete.iter().position(|variable| variable.name == name);
        continuous.or_else(|| discrete().map(|index| Variable::Discrete(DiscreteId(index))))
    }

    /// Returns the discrete variables with their types, in the order of declaration.
    pub fn discrete_variables(&self) -> impl ExactSizeIterator<Item = (&str, VariableType)> + '_ {
        self.discrete.iter().map(|variable| (variable.name.as_str(), variable.kind))
    }

    /// Returns the number of states, not counting the algebraic variables.
    #[must_use]
    pub fn states(&self) -> usize {
        if self.is_second_order { 2 * self.unknowns } else { self.unknowns }
    }

    pub(super) fn is_implicit(&self) -> bool {
        self.mass.is_some() || self.algebraic.is_some()
    }

    /// Writes M times the derivatives of the states (M is the mass matrix), and the residuals of the
    /// algebraic equations.
    pub(super) fn compute(&self, view: View<'_>, out: &mut [f64]) {
        let (m, states) = (self.unknowns, self.states());
        let (rates, residuals) = out.split_at_mut(states);
        if self.is_second_order {
            rates[..m].copy_from_slice(&view.x[m..2 * m]);
        }
        (self.rate)(view, &mut rates[states - m..]);
        if let Some(g) = &self.algebraic {
            g(view, residuals);
        }
    }

    /// Returns the name of a variable.
    pub(super) fn name_of(&self, variable: Variable) -> String {
        match variable {
            Variable::Continuous(index) => self.names[index].clone(),
            Variable::Discrete(DiscreteId(index)) => self.discrete[index].name.clone(),
        }
    }

    /// Returns the time `t` with the initial values of the parameters.
    #[must_use]
    pub fn at(&self, t: f64) -> At<'_> {
        At::new(t, &self.parameters)
    }

    pub(super) fn parameter_names(&self) -> Vec<String> {
        self.declared_parameters.iter().map(|(_, parameter)| parameter.name().to_owned()).collect()
    }

    fn check_name(&self, name: &str) -> Result<(), HybridError> {
        let is_taken = name == TIME
            || self.names.iter().any(|known| known == name)
            || self.discrete.iter().any(|variable| variable.name == name)
            || self.parameter_names().iter().any(|known| known == name);
        if is_taken { Err(HybridError::NameTaken { name: name.to_owned() }) } else { Ok(()) }
    }
}

impl fmt::Debug for HybridSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HybridSystem")
            .field("names", &self.names)
            .field("discrete", &self.discrete)
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}
