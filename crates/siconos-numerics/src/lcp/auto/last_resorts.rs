//! The methods that an automatic choice turns to when the first two have not helped.

use super::AutoSettings;
use crate::error::SettingsError;
use crate::lcp::{
    Enumeration, EnumerationSettings, InteriorPoint, InteriorPointSettings, LcpSolver,
    NewtonFischerBurmeister, NewtonMin, NewtonMinSettings, ProjectedGaussSeidel,
    ProjectedGaussSeidelSettings, SequentialQuadraticProgram, SequentialQuadraticProgramSettings,
};
use crate::semismooth_newton::SemismoothNewtonSettings;

/// Steps that a Newton or interior-point method is given: they converge fast or not at all.
const NEWTON_STEPS: usize = 200;

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

/// The methods behind the first two.
#[derive(Debug)]
pub(super) struct LastResorts {
    newton: NewtonFischerBurmeister,
    interior_point: InteriorPoint,
    gauss_seidel: ProjectedGaussSeidel,
    patient: NewtonMin,
    programs: SequentialQuadraticProgram,
    enumeration: Enumeration,
}

impl LastResorts {
    pub(super) fn new(settings: &AutoSettings) -> Result<Self, SettingsError> {
        let tolerance = settings.tolerance;
        let max_iterations = settings.max_iterations.min(NEWTON_STEPS);
        Ok(Self {
            newton: NewtonFischerBurmeister::new(SemismoothNewtonSettings {
                tolerance,
                max_iterations,
                ..SemismoothNewtonSettings::default()
            })?,
            interior_point: InteriorPoint::new(InteriorPointSettings {
                tolerance,
                max_iterations,
                ..InteriorPointSettings::default()
            })?,
            gauss_seidel: ProjectedGaussSeidel::new(ProjectedGaussSeidelSettings {
                tolerance,
                max_iterations: settings.max_iterations,
                ..ProjectedGaussSeidelSettings::default()
            })?,
            patient: NewtonMin::new(NewtonMinSettings {
                tolerance,
                max_iterations: settings.max_iterations,
                ..NewtonMinSettings::default()
            })?,
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

    pub(super) fn choose(&mut self, choice: Choice) -> &mut dyn LcpSolver {
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
