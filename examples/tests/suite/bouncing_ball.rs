//! Comparison of the bouncing ball with its closed form.

use siconos_examples::bouncing_ball::BouncingBall;
use siconos_kernel::prelude::*;
use siconos_testkit::convergence::observed_order;
use siconos_testkit::exact;

const G: f64 = 9.81;

/// Returns (end time, velocity before, velocity after) for each step with an impact.
fn impacts(ball: BouncingBall) -> Vec<(f64, f64, f64)> {
    let table = ball.simulate().unwrap();
    let rows: Vec<&[f64]> = table.rows().collect();
    rows.windows(2).filter(|pair| pair[1][3] > 0.0).map(|pair| (pair[1][0], pair[0][2], pair[1][2])).collect()
}

#[test]
fn the_first_impact_comes_within_one_step_of_the_exact_time() {
    // The contact is active in the step from t_k if y_k + h/2 v_k <= 0, that is, if the exact impact is
    // between t_k - h/2 and t_k + h/2. The impulse acts during that step. Its time is the midpoint of the
    // step.
    let exact = (2.0_f64 / G).sqrt();
    for h in [5e-3, 3.1e-3, 1.7e-3, 0.9e-3, 1e-4] {
        let (t, ..) = impacts(BouncingBall { h, t_end: 1.0, ..BouncingBall::default() })[0];
        let middle = t - 0.5 * h;
        assert!((middle - exact).abs() <= h, "h = {h}: impact at {middle}, exactly {exact}");
    }
}

#[test]
fn an_impact_leaves_the_fraction_e_squared_of_the_energy_to_first_order_in_h() {
    // The scheme applies v+ = -e v_k, but the velocity at the impact is v_k minus g times a fraction of the
    // step. The relative error of the energy is therefore at most 2 g h / |v| if |v| is much larger than g h.
    for h in [5e-3, 1e-3, 1e-4] {
        let ball = BouncingBall { h, t_end: 6.0, ..BouncingBall::default() };
        let all = impacts(ball);
        let counted: Vec<_> = all.iter().filter(|(_, before, _)| before.abs() > 50.0 * G * h).collect();
        assert!(counted.len() >= 5, "h = {h}: only {} impacts to look at", counted.len());
        for (t, before, after) in counted {
            let ratio = (after / before).powi(2);
            let allowed = 2.0 * G * h / before.abs();
            assert!((ratio / 0.81 - 1.0).abs() <= allowed, "h = {h}, t = {t}: energy ratio {ratio}");
        }
    }
}

#[test]
fn it_converges_with_order_one_before_the_accumulation() {
    let exact = exact::BouncingBall::new(G, 0.9, 1.0, 0.0);
    let steps = siconos_testkit::convergence::steps(12, 5e-3, 2e-5);
    let (mut of_q, mut of_v) = (Vec::new(), Vec::new());
    for &h in &steps {
        let table = BouncingBall { h, t_end: 5.0, ..BouncingBall::default() }.simulate().unwrap();
        of_q.push(table.rows().map(|row| h * (row[1] - exact.position(row[0])).abs()).sum::<f64>());
        of_v.push(table.rows().map(|row| h * (row[2] - exact.velocity(row[0])).abs()).sum::<f64>());
    }
    for (what, errors) in [("q", of_q), ("v", of_v)] {
        let observed = observed_order(&steps, &errors);
        println!("L1 norm of {what}: order {:.3}, scatter {:.2}", observed.order, observed.scatter);
        assert!((observed.order - 1.0).abs() <= 0.3, "{what}: {observed:?}");
    }
}

#[test]
fn every_step_satisfies_the_impact_law() {
    let ball = BouncingBall::default();
    let (model, _, floor) = ball.model().unwrap();
    let mut simulation = ball.simulation(&model).unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut contacts = 0;
    loop {
        let before = state.y(floor, Level::Velocity)[0];
        let Some(report) = simulation.step(&model, &mut state).unwrap() else { break };
        let (after, lambda) = (state.y(floor, Level::Velocity)[0], state.lambda(floor, Level::Velocity)[0]);
        let w = after + 0.9 * before;
        if report.active.is_empty() {
            assert_eq!(lambda, 0.0);
        } else {
            contacts += 1;
            assert!(
                w >= -1e-13 && lambda >= 0.0 && (w * lambda).abs() < 1e-12,
                "t = {}: w {w}, lambda {lambda}",
                state.t
            );
        }
    }
    assert!(contacts > 300, "the ball rests in contact at the end");
}
