//! What many tests begin with.

use siconos_kernel::prelude::*;

/// Equal steps from time 0 on.
pub(crate) fn grid(t_end: f64, h: f64) -> TimeDiscretisation {
    TimeDiscretisation::uniform(0.0, t_end, h).expect("a grid")
}
