//! Solution on the active set of the initial guess, with a few corrections of the set.

use siconos_linalg::cost::dense_factorisation;
use siconos_linalg::largest_magnitude;

use super::AviProblem;
use super::active_system::ActiveSystem;
use super::residual::{AcceptanceTest, Image};
use crate::info::{SolveInfo, Status};

/// Maximum number of linear systems to solve.
const ROUNDS: usize = 10;

/// Tolerance on the sign of a multiplier or a slack: number of units in the last place for each unknown.
const UNITS: f64 = 4.0;

/// Solver that takes the active set of the initial guess and corrects it.
///
/// The active inequalities A hold as equations:
///
/// $$ M z - H_A^T \lambda_A = -q, \qquad H_A z = K_A. $$
///
/// Then the inequalities with a negative multiplier leave the set, and the most violated inequality enters
/// it. This is a heuristic without a convergence proof: it gives up if the system is singular, or after ten
/// systems. A sign that is wrong by no more than rounding error counts as correct.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSet {
    system: ActiveSystem,
    x: Vec<f64>,
    z: Vec<f64>,
    lambda: Vec<f64>,
    image: Image,
    terms: Vec<f64>,
    judge: AcceptanceTest,
    /// Operation count of the last solve.
    operations: f64,
}

impl ActiveSet {
    /// Returns the operation count of the last solve.
    pub(super) fn operations(&self) -> f64 {
        self.operations
    }

    /// Solves from the initial guess in `z` and `lambda`, and overwrites them only if the status is a
    /// success. One iteration is one linear system.
    pub(super) fn solve(
        &mut self,
        problem: &AviProblem<'_>,
        tolerance: f64,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> SolveInfo {
        let ended = |status, iterations, error| SolveInfo { status, iterations, error };
        self.image.of(problem, z, lambda);
        self.system.choose(lambda, &self.image.slack);
        self.operations = 0.0;
        for round in 1..=ROUNDS {
            self.operations += dense_factorisation(self.system.size(problem));
            if !self.system.factor(problem) {
                return ended(Status::Breakdown, round, f64::NAN);
            }
            self.point(problem);
            if !self.change(problem) {
                self.lambda.iter_mut().for_each(|lambda| *lambda = lambda.max(0.0));
                let error = self.image.error_of(problem, &self.z, &self.lambda);
                let status = self.judge.of(problem, (&self.z, &self.lambda), error, tolerance);
                if status.is_success() {
                    z.copy_from_slice(&self.z);
                    lambda.copy_from_slice(&self.lambda);
                }
                return ended(status, round, error);
            }
        }
        ended(Status::MaxIterations, ROUNDS, f64::NAN)
    }

    /// Solves the factorised system with one step of iterative refinement, and computes the force and slack
    /// of the solution.
    fn point(&mut self, problem: &AviProblem<'_>) {
        let Self { system, x, z, lambda, image, .. } = self;
        let n = problem.size();
        z.clear();
        z.resize(n, 0.0);
        lambda.clear();
        lambda.resize(problem.inequalities(), 0.0);
        image.of(problem, z, lambda);
        for _ in ["solved", "refined"] {
            system.write_step(&image.force, &image.slack, x);
            z.iter_mut().zip(&*x).for_each(|(z, d)| *z += d);
            system.active.iter().zip(&x[n..]).for_each(|(&i, d)| lambda[i] += d);
            image.of(problem, z, lambda);
        }
    }

    /// Updates the set where a sign is wrong. Returns `false` if all signs are correct.
    fn change(&mut self, problem: &AviProblem<'_>) -> bool {
        let Self { system, z, lambda, image: Image { slack, .. }, terms, .. } = self;
        let active = &mut system.active;
        let (n, h, k) = (problem.size(), problem.h(), problem.k());
        let unit = UNITS * (n + active.len()) as f64 * f64::EPSILON;
        terms.clear();
        terms.resize(n, 0.0);
        problem.m().add_absolute_product(z, terms);
        let force = largest_magnitude(terms).max(largest_magnitude(problem.q()));
        let size = |i: usize| h.row(i).iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let before = active.len();
        active.retain(|&i| -lambda[i] * size(i) <= unit * force);
        let mut worst = None;
        let mut worst_distance = 0.0;
        for i in (0..k.len()).filter(|&i| slack[i] < 0.0) {
            let terms: f64 = h.row(i).iter().zip(&*z).map(|(h, z)| (h * z).abs()).sum();
            let size = size(i);
            let distance = if size > 0.0 { -slack[i] / size } else { f64::INFINITY };
            if -slack[i] > unit * (terms + k[i].abs()) && distance > worst_distance {
                (worst, worst_distance) = (Some(i), distance);
            }
        }
        let changed = worst.is_some() || active.len() < before;
        // If the most violated inequality is already active, the system is nearly singular. The inequality is
        // not added twice.
        active.extend(worst.filter(|i| !active.contains(i)));
        changed
    }
}
