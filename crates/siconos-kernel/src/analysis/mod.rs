//! What can be said of a linear complementarity system before it is simulated.
//!
//! $$ \dot x = A x + B \lambda, \qquad y = C x + D \lambda, \qquad 0 \le y \perp \lambda \ge 0 $$
//!
//! As plain text: x' = A x + B lambda, y = C x + D lambda, with y and lambda nonnegative and orthogonal.
//!
//! | question | answered by | what it proves |
//! |---|---|---|
//! | which derivative of y does lambda act on? | [`RelativeDegree`] | the class of the solutions, and so the scheme that fits |
//! | does a scheme fit that class? | [`SchemeMismatch`] | the sentence that a simulation warns with, or refuses |
//! | is the state the smallest for its input and output? | [`Minimality`] | controllable and observable, with a distance |
//! | does the motion start without a jump? | [`InitialCondition`] | which rows or combination of rows forbid it |
//! | does it create no energy? | [`check_storage`], [`sample_positive_realness`] | passive by a storage function; or only necessary |
//! | has the step one solution whatever the data? | [`p_property`] of [`one_step_matrix`] | the P property |
//! | does backward Euler converge? | [`ConvergenceReport`] | the conditions of the theorem, one by one |
//!
//! [`LinearSystem::of`] takes the four matrices out of a model.
//!
//! **Units.** No answer depends on the units of x, y, lambda or time. Whether a computed number counts as
//! zero is decided beside the sum of the magnitudes of the terms that it was added up from, and where a norm
//! is needed the matrices are scaled first in a way that takes out the units.
//!
//! Everything here is for systems of up to some hundred states; it is called once, not in a time step.

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

pub use convergence::{Conclusion, ConvergenceData, ConvergenceReport};
pub use error::AnalysisError;
pub use initial_condition::{InitialCondition, ViolatedRow};
pub use linear_system::LinearSystem;
pub use minimality::{Minimality, PairProperty, PairTest};
pub use p_property::{LARGEST_WITH_ALL_MINORS, PVerdict, SufficientReason, one_step_matrix, p_property};
pub use passivity::{StorageVerdict, check_nonnegative_definite, check_storage};
pub use positive_real::{PositiveRealVerdict, sample_positive_realness};
pub use relative_degree::RelativeDegree;
pub use scheme_fit::SchemeMismatch;
