//! Battery test, which runs a solver on every known problem of the matrix classes that it guarantees.

use std::fmt::Write as _;

use ndarray::{Array1, Array2};
use siconos_linalg::{BlockCsr, Matrix};
use siconos_numerics::lcp::{Lcp, LcpProblem};
use siconos_numerics::{SolveInfo, Solver, Status};

use super::{KnownLcp, Measures, all, condition_number};
use siconos_numerics::method::MatrixClass;

/// Guarantees of a solver, and the tolerances with which they are checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Capability {
    /// Matrix classes for which the solver finds a solution of every solvable problem.
    pub classes: &'static [MatrixClass],
    /// Largest accepted error of a point that the solver reports as converged. The battery recomputes the
    /// error.
    pub tolerance: f64,
    /// Condition number up to which the solver converges within its maximum number of iterations. It is
    /// infinite for direct methods.
    pub largest_condition: f64,
    /// `true` if the solver ends with [`Status::RayTermination`] or [`Status::NoSolution`] on every problem
    /// of its classes that has no solution.
    pub recognises_unsolvable: bool,
}

impl Capability {
    /// Returns `true` if the guarantee covers this problem: if a solution exists, the solver finds one.
    #[must_use]
    pub fn covers(&self, problem: &KnownLcp) -> bool {
        self.classes.iter().any(|class| problem.class.is_within(*class))
            && (self.largest_condition.is_infinite()
                || condition_number(problem.m.view()) <= self.largest_condition)
    }
}

/// Numbers of solves in the battery, with which a test can check that the battery was not empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatteryReport {
    /// Number of solves of solvable problems within the guarantee. A problem counts once for each combination
    /// of storage and initial guess.
    pub solved: usize,
    /// Number of solves of problems without a solution.
    pub unsolvable: usize,
    /// Number of solves of problems outside the guarantee, on which a solver is allowed to fail if it reports
    /// the failure.
    pub beyond: usize,
    /// Numbers of solves with a dense matrix, with a diagonal matrix, and with a matrix in block rows.
    pub storages: [usize; 3],
}

/// Runs a solver on [`all`] known problems, in each storage that the solver supports. There are three initial
/// guesses: zeros, ones, and the final point of the previous solve.
///
/// The checks, in this order:
///
/// 1. The status agrees with the guarantee.
/// 2. The returned `w` is $M z + q$, and the reported error equals the recomputed error.
/// 3. If the solver reports success, the recomputed error is at most the tolerance. With the status
///    [`Status::AtRoundingLevel`], the recomputed backward error ([`Measures::backward`]) is at most 8 n
///    times the machine precision instead, for n unknowns.
/// 4. If the solution is unique and the problem is within the guarantee, the largest error of an unknown is
///    at most 10 times the product of the tolerance, the condition number and the largest entry of the
///    solution (or 1 if all entries are smaller).
///
/// On problems outside its classes, a solver is allowed to fail, but it must not report a wrong point as
/// converged.
///
/// # Panics
///
/// If any check fails; the message lists all failures.
#[track_caller]
pub fn check_lcp_solver(solver: &mut dyn Solver<Class = Lcp>, capability: &Capability) -> BatteryReport {
    check_lcp_solver_up_to(solver, capability, usize::MAX)
}

/// Checks a solver like [`check_lcp_solver`], but only on problems with at most `largest_size` unknowns. Use
/// it for methods whose effort is exponential in the number of unknowns.
///
/// # Panics
///
/// If any check fails; the message lists all failures.
#[track_caller]
pub fn check_lcp_solver_up_to(
    solver: &mut dyn Solver<Class = Lcp>,
    capability: &Capability,
    largest_size: usize,
) -> BatteryReport {
    let (mut report, mut failures) = (BatteryReport::default(), String::new());
    for problem in all().into_iter().filter(|problem| problem.size() <= largest_size) {
        for (k, storage) in storages(&problem.m).into_iter().enumerate() {
            let takes = |m: &Matrix| {
                LcpProblem::new(m, &problem.q).is_ok_and(|stored| solver.supports(&stored).is_ok())
            };
            let Some(matrix) = storage.filter(takes) else { continue };
            let n = problem.size();
            let mut end_point = vec![0.0; n];
            for guess in [Some(0.0), Some(1.0), None] {
                let mut z = guess.map_or(end_point, |x| vec![x; n]);
                let verdict = solve_and_judge(solver, capability, &problem, &matrix, &mut z);
                if let Err(failure) = verdict {
                    let start = guess.map_or("its own end point".into(), |x| format!("z = {x}"));
                    let (name, storage) = (&problem.name, matrix.view().storage());
                    let _ = writeln!(failures, "  {name}, {storage}, from {start}: {failure}");
                }
                report.storages[k] += 1;
                match (capability.covers(&problem), problem.has_solution()) {
                    (false, _) => report.beyond += 1,
                    (true, true) => report.solved += 1,
                    (true, false) => report.unsolvable += 1,
                }
                end_point = z;
            }
        }
    }
    assert!(failures.is_empty(), "{} failed on\n{failures}", solver.name());
    report
}

/// Returns the matrix in three storage formats: dense, diagonal, and in block rows of 1, 2, 1, 2, .. rows.
/// The diagonal storage is `None` if the matrix is not diagonal.
fn storages(m: &Array2<f64>) -> [Option<Matrix>; 3] {
    let is_diagonal = m.indexed_iter().all(|((i, j), x)| i == j || *x == 0.0);
    let diagonal = is_diagonal.then(|| Matrix::from(m.diag().to_owned()));
    [Some(Matrix::from(m.clone())), diagonal, block_rows(m).map(Matrix::from)]
}

fn block_rows(m: &Array2<f64>) -> Option<BlockCsr> {
    let mut sizes = Vec::new();
    while sizes.iter().sum::<usize>() < m.nrows() {
        let left = m.nrows() - sizes.iter().sum::<usize>();
        sizes.push((1 + sizes.len() % 2).min(left));
    }
    let first = |block: usize| sizes[..block].iter().sum::<usize>();
    let mut blocks = Vec::new();
    for i in 0..sizes.len() {
        for j in 0..sizes.len() {
            let (rows, columns) = (first(i)..first(i + 1), first(j)..first(j + 1));
            let block = m.slice(ndarray::s![rows, columns]);
            if block.iter().any(|x| *x != 0.0) {
                blocks.push((i, j, block.to_owned()));
            }
        }
    }
    BlockCsr::from_blocks(&sizes, &sizes, blocks).ok()
}

fn solve_and_judge(
    solver: &mut dyn Solver<Class = Lcp>,
    capability: &Capability,
    known: &KnownLcp,
    matrix: &Matrix,
    z: &mut [f64],
) -> Result<(), String> {
    let problem = LcpProblem::new(matrix, &known.q).map_err(|error| error.to_string())?;
    // NaN detects a solver that does not write `w`.
    let mut w = vec![f64::NAN; z.len()];
    let covered = capability.covers(known);
    let info = match solver.solve(&problem, z, &mut w) {
        Ok(info) => info,
        Err(_) if !covered => return Ok(()),
        Err(error) => return Err(format!("refused: {error}")),
    };
    judge_status(capability, known, covered, info)?;
    let point = Measures::of(known.m.view(), &known.q, z);
    // Errors of w are compared with the terms of w instead of w. If large terms cancel, the last digits of w
    // depend on the order of summation.
    let terms = known.m.mapv(f64::abs).dot(&Array1::from_iter(z.iter().map(|z| z.abs())));
    let scale = terms.iter().chain(&point.w).chain(&known.q).fold(1.0_f64, |a, x| a.max(x.abs()));
    if !covered && !info.status.is_success() && info.error.is_nan() {
        // The solver diverged and reports it, so the point is not compared.
        return Ok(());
    }
    let off = w.iter().zip(&point.w).position(|(a, b)| a.is_nan() || (a - b).abs() > 1e-12 * scale);
    if let Some(i) = off {
        return Err(format!("w[{i}] is {:e}, M z + q is {:e}", w[i], point.w[i]));
    }
    if (info.error - point.natural).abs() > 1e-12 * scale + 1e-6 * point.natural {
        return Err(format!("it reports the error {:e}, the point has {:e}", info.error, point.natural));
    }
    if !info.status.is_success() {
        return Ok(());
    }
    let unit = f64::EPSILON * z.len() as f64;
    let good = match info.status {
        Status::AtRoundingLevel => point.backward <= 8.0 * unit,
        _ => point.natural <= capability.tolerance,
    };
    if !good {
        return Err(format!("{} with the errors {:e}, {:e}", info.status, point.natural, point.backward));
    }
    match known.unique_solution() {
        Some(solution) if covered => judge_solution(capability, known, solution, z),
        _ => Ok(()),
    }
}

fn judge_status(
    capability: &Capability,
    known: &KnownLcp,
    covered: bool,
    info: SolveInfo,
) -> Result<(), String> {
    let status = info.status;
    let right = match (known.has_solution(), covered) {
        (true, true) => status.is_success(),
        (true, false) => true,
        (false, true) if capability.recognises_unsolvable => {
            matches!(status, Status::RayTermination | Status::NoSolution)
        }
        (false, _) => !status.is_success(),
    };
    if right {
        Ok(())
    } else {
        Err(format!("{status}, {} iterations, error {:e}", info.iterations, info.error))
    }
}

fn judge_solution(
    capability: &Capability,
    known: &KnownLcp,
    solution: &[f64],
    z: &[f64],
) -> Result<(), String> {
    let largest = solution.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
    // For problems with a singular matrix and a unique solution, 1e4 replaces the condition number. It is
    // large enough, because these matrices have small integer entries.
    let condition = Some(condition_number(known.m.view())).filter(|c| c.is_finite()).unwrap_or(1e4);
    let bound = capability.tolerance * condition.max(1.0) * largest * 10.0;
    match z.iter().zip(solution).position(|(a, b)| (a - b).abs() > bound) {
        None => Ok(()),
        Some(i) => Err(format!("z[{i}] is {:e}, the solution {:e}, allowed {bound:e}", z[i], solution[i])),
    }
}
