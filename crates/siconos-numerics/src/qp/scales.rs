//! What the residuals of a program are relative to.
//!
//! Unknowns and constraints that no chain of entries of M and A couples are programs of their own, and have
//! scales of their own: one does not hide the violations of another.

use siconos_linalg::{Components, MatrixRef};

use super::{Constraints, QpProblem};

/// The scales of a program with linear constraints; the memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Scales {
    /// Sets of unknowns and, after them, of constraints that are coupled.
    components: Components,
    /// By constraint: the length of its row of A; of a row that vanishes, the mean of the others.
    lengths: Vec<f64>,
    sets: Vec<SetScales>,
}

/// Characteristic length and force of one set, from its data, in the units of x and of q.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SetScales {
    /// The mean of the diagonal entries of M that are not 0; 0 without any.
    pub(super) response: f64,
    /// The norm of q.
    pub(super) of_q: f64,
    /// The norm of the distances by which constraints keep x = 0 out.
    pub(super) kept_out: f64,
    /// The distance of the nearest bound that does not pass through x = 0; infinite without any.
    pub(super) nearest: f64,
}

impl SetScales {
    /// The length that the data determine: how far x = 0 is from the constraints, or how far the objective
    /// pulls or the nearest bound is, whichever is less. 1 where nothing says.
    pub(super) fn length(&self) -> f64 {
        let pulled =
            if self.response > 0.0 && self.of_q > 0.0 { self.of_q / self.response } else { f64::INFINITY };
        match self.kept_out.max(if self.kept_out > 0.0 { 0.0 } else { pulled.min(self.nearest) }) {
            length if length.is_finite() && length > 0.0 => length,
            _ => 1.0,
        }
    }

    /// The force that the data determine; 1 where nothing says.
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

    /// The set of each unknown, and of each constraint.
    pub(super) fn labels(&self) -> (&[usize], &[usize]) {
        self.components.labels().split_at(self.components.labels().len() - self.lengths.len())
    }

    /// The lengths of the rows of A.
    pub(super) fn lengths(&self) -> &[f64] {
        &self.lengths
    }

    /// The scales of each set.
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
