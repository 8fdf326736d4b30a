//! Elimination of the free unknowns of a mixed problem.

use ndarray::ArrayView2;

use super::{MlcpProblem, MlcpRow, MlcpSolver, error_of_point};
use crate::error::{SettingsError, SolverError, Unsupported, check_solve};
use crate::info::{SolveInfo, Status};
use crate::lcp::{LcpProblem, LcpSolver, Lemke};
use crate::linalg::{DenseLu, MatrixRef, dot, square};
use crate::rounding::is_exact_to_rounding;

/// Eliminates the free unknowns and solves the linear complementarity problem that remains.
///
/// **Problem.** [`MlcpProblem`] with a dense matrix whose equality block is regular.
///
/// **Method.** Order the rows into equalities and complementarities, $M = [A, C; D, B]$, $q = (a, b)$. (1) Factorise
/// $A$. (2) Form the Schur complement $B - D A^{-1} C$ and $b - D A^{-1} a$. (3) Solve that problem for the
/// complementary unknowns $v$. (4) $u = -A^{-1}(a + C v)$. (Cottle, Pang, Stone 1992, section 1.2 on mixed problems.)
///
/// **Guarantee.** That of the inner solver for the Schur complement, which is a P-matrix when $M$ is one.
///
/// **Result.** The status of the inner solver; `Converged` only when the [`error`](super::error) of the whole point is at
/// or below the tolerance, by default ten times that of the inner solver and at least 1e-10; `AtRoundingLevel` when it is
/// above, but every row holds to rounding. A singular $A$ (redundant joints) is refused with [`SolverError::Singular`] and the column.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::lcp::ProjectedGaussSeidel;
/// use siconos_numerics::mlcp::{Elimination, MlcpProblem, MlcpRow, MlcpSolver};
///
/// // Two equations and no complementarity: a linear system.
/// let mut solver = Elimination::new(Box::new(ProjectedGaussSeidel::default()));
/// let (m, rows) = (array![[2.0, 0.0], [1.0, 1.0]], [MlcpRow::Equality; 2]);
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = solver.solve(&MlcpProblem::new(&m, &[-4.0, 1.0], &rows)?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert_eq!(z, [2.0, -3.0]);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_MLCP_LCP_LEMKE")]
#[derive(Debug)]
pub struct Elimination {
    lcp: Box<dyn LcpSolver>,
    tolerance: f64,
    order: Vec<usize>,
    equality_block: Vec<f64>,
    lu: DenseLu,
    /// Row j: $A^{-1}$ times column j of $C$; the last one is $A^{-1} a$.
    solved: Vec<f64>,
    schur: Vec<f64>,
    rhs: Vec<f64>,
    v: Vec<f64>,
    w: Vec<f64>,
}

/// The default tolerance: no lower than this, and this many times that of the inner solver, of whose error the
/// elimination makes a larger one.
const LEAST_TOLERANCE: f64 = 1e-10;
const ABOVE_INNER: f64 = 10.0;

impl Default for Elimination {
    fn default() -> Self {
        Self::new(Box::new(Lemke::default()))
    }
}

impl Elimination {
    /// Makes a solver around one for linear complementarity problems.
    #[must_use]
    pub fn new(lcp: Box<dyn LcpSolver>) -> Self {
        let tolerance = LEAST_TOLERANCE.max(ABOVE_INNER * lcp.tolerance());
        Self {
            lcp,
            tolerance,
            order: Vec::new(),
            equality_block: Vec::new(),
            lu: DenseLu::default(),
            solved: Vec::new(),
            schur: Vec::new(),
            rhs: Vec::new(),
            v: Vec::new(),
            w: Vec::new(),
        }
    }

    /// Sets the [`error`](super::error) at which a point counts as a solution.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when it is not above 0.
    pub fn with_tolerance(mut self, tolerance: f64) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("tolerance", tolerance, f64::MIN_POSITIVE, "above 0")?;
        self.tolerance = tolerance;
        Ok(self)
    }

    /// The solver for linear complementarity problems that is inside.
    #[must_use]
    pub fn into_inner(self) -> Box<dyn LcpSolver> {
        self.lcp
    }

    /// Step (1): the order of the rows, equalities first, and the factorised equality block; returns its size.
    fn factor_equalities(&mut self, m: ArrayView2<'_, f64>, rows: &[MlcpRow]) -> Result<usize, SolverError> {
        let of_kind = |kind| rows.iter().enumerate().filter(move |(_, row)| **row == kind).map(|(i, _)| i);
        self.order.clear();
        self.order.extend(of_kind(MlcpRow::Equality));
        let equalities = self.order.len();
        self.order.extend(of_kind(MlcpRow::Complementarity));
        self.equality_block.clear();
        for &i in &self.order[..equalities] {
            self.equality_block.extend(self.order[..equalities].iter().map(|&j| m[[i, j]]));
        }
        if equalities > 0 {
            let block = square(&self.equality_block, equalities);
            self.lu.factor(block).map_err(|singular| SolverError::Singular {
                what: "the block of the equality rows",
                singular,
            })?;
        }
        Ok(equalities)
    }

    /// Step (2): the Schur complement and its right-hand side.
    fn form_schur(&mut self, m: ArrayView2<'_, f64>, q: &[f64], equalities: usize) {
        let (free, bound) = self.order.split_at(equalities);
        self.solved.clear();
        for &j in bound {
            self.solved.extend(free.iter().map(|&i| m[[i, j]]));
        }
        self.solved.extend(free.iter().map(|&i| q[i]));
        if equalities > 0 {
            for column in self.solved.chunks_exact_mut(equalities) {
                self.lu.solve(column);
            }
        }
        self.schur.clear();
        self.rhs.clear();
        let column = |k: usize| &self.solved[k * equalities..(k + 1) * equalities];
        // Row i of D stands in `d` while it meets every column.
        let mut d = std::mem::take(&mut self.w);
        for &i in bound {
            d.clear();
            d.extend(free.iter().map(|&j| m[[i, j]]));
            self.schur.extend(bound.iter().enumerate().map(|(k, &j)| m[[i, j]] - dot(&d, column(k))));
            self.rhs.push(q[i] - dot(&d, column(bound.len())));
        }
        self.w = d;
    }
}

impl MlcpSolver for Elimination {
    fn name(&self) -> &'static str {
        "elimination"
    }

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn supports(&self, m: MatrixRef<'_>) -> Result<(), Unsupported> {
        dense(m).map(|_| ())
    }

    fn solve(
        &mut self,
        problem: &MlcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), z, w)?;
        let (m, q) = (dense(problem.m())?, problem.q());
        let equalities = self.factor_equalities(m, problem.rows())?;
        self.form_schur(m, q, equalities);
        let (free, bound) = self.order.split_at(equalities);

        // (3)
        self.v.clear();
        self.v.extend(bound.iter().map(|&i| z[i]));
        self.w.clear();
        self.w.resize(bound.len(), 0.0);
        let schur = LcpProblem::new(square(&self.schur, bound.len()), &self.rhs)?;
        let inner = self.lcp.solve(&schur, &mut self.v, &mut self.w)?;

        // (4)
        for (&i, &v) in bound.iter().zip(&self.v) {
            z[i] = v;
        }
        for (k, &i) in free.iter().enumerate() {
            let column = |j: usize| self.solved[j * equalities + k];
            z[i] = -column(bound.len()) - self.v.iter().enumerate().map(|(j, v)| column(j) * v).sum::<f64>();
        }
        let error = error_of_point(problem, z, w);
        let status = match inner.status {
            inner if !inner.is_success() => inner,
            _ if error <= self.tolerance => Status::Converged,
            _ => {
                let is_free = |i: usize| problem.rows()[i] == MlcpRow::Equality;
                let exact = is_exact_to_rounding(problem.m(), q, z, w, is_free, &mut self.rhs);
                if exact { Status::AtRoundingLevel } else { Status::Stalled }
            }
        };
        Ok(SolveInfo { status, iterations: inner.iterations, error })
    }
}

fn dense(m: MatrixRef<'_>) -> Result<ArrayView2<'_, f64>, Unsupported> {
    match m {
        MatrixRef::Dense(m) => Ok(m),
        other => Err(Unsupported { solver: "elimination", found: other.storage(), takes: "a dense matrix" }),
    }
}
