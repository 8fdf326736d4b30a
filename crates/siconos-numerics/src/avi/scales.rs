//! Scales of the error of affine variational inequalities.

use siconos_linalg::{Components, inlined};

use super::AviProblem;
use crate::own_response;

/// Scales of a problem, computed once per solve. The memory is reused for the next problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Scales {
    /// Factor d of the [`error`](super::error): the mean of the $|M_{ii}|$, with replacements for zeros.
    mean_response: f64,
    faces: Vec<Face>,
    of_force: f64,
    /// Coupled sets of unknowns and faces; the labels of the unknowns come first.
    sets: Components,
    /// Scale of the residual of each set.
    of_sets: Vec<f64>,
    sums: Vec<Sums>,
}

/// Sums of squares over a set of coupled unknowns and faces: the squares of q, and the squared distances from
/// 0 to the faces that exclude 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    of_q: f64,
    of_faces: f64,
}

impl Sums {
    fn size(self) -> f64 {
        self.of_q.sqrt() + self.of_faces.sqrt()
    }
}

/// Factors that convert the multiplier and the slack of a face to forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Face {
    /// Norm of the row of H; for a row of zeros, the mean norm of the other rows.
    pub(super) of_multiplier: f64,
    /// Mean response divided by the norm of the row of H.
    pub(super) of_slack: f64,
}

impl Scales {
    pub(super) fn prepare(&mut self, problem: &AviProblem<'_>) {
        self.mean_response = own_response::mean(problem.m());
        self.faces.clear();
        let (mut sum, mut count) = (0.0, 0.0);
        for row in problem.h().rows() {
            let length = match row.to_slice() {
                Some(row) => inlined::dot(row, row).sqrt(),
                None => row.iter().map(|h| h * h).sum::<f64>().sqrt(),
            };
            if length > 0.0 {
                sum += length;
                count += 1.0;
            }
            self.faces.push(Face { of_multiplier: length, of_slack: self.mean_response / length });
        }
        if count < self.faces.len() as f64 {
            let mean = if sum > 0.0 { sum / count } else { 1.0 };
            let of_none = Face { of_multiplier: mean, of_slack: self.mean_response / mean };
            self.faces.iter_mut().filter(|face| face.of_multiplier == 0.0).for_each(|face| *face = of_none);
        }
        self.find_sets(problem);
    }

    /// Finds the coupled sets, and the scales of each set and of the whole problem.
    fn find_sets(&mut self, problem: &AviProblem<'_>) {
        let Self { faces, of_force, sets, of_sets, sums, .. } = self;
        let n = problem.size();
        sets.begin(n + faces.len());
        sets.join_coupled(problem.m(), |row| row);
        for (face, row) in problem.h().rows().into_iter().enumerate() {
            let entries = row.into_iter().enumerate().filter(|(_, x)| **x != 0.0);
            entries.for_each(|(j, _)| sets.join(n + face, j));
        }
        sets.number();
        sums.clear();
        sums.resize(sets.count(), Sums::default());
        let (of_unknowns, of_faces) = sets.labels().split_at(n);
        problem.q().iter().zip(of_unknowns).for_each(|(q, set)| sums[*set].of_q += q * q);
        for ((k, face), set) in problem.k().iter().zip(&*faces).zip(of_faces).filter(|((k, _), _)| **k > 0.0)
        {
            sums[*set].of_faces += (k * face.of_slack).powi(2);
        }
        let mut whole = Sums::default();
        for set in &*sums {
            whole.of_q += set.of_q;
            whole.of_faces += set.of_faces;
        }
        *of_force = whole.size();
        of_sets.clear();
        of_sets.extend(sums.iter().map(|set| set.size()).map(|own| if own > 0.0 { own } else { *of_force }));
    }

    /// Converts the scales to the scaled problem, in which M is divided by `response`, q by `force`, and the
    /// rows of H are multiplied by `of_rows`.
    pub(super) fn divide(&mut self, response: f64, force: f64, of_rows: &[f64]) {
        self.mean_response /= response;
        self.of_force /= force;
        self.of_sets.iter_mut().for_each(|of_set| *of_set /= force);
        for (face, of_row) in self.faces.iter_mut().zip(of_rows) {
            face.of_multiplier *= of_row;
            face.of_slack /= of_row * response;
        }
    }

    pub(super) fn mean_response(&self) -> f64 {
        self.mean_response
    }

    pub(super) fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Returns the norms of the rows of H.
    pub(super) fn lengths(&self) -> impl Iterator<Item = f64> {
        self.faces.iter().map(|face| face.of_multiplier)
    }

    /// Returns the largest distance of a face from 0, in the unit of q.
    pub(super) fn of_distances(&self, k: &[f64]) -> f64 {
        k.iter().zip(&self.faces).fold(0.0_f64, |a, (k, face)| a.max(k.abs() * face.of_slack))
    }

    /// Returns the index of the coupled set of each unknown, followed by the index of the set of each face.
    pub(super) fn sets(&self) -> &[usize] {
        self.sets.labels()
    }

    /// Returns the scale of the error of each set, in the unit of q; 0 if q = 0 and z = 0 is in the
    /// polyhedron.
    pub(super) fn of_sets(&self) -> &[f64] {
        &self.of_sets
    }

    /// Returns the scale of the error of the whole problem, in the unit of q.
    pub(super) fn of_force(&self) -> f64 {
        self.of_force
    }
}
