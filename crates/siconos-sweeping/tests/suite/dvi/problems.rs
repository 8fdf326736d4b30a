//! Test problems and their solutions.

use ndarray::{Array2, array};
use siconos_kernel::siconos_numerics::cone::Polyhedron;
use siconos_sweeping::dvi::{Boundary, Dvi, DviSet, StateMap, ViMap};

/// The interval [-1, 1].
pub(super) fn unit_box() -> DviSet {
    DviSet::Box { lower: vec![-1.0], upper: vec![1.0] }
}

/// The set of u with H u >= k.
pub(super) fn polyhedron(h: Array2<f64>, k: Vec<f64>) -> DviSet {
    DviSet::Polyhedron(Polyhedron::new(h, k).unwrap())
}

/// x' = -x + u, u = proj of 2 - 3 x onto [-1, 1].
pub(super) fn saturated() -> Dvi {
    Dvi::new(
        StateMap::linear(array![[-1.0]]),
        array![[1.0]],
        StateMap::linear(array![[3.0]]).with_offset(vec![-2.0]),
        ViMap::Linear(array![[1.0]]),
        unit_box(),
    )
    .unwrap()
}

/// State of [`saturated`] from x = 0.
pub(super) fn saturated_state(t: f64) -> f64 {
    let switch = 1.5_f64.ln();
    if t < switch { 1.0 - (-t).exp() } else { 0.5 - (-4.0 * (t - switch)).exp() / 6.0 }
}

/// x' = 1/2 + u, u in -Sgn x.
pub(super) fn friction() -> Dvi {
    Dvi::new(
        StateMap::linear(array![[0.0]]).with_offset(vec![0.5]),
        array![[1.0]],
        StateMap::linear(array![[1.0]]),
        ViMap::Linear(array![[0.0]]),
        unit_box(),
    )
    .unwrap()
}

/// (a): x' = u, p' = -x, u = proj of -p onto [-1, 1].
pub(super) fn regulator() -> Dvi {
    Dvi::new(
        StateMap::linear(array![[0.0, 0.0], [-1.0, 0.0]]),
        array![[1.0], [0.0]],
        StateMap::linear(array![[0.0, 1.0]]),
        ViMap::Linear(array![[1.0]]),
        unit_box(),
    )
    .unwrap()
}

/// Conditions of (a): x(0) = 1 + coth 1, p(2) = 0.
pub(super) fn regulator_ends() -> Boundary {
    Boundary {
        m: array![[1.0, 0.0], [0.0, 0.0]],
        n: array![[0.0, 0.0], [0.0, 1.0]],
        b: vec![1.0 + 1.0 / 1.0_f64.tanh(), 0.0],
    }
}

/// State of (a): u = -1 until t = 1, then x = cosh(2 - t) / sinh 1.
pub(super) fn regulator_state(t: f64) -> f64 {
    let start = 1.0 + 1.0 / 1.0_f64.tanh();
    if t < 1.0 { start - t } else { (2.0 - t).cosh() / 1.0_f64.sinh() }
}

/// (b): q' = v, v' = u, and the costates: p_q' = 0, p_v' = -p_q, u = proj of -p_v onto [-1, 1].
pub(super) fn rest_to_rest() -> Dvi {
    let mut a = Array2::zeros((4, 4));
    (a[[0, 1]], a[[3, 2]]) = (1.0, -1.0);
    let mut b = Array2::zeros((4, 1));
    b[[1, 0]] = 1.0;
    let c = array![[0.0, 0.0, 0.0, 1.0]];
    Dvi::new(StateMap::linear(a), b, StateMap::linear(c), ViMap::Linear(array![[1.0]]), unit_box()).unwrap()
}

/// Conditions of (b): from rest at 0 to rest at 11/12.
pub(super) fn rest_to_rest_ends() -> Boundary {
    let (mut m, mut n) = (Array2::zeros((4, 4)), Array2::zeros((4, 4)));
    (m[[0, 0]], m[[1, 1]], n[[2, 0]], n[[3, 1]]) = (1.0, 1.0, 1.0, 1.0);
    Boundary { m, n, b: vec![0.0, 0.0, 11.0 / 12.0, 0.0] }
}

/// Position and velocity of (b).
pub(super) fn rest_to_rest_state(t: f64) -> [f64; 2] {
    if t > 1.0 {
        let [q, v] = rest_to_rest_state(2.0 - t);
        return [11.0 / 12.0 - q, v];
    }
    if t < 0.5 {
        return [t * t / 2.0, t];
    }
    [t * t - t.powi(3) / 3.0 - t / 4.0 + 1.0 / 24.0, 2.0 * t - t * t - 0.25]
}

/// (c): x' = -x + u, u = max(0, sin t).
pub(super) fn rectified() -> Dvi {
    Dvi::new(
        StateMap::linear(array![[-1.0]]),
        array![[1.0]],
        StateMap::linear(array![[0.0]]).with_offset_function(|t, g| g[0] = -t.sin()),
        ViMap::Linear(array![[1.0]]),
        DviSet::Orthant,
    )
    .unwrap()
}

/// Equal states at both ends.
pub(super) fn periodic() -> Boundary {
    Boundary { m: array![[1.0]], n: array![[-1.0]], b: vec![0.0] }
}
