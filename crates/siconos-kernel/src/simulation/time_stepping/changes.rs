//! Adaptation of a simulation to changes of its model. A few changes are applied one by one; if there are
//! more, all tables are rebuilt. Unchanged systems keep their workspaces and factors.

use super::alternation::AlternationMonitor;
use super::first_order::explicit_input;
use super::{
    FirstOrderInteractions, InputOutput, Kinematics, StepWorkspace, TimeStepping, UnconvergedIslands,
};
use crate::detection::check_contact_law;
use crate::integrator::{FitError, Scheme, SystemWorkspace};
use crate::model::{DynamicalSystemId, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::{
    Block, BlockIndex, Changed, Delassus, IndexSet, InteractionEntry, SystemEntry, Tables, UnitaryIndex,
};
use crate::simulation::SimulationError;

/// Number of nonlinear systems and relations, and number of systems and relations with varying coefficients.
/// If both numbers are 0, one Newton iteration is exact, and the matrices depend only on the step length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Nonlinearities {
    nonlinear: usize,
    varying: usize,
}

impl Nonlinearities {
    fn add(&mut self, is_linear: bool, is_constant: bool) {
        self.nonlinear += usize::from(!is_linear);
        self.varying += usize::from(!is_constant);
    }

    fn remove(&mut self, is_linear: bool, is_constant: bool) {
        self.nonlinear -= usize::from(!is_linear);
        self.varying -= usize::from(!is_constant);
    }

    /// Returns `true` if all systems and relations are linear. Their coefficients can depend on time.
    pub(super) fn is_affine(self) -> bool {
        self.nonlinear == 0
    }

    /// Returns `true` if all systems and relations are linear and their coefficients are constant.
    pub(super) fn is_constant(self) -> bool {
        self.nonlinear == 0 && self.varying == 0
    }
}

impl TimeStepping {
    /// Adapts the tables to a model. After an error, the next step tries to adapt them again.
    #[inline]
    pub(in crate::simulation) fn fit(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        if self.tables.epoch == model.epoch() {
            return Ok(());
        }
        // An error leaves the tables empty, so no relation can be active.
        self.follow_changes(model).inspect_err(|_| self.index_set = IndexSet::default())
    }

    // Not inlined, because the model does not change in most steps.
    #[inline(never)]
    fn follow_changes(&mut self, model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
        self.relax_bodies();
        let mut tables = std::mem::take(&mut self.tables);
        let integrators = std::mem::take(&mut self.integrators);
        let scheme = |id, first_order| integrators.of(id, first_order).scheme();
        let followed = tables.follow(model, scheme, |tables, changed| self.take_in(model, tables, changed));
        self.integrators = integrators;
        if followed? {
            self.extend(model, &tables);
            self.fit_projector(&tables)?;
            self.fit_half_explicit(&tables)?;
            self.fit_energy(model, &tables)?;
            self.tables = tables;
            return Ok(());
        }
        self.rebuild(model, &tables)
    }

    /// Applies one change. Returns `false` if the tables must be rebuilt.
    fn take_in(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &mut Tables,
        changed: Changed<'_>,
    ) -> Result<bool, SimulationError> {
        match changed {
            Changed::Nothing => {}
            Changed::Block => {
                let Some(block) = tables.blocks.last_mut() else { return Ok(false) };
                let work = SystemWorkspace::new(model, schemes(&tables.systems[block.systems]), false)?;
                note_facts(block, &work);
                self.nonlinearities.add(block.is_affine, block.is_constant);
                let entry = &tables.systems[block.systems.start()];
                self.work.has_first_order |= entry.is_first_order();
                self.work.has_two_step |= entry.scheme.is.has_equal_steps;
                self.has_explicit_input |= explicit_input(*entry.scheme);
                self.unprepared.push(self.systems.push(work));
                self.unconverged.expect_change();
            }
            Changed::BlockGone(place, _) if self.is_first_order(tables, place) => return Ok(false),
            Changed::BlockGone(place, dofs) => {
                // The range is empty if the block was added after the last step.
                let known = dofs.range().end.min(self.work.steady_acceleration.len());
                self.work.steady_acceleration[dofs.range().start.min(known)..known].fill(0.0);
                let block = &tables.blocks[place];
                self.nonlinearities.remove(block.is_affine, block.is_constant);
                self.unconverged.expect_change();
            }
            Changed::Interaction => {
                let Some(place) = tables.interactions.places().next_back() else { return Ok(false) };
                let is_linear = self.is_linear(&tables.interactions[place]);
                tables.interactions[place].is_linear = is_linear;
                let entry = &tables.interactions[place];
                refuse_event_laws(entry)?;
                let is_force = tables.kind(entry.kind).is_force;
                if entry.is_first_order() || is_force || !self.problem.admits(&entry.law) {
                    return Ok(false);
                }
                self.nonlinearities.add(is_linear, entry.constant);
                if !entry.constant {
                    self.unconverged.expect_change();
                    self.unevaluated.push(place);
                }
            }
            Changed::InteractionGone { was_first_order: true, .. } => return Ok(false),
            Changed::InteractionGone { was_linear, was_constant, .. } => {
                self.nonlinearities.remove(was_linear, was_constant);
                if !was_constant {
                    self.unconverged.expect_change();
                }
            }
            Changed::GapsToClose => {
                let is_gone = |&member: &UnitaryIndex| {
                    tables.interactions[tables.unitary[member].interaction].is_gone()
                };
                let gone: Vec<_> = self.index_set.members().iter().copied().filter(is_gone).collect();
                self.problem.change_members(tables, &gone, &[]);
            }
            Changed::GapsClosed(moves) => {
                self.kinematics.close_gaps(moves);
                self.delassus.close_gaps(tables, moves);
                self.problem.close_gaps(tables, moves);
                self.index_set.close_gaps(&moves.unitary);
                self.work.added_speeds.clear();
                moves.interactions.rename(&mut self.unevaluated);
                moves.unitary.rename(&mut self.renewed);
                self.unconverged.expect_change();
                self.work.matrix_valid = false;
            }
            Changed::Law(place) => {
                let entry = &tables.interactions[place];
                refuse_event_laws(entry)?;
                if tables.kind(entry.kind).is_force || !self.problem.admits(&entry.law) {
                    return Ok(false);
                }
                self.kinematics.take_joint(tables, place);
                self.renewed.extend(tables.interactions[place].unitary.iter());
            }
        }
        Ok(true)
    }

    fn is_first_order(&self, tables: &Tables, block: BlockIndex) -> bool {
        tables.systems[tables.blocks[block].systems].iter().any(SystemEntry::is_first_order)
    }

    /// Returns `true` if a relation is linear in the unknowns of a step. If Jacobians are evaluated at the
    /// beginning of the step, all relations of Lagrangian systems are linear in the unknowns.
    fn is_linear(&self, entry: &InteractionEntry) -> bool {
        entry.affine || (self.jacobian_at_beginning() && !entry.is_first_order())
    }

    /// Extends all workspaces by the new entries at the end of the tables.
    fn extend(&mut self, model: &NonSmoothDynamicalSystem, tables: &Tables) {
        self.kinematics.extend(tables, model);
        self.input_output.extend(tables);
        self.delassus.extend(tables);
        self.problem.extend(tables);
        self.work.extend(tables);
        self.index_set.expect_change();
    }

    /// Resets the index set to the relations that are always active, without contacts.
    pub(super) fn begin_index_set(&mut self, tables: &Tables) {
        self.index_set.begin(tables);
        let (removed, added) = self.index_set.change();
        self.problem.change_members(tables, removed, added);
    }

    /// Rebuilds all tables. Systems of the previous tables keep their workspaces.
    pub(in crate::simulation) fn rebuild(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        before: &Tables,
    ) -> Result<(), SimulationError> {
        let mut tables = Tables::new(model, |id, first_order| self.integrators.of(id, first_order).scheme())?;
        tables.interactions.iter().try_for_each(refuse_event_laws)?;
        self.take_over_works(model, &tables, before)?;
        self.nonlinearities = Nonlinearities::default();
        if self.detected.is_some() {
            // Detected contacts are linear in the unknowns of a step, with other Jacobians in each step.
            self.nonlinearities.add(true, false);
        }
        for (block, work) in tables.blocks.iter_mut().zip(self.systems.iter()) {
            note_facts(block, work);
            self.nonlinearities.add(block.is_affine, block.is_constant);
        }
        for entry in tables.interactions.iter_mut() {
            entry.is_linear = self.is_linear(entry);
            self.nonlinearities.add(entry.is_linear, entry.constant);
        }
        let detected = self.detected.as_ref().map_or_else(Vec::new, |detected| detected.source().laws());
        let (step, t) = (self.work.step, self.work.t_k);
        detected.iter().try_for_each(|law| {
            check_contact_law(law).map_err(|source| SimulationError::Detection { step, t, source })
        })?;
        self.problem.adapt(&tables, &detected)?;
        self.fit_projector(&tables)?;
        self.fit_half_explicit(&tables)?;
        self.fit_energy(model, &tables)?;
        self.begin_index_set(&tables);
        self.kinematics = Kinematics::new(&tables, model, self.joints_react_in_middle());
        self.input_output = InputOutput::new(&tables, model);
        self.delassus = Delassus::default();
        self.delassus.extend(&tables);
        self.first_order = FirstOrderInteractions::new(&tables, self.problem.islands());
        self.alternation = AlternationMonitor::new(&tables);
        self.unconverged = UnconvergedIslands::default();
        self.unconverged.expect_change();
        self.unconverged.look_at(&tables);
        self.unconverged.begin(&tables, self.problem.islands(), self.index_set.members());
        self.has_explicit_input = tables.systems.iter().any(|entry| explicit_input(*entry.scheme));
        self.unevaluated.clear();
        self.renewed.clear();
        let h_prepared = self.work.h_prepared;
        self.work = StepWorkspace { h_prepared, ..StepWorkspace::new(&tables) };
        // The matrices W of these blocks remain valid, but the accelerations must be computed.
        let steady = tables.blocks.entries().filter(|(_, block)| block.is_steady);
        self.unprepared.extend(steady.map(|(place, _)| place));
        self.tables = tables;
        Ok(())
    }

    /// Takes the workspaces of unchanged systems from the previous tables, and creates workspaces for new
    /// systems.
    fn take_over_works(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        before: &Tables,
    ) -> Result<(), SimulationError> {
        let entries = |block: &Block| &tables.systems[block.systems];
        let place_before = |block: &Block| before.block_like(entries(block), block);
        // In most cases, only interactions or the last blocks have changed.
        let stays = |(place, block): &(BlockIndex, &Block)| place_before(block) == Some(*place);
        let staying = tables.blocks.entries().take_while(stays).count();
        let mut moving: Vec<_> = self.systems.drain(staying..).map(Some).collect();
        let mut unprepared = std::mem::take(&mut self.unprepared);
        unprepared.sort_unstable();
        self.unprepared.extend(unprepared.iter().filter(|place| place.index() < staying));
        for (place, block) in tables.blocks.entries().skip(staying) {
            let kept = place_before(block).and_then(|old| {
                let is_prepared = unprepared.binary_search(&old).is_err();
                Some((moving.get_mut(old.index().checked_sub(staying)?)?.take()?, is_prepared))
            });
            let (work, is_prepared) = match kept {
                Some(kept) => kept,
                None => {
                    (SystemWorkspace::new(model, schemes(entries(block)), !block.coupling.is_empty())?, false)
                }
            };
            if !is_prepared {
                self.unprepared.push(place);
            }
            self.systems.push(work);
        }
        Ok(())
    }
}

/// Rejects laws that describe processes within an impact, which time-stepping does not resolve.
fn refuse_event_laws(entry: &InteractionEntry) -> Result<(), FitError> {
    match entry.law.description().refused.time_stepping {
        Some(refusal) if !entry.is_gone() => Err(FitError::of_relation(entry.id, "TimeStepping", refusal)),
        _ => Ok(()),
    }
}

/// Copies the properties of the workspace of a block, such as its linearity, to the entry of the block in the
/// tables.
fn note_facts(block: &mut Block, work: &SystemWorkspace) {
    (block.is_affine, block.is_constant) = (work.is_affine(), work.is_constant());
    block.is_steady = work.is_steady();
    block.has_step_length = work.has_step_length();
    block.entries_of_w = work.entries();
}

/// Returns the systems of a block with their schemes.
fn schemes(entries: &[SystemEntry]) -> impl Iterator<Item = (DynamicalSystemId, &Scheme)> {
    entries.iter().map(|entry| (entry.id, &*entry.scheme))
}
