//! Writer of models. It returns the text of a file and a list of the parts that cannot be written.

mod read_back;
mod simulation;

use std::collections::BTreeMap;

use siconos_kernel::model::{DynamicalSystemId, InteractionId, NonSmoothDynamicalSystem};
use siconos_kernel::simulation::{EventDriven, TimeStepping};

use super::file::{BuiltModel, ModelFile};
use super::simulation::BuiltSimulation;
use super::solvers::SolverChoice;
use super::table_writer::{Names, UnwrittenPart};
use super::{control, events, interactions, outputs, parameters, read, systems};
use crate::document::{FORMAT, Node, Table, Value, toml};

/// A model written as text, with a list of the parts that the text does not contain.
///
/// ```
/// use siconos_io::model::ModelFile;
/// use siconos_kernel::prelude::*;
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let ball = LagrangianLinear::new(vec![1.0], vec![0.0], ndarray::arr2(&[[1.0]]));
/// let ball = model.add_named_system("ball", ball.with_constant_external_force(vec![-9.81]))?;
/// let touch = LagrangianLinearRelation::new(ndarray::arr2(&[[1.0]]));
/// model.add_named_interaction("floor", [ball], touch, NewtonImpact::new(0.5)?)?;
/// let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.001)?;
/// let simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
///
/// let written = ModelFile::of(&model, &simulation);
/// assert!(written.unwritten.is_empty());
/// let again = ModelFile::parse(&written.text, "ball.toml")?.build()?;
/// assert_eq!(again.model.system_named("ball"), Some(again.systems[0]));
/// # use siconos_io::ndarray;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenModel {
    /// The model in TOML. The text can be read if `unwritten` is empty.
    pub text: String,
    /// Parts of the model that the text does not contain, in model order. If the list is empty, the text was
    /// read back, and the resulting systems and interactions are identical to the original ones.
    pub unwritten: Vec<UnwrittenPart>,
}

/// A simulation to be written.
#[derive(Clone, Copy, Debug)]
pub enum SimulationRef<'s> {
    /// Time-stepping simulation.
    TimeStepping(&'s TimeStepping),
    /// Event-driven simulation.
    EventDriven(&'s EventDriven),
}

impl<'s> From<&'s TimeStepping> for SimulationRef<'s> {
    fn from(simulation: &'s TimeStepping) -> Self {
        Self::TimeStepping(simulation)
    }
}

impl<'s> From<&'s EventDriven> for SimulationRef<'s> {
    fn from(simulation: &'s EventDriven) -> Self {
        Self::EventDriven(simulation)
    }
}

impl<'s> From<&'s BuiltSimulation> for SimulationRef<'s> {
    fn from(simulation: &'s BuiltSimulation) -> Self {
        match simulation {
            BuiltSimulation::TimeStepping(simulation) => Self::TimeStepping(simulation),
            BuiltSimulation::EventDriven(simulation) => Self::EventDriven(simulation),
        }
    }
}

impl ModelFile {
    /// Writes a model and its simulation. A system or an interaction without a name is called `system1`,
    /// `interaction1`, .. in the file. Data are written as numbers, functions as the expressions from which
    /// they were created, and parameters with their initial values. A model that is read from the file is
    /// identical bit for bit.
    ///
    /// Functions of unknown origin ([`Origin::Unknown`](siconos_kernel::model::Origin::Unknown)) and data
    /// without a key in files cannot be written; [`WrittenModel::unwritten`] lists them. Outputs, sensors,
    /// actuators and user events are not contained in the model. They are neither written nor listed, and a
    /// model that is read from the file has the default outputs. For a model that was built from a file,
    /// [`BuiltModel::written`] also writes the title and the outputs of this file.
    pub fn of<'s>(
        model: &NonSmoothDynamicalSystem,
        simulation: impl Into<SimulationRef<'s>>,
    ) -> WrittenModel {
        written(model, simulation.into(), &OfFile::default())
    }
}

impl BuiltModel {
    /// Writes the model like [`ModelFile::of`], together with the title, the solver, the sensors, controllers
    /// and events, and the outputs of its file. Constants and functions are inserted into the expressions
    /// that read them, and laws into their interactions. A run of the written file gives the same output
    /// table.
    #[must_use]
    pub fn written(&self) -> WrittenModel {
        let parameters: Vec<_> = self.model.parameters().iter().map(|(_, own)| own.name()).collect();
        let (devices, happenings) = &self.described;
        // The file has the initial values of the parameters.
        let initial: Vec<_> =
            self.model.parameters().iter().flat_map(|(_, own)| own.initial()).copied().collect();
        let model = self.laws.model_for(&self.model, &initial);
        let of_file = OfFile {
            laws: self.laws.written().collect(),
            title: self.title.as_deref(),
            arrays: &self.arrays,
            coordinates: self.systems.iter().copied().zip(self.coordinates.iter().cloned()).collect(),
            solver: self.solver.as_ref(),
            stop: self.stop.as_ref().map(|(stop, _)| stop.written()),
            needs_balance: self.outputs.need_balance(),
            control: (!devices.is_empty()).then(|| control::write(devices)),
            events: (!happenings.is_empty()).then(|| events::write(happenings, &parameters)),
            output: outputs::write(&self.outputs),
        };
        written(&model, (&self.simulation).into(), &of_file)
    }
}

/// Data of a file that a model does not contain.
#[derive(Default)]
struct OfFile<'f> {
    /// Laws whose numbers read parameters.
    laws: BTreeMap<InteractionId, Value<'static>>,
    title: Option<&'f str>,
    arrays: &'f [String],
    /// Names of coordinates, which outputs can read even if no function of the model does.
    coordinates: BTreeMap<DynamicalSystemId, Vec<String>>,
    solver: Option<&'f SolverChoice>,
    stop: Option<Value<'static>>,
    /// `true` if the energy balance is enabled because an output of the file reads it.
    needs_balance: bool,
    control: Option<Value<'static>>,
    events: Option<Value<'static>>,
    output: Option<Value<'static>>,
}

fn written(
    model: &NonSmoothDynamicalSystem,
    simulation: SimulationRef<'_>,
    of_file: &OfFile<'_>,
) -> WrittenModel {
    let mut unwritten = Vec::new();
    let names = Names::of(model, of_file.coordinates.clone(), &mut unwritten);
    let systems = systems::write(model, &names, &mut unwritten);
    let interactions = interactions::write(model, &of_file.laws, &names, &mut unwritten);
    let simulation = simulation::write(model, simulation, of_file, &names, &mut unwritten);
    // If the file is unknown, the expressions show whether a parameter with one value is an array, because
    // they then read it with an index.
    let OfFile { control, events, output, .. } = of_file;
    let below = [
        Some(("systems", &systems)),
        Some(("interactions", &interactions)),
        control.as_ref().map(|control| ("control", control)),
        events.as_ref().map(|events| ("events", events)),
        output.as_ref().map(|output| ("output", output)),
    ];
    let below = below.into_iter().flatten();
    let texts: Vec<_> =
        below.map(|(key, value)| toml(&table([(key, value.clone())])).unwrap_or_default()).collect();
    let parameters = parameters::write(model, of_file.arrays, &texts.concat(), &mut unwritten);
    let [
        format,
        kind,
        title,
        _,
        of_parameters,
        _,
        of_systems,
        _,
        of_interactions,
        of_control,
        of_events,
        of_simulation,
        of_output,
    ] = &read::KEYS;
    let entries = [
        (format, Some(Value::of_count(FORMAT))),
        (kind, Some(Value::of_text("model"))),
        (title, of_file.title.map(Value::of_text)),
        (of_parameters, parameters),
        (of_systems, Some(systems)),
        (of_interactions, (!model.interactions().is_empty()).then_some(interactions)),
        (of_control, control.clone()),
        (of_events, events.clone()),
        (of_simulation, Some(simulation)),
        (of_output, output.clone()),
    ];
    let root = table(entries.into_iter().filter_map(|(key, value)| Some((key.name, value?))));
    // All values created here can be written as TOML.
    let text = toml(&root).unwrap_or_default();
    if unwritten.is_empty() {
        unwritten = read_back::differences(model, &names, &text);
    }
    WrittenModel { text, unwritten }
}

fn table<'k>(entries: impl IntoIterator<Item = (&'k str, Value<'static>)>) -> Table<'static> {
    match Value::of_table(entries).node {
        Node::Table(table) => table,
        _ => Table::default(),
    }
}
