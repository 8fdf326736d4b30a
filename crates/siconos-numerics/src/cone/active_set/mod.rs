//! Multipliers of the rows of a polyhedron, for a point that depends linearly on the multipliers.

mod all_faces;
mod exchange;
mod responses;
mod start;

use siconos_linalg::UpdatedInverse;

use self::all_faces::AllFaces;
use self::exchange::Exchange;
use self::responses::Responses;
use super::Inequalities;
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};

/// A row is treated as satisfied if its violation, relative to its terms, is at most this value.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Relative tolerance of a proof of emptiness. It applies to the combination of rows and to its bound.
const PROOF: f64 = 1e-10;

/// Active-set solver for the multipliers of a polyhedron $\lbrace x : H x \ge k \rbrace$. The response of x
/// to the multipliers l is linear, with the matrix W. For an unconstrained point y, the solver finds
///
/// $$ x = y + W H^T l, \qquad 0 \le l \perp H x - k \ge 0. $$
///
/// As plain text: x = y + W H^T l with 0 <= l complementary to H x - k >= 0. If W is the identity, x is the
/// point of the polyhedron nearest to y. If $W = P^{-1}$, x is the nearest point in the norm of P
/// ([`PolyhedronProjection`](super::PolyhedronProjection)). For any other W with a positive definite
/// symmetric part, x solves an affine variational inequality over the polyhedron, as in a step of an implicit
/// scheme. x is unique; l need not be unique.
///
/// **Method.** The dual active-set method of Goldfarb and Idnani (1983, "A numerically stable dual method for
/// solving strictly convex quadratic programs", Mathematical Programming 27, 1-33). The active rows are
/// linearly independent, and x is the solution for these rows alone. The multiplier of the most violated row
/// is raised until the row is satisfied. An active row leaves the active set when its multiplier falls to 0.
/// Responses are computed only for rows that have been violated, and the inverse of the matrix of the active
/// rows is changed by rank-one updates. Therefore the cost depends on the number of active rows, and not on
/// the number of all rows. Each call starts from the active rows of the previous call (warm start). If the
/// method fails, which can happen if W is not definite, a linear complementarity problem for all rows (at
/// most 1000) is solved by [`lcp::Auto`](crate::lcp::Auto).
///
/// **Guarantee.** For symmetric positive definite W, the method finds the solution or a proof that the
/// polyhedron is empty, within rounding errors.
///
/// **Result.** With `Converged`, every row is satisfied within rounding errors. With `AtRoundingLevel`, this
/// holds except for rows that are linearly dependent on active rows. With `NoSolution`, the polyhedron is
/// empty, and [`certificate`](Self::certificate) returns the proof. If the status is not a success, x is
/// unchanged, and the status is the status of the method that was tried last.
///
/// ```
/// use siconos_numerics::cone::{PolyhedronActiveSet, Inequalities};
///
/// // Three people in a queue, at least 1 m apart; the last one pushes.
/// let mut rows = Inequalities::new(3);
/// rows.push(0, [(0, 1.0), (1, -1.0)], 1.0);
/// rows.push(1, [(1, 1.0), (2, -1.0)], 1.0);
/// let mut x = [2.0, 1.0, 1.5];
/// let mut faces = PolyhedronActiveSet::default();
/// assert!(faces.solve(&rows, |_normal| (), &mut x)?.status.is_success());
/// assert_eq!((x, faces.multipliers()), ([2.5, 1.5, 0.5], &[0.5, 1.0][..]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug, Default)]
pub struct PolyhedronActiveSet {
    responses: Responses,
    /// Indices of the active rows. `forces` holds their multipliers.
    bearing: Vec<usize>,
    forces: Vec<f64>,
    /// Inverse of the matrix H W H^T of the active rows.
    inverse: UpdatedInverse,
    /// Number of updates of the inverse since it was last computed directly.
    updates: usize,
    /// Sorted labels of the rows that were active after the previous call.
    kept: Vec<usize>,
    multipliers: Vec<f64>,
    certificate: Vec<f64>,
    /// Rows that depend on active rows. Their violation is at the level of rounding errors.
    dependent: Vec<usize>,
    /// Unconstrained point y. `sizes` holds the magnitudes of the unknowns.
    free: Vec<f64>,
    sizes: Vec<f64>,
    /// Direction of x in an exchange step. `changes` holds the direction of the multipliers.
    way: Vec<f64>,
    changes: Vec<f64>,
    column: Vec<f64>,
    row: Vec<f64>,
    all: AllFaces,
}

/// Outcome of the search for the active set.
enum Ended {
    With(Status),
    WithoutSolution,
}

impl PolyhedronActiveSet {
    /// Replaces the unconstrained point x by the solution. `respond` multiplies a vector by W in place. If W
    /// has changed since the previous call, [`forget_responses`](Self::forget_responses) must be called
    /// before.
    ///
    /// # Errors
    ///
    /// If a length differs, if an entry belongs to an unknown that does not exist, or if a value is not
    /// finite ([`SolverError::Problem`]).
    pub fn solve(
        &mut self,
        rows: &Inequalities,
        respond: impl Fn(&mut [f64]),
        x: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        rows.check()?;
        rows.check_point(x)?;
        self.free.clear();
        self.free.extend_from_slice(x);
        self.certificate.clear();
        self.dependent.clear();
        let mut iterations = 0;
        let ended = self.search(rows, &respond, x, &mut iterations);
        self.multipliers.clear();
        self.multipliers.resize(rows.len(), 0.0);
        let status = match ended {
            Ended::With(status) => {
                self.bearing
                    .iter()
                    .zip(&self.forces)
                    .for_each(|(row, force)| self.multipliers[*row] = *force);
                status
            }
            Ended::WithoutSolution => {
                x.copy_from_slice(&self.free);
                self.forget_responses();
                let info = self.all.solve(rows, &respond, &mut self.multipliers, x)?;
                iterations += info.iterations;
                info.status
            }
        };
        self.keep_labels(rows);
        if !status.is_success() {
            x.copy_from_slice(&self.free);
        }
        let error = if status.is_success() { self.largest_lack(rows, x) } else { f64::INFINITY };
        Ok(SolveInfo { status, iterations, error })
    }

    /// Discards the responses. Must be called if W has changed. A change of H is detected automatically.
    pub fn forget_responses(&mut self) {
        self.responses.clear();
    }

    /// Returns the multipliers l of the most recent call, one per row.
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    /// Returns the proof of emptiness if the most recent call found that the polyhedron is empty; otherwise
    /// returns an empty slice. The proof is a vector y with $y \ge 0$, $H^T y = 0$ and $k^T y > 0$ (Farkas),
    /// with one entry per row. The largest entry of y is 1.
    #[must_use]
    pub fn certificate(&self) -> &[f64] {
        &self.certificate
    }

    /// Adds violated rows to the active set one after the other, until every row is satisfied.
    fn search(
        &mut self,
        rows: &Inequalities,
        respond: &dyn Fn(&mut [f64]),
        x: &mut [f64],
        iterations: &mut usize,
    ) -> Ended {
        self.start(rows, respond, x);
        let mut is_refined = false;
        let most = 100 + 10 * (x.len() + rows.len());
        while *iterations < most {
            self.write_sizes(x);
            let Some(face) = self.most_violated(rows, respond, x) else {
                if is_refined || self.bearing.is_empty() {
                    let lack = self.largest_lack(rows, x);
                    return match self.dependent.is_empty() {
                        _ if lack.is_nan() || lack > PROOF => Ended::WithoutSolution,
                        true => Ended::With(Status::Converged),
                        false => Ended::With(Status::AtRoundingLevel),
                    };
                }
                is_refined = true;
                self.refine(rows, x);
                continue;
            };
            is_refined = false;
            match self.drive(rows, face, x, iterations) {
                Exchange::Holds => (),
                Exchange::Depends => {
                    if self.write_certificate(rows, face) {
                        return Ended::With(Status::NoSolution);
                    }
                    self.dependent.push(face);
                }
                Exchange::Breaks => return Ended::WithoutSolution,
            }
        }
        Ended::WithoutSolution
    }

    /// Returns the row with the largest violation. Violations are scaled by the self-responses of the rows.
    fn most_violated(
        &mut self,
        rows: &Inequalities,
        respond: &dyn Fn(&mut [f64]),
        x: &[f64],
    ) -> Option<usize> {
        let mut most: Option<(usize, f64)> = None;
        for face in 0..rows.len() {
            let gap = rows.gap(face, x);
            if gap >= 0.0 || -gap <= ROUNDING * rows.terms(face, &self.sizes) {
                continue;
            }
            if self.bearing.contains(&face) || self.dependent.contains(&face) {
                continue;
            }
            let own = self.responses.own(rows, respond, face);
            // Squares are compared, because the last digit of a square root depends on the units.
            let violation = if own > 0.0 { gap * gap / own } else { f64::INFINITY };
            if most.is_none_or(|(_, largest)| violation > largest) {
                most = Some((face, violation));
            }
        }
        most.map(|(face, _)| face)
    }

    /// Writes the size of each unknown, which is the larger of its magnitudes at x and at the unconstrained
    /// point. The sizes bound the terms of the gaps.
    fn write_sizes(&mut self, x: &[f64]) {
        self.sizes.clear();
        self.sizes.extend(x.iter().zip(&self.free).map(|(x, free)| x.abs().max(free.abs())));
    }

    /// Returns the largest violation of a row, relative to the terms of the row.
    fn largest_lack(&mut self, rows: &Inequalities, x: &[f64]) -> f64 {
        self.write_sizes(x);
        let lacks = (0..rows.len()).map(|face| {
            let lack = -rows.gap(face, x);
            if lack > 0.0 { lack / rows.terms(face, &self.sizes) } else { 0.0 }
        });
        lacks.fold(0.0, |largest, lack| if lack <= largest { largest } else { lack })
    }

    fn keep_labels(&mut self, rows: &Inequalities) {
        self.kept.clear();
        let bears = rows.labels().iter().zip(&self.multipliers).filter(|(_, l)| **l > 0.0);
        self.kept.extend(bears.map(|(label, _)| *label));
        self.kept.sort_unstable();
    }
}
