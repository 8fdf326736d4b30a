//! Integrators of the smooth motion: orders of convergence, conservation of constraints, events, invalid
//! settings.

use ndarray::array;
use siconos_kernel::model::InteractionId;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::{AlphaParameters, ConstraintLevel};
use siconos_ode::{Method, OdeSettings, RootLocation, Statistics};
use siconos_testkit::compare::{largest_difference, worse};

const G: f64 = 9.81;

type Model = (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId);

/// Creates a pendulum in Cartesian coordinates on a unilateral rope that is closed at the start, with wind.
fn pendulum() -> Model {
    let angle = std::f64::consts::FRAC_PI_3;
    let mut model = NonSmoothDynamicalSystem::new();
    let inertia = |_: &Parameters, q: &[f64], m: &mut ndarray::ArrayViewMut2<'_, f64>| {
        m[[0, 0]] = 1.0 + 0.2 * q[1] * q[1];
        m[[1, 1]] = 1.5;
        m[[0, 1]] = 0.1 * q[0];
        m[[1, 0]] = 0.1 * q[0];
    };
    let mass = Lagrangian::of_mass_function(vec![angle.sin(), angle.cos()], vec![0.0; 2], inertia)
        .with_external_force(|at, f| {
            f[0] = 0.5 * (2.0 * at.t).sin();
            f[1] = G;
        });
    let mass = model.add_system(mass).unwrap();
    let rope = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 1.0 - q[0] * q[0] - q[1] * q[1])
        .with_jacobian(|_, q, j| {
            j[[0, 0]] = -2.0 * q[0];
            j[[0, 1]] = -2.0 * q[1];
        })
        .with_convective_acceleration(|_, _q, v, out| out[0] = -2.0 * (v[0] * v[0] + v[1] * v[1]));
    let rope = model.add_interaction([mass], rope, NewtonImpact::new(0.9).unwrap()).unwrap();
    (model, mass, rope)
}

/// Creates a damped mass on a nonlinear spring that hits a stop.
fn oscillator() -> Model {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = Lagrangian::new(vec![0.5], vec![0.0], array![1.0]).with_internal_force(
        |_t, q, v, f| f[0] = 20.0 * q[0] + 5.0 * q[0].powi(3) + 0.3 * v[0],
        Jacobian::function(|_t, q, _v, j| j[[0, 0]] = 20.0 + 15.0 * q[0] * q[0]),
        Jacobian::Constant(array![[0.3]]),
    );
    let mass = model.add_system(mass).unwrap();
    let stop = LagrangianLinearRelation::new(array![[1.0]]).with_offset(array![0.1]);
    let stop = model.add_interaction([mass], stop, NewtonImpact::new(0.8).unwrap()).unwrap();
    (model, mass, stop)
}

struct Run {
    state: State,
    impacts: Vec<f64>,
    statistics: Statistics,
}

fn run(model: &NonSmoothDynamicalSystem, integrator: EventIntegrator, end: f64, output: f64) -> Run {
    let grid = TimeDiscretisation::uniform(0.0, end, output).unwrap();
    let mut sim = EventDriven::builder(model).discretisation(grid).integrator(integrator).build().unwrap();
    let mut state = sim.initial_state(model).unwrap();
    let mut impacts = Vec::new();
    sim.run(model, &mut state, |report, _| {
        if !report.impacts.is_empty() {
            impacts.push(report.t);
        }
    })
    .unwrap();
    Run { state, impacts, statistics: *sim.statistics() }
}

fn reference() -> EventIntegrator {
    OdeSettings {
        method: Method::HighOrder,
        relative_tolerance: siconos_ode::Tolerance::All(1e-13),
        absolute_tolerance: siconos_ode::Tolerance::All(1e-13),
        ..OdeSettings::default()
    }
    .into()
}

/// Returns the order of convergence from the last two errors at halved steps.
fn order(what: &str, errors: &[f64]) -> f64 {
    println!("{what}: {errors:?}");
    let [.., coarse, fine] = errors else { panic!("two errors at least") };
    (coarse / fine).log2()
}

/// Creates the half-explicit method with steps of fixed length: the tolerances accept every step, and `h_max`
/// is the length.
fn half_explicit_steps(h: f64) -> EventIntegrator {
    let settings = HalfExplicit {
        relative_tolerance: 1e3,
        absolute_tolerance: 1e3,
        h_initial: Some(h),
        h_max: h,
        ..HalfExplicit::default()
    };
    settings.into()
}

#[test]
fn newmark_alpha_is_of_second_order_on_a_pendulum() {
    let (model, mass, rope) = pendulum();
    let exact = run(&model, reference(), 2.0, 2.0).state;
    for level in [ConstraintLevel::Position, ConstraintLevel::Velocity] {
        for rho in [0.0, 0.8, 1.0] {
            let errors: Vec<[f64; 3]> = [64.0, 128.0, 256.0, 512.0]
                .iter()
                .map(|steps| {
                    let scheme = NewmarkAlpha { level, ..NewmarkAlpha::new(2.0 / steps) };
                    let found = run(&model, scheme.with_rho_infinity(rho).into(), 2.0, 2.0).state;
                    let force = |state: &State| state.lambda(rope, Level::Acceleration)[0];
                    [
                        largest_difference(found.q(mass), exact.q(mass)),
                        largest_difference(found.v(mass), exact.v(mass)),
                        (force(&found) - force(&exact)).abs(),
                    ]
                })
                .collect();
            for (k, what) in ["q", "v", "lambda"].into_iter().enumerate() {
                let column: Vec<f64> = errors.iter().map(|error| error[k]).collect();
                let order = order(&format!("{level:?}, rho = {rho}, {what}"), &column);
                assert!((1.8..2.4).contains(&order), "{level:?}, rho = {rho}, {what}: {order}");
            }
        }
    }
}

/// Restarts at events, with the initial algorithmic acceleration, do not reduce the order. Events within a
/// step do not reduce it either.
#[test]
fn newmark_alpha_is_of_second_order_through_impacts() {
    let (model, mass, _) = oscillator();
    let exact = run(&model, reference(), 4.0, 4.0);
    println!("{} impacts", exact.impacts.len());
    assert!(exact.impacts.len() >= 3);
    for rho in [0.2, 0.8] {
        let (mut times, mut states) = (Vec::new(), Vec::new());
        for steps in [400.0, 800.0, 1600.0, 3200.0] {
            let scheme = NewmarkAlpha::new(4.0 / steps).with_rho_infinity(rho);
            let found = run(&model, scheme.into(), 4.0, 4.0);
            assert_eq!(found.impacts.len(), exact.impacts.len());
            times.push(largest_difference(&found.impacts, &exact.impacts));
            states.push(largest_difference(found.state.q(mass), exact.state.q(mass)));
        }
        let (times, states) = (order("impact times", &times), order("q", &states));
        assert!(times > 1.8 && states > 1.8, "{times} {states}");
    }
}

/// The amplitude of an oscillation that is much too fast for the step follows the spectral radius at
/// infinity.
#[test]
fn newmark_alpha_damps_what_is_too_fast() {
    let mut model = NonSmoothDynamicalSystem::new();
    let stiff = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]).with_stiffness(array![[1e10]]);
    let mass = model.add_system(stiff).unwrap();
    for (rho, least, most) in [(0.5, 0.0, 1e-9), (1.0, 0.9, 1.1)] {
        let scheme = NewmarkAlpha::new(0.1).with_rho_infinity(rho);
        let left = run(&model, scheme.into(), 5.0, 5.0).state.q(mass)[0].abs();
        println!("rho {rho}: {left:e}");
        assert!((least..most).contains(&left), "{left}");
    }
}

#[test]
fn half_explicit_is_of_fourth_order_on_a_pendulum() {
    let (model, mass, _) = pendulum();
    let exact = run(&model, reference(), 2.0, 2.0).state;
    let (mut positions, mut velocities) = (Vec::new(), Vec::new());
    for steps in [32.0, 64.0, 128.0, 256.0] {
        let found = run(&model, half_explicit_steps(2.0 / steps), 2.0, 2.0).state;
        positions.push(largest_difference(found.q(mass), exact.q(mass)));
        velocities.push(largest_difference(found.v(mass), exact.v(mass)));
    }
    let (q, v) = (order("q", &positions), order("v", &velocities));
    assert!(q > 3.7 && v > 3.7, "{q} {v}");
}

/// A moving constraint: the force of the drive enters through the time derivative of h.
#[test]
fn half_explicit_is_of_fourth_order_on_a_moving_constraint() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = LagrangianLinear::new(vec![0.0, 0.0], vec![0.4, 0.3], array![1.0, 2.0]);
    let mass = mass.with_external_force(|_t, f| f[1] = -G).with_stiffness(array![[3.0, 0.0], [0.0, 0.0]]);
    let mass = model.add_system(mass).unwrap();
    let floor = LagrangianRheonomousRelation::new(1, |at, q, y| {
        y[0] = q[1] - 0.1 * (3.0 * at.t).sin() - 0.2 * q[0] * q[0];
    })
    .with_jacobian(|_t, q, j| {
        j[[0, 0]] = -0.4 * q[0];
        j[[0, 1]] = 1.0;
    })
    .with_time_derivative(|at, _q, out| out[0] = -0.3 * (3.0 * at.t).cos())
    .with_convective_acceleration(|at, _q, v, out| out[0] = 0.9 * (3.0 * at.t).sin() - 0.4 * v[0] * v[0]);
    model.add_interaction([mass], floor, NewtonImpact::new(0.0).unwrap()).unwrap();
    let exact = run(&model, reference(), 2.0, 2.0).state;
    let mut errors = Vec::new();
    for steps in [32.0, 64.0, 128.0, 256.0] {
        let found = run(&model, half_explicit_steps(2.0 / steps), 2.0, 2.0).state;
        errors.push(worse(
            largest_difference(found.q(mass), exact.q(mass)),
            largest_difference(found.v(mass), exact.v(mass)),
        ));
    }
    let order = order("moving floor", &errors);
    assert!(order > 3.7, "{order}");
}

#[test]
fn half_explicit_meets_its_tolerance() {
    let (model, mass, _) = pendulum();
    let exact = run(&model, reference(), 5.0, 5.0).state;
    for tolerance in [1e-6, 1e-8, 1e-10] {
        let settings = HalfExplicit {
            relative_tolerance: tolerance,
            absolute_tolerance: tolerance,
            ..HalfExplicit::default()
        };
        let found = run(&model, settings.into(), 5.0, 5.0);
        let error = largest_difference(found.state.q(mass), exact.q(mass));
        println!("tolerance {tolerance:e}: error {error:e}, {:?}", found.statistics);
        // The local error of a method of order 4 equals the tolerance. The global error is proportional to
        // the power 4/5 of the tolerance.
        assert!(error < 10.0 * f64::powf(tolerance, 0.8), "{error:e}");
    }
}

/// Every integrator finds the impacts of the ball, and passes its accumulation to rest.
#[test]
fn the_ball_bounces_and_rests_with_each() {
    for integrator in [NewmarkAlpha::new(0.01).into(), HalfExplicit::default().into()] {
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]);
        let ball = model.add_system(ball.with_external_force(|_t, f| f[0] = -G)).unwrap();
        let relation = LagrangianLinearRelation::new(array![[1.0]]);
        let floor = model.add_interaction([ball], relation, NewtonImpact::new(0.9).unwrap()).unwrap();
        let found = run(&model, integrator, 10.0, 0.05);
        let mut t = (2.0 / G).sqrt();
        let mut v = G * t;
        for (k, found) in found.impacts.iter().take(20).enumerate() {
            // Both methods are exact for parabolas.
            assert!((found - t).abs() < 1e-10, "impact {k}: {:e}", found - t);
            v *= 0.9;
            t += 2.0 * v / G;
        }
        assert!(found.impacts.len() > 20);
        assert_eq!((found.state.q(ball), found.state.v(ball)), (&[0.0][..], &[0.0][..]));
        assert!((found.state.lambda(floor, Level::Acceleration)[0] - G).abs() < 1e-12);
        println!("{:?}", found.statistics);
    }
}

/// A mass is lifted off its support at a known time. The contact force is the guard.
#[test]
fn take_off_is_found_with_each() {
    // With a weight of 2 and a pull of t^2, the contact force 2 - t^2 vanishes at sqrt 2.
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]);
    let mass = model.add_system(mass.with_external_force(|at, f| f[0] = at.t * at.t - 2.0)).unwrap();
    let relation = LagrangianLinearRelation::new(array![[1.0]]);
    model.add_interaction([mass], relation, NewtonImpact::new(0.5).unwrap()).unwrap();
    let exact = |t: f64| {
        let from = 2.0_f64.sqrt();
        (t.powi(4) - from.powi(4)) / 12.0
            - (t * t - from * from)
            - (from.powi(3) / 3.0 - 2.0 * from) * (t - from)
    };
    for (integrator, tolerance) in
        [(NewmarkAlpha::new(0.002).into(), 1e-5), (HalfExplicit::default().into(), 1e-9)]
    {
        let integrator: EventIntegrator = integrator;
        let grid = TimeDiscretisation::uniform(0.0, 3.0, 0.25).unwrap();
        let mut sim =
            EventDriven::builder(&model).discretisation(grid).integrator(integrator).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        let mut opened = Vec::new();
        sim.run(&model, &mut state, |report, _| {
            if !report.released.is_empty() {
                opened.push(report.t);
            }
        })
        .unwrap();
        assert_eq!(opened.len(), 1);
        assert!((opened[0] - 2.0_f64.sqrt()).abs() < 1e-11, "{opened:?}");
        let error = (state.q(mass)[0] - exact(3.0)).abs();
        assert!(error < tolerance, "{error:e}");
    }
}

/// The constraint is satisfied at positions and velocities over five seconds, with either level of
/// constraints.
#[test]
fn constraints_are_kept_at_their_level() {
    let (model, _, rope) = pendulum();
    let grid = || TimeDiscretisation::uniform(0.0, 5.0, 0.05).unwrap();
    for integrator in [
        EventIntegrator::from(NewmarkAlpha::new(0.01)),
        NewmarkAlpha { level: ConstraintLevel::Velocity, ..NewmarkAlpha::new(0.01) }.into(),
        HalfExplicit::default().into(),
    ] {
        let mut sim =
            EventDriven::builder(&model).discretisation(grid()).integrator(integrator).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        let (mut gap, mut velocity) = (0.0_f64, 0.0_f64);
        sim.run(&model, &mut state, |_, state| {
            gap = gap.max(state.y(rope, Level::Position)[0].abs());
            velocity = velocity.max(state.y(rope, Level::Velocity)[0].abs());
        })
        .unwrap();
        assert!(gap < 1e-14 && velocity < 1e-13, "{gap:e} {velocity:e}");
        assert_eq!(state.closed(rope), [true]);
    }
}

/// Output points do not restart the method: the numbers of steps agree, and the states agree up to a small
/// error.
#[test]
fn newmark_alpha_does_not_begin_anew_at_points_of_output() {
    let (model, mass, _) = pendulum();
    let scheme = || EventIntegrator::from(NewmarkAlpha::new(0.01));
    let few = run(&model, scheme(), 2.0, 2.0);
    let many = run(&model, scheme(), 2.0, 0.004);
    assert_eq!(few.statistics.steps, many.statistics.steps);
    assert!(largest_difference(few.state.q(mass), many.state.q(mass)) < 1e-12);
}

#[test]
fn settings_out_of_range_are_refused() {
    let (model, _, _) = pendulum();
    let name = |integrator: EventIntegrator| {
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap();
        let built = EventDriven::builder(&model).discretisation(grid).integrator(integrator).build();
        match built.unwrap_err() {
            Error::Settings(SettingsError::OutOfRange { name, .. }) => name,
            Error::Settings(SettingsError::Solver(siconos_numerics::SettingsError::OutOfRange {
                name,
                ..
            })) => name,
            other => panic!("{other}"),
        }
    };
    for h in [0.0, -1e-3, f64::NAN, f64::INFINITY] {
        assert_eq!(name(NewmarkAlpha::new(h).into()), "h");
    }
    for rho in [-0.1, 1.1, f64::NAN] {
        assert_eq!(name(NewmarkAlpha::new(1e-3).with_rho_infinity(rho).into()), "rho_infinity");
    }
    let given = |alpha_m, alpha_f, beta, gamma| {
        let parameters = AlphaParameters::Given { alpha_m, alpha_f, beta, gamma };
        name(NewmarkAlpha { parameters, ..NewmarkAlpha::new(1e-3) }.into())
    };
    assert_eq!(given(0.0, 0.6, 1.0, 1.1), "alpha_f");
    assert_eq!(given(0.4, 0.3, 0.25, 0.4), "alpha_m");
    assert_eq!(given(0.0, 0.0, 0.25, 0.6), "gamma");
    assert_eq!(given(0.0, 0.0, 0.2, 0.5), "beta");
    let location = RootLocation { tolerance: 0.0, ..RootLocation::default() };
    assert_eq!(name(NewmarkAlpha { location, ..NewmarkAlpha::new(1e-3) }.into()), "tolerance");
    assert_eq!(name(HalfExplicit { location, ..HalfExplicit::default() }.into()), "tolerance");
    let zero = HalfExplicit { absolute_tolerance: 0.0, ..HalfExplicit::default() };
    assert_eq!(name(zero.into()), "absolute_tolerance");
    let none = HalfExplicit { max_steps: 0, ..HalfExplicit::default() };
    assert_eq!(name(none.into()), "max_steps");
}

/// A force that is not finite is named in the error, and the state does not change.
#[test]
fn forces_that_are_not_finite_are_refused() {
    for integrator in [EventIntegrator::from(NewmarkAlpha::new(0.01)), HalfExplicit::default().into()] {
        let mut model = NonSmoothDynamicalSystem::new();
        let mass = LagrangianLinear::new(vec![0.0], vec![1.0], array![1.0]);
        let broken = mass.with_external_force(|at, f| f[0] = if at.t > 0.5 { f64::NAN } else { 1.0 });
        model.add_system(broken).unwrap();
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 1.0).unwrap();
        let mut sim =
            EventDriven::builder(&model).discretisation(grid).integrator(integrator).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        let before = format!("{state:?}");
        let error = sim.step(&model, &mut state).unwrap_err();
        println!("{error}");
        assert!(matches!(error, SimulationError::Integration { .. } | SimulationError::StepTooSmall { .. }));
        assert_eq!(format!("{state:?}"), before);
    }
}
