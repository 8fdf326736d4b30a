//! Steps of adaptive length.

use siconos_numerics::cone::{ConvexSet, ConvexSetError, Interval};
use siconos_sweeping::{
    AdaptiveSettings, CatchingUp, FunctionSet, MovingPolyhedron, MovingSet, Projection, SweepingError,
};
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;

use super::catching_up::{disc, tractrix};

#[test]
fn the_error_on_the_tractrix_falls_with_the_tolerance() {
    let tolerances: Vec<f64> = (0..8).map(|k| 1e-3 * 0.2_f64.powi(k)).collect();
    let errors = tolerances.iter().map(|&tolerance| {
        let settings = AdaptiveSettings { tolerance, ..AdaptiveSettings::default() };
        let motion =
            CatchingUp::new(disc()).integrate((0.0, 1.0), &mut [0.0, -1.0], settings).expect("it goes");
        assert!(motion.is_complete);
        let error = |(k, t): (usize, &f64)| {
            let (state, exact) = (motion.state(k).expect("it is kept"), tractrix(*t));
            (state[0] - exact[0]).hypot(state[1] - exact[1])
        };
        motion.times().iter().enumerate().map(error).fold(0.0, worse)
    });
    let errors: Vec<f64> = errors.collect();
    let order = observed_order(&tolerances, &errors).order;
    assert!(order >= 0.4, "{order}: {errors:?}");
}

#[test]
fn a_jump_of_the_set_is_passed() {
    let stairs = FunctionSet::new(1, |t: f64, x: &mut [f64]| x[0] = x[0].max((3.0 * t).floor()));
    let mut u = [-1.0];
    let motion =
        CatchingUp::new(stairs).integrate((0.0, 2.0), &mut u, AdaptiveSettings::default()).expect("it goes");
    assert!(motion.is_complete);
    assert_eq!(u, [6.0]);
    assert!(motion.times().is_sorted() && motion.times().last() == Some(&2.0));
    for (k, t) in motion.times().iter().enumerate() {
        assert_eq!(motion.state(k), Some(&[(3.0 * t).floor()][..]), "at {t}");
    }
}

#[test]
fn settings_and_times_are_checked() {
    let sweep = |times, settings| {
        let mut sweep = CatchingUp::new(FunctionSet::new(1, |_t, _x: &mut [f64]| ()));
        sweep.integrate(times, &mut [0.0], settings).map(|motion| motion.is_complete)
    };
    assert_eq!(sweep((0.0, 1.0), AdaptiveSettings::default()), Ok(true));
    for settings in [
        AdaptiveSettings { tolerance: 0.0, ..AdaptiveSettings::default() },
        AdaptiveSettings { shortest: 2.0, ..AdaptiveSettings::default() },
        AdaptiveSettings { h_initial: Some(-1.0), ..AdaptiveSettings::default() },
    ] {
        assert!(sweep((0.0, 1.0), settings).is_err(), "{settings:?}");
    }
    assert!(sweep((1.0, 1.0), AdaptiveSettings::default()).is_err());
    assert!(sweep((0.0, f64::NAN), AdaptiveSettings::default()).is_err());
    let few = AdaptiveSettings { max_steps: 3, ..AdaptiveSettings::default() };
    assert_eq!(sweep((0.0, 1.0), few), Ok(false));
}

/// The set [t, 1] is empty after t = 1. A step that would end after this time is shortened.
#[test]
fn a_trial_step_into_an_empty_set_is_shortened() {
    let narrowing = || {
        MovingPolyhedron::by_rows(1, |t, rows| {
            rows.push(0, [(0, 1.0)], t);
            rows.push(1, [(0, -1.0)], -1.0);
        })
    };
    let mut u = [0.5];
    let mut sweep = CatchingUp::new(narrowing().expect("rows"));
    let error =
        sweep.integrate((0.0, 2.0), &mut u, AdaptiveSettings::default()).expect_err("no point after 1");
    assert!(matches!(error, SweepingError::Empty { t, .. } if (1.0..1.0 + 1e-8).contains(&t)), "{error:?}");
    assert!((u[0] - 1.0).abs() < 1e-8, "{u:?}");
}

/// Interval [t, 1], with bounds in the wrong order after t = 1.
struct Narrowing;

impl MovingSet for Narrowing {
    fn dimension(&self) -> usize {
        1
    }

    fn project(&mut self, t: f64, _: &[f64], x: &mut [f64]) -> Result<Projection, SweepingError> {
        Interval::new(&[t], &[1.0]).map_err(ConvexSetError::from)?.project(x);
        Ok(Projection::EXACT)
    }
}

#[test]
fn an_error_of_a_moving_set_tells_the_time() {
    let mut u = [0.5];
    let ended = CatchingUp::new(Narrowing).integrate((0.0, 2.0), &mut u, AdaptiveSettings::default());
    let error = ended.expect_err("no point after 1");
    assert!(
        matches!(error, SweepingError::MovingSet { t, .. } if (1.0..1.0 + 1e-8).contains(&t)),
        "{error:?}"
    );
    assert!((u[0] - 1.0).abs() < 1e-8, "{u:?}");
}
