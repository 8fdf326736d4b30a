//! Cone programs in the velocities, with the shift held from outside.

use serde::{Deserialize, Serialize};

use super::mass::Mass;
use super::residual::Measure;
use super::units::{GlobalUnits, InOwnUnits, solve_by};
use super::{ContactLaw, GlobalContact, GlobalNewton, GlobalNewtonSettings, GlobalProblem};
use crate::chain::{Allowance, Link};
use crate::contact::law::refuse_infinite_friction;
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::linalg::Csc;
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::qp::interior_point::{Outcome, Program, upper_triangle};
use crate::watch;

/// Settings of [`GlobalInteriorPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GlobalInteriorPointSettings {
    /// The [`global_error_of_point`](super::global_error_of_point) at which a point counts as a solution.
    /// Default 1e-10, above 0.
    pub tolerance: f64,
    /// The largest number of cone programs. Default 100.
    pub max_iterations: usize,
    /// The largest number of steps of the interior-point method in one of them. Default 100.
    pub inner_iterations: usize,
    /// A semismooth Newton method takes over when the error is at or below this; 0 never. Default 0.1.
    pub polish_from: f64,
}

impl Default for GlobalInteriorPointSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 100, inner_iterations: 100, polish_from: 0.1 }
    }
}

/// A fixed point on the shift, with an interior-point method for the convex program of each shift.
///
/// **Problem.** [`GlobalProblem`] with any law with finite coefficients, in any storage, with symmetric
/// positive semidefinite M.
///
/// **Method.** (1) With the shift $s$ held, minimise $\frac12 v^T M v - f^T v$ subject to
/// $H^T v + w + s e_N \in K^{\ast}$, a program over second-order cones, by the interior-point method of the
/// crate `clarabel` (Goulart and Chen 2024). The multipliers are the reactions. A rolling-friction cone is
/// the intersection of two such cones with one more unknown. (2) Set $s$ to the shift of the new velocities,
/// and repeat. (3) Once the error is below a threshold, the semismooth Newton method ([`GlobalNewton`]) goes
/// on from there, a few steps at a time; what it finds is taken if it is better. (Acary, Cadoux, Lemarechal,
/// Malick 2011, "A formulation of the linear discrete Coulomb friction problem via convex optimization".)
///
/// **Guarantee.** Without a shift: that of the interior-point method, which converges for every semidefinite
/// M with a strictly feasible point. With friction and a strictly feasible program the fixed point exists
/// (the same paper, theorem 4.3); that the iteration finds it is not proved. It contracts for small
/// coefficients.
///
/// **Result.** `Converged`, by the global error; `MaxIterations`, `Stalled` (the shift repeats itself),
/// `NotFound` (the program has no feasible point), `Breakdown`: the iterate with the least error.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLawData, GlobalContactData, GlobalInteriorPoint};
///
/// let (mass, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLawData::coulomb(2, [0.5]);
/// let problem = GlobalContactData::new(mass, h, array![-1.0, 2.0], array![0.0, 0.0], law)?;
/// let (mut z, mut u) = ([0.0; 4], [0.0; 2]);
/// let info = GlobalInteriorPoint::default().solve(&problem.view(), &mut z, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 1.0).abs() < 1e-8 && (z[1] + 0.5).abs() < 1e-8);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_GLOBAL_FRICTION_3D_ACLMFP (612)")]
#[doc(alias = "SICONOS_GLOBAL_FRICTION_3D_IPM (615)")]
#[derive(Clone, Debug)]
pub struct GlobalInteriorPoint {
    units: GlobalUnits,
    settings: GlobalInteriorPointSettings,
    mass: Mass,
    measure: Measure,
    polish: GlobalNewton,
    h: Csc,
    best: Vec<f64>,
}

/// Newton steps of one attempt to polish.
const POLISHING_STEPS: usize = 20;

/// The programs are solved to this, in the measures of the method. It ends at once where it cannot keep its
/// residuals below, so that asking for the last digits may cost all of them; they are for the polish.
const INNER_TOLERANCE: f64 = 1e-9;

/// A shift that changes by less, relative to the largest entry of the right-hand side, is settled.
const SETTLED: f64 = 1e-13;

impl Default for GlobalInteriorPoint {
    fn default() -> Self {
        Self::of_checked(GlobalInteriorPointSettings::default())
    }
}

impl GlobalInteriorPoint {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: GlobalInteriorPointSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("polish_from", settings.polish_from, 0.0, "at or above 0")?;
        SettingsError::check_tolerance(settings.tolerance)?;
        Ok(Self::of_checked(settings))
    }

    /// Makes a solver with settings that [`new`](Self::new) accepts.
    pub(super) fn of_checked(settings: GlobalInteriorPointSettings) -> Self {
        let tolerance = settings.tolerance;
        let polish =
            GlobalNewtonSettings { tolerance, max_iterations: POLISHING_STEPS, ..Default::default() };
        let polish = GlobalNewton::of_checked(polish);
        Self {
            settings,
            polish,
            units: GlobalUnits::default(),
            mass: Mass::default(),
            measure: Measure::default(),
            h: Csc::default(),
            best: Vec::new(),
        }
    }

    /// Takes (r, v) if it is the best so far.
    fn keep(&mut self, r: &[f64], v: &[f64], error: f64, least: &mut f64) {
        if error < *least || least.is_nan() {
            *least = error;
            self.best.clear();
            self.best.extend_from_slice(v);
            self.best.extend_from_slice(r);
        }
    }

    /// (3): goes on from a copy of the point; the copy is taken if it is better.
    fn polish(&mut self, problem: &GlobalProblem<'_>, r: &[f64], v: &[f64], u: &mut [f64], least: &mut f64) {
        let (mut r, mut v) = (r.to_vec(), v.to_vec());
        self.polish.measure_as(&self.measure);
        let info = self.polish.improve(problem, &mut r, &mut v, u);
        self.keep(&r, &v, info.error, least);
    }
}

impl InOwnUnits for GlobalInteriorPoint {
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
        let (n, law, tolerance) = (problem.degrees_of_freedom(), problem.law(), self.settings.tolerance);
        let is_regular = super::start(problem, &mut self.mass, r, v);
        self.measure.prepare(problem, is_regular.then_some(&mut self.mass));
        let mut least = f64::NAN;
        let mut error = self.measure.of(problem, r, v, u);
        self.keep(r, v, error, &mut least);
        self.h.copy_from(problem.h(), |_, _| false);
        let mut program = ConeProgram::new(problem, &self.h);
        let mut iterations = 0;
        let mut status = loop {
            if least <= tolerance {
                break Status::Stalled;
            }
            if watch::is_over(iterations, self.settings.max_iterations, least) {
                break Status::MaxIterations;
            }
            iterations += 1;
            // (2) from the velocities of the last point, (1)
            let change = program.set_shift(&law, problem.w(), u);
            if iterations > 1 && change <= SETTLED * program.largest() {
                break Status::Stalled;
            }
            match program.solve(self.settings.inner_iterations, r, v) {
                Outcome::Infeasible | Outcome::Unbounded => break Status::NotFound,
                Outcome::Failed => break Status::Breakdown,
                Outcome::Point | Outcome::MaxIterations => {}
            }
            law.project_all(r);
            error = self.measure.of(problem, r, v, u);
            self.keep(r, v, error, &mut least);
            // (3) now and then, as each attempt costs about as much as a program
            if error > tolerance
                && error <= self.settings.polish_from
                && (iterations.is_power_of_two() || !law.has_shift())
            {
                let mut scratch = u.to_vec();
                self.polish(problem, r, v, &mut scratch, &mut least);
            }
        };
        v.copy_from_slice(&self.best[..n]);
        r.copy_from_slice(&self.best[n..]);
        error = self.measure.of(problem, r, v, u);
        if error <= tolerance {
            status = self.measure.judge(r, error, tolerance);
        }
        Ok(SolveInfo { status, iterations, error })
    }
}

impl Link for GlobalInteriorPoint {
    fn lend(&mut self, allowance: &Allowance) {
        self.settings.max_iterations = allowance.iterations;
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "interior-point",
    siconos: "ACLMFP (612), IPM (615)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveSemidefinite]).only(Scope::WithoutFriction),
    storage: "any",
    reference: "Acary, Cadoux, Lemarechal, Malick (2011)",
};

impl Solver for GlobalInteriorPoint {
    type Class = GlobalContact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        refuse_infinite_friction(self.name(), &problem.law())?;
        solve_by(self, problem, z, u)
    }
}

/// The program of (1) as `clarabel` takes it: the unknowns are v and, for each rolling cone, a number t.
struct ConeProgram {
    hessian: Csc,
    linear: Vec<f64>,
    a: Csc,
    b: Vec<f64>,
    half_lines: usize,
    sizes: Vec<usize>,
    rows: Vec<Row>,
    freedoms: usize,
    contacts: usize,
}

/// A row of the program: an entry of $H^T v + w + s e_N$ times a factor.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The contact unknown; none for the number t alone.
    unknown: Option<usize>,
    factor: f64,
    /// Its unknown t and the sign with which it counts.
    extra: Option<(usize, f64)>,
    /// Whether the shift counts.
    is_normal: bool,
}

impl ConeProgram {
    fn new(problem: &GlobalProblem<'_>, h: &Csc) -> Self {
        let (n, law) = (problem.degrees_of_freedom(), problem.law());
        let (mut half_lines, mut rows, mut sizes, mut extras) = (Vec::new(), Vec::new(), Vec::new(), 0);
        let normal = |unknown, extra| Row { unknown: Some(unknown), factor: 1.0, extra, is_normal: true };
        for block in 0..law.blocks() {
            let (cone, first) = (law.cone(block), law.range(block).start);
            // A part with coefficient 0 bears no friction: it asks nothing of the velocity.
            let parts: Vec<_> =
                cone.parts().iter().filter(|part| part.coefficient > 0.0 && !part.range.is_empty()).collect();
            if parts.is_empty() {
                half_lines.push(normal(first, None));
                continue;
            }
            for (k, part) in parts.iter().enumerate() {
                let head = match (k, parts.len()) {
                    (0, 1) => normal(first, None),
                    (0, _) => normal(first, Some((n + extras, -1.0))),
                    _ => {
                        let extra = Some((n + extras, 1.0));
                        extras += 1;
                        Row { unknown: None, factor: 1.0, extra, is_normal: false }
                    }
                };
                rows.push(head);
                rows.extend(part.range.clone().map(|k| Row {
                    unknown: Some(first + k),
                    factor: part.coefficient,
                    extra: None,
                    is_normal: false,
                }));
                sizes.push(1 + part.range.len());
            }
        }
        let count = half_lines.len();
        half_lines.extend(rows);
        let rows = half_lines;
        let entries = rows.iter().enumerate().flat_map(|(k, row)| {
            let of_v = row.unknown.into_iter().flat_map(|j| h.column(j));
            let of_v = of_v.map(move |(i, x)| (k, i, -row.factor * x));
            of_v.chain(row.extra.map(|(i, sign)| (k, i, -sign)))
        });
        let a = Csc::from_triplets(rows.len(), n + extras, entries).unwrap_or_default();
        let m = upper_triangle(problem.m(), 1.0, &vec![0.0; n]);
        let of_m = (0..n).flat_map(|j| m.column(j).map(move |(i, x)| (i, j, x)));
        let hessian = Csc::from_triplets(n + extras, n + extras, of_m).unwrap_or_default();
        let mut linear: Vec<f64> = problem.f().iter().map(|f| -f).collect();
        linear.resize(n + extras, 0.0);
        let b = vec![0.0; rows.len()];
        let contacts = problem.size();
        Self { hessian, linear, a, b, half_lines: count, sizes, rows, freedoms: n, contacts }
    }

    /// Sets the right-hand side for the shift of the velocities `u`; returns the largest change.
    fn set_shift(&mut self, law: &ContactLaw<'_>, w: &[f64], u: &[f64]) -> f64 {
        let mut shifted = w.to_vec();
        for block in 0..law.blocks() {
            let range = law.range(block);
            shifted[range.start] += law.shift(block, &u[range.clone()]);
        }
        let mut change = 0.0_f64;
        for (b, row) in self.b.iter_mut().zip(&self.rows) {
            let Some(unknown) = row.unknown else { continue };
            let new = row.factor * if row.is_normal { shifted[unknown] } else { w[unknown] };
            change = change.max((new - *b).abs());
            *b = new;
        }
        change
    }

    /// The largest entry of the right-hand side.
    fn largest(&self) -> f64 {
        self.b.iter().fold(0.0, |a, b| b.abs().max(a))
    }

    /// Solves it; writes the reactions and the velocities.
    fn solve(&self, max_iterations: usize, r: &mut [f64], v: &mut [f64]) -> Outcome {
        let Self { hessian, linear, a, b, .. } = self;
        debug_assert_eq!(
            self.half_lines + self.sizes.iter().sum::<usize>(),
            b.len(),
            "every row has its cone"
        );
        debug_assert_eq!((v.len(), r.len()), (self.freedoms, self.contacts), "sizes of the problem");
        let program = Program { hessian, linear, a, b, equations: 0, second_order: &self.sizes };
        let answer = program.solve(INNER_TOLERANCE, max_iterations);
        if matches!(answer.outcome, Outcome::Point | Outcome::MaxIterations) {
            v.copy_from_slice(&answer.x[..v.len()]);
            r.fill(0.0);
            for (row, multiplier) in self.rows.iter().zip(&answer.multipliers) {
                if let Some(unknown) = row.unknown {
                    r[unknown] += row.factor * multiplier;
                }
            }
        }
        answer.outcome
    }
}
