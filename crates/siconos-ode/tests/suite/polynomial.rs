//! Guards that are declared as polynomials: all their roots along the dense output are found, however close
//! to each other.

use proptest::prelude::*;
use siconos_ode::{Advance, Crossing, Integrator, OdeFunctions, OdeSettings};
use siconos_testkit::random::config;

use super::{METHODS, all_roots, integrator, settings};

#[test]
fn two_roots_within_a_sample_are_found() {
    for method in METHODS {
        // Near its maxima, x = sin t exceeds 1 - 1e-6 for 1.4 ms before and after the maximum, a small
        // fraction of any step.
        for (declared, expected) in [(vec![], 0), (vec![Some(1)], 4)] {
            let mut system = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
                f[0] = x[1];
                f[1] = -x[0];
            })
            .with_guards(vec![Crossing::Any], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0] - (1.0 - 1e-6))
            .with_guard_degrees(declared);
            let mut integrator = integrator(method, 1e-9);
            integrator.restart(0.0, &[0.0, 1.0]).expect("it is finite");
            let roots = all_roots(&mut integrator, &mut system, 10.0);
            let half = (1.0 - 1e-6_f64).acos();
            if expected > 0 {
                let peaks = [0.25, 1.25].map(|turn| 2.0 * std::f64::consts::PI * turn);
                let exact = peaks.iter().flat_map(|peak| [peak - half, peak + half]);
                assert_eq!(roots.len(), expected, "{method:?}: {roots:?}");
                for ((t, fired), exact) in roots.iter().zip(exact) {
                    // The guard is flat near the maximum, which amplifies an error of the state by
                    // 1/sin(half).
                    assert!((t - exact).abs() < 1e-7 / half, "{method:?}: {t} {exact}");
                    assert_eq!(fired.len(), 1);
                }
                assert_eq!(roots[0].1[0].direction, Crossing::Rising);
                assert_eq!(roots[1].1[0].direction, Crossing::Falling);
            } else {
                assert!(roots.len() < 4, "{method:?}: chance has found them all, the test says nothing");
            }
        }
    }
}

#[test]
fn a_declared_guard_at_rest_costs_no_endless_search() {
    // One guard is identically zero, the other is always positive. None fires, and few evaluations are made.
    for method in METHODS {
        let mut system = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
            f[0] = x[1];
            f[1] = -x[0];
        })
        .with_guards(vec![Crossing::Any; 2], |_t, x: &[f64], g: &mut [f64]| {
            g[0] = 0.0;
            g[1] = (x[0] - 3.0).powi(2) + 1.0;
        })
        .with_guard_degrees(vec![Some(1), Some(2)]);
        let mut integrator = integrator(method, 1e-8);
        integrator.restart(0.0, &[1.0, 0.0]).expect("it is finite");
        assert_eq!(all_roots(&mut integrator, &mut system, 20.0), []);
        let statistics = integrator.statistics();
        assert!(statistics.guard_evaluations < 30 * statistics.steps + 30, "{statistics:?}");
    }
}

proptest! {
    #![proptest_config(config(100))]

    /// Guards of degree 2 have two roots at any distance above 1e-5 and are sampled once in each step. Both
    /// roots are found.
    #[test]
    fn pairs_of_roots_are_found_at_any_distance(
        pairs in prop::collection::vec((0.01_f64..3.0, -5.0_f64..0.0), 1..5),
        method in prop::sample::select(METHODS.to_vec()),
    ) {
        let roots: Vec<[f64; 2]> = pairs.iter().map(|(first, gap)| [*first, first + 10f64.powf(*gap)]).collect();
        let mut system = OdeFunctions::new(1, |_t, _x: &[f64], f: &mut [f64]| f[0] = 1.0)
            .with_guards(vec![Crossing::Any; roots.len()], |t, x: &[f64], g: &mut [f64]| {
                for (g, [first, second]) in g.iter_mut().zip(&roots) {
                    *g = (x[0] - first) * (t - second);
                }
            })
            .with_guard_degrees(vec![Some(2); roots.len()]);
        let chosen = OdeSettings { samples: 1, h_max: 1.0, ..settings(method, 1e-8) };
        let mut integrator = Integrator::new(chosen).expect("valid settings");
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let mut found = vec![Vec::new(); roots.len()];
        for (t, fired) in all_roots(&mut integrator, &mut system, 5.0) {
            for fired in fired {
                found[fired.guard].push(t);
            }
        }
        for (found, exact) in found.iter().zip(&roots) {
            prop_assert_eq!(found.len(), 2, "{:?} {:?}", found, exact);
            for (found, exact) in found.iter().zip(exact) {
                prop_assert!((found - exact).abs() < 1e-9, "{} {}", found, exact);
            }
        }
    }
}

#[test]
fn a_guard_that_begins_at_zero_and_comes_back_soon_fires() {
    // x = 2e-4 t - t^2 is above 0 until t = 2e-4, and its maximum is only 1e-8 of its range in a step of
    // length 1.
    for method in METHODS {
        for (begin, velocity) in [(0.0, 2e-4), (0.0, 3e-7), (7.0, 2e-4)] {
            let mut system = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
                f[0] = x[1];
                f[1] = -2.0;
            })
            .with_guards(vec![Crossing::Falling], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0])
            .with_guard_degrees(vec![Some(1)]);
            let settings = OdeSettings { h_initial: Some(1.0), samples: 1, ..settings(method, 1e-9) };
            let mut integrator = Integrator::new(settings).expect("the settings are in their ranges");
            integrator.restart(begin, &[0.0, velocity]).expect("it is finite");
            let roots = all_roots(&mut integrator, &mut system, begin + 1.0);
            assert_eq!(roots.len(), 1, "{method:?} {begin} {velocity}");
            assert!((roots[0].0 - begin - velocity).abs() < 1e-9, "{method:?}: {}", roots[0].0);
        }
    }
}

#[test]
fn no_step_is_longer_than_the_longest() {
    for method in METHODS {
        let mut system = OdeFunctions::new(1, |_t, _x: &[f64], f: &mut [f64]| f[0] = 1.0);
        let settings = OdeSettings { h_initial: Some(0.1), h_max: 0.1, ..settings(method, 1e-9) };
        let mut integrator = Integrator::new(settings).expect("the settings are in their ranges");
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let told = integrator.advance(&mut system, 0.1005).expect("it is smooth");
        assert!(matches!(told, Advance::Reached { .. }), "{told:?}");
        let (first, last) = integrator.last_step();
        assert!(last - first <= 0.1, "{method:?}: {first} {last}");
    }
}
