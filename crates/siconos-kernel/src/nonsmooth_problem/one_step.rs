//! The one-step nonsmooth problem: its storage, its class, its solver.

use siconos_numerics::lcp::{self, LcpMethod, LcpProblem, LcpSolver, Lemke, ProjectedGaussSeidel};
use siconos_numerics::linalg::{BlockCsr, MatrixRef, square};
use siconos_numerics::mlcp::{self, Elimination, MlcpMethod, MlcpProblem, MlcpRow, MlcpSolver};
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
/// The default looks at each problem and chooses. Otherwise make it from a solver ([`Lemke`],
/// [`ProjectedGaussSeidel`], [`Elimination`]), or from a choice with [`OneStepSolver::from_lcp_method`] and
/// [`OneStepSolver::from_mlcp_method`]; or box a solver of your own.
///
/// ```
/// use siconos_kernel::nonsmooth_problem::OneStepSolver;
/// use siconos_numerics::lcp::{LcpMethod, Lemke, LemkeSettings};
///
/// let solver = OneStepSolver::from(Lemke::default());
/// let same = OneStepSolver::from_lcp_method(&LcpMethod::Lemke(LemkeSettings::default()))?;
/// assert_eq!(solver.name(), same.name());
/// assert_eq!(OneStepSolver::default().name(), "Auto");
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Debug, Default)]
pub enum OneStepSolver {
    /// [`lcp::Auto`] or [`mlcp::Auto`], as the laws ask for.
    #[default]
    Automatic,
    /// For linear complementarity problems.
    Lcp(Box<dyn LcpSolver>),
    /// For mixed ones.
    Mlcp(Box<dyn MlcpSolver>),
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
            Self::Automatic => "Auto",
            Self::Lcp(solver) => solver.name(),
            Self::Mlcp(solver) => solver.name(),
        }
    }
}

/// The solver as the laws of the model need it.
#[derive(Debug)]
enum Active {
    Lcp(Box<dyn LcpSolver>),
    Mlcp(Box<dyn MlcpSolver>),
    /// The user's solver for complementarity problems, behind an elimination for as long as there are equalities.
    Eliminated(Box<Elimination>),
    /// The automatic choice of either class.
    AutomaticLcp(Box<lcp::Auto>),
    AutomaticMlcp(Box<mlcp::Auto>),
}

impl Active {
    /// Fits the solver to the class of the problem.
    fn adapted(self, mixed: bool) -> Self {
        match (self, mixed) {
            (Self::Lcp(solver), true) => Self::Eliminated(Box::new(Elimination::new(solver))),
            (Self::Eliminated(solver), false) => Self::Lcp((*solver).into_inner()),
            (Self::AutomaticLcp(_), true) => Self::AutomaticMlcp(Box::default()),
            (Self::AutomaticMlcp(_), false) => Self::AutomaticLcp(Box::default()),
            (fits, _) => fits,
        }
    }

    fn chosen(&mut self) -> Chosen<'_> {
        match self {
            Self::Lcp(solver) => Chosen::Lcp(solver.as_mut()),
            Self::AutomaticLcp(solver) => Chosen::Lcp(solver.as_mut()),
            Self::Mlcp(solver) => Chosen::Mlcp(solver.as_mut()),
            Self::Eliminated(solver) => Chosen::Mlcp(solver.as_mut()),
            Self::AutomaticMlcp(solver) => Chosen::Mlcp(solver.as_mut()),
        }
    }

    fn supports(&mut self, m: MatrixRef<'_>) -> Result<(), Unsupported> {
        match self.chosen() {
            Chosen::Lcp(solver) => solver.supports(m),
            Chosen::Mlcp(solver) => solver.supports(m),
        }
    }
}

/// The solver of the present class.
enum Chosen<'a> {
    Lcp(&'a mut dyn LcpSolver),
    Mlcp(&'a mut dyn MlcpSolver),
}

impl From<OneStepSolver> for Active {
    fn from(solver: OneStepSolver) -> Self {
        match solver {
            OneStepSolver::Automatic => Self::AutomaticLcp(Box::default()),
            OneStepSolver::Lcp(solver) => Self::Lcp(solver),
            OneStepSolver::Mlcp(solver) => Self::Mlcp(solver),
        }
    }
}

/// The storage in which the matrix is assembled. Where the solver takes both, few unknowns and well-filled matrices go
/// with all their entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Storage {
    Dense,
    Blocks,
}

/// Up to this size block rows cost more than they save.
const SMALL: usize = 32;

/// A matrix with more than this part of its entries in blocks is better off with all of them.
const WELL_FILLED: f64 = 0.25;

/// The problem of a step with everything that lives from step to step.
#[derive(Debug)]
pub(crate) struct OneStepNonSmoothProblem {
    solver: Active,
    takes_dense: bool,
    takes_blocks: bool,
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
            solver: solver.into(),
            takes_dense: true,
            takes_blocks: false,
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
        let current = std::mem::replace(&mut self.solver, OneStepSolver::default().into());
        self.solver = current.adapted(tables.is_mixed());
        self.takes_blocks = self.solver.supports(MatrixRef::BlockCsr(&self.blocks)).is_ok();
        let dense = self.solver.supports(MatrixRef::Dense(square(&[], 0)));
        self.takes_dense = dense.is_ok();
        if self.takes_blocks { Ok(()) } else { dense }
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
        let blocks = self.takes_blocks && (n > SMALL || !self.takes_dense);
        self.storage = if blocks { Storage::Blocks } else { Storage::Dense };
        for vector in [&mut self.q, &mut self.z, &mut self.w] {
            vector.clear();
            vector.resize(n, 0.0);
        }
    }

    /// Gathers the matrix.
    pub(crate) fn assemble(&mut self, tables: &Tables, delassus: &Delassus, members: &[usize]) {
        if self.storage == Storage::Blocks && self.pattern_valid {
            refill_blocks(delassus, members, &self.places, &mut self.blocks);
            return;
        }
        if self.storage == Storage::Blocks {
            lay_out_blocks(tables, delassus, members, &self.places, &mut self.blocks);
            self.pattern_valid = true;
            let n = self.places.size() as f64;
            if !self.takes_dense || self.blocks.values().len() as f64 <= WELL_FILLED * n * n {
                return;
            }
            self.storage = Storage::Dense;
        }
        fill_dense(tables, delassus, members, &self.places, &mut self.dense);
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
        match self.solver.chosen() {
            Chosen::Lcp(solver) => solver.solve(&LcpProblem::new(m, &self.q)?, &mut self.z, &mut self.w),
            Chosen::Mlcp(solver) => {
                solver.solve(&MlcpProblem::new(m, &self.q, &self.row_kinds)?, &mut self.z, &mut self.w)
            }
        }
    }
}
