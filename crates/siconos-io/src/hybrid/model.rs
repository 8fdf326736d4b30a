//! A hybrid model and its solution.

use std::path::Path;

use siconos_expression::nearest;
use siconos_hybrid::{EventNumber, HybridError, HybridSettings, HybridSolution, HybridSystem};
use siconos_kernel::model::ParameterId;

use super::locations::Locations;
use super::outputs::Outputs;
use super::read;
use crate::document::{self, Diagnostic, Diagnostics, DocumentError};
use crate::run_error::SetParameterError;

/// A hybrid system read from a file, with its initial values and integration settings.
///
/// ```
/// use siconos_io::hybrid::HybridModel;
/// use siconos_hybrid::IntegrationOutcome;
///
/// let text = r#"
/// format = 1
/// kind = "hybrid"
///
/// [variables]
/// y = { initial = [1.0, 0.0], equation = "y'' = -g" }
///
/// [parameters]
/// g = 9.81
///
/// [[events]]
/// trigger = "decreasing(y)"
/// action = "y' = -0.9 * y'"
/// "#;
/// let model = HybridModel::parse(text, "ball.toml")?;
/// assert_eq!(model.system.names(), ["y", "y'"]);
/// let mut solution = model.solution()?;
/// assert_eq!(solution.at(1.0)?, IntegrationOutcome::Reached);
/// let first = solution.last_fired(&[1])?[0];
/// assert!((first - (2.0_f64 / 9.81).sqrt()).abs() < 1e-10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HybridModel {
    /// Title of the model.
    pub title: Option<String>,
    /// Initial time \[s\].
    pub t0: f64,
    /// End of the integration \[s\], if the file gives it.
    pub end: Option<f64>,
    /// Equations, variables and events.
    pub system: HybridSystem,
    /// Values of the states at the initial time and initial guesses of the algebraic variables, in the order
    /// of [`names`](HybridSystem::names).
    pub initial: Vec<f64>,
    /// Settings of the integration.
    pub settings: HybridSettings,
    /// Parameters in the order of the file.
    pub parameters: Vec<(String, ParameterId)>,
    /// Triggers of the events as written in the file, in the order of the events.
    pub triggers: Vec<String>,
    /// Events that are disabled at the start.
    pub disabled: Vec<EventNumber>,
    pub(super) source: String,
    pub(super) name: String,
    pub(super) locations: Locations,
    pub(super) remarks: Vec<Diagnostic>,
    pub(super) outputs: Outputs,
}

impl HybridModel {
    /// Reads the file at a path, as JSON if its name ends in `.json`, and as TOML otherwise.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Io`] if the file cannot be read, and the errors of [`parse`](Self::parse).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, DocumentError> {
        document::read(path.as_ref(), &[], read::model)
    }

    /// Reads a model from a string. `name` is used in messages and determines the syntax. No input causes a
    /// panic.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Diagnostics`] with all errors in the text.
    pub fn parse(text: &str, name: &str) -> Result<Self, DocumentError> {
        document::read_text((text, name), None, &[], read::model)
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

    /// Returns the solution that starts from the initial values. The events in the list `disabled` are
    /// initially disabled.
    ///
    /// # Errors
    ///
    /// [`HybridError`] if the equations of the algebraic variables have no solution, if an equation evaluates
    /// to NaN or an infinity at the initial values, or if a trigger's period is too short to be distinguished
    /// from 0.
    pub fn solution(&self) -> Result<HybridSolution, HybridError> {
        let mut solution = HybridSolution::new(&self.system, self.t0, &self.initial, self.settings.clone())?;
        for event in &self.disabled {
            solution.disable(*event)?;
        }
        Ok(solution)
    }

    /// Returns remarks on probable mistakes in the file: names that are assigned and never read, and equality
    /// comparisons of values that vary between events.
    ///
    /// ```
    /// use siconos_io::hybrid::HybridModel;
    ///
    /// let text = "format = 1\nkind = \"hybrid\"\n[variables]\nx = { initial = 0, equation = \"x' = 1\" }\n\
    ///             [discrete]\nspeed = 1.0\n[[events]]\ntrigger = \"x - 0.5\"\naction = \"spede = 2\"\n";
    /// let model = HybridModel::parse(text, "typo.toml")?;
    /// assert_eq!(model.remarks()[0].message, "`spede` is assigned but never read; did you mean `speed`?");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn remarks(&self) -> &[Diagnostic] {
        &self.remarks
    }

    /// Checks that the [`solution`](Self::solution) can start, and returns the [`remarks`](Self::remarks).
    ///
    /// ```
    /// use siconos_io::hybrid::HybridModel;
    ///
    /// let text = "format = 1\nkind = \"hybrid\"\n[variables]\nx = { initial = 1, equation = \"x' = z\" }\n\
    ///             z = { initial = 1, equation = \"0 = z * z + 1\" }\n";
    /// let error = HybridModel::parse(text, "none.toml")?.check().unwrap_err().to_string();
    /// assert!(error.starts_with("none.toml:5:1: no value of `z` that solves its equation"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If [`solution`](Self::solution) returns an error. The location in the file is the variable, the event
    /// or the table of settings that causes the error.
    pub fn check(&self) -> Result<Vec<Diagnostic>, DocumentError> {
        self.begun().map(|_solution| self.remarks.clone())
    }

    /// Returns the solution. An error contains its location in the file.
    pub(super) fn begun(&self) -> Result<HybridSolution, DocumentError> {
        let mut diagnostics = Diagnostics::new(&self.source, &self.name);
        let solution =
            self.solution().map_err(|error| diagnostics.note(self.locations.of(&error), error)).ok();
        diagnostics.check(solution)
    }

    /// Sets a parameter. Solutions that are created afterwards use the new value.
    ///
    /// # Errors
    ///
    /// [`SetParameterError`] if the name is unknown or the value is not finite.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), SetParameterError> {
        let Some(id) = self.parameter(name) else {
            let known = self.parameters.iter().map(|(known, _)| known.as_str());
            return Err(SetParameterError::Unknown { name: name.to_owned(), nearest: nearest(name, known) });
        };
        // Setting a single number fails only if the number is not finite.
        let refused = |_| SetParameterError::NotFinite { name: name.to_owned(), value };
        self.system.set_initial_parameter(id, &[value]).map_err(refused)
    }

    /// Returns the identifier of a parameter. Use it to set the parameter in a [`HybridSolution`].
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<ParameterId> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, id)| *id)
    }
}
