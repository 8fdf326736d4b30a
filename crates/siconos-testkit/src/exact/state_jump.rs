//! Jump of the state of a passive linear complementarity system at an inconsistent initial state.
//!
//! Let $\tfrac12 x^T P x$ be the storage function and
//! $Q = \lbrace \sigma \ge 0, D \sigma \ge 0, \sigma^T D \sigma = 0 \rbrace$ the cone of the impulses that
//! the law allows. After the jump, $C x$ is in the dual cone of $Q$. Among the states with this property, the
//! state after the jump is the nearest to the state before the jump in the metric of $P$:
//!
//! $$ x^+ = \arg\min \tfrac12 (x - x^-)^T P (x - x^-), \quad C x \in Q^*,
//!    \qquad x^+ - x^- = B \sigma, \sigma \in Q $$
//!
//! (Heemels, Schumacher and Weiland, SIAM J. Appl. Math. 60, 2000; Frasca, Camlibel, Goknar, Iannelli and
//! Vasca, IEEE Trans. Circuits Syst. I 57, 2010). For $D = 0$ this is the projection onto
//! $\lbrace C x \ge 0 \rbrace$. The implementation is limited to a few multipliers, because it tries all sets
//! of rows to find the extreme rays of $Q$, and all sets of rays to find the active rays.

use ndarray::{Array1, Array2, Axis, concatenate};

use super::{LinearModel, small};

/// Threshold for zero, relative to the magnitude of the terms of a sum.
const SMALL: f64 = 1e-10;

/// Jump of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateJump {
    /// State after the jump.
    pub x: Array1<f64>,
    /// Impulse $\sigma$ of the multiplier, with $x^+ - x^- = B \sigma$. The state is unique, but the impulse
    /// may not be unique.
    pub sigma: Array1<f64>,
}

/// Computes the jump at the initial state of a model whose law is complementarity. If the state is
/// consistent, $\sigma = 0$.
///
/// # Panics
///
/// If the model is not passive with the storage matrix $P$: $D$ must be positive semidefinite on the rays of
/// $Q$, and $P B \sigma = C^T \sigma$ must hold for them. If there are more than 8 multipliers or 20 rays.
///
/// ```
/// use ndarray::array;
/// use siconos_testkit::exact::{LinearModel, state_jump};
///
/// // A capacitor of 2 uF at -5 V across a diode: the diode discharges it.
/// let model = LinearModel {
///     a: array![[0.0]],
///     b: array![[1.0 / 2e-6]],
///     c: array![[1.0]],
///     d: array![[0.0]],
///     x0: array![-5.0],
/// };
/// let jump = state_jump(&model, &array![[2e-6]]);
/// assert!(jump.x[0].abs() < 1e-15 && (jump.sigma[0] - 1e-5).abs() < 1e-20);
/// ```
#[track_caller]
#[must_use]
pub fn state_jump(model: &LinearModel, storage: &Array2<f64>) -> StateJump {
    let rays = impulse_rays(&model.d);
    for ray in &rays {
        let (left, right) = (storage.dot(&model.b.dot(ray)), model.c.t().dot(ray));
        let off = (&left - &right).iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        let size = right.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        assert!(off <= 1e-9 * size, "P B = C^T fails on the impulse {ray}");
    }
    assert!(rays.len() <= 20, "{} rays are too many for trying all sets", rays.len());
    let (n, m) = model.b.dim();
    let effects: Vec<Array1<f64>> = rays.iter().map(|ray| model.b.dot(ray)).collect();
    let outputs: Vec<Array1<f64>> = rays.iter().map(|ray| model.c.t().dot(ray)).collect();
    // The terms are computed with the state before the jump as well, because the state after the jump can be
    // zero up to rounding.
    let gap = |x: &Array1<f64>, k: usize| {
        let parts = outputs[k].iter().zip(x.iter().zip(&model.x0));
        let size: f64 = parts.map(|(row, (after, before))| row.abs() * (after.abs() + before.abs())).sum();
        let value = outputs[k].dot(x);
        if value.abs() <= SMALL * size { 0.0 } else { value }
    };
    // Sets with few rays are tried first, so that a consistent state does not jump. Sets with singular
    // equations are skipped, because fewer rays give the same impulse (Caratheodory).
    let mut sets: Vec<u32> = (0..1 << rays.len()).collect();
    sets.sort_by_key(|set| set.count_ones());
    for set in sets {
        let active: Vec<usize> = (0..rays.len()).filter(|k| set & (1 << k) != 0).collect();
        let matrix = Array2::from_shape_fn((active.len(), active.len()), |(i, j)| {
            outputs[active[i]].dot(&effects[active[j]])
        });
        let rhs: Array1<f64> = active.iter().map(|k| -outputs[*k].dot(&model.x0)).collect();
        let Some(weights) = small::solve(matrix, rhs) else { continue };
        if weights.iter().any(|w| *w < 0.0) {
            continue;
        }
        let (mut x, mut sigma) = (model.x0.clone(), Array1::zeros(m));
        for (weight, k) in weights.iter().zip(&active) {
            x.scaled_add(*weight, &effects[*k]);
            sigma.scaled_add(*weight, &rays[*k]);
        }
        if (0..rays.len()).all(|k| gap(&x, k) >= 0.0) {
            return StateJump { x, sigma };
        }
    }
    panic!("no jump solves the projection with {n} states: is the storage matrix positive definite?");
}

/// Returns the extreme rays of $Q = \lbrace \sigma \ge 0, D \sigma \ge 0, (D + D^T) \sigma = 0 \rbrace$, each
/// with the largest entry 1. For a positive semidefinite $D$ the condition $(D + D^T) \sigma = 0$ is
/// equivalent to $\sigma^T D \sigma = 0$.
///
/// # Panics
///
/// If $D$ has more than 8 rows.
#[track_caller]
#[must_use]
pub fn impulse_rays(d: &Array2<f64>) -> Vec<Array1<f64>> {
    let m = d.nrows();
    assert!(m <= 8, "{m} multipliers are too many for trying all sets");
    let one = Array2::<f64>::eye(m);
    let signs = concatenate(Axis(0), &[one.view(), d.view()]).expect("as many columns");
    let lossless = d + &d.t();
    let mut rays: Vec<Array1<f64>> = Vec::new();
    for set in 0_u32..1 << (2 * m) {
        let active: Vec<usize> = (0..2 * m).filter(|k| set & (1 << k) != 0).collect();
        let rows = concatenate(Axis(0), &[lossless.view(), signs.select(Axis(0), &active).view()])
            .expect("as many columns");
        let Some(direction) = small::single_null_direction(rows) else { continue };
        for ray in [direction.clone(), -&direction] {
            let size = d.iter().fold(1.0_f64, |s, x| s.max(x.abs()));
            let inside = signs.dot(&ray).iter().all(|x| *x >= -SMALL * size);
            let known = |other: &Array1<f64>| (other - &ray).iter().all(|x| x.abs() <= SMALL);
            if inside && !rays.iter().any(known) {
                rays.push(ray.mapv(|x| if x.abs() <= SMALL { 0.0 } else { x }));
            }
        }
    }
    rays
}
