//! Parameters: named real vectors that the functions of a model read, and that can change during a
//! simulation.
//!
//! The declaration (name and initial values) belongs to the model. The current values belong to the
//! [`State`](crate::State), so that they are copied, saved and restored with it. User functions receive the
//! parameters together with the time, as an [`At`]. Functions whose equation does not depend on time receive
//! the parameters alone, as [`Parameters`].

use std::ops::{Index, Range};

use crate::arena::{Arena, Id, SideTable};
use crate::model::{ModelError, check_finite, check_shape};

/// Declaration of a parameter: its name and its initial values.
///
/// Created by [`NonSmoothDynamicalSystem::add_parameter`](super::NonSmoothDynamicalSystem::add_parameter).
#[derive(Clone, Debug)]
pub struct Parameter {
    name: String,
    initial: Vec<f64>,
}

/// Identifier of a parameter in its model.
pub type ParameterId = Id<Parameter>;

impl Parameter {
    /// Creates a parameter with its initial values.
    ///
    /// # Errors
    ///
    /// If `initial` is empty, or a value is not finite ([`ModelError`]).
    pub fn new(name: String, initial: Vec<f64>) -> Result<Self, ModelError> {
        if initial.is_empty() {
            return Err(ModelError::Empty { what: "parameter" });
        }
        check_finite("parameter", &initial)?;
        Ok(Self { name, initial })
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the initial values, in the unit that the user functions assume.
    #[must_use]
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// Sets the initial values.
    ///
    /// # Panics
    ///
    /// If the length of `initial` differs from the length of the parameter.
    pub fn set_initial(&mut self, initial: &[f64]) {
        self.initial.copy_from_slice(initial);
    }
}

/// Values of all parameters of a model; `parameters[id]` returns the values of one parameter.
///
/// This type is the first argument of user functions that do not depend on time: M(q), F_gyr(q, v), T(q), and
/// h(q) of scleronomous constraints with its derivatives. All other user functions receive an [`At`].
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// // A gripper of 1 kg; the mass of its load is a parameter.
/// let mut model = NonSmoothDynamicalSystem::new();
/// let load = model.add_parameter("load [kg]", vec![0.0])?;
/// let gripper = Lagrangian::of_mass_function(vec![0.0], vec![0.0], move |p, _q, m| m[[0, 0]] = 1.0 + p[load][0]);
/// model.add_system(gripper)?;
/// let mut state = State::new(&model, 0.0);
/// state.set_parameter(load, &[2.5])?;
/// assert_eq!(state.at()[load], [2.5]);
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    places: SideTable<Parameter, Range<usize>>,
    values: Vec<f64>,
}

/// Values for models without parameters.
static NONE: Parameters = Parameters::new();

impl Parameters {
    const fn new() -> Self {
        Self { places: SideTable::new(), values: Vec::new() }
    }

    /// Adds a parameter with its values.
    pub fn push(&mut self, id: ParameterId, values: &[f64]) {
        let start = self.values.len();
        self.values.extend_from_slice(values);
        self.places.insert(id, start..self.values.len());
    }

    /// Returns the values of a parameter, or `None` if the id belongs to another model.
    #[must_use]
    pub fn get(&self, id: ParameterId) -> Option<&[f64]> {
        self.places.get(id).map(|place| &self.values[place.clone()])
    }

    /// Returns the values of all parameters, concatenated in the order of declaration.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Sets the values of a parameter and returns `true` if they changed.
    ///
    /// # Errors
    ///
    /// If the parameter belongs to another model, the number of values differs, or a value is not finite
    /// ([`ModelError`]).
    pub fn set(&mut self, id: ParameterId, values: &[f64]) -> Result<bool, ModelError> {
        let place = self.places.get(id).cloned().ok_or(ModelError::UnknownParameter { id })?;
        check_shape("parameter", (place.len(), 1), (values.len(), 1))?;
        check_finite("parameter", values)?;
        let target = &mut self.values[place];
        let is_new = !same_bits(target, values);
        target.copy_from_slice(values);
        Ok(is_new)
    }

    /// Copies from `other` the values of all declared parameters that have the same length in both sets.
    pub(crate) fn adopt(&mut self, declared: &Arena<Parameter>, other: &Self) {
        for id in declared.ids() {
            if let (Some(place), Some(values)) = (self.places.get(id), other.get(id))
                && place.len() == values.len()
            {
                self.values[place.clone()].copy_from_slice(values);
            }
        }
    }

    /// Copies the values of another set; does not allocate if both belong to one model.
    pub fn copy_from(&mut self, other: &Self) {
        if self.places == other.places {
            self.values.copy_from_slice(&other.values);
        } else {
            self.clone_from(other);
        }
    }

    /// Sets the values of all parameters, concatenated in the order of declaration.
    ///
    /// # Errors
    ///
    /// If the number of values differs, or a value is not finite ([`ModelError`]).
    pub fn set_all(&mut self, values: &[f64]) -> Result<(), ModelError> {
        check_shape("parameters", (self.values.len(), 1), (values.len(), 1))?;
        check_finite("parameters", values)?;
        self.values.copy_from_slice(values);
        Ok(())
    }

    /// Returns `true` if both contain the same parameters with bitwise equal values.
    #[inline]
    pub(crate) fn same(&self, other: &Self) -> bool {
        same_bits(&self.values, &other.values) && self.places == other.places
    }
}

impl Index<ParameterId> for Parameters {
    type Output = [f64];

    /// Returns the values of a parameter.
    ///
    /// # Panics
    ///
    /// If the id belongs to another model, which is a programming error; see [`get`](Parameters::get).
    #[track_caller]
    fn index(&self, id: ParameterId) -> &[f64] {
        match self.get(id) {
            Some(values) => values,
            None => panic!("parameter {id} does not belong to this model"),
        }
    }
}

/// Argument of user functions: the time and the parameters at which a function is evaluated. `at.t` is the
/// time \[s\], and `at[parameter]` contains the current values of a parameter.
///
/// An `At` is the first argument of every user function that can depend on time: forces, sources, inputs,
/// matrices, constraints and bounds, with their derivatives. Parameters are constant over a step. Values set
/// at $t_k$ apply from $t_k$ on, including the beginning of the next step.
///
/// A time alone converts to an `At` without parameters (`At::from(0.5)`).
/// [`NonSmoothDynamicalSystem::at`](super::NonSmoothDynamicalSystem::at) uses the initial values of the
/// parameters, and [`State::at`](crate::State::at) uses the current values.
///
/// Example: a motor that holds its input between two sampling instants.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let input = model.add_parameter("motor [N]", vec![0.0])?;
/// let cart = model.add_system(
///     LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])
///         .with_external_force(move |at, f| f[0] = at[input][0] + 0.1 * at.t.sin()),
/// )?;
/// let mut sim = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 20.0, 0.01)?)
///     .build()?;
/// sim.events_mut().schedule_periodic(EventKind::Actuator, 0.1, 0.1)?;
/// let mut state = sim.initial_state(&model)?;
/// while let Some(report) = sim.step(&model, &mut state)? {
///     if report.events.iter().any(|event| event.kind() == EventKind::Actuator) {
///         let u = -state.q(cart)[0] - 1.5 * state.v(cart)[0];
///         state.set_parameter(input, &[u])?;
///     }
/// }
/// assert!(state.q(cart)[0].abs() < 0.1);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The time \[s\].
    pub t: f64,
    parameters: &'a Parameters,
}

impl<'a> At<'a> {
    /// Creates an `At` from a time \[s\] and the values of the parameters.
    #[must_use]
    pub fn new(t: f64, parameters: &'a Parameters) -> Self {
        Self { t, parameters }
    }

    /// Returns the values of all parameters.
    #[must_use]
    pub fn parameters(self) -> &'a Parameters {
        self.parameters
    }

    /// Returns these parameters with another time.
    pub(crate) fn time(self, t: f64) -> Self {
        Self { t, ..self }
    }
}

impl From<f64> for At<'static> {
    fn from(t: f64) -> Self {
        Self { t, parameters: &NONE }
    }
}

impl Index<ParameterId> for At<'_> {
    type Output = [f64];

    /// Returns the values of a parameter.
    ///
    /// # Panics
    ///
    /// If the id belongs to another model, which is a programming error; see [`Parameters::get`].
    #[track_caller]
    #[inline]
    fn index(&self, id: ParameterId) -> &[f64] {
        &self.parameters[id]
    }
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}
