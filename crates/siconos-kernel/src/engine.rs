//! Internal building blocks of the kernel, for crates that add other kinds of systems: checks of input, user
//! functions, fingerprints, vectors in space, disjoint sets, and the detection of accumulating events. They
//! can change in any version.

pub use crate::analysis::balance::least_squares_logarithms;
pub use crate::analysis::equilibration::{frobenius, row_column_scaling, scaled};
pub use crate::analysis::passivity::check_positive_definite;
pub use crate::model::checks::{check_finite, check_shape, check_written};
pub use crate::model::closure::Closure;
pub use crate::model::dynamical_system::first_order_nonlinear::FirstOrderScratch;
pub use crate::model::dynamical_system::jacobian::{DifferenceScratch, check_step};
pub use crate::model::fingerprint::Fingerprint;
pub use crate::model::nonsmooth_dynamical_system::next_stamp;
pub use crate::model::partition::Partition;
pub use crate::model::parts::{HasParts, PartList, fingerprint};
pub use crate::model::relation::values::RelationValues;
pub use crate::model::rotation::vector;
pub use crate::settings_error::{check_number, check_positive};
pub use crate::simulation::accumulation::{accumulates, is_unresolved, note_impact};
pub use crate::simulation::carried::countable;
pub use crate::state::format::Format;
pub use crate::state::impact_history::ImpactHistory;
