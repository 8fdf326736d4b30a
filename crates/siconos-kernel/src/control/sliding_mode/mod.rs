//! Sliding modes along a linear surface sigma = C x.

mod equivalent;
mod explicit;
mod implicit;

pub use equivalent::EquivalentControl;
pub use explicit::ExplicitLinearSlidingMode;
pub use implicit::LinearSlidingMode;
