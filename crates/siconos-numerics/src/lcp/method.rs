//! The class of linear complementarity problems, and its methods.

use super::{
    Auto, AutoSettings, ConjugateProjectedGradient, ConjugateProjectedGradientSettings, Enumeration,
    EnumerationSettings, InteriorPoint, InteriorPointSettings, Latin, LatinSettings, LcpProblem, Lemke,
    LemkeSettings, Newton, NewtonMin, NewtonMinSettings, NewtonSettings, PrincipalPivoting,
    PrincipalPivotingSettings, ProjectedGaussSeidel, ProjectedGaussSeidelSettings, ProjectedGradient,
    QuadraticProgram, QuadraticProgramSettings, SequentialQuadraticProgram,
    SequentialQuadraticProgramSettings, auto, conjugate_projected_gradient, enumeration, lemke, newton_min,
    projected_gradient, quadratic_program, residual, sequential_quadratic_program,
};
use crate::box_constraints::{ACTIVE_SET, BoxClass, UnilateralClass};
use crate::method::{Class, Guarantee, MatrixClass, MethodDescription, methods};
use crate::qp::ProjectedGradientSettings;

/// Class of [linear complementarity problems](LcpProblem) with unknowns z and w = M z + q.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lcp;

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

impl BoxClass for Lcp {
    fn gauss_seidel(settings: &ProjectedGaussSeidelSettings) -> &'static MethodDescription {
        const PLAIN: MethodDescription = MethodDescription {
            name: "projected-gauss-seidel",
            siconos: "PGS (202)",
            guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite, MatrixClass::HMatrix]),
            storage: "any",
            reference: "Cottle, Pang, Stone (1992), 5.2, 5.3",
        };
        const OVER_RELAXED: MethodDescription = MethodDescription {
            name: "projected-sor",
            siconos: "PSOR (210)",
            guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]),
            ..PLAIN
        };
        const REGULARISED: MethodDescription = MethodDescription {
            name: "regularised-gauss-seidel",
            siconos: "RPGS (211)",
            guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveSemidefinite]),
            storage: "any",
            reference: "Luo, Tseng (1991)",
        };
        settings.pick([&PLAIN, &OVER_RELAXED, &REGULARISED])
    }

    fn newton(settings: &NewtonSettings) -> &'static MethodDescription {
        const FISCHER_BURMEISTER: MethodDescription = MethodDescription {
            name: "newton-fischer-burmeister",
            siconos: "NEWTON_FB_FBLSA (209)",
            guarantee: Guarantee::of(&[MatrixClass::PMatrix]).and("stationary points for P0"),
            storage: "any",
            reference: "Facchinei, Pang (2003), 9.1",
        };
        const MINIMUM: MethodDescription = MethodDescription {
            name: "newton-min-line-search",
            siconos: "NEWTON_MIN_FBLSA (218)",
            reference: "Facchinei, Pang (2003), 9.2",
            ..FISCHER_BURMEISTER
        };
        settings.pick([&FISCHER_BURMEISTER, &MINIMUM, &ACTIVE_SET])
    }
}

impl UnilateralClass for Lcp {
    fn interior_point() -> &'static MethodDescription {
        const {
            &MethodDescription {
                name: "interior-point",
                siconos: "",
                guarantee: Guarantee::of(&[MatrixClass::PMatrix])
                    .and("positive semidefinite and P* where strictly feasible"),
                storage: "any",
                reference: "Wright (1997), 8",
            }
        }
    }
}

methods! {
    /// Method for linear complementarity problems, with its settings; see [`Method`](crate::Method).
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
        /// Solver cascade, chosen based on size, storage and matrix class.
        Auto(AutoSettings); |_| &auto::DESCRIPTION => Auto::new,
        /// Complementary pivoting.
        Lemke(LemkeSettings); |_| &lemke::DESCRIPTION => Lemke::new,
        /// Principal pivoting on the least index, or on the largest violation.
        PrincipalPivoting(PrincipalPivotingSettings) in PrincipalPivotingSettings::of_each_rule();
            PrincipalPivotingSettings::description => PrincipalPivoting::new,
        /// Projected Gauss-Seidel: plain, over-relaxed, or with a proximal shift.
        ProjectedGaussSeidel(ProjectedGaussSeidelSettings) in ProjectedGaussSeidelSettings::of_each_kind();
            Lcp::gauss_seidel => ProjectedGaussSeidel::new,
        /// Conjugate projected gradient method.
        ConjugateProjectedGradient(ConjugateProjectedGradientSettings);
            |_| &conjugate_projected_gradient::DESCRIPTION => ConjugateProjectedGradient::new,
        /// Spectral projected gradient method.
        ProjectedGradient(ProjectedGradientSettings); |_| &projected_gradient::DESCRIPTION => ProjectedGradient::new,
        /// The LATIN method, with one search direction for all unknowns or one for each unknown.
        Latin(LatinSettings) in [LatinSettings::default(), LatinSettings::weighted()];
            LatinSettings::description => Latin::new,
        /// Convex quadratic program, solved by an interior-point method.
        QuadraticProgram(QuadraticProgramSettings); |_| &quadratic_program::DESCRIPTION => QuadraticProgram::new,
        /// Sequence of convex quadratic programs.
        SequentialQuadraticProgram(SequentialQuadraticProgramSettings);
            |_| &sequential_quadratic_program::DESCRIPTION => SequentialQuadraticProgram::new,
        /// Newton's method on the minimum function, with block principal pivoting.
        NewtonMin(NewtonMinSettings); |_| &newton_min::DESCRIPTION => NewtonMin::new,
        /// Semismooth Newton method with line search, on the Fischer-Burmeister or the minimum function.
        Newton(NewtonSettings) at newton in [NewtonSettings::minimum_with_line_search(), NewtonSettings::default()];
            Lcp::newton => Newton::new,
        /// Path-following interior-point method.
        InteriorPoint(InteriorPointSettings); |_| Lcp::interior_point() => InteriorPoint::new,
        /// Enumeration of all complementary bases.
        Enumeration(EnumerationSettings); |_| &enumeration::DESCRIPTION => Enumeration::new,
    }
}
