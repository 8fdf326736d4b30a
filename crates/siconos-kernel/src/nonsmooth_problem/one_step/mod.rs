//! The one-step nonsmooth problem: one problem for each island.
//!
//! What no active contact connects is solved apart: no body changes the forces of another that it does not
//! touch, a set of relays beside one of contacts with friction gets the solver of its class, and many small
//! problems are cheaper than one large one.

mod solve;

use ndarray::Array2;
use siconos_linalg::add_scaled;
use siconos_numerics::{SolveInfo, SolverError};

pub(crate) use self::solve::{NOTHING_TO_SOLVE, Unsolved, together};
use super::class::{FrictionPosing, ProblemClass};
use super::couplings::ByBlock;
use super::delassus::{Blocks, Coefficients, Delassus};
use super::island_problem::{IslandProblem, Posed};
use super::islands::{Island, Islands, LARGEST_KEPT};
use super::mixed_form::MixedForm;
use super::solver::OneStepSolver;
use super::solvers::Solvers;
use super::storage::Storage;
use super::table_changes::Moves;
use super::table_entries::{Block, BlockPlace, InteractionEntry, UnitaryPlace};
use super::tables::Tables;
use crate::index::{RowPlace, Table};
use crate::integrator::{FitError, Response};
use crate::model::{At, InteractionId, ModelError};
use crate::threads::Threads;

/// The problem of an island.
#[derive(Debug, Default)]
struct Problem {
    /// What it is where it has one complementarity row, for which the automatic choice needs no solver.
    row: Option<RowProblem>,
    /// What it is with the motion among its unknowns.
    mixed: Option<Box<MixedForm>>,
    /// What it is otherwise; without members, the memory of the last one.
    coupled: Option<Box<IslandProblem>>,
    /// Error of the last solution.
    error: f64,
}

/// $w = m z + q$, whose solution is $z = \max(0, -q / m)$.
#[derive(Debug)]
struct RowProblem {
    row: RowPlace,
    m: f64,
    q: f64,
    /// The step length for which m is known, 0 for all.
    m_for: f64,
}

impl Problem {
    /// Makes it one that a solver solves.
    fn coupled(&mut self) -> &mut IslandProblem {
        (self.row, self.mixed) = (None, None);
        self.coupled.get_or_insert_default()
    }

    fn rows(&self) -> &[RowPlace] {
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

/// The problem of a step with everything that lives from step to step.
#[derive(Debug)]
pub(crate) struct OneStepNonSmoothProblem {
    solvers: Solvers,
    /// Whether it is one of positions: of the normals of contacts and of equalities alone.
    is_of_positions: bool,
    /// The solvers of threads.
    of_threads: Vec<Solvers>,
    islands: Islands,
    /// By place of an island.
    problems: Table<Block, Problem>,
    /// The places of those whose motion is among their unknowns.
    mixed: Vec<BlockPlace>,
    /// Those that have been posed since the matrices were computed last and the laws written down.
    posed: Vec<BlockPlace>,
    /// Those whose matrices are to be computed, and those that a solver has to solve.
    unassembled: Vec<BlockPlace>,
    coupled: Vec<BlockPlace>,
    /// Those that the last solve left without a solution.
    unsolved: Vec<BlockPlace>,
    by_block: ByBlock,
    counts: Vec<usize>,
    /// The class of all interactions together, as if they were all connected.
    class: Option<ProblemClass>,
    /// Where they are set as a whole.
    members: Vec<UnitaryPlace>,
    /// The step length for which the laws of all have been written down; NaN where they have not, or depend
    /// on time.
    laws_for: f64,
    /// Of the last problem that was posed as a matrix.
    pub(crate) z: Vec<f64>,
    pub(crate) w: Vec<f64>,
}

/// Sources of the matrices of problems, for a step of length `h`.
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

    /// A problem of contacts without friction and of equalities, with automatic solvers.
    pub(crate) fn of_contacts() -> Result<Self, FitError> {
        let mut problem = Self::new(OneStepSolver::Automatic);
        problem.solvers.adapt([ProblemClass::Complementarity, ProblemClass::Mixed].into_iter())?;
        Ok(problem)
    }

    /// A problem of positions, with automatic solvers.
    pub(crate) fn of_positions() -> Result<Self, FitError> {
        let mut problem = Self { is_of_positions: true, ..Self::new(OneStepSolver::Automatic) };
        problem.solvers.adapt(std::iter::once(ProblemClass::Mixed))?;
        Ok(problem)
    }

    /// Sets the tolerance of automatic solvers, which has been checked; before they are fitted to a model.
    pub(crate) fn set_tolerance(&mut self, tolerance: f64) {
        self.solvers.set_tolerance(tolerance);
    }

    /// The name of the solver that was chosen.
    pub(crate) fn solver(&self) -> &'static str {
        self.solvers.name()
    }

    /// Whether the user has chosen no solver.
    pub(crate) fn is_automatic(&self) -> bool {
        self.solvers.is_automatic()
    }

    /// The tolerance of automatic solvers, where one was given.
    pub(crate) fn tolerance(&self) -> Option<f64> {
        self.solvers.tolerance()
    }

    /// The islands whose problems the last solve left without a solution.
    pub(crate) fn unsolved(&self) -> &[BlockPlace] {
        &self.unsolved
    }

    /// Error of the last solution of an island.
    pub(crate) fn error_of(&self, island: BlockPlace) -> f64 {
        self.problems[island].error
    }

    /// The loosest tolerance of the solvers.
    pub(crate) fn loosest_tolerance(&self) -> f64 {
        self.solvers.loosest_tolerance()
    }

    /// Takes another solver; before it is fitted to a model. The tolerance of automatic ones stays.
    pub(crate) fn set_solver(&mut self, solver: OneStepSolver) {
        let tolerance = self.tolerance();
        self.solvers = solver.into();
        if let Some(tolerance) = tolerance {
            self.solvers.set_tolerance(tolerance);
        }
    }

    /// Fits solvers to the laws of a model, and begins without contacts.
    pub(crate) fn adapt(&mut self, tables: &Tables) -> Result<(), FitError> {
        let entries = tables.interactions.iter().filter(|entry| !entry.is_gone());
        self.class = entries
            .map(|entry| ProblemClass::of(&entry.law, FrictionPosing::Cones))
            .reduce(ProblemClass::join);
        // Where all laws have a class in common, parts of the model have as well, and automatic solvers are
        // made where one is asked for.
        let is_simple = self.class.is_none_or(|class| class != ProblemClass::None);
        if !(is_simple && self.solvers.is_automatic()) {
            let classes = tables.classes(self.solvers.takes_cones());
            if classes.contains(&ProblemClass::None) {
                return Err(FitError::NoCommonClass);
            }
            self.solvers.adapt(classes.into_iter())?;
        }
        self.begin(tables);
        Ok(())
    }

    /// Whether an interaction may join a model that the solvers are fitted to, as far as can be said without
    /// a look at the others.
    pub(crate) fn admits(&self, entry: &InteractionEntry) -> bool {
        let own = ProblemClass::of(&entry.law, FrictionPosing::Cones);
        self.class.is_some_and(|class| class != ProblemClass::None && class.join(own) == class)
    }

    /// Takes in systems and unitary relations that are new, which are in no index set.
    pub(crate) fn extend(&mut self, tables: &Tables) {
        self.islands.extend(tables);
    }

    /// Poses the problems of unitary relations anew, whose law has changed, where these are in the index set;
    /// empties the list.
    pub(crate) fn renew_members(&mut self, tables: &Tables, unitary: &mut Vec<UnitaryPlace>) {
        unitary.retain(|&member| self.islands.has_member(member));
        unitary.sort_unstable();
        unitary.dedup();
        self.change_members(tables, unitary, unitary);
        unitary.clear();
    }

    /// Begins without contacts.
    pub(crate) fn begin(&mut self, tables: &Tables) {
        self.islands.begin(tables);
        [&mut self.mixed, &mut self.posed].into_iter().for_each(Vec::clear);
        self.members.clear();
    }

    /// Exchanges the solvers with those of another problem, which are fitted to the laws of the same model.
    pub(crate) fn exchange_solvers(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.solvers, &mut other.solvers);
    }

    /// Fits the solver to linear complementarity problems that are [posed](Self::solve_posed) as matrices.
    pub(crate) fn adapt_to_matrices(&mut self) -> Result<(), FitError> {
        Ok(self.solvers.adapt(std::iter::once(ProblemClass::Complementarity))?)
    }

    /// Solves a linear complementarity problem that is not one of interactions, from the guess zero; leaves z
    /// and w.
    pub(crate) fn solve_posed(&mut self, m: &Array2<f64>, q: &[f64]) -> Result<SolveInfo, SolverError> {
        let solver = self.solvers.place(ProblemClass::Complementarity);
        if self.problems.is_empty() {
            self.problems.push(Problem::default());
        }
        let problem = self.problems[BlockPlace::new(0)].coupled();
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

    /// Takes these members, in increasing order, in the place of those before.
    pub(crate) fn set_members(&mut self, tables: &Tables, members: &[UnitaryPlace]) {
        if self.members == members {
            return;
        }
        let mut before = std::mem::take(&mut self.members);
        self.change_members(tables, &before, members);
        before.clear();
        before.extend_from_slice(members);
        self.members = before;
    }

    /// The members as they were [set](Self::set_members).
    pub(crate) fn members(&self) -> &[UnitaryPlace] {
        &self.members
    }

    /// Follows a change of the index set; both lists are increasing.
    #[inline(never)]
    pub(crate) fn change_members(
        &mut self,
        tables: &Tables,
        removed: &[UnitaryPlace],
        added: &[UnitaryPlace],
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
        // A step that failed has posed some that nobody has looked at.
        self.posed.retain(|&place| !islands.at(place).members.is_empty());
        for k in 0..self.islands.changed().len() {
            self.pose(tables, self.islands.changed()[k]);
        }
    }

    /// Poses the problem of an island anew.
    fn pose(&mut self, tables: &Tables, place: BlockPlace) {
        let Self { solvers, islands, problems, mixed, by_block, counts, posed, .. } = self;
        if problems[place].mixed.take().is_some() {
            mixed.retain(|&other| other != place);
        }
        let members = &islands.at(place).members[..];
        // Such a solver gets contacts as such even where there is no friction.
        let (posing, class) = match self.is_of_positions {
            true => (FrictionPosing::NormalRows, Some(ProblemClass::Mixed)),
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

    /// Follows the tables where gaps have been closed that nothing of the index set has left.
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

    /// The islands with members, with their places, in the order of their first members.
    fn active(&self) -> impl Iterator<Item = (BlockPlace, &Island)> {
        self.islands.active().iter().map(|&place| (place, self.islands.at(place)))
    }

    /// The rows of the problem of an island.
    pub(crate) fn rows_of(&self, place: BlockPlace) -> &[RowPlace] {
        self.problems[place].rows()
    }

    /// Writes down the laws of the members in the words of the solvers, for a step of length `h`; does
    /// nothing where that is known already.
    pub(crate) fn describe_laws(
        &mut self,
        tables: &Tables,
        begin: At<'_>,
        end: At<'_>,
        h: f64,
    ) -> Result<(), (InteractionId, ModelError)> {
        let is_for_h = std::mem::replace(&mut self.laws_for, f64::NAN) == h;
        let mut depends_on_time = false;
        // What an error leaves is for none.
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

    /// Writes down which members of a problem of positions are held as equalities.
    pub(crate) fn describe_positions(&mut self, is_equality: impl Fn(UnitaryPlace) -> bool) {
        for &place in self.islands.active() {
            if let Some(problem) = &mut self.problems[place].coupled {
                problem.describe_mixed(&is_equality);
            }
        }
        self.posed.clear();
    }

    /// Whether there are islands whose motion is among the unknowns of their problem.
    pub(crate) fn has_mixed(&self) -> bool {
        !self.mixed.is_empty()
    }

    /// Whether a member belongs to such an island.
    pub(crate) fn is_mixed(&self, member: UnitaryPlace) -> bool {
        self.problems[self.islands.of_member(member)].mixed.is_some()
    }

    /// Adds what the reactions of such islands, but those that are held, make of the velocities, or states,
    /// in a step; `scratch` is memory by degree of freedom.
    #[inline(never)]
    pub(crate) fn add_motion(
        &self,
        from: Assembly<'_, impl Response>,
        lambda: &[f64],
        (scratch, v): (&mut [f64], &mut [f64]),
        is_held: impl Fn(BlockPlace) -> bool,
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

    /// The matrix of the last problems, over the rows of the members in their order.
    pub(crate) fn matrix(&self) -> Array2<f64> {
        let rows = self.rows();
        // All rows are among them.
        let place = |row: RowPlace| rows.partition_point(|&before| before < row);
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

    /// The constant part of the last problems, over the same rows.
    pub(crate) fn vector(&self) -> Vec<f64> {
        let mut parts: Vec<(RowPlace, f64)> = Vec::new();
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

    /// The first member that a solver has named as one whose equations contradict those of others.
    pub(crate) fn contradicting(&self) -> Option<UnitaryPlace> {
        self.active().find_map(|(place, _)| match &self.problems[place] {
            Problem { row: None, mixed: None, coupled: Some(problem), .. } => problem.contradicting(),
            Problem { .. } => None,
        })
    }

    /// The rows of all problems, in the order of the model.
    fn rows(&self) -> Vec<RowPlace> {
        let of_island = |(place, _)| self.rows_of(place).iter().copied();
        let mut rows: Vec<_> = self.active().flat_map(of_island).collect();
        rows.sort_unstable();
        rows
    }

    /// Whether some have been posed since the matrices were computed last.
    pub(crate) fn has_posed(&self) -> bool {
        !self.posed.is_empty()
    }

    /// Computes the matrices of the islands that are not held, where they are not known for a step of length
    /// `h`; `only_posed` says that this can be of those alone that have been posed since the last time.
    pub(crate) fn assemble(
        &mut self,
        from: Assembly<'_, impl Response + Send>,
        only_posed: bool,
        is_held: impl Fn(BlockPlace) -> bool,
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

    /// Computes the matrix of an island that has one row. False where it has more, or where a solver has to
    /// say that the row has no solution, or any.
    fn assemble_row(&mut self, blocks: Blocks<'_>, place: BlockPlace) -> bool {
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
            posing: FrictionPosing::NormalRows,
            class: ProblemClass::Complementarity,
            place: solver,
            solver: self.solvers.at(solver),
        };
        problem.coupled().begin(blocks.tables, posed, &mut self.by_block);
        self.posed.push(place);
        false
    }
}
