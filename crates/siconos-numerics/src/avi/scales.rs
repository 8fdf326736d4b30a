//! What the measure of affine variational inequalities divides and multiplies by.

use super::AviProblem;
use crate::linalg::{inlined, norm};
use crate::own_response;

/// The scales of a problem; computed once per solve, the memory is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Scales {
    /// What a z does to its own row of M, in the mean.
    mean_response: f64,
    faces: Vec<Face>,
    of_force: f64,
}

/// What turns a multiplier and a slack into forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Face {
    /// The length of the row of H; of one that vanishes, the mean of the others.
    pub(super) of_multiplier: f64,
    /// The mean response over that.
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
        let beyond = problem.k().iter().zip(&self.faces).filter(|(k, _)| **k > 0.0);
        let squares = beyond.map(|(k, face)| (k * face.of_slack).powi(2)).sum::<f64>();
        self.of_force = norm(problem.q()) + squares.sqrt();
    }

    /// Goes over to a problem with M and q divided by powers of two, and rows of H multiplied by some.
    pub(super) fn divide(&mut self, response: f64, force: f64, of_rows: &[f64]) {
        self.mean_response /= response;
        self.of_force /= force;
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

    /// The lengths of the rows of H.
    pub(super) fn lengths(&self) -> impl Iterator<Item = f64> {
        self.faces.iter().map(|face| face.of_multiplier)
    }

    /// The largest distance of a face from 0, in the unit of q.
    pub(super) fn of_distances(&self, k: &[f64]) -> f64 {
        k.iter().zip(&self.faces).fold(0.0_f64, |a, (k, face)| a.max(k.abs() * face.of_slack))
    }

    /// What the error is relative to, in the unit of q.
    pub(super) fn of_force(&self) -> f64 {
        self.of_force
    }
}
