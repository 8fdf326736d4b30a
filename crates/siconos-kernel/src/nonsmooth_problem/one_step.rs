//! The one-step nonsmooth problem: its storage, its class, its solver.

use siconos_numerics::lcp::{LcpMethod, LcpProblem, LcpSolver, Lemke, ProjectedGaussSeidel};
use siconos_numerics::linalg::{BlockCsr, MatrixRef, square};
use siconos_numerics::mlcp::{Elimination, MlcpMethod, MlcpProblem, MlcpRow, MlcpSolver};
use siconos_numerics::{SettingsError, SolveInfo, SolverError, Status, Unsupported};

use super::assembly::{Places, fill_dense, lay_out_blocks, refill_blocks};
use super::delassus::Delassus;
use super::tables::{ContactKind, Tables};

/// The solver of the one-step problem.
///
/// The class of the problem follows from the laws of the model: a linear complementarity problem, or a mixed one as
/// soon as there is an [`EqualityCondition`](crate::model::EqualityCondition). A solver for the first kind also serves
/// the second, behind an elimination of the free unknowns.
///
/// Make it from a solver ([`Lemke`], [`ProjectedGaussSeidel`], [`Elimination`]), or from a choice with
/// [`OneStepSolver::from_lcp_method`] and [`OneStepSolver::from_mlcp_method`]; or box a solver of your own.
///
/// ```
/// use siconos_kernel::nonsmooth_problem::OneStepSolver;
/// use siconos_numerics::lcp::{LcpMethod, Lemke};
///
/// let solver = OneStepSolver::from(Lemke::default());
/// let same = OneStepSolver::from_lcp_method(&LcpMethod::default())?;
/// assert_eq!(solver.name(), same.name());
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Debug)]
pub enum OneStepSolver {
    /// For linear complementarity problems.
    Lcp(Box<dyn LcpSolver>),
    /// For mixed ones.
    Mlcp(Box<dyn MlcpSolver>),
}

impl Default for OneStepSolver {
    /// [`Lemke`].
    fn default() -> Self {
        Lemke::default().into()
    }
}

impl From<Lemke> for OneStepSolver {
    fn from(solver: Lemke) -> Self {
        Self::Lcp(Box::new(solver))
    }
}

impl From<ProjectedGaussSeidel> for OneStepSolver {
    fn from(solver: ProjectedGaussSeidel) -> Self {
        Self::Lcp(Box::new(solver))
    }
}

impl From<Elimination> for OneStepSolver {
    fn from(solver: Elimination) -> Self {
        Self::Mlcp(Box::new(solver))
    }
}

impl From<Box<dyn LcpSolver>> for OneStepSolver {
    fn from(solver: Box<dyn LcpSolver>) -> Self {
        Self::Lcp(solver)
    }
}

impl From<Box<dyn MlcpSolver>> for OneStepSolver {
    fn from(solver: Box<dyn MlcpSolver>) -> Self {
        Self::Mlcp(solver)
    }
}

impl OneStepSolver {
    /// Makes the solver that a file or command line names.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn from_lcp_method(method: &LcpMethod) -> Result<Self, SettingsError> {
        Ok(Self::Lcp(method.build()?))
    }

    /// Makes the solver that a file or command line names.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn from_mlcp_method(method: &MlcpMethod) -> Result<Self, SettingsError> {
        Ok(Self::Mlcp(method.build()?))
    }

    /// The name of the method.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Lcp(solver) => solver.name(),
            Self::Mlcp(solver) => solver.name(),
        }
    }

    fn supports(&self, m: MatrixRef<'_>) -> Result<(), Unsupported> {
        match self {
            Self::Lcp(solver) => solver.supports(m),
            Self::Mlcp(solver) => solver.supports(m),
        }
    }
}

/// The solver as the laws of the model need it.
#[derive(Debug)]
enum Active {
    /// As the user gave it.
    Given(OneStepSolver),
    /// The user's solver for complementarity problems, behind an elimination for as long as there are equalities.
    Eliminated(Box<Elimination>),
}

impl Active {
    fn supports(&self, m: MatrixRef<'_>) -> Result<(), Unsupported> {
        match self {
            Self::Given(solver) => solver.supports(m),
            Self::Eliminated(solver) => solver.supports(m),
        }
    }
}

/// The storage in which the matrix is assembled: block rows for a solver that takes them, else all entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Storage {
    Dense,
    Blocks,
}

/// The problem of a step with everything that lives from step to step.
#[derive(Debug)]
pub(crate) struct OneStepNonSmoothProblem {
    solver: Active,
    storage: Storage,
    places: Places,
    dense: Vec<f64>,
    blocks: BlockCsr,
    /// Whether `blocks` has the pattern of the index set; its values may be old.
    pattern_valid: bool,
    row_kinds: Vec<MlcpRow>,
    pub(crate) q: Vec<f64>,
    pub(crate) z: Vec<f64>,
    w: Vec<f64>,
}

impl OneStepNonSmoothProblem {
    pub(crate) fn new(solver: OneStepSolver) -> Self {
        Self {
            solver: Active::Given(solver),
            storage: Storage::Dense,
            places: Places::default(),
            dense: Vec::new(),
            blocks: BlockCsr::default(),
            pattern_valid: false,
            row_kinds: Vec::new(),
            q: Vec::new(),
            z: Vec::new(),
            w: Vec::new(),
        }
    }

    /// Fits solver and storage to the laws of a model.
    pub(crate) fn adapt(&mut self, tables: &Tables) -> Result<(), Unsupported> {
        let current = std::mem::replace(&mut self.solver, Active::Given(OneStepSolver::default()));
        self.solver = match (current, tables.is_mixed()) {
            (Active::Given(OneStepSolver::Lcp(solver)), true) => {
                Active::Eliminated(Box::new(Elimination::new(solver)))
            }
            (Active::Eliminated(solver), false) => Active::Given(OneStepSolver::Lcp((*solver).into_inner())),
            (fits, _) => fits,
        };
        self.storage = Storage::Blocks;
        if self.solver.supports(MatrixRef::BlockCsr(&self.blocks)).is_err() {
            self.solver.supports(MatrixRef::Dense(square(&[], 0)))?;
            self.storage = Storage::Dense;
        }
        Ok(())
    }

    /// Lays the problem out for a new index set.
    pub(crate) fn set_members(&mut self, tables: &Tables, members: &[usize]) {
        self.places.update(tables, members);
        self.pattern_valid = false;
        self.row_kinds.clear();
        for &place in members {
            let unitary = &tables.unitary[place];
            let kind = match tables.interactions[unitary.interaction].kind {
                ContactKind::Bilateral | ContactKind::Compliant { equality: true, .. } => MlcpRow::Equality,
                ContactKind::Unilateral { .. } | ContactKind::Compliant { equality: false, .. } => {
                    MlcpRow::Complementarity
                }
            };
            self.row_kinds.extend(unitary.rows.clone().map(|_| kind));
        }
        let n = self.places.size();
        for vector in [&mut self.q, &mut self.z, &mut self.w] {
            vector.clear();
            vector.resize(n, 0.0);
        }
    }

    /// Gathers the matrix.
    pub(crate) fn assemble(&mut self, tables: &Tables, delassus: &Delassus, members: &[usize]) {
        match self.storage {
            Storage::Dense => fill_dense(tables, delassus, members, &self.places, &mut self.dense),
            Storage::Blocks if self.pattern_valid => {
                refill_blocks(delassus, members, &self.places, &mut self.blocks);
            }
            Storage::Blocks => {
                lay_out_blocks(tables, delassus, members, &self.places, &mut self.blocks);
                self.pattern_valid = true;
            }
        }
    }

    /// Solves for `z` from the guess in `z`.
    pub(crate) fn solve(&mut self) -> Result<SolveInfo, SolverError> {
        let n = self.q.len();
        if n == 0 {
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 });
        }
        let m = match self.storage {
            Storage::Dense => MatrixRef::Dense(square(&self.dense, n)),
            Storage::Blocks => MatrixRef::BlockCsr(&self.blocks),
        };
        let mixed: &mut dyn MlcpSolver = match &mut self.solver {
            Active::Given(OneStepSolver::Lcp(solver)) => {
                return solver.solve(&LcpProblem::new(m, &self.q)?, &mut self.z, &mut self.w);
            }
            Active::Given(OneStepSolver::Mlcp(solver)) => solver.as_mut(),
            Active::Eliminated(solver) => solver.as_mut(),
        };
        mixed.solve(&MlcpProblem::new(m, &self.q, &self.row_kinds)?, &mut self.z, &mut self.w)
    }
}
