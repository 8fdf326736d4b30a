//! A model, and the solution that it describes.

use std::path::Path;

use siconos_expression::nearest;
use siconos_hybrid::{EventNumber, HybridError, HybridSettings, HybridSolution, HybridSystem};
use siconos_kernel::model::ParameterId;

use super::places::Places;
use super::read;
use crate::document::{self, DocumentError, Fault, Faults};
use crate::run_error::SetError;

/// A hybrid system with what its file says besides: where it starts, and how it is integrated.
///
/// ```
/// use siconos_io::hybrid::HybridModel;
/// use siconos_hybrid::Answer;
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
/// assert_eq!(solution.at(1.0)?, Answer::Reached);
/// let first = solution.last_fired(&[1])?[0];
/// assert!((first - (2.0_f64 / 9.81).sqrt()).abs() < 1e-10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HybridModel {
    /// What the file calls it.
    pub title: Option<String>,
    /// The initial time \[s\].
    pub t0: f64,
    /// Up to when it is meant to be integrated \[s\].
    pub end: Option<f64>,
    /// Equations, variables, events.
    pub system: HybridSystem,
    /// The continuous variables at the initial time, in the order of
    /// [`names`](HybridSystem::names); of algebraic ones guesses.
    pub initial: Vec<f64>,
    /// How it is integrated.
    pub settings: HybridSettings,
    /// The parameters in the order of the file.
    pub parameters: Vec<(String, ParameterId)>,
    /// The triggers of the events as they are written, in the order of the events.
    pub triggers: Vec<String>,
    /// The events that are disabled at the start.
    pub disabled: Vec<EventNumber>,
    pub(super) source: String,
    pub(super) name: String,
    pub(super) places: Places,
    pub(super) remarks: Vec<Fault>,
}

impl HybridModel {
    /// Reads the file at a path: JSON where its name ends in `.json`, else TOML.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Io`] for a file that cannot be read, and those of [`parse`](Self::parse).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, DocumentError> {
        document::read(path.as_ref(), &[], read::model)
    }

    /// Reads a text; `name` is what messages call it, and tells the syntax. No text makes it panic.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Faults`] with all that is wrong.
    pub fn parse(text: &str, name: &str) -> Result<Self, DocumentError> {
        document::read_text((text, name), None, &[], read::model)
    }

    /// The text that it was read from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.source
    }

    /// What messages call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The solution from the initial point on, with the events disabled that are to be.
    ///
    /// # Errors
    ///
    /// [`HybridError`] where no algebraic variables solve their equations, and for what is only known once
    /// there is a solution: an equation that gives no number at the initial point, a period too short to be
    /// told from none.
    pub fn solution(&self) -> Result<HybridSolution, HybridError> {
        let mut solution = HybridSolution::new(&self.system, self.t0, &self.initial, self.settings.clone())?;
        for event in &self.disabled {
            solution.disable(*event)?;
        }
        Ok(solution)
    }

    /// Remarks on what the text says, and may not mean: names that are assigned and never read, and
    /// comparisons for equality of values that vary.
    ///
    /// ```
    /// use siconos_io::hybrid::HybridModel;
    ///
    /// let text = "format = 1\nkind = \"hybrid\"\n[variables]\nx = { initial = 0, equation = \"x' = 1\" }\n\
    ///             [discrete]\nspeed = 1.0\n[[events]]\ntrigger = \"x - 0.5\"\naction = \"spede = 2\"\n";
    /// let model = HybridModel::parse(text, "typo.toml")?;
    /// assert_eq!(model.remarks()[0].message, "`spede` is assigned and never read; did you mean `speed`?");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn remarks(&self) -> &[Fault] {
        &self.remarks
    }

    /// Checks that the model has a [`solution`](Self::solution) to begin with, and returns its
    /// [`remarks`](Self::remarks).
    ///
    /// ```
    /// use siconos_io::hybrid::HybridModel;
    ///
    /// let text = "format = 1\nkind = \"hybrid\"\n[variables]\nx = { initial = 1, equation = \"x' = z\" }\n\
    ///             z = { initial = 1, equation = \"0 = z * z + 1\" }\n";
    /// let error = HybridModel::parse(text, "none.toml")?.check().unwrap_err().to_string();
    /// assert!(error.starts_with("none.toml:5:1: no value of `z` solves its equation"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`solution`](Self::solution), at the variable, the event or the settings that they are about.
    pub fn check(&self) -> Result<Vec<Fault>, DocumentError> {
        self.begun().map(|_solution| self.remarks.clone())
    }

    /// The solution; what is wrong is told at its place.
    pub(super) fn begun(&self) -> Result<HybridSolution, DocumentError> {
        let mut faults = Faults::new(&self.source, &self.name);
        let solution = self.solution().map_err(|error| faults.note(self.places.of(&error), error)).ok();
        faults.check(solution)
    }

    /// Sets a parameter for every solution that is made from now on.
    ///
    /// # Errors
    ///
    /// [`SetError`].
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), SetError> {
        let Some(id) = self.parameter(name) else {
            let known = self.parameters.iter().map(|(known, _)| known.as_str());
            return Err(SetError::Unknown { name: name.to_owned(), nearest: nearest(name, known) });
        };
        // What the system refuses of a single number of its own is that it is not finite.
        let refused = |_| SetError::NotFinite { name: name.to_owned(), value };
        self.system.set_initial_parameter(id, &[value]).map_err(refused)
    }

    /// The id of a parameter, with which a [`HybridSolution`] sets it.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<ParameterId> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, id)| *id)
    }
}
