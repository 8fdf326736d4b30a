//! Comparison of the exact motions of relay systems with their equations, their law, each other, and
//! published trajectories.

use std::f64::consts::PI;

use crate::switched_checks::{check_continuity, check_equations, check_relay, size};
use ndarray::{Array1, Array2, array};
use siconos_testkit::compare::{assert_close, assert_close_scalar};
use siconos_testkit::compare::{largest_difference, worse};
use siconos_testkit::convergence::{observed_order, steps};
use siconos_testkit::exact::{
    Affine, FilippovSpiral, FrictionOscillator, LimitCycle, LinearFlow, LinearModel, RelayFeedback,
    StraightRelay, Switched, SwitchedEnd, Trajectory,
};
use siconos_testkit::reference::trajectory;

/// Returns an oscillator with a relay on its velocity. In the sliding mode of the switched system, the mass
/// sticks.
fn friction_as_feedback(start: [f64; 2]) -> RelayFeedback {
    RelayFeedback { model: FrictionOscillator { start }.model() }
}

/// Returns $x' = B \lambda$ as a switched system with one mode for each quadrant.
fn quadrants(model: &LinearModel) -> Switched {
    let modes = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)].map(|(s, r)| {
        let lambda = Affine::constant(array![-s, -r], 2);
        let guards = Affine::linear(array![[s, 0.0], [0.0, r]]);
        model.mode("quadrant", lambda, guards, Affine::none(2))
    });
    Switched::new(modes.to_vec())
}

#[test]
fn straight_lines_end_at_the_origin() {
    let relay = StraightRelay { start: [1.0, -0.6] };
    assert_eq!(relay.arrival(), 0.5);
    for k in 0..60 {
        let t = 0.01 * f64::from(k) + 0.001;
        let (x, lambda, y) = (relay.state(t), relay.lambda(t), relay.state(t));
        for i in 0..2 {
            let h = 1e-4;
            let rate = (relay.state(t + h)[i] - relay.state(t - h)[i]) / (2.0 * h);
            assert_close_scalar("rate", rate, 2.0 * lambda[i], 1e-10, 0.0);
            assert!(y[i] == 0.0 || lambda[i] == -y[i].signum());
            assert_close_scalar("way", x[i].abs(), (relay.start[i].abs() - 2.0 * t).max(0.0), 1e-15, 0.0);
        }
    }
    assert_eq!((relay.state(0.5), relay.lambda(0.5)), ([0.0, 0.0], [0.0, 0.0]));
}

#[test]
fn the_spiral_is_the_motion_from_quadrant_to_quadrant() {
    for (twist, start) in [(25.0, [3.0, 3.0]), (2.0, [-1.0, 0.4]), (0.5, [0.3, -2.0]), (7.0, [-1.5, -1.0])] {
        let spiral = FilippovSpiral { twist, start };
        let end = spiral.accumulation_time();
        let system = quadrants(&spiral.model());
        let motion = system.solve(0.0, &Array1::from_iter(start), 0.99 * end);
        assert_eq!(motion.end, SwitchedEnd::TimeReached);
        for (k, t) in motion.events().iter().enumerate() {
            assert_close_scalar("crossing", *t, spiral.crossing(k as u32), 1e-12, 0.0);
        }
        for k in 0..2000 {
            let t = 0.99 * end * f64::from(k) / 2000.0;
            let (x, exact) = (motion.state(t), spiral.state(t));
            assert_close("state", x.as_slice().unwrap(), &exact, 1e-11, 0.0);
            // The sum |x_1| + |x_2| equals 4 times the time until the origin is reached.
            assert_close_scalar("left", exact[0].abs() + exact[1].abs(), 4.0 * (end - t), 1e-13, 0.0);
        }
        assert_eq!((spiral.state(end), spiral.lambda(end)), ([0.0, 0.0], [0.0, 0.0]));
        // Crossings accumulate. Their intervals have a constant ratio and a finite sum.
        let interval = |k| spiral.crossing(k + 1) - spiral.crossing(k);
        assert_close_scalar("ratio", interval(3) / interval(2), twist / (twist + 2.0), 0.0, 1e-11);
        assert_close_scalar("limit", spiral.crossing(2000), end, 1e-13, 0.0);
    }
    assert_eq!(FilippovSpiral::default().accumulation_time(), 1.5);
}

/// Computes one implicit step $x^+ = x + h B \lambda$, $-x^+ \in N(\lambda)$ for two relays by trying all
/// nine combinations of modes.
fn implicit_step(x: [f64; 2], h: f64, b: &Array2<f64>) -> [f64; 2] {
    let after = |l: [f64; 2]| [0, 1].map(|i| x[i] + h * (b[[i, 0]] * l[0] + b[[i, 1]] * l[1]));
    let within = |y: [f64; 2], l: [f64; 2]| {
        (0..2).all(|i| match l[i] {
            -1.0 => y[i] >= -1e-14,
            1.0 => y[i] <= 1e-14,
            l => l.abs() <= 1.0 && y[i].abs() <= 1e-14,
        })
    };
    let mut candidates = vec![[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
    for fixed in [-1.0, 1.0] {
        candidates.push([fixed, -(x[1] / h + b[[1, 0]] * fixed) / b[[1, 1]]]);
        candidates.push([-(x[0] / h + b[[0, 1]] * fixed) / b[[0, 0]], fixed]);
    }
    let det = b[[0, 0]] * b[[1, 1]] - b[[0, 1]] * b[[1, 0]];
    candidates.push([
        (-x[0] * b[[1, 1]] + x[1] * b[[0, 1]]) / (h * det),
        (-x[1] * b[[0, 0]] + x[0] * b[[1, 0]]) / (h * det),
    ]);
    candidates
        .into_iter()
        .map(|l| (after(l), l))
        .find(|(y, l)| within(*y, *l))
        .expect("the matrix is a P-matrix")
        .0
}

#[test]
fn the_implicit_scheme_tends_to_the_spiral() {
    let spiral = FilippovSpiral { twist: 3.0, start: [PI, 2.0] };
    let b = spiral.model().b;
    let hs = steps(12, 1e-3, 5e-5);
    let errors: Vec<f64> = hs
        .iter()
        .map(|h| {
            let (mut x, mut sum) = (spiral.start, 0.0);
            for k in 1..=(1.5 / h) as u32 {
                x = implicit_step(x, *h, &b);
                let exact = spiral.state(f64::from(k) * h);
                sum += h * (x[0] - exact[0]).hypot(x[1] - exact[1]);
            }
            sum
        })
        .collect();
    let observed = observed_order(&hs, &errors);
    println!("{errors:?}: {observed:?}");
    assert!((0.8..1.2).contains(&observed.order) && errors[11] < 1e-3, "{observed:?}");
}

#[test]
fn events_that_accumulate_end_a_computation() {
    let spiral = FilippovSpiral { twist: 2.0, start: [1.0, 1.0] };
    let motion = quadrants(&spiral.model()).with_most_events(30).solve(0.0, &array![1.0, 1.0], 1.0);
    let SwitchedEnd::TooManyEvents { t } = motion.end else { panic!("{:?}", motion.end) };
    assert!((0.49..0.5).contains(&t) && motion.t_end == t, "{t}");
    // The motion cannot continue at the origin without the mode for the origin.
    let wrong = friction_as_feedback([0.0, 0.0]).switched();
    let two = Switched::new(wrong.modes()[..2].to_vec());
    assert_eq!(two.solve(0.0, &array![0.5, 0.0], 1.0).end, SwitchedEnd::NoMode { t: 0.0 });
}

#[test]
fn the_friction_oscillator_sticks_after_its_half_swings() {
    for start in [[12.0, 6.0], [-3.3, 0.0], [0.2, -8.0], [0.7, 0.0], [5.2, -1.0]] {
        let body = FrictionOscillator { start };
        let feedback = friction_as_feedback(start);
        let (stop, at) = body.sticking();
        assert!(at.abs() <= 1.0, "sticks at {at}");
        let motion = feedback.solve(stop + 3.0);
        let expected = if stop == 0.0 { vec![] } else { vec![body.half_swings() as usize + 1] };
        if let Some(count) = expected.first() {
            // If the start is not a turning point, an arc to the first turning point precedes the half
            // swings.
            let first = usize::from(body.first_turning().0 > 0.0);
            assert_eq!(motion.events().len(), count - 1 + first, "{start:?}: {:?}", motion.mode_names());
            assert_close_scalar("sticks", *motion.events().last().unwrap(), stop, 1e-12, 0.0);
        }
        assert_eq!(motion.mode_names().last(), Some(&"sliding"));
        check_equations(&motion, &feedback.model, 1e-3, &[10.0, 10.0], &[10.0], 1e-11);
        check_relay(&motion, 10.0);
        check_continuity(&motion, &[10.0, 10.0]);
        for k in 0..1000 {
            let t = motion.t_end * f64::from(k) / 1000.0;
            assert_close("state", motion.state(t).as_slice().unwrap(), &body.state(t), 1e-12, 0.0);
            let near = motion.events().iter().any(|event| (event - t).abs() < 1e-9);
            if !near && t > 0.0 {
                assert_close_scalar("lambda", motion.lambda(t)[0], body.lambda(t), 1e-12, 0.0);
            }
        }
        // The work of a friction force of 1 equals the length of the path.
        let way = motion.integral(|x, _| x[1].abs(), 0.0, motion.t_end);
        let energy = |x: &[f64; 2]| 0.5 * (x[0] * x[0] + x[1] * x[1]);
        let lost = energy(&start) - energy(&[at, 0.0]);
        assert_close_scalar("work of friction", way, lost, 1e-12, 1e-12);
    }
    assert_eq!(FrictionOscillator { start: [6.5, 0.0] }.sticking(), (3.0 * PI, -0.5));
}

/// Returns $C (I + e^{Ah})^{-1} \int_0^h e^{As} ds B$, which is 0 at half the period of a limit cycle with
/// two switches (Astrom 1995, theorem 1). The equation $(I + e^{Ah}) x^* = \int_0^h e^{As} ds B$ is solved by
/// Cramer's rule for three states.
fn astrom(model: &LinearModel, h: f64) -> f64 {
    let forced = LinearFlow::new(model.a.clone(), model.b.column(0).to_owned()).state(h, &Array1::zeros(3));
    let free = LinearFlow::new(model.a.clone(), Array1::zeros(3));
    let mut matrix = Array2::eye(3);
    for j in 0..3 {
        let mut unit = Array1::zeros(3);
        unit[j] = 1.0;
        let image = free.state(h, &unit);
        for i in 0..3 {
            matrix[[i, j]] += image[i];
        }
    }
    let det = |m: &Array2<f64>| -> f64 {
        (0..3)
            .map(|j| {
                let (k, l) = ((j + 1) % 3, (j + 2) % 3);
                m[[0, j]] * (m[[1, k]] * m[[2, l]] - m[[1, l]] * m[[2, k]])
            })
            .sum()
    };
    let mut replaced = matrix.clone();
    replaced.column_mut(0).assign(&forced);
    det(&replaced) / det(&matrix)
}

/// Checks that the state changes its sign in half a period, because the relay is symmetric.
fn check_symmetry(system: &RelayFeedback, cycle: &LimitCycle) -> Trajectory {
    let motion = system.switched().solve(0.0, &cycle.state, 3.0 * cycle.period);
    let largest = size(&cycle.state);
    for k in 0..200 {
        let t = cycle.period * (0.01 * f64::from(k) + 0.003);
        let (now, half, full) =
            (motion.state(t), motion.state(t + 0.5 * cycle.period), motion.state(t + cycle.period));
        assert!(size(&(&now + &half)) < 1e-8 * largest, "t = {t}: {now} against {half}");
        assert!(size(&(&now - &full)) < 1e-8 * largest, "t = {t}: {now} against {full}");
    }
    motion
}

#[test]
fn the_limit_cycle_of_a_triple_lag_is_that_of_astrom() {
    let system = RelayFeedback::triple_lag();
    let cycle = system.limit_cycle(5.0, 0.5).expect("it settles");
    println!("period {}, mismatch {:e}", cycle.period, cycle.mismatch);
    let half = 0.5 * cycle.period;
    let (before, after) = (astrom(&system.model, half - 1e-3), astrom(&system.model, half + 1e-3));
    let slope = (after - before) / 2e-3;
    assert!(before * after < 0.0);
    assert!((astrom(&system.model, half) / slope).abs() < 1e-10, "{:e}", astrom(&system.model, half));
    // The describing function results in omega = sqrt(3), which is slightly too large.
    assert!((0.95..1.05).contains(&(cycle.period * 3.0_f64.sqrt() / (2.0 * PI))), "{}", cycle.period);
    check_symmetry(&system, &cycle);
}

#[test]
fn limit_cycles_with_sliding_and_with_chattering() {
    let sliding = RelayFeedback::sliding_oscillator();
    let cycle = sliding.limit_cycle(15.0, 0.246).expect("it settles");
    println!("sliding: period {}, mismatch {:e}", cycle.period, cycle.mismatch);
    let motion = check_symmetry(&sliding, &cycle);
    assert!(motion.mode_names().contains(&"sliding"));
    let lambda = |x: f64| x.abs() < 1.0 - 1e-6;
    let share = (0..5000).filter(|k| lambda(motion.lambda(cycle.period * f64::from(*k) / 5000.0)[0])).count();
    assert!((500..4500).contains(&share), "{share} of 5000 sliding");
    let rates = sliding.model.a.mapv(f64::abs).dot(&array![0.2, 10.0, 60.0]);
    let outputs = [0.2];
    assert!(check_equations(&motion, &sliding.model, 2e-4, rates.as_slice().unwrap(), &outputs, 1e-7) > 300);
    check_relay(&motion, 0.2);
    check_continuity(&motion, &[0.2, 10.0, 60.0]);

    let chattering = RelayFeedback::chattering_oscillator();
    assert_eq!(chattering.first_markov_parameter(), 0.0);
    assert_eq!(chattering.model.c.dot(&chattering.model.a).dot(&chattering.model.b)[[0, 0]], 1.0);
    let cycle = chattering.limit_cycle(20.0, 2.0).expect("it settles");
    println!("chattering: period {}, mismatch {:e}", cycle.period, cycle.mismatch);
    let motion = check_symmetry(&chattering, &cycle);
    let per_period = motion.events().iter().filter(|t| **t > 0.5 && **t <= cycle.period + 0.5).count();
    assert_eq!(per_period, 14);
    assert!(check_equations(&motion, &chattering.model, 1e-3, &[1.0; 4], &[1.0], 1e-9) > 300);
    check_relay(&motion, 1.0);
}

#[test]
fn published_trajectories_of_relays_are_near() {
    let near = |rows: &[Vec<f64>], exact: &dyn Fn(f64) -> [f64; 2], allowed: f64| {
        let largest = rows.iter().map(|row| largest_difference(&exact(row[0]), &row[1..3])).fold(0.0, worse);
        println!("largest difference {largest:e}");
        assert!(largest <= allowed, "{largest:e}");
    };
    if let Some(rows) = trajectory("SimpleExampleRelay.ref") {
        near(&rows, &|t| StraightRelay::default().state(t), 1e-12);
    }
    if let Some(rows) = trajectory("Filippov.ref") {
        let spiral = FilippovSpiral::default();
        // Both trajectories are straight lines, except in a step in which an axis is crossed. If the crossing
        // is located late by a fraction of a step, the position changes by at most h times the jump of a
        // rate, 104. In all other steps
        // |x|_1 decreases by 4 h in both trajectories.
        near(&rows[..56], &|t| spiral.state(t), 1e-12);
        near(&rows[..250], &|t| spiral.state(t), 2.0 * 0.104);
        let left = |row: &Vec<f64>| row[1].abs() + row[2].abs();
        for pair in rows[..1000].windows(2) {
            let crossing = pair[0][1] * pair[1][1] < 0.0 || pair[0][2] * pair[1][2] < 0.0;
            assert!(crossing || (left(&pair[0]) - left(&pair[1]) - 4e-3).abs() < 1e-9);
        }
    }
    if let Some(rows) = trajectory("FrictionOscillator.ref.gz") {
        let body = FrictionOscillator::default();
        // The reference trajectory is of first order with h = 0.01 and speeds of 14.
        near(&rows, &|t| body.state(t), 0.2);
        assert!(rows.last().unwrap()[2].abs() < 1e-9);
    }
}
