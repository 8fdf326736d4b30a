//! The class of nonlinear complementarity problems, and its methods.

use super::{DifferentiableMap, Newton, NewtonSettings, newton, residual};
use crate::method::{Class, methods};

/// Class of nonlinear complementarity problems, given by their [map](DifferentiableMap) F, with unknowns z
/// and w = F(z).
#[derive(Clone, Copy, Debug, Default)]
pub struct Ncp;

impl Class for Ncp {
    type Problem<'a> = dyn DifferentiableMap + 'a;

    fn sizes(map: &(dyn DifferentiableMap + '_)) -> (usize, usize) {
        (map.size(), map.size())
    }

    fn error_of_point(map: &(dyn DifferentiableMap + '_), z: &[f64], w: &mut [f64]) -> f64 {
        map.value(z, w);
        residual::error(z, w)
    }
}

methods! {
    /// Method for nonlinear complementarity problems, with its settings; see [`Method`](crate::Method).
    pub enum NcpMethod for Ncp {
        /// Semismooth Newton method with line search, on one of two complementarity functions.
        Newton(NewtonSettings) at newton in [NewtonSettings::default(), NewtonSettings::minimum()]; newton::describe => Newton::new,
    }
}
