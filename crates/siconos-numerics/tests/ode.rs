//! Smooth integration with root location: one battery for every method, against closed forms.

use std::f64::consts::PI;

use proptest::prelude::*;
use siconos_numerics::SettingsError;
use siconos_numerics::ode::{
    Advance, Crossing, Fired, Indicator, Integrator, Method, OdeError, OdeFunctions, OdeSettings, OdeSystem,
    Tolerance, find_crossing,
};
use siconos_testkit::allocation::{CountingAllocator, count_allocations};
use siconos_testkit::random::config;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const METHODS: [Method; 3] = [Method::Explicit, Method::Stiff, Method::Auto];

fn settings(method: Method, tolerance: f64) -> OdeSettings {
    OdeSettings {
        method,
        relative_tolerance: Tolerance::All(tolerance),
        absolute_tolerance: Tolerance::All(tolerance),
        ..OdeSettings::default()
    }
}

fn integrator(method: Method, tolerance: f64) -> Integrator {
    Integrator::new(settings(method, tolerance)).expect("valid settings")
}

/// x'' = -x with guards of x alone.
fn oscillator(crossings: Vec<Crossing>, levels: &'static [f64]) -> impl OdeSystem {
    OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
        f[0] = x[1];
        f[1] = -x[0];
    })
    .with_guards(crossings, move |_t, x: &[f64], g: &mut [f64]| {
        for (g, level) in g.iter_mut().zip(levels) {
            *g = x[0] - level;
        }
    })
}

/// x' = 1 with guards of time, which every method integrates exactly.
fn clock(crossings: Vec<Crossing>, guards: impl Fn(f64, &mut [f64])) -> impl OdeSystem {
    OdeFunctions::new(1, |_t, _x: &[f64], f: &mut [f64]| f[0] = 1.0)
        .with_guards(crossings, move |_t, x: &[f64], g: &mut [f64]| guards(x[0], g))
}

/// Goes on to the end, and returns all roots.
fn all_roots(integrator: &mut Integrator, system: &mut dyn OdeSystem, end: f64) -> Vec<(f64, Vec<Fired>)> {
    all_roots_within(integrator, system, end, false)
}

/// The same, with steps that may go past the end.
fn all_roots_within(
    integrator: &mut Integrator,
    system: &mut dyn OdeSystem,
    end: f64,
    overshoot: bool,
) -> Vec<(f64, Vec<Fired>)> {
    let mut roots = Vec::new();
    let critical = if overshoot { f64::INFINITY } else { end };
    loop {
        match integrator.advance_within(system, end, critical).expect("it is finite") {
            Advance::Roots { t, fired } => roots.push((t, fired.to_vec())),
            Advance::Reached { t } => {
                assert_eq!((t, integrator.indicator()), (end, Indicator::NoRoot));
                assert_eq!(integrator.fired(), []);
                return roots;
            }
            other => panic!("{other:?}"),
        }
        assert!(roots.len() < 1000, "endless roots near {:?}", roots.last());
    }
}

#[test]
fn oscillator_finds_every_crossing_once() {
    for (method, tolerance) in [(Method::Explicit, 1e-12), (Method::Stiff, 1e-13), (Method::Auto, 1e-12)] {
        for overshoot in [false, true] {
            let chosen = settings(method, tolerance);
            let mut integrator = Integrator::new(chosen).expect("valid settings");
            // x = cos t: falling through zero at pi/2 + 2 k pi, rising at 3 pi/2 + 2 k pi.
            let mut system = oscillator(vec![Crossing::Falling, Crossing::Rising, Crossing::Any], &[0.0; 3]);
            integrator.restart(0.0, &[1.0, 0.0]).expect("it is finite");
            let roots = all_roots_within(&mut integrator, &mut system, 100.0, overshoot);
            assert_eq!(roots.len(), 32, "{method:?}");
            let mut worst = 0.0_f64;
            for (k, (t, fired)) in roots.iter().enumerate() {
                worst = worst.max((t - PI * (k as f64 + 0.5)).abs());
                let (guard, direction) =
                    if k % 2 == 0 { (0, Crossing::Falling) } else { (1, Crossing::Rising) };
                assert_eq!(fired, &[Fired { guard, direction }, Fired { guard: 2, direction }]);
            }
            println!("{method:?}: {worst:e}, {:?}", integrator.statistics());
            assert!(worst < 1e-9, "{method:?}: {worst:e}");
        }
    }
}

#[test]
fn bouncing_ball_hits_the_ground_at_the_times_of_the_closed_form() {
    let (gravity, height, restitution) = (9.81, 1.0, 0.9);
    let mut ball = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
        f[0] = x[1];
        f[1] = -gravity;
    })
    .with_guards(vec![Crossing::Any], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0]);
    for method in METHODS {
        let mut integrator = integrator(method, 1e-10);
        integrator.restart(0.0, &[height, 0.0]).expect("it is finite");
        let mut expected = f64::sqrt(2.0 * height / gravity);
        let mut speed = gravity * expected;
        let mut worst = 0.0_f64;
        for _impact in 0..20 {
            let Ok(Advance::Roots { t, fired }) = integrator.advance(&mut ball, 10.0) else {
                panic!("{method:?}: an impact is missing")
            };
            assert_eq!(fired, [Fired { guard: 0, direction: Crossing::Falling }]);
            assert_eq!(integrator.indicator(), Indicator::RootFound);
            worst = worst.max((t - expected).abs());
            speed *= restitution;
            expected += 2.0 * speed / gravity;
            let after = [0.0, -restitution * integrator.x()[1]];
            integrator.restart(t, &after).expect("it is finite");
            assert_eq!(integrator.indicator(), Indicator::FirstCall);
        }
        println!("{method:?}: {worst:e}, {:?}", integrator.statistics());
        assert!(worst < 1e-10, "{method:?}: {worst:e}");
    }
}

#[test]
fn a_restart_off_the_surface_by_rounding_finds_no_root_twice() {
    // The position is left as it was found, a rounding error below the ground, and the guard fires either way.
    for method in METHODS {
        let mut ball = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
            f[0] = x[1];
            f[1] = -9.81;
        })
        .with_guards(vec![Crossing::Any], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0] - 100.0);
        let mut integrator = integrator(method, 1e-10);
        integrator.restart(0.0, &[101.0, 0.0]).expect("it is finite");
        let mut impacts = Vec::new();
        while impacts.len() < 40 {
            let Ok(Advance::Roots { t, fired }) = integrator.advance(&mut ball, 20.0) else { break };
            assert_eq!(fired[0].direction, Crossing::Falling);
            impacts.push(t);
            let after = [integrator.x()[0], -0.8 * integrator.x()[1]];
            integrator.restart(t, &after).expect("it is finite");
        }
        let ratios = impacts.windows(3).map(|t| (t[2] - t[1]) / (t[1] - t[0])).skip(1);
        assert_eq!(impacts.len(), 40, "{method:?}");
        for ratio in ratios.take(25) {
            assert!((ratio - 0.8).abs() < 1e-6, "{method:?}: {ratio}");
        }
    }
}

#[test]
fn a_double_crossing_within_one_step_is_found() {
    for method in METHODS {
        let mut integrator = integrator(method, 1e-10);
        // One step takes the clock to 1; the roots are a sixth of it apart, more than an eighth.
        let mut system = clock(vec![Crossing::Any, Crossing::Rising], |x, g| {
            g[0] = (x - 0.4) * (x - 0.4 - 1.0 / 6.0);
            g[1] = -g[0];
        });
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let warm = integrator.advance(&mut system, 1e-3).expect("it is finite");
        assert_eq!(warm, Advance::Reached { t: 1e-3 });
        let roots = all_roots(&mut integrator, &mut system, 1.0);
        assert_eq!(roots.len(), 2, "{method:?}: {roots:?}");
        assert!((roots[0].0 - 0.4).abs() < 1e-12 && (roots[1].0 - 0.4 - 1.0 / 6.0).abs() < 1e-12);
        let [first, second] = [&roots[0].1, &roots[1].1];
        assert_eq!(first[0].direction, Crossing::Falling);
        assert_eq!(first[1], Fired { guard: 1, direction: Crossing::Rising });
        assert_eq!(second, &[Fired { guard: 0, direction: Crossing::Rising }]);
    }
}

#[test]
fn a_guard_that_is_zero_at_the_start_fires_only_when_it_comes_back() {
    for method in METHODS {
        for flip in [1.0, -1.0] {
            let mut integrator = integrator(method, 1e-10);
            let mut system = clock(vec![Crossing::Any], |x, g| g[0] = flip * x * (2.0 - x));
            integrator.restart(0.0, &[0.0]).expect("it is finite");
            let roots = all_roots(&mut integrator, &mut system, 5.0);
            assert_eq!(roots.len(), 1, "{method:?}: {roots:?}");
            assert!((roots[0].0 - 2.0).abs() < 1e-12);
            let direction = if flip > 0.0 { Crossing::Falling } else { Crossing::Rising };
            assert_eq!(roots[0].1, [Fired { guard: 0, direction }]);
        }
        // It leaves and never comes back.
        let mut integrator = integrator(method, 1e-10);
        let mut system = clock(vec![Crossing::Any, Crossing::Any], |x, g| (g[0], g[1]) = (x, -x));
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        assert_eq!(all_roots(&mut integrator, &mut system, 5.0), []);
    }
}

#[test]
fn a_guard_that_is_zero_at_the_end_fires_there_and_not_again() {
    for method in METHODS {
        let mut integrator = integrator(method, 1e-10);
        let mut system = OdeFunctions::new(1, |_t, _x: &[f64], f: &mut [f64]| f[0] = 1.0)
            .with_guards(vec![Crossing::Falling], |t, _x: &[f64], g: &mut [f64]| g[0] = 1.0 - t);
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let fired = vec![Fired { guard: 0, direction: Crossing::Falling }];
        assert_eq!(all_roots(&mut integrator, &mut system, 1.0), [(1.0, fired)], "{method:?}");
        assert_eq!(all_roots(&mut integrator, &mut system, 2.0), [], "{method:?}");
    }
}

#[test]
fn guards_that_fire_together_are_reported_together() {
    for method in METHODS {
        let mut integrator = integrator(method, 1e-10);
        let crossings =
            vec![Crossing::Falling, Crossing::Rising, Crossing::Rising, Crossing::Any, Crossing::Any];
        let mut system = clock(crossings, |x, g| {
            g[0] = 0.7 - x;
            g[1] = (x - 0.7).exp() - 1.0;
            g[2] = 0.7 - x;
            g[3] = (x * x).sin() - 0.49_f64.sin();
            g[4] = x - 0.7 - 1e-9;
        });
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let roots = all_roots(&mut integrator, &mut system, 1.0);
        let guards: Vec<Vec<usize>> =
            roots.iter().map(|(_, fired)| fired.iter().map(|fired| fired.guard).collect()).collect();
        assert_eq!(guards, [vec![0, 1, 3], vec![4]], "{method:?}");
        assert!((roots[0].0 - 0.7).abs() < 1e-12);
        assert!((roots[1].0 - 0.7 - 1e-9).abs() < 1e-12);
    }
}

#[test]
fn grazing_is_no_root() {
    for method in METHODS {
        let mut integrator = integrator(method, 1e-10);
        // Touches at a point inside, and at one where a sample may lie; crosses at 3.
        let mut system =
            clock(vec![Crossing::Any], |x, g| g[0] = (x - 0.3).powi(2) * (x - 1.0).powi(2) * (3.0 - x));
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        assert_eq!(integrator.advance(&mut system, 0.9), Ok(Advance::Reached { t: 0.9 }));
        let roots = all_roots(&mut integrator, &mut system, 4.0);
        assert_eq!(roots.len(), 1, "{method:?}: {roots:?}");
        assert!((roots[0].0 - 3.0).abs() < 1e-11);
    }
}

/// Van der Pol's oscillator with a stiffness of 1000.
fn van_der_pol() -> impl OdeSystem {
    OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
        f[0] = x[1];
        f[1] = 1000.0 * (1.0 - x[0] * x[0]) * x[1] - x[0];
    })
}

#[test]
fn stiff_van_der_pol_agrees_with_the_reference() {
    // Problem VDPOLM of the test set for initial value problem solvers (Mazzia, Magherini, release 2.4), at t = 2000.
    let reference = [1.706_167_732_170_483, -8.928_097_010_247_975e-4];
    for method in [Method::Stiff, Method::Auto] {
        let mut integrator = integrator(method, 1e-10);
        integrator.restart(0.0, &[2.0, 0.0]).expect("it is finite");
        let end = integrator.advance(&mut van_der_pol(), 2000.0);
        assert_eq!(end, Ok(Advance::Reached { t: 2000.0 }));
        let error = (integrator.x()[0] / reference[0] - 1.0).abs();
        println!("{method:?}: {error:e}, {:?}", integrator.statistics());
        assert!(error < 1e-8, "{method:?}: {error:e}");
        assert!((integrator.x()[1] / reference[1] - 1.0).abs() < 1e-7);
        assert!(integrator.statistics().f_evaluations < 200_000, "it is stiff for an explicit method");
        if method == Method::Auto {
            assert!(integrator.statistics().switches > 0);
        }
    }
}

#[test]
fn auto_stays_explicit_where_nothing_is_stiff_and_comes_back() {
    let mut auto = integrator(Method::Auto, 1e-10);
    auto.restart(0.0, &[1.0, 0.0]).expect("it is finite");
    assert_eq!(auto.advance(&mut oscillator(vec![], &[]), 50.0), Ok(Advance::Reached { t: 50.0 }));
    assert_eq!(auto.statistics().switches, 0);

    // Stiff until t = 1, then an oscillator with a slow decay.
    let mut system = OdeFunctions::new(2, |t, x: &[f64], f: &mut [f64]| {
        f[0] = x[1];
        f[1] = if t < 1.0 { -1e6 * (x[1] - t.cos()) } else { -x[0] };
    });
    let mut auto = integrator(Method::Auto, 1e-8);
    auto.restart(0.0, &[0.0, 1.0]).expect("it is finite");
    assert_eq!(auto.advance(&mut system, 1.0), Ok(Advance::Reached { t: 1.0 }));
    assert_eq!(auto.current_method(), Method::Stiff);
    let x = [auto.x()[0], auto.x()[1]];
    auto.restart(1.0, &x).expect("it is finite");
    assert_eq!(auto.advance(&mut system, 30.0), Ok(Advance::Reached { t: 30.0 }));
    assert_eq!(auto.current_method(), Method::Explicit);
    assert_eq!(auto.statistics().switches, 2);
    assert!((auto.x()[0] - 30f64.sin()).abs() < 1e-4, "{}", auto.x()[0] - 30f64.sin());
}

#[test]
fn error_falls_with_the_tolerance() {
    for method in METHODS {
        let mut errors = Vec::new();
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
            let mut integrator = integrator(method, tolerance);
            integrator.restart(0.0, &[1.0, 0.0]).expect("it is finite");
            assert!(integrator.advance(&mut oscillator(vec![], &[]), 10.0).is_ok());
            let x = integrator.x();
            errors.push(f64::hypot(x[0] - 10f64.cos(), x[1] + 10f64.sin()));
        }
        println!("{method:?}: {errors:?}");
        for pair in errors.windows(2) {
            assert!(pair[1] < pair[0] / 20.0, "{method:?}: {errors:?}");
        }
        assert!(errors[3] < 1e-8, "{method:?}: {errors:?}");
    }
}

#[test]
fn dense_output_has_its_order() {
    // One step of length h from an exact state: the local error of an interpolant of order p falls with p + 1.
    for (method, order) in [(Method::Explicit, 4.0), (Method::Stiff, 3.0)] {
        let error = |h: f64| {
            let chosen = OdeSettings { h_initial: Some(h), ..settings(method, 1.0) };
            let mut integrator = Integrator::new(chosen).expect("valid settings");
            integrator.restart(0.3, &[0.3f64.sin(), 0.3f64.cos()]).expect("it is finite");
            assert!(integrator.advance(&mut oscillator(vec![], &[]), 0.3 + h).is_ok());
            assert_eq!(integrator.last_step(), (0.3, 0.3 + h));
            let mut x = [0.0; 2];
            (1..10).fold(0.0_f64, |worst, k| {
                let t = 0.3 + h * f64::from(k) / 10.0;
                integrator.interpolate(t, &mut x).expect("it is inside");
                worst.max((x[0] - t.sin()).abs())
            })
        };
        // The system is linear, so Newton's iteration is exact under any tolerance.
        let measured = (error(0.2) / error(0.1)).log2();
        println!("{method:?}: {measured}");
        assert!((measured - order - 1.0).abs() < 0.4, "{method:?}: {measured}");
    }
}

#[test]
fn interpolation_keeps_to_the_last_step() {
    let mut integrator = integrator(Method::Explicit, 1e-10);
    let mut x = [0.0; 2];
    assert_eq!(integrator.interpolate(0.0, &mut x), Err(OdeError::NotStarted));
    integrator.restart(0.0, &[1.0, 0.0]).expect("it is finite");
    assert_eq!(integrator.interpolate(0.0, &mut x), Ok(()));
    assert_eq!(x, [1.0, 0.0]);
    assert!(integrator.advance(&mut oscillator(vec![Crossing::Any], &[0.0]), 10.0).is_ok());
    let (first, t) = (integrator.last_step().0, integrator.t());
    assert!((t - 0.5 * PI).abs() < 1e-9);
    for s in [0.0, 0.3, 1.0] {
        let at = first + s * (t - first);
        integrator.interpolate(at, &mut x).expect("it is inside");
        assert!((x[0] - at.cos()).abs() < 1e-9);
    }
    assert!(matches!(integrator.interpolate(t + 1e-3, &mut x), Err(OdeError::OutsideStep { .. })));
    assert!(matches!(integrator.interpolate(first - 1e-3, &mut x), Err(OdeError::OutsideStep { .. })));
    assert!(matches!(integrator.interpolate(t, &mut x[..1]), Err(OdeError::WrongLength { .. })));
}

#[test]
fn tolerances_per_component_are_used() {
    // The second component is wild, and nobody wants to know about it.
    let mut system = OdeFunctions::new(2, |t: f64, x: &[f64], f: &mut [f64]| {
        f[0] = -x[0];
        f[1] = 50.0 * (50.0 * t).cos();
    });
    let mut steps = Vec::new();
    for absolute in [1e-10, 1e3] {
        let absolute_tolerance = Tolerance::Each(vec![1e-10, absolute]);
        let chosen = OdeSettings { absolute_tolerance, ..settings(Method::Explicit, 1e-10) };
        let mut integrator = Integrator::new(chosen).expect("valid settings");
        integrator.restart(0.0, &[1.0, 0.0]).expect("it is finite");
        assert!(integrator.advance(&mut system, 2.0).is_ok());
        assert!((integrator.x()[0] - (-2f64).exp()).abs() < 1e-9);
        steps.push(integrator.statistics().steps);
    }
    assert!(3 * steps[1] < steps[0], "{steps:?}");
}

#[test]
fn a_given_jacobian_saves_evaluations_and_changes_nothing_else() {
    let f = |_t: f64, x: &[f64], f: &mut [f64]| {
        f[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
        f[2] = 3e7 * x[1] * x[1];
        f[1] = -f[0] - f[2];
    };
    let mut without = OdeFunctions::new(3, f);
    let mut with = OdeFunctions::new(3, f).with_jacobian(|_t, x: &[f64], j: &mut [f64]| {
        j[..3].copy_from_slice(&[-0.04, 1e4 * x[2], 1e4 * x[1]]);
        j[7] = 6e7 * x[1];
        for column in 0..3 {
            j[3 + column] = -j[column] - j[6 + column];
        }
    });
    let mut ends = Vec::new();
    for system in [&mut without as &mut dyn OdeSystem, &mut with] {
        let chosen =
            OdeSettings { absolute_tolerance: Tolerance::All(1e-14), ..settings(Method::Stiff, 1e-10) };
        let mut integrator = Integrator::new(chosen).expect("valid settings");
        integrator.restart(0.0, &[1.0, 0.0, 0.0]).expect("it is finite");
        assert_eq!(integrator.advance(system, 40.0), Ok(Advance::Reached { t: 40.0 }));
        ends.push((integrator.x().to_vec(), integrator.statistics().f_evaluations));
    }
    // Robertson's reaction at t = 40 (Hairer and Wanner 1996, section IV.10, and the documentation of LSODE).
    for (x, _) in &ends {
        assert!((x[0] - 0.715_827_07).abs() < 1e-7, "{x:?}");
        assert!((x.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    assert!(ends[1].1 < ends[0].1);
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let base = OdeSettings::default;
    let wrong = [
        ("relative_tolerance", OdeSettings { relative_tolerance: Tolerance::All(0.0), ..base() }),
        (
            "relative_tolerance",
            OdeSettings { relative_tolerance: Tolerance::Each(vec![1e-3, -1.0]), ..base() },
        ),
        ("absolute_tolerance", OdeSettings { absolute_tolerance: Tolerance::All(0.0), ..base() }),
        ("absolute_tolerance", OdeSettings { absolute_tolerance: Tolerance::All(f64::NAN), ..base() }),
        ("h_initial", OdeSettings { h_initial: Some(0.0), ..base() }),
        ("h_max", OdeSettings { h_max: -1.0, ..base() }),
        ("samples", OdeSettings { samples: 0, ..base() }),
        ("max_steps", OdeSettings { max_steps: 0, ..base() }),
        ("root_tolerance", OdeSettings { root_tolerance: 0.0, ..base() }),
    ];
    for (field, chosen) in wrong {
        let Err(SettingsError::OutOfRange { name, .. }) = Integrator::new(chosen) else {
            panic!("{field} was taken")
        };
        assert_eq!(name, field);
    }
    let text = serde_json::to_string(&settings(Method::Stiff, 1e-7)).expect("it can be written");
    let text = text.replace("null", "1e300");
    let read: OdeSettings = serde_json::from_str(&text).expect("it can be read");
    assert_eq!(read.method, Method::Stiff);
    assert_eq!(serde_json::from_str::<OdeSettings>("{}").expect("defaults"), OdeSettings::default());
}

#[test]
fn wrong_data_are_refused() {
    let mut system = oscillator(vec![Crossing::Any], &[0.5]);
    let mut integrator = integrator(Method::Auto, 1e-8);
    assert_eq!(integrator.advance(&mut system, 1.0), Err(OdeError::NotStarted));
    assert!(matches!(integrator.restart(f64::NAN, &[1.0, 0.0]), Err(OdeError::Time { .. })));
    let wrong = integrator.restart(0.0, &[1.0, f64::INFINITY]);
    assert_eq!(wrong, Err(OdeError::State { index: 1, value: f64::INFINITY }));
    integrator.restart(2.0, &[1.0]).expect("it is finite");
    let wrong = integrator.advance(&mut system, 3.0);
    assert_eq!(wrong, Err(OdeError::WrongLength { what: "x", expected: 2, found: 1 }));
    integrator.restart(2.0, &[1.0, 0.0]).expect("it is finite");
    assert_eq!(integrator.advance(&mut system, 1.0), Err(OdeError::Backward { t: 2.0, t_out: 1.0 }));
    assert!(matches!(integrator.advance(&mut system, f64::INFINITY), Err(OdeError::Time { .. })));
    assert_eq!(integrator.advance(&mut system, 2.0), Ok(Advance::Reached { t: 2.0 }));
    assert_eq!(integrator.advance(&mut system, 2.1), Ok(Advance::Reached { t: 2.1 }));
    let mut more = oscillator(vec![Crossing::Any; 2], &[0.5; 2]);
    let wrong = integrator.advance(&mut more, 3.0);
    assert_eq!(wrong, Err(OdeError::GuardsChanged { expected: 1, found: 2 }));
    let chosen = OdeSettings { absolute_tolerance: Tolerance::Each(vec![1e-8; 3]), ..OdeSettings::default() };
    let wrong = Integrator::new(chosen).expect("valid settings").restart(0.0, &[1.0, 0.0]);
    assert_eq!(wrong, Err(OdeError::WrongLength { what: "absolute_tolerance", expected: 2, found: 3 }));
}

#[test]
fn what_is_not_finite_gives_a_typed_error() {
    for method in METHODS {
        let mut integrator = integrator(method, 1e-8);
        let mut system = clock(vec![Crossing::Any; 2], |x, g| (g[0], g[1]) = (1.0, (0.5 - x).sqrt()));
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let wrong = integrator.advance(&mut system, 1.0);
        assert!(matches!(wrong, Err(OdeError::Guard { guard: 1, .. })), "{method:?}: {wrong:?}");
        assert_eq!(integrator.t(), 0.0);

        // f is NaN at once, and beyond x = 1/2, where the state comes to as x' = 1.
        let mut at_once = OdeFunctions::new(1, |_t, _x: &[f64], f: &mut [f64]| f[0] = f64::NAN);
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let wrong = integrator.advance(&mut at_once, 1.0);
        assert!(matches!(wrong, Err(OdeError::RightHandSide { index: 0, .. })), "{method:?}: {wrong:?}");
        let mut later = OdeFunctions::new(1, |_t, x: &[f64], f: &mut [f64]| {
            f[0] = if x[0] > 0.5 { f64::NAN } else { 1.0 };
        });
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let Err(OdeError::RightHandSide { t, .. }) = integrator.advance(&mut later, 1.0) else {
            panic!("{method:?}: it went through NaN")
        };
        assert!((t - 0.5).abs() < 1e-6, "{method:?}: {t}");
    }
    let mut bad_jacobian = OdeFunctions::new(1, |_t, x: &[f64], f: &mut [f64]| f[0] = -x[0])
        .with_jacobian(|_t, _x, j: &mut [f64]| j[0] = f64::INFINITY);
    let mut integrator = integrator(Method::Stiff, 1e-8);
    integrator.restart(0.0, &[1.0]).expect("it is finite");
    let wrong = integrator.advance(&mut bad_jacobian, 1.0);
    assert!(matches!(wrong, Err(OdeError::Jacobian { row: 0, column: 0, .. })), "{wrong:?}");
}

#[test]
fn a_singularity_ends_with_a_status_at_the_time_reached() {
    for method in METHODS {
        // x' = x^2 from 1: the solution is 1 / (1 - t).
        let mut system = OdeFunctions::new(1, |_t, x: &[f64], f: &mut [f64]| f[0] = x[0] * x[0]);
        let mut integrator = integrator(method, 1e-8);
        integrator.restart(0.0, &[1.0]).expect("it is finite");
        match integrator.advance(&mut system, 2.0) {
            Ok(Advance::StepTooSmall { t, .. }) => assert!((t - 1.0).abs() < 1e-5, "{method:?}: {t}"),
            other => panic!("{method:?}: {other:?}"),
        }
        let chosen = OdeSettings { max_steps: 5, ..settings(method, 1e-8) };
        let mut integrator = Integrator::new(chosen).expect("valid settings");
        let mut system = oscillator(vec![], &[]);
        integrator.restart(0.0, &[1.0, 0.0]).expect("it is finite");
        let Ok(Advance::MaxSteps { t }) = integrator.advance(&mut system, 20.0) else { panic!("{method:?}") };
        assert!(t > 0.0 && t < 20.0 && (integrator.x()[0] - t.cos()).abs() < 1e-6);
        while integrator.advance(&mut system, 20.0) != Ok(Advance::Reached { t: 20.0 }) {}
        assert!((integrator.x()[0] - 20f64.cos()).abs() < 1e-5);
    }
}

#[test]
fn itp_needs_far_fewer_evaluations_than_bisection_and_never_many_more() {
    type Function = fn(f64) -> f64;
    let functions: [(&str, Function); 4] = [
        ("smooth", |t| (0.7 - t).exp() - 1.0),
        ("flat", |t| (0.7 - t).powi(9)),
        ("steep", |t| if t < 0.7 { 1.0 } else { -1e-9 }),
        ("kink", |t| if t < 0.7 { 1e-6 * (0.7 - t) } else { 1e6 * (0.7 - t) }),
    ];
    for (name, function) in functions {
        let mut calls = 0;
        let bracket = find_crossing((0.0, 2.0), (function(0.0), function(2.0)), 1e-12, |t| {
            calls += 1;
            Ok::<f64, ()>(function(t))
        })
        .expect("it does not fail");
        println!("{name}: {calls} calls");
        assert!(function(bracket.before) >= 0.0 && function(bracket.after) < 0.0);
        assert!(bracket.after - bracket.before <= 1e-12);
        assert!(calls <= 43, "{name}: {calls}; bisection takes 41");
        assert!(name != "smooth" || calls < 20, "{calls}");
    }
}

#[test]
fn steps_roots_and_restarts_allocate_nothing() {
    for method in METHODS {
        let mut integrator = integrator(method, 1e-8);
        let mut system = oscillator(vec![Crossing::Any, Crossing::Falling], &[0.0, 0.3]);
        let mut round = || {
            integrator.restart(0.0, &[1.0, 0.0]).expect("it is finite");
            for end in [3.0, 7.0, 20.0] {
                while let Ok(Advance::Roots { .. }) = integrator.advance(&mut system, end) {}
            }
        };
        round();
        assert_eq!(count_allocations(round), 0, "{method:?}");
    }
}

#[test]
fn two_runs_agree_to_the_last_bit() {
    let run = || {
        let mut integrator = integrator(Method::Auto, 1e-9);
        integrator.restart(0.0, &[2.0, 0.0]).expect("it is finite");
        assert!(integrator.advance(&mut van_der_pol(), 900.0).is_ok());
        (integrator.x().iter().map(|x| x.to_bits()).collect::<Vec<_>>(), *integrator.statistics())
    };
    assert_eq!(run(), run());
}

#[test]
fn systems_beyond_the_own_factorisation_are_integrated() {
    // The heat equation on 40 points; the lowest and the highest mode decay as exp(-4 (n + 1)^2 sin^2(..) t).
    const N: usize = 40;
    let scale = (N as f64 + 1.0).powi(2);
    let mode = |k: usize, i: usize| (PI * (k * (i + 1)) as f64 / (N as f64 + 1.0)).sin();
    let rate = |k: usize| 4.0 * scale * (0.5 * PI * k as f64 / (N as f64 + 1.0)).sin().powi(2);
    for method in METHODS {
        let mut heat = OdeFunctions::new(N, |_t, x: &[f64], f: &mut [f64]| {
            for i in 0..N {
                let (left, right) = (if i > 0 { x[i - 1] } else { 0.0 }, x.get(i + 1).unwrap_or(&0.0));
                f[i] = scale * (left - 2.0 * x[i] + right);
            }
        })
        .with_guards(vec![Crossing::Any], |_t, x: &[f64], g: &mut [f64]| g[0] = x[N / 2] - 0.5);
        let start: Vec<f64> = (0..N).map(|i| mode(1, i) + mode(N, i)).collect();
        let mut integrator = integrator(method, 1e-10);
        integrator.restart(0.0, &start).expect("it is finite");
        let roots = all_roots(&mut integrator, &mut heat, 1.0);
        assert_eq!(roots.len(), 1, "{method:?}");
        let expected = (2.0 * mode(1, N / 2)).ln() / rate(1);
        assert!((roots[0].0 - expected).abs() < 1e-9, "{method:?}: {:e}", roots[0].0 - expected);
        for (i, x) in integrator.x().iter().enumerate() {
            assert!((x - (-rate(1)).exp() * mode(1, i)).abs() < 1e-9, "{method:?}");
        }
        assert_eq!(integrator.current_method() == Method::Explicit, method == Method::Explicit);
    }
}

proptest! {
    #![proptest_config(config(100))]

    /// Guards with known roots, further apart than an eighth of the longest step: all are found, in order, none twice,
    /// with their directions, wherever the output times lie and whatever the method.
    #[test]
    fn all_roots_of_random_guards_are_found(
        gaps in prop::collection::vec(prop::collection::vec(0.13_f64..1.5, 1..7), 1..5),
        stops in prop::collection::vec(0.01_f64..3.0, 1..6),
        overshoot: bool,
        method in prop::sample::select(METHODS.to_vec()),
    ) {
        let roots: Vec<Vec<f64>> = gaps
            .iter()
            .map(|gaps| gaps.iter().scan(0.0, |sum, gap| { *sum += gap; Some(*sum) }).collect())
            .collect();
        let mut expected: Vec<(f64, usize, Crossing)> = Vec::new();
        for (guard, roots) in roots.iter().enumerate() {
            // Positive after the last root, so the directions alternate backwards from there.
            for (k, root) in roots.iter().rev().enumerate() {
                let direction = if k % 2 == 0 { Crossing::Rising } else { Crossing::Falling };
                // Every third guard fires one way only.
                if guard % 3 != 2 || direction == Crossing::Falling {
                    expected.push((*root, guard, direction));
                }
            }
        }
        expected.sort_by(|a, b| a.0.total_cmp(&b.0));
        let crossings =
            (0..roots.len()).map(|guard| if guard % 3 == 2 { Crossing::Falling } else { Crossing::Any }).collect();
        let mut system = clock(crossings, |x, g| {
            for (g, roots) in g.iter_mut().zip(&roots) {
                *g = roots.iter().map(|root| x - root).product();
            }
        });
        let chosen = OdeSettings { h_max: 1.0, ..settings(method, 1e-10) };
        let mut integrator = Integrator::new(chosen).expect("valid settings");
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let mut found = Vec::new();
        let mut end = 0.0;
        for stop in stops.iter().chain([&12.0]) {
            end += stop;
            for (t, fired) in all_roots_within(&mut integrator, &mut system, end, overshoot) {
                found.extend(fired.iter().map(|fired| (t, fired.guard, fired.direction)));
            }
        }
        prop_assert_eq!(found.len(), expected.len(), "{:?} {:?}", found, expected);
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert!((found.0 - expected.0).abs() < 1e-11, "{:?} {:?}", found, expected);
            prop_assert_eq!((found.1, found.2), (expected.1, expected.2));
        }
    }
}

#[test]
fn a_guard_that_begins_as_zero_has_no_side_in_its_band_and_fires_where_it_leaves_it_against_its_direction() {
    /// x' = 1 from x = 0, with a guard that begins as zero in a band of 1e-6.
    struct Clock(fn(f64) -> f64);
    impl OdeSystem for Clock {
        fn dimension(&self) -> usize {
            1
        }
        fn compute_f(&mut self, _t: f64, _x: &[f64], f: &mut [f64]) {
            f[0] = 1.0;
        }
        fn guards(&self) -> usize {
            1
        }
        fn crossing(&self, _guard: usize) -> Crossing {
            Crossing::Falling
        }
        fn zero_band(&self, _guard: usize) -> Option<f64> {
            Some(1e-6)
        }
        fn compute_guards(&mut self, _t: f64, x: &[f64], g: &mut [f64]) {
            g[0] = self.0(x[0]);
        }
    }
    for method in METHODS {
        let roots = |guard: fn(f64) -> f64| {
            let mut integrator = Integrator::new(settings(method, 1e-10)).expect("valid settings");
            integrator.restart(0.0, &[0.0]).expect("it is finite");
            let times = all_roots(&mut integrator, &mut Clock(guard), 1.0);
            times.into_iter().map(|(t, _)| t).collect::<Vec<_>>()
        };
        // Noise in the band, then up and down again.
        let bounce = roots(|x| x * (0.6 - x) - 1e-9);
        assert!(matches!(bounce[..], [t] if (t - 0.6).abs() < 1e-8), "{method:?}: {bounce:?}");
        // Down at once: where the band ends.
        let falls = roots(|x| 1e-9 - x);
        assert!(matches!(falls[..], [t] if (t - 1.001e-6).abs() < 1e-12), "{method:?}: {falls:?}");
        assert!(roots(|x| 1e-7 * (20.0 * x).sin()).is_empty(), "{method:?}");
    }
}
