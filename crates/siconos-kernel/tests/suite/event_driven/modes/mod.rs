//! Modes of first-order systems, compared with closed forms.

mod choice;
mod circuits;
mod friction;
mod random;
mod refusals;
mod sweeping;

use ndarray::Array2;
use siconos_kernel::model::{InteractionId, Relation};
use siconos_kernel::prelude::*;
use siconos_linalg::exponential;
use siconos_ode::{Method, OdeSettings, Tolerance};

/// Event with its time, the active rows after it, and `true` if the state jumps.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) t: f64,
    pub(super) active: Vec<usize>,
    pub(super) jumped: bool,
}

/// Simulation that records its events.
pub(super) struct Driver<'a> {
    model: &'a NonSmoothDynamicalSystem,
    pub(super) simulation: EventDriven,
    state: State,
    /// Initial mode, and every event at which a mode or the state changes.
    pub(super) events: Vec<Event>,
}

pub(super) fn settings(tolerance: f64) -> OdeSettings {
    OdeSettings {
        method: Method::Explicit,
        relative_tolerance: Tolerance::All(tolerance),
        absolute_tolerance: Tolerance::All(tolerance),
        ..OdeSettings::default()
    }
}

impl<'a> Driver<'a> {
    pub(super) fn new(model: &'a NonSmoothDynamicalSystem) -> Self {
        Self::try_new(model).expect("the model can be laid out and settled")
    }

    pub(super) fn try_new(model: &'a NonSmoothDynamicalSystem) -> Result<Self, SimulationError> {
        Self::with_integration(model, settings(1e-13))
    }

    pub(super) fn with_integration(
        model: &'a NonSmoothDynamicalSystem,
        integration: OdeSettings,
    ) -> Result<Self, SimulationError> {
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 1.0).expect("in order");
        let built = EventDriven::builder(model).discretisation(grid).integrator(integration).build();
        let mut simulation = match built {
            Ok(simulation) => simulation,
            Err(Error::Simulation(error)) => return Err(error),
            Err(other) => panic!("{other}"),
        };
        let state = simulation.initial_state(model)?;
        let mut driver = Self { model, simulation, state, events: Vec::new() };
        let jumped = driver.of_rows(|state, id| state.lambda(id, Level::Velocity).to_vec());
        let jumped = jumped.iter().any(|impulse| *impulse != 0.0);
        driver.events.push(Event { t: 0.0, active: driver.active(), jumped });
        Ok(driver)
    }

    /// Simulates up to a time, through all events.
    pub(super) fn go(&mut self, t_end: f64) -> Result<(), SimulationError> {
        let grid = TimeDiscretisation::from_times(vec![self.state.t, t_end]).expect("in order");
        self.simulation.set_discretisation(grid).expect("it goes on");
        while self.state.t < t_end {
            let report = self.simulation.step(self.model, &mut self.state)?;
            let report = report.expect("the last point is to come");
            let is_of_guards = report.events.iter().any(|event| event.kind() == EventKind::NonSmooth);
            let (t, jumped) = (report.t, report.jumped);
            if is_of_guards || jumped {
                self.events.push(Event { t, active: self.active(), jumped });
            }
        }
        Ok(())
    }

    fn of_rows<T>(&self, read: impl Fn(&State, InteractionId) -> Vec<T>) -> Vec<T> {
        self.model.interactions().iter().flat_map(|(id, _)| read(&self.state, id)).collect()
    }

    fn active(&self) -> Vec<usize> {
        let closed = self.of_rows(|state, id| state.closed(id).to_vec());
        (0..closed.len()).filter(|row| closed[*row]).collect()
    }

    pub(super) fn x(&self) -> Vec<f64> {
        self.model.systems().iter().flat_map(|(id, _)| self.state.x(id).to_vec()).collect()
    }

    pub(super) fn lambda(&self) -> Vec<f64> {
        self.of_rows(|state, id| state.lambda(id, Level::Position).to_vec())
    }

    pub(super) fn y(&self) -> Vec<f64> {
        self.of_rows(|state, id| state.y(id, Level::Position).to_vec())
    }

    /// Returns the times of events after the start.
    pub(super) fn times(&self) -> Vec<f64> {
        self.events[1..].iter().map(|event| event.t).collect()
    }
}

/// Creates a linear complementarity system with one system and one interaction.
pub(super) fn linear(
    x0: &[f64],
    a: Array2<f64>,
    b: Array2<f64>,
    c: Array2<f64>,
    d: Array2<f64>,
) -> NonSmoothDynamicalSystem {
    let size = c.nrows();
    with_relation(FirstOrderLinear::new(x0.to_vec(), a), FirstOrderLinearRelation::new(c, b).with_d(d), size)
}

pub(super) fn with_relation(
    system: FirstOrderLinear,
    relation: impl Into<Relation>,
    size: usize,
) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(system).expect("shapes fit");
    let law = ComplementarityCondition::new(size).expect("not empty");
    model.add_interaction([system], relation, law).expect("shapes fit");
    model
}

/// Returns exp(A t) x.
pub(super) fn flow(a: &Array2<f64>, t: f64, x: &[f64]) -> Vec<f64> {
    let exponential = exponential((a * t).view()).expect("finite");
    exponential.dot(&ndarray::ArrayView1::from(x)).to_vec()
}

/// Returns the first time after `from` at which a function becomes negative. The search uses intervals of
/// length `h`.
pub(super) fn first_fall(from: f64, h: f64, f: impl Fn(f64) -> f64) -> f64 {
    let mut low = from;
    // The function may be zero at the start.
    let mut high = from + 1e-3 * h;
    while f(high) >= 0.0 {
        low = high;
        high += h;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) >= 0.0 { low = middle } else { high = middle }
    }
    low
}

/// Asserts that the largest difference is at most the tolerance.
#[track_caller]
pub(super) fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
    for (k, (f, e)) in found.iter().zip(expected).enumerate() {
        // NaN fails.
        assert!((f - e).abs() <= tolerance, "entry {k}: {f} instead of {e}, off by {:e}", f - e);
    }
}
