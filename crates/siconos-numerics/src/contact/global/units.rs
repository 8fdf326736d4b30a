//! Problems in global form in units of their own, as those of the local form are solved.

use siconos_linalg::{Csc, Matrix, MatrixRef, largest_magnitude, power_of_two_below};

use super::GlobalProblem;
use crate::contact::ContactLaw;
use crate::contact::scales::{BlockScale, scale_blocks};
use crate::error::SolverError;
use crate::info::SolveInfo;

/// A problem in its own units: M divided by the power of two of the mass that a contact feels in the mean,
/// f and w by that of the free velocities of the contacts, and columns of H that turn, of rolling friction,
/// times that of $\mu_r$. Where the numbers are near 1 already, nothing is copied.
#[derive(Clone, Debug, Default)]
pub(super) struct GlobalUnits {
    diagonal: Vec<f64>,
    blocks: Vec<BlockScale>,
    /// None as long as there was no problem: units are lent for each solve, and what stays in their place
    /// must not allocate.
    h: Option<Csc>,
    /// The unit of length of each column of H.
    lengths: Vec<f64>,
    mu_rolling: Vec<f64>,
    q: Vec<f64>,
    f: Vec<f64>,
    w: Vec<f64>,
    z: Vec<f64>,
    u: Vec<f64>,
    free: Vec<f64>,
    mass: Matrix,
    directions: Matrix,
}

/// A method that is handed problems in their own units.
pub(super) trait InOwnUnits {
    /// The memory of the units, lent for the time of a solve.
    fn units(&mut self) -> &mut GlobalUnits;

    /// Solves a problem that is in its own units; z is r and v.
    fn solve_in_own_units(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;
}

/// Hands a problem of any units to a method.
pub(super) fn solve_by(
    method: &mut impl InOwnUnits,
    problem: &GlobalProblem<'_>,
    z: &mut [f64],
    u: &mut [f64],
) -> Result<SolveInfo, SolverError> {
    let mut units = std::mem::take(method.units());
    let solved = units.solve(problem, z, u, |problem, z, u| method.solve_in_own_units(problem, z, u));
    *method.units() = units;
    solved
}

impl GlobalUnits {
    /// Solves a problem by `run`, which is handed it in its own units; from zero where nothing moves.
    pub(super) fn solve(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
        run: impl FnOnce(&GlobalProblem<'_>, &mut [f64], &mut [f64]) -> Result<SolveInfo, SolverError>,
    ) -> Result<SolveInfo, SolverError> {
        problem.check_solve(z, u)?;
        if problem.f().iter().chain(problem.w()).all(|x| *x == 0.0) {
            // Nothing moves without reactions, and nothing says how large those of a guess are.
            z.fill(0.0);
        }
        let mass = self.find_mass(problem);
        self.find_lengths(problem);
        let velocity = self.find_velocity(problem);
        let has_lengths = self.lengths.iter().any(|length| *length != 1.0);
        if mass == 1.0 && velocity == 1.0 && !has_lengths {
            return run(problem, z, u);
        }
        let Self { lengths, f, w, .. } = self;
        // What has no unit is not copied.
        let (given_m, given_h) = (problem.m(), problem.h());
        if mass != 1.0 {
            put_in_units(&mut self.mass, &given_m, |_, _| 1.0 / mass);
        }
        if has_lengths {
            put_in_units(&mut self.directions, &given_h, |_, column| lengths[column]);
        }
        let m = if mass == 1.0 { given_m.reborrow() } else { self.mass.view() };
        let h = if has_lengths { self.directions.view() } else { given_h.reborrow() };
        let impulse = mass * velocity;
        f.clear();
        f.extend(problem.f().iter().map(|f| f / impulse));
        w.clear();
        w.extend(problem.w().iter().zip(&*lengths).map(|(w, length)| w * length / velocity));
        self.z.clear();
        self.z.extend(z.iter().enumerate().map(|(k, x)| match lengths.get(k) {
            Some(length) => x / impulse / length,
            None => x / velocity,
        }));
        self.u.clear();
        self.u.extend(u.iter().map(|u| u / velocity));
        let law = match problem.law() {
            ContactLaw::Rolling { dimension, mu, .. } => {
                ContactLaw::Rolling { dimension, mu, mu_rolling: &self.mu_rolling }
            }
            law => law,
        };
        let own = GlobalProblem::of_checked(m, h, f, w, law);
        let solved = run(&own, &mut self.z, &mut self.u);
        for (k, (z, own)) in z.iter_mut().zip(&self.z).enumerate() {
            *z = match lengths.get(k) {
                Some(length) => own * impulse * length,
                None => own * velocity,
            };
        }
        u.iter_mut().zip(&self.u).zip(&*lengths).for_each(|((u, own), length)| *u = own * velocity / length);
        solved
    }

    /// The unit of mass, that of the masses which contacts feel along their normals and tangents; leaves the
    /// diagonal of M, and the scales of the contacts. Inertias stand in M beside masses, so that its entries
    /// tell of no unit of mass.
    fn find_mass(&mut self, problem: &GlobalProblem<'_>) -> f64 {
        self.diagonal.clear();
        self.diagonal.resize(problem.degrees_of_freedom(), 0.0);
        problem.m().copy_diagonal(&mut self.diagonal);
        let Self { h, diagonal, blocks, .. } = self;
        let h = h.get_or_insert_default();
        h.copy_from(problem.h(), |_, _| false);
        let of_entry =
            |(k, x): (usize, f64)| if diagonal[k] != 0.0 { x * x / diagonal[k].abs() } else { 0.0 };
        let mean = scale_blocks(&problem.law(), |j| h.column(j).map(of_entry).sum(), blocks);
        1.0 / power_of_two_below(mean)
    }

    fn find_lengths(&mut self, problem: &GlobalProblem<'_>) {
        let law = problem.law();
        self.lengths.clear();
        self.lengths.resize(problem.size(), 1.0);
        self.mu_rolling.clear();
        let ContactLaw::Rolling { mu_rolling, .. } = law else { return };
        for (block, (mu, scale)) in mu_rolling.iter().zip(&self.blocks).enumerate() {
            let length = power_of_two_below(scale.lever);
            self.lengths[law.rows_of_velocity(block).end..law.range(block).end].fill(length);
            self.mu_rolling.push(mu / length);
        }
    }

    /// The unit of velocity: of what f makes of masses without couplings, and w, at the contacts; of the
    /// masses where none of them moves.
    fn find_velocity(&mut self, problem: &GlobalProblem<'_>) -> f64 {
        self.free.clear();
        let free = problem.f().iter().zip(&self.diagonal);
        self.free.extend(free.map(|(f, m)| if *m != 0.0 { f / m } else { 0.0 }));
        self.q.clear();
        self.q.extend_from_slice(problem.w());
        problem.h().add_transposed_product(1.0, &self.free, &mut self.q);
        self.q.iter_mut().zip(&self.lengths).for_each(|(q, length)| *q *= length);
        let at_contacts = largest_magnitude(&self.q);
        power_of_two_below(if at_contacts > 0.0 { at_contacts } else { largest_magnitude(&self.free) })
    }
}

/// Writes a matrix with its entries multiplied by those of `unit` to `own`.
fn put_in_units(own: &mut Matrix, given: &MatrixRef<'_>, unit: impl Fn(usize, usize) -> f64) {
    given.copy_to(own);
    own.scale_entries(unit);
}
