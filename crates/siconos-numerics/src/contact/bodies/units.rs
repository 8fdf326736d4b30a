//! Scaling of problems in the global formulation, so that typical entries are near 1.

use siconos_linalg::{Csc, Matrix, MatrixRef, largest_magnitude, power_of_two_below};

use super::{BodiesError, BodiesProblem};
use crate::contact::ContactLaw;
use crate::contact::law::refuse_infinite_friction;
use crate::contact::residual::{conclude_at, error_of_point, judge};
use crate::contact::scales::{BlockScale, scale_blocks};
use crate::contact::units::begin_guess;
use crate::contact::{Contact, ContactProblem};
use crate::engine::check_solve;
use crate::error::{SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::Solver;
use crate::own_response::solved_by_zero;

/// Scaling of a problem with bodies, so that typical entries are near 1. M is divided by a power of two near
/// the mean effective mass of the contacts, and q by a power of two near its largest entry. The rolling
/// columns of H are multiplied by a power of two near $\mu_r$, or near the radius of gyration if $\mu_r = 0$.
/// If all these factors are 1, the matrices are not copied.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct BodiesUnits {
    diagonal: Vec<f64>,
    blocks: Vec<BlockScale>,
    /// Copy of H by columns, or `None` before the first problem. During a solve, the scaling is taken out of
    /// the solver and replaced by a default value, which must not allocate.
    h: Option<Csc>,
    /// Contacts whose reactions move no body. Their normal column of H is zero. If the law has no shift, all
    /// their columns of H are zero.
    immovable: Vec<usize>,
    /// Unit of length of each column of H.
    lengths: Vec<f64>,
    mu_rolling: Vec<f64>,
    q: Vec<f64>,
    r: Vec<f64>,
    u: Vec<f64>,
    mass: Matrix,
    directions: Matrix,
    terms: Vec<f64>,
}

/// Solver in velocity space, which can only solve scaled problems.
pub(super) trait VelocitySpaceMethod: Solver<Class = Contact> {
    /// Returns the scaling, which is taken out of the solver during a solve.
    fn units(&mut self) -> &mut BodiesUnits;

    /// Solves a scaled problem. The initial guess must be in the cones.
    fn solve_in_own_units(
        &mut self,
        problem: &BodiesProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;
}

/// Returns an error if the bodies are not given or if a coefficient of friction is infinite.
pub(super) fn check_bodies(solver: &'static str, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
    problem.need_bodies(solver)?;
    refuse_infinite_friction(solver, &problem.law())
}

/// Scales a problem and solves it with a method in velocity space. If W is also given, the result is checked
/// with W, because $H^T M^{-1} H$ can agree with W to only a few digits.
pub(super) fn solve_by(
    method: &mut impl VelocitySpaceMethod,
    problem: &ContactProblem<'_>,
    r: &mut [f64],
    u: &mut [f64],
) -> Result<SolveInfo, SolverError> {
    method.supports(problem)?;
    let bodies = problem.need_bodies(method.name())?;
    check_solve(problem.q(), r, u)?;
    let mut units = std::mem::take(method.units());
    let solved = units.solve(&bodies, r, u, |problem, r, u| method.solve_in_own_units(problem, r, u));
    let (tolerance, terms) = (method.tolerance(), &mut units.terms);
    let judged = solved.map(|info| match problem.delassus() {
        Some(problem) if info.status != Status::NoSolution => {
            let error = error_of_point(&problem, r, u);
            match judge(&problem, r, error, tolerance) {
                Status::Stalled => {
                    let status = if info.status.is_success() { Status::Stalled } else { info.status };
                    let stop = Stop { status, iterations: info.iterations };
                    conclude_at(&problem, (r, u), error, tolerance, stop, terms)
                }
                status => SolveInfo { status, error, ..info },
            }
        }
        _ => info,
    });
    *method.units() = units;
    judged
}

impl BodiesUnits {
    /// Scales a problem, solves it with `run`, and converts the solution back.
    pub(in crate::contact) fn solve(
        &mut self,
        problem: &BodiesProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
        run: impl FnOnce(&BodiesProblem<'_>, &mut [f64], &mut [f64]) -> Result<SolveInfo, SolverError>,
    ) -> Result<SolveInfo, SolverError> {
        let mass = self.find_mass(problem);
        self.find_immovable(&problem.law());
        self.find_lengths(&problem.law());
        let velocity = self.find_velocity(problem.q());
        let has_lengths = self.lengths.iter().any(|length| *length != 1.0);
        let Self { immovable, lengths, mu_rolling, q, r: own_r, u: own_u, mass: own_m, directions, .. } =
            self;
        if mass == 1.0 && velocity == 1.0 && !has_lengths {
            return solve_movable(problem, immovable, r, u, run);
        }
        // A matrix that needs no scaling is not copied.
        let (given_m, given_h) = (problem.m(), problem.h());
        let (mut m, mut h) = (given_m.reborrow(), given_h.reborrow());
        if mass != 1.0 {
            put_in_units(own_m, &m, |_, _| 1.0 / mass);
            m = own_m.view();
        }
        if has_lengths {
            put_in_units(directions, &h, |_, column| lengths[column]);
            h = directions.view();
        }
        let impulse = mass * velocity;
        q.clear();
        q.extend(problem.q().iter().zip(&*lengths).map(|(q, length)| q * length / velocity));
        own_r.clear();
        own_r.extend(r.iter().zip(&*lengths).map(|(r, length)| r / impulse / length));
        own_u.clear();
        own_u.extend(u.iter().map(|u| u / velocity));
        let law = match problem.law() {
            ContactLaw::Rolling { dimension, mu, .. } => ContactLaw::Rolling { dimension, mu, mu_rolling },
            law => law,
        };
        let solved = solve_movable(&BodiesProblem::new(m, h, q, law), immovable, own_r, own_u, run);
        for (k, (r, u)) in r.iter_mut().zip(u).enumerate() {
            *r = own_r[k] * impulse * lengths[k];
            *u = own_u[k] * velocity / lengths[k];
        }
        solved
    }

    /// Returns the unit of mass, and writes the scales of the contacts. The unit is computed from the
    /// effective masses of the contacts in the normal and tangential directions. It is not computed from the
    /// entries of M, because these are masses and moments of inertia.
    fn find_mass(&mut self, problem: &BodiesProblem<'_>) -> f64 {
        let Self { h, diagonal, blocks, .. } = self;
        diagonal.clear();
        diagonal.resize(problem.degrees_of_freedom(), 0.0);
        problem.m().copy_diagonal(diagonal);
        let h = h.get_or_insert_default();
        h.copy_from(problem.h(), |_, _| false);
        let of_entry =
            |(k, x): (usize, f64)| if diagonal[k] != 0.0 { x * x / diagonal[k].abs() } else { 0.0 };
        let mean = scale_blocks(&problem.law(), |j| h.column(j).map(of_entry).sum(), blocks);
        1.0 / power_of_two_below(mean)
    }

    fn find_immovable(&mut self, law: &ContactLaw<'_>) {
        let Self { h, immovable, .. } = self;
        let h = h.get_or_insert_default();
        let vanishes = |column| h.column(column).all(|(_, x)| x == 0.0);
        let is_immovable = |contact: &usize| {
            let range = law.range(*contact);
            let mut columns = if law.has_shift() { range.start..range.start + 1 } else { range };
            columns.all(vanishes)
        };
        immovable.clear();
        immovable.extend((0..law.blocks()).filter(is_immovable));
    }

    fn find_lengths(&mut self, law: &ContactLaw<'_>) {
        self.lengths.clear();
        self.lengths.resize(law.size(), 1.0);
        self.mu_rolling.clear();
        let ContactLaw::Rolling { mu_rolling, .. } = law else { return };
        for (block, (mu, scale)) in mu_rolling.iter().zip(&self.blocks).enumerate() {
            let length = power_of_two_below(scale.lever);
            self.lengths[law.rows_of_velocity(block).end..law.range(block).end].fill(length);
            self.mu_rolling.push(mu / length);
        }
    }

    /// Returns the unit of velocity, a power of two near the largest free velocity.
    fn find_velocity(&mut self, q: &[f64]) -> f64 {
        self.q.clear();
        self.q.extend(q.iter().zip(&self.lengths).map(|(q, length)| q * length));
        power_of_two_below(largest_magnitude(&self.q))
    }
}

/// Solves a problem with `run`. Sets the reactions of contacts that move no body to 0.
fn solve_movable(
    problem: &BodiesProblem<'_>,
    immovable: &[usize],
    r: &mut [f64],
    u: &mut [f64],
    run: impl FnOnce(&BodiesProblem<'_>, &mut [f64], &mut [f64]) -> Result<SolveInfo, SolverError>,
) -> Result<SolveInfo, SolverError> {
    let law = problem.law();
    let is_finite = || problem.m().first_non_finite().is_none() && problem.h().first_non_finite().is_none();
    match begin_guess(&law, problem.q(), is_finite, immovable, r) {
        Some(Status::NoSolution) => {
            let mut measure = BodiesError::default();
            measure.prepare(problem)?;
            let error = measure.of(problem, r, u);
            Ok(SolveInfo { status: Status::NoSolution, iterations: 0, error })
        }
        Some(_) => {
            // A singular mass matrix is an error even if the free velocity is zero.
            BodiesError::default().prepare(problem)?;
            Ok(solved_by_zero(r, u))
        }
        None => {
            let solved = run(problem, r, u);
            immovable.iter().for_each(|&contact| r[law.range(contact)].fill(0.0));
            solved
        }
    }
}

/// Copies the matrix `given` to `own` and multiplies the entries of the copy by `unit`.
fn put_in_units(own: &mut Matrix, given: &MatrixRef<'_>, unit: impl Fn(usize, usize) -> f64) {
    given.copy_to(own);
    own.scale_entries(unit);
}
