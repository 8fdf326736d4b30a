//! Schatzman-Paoli scheme, compared with Siconos, closed forms, and its own impact law.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;
use siconos_testkit::exact;
use siconos_testkit::reference::trajectory;

use super::model::{Oscillator, simulation};

#[test]
fn the_ball_of_siconos_bounces_as_it_does() {
    let Some(reference) = trajectory("BouncingBallTS-SchatzmanPaoliOSI.ref") else { return };
    let h = 0.005;
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = array![1.0, 1.0, 0.4 * 0.01];
    let ball = LagrangianLinear::new(vec![1.0, 0.0, 0.0], vec![0.0; 3], mass)
        .with_constant_external_force(vec![-9.81, 0.0, 0.0]);
    let ball = model.add_system(ball).unwrap();
    let floor = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0]]);
    let floor = model.add_interaction([ball], floor, NewtonImpact::new(0.9).unwrap()).unwrap();
    let mut simulation = simulation(&model, SchatzmanPaoli::default(), 10.0, h);
    let mut state = simulation.initial_state(&model).unwrap();
    // In Siconos, p(0) and lambda(0) are h times the impulse of the kernel.
    let row = |state: &State| {
        let p = h * state.impulse(ball)[0];
        let lambda = h * state.lambda(floor, Level::Velocity)[0];
        [state.t, state.q(ball)[0], state.v(ball)[0], p, lambda]
    };
    let mut rows = vec![row(&state)];
    simulation.run(&model, &mut state, |_, state| rows.push(row(state))).unwrap();
    assert_eq!((rows.len(), reference.len()), (2001, 2001));
    let largest = |from: usize, to: usize, column: usize| {
        let rows = rows[from..to].iter().zip(&reference[from..to]);
        rows.map(|(row, expected)| (row[column] - expected[column]).abs()).fold(0.0, worse)
    };
    for column in 0..5 {
        let error = largest(0, 1301, column);
        assert!(error < 1e-9, "column {column}: {error}");
    }
    // The remaining rows of the file depend on rounding.
    assert!(largest(1301, 2001, 1) < 1e-5 && largest(1301, 2001, 2) < 1e-3);
}

#[test]
fn an_oscillator_follows_the_difference_equation() {
    let (omega, h) = (3.0_f64, 0.05);
    for theta in [0.0, 0.5, 1.0] {
        let oscillator = Oscillator {
            mass: 2.0,
            stiffness: 2.0 * omega * omega,
            start: (0.7, -0.4),
            ..Oscillator::default()
        };
        let nodes = oscillator.run(SchatzmanPaoli { theta }, 20.0, h);
        // The solution of q' - 2 q + q_old = -(w h)^2 (theta/2 q' + (1 - theta) q + theta/2 q_old) is a
        // rotation by this angle.
        let x = (omega * h).powi(2);
        let angle = (1.0 - x / (2.0 + theta * x)).acos();
        let (q, before) = (0.7, 0.7 + 0.4 * h);
        let sine = (q * angle.cos() - before) / angle.sin();
        for (k, node) in nodes.iter().enumerate() {
            let phase = angle * k as f64;
            let expected = q * phase.cos() + sine * phase.sin();
            assert!((node.0 - expected).abs() < 1e-12, "theta = {theta}, {k}: {} {expected}", node.0);
        }
    }
}

#[test]
fn damping_takes_what_the_central_difference_of_it_says() {
    // Without a spring, u' - u = -(c h / 2 m) (u' + u).
    let (mass, damping, h) = (0.5, 0.3, 0.1);
    let oscillator = Oscillator { mass, damping, start: (0.0, 2.0), ..Oscillator::default() };
    let nodes = oscillator.run(SchatzmanPaoli::default(), 5.0, h);
    let part = damping * h / (2.0 * mass);
    let ratio = (1.0 - part) / (1.0 + part);
    let mut u = 2.0;
    for pair in nodes.windows(2) {
        let (before, _) = (u, ());
        u *= ratio;
        assert!((pair[1].0 - pair[0].0 - h * u).abs() < 1e-14);
        assert!((pair[1].1 - 0.5 * (u + before)).abs() < 1e-14, "the mean over two steps");
    }
}

#[test]
fn each_step_holds_the_law_of_restitution_in_positions() {
    let ball = Oscillator {
        mass: 3.0,
        force: -29.43,
        restitution: Some(0.6),
        start: (0.5, 0.2),
        ..Oscillator::default()
    };
    let nodes = ball.run(SchatzmanPaoli::default(), 4.0, 1e-3);
    let mut contacts = 0;
    for three in nodes.windows(3) {
        let [old, _, new] = [three[0].0, three[1].0, three[2].0];
        let gap = new + 0.6 * old;
        assert!(gap > -1e-14, "{gap}");
        contacts += usize::from(gap < 1e-12);
    }
    assert!(contacts > 100, "rest at the end: {contacts}");
}

#[test]
fn it_converges_with_order_one_through_impacts() {
    let exact = exact::BouncingBall::new(9.81, 0.9, 1.0, 0.0);
    let steps = siconos_testkit::convergence::steps(8, 5e-3, 2e-4);
    let ball = Oscillator { force: -9.81, restitution: Some(0.9), ..Oscillator::default() };
    let error = |&h: &f64| {
        let nodes = ball.run(SchatzmanPaoli::default(), 5.0, h);
        nodes
            .iter()
            .enumerate()
            .map(|(k, node)| h * (node.0 - exact.position(h * k as f64)).abs())
            .sum::<f64>()
    };
    let errors: Vec<_> = steps.iter().map(error).collect();
    let observed = observed_order(&steps, &errors);
    assert!((observed.order - 1.0).abs() <= 0.3, "{observed:?}");
}

#[test]
fn equalities_hold_at_position_level() {
    // Two masses at a distance of 0.1 m are joined rigidly, and one of them is on a spring. The joint closes
    // in the first step and stays closed.
    let mut model = NonSmoothDynamicalSystem::new();
    let a = Oscillator { stiffness: 40.0, ..Oscillator::default() }.add_to(&mut model);
    let b = Oscillator { mass: 2.0, start: (1.1, 0.0), ..Oscillator::default() }.add_to(&mut model);
    let rod = LagrangianLinearRelation::new(array![[1.0, -1.0]]);
    model.add_interaction([a, b], rod, EqualityCondition::new(1).unwrap()).unwrap();
    let mut simulation = simulation(&model, SchatzmanPaoli::default(), 3.0, 0.01);
    let mut state = simulation.initial_state(&model).unwrap();
    let mut swing = 0.0_f64;
    simulation
        .run(&model, &mut state, |_, state| {
            let distance = state.q(a)[0] - state.q(b)[0];
            assert!(distance.abs() < 1e-13, "{distance}");
            swing = swing.min(state.q(a)[0]);
        })
        .unwrap();
    assert!(swing < -0.5, "{swing}");
}

#[test]
fn what_it_cannot_carry_is_refused_by_name() {
    let refusal = |model: &NonSmoothDynamicalSystem| {
        let grid = crate::common::grid(1.0, 0.1);
        let built =
            TimeStepping::builder(model).discretisation(grid).integrator(SchatzmanPaoli::default()).build();
        built.expect_err("refused").to_string()
    };
    let mut model = NonSmoothDynamicalSystem::new();
    let plane = LagrangianLinear::new(vec![0.0, 1.0], vec![0.0; 2], array![1.0, 1.0]);
    let plane = model.add_system(plane).unwrap();
    let rows = array![[0.0, 1.0], [1.0, 0.0]];
    let law = NewtonImpactFriction::in_plane(0.0, 0.5).unwrap();
    let rough = model.add_interaction([plane], LagrangianLinearRelation::new(rows), law).unwrap();
    let text = refusal(&model);
    assert!(text.contains("SchatzmanPaoli") && text.contains("friction"), "{text}");
    model.remove_interaction(rough).unwrap();
    model.add_system(Lagrangian::new(vec![0.0], vec![0.0], array![[1.0]])).unwrap();
    let text = refusal(&model);
    assert!(text.contains("SchatzmanPaoli") && text.contains("nonlinear"), "{text}");
    let error = SchatzmanPaoli { theta: f64::NAN }.validate().unwrap_err().to_string();
    assert!(error.contains("theta"), "{error}");
}

#[test]
fn one_interaction_has_one_level() {
    let mut model = NonSmoothDynamicalSystem::new();
    let [a, b] = [(); 2].map(|()| Oscillator::default().add_to(&mut model));
    let relation = LagrangianLinearRelation::new(array![[1.0, -1.0]]);
    model.add_interaction([a, b], relation, NewtonImpact::new(0.5).unwrap()).unwrap();
    let built = TimeStepping::builder(&model)
        .discretisation(crate::common::grid(1.0, 0.1))
        .integrator_for(b, SchatzmanPaoli::default())
        .build();
    let text = built.expect_err("refused").to_string();
    assert!(text.contains("different levels"), "{text}");
}
