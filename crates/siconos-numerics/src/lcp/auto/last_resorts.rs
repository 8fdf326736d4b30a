//! Stages of the solver cascade after the first two.

use siconos_linalg::cost::MatrixCost;

use super::AutoSettings;
use crate::cascade::Stage;
use crate::engine::semismooth_newton::SemismoothNewtonSettings;
use crate::error::SettingsError;
use crate::lcp::{
    Enumeration, EnumerationSettings, InteriorPoint, InteriorPointSettings, Lcp, Newton, NewtonMin,
    NewtonMinSettings, NewtonSettings, ProjectedGaussSeidel, ProjectedGaussSeidelSettings,
    SequentialQuadraticProgram, SequentialQuadraticProgramSettings,
};

/// Iteration limit of Newton and interior-point methods, which converge quickly or not at all.
const NEWTON_STEPS: usize = 200;

/// Maximum number of quadratic programs in a sequence.
const PROGRAMS: usize = 500;

/// Cost of one quadratic program with its refinement, as a multiple of the cost of factorising M. The program
/// takes about 10 interior-point steps, each with a matrix that has three times as many rows as M. The value
/// was measured on problems with 20 to 60 unknowns.
pub(super) const FACTORISATIONS_PER_PROGRAM: f64 = 100.0;

/// Method of a stage of the solver cascade.
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
    /// Returns the number of operations of one iteration.
    pub(super) fn cost(self, MatrixCost { product, factorisation }: MatrixCost) -> f64 {
        match self {
            // A pivot computes the driving column, updates the inverse, and sometimes reads a row to break a
            // tie.
            Self::Lemke => 4.0 * product,
            Self::NewtonMin | Self::PatientNewtonMin => factorisation + 4.0 * product,
            // The line search can need several products.
            Self::Newton => factorisation + 16.0 * product,
            Self::InteriorPoint => factorisation + 8.0 * product,
            Self::GaussSeidel => product,
            Self::Programs => FACTORISATIONS_PER_PROGRAM * factorisation,
            // For most bases, one product is enough to show that they hold no solution.
            Self::Enumeration => factorisation + product,
        }
    }

    /// Returns the iteration limit that applies if the budget sets no limit.
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

/// Methods of the stages after the first two.
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

    pub(super) fn choose(&mut self, choice: Choice) -> &mut dyn Stage<Class = Lcp> {
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
