//! A state as it is kept: in a file, for another process, for a model that is built anew.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::fingerprints::{Collected, Comparison};
use super::format::Format;
use super::{ImpactHistory, LEVELS, State};
use crate::model::{Fingerprint, ModelError, NonSmoothDynamicalSystem, check_finite, check_shape};

/// Everything that a [`State`] holds, by order of birth of systems and interactions, with what has to be the
/// same in the model that it is put back for.
///
/// Ids and stamps are names in one process, and no part of it. [`State::record`] makes it, [`State::restore`]
/// makes a state of it; in between it may be written to a file in any format that serde knows. The number of
/// its [format](Self::FORMAT) comes first.
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
///     "dynamical system `ball` is another: its constant M is not that of the record"
/// );
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateRecord {
    // First, so that formats which do not name their fields are refused as well.
    format: Format<{ StateRecord::FORMAT }>,
    t: f64,
    step: usize,
    outputs_stale: bool,
    parameters_set: bool,
    parameters: Vec<ParameterRecord>,
    /// What systems, relations and laws are made of, each once. The others name their place here.
    fingerprints: Vec<Fingerprint>,
    /// Of the model as such.
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
    /// v, or x of a first-order system.
    v: Vec<f64>,
    v_before: Vec<f64>,
    acceleration: Vec<f64>,
    impulse: Vec<f64>,
    /// Empty where it is not known.
    mean_velocity: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct InteractionRecord {
    pub(super) name: Option<String>,
    /// Places in the order of birth.
    pub(super) systems: Vec<usize>,
    pub(super) relation: usize,
    pub(super) law: usize,
    /// By level.
    y: [Vec<f64>; LEVELS],
    lambda: [Vec<f64>; LEVELS],
    closed: Vec<bool>,
    impacts: Vec<ImpactHistory>,
}

impl StateRecord {
    /// The number of the format that is written, and the largest that is read. Reading a record of a newer
    /// format ends with an error that has both numbers.
    pub const FORMAT: u32 = 1;

    /// The time \[s\] of the state.
    #[must_use]
    pub fn t(&self) -> f64 {
        self.t
    }
}

impl State {
    /// Writes down everything, to be put back with [`restore`](Self::restore) in another process, or for a
    /// model that is built anew.
    ///
    /// # Errors
    ///
    /// [`ModelError::OtherModel`] for a model that this state does not belong to.
    pub fn record(&self, model: &NonSmoothDynamicalSystem) -> Result<StateRecord, ModelError> {
        if self.model_uid != model.uid() {
            return Err(ModelError::OtherModel);
        }
        if self.epoch != model.epoch() {
            return self.adopted(model, model.layout().clone()).record(model);
        }
        let parameters = model.parameters().iter().map(|(id, parameter)| ParameterRecord {
            name: parameter.name().to_owned(),
            values: self.parameter(id).to_vec(),
        });
        let mut fingerprints = Collected::default();
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
        let births = model.births();
        let interactions = model.interactions().iter().map(|(id, interaction)| {
            let rows = self.rows(id);
            let of =
                |vectors: &[Vec<f64>; LEVELS]| vectors.each_ref().map(|vector| vector[rows.clone()].to_vec());
            InteractionRecord {
                name: id.name().map(str::to_owned),
                systems: interaction.systems().iter().filter_map(|id| births.get(*id).copied()).collect(),
                relation: fingerprints.place_of(interaction.relation()),
                law: fingerprints.place_of(interaction.law()),
                y: of(&self.y),
                lambda: of(&self.lambda),
                closed: self.closed[rows.clone()].to_vec(),
                impacts: self.impacts[rows].to_vec(),
            }
        });
        let interactions = interactions.collect();
        Ok(StateRecord {
            format: Format,
            t: self.t,
            step: self.step,
            outputs_stale: self.outputs_stale,
            parameters_set: self.parameters_set,
            parameters: parameters.collect(),
            fingerprints: fingerprints.into_list(),
            model: of_model,
            systems,
            interactions,
        })
    }

    /// The state that a record was made of, for a model of the same structure: the same systems and
    /// interactions in the order in which they were added, of the same kinds, sizes and constants, with
    /// functions in the same places, and of the same [origin](crate::model::Origin). What functions of
    /// unknown origin return cannot be compared; that they are the same is up to the caller. Where both have
    /// a name, it is the same. Parameters are found by their names; one that the record does not have gets
    /// its initial values.
    ///
    /// # Errors
    ///
    /// [`ModelError::OtherCount`] and [`ModelError::OtherStructure`] name the first difference;
    /// [`ModelError::UnknownParameterName`], [`ModelError::NoFingerprint`], [`ModelError::WrongShape`],
    /// [`ModelError::NotFinite`] for a file that was changed.
    pub fn restore(model: &NonSmoothDynamicalSystem, record: &StateRecord) -> Result<Self, ModelError> {
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
        Ok(state)
    }
}

fn check_count(what: &'static str, recorded: usize, found: usize) -> Result<(), ModelError> {
    if recorded == found { Ok(()) } else { Err(ModelError::OtherCount { what, recorded, found }) }
}

/// Checks a vector of a record, and copies it to its place.
fn put(what: &'static str, from: &[f64], to: &mut [f64], place: Range<usize>) -> Result<(), ModelError> {
    check_shape(what, (place.len(), 1), (from.len(), 1))?;
    check_finite(what, from)?;
    to[place].copy_from_slice(from);
    Ok(())
}
