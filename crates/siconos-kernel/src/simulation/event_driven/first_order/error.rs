//! Errors in the search for the next mode of a first-order system.

use crate::model::ModelError;
use crate::model::RelationId;

/// Reason why the event-driven simulation of a first-order system cannot continue.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModeError {
    /// No set of active constraints has an admissible motion, with or without a jump of the state.
    #[error(
        "t = {t}: no set of active constraints of {relation} and the interactions connected with it can be \
         followed from here, and no jump of the state leads to one; {sets} sets were tried"
    )]
    NoMode {
        /// Time of the error \[s\].
        t: f64,
        /// First interaction of the island that cannot continue. An island is a set of systems that are
        /// connected by interactions.
        relation: RelationId,
        /// Number of sets that were tried.
        sets: usize,
    },
    /// The number of constraints that change at the same time is too large to try all combinations.
    #[error(
        "t = {t}: {count} constraints of {relation} and the interactions connected with it are on their \
         boundary at once; the limit is {largest}"
    )]
    TooManyAtOnce {
        /// Time of the error \[s\].
        t: f64,
        /// First interaction of the island with these constraints.
        relation: RelationId,
        /// Number of constraints that change.
        count: usize,
        /// Maximum supported number of constraints.
        largest: usize,
    },
    /// A function of the model returned NaN or an infinite value.
    #[error("t = {t}: `{what}` is {value} at index {index}; it must be finite")]
    NotFinite {
        /// Time of the error \[s\].
        t: f64,
        /// Name of the vector.
        what: &'static str,
        /// Index of the entry.
        index: usize,
        /// Value of the entry.
        value: f64,
    },
    /// A nonlinear relation is not affine in lambda.
    #[error(
        "t = {t}: h or g of {relation} is not affine in lambda (off by {error:e} at the present lambda); \
         event detection requires y = h(t, x) + D lambda and r = g(t, x) + B lambda; use time-stepping"
    )]
    NotAffineInLambda {
        /// Interaction with the nonlinear relation.
        relation: RelationId,
        /// Time of the error \[s\].
        t: f64,
        /// Relative deviation from an affine function.
        error: f64,
    },
    /// M(t, x) has become singular.
    #[error("t = {t}: the matrix M of system {system} is singular: {source}")]
    SingularMass {
        /// System with the singular mass matrix.
        system: crate::model::DynamicalSystemId,
        /// Time of the error \[s\].
        t: f64,
        /// Error of the factorisation.
        source: siconos_linalg::SingularMatrix,
    },
    /// The equations for lambda on the active set have become singular during the motion.
    #[error(
        "t = {t}: the equations for lambda on the active set of {relation} and the interactions connected \
         with it have become singular: {source}"
    )]
    SingularMode {
        /// Time of the error \[s\].
        t: f64,
        /// First interaction of the island.
        relation: RelationId,
        /// Error of the factorisation.
        source: siconos_linalg::SingularMatrix,
    },
    /// An object of the model does not exist.
    #[error(transparent)]
    Model(#[from] ModelError),
}
