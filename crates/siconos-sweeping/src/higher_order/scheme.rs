//! Higher-order sweeping process and its time-stepping scheme.

use ndarray::{Array2, s};
use siconos_linalg::dot;
use siconos_numerics::SolveInfo;

use super::coordinates::Source;
use super::jump::jump;
use super::one_step_problem::{OneStepProblem, ROUNDING};
use super::state::order_by_component;
use super::step_matrices::StepMatrices;
use super::{HigherOrderError, HigherOrderReport, HigherOrderState, Jump, NormalForm};
use siconos_kernel::analysis::LinearSystem;
use siconos_kernel::engine::check_positive;

/// Higher-order sweeping process of $\dot x = A x + B \lambda + e$, $0 \le y = C x \perp \lambda \ge 0$ (x' =
/// A x + B lambda + e), where the relative degree r is at least 1 and $C A^{r-1} B$ is a P-matrix.
///
/// [`step`](Self::step) is the implicit Euler scheme of the reference below. In the coordinates of the
/// [normal form](NormalForm), for i = r .. 1 and each component,
///
/// $$ z_i' = z_i + h z_{i+1}' + \mu_i, \qquad z_r' = z_r + h (R_z z' + R_\xi \xi' + c) + H \mu_r, $$
/// $$ 0 \le z_i' \perp \mu_i \ge 0 \quad \text{if } z_1, \ldots, z_{i-1} \le 0, \text{ else } \mu_i = 0. $$
///
/// As plain text: z_i' = z_i + h z_{i+1}' + mu_i; for i = r, the rate of z_r is taken from the normal form,
/// and H mu_r replaces mu_r. z_i' and mu_i are complementary if z_1 .. z_{i-1} are at or below 0 at the start
/// of the step; otherwise mu_i = 0. All orders and the zero dynamics form one linear complementarity problem.
///
/// The error of the atoms, and of the state between jumps, is of order h. The scheme distributes a jump over
/// two steps. In one step y reaches 0 by the measure $\mu_1$, which is of order h; in the next step the
/// higher derivatives jump. With r = 1 the scheme is Moreau's catching-up algorithm. With r = 2 it is the
/// Moreau-Jean scheme with theta = 1 and restitution 0, except in the step in which a contact closes, because
/// there y must not become negative. For r >= 3 there is no proof that the scheme dissipates energy.
///
/// **Conventions.** $z_i$ is the derivative of order i - 1 of y along the motion without $\lambda$, which
/// includes e: $z_i = C A^{i-1} x + C A^{i-2} e$ for i >= 2. Model a source that changes with time as
/// additional states, and include their dynamics in A. A step has exactly one solution if h is small enough,
/// because its matrix ([`step_matrix`](Self::step_matrix)) is then a P-matrix, like H. A longer step can have
/// no solution; the status of the report is then not a success.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::analysis::LinearSystem;
/// use siconos_sweeping::higher_order::HigherOrderSweeping;
///
/// // z_1' = z_2, z_2' = z_3, z_3' = lambda.
/// let a = array![[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]];
/// let b = array![[0.0], [0.0], [1.0]];
/// let chain = LinearSystem::new(a, b, array![[1.0, 0.0, 0.0]], array![[0.0]])?;
/// let mut sweeping = HigherOrderSweeping::of(&chain)?;
/// assert_eq!(sweeping.relative_degree(), 3);
///
/// // A jump: z_1 is projected to 0, and z_2 > 0 leaves z_3 free.
/// let jump = sweeping.jump(&sweeping.state(&[-1.0, 2.0, -3.0])?)?;
/// assert_eq!(sweeping.x(&jump.after)?, [0.0, 2.0, -3.0]);
///
/// // A motion: z_1 touches 0 at t = 2 - sqrt 2, where z_2 = -sqrt 2 jumps to 0.
/// let mut state = sweeping.state(&[1.0, -2.0, 1.0])?;
/// let mut atoms = [0.0; 3];
/// for _ in 0..1000 {
///     let report = sweeping.step(1e-3, &mut state)?;
///     atoms.iter_mut().zip(report.mu.column(0)).for_each(|(sum, mu)| *sum += mu);
/// }
/// assert!((atoms[1] - 2.0_f64.sqrt()).abs() < 3e-3 && atoms[0] < 3e-3 && atoms[2] == 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Reference: V. Acary, B. Brogliato, D. Goeleven (2008), "Higher order Moreau's sweeping process:
/// mathematical formulation and numerical simulation", Mathematical Programming 113, 133-217.
#[doc(alias("HOSP", "event capturing"))]
#[derive(Debug)]
pub struct HigherOrderSweeping {
    pub(super) form: NormalForm,
    pub(super) source: Source,
    matrices: StepMatrices,
    problem: OneStepProblem,
    /// State at the end of a step: first without measures, then with measures.
    end: Vec<f64>,
    /// Measures of the last step, r x m.
    mu: Vec<f64>,
}

impl HigherOrderSweeping {
    /// Creates the process of a linear system, without a source.
    ///
    /// # Errors
    ///
    /// If the system has no uniform relative degree of at least 1, or if $C A^{r-1} B$ is not a P-matrix, as
    /// in [`NormalForm::of`].
    pub fn of(system: &LinearSystem) -> Result<Self, HigherOrderError> {
        let form = NormalForm::of(system)?;
        let (n, rows) = (form.states(), form.relative_degree() * form.multipliers());
        Ok(Self {
            source: Source::none(n),
            matrices: StepMatrices::of(&form),
            problem: OneStepProblem::default(),
            end: vec![0.0; n],
            mu: vec![0.0; rows],
            form,
        })
    }

    /// Returns the relative degree r, at least 1.
    #[must_use]
    pub fn relative_degree(&self) -> usize {
        self.form.relative_degree()
    }

    /// Returns the normal form.
    #[must_use]
    pub fn normal_form(&self) -> &NormalForm {
        &self.form
    }

    /// Computes the jump from a state at one instant: order by order, $z_i$ is projected onto its cone.
    ///
    /// After the jump all constrained orders are at or above 0. If H is diagonal, no $|z_i|$ increases.
    ///
    /// # Errors
    ///
    /// If the state belongs to a process of different size ([`HigherOrderError::Model`]), or if values
    /// overflow ([`OneStep`](HigherOrderError::OneStep), [`Unbounded`](HigherOrderError::Unbounded)).
    pub fn jump(&mut self, state: &HigherOrderState) -> Result<Jump, HigherOrderError> {
        self.check(state)?;
        jump(&self.form, &mut self.problem, state)
    }

    /// Takes a step of length h \[s\].
    ///
    /// If the problem was solved, $z_1 \ge 0$ and $\mu_i z_i = 0$ hold exactly at the end of the step.
    ///
    /// # Errors
    ///
    /// If h is not above 0 ([`HigherOrderError::Settings`]); if the state belongs to a process of different
    /// size ([`Model`](HigherOrderError::Model)); if the matrix of the implicit step is singular
    /// ([`Singular`](HigherOrderError::Singular)); or if values overflow
    /// ([`OneStep`](HigherOrderError::OneStep), [`Unbounded`](HigherOrderError::Unbounded)). The state is
    /// then unchanged.
    pub fn step(
        &mut self,
        h: f64,
        state: &mut HigherOrderState,
    ) -> Result<HigherOrderReport<'_>, HigherOrderError> {
        check_positive("h", h)?;
        self.check(state)?;
        self.matrices.prepare(&self.form, h)?;
        let info = self.solve_step(h, state)?;
        self.add_measures(state, info);
        self.project_derivatives(h, state);
        if let Some((index, &value)) = self.end.iter().enumerate().find(|(_, x)| !x.is_finite()) {
            return Err(HigherOrderError::Unbounded { index, value });
        }
        state.values.copy_from_slice(&self.end);
        Ok(HigherOrderReport { info, mu: order_by_component(&self.mu, state.orders, state.multipliers) })
    }

    /// Returns the matrix that maps the measures of a step of length h to the derivatives z at its end, r m x
    /// r m, with rows and columns sorted by order and then by component. If it is a P-matrix
    /// ([`p_property`](siconos_kernel::analysis::p_property)), the step has exactly one solution for every
    /// state.
    ///
    /// # Errors
    ///
    /// If h is not above 0 ([`HigherOrderError::Settings`]), or if the matrix of the implicit step is
    /// singular ([`Singular`](HigherOrderError::Singular)).
    pub fn step_matrix(&mut self, h: f64) -> Result<Array2<f64>, HigherOrderError> {
        check_positive("h", h)?;
        self.matrices.prepare(&self.form, h)?;
        let rows = self.mu.len();
        let all = order_by_component(&self.matrices.response, self.form.states(), rows);
        Ok(all.slice(s![..rows, ..]).to_owned())
    }

    /// Computes the end of the step without measures, and then the measures.
    fn solve_step(&mut self, h: f64, state: &HigherOrderState) -> Result<SolveInfo, HigherOrderError> {
        let Self { form, source, matrices, problem, end, mu, .. } = self;
        let start = state.values.iter().zip(&source.rates);
        end.iter_mut().zip(start).for_each(|(end, (z, rate))| *end = z + h * rate);
        matrices.solve(end);
        let (m, rows) = (state.multipliers, mu.len());
        problem.begin(rows);
        problem.q.copy_from_slice(&end[..rows]);
        let last_rate = form.last_rate();
        for j in 0..m {
            // Sum of the magnitudes of the terms that are added up at the end of the step without measures.
            let of_source = source.rates[rows - m + j].abs();
            let rates = last_rate.row(j);
            let of_state = rates.iter().zip(&state.values).map(|(rate, z)| (rate * z).abs());
            let mut above = of_source + of_state.sum::<f64>();
            for p in (0..state.orders).rev().map(|i| i * m + j) {
                above = state.values[p].abs() + h * above;
                problem.terms[p] = above;
            }
            problem.held.extend((0..state.constrained_orders(j)).map(|i| i * m + j));
        }
        problem.held.sort_unstable();
        let info = problem.solve(matrices.problem(), form.units())?;
        mu.copy_from_slice(&problem.mu);
        Ok(info)
    }

    /// Adds the contribution of the measures to the end of the step. Sets z_r to exactly 0 in the constrained
    /// rows in which it is 0 up to rounding.
    fn add_measures(&mut self, start: &HigherOrderState, info: SolveInfo) {
        let Self { matrices, end, mu, .. } = self;
        let last = mu.len() - start.multipliers..mu.len();
        for (p, row) in matrices.response.chunks_exact(mu.len()).enumerate() {
            let free = end[p];
            end[p] += dot(row, mu);
            let is_solved = last.contains(&p) && info.status.is_success();
            if is_solved && start.constrained_orders(p - last.start) == start.orders {
                let of_measures = row.iter().zip(mu.iter()).map(|(response, mu)| (response * mu).abs());
                let terms = start.values[p].abs() + free.abs() + of_measures.sum::<f64>();
                if mu[p] > 0.0 || end[p] <= ROUNDING * terms {
                    end[p] = 0.0;
                }
            }
        }
    }

    /// Recomputes each order below r from the next higher order by projection, so that complementarity holds
    /// exactly.
    fn project_derivatives(&mut self, h: f64, start: &HigherOrderState) {
        let m = start.multipliers;
        for j in 0..m {
            let held = start.constrained_orders(j);
            for i in (0..start.orders - 1).rev() {
                let p = i * m + j;
                let free = start.values[p] + h * self.end[p + m];
                let is_swept = i < held && free <= 0.0;
                self.mu[p] = if is_swept { 0.0 - free } else { 0.0 };
                self.end[p] = if is_swept { 0.0 } else { free };
            }
        }
    }
}
