//! Many independent bodies in one model: each moves as if it were alone.

use ndarray::array;
use siconos_kernel::model::InteractionId;
use siconos_kernel::prelude::*;

const G: f64 = 9.81;

/// Creates balls over a floor, with restitution 1/2, released at the given heights.
fn balls(
    heights: impl Iterator<Item = f64>,
) -> (NonSmoothDynamicalSystem, Vec<(DynamicalSystemId, InteractionId)>) {
    let mut model = NonSmoothDynamicalSystem::new();
    let balls = heights.map(|height| {
        let ball =
            LagrangianLinear::new(vec![height], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = -G);
        let ball = model.add_system(ball).unwrap();
        let floor = LagrangianLinearRelation::new(array![[1.0]]);
        (ball, model.add_interaction([ball], floor, NewtonImpact::new(0.5).unwrap()).unwrap())
    });
    let balls = balls.collect();
    (model, balls)
}

/// Simulates n balls that are released together. After each impact, all have half of their speed, and they
/// come to rest at the same time as a single ball.
fn drop_together(n: usize) {
    let (model, balls) = balls(std::iter::repeat_n(1.0, n));
    let grid = TimeDiscretisation::uniform(0.0, 1.5, 0.5).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let fall = (2.0 / G).sqrt();
    let (mut bounce, mut speed, mut expected, mut accumulation) = (0, G * fall, fall, None);
    sim.run(&model, &mut state, |report, state| {
        if report.impacts.is_empty() {
            return;
        }
        if report.accumulation.is_some() {
            assert_eq!(report.accumulation.map(|found| found.contacts.len()), Some(n));
            assert!(accumulation.replace(report.t).is_none(), "once");
            return;
        }
        assert_eq!(report.impacts.len(), n, "bounce {bounce}");
        speed *= 0.5;
        assert!((report.t - expected).abs() < 1e-10, "bounce {bounce}: {} {expected}", report.t);
        for (ball, _) in &balls {
            assert!(
                (state.v(*ball)[0] - speed).abs() < 1e-9,
                "bounce {bounce}: {} {speed}",
                state.v(*ball)[0]
            );
        }
        bounce += 1;
        expected += 2.0 * speed / G;
    })
    .unwrap();
    let exact = 3.0 * fall;
    assert!(
        bounce > 15 && (accumulation.unwrap() - exact).abs() < 2e-6,
        "{bounce} bounces, {accumulation:?} {exact}"
    );
    for (ball, floor) in balls {
        assert_eq!((state.q(ball)[0], state.v(ball)[0], state.closed(floor)), (0.0, 0.0, &[true][..]));
    }
}

#[test]
fn balls_that_are_dropped_together_bounce_as_one_does() {
    for n in [1, 2, 200, 201] {
        drop_together(n);
    }
}

#[test]
fn a_thousand_balls() {
    let begin = std::time::Instant::now();
    drop_together(1000);
    println!("1000 balls: {:?}", begin.elapsed());
}

/// Impacts of many balls in a short interval, each at its own time, do not count as an accumulation.
#[test]
fn balls_that_are_dropped_one_after_the_other() {
    let heights: Vec<f64> = (0..300).map(|k| 1.0 + 1e-9 * f64::from(k)).collect();
    let (model, balls) = balls(heights.iter().copied());
    let grid = TimeDiscretisation::uniform(0.0, 0.6, 0.6).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut impacts = 0;
    sim.run(&model, &mut state, |report, _| {
        impacts += report.impacts.len();
        assert!(report.accumulation.is_none(), "t = {}", report.t);
    })
    .unwrap();
    assert_eq!(impacts, 300);
    for ((ball, _), height) in balls.iter().zip(&heights) {
        let fall = (2.0 * height / G).sqrt();
        let flight = 0.6 - fall;
        let exact = flight * (0.5 * G * fall - 0.5 * G * flight);
        assert!((state.q(*ball)[0] - exact).abs() < 1e-9, "{height}: {} {exact}", state.q(*ball)[0]);
    }
}
