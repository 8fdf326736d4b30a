//! Comparison of the bouncing ball with its laws and with results of an independent program.

use siconos_testkit::compare::assert_close_scalar;
use siconos_testkit::exact::BouncingBall;

const GRAVITY: f64 = 9.81;

/// Computes the impacts successively, with time and speed from the parabola and v+ = -e v-.
fn by_recurrence(e: f64, height: f64, velocity: f64, impacts: u32) -> Vec<(f64, f64)> {
    let (mut t, mut h, mut v) = (0.0, height, velocity);
    (0..impacts)
        .map(|_| {
            let speed = (v * v + 2.0 * GRAVITY * h).sqrt();
            t += (v + speed) / GRAVITY;
            (h, v) = (0.0, e * speed);
            (t, speed)
        })
        .collect()
}

#[test]
fn impacts_are_those_of_the_recurrence() {
    for (e, velocity) in [(1.0, 0.0), (0.9, 0.0), (0.5, 3.0), (0.9, -2.0), (0.01, 0.0)] {
        let ball = BouncingBall::new(GRAVITY, e, 1.0, velocity);
        for (n, (t, speed)) in (1..).zip(by_recurrence(e, 1.0, velocity, 30)) {
            assert_close_scalar("time", ball.impact_time(n), t, 1e-13, 1e-13);
            assert_close_scalar("speed", ball.impact_speed(n), speed, 0.0, 1e-12);
        }
    }
}

#[test]
fn the_accumulation_is_the_limit_of_the_impacts() {
    let ball = BouncingBall::new(GRAVITY, 0.9, 1.0, 0.0);
    let end = ball.accumulation_time().expect("e < 1");
    // The end is at t_1 (1 + 2 e / (1 - e)), which is 19 sqrt(2 h / g) for e = 0.9.
    assert_close_scalar("end", end, 19.0 * (2.0 / GRAVITY).sqrt(), 1e-13, 0.0);
    assert_close_scalar("late impact", ball.impact_time(400), end, 1e-13, 0.0);
    assert!(ball.impact_time(100) < end);
    assert_eq!(BouncingBall::new(GRAVITY, 1.0, 1.0, 0.0).accumulation_time(), None);
    let plastic = BouncingBall::new(GRAVITY, 0.0, 1.0, 0.0);
    assert_eq!(plastic.accumulation_time(), Some(plastic.impact_time(1)));
}

#[test]
fn at_an_impact_the_velocity_is_the_right_limit() {
    let ball = BouncingBall::new(GRAVITY, 0.7, 1.0, 0.5);
    for n in 1..12 {
        let t = ball.impact_time(n);
        let (before, after) = (t * (1.0 - 1e-12), t * (1.0 + 1e-12));
        assert_close_scalar("position", ball.position(t), 0.0, 1e-12, 0.0);
        assert_close_scalar("before", ball.velocity(before), -ball.impact_speed(n), 1e-9, 0.0);
        assert_close_scalar("at", ball.velocity(t), 0.7 * ball.impact_speed(n), 1e-14, 0.0);
        assert_close_scalar("after", ball.velocity(after), 0.7 * ball.impact_speed(n), 1e-9, 0.0);
        assert_eq!((ball.impacts_until(before), ball.impacts_until(t)), (Some(n - 1), Some(n)));
    }
}

#[test]
fn between_impacts_energy_is_kept_and_velocity_is_the_slope() {
    let ball = BouncingBall::new(GRAVITY, 0.8, 1.0, 1.0);
    let end = ball.accumulation_time().expect("e < 1");
    let dt = 1e-6;
    let mut smooth = 0;
    for k in 1..2000 {
        let t = end * f64::from(k) / 2000.0;
        let (low, high) = (ball.impacts_until(t - dt), ball.impacts_until(t + dt));
        if low != high {
            continue;
        }
        smooth += 1;
        let slope = (ball.position(t + dt) - ball.position(t - dt)) / (2.0 * dt);
        assert_close_scalar("slope", ball.velocity(t), slope, 1e-8, 0.0);
        let n = low.expect("before the accumulation");
        let speed = if n == 0 { ball.impact_speed(1) } else { 0.8 * ball.impact_speed(n) };
        let energy = 0.5 * ball.velocity(t).powi(2) + GRAVITY * ball.position(t);
        assert_close_scalar("energy", energy, 0.5 * speed * speed, 1e-12, 1e-12);
    }
    assert!(smooth > 1900, "{smooth}");
}

#[test]
fn after_the_accumulation_it_rests() {
    let ball = BouncingBall::new(GRAVITY, 0.5, 1.0, 0.0);
    let end = ball.accumulation_time().expect("e < 1");
    for t in [end, end + 1e-9, end + 1.0, 1e6] {
        assert_eq!((ball.position(t), ball.velocity(t), ball.impacts_until(t)), (0.0, 0.0, None));
    }
    // Shortly before the accumulation time, the ball still moves by a small amount.
    let t = end - 1e-6;
    assert!(ball.impacts_until(t).is_some_and(|n| n > 15));
    assert!(ball.position(t).abs() < 1e-11 && ball.velocity(t).abs() < 1e-5);
}

#[test]
fn a_ball_at_rest_on_the_floor_stays() {
    let ball = BouncingBall::new(GRAVITY, 0.9, 0.0, 0.0);
    assert_eq!(ball.accumulation_time(), Some(0.0));
    assert_eq!((ball.position(3.0), ball.velocity(3.0)), (0.0, 0.0));
    // A ball that starts on the floor with velocity 0 stays at rest, also for e = 1.
    assert_eq!(BouncingBall::new(GRAVITY, 1.0, 0.0, 0.0).position(3.0), 0.0);
}

#[test]
fn a_ball_thrown_down_comes_sooner_without_cancellation() {
    // For a large downward speed v, the time t_1 = 2 h / (V + v) is close to h / v. The formula (sqrt(v^2 + 2
    // g h) - v) / g would cancel.
    let ball = BouncingBall::new(GRAVITY, 0.9, 1.0, -1e9);
    assert_close_scalar("t_1", ball.impact_time(1), 1e-9, 0.0, 1e-15);
}
