//! Against closed forms, with a small driver.

mod choice;
mod circuits;
mod random;
mod refusals;
mod sweeping;

use ndarray::Array2;
use siconos_numerics::linalg::exponential;
use siconos_numerics::ode::{Advance, Integrator, Method, OdeSettings, Tolerance};

use super::{Dynamics, FirstOrderModes};
use crate::error::SimulationError;
use crate::model::{
    ComplementarityCondition, FirstOrderLinear, FirstOrderLinearRelation, NonSmoothDynamicalSystem,
};
use crate::state::State;

/// An event: its time, the guards that fired, the active set after it.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) t: f64,
    pub(super) fired: Vec<usize>,
    pub(super) active: Vec<usize>,
    pub(super) jumped: bool,
}

/// What the driver needs to move a model on from event to event.
pub(super) struct Driver {
    pub(super) modes: FirstOrderModes,
    pub(super) integrator: Integrator,
    pub(super) state: State,
    pub(super) events: Vec<Event>,
    /// When functions of the model may jump.
    pub(super) horizon: f64,
}

pub(super) fn settings(tolerance: f64) -> OdeSettings {
    OdeSettings {
        method: Method::Explicit,
        relative_tolerance: Tolerance::All(tolerance),
        absolute_tolerance: Tolerance::All(tolerance),
        ..OdeSettings::default()
    }
}

impl Driver {
    pub(super) fn new(model: &NonSmoothDynamicalSystem, t: f64) -> Self {
        Self::try_new(model, t).expect("the model can be laid out and settled")
    }

    pub(super) fn try_new(model: &NonSmoothDynamicalSystem, t: f64) -> Result<Self, SimulationError> {
        Self::with_integration(model, t, settings(1e-13))
    }

    pub(super) fn with_integration(
        model: &NonSmoothDynamicalSystem,
        t: f64,
        integration: OdeSettings,
    ) -> Result<Self, SimulationError> {
        let mut driver = Self {
            modes: FirstOrderModes::new(model, &integration)?,
            integrator: Integrator::new(integration).expect("settings are in range"),
            state: State::new(model, t),
            events: Vec::new(),
            horizon: f64::INFINITY,
        };
        driver.modes.read(&driver.state);
        driver.settle(t, Vec::new())?;
        Ok(driver)
    }

    fn settle(&mut self, t: f64, fired: Vec<usize>) -> Result<(), SimulationError> {
        self.modes.begin_event();
        self.modes.update_index_sets(&fired, self.horizon)?;
        let rows = self.modes.is_active.iter().enumerate();
        let active = rows.filter_map(|(row, is_active)| is_active.then_some(row)).collect();
        self.events.push(Event { t, fired, active, jumped: self.modes.outcome.jumped });
        self.integrator.restart(t, &self.modes.x).expect("the state is finite");
        Ok(())
    }

    /// Goes to a time through all events.
    pub(super) fn go(&mut self, t_end: f64) -> Result<(), SimulationError> {
        loop {
            let advance = self.integrator.advance(&mut self.modes, t_end);
            if let Some(error) = self.modes.error.take() {
                return Err(error);
            }
            let (t, fired): (f64, Vec<usize>) = match advance.expect("the integration goes on") {
                Advance::Reached { .. } => break,
                Advance::Roots { t, fired } => (t, fired.iter().map(|fired| fired.guard).collect()),
                other => panic!("{other:?}"),
            };
            self.modes.move_to(t, self.integrator.x());
            self.modes.remove_drift()?;
            self.settle(t, fired)?;
        }
        self.state.t = t_end;
        self.modes.move_to(t_end, self.integrator.x());
        self.modes.write(&mut self.state)
    }

    pub(super) fn x(&self) -> &[f64] {
        &self.state.v
    }

    pub(super) fn lambda(&self) -> &[f64] {
        &self.state.lambda[0]
    }

    pub(super) fn y(&self) -> &[f64] {
        &self.state.y[0]
    }

    /// The times of events after the first settling.
    pub(super) fn times(&self) -> Vec<f64> {
        self.events[1..].iter().map(|event| event.t).collect()
    }
}

/// A linear complementarity system of one system and one interaction.
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
    relation: impl Into<crate::model::Relation>,
    size: usize,
) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(system).expect("shapes fit");
    let law = ComplementarityCondition::new(size).expect("not empty");
    model.add_interaction([system], relation, law).expect("shapes fit");
    model
}

/// exp(A t) x.
pub(super) fn flow(a: &Array2<f64>, t: f64, x: &[f64]) -> Vec<f64> {
    let exponential = exponential((a * t).view()).expect("finite");
    exponential.dot(&ndarray::ArrayView1::from(x)).to_vec()
}

/// The first time after `from` at which a function falls below zero, looked for in parts of `h`.
pub(super) fn first_fall(from: f64, h: f64, f: impl Fn(f64) -> f64) -> f64 {
    let mut low = from;
    // Off the zero that it may begin with.
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

/// Largest difference.
#[track_caller]
pub(super) fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
    for (k, (f, e)) in found.iter().zip(expected).enumerate() {
        // NaN fails.
        assert!((f - e).abs() <= tolerance, "entry {k}: {f} instead of {e}, off by {:e}", f - e);
    }
}
