//! The class of linear complementarity problems, and its methods.

use super::{
    Auto, AutoSettings, ConjugateProjectedGradient, ConjugateProjectedGradientSettings, Enumeration,
    EnumerationSettings, InteriorPoint, InteriorPointSettings, Latin, LatinSettings, LcpProblem, Lemke,
    LemkeSettings, NewtonFischerBurmeister, NewtonMin, NewtonMinLineSearch, NewtonMinSettings,
    PrincipalPivoting, PrincipalPivotingSettings, ProjectedGaussSeidel, ProjectedGaussSeidelSettings,
    ProjectedGradient, QuadraticProgram, QuadraticProgramSettings, SequentialQuadraticProgram,
    SequentialQuadraticProgramSettings, auto, conjugate_projected_gradient, enumeration, interior_point,
    lemke, newton_fb, newton_min, projected_gradient, quadratic_program, residual,
    sequential_quadratic_program,
};
use crate::method::{Class, methods};
use crate::qp::ProjectedGradientSettings;
use crate::semismooth_newton::SemismoothNewtonSettings;

/// The class of [linear complementarity problems](LcpProblem): z the unknowns, w = M z + q.
#[derive(Debug)]
pub enum Lcp {}

impl Class for Lcp {
    type Problem<'a> = LcpProblem<'a>;

    fn sizes(problem: &LcpProblem<'_>) -> (usize, usize) {
        (problem.size(), problem.size())
    }

    fn error_of_point(problem: &LcpProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
        residual::error_of_point(problem, z, w)
    }

    fn siconos_error(problem: &LcpProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
        residual::siconos_error(problem.q(), z, w)
    }
}

methods! {
    /// The choice of a method for linear complementarity problems, with its settings; see [`Method`](crate::Method).
    ///
    /// ```
    /// use siconos_numerics::Method;
    /// use siconos_numerics::lcp::{LcpMethod, LemkeSettings};
    ///
    /// let method = LcpMethod::Lemke(LemkeSettings { max_iterations: 500, ..Default::default() });
    /// let text = serde_json::to_string(&method).unwrap();
    /// assert_eq!(serde_json::from_str::<LcpMethod>(&text).unwrap(), method);
    /// assert_eq!(method.build()?.name(), "lemke");
    /// # Ok::<(), siconos_numerics::SettingsError>(())
    /// ```
    pub enum LcpMethod for Lcp {
        /// A short chain of methods, chosen by size, storage and matrix class.
        Auto(AutoSettings); |_| &auto::DESCRIPTION => Auto::new,
        /// Complementary pivoting.
        Lemke(LemkeSettings); |_| &lemke::DESCRIPTION => Lemke::new,
        /// Principal pivoting on the least index, or on the largest violation.
        PrincipalPivoting(PrincipalPivotingSettings) in PrincipalPivotingSettings::of_each_rule();
            PrincipalPivotingSettings::description => PrincipalPivoting::new,
        /// Projected Gauss-Seidel; over-relaxed; with a proximal shift.
        ProjectedGaussSeidel(ProjectedGaussSeidelSettings) in ProjectedGaussSeidelSettings::of_each_kind();
            ProjectedGaussSeidelSettings::description => ProjectedGaussSeidel::new,
        /// Conjugate projected gradients.
        ConjugateProjectedGradient(ConjugateProjectedGradientSettings);
            |_| &conjugate_projected_gradient::DESCRIPTION => ConjugateProjectedGradient::new,
        /// Spectral projected gradients.
        ProjectedGradient(ProjectedGradientSettings); |_| &projected_gradient::DESCRIPTION => ProjectedGradient::new,
        /// The LATIN method, with one search direction or one for each unknown.
        Latin(LatinSettings) in [LatinSettings::default(), LatinSettings::weighted()];
            LatinSettings::description => Latin::new,
        /// A convex quadratic program by an interior-point method.
        QuadraticProgram(QuadraticProgramSettings); |_| &quadratic_program::DESCRIPTION => QuadraticProgram::new,
        /// A sequence of convex quadratic programs.
        SequentialQuadraticProgram(SequentialQuadraticProgramSettings);
            |_| &sequential_quadratic_program::DESCRIPTION => SequentialQuadraticProgram::new,
        /// Newton on the minimum with block principal pivoting.
        NewtonMin(NewtonMinSettings); |_| &newton_min::DESCRIPTION => NewtonMin::new,
        /// Newton on the minimum with a line search.
        NewtonMinLineSearch(SemismoothNewtonSettings); |_| &newton_fb::MINIMUM => NewtonMinLineSearch::new,
        /// Semismooth Newton on the Fischer-Burmeister equations.
        NewtonFischerBurmeister(SemismoothNewtonSettings);
            |_| &newton_fb::FISCHER_BURMEISTER => NewtonFischerBurmeister::new,
        /// Path following.
        InteriorPoint(InteriorPointSettings); |_| &interior_point::DESCRIPTION => InteriorPoint::new,
        /// All complementary bases.
        Enumeration(EnumerationSettings); |_| &enumeration::DESCRIPTION => Enumeration::new,
    }
}
