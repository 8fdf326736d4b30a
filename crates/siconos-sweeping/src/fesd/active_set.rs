//! Active sets with which a solution can continue from a point. They solve a complementarity problem in the
//! weights and in the time derivatives of the slacks.

use ndarray::ArrayView2;
use siconos_linalg::{DenseLu, power_of_two_below};

use super::super::sizes::relative;
use super::FesdSystem;
use super::scales::Scales;
use super::system::{ActiveWeights, Differences, FesdPoint};

/// Maximum number of pairs (of a weight and a slack) with slack 0 at a point. All subsets of these pairs are
/// tested, so their number must be small.
const MOST_PAIRS: usize = 12;

/// Relative tolerances on a wrong sign. A candidate within the first tolerance has only rounding errors; a
/// candidate within the second tolerance can have errors of finite differences, and is tried later.
const CLASSES: [f64; 2] = [1e-9, 1e-5];

/// Active set, with its weights at the point where it becomes active.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Candidate {
    pub(super) active: Vec<usize>,
    /// All m weights.
    pub(super) weights: Vec<f64>,
    class: usize,
}

/// Active sets with which a solution can continue from a point, in the order in which they are tried.
///
/// Only pairs with slack 0 at the point can be active. The time derivatives of their slacks are
/// $M w + q - \dot \mu$ with $M_{ij} = \nabla g_i \cdot b_j$ and
/// $q_i = \partial_t g_i + \nabla g_i \cdot f_0$. A candidate is a subset of these pairs such that the
/// derivatives of its slacks are 0, its weights are nonnegative, and the derivatives of the slacks outside
/// the subset are nonnegative. If there are several candidates, the solution is not unique, or the state can
/// leave a surface at this point. Smaller subsets come first; subsets of equal size are sorted by their
/// lowest indices.
#[derive(Debug, Default)]
pub(super) struct ActiveSets {
    candidates: Vec<Candidate>,
    count: usize,
    /// Pairs with slack 0.
    zero: Vec<usize>,
    /// mu at the point.
    pub(super) level: f64,
    point: FesdPoint,
    gradients: Vec<f64>,
    of_rate: Vec<f64>,
    of_guards: Vec<f64>,
    differences: Differences,
    matrix: Vec<f64>,
    right: Vec<f64>,
    lu: DenseLu,
}

impl ActiveSets {
    /// Returns the candidates found by [`find`](Self::find).
    pub(super) fn candidates(&self) -> &[Candidate] {
        &self.candidates[..self.count]
    }

    /// Finds the active sets at the state x; h is the length of the element that starts there.
    pub(super) fn find(
        &mut self,
        system: &mut FesdSystem,
        t: f64,
        x: &[f64],
        h: f64,
        scales: &Scales,
        tolerance: f64,
    ) {
        let (n, m) = (system.states(), system.pairs());
        self.count = 0;
        self.point.guards.resize(m, 0.0);
        system.write_guards(t, x, &mut self.point.guards);
        self.level = system.level(&self.point.guards);
        self.zero.clear();
        for (i, guard) in self.point.guards.iter().enumerate() {
            if relative(guard - self.level, scales.slack[i]) <= tolerance {
                self.zero.push(i);
            }
        }
        let least = usize::from(system.is_convex());
        if self.zero.len() == least {
            self.push(m, 0, |zero, weights| zero.iter().for_each(|&i| weights[i] = 1.0), |_| true);
            return;
        }
        if self.zero.len() > MOST_PAIRS {
            return;
        }
        self.gradients.resize(m * n, 0.0);
        self.of_rate.resize(n, 0.0);
        self.of_guards.resize(m, 0.0);
        system.write_guard_gradients(t, x, scales, &mut self.differences, &mut self.gradients);
        let to = (self.of_rate.as_mut_slice(), self.of_guards.as_mut_slice());
        system.write_time_derivatives(t, x, ActiveWeights::default(), h, &mut self.differences, to);
        system.evaluate(t, x, &self.zero, &mut self.point);
        for size in least..=self.zero.len() {
            for subset in 0..1_u32 << self.zero.len() {
                if subset.count_ones() as usize == size {
                    self.consider(subset, system.is_convex(), h, scales);
                }
            }
        }
        self.candidates[..self.count].sort_by_key(|candidate| candidate.class);
    }

    /// Adds the candidate that consists of the pairs `zero[k]` for which `is_in(k)` is true. `write` writes
    /// its weights.
    fn push(
        &mut self,
        m: usize,
        class: usize,
        write: impl Fn(&[usize], &mut [f64]),
        is_in: impl Fn(usize) -> bool,
    ) {
        if self.count == self.candidates.len() {
            self.candidates.push(Candidate::default());
        }
        let candidate = &mut self.candidates[self.count];
        self.count += 1;
        candidate.class = class;
        candidate.active.clear();
        candidate.active.extend(self.zero.iter().enumerate().filter(|&(k, _)| is_in(k)).map(|(_, &i)| i));
        candidate.weights.clear();
        candidate.weights.resize(m, 0.0);
        write(&candidate.active, &mut candidate.weights);
    }

    /// Solves for the weights of a subset of `zero`, and adds the subset as a candidate if all signs are
    /// right.
    fn consider(&mut self, subset: u32, is_convex: bool, h: f64, scales: &Scales) {
        let n = self.point.drift.len();
        let is_in = |k: usize| subset >> k & 1 == 1;
        let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let gradient = |i: usize| &self.gradients[i * n..(i + 1) * n];
        let column = |k: usize| &self.point.columns[k * n..(k + 1) * n];
        let free = |i: usize| self.of_guards[i] + inner(gradient(i), &self.point.drift);
        let members = || (0..self.zero.len()).filter(|&k| is_in(k));
        // Equations are divided by units of slack per element, and weights by their units. The unit of mu is
        // the unit of the slacks; if mu is an unknown, all slacks have the same unit.
        let rate_unit = |k: usize| power_of_two_below(scales.slack[self.zero[k]]) / power_of_two_below(h);
        let weight_unit = |k: usize| power_of_two_below(scales.weight[self.zero[k]]);
        self.matrix.clear();
        self.right.clear();
        for k in members() {
            let i = self.zero[k];
            let scale = rate_unit(k);
            self.matrix.extend(members().map(|l| inner(gradient(i), column(l)) * (weight_unit(l) / scale)));
            if is_convex {
                self.matrix.push(-1.0);
            }
            self.right.push(-free(i) / scale);
        }
        if is_convex {
            self.matrix.extend(members().map(weight_unit));
            self.matrix.push(0.0);
            self.right.push(1.0);
        }
        let size = self.right.len();
        let Ok(matrix) = ArrayView2::from_shape((size, size), &self.matrix) else { return };
        if self.lu.factor(matrix).is_err() {
            return;
        }
        self.lu.solve(&mut self.right);
        let level_rate = if is_convex { self.right[size - 1] * rate_unit(0) } else { 0.0 };
        for (k, weight) in members().zip(&mut self.right) {
            *weight *= weight_unit(k);
        }
        let mut wrong = 0.0_f64;
        for (k, weight) in members().zip(&self.right) {
            wrong = wrong.max(relative(-weight, scales.weight[self.zero[k]].max(weight.abs())));
        }
        for k in (0..self.zero.len()).filter(|&k| !is_in(k)) {
            let i = self.zero[k];
            let pushed: f64 =
                members().zip(&self.right).map(|(l, w)| w * inner(gradient(i), column(l))).sum();
            wrong = wrong.max(relative(level_rate - free(i) - pushed, scales.slack[i] / h));
        }
        let Some(class) = CLASSES.iter().position(|most| wrong <= *most) else { return };
        let m = self.point.guards.len();
        let found = std::mem::take(&mut self.right);
        self.push(
            m,
            class,
            |active, weights| active.iter().zip(&found).for_each(|(&i, w)| weights[i] = *w),
            is_in,
        );
        self.right = found;
    }
}
