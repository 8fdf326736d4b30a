//! The class of affine variational inequalities, and its methods.

use super::{Auto, AutoSettings, AviProblem, CaoFerris, CaoFerrisSettings, auto, cao_ferris, residual};
use crate::method::{Class, methods};

/// Class of [affine variational inequalities](AviProblem). z is the point and w holds the multipliers of the
/// inequalities. No method needs an initial guess of the multipliers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Avi;

impl Class for Avi {
    type Problem<'a> = AviProblem<'a>;

    fn sizes(problem: &AviProblem<'_>) -> (usize, usize) {
        (problem.size(), problem.inequalities())
    }

    fn error_of_point(problem: &AviProblem<'_>, z: &[f64], lambda: &mut [f64]) -> f64 {
        residual::error(problem, z, lambda)
    }
}

methods! {
    /// Method for affine variational inequalities, with its settings; see [`Method`](crate::Method).
    pub enum AviMethod for Avi {
        /// Short solver cascade.
        Auto(AutoSettings); |_| &auto::DESCRIPTION => Auto::new,
        /// Path-following method from an extreme point.
        CaoFerris(CaoFerrisSettings); |_| &cao_ferris::DESCRIPTION => CaoFerris::new,
    }
}
