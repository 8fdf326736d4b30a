//! Joints in time-stepping: equalities between Lagrangian systems with a position-dependent Jacobian.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::JointReaction;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;

use crate::common::grid;
use crate::laws::{pendulum_angle, rod};

const BOTH: [JointReaction; 2] = [JointReaction::Middle, JointReaction::End];

/// Simulates a mass on a rod that is released at 1 rad, and passes every state to `see`.
fn swing((t_end, h): (f64, f64), joint_reaction: JointReaction, mut see: impl FnMut(&[f64], &[f64])) {
    let (model, mass, _) = rod();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(t_end, h))
        .integrator(MoreauJean::new(0.5).unwrap())
        .newton(NewtonSettings { tolerance: 1e-14, joint_reaction, ..NewtonSettings::default() })
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.run(&model, &mut state, |_, state| see(state.q(mass), state.v(mass))).unwrap();
}

/// Returns the errors of the angle \[rad\] and of the energy per mass \[J/kg\] at the end.
fn errors(times: (f64, f64), reaction: JointReaction) -> [f64; 2] {
    let mut end = [0.0; 2];
    swing(times, reaction, |q, v| {
        let energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) - 9.81 * q[1];
        end = [q[0].atan2(q[1]), energy];
    });
    [(end[0] - pendulum_angle(1.0, times.0)).abs(), (end[1] + 9.81 * 1.0_f64.cos()).abs()]
}

#[test]
fn reactions_in_the_middle_of_the_step_make_order_two() {
    let steps = [0.01, 0.005, 0.0025];
    for (reaction, order) in BOTH.into_iter().zip([2.0, 1.0]) {
        let angles = steps.map(|h| errors((2.0, h), reaction)[0]);
        let found = observed_order(&steps, &angles).order;
        assert!((found - order).abs() < 0.15, "{reaction:?}: order {found}, {angles:?}");
    }
    let [angle, energy] = errors((2.0, 0.0025), JointReaction::End);
    assert!((angle - 1.7e-2).abs() < 1e-3 && (energy - 0.17).abs() < 0.01, "{angle} {energy}");
    let [angle, _] = errors((2.0, 0.0025), JointReaction::Middle);
    assert!((angle - 4.2e-6).abs() < 1e-7, "{angle:e}");
}

/// The energy losses in the documentation of [`MoreauJean`], for a mass of 2 kg.
#[test]
fn reactions_at_the_end_lose_energy() {
    for (h, expected) in [(4e-3, 0.280), (2e-3, 0.141), (1e-3, 0.071)] {
        let [_, energy] = errors((1.0, h), JointReaction::End);
        assert!((2.0 * energy - expected).abs() < 1e-3, "{h}: {energy}");
    }
}

/// Without projection, a rod keeps its length as in the midpoint rule: from a consistent initial state,
/// $\lvert q_k \rvert^2 - L^2 = h^2 (\lvert v_0 \rvert^2 - \lvert v_k \rvert^2) / 4$ for both kinds of
/// reaction.
#[test]
fn the_drift_of_a_rod_does_not_grow() {
    let h = 0.01;
    for reaction in BOTH {
        let mut largest = 0.0;
        swing((2.0, h), reaction, |q, v| {
            let square = |x: &[f64]| x[0] * x[0] + x[1] * x[1];
            largest = worse(largest, (square(q) - 1.0 + 0.25 * h * h * square(v)).abs());
        });
        assert!(largest < 1e-12, "{reaction:?}: {largest:e}");
    }
}

/// A stop that is replaced by a joint reacts like a joint that was present from the start.
#[test]
fn what_becomes_a_joint_is_one() {
    let (mut model, mass, rod) = rod();
    // A joint with a constant Jacobian that is present from the start.
    let bead = LagrangianLinear::new(vec![0.0, 0.0], vec![1.0, 0.0], array![1.0, 1.0]);
    let bead = model.add_system(bead).unwrap();
    let rail = LagrangianLinearRelation::new(array![[0.0, 1.0]]);
    model.add_interaction([bead], rail, EqualityCondition::new(1).unwrap()).unwrap();
    model.set_law(rod, NewtonImpact::new(0.0).unwrap()).unwrap();
    let simulation = |model: &NonSmoothDynamicalSystem| {
        TimeStepping::builder(model).discretisation(grid(1.0, 0.01)).build().unwrap()
    };
    let mut following = simulation(&model);
    let mut state = following.initial_state(&model).unwrap();
    for step in 0..50 {
        match step {
            5 => model.set_law(rod, EqualityCondition::new(1).unwrap()).unwrap(),
            25 => model.set_law(rod, NewtonImpact::new(0.5).unwrap()).unwrap(),
            30 => {
                // A new interaction with a law that is changed before its first step.
                let removed = model.remove_interaction(rod).unwrap();
                let impact = NewtonImpact::new(0.0).unwrap();
                let again = model.add_interaction([mass], removed.relation().clone(), impact).unwrap();
                model.set_law(again, EqualityCondition::new(1).unwrap()).unwrap();
            }
            _ => {}
        }
        let mut other = state.clone();
        following.step(&model, &mut state).unwrap();
        simulation(&model).step(&model, &mut other).unwrap();
        let bits = |state: &State| [state.q(mass), state.v(mass)].concat().into_iter().map(f64::to_bits);
        assert!(bits(&state).eq(bits(&other)), "step {step}");
    }
}
