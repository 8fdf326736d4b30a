//! The methods that an automatic choice turns to when the first two have not helped.

use siconos_linalg::cost::MatrixCost;

use super::AutoSettings;
use crate::chain::Link;
use crate::engine::semismooth_newton::SemismoothNewtonSettings;
use crate::error::SettingsError;
use crate::lcp::{
    Enumeration, EnumerationSettings, InteriorPoint, InteriorPointSettings, Lcp, Newton, NewtonMin,
    NewtonMinSettings, NewtonSettings, ProjectedGaussSeidel, ProjectedGaussSeidelSettings,
    SequentialQuadraticProgram, SequentialQuadraticProgramSettings,
};

/// Steps that a Newton or interior-point method is given: they converge fast or not at all.
const NEWTON_STEPS: usize = 200;

/// Quadratic programs of one sequence.
const PROGRAMS: usize = 500;

/// What one of them costs, refinement and all, in factorisations of the matrix of the problem, measured at 20
/// to 60 unknowns: some 10 interior-point steps on a matrix three times as large.
pub(super) const FACTORISATIONS_PER_PROGRAM: f64 = 100.0;

/// What the chain can choose.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice {
    Lemke,
    NewtonMin,
    Newton,
    InteriorPoint,
    GaussSeidel,
    PatientNewtonMin,
    Programs,
    Enumeration,
}

impl Choice {
    /// Operations of one iteration.
    pub(super) fn cost(self, MatrixCost { product, factorisation }: MatrixCost) -> f64 {
        match self {
            // The driving column, the update of the inverse, and a row for a tie now and then.
            Self::Lemke => 4.0 * product,
            Self::NewtonMin | Self::PatientNewtonMin => factorisation + 4.0 * product,
            // The line search may take some products.
            Self::Newton => factorisation + 16.0 * product,
            Self::InteriorPoint => factorisation + 8.0 * product,
            Self::GaussSeidel => product,
            Self::Programs => FACTORISATIONS_PER_PROGRAM * factorisation,
            // Of most bases a product shows that they hold no solution.
            Self::Enumeration => factorisation + product,
        }
    }

    /// Iterations that it gets where effort sets no limit.
    pub(super) fn most_iterations(self, settings: &AutoSettings) -> usize {
        let own = match self {
            Self::NewtonMin => super::BASES,
            Self::Newton | Self::InteriorPoint => NEWTON_STEPS,
            Self::Programs => PROGRAMS,
            Self::Enumeration => return EnumerationSettings::default().max_iterations,
            Self::Lemke | Self::GaussSeidel | Self::PatientNewtonMin => usize::MAX,
        };
        own.min(settings.max_iterations)
    }
}

/// The methods behind the first two.
#[derive(Debug)]
pub(super) struct LastResorts {
    newton: Newton,
    interior_point: InteriorPoint,
    gauss_seidel: ProjectedGaussSeidel,
    patient: NewtonMin,
    programs: SequentialQuadraticProgram,
    enumeration: Enumeration,
}

impl LastResorts {
    pub(super) fn new(tolerance: f64) -> Result<Self, SettingsError> {
        Ok(Self {
            newton: Newton::new(NewtonSettings {
                newton: SemismoothNewtonSettings { tolerance, ..SemismoothNewtonSettings::default() },
                ..NewtonSettings::default()
            })?,
            interior_point: InteriorPoint::new(InteriorPointSettings {
                tolerance,
                ..InteriorPointSettings::default()
            })?,
            gauss_seidel: ProjectedGaussSeidel::new(ProjectedGaussSeidelSettings {
                tolerance,
                ..ProjectedGaussSeidelSettings::default()
            })?,
            patient: NewtonMin::new(NewtonMinSettings { tolerance, ..NewtonMinSettings::default() })?,
            programs: SequentialQuadraticProgram::new(SequentialQuadraticProgramSettings {
                tolerance,
                ..SequentialQuadraticProgramSettings::default()
            })?,
            enumeration: Enumeration::new(EnumerationSettings {
                tolerance,
                ..EnumerationSettings::default()
            })?,
        })
    }

    pub(super) fn choose(&mut self, choice: Choice) -> &mut dyn Link<Class = Lcp> {
        match choice {
            Choice::InteriorPoint => &mut self.interior_point,
            Choice::GaussSeidel => &mut self.gauss_seidel,
            Choice::PatientNewtonMin => &mut self.patient,
            Choice::Programs => &mut self.programs,
            Choice::Enumeration => &mut self.enumeration,
            Choice::Newton | Choice::Lemke | Choice::NewtonMin => &mut self.newton,
        }
    }
}
