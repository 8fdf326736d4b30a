//! Choice of modes: degenerate initial states, simultaneous and successive events, cycles.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;

use super::{Driver, assert_close, with_relation};

/// The system x' = u(t) + lambda, x >= 0, from x = 0, where u is a power of t up to its sign. A derivative of
/// u decides if x leaves 0.
#[test]
fn derivatives_decide_at_the_boundary() {
    for power in 0..4 {
        for sign in [1.0, -1.0] {
            let system = FirstOrderLinear::new(vec![0.0], Array2::zeros((1, 1)))
                .with_source_function(move |at, b| b[0] = sign * at.t.powi(power));
            let model = with_relation(system, FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]), 1);
            let mut driver = Driver::new(&model);
            driver.go(1.0).expect("all modes are found");
            let (x, lambda) = match sign > 0.0 {
                true => (1.0 / f64::from(power + 1), 0.0),
                false => (0.0, 1.0),
            };
            assert_close(&driver.x(), &[x], 1e-11);
            assert_close(&driver.lambda(), &[lambda], 1e-12);
            assert_eq!(driver.events.len(), 1, "u = {sign} t^{power}");
        }
    }
}

/// A point on its boundary, with a source that is zero until t = 0.5. Until then, the derivatives do not
/// decide if the point leaves the boundary.
#[test]
fn margin_finds_what_begins_later() {
    for (start, speed) in [(0.0, 0.0), (0.0, 1.0)] {
        let system = FirstOrderLinear::new(vec![start, 0.0], Array2::zeros((2, 2)))
            .with_source_function(move |at, b| (b[0], b[1]) = (-(at.t - 0.5).max(0.0), speed));
        let relation = FirstOrderLinearRelation::new(array![[1.0, 0.0]], array![[1.0], [0.0]]);
        let model = with_relation(system, relation, 1);
        let mut driver = Driver::new(&model);
        driver.go(1.0).expect("all modes are found");
        assert_close(&driver.x(), &[0.0, speed], 1e-12);
        assert_close(&driver.lambda(), &[0.5], 1e-12);
    }
}

fn falling(heights: &[f64]) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    for height in heights {
        let x = model
            .add_system(FirstOrderLinear::new(vec![*height], array![[0.0]]).with_source(vec![-1.0]))
            .expect("shapes fit");
        let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
        let law = ComplementarityCondition::new(1).expect("not empty");
        model.add_interaction([x], relation, law).expect("shapes fit");
    }
    model
}

/// Points that reach their walls one after the other, two of them simultaneously.
#[test]
fn events_come_in_order() {
    let model = falling(&[0.7, 0.3, 0.5, 0.3]);
    let mut driver = Driver::new(&model);
    driver.go(1.0).expect("all modes are found");
    assert_close(&driver.times(), &[0.3, 0.5, 0.7], 1e-12);
    let sets: Vec<Vec<usize>> = driver.events.iter().map(|event| event.active.clone()).collect();
    assert_eq!(sets, [vec![], vec![1, 3], vec![1, 2, 3], vec![0, 1, 2, 3]]);
    assert_eq!(driver.x(), [0.0; 4]);
    assert_close(&driver.lambda(), &[1.0; 4], 1e-14);
}

/// Twenty points, too many to try all sets: the complementarity problem finds the active set.
#[test]
fn many_constraints_at_once() {
    let model = falling(&[0.5; 20]);
    let mut driver = Driver::new(&model);
    driver.go(1.0).expect("all modes are found");
    assert_close(&driver.times(), &[0.5], 1e-12);
    assert_close(&driver.lambda(), &[1.0; 20], 1e-14);
    // The same points start on the boundary, without a previous mode.
    let model = falling(&[0.0; 20]);
    let mut driver = Driver::new(&model);
    driver.go(1.0).expect("all modes are found");
    assert_eq!((driver.events.len(), driver.x()), (1, vec![0.0; 20]));
}

/// One constraint that is stated twice: lambda is not unique, the motion is unique.
#[test]
fn redundant_constraints() {
    let c = array![[1.0], [1.0]];
    let system =
        FirstOrderLinear::new(vec![0.4], array![[0.0]]).with_source_function(|at, b| b[0] = at.t - 1.0);
    let model = with_relation(system, FirstOrderLinearRelation::new(c.clone(), c.t().to_owned()), 2);
    let mut driver = Driver::new(&model);
    let touch = 1.0 - 0.2_f64.sqrt();
    driver.go(0.9).expect("all modes are found");
    assert_close(&driver.times(), &[touch], 1e-12);
    assert_close(&[driver.lambda().iter().sum()], &[0.1], 1e-12);
    driver.go(2.0).expect("all modes are found");
    assert_close(&driver.x(), &[0.5], 1e-11);
    assert_close(&driver.times(), &[touch, 1.0], 1e-11);
}

/// An equality couples two states, and a stop limits one of them.
#[test]
fn equality_beside_a_stop() {
    let mut model = NonSmoothDynamicalSystem::new();
    let pair = FirstOrderLinear::new(vec![1.0, 1.0], array![[-1.0, 0.0], [0.0, -3.0]]);
    let pair = model.add_system(pair).expect("shapes fit");
    let tie = FirstOrderLinearRelation::new(array![[1.0, -1.0]], array![[1.0], [-1.0]]);
    model.add_interaction([pair], tie, EqualityCondition::new(1).expect("not empty")).expect("shapes fit");
    let stop =
        FirstOrderLinearRelation::new(array![[1.0, 0.0]], array![[1.0], [0.0]]).with_offset(vec![-0.5]);
    let law = ComplementarityCondition::new(1).expect("not empty");
    model.add_interaction([pair], stop, law).expect("shapes fit");
    let mut driver = Driver::new(&model);
    // The coupled states decay at the mean rate 2.
    driver.go(0.2).expect("all modes are found");
    let x = (-0.4_f64).exp();
    assert_close(&driver.x(), &[x, x], 1e-12);
    assert_close(&driver.lambda(), &[-x, 0.0], 1e-11);
    driver.go(1.0).expect("all modes are found");
    assert_close(&driver.times(), &[0.5 * 2.0_f64.ln()], 1e-12);
    // 0 = -0.5 + a + b, 0 = -1.5 - a.
    assert_close(&driver.x(), &[0.5, 0.5], 1e-13);
    assert_close(&driver.lambda(), &[-1.5, 2.0], 1e-11);
}

/// An initial state that violates an equality: both states jump to the common value that preserves their sum.
#[test]
fn jump_onto_an_equality() {
    let mut model = NonSmoothDynamicalSystem::new();
    let pair =
        model.add_system(FirstOrderLinear::new(vec![1.0, 4.0], Array2::zeros((2, 2)))).expect("shapes fit");
    let tie = FirstOrderLinearRelation::new(array![[1.0, -1.0]], array![[1.0], [-1.0]]);
    model.add_interaction([pair], tie, EqualityCondition::new(1).expect("not empty")).expect("shapes fit");
    let mut driver = Driver::new(&model);
    assert!(driver.events[0].jumped);
    driver.go(1.0).expect("all modes are found");
    assert_close(&driver.x(), &[2.5, 2.5], 1e-14);
}
