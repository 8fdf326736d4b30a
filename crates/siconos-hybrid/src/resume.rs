//! Record from which a solution of the same system resumes, in this process or in another process.

use serde::{Deserialize, Serialize};

use super::HybridError;
use super::answer::Direction;
use super::parts::{Named, Start};
use super::restart::{Firings, Restart, WatchedGuard};
use super::solution::{HybridSolution, Stage};
use siconos_kernel::engine::{
    Fingerprint, Format, HasParts, ImpactHistory, check_finite, check_shape, countable, fingerprint,
};
use siconos_kernel::{ModelError, StructureDifference};

/// Record from which a [`HybridSolution`] resumes with bit-identical results. It contains the variables, the
/// parameters and the state of the events at the last restart of the integration, and fingerprints of the
/// system.
///
/// [`HybridSolution::record`] writes the record, and [`HybridSolution::resume`] reads it. Serialize it in any
/// serde format that preserves infinite and NaN values. Its first field is its
/// [format version](Self::FORMAT).
///
/// ```
/// use siconos_hybrid::{Action, HybridRecord, HybridSettings, HybridSolution, HybridSystem, Trigger, View};
///
/// // A ball rebounds with 0.9 of its speed, in two programs.
/// let mut ball = HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -9.81)?;
/// ball.event(Trigger::decreasing("y"), Action::set(|p| p.set(1, -0.9 * p.x()[1])))?;
/// let new = || HybridSolution::new(&ball, 0.0, &[1.0, 0.0], HybridSettings::default());
/// let mut first = new()?;
/// let _ = first.at(1.0)?;
/// let text = serde_json::to_string(&first.record()).unwrap();
/// let record: HybridRecord = serde_json::from_str(&text).unwrap();
/// assert_eq!(record.t(), first.last_fired(&[1])?[0]);
/// let _ = first.at(2.0)?;
///
/// let mut second = new()?;
/// second.resume(&record)?;
/// let _ = second.at(2.0)?;
/// assert_eq!(first.x(), second.x());
/// # Ok::<(), siconos_hybrid::HybridError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HybridRecord {
    // This is the first field, so that files of serde formats without field names are rejected as well.
    format: Format<{ HybridRecord::FORMAT }>,
    system: Fingerprint,
    events: Vec<Fingerprint>,
    solution: Fingerprint,
    /// `true` if the integration has begun.
    is_begun: bool,
    restart: Restart,
}

impl HybridRecord {
    /// Version of the format in which records are written. Records of newer versions cannot be read; the
    /// error contains both versions.
    pub const FORMAT: u32 = 1;

    /// Returns the time \[s\] of the restart that the record describes.
    #[must_use]
    pub fn t(&self) -> f64 {
        self.restart.t
    }

    /// Returns the direction of integration, or `None` if it was not known yet.
    #[must_use]
    pub fn direction(&self) -> Option<Direction> {
        self.restart.direction
    }
}

impl HybridSolution {
    /// Returns the record of the last restart of the integration. The integration restarts at the start,
    /// after events that changed a value, and every [`restart_every`](super::HybridSettings::restart_every).
    /// A record does not contain the state of the integrator between two restarts, so a resumed solution
    /// repeats the integration from the restart onwards.
    ///
    /// The record does not contain changes made to the solution after the restart (disabling events, clearing
    /// halts, setting parameters or firing times). Make these changes again after resuming.
    #[must_use]
    pub fn record(&self) -> HybridRecord {
        let restart = self.restart.clone().unwrap_or_else(|| {
            let mut restart = Restart::default();
            self.write_restart(&mut restart);
            restart
        });
        let events = self.system.events.iter().map(|event| fingerprint(&Named(&self.system, event)));
        HybridRecord {
            format: Format,
            system: fingerprint(&self.system),
            events: events.collect(),
            solution: fingerprint(&Start(self.t0, &self.settings)),
            is_begun: self.restart.is_some(),
            restart,
        }
    }

    /// Returns the time \[s\] of the restart that [`record`](Self::record) describes, or `None` before the
    /// start.
    #[must_use]
    pub fn restarted_at(&self) -> Option<f64> {
        self.restart.as_ref().map(|restart| restart.t)
    }

    /// Returns the number of firings and the time of the last firing of each event, in the order of the event
    /// numbers.
    #[must_use]
    pub fn firings(&self) -> &[Firings] {
        &self.firings
    }

    /// Resumes from a record of the same system with the same settings. All results are discarded. The
    /// solution is then bit-identical to the recorded solution, and its trajectory begins at the time of the
    /// record.
    ///
    /// # Errors
    ///
    /// [`HybridError::Model`] for the first difference found: [`ModelError::RecordCountMismatch`] and
    /// [`ModelError::RecordStructureMismatch`] if the system, the events or the settings differ;
    /// [`ModelError::WrongShape`] and [`ModelError::NotFinite`] if the record was edited.
    /// [`HybridError::InitialValue`] if the record contains a discrete value that is not valid for its type.
    /// On error, the solution is unchanged. User functions cannot be compared, so a difference between them
    /// is not detected.
    pub fn resume(&mut self, record: &HybridRecord) -> Result<(), HybridError> {
        self.check_record(record)?;
        let Restart {
            t,
            instant,
            direction,
            values,
            parameters,
            enabled,
            last_fired,
            histories,
            firings,
            pairs,
            guards,
            awaited,
            carried,
        } = record.restart.clone();
        self.reset();
        self.parameters.set_all(&parameters)?;
        self.direction = direction;
        self.enabled = enabled;
        self.event_workspace.values.clone_from(&values);
        if !record.is_begun {
            self.initial_parameters.copy_from(&self.parameters);
            self.initial.clone_from(&values);
            self.record.clear(self.t0, &values);
            self.show_present();
            return Ok(());
        }
        (self.event_workspace.t, self.instant, self.stage, self.is_stale) =
            (t, instant, Stage::Underway, false);
        self.before.clone_from(&values);
        (self.last_fired, self.histories, self.firings) = (last_fired, histories, firings);
        self.awaited = awaited;
        self.located.clear();
        for (pair, kept) in self.pairs.iter_mut().zip(pairs) {
            pair.recall(kept);
        }
        for (guard, watched) in self.guards.iter_mut().zip(&guards) {
            (guard.is_active, guard.band) = (watched.is_active, watched.band);
        }
        self.piece = self.piece_here();
        self.record.clear(t, &values);
        self.restart = Some(record.restart.clone());
        let s = self.sign() * t;
        self.integrator.recall(s, &countable(&carried));
        self.integrator.forget_roots();
        self.integrator
            .restart(s, &values[..self.system.names.len()])
            .map_err(|source| self.explain(source))?;
        self.show_present();
        self.measure_guards()
    }

    /// Records a restart of the integration at the current point.
    pub(super) fn note_restart(&mut self) {
        let mut restart = self.restart.take().unwrap_or_default();
        self.write_restart(&mut restart);
        self.restart = Some(restart);
    }

    /// Writes all values on which the solution after a restart depends. Reuses the memory of `restart`.
    fn write_restart(&self, restart: &mut Restart) {
        (restart.t, restart.instant, restart.direction) =
            (self.event_workspace.t, self.instant, self.direction);
        restart.values.clone_from(&self.event_workspace.values);
        restart.parameters.clear();
        restart.parameters.extend_from_slice(self.parameters.values());
        restart.enabled.clone_from(&self.enabled);
        restart.last_fired.clone_from(&self.last_fired);
        restart.histories.clone_from(&self.histories);
        restart.firings.clone_from(&self.firings);
        restart.pairs.clone_from(&self.pairs);
        restart.guards.clear();
        let guards = self.guards.iter();
        restart.guards.extend(guards.map(|it| WatchedGuard { is_active: it.is_active, band: it.band }));
        restart.awaited.clone_from(&self.awaited);
        self.integrator.save_into(&mut restart.carried);
    }

    /// Returns an error if the record belongs to another system or was edited.
    fn check_record(&self, record: &HybridRecord) -> Result<(), HybridError> {
        compare("the hybrid system", &self.system, &record.system)?;
        let (found, recorded) = (self.system.events.len(), record.events.len());
        if found != recorded {
            return Err(ModelError::RecordCountMismatch { what: "events", recorded, found }.into());
        }
        for ((number, event), recorded) in (1..).zip(&self.system.events).zip(&record.events) {
            compare(&format!("event {number}"), &Named(&self.system, event), recorded)?;
        }
        compare("the solution", &Start(self.t0, &self.settings), &record.solution)?;
        let kept = &record.restart;
        let (events, guards) = (self.system.events.len(), self.guards.len());
        for (what, expected, found) in [
            ("values", self.initial.len(), kept.values.len()),
            ("parameters", self.parameters.values().len(), kept.parameters.len()),
            ("enabled", events, kept.enabled.len()),
            ("last_fired", events, kept.last_fired.len()),
            ("histories", self.histories.len(), kept.histories.len()),
            ("firings", events, kept.firings.len()),
            ("pairs", self.pairs.len(), kept.pairs.len()),
            ("guards", guards, kept.guards.len()),
            ("awaited", guards, kept.awaited.len()),
        ] {
            check_shape(what, (expected, 1), (found, 1))?;
        }
        check_finite("t", [&kept.t, &kept.instant])?;
        check_finite("values", &kept.values)?;
        check_finite("parameters", &kept.parameters)?;
        check_finite("last_fired", kept.last_fired.iter().flatten())?;
        let bands = kept.guards.iter().filter_map(|guard| guard.band.as_ref());
        check_finite("bands", bands.map(|band| &band.width))?;
        kept.histories.iter().try_for_each(ImpactHistory::check)?;
        let discrete = self.system.discrete.iter().zip(&kept.values[self.system.names.len()..]);
        for (variable, value) in discrete {
            if let Some(must_be) = variable.kind.refuses(*value) {
                return Err(HybridError::InitialValue {
                    name: variable.name.clone(),
                    value: *value,
                    must_be,
                });
            }
        }
        Ok(())
    }
}

/// Returns an error if a description of this solution differs from its recorded fingerprint.
fn compare(which: &str, found: &impl HasParts, recorded: &Fingerprint) -> Result<(), ModelError> {
    match fingerprint(found).first_difference(recorded) {
        None => Ok(()),
        Some((part, difference)) => {
            Err(Box::new(StructureDifference { which: which.to_owned(), part, difference }).into())
        }
    }
}
