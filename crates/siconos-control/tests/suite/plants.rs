//! First-order plants and their sensors, simulated with zero-order hold or event-driven.

use ndarray::Array2;
use siconos_control::ControlLoop;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use super::grid;

/// Plant x' = A x + B u, where u is a parameter.
pub(super) struct Plant {
    pub(super) model: NonSmoothDynamicalSystem,
    pub(super) x: DynamicalSystemId,
    pub(super) u: ParameterId,
    /// Input for a second actuator, which the plant does not read.
    pub(super) spare: ParameterId,
}

impl Plant {
    pub(super) fn new(a: Array2<f64>, b: Array2<f64>, x0: &[f64]) -> Self {
        Self::disturbed(a, b, x0, |_, _| {})
    }

    /// Creates a plant with a disturbance that depends on time and is added to B u.
    pub(super) fn disturbed(
        a: Array2<f64>,
        b: Array2<f64>,
        x0: &[f64],
        more: impl Fn(f64, &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        let mut model = NonSmoothDynamicalSystem::new();
        let u = model.add_parameter("u", vec![0.0; b.ncols()]).unwrap();
        let system = FirstOrderLinear::new(x0.to_vec(), a).with_source_function(move |at, source| {
            for (source, row) in source.iter_mut().zip(b.rows()) {
                *source = row.iter().zip(&at[u]).map(|(b, u)| b * u).sum();
            }
            more(at.t, source);
        });
        let x = model.add_system(system).unwrap();
        let spare = model.add_parameter("spare", vec![0.0]).unwrap();
        Self { model, x, u, spare }
    }

    /// Returns the states at the points of a grid, simulated with zero-order hold.
    pub(super) fn run(&self, control: &mut ControlLoop, t_end: f64, h: f64) -> Vec<Vec<f64>> {
        let mut sim = TimeStepping::builder(&self.model)
            .discretisation(grid(t_end, h))
            .integrator(ZeroOrderHold::default())
            .build()
            .unwrap();
        control.schedule(&self.model, sim.events_mut()).unwrap();
        let mut state = sim.initial_state(&self.model).unwrap();
        let mut states = Vec::new();
        while let Some(report) = sim.step(&self.model, &mut state).unwrap() {
            states.push(state.x(self.x).to_vec());
            control.process(report.events, &self.model, &mut state).unwrap();
        }
        states
    }

    /// Returns the states at the samples of an event-driven simulation.
    pub(super) fn run_by_events(&self, control: &mut ControlLoop, t_end: f64, h: f64) -> Vec<Vec<f64>> {
        let mut sim = EventDriven::builder(&self.model).discretisation(grid(t_end, h)).build().unwrap();
        control.schedule(&self.model, sim.events_mut()).unwrap();
        let mut state = sim.initial_state(&self.model).unwrap();
        let mut states = Vec::new();
        while let Some(report) = sim.step(&self.model, &mut state).unwrap() {
            states.push(state.x(self.x).to_vec());
            control.process(report.events, &self.model, &mut state).unwrap();
        }
        states
    }
}

/// Creates a sensor of all n states.
pub(super) fn all_states(plant: &Plant, n: usize) -> siconos_control::LinearSensor {
    siconos_control::LinearSensor::new([plant.x], Array2::eye(n)).unwrap()
}

/// Returns A and B of a unit mass with x = (q, v) and the force u.
pub(super) fn double_integrator() -> (Array2<f64>, Array2<f64>) {
    (ndarray::array![[0.0, 1.0], [0.0, 0.0]], ndarray::array![[0.0], [1.0]])
}

/// Returns the largest difference between two lists of states.
pub(super) fn difference(one: &[Vec<f64>], other: &[Vec<f64>]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().flatten().zip(other.iter().flatten()).map(|(x, y)| (x - y).abs()).fold(0.0, worse)
}
