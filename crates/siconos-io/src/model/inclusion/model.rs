//! Description of a sweeping process or a differential variational inequality.

use std::ops::Range;
use std::path::Path;

use ndarray::Array2;
use siconos_expression::Expression;
use siconos_sweeping::dvi::{DviError, DviSolution, DviStepper};
use siconos_sweeping::{CatchingUp, CatchingUpSettings, SweepingError};

use super::super::parameters::Parameter;
use super::closures::{Map, Offset, at_zero, of_vector};
use super::dvi::{DviDescription, Method};
use super::outputs::Outputs;
use super::read;
use super::scheme::{Ends, Scheme};
use super::set::SetDescription;
use super::step_rule::{StepRule, StepRuleDescription};
use super::variables::Variables;
use crate::document::{self, Diagnostic, Diagnostics, DocumentError};
use crate::run_error::{InclusionError, StartError};
use crate::snapshot::content::{DataFile, InclusionKind};

/// Description of a sweeping process or a differential variational inequality, read from a file.
///
/// ```
/// use siconos_io::model::inclusion::InclusionModel;
///
/// let text = r#"
/// format = 1
/// kind = "sweeping"
/// [parameters]
/// play = 0.5
/// [state]
/// gear = 0
/// [set]
/// kind = "box"
/// lower = "2 * sin(t) - play"
/// upper = "2 * sin(t) + play"
/// [simulation]
/// kind = "time_stepping"
/// end = 1.5
/// step = 0.01
/// "#;
/// let model = InclusionModel::parse(text, "gear.toml")?;
/// assert_eq!(model.variables().collect::<Vec<_>>(), [("gear", 0.0)]);
/// let mut run = model.run()?;
/// run.to_end(|_row| Ok::<_, std::convert::Infallible>(()))?;
/// assert_eq!(run.last_row()[1], 2.0 * 1.5_f64.sin() - 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct InclusionModel {
    pub(super) title: Option<String>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) state: Variables,
    pub(super) process: Process,
    pub(super) step_rule: StepRuleDescription,
    pub(super) outputs: Outputs,
    pub(super) places: Locations,
    pub(super) data: Vec<DataFile>,
    pub(super) source: String,
    pub(super) name: String,
}

/// Process of either kind.
#[derive(Debug)]
pub(super) enum Process {
    Sweeping(Box<Sweeping>),
    Dvi(Box<DviDescription>),
}

/// A sweeping process.
#[derive(Debug)]
pub(super) struct Sweeping {
    pub(super) f: Option<Vec<Expression>>,
    pub(super) metric: Option<Array2<f64>>,
    pub(super) set: SetDescription,
    /// `true` if f and the set are evaluated at the state at the start of a step.
    pub(super) at_start: bool,
    pub(super) settings: CatchingUpSettings,
}

/// Locations of tables, for errors that are found when a run starts.
#[derive(Clone, Debug)]
pub(super) struct Locations {
    pub(super) process: Range<usize>,
    pub(super) set: Range<usize>,
    pub(super) simulation: Range<usize>,
    /// Location of the boundary conditions.
    pub(super) ends: Range<usize>,
}

impl InclusionModel {
    /// Reads a model file. The file is read as JSON if its name ends in `.json`, otherwise as TOML.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Io`] if the file cannot be read. The errors of [`parse`](Self::parse) are also
    /// possible.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, DocumentError> {
        document::read(path.as_ref(), &[], read::any)
    }

    /// Reads a process from a string. `name` is used in messages and determines the syntax: JSON if it ends
    /// in `.json`, otherwise TOML. No input causes a panic.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Diagnostics`] with all errors in the text.
    pub fn parse(text: &str, name: &str) -> Result<Self, DocumentError> {
        document::read_text((text, name), None, &[], read::any)
    }

    /// Returns the kind of the process.
    #[must_use]
    pub fn kind(&self) -> InclusionKind {
        match self.process {
            Process::Sweeping(_) => InclusionKind::Sweeping,
            Process::Dvi(_) => InclusionKind::Dvi,
        }
    }

    /// Returns the title of the file.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.source
    }

    /// Returns the name of the file, as used in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the parameters with their values, in the order of the file.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &[f64])> {
        self.parameters.iter().map(|own| (&*own.name, &own.values[..]))
    }

    /// Returns the name and the initial value of each component of the state, followed by the name and the
    /// initial guess of each component of the input, if there is one.
    pub fn variables(&self) -> impl Iterator<Item = (&str, f64)> {
        let input = match &self.process {
            Process::Sweeping(_) => None,
            Process::Dvi(process) => Some(process.input.iter()),
        };
        self.state.iter().chain(input.into_iter().flatten())
    }

    /// Returns the array files that the model was read from.
    #[must_use]
    pub fn data(&self) -> &[DataFile] {
        &self.data
    }

    /// Starts a run and takes its first step. The returned list of remarks is always empty.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Diagnostics`] if the run cannot start or its first step fails. The error has the
    /// location of the table that causes it.
    pub fn check(&self) -> Result<Vec<Diagnostic>, DocumentError> {
        let mut run = match self.run() {
            Ok(run) => run,
            Err(StartError::Model(error)) => return Err(error),
            Err(other) => return Err(self.fault(&self.places.simulation, other)),
        };
        match run.first_step() {
            Ok(()) => Ok(Vec::new()),
            Err(error) => Err(self.fault(self.place_of(&error), error)),
        }
    }

    /// Returns `true` if another end only adds or removes steps. A problem with conditions at both ends has a
    /// fixed end.
    pub(super) fn has_free_end(&self) -> bool {
        let has_conditions_at_ends = match &self.process {
            Process::Sweeping(_) => false,
            Process::Dvi(process) => matches!(process.method, Method::Ends(..)),
        };
        self.step_rule.has_free_end() && !has_conditions_at_ends
    }

    /// Returns a document error with one message at a location.
    pub(super) fn fault(&self, place: &Range<usize>, error: impl std::fmt::Display) -> DocumentError {
        let mut diagnostics = Diagnostics::new(&self.source, &self.name);
        diagnostics.note(place, error);
        match diagnostics.check::<()>(None) {
            Err(error) => error,
            // Not reached, because an error has been noted.
            Ok(()) => DocumentError::Diagnostics { name: self.name.clone(), diagnostics: Vec::new() },
        }
    }

    fn place_of(&self, error: &InclusionError) -> &Range<usize> {
        match error {
            InclusionError::Sweeping(
                SweepingError::Set(_) | SweepingError::MovingSet { .. } | SweepingError::Empty { .. },
            ) => &self.places.set,
            InclusionError::Dvi(DviError::EmptySet { .. }) => &self.places.set,
            InclusionError::Sweeping(SweepingError::Settings(_))
            | InclusionError::Dvi(DviError::Settings(_)) => &self.places.simulation,
            InclusionError::Dvi(DviError::DependentConditions { .. }) | InclusionError::Ends { .. } => {
                &self.places.ends
            }
            _ => &self.places.process,
        }
    }

    /// Creates the scheme that takes the steps.
    pub(super) fn scheme(&self, step_rule: &StepRule) -> Result<Scheme, DocumentError> {
        let built = match &self.process {
            Process::Sweeping(process) => process.scheme(self.state.len()).map_err(InclusionError::Sweeping),
            Process::Dvi(process) => self.dvi_scheme(process, step_rule).map_err(InclusionError::Dvi),
        };
        built.map_err(|error| self.fault(self.place_of(&error), &error))
    }

    fn dvi_scheme(&self, process: &DviDescription, step_rule: &StepRule) -> Result<Scheme, DviError> {
        let (dvi, input) = (process.build(self.state.len())?, &process.input.initial);
        match &process.method {
            Method::Steps { theta, settings } => {
                let mut stepper = DviStepper::owning(dvi, *theta, settings.clone())?;
                stepper.set_u(input)?;
                Ok(Scheme::Dvi(Box::new(stepper)))
            }
            Method::Ends(boundary, settings) => {
                let (t0, end) = (step_rule.start(), step_rule.end());
                let steps = match step_rule {
                    StepRule::Grid(grid) => grid.steps(),
                    StepRule::Adaptive(_) => 0,
                };
                let mut settings = (**settings).clone();
                let state = &self.state.initial;
                if state.iter().chain(input).any(|value| *value != 0.0) {
                    let mut guess = DviSolution::new(t0, state, input.len());
                    guess.push(end, state, input);
                    settings.guess = Some(guess);
                }
                let ends = Ends::new(dvi, boundary.clone(), settings, (t0, end), steps);
                Ok(Scheme::Ends(Box::new(ends)))
            }
        }
    }
}

impl Sweeping {
    fn scheme(&self, n: usize) -> Result<Scheme, SweepingError> {
        let mut sweep = CatchingUp::new(self.set.build(n)?).with_settings(self.settings)?;
        if let Some(f) = &self.f {
            sweep = match Map::of(f, n) {
                Map::Affine(matrix, Offset::Constant(constant)) => {
                    sweep.with_linear_perturbation(matrix, move |_t, out: &mut [f64]| {
                        out.copy_from_slice(&constant);
                    })?
                }
                Map::Affine(matrix, Offset::OfTime) => {
                    sweep.with_linear_perturbation(matrix, at_zero(f, n))?
                }
                Map::Any(derivative) => {
                    sweep.with_perturbation(of_vector(f)).with_jacobian(move |t, x, mut jacobian| {
                        derivative.write(&[&[t], &[], x], &mut jacobian);
                    })
                }
            };
        }
        if let Some(metric) = &self.metric {
            sweep = sweep.with_metric(metric.view())?;
        }
        let sweep = if self.at_start { sweep.with_state_at_start() } else { sweep };
        Ok(Scheme::Sweeping(Box::new(sweep)))
    }
}
