//! Values of the state and of devices that expressions of outputs and events read: `ball.q'`,
//! `floor.impulse`, ..

use std::sync::Arc;

use siconos_expression::{Expression, Name, Role, Scope, Symbol, Tape, ValueKind};
use siconos_kernel::model::{DynamicalSystemId, InteractionId, NonSmoothDynamicalSystem};
use siconos_kernel::simulation::EnergyBalance;
use siconos_kernel::state::{EventSide, Level, State};

use super::control::{Device, Devices};
use super::interactions::Interaction;
use super::scopes::{FIRST, numbered, symbol};
use super::systems::{IMPULSE, System};
use crate::document::stands_in;

/// Source of a value. The first index is the index of the system, interaction or device in the file. The last
/// index is the index of the component.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    Position(usize, usize),
    Velocity(usize, usize),
    FirstOrder(usize, usize),
    Impulse(usize, usize),
    Acceleration(usize, usize),
    Y(usize, Level, usize),
    Lambda(usize, Level, usize),
    Device(usize, usize),
    /// 0 in the row before an event, 1 in every other row.
    After,
    /// Number of steps so far.
    Step,
    /// Time from the previous instant to this one \[s\]; 0 at the start.
    StepLength,
    /// Kinetic energy of all systems \[J\].
    Kinetic,
    /// Work in the last step \[J\]; 0 at the start.
    Work(Work),
}

/// Work in a step of a time-stepping simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Work {
    Forces,
    Contacts,
    Friction,
    Joints,
    Scheme,
}

impl Work {
    /// Returns the work \[J\] in an energy balance.
    fn of(self, balance: &EnergyBalance) -> f64 {
        match self {
            Self::Forces => balance.forces,
            Self::Contacts => balance.normal + balance.projection,
            Self::Friction => balance.tangential + balance.rolling,
            Self::Joints => balance.joints,
            Self::Scheme => balance.scheme,
        }
    }
}

/// Name of the kinetic energy in outputs.
pub(super) const KINETIC: &str = "energy.kinetic";

/// Names of the work in a step, which only outputs of a time-stepping simulation can read.
pub(super) const WORKS: [(&str, Work); 5] = [
    ("work.forces", Work::Forces),
    ("work.contacts", Work::Contacts),
    ("work.friction", Work::Friction),
    ("work.joints", Work::Joints),
    ("work.scheme", Work::Scheme),
];

/// Last parts of the names of the values of an interaction.
pub(super) const GAP: &str = "gap";
pub(super) const VELOCITY: &str = "velocity";
pub(super) const FORCE: &str = "force";

/// Names that only outputs can read, with the sources and the kinds of their values.
const OF_ROWS: [(&str, Source, ValueKind); 3] = [
    ("after", Source::After, ValueKind::Boolean),
    ("step", Source::Step, ValueKind::Integer),
    ("h", Source::StepLength, ValueKind::Real),
];

/// Names that expressions can read, and the sources of their values.
#[derive(Clone, Debug)]
pub(super) struct Readable {
    pub(super) scope: Scope,
    sources: Vec<Source>,
    /// Names in `OF_ROWS` that the model itself defines.
    hidden: Vec<&'static str>,
}

impl Readable {
    /// Creates a scope with the names in `time` and the names of the values of systems, interactions and
    /// devices.
    pub(super) fn new(
        systems: &[System],
        interactions: &[&Interaction],
        devices: &[Option<Device>],
        time: &Arc<Scope>,
    ) -> Self {
        let mut names = Self { scope: Scope::standing_on(time), sources: Vec::new(), hidden: Vec::new() };
        for (place, system) in systems.iter().enumerate() {
            names.add_system(place, system);
        }
        for (place, interaction) in interactions.iter().enumerate() {
            names.add_interaction(place, interaction, systems);
        }
        for (place, device) in devices.iter().enumerate() {
            let outputs = device.as_ref().map(Device::outputs).unwrap_or_default();
            names.add_all(&outputs, |index| Source::Device(place, index));
        }
        names
    }

    /// Adds the names in `OF_ROWS` and the names of energies, which only outputs can read. The work of a step
    /// is known if `by_steps` is `true`.
    pub(super) fn with_rows(mut self, by_steps: bool) -> Self {
        let works = WORKS.iter().filter(|_| by_steps);
        let works = works.map(|(word, work)| (*word, Source::Work(*work), ValueKind::Real));
        let kinetic = (KINETIC, Source::Kinetic, ValueKind::Real);
        for (word, source, kind) in OF_ROWS.into_iter().chain([kinetic]).chain(works) {
            if !self.add(word, source, kind) {
                self.hidden.push(word);
            }
        }
        self
    }

    /// Returns the name of an energy that is also a name of the model.
    pub(super) fn hidden_energy(&self) -> Option<&'static str> {
        self.hidden.iter().copied().find(|word| OF_ROWS.iter().all(|(own, ..)| own != word))
    }

    /// Returns `true` if a symbol is the work of a step.
    pub(super) fn is_work(&self, symbol: Symbol) -> bool {
        symbol.slot == FIRST && matches!(self.sources.get(symbol.index as usize), Some(Source::Work(_)))
    }

    /// Returns a name in `text` that is in `OF_ROWS` and is also defined by the model.
    pub(super) fn two_meanings(&self, text: &str) -> Option<&'static str> {
        self.hidden.iter().copied().find(|word| stands_in(text, word))
    }

    fn add_system(&mut self, place: usize, system: &System) {
        let coordinates = &system.coordinates;
        let called = |own: &String| format!("{}.{own}", system.name);
        let names_of = |own: &[String]| own.iter().map(called).collect::<Vec<_>>();
        let is_first_order = coordinates.velocities.is_empty();
        self.add_all(&names_of(&coordinates.names), |index| match is_first_order {
            true => Source::FirstOrder(place, index),
            false => Source::Position(place, index),
        });
        let velocities = names_of(&coordinates.velocities);
        self.add_all(&velocities, |index| Source::Velocity(place, index));
        let accelerations: Vec<_> = velocities.iter().map(|name| format!("{name}'")).collect();
        self.add_all(&accelerations, |index| Source::Acceleration(place, index));
        let size = if is_first_order { coordinates.names.len() } else { velocities.len() };
        let impulses = numbered(&format!("{}.{IMPULSE}", system.name), size);
        self.add_all(&impulses, |index| Source::Impulse(place, index));
    }

    /// Adds the values of an interaction.
    fn add_interaction(&mut self, place: usize, interaction: &Interaction, systems: &[System]) {
        let size = interaction.relation.size();
        let called = |word: &str| numbered(&format!("{}.{word}", interaction.name), size);
        for (primes, level) in [(0, Level::Position), (1, Level::Velocity), (2, Level::Acceleration)] {
            let y: Vec<_> = called("y").iter().map(|y| format!("{y}{}", "'".repeat(primes))).collect();
            self.add_all(&y, |index| Source::Y(place, level, index));
        }
        let lambda = interaction.has_lambda(systems).then_some(("lambda", Level::Position));
        for (word, level) in
            [(IMPULSE, Level::Velocity), (FORCE, Level::Acceleration)].into_iter().chain(lambda)
        {
            self.add_all(&called(word), |index| Source::Lambda(place, level, index));
        }
        if let Some(block) = interaction.contact_block(systems) {
            let gaps = numbered(&format!("{}.{GAP}", interaction.name), size / block);
            self.add_all(&gaps, |contact| Source::Y(place, Level::Position, contact * block));
            self.add_all(&called(VELOCITY), |index| Source::Y(place, Level::Velocity, index));
        }
    }

    /// Declares a name. Returns `false` if the name is taken.
    fn add(&mut self, name: &str, source: Source, kind: ValueKind) -> bool {
        let symbol = symbol(FIRST, self.sources.len());
        self.sources.push(source);
        self.scope.declare(name, Name { symbol, kind, role: Role::Fixed("a value of the state") }).is_ok()
    }

    /// Declares the components of a value. If there is only one, its name can also have the index 0.
    fn add_all(&mut self, names: &[String], source: impl Fn(usize) -> Source) {
        for (index, name) in names.iter().enumerate() {
            self.add(name, source(index), ValueKind::Real);
        }
        if let [name] = names {
            let (bare, primes) = name.split_at(name.trim_end_matches('\'').len());
            if !bare.ends_with(']') {
                self.add(&format!("{bare}[0]{primes}"), source(0), ValueKind::Real);
            }
        }
    }
}

/// Ids of systems and interactions in the order of the file. Clones share this data.
#[derive(Clone, Debug)]
pub(super) struct Ids {
    systems: Arc<[DynamicalSystemId]>,
    interactions: Arc<[InteractionId]>,
}

impl Ids {
    pub(super) fn new(systems: Vec<DynamicalSystemId>, interactions: Vec<InteractionId>) -> Self {
        Self { systems: systems.into(), interactions: interactions.into() }
    }
}

/// Values that the expressions of a tape read. Each value has an index in the [`ValueSlot`] and a source.
#[derive(Debug)]
pub(super) struct Watched {
    read: Vec<(usize, Source)>,
}

/// Values of all names that can be read. Only the values requested by the last call of `look` are up to date.
#[derive(Debug)]
pub(super) struct ValueSlot {
    ids: Ids,
    values: Vec<f64>,
    /// Energy balance of the last step; `None` at the start, or if no value reads it.
    pub(super) balance: Option<EnergyBalance>,
}

impl ValueSlot {
    pub(super) fn new(readable: &Readable, ids: &Ids) -> Self {
        Self { ids: ids.clone(), values: vec![0.0; readable.sources.len()], balance: None }
    }
}

impl Watched {
    pub(super) fn new(tape: &Tape, readable: &Readable) -> Self {
        let read = tape.symbols().iter().filter(|symbol| symbol.slot == FIRST).filter_map(|symbol| {
            let place = symbol.index as usize;
            Some((place, *readable.sources.get(place)?))
        });
        Self { read: read.collect() }
    }

    /// Updates the values that the tape reads. `side` selects the values before or after the event at the
    /// current instant. `before` is the time of the previous instant \[s\]; NaN at the start. Returns the
    /// values of all names.
    pub(super) fn look<'b>(
        &self,
        slot: &'b mut ValueSlot,
        model: &NonSmoothDynamicalSystem,
        state: &State,
        side: EventSide,
        before: f64,
        devices: &Devices,
    ) -> &'b [f64] {
        let ValueSlot { ids: Ids { systems, interactions }, values, balance } = slot;
        for (place, source) in &self.read {
            values[*place] = match *source {
                Source::Position(system, index) => state.q(systems[system])[index],
                Source::Velocity(system, index) => state.v_at(side, systems[system])[index],
                Source::FirstOrder(system, index) => state.x_at(side, systems[system])[index],
                Source::Impulse(system, index) => state.impulse(systems[system])[index],
                Source::Acceleration(system, index) => state.acceleration(systems[system])[index],
                Source::Y(interaction, level, index) => state.y(interactions[interaction], level)[index],
                Source::Lambda(interaction, level, index) => {
                    state.lambda(interactions[interaction], level)[index]
                }
                Source::Device(device, index) => devices.number(device, index),
                Source::After => f64::from(side == EventSide::After),
                Source::Step => state.step() as f64,
                Source::StepLength if before.is_nan() => 0.0,
                Source::StepLength => state.t - before,
                Source::Kinetic => match balance {
                    Some(balance) => balance.kinetic,
                    None => systems.iter().map(|system| kinetic(model, state, side, *system)).sum(),
                },
                Source::Work(work) => balance.as_ref().map_or(0.0, |balance| work.of(balance)),
            };
        }
        values
    }
}

/// Expressions that are evaluated together, with the values that they read.
#[derive(Debug)]
pub(super) struct WatchedTape {
    tape: Tape,
    watched: Watched,
}

impl WatchedTape {
    pub(super) fn compile(expressions: &[&Expression], readable: &Readable) -> Self {
        let tape = Tape::compile(expressions);
        Self { watched: Watched::new(&tape, readable), tape }
    }

    /// Evaluates the expressions after the events at the current instant. They read `t` as the time \[s\].
    pub(super) fn evaluate(
        &self,
        slot: &mut ValueSlot,
        model: &NonSmoothDynamicalSystem,
        state: &State,
        t: f64,
        devices: &Devices,
        values: &mut [f64],
    ) {
        let read = self.watched.look(slot, model, state, EventSide::After, f64::NAN, devices);
        self.tape.evaluate(&[&[t], state.at().parameters().values(), read], values);
    }
}

/// Returns the kinetic energy of a system \[J\]; 0 for a first-order system.
fn kinetic(
    model: &NonSmoothDynamicalSystem,
    state: &State,
    side: EventSide,
    system: DynamicalSystemId,
) -> f64 {
    let own = model.systems().get(system).filter(|own| !own.is_first_order());
    let at = state.at();
    own.map_or(0.0, |own| own.kinetic_energy(at.parameters(), state.q(system), state.v_at(side, system)))
}
