//! The class of relay problems, and its methods.

use super::{
    Auto, AutoSettings, CaoFerris, Enumeration, EnumerationSettings, Lemke, LemkeSettings, NewtonSettings,
    ProjectedGaussSeidel, ProjectedGaussSeidelSettings, RelayProblem, SemismoothNewton, auto, cao_ferris,
    enumeration, lemke, projected_gauss_seidel, residual, semismooth_newton,
};
use crate::avi::CaoFerrisSettings;
use crate::method::{Class, methods};

/// The class of [relay problems](RelayProblem): z between the bounds, w = M z + q.
#[derive(Debug)]
pub enum Relay {}

impl Class for Relay {
    type Problem<'a> = RelayProblem<'a>;

    fn sizes(problem: &RelayProblem<'_>) -> (usize, usize) {
        (problem.size(), problem.size())
    }

    fn error_of_point(problem: &RelayProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
        residual::error_of_point(problem, z, w)
    }

    fn siconos_error(problem: &RelayProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
        residual::siconos_error(problem, z, w)
    }
}

methods! {
    /// The choice of a method for relay problems, with its settings; see [`Method`](crate::Method).
    ///
    /// ```
    /// use siconos_numerics::Method;
    /// use siconos_numerics::relay::RelayMethod;
    ///
    /// let method = RelayMethod::from_name("projected-gauss-seidel").unwrap();
    /// let text = serde_json::to_string(&method).unwrap();
    /// assert_eq!(serde_json::from_str::<RelayMethod>(&text).unwrap(), method);
    /// assert_eq!(method.build()?.name(), "projected-gauss-seidel");
    /// # Ok::<(), siconos_numerics::SettingsError>(())
    /// ```
    pub enum RelayMethod for Relay {
        /// A short chain of methods, chosen by size and storage.
        Auto(AutoSettings); |_| &auto::DESCRIPTION => Auto::new,
        /// Path following from an extreme point.
        CaoFerris(CaoFerrisSettings); |_| &cao_ferris::DESCRIPTION => CaoFerris::new,
        /// All faces.
        Enumeration(EnumerationSettings); |_| &enumeration::DESCRIPTION => Enumeration::new,
        /// Complementary pivoting.
        Lemke(LemkeSettings); |_| &lemke::DESCRIPTION => Lemke::new,
        /// Projected Gauss-Seidel.
        ProjectedGaussSeidel(ProjectedGaussSeidelSettings);
            |_| &projected_gauss_seidel::DESCRIPTION => ProjectedGaussSeidel::new,
        /// Semismooth Newton.
        SemismoothNewton(NewtonSettings) at newton; |_| &semismooth_newton::DESCRIPTION => SemismoothNewton::new,
    }
}
