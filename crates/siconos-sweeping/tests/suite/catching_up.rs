//! Sweeping processes without perturbation: rising levels, a rotating half-plane, the tractrix, staircases,
//! and sets that move with the state.

use siconos_numerics::Status;
use siconos_numerics::cone::Ball;
use siconos_sweeping::{
    CatchingUp, CatchingUpSettings, FunctionSet, MovingFrame, MovingPolyhedron, MovingSet,
};
use siconos_testkit::compare::{assert_close, assert_near, worse};

use super::run;

/// Half-line above a level c(t).
fn above(c: fn(f64) -> f64) -> MovingPolyhedron {
    MovingPolyhedron::new(1, 1, move |t, mut h, k| (h[[0, 0]], k[0]) = (1.0, c(t))).expect("a half-line")
}

/// The disc of radius 1 around (t, 0).
pub(super) fn disc() -> MovingFrame<Ball> {
    MovingFrame::translated(2, Ball::new(vec![0.0; 2], 1.0).expect("a disc"), |t, centre| centre[0] = t)
}

/// Tractrix of a point that starts at (0, -1) on the rim of the disc.
pub(super) fn tractrix(t: f64) -> [f64; 2] {
    [t - t.tanh(), -1.0 / t.cosh()]
}

#[test]
fn the_largest_level_so_far_is_exact_where_levels_rise_or_fall_between_nodes() {
    // The level rises to 1/2 at t = 1/4, falls to 1/8 at t = 1/2, and rises again.
    let level = |t: f64| if t < 0.25 { 2.0 * t } else { (0.5 - 1.5 * (t - 0.25)).max(t - 0.375) };
    for (n, u0) in [(8, 0.0), (64, 0.0), (8, 0.4), (16, 0.75), (8, -3.0)] {
        let states = run(&mut CatchingUp::new(above(level)), (0.0, 2.0), n, &[u0]);
        let mut exact = u0.max(level(0.0));
        for (k, state) in states.iter().enumerate() {
            exact = exact.max(level(2.0 * k as f64 / n as f64));
            assert_eq!(state, &[exact], "node {k} of {n} from {u0}");
        }
    }
}

#[test]
fn a_level_that_goes_up_and_down_is_missed_by_half_the_square_of_a_step() {
    for n in [10, 37, 100, 401] {
        let (h, states) =
            (3.0 / n as f64, run(&mut CatchingUp::new(above(|t| (2.0 * t).sin())), (0.0, 3.0), n, &[0.0]));
        for (k, state) in states.iter().enumerate() {
            let t = h * k as f64;
            let exact = if t < std::f64::consts::FRAC_PI_4 { (2.0 * t).sin() } else { 1.0 };
            let missed = exact - state[0];
            assert!((-1e-15..=0.5 * h * h).contains(&missed), "{missed} at {t}, h = {h}");
        }
    }
}

/// Half-plane n(t) . x >= 0 with n = (-sin t, cos t). Starting from (1, 0), each step multiplies |x| by cos
/// h.
#[test]
fn a_turning_half_plane_takes_a_point_along() {
    let turning = || {
        MovingPolyhedron::new(2, 1, |t, mut h, _k| {
            (h[[0, 0]], h[[0, 1]]) = (-t.sin(), t.cos());
        })
        .expect("a half-plane")
    };
    for n in [8, 64, 1024] {
        let h = 2.0 / n as f64;
        let states = run(&mut CatchingUp::new(turning()), (0.0, 2.0), n, &[1.0, 0.0]);
        for (k, state) in states.iter().enumerate() {
            // cos^k, without k times the rounding error of cos.
            let log_of_cos = (-2.0 * (0.5 * h).sin().powi(2)).ln_1p();
            let (t, length) = (h * k as f64, (k as f64 * log_of_cos).exp());
            assert_close("u", state, &[length * t.cos(), length * t.sin()], 1e-14, 0.0);
        }
    }
}

#[test]
fn a_disc_that_moves_on_draws_the_tractrix() {
    for (n, expected) in [(10, 1.32e-2), (20, 6.80e-3), (40, 3.46e-3), (80, 1.74e-3)] {
        let states = run(&mut CatchingUp::new(disc()), (0.0, 1.0), n, &[0.0, -1.0]);
        let error = states.iter().enumerate().map(|(k, state)| {
            let exact = tractrix(k as f64 / n as f64);
            (state[0] - exact[0]).hypot(state[1] - exact[1])
        });
        let largest = error.fold(0.0, worse);
        assert_near(largest / expected, 1.0, 1e-2);
    }
}

#[test]
fn a_state_outside_jumps_into_the_set_at_the_start_and_where_the_set_jumps() {
    let stairs = FunctionSet::new(1, |t: f64, x: &mut [f64]| x[0] = x[0].max(t.floor()));
    let mut sweep = CatchingUp::new(stairs);
    let mut u = [-5.0];
    assert!(sweep.begin(0.0, &mut u).expect("it begins").status.is_success());
    assert_eq!((u, sweep.reaction()), ([0.0], &[5.0][..]));
    for k in 0..12 {
        let before = u[0];
        assert!(sweep.step(0.25 * f64::from(k), 0.25, &mut u).expect("it goes").status.is_success());
        assert_eq!(u[0], (0.25 * f64::from(k + 1)).floor());
        assert_eq!(sweep.reaction(), [u[0] - before]);
    }
}

/// K(t, u) = {x >= t + L u}: the state is t / (1 - L), and the iterations contract by the factor L.
#[test]
fn a_set_that_moves_with_the_state() {
    let set = |l: f64| {
        MovingPolyhedron::of_state(1, 1, move |t, u, mut h, k| (h[[0, 0]], k[0]) = (1.0, t + l * u[0]))
            .expect("a half-line")
    };
    for part in 0..20 {
        let l = 0.95 * f64::from(part) / 19.0;
        let mut sweep = CatchingUp::new(set(l));
        let mut u = [0.0];
        for k in 0..20 {
            let report = sweep.step(0.1 * f64::from(k), 0.1, &mut u).expect("it goes");
            assert!(report.status.is_success(), "L = {l}: {report:?}");
            assert_near(u[0], 0.1 * f64::from(k + 1) / (1.0 - l), 1e-9);
            if report.outer > 3 {
                assert_near(report.contraction.expect("it is measured"), l, 1e-3);
            }
        }
    }
    for l in [1.0, 1.5] {
        let settings = CatchingUpSettings { max_outer: 200, ..CatchingUpSettings::default() };
        let mut sweep = CatchingUp::new(set(l)).with_settings(settings).expect("they fit");
        let report = sweep.step(0.0, 0.1, &mut [0.0]).expect("the functions are fine");
        assert!(matches!(report.status, Status::MaxIterations | Status::Breakdown), "{report:?}");
        assert!(report.contraction.expect("it is measured") > 1.0 - 1e-9, "{report:?}");
    }
}

/// A rotating square pushes a point, which is never outside of the square.
#[test]
fn a_square_that_turns_keeps_its_point() {
    use siconos_numerics::cone::{ConvexSet, Polyhedron};
    let square =
        Polyhedron::new(ndarray::array![[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], vec![-1.0; 4])
            .expect("a square");
    let turning = MovingFrame::new(2, square.clone(), |t, _centre, mut axes| {
        (axes[[0, 0]], axes[[0, 1]]) = (t.cos(), -t.sin());
        (axes[[1, 0]], axes[[1, 1]]) = (t.sin(), t.cos());
    });
    assert_eq!(turning.dimension(), 2);
    let states = run(&mut CatchingUp::new(turning), (0.0, 10.0), 2000, &[1.0, 0.9]);
    for (k, state) in states.iter().enumerate() {
        let t = 10.0 * k as f64 / 2000.0;
        let within = [t.cos() * state[0] + t.sin() * state[1], -t.sin() * state[0] + t.cos() * state[1]];
        assert!(square.distance(&within) < 1e-12, "{within:?} at {t}");
    }
    // Within the inscribed circle, the square no longer touches the point.
    let last = states.last().expect("there are states");
    assert!(last[0].hypot(last[1]) <= 1.0 + 1e-2, "{last:?}");
}
