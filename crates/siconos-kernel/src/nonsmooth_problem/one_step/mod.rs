//! One-step nonsmooth problem, which consists of one problem for each island.
//!
//! Sets of systems that are not connected by active contacts are solved separately. A body then does not
//! affect the forces of bodies that it does not touch, a set of relays and a set of contacts with friction
//! each get a solver of their class, and many small problems are cheaper than one large problem.

mod solve;

use std::sync::Arc;

use ndarray::Array2;
use siconos_linalg::add_scaled;
use siconos_numerics::{SolveInfo, SolverError};

pub(crate) use self::solve::{NOTHING_TO_SOLVE, Unsolved, together};
use super::class::{FrictionForm, ProblemClass};
use super::couplings::ByBlock;
use super::delassus::{Blocks, Coefficients, Delassus};
use super::island_problem::{IslandProblem, Posed};
use super::islands::{Island, Islands, LARGEST_KEPT};
use super::mixed_form::MixedForm;
use super::solver::OneStepSolver;
use super::solvers::Solvers;
use super::storage::Storage;
use super::table_changes::Moves;
use super::table_entries::{Block, BlockIndex, UnitaryIndex};
use super::tables::Tables;
use crate::index::{RowIndex, Table};
use crate::integrator::{FitError, Response};
use crate::model::{At, ModelError, NonSmoothLaw, RelationId};
use crate::threads::Threads;

/// Problem of an island.
#[derive(Debug, Default)]
struct Problem {
    /// Problem of a single complementarity row, which has an explicit solution. Used only if solvers are
    /// chosen automatically.
    row: Option<RowProblem>,
    /// Problem in the form with the motion as additional unknowns.
    mixed: Option<Box<MixedForm>>,
    /// Problem in all other cases. If the island has no members, only the workspace of the previous problem.
    coupled: Option<Box<IslandProblem>>,
    /// Error of the last solution.
    error: f64,
}

/// Complementarity problem $w = m z + q$ of one row, with the solution $z = \max(0, -q / m)$.
#[derive(Debug)]
struct RowProblem {
    row: RowIndex,
    m: f64,
    q: f64,
    /// Step length for which m is valid; 0 if it is valid for all step lengths.
    m_for: f64,
}

impl Problem {
    /// Changes the problem to the form that is solved by a solver, and returns this form.
    fn coupled(&mut self) -> &mut IslandProblem {
        (self.row, self.mixed) = (None, None);
        self.coupled.get_or_insert_default()
    }

    fn rows(&self) -> &[RowIndex] {
        match self {
            Self { row: Some(problem), .. } => std::slice::from_ref(&problem.row),
            Self { mixed: Some(problem), .. } => problem.rows(),
            Self { coupled: Some(problem), .. } => problem.rows(),
            Self { coupled: None, .. } => &[],
        }
    }

    fn has_matrix_for(&self, h: f64) -> bool {
        match self {
            Self { row: Some(problem), .. } => problem.m_for == h,
            Self { mixed: Some(problem), .. } => problem.has_matrix_for(h),
            Self { coupled, .. } => coupled.as_ref().is_none_or(|problem| problem.has_matrix_for(h)),
        }
    }
}

/// Problem of a step, with the data kept between steps.
#[derive(Debug)]
pub(crate) struct OneStepNonSmoothProblem {
    solvers: Solvers,
    /// `true` for a problem at position level, which consists of equalities and the normal components of
    /// contacts.
    is_of_positions: bool,
    /// Solvers of each thread, if there are several threads.
    of_threads: Vec<Solvers>,
    islands: Islands,
    /// Problem of each island, indexed by island.
    problems: Table<Block, Problem>,
    /// Islands whose problems have the motion as additional unknowns.
    mixed: Vec<BlockIndex>,
    /// Islands whose problems were reset since the matrices were computed and the laws written.
    posed: Vec<BlockIndex>,
    /// Islands whose matrices are to be computed.
    unassembled: Vec<BlockIndex>,
    /// Islands that need a solver.
    coupled: Vec<BlockIndex>,
    /// Islands for which the last solve did not succeed.
    unsolved: Vec<BlockIndex>,
    by_block: ByBlock,
    counts: Vec<usize>,
    /// Class of all interactions together, as if all were connected.
    class: Option<ProblemClass>,
    /// Members that were set with [`set_members`](Self::set_members).
    members: Vec<UnitaryIndex>,
    /// Step length for which all laws have been written; NaN if they have not, or if they depend on time.
    laws_for: f64,
    /// Solution of the last problem that was given as a matrix.
    pub(crate) z: Vec<f64>,
    pub(crate) w: Vec<f64>,
}

/// Data from which the matrices of problems are computed, for a step of length `h`.
pub(crate) struct Assembly<'a, R> {
    pub(crate) tables: &'a Tables,
    pub(crate) threads: &'a Threads,
    pub(crate) delassus: &'a mut Delassus,
    pub(crate) systems: &'a mut Table<Block, R>,
    pub(crate) coefficients: Coefficients<'a>,
    pub(crate) h: f64,
}

impl OneStepNonSmoothProblem {
    pub(crate) fn new(solver: OneStepSolver) -> Self {
        Self {
            solvers: solver.into(),
            is_of_positions: false,
            of_threads: Vec::new(),
            islands: Islands::default(),
            problems: Table::default(),
            mixed: Vec::new(),
            posed: Vec::new(),
            unassembled: Vec::new(),
            coupled: Vec::new(),
            unsolved: Vec::new(),
            by_block: ByBlock::default(),
            counts: Vec::new(),
            class: None,
            members: Vec::new(),
            laws_for: f64::NAN,
            z: Vec::new(),
            w: Vec::new(),
        }
    }

    /// Creates a problem of contacts without friction and of equalities, with automatic solvers.
    pub(crate) fn of_contacts() -> Result<Self, FitError> {
        let mut problem = Self::new(OneStepSolver::Automatic);
        problem.solvers.adapt([ProblemClass::Complementarity, ProblemClass::Mixed].into_iter())?;
        Ok(problem)
    }

    /// Creates a problem at position level, with automatic solvers.
    pub(crate) fn of_positions() -> Result<Self, FitError> {
        let mut problem = Self { is_of_positions: true, ..Self::new(OneStepSolver::Automatic) };
        problem.solvers.adapt(std::iter::once(ProblemClass::Mixed))?;
        Ok(problem)
    }

    /// Sets the tolerance of automatic solvers, which must be valid. Must be called before the solvers are
    /// fitted to a model.
    pub(crate) fn set_tolerance(&mut self, tolerance: f64) {
        self.solvers.set_tolerance(tolerance);
    }

    /// Returns the name of the chosen solver.
    pub(crate) fn solver(&self) -> &'static str {
        self.solvers.name()
    }

    /// Returns `true` if solvers are chosen automatically.
    pub(crate) fn is_automatic(&self) -> bool {
        self.solvers.is_automatic()
    }

    /// Returns the tolerance of automatic solvers, if one was set.
    pub(crate) fn tolerance(&self) -> Option<f64> {
        self.solvers.tolerance()
    }

    /// Returns the islands for which the last solve did not succeed.
    pub(crate) fn unsolved(&self) -> &[BlockIndex] {
        &self.unsolved
    }

    /// Returns the error of the last solution of an island.
    pub(crate) fn error_of(&self, island: BlockIndex) -> f64 {
        self.problems[island].error
    }

    /// Returns the largest tolerance of the solvers.
    pub(crate) fn loosest_tolerance(&self) -> f64 {
        self.solvers.loosest_tolerance()
    }

    /// Replaces the solver; the tolerance of automatic solvers is kept. Must be called before the solver is
    /// fitted to a model.
    pub(crate) fn set_solver(&mut self, solver: OneStepSolver) {
        let tolerance = self.tolerance();
        self.solvers = solver.into();
        if let Some(tolerance) = tolerance {
            self.solvers.set_tolerance(tolerance);
        }
    }

    /// Fits the solvers to the laws of a model and the laws of contacts that can be detected, and removes all
    /// members from the problem.
    pub(crate) fn adapt(&mut self, tables: &Tables, detected: &[Arc<NonSmoothLaw>]) -> Result<(), FitError> {
        let entries = tables.interactions.iter().filter(|entry| !entry.is_gone());
        let laws = entries.map(|entry| &entry.law).chain(detected);
        self.class = laws.map(|law| ProblemClass::of(law, FrictionForm::Cones)).reduce(ProblemClass::join);
        // If all laws have a common class, so does every island, and automatic solvers are created on demand.
        let is_simple = self.class.is_none_or(|class| class != ProblemClass::None);
        if !(is_simple && self.solvers.is_automatic()) {
            let mut classes = tables.classes(self.solvers.takes_cones());
            // Detected contacts can connect any bodies.
            classes.extend(self.class.filter(|_| !detected.is_empty()));
            if classes.contains(&ProblemClass::None) {
                return Err(FitError::NoCommonClass);
            }
            self.solvers.adapt(classes.into_iter())?;
        }
        self.begin(tables);
        Ok(())
    }

    /// Returns `true` if an interaction with this law can be added without refitting the solvers.
    pub(crate) fn admits(&self, law: &NonSmoothLaw) -> bool {
        let own = ProblemClass::of(law, FrictionForm::Cones);
        self.class.is_some_and(|class| class != ProblemClass::None && class.join(own) == class)
    }

    /// Extends the problem to new systems and new unitary relations. The new relations are not in the index
    /// set.
    pub(crate) fn extend(&mut self, tables: &Tables) {
        self.islands.extend(tables);
    }

    /// Resets the problems of unitary relations whose laws have changed. Relations that are not in the index
    /// set are ignored. Clears the list `unitary`.
    pub(crate) fn renew_members(&mut self, tables: &Tables, unitary: &mut Vec<UnitaryIndex>) {
        unitary.retain(|&member| self.islands.has_member(member));
        unitary.sort_unstable();
        unitary.dedup();
        self.change_members(tables, unitary, unitary);
        unitary.clear();
    }

    /// Removes all members from the problem.
    pub(crate) fn begin(&mut self, tables: &Tables) {
        self.islands.begin(tables);
        [&mut self.mixed, &mut self.posed].into_iter().for_each(Vec::clear);
        self.members.clear();
    }

    /// Swaps the solvers with another problem, which must be fitted to the laws of the same model.
    pub(crate) fn exchange_solvers(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.solvers, &mut other.solvers);
    }

    /// Fits the solver to linear complementarity problems that are [given as matrices](Self::solve_posed).
    pub(crate) fn adapt_to_matrices(&mut self) -> Result<(), FitError> {
        Ok(self.solvers.adapt(std::iter::once(ProblemClass::Complementarity))?)
    }

    /// Solves a linear complementarity problem that is given as a matrix and a vector, with the initial guess
    /// zero. The solution is in `z` and `w`.
    pub(crate) fn solve_posed(&mut self, m: &Array2<f64>, q: &[f64]) -> Result<SolveInfo, SolverError> {
        let solver = self.solvers.place(ProblemClass::Complementarity);
        if self.problems.is_empty() {
            self.problems.push(Problem::default());
        }
        let problem = self.problems[BlockIndex::new(0)].coupled();
        problem.solver = solver;
        problem.pose(m, self.solvers.at(solver));
        for unknowns in [&mut self.z, &mut self.w] {
            unknowns.clear();
            unknowns.resize(q.len(), 0.0);
        }
        problem.gather(|row, z| (q[row.index()], z), &self.z);
        problem.solve(self.solvers.at_mut(solver));
        problem.take_solution((&mut self.z, &mut self.w))
    }

    /// Replaces the members; `members` must be in increasing order.
    pub(crate) fn set_members(&mut self, tables: &Tables, members: &[UnitaryIndex]) {
        if self.members == members {
            return;
        }
        let mut before = std::mem::take(&mut self.members);
        self.change_members(tables, &before, members);
        before.clear();
        before.extend_from_slice(members);
        self.members = before;
    }

    /// Returns the members that were [set](Self::set_members).
    pub(crate) fn members(&self) -> &[UnitaryIndex] {
        &self.members
    }

    /// Applies a change of the index set; both lists are in increasing order.
    #[inline(never)]
    pub(crate) fn change_members(
        &mut self,
        tables: &Tables,
        removed: &[UnitaryIndex],
        added: &[UnitaryIndex],
    ) {
        let Self { islands, problems, .. } = self;
        islands.update(tables, removed, added);
        let count = problems.len().max(tables.blocks.len());
        problems.resize_with(count, Problem::default);
        for &place in islands.touched() {
            let problem = &mut problems[place];
            problem.mixed = None;
            if islands.at(place).blocks.is_empty() && problem.rows().len() > LARGEST_KEPT {
                *problem = Problem::default();
            }
        }
        self.mixed.retain(|&place| problems[place].mixed.is_some());
        // After a failed step, the list may contain islands that no longer have members.
        self.posed.retain(|&place| !islands.at(place).members.is_empty());
        for k in 0..self.islands.changed().len() {
            self.pose(tables, self.islands.changed()[k]);
        }
    }

    /// Resets the problem of an island.
    fn pose(&mut self, tables: &Tables, place: BlockIndex) {
        let Self { solvers, islands, problems, mixed, by_block, counts, posed, .. } = self;
        if problems[place].mixed.take().is_some() {
            mixed.retain(|&other| other != place);
        }
        let members = &islands.at(place).members[..];
        // A contact solver that the user has chosen gets all components of each contact, even without
        // friction.
        let (posing, class) = match self.is_of_positions {
            true => (FrictionForm::NormalRows, Some(ProblemClass::Mixed)),
            false => tables.posing_and_class(members, solvers.takes_cones()),
        };
        let Some(class) = class else { return };
        posed.push(place);
        if let (&[member], ProblemClass::Complementarity, true) = (members, class, solvers.is_automatic())
            && let unknowns = tables.unknowns(member, posing)
            && unknowns.rows.len() == 1
        {
            let row = unknowns.first_row();
            problems[place].row = Some(RowProblem { row, m: f64::NAN, q: f64::NAN, m_for: f64::NAN });
            return;
        }
        let island = islands.at(place);
        if class == ProblemClass::Complementarity
            && solvers.is_automatic()
            && MixedForm::suits(tables, island, counts)
        {
            let form = MixedForm::new(tables, island, posing, solvers.place(ProblemClass::Mixed));
            (problems[place].row, problems[place].mixed) = (None, Some(Box::new(form)));
            mixed.push(place);
            return;
        }
        let at = solvers.place(class);
        let posed = Posed { members, posing, class, place: at, solver: solvers.at(at) };
        let problem = problems[place].coupled();
        if solvers.is_automatic() && Storage::suits_bodies(tables, island, class, counts) {
            problem.begin_with_bodies(tables, posed);
        } else {
            problem.begin(tables, posed, by_block);
        }
    }

    /// Updates the indices after the tables were compacted. No member of the index set may have been removed.
    pub(crate) fn close_gaps(&mut self, tables: &Tables, moves: &Moves) {
        self.islands.close_gaps(moves);
        for k in 0..self.islands.active().len() {
            let place = self.islands.active()[k];
            match &mut self.problems[place].row {
                Some(RowProblem { row, .. }) => *row = moves.rows.before(*row),
                None => self.pose(tables, place),
            }
        }
    }

    pub(crate) fn islands(&self) -> &Islands {
        &self.islands
    }

    /// Iterates over the islands with members and their indices, ordered by their first members.
    fn active(&self) -> impl Iterator<Item = (BlockIndex, &Island)> {
        self.islands.active().iter().map(|&place| (place, self.islands.at(place)))
    }

    /// Returns the rows of the problem of an island.
    pub(crate) fn rows_of(&self, place: BlockIndex) -> &[RowIndex] {
        self.problems[place].rows()
    }

    /// Writes the laws of the members in the form that the solvers require, for a step of length `h`, unless
    /// they are already valid.
    pub(crate) fn describe_laws(
        &mut self,
        tables: &Tables,
        begin: At<'_>,
        end: At<'_>,
        h: f64,
    ) -> Result<(), (RelationId, ModelError)> {
        let is_for_h = std::mem::replace(&mut self.laws_for, f64::NAN) == h;
        let mut depends_on_time = false;
        // After an error, `laws_for` is NaN, so that all laws are written again.
        for &place in if is_for_h { &self.posed } else { self.islands.active() } {
            if let Problem { row: None, mixed: None, coupled: Some(problem), .. } = &mut self.problems[place]
            {
                depends_on_time |=
                    problem.describe_laws(tables, self.solvers.at(problem.solver), begin, end, h)?;
            }
        }
        self.laws_for = if depends_on_time { f64::NAN } else { h };
        self.posed.clear();
        Ok(())
    }

    /// Writes the laws of a problem at position level. `is_equality` returns `true` for members that are
    /// equalities.
    pub(crate) fn describe_positions(&mut self, is_equality: impl Fn(UnitaryIndex) -> bool) {
        for &place in self.islands.active() {
            if let Some(problem) = &mut self.problems[place].coupled {
                problem.describe_mixed(&is_equality);
            }
        }
        self.posed.clear();
    }

    /// Returns `true` if there are islands whose problems have the motion as additional unknowns.
    pub(crate) fn has_mixed(&self) -> bool {
        !self.mixed.is_empty()
    }

    /// Returns `true` if a member belongs to an island whose problem has the motion as additional unknowns.
    pub(crate) fn is_mixed(&self, member: UnitaryIndex) -> bool {
        self.problems[self.islands.of_member(member)].mixed.is_some()
    }

    /// Adds to `v` the changes of the velocities (or states) due to the reactions in a step. Only islands
    /// that have the motion as additional unknowns are considered, except frozen islands, for which `is_held`
    /// returns `true`. `scratch` is a workspace over the degrees of freedom.
    #[inline(never)]
    pub(crate) fn add_motion(
        &self,
        from: Assembly<'_, impl Response>,
        lambda: &[f64],
        (scratch, v): (&mut [f64], &mut [f64]),
        is_held: impl Fn(BlockIndex) -> bool,
    ) {
        let Assembly { tables, systems, coefficients, h, .. } = from;
        for &place in self.mixed.iter().filter(|&&place| !is_held(place)) {
            let blocks = &self.islands.at(place).blocks;
            blocks.iter().for_each(|&block| scratch[tables.blocks[block].dofs.range()].fill(0.0));
            for &at in self.rows_of(place) {
                let (acting, divisor, _) = coefficients.of(tables.kind(tables.rows[at].kind), h);
                tables.row(acting, at).add_to(lambda[at.index()] / divisor, scratch);
            }
            for &block in blocks {
                let dofs = tables.blocks[block].dofs;
                systems[block].respond(&mut scratch[dofs.range()]);
                add_scaled(1.0, &scratch[dofs.range()], &mut v[dofs.range()]);
            }
        }
    }

    /// Returns the matrix of the last problems. It has one row for each row of the members, in the order of
    /// the model.
    pub(crate) fn matrix(&self) -> Array2<f64> {
        let rows = self.rows();
        // Every row of a problem is in `rows`.
        let place = |row: RowIndex| rows.partition_point(|&before| before < row);
        let mut whole = Array2::zeros((rows.len(), rows.len()));
        for (island, _) in self.active() {
            match &self.problems[island] {
                Problem { row: Some(RowProblem { row, m, .. }), .. } => {
                    whole[[place(*row); 2]] = *m;
                }
                Problem { mixed: Some(problem), .. } => {
                    let own_rows = problem.rows();
                    let Ok(own) = problem.condensed() else { continue };
                    for ((i, j), &entry) in own.indexed_iter() {
                        whole[[own_rows[i], own_rows[j]].map(place)] = entry;
                    }
                }
                Problem { coupled: Some(problem), .. } => problem.add_matrix(&mut whole, place),
                Problem { .. } => {}
            }
        }
        whole
    }

    /// Returns the constant term of the last problems, for the rows of [`matrix`](Self::matrix).
    pub(crate) fn vector(&self) -> Vec<f64> {
        let mut parts: Vec<(RowIndex, f64)> = Vec::new();
        for (place, _) in self.active() {
            match &self.problems[place] {
                Problem { row: Some(problem), .. } => parts.push((problem.row, problem.q)),
                Problem { mixed: Some(problem), .. } => parts.extend(problem.constant_parts()),
                Problem { coupled: Some(problem), .. } => parts.extend(problem.constant_parts()),
                Problem { .. } => {}
            }
        }
        parts.sort_unstable_by_key(|(row, _)| *row);
        parts.into_iter().map(|(_, q)| q).collect()
    }

    /// Returns the first member, in the order of the islands, whose equations a solver has reported as
    /// inconsistent with other equations.
    pub(crate) fn contradicting(&self) -> Option<UnitaryIndex> {
        self.active().find_map(|(place, _)| match &self.problems[place] {
            Problem { row: None, mixed: None, coupled: Some(problem), .. } => problem.contradicting(),
            Problem { .. } => None,
        })
    }

    /// Returns the rows of all problems, in the order of the model.
    fn rows(&self) -> Vec<RowIndex> {
        let of_island = |(place, _)| self.rows_of(place).iter().copied();
        let mut rows: Vec<_> = self.active().flat_map(of_island).collect();
        rows.sort_unstable();
        rows
    }

    /// Returns `true` if problems were reset since the matrices were computed.
    pub(crate) fn has_posed(&self) -> bool {
        !self.posed.is_empty()
    }

    /// Computes the matrices of all islands, except frozen islands, for which `is_held` returns `true`, and
    /// islands whose stored matrices are valid for a step of length `h`. If `only_posed`, only problems that
    /// were reset since the last call are considered.
    pub(crate) fn assemble(
        &mut self,
        from: Assembly<'_, impl Response + Send>,
        only_posed: bool,
        is_held: impl Fn(BlockIndex) -> bool,
    ) {
        let Assembly { tables, threads, delassus, systems, coefficients, h } = from;
        let mut unassembled = std::mem::take(&mut self.unassembled);
        if only_posed {
            self.posed.sort_unstable();
            self.posed.dedup();
        }
        for &place in if only_posed { &self.posed } else { self.islands.active() } {
            let island = self.islands.at(place);
            let (key, problem) = (island.matrix_key(h), &mut self.problems[place]);
            if is_held(place) || problem.has_matrix_for(key) {
                continue;
            }
            if let Some(problem) = &mut problem.mixed {
                problem.assemble(tables, systems, coefficients, (h, key));
                continue;
            }
            delassus.want(tables, h, island.is_constant, problem.rows().iter().copied());
            unassembled.push(place);
        }
        delassus.solve_wanted(tables, threads, systems, coefficients, h);
        let blocks = Blocks { tables, delassus, coefficients, h };
        unassembled.retain(|&place| !self.assemble_row(blocks, place));
        unassembled.sort_unstable();
        let Self { problems, islands, solvers, by_block, .. } = self;
        for &place in &unassembled {
            if let Some(problem) = &mut problems[place].coupled {
                let solver = solvers.at(problem.solver);
                problem.assemble_motion(blocks, systems, solver, by_block);
            }
        }
        threads.each(
            problems,
            [],
            &unassembled,
            |_| Some([]),
            |place, problem, []| {
                if let Some(problem) = &mut problem.coupled {
                    problem.assemble(blocks, islands.at(place).matrix_key(h));
                }
            },
        );
        unassembled.clear();
        self.unassembled = unassembled;
    }

    /// Computes the matrix of an island with one row. Returns `false` if the island needs a solver, that is,
    /// if it has more rows or its matrix entry is not positive.
    fn assemble_row(&mut self, blocks: Blocks<'_>, place: BlockIndex) -> bool {
        let problem = &mut self.problems[place];
        let Some(RowProblem { row, m, m_for, .. }) = &mut problem.row else { return false };
        *m = blocks.entry(*row, *row);
        *m_for = self.islands.at(place).matrix_key(blocks.h);
        if *m > 0.0 && m.is_finite() {
            return true;
        }
        let solver = self.solvers.place(ProblemClass::Complementarity);
        let posed = Posed {
            members: &self.islands.at(place).members,
            posing: FrictionForm::NormalRows,
            class: ProblemClass::Complementarity,
            place: solver,
            solver: self.solvers.at(solver),
        };
        problem.coupled().begin(blocks.tables, posed, &mut self.by_block);
        self.posed.push(place);
        false
    }
}
