//! What event detection refuses, before anything moves.

use ndarray::Array2;
use siconos_numerics::linalg::symmetric_eigen;

use super::ModeError;
use super::data::Data;
use crate::analysis::{PVerdict, p_property};
use crate::error::SimulationError;
use crate::model::{DynamicalSystem, InteractionId, NonSmoothDynamicalSystem, NonSmoothLaw};

const INTEGRATOR: &str = "EventDriven";

fn refuse<T>(
    interaction: InteractionId,
    what: &'static str,
    instead: &'static str,
) -> Result<T, SimulationError> {
    Err(SimulationError::Unsupported { interaction, integrator: INTEGRATOR, what, instead })
}

/// Refuses systems and laws that cannot be carried, in a model of first-order systems.
pub(super) fn kinds(model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
    for (id, system) in model.systems().iter() {
        if matches!(system, DynamicalSystem::FirstOrderNonlinear(system) if system.has_control()) {
            return Err(SimulationError::UnsupportedSystem {
                system: id,
                integrator: INTEGRATOR,
                what: "a control term that may depend on the rate of x",
                instead: "make it a part of f(t, x)",
            });
        }
    }
    for (id, interaction) in model.interactions().iter() {
        let others =
            "event detection of first-order systems is for complementarity and equality; use TimeStepping";
        let (what, instead) = match interaction.law() {
            NonSmoothLaw::Complementarity(_)
            | NonSmoothLaw::Equality(_)
            | NonSmoothLaw::MixedComplementarity(_) => continue,
            NonSmoothLaw::Relay(_) => (
                "a relay, whose solutions may slide along its switching surface",
                "write it as complementarity with D if it is a saturation, or use TimeStepping",
            ),
            NonSmoothLaw::NewtonImpact(_) => (
                "an impact law on a first-order system",
                "take a ComplementarityCondition: first-order systems have no restitution",
            ),
            NonSmoothLaw::NewtonImpactFriction(_) => ("friction", others),
            NonSmoothLaw::NormalCone(_) => ("a polyhedron of multipliers", others),
            NonSmoothLaw::Cone(_) => ("a second-order cone", others),
        };
        return refuse(id, what, instead);
    }
    Ok(())
}

/// Refuses of an island singular mass matrices, relative degrees above 1, and matrices of lambda without a
/// unique motion, where all these are constant; where they vary, the search for a mode tells.
pub(super) fn matrices(data: &mut Data) -> Result<(), SimulationError> {
    let x0 = data.initial_states();
    match data.evaluate(0.0, &x0, false) {
        Err(ModeError::SingularMass { system, .. }) => {
            return Err(SimulationError::UnsupportedSystem {
                system,
                integrator: INTEGRATOR,
                what: "a singular matrix M",
                instead: "eliminate the algebraic equations, or state them as an interaction with EqualityCondition",
            });
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
            return refuse(
                interaction,
                "a row of y that lambda acts on through its second derivative or later (D = 0 and C B = 0)",
                "use TimeStepping, or write the mechanics as a Lagrangian system",
            );
        }
    }
    if data.is_equality.contains(&true) {
        return Ok(());
    }
    let leading = Array2::from_shape_fn((rows, rows), |(i, j)| {
        if data.shows_lambda(i) { data.d[[i, j]] } else { data.gain(i, j) }
    });
    let PVerdict::NotPMatrix { index_set, .. } = p_property(leading.view())? else { return Ok(()) };
    let symmetric = &data.d + &data.d.t();
    let least = symmetric_eigen(symmetric.view()).ok().and_then(|eigen| {
        let largest = eigen.values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        eigen.values.first().map(|least| *least >= -1e-12 * largest)
    });
    let pushes_back = |row: usize| data.shows_lambda(row) || data.gain(row, row) >= 0.0;
    if least == Some(true) && (0..rows).all(pushes_back) {
        return Ok(());
    }
    match index_set.first().and_then(|row| data.interaction(*row)) {
        Some(interaction) => refuse(
            interaction,
            "a matrix of lambda (D, or C B where D is zero) that is neither a P-matrix nor positive semidefinite: the motion may \
             not exist or not be unique",
            "look at the signs of B, C and D; TimeStepping solves such a system step by step if one solution will do",
        ),
        None => Ok(()),
    }
}
