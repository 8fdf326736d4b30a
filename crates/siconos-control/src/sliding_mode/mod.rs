//! Sliding modes on a linear surface sigma = C x = 0.

mod explicit;
mod implicit;
mod surface;

pub use explicit::ExplicitLinearSlidingMode;
pub use implicit::LinearSlidingMode;
pub use surface::EquivalentControl;
