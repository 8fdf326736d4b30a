//! Laws and relations other than a ball on a floor, compared with closed forms or invariants.

use std::f64::consts::PI;

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;
use siconos_testkit::convergence::observed_order;

fn run(model: &NonSmoothDynamicalSystem, t_end: f64, h: f64, theta: f64) -> State {
    let mut simulation = TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, t_end, h).unwrap())
        .integrator(MoreauJean::new(theta).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(model).unwrap();
    simulation.run(model, &mut state, |_, _| ()).unwrap();
    state
}

/// Returns the angle of a pendulum of length 1 at time t, released from rest at `angle`, from a fine
/// Runge-Kutta integration.
pub(crate) fn pendulum_angle(angle: f64, t: f64) -> f64 {
    let (steps, mut x) = (20_000, [angle, 0.0]);
    let h = t / f64::from(steps);
    let f = |x: [f64; 2]| [x[1], -9.81 * x[0].sin()];
    let along = |x: [f64; 2], k: [f64; 2], s: f64| [x[0] + s * k[0], x[1] + s * k[1]];
    for _ in 0..steps {
        let k1 = f(x);
        let k2 = f(along(x, k1, 0.5 * h));
        let k3 = f(along(x, k2, 0.5 * h));
        let k4 = f(along(x, k3, h));
        for i in 0..2 {
            x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    x[0]
}

/// Creates a mass in the plane on a rod of length 1, released at 1 rad, with y downwards.
pub(crate) fn rod() -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let start = vec![1.0_f64.sin(), 1.0_f64.cos()];
    let mass = LagrangianLinear::new(start, vec![0.0; 2], array![2.0, 2.0])
        .with_external_force(|_, f| f[1] = 2.0 * 9.81);
    let mass = model.add_system(mass).unwrap();
    let rod =
        LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0))
            .with_jacobian(|_, q, j| (j[[0, 0]], j[[0, 1]]) = (q[0], q[1]));
    let rod = model.add_interaction([mass], rod, EqualityCondition::new(1).unwrap()).unwrap();
    (model, mass, rod)
}

#[test]
fn an_equality_holds_a_mass_on_its_rod() {
    let (model, mass, rod) = rod();
    let exact = pendulum_angle(1.0, 2.0);
    let (mut errors, mut drifts) = (Vec::new(), Vec::new());
    let steps = [4e-3, 2e-3, 1e-3, 5e-4];
    for h in steps {
        let state = run(&model, 2.0, h, 0.5);
        let q = state.q(mass);
        assert!(state.y(rod, Level::Velocity)[0].abs() < 1e-9, "the velocity is held");
        errors.push((q[0].atan2(q[1]) - exact).abs());
        drifts.push(state.y(rod, Level::Position)[0].abs());
    }
    println!("angle {errors:?}\ndrift {drifts:?}");
    assert!(observed_order(&steps, &errors).order > 0.7);
    assert!(observed_order(&steps, &drifts).order > 0.7);
    assert!(errors[3] < 5e-3 && drifts[3] < 5e-3);
}

#[test]
fn a_joint_and_a_contact_in_one_model_make_a_mixed_problem() {
    // The mass on its rod swings against a wall at x = 0 with restitution 1/2.
    let (mut model, mass, rod) = rod();
    let wall = LagrangianLinearRelation::new(array![[1.0, 0.0]]);
    let wall = model.add_interaction([mass], wall, NewtonImpact::new(0.5).unwrap()).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 3.0, 1e-3).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut impacts = Vec::new();
    loop {
        let before = state.y(wall, Level::Velocity)[0];
        let Some(report) = simulation.step(&model, &mut state).unwrap() else { break };
        assert!(report.newton_error <= 1e-10);
        assert!(state.y(rod, Level::Velocity)[0].abs() < 1e-8);
        if state.lambda(wall, Level::Velocity)[0] > 0.0 {
            impacts.push((before, state.y(wall, Level::Velocity)[0]));
        }
        assert!(state.q(mass)[0] > -0.01);
    }
    assert!(impacts.len() >= 2);
    let (before, after) = impacts[0];
    // By energy conservation, the speed at the bottom is v^2 = 2 g (1 - cos 1).
    assert!((before + (2.0 * 9.81 * (1.0 - 1.0_f64.cos())).sqrt()).abs() < 0.03, "{before}");
    assert!((after + 0.5 * before).abs() < 1e-8, "{after}");
}

/// Creates a mass that hits a unilateral spring at 1 m/s and returns after half an oscillation.
fn bumper(
    law: impl Into<siconos_kernel::model::NonSmoothLaw>,
) -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = model.add_system(LagrangianLinear::new(vec![0.1], vec![-1.0], array![2.0])).unwrap();
    let spring = LagrangianLinearRelation::new(array![[1.0]]).with_compliance(array![[1.0 / 800.0]]);
    let contact = model.add_interaction([mass], spring, law).unwrap();
    (model, mass, contact)
}

#[test]
fn a_compliant_contact_is_a_spring_that_only_pushes() {
    // The frequency is omega = sqrt(800 / 2) = 20. The contact lasts from t = 0.1 for pi / 20 and has a
    // maximal depth of 1 / 20 and a maximal force of 800 / 20.
    let (model, mass, contact) = bumper(ComplementarityCondition::new(1).unwrap());
    let (middle, end) = (0.1 + PI / 40.0, 0.3);
    let steps = [2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4];
    let mut errors = Vec::new();
    for h in steps {
        let state = run(&model, middle, h, 0.5);
        let force = state.lambda(contact, Level::Position)[0];
        assert!((force - 40.0).abs() < 60.0 * h / 1e-3, "force {force} at h = {h}");
        assert!((state.lambda(contact, Level::Velocity)[0] - h * force).abs() < 1e-15);
        assert!(state.y(contact, Level::Position)[0].abs() < 1e-12, "y = q + D lambda vanishes in contact");
        let state = run(&model, end, h, 0.5);
        let exact = end - 0.1 - PI / 20.0;
        let at_end = state.t - end;
        errors.push((state.q(mass)[0] - exact - at_end).abs());
        assert_eq!(state.lambda(contact, Level::Position)[0], 0.0, "it does not pull");
    }
    println!("{errors:?}");
    assert!(observed_order(&steps, &errors).order > 0.8, "{errors:?}");
    assert!(errors[4] < 2e-3);
}

#[test]
fn a_compliant_equality_is_a_spring_that_pulls_as_well() {
    let (model, mass, _) = bumper(EqualityCondition::new(1).unwrap());
    // From q = 0.1, v = -1 the mass oscillates with omega = 20.
    let exact = |t: f64| 0.1 * (20.0 * t).cos() - (20.0 * t).sin() / 20.0;
    let steps = [2e-3, 1e-3, 5e-4, 2.5e-4];
    let errors: Vec<_> = steps
        .iter()
        .map(|&h| {
            let state = run(&model, 0.5, h, 0.5);
            (state.q(mass)[0] - exact(state.t)).abs()
        })
        .collect();
    assert!(observed_order(&steps, &errors).order > 0.8, "{errors:?}");
    assert!(errors[3] < 5e-3, "{errors:?}");
}

#[test]
fn complementarity_without_compliance_is_an_impact_without_rebound() {
    let end = |law: siconos_kernel::model::NonSmoothLaw| {
        let mut model = NonSmoothDynamicalSystem::new();
        let ball =
            LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = -9.81);
        let ball = model.add_system(ball).unwrap();
        model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap();
        let state = run(&model, 1.0, 1e-3, 0.5);
        (state.q(ball)[0], state.v(ball)[0], state.impulse(ball)[0])
    };
    let stuck = end(ComplementarityCondition::new(1).unwrap().into());
    assert_eq!(stuck, end(NewtonImpact::new(0.0).unwrap().into()));
    assert!(stuck.0.abs() < 5e-3 && stuck.1.abs() < 1e-12, "it lies on the floor: {stuck:?}");
    assert!((stuck.2 - 9.81e-3).abs() < 1e-12, "and its weight is carried: impulse m g h");
}

#[test]
fn the_control_term_moves_what_it_acts_on() {
    // A cart with position and velocity feedback, x'' = -100 x - 4 x', as a control term and as a linear
    // system.
    let controlled = |with_jacobians: bool, by_function: bool| {
        let law = |_: At<'_>, q: &[f64], v: &[f64], u: &mut [f64]| u[0] = -50.0 * q[0] - 2.0 * v[0];
        let mut control = if by_function {
            ControlTerm::of_matrix_function(1, |_, _q, t| t[[0, 0]] = 2.0, law)
        } else {
            ControlTerm::new(array![[2.0]], law)
        };
        if with_jacobians {
            let constant = |x: f64| Jacobian::Constant(Array2::from_elem((1, 1), x));
            control = control.with_jacobians(constant(-100.0), constant(-4.0));
        }
        let cart = Lagrangian::new(vec![1.0], vec![0.0], array![1.0]).with_control(control);
        cart.check_jacobians(0.0, &[0.4], &[-0.2], 1e-7).unwrap();
        let mut model = NonSmoothDynamicalSystem::new();
        let id = model.add_system(cart).unwrap();
        run(&model, 1.0, 1e-3, 0.5).q(id)[0]
    };
    let mut model = NonSmoothDynamicalSystem::new();
    let cart = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])
        .with_stiffness(array![100.0])
        .with_damping(array![4.0]);
    let id = model.add_system(cart).unwrap();
    let linear = run(&model, 1.0, 1e-3, 0.5).q(id)[0];
    for (with_jacobians, by_function) in [(true, false), (false, false), (false, true)] {
        assert!((controlled(with_jacobians, by_function) - linear).abs() < 1e-9);
    }
    let (decay, omega) = (2.0, 96.0_f64.sqrt());
    let exact = (-decay * 1.0_f64).exp() * (omega.cos() + decay / omega * omega.sin());
    assert!((linear - exact).abs() < 1e-4, "{linear} {exact}");
}

#[test]
fn a_moving_table_throws_with_its_own_velocity() {
    // A table that rises at 1 m/s hits a ball at rest from below: u+ = (1 + e) c' with e = 1/2.
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_system(LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0])).unwrap();
    let table = LagrangianRheonomousRelation::new(1, |at, q, y| y[0] = q[0] - (at.t - 0.1005));
    model.add_interaction([ball], table, NewtonImpact::new(0.5).unwrap()).unwrap();
    let state = run(&model, 0.2, 1e-3, 0.5);
    assert!((state.v(ball)[0] - 1.5).abs() < 1e-9, "derivatives by finite differences: {}", state.v(ball)[0]);
}

#[test]
fn momentum_is_kept_when_balls_hit_each_other() {
    let mut model = NonSmoothDynamicalSystem::new();
    let masses = [1.0, 2.5, 0.7];
    let ids: Vec<_> = masses
        .iter()
        .zip([3.0, 0.0, -2.0])
        .enumerate()
        .map(|(i, (&m, v))| {
            model.add_system(LagrangianLinear::new(vec![i as f64], vec![v], array![m])).unwrap()
        })
        .collect();
    for pair in ids.windows(2) {
        let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.2]);
        model.add_interaction([pair[0], pair[1]], gap, NewtonImpact::new(1.0).unwrap()).unwrap();
    }
    let state = run(&model, 3.0, 1e-3, 0.5);
    let v: Vec<_> = ids.iter().map(|&id| state.v(id)[0]).collect();
    let momentum: f64 = masses.iter().zip(&v).map(|(m, v)| m * v).sum();
    let energy: f64 = masses.iter().zip(&v).map(|(m, v)| 0.5 * m * v * v).sum();
    assert!((momentum - (3.0 - 1.4)).abs() < 1e-12, "{momentum}");
    assert!((energy - (4.5 + 1.4)).abs() < 1e-12, "restitution 1 keeps the energy: {energy}");
    assert!(v[0] < v[1] && v[1] < v[2], "they fly apart: {v:?}");
}

/// The orders in the documentation of [`MoreauJean`]: 2 in free motion and with joints, 1 with a compliant
/// contact.
#[test]
fn order_two_is_for_free_motion_and_joints_and_a_spring_has_order_one() {
    let steps = [8e-3, 4e-3, 2e-3, 1e-3];
    // Nonlinear free motion: a pendulum with its angle as coordinate.
    let free = Lagrangian::new(vec![1.0], vec![0.0], array![1.0]).with_internal_force(
        |_, q, _, f| f[0] = 9.81 * q[0].sin(),
        Jacobian::FiniteDifference,
        Jacobian::Zero,
    );
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(free).unwrap();
    let exact = pendulum_angle(1.0, 1.0);
    let errors: Vec<_> = steps.iter().map(|&h| (run(&model, 1.0, h, 0.5).q(id)[0] - exact).abs()).collect();
    let order = observed_order(&steps, &errors).order;
    assert!((order - 2.0).abs() < 0.1, "free: {order}, {errors:?}");
    // The same pendulum with the rod as a joint.
    let (model, mass, _) = rod();
    let (mut errors, mut losses) = (Vec::new(), Vec::new());
    for &h in &steps {
        let state = run(&model, 1.0, h, 0.5);
        let (q, v) = (state.q(mass), state.v(mass));
        errors.push((q[0].atan2(q[1]) - exact).abs());
        let energy = |speed: f64, y: f64| 2.0 * (0.5 * speed * speed - 9.81 * y);
        losses.push((energy(0.0, 1.0_f64.cos()) - energy(v[0].hypot(v[1]), q[1])).abs());
    }
    for of in [&errors, &losses] {
        let order = observed_order(&steps, of).order;
        assert!((order - 2.0).abs() < 0.1, "rod: {order}, {of:?}");
    }
    // A permanent compliant contact: the mass on a spring.
    let (model, mass, _) = bumper(EqualityCondition::new(1).unwrap());
    let exact = |t: f64| 0.1 * (20.0 * t).cos() - (20.0 * t).sin() / 20.0;
    let errors: Vec<_> = steps
        .iter()
        .map(|&h| {
            let state = run(&model, 0.5, h, 0.5);
            (state.q(mass)[0] - exact(state.t)).abs()
        })
        .collect();
    let order = observed_order(&steps, &errors).order;
    assert!((order - 1.0).abs() < 0.25, "spring: {order}, {errors:?}");
}
