//! The one-step nonsmooth problem: its storage, its class, its solver.

use ndarray::ArrayView2;
use siconos_numerics::lcp::{LcpMethod, LcpProblem, LcpSolver, Lemke, ProjectedGaussSeidel};
use siconos_numerics::linalg::{BlockCsr, MatrixRef};
use siconos_numerics::mlcp::{Elimination, MlcpMethod, MlcpProblem, MlcpRow, MlcpSolver};
use siconos_numerics::{SettingsError, SolveInfo, SolverError, Status, Unsupported};

use super::assembly::{Places, fill_blocks, fill_dense};
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

    /// Puts a solver for complementarity problems behind an elimination.
    fn into_mixed(self) -> Self {
        match self {
            Self::Lcp(solver) => Elimination::new(solver).into(),
            mixed @ Self::Mlcp(_) => mixed,
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
    solver: OneStepSolver,
    storage: Storage,
    places: Places,
    dense: Vec<f64>,
    blocks: BlockCsr,
    row_kinds: Vec<MlcpRow>,
    pub(crate) q: Vec<f64>,
    pub(crate) z: Vec<f64>,
    w: Vec<f64>,
}

impl OneStepNonSmoothProblem {
    pub(crate) fn new(solver: OneStepSolver) -> Self {
        Self {
            solver,
            storage: Storage::Dense,
            places: Places::default(),
            dense: Vec::new(),
            blocks: BlockCsr::default(),
            row_kinds: Vec::new(),
            q: Vec::new(),
            z: Vec::new(),
            w: Vec::new(),
        }
    }

    /// Fits solver and storage to the laws of a model.
    pub(crate) fn adapt(&mut self, tables: &Tables) -> Result<(), Unsupported> {
        if tables.is_mixed() {
            self.solver = std::mem::take(&mut self.solver).into_mixed();
        }
        self.storage = Storage::Blocks;
        if self.solver.supports(MatrixRef::BlockCsr(&self.blocks)).is_err() {
            self.solver.supports(MatrixRef::Dense(ArrayView2::from(&[[]; 0])))?;
            self.storage = Storage::Dense;
        }
        Ok(())
    }

    /// Lays the problem out for a new index set.
    pub(crate) fn set_members(&mut self, tables: &Tables, members: &[usize]) {
        self.places.update(tables, members);
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
            Storage::Blocks => fill_blocks(tables, delassus, members, &self.places, &mut self.blocks),
        }
    }

    /// Solves for `z` from the guess in `z`.
    pub(crate) fn solve(&mut self) -> Result<SolveInfo, SolverError> {
        let n = self.q.len();
        if n == 0 {
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 });
        }
        let m = match self.storage {
            Storage::Dense => MatrixRef::Dense(
                ArrayView2::from_shape((n, n), &self.dense).unwrap_or_else(|_| ArrayView2::from(&[[]; 0])),
            ),
            Storage::Blocks => MatrixRef::BlockCsr(&self.blocks),
        };
        match &mut self.solver {
            OneStepSolver::Lcp(solver) => {
                solver.solve(&LcpProblem::new(m, &self.q)?, &mut self.z, &mut self.w)
            }
            OneStepSolver::Mlcp(solver) => {
                solver.solve(&MlcpProblem::new(m, &self.q, &self.row_kinds)?, &mut self.z, &mut self.w)
            }
        }
    }
}
