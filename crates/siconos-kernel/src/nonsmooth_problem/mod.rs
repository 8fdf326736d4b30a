//! One-step nonsmooth problems: assembly from the contacts of a model, and solution by the solvers of
//! `siconos_numerics`.
//!
//! In the notation of the developers' notes of Siconos, section 2.2, the problem for the unitary relations a,
//! b in the index set is
//!
//! $$ w_a = \sum_b \Bigl( \sum_{i \in a \cap b} H_a^i W_i^{-1} H_b^{iT} \Bigr) \lambda_b +
//!    \sum_{i \in a} H_a^i v_{free}^i + \dots $$
//!
//! where i runs over the systems shared by a and b. The cost therefore grows with the number of couplings,
//! not with the square of the number of contacts. The dots represent the restitution, the motion of the
//! constraint itself, and the compliance. For first-order systems (section 2.1, and section 8 for the
//! linearisation by Newton's method), the problem is
//!
//! $$ y_a = \sum_b \Bigl( D_{ab} + h \theta_r \gamma \sum_{i \in a \cap b} C_a^i W_i^{-1} B_b^i \Bigr)
//!    \lambda_b + \dots $$

mod bilateral;
mod class;
mod contact_kind;
mod couplings;
mod delassus;
mod detected_contacts;
mod fullness;
mod index_sets;
mod island_problem;
mod islands;
mod laws;
mod mixed_form;
mod motion;
mod one_step;
mod problem_units;
mod rows;
mod solver;
mod solvers;
mod storage;
mod table_changes;
mod table_entries;
mod tables;
mod unitary_relation;

pub(crate) use bilateral::BilateralSystem;
pub(crate) use contact_kind::{ContactKind, ImposedVariables};
pub(crate) use delassus::{Blocks, Coefficients, Delassus};
pub(crate) use index_sets::IndexSet;
pub(crate) use islands::{Island, Islands};
pub(crate) use one_step::{Assembly, NOTHING_TO_SOLVE, OneStepNonSmoothProblem, Unsolved, together};
pub(crate) use problem_units::{Entries, ProblemUnits};
pub(crate) use rows::{Row, magnitude};
pub(crate) use solver::check_tolerance;
pub use solver::{OneStepClass, OneStepSolver};
pub(crate) use table_changes::{Changed, Moves};
pub(crate) use table_entries::{
    Block, BlockIndex, Incidence, InteractionEntry, InteractionIndex, Part, RowEntry, SystemEntry,
    SystemIndex, UnitaryEntry, UnitaryIndex,
};
pub(crate) use tables::Tables;
pub use unitary_relation::UnitaryRelation;
