//! Checks of the matrices of an island for event detection, before the simulation starts.

use ndarray::Array2;
use siconos_linalg::symmetric_eigen;

use super::super::check::{refuse_interaction, refuse_system};
use super::ModeError;
use super::data::IslandData;
use crate::analysis::{PProperty, p_property};
use crate::model::Refusal;
use crate::simulation::SimulationError;

/// Returns an error if a mass matrix is singular in the initial state. If all matrices are constant, also
/// returns an error if a relative degree is above 1, or if the matrices that multiply lambda do not determine
/// a unique motion. If matrices vary, the search for a mode reports these two cases.
pub(super) fn matrices(data: &mut IslandData) -> Result<(), SimulationError> {
    let x0 = data.initial_states();
    match data.evaluate(0.0, &x0, false) {
        Err(ModeError::SingularMass { system, .. }) => {
            let what = "a singular matrix M";
            let instead =
                "eliminate the algebraic equations, or write them as an interaction with EqualityCondition";
            return Err(refuse_system(system, Refusal::new(what, instead)));
        }
        other => other?,
    }
    if data.matrices_vary || data.rows() == 0 {
        return Ok(());
    }
    let rows = data.rows();
    for row in 0..rows {
        let Some(interaction) = data.interaction(row) else { continue };
        if !data.shows_lambda(row) && (0..rows).all(|j| data.gain(row, j) == 0.0) {
            let what = "a row of y on which lambda acts only through its second or a higher derivative (D = 0 and C B = 0)";
            let instead = "use TimeStepping, or write the mechanics as a Lagrangian system";
            return Err(refuse_interaction(interaction, Refusal::new(what, instead)));
        }
    }
    if data.is_equality.contains(&true) {
        return Ok(());
    }
    let leading = Array2::from_shape_fn((rows, rows), |(i, j)| data.leading(i, j));
    let PProperty::NotPMatrix { index_set, .. } = p_property(leading.view())? else { return Ok(()) };
    let symmetric = &data.d + &data.d.t();
    let least = symmetric_eigen(symmetric.view()).ok().and_then(|eigen| {
        let largest = eigen.values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        eigen.values.first().map(|least| *least >= -1e-12 * largest)
    });
    let pushes_back = |row: usize| data.shows_lambda(row) || data.gain(row, row) >= 0.0;
    if least == Some(true) && (0..rows).all(pushes_back) {
        return Ok(());
    }
    let refused = index_set.first().and_then(|row| data.interaction(*row)).map(|interaction| {
        let what = "a matrix of lambda (D, or C B where D is zero) that is neither a P-matrix nor positive semidefinite: the motion may \
                    not exist or may not be unique";
        let instead = "check the signs of B, C and D; use TimeStepping if any of the solutions is acceptable";
        refuse_interaction(interaction, Refusal::new(what, instead))
    });
    refused.map_or(Ok(()), Err)
}
