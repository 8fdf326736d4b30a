//! The one-step nonsmooth problem: its storage, its laws, and its solve.

use siconos_numerics::contact::{ContactLaw, ContactProblem};
use siconos_numerics::gmp::{GenericMechanicalProblem, MechanicalLaw};
use siconos_numerics::lcp::LcpProblem;
use siconos_numerics::linalg::{BlockCsr, MatrixRef, square};
use siconos_numerics::mlcp::{MlcpProblem, MlcpRow, MlcpSolver};
use siconos_numerics::{SolveInfo, SolverError, Status, Unsupported};

use super::assembly::{Places, fill_dense, lay_out_blocks, refill_blocks};
use super::delassus::Delassus;
use super::solver::{Active, Chosen, OneStepSolver};
use super::tables::{ContactKind, ProblemClass, Tables};

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
    /// What the class of the problem asks to know of its rows or blocks: the one that the solver takes is filled.
    row_kinds: Vec<MlcpRow>,
    friction: Vec<f64>,
    laws: Vec<MechanicalLaw>,
    mechanical: GenericMechanicalProblem,
    dimension: usize,
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
            friction: Vec::new(),
            laws: Vec::new(),
            mechanical: GenericMechanicalProblem::default(),
            dimension: 3,
            q: Vec::new(),
            z: Vec::new(),
            w: Vec::new(),
        }
    }

    /// Fits solver and storage to the laws of a model.
    pub(crate) fn adapt(&mut self, tables: &Tables) -> Result<(), Unsupported> {
        let Some(class) = tables.class() else { return Ok(()) };
        let current = std::mem::replace(&mut self.solver, OneStepSolver::default().into());
        self.solver = current.adapted(class);
        if let ProblemClass::Contact { dimension } = class {
            self.dimension = dimension;
        }
        let chosen = &self.solver.chosen;
        self.takes_blocks = chosen.supports(class, MatrixRef::BlockCsr(&BlockCsr::default())).is_ok();
        let dense = chosen.supports(class, MatrixRef::Dense(square(&[], 0)));
        self.takes_dense = dense.is_ok();
        if self.takes_blocks { Ok(()) } else { dense }
    }

    /// Lays the problem out for a new index set.
    pub(crate) fn set_members(&mut self, tables: &Tables, members: &[usize]) {
        self.places.update(tables, members);
        self.pattern_valid = false;
        self.describe(tables, members);
        let n = self.places.size();
        let blocks = self.takes_blocks && (n > SMALL || !self.takes_dense);
        self.storage = if blocks { Storage::Blocks } else { Storage::Dense };
        for vector in [&mut self.q, &mut self.z, &mut self.w] {
            vector.clear();
            vector.resize(n, 0.0);
        }
    }

    /// Writes down the laws of the members in the words of the solver.
    fn describe(&mut self, tables: &Tables, members: &[usize]) {
        self.row_kinds.clear();
        self.friction.clear();
        self.laws.clear();
        let members = members.iter().map(|&place| &tables.unitary[place]);
        let members =
            members.map(|unitary| (unitary.rows.len(), tables.interactions[unitary.interaction].kind));
        match &self.solver.chosen {
            Chosen::Lcp(_) => {}
            Chosen::Mlcp(_) | Chosen::Eliminated(_) => {
                for (size, kind) in members {
                    let row = if is_equality(kind) { MlcpRow::Equality } else { MlcpRow::Complementarity };
                    self.row_kinds.extend(std::iter::repeat_n(row, size));
                }
            }
            Chosen::Contact(_) => self.friction.extend(members.filter_map(|(_, kind)| match kind {
                ContactKind::Frictional { law, .. } => Some(law.mu()),
                _ => None,
            })),
            Chosen::Gmp(_) => self.laws.extend(members.map(|(size, kind)| mechanical_law(size, kind))),
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
        let (q, z, w) = (&self.q, &mut self.z, &mut self.w);
        match &mut self.solver.chosen {
            Chosen::Lcp(solver) => solver.solve(&LcpProblem::new(m, q)?, z, w),
            Chosen::Mlcp(solver) => solver.solve(&MlcpProblem::new(m, q, &self.row_kinds)?, z, w),
            Chosen::Eliminated(solver) => solver.solve(&MlcpProblem::new(m, q, &self.row_kinds)?, z, w),
            Chosen::Contact(solver) => {
                let law = ContactLaw::Coulomb { dimension: self.dimension, mu: &self.friction };
                solver.solve(&ContactProblem::new(m, q, law)?, z, w)
            }
            Chosen::Gmp(solver) => {
                self.mechanical.assign(m, q, &self.laws)?;
                solver.solve(&self.mechanical, z, w)
            }
        }
    }
}

fn is_equality(kind: ContactKind) -> bool {
    matches!(kind, ContactKind::Bilateral | ContactKind::Compliant { equality: true, .. })
}

fn mechanical_law(size: usize, kind: ContactKind) -> MechanicalLaw {
    match kind {
        ContactKind::Frictional { law, .. } if law.dimension() == 2 => {
            MechanicalLaw::Friction2 { mu: law.mu() }
        }
        ContactKind::Frictional { law, .. } => MechanicalLaw::Friction3 { mu: law.mu() },
        kind if is_equality(kind) => MechanicalLaw::Equality { size },
        _ => MechanicalLaw::Complementarity { size },
    }
}
