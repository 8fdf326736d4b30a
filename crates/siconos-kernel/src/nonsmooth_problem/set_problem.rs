//! The problem of one connected set: its storage, its laws, and its solve.

use ndarray::Array2;
use siconos_numerics::avi::AviProblem;
use siconos_numerics::contact::{ContactLaw, ContactProblem};
use siconos_numerics::gmp::GenericMechanicalProblem;
use siconos_numerics::lcp::LcpProblem;
use siconos_numerics::linalg::{BlockCsr, MatrixRef, square};
use siconos_numerics::mlcp::{MlcpProblem, MlcpSolver};
use siconos_numerics::relay::RelayProblem;
use siconos_numerics::{SolveInfo, SolverError};

use super::assembly::{Place, Places, fill_dense, lay_out_blocks, refill_blocks};
use super::class::ProblemClass;
use super::delassus::Delassus;
use super::laws::Laws;
use super::problem_units::{Entries, ProblemUnits, Sharing};
use super::solver::Chosen;
use super::solvers::Entry;
use super::tables::Tables;
use crate::error::ModelError;
use crate::model::{At, InteractionId};

/// The storage in which the matrix is assembled. Where the solver takes both, few unknowns and well-filled matrices go
/// with all their entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Storage {
    #[default]
    Dense,
    Blocks,
}

/// Up to this size block rows cost more than they save.
const SMALL: usize = 32;

/// A matrix with more than this part of its entries in blocks is better off with all of them.
const WELL_FILLED: f64 = 0.25;

/// The problem of a connected set in a step, with everything that lives from step to step.
#[derive(Debug, Default)]
pub(super) struct SetProblem {
    /// The connected set of the model.
    pub(super) set: usize,
    /// The place of its solver.
    pub(super) solver: usize,
    members: Vec<usize>,
    /// Where its rows are among those of all problems.
    rows: Vec<usize>,
    storage: Storage,
    dense: Vec<f64>,
    blocks: BlockCsr,
    /// Whether `blocks` has the pattern of the members; its values may be old.
    pattern_valid: bool,
    laws: Laws,
    mechanical: GenericMechanicalProblem,
    /// Of contacts with friction: 2 or 3.
    dimension: usize,
    units: ProblemUnits,
    /// Bounds of the unknowns, in the unit that these are handed over in: faces of polyhedra, lower and upper ones of relays.
    faces: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    q: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
}

impl SetProblem {
    /// Empties the problem for a set of a class, to be solved by the solver at a place.
    pub(super) fn begin(&mut self, set: usize, class: ProblemClass, solver: usize) {
        (self.set, self.solver) = (set, solver);
        self.dimension = match class {
            ProblemClass::Contact { dimension } => dimension,
            _ => 3,
        };
        self.members.clear();
        self.rows.clear();
        self.pattern_valid = false;
        self.laws.invalidate();
    }

    /// Adds a unitary relation whose rows begin at `first` among those of all problems; says where it lies here.
    pub(super) fn push(&mut self, unitary: usize, first: usize, rows: usize) -> Place {
        let place = Place { block: self.members.len(), first_row: self.rows.len() };
        self.members.push(unitary);
        self.rows.extend(first..first + rows);
        place
    }

    /// Chooses storage and units, after all members are there.
    pub(super) fn lay_out(&mut self, tables: &Tables, solver: &Entry) {
        let n = self.rows.len();
        let blocks = solver.takes_blocks && (n > SMALL || !solver.takes_dense);
        self.storage = if blocks { Storage::Blocks } else { Storage::Dense };
        if let Some(sharing) = scaling(&solver.chosen) {
            self.units.lay_out(sharing, self.members.iter().map(|&place| tables.unitary[place].rows.len()));
        }
    }

    /// Takes a linear complementarity problem that is not one of interactions.
    pub(super) fn pose(&mut self, m: &Array2<f64>, solver: &Entry) {
        let n = m.nrows();
        self.begin(0, ProblemClass::Complementarity, self.solver);
        self.rows.extend(0..n);
        self.storage = Storage::Dense;
        self.laws.describe_complementarity(n);
        self.dense.clear();
        self.dense.extend(m);
        if let Some(sharing) = scaling(&solver.chosen) {
            self.units.lay_out(sharing, std::iter::once(n));
            self.scale();
        }
    }

    /// Writes down the laws of the members in the words of the solver, for a step of length `h`; does
    /// nothing where that is known already.
    #[inline]
    pub(super) fn describe_laws(
        &mut self,
        tables: &Tables,
        solver: &Entry,
        (begin, end, h): (At<'_>, At<'_>, f64),
    ) -> Result<(), (InteractionId, ModelError)> {
        if self.laws.are_valid_for(h) {
            return Ok(());
        }
        self.laws.describe(&solver.chosen, tables, &self.members, (begin, end, h))
    }

    /// Writes the matrix, in the units of the model, among those of the other problems.
    pub(super) fn add_matrix(&self, solver: &Entry, whole: &mut Array2<f64>) {
        let is_scaled = scaling(&solver.chosen).is_some();
        for ((i, j), &entry) in self.view().to_dense().indexed_iter() {
            let entry = if is_scaled { self.units.take_back_entry(i, j, entry) } else { entry };
            whole[[self.rows[i], self.rows[j]]] = entry;
        }
    }

    fn view(&self) -> MatrixRef<'_> {
        match self.storage {
            Storage::Dense => MatrixRef::Dense(square(&self.dense, self.rows.len())),
            Storage::Blocks => MatrixRef::BlockCsr(&self.blocks),
        }
    }

    /// Gathers the matrix, in the units in which the solver gets it.
    pub(super) fn assemble(&mut self, tables: &Tables, delassus: &Delassus, places: &Places, solver: &Entry) {
        self.gather(tables, delassus, places, solver);
        if scaling(&solver.chosen).is_some() {
            self.scale();
        }
    }

    fn gather(&mut self, tables: &Tables, delassus: &Delassus, places: &Places, solver: &Entry) {
        if self.storage == Storage::Blocks && self.pattern_valid {
            refill_blocks(delassus, &self.members, places, &mut self.blocks);
            return;
        }
        if self.storage == Storage::Blocks {
            lay_out_blocks(tables, delassus, &self.members, places, &mut self.blocks);
            self.pattern_valid = true;
            let n = self.rows.len() as f64;
            if !solver.takes_dense || self.blocks.values().len() as f64 <= WELL_FILLED * n * n {
                return;
            }
            self.storage = Storage::Dense;
        }
        fill_dense(tables, delassus, (&self.members, self.rows.len()), places, &mut self.dense);
    }

    fn scale(&mut self) {
        self.units.scale(match self.storage {
            Storage::Dense => Entries::Dense(&mut self.dense),
            Storage::Blocks => Entries::Blocks(&mut self.blocks),
        });
    }

    /// Solves with its part of q, from the guess in its part of z; writes its parts of z and w.
    pub(super) fn solve(
        &mut self,
        solver: &mut Entry,
        q: &[f64],
        (z, w): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, SolverError> {
        self.q.clear();
        self.q.extend(self.rows.iter().map(|&row| q[row]));
        self.z.clear();
        self.z.extend(self.rows.iter().map(|&row| z[row]));
        self.w.clear();
        self.w.resize(self.rows.len(), 0.0);
        let is_scaled = scaling(&solver.chosen).is_some();
        if is_scaled {
            self.put_into_units(&solver.chosen);
        }
        let info = self.solve_as_it_is(&mut solver.chosen);
        if is_scaled {
            self.units.take_back_unknowns(&mut self.z);
            self.units.take_back_rows(&mut self.w);
        }
        for ((&row, own_z), own_w) in self.rows.iter().zip(&self.z).zip(&self.w) {
            (z[row], w[row]) = (*own_z, *own_w);
        }
        info
    }

    fn put_into_units(&mut self, chosen: &Chosen) {
        for bounds in [&mut self.faces, &mut self.lower, &mut self.upper] {
            bounds.clear();
        }
        match chosen {
            Chosen::Avi(_) => self.faces.extend_from_slice(&self.laws.faces),
            Chosen::Relay(_) => {
                self.lower.extend_from_slice(&self.laws.lower);
                self.upper.extend_from_slice(&self.laws.upper);
            }
            _ => {}
        }
        self.units.measure(&self.q, [&self.lower, &self.upper], &self.faces);
        self.units.put_rows(&mut self.q);
        for unknowns in [&mut self.z, &mut self.lower, &mut self.upper] {
            self.units.put_unknowns(unknowns);
        }
        self.units.put_faces(&mut self.faces);
    }

    fn solve_as_it_is(&mut self, chosen: &mut Chosen) -> Result<SolveInfo, SolverError> {
        let m = match self.storage {
            Storage::Dense => MatrixRef::Dense(square(&self.dense, self.rows.len())),
            Storage::Blocks => MatrixRef::BlockCsr(&self.blocks),
        };
        let (q, z, w) = (&self.q, &mut self.z, &mut self.w);
        match chosen {
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

/// Which rows share a unit, where a problem is handed over in units of its own: the solver then sees the same problem
/// bit for bit whatever the units of the model, and no z (a charge of 1e-9 C, say) counts as zero beside w. The
/// measure of contacts with friction has no units by itself; behind an elimination a solver of the user stops at an error that it
/// measures in the units of the model.
fn scaling(chosen: &Chosen) -> Option<Sharing> {
    match chosen {
        Chosen::Lcp(_) | Chosen::Mlcp(_) | Chosen::Relay(_) => Some(Sharing::None),
        Chosen::Cones(_) => Some(Sharing::Blocks),
        Chosen::Avi(_) => Some(Sharing::All),
        Chosen::Contact(_) | Chosen::Gmp(_) | Chosen::Eliminated(_) => None,
    }
}
