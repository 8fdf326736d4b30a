//! Dependence of errors on the tolerances, and orders of the dense output.

use std::f64::consts::PI;

use siconos_ode::{Advance, Crossing, Integrator, Method, OdeError, OdeFunctions, OdeSettings, Tolerance};

use super::{METHODS, integrator, oscillator, settings};

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
    // One step of length h from an exact state: the local error of an interpolant of order p is proportional
    // to h^(p + 1).
    for (method, order) in [(Method::Explicit, 4.0), (Method::HighOrder, 7.0), (Method::Stiff, 3.0)] {
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
        // The system is linear, so that Newton's method is exact with any tolerance.
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
    // The second component varies rapidly, and its error is not controlled if its tolerance is large.
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

/// Solutions of x' = r x near the largest floating-point number are evaluated at 40 times within the steps.
#[test]
fn states_near_the_largest_number_are_read_right_within_the_steps() {
    for method in METHODS {
        for (rate, x0, end) in
            [(1000.0, 1.0, 0.7), (-1.0, 1e307, 1.0), (-1.0, 1e304, 3.0), (1.0, 1e300, 15.0)]
        {
            let mut system = OdeFunctions::new(1, |_t, x: &[f64], f: &mut [f64]| f[0] = rate * x[0]);
            let mut integrator = integrator(method, 1e-10);
            integrator.set_recording(true);
            integrator.restart(0.0, &[x0]).expect("it is finite");
            let reached = integrator
                .advance_within(&mut system, end, end)
                .unwrap_or_else(|error| panic!("{method:?} {rate}: {error}"));
            assert_eq!(reached, Advance::Reached { t: end }, "{method:?} {rate}");
            for k in 0..=40 {
                let t = end * f64::from(k) / 40.0;
                let mut x = [0.0];
                integrator.recorded(t, &mut x).expect("it is there");
                let relative = x[0] / x0 / (rate * t).exp() - 1.0;
                assert!(relative.abs() < 1e-5, "{method:?} {rate} at {t}: {} is off by {relative:e}", x[0]);
            }
        }
    }
}
