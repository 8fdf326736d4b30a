//! Gauss-Seidel in the velocities of the bodies.

mod contact_columns;
mod settings;

use siconos_linalg::SingularMatrix;

use self::contact_columns::ContactColumns;
pub use self::settings::GlobalGaussSeidelSettings;
use super::mass::Mass;
use super::reduced::velocity;
use super::residual::Measure;
use super::units::{GlobalUnits, InOwnUnits, solve_by};
use super::{GlobalContact, GlobalProblem};
use crate::chain::{Allowance, Link};
use crate::contact::ContactLaw;
use crate::contact::best_iterate::BestIterate;
use crate::contact::gauss_seidel::{
    GaussSeidelSettings, Measured, SweepMemory, Swept, check_local_law, iterate,
};
use crate::contact::scales::BlockScale;
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Nonsmooth Gauss-Seidel for the global form; it never forms W.
///
/// **Problem.** [`GlobalProblem`] with contacts, or cones of 2, 3 or 5 components each, a regular M in any
/// storage, and coefficients of friction that may be infinite.
///
/// **Method.** That of [`NonsmoothGaussSeidel`](crate::contact::NonsmoothGaussSeidel), with its settings and
/// its solvers of one contact. Where sweeps with W multiply a row of W with all reactions, these keep the
/// velocities of the bodies: (1) of contact c, $u_c = H_c^T v + w_c$ is read from the bodies that touch, (2)
/// its law is solved with $W_{cc} = H_c^T M^{-1} H_c$, (3) $v$ becomes $v + M^{-1} H_c (r_{new} - r_c)$. A
/// sweep costs as much as H and $M^{-1} H$ have entries, however many contacts a body has; of an elastic body
/// $M^{-1} H$ is full, and [`Reduced`](super::Reduced) the smaller. (Jourdan, Alart,
/// Jean 1998, section 4; Acary and Brogliato 2008, section 13.7.) Every sixteen sweeps the velocities are
/// computed anew from the reactions, so that rounding does not add up.
///
/// **Guarantee.** That of Gauss-Seidel with W: the iterates are the same but for rounding. Without friction
/// it converges where W is definite, that is where H has full column rank.
///
/// **Result.** `Converged`: [`global_error_of_point`](super::global_error_of_point) at or below the
/// tolerance. `MaxIterations`, `Stalled`, `NotFound`, `Breakdown`: the best iterate that was measured.
/// `NoSolution`: two bodies approach each other, and nothing moves them. Iterations count sweeps.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLawData, GlobalContactData, GlobalGaussSeidel};
///
/// let (mass, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLawData::coulomb(2, [0.5]);
/// let problem = GlobalContactData::new(mass, h, array![-1.0, 2.0], array![0.0, 0.0], law)?;
/// let (mut z, mut u) = ([0.0; 4], [0.0; 2]);
/// let info = GlobalGaussSeidel::default().solve(&problem.view(), &mut z, &mut u)?;
/// assert!(info.status.is_success());
/// assert_eq!(z, [1.0, -0.5, 0.0, 0.75]);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_GLOBAL_FRICTION_3D_NSGS (605)")]
#[derive(Clone, Debug)]
pub struct GlobalGaussSeidel {
    units: GlobalUnits,
    settings: GaussSeidelSettings,
    mass: Mass,
    columns: ContactColumns,
    memory: SweepMemory,
    measure: Measure,
    best: BestIterate,
    scales: Vec<BlockScale>,
    /// Velocities without reactions, and those of the present sweep.
    free: Vec<f64>,
    moving: Vec<f64>,
    rest: Vec<f64>,
    /// Whether the next solve begins where the last one ended.
    goes_on: bool,
}

/// Sweeps after which velocities are computed anew.
const RENEWED_AFTER: usize = 16;

impl Default for GlobalGaussSeidel {
    fn default() -> Self {
        Self::of_checked(GlobalGaussSeidelSettings::default())
    }
}

impl GlobalGaussSeidel {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: GlobalGaussSeidelSettings) -> Result<Self, SettingsError> {
        settings.of_sweeps().check()?;
        Ok(Self::of_checked(settings))
    }

    /// Makes a solver with settings that [`new`](Self::new) accepts.
    pub(super) fn of_checked(settings: GlobalGaussSeidelSettings) -> Self {
        Self {
            settings: settings.of_sweeps(),
            units: GlobalUnits::default(),
            mass: Mass::default(),
            columns: ContactColumns::default(),
            memory: SweepMemory::default(),
            measure: Measure::default(),
            best: BestIterate::default(),
            scales: Vec::new(),
            free: Vec::new(),
            moving: Vec::new(),
            rest: Vec::new(),
            goes_on: false,
        }
    }

    /// Lets the next solve begin where the last one ended, or not; that must have been one of the same
    /// problem without success. From the best iterate sweeps may go the way that led nowhere once more.
    pub(super) fn set_goes_on(&mut self, goes_on: bool) {
        self.goes_on = goes_on;
    }

    fn sweep_in_blocks_of<const D: usize>(
        &mut self,
        problem: &GlobalProblem<'_>,
        (r, v): (&mut [f64], &mut [f64]),
        u: &mut [f64],
    ) -> SolveInfo {
        let Self { settings, mass, columns, memory, measure, best, scales, free, moving, rest, .. } = self;
        let (law, contacts) = (problem.law(), problem.law().blocks());
        free.clear();
        free.extend_from_slice(problem.f());
        mass.solve(free);
        scales.clear();
        scales.extend_from_slice(measure.scales());
        let diagonals = columns.diagonals().chunks_exact(D * D);
        let mut sweeps = memory.begin(law, settings, scales, diagonals);
        let measured = MeasuredHere { problem, mass, measure, rest, v };
        let sweep = |number: usize, estimates: bool, r: &mut [f64]| {
            let is_renewed = number.is_multiple_of(RENEWED_AFTER);
            if is_renewed {
                moving.clone_from(free);
                columns.add_responses::<D>(r, moving);
            }
            let order = sweeps.next_order(number);
            let mut law = sweeps.observed(estimates);
            let change = match &order {
                None => columns.sweep::<D>(0..contacts, problem.w(), &mut law, (r, moving)),
                Some(order) => columns.sweep::<D>(order.iter().copied(), problem.w(), &mut law, (r, moving)),
            };
            let estimate = law.estimate;
            let swept = sweeps.swept(order, (change, estimate));
            // With velocities that rounding has moved, a sweep that changes nothing says nothing.
            Swept { all: swept.all && is_renewed, ..swept }
        };
        iterate(measured, settings.limits(), settings.stopping, best, (r, u), sweep)
    }
}

impl GlobalGaussSeidel {
    /// Takes away reactions of contacts that no body moves along their normal, and refuses those that
    /// anything moves without a positive first diagonal entry. Says whether two bodies approach each other
    /// that nothing moves.
    fn check_contacts(&self, law: &ContactLaw<'_>, w: &[f64], r: &mut [f64]) -> Result<bool, SolverError> {
        for contact in 0..law.blocks() {
            let range = law.range(contact);
            if self.columns.is_unmoved(law, contact) {
                r[range.clone()].fill(0.0);
                if w[range.start] < 0.0 {
                    tracing::debug!(contact, "two bodies approach each other, and nothing moves them");
                    return Ok(true);
                }
                continue;
            }
            let pivot = self.columns.first_diagonal(contact);
            if pivot.is_nan() || pivot <= 0.0 {
                let singular = SingularMatrix::Pivot { column: range.start, pivot };
                return Err(SolverError::Singular { what: "the diagonal of W", singular });
            }
        }
        Ok(false)
    }
}

/// A problem with what its points are measured by; writes their velocities.
struct MeasuredHere<'a, 'p> {
    problem: &'a GlobalProblem<'p>,
    mass: &'a mut Mass,
    measure: &'a mut Measure,
    rest: &'a mut Vec<f64>,
    v: &'a mut [f64],
}

impl Measured for MeasuredHere<'_, '_> {
    fn free_velocity(&self) -> f64 {
        self.measure.free_velocity()
    }

    fn error_of(&mut self, r: &[f64], u: &mut [f64]) -> f64 {
        velocity(self.problem, self.mass, r, self.v, self.rest);
        self.measure.of(self.problem, r, self.v, u)
    }

    fn judge(&self, r: &[f64], error: f64, tolerance: f64) -> Status {
        self.measure.judge(&self.problem.law(), r, error, tolerance)
    }

    fn finish(
        &mut self,
        best: &mut BestIterate,
        (r, u): (&mut [f64], &mut [f64]),
        _: f64,
        (status, iterations): (Status, usize),
    ) -> SolveInfo {
        best.put_back(r);
        let error = self.error_of(r, u);
        SolveInfo { status, iterations, error }
    }
}

impl InOwnUnits for GlobalGaussSeidel {
    fn units(&mut self) -> &mut GlobalUnits {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (r, v) = z.split_at_mut(problem.size());
        let law = problem.law();
        self.mass
            .factor(problem.m())
            .map_err(|singular| SolverError::Singular { what: "the mass matrix", singular })?;
        self.measure.prepare(problem, Some(&mut self.mass));
        self.columns.prepare(problem, &mut self.mass);
        if std::mem::take(&mut self.goes_on) && self.best.last().len() == r.len() {
            r.copy_from_slice(self.best.last());
        }
        law.project_all(r);
        if self.measure.free_velocity() == 0.0 {
            // Nothing has to be held.
            r.fill(0.0);
        }
        let unsolvable = self.check_contacts(&law, problem.w(), r)?;
        let d = law.uniform_dimension().filter(|_| !unsolvable);
        let Some(d) = d else {
            // Without contacts, or without a solution.
            velocity(problem, &mut self.mass, r, v, &mut self.rest);
            let error = self.measure.of(problem, r, v, u);
            let judged = self.measure.judge(&problem.law(), r, error, self.settings.tolerance);
            let status = if unsolvable { Status::NoSolution } else { judged };
            return Ok(SolveInfo { status, iterations: 0, error });
        };
        Ok(match d {
            2 => self.sweep_in_blocks_of::<2>(problem, (r, v), u),
            3 => self.sweep_in_blocks_of::<3>(problem, (r, v), u),
            _ => self.sweep_in_blocks_of::<5>(problem, (r, v), u),
        })
    }
}

impl Link for GlobalGaussSeidel {
    fn lend(&mut self, allowance: &Allowance) {
        self.settings.max_iterations = allowance.iterations;
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "gauss-seidel",
    siconos: "NSGS (605)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]).only(Scope::WithoutFriction),
    storage: "any; block-diagonal M preferred",
    reference: "Jourdan, Alart, Jean (1998)",
};

impl Solver for GlobalGaussSeidel {
    type Class = GlobalContact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        self.settings.limits()
    }

    fn supports(&self, problem: &GlobalProblem<'_>) -> Result<(), Unsupported> {
        let law = problem.law();
        check_local_law(self.name(), self.settings.local, &law)?;
        match law.uniform_dimension() {
            Some(2 | 3 | 5) => Ok(()),
            _ if law.blocks() == 0 => Ok(()),
            _ => Err(Unsupported {
                solver: self.name(),
                found: "cones of other sizes",
                takes: "contacts, and cones of 2, 3 or 5 components each",
            }),
        }
    }

    fn solve(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.supports(problem)?;
        solve_by(self, problem, z, u)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    /// Two stages are one run of sweeps, whatever is in the guess of the second.
    #[test]
    fn sweeps_go_on_where_they_ended() {
        // Particles on top of each other.
        const PARTICLES: usize = 6;
        let n = 2 * PARTICLES;
        let m = Array2::eye(n);
        let h = Array2::from_shape_fn((n, n), |(i, j)| f64::from(i == j) - f64::from(i + 2 == j));
        let f: Vec<f64> = (0..n).map(|k| if k % 2 == 0 { -1.0 } else { 0.1 * k as f64 }).collect();
        let (w, mu) = (vec![0.0; n], [0.3; PARTICLES]);
        let law = ContactLaw::Coulomb { dimension: 2, mu: &mu };
        let problem = GlobalProblem::new(&m, &h, &f, &w, law).expect("the parts fit");
        let solve = |stages: &[usize]| {
            let settings = GlobalGaussSeidelSettings { tolerance: 1e-300, ..Default::default() };
            let mut solver = GlobalGaussSeidel::of_checked(settings);
            let (mut z, mut u) = (vec![0.0; n + problem.degrees_of_freedom()], vec![0.0; n]);
            for (stage, sweeps) in stages.iter().enumerate() {
                solver.lend(&Allowance::of(*sweeps, 0.0));
                solver.set_goes_on(stage > 0);
                let info = solver.solve(&problem, &mut z, &mut u).expect("the data fit");
                assert_eq!((info.status, info.iterations), (Status::MaxIterations, *sweeps));
                // Where it goes on, the guess is not read.
                z[..n].fill(1.0);
            }
            solver.best.last().to_vec()
        };
        let off = |stages: &[usize], expected: &[f64]| {
            let pairs = solve(stages).into_iter().zip(expected.to_vec());
            pairs.fold(0.0, |off: f64, (a, b)| if a.is_nan() { f64::NAN } else { off.max((a - b).abs()) })
        };
        let all_at_once = solve(&[5]);
        let (in_stages, too_few) = (off(&[2, 3], &all_at_once), off(&[2], &all_at_once));
        assert!(in_stages < 1e-13 && too_few > 1e-6, "{in_stages:e}, {too_few:e}");
    }
}
