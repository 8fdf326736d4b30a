//! A model file, and what is built of it.

use siconos_expression::Scope;
use siconos_kernel::model::{DynamicalSystemId, InteractionId, NonSmoothDynamicalSystem};
use siconos_kernel::state::State;
use siconos_ode::Carried;

use super::control::{Device, Devices};
use super::events::{BuiltEvents, UserEvent};
use super::interactions::Interaction;
use super::outputs::{Outputs, Recorder};
use super::parameters::Parameter;
use super::registry::Registry;
use super::simulation::{BuiltSimulation, Simulation};
use super::solvers::SolverChoice;
use super::systems::System;
use super::watched::Readable;
use crate::document::{DocumentError, Faults};
use crate::run_error::SetError;
use crate::snapshot::content::{DataFile, Recorded, Unconverged};

/// A model as its file describes it: what is read once, changed by `--set`, and built as often as wanted.
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
    pub(super) systems: Vec<System>,
    pub(super) interactions: Vec<Interaction>,
    pub(super) simulation: Simulation,
    pub(super) devices: Vec<Device>,
    pub(super) events: Vec<UserEvent>,
    /// What expressions of events may read.
    pub(super) readable: Readable,
    pub(super) outputs: Outputs,
    pub(super) data: Vec<DataFile>,
    pub(super) source: String,
    pub(super) name: String,
}

/// What a model file is built to: the model, its simulation, its state and its outputs.
#[derive(Debug)]
pub struct BuiltModel {
    /// The model.
    pub model: NonSmoothDynamicalSystem,
    /// How it is simulated.
    pub simulation: BuiltSimulation,
    /// The state, at the start.
    pub state: State,
    /// What is written of each step.
    pub recorder: Recorder,
    /// The systems in the order of the file; the model knows them by their names.
    pub systems: Vec<DynamicalSystemId>,
    /// The interactions in the order of the file.
    pub interactions: Vec<InteractionId>,
    /// The solver that the file asks for, whose settings the simulation does not know.
    pub(super) solver: Option<SolverChoice>,
    pub(super) devices: Devices,
    pub(super) events: BuiltEvents,
    /// Devices and events as the file describes them.
    pub(super) described: (Vec<Device>, Vec<UserEvent>),
    /// The files of arrays that it was made of.
    pub(super) data: Vec<DataFile>,
    /// The names of the parameters that the file has as arrays.
    pub(super) arrays: Vec<String>,
    /// What the file calls the coordinates of its systems.
    pub(super) coordinates: Vec<Vec<String>>,
    /// What the file calls itself, and what it says of outputs.
    pub(super) title: Option<String>,
    pub(super) outputs: Outputs,
    /// Whether the row of the start has been handed on.
    pub(super) is_begun: bool,
    /// The state at the start.
    pub(super) start: State,
    /// Where an event-driven simulation began anew last.
    pub(super) restart: Option<Restart>,
    pub(super) unconverged: Unconverged,
}

/// Where an event-driven simulation began anew.
#[derive(Debug)]
pub(super) struct Restart {
    pub(super) state: State,
    pub(super) recorded: Recorded,
    /// What its integrator carries over it; not known of snapshots of the first format.
    pub(super) carried: Option<Carried>,
}

impl ModelFile {
    /// What the file calls itself.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The text that it was read from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.source
    }

    /// What messages call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The files of arrays that it was read from, each once, in the order of their paths.
    #[must_use]
    pub fn data(&self) -> &[DataFile] {
        &self.data
    }

    /// The names of sensors, observers and controllers, in the order of the file.
    pub fn devices(&self) -> impl Iterator<Item = &str> {
        self.devices.iter().map(|device| device.name.as_str())
    }

    /// The names of the events at given times, in the order of the file.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.events.iter().map(|event| event.name.as_str())
    }

    /// The names of the parameters, in the order of the file.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|parameter| parameter.name.as_str())
    }

    /// The values of a parameter.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&[f64]> {
        self.parameters.iter().find(|parameter| parameter.name == name).map(|parameter| &parameter.values[..])
    }

    /// Sets the values of a parameter for what is built from now on.
    ///
    /// # Errors
    ///
    /// [`SetError`].
    pub fn set(&mut self, name: &str, values: &[f64]) -> Result<(), SetError> {
        let Some(place) = self.parameters.iter().position(|parameter| parameter.name == name) else {
            let nearest = siconos_expression::nearest(name, self.parameters());
            return Err(SetError::Unknown { name: name.to_owned(), nearest });
        };
        let parameter = &mut self.parameters[place];
        let (expected, found) = (parameter.values.len(), values.len());
        if expected != found {
            return Err(SetError::Count { name: name.to_owned(), expected, found });
        }
        if let Some(value) = values.iter().copied().find(|value| !value.is_finite()) {
            return Err(SetError::NotFinite { name: name.to_owned(), value });
        }
        parameter.values.copy_from_slice(values);
        Ok(())
    }

    /// Sets a parameter that is a number, or the number at a place of one that is an array; false where there
    /// is none.
    pub(super) fn set_number(&mut self, name: &str, place: Option<usize>, value: f64) -> bool {
        let own = self.parameters.iter_mut().find(|own| own.name == name && own.is_array == place.is_some());
        let number = own.and_then(|own| own.values.get_mut(place.unwrap_or_default()));
        number.map(|number| *number = value).is_some()
    }

    /// The value of a number, or of an expression of the constants of the file.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in words.
    pub fn constant(&self, text: &str) -> Result<f64, siconos_expression::ParseError> {
        let expression = siconos_expression::parse_number(text, &self.constants)?;
        Ok(expression.constant().unwrap_or(f64::NAN))
    }

    /// Builds the model with the present values of the parameters, without functions of a program.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Faults`] with what the kernel refuses, at the system, the interaction or the
    /// simulation that is at fault.
    pub fn build(&self) -> Result<BuiltModel, DocumentError> {
        self.build_with(&Registry::new())
    }

    /// Builds the model with the present values of the parameters, and with functions of the program that the
    /// file names.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build), and a function that the registry has not, or that reads something else than
    /// is needed where the file names it.
    pub fn build_with(&self, registry: &Registry) -> Result<BuiltModel, DocumentError> {
        let mut faults = Faults::new(&self.source, &self.name);
        let built = self.build_noting(registry, &mut faults);
        faults.check(built)
    }
}
