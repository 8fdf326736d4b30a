//! Serialisable record of a state: for a file, another process, or a rebuilt model.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::contacts::ContactRecord;
use super::fingerprints::{Comparison, FingerprintList};
use super::record_format::RecordFormat;
use super::sleep::RestRecord;
use super::{ImpactHistory, LEVELS, State};
use crate::model::{Fingerprint, ModelError, NonSmoothDynamicalSystem, check_finite, check_shape};

/// Serialisable record of everything that a [`State`] contains, with fingerprints that identify the model to
/// which it belongs. Systems and interactions are listed in insertion order.
///
/// [`State::record`] creates a record, and [`State::restore`] creates a state from a record. A record can be
/// written to a file in any serde format. It contains no ids and no stamps, because these are valid only in
/// one process. Its first entry is the version of its [format](Self::FORMAT).
///
/// ```
/// # use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// // The same program, run twice, builds the same model.
/// let build = |mass: f64| {
///     let mut model = NonSmoothDynamicalSystem::new();
///     let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![mass]);
///     let ball = model.add_named_system("ball", ball)?;
///     Ok::<_, ModelError>((model, ball))
/// };
/// let (model, ball) = build(2.0)?;
/// let mut state = State::new(&model, 0.5);
/// state.set_velocity(ball, &[-3.0])?;
/// let text = serde_json::to_string(&state.record(&model)?).unwrap();
///
/// let (again, ball) = build(2.0)?;
/// let state = State::restore(&again, &serde_json::from_str(&text).unwrap())?;
/// assert_eq!((state.t, state.v(ball)), (0.5, &[-3.0][..]));
///
/// let (heavier, _) = build(2.5)?;
/// let refused = State::restore(&heavier, &serde_json::from_str(&text).unwrap()).unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "dynamical system `ball` does not match the record: its constant M is different"
/// );
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StateRecord {
    pub(super) head: RecordHead,
    /// Detected contacts of the last step.
    pub(super) contacts: Vec<ContactRecord>,
    /// Bodies that are slow or asleep.
    pub(super) rest: Vec<RestRecord>,
}

/// Part of a record that all format versions contain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RecordHead {
    // The first field, so that file formats without field names also reject a wrong format version.
    pub(super) format: RecordFormat,
    t: f64,
    step: usize,
    outputs_stale: bool,
    parameters_set: bool,
    parameters: Vec<ParameterRecord>,
    /// Fingerprints of systems, relations and laws, each stored once. Other fields refer to them by index.
    fingerprints: Vec<Fingerprint>,
    /// Index of the fingerprint of the model itself.
    model: usize,
    systems: Vec<SystemRecord>,
    interactions: Vec<InteractionRecord>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ParameterRecord {
    name: String,
    values: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SystemRecord {
    pub(super) name: Option<String>,
    pub(super) fingerprint: usize,
    q: Vec<f64>,
    /// Velocity, or x of a first-order system.
    v: Vec<f64>,
    v_before: Vec<f64>,
    acceleration: Vec<f64>,
    impulse: Vec<f64>,
    /// Mean velocity over the last step; empty if it is unknown.
    mean_velocity: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct InteractionRecord {
    pub(super) name: Option<String>,
    /// Systems of the interaction, as indices into the list of all systems in insertion order.
    pub(super) systems: Vec<usize>,
    pub(super) relation: usize,
    pub(super) law: usize,
    /// One vector per level.
    y: [Vec<f64>; LEVELS],
    lambda: [Vec<f64>; LEVELS],
    closed: Vec<bool>,
    impacts: Vec<ImpactHistory>,
}

impl StateRecord {
    /// Version of the format that this crate writes, and the newest version that it can read. Reading a
    /// record with a newer version returns an error that states both versions.
    pub const FORMAT: u32 = 3;

    /// Returns the time \[s\] of the state.
    #[must_use]
    pub fn t(&self) -> f64 {
        self.head.t
    }

    /// Iterates over the names and the values of the parameters, in the order of the model.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &[f64])> {
        self.head.parameters.iter().map(|own| (own.name.as_str(), own.values.as_slice()))
    }
}

impl State {
    /// Records the whole state, for [`restore`](Self::restore) in another process or for a rebuilt model.
    ///
    /// # Errors
    ///
    /// If the state does not belong to this model: [`ModelError::StateOfOtherModel`].
    pub fn record(&self, model: &NonSmoothDynamicalSystem) -> Result<StateRecord, ModelError> {
        if self.model_uid != model.uid() {
            return Err(ModelError::StateOfOtherModel);
        }
        if self.epoch != model.epoch() {
            return self.adopted(model, model.layout().clone()).record(model);
        }
        let parameters = model.parameters().iter().map(|(id, parameter)| ParameterRecord {
            name: parameter.name().to_owned(),
            values: self.parameter(id).to_vec(),
        });
        let mut fingerprints = FingerprintList::default();
        let of_model = fingerprints.place_of(model);
        let systems = model.systems().iter().map(|(id, system)| {
            let places = self.places(id);
            let of = |vector: &[f64]| vector[places.v.clone()].to_vec();
            SystemRecord {
                name: id.name().map(str::to_owned),
                fingerprint: fingerprints.place_of(system),
                q: self.q[places.q.clone()].to_vec(),
                v: of(&self.v),
                v_before: of(&self.v_before),
                acceleration: of(&self.acceleration),
                impulse: of(&self.impulse),
                mean_velocity: self.known_mean_velocity(places.v.clone()).unwrap_or_default().to_vec(),
            }
        });
        let systems = systems.collect();
        let insertion_order = model.insertion_order();
        let interactions = model.interactions().iter().map(|(id, interaction)| {
            let rows = self.rows(id);
            let of =
                |vectors: &[Vec<f64>; LEVELS]| vectors.each_ref().map(|vector| vector[rows.clone()].to_vec());
            InteractionRecord {
                name: id.name().map(str::to_owned),
                systems: interaction
                    .systems()
                    .iter()
                    .filter_map(|id| insertion_order.get(*id).copied())
                    .collect(),
                relation: fingerprints.place_of(interaction.relation()),
                law: fingerprints.place_of(interaction.law()),
                y: of(&self.y),
                lambda: of(&self.lambda),
                closed: self.closed[rows.clone()].to_vec(),
                impacts: self.impacts[rows].to_vec(),
            }
        });
        let interactions = interactions.collect();
        let place = |id| insertion_order.get(id).copied();
        let contacts = self.contacts.iter().filter_map(|contact| ContactRecord::of(contact, place));
        let contacts: Vec<_> = contacts.collect();
        let rest = self.rest_records(model);
        let head = RecordHead {
            format: RecordFormat::of(&contacts, &rest),
            t: self.t,
            step: self.step,
            outputs_stale: self.outputs_stale,
            parameters_set: self.parameters_set,
            parameters: parameters.collect(),
            fingerprints: fingerprints.into_list(),
            model: of_model,
            systems,
            interactions,
        };
        Ok(StateRecord { head, contacts, rest })
    }

    /// Creates the recorded state, for a model of the same structure.
    ///
    /// The model must have the same systems and interactions, added in the same order, with equal types,
    /// sizes, constants and [origins](crate::model::Origin), and with user functions for the same parts. User
    /// functions of unknown origin cannot be compared; the caller must ensure that they are equal. If an
    /// object has a name both in the record and in the model, the names must be equal. Parameters are
    /// identified by their names. A parameter that is missing from the record gets its initial values.
    ///
    /// # Errors
    ///
    /// [`ModelError::RecordCountMismatch`] or [`ModelError::RecordStructureMismatch`] with the first
    /// difference if the record and the model differ. [`ModelError::UnknownParameterName`],
    /// [`ModelError::NoFingerprint`], [`ModelError::WrongShape`] or [`ModelError::NotFinite`] if the file was
    /// modified.
    pub fn restore(model: &NonSmoothDynamicalSystem, record: &StateRecord) -> Result<Self, ModelError> {
        let StateRecord { head: record, contacts, rest } = record;
        check_finite("t", &[record.t])?;
        let mut state = Self::new(model, record.t);
        (state.step, state.outputs_stale, state.parameters_set) =
            (record.step, record.outputs_stale, record.parameters_set);
        for parameter in &record.parameters {
            let name = || ModelError::UnknownParameterName { name: parameter.name.clone() };
            let id = model.parameter_named(&parameter.name).ok_or_else(name)?;
            state.parameters.set(id, &parameter.values)?;
        }
        let comparison = Comparison::new(model, &record.fingerprints);
        comparison.of_model(record.model)?;
        check_count("dynamical systems", record.systems.len(), model.systems().len())?;
        for (index, ((id, system), kept)) in model.systems().iter().zip(&record.systems).enumerate() {
            comparison.of_system(index, id, system, kept)?;
            let places = state.places(id).clone();
            put("q", &kept.q, &mut state.q, places.q)?;
            for (what, from, to) in [
                ("v", &kept.v, &mut state.v),
                ("v_before", &kept.v_before, &mut state.v_before),
                ("acceleration", &kept.acceleration, &mut state.acceleration),
                ("impulse", &kept.impulse, &mut state.impulse),
            ] {
                put(what, from, to, places.v.clone())?;
            }
            if !kept.mean_velocity.is_empty() {
                state.mean_velocity.resize(state.v.len(), f64::NAN);
                put("mean_velocity", &kept.mean_velocity, &mut state.mean_velocity, places.v)?;
            }
        }
        check_count("interactions", record.interactions.len(), model.interactions().len())?;
        let interactions = model.interactions().iter().zip(&record.interactions);
        for (index, ((id, interaction), kept)) in interactions.enumerate() {
            comparison.of_interaction(index, id, interaction, kept)?;
            let rows = state.rows(id);
            for (from, to) in kept.y.iter().zip(&mut state.y) {
                put("y", from, to, rows.clone())?;
            }
            for (from, to) in kept.lambda.iter().zip(&mut state.lambda) {
                put("lambda", from, to, rows.clone())?;
            }
            check_shape("closed", (rows.len(), 1), (kept.closed.len(), 1))?;
            state.closed[rows.clone()].copy_from_slice(&kept.closed);
            check_shape("impacts", (rows.len(), 1), (kept.impacts.len(), 1))?;
            kept.impacts.iter().try_for_each(ImpactHistory::check)?;
            state.impacts[rows].copy_from_slice(&kept.impacts);
        }
        let systems: Vec<_> = model.systems().ids().collect();
        for kept in contacts {
            check_finite("contacts", &kept.numbers().collect::<Vec<_>>())?;
            let found = kept.contact(|index| systems.get(index).copied());
            let of_body = || ModelError::RecordCountMismatch {
                what: "bodies of detected contacts",
                recorded: record.systems.len(),
                found: systems.len(),
            };
            state.contacts.push(found.ok_or_else(of_body)?);
        }
        for kept in rest {
            check_finite("load", kept.load())?;
            let of_body = || ModelError::RecordCountMismatch {
                what: "bodies at rest",
                recorded: record.systems.len(),
                found: systems.len(),
            };
            let id = systems.get(kept.system).copied().ok_or_else(of_body)?;
            state.rest.insert(id, kept.rest);
        }
        Ok(state)
    }
}

fn check_count(what: &'static str, recorded: usize, found: usize) -> Result<(), ModelError> {
    if recorded == found { Ok(()) } else { Err(ModelError::RecordCountMismatch { what, recorded, found }) }
}

/// Checks a vector of a record and copies it to the range `place` of a vector of the state.
fn put(what: &'static str, from: &[f64], to: &mut [f64], place: Range<usize>) -> Result<(), ModelError> {
    check_shape(what, (place.len(), 1), (from.len(), 1))?;
    check_finite(what, from)?;
    to[place].copy_from_slice(from);
    Ok(())
}
