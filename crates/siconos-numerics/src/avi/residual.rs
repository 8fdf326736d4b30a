//! Error of a candidate solution of an affine variational inequality.

use siconos_linalg::{MatrixRef, largest_magnitude, norm};

use super::AviProblem;
use super::scales::Scales;
use crate::info::Status;
use crate::own_response::relative;
use crate::rounding::{PART_LOST_IN_ROUNDING, UNITS};

/// Returns the error of a point $z$ with multipliers $\lambda$. It is the larger of a norm-wise and a
/// row-wise error.
///
/// The norm-wise error is
///
/// $$ e = \frac{1}{\sigma} \Bigl( \lVert M z + q - H^T \lambda \rVert^2 + \sum_i \min\bigl(\lVert h_i \rVert
/// \lambda_i, d (H z - K)_i / \lVert h_i \rVert\bigr)^2 \Bigr)^{1/2}, $$
///
///   $$ \sigma = \lVert q \rVert + d \Bigl( \sum_i \bigl((K_i)_+ / \lVert h_i \rVert\bigr)^2 \Bigr)^{1/2}, $$
///
/// as plain text
/// `sqrt(norm(M z + q - H^T lambda)^2 + sum of min(norm(h_i) lambda_i, d (H z - K)_i / norm(h_i))^2)` over
/// `norm(q) + d norm(max(K_i, 0) / norm(h_i))`, where $h_i$ are the rows of H. It is computed separately for
/// each set of unknowns and faces that M and H couple, directly or through other unknowns and faces, and the
/// largest result is used. The factor $d$ converts the distance from a face,
/// $(H z - K)_i / \lVert h_i \rVert$, to the unit of M z. It is the mean of the $|M_{ii}|$, where entries
/// equal to 0 count as the mean of the other entries; if all are 0, it is the mean of the nonzero $|M_{ij}|$.
/// The second term of $\sigma$ vanishes if z = 0 is in the polyhedron. If $\sigma$ vanishes for a set, the
/// $\sigma$ of the whole problem is used; if that vanishes too, z = 0 is a solution, and the error is
/// relative to the larger of $\lVert M z + q \rVert$ and $d \lVert z \rVert$. For a row of zeros,
/// $\lVert h_i \rVert$ is replaced by the mean norm of the other rows.
///
/// The row-wise error is the largest value over all rows of $|M z + q - H^T \lambda|$ divided by its terms
/// $|M| |z| + |q| + |H|^T |\lambda|$.
///
/// The error does not depend on the units of z, of M z, and of the rows of H. It is NaN if an entry of
/// $\lambda$, $M z + q - H^T \lambda$ or $H z - K$ is not finite.
///
/// It vanishes exactly if $M z + q = H^T \lambda$, $0 \le \lambda \perp H z - K \ge 0$, the
/// Karush-Kuhn-Tucker conditions of the inequality. Then z is a solution, and every solution has such
/// multipliers (Facchinei and Pang 2003, proposition 1.2.1). Siconos has no error function for this class.
///
/// # Panics
///
/// If `z` or `lambda` has the wrong length.
#[track_caller]
#[must_use]
pub fn error(problem: &AviProblem<'_>, z: &[f64], lambda: &[f64]) -> f64 {
    let mut image = Image::default();
    image.of(problem, z, lambda);
    image.error(problem, z, lambda)
}

/// Force and slack of a point, with workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct Image {
    /// $M z + q - H^T \lambda$.
    pub(super) force: Vec<f64>,
    /// $H z - K$.
    pub(super) slack: Vec<f64>,
    /// $|M| |z| + |q| + |H|^T |\lambda|$.
    terms: Vec<f64>,
    sums: Vec<f64>,
}

impl Image {
    /// Computes force and slack.
    #[track_caller]
    pub(super) fn of(&mut self, problem: &AviProblem<'_>, z: &[f64], lambda: &[f64]) {
        let Self { force, slack, .. } = self;
        force.clear();
        force.extend_from_slice(problem.q());
        problem.m().add_product(1.0, z, force);
        MatrixRef::Dense(problem.h()).add_transposed_product(-1.0, lambda, force);
        slack.clear();
        slack.extend(problem.k().iter().map(|k| -k));
        MatrixRef::Dense(problem.h()).add_product(1.0, z, slack);
    }

    /// Computes force and slack, and returns the [`error`].
    pub(super) fn error_of(&mut self, problem: &AviProblem<'_>, z: &[f64], lambda: &[f64]) -> f64 {
        self.of(problem, z, lambda);
        self.error(problem, z, lambda)
    }

    /// Returns the [`error`] of a point whose force and slack are known.
    fn error(&mut self, problem: &AviProblem<'_>, z: &[f64], lambda: &[f64]) -> f64 {
        if self.force.iter().chain(&self.slack).chain(lambda).any(|x| !x.is_finite()) {
            return f64::NAN;
        }
        let norm_wise = match problem.scales() {
            Some(scales) => self.norm_wise(scales, problem, z, lambda),
            None => {
                let mut scales = Scales::default();
                scales.prepare(problem);
                self.norm_wise(&scales, problem, z, lambda)
            }
        };
        norm_wise.max(self.row_wise(problem, z, lambda))
    }

    fn norm_wise(&mut self, scales: &Scales, problem: &AviProblem<'_>, z: &[f64], lambda: &[f64]) -> f64 {
        let Self { force, slack, sums, .. } = self;
        let response = scales.mean_response();
        let (of_unknowns, of_faces) = scales.sets().split_at(force.len());
        sums.clear();
        sums.resize(scales.of_sets().len(), 0.0);
        force.iter().zip(of_unknowns).for_each(|(f, set)| sums[*set] += f * f);
        for (((s, l), face), set) in slack.iter().zip(lambda).zip(scales.faces()).zip(of_faces) {
            sums[*set] += (face.of_multiplier * l).min(face.of_slack * s).powi(2);
        }
        let of_point = || {
            let mut image = problem.q().to_vec();
            problem.m().add_product(1.0, z, &mut image);
            norm(&image).max(response * norm(z))
        };
        let of_set = |(sum, scale): (&f64, &f64)| relative(sum.sqrt(), *scale, of_point);
        sums.iter().zip(scales.of_sets()).map(of_set).fold(0.0, f64::max)
    }

    fn row_wise(&mut self, problem: &AviProblem<'_>, z: &[f64], lambda: &[f64]) -> f64 {
        let Self { force, terms, .. } = self;
        terms.clear();
        terms.extend(problem.q().iter().map(|q| q.abs()));
        problem.m().add_absolute_product(z, terms);
        MatrixRef::Dense(problem.h()).add_absolute_transposed_product(lambda, terms);
        let rows = force.iter().zip(terms).filter(|(force, _)| **force != 0.0);
        rows.map(|(force, terms)| force.abs() / *terms).fold(0.0, f64::max)
    }
}

/// Acceptance test of a point, with workspace for its force, its slack and their rounding errors.
#[derive(Clone, Debug, Default)]
pub(super) struct AcceptanceTest {
    image: Image,
    allowed: Vec<f64>,
}

impl AcceptanceTest {
    /// Returns the status of the final point of a method: `Converged` if its error is at or below the
    /// tolerance, `AtRoundingLevel` if rounding prevents a smaller error, and otherwise `Stalled`. For
    /// `AtRoundingLevel`, the multipliers must be nonnegative, and every row of $M z + q = H^T \lambda$ and
    /// every face with a positive multiplier must be satisfied up to a few units in the last place of its own
    /// terms. No other face is allowed to be violated by more than this. If z is so large that rounding in M
    /// z hides q and the distances of the faces from 0, the status is `Stalled`.
    pub(super) fn of(
        &mut self,
        problem: &AviProblem<'_>,
        (z, lambda): (&[f64], &[f64]),
        error: f64,
        tolerance: f64,
    ) -> Status {
        if error <= tolerance && !self.is_lost(problem, z) {
            return Status::Converged;
        }
        let again = self.image.error_of(problem, z, lambda);
        if again.is_finite() && self.is_exact_to_rounding(problem, z, lambda) {
            return Status::AtRoundingLevel;
        }
        Status::Stalled
    }

    fn is_exact_to_rounding(&mut self, problem: &AviProblem<'_>, z: &[f64], lambda: &[f64]) -> bool {
        let Self { image: Image { slack, .. }, allowed } = self;
        let unit = UNITS * (z.len() + lambda.len()) as f64 * f64::EPSILON;
        let h = MatrixRef::Dense(problem.h());
        // Check the faces first.
        allowed.clear();
        allowed.extend(problem.k().iter().map(|k| k.abs()));
        h.add_absolute_product(z, allowed);
        let of_faces = slack.iter().zip(lambda).zip(&*allowed).all(|((slack, lambda), terms)| {
            *slack >= -unit * terms && (*lambda == 0.0 || (*lambda > 0.0 && *slack <= unit * terms))
        });
        if !of_faces {
            return false;
        }
        if self.is_lost(problem, z) {
            return false;
        }
        let Self { image: Image { force, .. }, allowed } = self;
        allowed.iter_mut().zip(problem.q()).for_each(|(allowed, q)| *allowed += q.abs());
        h.add_absolute_transposed_product(lambda, allowed);
        force.iter().zip(&*allowed).all(|(force, terms)| terms.is_finite() && force.abs() <= unit * terms)
    }

    /// Returns `true` if rounding in |M| |z| exceeds a thousandth of q and of the distances of the faces from
    /// 0. Leaves |M| |z| in `allowed`.
    fn is_lost(&mut self, problem: &AviProblem<'_>, z: &[f64]) -> bool {
        let allowed = &mut self.allowed;
        allowed.clear();
        allowed.resize(z.len(), 0.0);
        problem.m().add_absolute_product(z, allowed);
        let of_k = problem.scales().map_or(0.0, |scales| scales.of_distances(problem.k()));
        f64::EPSILON * largest_magnitude(allowed)
            > PART_LOST_IN_ROUNDING * largest_magnitude(problem.q()).max(of_k)
    }
}
