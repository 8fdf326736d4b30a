//! The class of mixed nonlinear complementarity problems, and its methods.

use super::{McpProblem, Newton, NewtonSettings, newton, residual};
use crate::method::{Class, methods};

/// Class of [mixed nonlinear complementarity problems](McpProblem) with unknowns z and w = F(z).
#[derive(Clone, Copy, Debug, Default)]
pub struct Mcp;

impl Class for Mcp {
    type Problem<'a> = McpProblem<'a>;

    fn sizes(problem: &McpProblem<'_>) -> (usize, usize) {
        (problem.size(), problem.size())
    }

    fn error_of_point(problem: &McpProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
        problem.map().value(z, w);
        residual::error(problem.equalities(), z, w)
    }
}

methods! {
    /// Method for mixed nonlinear problems, with its settings; see [`Method`](crate::Method).
    pub enum McpMethod for Mcp {
        /// Semismooth Newton method with line search, on one of two complementarity functions.
        Newton(NewtonSettings) at newton in [NewtonSettings::default(), NewtonSettings::minimum()]; newton::describe => Newton::new,
    }
}
