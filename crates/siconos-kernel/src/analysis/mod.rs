//! Properties of a linear complementarity system that can be computed before a simulation.
//!
//! $$ \dot x = A x + B \lambda, \qquad y = C x + D \lambda, \qquad 0 \le y \perp \lambda \ge 0 $$
//!
//! As plain text: x' = A x + B lambda, y = C x + D lambda, with y and lambda nonnegative and orthogonal.
//!
//! | question | function or type | result |
//! |---|---|---|
//! | which derivative of y does lambda act on? | [`RelativeDegree`] | class of the solutions |
//! | does a scheme fit that class? | [`SchemeMismatch`] | text of the warning or error of a simulation |
//! | is the state minimal? | [`Minimality`] | controllability and observability, each with a margin |
//! | can the motion start without a jump? | [`InitialCondition`] | rows that prevent it |
//! | is the system passive? | [`check_storage`] | proof from a given storage function |
//! | can the system be passive? | [`sample_positive_realness`] | necessary condition |
//! | does every step have exactly one solution? | [`p_property`] of [`one_step_matrix`] | P property |
//! | does backward Euler converge? | [`ConvergenceReport`] | each condition of the convergence theorem |
//!
//! [`LinearSystem::of`] extracts the four matrices from a model.
//!
//! **Units.** No result depends on the units of x, y, lambda or time. A computed value counts as zero if it
//! is small compared with the sum of the magnitudes of its terms. If a norm is needed, the matrices are first
//! scaled so that the result does not depend on their units.
//!
//! The functions are designed for systems of up to a few hundred states. They are called once, not in every
//! time step.

pub(crate) mod balance;
mod convergence;
pub(crate) mod equilibration;
mod error;
mod initial_condition;
mod linear_system;
mod linearise;
mod minimality;
mod p_property;
pub(crate) mod passivity;
mod positive_real;
mod relative_degree;
mod scheme_fit;

pub use convergence::{ConvergenceConclusion, ConvergenceData, ConvergenceReport};
pub use error::AnalysisError;
pub use initial_condition::{InitialCondition, ViolatedRow};
pub use linear_system::LinearSystem;
pub use minimality::{Minimality, PairProperty, PairTest};
pub use p_property::{LARGEST_WITH_ALL_MINORS, PProperty, SufficientReason, one_step_matrix, p_property};
pub use passivity::{StorageCheck, check_nonnegative_definite, check_storage};
pub use positive_real::{PositiveRealness, sample_positive_realness};
pub use relative_degree::RelativeDegree;
pub use scheme_fit::SchemeMismatch;
