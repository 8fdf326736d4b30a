//! The class of variational inequalities, and its methods.

use super::{
    BoxNewtonSettings, BoxViProblem, Extragradient, FixedPoint, HyperplaneProjection,
    HyperplaneProjectionSettings, Newton, ViProblem, hyperplane_projection, projection, residual,
};
use crate::engine::fixed_point::FixedPointSettings;
use crate::method::{Class, methods};

/// Class of [variational inequalities](ViProblem): z is the point, w = F(z).
#[derive(Clone, Copy, Debug, Default)]
pub struct Vi;

impl Class for Vi {
    type Problem<'a> = ViProblem<'a>;

    fn sizes(problem: &ViProblem<'_>) -> (usize, usize) {
        (problem.size(), problem.size())
    }

    fn error_of_point(problem: &ViProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
        problem.map(z, w);
        residual::error(problem, z)
    }
}

/// Class of [variational inequalities over a box](BoxViProblem) with a differentiable map: z is the point, w
/// = F(z).
#[derive(Clone, Copy, Debug, Default)]
pub struct BoxVi;

impl Class for BoxVi {
    type Problem<'a> = BoxViProblem<'a>;

    fn sizes(problem: &BoxViProblem<'_>) -> (usize, usize) {
        (problem.size(), problem.size())
    }

    fn error_of_point(problem: &BoxViProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
        problem.map().value(z, w);
        residual::box_error(problem, z, w)
    }
}

methods! {
    /// Method for variational inequalities, with its settings; see [`Method`](crate::Method). The default is
    /// the extragradient method, which requires only monotonicity.
    pub enum ViMethod for Vi {
        /// The extragradient method.
        Extragradient(FixedPointSettings); |_| &projection::EXTRAGRADIENT => Extragradient::new,
        /// The projected fixed-point iteration.
        FixedPoint(FixedPointSettings); |_| &projection::FIXED_POINT => FixedPoint::new,
        /// The hyperplane projection method.
        HyperplaneProjection(HyperplaneProjectionSettings);
            |_| &hyperplane_projection::DESCRIPTION => HyperplaneProjection::new,
    }
}

methods! {
    /// Method for variational inequalities over a box, with its settings; see [`Method`](crate::Method).
    pub enum BoxViMethod for BoxVi {
        /// Semismooth Newton method with line search. Two search directions are available.
        Newton(BoxNewtonSettings) at newton in BoxNewtonSettings::of_each_direction();
            BoxNewtonSettings::description => Newton::new,
    }
}
