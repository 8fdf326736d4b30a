//! Problem of one island, with its storage, laws and solution.

use ndarray::Array2;
use siconos_linalg::{BlockCsr, MatrixRef};
use siconos_numerics::avi::AviProblem;
use siconos_numerics::contact::{ContactLaw, ContactProblem};
use siconos_numerics::gmp::GenericMechanicalProblem;
use siconos_numerics::lcp::LcpProblem;
use siconos_numerics::mlcp::MlcpProblem;
use siconos_numerics::relay::RelayProblem;
use siconos_numerics::{SolveInfo, Solver, SolverError};

use super::class::{FrictionForm, ProblemClass};
use super::couplings::{ByBlock, Couplings};
use super::delassus::Blocks;
use super::laws::Laws;
use super::motion::BodyMatrices;
use super::one_step::NOTHING_TO_SOLVE;
use super::problem_units::{Entries, ProblemUnits, Sharing, UnitBlock};
use super::solver::ClassSolver;
use super::solvers::SolverEntry;
use super::storage::{FEWEST_WITH_MOTION, Storage};
use super::table_entries::{Block, UnitaryIndex};
use super::tables::Tables;
use crate::index::{RowIndex, Table};
use crate::integrator::Response;
use crate::model::{At, ModelError, RelationId};

/// Problem of an island in a step, with the data kept between steps.
#[derive(Debug)]
pub(super) struct IslandProblem {
    /// Index of the solver of the problem in the list of solvers.
    pub(super) solver: usize,
    couplings: Couplings,
    storage: Storage,
    dense: Array2<f64>,
    blocks: BlockCsr,
    /// `true` if `blocks` has the sparsity pattern of the present members. Its values may be outdated.
    pattern_valid: bool,
    /// Step length for which the stored matrix is valid; 0 if it is valid for all step lengths, NaN if no
    /// matrix is stored.
    matrix_for: f64,
    motion: BodyMatrices,
    /// `true` if the solver should get the body matrices W and H instead of the Delassus matrix.
    is_for_bodies: bool,
    laws: Laws,
    mechanical: GenericMechanicalProblem,
    /// Number of components of each contact with friction.
    contact_size: usize,
    /// `true` if these contacts have rolling friction.
    rolls: bool,
    units: ProblemUnits,
    /// Vectors in the units of the scaled matrix.
    vectors: Vectors,
    /// Result of the last solve, until [`take_solution`](Self::take_solution) returns it.
    outcome: Result<SolveInfo, SolverError>,
    /// Row whose equation the solver has reported as inconsistent with other equations.
    contradicting: Option<usize>,
}

/// Vectors of a problem, and bounds of relays.
#[derive(Debug, Default)]
struct Vectors {
    q: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// Shift of the unknowns by cohesion.
    shift: Vec<f64>,
    /// Constant term of the shifted problem.
    shifted_q: Vec<f64>,
}

/// Members, class and solver of a problem.
#[derive(Clone, Copy)]
pub(super) struct Posed<'a> {
    pub(super) members: &'a [UnitaryIndex],
    pub(super) posing: FrictionForm,
    pub(super) class: ProblemClass,
    /// Index of the solver in the list of solvers.
    pub(super) place: usize,
    pub(super) solver: &'a SolverEntry,
}

impl Default for IslandProblem {
    fn default() -> Self {
        Self {
            solver: 0,
            couplings: Couplings::default(),
            storage: Storage::default(),
            dense: Array2::default((0, 0)),
            blocks: BlockCsr::default(),
            pattern_valid: false,
            matrix_for: f64::NAN,
            motion: BodyMatrices::default(),
            is_for_bodies: false,
            laws: Laws::default(),
            mechanical: GenericMechanicalProblem::default(),
            contact_size: 3,
            rolls: false,
            units: ProblemUnits::default(),
            vectors: Vectors::default(),
            outcome: Ok(NOTHING_TO_SOLVE),
            contradicting: None,
        }
    }
}

impl IslandProblem {
    /// Resets the problem to given members, class and solver.
    pub(super) fn begin(&mut self, tables: &Tables, posed: Posed<'_>, by_block: &mut ByBlock) {
        self.lay_out(tables, posed);
        self.form_delassus(tables, posed.solver, by_block);
    }

    /// Resets the problem as [`begin`](Self::begin) does, for a solver that gets the body matrices instead of
    /// the Delassus matrix if they can be computed.
    pub(super) fn begin_with_bodies(&mut self, tables: &Tables, posed: Posed<'_>) {
        self.lay_out(tables, posed);
        (self.storage, self.is_for_bodies) = (Storage::Bodies, true);
    }

    /// Prepares the assembly of the Delassus matrix.
    pub(super) fn form_delassus(&mut self, tables: &Tables, solver: &SolverEntry, by_block: &mut ByBlock) {
        if !self.couplings.are_known() {
            self.couplings.couple(tables, by_block);
        }
        self.storage = Storage::of_delassus(&self.couplings, solver);
    }

    fn lay_out(&mut self, tables: &Tables, posed: Posed<'_>) {
        let Posed { members, posing, class, place, solver } = posed;
        self.forget(class, place);
        self.couplings.lay_out_rows(tables, members, posing);
        let members = self.couplings.members().iter();
        let sharing = sharing(&solver.chosen);
        let blocks = self.couplings.sizes().zip(members).map(|(rows, &member)| {
            let unitary = &tables.unitary[member];
            let friction = tables.interactions[unitary.interaction].law.friction();
            let velocities = friction.map_or(rows, |law| law.dimension().min(rows));
            UnitBlock { rows, velocities, has_friction: friction.is_some() }
        });
        self.units.lay_out(sharing, blocks);
    }

    fn forget(&mut self, class: ProblemClass, solver: usize) {
        self.solver = solver;
        (self.contact_size, self.rolls) = match class {
            ProblemClass::Contact { size, rolling } => (size, rolling),
            _ => (3, false),
        };
        self.pattern_valid = false;
        self.matrix_for = f64::NAN;
        self.contradicting = None;
        self.is_for_bodies = false;
        self.motion.forget();
        self.laws.invalidate();
    }

    pub(super) fn rows(&self) -> &[RowIndex] {
        self.couplings.rows()
    }

    /// Returns `true` if the stored matrix is valid for a step length.
    pub(super) fn has_matrix_for(&self, h: f64) -> bool {
        self.matrix_for == h
    }

    /// Sets a linear complementarity problem that is given as a matrix.
    pub(super) fn pose(&mut self, m: &Array2<f64>, solver: &SolverEntry) {
        let n = m.nrows();
        self.forget(ProblemClass::Complementarity, self.solver);
        self.couplings.lay_out_matrix(n);
        self.storage = Storage::Dense;
        self.laws.describe_complementarity(n);
        if self.dense.dim() != (n, n) {
            self.dense = Array2::zeros((n, n));
        }
        self.dense.assign(m);
        let all = UnitBlock { rows: n, velocities: n, has_friction: false };
        self.units.lay_out(sharing(&solver.chosen), std::iter::once(all));
        self.scale();
    }

    /// Writes the laws of the members in the form that the solver requires, for a step of length `h`, unless
    /// they are already valid. Returns `true` if the laws depend on time.
    pub(super) fn describe_laws(
        &mut self,
        tables: &Tables,
        solver: &SolverEntry,
        begin: At<'_>,
        end: At<'_>,
        h: f64,
    ) -> Result<bool, (RelationId, ModelError)> {
        if !self.laws.are_valid_for(h) {
            self.laws.describe(&solver.chosen, tables, &self.couplings, begin, end, h)?;
        }
        Ok(self.laws.depends_on_time)
    }

    /// Writes the laws of a mixed problem. `is_equality` returns `true` for members that are equalities; all
    /// other members are complementarity conditions.
    pub(super) fn describe_mixed(&mut self, is_equality: impl Fn(UnitaryIndex) -> bool) {
        let members = self.couplings.members().iter().zip(self.couplings.sizes());
        self.laws.describe_mixed(
            members.flat_map(|(&member, size)| std::iter::repeat_n(is_equality(member), size)),
        );
    }

    /// Writes the matrix, in the units of the model, into the matrix `whole` of all problems. `place` returns
    /// the row of `whole` that belongs to a row of the model.
    pub(super) fn add_matrix(&self, whole: &mut Array2<f64>, place: impl Fn(RowIndex) -> usize) {
        let matrix = match self.storage {
            Storage::Dense => self.dense.clone(),
            Storage::Blocks => MatrixRef::BlockCsr(&self.blocks).to_dense(),
            Storage::Bodies => self.motion.delassus(),
        };
        for ((i, j), &entry) in matrix.indexed_iter() {
            whole[[place(self.rows()[i]), place(self.rows()[j])]] = self.units.take_back_entry(i, j, entry);
        }
    }

    /// Computes the scaled matrix for the solver. `known_for` is the step length for which the matrix is then
    /// valid; 0 if it is valid for all step lengths, NaN if it must always be recomputed.
    pub(super) fn assemble(&mut self, blocks: Blocks<'_>, known_for: f64) {
        self.matrix_for = known_for;
        match self.storage {
            Storage::Dense => self.couplings.write_dense(blocks, &mut self.dense),
            Storage::Blocks => {
                self.couplings.write_blocks(blocks, &mut self.blocks, self.pattern_valid);
                self.pattern_valid = true;
            }
            Storage::Bodies => return,
        }
        self.scale();
    }

    /// Computes the body matrices if the solver can use them. If the solver should get them instead of the
    /// Delassus matrix but they cannot be computed, the Delassus matrix is formed.
    pub(super) fn assemble_motion(
        &mut self,
        blocks: Blocks<'_>,
        systems: &Table<Block, impl Response>,
        solver: &SolverEntry,
        by_block: &mut ByBlock,
    ) {
        let is_wanted = self.is_for_bodies
            || (matches!(solver.chosen, ClassSolver::Contact(_)) && self.rows().len() >= FEWEST_WITH_MOTION);
        if !is_wanted {
            return self.motion.forget();
        }
        let is_known = self.motion.assemble(blocks, systems, self.couplings.rows());
        if self.is_for_bodies {
            match is_known {
                true => self.storage = Storage::Bodies,
                false => self.form_delassus(blocks.tables, solver, by_block),
            }
        }
    }

    fn scale(&mut self) {
        self.units.scale(&mut match self.storage {
            Storage::Dense => Entries::Dense(self.dense.as_slice_mut().expect("row by row")),
            Storage::Blocks => Entries::Blocks(&mut self.blocks),
            Storage::Bodies => return,
        });
    }

    /// Reads the constant terms and the initial guess. For each row, `vectors` receives the row and its
    /// current entry of `z`, and returns the constant term and the initial guess of the row.
    pub(super) fn gather(&mut self, vectors: impl Fn(RowIndex, f64) -> (f64, f64), z: &[f64]) {
        let Vectors { q: own_q, z: own_z, .. } = &mut self.vectors;
        let rows = self.couplings.rows();
        own_q.resize(rows.len(), 0.0);
        own_z.resize(rows.len(), 0.0);
        self.units.gather(0, rows, vectors, z, (own_q, own_z));
    }

    /// Solves the gathered problem. [`take_solution`](Self::take_solution) returns the solution.
    pub(super) fn solve(&mut self, solver: &mut SolverEntry) {
        let mut own = std::mem::take(&mut self.vectors);
        own.w.resize(own.q.len(), 0.0);
        if let ClassSolver::Relay(_) = &solver.chosen {
            for (own, bounds) in [(&mut own.lower, &self.laws.lower), (&mut own.upper, &self.laws.upper)] {
                own.clear();
                own.extend(bounds.iter().zip(self.units.columns()).map(|(bound, unit)| bound / unit));
            }
        }
        self.outcome = if self.laws.shift.is_empty() {
            self.solve_vectors(solver, &mut own)
        } else {
            self.solve_shifted(solver, &mut own)
        };
        let named = match &solver.chosen {
            ClassSolver::Gmp(solver) => solver.contradiction(),
            ClassSolver::Mlcp(solver) => solver.contradiction(),
            _ => None,
        };
        self.contradicting = named.map(|named| named.row);
        self.vectors = own;
    }

    /// Writes the last solution to the rows of the problem in `z` and `w`, and returns the result of the
    /// solver.
    pub(super) fn take_solution(
        &mut self,
        (z, w): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, SolverError> {
        let info = std::mem::replace(&mut self.outcome, Ok(NOTHING_TO_SOLVE))?;
        self.units.scatter(0, self.rows(), (&self.vectors.z, &self.vectors.w), (z, w));
        Ok(info)
    }

    /// Returns the member whose equations the solver has reported as inconsistent with other equations.
    pub(super) fn contradicting(&self) -> Option<UnitaryIndex> {
        self.couplings.member_of(self.contradicting?)
    }

    /// Returns the last gathered constant terms, each with its row.
    pub(super) fn constant_parts(&self) -> impl Iterator<Item = (RowIndex, f64)> {
        self.units.constant_parts(0, self.rows(), &self.vectors.q)
    }

    /// Solves the shifted problem $w = M (z + s) + (q - M s)$ for z + s, which is in the cones of the laws.
    /// The shift s follows from the cohesion.
    fn solve_shifted(
        &mut self,
        solver: &mut SolverEntry,
        own: &mut Vectors,
    ) -> Result<SolveInfo, SolverError> {
        own.shift.clear();
        own.shift.extend(self.laws.shift.iter().zip(self.units.columns()).map(|(s, unit)| s / unit));
        own.shifted_q.clone_from(&own.q);
        let m = matrix(self.storage, &self.dense, &self.blocks);
        let m = m.expect("cohesive contacts are posed with their Delassus matrix");
        m.add_product(-1.0, &own.shift, &mut own.shifted_q);
        own.z.iter_mut().zip(&own.shift).for_each(|(z, s)| *z += s);
        std::mem::swap(&mut own.q, &mut own.shifted_q);
        let solved = self.solve_vectors(solver, own);
        std::mem::swap(&mut own.q, &mut own.shifted_q);
        own.z.iter_mut().zip(&own.shift).for_each(|(z, s)| *z -= s);
        solved
    }

    fn solve_vectors(
        &mut self,
        solver: &mut SolverEntry,
        Vectors { q, z, w, lower, upper, .. }: &mut Vectors,
    ) -> Result<SolveInfo, SolverError> {
        let Some(m) = matrix(self.storage, &self.dense, &self.blocks) else {
            let (Some((masses, h)), ClassSolver::Contact(solver)) =
                (self.motion.matrices(), &mut solver.chosen)
            else {
                unreachable!("contacts alone are posed with their bodies")
            };
            let law = self.laws.of_contacts(self.contact_size, self.rolls);
            return solver.solve(&ContactProblem::of_bodies(masses, h, q, law)?, z, w);
        };
        match &mut solver.chosen {
            ClassSolver::Lcp(solver) => solver.solve(&LcpProblem::new(m, q)?, z, w),
            ClassSolver::Mlcp(solver) => solver.solve(&MlcpProblem::new(m, q, &self.laws.rows)?, z, w),
            ClassSolver::Eliminated(solver) => solver.solve(&MlcpProblem::new(m, q, &self.laws.rows)?, z, w),
            ClassSolver::Relay(solver) => solver.solve(&RelayProblem::new(m, q, lower, upper)?, z, w),
            ClassSolver::Avi(solver) => {
                let problem = AviProblem::new(m, q, self.laws.polyhedron.view(), &self.laws.faces)?;
                let info = solver.solve(&problem, z, &mut self.laws.multipliers)?;
                w.copy_from_slice(q);
                m.add_product(1.0, z, w);
                Ok(info)
            }
            ClassSolver::Cones(solver) => {
                let law = ContactLaw::SecondOrder { starts: &self.laws.starts, tau: &self.laws.slopes };
                solver.solve(&ContactProblem::new(m, q, law)?, z, w)
            }
            ClassSolver::Contact(solver) => {
                let problem =
                    ContactProblem::new(m, q, self.laws.of_contacts(self.contact_size, self.rolls))?;
                match self.motion.symmetric() {
                    Some((masses, h)) => solver.solve(&problem.with_bodies(masses, h)?, z, w),
                    None => solver.solve(&problem, z, w),
                }
            }
            ClassSolver::Gmp(solver) => {
                self.mechanical.assign(m, q, self.laws.blocks_in(self.units.columns()))?;
                solver.solve(&self.mechanical, z, w)
            }
        }
    }
}

/// Returns the Delassus matrix, or `None` if it is not formed.
fn matrix<'a>(storage: Storage, dense: &'a Array2<f64>, blocks: &'a BlockCsr) -> Option<MatrixRef<'a>> {
    match storage {
        Storage::Dense => Some(MatrixRef::Dense(dense.view())),
        Storage::Blocks => Some(MatrixRef::BlockCsr(blocks)),
        Storage::Bodies => None,
    }
}

/// Returns the sets of rows that get a common unit when a problem is scaled. A problem is scaled if the units
/// of its rows differ. Rows are then compared correctly, and the solver gets the same problem for all units
/// of the model, except for one factor of the whole matrix and one factor of the whole vector. These two
/// factors do not affect the solver.
///
/// The unknowns of a polyhedron have one unit, because one law couples all of them. The error of contacts
/// with friction depends on the units of single rows, so all contacts have one common unit, even in a problem
/// with joints, whose rows can be angular velocities. If equalities are eliminated before the solver of the
/// user is called, all rows have one unit, because this solver stops at an error in the units of the model.
fn sharing(chosen: &ClassSolver) -> Sharing {
    match chosen {
        ClassSolver::Lcp(_) | ClassSolver::Mlcp(_) | ClassSolver::Relay(_) => Sharing::None,
        ClassSolver::Cones(_) => Sharing::Blocks,
        ClassSolver::Gmp(_) => Sharing::Contacts,
        ClassSolver::Avi(_) | ClassSolver::Contact(_) | ClassSolver::Eliminated(_) => Sharing::All,
    }
}
