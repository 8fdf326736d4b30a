//! A model file of any kind.

use std::path::Path;

use super::{ModelFile, read};
use crate::document::{self, DocumentError, Faults, Override, Table};
use crate::hybrid::{self, HybridModel};

/// What a model file holds, by its key `kind`.
///
/// ```
/// use siconos_io::model::AnyModel;
///
/// let text = "format = 1\nkind = \"hybrid\"\n[parameters]\nk = 1\n\
///             [variables]\nx = { initial = 1, equation = \"x' = -k * x\" }\n";
/// let twice = "k=2".parse()?;
/// let AnyModel::Hybrid(decay) = AnyModel::parse(text, "decay.toml", &[twice])? else { panic!("it is hybrid") };
/// let mut solution = decay.solution()?;
/// solution.at(1.0)?;
/// assert!((solution.x()[0] - (-2.0_f64).exp()).abs() < 1e-11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum AnyModel {
    /// Systems, relations, laws and a simulation.
    Model(Box<ModelFile>),
    /// Equations with events.
    Hybrid(Box<HybridModel>),
}

impl AnyModel {
    /// Reads the file at a path with some values replaced: JSON where its name ends in `.json`, else TOML.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Io`] for a file that cannot be read, and those of [`parse`](Self::parse).
    pub fn read(path: impl AsRef<Path>, overrides: &[Override]) -> Result<Self, DocumentError> {
        document::read(path.as_ref(), overrides, of_kind)
    }

    /// Reads a text with some values replaced; `name` is what messages call it, and tells the syntax.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Faults`] with all that is wrong, and [`DocumentError::Override`] for a value that
    /// cannot be replaced.
    pub fn parse(text: &str, name: &str, overrides: &[Override]) -> Result<Self, DocumentError> {
        document::read_text((text, name), overrides, of_kind)
    }
}

fn of_kind(root: Table<'_>, faults: &mut Faults<'_>) -> Option<AnyModel> {
    let kind = faults.required(root.get("kind"), "kind", &(0..0))?;
    match kind.word(faults, &[("model", true), ("hybrid", false)])? {
        true => read::model(root, faults).map(Box::new).map(AnyModel::Model),
        false => hybrid::read_model(root, faults).map(Box::new).map(AnyModel::Hybrid),
    }
}
