//! Comparison of the cam-follower with its published profile, and of both forms of its model with an exact
//! solution.

use siconos_examples::cam_follower::maps::impact_map;
use siconos_examples::cam_follower::{Cam, CamFollower, Form, Sampling, run_time_stepping};
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::{observed_order, steps};
use siconos_testkit::exact::{
    self, Arc, ContactMotion, End, ImpactMotion, ImpactOscillator, Obstacle, Oscillator, Scan, Until,
};

/// Returns the exact motion of an example, up to a number of impacts or a time.
fn exact_motion(example: &CamFollower, until: Until) -> ImpactMotion {
    let cam = exact::Cam::new(example.cam.rpm());
    let oscillator = Oscillator::new(example.mass, example.damping, example.stiffness, (example.force)(0.0));
    let solver =
        ImpactOscillator::new(oscillator, example.restitution, Obstacle::cam(cam, 10.0), Scan::cells(1e-4));
    let start = Arc {
        t: 0.0,
        u: example.relative_start.0 + cam.position(0.0),
        v: example.relative_start.1 + cam.velocity(0.0),
    };
    solver.solve(start, until)
}

#[test]
fn the_profile_agrees_with_published_values() {
    // The columns are rpm, t, c, c', c'', f of the published profile.
    let published = [
        (358.0, 0.02, 1.634274783659927e-1, 6.72089644096886, 4.08538370722679e2, -7.326573866984535e2),
        (358.0, 0.05, 2.539332072382101e-1, 0.0, 0.0, -3.63327632916431e2),
        (
            358.0,
            0.0833,
            1.000370392117309e-1,
            -1.484948647042847e-1,
            2.977045012667833e2,
            -5.06630191750887e2,
        ),
        (660.0, 0.02, 2.539332072382101e-1, 0.0, 0.0, -3.63327632916431e2),
        (660.0, 0.1, 1.437405761555841e-1, 1.004222619464e1, 1.284991076920663e3, -1.774638121283539e3),
        (700.0, 0.1, 2.303972456683339e-1, 2.005837122789232e1, 1.833412439939088e3, -2.56824896826788e3),
    ];
    for (rpm, t, c, c_dot, c_ddot, f) in published {
        let example = CamFollower::default().at(rpm);
        let lift = example.cam.lift(t);
        let close = |name, value: f64, expected: f64| {
            let allowed = 1e-13 * expected.abs().max(1.0);
            assert!(
                (value - expected).abs() <= allowed,
                "{rpm} rpm, t = {t}: {name} is {value}, not {expected}"
            );
        };
        close("c", lift.c, c);
        close("c by itself", example.cam.position(t), c);
        close("c'", lift.c_dot, c_dot);
        close("c''", lift.c_ddot, c_ddot);
        close("f", example.translated_force(t), f);
    }
}

#[test]
fn the_derivatives_of_the_profile_are_derivatives() {
    let cam = Cam::new(358.0, 0.7);
    let step = 1e-7;
    let mut compared = 0;
    for i in 0..2000 {
        let t = f64::from(i) * 1e-4 + 3.3e-5;
        let (left, at, right) = (cam.lift(t - step), cam.lift(t), cam.lift(t + step));
        // Differences across a boundary between two arcs, at which c'' jumps, are skipped.
        if (right.c_ddot - left.c_ddot).abs() > 1.0 {
            continue;
        }
        compared += 1;
        let slope = (cam.position(t + step) - cam.position(t - step)) / (2.0 * step);
        assert!((slope - at.c_dot).abs() < 1e-6, "t = {t}: c' is {}, slope {slope}", at.c_dot);
        let bend = (right.c_dot - left.c_dot) / (2.0 * step);
        assert!(
            (bend - at.c_ddot).abs() < 1e-3 * at.c_ddot.abs().max(1.0),
            "t = {t}: c'' {} {bend}",
            at.c_ddot
        );
    }
    assert!(compared > 1900);
}

#[test]
fn the_phase_turns_the_cam() {
    let (turned, plain) = (Cam::new(60.0, 1.0), Cam::new(60.0, 0.0));
    let later = 1.0 / plain.angular_velocity();
    for i in 0..50 {
        let t = f64::from(i) * 0.05;
        assert!((turned.position(t) - plain.position(t + later)).abs() < 1e-12);
    }
}

/// Returns the L1 norms of the differences in position and velocity up to a time.
fn l1(
    h: f64,
    t_end: f64,
    a: impl Iterator<Item = (f64, f64, f64)>,
    b: impl Fn(usize, f64) -> (f64, f64),
) -> (f64, f64) {
    let (mut of_q, mut of_v) = (0.0, 0.0);
    for (k, (t, q, v)) in a.enumerate().take_while(|(_, (t, ..))| *t <= t_end) {
        let (exact_q, exact_v) = b(k, t);
        of_q += h * (q - exact_q).abs();
        of_v += h * (v - exact_v).abs();
    }
    (of_q, of_v)
}

#[test]
fn both_forms_converge_with_order_one_to_the_exact_motion_and_to_each_other() {
    let example = CamFollower::default();
    let exact = exact_motion(&example, Until::Impacts { count: 10, latest: 3.0 });
    assert_eq!(exact.end, End::ImpactsReached);
    let t_end = exact.t_end;
    let steps = steps(14, 1e-4, 3e-6);
    let mut errors: [Vec<f64>; 6] = Default::default();
    for &h in &steps {
        let example = CamFollower { h, t_end, ..example };
        let [moving, fixed] = [Form::Rheonomic, Form::Translated].map(|form| {
            let table = example.simulate(form).unwrap();
            table.rows().map(|row| (row[0], row[1], row[2])).collect::<Vec<_>>()
        });
        let against_exact =
            |rows: &[(f64, f64, f64)]| l1(h, t_end, rows.iter().copied(), |_, t| exact.state(t));
        let pairs = [
            against_exact(&moving),
            against_exact(&fixed),
            l1(h, t_end, moving.iter().copied(), |k, _| (fixed[k].1, fixed[k].2)),
        ];
        for (k, (of_q, of_v)) in pairs.into_iter().enumerate() {
            errors[2 * k].push(of_q);
            errors[2 * k + 1].push(of_v);
        }
    }
    let names = [
        "q rheonomic",
        "v rheonomic",
        "q translated",
        "v translated",
        "q of the two forms",
        "v of the two forms",
    ];
    let orders: Vec<_> = errors.iter().map(|errors| observed_order(&steps, errors)).collect();
    for (name, observed) in names.iter().zip(&orders) {
        println!("{name}: order {:.3}, scatter {:.2}", observed.order, observed.scatter);
    }
    for (name, observed) in names.iter().zip(&orders) {
        assert!((observed.order - 1.0).abs() <= 0.3, "{name}: {observed:?}");
    }
}

#[test]
fn damping_and_a_follower_force_enter_both_forms_alike() {
    // Only the first two impacts are compared, because later impacts amplify the differences of O(h).
    let t_end = 0.16;
    let example = CamFollower { damping: 8.0, force: |_t| -30.0, h: 1e-6, t_end, ..CamFollower::default() };
    let mean_difference = |example: &CamFollower, exact: &ImpactMotion| {
        [Form::Rheonomic, Form::Translated].map(|form| {
            let table = example.simulate(form).unwrap();
            let rows = table.rows().map(|row| (row[0], row[1], row[2]));
            l1(example.h, t_end, rows, |_, t| exact.state(t.min(t_end))).0 / t_end
        })
    };
    let exact = exact_motion(&example, Until::Time(t_end));
    assert_eq!(exact.impacts.len(), 2);
    // If an impact of 16 m/s is early or late by at most a step, the curve changes by h (1 + e) 16 m/s = 3e-5
    // m.
    for difference in mean_difference(&example, &exact) {
        assert!(difference < 1e-4, "mean difference {difference} m");
    }
    // The comparison is sensitive: without the damping or without the force, the motion is different.
    for other in [CamFollower { damping: 0.0, ..example }, CamFollower { force: |_t| 0.0, ..example }] {
        for difference in mean_difference(&other, &exact) {
            assert!(difference > 1e-3, "mean difference {difference} m");
        }
    }
}

#[test]
fn at_660_rpm_the_curves_agree_for_a_while_that_grows_slowly_with_the_accuracy() {
    let height = Cam::height();
    let apart = |h: f64| {
        let example = CamFollower { h, t_end: 3.0, ..CamFollower::default().at(660.0) };
        let exact = exact_motion(&example, Until::Time(3.0));
        let table = example.simulate(Form::Rheonomic).unwrap();
        let found = table
            .rows()
            .take_while(|row| row[0] <= exact.t_end)
            .find(|row| (row[1] - exact.state(row[0]).0).abs() > 0.1 * height)
            .map(|row| row[0]);
        found.unwrap_or(exact.t_end)
    };
    let times = [1e-4, 1e-5, 1e-6].map(apart);
    println!("660 rpm: within a tenth of the cam's height of the exact motion until t = {times:?} s");
    // The curves diverge for any step, but they agree for longer with a smaller step.
    assert!(times[0] > 0.05 && times[2] > times[0], "{times:?}");
}

#[test]
fn the_switch_times_are_those_of_a_second_program() {
    for rpm in [300.0, 660.0] {
        let (cam, other) = (Cam::new(rpm, 0.0), exact::Cam::new(rpm));
        let (times, others) = (cam.switch_times(0.03, 1.0), other.breakpoints(0.03, 1.0));
        assert!(times.len() == others.len() && times.len() > 25, "{} {}", times.len(), others.len());
        for (a, b) in times.iter().zip(&others) {
            assert!((a - b).abs() < 1e-14, "{a} {b}");
        }
    }
    let (turned, plain) = (Cam::new(60.0, 1.0), Cam::new(60.0, 0.0));
    let later = 1.0 / plain.angular_velocity();
    for (a, b) in turned.switch_times(0.1, 3.0).iter().zip(plain.switch_times(0.1 + later, 3.0 + later)) {
        assert!((a + later - b).abs() < 1e-14);
    }
}

/// Calls `use_it` with the exact motion for a number of turns, including persistent contacts.
fn exact_turns(example: &CamFollower, turns: usize, use_it: impl FnOnce(&ContactMotion<'_>)) {
    let t_end = turns as f64 * example.cam.turn();
    let cam = exact::Cam::new(example.cam.rpm());
    let oscillator = Oscillator::new(example.mass, example.damping, example.stiffness, 0.0);
    let system =
        ImpactOscillator::new(oscillator, example.restitution, Obstacle::cam(cam, t_end), Scan::cells(2e-4));
    let (q, v) = example.relative_start;
    let motion =
        system.solve_with_contact(Arc { t: 0.0, u: q + cam.position(0.0), v: v + cam.velocity(0.0) }, t_end);
    assert_eq!(motion.end, End::TimeReached);
    use_it(&motion);
}

#[test]
fn the_attractor_at_660_rpm_is_that_of_the_exact_motion() {
    // The orbits soon diverge, but both simulations have the same distribution of impact velocities.
    let (transient, turns) = (200, 1500);
    let example = CamFollower { h: 2e-5, ..CamFollower::default() }.at(660.0);
    let bounds = [(5.0, 100.0), (5.0, 15.0), (15.0, 30.0), (30.0, 50.0)];
    let shares = |speeds: &[f64]| {
        bounds
            .map(|(from, to)| speeds.iter().filter(|v| (from..to).contains(*v)).count() as f64 / turns as f64)
    };
    let run = run_time_stepping(&example, Sampling::stroboscopic(&example, transient, turns)).unwrap();
    let stepped: Vec<_> = impact_map(&example.cam, &run).iter().map(|(_, v)| -v).collect();
    let begin = example.cam.turn() * transient as f64;
    exact_turns(&example, transient + turns, |motion| {
        let approach = |i: exact::Impact| example.cam.lift(i.t).c_dot - i.v_minus;
        let exact: Vec<_> = motion.impacts().filter(|i| i.t >= begin).map(approach).collect();
        let (a, b) = (shares(&stepped), shares(&exact));
        println!("impacts a turn in {bounds:?} m/s: {a:.4?} by time-stepping, {b:.4?} exactly");
        // For different initial states, these numbers vary by 0.02 over 6000 turns, and by twice that amount
        // here.
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 0.08, "{a} {b}");
        }
    });
}

#[test]
fn at_358_rpm_the_motion_repeats_after_three_turns() {
    let example = CamFollower { h: 1e-5, ..CamFollower::default() };
    let run = run_time_stepping(&example, Sampling::stroboscopic(&example, 300, 12)).unwrap();
    exact_turns(&example, 1000, |motion| {
        let distance = |turn: u32| {
            let t = f64::from(turn) * example.cam.turn();
            motion.state(t).0 - example.cam.position(t)
        };
        let exact = [990, 991, 992].map(distance);
        for turn in 0..9 {
            assert!((distance(990 + turn) - exact[turn as usize % 3]).abs() < 1e-10, "period three");
        }
        // Time-stepping may be in phase with the exact motion, or shifted by one or two turns.
        let off = |shift: usize| {
            run.q.iter().enumerate().map(|(k, q)| (q - exact[(k + shift) % 3]).abs()).fold(0.0, worse)
        };
        let nearest = off(0).min(off(1)).min(off(2));
        println!("three distances {exact:.6?}, time-stepping is within {nearest:.1e} m");
        assert!(nearest < 3e-3);
    });
}
