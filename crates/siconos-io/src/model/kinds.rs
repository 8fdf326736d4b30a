//! A model file of any kind.

use std::path::Path;

use super::{ModelFile, read};
use crate::document::{self, DocumentError, Faults, Node, Override, Table, Text};
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
        document::read_text((text, name), None, overrides, of_kind)
    }

    /// As [`parse`](Self::parse), with a folder below which the text may name files of arrays.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse).
    pub fn parse_in(
        folder: impl AsRef<Path>,
        (text, name): (&str, &str),
        overrides: &[Override],
    ) -> Result<Self, DocumentError> {
        document::read_text((text, name), Some(folder.as_ref()), overrides, of_kind)
    }

    /// What the file calls itself.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        match self {
            Self::Model(file) => file.title(),
            Self::Hybrid(model) => model.title.as_deref(),
        }
    }

    /// The text that it was read from.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Model(file) => file.text(),
            Self::Hybrid(model) => model.text(),
        }
    }

    /// What messages call it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Model(file) => file.name(),
            Self::Hybrid(model) => model.name(),
        }
    }
}

/// Where the kind is not said, or said wrongly, the rest is read as what it looks like.
fn of_kind(mut root: Table<'_>, faults: &mut Faults<'_>) -> Option<AnyModel> {
    let looks_like_a_model = root.get("systems").is_some() || root.get("simulation").is_some();
    let looks_hybrid = root.get("variables").is_some();
    let is_model = match root.entries.iter_mut().find(|entry| entry.key == "kind") {
        None if looks_like_a_model => true,
        None if looks_hybrid => false,
        None => {
            let message = match root.entries.is_empty() {
                true => "there is nothing in this file",
                false => "the key `kind` is missing; it is `\"model\"` or `\"hybrid\"`",
            };
            faults.note(&(0..0), message);
            return None;
        }
        Some(entry) => match entry.value.word(faults, &[("model", true), ("hybrid", false)]) {
            Some(is_model) => is_model,
            None => {
                let guess = if looks_like_a_model { "model" } else { "hybrid" };
                let span = entry.value.span.clone();
                entry.value.node = Node::Text(Text::apart(guess.to_owned(), span));
                looks_like_a_model
            }
        },
    };
    match is_model {
        true => read::model(root, faults).map(Box::new).map(AnyModel::Model),
        false => hybrid::read_model(root, faults).map(Box::new).map(AnyModel::Hybrid),
    }
}
