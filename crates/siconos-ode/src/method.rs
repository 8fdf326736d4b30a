//! Integration methods.

use serde::{Deserialize, Serialize};

/// Integration method; see [the table](super).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Method {
    /// Dormand and Prince, order 5(4): DOPRI5.
    Explicit,
    /// Dormand and Prince, order 8(5, 3): DOP853. For smooth systems and tight tolerances.
    HighOrder,
    /// Radau IIA, order 5, for stiff systems and mass matrices. As in RADAU5, the step length is based on an
    /// error estimate of order 3, which is compared with the tolerances raised to the power 2/3. If stiffness
    /// reduces the order, as for x' = -1000 (x - cos t) - sin t, the error can be several hundred times the
    /// tolerance.
    Stiff,
    /// [`Explicit`](Self::Explicit) or [`HighOrder`](Self::HighOrder), depending on the tolerances, and
    /// [`Stiff`](Self::Stiff) while the system is [stiff](super#automatic-switching).
    #[default]
    Auto,
}
