//! A model file and the model that is built from it.

use siconos_expression::Scope;
use siconos_kernel::model::{DynamicalSystemId, InteractionId, NonSmoothDynamicalSystem};
use siconos_kernel::state::State;
use siconos_ode::IntegratorState;

use super::adjustable_laws::AdjustableLaws;
use super::control::{Device, Devices};
use super::events::{BuiltEvents, UserEvent};
use super::fixed::FixedParameters;
use super::interactions::Interaction;
use super::outputs::{Outputs, Recorder};
use super::parameters::Parameter;
use super::registry::Registry;
use super::simulation::{BuiltSimulation, Simulation};
use super::solvers::SolverChoice;
use super::stop::{BuiltStopCondition, StopCondition};
use super::systems::System;
use super::watched::Readable;
use crate::document::{Diagnostics, DocumentError};
use crate::run_error::{SetParameterError, StartError};
use crate::snapshot::content::{DataFile, Recorded, Unconverged};

/// Description of a model, read from a file. The description can be changed, and models can be built from it
/// any number of times.
///
/// ```
/// use siconos_io::model::ModelFile;
///
/// let text = r#"
/// format = 1
/// kind = "model"
///
/// [parameters]
/// gravity = 9.81
///
/// [systems.ball]
/// family = "lagrangian_linear"
/// q = [1]
/// mass = [[1]]
/// external_force = ["-gravity"]
///
/// [interactions.floor]
/// systems = ["ball"]
/// relation = { kind = "lagrangian_linear", H = [[1]] }
/// law = { kind = "newton_impact", restitution = 0.5 }
///
/// [simulation]
/// kind = "time_stepping"
/// end = 1
/// step = 0.001
/// "#;
/// let mut file = ModelFile::parse(text, "ball.toml")?;
/// let mut rows = 0;
/// let mut run = file.build()?;
/// run.to_end(|row| {
///     assert_eq!(row.len(), 3, "t, ball.q, ball.q'");
///     rows += 1;
///     Ok::<_, std::convert::Infallible>(())
/// })?;
/// assert_eq!(rows, 1001);
/// file.set("gravity", &[1.62])?;
/// assert_eq!(file.parameter("gravity"), Some(&[1.62][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ModelFile {
    pub(super) title: Option<String>,
    pub(super) constants: Scope,
    pub(super) parameters: Vec<Parameter>,
    pub(super) fixed: FixedParameters,
    pub(super) systems: Vec<System>,
    pub(super) interactions: Vec<Interaction>,
    pub(super) simulation: Simulation,
    pub(super) devices: Vec<Device>,
    pub(super) events: Vec<UserEvent>,
    /// Names that expressions of events can read.
    pub(super) readable: Readable,
    pub(super) outputs: Outputs,
    pub(super) stop: Option<StopCondition>,
    pub(super) data: Vec<DataFile>,
    pub(super) source: String,
    pub(super) name: String,
}

/// A model built from a file, with its simulation, its state and its outputs.
#[derive(Debug)]
pub struct BuiltModel {
    /// The model.
    pub model: NonSmoothDynamicalSystem,
    /// Simulation of the model.
    pub simulation: BuiltSimulation,
    /// Current state. After [`ModelFile::build`], this is the state at the start.
    pub state: State,
    /// Recorder of the outputs. It contains the names of the columns and the last computed row.
    pub recorder: Recorder,
    /// Systems in the order of the file. They can also be found in the model by name.
    pub systems: Vec<DynamicalSystemId>,
    /// Interactions in the order of the file.
    pub interactions: Vec<InteractionId>,
    /// Solver that the file selects, with its settings, which the simulation does not store.
    pub(super) solver: Option<SolverChoice>,
    pub(super) laws: AdjustableLaws,
    pub(super) devices: Devices,
    pub(super) events: BuiltEvents,
    /// Devices and events as described in the file.
    pub(super) described: (Vec<Device>, Vec<UserEvent>),
    /// Array files that the model was built from.
    pub(super) data: Vec<DataFile>,
    /// Names of the parameters that are arrays in the file.
    pub(super) arrays: Vec<String>,
    /// Names of the coordinates of each system in the file.
    pub(super) coordinates: Vec<Vec<String>>,
    /// Title of the file.
    pub(super) title: Option<String>,
    pub(super) outputs: Outputs,
    /// Condition that ends the run, as described in the file and built.
    pub(super) stop: Option<(StopCondition, BuiltStopCondition)>,
    /// `true` after the first call of `advance`.
    pub(super) is_begun: bool,
    /// State at the start time.
    pub(super) start: State,
    /// Last restart of the integrator in an event-driven simulation.
    pub(super) restart: Option<Restart>,
    pub(super) unconverged: Unconverged,
    pub(super) contacts: ContactStatistics,
    pub(super) is_stopped: bool,
}

/// Contacts and solver errors of the steps of a run since it started or was resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ContactStatistics {
    /// Number of active relations in the last step, such as closed contacts.
    pub active: usize,
    /// Largest error of the one-step problem of all steps.
    pub worst_error: f64,
}

/// State and outputs at a restart of an event-driven simulation, from which a run can be resumed.
#[derive(Debug)]
pub(super) struct Restart {
    pub(super) state: State,
    pub(super) recorded: Recorded,
    /// Data that the integrator carries across the restart. `None` for a snapshot in version 1 of the format.
    pub(super) carried: Option<IntegratorState>,
}

impl ModelFile {
    /// Returns the title of the file.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.source
    }

    /// Returns the name of the file, as used in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the array files that the model was read from, without duplicates, sorted by path.
    #[must_use]
    pub fn data(&self) -> &[DataFile] {
        &self.data
    }

    /// Returns the names of sensors, observers and controllers, in the order of the file.
    pub fn devices(&self) -> impl Iterator<Item = &str> {
        self.devices.iter().map(|device| device.name.as_str())
    }

    /// Returns the names of the events at given times, in the order of the file.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.events.iter().map(|event| event.name.as_str())
    }

    /// Returns the names of the parameters, in the order of the file.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|parameter| parameter.name.as_str())
    }

    /// Returns the values of a parameter, or `None` for an unknown name.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&[f64]> {
        self.parameters.iter().find(|parameter| parameter.name == name).map(|parameter| &parameter.values[..])
    }

    /// Sets the values of a parameter. Models that are built afterwards use the new values.
    ///
    /// # Errors
    ///
    /// [`SetParameterError`] if the name is unknown, the number of values is wrong, a value is not finite, or
    /// a size or a setting of the simulation reads the parameter.
    pub fn set(&mut self, name: &str, values: &[f64]) -> Result<(), SetParameterError> {
        let Some(place) = self.parameters.iter().position(|parameter| parameter.name == name) else {
            let nearest = siconos_expression::nearest(name, self.parameters());
            return Err(SetParameterError::Unknown { name: name.to_owned(), nearest });
        };
        if self.fixed.in_file.contains(&place) {
            return Err(SetParameterError::Fixed { name: name.to_owned() });
        }
        let parameter = &mut self.parameters[place];
        let (expected, found) = (parameter.values.len(), values.len());
        if expected != found {
            return Err(SetParameterError::Count { name: name.to_owned(), expected, found });
        }
        if let Some(value) = values.iter().copied().find(|value| !value.is_finite()) {
            return Err(SetParameterError::NotFinite { name: name.to_owned(), value });
        }
        parameter.values.copy_from_slice(values);
        Ok(())
    }

    /// Sets a parameter that is a number, or one entry of a parameter that is an array. Returns `false` if
    /// the parameter or the entry does not exist, or if the file must be read again to change it.
    pub(super) fn set_number(&mut self, name: &str, place: Option<usize>, value: f64) -> bool {
        let is_it = |own: &Parameter| own.name == name && own.is_array == place.is_some();
        let Some(index) = self.parameters.iter().position(is_it) else { return false };
        if self.fixed.in_file.contains(&index) {
            return false;
        }
        let number = self.parameters[index].values.get_mut(place.unwrap_or_default());
        number.map(|number| *number = value).is_some()
    }

    /// Evaluates a number, or an expression that reads only the constants of the file.
    ///
    /// # Errors
    ///
    /// If the text is neither a number nor an expression of constants.
    pub fn constant(&self, text: &str) -> Result<f64, siconos_expression::ParseError> {
        let expression = siconos_expression::parse_number(text, &self.constants)?;
        Ok(expression.constant().unwrap_or(f64::NAN))
    }

    /// Builds the model with the current values of the parameters, without functions of a program.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Diagnostics`] if the kernel rejects the model. Each error has the location of the
    /// system, the interaction or the simulation that causes it.
    pub fn build(&self) -> Result<BuiltModel, DocumentError> {
        self.build_with(&Registry::new())
    }

    /// Builds the model with the current values of the parameters. The registry contains the functions of the
    /// program that the file refers to by name.
    ///
    /// # Errors
    ///
    /// If [`build`](Self::build) fails, if the registry does not contain a function that the file refers to,
    /// or if the arguments of this function differ from the required ones.
    pub fn build_with(&self, registry: &Registry) -> Result<BuiltModel, DocumentError> {
        let mut diagnostics = Diagnostics::new(&self.source, &self.name);
        let built = self.build_noting(registry, None, &mut diagnostics);
        diagnostics.check(built)
    }

    /// Builds the model like [`build`](Self::build), with another end time \[s\]. The steps up to the earlier
    /// of both ends are identical bit for bit.
    ///
    /// # Errors
    ///
    /// [`StartError::Fixed`] if the grid has explicit times, equal steps up to its end, or an exact end, and
    /// [`StartError::Model`] if [`build`](Self::build) fails.
    pub fn build_until(&self, end: f64) -> Result<BuiltModel, StartError> {
        if !self.simulation.has_free_end() {
            return Err(StartError::Fixed);
        }
        let mut diagnostics = Diagnostics::new(&self.source, &self.name);
        let built = self.build_noting(&Registry::new(), Some(end), &mut diagnostics);
        Ok(diagnostics.check(built)?)
    }
}
