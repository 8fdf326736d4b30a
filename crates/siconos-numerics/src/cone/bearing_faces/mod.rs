//! The point of a polyhedron at which given responses of its faces balance.

mod all_faces;
mod exchange;
mod responses;
mod start;

use siconos_linalg::UpdatedInverse;

use self::all_faces::AllFaces;
use self::exchange::Driven;
use self::responses::Responses;
use super::Inequalities;
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};

/// A row holds where it lacks less than this part of its terms.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A combination of rows is one of zeros, and its bound above zero, to this part of the terms.
const PROOF: f64 = 1e-10;

/// The multipliers of a polyhedron $\lbrace x : H x \ge k \rbrace$ under any linear response W to them: for a
/// free point y, the x with
///
/// $$ x = y + W H^T l, \qquad 0 \le l \perp H x - k \ge 0. $$
///
/// As plain text: x = y + W H^T l with 0 <= l complementary to H x - k >= 0. With W the identity x is the
/// nearest point to y, with $W = P^{-1}$ that in the norm of P
/// ([`PolyhedronProjection`](super::PolyhedronProjection)); with another W whose symmetric part is positive
/// definite x solves an affine variational inequality over the polyhedron, as a step of an implicit scheme
/// does. x is unique, l need not be.
///
/// **Method.** The dual active-set method of Goldfarb and Idnani (1983, "A numerically stable dual method for
/// solving strictly convex quadratic programs", Mathematical Programming 27, 1-33): some faces bear, their
/// rows are linearly independent, and x is the solution for these faces alone. The face that is violated most
/// is driven until it holds; faces whose multiplier falls to 0 on the way leave. Only faces that have been
/// violated get a response, and the inverse of the matrix of those that bear is changed by operations of rank
/// one: the cost goes with the faces that bear and not with all that there are. The faces that bore in the
/// last call are tried first. Where that ends without a solution, as it may where W is not definite, all
/// faces go to [`lcp::Auto`](crate::lcp::Auto), up to 1000.
///
/// **Guarantee.** For symmetric positive definite W: the solution, or a proof that the polyhedron is empty,
/// up to rounding.
///
/// **Result.** `Converged`: every row holds to rounding. `AtRoundingLevel`: but for rows that depend on those
/// that bear. `NoSolution`: the polyhedron is empty, by [`certificate`](Self::certificate). Else x is as it
/// was, and the status that of the last method tried.
///
/// ```
/// use siconos_numerics::cone::{BearingFaces, Inequalities};
///
/// // Three people in a queue, 1 m from each other at least; the last one pushes.
/// let mut rows = Inequalities::new(3);
/// rows.push(0, [(0, 1.0), (1, -1.0)], 1.0);
/// rows.push(1, [(1, 1.0), (2, -1.0)], 1.0);
/// let mut x = [2.0, 1.0, 1.5];
/// let mut faces = BearingFaces::default();
/// assert!(faces.solve(&rows, |_normal| (), &mut x)?.status.is_success());
/// assert_eq!((x, faces.multipliers()), ([2.5, 1.5, 0.5], &[0.5, 1.0][..]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug, Default)]
pub struct BearingFaces {
    responses: Responses,
    /// The faces that bear, as rows of the list, and their multipliers.
    bearing: Vec<usize>,
    forces: Vec<f64>,
    /// The inverse of the matrix H W H^T of the faces that bear.
    inverse: UpdatedInverse,
    /// How often the inverse was changed since it was made.
    updates: usize,
    /// The labels of the faces that bore in the last call, in order.
    kept: Vec<usize>,
    multipliers: Vec<f64>,
    certificate: Vec<f64>,
    /// Faces that depend on those that bear, and lack no more than rounding explains.
    dependent: Vec<usize>,
    /// The free point; the sizes of the unknowns.
    free: Vec<f64>,
    sizes: Vec<f64>,
    /// The way of x and of the forces where a face is driven.
    way: Vec<f64>,
    changes: Vec<f64>,
    column: Vec<f64>,
    row: Vec<f64>,
    all: AllFaces,
}

/// What a search over the faces came to.
enum Ended {
    With(Status),
    WithoutSolution,
}

impl BearingFaces {
    /// Overwrites the free point x with the solution. `respond` overwrites a vector with W times it; between
    /// calls W stays the same, unless [`forget_responses`](Self::forget_responses) is called.
    ///
    /// # Errors
    ///
    /// [`SolverError::Problem`]: another length, entries of unknowns that there are not, numbers that are not
    /// finite.
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

    /// Says that W is another one from now on. Another H is seen without being told.
    pub fn forget_responses(&mut self) {
        self.responses.clear();
    }

    /// The multipliers l of the last call, one for each row.
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    /// Where the last call has found that the polyhedron is empty, the proof: $y \ge 0$ with $H^T y = 0$ and
    /// $k^T y > 0$ (Farkas), one factor for each row, of which the largest is 1. Else none.
    #[must_use]
    pub fn certificate(&self) -> &[f64] {
        &self.certificate
    }

    /// Drives violated faces, one after the other, until none is left.
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
                Driven::Holds => (),
                Driven::Depends => {
                    if self.write_certificate(rows, face) {
                        return Ended::With(Status::NoSolution);
                    }
                    self.dependent.push(face);
                }
                Driven::Breaks => return Ended::WithoutSolution,
            }
        }
        Ended::WithoutSolution
    }

    /// The face that is farthest from its bound, on the wrong side, in units of what it does to itself.
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
            // Squares, because roots depend on units in their last digit.
            let violation = if own > 0.0 { gap * gap / own } else { f64::INFINITY };
            if most.is_none_or(|(_, largest)| violation > largest) {
                most = Some((face, violation));
            }
        }
        most.map(|(face, _)| face)
    }

    /// The sizes that terms of the gaps have had on the way from the free point.
    fn write_sizes(&mut self, x: &[f64]) {
        self.sizes.clear();
        self.sizes.extend(x.iter().zip(&self.free).map(|(x, free)| x.abs().max(free.abs())));
    }

    /// What rows lack at most, relative to their terms.
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
