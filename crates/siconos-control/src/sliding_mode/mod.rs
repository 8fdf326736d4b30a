//! Sliding modes along a linear surface sigma = C x.

mod explicit;
mod implicit;
mod surface;

pub use explicit::ExplicitLinearSlidingMode;
pub use implicit::LinearSlidingMode;
pub use surface::EquivalentControl;
