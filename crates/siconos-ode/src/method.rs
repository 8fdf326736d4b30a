//! The methods that a user chooses from.

use serde::{Deserialize, Serialize};

/// Method of integration; see [the table](super).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Method {
    /// Dormand and Prince, order 5(4): DOPRI5.
    Explicit,
    /// Dormand and Prince, order 8(5, 3): DOP853. For smooth systems and tight tolerances.
    HighOrder,
    /// Radau IIA, order 5. Its steps are chosen as in RADAU5, by an estimate of order 3 against tolerances to
    /// the power 2/3: where stiffness lowers the order, as on x' = -1000 (x - cos t) - sin t, the error may
    /// be some hundred times a tight tolerance.
    Stiff,
    /// The first or the second as the tolerance asks, and the third where the system is
    /// [stiff](super#when-auto-changes).
    #[default]
    Auto,
}
