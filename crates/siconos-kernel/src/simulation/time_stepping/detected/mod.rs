//! Detected contacts of a step: their entries in the tables, geometry, and reactions.
//!
//! The contacts are detected at the beginning of the step. If they differ from the contacts of the previous
//! step, their entries at the end of the tables are replaced; otherwise only numbers change. Their rows of y
//! and lambda follow the rows of the model in the vectors of the state until the end of the step.

mod warm_start;

use std::any::Any;

use self::warm_start::WarmStart;
use super::TimeStepping;
use crate::arena::SideTable;
use crate::detection::{ContactSet, ContactSource, DetectedContact, DetectionError, DetectionInput};
use crate::model::{NonSmoothDynamicalSystem, SpatialImpulse};
use crate::nonsmooth_problem::Tables;
use crate::simulation::SimulationError;
use crate::simulation::kinematics::{Kinematics, PlacedContact};
use crate::state::{ContactState, State};

/// Source of contacts, and the contacts of the present step.
#[derive(Debug)]
pub(super) struct DetectedContacts {
    source: Box<dyn ContactSource>,
    found: ContactSet,
    /// Contacts of the previous step.
    before: ContactSet,
    /// For each contact, the number of previous steps in which it was detected.
    ages: Vec<u32>,
    warm_start: WarmStart,
}

impl DetectedContacts {
    pub(super) fn new(source: Box<dyn ContactSource>) -> Self {
        Self {
            source,
            found: ContactSet::default(),
            before: ContactSet::default(),
            ages: Vec::new(),
            warm_start: WarmStart::default(),
        }
    }

    pub(super) fn source(&self) -> &dyn ContactSource {
        &*self.source
    }

    pub(super) fn found(&self) -> &[DetectedContact] {
        self.found.as_slice()
    }

    fn detect(&mut self, input: DetectionInput<'_>) -> Result<(), DetectionError> {
        self.found.clear();
        self.source.detect(input, &mut self.found)?;
        self.found.finish()
    }

    /// Removes the contacts of sleeping bodies.
    fn remove_sleeping(&mut self, state: &State) {
        self.found.retain(|contact| !state.is_asleep(contact.first));
    }

    /// Returns `true` if the structure of the contacts differs from that of the previous step.
    fn has_changed(&self) -> bool {
        let (found, before) = (self.found.as_slice(), self.before.as_slice());
        let is_same = |(a, b): (&_, &_)| DetectedContact::has_structure_of(a, b);
        found.len() != before.len() || !found.iter().zip(before).all(is_same)
    }

    /// Assigns the contacts to their bodies, after a change of the structure.
    fn place(
        &self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        placed: &mut Vec<PlacedContact>,
    ) -> Result<(), DetectionError> {
        placed.clear();
        for contact in self.found.as_slice() {
            placed.push(PlacedContact::new(contact, model, tables)?);
        }
        Ok(())
    }

    /// Writes Jacobians, outputs and initial guesses at the beginning of a step.
    fn write_beginning(
        &mut self,
        tables: &Tables,
        kinematics: &mut Kinematics,
        state: &mut State,
    ) -> Result<(), DetectionError> {
        let Self { found, ages, warm_start, .. } = self;
        warm_start.assign(found.as_slice(), &state.contacts);
        ages.clear();
        let entries = found.as_slice().iter().zip(tables.detected()).zip(warm_start.starts());
        for (order, ((contact, entry), start)) in entries.enumerate() {
            kinematics.detected[order].begin(contact, tables, state.t, &state.q)?;
            kinematics.differentiate_detected(tables, order, &state.q);
            let rows = entry.rows.range();
            for vector in state.y.iter_mut().chain(&mut state.lambda) {
                vector[rows.clone()].fill(0.0);
            }
            state.y[0][rows.start] = contact.gap;
            for row in entry.rows.iter() {
                state.y[1][row.index()] = kinematics.velocity(tables, row, &state.v);
            }
            let before = start.map(|place| &state.contacts[place]);
            ages.push(before.map_or(0, |before| before.age.saturating_add(1)));
            if let Some(before) = before {
                let impulse = SpatialImpulse { linear: before.impulse, angular: before.moment };
                kinematics.detected[order].frame.components(&impulse, &mut state.lambda[1][rows]);
            }
        }
        Ok(())
    }

    /// Stores the contacts of a step in the state at its end.
    pub(super) fn store(&self, tables: &Tables, kinematics: &Kinematics, state: &mut State) {
        let mut contacts = std::mem::take(&mut state.contacts);
        contacts.retain(|kept| tables.place_of(kept.first).is_some() && state.is_asleep(kept.first));
        contacts.iter_mut().for_each(|kept| kept.age = kept.age.saturating_add(1));
        let has_kept = !contacts.is_empty();
        let entries = kinematics.detected.iter().zip(self.found.as_slice()).zip(tables.detected());
        contacts.extend(entries.zip(&self.ages).map(|(((placed, contact), entry), &age)| {
            let rows = entry.rows.range();
            let components = &state.lambda[1][rows.clone()];
            let impulse = placed.frame.impulse(components);
            ContactState {
                key: contact.key,
                first: contact.first,
                second: contact.second,
                points: contact.points,
                gap: contact.gap,
                gap_at_end: state.y[0][rows.start],
                impulse: impulse.linear,
                moment: impulse.angular,
                velocity: placed.frame.sliding(&state.y[1][rows]),
                reaction: placed.frame.sliding(components),
                age,
            }
        }));
        if has_kept {
            contacts.sort_unstable_by_key(|contact| contact.key);
        }
        state.contacts = contacts;
    }
}

impl TimeStepping {
    /// Sets the source of detected contacts, before the tables are created.
    pub(in crate::simulation) fn set_contacts(&mut self, source: Option<Box<dyn ContactSource>>) {
        self.detected = source.map(DetectedContacts::new);
    }

    /// Returns the source of detected contacts, if it has this type.
    #[must_use]
    pub fn contact_source<S: ContactSource>(&self) -> Option<&S> {
        let source: &dyn Any = self.detected.as_ref()?.source();
        source.downcast_ref()
    }

    /// Returns the source of detected contacts for changes between steps, if it has this type.
    #[must_use]
    pub fn contact_source_mut<S: ContactSource>(&mut self) -> Option<&mut S> {
        let source: &mut dyn Any = &mut *self.detected.as_mut()?.source;
        source.downcast_mut()
    }

    /// Detects the contacts of a state without a step, for example to obtain the gaps at the end of a run.
    /// The set is ordered by key. It is empty without a source.
    ///
    /// # Errors
    ///
    /// If the contacts cannot be computed: [`SimulationError::Detection`].
    pub fn detect(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<ContactSet, SimulationError> {
        let mut found = ContactSet::default();
        if let Some(detected) = &mut self.detected {
            // Sources can leave out the contacts of sleeping bodies.
            let mut awake = state.clone();
            awake.rest = SideTable::default();
            let input = DetectionInput { model, state: &awake, h: 0.0, threads: &self.threads };
            let done = detected.source.detect(input, &mut found).and_then(|()| found.finish());
            done.map_err(|source| SimulationError::Detection { step: state.step, t: state.t, source })?;
        }
        Ok(found)
    }

    /// Detects the contacts of the present step, and adds their rows to the step.
    // Not inlined, because models without detected contacts return at once.
    #[inline(never)]
    pub(super) fn detect_contacts(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<(), SimulationError> {
        let _span = tracing::trace_span!("detection").entered();
        let (step, t, h) = (self.work.step, self.work.t_k, self.work.h);
        let in_step = |source| SimulationError::Detection { step, t, source };
        let Some(detected) = &mut self.detected else { return Ok(()) };
        std::mem::swap(&mut detected.found, &mut detected.before);
        let mut found = detected.detect(DetectionInput { model, state, h, threads: &self.threads });
        if let Some(sleeper) = &mut self.sleeper {
            if !state.rest.is_empty() {
                while found.is_ok() && sleeper.wakes(&self.tables, detected.found.as_slice(), state) {
                    found = detected.detect(DetectionInput { model, state, h, threads: &self.threads });
                }
                detected.remove_sleeping(state);
            }
            if sleeper.hold(&self.tables, state) {
                self.index_set.expect_change();
            }
        }
        if found.is_err() || detected.has_changed() || !self.tables.has_detected() {
            self.drop_detected();
            found.map_err(in_step)?;
            self.push_detected(model)?;
        }
        let Some(detected) = &mut self.detected else { return Ok(()) };
        state.resize_rows(self.tables.rows.len());
        detected.write_beginning(&self.tables, &mut self.kinematics, state).map_err(in_step)
    }

    /// Adds the rows of the contacts that were found.
    fn push_detected(&mut self, model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
        let (step, t) = (self.work.step, self.work.t_k);
        let in_step = |source| SimulationError::Detection { step, t, source };
        let Some(detected) = &mut self.detected else { return Ok(()) };
        detected.place(model, &self.tables, &mut self.kinematics.detected).map_err(in_step)?;
        let contacts = detected.found.as_slice();
        if let Some(contact) = contacts.iter().find(|contact| !self.problem.admits(&contact.law)) {
            return Err(in_step(DetectionError::UnlistedLaw {
                key: contact.key,
                law: contact.law.description().name,
            }));
        }
        self.tables.push_detected(contacts).inspect_err(|_| self.tables.drop_detected())?;
        self.kinematics.fit_rows(&self.tables);
        self.delassus.extend(&self.tables);
        self.problem.extend(&self.tables);
        self.work.extend(&self.tables);
        self.index_set.expect_change();
        self.expect_other_contacts()
    }

    /// Removes the rows of detected contacts from the simulation.
    pub(super) fn drop_detected(&mut self) {
        if !self.tables.has_detected() {
            return;
        }
        self.index_set.remove_from(self.tables.detected_unitary().start());
        let (removed, added) = self.index_set.change();
        if !removed.is_empty() {
            self.problem.change_members(&self.tables, removed, added);
            self.unconverged.take_members(self.index_set.members());
            self.work.matrix_valid = false;
        }
        self.work.added_speeds.clear();
        self.tables.drop_detected();
        self.kinematics.detected.clear();
        self.kinematics.fit_rows(&self.tables);
        self.delassus.truncate(&self.tables);
        self.problem.extend(&self.tables);
        self.work.extend(&self.tables);
    }
}
