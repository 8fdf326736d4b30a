//! Between events, the methods with steps of their own allocate nothing: a contact phase with many points of output.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::allocation::{CountingAllocator, count_allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn a_step_in_contact_allocates_nothing() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = LagrangianLinear::new(vec![0.6, 0.8], vec![0.0; 2], array![1.0, 1.0]);
    let mass = model.add_system(mass.with_external_force(|_t, f| f[1] = 9.81)).unwrap();
    let rope = LagrangianScleronomousRelation::new(1, |q, y| y[0] = 1.0 - q[0] * q[0] - q[1] * q[1])
        .with_jacobian(|q, j| (j[[0, 0]], j[[0, 1]]) = (-2.0 * q[0], -2.0 * q[1]))
        .with_convective_acceleration(|_q, v, out| out[0] = -2.0 * (v[0] * v[0] + v[1] * v[1]));
    let rope = model.add_interaction([mass], rope, NewtonImpact::new(0.5).unwrap()).unwrap();
    for integrator in [EventIntegrator::from(NewmarkAlpha::new(0.005)), HalfExplicit::default().into()] {
        let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.01).unwrap();
        let mut sim =
            EventDriven::builder(&model).discretisation(grid).integrator(integrator.clone()).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        for _ in 0..20 {
            sim.step(&model, &mut state).unwrap();
        }
        let steps = sim.statistics().steps;
        let count = count_allocations(|| {
            for _ in 0..100 {
                sim.step(&model, &mut state).unwrap();
            }
        });
        assert!(sim.statistics().steps > steps + 20);
        assert_eq!(state.closed(rope), [true]);
        assert_eq!(count, 0, "{integrator:?}");
    }
}
