//! Why a first-order system has no next mode.

use crate::model::{InteractionId, ModelError};

/// Why the motion of a first-order system cannot go on by events.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModeError {
    /// No set of active constraints has a motion that stays admissible, with or without a jump of the state.
    #[error(
        "t = {t}: no set of active constraints of interaction {interaction} and of what it is connected with can be \
         followed from here, and no jump of the state leads to one; {sets} sets were tried"
    )]
    NoMode {
        /// The time \[s\].
        t: f64,
        /// The first interaction of the part of the model that cannot go on: of the systems that interactions
        /// connect.
        interaction: InteractionId,
        /// How many sets were tried.
        sets: usize,
    },
    /// More constraints change at once than sets of them can be tried.
    #[error(
        "t = {t}: {count} constraints of interaction {interaction} and of what it is connected with are on their \
         boundary at once; at most {largest} can be told apart"
    )]
    TooManyAtOnce {
        /// The time \[s\].
        t: f64,
        /// The first interaction of the part of the model that they are in.
        interaction: InteractionId,
        /// The number of constraints.
        count: usize,
        /// The largest number.
        largest: usize,
    },
    /// A function of the model returned NaN or an infinite value.
    #[error("t = {t}: `{what}` is {value} at index {index}; it must be finite")]
    NotFinite {
        /// The time \[s\].
        t: f64,
        /// Which vector.
        what: &'static str,
        /// The entry.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A nonlinear relation is not affine in lambda.
    #[error(
        "t = {t}: h or g of interaction {interaction} is not affine in lambda (off by {error:e} at the present one); \
         event detection needs y = h(t, x) + D lambda and r = g(t, x) + B lambda, time-stepping does not"
    )]
    NotAffineInLambda {
        /// The interaction.
        interaction: InteractionId,
        /// The time \[s\].
        t: f64,
        /// How far it is off.
        error: f64,
    },
    /// M(t, x) has become singular.
    #[error("t = {t}: the matrix M of system {system} is singular: {source}")]
    SingularMass {
        /// The system.
        system: crate::model::DynamicalSystemId,
        /// The time \[s\].
        t: f64,
        /// What showed it.
        source: siconos_linalg::SingularMatrix,
    },
    /// The equations for lambda on the active set have become singular on the way.
    #[error(
        "t = {t}: the equations for lambda on the active set of interaction {interaction} and of what it is connected \
         with have become singular: {source}"
    )]
    SingularMode {
        /// The time \[s\].
        t: f64,
        /// The first interaction of the part of the model that they are of.
        interaction: InteractionId,
        /// What showed it.
        source: siconos_linalg::SingularMatrix,
    },
    /// Something of the model is gone.
    #[error(transparent)]
    Model(#[from] ModelError),
}
