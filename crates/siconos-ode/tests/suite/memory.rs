//! Memory: allocations, state that is preserved or discarded, and states of any length.

use siconos_ode::{Advance, Crossing, Method, OdeFunctions};
use siconos_testkit::allocation::count_allocations;

use super::{METHODS, integrator, oscillator, van_der_pol};

#[test]
fn steps_roots_and_restarts_allocate_nothing() {
    for (method, pairs) in METHODS.into_iter().flat_map(|method| [1, 15].map(|pairs| (method, pairs))) {
        let mut integrator = integrator(method, 1e-8);
        // The number of oscillators makes the state short or long.
        let mut system = OdeFunctions::new(2 * pairs, |_t, x: &[f64], f: &mut [f64]| {
            for (f, x) in f.chunks_mut(2).zip(x.chunks(2)) {
                (f[0], f[1]) = (x[1], -x[0]);
            }
        })
        .with_jacobian(|_t, _x: &[f64], jacobian: &mut [f64]| {
            for k in 0..pairs {
                let n = 2 * pairs;
                jacobian[2 * k * n + 2 * k + 1] = 1.0;
                jacobian[(2 * k + 1) * n + 2 * k] = -1.0;
            }
        });
        // The crate allocates the matrices of the stiff method when it restarts, and when its dense output is
        // refined for a root.
        let is_stiff = method == Method::Stiff;
        if !is_stiff {
            system =
                system.with_guards(vec![Crossing::Any, Crossing::Falling], |_t, x: &[f64], g: &mut [f64]| {
                    (g[0], g[1]) = (x[0], x[0] - 0.3);
                });
        }
        let start = [1.0, 0.0].repeat(pairs);
        let mut round = |begins: bool| {
            if begins {
                integrator.restart(0.0, &start).expect("it is finite");
            }
            let t = integrator.t();
            for end in [t + 3.0, t + 7.0, t + 20.0] {
                while let Ok(Advance::Roots { .. }) = integrator.advance(&mut system, end) {}
            }
        };
        round(true);
        assert_eq!(count_allocations(|| round(!is_stiff)), 0, "{method:?} {pairs}");
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
fn states_of_any_length_are_integrated_side_by_side() {
    // x_k' = -k x_k. Some states are stored in place and some are longer. The integrators take turns.
    let lengths = [0, 1, 2, 12, 13, 30];
    for method in METHODS {
        let decay = |n: usize| {
            OdeFunctions::new(n, |_t, x: &[f64], f: &mut [f64]| {
                for (k, (f, x)) in f.iter_mut().zip(x).enumerate() {
                    *f = -(k as f64) * x;
                }
            })
        };
        let mut integrators: Vec<_> = lengths.iter().map(|_| integrator(method, 1e-10)).collect();
        for (integrator, n) in integrators.iter_mut().zip(lengths) {
            integrator.restart(0.0, &vec![1.0; n]).expect("it is finite");
        }
        for step in 1..=10 {
            let t = 0.1 * f64::from(step);
            for (integrator, n) in integrators.iter_mut().zip(lengths) {
                assert_eq!(
                    integrator.advance(&mut decay(n), t),
                    Ok(Advance::Reached { t }),
                    "{method:?} {n}"
                );
                for (k, x) in integrator.x().iter().enumerate() {
                    assert!((x - (-(k as f64) * t).exp()).abs() < 1e-8, "{method:?} {n}");
                }
            }
        }
    }
}

#[test]
fn a_copy_goes_on_as_the_original_does() {
    for method in METHODS {
        let mut original = integrator(method, 1e-10);
        let mut system = oscillator(vec![], &[]);
        original.restart(0.0, &[1.0, 0.0]).expect("it is finite");
        assert!(original.advance(&mut system, 1.7).is_ok());
        let mut copy = original.clone();
        for integrator in [&mut original, &mut copy] {
            assert_eq!(integrator.advance(&mut system, 5.0), Ok(Advance::Reached { t: 5.0 }));
            assert!((integrator.x()[0] - 5f64.cos()).abs() < 1e-8, "{method:?}");
        }
    }
}

#[test]
fn tens_of_thousands_of_steps_are_no_limit() {
    for method in METHODS {
        let mut integrator = integrator(method, 1e-13);
        let mut system = oscillator(vec![], &[]);
        integrator.restart(0.0, &[1.0, 0.0]).expect("it is finite");
        assert_eq!(integrator.advance(&mut system, 2000.0), Ok(Advance::Reached { t: 2000.0 }));
        assert!((integrator.x()[0] - 2000f64.cos()).abs() < 1e-9, "{method:?}");
        // With this tolerance, `Auto` chooses the method of order 8 as well.
        let is_high_order = [Method::HighOrder, Method::Auto].contains(&method);
        assert!(is_high_order || integrator.statistics().steps > 20_000);
        assert_eq!(integrator.statistics().switches, 0);
    }
}

#[test]
fn a_restart_may_be_in_another_scale_of_time() {
    for method in METHODS {
        let mut integrator = integrator(method, 1e-8);
        for rate in [1e-12, 1e12, 1.0] {
            let mut system = OdeFunctions::new(1, |_t, x: &[f64], f: &mut [f64]| f[0] = -rate * x[0]);
            integrator.restart(0.0, &[1.0]).expect("it is finite");
            let end = 3.0 / rate;
            assert_eq!(integrator.advance(&mut system, end), Ok(Advance::Reached { t: end }), "{method:?}");
            assert!((integrator.x()[0] - (-3f64).exp()).abs() < 1e-6, "{method:?}: {rate:e}");
        }
    }
}
