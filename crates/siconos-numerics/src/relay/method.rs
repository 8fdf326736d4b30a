//! The class of relay problems, and its methods.

use super::{
    Auto, AutoSettings, CaoFerris, Enumeration, EnumerationSettings, Lemke, LemkeSettings, Newton,
    NewtonSettings, ProjectedGaussSeidel, ProjectedGaussSeidelSettings, RelayProblem, auto, cao_ferris,
    enumeration, lemke, residual,
};
use crate::avi::CaoFerrisSettings;
use crate::box_constraints::BoxClass;
use crate::method::{Class, Guarantee, MatrixClass, MethodDescription, methods};

/// Class of [relay problems](RelayProblem): z is between the bounds, w = M z + q.
#[derive(Clone, Copy, Debug, Default)]
pub struct Relay;

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

impl BoxClass for Relay {
    fn gauss_seidel(settings: &ProjectedGaussSeidelSettings) -> &'static MethodDescription {
        const PLAIN: MethodDescription = MethodDescription {
            name: "projected-gauss-seidel",
            siconos: "PGS (300)",
            guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite, MatrixClass::HMatrix]),
            storage: "any",
            reference: "Cottle, Pang, Stone (1992), 5.2, 5.3",
        };
        const OVER_RELAXED: MethodDescription = MethodDescription {
            name: "projected-sor",
            siconos: "",
            guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]),
            ..PLAIN
        };
        const REGULARISED: MethodDescription =
            MethodDescription { name: "regularised-gauss-seidel", ..OVER_RELAXED };
        settings.pick([&PLAIN, &OVER_RELAXED, &REGULARISED])
    }

    fn newton(_: &NewtonSettings) -> &'static MethodDescription {
        const {
            &MethodDescription {
                name: "semismooth-newton",
                siconos: "",
                guarantee: Guarantee::in_words("local").and("with Fischer-Burmeister global for P0"),
                storage: "any",
                reference: "Hintermueller, Ito, Kunisch (2003); Billups (1995), 3.2",
            }
        }
    }

    fn newton_settings() -> NewtonSettings {
        NewtonSettings::minimum()
    }
}

methods! {
    /// Method for relay problems, with its settings; see [`Method`](crate::Method).
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
        /// Short solver cascade, chosen based on size and storage.
        Auto(AutoSettings); |_| &auto::DESCRIPTION => Auto::new,
        /// Path-following method from an extreme point.
        CaoFerris(CaoFerrisSettings); |_| &cao_ferris::DESCRIPTION => CaoFerris::new,
        /// Enumeration of all faces.
        Enumeration(EnumerationSettings); |_| &enumeration::DESCRIPTION => Enumeration::new,
        /// Complementary pivoting.
        Lemke(LemkeSettings); |_| &lemke::DESCRIPTION => Lemke::new,
        /// Projected Gauss-Seidel: plain, over-relaxed, or with a proximal shift.
        ProjectedGaussSeidel(ProjectedGaussSeidelSettings) in ProjectedGaussSeidelSettings::of_each_kind();
            Relay::gauss_seidel => ProjectedGaussSeidel::new,
        /// Semismooth Newton method.
        Newton(NewtonSettings) at newton in [Relay::newton_settings()]; Relay::newton => Newton::new,
    }
}
