//! Oscillator for the tests of the schemes.

use ndarray::array;
use siconos_kernel::prelude::*;

use crate::common::grid;

/// Mass on a spring and a damper. If a coefficient of restitution is given, it has a contact at height 0.
pub(super) struct Oscillator {
    pub(super) mass: f64,
    pub(super) damping: f64,
    pub(super) stiffness: f64,
    pub(super) force: f64,
    pub(super) start: (f64, f64),
    pub(super) restitution: Option<f64>,
}

impl Default for Oscillator {
    fn default() -> Self {
        Self { mass: 1.0, damping: 0.0, stiffness: 0.0, force: 0.0, start: (1.0, 0.0), restitution: None }
    }
}

impl Oscillator {
    pub(super) fn add_to(&self, model: &mut NonSmoothDynamicalSystem) -> DynamicalSystemId {
        let (q, v) = self.start;
        let system = LagrangianLinear::new(vec![q], vec![v], array![self.mass])
            .with_damping(array![self.damping])
            .with_stiffness(array![self.stiffness])
            .with_constant_external_force(vec![self.force]);
        let system = model.add_system(system).unwrap();
        if let Some(e) = self.restitution {
            let floor = LagrangianLinearRelation::new(array![[1.0]]);
            model.add_interaction([system], floor, NewtonImpact::new(e).unwrap()).unwrap();
        }
        system
    }

    /// Simulates and returns position and velocity at all points of the grid.
    pub(super) fn run(&self, integrator: impl Into<Integrator>, t_end: f64, h: f64) -> Vec<(f64, f64)> {
        let mut model = NonSmoothDynamicalSystem::new();
        let system = self.add_to(&mut model);
        let mut simulation = simulation(&model, integrator, t_end, h);
        let mut state = simulation.initial_state(&model).unwrap();
        let mut nodes = vec![self.start];
        simulation
            .run(&model, &mut state, |_, state| nodes.push((state.q(system)[0], state.v(system)[0])))
            .unwrap();
        nodes
    }
}

pub(super) fn simulation(
    model: &NonSmoothDynamicalSystem,
    integrator: impl Into<Integrator>,
    t_end: f64,
    h: f64,
) -> TimeStepping {
    TimeStepping::builder(model).discretisation(grid(t_end, h)).integrator(integrator).build().unwrap()
}
