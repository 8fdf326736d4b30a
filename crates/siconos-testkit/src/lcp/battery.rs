//! The battery: every solver, on every known problem of the classes that it guarantees.

use std::fmt::Write as _;

use ndarray::{Array1, Array2};
use siconos_linalg::{BlockCsr, Matrix};
use siconos_numerics::lcp::{Lcp, LcpProblem};
use siconos_numerics::{SolveInfo, Solver, Status};

use super::{KnownLcp, Measures, all, condition_number};
use siconos_numerics::method::MatrixClass;

/// What a solver claims, and how exactly it is to be taken at its word.
#[derive(Clone, Debug, PartialEq)]
pub struct Capability {
    /// The matrix classes for which it finds a solution whenever there is one.
    pub classes: &'static [MatrixClass],
    /// The largest error, recomputed here, of a point that it calls converged.
    pub tolerance: f64,
    /// The largest condition number at which it still converges in its iterations; infinite for direct
    /// methods.
    pub largest_condition: f64,
    /// Whether, for a problem of its classes without a solution, it ends with [`Status::RayTermination`] or
    /// [`Status::NoSolution`].
    pub recognises_unsolvable: bool,
}

impl Capability {
    /// Whether it claims to solve this problem, if there is a solution.
    #[must_use]
    pub fn covers(&self, problem: &KnownLcp) -> bool {
        self.classes.iter().any(|class| problem.class.is_within(*class))
            && (self.largest_condition.is_infinite()
                || condition_number(problem.m.view()) <= self.largest_condition)
    }
}

/// What the battery did, so that a test can see that it did something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatteryReport {
    /// Solves of solvable problems, over storages and guesses.
    pub solved: usize,
    /// Solves of problems without a solution.
    pub unsolvable: usize,
    /// Solves of problems outside the guarantee, for which only honesty is asked.
    pub beyond: usize,
    /// Solves with the matrix dense, diagonal, and in block rows.
    pub storages: [usize; 3],
}

/// Runs a solver over [`all`] known problems, in each storage that it supports, from three guesses (zeros,
/// ones, the end point of the solve before).
///
/// In this order: the status is that of the guarantee; the returned `w` is $M z + q$ and the reported error
/// is the one recomputed here; a converged point is below the tolerance, one at rounding level within a few
/// units in the last place of its terms (both measured here); where the solution is unique, it is the known
/// one, to within the tolerance times the condition number. Outside its classes a solver may fail, but not
/// call a point converged that is none.
///
/// # Panics
///
/// With the list of all failures, when there are any.
#[track_caller]
pub fn check_lcp_solver(solver: &mut dyn Solver<Class = Lcp>, capability: &Capability) -> BatteryReport {
    check_lcp_solver_up_to(solver, capability, usize::MAX)
}

/// The same without the problems of more than `largest_size` unknowns, for methods whose work is exponential
/// in them.
///
/// # Panics
///
/// With the list of all failures, when there are any.
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

/// The matrix dense, diagonal when it is, and in block rows of 1, 2, 1, 2, .. rows.
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
    // NaN, so that a solver that leaves `w` alone is found out.
    let mut w = vec![f64::NAN; z.len()];
    let covered = capability.covers(known);
    let info = match solver.solve(&problem, z, &mut w) {
        Ok(info) => info,
        Err(_) if !covered => return Ok(()),
        Err(error) => return Err(format!("refused: {error}")),
    };
    judge_status(capability, known, covered, info)?;
    let point = Measures::of(known.m.view(), &known.q, z);
    // Of the terms of w, not of w: where huge z cancel, the order of summation decides about its last digits.
    let terms = known.m.mapv(f64::abs).dot(&Array1::from_iter(z.iter().map(|z| z.abs())));
    let scale = terms.iter().chain(&point.w).chain(&known.q).fold(1.0_f64, |a, x| a.max(x.abs()));
    if !covered && !info.status.is_success() && info.error.is_nan() {
        // It diverged, and says so; there is nothing to compare.
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
    // Singular matrices of problems with a unique solution are small integers: a factor of 1e4 is ample.
    let condition = Some(condition_number(known.m.view())).filter(|c| c.is_finite()).unwrap_or(1e4);
    let bound = capability.tolerance * condition.max(1.0) * largest * 10.0;
    match z.iter().zip(solution).position(|(a, b)| (a - b).abs() > bound) {
        None => Ok(()),
        Some(i) => Err(format!("z[{i}] is {:e}, the solution {:e}, allowed {bound:e}", z[i], solution[i])),
    }
}
