//! Model files of all kinds.

use std::path::Path;

use super::file::ModelFile;
use super::inclusion::{self, InclusionModel};
use super::read;
use crate::document::{self, Diagnostic, Diagnostics, DocumentError, Key, Node, Override, Table, Text};
use crate::hybrid::{self, HybridModel};
use crate::snapshot::content::DataFile;

/// Model of any kind, as given by the key `kind` of its file.
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
    /// A sweeping process or a differential variational inequality.
    Inclusion(Box<InclusionModel>),
}

impl AnyModel {
    /// Reads a model file and replaces the values in `overrides`. The file is read as JSON if its name ends
    /// in `.json`, otherwise as TOML.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Io`] if the file cannot be read. The errors of [`parse`](Self::parse) are also
    /// possible.
    pub fn read(path: impl AsRef<Path>, overrides: &[Override]) -> Result<Self, DocumentError> {
        document::read(path.as_ref(), overrides, of_kind)
    }

    /// Reads a model from a string and replaces the values in `overrides`. `name` is used in messages and
    /// determines the syntax: JSON if it ends in `.json`, otherwise TOML.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Diagnostics`] with all errors in the text, and [`DocumentError::Override`] if a value
    /// cannot be replaced.
    pub fn parse(text: &str, name: &str, overrides: &[Override]) -> Result<Self, DocumentError> {
        document::read_text((text, name), None, overrides, of_kind)
    }

    /// Reads a model from a string like [`parse`](Self::parse). Array files are read from `folder`.
    ///
    /// # Errors
    ///
    /// If [`parse`](Self::parse) fails.
    pub fn parse_in(
        folder: impl AsRef<Path>,
        (text, name): (&str, &str),
        overrides: &[Override],
    ) -> Result<Self, DocumentError> {
        document::read_text((text, name), Some(folder.as_ref()), overrides, of_kind)
    }

    /// Checks the model as far as is possible before a run. See [`ModelFile::check`], [`HybridModel::check`]
    /// and [`InclusionModel::check`]. Returns remarks on data that are valid but unusual.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Diagnostics`] with all errors that were found.
    pub fn check(&self) -> Result<Vec<Diagnostic>, DocumentError> {
        match self {
            Self::Model(file) => file.check(),
            Self::Hybrid(model) => model.check(),
            Self::Inclusion(model) => model.check(),
        }
    }

    /// Returns the remarks on the text that do not require the model to be built. [`check`](Self::check) also
    /// returns these remarks.
    #[must_use]
    pub fn remarks(&self) -> &[Diagnostic] {
        match self {
            Self::Hybrid(model) => model.remarks(),
            Self::Model(_) | Self::Inclusion(_) => &[],
        }
    }

    /// Sets a parameter to a number without reading the file again. `path` is the path of an [`Override`].
    /// Returns `false` if the value cannot be set in this way and the file must be read again.
    pub(crate) fn set_at(&mut self, path: &str, value: f64) -> bool {
        let Some(path) = path.strip_prefix("parameters.").filter(|_| value.is_finite()) else { return false };
        match (self, path.split_once('.').map(|(name, place)| (name, place.parse()))) {
            (Self::Model(file), None) => file.set_number(path, None, value),
            (Self::Model(file), Some((name, Ok(place)))) => file.set_number(name, Some(place), value),
            (Self::Hybrid(model), None) => model.set(path, value).is_ok(),
            // The values of constant parameters are already part of the expressions that read them.
            _ => false,
        }
    }

    /// Returns the title of the file.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        match self {
            Self::Model(file) => file.title(),
            Self::Hybrid(model) => model.title.as_deref(),
            Self::Inclusion(model) => model.title(),
        }
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Model(file) => file.text(),
            Self::Hybrid(model) => model.text(),
            Self::Inclusion(model) => model.text(),
        }
    }

    /// Returns the name of the file, as used in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Model(file) => file.name(),
            Self::Hybrid(model) => model.name(),
            Self::Inclusion(model) => model.name(),
        }
    }

    /// Returns the array files that the model was read from.
    #[must_use]
    pub fn data(&self) -> &[DataFile] {
        match self {
            Self::Model(file) => file.data(),
            Self::Hybrid(_) => &[],
            Self::Inclusion(model) => model.data(),
        }
    }
}

/// Kinds of files, one for each value of the key `kind`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Model,
    Hybrid,
    Sweeping,
    Dvi,
}

const KINDS: [(&str, FileKind); 4] = [
    ("model", FileKind::Model),
    ("hybrid", FileKind::Hybrid),
    ("sweeping", FileKind::Sweeping),
    ("dvi", FileKind::Dvi),
];

/// Infers the kind of a file from its tables. Returns `None` if no table is typical of a kind.
fn looks_like(root: &Table<'_>) -> Option<FileKind> {
    let has = |key: &str| root.get(key).is_some();
    match () {
        () if has("systems") => Some(FileKind::Model),
        () if has("input") || has("inequality") => Some(FileKind::Dvi),
        () if has("set") || has("state") => Some(FileKind::Sweeping),
        () if has("simulation") => Some(FileKind::Model),
        () if has("variables") => Some(FileKind::Hybrid),
        () => None,
    }
}

/// Reads a file of any kind. If the key `kind` is missing or wrong, the kind is inferred from the tables.
fn of_kind(mut root: Table<'_>, diagnostics: &mut Diagnostics<'_>) -> Option<AnyModel> {
    let looks_like = looks_like(&root);
    let kind = match root.entries.iter_mut().find(|entry| entry.key == "kind") {
        None if looks_like.is_some() => looks_like?,
        None => {
            let words = KINDS.map(|(word, _)| format!("`\"{word}\"`")).join(", ");
            let message = match root.entries.is_empty() {
                true => format!(
                    "this file is empty; a model requires at least the keys `format`, which must be 1, and `kind`, which must be \
                     one of {words}"
                ),
                false if root.entries.iter().any(|entry| entry.key == "class") => {
                    "this is a problem, not a model; `siconos-rs solve` solves it".to_owned()
                }
                false => format!("the key `kind` is missing; it must be one of {words}"),
            };
            diagnostics.note(&(0..0), message);
            return None;
        }
        Some(entry) => match entry.value.word(diagnostics, &KINDS) {
            Some(kind) => kind,
            None => {
                let guess = looks_like.unwrap_or(FileKind::Hybrid);
                let word = KINDS.iter().find(|(_, kind)| *kind == guess).map_or("model", |(word, _)| word);
                let span = entry.value.span.clone();
                entry.value.node = Node::Text(Text::apart(word.to_owned(), span));
                guess
            }
        },
    };
    note_keys_of_other_kinds(&mut root, kind, diagnostics);
    let inclusion = |model: Option<InclusionModel>| model.map(Box::new).map(AnyModel::Inclusion);
    match kind {
        FileKind::Model => read::model(root, diagnostics).map(Box::new).map(AnyModel::Model),
        FileKind::Hybrid => hybrid::read_model(root, diagnostics).map(Box::new).map(AnyModel::Hybrid),
        FileKind::Sweeping => inclusion(inclusion::read_sweeping(root, diagnostics)),
        FileKind::Dvi => inclusion(inclusion::read_dvi(root, diagnostics)),
    }
}

/// Returns all top-level keys that a kind of files can have.
fn keys_of(kind: FileKind) -> Vec<&'static str> {
    let names = |keys: &'static [Key]| keys.iter().map(|key| key.name).collect();
    match kind {
        FileKind::Model => names(&read::KEYS),
        FileKind::Hybrid => names(&hybrid::keys::ROOT),
        FileKind::Sweeping => names(&inclusion::keys::SWEEPING),
        FileKind::Dvi => names(&inclusion::keys::DVI),
    }
}

/// Reports keys that belong to other kinds of files, and removes them so that they are not read.
fn note_keys_of_other_kinds(root: &mut Table<'_>, kind: FileKind, diagnostics: &mut Diagnostics<'_>) {
    let own = keys_of(kind);
    root.entries.retain(|entry| {
        let have_it = |kind: &FileKind| keys_of(*kind).contains(&&*entry.key);
        let others =
            KINDS.iter().filter(|(_, other)| have_it(other)).map(|(word, _)| format!("`\"{word}\"`"));
        let others: Vec<_> = others.collect();
        if own.contains(&&*entry.key) || others.is_empty() {
            return true;
        }
        let message = format!("`{}` belongs to files whose `kind` is {}", entry.key, others.join(" or "));
        diagnostics.note(&entry.key_span, message);
        false
    });
}
