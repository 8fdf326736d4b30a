//! The one-step nonsmooth problem: its storage, its laws, and its solve.

use ndarray::Array2;
use siconos_numerics::avi::AviProblem;
use siconos_numerics::contact::{ContactLaw, ContactProblem};
use siconos_numerics::gmp::GenericMechanicalProblem;
use siconos_numerics::lcp::LcpProblem;
use siconos_numerics::linalg::{BlockCsr, MatrixRef, square};
use siconos_numerics::mlcp::{MlcpProblem, MlcpSolver};
use siconos_numerics::relay::RelayProblem;
use siconos_numerics::{SolveInfo, SolverError, Status, Unsupported};

use super::assembly::{Places, fill_dense, lay_out_blocks, refill_blocks};
use super::class::ProblemClass;
use super::delassus::Delassus;
use super::laws::Laws;
use super::solver::{Active, Chosen, OneStepSolver};
use super::tables::Tables;
use crate::error::{ModelError, SimulationError};
use crate::model::{At, InteractionId};

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
    laws: Laws,
    mechanical: GenericMechanicalProblem,
    dimension: usize,
    /// What the matrix was divided by.
    unit: f64,
    /// Bounds of the unknowns, in the unit that these are handed over in: faces of polyhedra, lower and upper ones of relays.
    faces: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) z: Vec<f64>,
    pub(crate) w: Vec<f64>,
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
            laws: Laws::default(),
            mechanical: GenericMechanicalProblem::default(),
            dimension: 3,
            unit: 1.0,
            faces: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            q: Vec::new(),
            z: Vec::new(),
            w: Vec::new(),
        }
    }

    /// Fits solver and storage to the laws of a model.
    pub(crate) fn adapt(&mut self, tables: &Tables) -> Result<(), SimulationError> {
        let Some(class) = tables.class() else { return Ok(()) };
        if class == ProblemClass::None {
            return Err(SimulationError::NoCommonClass);
        }
        if let ProblemClass::Contact { dimension } = class {
            self.dimension = dimension;
        }
        let dense = self.adapt_to(class);
        if !self.takes_blocks {
            dense?;
        }
        Ok(())
    }

    /// Whether the user has chosen a solver that takes contacts with friction and nothing else.
    pub(crate) fn takes_cones(&self) -> bool {
        self.solver.takes_cones()
    }

    /// Fits solver and storage to linear complementarity problems that are [posed](Self::pose) as matrices.
    pub(crate) fn adapt_to_matrices(&mut self) -> Result<(), SimulationError> {
        Ok(self.adapt_to(ProblemClass::Complementarity)?)
    }

    /// Fits solver and storage to a class; says whether the solver takes it with all entries of the matrix.
    fn adapt_to(&mut self, class: ProblemClass) -> Result<(), Unsupported> {
        let current = std::mem::replace(&mut self.solver, OneStepSolver::default().into());
        self.solver = current.adapted(class);
        let chosen = &self.solver.chosen;
        self.takes_blocks = chosen.supports(class, MatrixRef::BlockCsr(&BlockCsr::default())).is_ok();
        let dense = chosen.supports(class, MatrixRef::Dense(square(&[], 0)));
        self.takes_dense = dense.is_ok();
        dense
    }

    /// Takes a linear complementarity problem that is not one of interactions, with the guess zero.
    pub(crate) fn pose(&mut self, m: &Array2<f64>, q: &[f64]) {
        self.laws.describe_complementarity(q.len());
        (self.storage, self.pattern_valid) = (Storage::Dense, false);
        self.dense.clear();
        self.dense.extend(m);
        self.q.clear();
        self.q.extend_from_slice(q);
        for vector in [&mut self.z, &mut self.w] {
            vector.clear();
            vector.resize(q.len(), 0.0);
        }
        self.divide_by_unit();
    }

    /// Lays the problem out for a new index set.
    pub(crate) fn set_members(&mut self, tables: &Tables, members: &[usize]) {
        self.places.update(tables, members);
        self.pattern_valid = false;
        self.laws.invalidate();
        let n = self.places.size();
        let blocks = self.takes_blocks && (n > SMALL || !self.takes_dense);
        self.storage = if blocks { Storage::Blocks } else { Storage::Dense };
        for vector in [&mut self.q, &mut self.z, &mut self.w] {
            vector.clear();
            vector.resize(n, 0.0);
        }
    }

    /// Writes down the laws of the members in the words of the solver, for a step of length `h`; does
    /// nothing where that is known already.
    #[inline]
    pub(crate) fn describe_laws(
        &mut self,
        tables: &Tables,
        members: &[usize],
        (begin, end, h): (At<'_>, At<'_>, f64),
    ) -> Result<(), (InteractionId, ModelError)> {
        if self.laws.are_valid_for(h) {
            return Ok(());
        }
        self.laws.describe(&self.solver.chosen, tables, members, (begin, end, h))
    }

    /// The matrix of the last problem.
    pub(crate) fn matrix(&self) -> Array2<f64> {
        let divided = match self.storage {
            Storage::Dense => MatrixRef::Dense(square(&self.dense, self.q.len())),
            Storage::Blocks => MatrixRef::BlockCsr(&self.blocks),
        };
        divided.to_dense() * self.unit
    }

    /// Gathers the matrix, and divides it by the power of two of its largest entry where the solver measures its error in w
    /// and z together, or compares them on its way: both then have the unit of z.
    pub(crate) fn assemble(&mut self, tables: &Tables, delassus: &Delassus, members: &[usize]) {
        self.gather(tables, delassus, members);
        self.divide_by_unit();
    }

    fn divide_by_unit(&mut self) {
        self.unit = 1.0;
        if !self.is_scaled() {
            return;
        }
        let entries = match self.storage {
            Storage::Dense => &self.dense[..],
            Storage::Blocks => self.blocks.values(),
        };
        self.unit = power_of_two(entries.iter());
        match self.storage {
            Storage::Dense => self.dense.iter_mut().for_each(|x| *x /= self.unit),
            Storage::Blocks => {
                for block in 0..self.blocks.blocks() {
                    self.blocks.block_mut(block).iter_mut().for_each(|x| *x /= self.unit);
                }
            }
        }
    }

    /// Whether the problem is handed over in units in which it is of size 1, so that in other units of length, mass or time, by powers
    /// of two, the solver sees the same problem bit for bit, and no z (a charge of 1e-9 C, say) counts as zero beside w. The
    /// measure of contacts with friction has no units by itself; behind an elimination a solver of the user stops at an error that it
    /// measures in the units of the model.
    fn is_scaled(&self) -> bool {
        !matches!(self.solver.chosen, Chosen::Contact(_) | Chosen::Gmp(_) | Chosen::Eliminated(_))
    }

    fn gather(&mut self, tables: &Tables, delassus: &Delassus, members: &[usize]) {
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
        if !self.is_scaled() {
            return self.solve_as_it_is();
        }
        self.q.iter_mut().for_each(|q| *q /= self.unit);
        for bounds in [&mut self.faces, &mut self.lower, &mut self.upper] {
            bounds.clear();
        }
        match self.solver.chosen {
            Chosen::Avi(_) => self.faces.extend_from_slice(&self.laws.faces),
            Chosen::Relay(_) => {
                self.lower.extend_from_slice(&self.laws.lower);
                self.upper.extend_from_slice(&self.laws.upper);
            }
            _ => {}
        }
        let bounds =
            self.faces.iter().chain(&self.lower).chain(&self.upper).filter(|bound| bound.is_finite());
        let size = power_of_two(self.q.iter().chain(bounds));
        let bounds = self.faces.iter_mut().chain(&mut self.lower).chain(&mut self.upper);
        self.q.iter_mut().chain(&mut self.z).chain(bounds).for_each(|x| *x /= size);
        let solved = self.solve_as_it_is();
        self.z.iter_mut().for_each(|z| *z *= size);
        self.w.iter_mut().chain(&mut self.q).for_each(|w| *w *= size * self.unit);
        solved
    }

    fn solve_as_it_is(&mut self) -> Result<SolveInfo, SolverError> {
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
            Chosen::Mlcp(solver) => solver.solve(&MlcpProblem::new(m, q, &self.laws.rows)?, z, w),
            Chosen::Eliminated(solver) => solver.solve(&MlcpProblem::new(m, q, &self.laws.rows)?, z, w),
            Chosen::Relay(solver) => solver.solve(&RelayProblem::new(m, q, &self.lower, &self.upper)?, z, w),
            Chosen::Avi(solver) => {
                let problem = AviProblem::new(m, q, self.laws.polyhedron.view(), &self.faces)?;
                let info = solver.solve(&problem, z, &mut self.laws.multipliers)?;
                w.copy_from_slice(q);
                m.add_product(1.0, z, w);
                Ok(info)
            }
            Chosen::Cones(solver) => {
                let law = ContactLaw::SecondOrder { starts: &self.laws.starts, tau: &self.laws.slopes };
                solver.solve(&ContactProblem::new(m, q, law)?, z, w)
            }
            Chosen::Contact(solver) => {
                let law = ContactLaw::Coulomb { dimension: self.dimension, mu: &self.laws.slopes };
                solver.solve(&ContactProblem::new(m, q, law)?, z, w)
            }
            Chosen::Gmp(solver) => {
                self.mechanical.assign(m, q, &self.laws.blocks)?;
                solver.solve(&self.mechanical, z, w)
            }
        }
    }
}

/// The power of two of the largest magnitude, by which a division is exact; 1 where all are zero or one is not finite. From its
/// bits: a logarithm rounds up just below a power of two.
fn power_of_two<'a>(x: impl Iterator<Item = &'a f64>) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let largest = x.fold(0.0_f64, |m, x| m.max(x.abs()));
    let power = f64::from_bits(largest.to_bits() & EXPONENT);
    if power.is_normal() { power } else { 1.0 }
}
