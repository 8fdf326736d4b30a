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
