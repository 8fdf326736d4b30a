//! Solution path of the smoothed conditions, followed by arc length from a large sigma to a small sigma.

use ndarray::ArrayView2;
use siconos_linalg::DenseLu;

use super::super::sizes::worse;
use super::continuation::Run;
use super::smoothed::Smoothed;

/// Value of sigma at the start of the path. Sigma is the product of a weight and its slack in their units.
const FIRST_SIGMA: f64 = 10.0;
/// Value of sigma at the end of the path.
const LAST_SIGMA: f64 = 1e-14;

/// Value of sigma above which the path is abandoned.
const LARGEST_SIGMA: f64 = 1e4;

/// Maximum number of Newton steps that find the start of the path.
const MOST_STARTS: usize = 60;
/// Maximum number of halvings of each Newton step that finds the start of the path.
const MOST_HALVINGS: usize = 30;

/// Maximum number of points on the path.
const MOST_POINTS: usize = 400;

/// Arc length of the first step along the path.
const FIRST_LENGTH: f64 = 0.5;
/// Maximum arc length of a step along the path.
const LONGEST: f64 = 4.0;
/// Minimum arc length of a step along the path.
const SHORTEST: f64 = 1e-7;

/// Growth factor of the step length after a step with at most `FEW_CORRECTIONS` corrections.
const GROWTH: f64 = 1.6;
/// Maximum number of Newton corrections of a step after which the step length grows.
const FEW_CORRECTIONS: usize = 3;

/// Maximum number of Newton corrections of a step.
const MOST_CORRECTIONS: usize = 6;
/// Newton corrections end if the update is below this value.
const SMALL_UPDATE: f64 = 1e-8;

/// Point of the solution path, with workspace.
///
/// At a large sigma all weights are equal, and the smoothed conditions have one solution. From this solution
/// the path is followed by its arc length to a small sigma (E. L. Allgower and K. Georg 1990, "Numerical
/// Continuation Methods", Springer). Each step moves along the tangent, and Newton corrections orthogonal to
/// the tangent return it to the path. The method can therefore pass turning points of the path.
#[derive(Debug, Default)]
pub(super) struct Path {
    pub(super) smoothed: Smoothed,
    pub(super) z: Vec<f64>,
    trial: Vec<f64>,
    predicted: Vec<f64>,
    tangent: Vec<f64>,
    /// Jacobian, with the tangent as its last row.
    bordered: Vec<f64>,
    update: Vec<f64>,
    lu: DenseLu,
    pub(super) evaluations: usize,
}

impl Path {
    /// Follows the path with `elements` elements. Returns `true` if the end of the path was reached;
    /// `smoothed` then contains the pairs of weight and slack at z.
    pub(super) fn follow(&mut self, run: &mut Run<'_>, x: &[f64], elements: usize) -> bool {
        self.evaluations = 0;
        self.smoothed.begin(run, x, elements);
        let mut length = FIRST_LENGTH;
        if !self.find_start(run) || !self.factor() {
            return false;
        }
        for _ in 0..MOST_POINTS {
            if !self.turn() {
                return false;
            }
            let corrections = loop {
                if length < SHORTEST {
                    return false;
                }
                match self.correct(run, length) {
                    Some(corrections) => break corrections,
                    None => length *= 0.5,
                }
            };
            self.z.clone_from(&self.trial);
            if corrections <= FEW_CORRECTIONS {
                length = (GROWTH * length).min(LONGEST);
            }
            let sigma = Smoothed::sigma(&self.z);
            if sigma <= LAST_SIGMA {
                return true;
            }
            if sigma > LARGEST_SIGMA {
                return false;
            }
        }
        false
    }

    /// Finds the start of the path by Newton's method, with equal weights as the initial guess.
    fn find_start(&mut self, run: &mut Run<'_>) -> bool {
        self.smoothed.guess(run.h, FIRST_SIGMA, &mut self.trial);
        self.z.clone_from(&self.trial);
        self.tangent.clear();
        self.tangent.resize(self.z.len() - 1, 0.0);
        self.tangent.push(-1.0);
        let mut error = self.evaluate(run);
        for _ in 0..MOST_STARTS {
            if error <= SMALL_UPDATE {
                return true;
            }
            if !self.factor() || !self.solve_for(0.0) {
                return false;
            }
            let mut part = 1.0;
            let found = (0..MOST_HALVINGS).find_map(|_| {
                self.trial.clear();
                self.trial.extend(self.z.iter().zip(&self.update).map(|(z, d)| z - part * d));
                part *= 0.5;
                let found = if self.has_lengths() { self.evaluate(run) } else { f64::NAN };
                (found < error).then_some(found)
            });
            let Some(found) = found else { return false };
            error = found;
            self.z.clone_from(&self.trial);
        }
        false
    }

    /// Evaluates the smoothed conditions at `trial`, and returns the largest error.
    fn evaluate(&mut self, run: &mut Run<'_>) -> f64 {
        self.evaluations += 1;
        self.smoothed.assemble(run, &self.trial);
        self.smoothed.equations.iter().map(|error| error.abs()).fold(0.0, worse)
    }

    /// Returns `true` if all element lengths of `trial` are positive.
    fn has_lengths(&self) -> bool {
        let layout = self.smoothed.layout;
        (0..layout.elements).all(|e| self.trial[layout.length(e)] > 0.0)
    }

    /// Factorises the Jacobian with the tangent as its last row.
    fn factor(&mut self) -> bool {
        let width = self.tangent.len();
        self.bordered.clear();
        self.bordered.extend_from_slice(&self.smoothed.jacobian);
        self.bordered.extend_from_slice(&self.tangent);
        ArrayView2::from_shape((width, width), &self.bordered)
            .is_ok_and(|matrix| self.lu.factor(matrix).is_ok())
    }

    /// Computes the Newton update whose component along the tangent is `along`.
    fn solve_for(&mut self, along: f64) -> bool {
        self.update.clone_from(&self.smoothed.equations);
        self.update.push(along);
        self.lu.solve(&mut self.update);
        self.update.iter().all(|d| d.is_finite())
    }

    /// Computes the tangent at z from the current factors, in the direction of the previous tangent.
    fn turn(&mut self) -> bool {
        self.update.clear();
        self.update.resize(self.tangent.len() - 1, 0.0);
        self.update.push(1.0);
        self.lu.solve(&mut self.update);
        let norm = self.update.iter().map(|d| d * d).sum::<f64>().sqrt();
        self.tangent.iter_mut().zip(&self.update).for_each(|(tangent, d)| *tangent = d / norm);
        norm.is_finite() && norm > 0.0
    }

    /// Writes to `trial` the point of the path at the distance `length` from z. Returns the number of
    /// corrections, or `None` if they fail.
    fn correct(&mut self, run: &mut Run<'_>, length: f64) -> Option<usize> {
        self.trial.clear();
        self.trial.extend(self.z.iter().zip(&self.tangent).map(|(z, d)| z + length * d));
        self.predicted.clone_from(&self.trial);
        for count in 1..=MOST_CORRECTIONS {
            if !self.has_lengths() || self.evaluate(run).is_nan() || !self.factor() {
                return None;
            }
            let moved = self.trial.iter().zip(&self.predicted).zip(&self.tangent);
            let along = moved.map(|((z, p), d)| (z - p) * d).sum();
            if !self.solve_for(along) {
                return None;
            }
            let most = self.update.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
            if most > 2.0 * length {
                return None;
            }
            self.trial.iter_mut().zip(&self.update).for_each(|(z, d)| *z -= d);
            if most < SMALL_UPDATE {
                return self.has_lengths().then_some(count);
            }
        }
        None
    }
}
