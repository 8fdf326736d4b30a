//! Comparison of the impact oscillator with closed forms, its laws, and numerical integration.

use std::f64::consts::PI;

use siconos_testkit::compare::{assert_close, assert_close_scalar};
use siconos_testkit::exact::{
    Arc, BouncingBall, Cam, End, Impact, ImpactMotion, ImpactOscillator, Obstacle, Oscillator, Scan, Until,
};

const GRAVITY: f64 = 9.81;

/// Mass, damping, stiffness and force of an oscillator, for the numerical integration.
type Coefficients = [f64; 4];

fn system([m, d, k, f]: Coefficients, restitution: f64, obstacle: Obstacle, cell: f64) -> ImpactOscillator {
    ImpactOscillator::new(Oscillator::new(m, d, k, f), restitution, obstacle, Scan::cells(cell))
}

fn shaker() -> Obstacle {
    Obstacle::new(|t| 0.1 * (7.0 * t).sin(), |t| 0.7 * (7.0 * t).cos())
}

#[test]
fn without_stiffness_it_is_the_bouncing_ball() {
    let ball = BouncingBall::new(GRAVITY, 0.8, 1.0, 0.5);
    let body = system([2.0, 0.0, 0.0, -2.0 * GRAVITY], 0.8, Obstacle::fixed(3.0), 1e-2);
    let motion = body.solve(Arc { t: 0.0, u: 4.0, v: 0.5 }, Until::Time(100.0));
    for (n, impact) in (1..).zip(&motion.impacts) {
        // At a level of 3 the gap has a rounding error of 4e-16. The time of an impact has this error divided
        // by the speed. The next speed has the error of the time multiplied by g.
        let speed = ball.impact_speed(n);
        assert_close_scalar("time", impact.t, ball.impact_time(n), 1e-14 / speed, 0.0);
        assert_close_scalar("speed", -impact.v_minus, speed, 1e-13 / speed, 0.0);
    }
    let End::Accumulation { t, limit } = motion.end else { panic!("{:?}", motion.end) };
    assert!(motion.impacts.len() > 50 && t == motion.t_end, "{} impacts", motion.impacts.len());
    let end = ball.accumulation_time().expect("e < 1");
    assert!(t < end && end - t < 1.01e-6, "{t} is too far from {end}");
    assert_close_scalar("limit, to a tenth of the window", limit, end, 1e-7, 0.0);
    for k in 0..1000 {
        let t = 0.999 * motion.t_end * f64::from(k) / 1000.0;
        let (u, v) = motion.state(t);
        assert_close("state", &[u - 3.0, v], &[ball.position(t), ball.velocity(t)], 1e-10, 0.0);
    }
}

#[test]
fn on_a_floor_that_rises_evenly_it_is_the_bouncing_ball_of_that_frame() {
    let ball = BouncingBall::new(GRAVITY, 0.5, 1.0, -0.7);
    let floor = Obstacle::new(|t| 0.7 * t, |_| 0.7);
    let body = system([1.0, 0.0, 0.0, -GRAVITY], 0.5, floor, 1e-2);
    let motion = body.solve(Arc { t: 0.0, u: 1.0, v: 0.0 }, Until::Impacts { count: 8, latest: 9.0 });
    assert_eq!((motion.end, motion.impacts.len()), (End::ImpactsReached, 8));
    for (n, impact) in (1..).zip(&motion.impacts) {
        assert_close_scalar("time", impact.t, ball.impact_time(n), 1e-12, 0.0);
        assert_close_scalar("speed", 0.7 - impact.v_minus, ball.impact_speed(n), 1e-12, 0.0);
    }
}

#[test]
fn elastic_and_undamped_it_is_a_rectified_cosine() {
    // For m = 1 and k = 4 the motion is |cos 2 t|, with impacts at (n - 1/2) pi / 2 and a constant speed of
    // 2.
    let body = system([1.0, 0.0, 4.0, 0.0], 1.0, Obstacle::fixed(0.0), 1e-2);
    let motion = body.solve(Arc { t: 0.0, u: 1.0, v: 0.0 }, Until::Time(100.0));
    assert_eq!((motion.end, motion.impacts.len()), (End::TimeReached, 64));
    for (n, impact) in (1..).zip(&motion.impacts) {
        assert_close_scalar("time", impact.t, (f64::from(n) - 0.5) * PI / 2.0, 1e-12, 0.0);
        assert_close("velocities", &[impact.v_minus, impact.v_plus], &[-2.0, 2.0], 1e-13, 0.0);
    }
    for k in 0..=1000 {
        let t = 0.1 * f64::from(k);
        assert_close_scalar("|cos 2 t|", motion.state(t).0, (2.0 * t).cos().abs(), 1e-11, 0.0);
    }
}

#[test]
fn every_impact_obeys_the_law_and_every_arc_keeps_its_energy() {
    let body = system([1.3, 0.0, 20.0, -4.0], 0.7, shaker(), 1e-3);
    let motion = body.solve(Arc { t: 0.0, u: 0.8, v: 0.0 }, Until::Impacts { count: 40, latest: 1e3 });
    assert_eq!(motion.end, End::ImpactsReached);
    let oscillator = Oscillator::new(1.3, 0.0, 20.0, -4.0);
    for (k, impact) in motion.impacts.iter().enumerate() {
        let (c, velocity) = (0.1 * (7.0 * impact.t).sin(), 0.7 * (7.0 * impact.t).cos());
        let (u_before, v_before) = motion.state_before(impact.t);
        let (u_after, v_after) = motion.state(impact.t);
        assert_close("on the obstacle", &[u_before, u_after, impact.u], &[c; 3], 1e-13, 0.0);
        assert_close("limits", &[v_before, v_after], &[impact.v_minus, impact.v_plus], 1e-13, 0.0);
        assert!(impact.v_minus < velocity, "it approaches");
        assert_close_scalar("law", v_after - velocity, -0.7 * (v_before - velocity), 1e-13, 0.0);
        // Arc that ends at this impact.
        let arc = motion.arcs[k];
        assert_close_scalar(
            "energy",
            oscillator.energy(arc.u, arc.v),
            oscillator.energy(u_before, v_before),
            1e-12,
            0.0,
        );
    }
}

#[test]
fn it_stays_above_the_obstacle() {
    let body = system([1.0, 0.3, 30.0, -9.0], 0.6, shaker(), 1e-3);
    let motion = body.solve(Arc { t: 0.0, u: 0.5, v: 0.0 }, Until::Impacts { count: 30, latest: 1e3 });
    for k in 0..=100_000 {
        let t = motion.t_end * f64::from(k) / 1e5;
        let gap = motion.state(t).0 - 0.1 * (7.0 * t).sin();
        assert!(gap > -1e-13, "{gap:e} at {t}");
    }
}

#[test]
fn finer_cells_find_the_same_impacts() {
    let solve = |cell| {
        let body = system([1.221, 0.0, 1430.8, 0.0], 0.8, Obstacle::cam(Cam::new(660.0), 1.0), cell);
        let start = Arc { t: 0.0, u: 0.5, v: 0.4 };
        body.solve(start, Until::Impacts { count: 12, latest: 1.0 }).impacts
    };
    let (coarse, fine) = (solve(1e-3), solve(1e-5));
    assert_eq!((coarse.len(), fine.len()), (12, 12));
    for (a, b) in coarse.iter().zip(&fine) {
        assert_close("impact", &[a.t, a.u, a.v_plus], &[b.t, b.u, b.v_plus], 1e-9, 1e-9);
    }
}

/// Integrates the motion by Runge-Kutta steps of length `h`. A step that passes through the obstacle is
/// shortened by bisection.
fn by_runge_kutta(
    [m, d, k, f]: Coefficients,
    restitution: f64,
    (c, c_dot): (&dyn Fn(f64) -> f64, &dyn Fn(f64) -> f64),
    start: Arc,
    h: f64,
    count: usize,
) -> Vec<Impact> {
    let slope = |(u, v): (f64, f64)| (v, (f - d * v - k * u) / m);
    let step = |(u, v): (f64, f64), h: f64| {
        let k1 = slope((u, v));
        let k2 = slope((u + 0.5 * h * k1.0, v + 0.5 * h * k1.1));
        let k3 = slope((u + 0.5 * h * k2.0, v + 0.5 * h * k2.1));
        let k4 = slope((u + h * k3.0, v + h * k3.1));
        (u + h / 6.0 * (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0), v + h / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1))
    };
    let (mut t, mut x) = (start.t, (start.u, start.v));
    let mut impacts = Vec::new();
    while impacts.len() < count {
        assert!(t < start.t + 100.0, "the impacts do not come");
        let next = step(x, h);
        if next.0 >= c(t + h) {
            (t, x) = (t + h, next);
            continue;
        }
        let (mut low, mut high) = (0.0, h);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if step(x, middle).0 >= c(t + middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let v_minus = step(x, low).1;
        t += low;
        let v_plus = (1.0 + restitution) * c_dot(t) - restitution * v_minus;
        impacts.push(Impact { t, u: c(t), v_minus, v_plus });
        x = (c(t), v_plus);
    }
    impacts
}

fn assert_same_impacts(name: &str, motion: &ImpactMotion, others: &[Impact], bound: f64) {
    assert!(
        motion.impacts.len() >= others.len(),
        "{name}: {} impacts, {:?}",
        motion.impacts.len(),
        motion.end
    );
    for (n, (a, b)) in motion.impacts.iter().zip(others).enumerate() {
        let name = format!("{name}, impact {n}");
        assert_close(&name, &[a.t, a.u, a.v_minus, a.v_plus], &[b.t, b.u, b.v_minus, b.v_plus], bound, bound);
    }
}

#[test]
fn runge_kutta_with_bisection_finds_the_same_impacts() {
    for (name, coefficients) in [
        ("underdamped", [1.0, 0.3, 30.0, -9.0]),
        ("overdamped", [1.0, 15.0, 30.0, -90.0]),
        ("critical", [1.0, 4.0, 4.0, -9.0]),
        ("without stiffness", [1.0, 0.5, 0.0, -9.0]),
    ] {
        let start = Arc { t: 0.0, u: 0.5, v: 0.0 };
        let until = Until::Impacts { count: 8, latest: 1e3 };
        let motion = system(coefficients, 0.6, shaker(), 1e-3).solve(start, until);
        let (c, c_dot) = (|t: f64| 0.1 * (7.0 * t).sin(), |t: f64| 0.7 * (7.0 * t).cos());
        let others = by_runge_kutta(coefficients, 0.6, (&c, &c_dot), start, 2e-4, 8);
        assert_same_impacts(name, &motion, &others, 1e-10);
    }
}

#[test]
fn the_cam_follower_agrees_with_runge_kutta() {
    let coefficients = [1.221, 0.0, 1430.8, 0.0];
    for (rpm, count) in [(358.0, 10), (660.0, 8), (700.0, 8)] {
        let cam = Cam::new(rpm);
        let start = Arc { t: 0.0, u: 0.4 + cam.position(0.0), v: 0.4 };
        let body = system(coefficients, 0.8, Obstacle::cam(cam, 2.0), 1e-4);
        let motion = body.solve(start, Until::Impacts { count, latest: 2.0 });
        let (c, c_dot) = (|t| cam.position(t), |t| cam.velocity(t));
        let others = by_runge_kutta(coefficients, 0.8, (&c, &c_dot), start, 1e-5, count);
        assert_same_impacts(&format!("{rpm} rpm"), &motion, &others, 1e-8);
    }
}
