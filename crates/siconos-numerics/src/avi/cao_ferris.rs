//! The pivotal method of Cao and Ferris.

use serde::{Deserialize, Serialize};
use siconos_linalg::operations;
use siconos_linalg::{DenseLu, dot, square};

use super::ending::Ending;
use super::extreme_point::{ExtremePoint, Outcome};
use super::problem::check_data;
use super::units::ScaledProblem;
use super::{Avi, AviProblem};
use crate::cascade::{Budget, Stage};
use crate::engine::{check_finite, check_length, require_dense};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::lcp::{LcpProblem, Lemke, LemkeSettings, LemkeStart};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`CaoFerris`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CaoFerrisSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of pivots in phase I, and in each run of [`Lemke`] in step (3). Default: 10 000.
    pub max_iterations: usize,
}

impl Default for CaoFerrisSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 10_000 }
    }
}

/// Path-following method from an extreme point of the polyhedron.
///
/// **Problem.** [`AviProblem`] with a dense matrix.
///
/// **Method.** Cao and Ferris (1996). (1) Find an extreme point $\bar z$ of the polyhedron by phase I of the
/// simplex method, and n independent inequalities that are active at $\bar z$. Then $z = \bar z + B s_A$,
/// where $s_A \ge 0$ are the slacks of these inequalities. If the polyhedron contains lines, V spans them and
/// $z = \bar z + B s_A + V y$; the equation $V^T (M z + q) = 0$ eliminates y. (2) The conditions
/// $M z + q = H^T \lambda$, $0 \le \lambda \perp H z - K \ge 0$ become
///
/// $$ \lambda_A = B^T (M z + q) - \hat H^T \lambda_N, \qquad s_N = \bar s_N + \hat H s_A,
/// \qquad \hat H = H_N B, $$
///
/// with $0 \le \lambda_A \perp s_A \ge 0$ and $0 \le s_N \perp \lambda_N \ge 0$. (3) Add $t e$ with e = (1,
/// .., 1) to the right-hand side of the equation for $\lambda_A$, but not to the equation for $s_N$. For
/// large t the extreme point is a solution, since $t e$ corresponds to a ray in the interior of its normal
/// cone. Follow the piecewise linear path from there to t = 0 with the pivots and the lexicographic rule of
/// [`Lemke`]. (4) Transform back to z and $\lambda$. (5) If the error is above the tolerance, solve the
/// conditions again with the active inequalities as equations.
///
/// **Guarantee.** In exact arithmetic a path over a compact polyhedron cannot end on a ray, for any M, and
/// therefore ends at a solution. If the data are badly scaled, rounding can prevent this, and the status
/// reports the failure. If M is copositive-plus on the recession cone of the polyhedron, which includes
/// positive semidefinite M, the path ends at a solution if one exists (Cao and Ferris 1996, section 4).
///
/// **Result.** `Converged`, `AtRoundingLevel`: the solution. `NoSolution`: the polyhedron is empty, proved by
/// a verified contradictory combination of its inequalities, or the ray at the end of the path is a Farkas
/// certificate of the conditions. `RayTermination`: the path ended on a ray that is not a certificate (see
/// the guarantee). `Stalled`: rounding errors prevented a solution. `NotFound`: rounding errors prevented a
/// decision in phase I. A singular $V^T M V$ results in the error [`SolverError::Singular`].
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::avi::{AviProblem, CaoFerris};
///
/// // The point of the triangle z_1, z_2 >= 0, z_1 + z_2 <= 1 nearest to (2, 0.5).
/// let (m, h) = (array![[1.0, 0.0], [0.0, 1.0]], array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]);
/// let problem = AviProblem::new(&m, &[-2.0, -0.5], h.view(), &[0.0, 0.0, -1.0])?;
/// let (mut z, mut lambda) = ([0.0; 2], [0.0; 3]);
/// let info = CaoFerris::default().solve(&problem, &mut z, &mut lambda)?;
/// assert!(info.status.is_success());
/// assert_eq!((z, lambda), ([1.0, 0.0], [0.0, 0.5, 1.0]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
///
/// Reference: M. Cao and M. C. Ferris (1996), "A pivotal method for affine variational inequalities",
/// Mathematics of Operations Research 21, 44-64, sections 2 and 3.
#[doc(alias = "SICONOS_AVI_CAOFERRIS (800)")]
#[derive(Clone, Debug, Default)]
pub struct CaoFerris {
    settings: CaoFerrisSettings,
    start: ExtremePoint,
    lemke: Lemke,
    /// Inequalities with a nonbasic slack. `inactive` holds the inequalities with a basic slack, each with
    /// the row of its slack.
    active: Vec<usize>,
    inactive: Vec<(usize, usize)>,
    point: Vec<f64>,
    /// The columns of B followed by the columns of V, each stored as a row.
    directions: Vec<f64>,
    /// The images M d of all directions d, followed by M z + q for the point z.
    images: Vec<f64>,
    /// The matrix $V^T M V$.
    block: Vec<f64>,
    lu: DenseLu,
    /// Displacements along the columns of V that keep $V^T (M z + q) = 0$: one vector of coefficients for a
    /// unit step along each column of B, followed by the vector for the point.
    y: Vec<f64>,
    matrix: Vec<f64>,
    q: Vec<f64>,
    covering: Vec<f64>,
    x: Vec<f64>,
    complement: Vec<f64>,
    ending: Ending,
    units: ScaledProblem,
}

impl CaoFerris {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0.
    pub fn new(settings: CaoFerrisSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        let inner = LemkeSettings {
            // No error is at or below this tolerance, so Lemke's method always solves again for its last
            // basis. A relative error of the reduced problem says little about the original problem, because
            // the values in the reduced problem can be much larger than the data.
            tolerance: f64::MIN_POSITIVE,
            max_iterations: settings.max_iterations,
            start: LemkeStart::Cold,
            ..LemkeSettings::default()
        };
        Ok(Self { settings, lemke: Lemke::new(inner)?, ..Self::default() })
    }

    /// Reads the extreme point, B and V from the dictionary. Returns the number of lines.
    fn read_start(&mut self, n: usize, p: usize) -> usize {
        let d = &self.start.dictionary;
        self.point.clear();
        self.point.resize(n, 0.0);
        self.active.clear();
        self.inactive.clear();
        self.directions.clear();
        let is_slack = |v: usize| (n..n + p).contains(&v);
        for (row, &variable) in d.basic.iter().enumerate() {
            if variable < n {
                self.point[variable] = d.constant(row);
            } else if is_slack(variable) {
                self.inactive.push((variable - n, row));
            }
        }
        let columns = || d.nonbasic.iter().enumerate();
        let lines = columns().filter(|(_, v)| **v < n).count();
        let slacks = columns().filter(|(_, v)| is_slack(**v));
        for (column, &variable) in slacks.chain(columns().filter(|(_, v)| **v < n)) {
            let start = self.directions.len();
            self.directions.resize(start + n, 0.0);
            if variable < n {
                self.directions[start + variable] = 1.0;
            } else {
                self.active.push(variable - n);
            }
            for (row, &basic) in d.basic.iter().enumerate().filter(|(_, v)| **v < n) {
                self.directions[start + basic] = d.entry(row, column);
            }
        }
        lines
    }

    /// Moves the point and the columns of B along the lines, so that $V^T (M z + q) = 0$ for every $s_A$
    /// (second half of step 1).
    fn eliminate_lines(&mut self, problem: &AviProblem<'_>, lines: usize) -> Result<(), SolverError> {
        let (n, r) = (problem.size(), self.active.len());
        self.images.clear();
        self.images.resize((r + lines + 1) * n, 0.0);
        for (direction, image) in
            self.directions.chunks_exact(n.max(1)).zip(self.images.chunks_exact_mut(n.max(1)))
        {
            problem.m().add_product(1.0, direction, image);
        }
        let last = &mut self.images[(r + lines) * n..];
        last.copy_from_slice(problem.q());
        problem.m().add_product(1.0, &self.point, last);
        self.y.clear();
        if lines == 0 {
            return Ok(());
        }
        let v = |l: usize| &self.directions[(r + l) * n..][..n];
        self.block.clear();
        for l in 0..lines {
            self.block.extend((0..lines).map(|j| dot(v(l), &self.images[(r + j) * n..][..n])));
        }
        let what = "M on the lines of the polyhedron";
        self.lu
            .factor(square(&self.block, lines))
            .map_err(|singular| SolverError::Singular { what, singular })?;
        for image in (0..r).chain([r + lines]) {
            let start = self.y.len();
            self.y.extend((0..lines).map(|l| -dot(v(l), &self.images[image * n..][..n])));
            self.lu.solve(&mut self.y[start..]);
        }
        // M (B s + V y): add the images of the lines, times y, to the image of each direction.
        let (of_slacks, rest) = self.images.split_at_mut(r * n);
        let (of_lines, last) = rest.split_at_mut(lines * n);
        for (image, y) in of_slacks.chunks_exact_mut(n).chain([last]).zip(self.y.chunks_exact(lines)) {
            for (line, y) in of_lines.chunks_exact(n).zip(y) {
                image.iter_mut().zip(line).for_each(|(image, line)| *image += y * line);
            }
        }
        Ok(())
    }

    /// Forms the reduced problem (step 2).
    fn form(&mut self, n: usize, lines: usize) {
        let (r, p) = (self.active.len(), self.active.len() + self.inactive.len());
        let d = &self.start.dictionary;
        let column_of = |i: usize| d.nonbasic.iter().position(|&v| v == n + i).unwrap_or(0);
        operations::count(|| 2.0 * (r * r * n) as f64);
        self.matrix.clear();
        self.matrix.resize(p * p, 0.0);
        self.q.clear();
        for a in 0..r {
            let b = &self.directions[a * n..][..n];
            let row = &mut self.matrix[a * p..][..r];
            for (entry, image) in row.iter_mut().zip(self.images.chunks_exact(n.max(1))) {
                *entry = dot(b, image);
            }
            self.q.push(dot(b, &self.images[(r + lines) * n..]));
        }
        for (a, &i) in self.active.iter().enumerate() {
            let column = column_of(i);
            for (l, &(_, row)) in self.inactive.iter().enumerate() {
                let h = d.entry(row, column);
                self.matrix[(r + l) * p + a] = h;
                self.matrix[a * p + r + l] = -h;
            }
        }
        self.q.extend(self.inactive.iter().map(|&(_, row)| d.constant(row).max(0.0)));
        self.covering.clear();
        self.covering.resize(r, 1.0);
        self.covering.resize(p, 0.0);
        self.x.clear();
        self.x.resize(p, 0.0);
        self.complement.clear();
        self.complement.resize(p, 0.0);
    }

    /// Transforms the solution of the reduced problem back to z and lambda (step 4).
    fn go_back(&self, n: usize, lines: usize, z: &mut [f64], lambda: &mut [f64]) {
        let r = self.active.len();
        z.copy_from_slice(&self.point);
        let mut add = |factor: f64, direction: usize| {
            let direction = &self.directions[direction * n..][..n];
            z.iter_mut().zip(direction).for_each(|(z, d)| *z += factor * d);
        };
        for (a, &s) in self.x[..r].iter().enumerate().filter(|(_, s)| **s != 0.0) {
            add(s, a);
            (0..lines).for_each(|l| add(s * self.y[a * lines + l], r + l));
        }
        (0..lines).for_each(|l| add(self.y[r * lines + l], r + l));
        // The rows of H were divided by their scales, so their multipliers are divided as well.
        for (&i, x) in self.active.iter().zip(&self.complement) {
            lambda[i] = x.max(0.0) / self.start.scale[i];
        }
        for (&(i, _), x) in self.inactive.iter().zip(&self.x[r..]) {
            lambda[i] = x / self.start.scale[i];
        }
    }
}

impl CaoFerris {
    /// Returns the operation count since the budget was set: the pivots of phase I, the forming of the
    /// reduced problem, and the pivots on the reduced problem.
    pub(crate) fn operations(&self, unknowns: usize, inequalities: usize) -> f64 {
        let (n, p, r) = (unknowns as f64, inequalities as f64, self.active.len() as f64);
        2.0 * (n + p) * n * self.start.pivots as f64 + 2.0 * r * n * (n + r) + self.lemke.operations()
    }
}

impl Stage for CaoFerris {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.most;
        self.lemke.set_budget(budget);
    }

    fn effort(&self, problem: &AviProblem<'_>, _: &SolveInfo, _: &Budget) -> f64 {
        self.operations(problem.size(), problem.inequalities())
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "cao-ferris",
    siconos: "CAOFERRIS (800)",
    guarantee: Guarantee::in_words("compact polyhedra")
        .and("copositive-plus on the recession cone, and solvable"),
    storage: "dense",
    reference: "Cao, Ferris (1996)",
};

impl Solver for CaoFerris {
    type Class = Avi;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &AviProblem<'_>) -> Result<(), Unsupported> {
        require_dense(self.name(), problem.m()).map(|_| ())
    }

    fn solve(
        &mut self,
        problem: &AviProblem<'_>,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (n, p) = (problem.size(), problem.inequalities());
        check_length("z", n, z.len())?;
        check_length("lambda", p, lambda.len())?;
        check_finite("z", z)?;
        check_data(problem)?;
        require_dense(DESCRIPTION.name, problem.m())?;
        let mut units = std::mem::take(&mut self.units);
        let solved =
            units.solve(problem, z, lambda, |problem, z, lambda| self.follow_path(problem, z, lambda));
        self.units = units;
        solved
    }
}

impl CaoFerris {
    /// Solves a scaled problem.
    fn follow_path(
        &mut self,
        problem: &AviProblem<'_>,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (n, p) = (problem.size(), problem.inequalities());
        // (1)
        let outcome = self.start.find(problem.h(), problem.k(), self.settings.max_iterations);
        let first = self.start.pivots;
        if outcome != Outcome::Found {
            lambda.fill(0.0);
            let error = self.ending.error(problem, z, lambda);
            let status = match outcome {
                Outcome::Empty => Status::NoSolution,
                _ if first >= self.settings.max_iterations => Status::MaxIterations,
                _ => Status::NotFound,
            };
            return Ok(SolveInfo { status, iterations: first, error });
        }
        let lines = self.read_start(n, p);
        self.eliminate_lines(problem, lines)?;
        // (2)
        self.form(n, lines);
        if self.matrix.iter().chain(&self.q).any(|x| !x.is_finite()) {
            lambda.fill(0.0);
            let error = self.ending.error(problem, z, lambda);
            return Ok(SolveInfo { status: Status::Breakdown, iterations: first, error });
        }
        // (3)
        let reduced = LcpProblem::new(square(&self.matrix, p), &self.q)?;
        let inner = self.lemke.solve_covered(&reduced, &self.covering, &mut self.x, &mut self.complement)?;
        // (4)
        self.go_back(n, lines, z, lambda);
        let tolerance = self.settings.tolerance;
        let (status, error) = self.ending.conclude(problem, tolerance, inner.status, (z, lambda));
        Ok(SolveInfo { status, iterations: first + inner.iterations, error })
    }
}
