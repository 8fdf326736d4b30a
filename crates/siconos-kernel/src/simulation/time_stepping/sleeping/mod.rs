//! Bodies that sleep: groups of bodies, connected by contacts and interactions, that are held in place.
//!
//! Bodies fall asleep at the end of a step, and wake at the beginning of a step, before and after the
//! detection of contacts. During a step, the set of sleeping bodies does not change, and the bodies of an
//! interaction are all asleep or all awake. The free velocities of sleeping bodies are 0, their detected
//! contacts have no rows, their interactions are not in the index set, and their islands count as converged.

mod settings;

pub use self::settings::Sleeping;
use super::{StepWorkspace, TimeStepping};
use crate::arena::SideTable;
use crate::detection::DetectedContact;
use crate::integrator::{ConstraintLevel, Response, SystemWorkspace};
use crate::model::{
    At, DynamicalSystem, DynamicalSystemId, Interaction, NonSmoothDynamicalSystem, Partition,
};
use crate::nonsmooth_problem::{
    BlockIndex, InteractionEntry, InteractionIndex, SystemEntry, SystemIndex, Tables,
};
use crate::state::{ContactState, Load, Rest, State};

/// Maximum relative change of a component of the load of a sleeping body.
const SAME_LOAD: f64 = 1e-9;

/// Contacts of a body in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Touching {
    Nothing,
    /// Bodies, or obstacles at rest.
    Bodies,
    MovingObstacle,
}

/// Conditions under which a system sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ability {
    Never,
    InContact,
    /// With or without contacts, because interactions act on the system.
    Always,
}

impl Ability {
    fn of(entry: &SystemEntry, model: &NonSmoothDynamicalSystem) -> Self {
        let is_body = match model.systems().get(entry.id) {
            Some(DynamicalSystem::NewtonEuler(_)) => true,
            Some(DynamicalSystem::LagrangianLinear(_)) => entry.dofs.len() <= Load::default().len(),
            _ => false,
        };
        let mut acting = model.interactions_of(entry.id).filter_map(|id| model.interactions().get(id));
        match acting.next() {
            _ if !is_body || entry.scheme.is.level != ConstraintLevel::Velocities => Self::Never,
            None => Self::InContact,
            Some(first) if first.is_steady() && acting.all(Interaction::is_steady) => Self::Always,
            Some(_) => Self::Never,
        }
    }
}

/// Settings of sleeping bodies, and their workspace.
#[derive(Debug)]
pub(super) struct Sleeper {
    /// `None` if no body sleeps. Bodies that sleep in a state of another simulation then wake.
    settings: Option<Sleeping>,
    abilities: Vec<Ability>,
    /// Version of the tables for which the abilities were determined.
    epoch: Option<u64>,
    touching: Vec<Touching>,
    groups: Partition,
    /// For each group, at the index of its first system, `true` if it is awake.
    is_awake: Vec<bool>,
    /// Bodies that wake in this step, with their groups.
    woken: Vec<DynamicalSystemId>,
    /// Loads of the bodies that are held for the first time.
    loads: Vec<(DynamicalSystemId, Load)>,
    /// Blocks of the bodies that are held in this step, in increasing order.
    held: Vec<BlockIndex>,
    /// Interactions of these bodies, in increasing order.
    held_interactions: Vec<InteractionIndex>,
    /// Mean forces of these interactions, in the order of their rows.
    forces: Vec<f64>,
    /// `true` if bodies have woken in this step.
    has_woken: bool,
    /// Data of the state at the beginning of the step, if bodies have woken.
    before: SideTable<DynamicalSystem, Rest>,
}

impl Sleeper {
    pub(super) fn new(settings: Option<Sleeping>) -> Self {
        Self {
            settings,
            abilities: Vec::new(),
            epoch: None,
            touching: Vec::new(),
            groups: Partition::default(),
            is_awake: Vec::new(),
            woken: Vec::new(),
            loads: Vec::new(),
            held: Vec::new(),
            held_interactions: Vec::new(),
            forces: Vec::new(),
            has_woken: false,
            before: SideTable::default(),
        }
    }

    /// Adapts the workspace to the model.
    fn fit(&mut self, model: &NonSmoothDynamicalSystem, tables: &Tables) {
        if self.epoch == Some(tables.epoch) {
            return;
        }
        self.epoch = Some(tables.epoch);
        self.abilities.clear();
        self.abilities.extend(tables.systems.iter().map(|entry| Ability::of(entry, model)));
    }

    /// Wakes bodies for reasons that do not depend on the contacts of the step.
    fn begin_step(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        t_end: f64,
        state: &mut State,
    ) {
        self.fit(model, tables);
        self.woken.clear();
        self.loads.clear();
        if state.rest.is_empty() {
            return;
        }
        let end = state.at().time(t_end);
        for (entry, ability) in tables.systems.iter().zip(&self.abilities) {
            let Some(Rest::Asleep(known)) = state.rest.get(entry.id) else { continue };
            if self.settings.is_none() || *ability == Ability::Never {
                self.woken.push(entry.id);
                continue;
            }
            let Ok(system) = model.system(entry.id) else { continue };
            let load = load_of(system, end, &state.q[entry.positions.range()]);
            let is_same = |(a, b): (&f64, &f64)| (a - b).abs() <= SAME_LOAD * a.abs();
            let is_other = known.is_some_and(|known| !known.iter().zip(&load).all(is_same));
            if is_other {
                self.woken.push(entry.id);
            } else if known.is_none() {
                self.loads.push((entry.id, load));
            }
        }
        for ContactState { first, second, .. } in &state.contacts {
            let Some(second) = second else { continue };
            if state.is_asleep(*first) != state.is_asleep(*second) {
                self.woken.push(if state.is_asleep(*first) { *first } else { *second });
            }
        }
        for (place, _) in declared(tables) {
            let systems = || tables.parts_of(place).iter().map(|part| tables.systems[part.system].id);
            if systems().any(|id| !state.is_asleep(id)) {
                self.woken.extend(systems().filter(|id| state.is_asleep(*id)));
            }
        }
        self.wake(tables, state);
    }

    /// Wakes bodies because of the detected contacts, which are ordered by key. Returns `true` if there are
    /// any. The contacts must then be detected again.
    pub(super) fn wakes(&mut self, tables: &Tables, found: &[DetectedContact], state: &mut State) -> bool {
        let is_known = |contact: &DetectedContact| {
            state.contacts.binary_search_by_key(&contact.key, |known| known.key).is_ok()
        };
        for contact in found {
            let is_asleep = state.is_asleep(contact.first);
            match contact.second {
                Some(second) if is_asleep != state.is_asleep(second) => {
                    self.woken.push(if is_asleep { contact.first } else { second });
                }
                None if is_asleep => {
                    let is_new = contact.gap <= contact.accuracy && !is_known(contact);
                    if is_new || contact.surface_velocity != [0.0; 3] {
                        self.woken.push(contact.first);
                    }
                }
                _ => {}
            }
        }
        let carried = |contact: &&ContactState| {
            contact.second.is_none() && contact.impulse != [0.0; 3] && state.is_asleep(contact.first)
        };
        for contact in state.contacts.iter().filter(carried) {
            if found.binary_search_by_key(&contact.key, |own| own.key).is_err() {
                self.woken.push(contact.first);
            }
        }
        self.wake(tables, state)
    }

    /// Wakes the bodies in `woken` with their groups. Returns `true` if there are any.
    fn wake(&mut self, tables: &Tables, state: &mut State) -> bool {
        if self.woken.is_empty() {
            return false;
        }
        if !std::mem::replace(&mut self.has_woken, true) {
            self.before.clone_from(&state.rest);
        }
        self.group(tables, state.contacts.iter().map(|contact| [Some(contact.first), contact.second]));
        for place in self.woken.drain(..).filter_map(|id| tables.place_of(id)) {
            self.is_awake[self.groups.root(place.index())] = true;
        }
        for (place, entry) in tables.systems.entries() {
            if state.is_asleep(entry.id) && self.is_awake[self.groups.root(place.index())] {
                state.rest.remove(entry.id);
            }
        }
        self.loads.retain(|(id, _)| state.is_asleep(*id));
        true
    }

    /// Joins the bodies of each contact and of each interaction of the model. No group is awake.
    fn group(&mut self, tables: &Tables, contacts: impl Iterator<Item = [Option<DynamicalSystemId>; 2]>) {
        self.groups.reset(tables.systems.len());
        self.is_awake.clear();
        self.is_awake.resize(tables.systems.len(), false);
        for bodies in contacts {
            let places = bodies.into_iter().flatten().filter_map(|id| tables.place_of(id));
            self.groups.join(places.map(SystemIndex::index));
        }
        for (interaction, _) in declared(tables) {
            self.groups.join(tables.parts_of(interaction).iter().map(|part| part.system.index()));
        }
    }

    /// Records which systems touch bodies or obstacles in a step.
    fn note_contacts(&mut self, tables: &Tables, found: &[DetectedContact]) {
        self.touching.clear();
        self.touching.resize(tables.systems.len(), Touching::Nothing);
        for contact in found {
            let is_at_rest = contact.surface_velocity == [0.0; 3];
            let touching = if is_at_rest { Touching::Bodies } else { Touching::MovingObstacle };
            let bodies = [Some(contact.first), contact.second].into_iter().flatten();
            for place in bodies.filter_map(|id| tables.place_of(id)) {
                let own = &mut self.touching[place.index()];
                *own = touching.max(*own);
            }
        }
    }

    /// Returns `true` if a system can sleep with the contacts of the step.
    fn may_sleep(&self, place: SystemIndex) -> bool {
        match (self.abilities[place.index()], self.touching[place.index()]) {
            (Ability::Never, _) | (_, Touching::MovingObstacle) => false,
            (Ability::InContact, Touching::Nothing) => false,
            (Ability::InContact, Touching::Bodies) | (Ability::Always, _) => true,
        }
    }

    /// Returns `true` if the body of a block is held in this step.
    pub(super) fn holds(&self, block: BlockIndex) -> bool {
        self.held.binary_search(&block).is_ok()
    }

    /// Returns the interactions of the bodies that are held in this step, in increasing order.
    pub(super) fn held_interactions(&self) -> &[InteractionIndex] {
        &self.held_interactions
    }

    /// Lists the blocks and the interactions of the sleeping bodies. Returns `true` if interactions were held
    /// in the last step or are held in this step.
    pub(super) fn hold(&mut self, tables: &Tables, state: &State) -> bool {
        self.held.clear();
        let has_held = !self.held_interactions.is_empty();
        self.held_interactions.clear();
        if state.rest.is_empty() {
            return has_held;
        }
        let asleep = tables.systems.iter().filter(|entry| state.is_asleep(entry.id));
        self.held.extend(asleep.map(|entry| entry.block).filter(|block| !tables.blocks[*block].is_gone()));
        self.held.sort_unstable();
        let held = &self.held;
        let is_held = |place| held.binary_search(&tables.incidences_of(place)[0].block).is_ok();
        self.held_interactions
            .extend(declared(tables).map(|(place, _)| place).filter(|place| is_held(*place)));
        has_held || !self.held_interactions.is_empty()
    }
}

/// Iterates over the interactions of the model.
fn declared(tables: &Tables) -> impl Iterator<Item = (InteractionIndex, &InteractionEntry)> {
    tables.interactions.entries().filter(|(_, entry)| !entry.is_gone() && !entry.is_detected())
}

/// Returns the load of a body at rest. Bodies that never sleep have no load.
fn load_of(system: &DynamicalSystem, at: At<'_>, q: &[f64]) -> Load {
    let mut load = [0.0; 6];
    match system {
        DynamicalSystem::NewtonEuler(body) => body.forces_into(at, q, &[0.0; 6], &mut load),
        DynamicalSystem::LagrangianLinear(body) => {
            body.forces_into(at, q, &[0.0; 6][..q.len()], &mut load[..q.len()]);
        }
        _ => {}
    }
    load
}

/// Returns `true` if a system is slow at the end of the step, where `v` contains the velocities.
fn is_slow(
    entry: &SystemEntry,
    system: &SystemWorkspace,
    work: &mut StepWorkspace,
    v: &[f64],
    fraction: f64,
) -> bool {
    let dofs = entry.dofs.range();
    let inertia = &mut work.speeds[dofs.clone()];
    system.matrix().0.diagonal_into(inertia);
    let (v_free, v_k) = (&work.v_free[dofs.clone()], &work.v[dofs.clone()]);
    let (mut own, mut of_loads) = (0.0, 0.0);
    for ((inertia, v), (free, v_k)) in inertia.iter().zip(&v[dofs]).zip(v_free.iter().zip(v_k)) {
        own += inertia * v * v;
        of_loads += inertia * (free - v_k) * (free - v_k);
    }
    own <= fraction * fraction * of_loads
}

impl TimeStepping {
    /// Enables or disables sleeping bodies, after the source of contacts was set.
    pub(in crate::simulation) fn set_sleeping(&mut self, settings: Option<Sleeping>) {
        self.sleeper = self.detected.is_some().then(|| Box::new(Sleeper::new(settings)));
    }

    /// Forgets the waking of bodies in an earlier step.
    #[inline]
    pub(super) fn forget_waking(&mut self) {
        self.sleeper.iter_mut().for_each(|sleeper| sleeper.has_woken = false);
    }

    /// Wakes bodies at the beginning of a step, before the detection of contacts.
    pub(super) fn wake_bodies(&mut self, model: &NonSmoothDynamicalSystem, state: &mut State) {
        if let Some(sleeper) = &mut self.sleeper {
            sleeper.begin_step(model, &self.tables, self.work.t_kp1, state);
        }
    }

    /// Restores the sleeping bodies of the state after a failed step.
    pub(super) fn undo_waking(&mut self, state: &mut State) {
        if let Some(sleeper) = self.sleeper.as_mut().filter(|sleeper| sleeper.has_woken) {
            state.rest.clone_from(&sleeper.before);
            sleeper.has_woken = false;
        }
    }

    /// Returns the blocks of the bodies that are held in this step.
    pub(super) fn held_blocks(&self) -> &[BlockIndex] {
        self.sleeper.as_ref().map_or(&[], |sleeper| &sleeper.held)
    }

    /// Keeps held bodies in place at the end of a step, with the reactions of their interactions.
    pub(super) fn keep_held(&mut self, state: &State) {
        let Some(sleeper) = &mut self.sleeper else { return };
        for &block in &sleeper.held {
            let block = &self.tables.blocks[block];
            let positions = self.tables.systems[block.systems.start()].positions.range();
            self.work.q[positions.clone()].copy_from_slice(&state.q[positions]);
            let dofs = block.dofs.range();
            self.work.v[dofs.clone()].fill(0.0);
            self.work.impulse[dofs.clone()].copy_from_slice(&state.impulse[dofs]);
        }
        sleeper.forces.clear();
        let [force, impulse, mean_force] = &state.lambda;
        for &place in &sleeper.held_interactions {
            let rows = self.tables.interactions[place].rows.range();
            self.work.force[rows.clone()].copy_from_slice(&force[rows.clone()]);
            self.work.lambda[rows.clone()].copy_from_slice(&impulse[rows.clone()]);
            sleeper.forces.extend_from_slice(&mean_force[rows]);
        }
    }

    /// Keeps the mean forces of held interactions in the state at the end of a step.
    pub(super) fn keep_mean_forces(&self, state: &mut State) {
        let Some(sleeper) = &self.sleeper else { return };
        let mut forces = &sleeper.forces[..];
        for &place in &sleeper.held_interactions {
            let rows = self.tables.interactions[place].rows.range();
            let (own, others) = forces.split_at(rows.len());
            state.lambda[2][rows].copy_from_slice(own);
            forces = others;
        }
    }

    /// Counts the slow steps of bodies at the end of a step, and lets groups of slow bodies fall asleep.
    /// `work.v` must contain the velocities at the beginning of the step.
    pub(super) fn let_bodies_sleep(&mut self, state: &mut State) {
        let (Some(sleeper), Some(detected)) = (&mut self.sleeper, &self.detected) else { return };
        let Some(Sleeping { fraction, steps }) = sleeper.settings else { return };
        for (id, load) in sleeper.loads.drain(..) {
            state.rest.insert(id, Rest::Asleep(Some(load)));
        }
        sleeper.note_contacts(&self.tables, detected.found());
        let mut can_sleep = false;
        for (place, entry) in self.tables.systems.entries() {
            if state.is_asleep(entry.id) {
                continue;
            }
            let is_slow = sleeper.may_sleep(place) && {
                let (system, v) = (&self.systems[entry.block], &state.v);
                is_slow(entry, system, &mut self.work, v, fraction)
            };
            let before = match state.rest.get(entry.id) {
                Some(Rest::Slow(count)) => *count,
                _ => 0,
            };
            if is_slow {
                let count = before.saturating_add(1);
                can_sleep |= count >= steps;
                state.rest.insert(entry.id, Rest::Slow(count));
            } else if before > 0 {
                state.rest.remove(entry.id);
            }
        }
        if can_sleep {
            self.let_groups_sleep(state, steps);
        }
    }

    /// Stops the groups whose bodies were all slow in at least `steps` steps.
    fn let_groups_sleep(&mut self, state: &mut State, steps: u32) {
        let (Some(sleeper), Some(detected)) = (&mut self.sleeper, &self.detected) else { return };
        let tables = &self.tables;
        let pairs = detected.found().iter().map(|contact| [Some(contact.first), contact.second]);
        sleeper.group(tables, pairs);
        let is_tired = |rest: Option<&Rest>| matches!(rest, Some(Rest::Slow(count)) if *count >= steps);
        for (place, entry) in tables.systems.entries() {
            if !is_tired(state.rest.get(entry.id)) {
                let root = sleeper.groups.root(place.index());
                sleeper.is_awake[root] = true;
            }
        }
        for (place, entry) in tables.systems.entries() {
            let root = sleeper.groups.root(place.index());
            if !is_tired(state.rest.get(entry.id)) || sleeper.is_awake[root] {
                continue;
            }
            let (positions, dofs) = (entry.positions.range(), entry.dofs.range());
            if let Some(energy) = &mut self.energy {
                energy.measure_stop(place, &state.parameters, &state.q[positions], &state.v[dofs.clone()]);
            }
            state.v[dofs].fill(0.0);
            state.rest.insert(entry.id, Rest::Asleep(None));
        }
    }
}
