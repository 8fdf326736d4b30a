//! Events that accumulate.

use siconos_kernel::Side;
use siconos_kernel::hybrid::{Action, Answer, HybridSystem, Trigger, View};

use super::{assert_near, firings, solve};

#[test]
fn a_ball_that_loses_half_of_its_speed_ends_where_its_impacts_accumulate() {
    let mut system =
        HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -1.0).expect("a name");
    system.event(Trigger::decreasing("y"), Action::set(|p| p.set(1, -0.5 * p.x()[1]))).expect("it fits");
    let mut solution = solve(&system, &[1.0, 0.0]);
    let root_2 = 2.0_f64.sqrt();
    let answer = solution.at(10.0).expect("it goes");
    let Answer::Accumulation { t, events, .. } = &answer else { panic!("{answer}") };
    assert_eq!(events, &[1]);
    assert_near(*t, 3.0 * root_2, 1e-6);
    let fired = firings(&solution);
    assert!(fired.len() > 15, "{}", fired.len());
    for (n, (_, t)) in (1..).zip(&fired) {
        assert_near(*t, root_2 * (3.0 - 2.0_f64.powi(2 - n)), 1e-8);
    }
    let end = solution.t();
    let trajectory = solution.trajectory();
    let mut y = [0.0];
    for k in 0..=20_000 {
        trajectory.write(end * f64::from(k) / 20_000.0, Side::After, &mut y).expect("it is there");
        assert!(y[0] >= -1e-12, "{y:?} after {k}");
    }
    for t in trajectory.times() {
        trajectory.write(t, Side::Before, &mut y).expect("it is there");
        assert!(y[0] >= -1e-12, "{y:?} at {t}");
    }
    assert_eq!(solution.at(11.0).expect("it is known"), answer);
    assert_eq!(solution.at(1.0).expect("it is there"), Answer::Reached);
    assert_near(solution.x()[0], 0.5, 1e-12);
}

#[test]
fn what_is_far_away_neither_hides_nor_makes_an_accumulation() {
    // A ball beside a sample every 10 ms and an oscillator with events of its own.
    let mut system = HybridSystem::second_order(["y", "z"], |p: View, a: &mut [f64]| {
        (a[0], a[1]) = (-1.0, -400.0 * p.x[1]);
    })
    .expect("names");
    system.event(Trigger::periodic(0.0, 0.01), Action::None).expect("it fits");
    system.event(Trigger::root("z"), Action::None).expect("it fits");
    system.event(Trigger::decreasing("y"), Action::set(|p| p.set(2, -0.5 * p.x()[2]))).expect("it fits");
    let mut solution = solve(&system, &[1.0, 0.0, 0.0, 1.0]);
    let answer = solution.at(10.0).expect("it goes");
    let Answer::Accumulation { t, events, .. } = &answer else { panic!("{answer}") };
    assert_eq!(events, &[3]);
    assert_near(*t, 3.0 * 2.0_f64.sqrt(), 1e-6);
    // Disabled, the ball falls on.
    solution.disable(3).expect("there is one");
    assert_eq!(solution.at(10.0).expect("it goes"), Answer::Reached);
    assert!(solution.x()[0] < -10.0);
}

#[test]
fn a_ball_of_any_restitution_accumulates_and_is_never_below_the_ground() {
    for k in 1..=9 {
        let e = 0.1 * f64::from(k);
        for ground in [0.0, 1.0, -1e3] {
            let mut system =
                HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -1.0).expect("a name");
            let gap = move |p: View| p.x[0] - ground;
            system
                .event(Trigger::decreasing(gap), Action::set(move |p| p.set(1, -e * p.x()[1])))
                .expect("it fits");
            let mut solution = solve(&system, &[ground + 0.5, 0.0]);
            let answer = solution.at(100.0).expect("it goes");
            let Answer::Accumulation { t, .. } = &answer else { panic!("{e} {ground}: {answer}") };
            assert_near(*t, (1.0 + e) / (1.0 - e), 2e-6 * (1.0 + ground.abs()));
            let mut y = [0.0];
            for t in solution.trajectory().times() {
                solution.trajectory().write(t, Side::Before, &mut y).expect("it is there");
                assert!(y[0] - ground >= -1e-12 * (1.0 + ground.abs()), "{e} {ground}: {y:?} at {t}");
            }
        }
    }
}

#[test]
fn a_switch_that_chatters_ends_where_it_does() {
    // x' = -sign(x) by a switch that flips whenever x crosses zero by 1e-9 in the wrong direction: the flips
    // follow each other faster and faster, since the band shrinks by half each time.
    let mut system = HybridSystem::first_order(["x", "band"], |p: View, rate: &mut [f64]| {
        (rate[0], rate[1]) = (p.discrete[0], 0.0);
    })
    .expect("names");
    let s = system.discrete("s", siconos_kernel::hybrid::VariableType::Float, -1.0).expect("it fits");
    let flip = Action::set(move |p| {
        p.set(s, -p[s]);
        p.set(1, 0.5 * p.x()[1]);
    });
    system.event(Trigger::decreasing(|p: View| p.x[0] + p.x[1]), flip.clone()).expect("it fits");
    system.event(Trigger::increasing(|p: View| p.x[0] - p.x[1]), flip).expect("it fits");
    let mut solution = solve(&system, &[0.0, 0.25]);
    let answer = solution.at(5.0).expect("it goes");
    // 1/4, then 1/4 + 1/8, 1/8 + 1/16, ..
    let Answer::Accumulation { t, events, .. } = &answer else { panic!("{answer}") };
    assert!(!events.is_empty());
    assert_near(*t, 1.0, 1e-5);
}

#[test]
fn a_ball_that_is_stopped_by_the_ground_does_not_fall_through_it() {
    // The velocity is set to zero, and gravity goes on: the events stay where they are, and no answer lies
    // below.
    for ground in [0.0, 1.0, -1e3] {
        let mut system =
            HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -1.0).expect("a name");
        let gap = move |p: View| p.x[0] - ground;
        system.event(Trigger::decreasing(gap), Action::set(|p| p.set(1, 0.0))).expect("it fits");
        let mut solution = solve(&system, &[ground + 0.5, 0.0]);
        let answer = solution.at(3.0).expect("it goes");
        let Answer::Accumulation { t, .. } = &answer else { panic!("{ground}: {answer}") };
        assert_near(*t, 1.0, 1e-5);
        assert!(solution.x()[0] >= ground - 1e-11 * (1.0 + ground.abs()), "{}", solution.x()[0] - ground);
    }
}

#[test]
fn roots_at_which_a_trigger_does_not_move_are_no_accumulation() {
    // Powers of a sine, so flat at their roots that their values underflow around these.
    for power in [3, 31, 101] {
        let mut system =
            HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0).expect("x");
        system.event(Trigger::root(move |p: View| p.x[0].sin().powi(power)), Action::None).expect("it fits");
        let mut solution = solve(&system, &[0.5]);
        assert_eq!(solution.at(12.0).expect("it goes"), Answer::Reached, "{power}");
        assert_eq!(firings(&solution).len(), 3, "{power}");
    }
}
