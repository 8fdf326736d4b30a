//! The class of mixed linear complementarity problems, and its methods.

use super::{
    Auto, AutoSettings, Elimination, EliminationSettings, Enumeration, EnumerationSettings, InteriorPoint,
    InteriorPointSettings, MlcpProblem, Newton, NewtonSettings, ProjectedGaussSeidel,
    ProjectedGaussSeidelSettings, WarmActiveSet, WarmActiveSetSettings, auto, elimination, enumeration,
    residual, warm_active_set,
};
use crate::box_constraints::{ACTIVE_SET, BoxClass, UnilateralClass};
use crate::method::{Class, Guarantee, MatrixClass, MethodDescription, methods};

/// Class of [mixed linear complementarity problems](MlcpProblem) with unknowns z and w = M z + q.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mlcp;

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

impl BoxClass for Mlcp {
    fn gauss_seidel(settings: &ProjectedGaussSeidelSettings) -> &'static MethodDescription {
        const PLAIN: MethodDescription = MethodDescription {
            name: "projected-gauss-seidel",
            siconos: "PGS (100)",
            guarantee: Guarantee::of(&[
                MatrixClass::SymmetricPositiveDefinite,
                MatrixClass::DiagonallyDominant,
            ]),
            storage: "any",
            reference: "Cottle, Pang, Stone (1992), 5.2, 5.3",
        };
        const OVER_RELAXED: MethodDescription = MethodDescription {
            name: "projected-sor",
            siconos: "PSOR (102)",
            guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]),
            ..PLAIN
        };
        const REGULARISED: MethodDescription = MethodDescription {
            name: "regularised-gauss-seidel",
            siconos: "RPGS (101)",
            guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]),
            storage: "any",
            reference: "Luo, Tseng (1991)",
        };
        settings.pick([&PLAIN, &OVER_RELAXED, &REGULARISED])
    }

    fn newton(settings: &NewtonSettings) -> &'static MethodDescription {
        const FISCHER_BURMEISTER: MethodDescription = MethodDescription {
            name: "newton-fischer-burmeister",
            siconos: "FB (112)",
            guarantee: Guarantee::in_words("regular equality block with P0 Schur complement"),
            storage: "any",
            reference: "Facchinei, Pang (2003), 9.1, 9.4",
        };
        const MINIMUM: MethodDescription = MethodDescription {
            name: "newton-min-line-search",
            siconos: "",
            reference: "Facchinei, Pang (2003), 9.2, 9.4",
            ..FISCHER_BURMEISTER
        };
        settings.pick([&FISCHER_BURMEISTER, &MINIMUM, &ACTIVE_SET])
    }
}

impl UnilateralClass for Mlcp {
    fn interior_point() -> &'static MethodDescription {
        const {
            &MethodDescription {
                name: "interior-point",
                siconos: "",
                guarantee: Guarantee::in_words("monotone"),
                storage: "any",
                reference: "Wright (1997), 8, 10",
            }
        }
    }
}

methods! {
    /// Method for mixed linear complementarity problems, with its settings; see [`Method`](crate::Method).
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
        /// Solver cascade.
        Auto(AutoSettings); |_| &auto::DESCRIPTION => Auto::new,
        /// Elimination of the free unknowns, which leaves a linear complementarity problem.
        Elimination(EliminationSettings); |_| &elimination::DESCRIPTION => Elimination::from_settings,
        /// Semismooth Newton method on the Fischer-Burmeister equations.
        Newton(NewtonSettings) at newton; Mlcp::newton => Newton::new,
        /// Mehrotra's interior-point method.
        InteriorPoint(InteriorPointSettings); |_| Mlcp::interior_point() => InteriorPoint::new,
        /// Enumeration of all complementary bases.
        Enumeration(EnumerationSettings); |_| &enumeration::DESCRIPTION => Enumeration::new,
        /// Projected Gauss-Seidel: plain, over-relaxed, or with a proximal shift.
        ProjectedGaussSeidel(ProjectedGaussSeidelSettings) in ProjectedGaussSeidelSettings::of_each_kind();
            Mlcp::gauss_seidel => ProjectedGaussSeidel::new,
        /// Warm start with the last active sets.
        WarmActiveSet(WarmActiveSetSettings); |_| &warm_active_set::DESCRIPTION => WarmActiveSet::from_settings,
    }
}
