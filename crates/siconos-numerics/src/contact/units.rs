//! Scaling of contact problems, so that typical entries are near 1. The scaled problem does not depend on the
//! units of mass, length and time. If these units change by powers of two, its entries are bit-identical.

use siconos_linalg::{Csc, Matrix, largest_magnitude, power_of_two_below};

use super::bodies::Delassus;
use super::problem::Form;
use super::residual::{error_of_point, judge};
use super::scales::Scales;
use super::{Contact, ContactLaw, ContactProblem, DelassusProblem};
use crate::engine::check_solve;
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};
use crate::method::Solver;
use crate::own_response::solved_by_zero;

/// Scaling of a problem with W, so that typical entries are near 1. W is divided by the mean inverse mass, q
/// by its largest entry, and rolling rows by the radius of gyration of the contact; each divisor is rounded
/// down to a power of two. If all divisors are 1, the problem is not copied.
///
/// A contact is immovable if no reaction can move its bodies; its normal row of W is zero. If the bodies do
/// not approach each other, the reaction of the contact is 0. An inverse mass is then added to the diagonal
/// of its block, so that no method divides by zero. This does not change the velocities. The inverse mass is
/// added even to problems that need no scaling.
#[derive(Clone, Debug, Default)]
pub(super) struct ProblemScaling {
    scales: Scales,
    own_scales: Scales,
    matrix: Matrix,
    q: Vec<f64>,
    r: Vec<f64>,
    u: Vec<f64>,
    mu_rolling: Vec<f64>,
    /// Unit of length of each row, which is 1 for translational components.
    lengths: Vec<f64>,
    /// Workspace to compute W if the bodies are given instead of W.
    delassus: Option<Box<Delassus>>,
}

impl ProblemScaling {
    /// Solves a problem with `run`. The arguments of `run` are the scaled problem with W, an initial guess in
    /// the cones, and the velocities. `run` is not called if the problem has no unknowns, no free velocity or
    /// no solution.
    pub(super) fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        tolerance: f64,
        r: &mut [f64],
        u: &mut [f64],
        run: impl FnOnce(&DelassusProblem<'_>, &mut [f64], &mut [f64]) -> Result<SolveInfo, SolverError>,
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), r, u)?;
        match problem.form() {
            Form::Delassus(problem) => self.solve_with_w(&problem, tolerance, r, u, run),
            Form::Bodies(problem) => {
                let mut delassus = self.delassus.take().unwrap_or_default();
                let solved = delassus
                    .form(&problem)
                    .and_then(|problem| self.solve_with_w(&problem, tolerance, r, u, run));
                self.delassus = Some(delassus);
                solved
            }
        }
    }

    fn solve_with_w(
        &mut self,
        problem: &DelassusProblem<'_>,
        tolerance: f64,
        r: &mut [f64],
        u: &mut [f64],
        run: impl FnOnce(&DelassusProblem<'_>, &mut [f64], &mut [f64]) -> Result<SolveInfo, SolverError>,
    ) -> Result<SolveInfo, SolverError> {
        self.scales.prepare(problem);
        let inverse_mass = power_of_two_below(self.scales.mean_inverse_mass());
        let has_lengths = self.find_lengths(problem);
        let velocity = power_of_two_below(self.largest_velocity(problem));
        let has_immovable = !self.scales.immovable().is_empty();
        if inverse_mass == 1.0 && velocity == 1.0 && !has_lengths && !has_immovable {
            let problem = &problem.with_scales(&self.scales);
            return begin(problem, &[], r, u).map_or_else(|| run(problem, r, u), Ok);
        }
        problem.w().copy_to(&mut self.matrix);
        if has_immovable {
            self.give_inverse_mass(problem, inverse_mass);
        }
        let impulse = velocity / inverse_mass;
        let Self { matrix, q, lengths, .. } = self;
        matrix.scale_entries(|i, j| lengths[i] * lengths[j] / inverse_mass);
        q.clear();
        q.extend(problem.q().iter().zip(&*lengths).map(|(q, length)| q * length / velocity));
        for (own, given, unit) in [(&mut self.r, &*r, impulse), (&mut self.u, &*u, velocity)] {
            own.clear();
            own.extend_from_slice(given);
            own.iter_mut().for_each(|x| *x /= unit);
        }
        self.r.iter_mut().zip(&*lengths).for_each(|(r, length)| *r /= length);
        let law = match problem.law() {
            ContactLaw::Rolling { dimension, mu, .. } => {
                ContactLaw::Rolling { dimension, mu, mu_rolling: &self.mu_rolling }
            }
            law => law,
        };
        let own = DelassusProblem::new(matrix.view(), q, law);
        self.own_scales.prepare(&own);
        let (own, immovable) = (own.with_scales(&self.own_scales), self.scales.immovable());
        let mut solved = match begin(&own, immovable, &mut self.r, &mut self.u) {
            Some(info) => Ok(info),
            None => run(&own, &mut self.r, &mut self.u),
        };
        if let Ok(info) = &mut solved {
            leave_out(immovable, &own, tolerance, (&mut self.r, &mut self.u), info);
        }
        for (k, (r, u)) in r.iter_mut().zip(u).enumerate() {
            *r = self.r[k] * impulse * lengths[k];
            *u = self.u[k] * velocity / lengths[k];
        }
        solved
    }

    /// Computes the unit of length of every row, and the coefficients of rolling friction in these units.
    /// Returns `true` if at least one unit of length differs from 1.
    fn find_lengths(&mut self, problem: &DelassusProblem<'_>) -> bool {
        self.lengths.clear();
        self.lengths.resize(problem.size(), 1.0);
        self.mu_rolling.clear();
        let law = problem.law();
        let ContactLaw::Rolling { mu_rolling, .. } = law else { return false };
        let mut diagonal = std::mem::take(&mut self.q);
        diagonal.clear();
        diagonal.resize(problem.size(), 0.0);
        problem.w().copy_diagonal(&mut diagonal);
        for (block, (mu, scale)) in mu_rolling.iter().zip(self.scales.blocks()).enumerate() {
            let turning = law.rows_of_velocity(block).end..law.range(block).end;
            let inverse_inertia: f64 = diagonal[turning.clone()].iter().map(|w| w.abs()).sum();
            // The square is rounded to a power of two before the square root is taken, so that the square
            // root of an even power is exact.
            let square = power_of_two_below(scale.inverse_mass * turning.len() as f64 / inverse_inertia);
            let length = power_of_two_below(square.sqrt());
            self.lengths[turning].fill(length);
            self.mu_rolling.push(mu / length);
        }
        self.q = diagonal;
        self.lengths.iter().any(|length| *length != 1.0)
    }

    fn largest_velocity(&mut self, problem: &DelassusProblem<'_>) -> f64 {
        self.u.clear();
        self.u.extend(problem.q().iter().zip(&self.lengths).map(|(q, length)| q * length));
        largest_magnitude(&self.u)
    }

    /// Adds `inverse_mass` to the diagonals of the blocks of immovable contacts, for which the normal row of
    /// W is zero.
    fn give_inverse_mass(&mut self, problem: &DelassusProblem<'_>, inverse_mass: f64) {
        let law = problem.law();
        let mut extra = vec![0.0; problem.size()];
        for &block in self.scales.immovable() {
            law.range(block).for_each(|i| extra[i] = inverse_mass / self.lengths[i].powi(2));
        }
        self.matrix = plus_diagonal(&self.matrix, &extra);
    }
}

/// Method that can only solve scaled problems.
pub(super) trait ScaledSolver {
    /// Returns the scaling. During a solve, [`solve_by`] takes it out of the method.
    fn units(&mut self) -> &mut ProblemScaling;

    /// Solves a scaled problem that has its scales attached. The initial guess must be in the cones.
    fn solve_in_own_units(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;
}

/// Scales a problem and solves it with a method that needs scaled problems.
pub(super) fn solve_by(
    method: &mut (impl ScaledSolver + Solver<Class = Contact>),
    problem: &ContactProblem<'_>,
    r: &mut [f64],
    u: &mut [f64],
) -> Result<SolveInfo, SolverError> {
    let mut units = std::mem::take(method.units());
    let tolerance = method.tolerance();
    let solved =
        units.solve(problem, tolerance, r, u, |problem, r, u| method.solve_in_own_units(problem, r, u));
    *method.units() = units;
    solved
}

/// Prepares a solve of a problem with W. Returns the result if it is known without a method. Otherwise
/// projects the initial guess onto the cones and returns `None`. `immovable` lists the immovable contacts.
pub(super) fn begin(
    problem: &DelassusProblem<'_>,
    immovable: &[usize],
    r: &mut [f64],
    u: &mut [f64],
) -> Option<SolveInfo> {
    let is_finite = || problem.w().first_non_finite().is_none();
    let status = begin_guess(&problem.law(), problem.q(), is_finite, immovable, r)?;
    if status == Status::NoSolution {
        return Some(SolveInfo { status, iterations: 0, error: error_of_point(problem, r, u) });
    }
    Some(solved_by_zero(r, u))
}

/// Returns the status of a problem without free velocity or without a solution, which needs no method.
/// Otherwise projects the initial guess onto the cones and returns `None`.
pub(super) fn begin_guess(
    law: &ContactLaw<'_>,
    q: &[f64],
    is_finite: impl FnOnce() -> bool,
    immovable: &[usize],
    r: &mut [f64],
) -> Option<Status> {
    // If the free velocity is 0, zero reactions solve the problem.
    if q.iter().all(|q| *q == 0.0) && is_finite() {
        return Some(Status::Converged);
    }
    law.project_all(r);
    for &block in immovable {
        r[law.range(block)].fill(0.0);
    }
    let contact = immovable.iter().find(|block| q[law.range(**block).start] < 0.0)?;
    tracing::debug!(contact, "two bodies approach each other, and neither can be moved");
    Some(Status::NoSolution)
}

/// Sets the reactions of immovable contacts to zero. If that changes a reaction, repeats the acceptance test.
fn leave_out(
    immovable: &[usize],
    problem: &DelassusProblem<'_>,
    tolerance: f64,
    (r, u): (&mut [f64], &mut [f64]),
    info: &mut SolveInfo,
) {
    let law = problem.law();
    let is_left_out = |block: &usize| r[law.range(*block)].iter().all(|r| *r == 0.0);
    if info.status == Status::NoSolution || immovable.iter().all(is_left_out) {
        return;
    }
    immovable.iter().for_each(|&block| r[law.range(block)].fill(0.0));
    info.error = error_of_point(problem, r, u);
    info.status = match judge(problem, r, info.error, tolerance) {
        Status::Stalled if !info.status.is_success() => info.status,
        judged => judged,
    };
}

/// Returns the matrix with `extra` added to its diagonal. The result is dense if the matrix is dense;
/// otherwise it is sparse with every diagonal entry stored.
fn plus_diagonal(matrix: &Matrix, extra: &[f64]) -> Matrix {
    if let Matrix::Dense(a) = matrix {
        let mut a = a.clone();
        a.diag_mut().iter_mut().zip(extra).for_each(|(x, extra)| *x += extra);
        return Matrix::Dense(a);
    }
    let (a, n) = (Csc::from_matrix(matrix.view()), extra.len());
    let entries = (0..n).flat_map(|j| a.column(j).map(move |(i, x)| (i, j, x)));
    let entries = entries.chain(extra.iter().enumerate().map(|(i, x)| (i, i, *x)));
    Matrix::Csc(Csc::from_triplets(n, n, entries.collect::<Vec<_>>()).unwrap_or_default())
}
