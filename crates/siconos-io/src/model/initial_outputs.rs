//! Check of the initial outputs of interactions in a file against the outputs that the relations compute.

use std::ops::Range;

use siconos_kernel::ModelError;
use siconos_kernel::model::{InteractionId, NonSmoothDynamicalSystem};
use siconos_kernel::state::State;

use crate::document::Diagnostics;

/// Maximum accepted difference between a given and a computed output y, as a fraction of the sum of the
/// magnitudes of the terms of y.
const TOLERANCE: f64 = 1e-9;

/// Relative change of a coordinate, used to estimate the magnitudes of the terms of y.
const CHANGE: f64 = 1.0 / (1 << 24) as f64;

/// Reports an error if an output differs from its value in the file.
pub(super) fn check(
    model: &NonSmoothDynamicalSystem,
    state: &State,
    id: InteractionId,
    given: &[f64],
    span: &Range<usize>,
    diagnostics: &mut Diagnostics<'_>,
) {
    let (Ok(found), Ok(sizes)) = (state.output(model, id), sizes_of_terms(model, state, id)) else { return };
    let mut all = found.iter().zip(given).zip(&sizes).enumerate();
    let is_off = |(_, ((found, given), size)): &(usize, ((&f64, &f64), &f64))| {
        let near = TOLERANCE * (*size + found.abs() + given.abs());
        let off = (*found - *given).abs();
        off.is_nan() || off > near
    };
    if let Some((index, ((found, given), _))) = all.find(is_off) {
        let message = format_args!(
            "the relation gives {found:?} for component {index} of y at the start, not {given:?}"
        );
        diagnostics.note(span, message);
    }
}

/// Estimates, for each output, the sum of the magnitudes of its terms by forward differences.
fn sizes_of_terms(
    model: &NonSmoothDynamicalSystem,
    state: &State,
    id: InteractionId,
) -> Result<Vec<f64>, ModelError> {
    let y = state.output(model, id)?;
    let (mut sizes, mut other) = (vec![0.0; y.len()], state.clone());
    for &system in model.interaction(id)?.systems() {
        let is_first_order = model.system(system)?.is_first_order();
        let at = if is_first_order { state.x(system) } else { state.q(system) };
        let mut moved = at.to_vec();
        for coordinate in 0..at.len() {
            moved[coordinate] = at[coordinate] * (1.0 + CHANGE);
            if is_first_order {
                other.set_x(system, &moved)?;
            } else {
                other.set_position(system, &moved)?;
            }
            moved[coordinate] = at[coordinate];
            for ((size, changed), y) in sizes.iter_mut().zip(other.output(model, id)?).zip(&y) {
                *size += (changed - y).abs() / CHANGE;
            }
        }
        if is_first_order {
            other.set_x(system, at)?;
        } else {
            other.set_position(system, at)?;
        }
    }
    Ok(sizes)
}
