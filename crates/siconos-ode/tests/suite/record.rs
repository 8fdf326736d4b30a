//! Recorded steps: the solution at any time, across jumps, and after a restart at an earlier time.

use siconos_ode::{Advance, Crossing, Integrator, OdeError};

use super::{METHODS, all_roots, integrator, oscillator};

/// Integrator at (0, 1) of the oscillator that records its steps.
fn recording(method: siconos_ode::Method) -> Integrator {
    let mut integrator = integrator(method, 1e-10);
    integrator.set_recording(true);
    integrator.restart(0.0, &[0.0, 1.0]).expect("it is finite");
    integrator
}

fn at(integrator: &Integrator, t: f64) -> [f64; 2] {
    let mut x = [f64::NAN; 2];
    integrator.recorded(t, &mut x).expect("it has been reached");
    x
}

#[test]
fn what_is_recorded_is_as_exact_as_the_tolerance_at_any_time() {
    for method in METHODS {
        let mut integrator = recording(method);
        let mut system = oscillator(vec![Crossing::Any], &[0.0]);
        let roots = all_roots(&mut integrator, &mut system, 20.0);
        assert_eq!(roots.len(), 6);
        for k in 0..=1000 {
            let t = 0.02 * f64::from(k);
            let (x, exact) = (at(&integrator, t), t.sin_cos());
            let error = (x[0] - exact.0).abs().max((x[1] - exact.1).abs());
            assert!(error < 2e-8, "{method:?}: {error:e} at {t}");
        }
        let record = integrator.record().expect("it records");
        assert!(record.steps() > 5);
        assert_eq!(record.times().count(), record.steps() + 1);
        assert!(record.times().is_sorted());
    }
}

#[test]
fn how_far_one_has_looked_changes_no_bit() {
    for method in METHODS {
        let mut system = oscillator(vec![], &[]);
        let (mut far, mut near) = (recording(method), recording(method));
        let _ = far.advance_within(&mut system, 10.0, f64::INFINITY).expect("it is finite");
        for k in 1..=100 {
            let t = 0.1 * f64::from(k);
            let _ = near.advance_within(&mut system, t, f64::INFINITY).expect("it is finite");
            assert_eq!(near.x().to_vec(), at(&far, t), "{method:?} at {t}");
            assert_eq!(at(&near, 0.5 * t), at(&far, 0.5 * t), "{method:?} at {}", 0.5 * t);
        }
    }
}

#[test]
fn a_jump_has_its_state_after_it_and_a_return_forgets_what_came_later() {
    for method in METHODS {
        let mut integrator = recording(method);
        let mut system = oscillator(vec![], &[]);
        for t in [1.0, 2.0, 3.0] {
            let _ = integrator.advance(&mut system, t).expect("it is finite");
        }
        integrator.restart(3.0, &[0.0, -2.0]).expect("it is finite");
        let _ = integrator.advance(&mut system, 4.0).expect("it is finite");
        assert_eq!(at(&integrator, 3.0), [0.0, -2.0], "{method:?}");
        assert!((at(&integrator, 2.9)[0] - 2.9_f64.sin()).abs() < 2e-8);
        assert!((at(&integrator, 3.5)[0] + 2.0 * 0.5_f64.sin()).abs() < 2e-8);

        integrator.restart(1.5, &[1.0, 0.0]).expect("it is finite");
        let _ = integrator.advance(&mut system, 2.5).expect("it is finite");
        assert!((at(&integrator, 1.4)[0] - 1.4_f64.sin()).abs() < 2e-8, "{method:?}");
        assert!((at(&integrator, 2.0)[0] - 0.5_f64.cos()).abs() < 2e-8, "{method:?}");
        let mut x = [0.0; 2];
        for t in [-0.1, 2.6] {
            let error = integrator.recorded(t, &mut x).expect_err("it has not been reached");
            let expected = format!("there is no solution at t = {t}; it must be from 0 to 2.5");
            assert_eq!(error.to_string(), expected);
        }
        assert!(matches!(integrator.recorded(1.0, &mut [0.0; 3]), Err(OdeError::WrongLength { .. })));
        // A restart later than the current time, or with another dimension, starts a new record.
        integrator.restart(7.0, &[1.0, 0.0]).expect("it is finite");
        assert!(integrator.recorded(2.0, &mut x).is_err());
        assert!(matches!(integrator.advance(&mut system, 8.0), Ok(Advance::Reached { .. })));
        assert!((at(&integrator, 7.5)[0] - 0.5_f64.cos()).abs() < 2e-8);
    }
}
