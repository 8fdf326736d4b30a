//! Event-driven simulation compared with time-stepping: the difference is of order 1 in the step length.

use siconos_kernel::prelude::*;
use siconos_models::{BuiltModel, ball, oscillating_table, wall_oscillator};
use siconos_testkit::convergence::{observed_order, steps};

/// Returns the largest difference of q and the mean difference of v between the two simulations at the points
/// of a grid.
fn difference(built: &BuiltModel, h: f64, t_end: f64) -> (f64, f64) {
    let grid = || {
        let n = (t_end / h).round() as usize;
        TimeDiscretisation::from_times((0..=n).map(|k| k as f64 * h).collect::<Vec<_>>()).unwrap()
    };
    let body = built.bodies[0];
    let mut stepping = TimeStepping::builder(&built.model).discretisation(grid()).build().unwrap();
    let mut driven = EventDriven::builder(&built.model).discretisation(grid()).build().unwrap();
    let mut a = stepping.initial_state(&built.model).unwrap();
    let mut b = driven.initial_state(&built.model).unwrap();
    let (mut sup, mut l1) = (0.0_f64, 0.0);
    while stepping.step(&built.model, &mut a).unwrap().is_some() {
        // Advance to the same point, through the events in between.
        while b.step() < a.step() {
            driven.step(&built.model, &mut b).unwrap().unwrap();
        }
        assert_eq!(a.t, b.t);
        sup = sup.max((a.q(body)[0] - b.q(body)[0]).abs());
        l1 += h * (a.v(body)[0] - b.v(body)[0]).abs();
    }
    (sup, l1)
}

#[test]
fn the_difference_is_of_order_one() {
    // The runs end before the accumulations.
    let systems = [
        ("ball", ball(9.81, 0.7, 1.0, 0.0).unwrap(), 2.0),
        ("wall oscillator", wall_oscillator(4.0, 0.8, 0.6, -1.0).unwrap(), 3.0),
        ("table", oscillating_table(9.81, 0.3, 0.02, 30.0).unwrap(), 0.2),
    ];
    for (name, built, t_end) in systems {
        let steps = steps(8, 5e-3, 1e-4);
        let (mut of_q, mut of_v) = (Vec::new(), Vec::new());
        for &h in &steps {
            // The mean over several step lengths near h, because a single value fluctuates.
            let near: Vec<_> =
                (0..8).map(|k| difference(&built, h * (1.0 + 0.0137 * f64::from(k)), t_end)).collect();
            of_q.push(near.iter().map(|(q, _)| q).sum::<f64>() / 8.0);
            of_v.push(near.iter().map(|(_, v)| v).sum::<f64>() / 8.0);
        }
        let (q, v) = (observed_order(&steps, &of_q), observed_order(&steps, &of_v));
        println!(
            "{name}: order of q {:.3} (scatter {:.2}), of v {:.3} (scatter {:.2})",
            q.order, q.scatter, v.order, v.scatter
        );
        assert!((q.order - 1.0).abs() < 0.15, "{name}: {q:?}");
        assert!((v.order - 1.0).abs() < 0.15, "{name}: {v:?}");
    }
}
