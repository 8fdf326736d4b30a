//! Comparison of solutions of class C^1, absolutely continuous solutions and solutions of bounded variation
//! with independent formulas.

use std::f64::consts::{PI, TAU};

use crate::switched_checks::{check_complementarity, check_continuity, difference, times};
use siconos_testkit::compare::{assert_close, assert_close_scalar};
use siconos_testkit::exact::{PushedPoint, SoftStop, StaircaseTank, SwitchedEnd};

#[test]
fn the_soft_stop_obeys_its_equations_and_keeps_its_energy() {
    let body = SoftStop { frequency: 1.3, compliance: 0.2, speed: 0.7 };
    let model = body.model();
    let h = 1e-3;
    let mut on_stop = 0;
    for k in 0..500 {
        let t = 0.01 + 0.037 * f64::from(k);
        let (x, lambda) = (body.state(t), body.lambda(t));
        let y = x[0] + body.compliance * lambda;
        assert!(y >= -1e-15 && lambda >= 0.0 && y * lambda <= 1e-15, "y = {y}, lambda = {lambda}");
        assert_close_scalar("energy", body.energy(&x, lambda), 0.5 * 0.7 * 0.7, 0.0, 1e-13);
        on_stop += usize::from(lambda > 0.0);
        let by_difference = (body.state(t + h) - body.state(t - h)) / (2.0 * h);
        let rate = model.a.dot(&x) + model.b.column(0).mapv(|b| b * lambda);
        // Central differences have the error h^2 / 6 times the third derivative, which is at most speed
        // Omega^3. In an interval that contains a switch, the error is h times the jump of the second
        // derivative, speed / D.
        assert_close("rate", by_difference.as_slice().unwrap(), rate.as_slice().unwrap(), 4e-3, 0.0);
    }
    assert!((100..400).contains(&on_stop), "{on_stop} of 500 on the stop");
    assert_close("period", body.state(body.period()).as_slice().unwrap(), &[0.0, 0.7], 1e-14, 0.0);
    let round = SoftStop::default();
    assert_close_scalar("Omega", round.frequency_on_stop(), 3.0, 1e-15, 0.0);
    assert_close_scalar("period", round.period(), PI * 4.0 / 3.0, 1e-15, 0.0);
}

#[test]
fn a_point_at_a_wall_is_the_reflection_of_skorokhod() {
    let point = PushedPoint::default();
    let motion = point.solve(6.0);
    assert_eq!(motion.end, SwitchedEnd::TimeReached);
    check_complementarity(&motion, &[1.0], &[1.0]);
    check_continuity(&motion, &[1.0; 3]);
    // On a grid of 1/4000, the supremum is too small by at most 1/8 of the squared grid size times the
    // largest |u'|.
    let mut highest = 0.0_f64;
    let mut at_wall = 0;
    for k in 0..=24000 {
        let t = f64::from(k) / 4000.0;
        highest = highest.max(-point.without_wall(t));
        let x = motion.state(t)[0];
        assert_close_scalar("position", x, point.without_wall(t) + highest, 1e-7, 0.0);
        at_wall += usize::from(motion.mode(t).name == "wall");
        let lambda = motion.lambda(t)[0];
        let pushed = if motion.mode(t).name == "wall" { -point.input(t) } else { 0.0 };
        assert_close_scalar("multiplier", lambda, pushed, 1e-13, 0.0);
    }
    assert!((2000..22000).contains(&at_wall), "{at_wall}");
    for t in times(&motion, 200) {
        if motion.events().iter().all(|event| (event - t).abs() > 2e-3) && t > 2e-3 && t < 5.99 {
            let rate = difference(&motion, t, 1e-3)[0];
            assert_close_scalar("rate", rate, point.input(t) + motion.lambda(t)[0], 1e-9, 0.0);
        }
    }
    // The point leaves the wall when the force changes its sign, at cos(2 pi t) = 0.3.
    let leave: Vec<f64> = (0..motion.pieces.len() - 1)
        .filter(|k| motion.mode_names()[*k] == "wall")
        .map(|k| motion.pieces[k + 1].t)
        .collect();
    assert!(leave.len() >= 5);
    for (k, t) in leave.iter().enumerate() {
        let expected = (k + 1) as f64 - 0.3_f64.acos() / TAU;
        assert_close_scalar("leaves", *t, expected, 1e-13, 0.0);
    }
}

#[test]
fn the_tank_is_the_limit_of_catching_up() {
    let steps = vec![(0.0, 0.5), (1.0, 2.0), (2.5, 0.3), (6.0, 0.2), (7.0, 1.0)];
    let tank = StaircaseTank::new(0.8, 1.5, steps.clone());
    // Moreau's scheme consists of an implicit step and a projection. It is of first order in h.
    let errors: Vec<f64> = [1e-3, 5e-4]
        .iter()
        .map(|h| {
            let (mut x, mut sum) = (1.5, 0.0);
            for k in 1..=(9.0 / h) as u32 {
                let t = f64::from(k) * h;
                x = (x / (1.0 + 0.8 * h)).max(tank.level(t));
                sum += h * (x - tank.state(t)).abs();
            }
            sum
        })
        .collect();
    assert!(errors[0] < 2e-3 && (1.9..2.1).contains(&(errors[0] / errors[1])), "{errors:?}");
    for (k, (t, level)) in steps.iter().enumerate() {
        let jump = tank.state(*t) - tank.state_before(*t);
        assert_close_scalar("jump", jump, tank.impulse(k), 1e-15, 0.0);
        assert!(tank.impulse(k) == 0.0 || tank.state(*t) == *level);
    }
    assert!(tank.impulse(1) > 0.5 && tank.impulse(2) == 0.0 && tank.impulse(4) > 0.5);
    // Just before t = 7 the state has not decayed to a level. It is 2 exp(-0.8 * 6).
    assert_close_scalar("decay", tank.state_before(2.5), 2.0, 0.0, 1e-15);
    assert_close_scalar("decay", tank.state(3.5), 2.0 * (-0.8_f64).exp(), 0.0, 1e-14);
    assert_eq!((tank.lambda(2.0), tank.lambda(3.0)), (1.6, 0.0));
}

#[test]
fn an_implicit_scheme_tends_to_the_pushed_point() {
    let point = PushedPoint::default();
    let (model, motion) = (point.model(), point.solve(4.0));
    let error = |h: f64| {
        let mut x = model.x0[0];
        let mut largest = 0.0_f64;
        for k in 1..=(4.0 / h) as u32 {
            let t = f64::from(k) * h;
            let free = x + h * (model.a[[0, 0]] * x + point.input(t));
            // With y = C x and D = 0, lambda is the smallest number that keeps y nonnegative.
            let lambda = (-model.c[[0, 0]] * free / (h * model.c[[0, 0]] * model.b[[0, 0]])).max(0.0);
            x = free + h * model.b[[0, 0]] * lambda;
            largest = largest.max((x - motion.state(t)[0]).abs());
        }
        largest
    };
    let (coarse, fine) = (error(1e-3), error(2e-4));
    assert!(coarse < 3e-3 && (4.0..6.0).contains(&(coarse / fine)), "{coarse:e}, {fine:e}");
}
