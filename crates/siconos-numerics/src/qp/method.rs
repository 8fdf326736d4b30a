//! The class of convex quadratic programs, and its methods.

use super::{
    Admm, AdmmSettings, ClarabelQp, ClarabelSettings, ProjectedGradient, ProjectedGradientSettings,
    QpProblem, admm, clarabel_qp, projected_gradient, residual,
};
use crate::method::{Class, methods};

/// Class of [convex quadratic programs](QpProblem): z is the point x and w the multipliers y, with
/// $M x + q + A^T y = 0$ (A is the identity for a program over a set).
#[derive(Clone, Copy, Debug, Default)]
pub struct Qp;

impl Class for Qp {
    type Problem<'a> = QpProblem<'a>;

    fn sizes(problem: &QpProblem<'_>) -> (usize, usize) {
        (problem.size(), problem.multipliers())
    }

    fn error_of_point(problem: &QpProblem<'_>, x: &[f64], y: &mut [f64]) -> f64 {
        residual::error(problem, x, y)
    }
}

methods! {
    /// Method for convex quadratic programs, with its settings; see [`Method`](crate::Method). The default is
    /// the interior-point method, which is accurate and needs no tuning.
    ///
    /// ```
    /// use siconos_numerics::Method;
    /// use siconos_numerics::qp::QpMethod;
    ///
    /// let mut method = QpMethod::from_name("admm").unwrap();
    /// method.set_tolerance(1e-6);
    /// assert_eq!(method.build()?.tolerance(), 1e-6);
    /// # Ok::<(), siconos_numerics::SettingsError>(())
    /// ```
    pub enum QpMethod for Qp {
        /// The interior-point method of the crate `clarabel`.
        Clarabel(ClarabelSettings); |_| &clarabel_qp::DESCRIPTION => ClarabelQp::new,
        /// Spectral projected gradient method.
        ProjectedGradient(ProjectedGradientSettings); |_| &projected_gradient::DESCRIPTION => ProjectedGradient::new,
        /// The alternating direction method of multipliers.
        Admm(AdmmSettings); |_| &admm::DESCRIPTION => Admm::new,
    }
}
