//! First-order systems: schemes, relations, laws and references.
//!
//! All tests share one program, because every test program is linked separately.

mod alternation;
mod assembly;
mod bounds;
mod cancellation;
mod combinations;
mod coupling;
mod fit;
mod jumps;
pub(crate) mod ladder;
mod laws;
mod limit_cycles;
mod magnitudes;
mod newton;
mod not_finite;
mod orders;
mod properties;
mod recovery;
mod reference;
mod relations;
mod smooth;
mod support;
mod units;
mod view;
mod wrong_input;
