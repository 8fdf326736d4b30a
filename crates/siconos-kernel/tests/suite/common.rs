//! Time grid and units for several tests.

use siconos_kernel::prelude::*;

/// Returns a grid of equal steps that starts at time 0.
pub(crate) fn grid(t_end: f64, h: f64) -> TimeDiscretisation {
    TimeDiscretisation::uniform(0.0, t_end, h).expect("a grid")
}

/// Units of a model, as multiples of SI units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    pub(crate) mass: f64,
    pub(crate) length: f64,
    pub(crate) time: f64,
}

pub(crate) const SI: Units = Units { mass: 1.0, length: 1.0, time: 1.0 };
