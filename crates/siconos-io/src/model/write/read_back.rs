//! Comparison of a written model with the original. The text is read back for this purpose.

use siconos_kernel::model::{
    DynamicalSystem, Interaction, NonSmoothDynamicalSystem, UserFunction, UserFunctions,
};

use crate::document::DocumentError;
use crate::model::file::ModelFile;
use crate::model::table_writer::{Names, UnwrittenPart, is_registered};

const REFUSED: &str = "is an error when the text is read back";
const OTHERWISE: &str = "differs after the text is read back";

/// Reads the text back and returns the errors and the differences from the model. A model that needs a
/// registry is read, but not built.
pub(super) fn differences(model: &NonSmoothDynamicalSystem, names: &Names, text: &str) -> Vec<UnwrittenPart> {
    let built = ModelFile::parse(text, "model.toml").and_then(|file| match needs_registry(model) {
        true => Ok(None),
        false => file.build().map(Some),
    });
    match built {
        Ok(Some(built)) => compared(model, names, &built.model),
        Ok(None) => Vec::new(),
        Err(error) => refused(error),
    }
}

fn needs_registry(model: &NonSmoothDynamicalSystem) -> bool {
    let has = |functions: Vec<UserFunction<'_>>| functions.iter().any(|own| is_registered(own.origin));
    let of_systems = model.systems().iter().any(|(_, system)| has(system.functions()));
    of_systems || model.interactions().iter().any(|(_, own)| has(own.relation().functions()))
}

fn refused(error: DocumentError) -> Vec<UnwrittenPart> {
    let of = |part: String| UnwrittenPart { object: "text".to_owned(), part, reason: REFUSED };
    match error {
        DocumentError::Diagnostics { diagnostics, .. } => diagnostics
            .into_iter()
            .map(|fault| {
                let (line, column) = (fault.excerpt.line, fault.excerpt.column);
                of(format!("{line}:{column}: {}", fault.message))
            })
            .collect(),
        other => vec![of(other.to_string())],
    }
}

/// Returns the first difference of each system and interaction.
fn compared(
    model: &NonSmoothDynamicalSystem,
    names: &Names,
    read: &NonSmoothDynamicalSystem,
) -> Vec<UnwrittenPart> {
    let mut found = Vec::new();
    let mut note = |object: String, part: Option<String>| {
        found.extend(part.map(|part| UnwrittenPart { object, part, reason: OTHERWISE }));
    };
    for ((id, name), (_, other)) in names.systems().iter().zip(read.systems().iter()) {
        let Ok(own) = model.system(*id) else { continue };
        note(format!("system `{name}`"), own.first_other_part(other).or_else(|| start(own, other)));
    }
    for ((id, name), (_, other)) in names.interactions().iter().zip(read.interactions().iter()) {
        let Ok(own) = model.interaction(*id) else { continue };
        note(format!("interaction `{name}`"), of_interaction(own, other));
    }
    found
}

fn of_interaction(own: &Interaction, other: &Interaction) -> Option<String> {
    own.relation().first_other_part(other.relation()).or_else(|| own.law().first_other_part(other.law()))
}

/// Compares the states at the start bit for bit. Returns a description if they differ.
fn start(own: &DynamicalSystem, other: &DynamicalSystem) -> Option<String> {
    let bits = |system: &DynamicalSystem| -> Vec<u64> {
        let numbers = match system.is_first_order() {
            true => system.x0().to_vec(),
            false => [system.q0(), system.v0()].concat(),
        };
        numbers.into_iter().map(f64::to_bits).collect()
    };
    (bits(own) != bits(other)).then(|| "its initial state".to_owned())
}
