//! Configurations that do not form a vector space. A pendulum with a stop and a unit vector in the plane as
//! position moves like the pendulum with its angle as position, in every scheme.

use ndarray::array;
use siconos_kernel::model::UnitCircle;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::{ConstraintLevel, ContactJacobian};
use siconos_ode::{Method, OdeSettings, RootLocation, Tolerance};
use siconos_testkit::compare::worse;

const STOP: f64 = 0.5;
const START: f64 = -1.2;
const END: f64 = 10.0;

/// Root location in which impacts are located up to rounding.
const LOCATION: RootLocation = RootLocation { samples: 8, tolerance: 1e-16 };

/// Form of the derivatives of the model.
#[derive(Clone, Copy, PartialEq)]
enum Derivatives {
    Given,
    ByDifferences,
}

type Model = (NonSmoothDynamicalSystem, DynamicalSystemId);

/// Obstacle of the pendulum.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meets {
    /// A stop beyond the lowest point, at which the pendulum bounces.
    Stop,
    /// A stop before the lowest point, at which the pendulum comes to rest.
    Rest,
    /// A mass on a spring that the pendulum pushes: a relation between a unit vector and a vector.
    Slider,
    /// A mass on a spring that is joined to the pendulum.
    Joint,
}

/// Creates a damped pendulum of 2 kg and 0.7 m. The angle is measured from the hanging position.
fn pendulum(
    of_angle: impl Fn(f64) -> Vec<f64>,
    derivatives: Derivatives,
    meets: Meets,
) -> Result<Model, Error> {
    let is_vector = of_angle(0.0).len() == 1;
    let inertia = 2.0 * 0.7 * 0.7;
    let angle = move |q: &[f64]| if is_vector { q[0] } else { q[1].atan2(q[0]) };
    let force = move |_at: At<'_>, q: &[f64], v: &[f64], f: &mut [f64]| {
        f[0] = 2.0 * 9.81 * 0.7 * angle(q).sin() + 0.02 * v[0];
    };
    let stiffness = match derivatives {
        Derivatives::Given => {
            Jacobian::function(move |_at, q, _v, j| j[[0, 0]] = 2.0 * 9.81 * 0.7 * angle(q).cos())
        }
        Derivatives::ByDifferences => Jacobian::FiniteDifference,
    };
    let mut system = Lagrangian::new(of_angle(START), vec![0.0], array![inertia]).with_internal_force(
        force,
        stiffness,
        Jacobian::Constant(array![[0.02]]),
    );
    if !is_vector {
        system = system.with_configuration(UnitCircle);
    }
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(system)?;
    if let Meets::Slider | Meets::Joint = meets {
        let start = if meets == Meets::Slider { 0.3 } else { 0.7 * START.sin() };
        let slider = LagrangianLinear::new(vec![start], vec![0.0], array![1.0])
            .with_stiffness(array![[50.0]])
            .with_damping(array![[0.3]])
            .with_constant_external_force(vec![15.0]);
        let slider = model.add_system(slider)?;
        let place = of_angle(0.0).len();
        let mut gap = LagrangianScleronomousRelation::new(1, move |_, q, y| {
            y[0] = q[place] - 0.7 * angle(q).sin();
        });
        if derivatives == Derivatives::Given {
            gap = gap
                .with_jacobian(move |_, q, j| (j[[0, 0]], j[[0, 1]]) = (-0.7 * angle(q).cos(), 1.0))
                .with_convective_acceleration(move |_, q, v, out| {
                    out[0] = 0.7 * angle(q).sin() * v[0] * v[0];
                });
        }
        match meets {
            Meets::Joint => model.add_interaction([system, slider], gap, EqualityCondition::new(1)?)?,
            _ => model.add_interaction([system, slider], gap, NewtonImpact::new(0.5)?)?,
        };
        return Ok((model, system));
    }
    let (stop, restitution) = if meets == Meets::Stop { (STOP, 0.8) } else { (-0.3, 0.0) };
    let mut relation = LagrangianScleronomousRelation::new(1, move |_, q, y| y[0] = stop - angle(q));
    if derivatives == Derivatives::Given {
        relation = relation
            .with_jacobian(|_, _q, j| j[[0, 0]] = -1.0)
            .with_convective_acceleration(|_, _q, _v, out| out[0] = 0.0);
    }
    let stop = model.add_interaction([system], relation, NewtonImpact::new(restitution)?)?;
    for q in [-1.2, 0.3] {
        model
            .interaction(stop)?
            .check_jacobians(0.0, &of_angle(q), 1e-7)
            .expect("the derivative of the angle");
    }
    Ok((model, system))
}

fn of_angle(angle: f64) -> Vec<f64> {
    vec![angle]
}

fn of_direction(angle: f64) -> Vec<f64> {
    vec![angle.cos(), angle.sin()]
}

/// Returns the angle, the angular velocity, and the error of the length of the unit vector.
fn motion(state: &State, pendulum: DynamicalSystemId) -> ([f64; 2], f64) {
    let (q, v) = (state.q(pendulum), state.v(pendulum)[0]);
    match q {
        [angle] => ([*angle, v], 0.0),
        [x, y] => ([y.atan2(*x), v], (x.hypot(*y) - 1.0).abs()),
        _ => panic!("one or two coordinates"),
    }
}

/// State after each step or output point, and the number of impacts.
struct Track {
    motion: Vec<[f64; 2]>,
    impacts: usize,
}

fn by_time_stepping((model, pendulum): &Model, theta: f64, at_end: bool) -> Result<Track, Error> {
    let grid = TimeDiscretisation::uniform(0.0, END, 1e-3)?;
    let contact_jacobian = if at_end { ContactJacobian::AtEnd } else { ContactJacobian::AtBeginning };
    let mut simulation = TimeStepping::builder(model)
        .discretisation(grid)
        .integrator(MoreauJean::new(theta)?)
        .newton(NewtonSettings { tolerance: 1e-14, contact_jacobian, ..NewtonSettings::default() })
        .build()?;
    let mut state = simulation.initial_state(model)?;
    let mut track = Track { motion: Vec::new(), impacts: 0 };
    simulation.run(model, &mut state, |_, state| {
        let (motion, off) = motion(state, *pendulum);
        assert!(off <= 2.0 * f64::EPSILON, "off the circle by {off} at {}", state.t);
        track.motion.push(motion);
        track.impacts += usize::from(state.impulse(*pendulum)[0] != 0.0);
    })?;
    Ok(track)
}

fn by_events((model, pendulum): &Model, integrator: impl Into<EventIntegrator>) -> Result<Track, Error> {
    let grid = TimeDiscretisation::uniform(0.0, END, 0.05)?;
    let mut simulation = EventDriven::builder(model)
        .discretisation(grid)
        .settings(EventDrivenSettings { integrator: integrator.into(), ..EventDrivenSettings::default() })
        .build()?;
    let mut state = simulation.initial_state(model)?;
    let mut track = Track { motion: Vec::new(), impacts: 0 };
    while let Some(report) = simulation.step(model, &mut state)? {
        track.impacts += report.impacts.len();
        let is_output = report.impacts.is_empty();
        let (motion, off) = motion(&state, *pendulum);
        assert!(off <= 4.0 * f64::EPSILON, "off the circle by {off} at {}", state.t);
        if is_output {
            track.motion.push(motion);
        }
    }
    Ok(track)
}

fn compare(what: &str, by: impl Fn(&Model) -> Result<Track, Error>, tolerance: f64) -> Result<(), Error> {
    for (meets, derivatives) in [
        (Meets::Stop, Derivatives::Given),
        (Meets::Stop, Derivatives::ByDifferences),
        (Meets::Rest, Derivatives::Given),
        (Meets::Slider, Derivatives::Given),
    ] {
        compare_case(what, &by, (meets, derivatives), tolerance)?;
    }
    Ok(())
}

fn compare_case(
    what: &str,
    by: impl Fn(&Model) -> Result<Track, Error>,
    (meets, derivatives): (Meets, Derivatives),
    tolerance: f64,
) -> Result<(), Error> {
    let what = format!("{what}, {meets:?}");
    let expected = by(&pendulum(of_angle, derivatives, meets)?)?;
    let track = by(&pendulum(of_direction, derivatives, meets)?)?;
    let least = [6, 1, 3, 0][meets as usize];
    assert!(expected.impacts >= least, "{what}: {} impacts", expected.impacts);
    assert_eq!(track.impacts, expected.impacts, "{what}");
    assert_eq!(track.motion.len(), expected.motion.len(), "{what}");
    // Finite differences in the two kinds of coordinates have different errors.
    let tolerance = if derivatives == Derivatives::Given { tolerance } else { tolerance.max(1e-7) };
    let off = |(a, b): (&[f64; 2], &[f64; 2])| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
    let worst = track.motion.iter().zip(&expected.motion).map(off).fold(0.0, worse);
    // The stiff method with a tolerance of 1e-10 accumulates larger errors if a mass carries them on after an
    // impact.
    let tolerance = if meets == Meets::Slider && tolerance == 1e-8 { 5.0 * tolerance } else { tolerance };
    assert!(worst <= tolerance, "{what}: off by {worst}");
    Ok(())
}

#[test]
fn moreau_jean() -> Result<(), Error> {
    for theta in [0.5, 1.0] {
        for at_end in [true, false] {
            compare("MoreauJean", |model| by_time_stepping(model, theta, at_end), 1e-12)?;
        }
    }
    Ok(())
}

#[test]
fn joined_to_a_mass_in_time_stepping() -> Result<(), Error> {
    for theta in [0.5, 1.0] {
        let by = |model: &Model| by_time_stepping(model, theta, true);
        compare_case("MoreauJean", by, (Meets::Joint, Derivatives::Given), 1e-11)?;
    }
    Ok(())
}

#[test]
fn generalised_alpha() -> Result<(), Error> {
    for level in [ConstraintLevel::Position, ConstraintLevel::Velocity] {
        let scheme = NewmarkAlpha { level, tolerance: 1e-15, location: LOCATION, ..NewmarkAlpha::new(5e-3) };
        compare("NewmarkAlpha", |model| by_events(model, scheme.clone()), 1e-12)?;
    }
    Ok(())
}

#[test]
fn half_explicit() -> Result<(), Error> {
    // Errors are relative to the size of the coordinates, which differs between an angle and a direction. All
    // steps therefore have one length, which is large compared with the rounding of times within a step.
    let step = 0.02;
    let scheme = HalfExplicit {
        absolute_tolerance: 1e-3,
        h_initial: Some(step),
        h_max: step,
        location: LOCATION,
        ..HalfExplicit::default()
    };
    compare("HalfExplicit", |model| by_events(model, scheme.clone()), 1e-12)
}

#[test]
fn ordinary_differential_equation() -> Result<(), Error> {
    // The error accumulated in 10 s is a multiple of the tolerance, in both forms.
    for (method, tolerance) in [(Method::Explicit, 1e-11), (Method::HighOrder, 1e-12), (Method::Stiff, 1e-10)]
    {
        let all = Tolerance::All(tolerance);
        let settings = OdeSettings {
            method,
            relative_tolerance: all.clone(),
            absolute_tolerance: all,
            ..OdeSettings::default()
        };
        compare(&format!("{method:?}"), |model| by_events(model, settings.clone()), 100.0 * tolerance)?;
    }
    Ok(())
}

#[test]
fn energy_without_damping_is_that_at_the_start() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let system = Lagrangian::new(of_direction(START), vec![0.0], array![1.0])
        .with_configuration(UnitCircle)
        .with_internal_force(
            |_at, q, _v, f| f[0] = 9.81 * q[1],
            Jacobian::function(|_at, q, _v, j| j[[0, 0]] = 9.81 * q[0]),
            Jacobian::Zero,
        );
    let pendulum = model.add_system(system)?;
    let grid = TimeDiscretisation::uniform(0.0, END, 0.1)?;
    let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
    let mut state = simulation.initial_state(&model)?;
    let energy = |state: &State| 0.5 * state.v(pendulum)[0].powi(2) - 9.81 * state.q(pendulum)[0];
    let before = energy(&state);
    simulation.run(&model, &mut state, |_, _| {})?;
    assert!((energy(&state) - before).abs() < 1e-9, "{} and {before}", energy(&state));
    Ok(())
}

#[test]
fn adaptive_steps_and_what_lies_within_them() -> Result<(), Error> {
    let track = |of: fn(f64) -> Vec<f64>| -> Result<Vec<[f64; 2]>, Error> {
        let (model, pendulum) = pendulum(of, Derivatives::Given, Meets::Stop)?;
        let grid = TimeDiscretisation::uniform(0.0, 2.0, 2.0)?;
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
        let mut state = simulation.initial_state(&model)?;
        let settings = AdaptiveSettings { relative_tolerance: 0.0, ..AdaptiveSettings::of_tolerance(1e-4) };
        let mut adaptive = AdaptiveStepping::new(settings)?;
        let mut track = Vec::new();
        adaptive.run(&mut simulation, &model, &mut state, 2.0, |adaptive, report, state| {
            let middle = report.step.t - 0.4 * report.step.h;
            let q = adaptive.position_at(state, pendulum, middle).expect("within the step");
            if let [x, y] = &q[..] {
                assert!((x.hypot(*y) - 1.0).abs() < 1e-14, "a unit vector within the step as well");
            }
            let within = if q.len() == 1 { q[0] } else { q[1].atan2(q[0]) };
            track.push([motion(state, pendulum).0[0], within]);
        })?;
        Ok(track)
    };
    let (expected, found) = (track(of_angle)?, track(of_direction)?);
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(&expected) {
        assert!((a[0] - b[0]).abs() < 1e-10 && (a[1] - b[1]).abs() < 1e-10, "{a:?} and {b:?}");
    }
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused() {
    let system = || Lagrangian::new(of_direction(0.0), vec![0.0], array![1.0]).with_configuration(UnitCircle);
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(system()).expect("a unit vector");
    let linear = LagrangianLinearRelation::new(array![[1.0]]);
    let refused = model.add_interaction([id], linear, EqualityCondition::new(1).expect("a row"));
    assert!(matches!(refused, Err(ModelError::PositionNotVector { id: of }) if of == id), "{refused:?}");
    let refused = model.add_system(FirstOrderNonlinear::of_lagrangian(&system()));
    assert!(matches!(refused, Err(ModelError::NoFirstOrderForm)), "{refused:?}");
    let unlike = Lagrangian::new(of_direction(0.0), vec![0.0], array![1.0]);
    assert!(matches!(model.add_system(unlike), Err(ModelError::WrongShape { .. })));
}

/// Creates the pendulum with a stop, with all masses and forces multiplied by `by`.
fn heavy(by: f64) -> Result<Model, Error> {
    let force = move |_at: At<'_>, q: &[f64], v: &[f64], f: &mut [f64]| f[0] = by * (9.0 * q[1] + 0.1 * v[0]);
    let system = Lagrangian::new(of_direction(START), vec![0.0], array![by])
        .with_configuration(UnitCircle)
        .with_internal_force(force, Jacobian::FiniteDifference, Jacobian::FiniteDifference);
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(system)?;
    let stop = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = STOP - q[1].atan2(q[0]));
    model.add_interaction([system], stop, NewtonImpact::new(0.8)?)?;
    Ok((model, system))
}

fn bits(state: &State, pendulum: DynamicalSystemId) -> Vec<u64> {
    state.q(pendulum).iter().chain(state.v(pendulum)).map(|x| x.to_bits()).collect()
}

#[test]
fn the_unit_of_mass_changes_no_bit() -> Result<(), Error> {
    let run = |by: f64| -> Result<Vec<Vec<u64>>, Error> {
        let (model, pendulum) = heavy(by)?;
        let grid = TimeDiscretisation::uniform(0.0, 3.0, 1e-2)?;
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
        let mut state = simulation.initial_state(&model)?;
        let mut track = Vec::new();
        simulation.run(&model, &mut state, |_, state| track.push(bits(state, pendulum)))?;
        Ok(track)
    };
    let expected = run(1.0)?;
    for exponent in [-30, 7, 40] {
        assert_eq!(run(f64::powi(2.0, exponent))?, expected);
    }
    Ok(())
}

#[test]
fn a_record_goes_on_in_a_model_built_anew() -> Result<(), Error> {
    let (model, pendulum) = heavy(1.0)?;
    let grid = TimeDiscretisation::uniform(0.0, 3.0, 1e-2)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid.clone()).build()?;
    let mut state = simulation.initial_state(&model)?;
    for _ in 0..150 {
        simulation.step(&model, &mut state)?;
    }
    let (other, other_pendulum) = heavy(1.0)?;
    let mut again = State::restore(&other, &state.record(&model)?)?;
    let mut anew = TimeStepping::builder(&other).discretisation(grid).build()?;
    while simulation.step(&model, &mut state)?.is_some() {
        anew.step(&other, &mut again)?;
        assert_eq!(bits(&again, other_pendulum), bits(&state, pendulum));
    }
    // A system with a vector of two coordinates is another system.
    let mut unlike = NonSmoothDynamicalSystem::new();
    let vector = unlike.add_system(Lagrangian::new(vec![0.0; 2], vec![0.0; 2], array![1.0, 1.0]))?;
    let stop = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = STOP - q[0]);
    unlike.add_interaction([vector], stop, NewtonImpact::new(0.8)?)?;
    assert!(State::restore(&unlike, &state.record(&model)?).is_err());
    Ok(())
}

/// Creates the pendulum and the joined mass in the single coordinate that the joint leaves free.
fn joined_in_its_angle() -> Result<Model, Error> {
    const L: f64 = 0.7;
    let mass = |_: &_, q: &[f64], m: &mut ndarray::ArrayViewMut2<'_, f64>| {
        m[[0, 0]] = 2.0 * L * L + (L * q[0].cos()).powi(2);
    };
    let force = |_: At<'_>, q: &[f64], v: &[f64], f: &mut [f64]| {
        let (sine, cosine) = q[0].sin_cos();
        let spring = 50.0 * L * sine + 0.3 * L * cosine * v[0] - 15.0;
        let of_variable_mass = -L * L * sine * cosine * v[0] * v[0];
        f[0] = 2.0 * 9.81 * L * sine + 0.02 * v[0] + L * cosine * spring + of_variable_mass;
    };
    let system = Lagrangian::of_mass_function(vec![START], vec![0.0], mass).with_internal_force(
        force,
        Jacobian::FiniteDifference,
        Jacobian::FiniteDifference,
    );
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(system)?;
    Ok((model, system))
}

#[test]
fn joined_to_a_mass_by_events_as_without_the_joint() -> Result<(), Error> {
    let worst = |tolerance: f64| -> Result<f64, Error> {
        let all = Tolerance::All(tolerance);
        let settings = OdeSettings {
            method: Method::Explicit,
            relative_tolerance: all.clone(),
            absolute_tolerance: all,
            ..OdeSettings::default()
        };
        let by = |model: &Model| by_events(model, settings.clone());
        let expected = by(&joined_in_its_angle()?)?.motion;
        let mut worst = 0.0;
        for of in [of_angle, of_direction] {
            let found = by(&pendulum(of, Derivatives::Given, Meets::Joint)?)?.motion;
            assert_eq!(found.len(), expected.len());
            let off =
                found.iter().zip(&expected).flat_map(|(a, b)| [(a[0] - b[0]).abs(), (a[1] - b[1]).abs()]);
            worst = off.fold(worst, worse);
        }
        Ok(worst)
    };
    // The drift off the joint is corrected only above ten gap tolerances, 1e-9 m, so that errors are larger
    // than the errors of the method alone. Both decrease with the tolerance of the method.
    let (coarse, fine) = (worst(1e-11)?, worst(1e-13)?);
    assert!(coarse < 5e-8 && fine < 5e-10, "{coarse} and {fine}");
    Ok(())
}
