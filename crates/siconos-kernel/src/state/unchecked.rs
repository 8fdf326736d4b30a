//! A state as a file has it, and the check that it is one.

use std::ops::Range;

use serde::Deserialize;

use super::{LEVELS, Places, State};
use crate::arena::SideTable;
use crate::error::{ModelError, check_finite, check_shape};
use crate::model::{DynamicalSystem, Interaction, Parameters};

/// The fields of a [`State`], not yet checked against each other.
#[derive(Deserialize)]
pub(super) struct Unchecked {
    t: f64,
    step: usize,
    model_uid: u64,
    epoch: u64,
    outputs_stale: bool,
    parameters: Parameters,
    parameters_set: bool,
    systems: SideTable<DynamicalSystem, Places>,
    interactions: SideTable<Interaction, Range<usize>>,
    q: Vec<f64>,
    v: Vec<f64>,
    impulse: Vec<f64>,
    v_before: Vec<f64>,
    acceleration: Vec<f64>,
    y: [Vec<f64>; LEVELS],
    lambda: [Vec<f64>; LEVELS],
    closed: Vec<bool>,
}

impl TryFrom<Unchecked> for State {
    type Error = ModelError;

    fn try_from(data: Unchecked) -> Result<Self, ModelError> {
        let Unchecked {
            t,
            step,
            model_uid,
            epoch,
            outputs_stale,
            parameters,
            parameters_set,
            systems,
            interactions,
            q,
            v,
            impulse,
            v_before,
            acceleration,
            y,
            lambda,
            closed,
        } = data;
        check_finite("t", &[t])?;
        let positions = systems.values().map(|places| places.q.end).max().unwrap_or(0);
        let dofs = systems.values().map(|places| places.v.end).max().unwrap_or(0);
        let rows = interactions.values().map(|range| range.end).max().unwrap_or(0);
        for (what, size, vector) in [
            ("q", positions, &q),
            ("v", dofs, &v),
            ("impulse", dofs, &impulse),
            ("v_before", dofs, &v_before),
            ("acceleration", dofs, &acceleration),
        ] {
            check_shape(what, (size, 1), (vector.len(), 1))?;
            check_finite(what, vector)?;
        }
        check_shape("closed", (rows, 1), (closed.len(), 1))?;
        let y_names = ["y[0]", "y[1]", "y[2]"].into_iter().zip(&y);
        let lambda_names = ["lambda[0]", "lambda[1]", "lambda[2]"].into_iter().zip(&lambda);
        for (what, vector) in y_names.chain(lambda_names) {
            check_shape(what, (rows, 1), (vector.len(), 1))?;
            check_finite(what, vector)?;
        }
        let of_systems = systems.values().flat_map(|places| [&places.q, &places.v]);
        for range in of_systems.chain(interactions.values()) {
            // A range that ends before it begins has no length to be compared with anything.
            check_shape("range", (range.end.max(range.start), 1), (range.end, 1))?;
        }
        Ok(Self {
            t,
            step,
            model_uid,
            epoch,
            outputs_stale,
            parameters,
            parameters_set,
            systems,
            interactions,
            q,
            v,
            impulse,
            v_before,
            acceleration,
            y,
            lambda,
            closed,
        })
    }
}
