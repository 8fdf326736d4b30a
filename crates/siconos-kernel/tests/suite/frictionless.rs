//! Friction laws with all coefficients zero lead to the frictionless problem and the frictionless motion.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;
use siconos_numerics::contact::NonsmoothGaussSeidel;
use siconos_numerics::lcp::Lemke;
use siconos_testkit::compare::largest_difference;

/// Creates two balls in space that fall on an inclined floor and on each other.
fn balls(
    law: impl Fn() -> siconos_kernel::model::NonSmoothLaw,
) -> (NonSmoothDynamicalSystem, Vec<DynamicalSystemId>) {
    let mut model = NonSmoothDynamicalSystem::new();
    let frame = array![[0.6, 0.0, 0.8], [0.0, 1.0, 0.0], [0.8, 0.0, -0.6]];
    // The normal (0.6, 0, 0.8) is followed by two tangents. Without friction there is the normal alone.
    let rows = law().size();
    let balls: Vec<_> = (0..2)
        .map(|i| {
            let q0 = vec![0.1 * i as f64, 0.05, 1.0 + 0.5 * i as f64];
            let ball = LagrangianLinear::new(q0, vec![0.3, -0.2, 0.0], array![1.0, 1.0, 1.0])
                .with_external_force(|_, f| f[2] = -9.81);
            model.add_system(ball).unwrap()
        })
        .collect();
    let of_rows = |sign: f64| Array2::from_shape_fn((rows, 3), |(i, j)| sign * frame[[i, j]]);
    for &ball in &balls {
        model.add_interaction([ball], LagrangianLinearRelation::new(of_rows(1.0)), law()).unwrap();
    }
    let both = ndarray::concatenate![ndarray::Axis(1), of_rows(-1.0), of_rows(1.0)];
    let mut offset = vec![0.0; rows];
    offset[0] = -0.2;
    let gap = LagrangianLinearRelation::new(both).with_offset(offset);
    model.add_interaction([balls[0], balls[1]], gap, law()).unwrap();
    (model, balls)
}

fn run(
    (model, balls): &(NonSmoothDynamicalSystem, Vec<DynamicalSystemId>),
    solver: OneStepSolver,
) -> (Vec<f64>, usize) {
    let grid = TimeDiscretisation::uniform(0.0, 2.0, 1e-3).unwrap();
    let mut sim = TimeStepping::builder(model).discretisation(grid).solver(solver).build().unwrap();
    let mut state = sim.initial_state(model).unwrap();
    let (mut motion, mut active) = (Vec::new(), 0);
    sim.run(model, &mut state, |report, state| {
        active += report.active.len();
        motion.extend(balls.iter().flat_map(|&ball| [state.q(ball), state.v(ball)].concat()));
        for (id, _) in model.interactions().iter() {
            let lambda = state.lambda(id, Level::Velocity);
            assert!(lambda[1..].iter().all(|tangential| *tangential == 0.0), "{lambda:?}");
        }
    })
    .unwrap();
    (motion, active)
}

#[test]
fn it_is_posed_and_solved_as_without_friction_bit_for_bit() {
    let friction = balls(|| NewtonImpactFriction::in_space(0.5, 0.0).unwrap().into());
    let normal = balls(|| NewtonImpact::new(0.5).unwrap().into());
    let (expected, active) = run(&normal, OneStepSolver::default());
    assert!(active > 500, "{active}");
    let (motion, same) = run(&friction, OneStepSolver::default());
    assert_eq!(same, active);
    assert!(motion.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()));
    // A solver of linear complementarity problems can be used.
    assert!(run(&friction, Lemke::default().into()).0 == run(&normal, Lemke::default().into()).0);
    // A contact solver chosen by the user receives contacts.
    let (by_contacts, _) = run(&friction, NonsmoothGaussSeidel::default().into());
    let off = largest_difference(&by_contacts, &expected);
    assert!(off < 1e-5, "{off:e}");
}

#[test]
fn a_coefficient_that_is_not_zero_makes_it_friction_again() {
    let (mut model, balls) = balls(|| NewtonImpactFriction::in_space(0.5, 0.0).unwrap().into());
    let grid = TimeDiscretisation::uniform(0.0, 2.0, 1e-3).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid.clone()).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    while state.t < 1.0 {
        sim.step(&model, &mut state).unwrap();
    }
    let id = model.interactions().iter().next().unwrap().0;
    model.set_law(id, NewtonImpactFriction::in_space(0.5, 0.4).unwrap()).unwrap();
    let mut tangential = 0.0;
    while sim.step(&model, &mut state).unwrap().is_some() {
        tangential += state.lambda(id, Level::Velocity)[1].abs() + state.lambda(id, Level::Velocity)[2].abs();
    }
    assert!(tangential > 0.1, "{tangential}");
    assert!(state.q(balls[0]).iter().all(|q| q.is_finite()));
    // With a nonzero coefficient, a solver without friction is refused.
    let refused = TimeStepping::builder(&model).discretisation(grid).solver(Lemke::default()).build();
    assert!(refused.is_err());
}
