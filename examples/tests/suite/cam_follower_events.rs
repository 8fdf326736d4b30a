//! Comparison of event-driven simulation of the cam-follower with its exact motion, which consists of arcs of
//! an oscillator between impacts.

use siconos_examples::cam_follower::{CamFollower, Sampling, maps::impact_map, run_event_driven};
use siconos_testkit::compare::{largest_difference, worse};
use siconos_testkit::exact::{self, Arc, End, ImpactOscillator, Obstacle, Oscillator, Scan};

/// Calls `use_it` with the exact motion of an example, computed up to a time.
fn exact(example: &CamFollower, t_end: f64, use_it: impl FnOnce(&exact::ContactMotion<'_>)) {
    let cam = exact::Cam::new(example.cam.rpm());
    let oscillator = Oscillator::new(example.mass, example.damping, example.stiffness, 0.0);
    let system =
        ImpactOscillator::new(oscillator, example.restitution, Obstacle::cam(cam, t_end), Scan::cells(2e-4));
    let (q, v) = example.relative_start;
    let start = Arc { t: 0.0, u: q + cam.position(0.0), v: v + cam.velocity(0.0) };
    let motion = system.solve_with_contact(start, t_end);
    assert_eq!(motion.end, End::TimeReached);
    use_it(&motion);
}

#[test]
fn it_follows_the_exact_motion() {
    let t_end = 1.5;
    // Chaos amplifies the errors at 660 rpm. At each speed there are about 20 impacts in 1.5 s.
    for (rpm, tolerance) in [(358.0, 5e-8), (660.0, 5e-6), (700.0, 1e-8)] {
        let example = CamFollower::default().at(rpm);
        let run = run_event_driven(&example, Sampling::over(t_end, 1e-3)).unwrap();
        assert_eq!(run.t.len(), 1501);
        exact(&example, t_end, |motion| {
            let error = |(t, q): (&f64, &f64)| (motion.state(*t).0 - example.cam.position(*t) - q).abs();
            let worst = run.t.iter().zip(&run.q).map(error).fold(0.0, worse);
            let impacts: Vec<_> = motion.impacts().collect();
            assert_eq!(run.impacts.len(), impacts.len(), "{rpm} rpm: none lost, none twice");
            let late = run.impacts.iter().zip(&impacts).map(|(a, b)| (a.t - b.t).abs()).fold(0.0, worse);
            println!("{rpm} rpm: {} impacts, within {worst:.1e} m, {late:.1e} s", impacts.len());
            assert!(worst < tolerance && late < tolerance, "{rpm} rpm: {worst:e} m, {late:e} s");
        });
        for impact in &run.impacts {
            assert!((impact.v_plus + 0.8 * impact.v_minus).abs() < 1e-10, "{impact:?}");
        }
    }
}

#[test]
fn the_attractor_at_660_rpm_is_that_of_the_exact_motion() {
    let (transient, turns) = (200, 1500);
    let example = CamFollower::default().at(660.0);
    let bounds = [(0.0, 5.0), (5.0, 15.0), (15.0, 30.0), (30.0, 60.0)];
    let shares = |speeds: &[f64]| {
        bounds
            .map(|(from, to)| speeds.iter().filter(|v| (from..to).contains(*v)).count() as f64 / turns as f64)
    };
    let run = run_event_driven(&example, Sampling::stroboscopic(&example, transient, turns)).unwrap();
    let found: Vec<_> = impact_map(&example.cam, &run).iter().map(|(_, v)| -v).collect();
    let begin = example.cam.turn() * transient as f64;
    exact(&example, example.cam.turn() * (transient + turns) as f64, |motion| {
        let approach = |i: exact::Impact| example.cam.lift(i.t).c_dot - i.v_minus;
        let exact: Vec<_> = motion.impacts().filter(|i| i.t >= begin).map(approach).collect();
        let (a, b) = (shares(&found), shares(&exact));
        println!("impacts a turn in {bounds:?} m/s: {a:.4?} by events, {b:.4?} exactly");
        // For different initial states, these numbers vary by 0.04 over 1500 turns.
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 0.08, "{a} {b}");
        }
    });
}

#[test]
fn at_358_rpm_the_motion_repeats_after_three_turns_and_at_700_after_one() {
    for (rpm, period) in [(358.0, 3), (700.0, 1)] {
        let example = CamFollower::default().at(rpm);
        let run = run_event_driven(&example, Sampling::stroboscopic(&example, 600, 12)).unwrap();
        let worst = largest_difference(&run.q[..run.q.len() - period], &run.q[period..]);
        let nearest = run.q.iter().zip(&run.q[1..]).map(|(a, b)| (a - b).abs()).fold(f64::MAX, f64::min);
        println!("{rpm} rpm: repeats within {worst:.1e} m");
        assert!(worst < 1e-8, "{rpm} rpm: {worst:e}");
        assert!(period == 1 || nearest > 1e-3, "no shorter period");
    }
}
