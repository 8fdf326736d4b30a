//! A Lagrangian system converted to a first-order system moves as it does with the second-order integrator.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;

use crate::common::grid;

const G: f64 = 9.81;

/// Creates an arm of two links with a position-dependent mass matrix, gyroscopic forces, weight, and a motor
/// at the first joint.
fn arm() -> Lagrangian {
    let mass = |_: &Parameters, q: &[f64], m: &mut ndarray::ArrayViewMut2<'_, f64>| {
        let c = (q[0] - q[1]).cos();
        (m[[0, 0]], m[[0, 1]], m[[1, 0]], m[[1, 1]]) = (2.0, c, c, 1.0);
    };
    let gyroscopic = |_: &Parameters, q: &[f64], v: &[f64], f: &mut [f64]| {
        let s = (q[0] - q[1]).sin();
        (f[0], f[1]) = (v[1] * v[1] * s, -v[0] * v[0] * s);
    };
    Lagrangian::of_mass_function(vec![0.3, 0.9], vec![0.5, -0.2], mass)
        .with_gyroscopic_force(gyroscopic, Jacobian::FiniteDifference, Jacobian::FiniteDifference)
        .with_internal_force(
            |_t, q, _v, f| (f[0], f[1]) = (2.0 * G * q[0].sin(), G * q[1].sin()),
            Jacobian::FiniteDifference,
            Jacobian::Zero,
        )
        .with_external_force(|at, f| f[0] = at.t.cos())
        .with_control(ControlTerm::new(array![[1.0], [0.0]], |_t, q, v, u| u[0] = -q[0] - 0.3 * v[0]))
}

/// Returns the largest difference of (q, v) between the two systems over a run.
fn largest_difference(
    (second, id_2): (&NonSmoothDynamicalSystem, DynamicalSystemId),
    (first, id_1): (&NonSmoothDynamicalSystem, DynamicalSystemId),
    theta: f64,
    (t_end, h): (f64, f64),
) -> f64 {
    let newton = NewtonSettings { tolerance: 1e-13, ..NewtonSettings::default() };
    let build = |model, integrator: Integrator| {
        TimeStepping::builder(model)
            .discretisation(grid(t_end, h))
            .integrator(integrator)
            .newton(newton)
            .on_non_convergence(OnNonConvergence::Continue)
            .build()
            .unwrap()
    };
    let mut sim_2 = build(second, MoreauJean { theta, ..MoreauJean::default() }.into());
    let mut sim_1 = build(first, EulerMoreau { theta }.into());
    let (mut a, mut b) = (sim_2.initial_state(second).unwrap(), sim_1.initial_state(first).unwrap());
    let mut largest = 0.0_f64;
    while sim_2.step(second, &mut a).unwrap().is_some() {
        sim_1.step(first, &mut b).unwrap().unwrap();
        let motion = a.q(id_2).iter().chain(a.v(id_2));
        for (x, y) in motion.zip(b.x(id_1)) {
            largest = largest.max((x - y).abs());
        }
    }
    largest
}

#[test]
fn a_nonlinear_arm_moves_alike() {
    for theta in [0.5, 0.7, 1.0] {
        let (mut second, mut first) = (NonSmoothDynamicalSystem::new(), NonSmoothDynamicalSystem::new());
        let id_2 = second.add_system(arm()).unwrap();
        let id_1 = first.add_system(FirstOrderNonlinear::of_lagrangian(&arm())).unwrap();
        let off = largest_difference((&second, id_2), (&first, id_1), theta, (2.0, 0.01));
        assert!(off < 1e-9, "theta = {theta}: {off:e}");
    }
}

#[test]
fn its_jacobian_agrees_with_finite_differences() {
    let view = FirstOrderNonlinear::of_lagrangian(&arm());
    view.check_jacobians(0.3, &[0.3, 0.9, 0.5, -0.2], &[0.0; 4], 1e-6).unwrap();
}

/// Creates two masses on springs with an external force.
fn masses() -> LagrangianLinear {
    LagrangianLinear::new(vec![1.0, 0.2], vec![0.0, -1.0], array![2.0, 1.0])
        .with_stiffness(array![[30.0, -10.0], [-10.0, 10.0]])
        .with_damping(array![[0.2, 0.0], [0.0, 0.1]])
        .with_external_force(|at, f| f[1] = (3.0 * at.t).sin())
}

#[test]
fn masses_tied_by_a_joint_move_alike_with_the_same_impulse() {
    let h = array![[1.0, -1.0]];
    let (mut second, mut first) = (NonSmoothDynamicalSystem::new(), NonSmoothDynamicalSystem::new());
    let id_2 = second.add_system(masses()).unwrap();
    second
        .add_interaction([id_2], LagrangianLinearRelation::new(h.clone()), EqualityCondition::new(1).unwrap())
        .unwrap();
    let id_1 = first.add_system(FirstOrderLinear::of_lagrangian(&masses())).unwrap();
    // With y = H v and r = (0, H^T lambda), lambda is the force; the other model has its impulse.
    let mut c = Array2::zeros((1, 4));
    c.slice_mut(ndarray::s![.., 2..]).assign(&h);
    let relation = FirstOrderLinearRelation::new(c.clone(), c.reversed_axes());
    let joint = first.add_interaction([id_1], relation, EqualityCondition::new(1).unwrap()).unwrap();
    let off = largest_difference((&second, id_2), (&first, id_1), 0.5, (3.0, 0.01));
    assert!(off < 1e-11, "{off:e}");

    let mut sim = TimeStepping::builder(&first).discretisation(grid(0.01, 0.01)).build().unwrap();
    let mut state = sim.initial_state(&first).unwrap();
    sim.step(&first, &mut state).unwrap();
    let (force, impulse) = (state.lambda(joint, Level::Position)[0], state.lambda(joint, Level::Velocity)[0]);
    assert!((impulse - 0.01 * force).abs() < 1e-15 && impulse.abs() > 1e-3);
    assert!((state.impulse(id_1)[2] - impulse).abs() < 1e-15);
}
