//! The class of mixed linear complementarity problems, and its methods.

use super::{
    Auto, AutoSettings, Elimination, EliminationSettings, Enumeration, EnumerationSettings, InteriorPoint,
    InteriorPointSettings, MlcpProblem, NewtonFischerBurmeister, ProjectedGaussSeidel,
    ProjectedGaussSeidelSettings, WarmActiveSet, WarmActiveSetSettings, auto, elimination, enumeration,
    interior_point, newton_fischer_burmeister, projected_gauss_seidel, residual, warm_active_set,
};
use crate::method::{Class, methods};
use crate::semismooth_newton::SemismoothNewtonSettings;

/// The class of [mixed linear complementarity problems](MlcpProblem): z the unknowns, w = M z + q.
#[derive(Debug)]
pub enum Mlcp {}

impl Class for Mlcp {
    type Problem<'a> = MlcpProblem<'a>;

    fn sizes(problem: &MlcpProblem<'_>) -> (usize, usize) {
        (problem.size(), problem.size())
    }

    fn error_of_point(problem: &MlcpProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
        residual::error_of_point(problem, z, w)
    }

    fn siconos_error(problem: &MlcpProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
        residual::siconos_error(problem.q(), problem.rows(), z, w)
    }
}

methods! {
    /// The choice of a method for mixed problems, with its settings; see [`Method`](crate::Method).
    ///
    /// ```
    /// use siconos_numerics::Method;
    /// use siconos_numerics::mlcp::{AutoSettings, MlcpMethod};
    ///
    /// let method = MlcpMethod::Auto(AutoSettings { tolerance: 1e-9, ..Default::default() });
    /// let text = serde_json::to_string(&method).unwrap();
    /// assert_eq!(serde_json::from_str::<MlcpMethod>(&text).unwrap(), method);
    /// assert_eq!(MlcpMethod::from_name("elimination").unwrap().build()?.name(), "elimination");
    /// # Ok::<(), siconos_numerics::SettingsError>(())
    /// ```
    pub enum MlcpMethod for Mlcp {
        /// One method after the other.
        Auto(AutoSettings); |_| &auto::DESCRIPTION => Auto::new,
        /// Elimination of the free unknowns; what remains is a linear complementarity problem.
        Elimination(EliminationSettings); |_| &elimination::DESCRIPTION => Elimination::from_settings,
        /// Semismooth Newton on the Fischer-Burmeister equations.
        NewtonFischerBurmeister(SemismoothNewtonSettings);
            |_| &newton_fischer_burmeister::DESCRIPTION => NewtonFischerBurmeister::new,
        /// Mehrotra's interior-point steps.
        InteriorPoint(InteriorPointSettings); |_| &interior_point::DESCRIPTION => InteriorPoint::new,
        /// All complementary bases.
        Enumeration(EnumerationSettings); |_| &enumeration::DESCRIPTION => Enumeration::new,
        /// Projected Gauss-Seidel.
        ProjectedGaussSeidel(ProjectedGaussSeidelSettings);
            |_| &projected_gauss_seidel::DESCRIPTION => ProjectedGaussSeidel::new,
        /// The last active sets first.
        WarmActiveSet(WarmActiveSetSettings); |_| &warm_active_set::DESCRIPTION => WarmActiveSet::from_settings,
    }
}
