//! Roots that are found, their times, and the guards that are reported together.

use std::f64::consts::PI;

use proptest::prelude::*;
use siconos_ode::{
    Advance, Crossing, Fired, Indicator, Integrator, Method, OdeFunctions, OdeSettings, find_crossing,
};
use siconos_testkit::random::config;

use super::{METHODS, all_roots, all_roots_within, clock, integrator, oscillator, settings};

#[test]
fn oscillator_finds_every_crossing_once() {
    for (method, tolerance) in
        [(Method::Explicit, 1e-12), (Method::HighOrder, 1e-12), (Method::Stiff, 1e-13), (Method::Auto, 1e-12)]
    {
        for overshoot in [false, true] {
            let chosen = settings(method, tolerance);
            let mut integrator = Integrator::new(chosen).expect("valid settings");
            // x = cos t falls through zero at pi/2 + 2 k pi and rises at 3 pi/2 + 2 k pi.
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
    // After an impact the position stays where the root was located, a rounding error below the ground. The
    // guard fires in either direction.
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
        // One step takes the clock to 1. The roots are a sixth of the step apart, more than an eighth.
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
        // The guards leave zero and do not return.
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
        // The guard touches zero at 0.3, and at 1, where there may be a sample. It crosses zero at 3.
        let mut system =
            clock(vec![Crossing::Any], |x, g| g[0] = (x - 0.3).powi(2) * (x - 1.0).powi(2) * (3.0 - x));
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        assert_eq!(integrator.advance(&mut system, 0.9), Ok(Advance::Reached { t: 0.9 }));
        let roots = all_roots(&mut integrator, &mut system, 4.0);
        assert_eq!(roots.len(), 1, "{method:?}: {roots:?}");
        assert!((roots[0].0 - 3.0).abs() < 1e-11);
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

proptest! {
    #![proptest_config(config(100))]

    /// The roots of the guards are known and further apart than an eighth of the longest step. For all output
    /// times and methods, every root is found once, in order and with its direction.
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
            // The guard is positive after its last root, so the directions alternate backwards from there.
            for (k, root) in roots.iter().rev().enumerate() {
                let direction = if k % 2 == 0 { Crossing::Rising } else { Crossing::Falling };
                // Every third guard fires in one direction only.
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
