//! Common form of Filippov systems and sweeping processes: weighted fields, and guards.

use ndarray::ArrayViewMut2;

use super::scales::Scales;
use super::{FesdError, FilippovSystem, SweepingSystem};
use siconos_kernel::engine::check_written;

/// System that [`Fesd`](super::Fesd) integrates, created from a [`FilippovSystem`] or a [`SweepingSystem`] by
/// `into`.
///
/// Both variants are dynamic complementarity systems with m pairs of a weight w and a slack s,
///
/// $$ \dot x = f_0(t, x) + \sum_i w_i b_i(t, x), \qquad s_i = g_i(t, x) - \mu,
/// \qquad 0 \le w \perp s \ge 0. $$
///
/// As plain text: x' = f0 + sum of w_i b_i, s_i = g_i - mu, 0 <= w perpendicular s >= 0. For a Filippov
/// system f_0 = 0, the b_i are the fields of the modes, the weights add up to 1, and mu is the smallest g_i.
/// For a sweeping process g = h, the b_i are the gradients of h, and mu = 0.
#[derive(Debug)]
pub enum FesdSystem {
    /// A piecewise smooth system. Its weights are theta, and its slacks are Stewart's lambda.
    Filippov(FilippovSystem),
    /// A perturbed sweeping process. Its weights are lambda, and its slacks are h.
    Sweeping(SweepingSystem),
}

impl From<FilippovSystem> for FesdSystem {
    fn from(system: FilippovSystem) -> Self {
        Self::Filippov(system)
    }
}

impl From<SweepingSystem> for FesdSystem {
    fn from(system: SweepingSystem) -> Self {
        Self::Sweeping(system)
    }
}

/// Values of the functions of a system at a point, for an active set.
#[derive(Clone, Debug, Default)]
pub(super) struct FesdPoint {
    /// Value of f_0.
    pub(super) drift: Vec<f64>,
    /// Values of b_i, one row for each pair i of the active set, in the order of the set.
    pub(super) columns: Vec<f64>,
    /// Values of the guards g.
    pub(super) guards: Vec<f64>,
}

impl FesdPoint {
    fn resize(&mut self, n: usize, m: usize, active: usize) {
        self.drift.resize(n, 0.0);
        self.columns.resize(active * n, 0.0);
        self.guards.resize(m, 0.0);
    }

    /// Writes the rate x' for given weights of the active set.
    pub(super) fn rate(&self, weights: impl IntoIterator<Item = f64>, to: &mut [f64]) {
        to.copy_from_slice(&self.drift);
        for (column, weight) in self.columns.chunks_exact(to.len()).zip(weights) {
            to.iter_mut().zip(column).for_each(|(to, b)| *to += weight * b);
        }
    }
}

/// Step of a central difference, as a fraction of the scale of the variable. The fraction is a power of 2
/// near the cube root of the machine precision, so that multiplication by it does not round.
const PART: f64 = 1.0 / 131_072.0;

/// Workspace of the finite differences.
#[derive(Debug, Default)]
pub(super) struct Differences {
    moved: Vec<f64>,
    points: [FesdPoint; 2],
    rates: [Vec<f64>; 2],
}

/// Active set, and the weights of its pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ActiveWeights<'a> {
    pub(super) active: &'a [usize],
    pub(super) weights: &'a [f64],
}

impl FesdSystem {
    /// Returns n, the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        match self {
            Self::Filippov(system) => system.states(),
            Self::Sweeping(system) => system.states(),
        }
    }

    /// Returns m, the number of pairs: the modes of a Filippov system, or the constraints of a sweeping
    /// process.
    #[must_use]
    pub fn pairs(&self) -> usize {
        match self {
            Self::Filippov(system) => system.modes(),
            Self::Sweeping(system) => system.constraints(),
        }
    }

    /// Returns `true` if the weights are convex coefficients and mu is an unknown, as in a Filippov system.
    pub(super) fn is_convex(&self) -> bool {
        matches!(self, Self::Filippov(_))
    }

    /// Evaluates f_0, the guards g, and the fields b_i of an active set.
    pub(super) fn evaluate(&mut self, t: f64, x: &[f64], active: &[usize], point: &mut FesdPoint) {
        point.resize(self.states(), self.pairs(), active.len());
        let n = x.len();
        match self {
            Self::Filippov(system) => {
                point.drift.fill(0.0);
                for (&i, column) in active.iter().zip(point.columns.chunks_exact_mut(n)) {
                    system.write_mode(i, t, x, column);
                }
                system.write_guards(t, x, &mut point.guards);
            }
            Self::Sweeping(system) => {
                system.write_field(t, x, &mut point.drift);
                if !active.is_empty() {
                    system.update_gradients(t, x);
                }
                for (&i, column) in active.iter().zip(point.columns.chunks_exact_mut(n)) {
                    column.iter_mut().zip(system.gradients.row(i)).for_each(|(to, g)| *to = *g);
                }
                system.write_constraints(t, x, &mut point.guards);
            }
        }
    }

    /// Writes the guards g only.
    pub(super) fn write_guards(&mut self, t: f64, x: &[f64], g: &mut [f64]) {
        match self {
            Self::Filippov(system) => system.write_guards(t, x, g),
            Self::Sweeping(system) => system.write_constraints(t, x, g),
        }
    }

    /// Returns mu for given values of the guards.
    pub(super) fn level(&self, guards: &[f64]) -> f64 {
        if self.is_convex() { guards.iter().copied().fold(f64::INFINITY, f64::min) } else { 0.0 }
    }

    /// Returns an error if a value in `point` is not finite.
    pub(super) fn check(&self, t: f64, active: &[usize], point: &FesdPoint) -> Result<(), FesdError> {
        let (drift, columns, guards) = match self {
            Self::Filippov(_) => ("f", "f of a mode", "c"),
            Self::Sweeping(_) => ("f", "grad h", "h"),
        };
        check_written(drift, t, &point.drift)?;
        check_written(guards, t, &point.guards)?;
        Ok(check_written(columns, t, &point.columns[..active.len() * self.states()])?)
    }

    /// Writes dg/dx, m x n.
    pub(super) fn write_guard_gradients(
        &mut self,
        t: f64,
        x: &[f64],
        scales: &Scales,
        memory: &mut Differences,
        to: &mut [f64],
    ) {
        let (n, m) = (self.states(), self.pairs());
        match self {
            Self::Sweeping(system) => {
                system.update_gradients(t, x);
                to.iter_mut().zip(&system.gradients).for_each(|(to, g)| *to = *g);
                return;
            }
            Self::Filippov(system) => {
                if system.write_guard_gradients(t, x, to) {
                    return;
                }
            }
        }
        memory.moved.clear();
        memory.moved.extend_from_slice(x);
        for k in 0..n {
            let move_by = PART * scales.of_move(k, x[k]);
            for (point, sign) in memory.points.iter_mut().zip([1.0, -1.0]) {
                memory.moved[k] = x[k] + sign * move_by;
                point.guards.resize(m, 0.0);
                self.write_guards(t, &memory.moved, &mut point.guards);
            }
            memory.moved[k] = x[k];
            let [above, below] = &memory.points;
            for (i, (above, below)) in above.guards.iter().zip(&below.guards).enumerate() {
                to[i * n + k] = (above - below) / (2.0 * move_by);
            }
        }
    }

    /// Writes the derivative of x' with respect to x with constant weights of the active set, n x n.
    pub(super) fn write_rate_derivative(
        &mut self,
        t: f64,
        x: &[f64],
        of_set: ActiveWeights<'_>,
        scales: &Scales,
        memory: &mut Differences,
        to: &mut [f64],
    ) {
        let n = x.len();
        to.fill(0.0);
        if self.write_known_derivative(t, x, of_set, memory, to) {
            return;
        }
        memory.moved.clear();
        memory.moved.extend_from_slice(x);
        for k in 0..n {
            let move_by = PART * scales.of_move(k, x[k]);
            for which in [0, 1] {
                memory.moved[k] = if which == 0 { x[k] + move_by } else { x[k] - move_by };
                self.rate_at(t, of_set, which, memory);
            }
            memory.moved[k] = x[k];
            let [above, below] = &memory.rates;
            for (j, (above, below)) in above.iter().zip(below).enumerate() {
                to[j * n + k] = (above - below) / (2.0 * move_by);
            }
        }
    }

    fn rate_at(&mut self, t: f64, of_set: ActiveWeights<'_>, which: usize, memory: &mut Differences) {
        memory.rates[which].resize(self.states(), 0.0);
        self.evaluate(t, &memory.moved, of_set.active, &mut memory.points[which]);
        memory.points[which].rate(of_set.weights.iter().copied(), &mut memory.rates[which]);
    }

    /// Writes the derivative of x' if the user set all derivatives that it needs. Returns `false` otherwise.
    fn write_known_derivative(
        &mut self,
        t: f64,
        x: &[f64],
        of_set: ActiveWeights<'_>,
        memory: &mut Differences,
        to: &mut [f64],
    ) -> bool {
        let ActiveWeights { active, weights } = of_set;
        let n = x.len();
        match self {
            Self::Filippov(system) => {
                let Some(derivative) = &system.mode_derivative else { return false };
                for (&i, weight) in active.iter().zip(weights) {
                    memory.moved.clear();
                    memory.moved.resize(n * n, 0.0);
                    let Ok(of_mode) = ArrayViewMut2::from_shape((n, n), &mut memory.moved) else {
                        return false;
                    };
                    derivative(i, t, x, of_mode);
                    to.iter_mut().zip(&memory.moved).for_each(|(to, of_mode)| *to += weight * of_mode);
                }
                true
            }
            Self::Sweeping(system) => {
                active.is_empty()
                    && ArrayViewMut2::from_shape((n, n), to).is_ok_and(|to| system.write_derivative(t, x, to))
            }
        }
    }

    /// Writes the derivatives of x' (with constant weights of the active set) and of g with respect to time.
    pub(super) fn write_time_derivatives(
        &mut self,
        t: f64,
        x: &[f64],
        of_set: ActiveWeights<'_>,
        span: f64,
        memory: &mut Differences,
        (of_rate, of_guards): (&mut [f64], &mut [f64]),
    ) {
        memory.moved.clear();
        memory.moved.extend_from_slice(x);
        let move_by = PART * span;
        // The divisor is the actual difference of the two times. It differs from 2 `move_by` by rounding
        // errors if t is large.
        let [late, early] = [t + move_by, t - move_by];
        self.rate_at(late, of_set, 0, memory);
        self.rate_at(early, of_set, 1, memory);
        let quotient = |(a, b): (&f64, &f64)| (a - b) / (late - early);
        let [above, below] = &memory.rates;
        of_rate.iter_mut().zip(above.iter().zip(below)).for_each(|(to, pair)| *to = quotient(pair));
        let [above, below] = &memory.points;
        let pairs = above.guards.iter().zip(&below.guards);
        of_guards.iter_mut().zip(pairs).for_each(|(to, pair)| *to = quotient(pair));
    }
}
