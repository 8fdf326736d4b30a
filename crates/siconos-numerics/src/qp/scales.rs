//! Scales of the residuals of a program.
//!
//! Unknowns and constraints that M and A do not couple, directly or through other unknowns and constraints,
//! form independent programs. Each program has its own scales, so that one program cannot hide the violations
//! of another.

use siconos_linalg::{Components, MatrixRef};

use super::{Constraints, QpProblem};

/// Scales of a program with linear constraints. The memory is reused for the next program.
#[derive(Clone, Debug, Default)]
pub(super) struct Scales {
    /// Coupled sets of unknowns and constraints; the labels of the unknowns come first.
    components: Components,
    /// Norm of the row of A of each constraint; for a row of zeros, the mean norm of the other rows.
    lengths: Vec<f64>,
    sets: Vec<SetScales>,
}

/// Data of one set, from which its characteristic length (in the unit of x) and its characteristic force (in
/// the unit of q) are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SetScales {
    /// Mean magnitude of the nonzero diagonal entries of M; 0 if there are none.
    pub(super) response: f64,
    /// Norm of q.
    pub(super) of_q: f64,
    /// Norm of the distances by which constraints exclude x = 0.
    pub(super) kept_out: f64,
    /// Distance from x = 0 to the nearest bound that does not pass through x = 0; infinite if there is none.
    pub(super) nearest: f64,
}

impl SetScales {
    /// Returns the characteristic length: `kept_out` if it is positive, otherwise the smaller of
    /// `of_q / response` and `nearest`; 1 if the data determine no length.
    pub(super) fn length(&self) -> f64 {
        let pulled =
            if self.response > 0.0 && self.of_q > 0.0 { self.of_q / self.response } else { f64::INFINITY };
        match self.kept_out.max(if self.kept_out > 0.0 { 0.0 } else { pulled.min(self.nearest) }) {
            length if length.is_finite() && length > 0.0 => length,
            _ => 1.0,
        }
    }

    /// Returns the characteristic force; 1 if the data determine no force.
    pub(super) fn force(&self) -> f64 {
        let of_length = self.response * self.length();
        match self.of_q.max(self.response * self.kept_out) {
            given if given > 0.0 => given,
            _ if of_length > 0.0 => of_length,
            _ => 1.0,
        }
    }
}

impl Scales {
    pub(super) fn find(&mut self, problem: &QpProblem<'_>) {
        let n = problem.size();
        let Self { components, lengths, sets } = self;
        let (a, bounds) = match problem.constraints() {
            Constraints::Linear { a, bounds } => (a, bounds),
            Constraints::Set(_) => return,
        };
        components.begin(n + a.rows());
        components.join_coupled(problem.m(), |row| row);
        row_lengths(a, lengths);
        a.for_each_entry(|i, j, x| {
            if x != 0.0 {
                components.join(n + i, j);
            }
        });
        components.number();
        sets.clear();
        sets.resize(components.count(), SetScales { nearest: f64::INFINITY, ..SetScales::default() });
        let (of_unknowns, of_rows) = components.labels().split_at(n);
        let mut counts = vec![0_u32; sets.len()];
        problem.m().for_each_diagonal(|j, d| {
            if d != 0.0 {
                sets[of_unknowns[j]].response += d.abs();
                counts[of_unknowns[j]] += 1;
            }
        });
        problem.q().iter().zip(of_unknowns).for_each(|(q, set)| sets[*set].of_q += q * q);
        let pairs = bounds.lower().iter().zip(bounds.upper());
        for (((l, u), length), set) in pairs.zip(&*lengths).zip(of_rows) {
            let set = &mut sets[*set];
            set.kept_out += (l.max(0.0).max(-u) / length).powi(2);
            let distances = [l, u].map(|bound| bound.abs() / length);
            let nearest = distances.into_iter().filter(|d| *d > 0.0).fold(f64::INFINITY, f64::min);
            set.nearest = set.nearest.min(nearest);
        }
        for (set, count) in sets.iter_mut().zip(counts) {
            set.response /= f64::from(count.max(1));
            set.of_q = set.of_q.sqrt();
            set.kept_out = set.kept_out.sqrt();
        }
    }

    /// Returns the index of the coupled set of each unknown and, in the second slice, of each constraint.
    pub(super) fn labels(&self) -> (&[usize], &[usize]) {
        self.components.labels().split_at(self.components.labels().len() - self.lengths.len())
    }

    /// Returns the norms of the rows of A.
    pub(super) fn lengths(&self) -> &[f64] {
        &self.lengths
    }

    /// Returns the scales of each set.
    pub(super) fn sets(&self) -> &[SetScales] {
        &self.sets
    }
}

fn row_lengths(a: MatrixRef<'_>, lengths: &mut Vec<f64>) {
    lengths.clear();
    lengths.resize(a.rows(), 0.0);
    a.for_each_entry(|i, _, x| lengths[i] += x * x);
    lengths.iter_mut().for_each(|length| *length = length.sqrt());
    let (count, sum) =
        lengths.iter().filter(|x| **x > 0.0).fold((0.0, 0.0), |(n, sum), x| (n + 1.0, sum + x));
    let mean = if sum > 0.0 { sum / count } else { 1.0 };
    lengths.iter_mut().filter(|length| **length == 0.0).for_each(|length| *length = mean);
}
