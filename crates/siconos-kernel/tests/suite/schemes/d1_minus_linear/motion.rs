//! Motions compared with closed forms, at both levels of forces.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::{observed_order, steps};
use siconos_testkit::exact;

use crate::common::grid;

const G: f64 = 9.81;
const LEVELS: [ForceLevel; 2] = [ForceLevel::Acceleration, ForceLevel::Velocity];

fn simulation(model: &NonSmoothDynamicalSystem, forces: ForceLevel, t_end: f64, h: f64) -> TimeStepping {
    TimeStepping::builder(model)
        .discretisation(grid(t_end, h))
        .integrator(D1MinusLinear { forces, ..D1MinusLinear::default() })
        .build()
        .unwrap()
}

/// Returns the angle of a pendulum of 1 m released at 1 rad, from a Runge-Kutta method with short steps.
fn angle_of_pendulum(t_end: f64) -> f64 {
    let rate = |[angle, speed]: [f64; 2]| [speed, -G * angle.sin()];
    let n = 20_000;
    let h = t_end / f64::from(n);
    let along = |x: [f64; 2], k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
    let end = (0..n).fold([1.0, 0.0], |x, _| {
        let k1 = rate(x);
        let k2 = rate(along(x, k1, 0.5 * h));
        let k3 = rate(along(x, k2, 0.5 * h));
        let k4 = rate(along(x, k3, h));
        std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    });
    end[0]
}

#[test]
fn smooth_motion_has_order_two() {
    let (t_end, lengths) = (2.0, [0.02, 0.01, 0.005]);
    let exact = angle_of_pendulum(t_end);
    let error = |&h: &f64| {
        let pendulum = Lagrangian::new(vec![1.0], vec![0.0], array![[1.0]]).with_internal_force(
            |_, q, _, f| f[0] = G * q[0].sin(),
            Jacobian::FiniteDifference,
            Jacobian::Zero,
        );
        let mut model = NonSmoothDynamicalSystem::new();
        let pendulum = model.add_system(pendulum).unwrap();
        let mut simulation = simulation(&model, ForceLevel::Acceleration, t_end, h);
        let mut state = simulation.initial_state(&model).unwrap();
        simulation.run(&model, &mut state, |_, _| {}).unwrap();
        (state.q(pendulum)[0] - exact).abs()
    };
    let errors: Vec<_> = lengths.iter().map(error).collect();
    let observed = observed_order(&lengths, &errors);
    assert!((observed.order - 2.0).abs() < 0.1, "{observed:?} of {errors:?}");
}

/// Simulates a point on a rod as an equality. Returns the error of its angle, and the largest velocity along
/// the rod.
fn rod(forces: ForceLevel, t_end: f64, h: f64) -> (f64, f64) {
    let (x, y) = (1.0_f64.sin(), -1.0_f64.cos());
    let point = LagrangianLinear::new(vec![x, y], vec![0.0; 2], array![2.0, 2.0])
        .with_constant_external_force(vec![0.0, -2.0 * G]);
    let mut model = NonSmoothDynamicalSystem::new();
    let point = model.add_system(point).unwrap();
    let length = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[0].hypot(q[1]) - 1.0)
        .with_jacobian(|_, q, j| {
            let length = q[0].hypot(q[1]);
            (j[[0, 0]], j[[0, 1]]) = (q[0] / length, q[1] / length);
        });
    let rod = model.add_interaction([point], length, EqualityCondition::new(1).unwrap()).unwrap();
    let mut simulation = simulation(&model, forces, t_end, h);
    let mut state = simulation.initial_state(&model).unwrap();
    let mut along = 0.0;
    simulation
        .run(&model, &mut state, |_, state| along = worse(along, state.y(rod, Level::Velocity)[0].abs()))
        .unwrap();
    let q = state.q(point);
    ((q[0].atan2(-q[1]) - angle_of_pendulum(t_end)).abs(), along)
}

#[test]
fn a_rod_holds_in_velocities_and_swings_with_order_two() {
    for forces in LEVELS {
        let (lengths, mut errors) = ([0.02, 0.01, 0.005, 0.0025], Vec::new());
        for h in lengths {
            let (error, along) = rod(forces, 2.0, h);
            assert!(along < 1e-13, "{forces:?}: {along}");
            errors.push(error);
        }
        let observed = observed_order(&lengths, &errors);
        assert!((observed.order - 2.0).abs() < 0.25, "{forces:?}: {observed:?} of {errors:?}");
    }
}

#[test]
fn a_stack_rests_under_its_weight() {
    for forces in LEVELS {
        let mut model = NonSmoothDynamicalSystem::new();
        let masses = [3.0, 0.5, 2.0];
        let blocks = masses.map(|m| {
            let block = LagrangianLinear::new(vec![0.0], vec![0.0], array![m])
                .with_constant_external_force(vec![-m * G]);
            model.add_system(block).unwrap()
        });
        let law = NewtonImpact::new(0.8).unwrap();
        let mut contacts = vec![
            model.add_interaction([blocks[0]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap(),
        ];
        for pair in blocks.windows(2) {
            let between = LagrangianLinearRelation::new(array![[-1.0, 1.0]]);
            contacts.push(model.add_interaction([pair[0], pair[1]], between, law).unwrap());
        }
        let mut simulation = simulation(&model, forces, 1.0, 0.01);
        let mut state = simulation.initial_state(&model).unwrap();
        simulation
            .run(&model, &mut state, |_, state| {
                for (block, contact) in blocks.iter().zip(&contacts) {
                    assert!(state.v(*block)[0].abs() < 1e-13, "{forces:?}: {:?}", state.v(*block));
                    assert!(state.lambda(*contact, Level::Velocity)[0] < 1e-13, "{forces:?}");
                }
            })
            .unwrap();
        for (k, contact) in contacts.iter().enumerate() {
            let weight = G * masses[k..].iter().sum::<f64>();
            let force = state.lambda(*contact, Level::Acceleration)[0];
            assert!((force - weight).abs() < 1e-11, "{forces:?}, contact {k}: {force} {weight}");
        }
    }
}

#[test]
fn a_mass_on_a_table_that_moves_is_carried_by_the_force_that_this_takes() {
    let (amplitude, frequency, mass) = (0.02_f64, 12.0_f64, 1.5);
    for forces in LEVELS {
        let mut model = NonSmoothDynamicalSystem::new();
        let start = amplitude * frequency;
        let body = LagrangianLinear::new(vec![0.0], vec![start], array![mass])
            .with_constant_external_force(vec![-mass * G]);
        let body = model.add_system(body).unwrap();
        let table = LagrangianRheonomousRelation::new(1, move |at, q, y| {
            y[0] = q[0] - amplitude * (frequency * at.t).sin();
        });
        let contact = model.add_interaction([body], table, NewtonImpact::new(0.0).unwrap()).unwrap();
        // Thresholds above the errors of a step in gap and velocity.
        let scheme = D1MinusLinear { forces, gap_threshold: Some(1e-5), velocity_threshold: Some(1e-3) };
        let mut simulation =
            TimeStepping::builder(&model).discretisation(grid(1.0, 1e-3)).integrator(scheme).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        let mut worst = 0.0;
        simulation
            .run(&model, &mut state, |report, state| {
                // The downward acceleration of the table stays below gravity.
                let a = -amplitude * frequency * frequency * (frequency * report.t).sin();
                let force = state.lambda(contact, Level::Acceleration)[0];
                worst = worse(worst, (force - mass * (G + a)).abs());
            })
            .unwrap();
        // At the velocity level, the force is a mean over half a step.
        let allowed = if forces == ForceLevel::Acceleration { 1e-4 } else { 0.05 };
        assert!(worst < allowed, "{forces:?}: {worst}");
        let off = state.q(body)[0] - amplitude * frequency.sin();
        assert!(off.abs() < 1e-4, "{forces:?}: {off}");
    }
}

#[test]
fn through_impacts_the_order_is_one() {
    let exact = exact::BouncingBall::new(G, 0.9, 1.0, 0.0);
    for forces in LEVELS {
        let lengths = steps(10, 5e-3, 1e-4);
        let error = |&h: &f64| {
            let mut model = NonSmoothDynamicalSystem::new();
            let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])
                .with_constant_external_force(vec![-G]);
            let ball = model.add_system(ball).unwrap();
            let floor = LagrangianLinearRelation::new(array![[1.0]]);
            model.add_interaction([ball], floor, NewtonImpact::new(0.9).unwrap()).unwrap();
            let mut simulation = simulation(&model, forces, 4.0, h);
            let mut state = simulation.initial_state(&model).unwrap();
            let mut error = 0.0;
            simulation
                .run(&model, &mut state, |report, state| {
                    error += h * (state.q(ball)[0] - exact.position(report.t)).abs();
                })
                .unwrap();
            error
        };
        let errors: Vec<_> = lengths.iter().map(error).collect();
        let observed = observed_order(&lengths, &errors);
        assert!((observed.order - 1.0).abs() <= 0.3, "{forces:?}: {observed:?}");
    }
}

#[test]
fn a_steady_step_allocates_nothing() {
    for forces in LEVELS {
        let mut model = NonSmoothDynamicalSystem::new();
        let bodies = [0.1, 0.5].map(|height| {
            let ball = LagrangianLinear::new(vec![height], vec![0.0], array![1.0])
                .with_constant_external_force(vec![-G]);
            model.add_system(ball).unwrap()
        });
        let law = NewtonImpact::new(0.5).unwrap();
        model.add_interaction([bodies[0]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap();
        let between = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[1] - q[0] - 0.1);
        model.add_interaction(bodies, between, law).unwrap();
        let mut simulation = simulation(&model, forces, 5.0, 1e-3);
        let mut state = simulation.initial_state(&model).unwrap();
        let mut take = |steps: usize| {
            for _ in 0..steps {
                simulation.step(&model, &mut state).unwrap().expect("not at the end");
            }
        };
        take(3000);
        assert_eq!(count_allocations(|| take(1000)), 0, "{forces:?}");
    }
}

#[test]
fn what_it_cannot_carry_is_refused_by_name() {
    let refusal = |model: &NonSmoothDynamicalSystem| {
        let built = TimeStepping::builder(model)
            .discretisation(grid(1.0, 0.1))
            .integrator(D1MinusLinear::default())
            .build();
        let text = built.expect_err("refused").to_string();
        assert!(text.contains("D1MinusLinear"), "{text}");
        text
    };
    let mut model = NonSmoothDynamicalSystem::new();
    let plane =
        model.add_system(LagrangianLinear::new(vec![0.0, 1.0], vec![0.0; 2], array![1.0, 1.0])).unwrap();
    let rows = array![[0.0, 1.0], [1.0, 0.0]];
    let law = NewtonImpactFriction::in_plane(0.0, 0.5).unwrap();
    let rough = model.add_interaction([plane], LagrangianLinearRelation::new(rows), law).unwrap();
    assert!(refusal(&model).contains("friction"));
    model.remove_interaction(rough).unwrap();
    let soft = LagrangianLinearRelation::new(array![[0.0, 1.0]]).with_compliance(array![[1e-3]]);
    let soft = model.add_interaction([plane], soft, ComplementarityCondition::new(1).unwrap()).unwrap();
    assert!(refusal(&model).contains("compliant"));
    model.remove_interaction(soft).unwrap();
    model.add_system(NewtonEuler::new(1.0, [1.0; 3], [0.0; 3], Quaternion::IDENTITY)).unwrap();
    assert!(refusal(&model).contains("rigid body"));
    let wrong = D1MinusLinear { gap_threshold: Some(f64::NAN), ..D1MinusLinear::default() };
    assert!(wrong.validate().unwrap_err().to_string().contains("gap_threshold"));
}
