//! Arbitrary text as a model file: no panic occurs, and every diagnostic has a position in the text.

use siconos_io::document::DocumentError;
use siconos_io::model::{AnyModel, StartError};

/// Maximum length of a text. Longer texts are skipped, because they take time without testing more.
const LONGEST: usize = 4096;

/// Passes the bytes to the reader of models, as TOML and as JSON. Models are built but not simulated, because
/// a simulation may take any time.
///
/// # Panics
///
/// If the reader panics, if it returns neither a diagnostic nor a model, or if a model is inconsistent.
pub fn check(bytes: &[u8]) {
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST) else { return };
    for name in ["model.toml", "model.json"] {
        match AnyModel::parse(text, name, &[]) {
            Ok(AnyModel::Hybrid(model)) => {
                assert_eq!(model.system.names().len(), model.initial.len());
                assert_eq!(model.system.events(), model.triggers.len());
                assert!(model.disabled.iter().all(|event| (1..=model.system.events()).contains(event)));
                if let Err(error) = model.check() {
                    check_faults(text, error);
                }
            }
            Ok(AnyModel::Inclusion(model)) => match model.run() {
                Ok(run) => assert!(!run.names().is_empty()),
                Err(StartError::Model(error)) => check_faults(text, error),
                Err(other) => panic!("{other}"),
            },
            Ok(AnyModel::Model(file)) => match file.build() {
                Ok(built) => assert!(!built.recorder.names().is_empty()),
                Err(error) => check_faults(text, error),
            },
            Err(error) => check_faults(text, error),
        }
    }
}

fn check_faults(text: &str, error: DocumentError) {
    assert!(!error.to_string().is_empty());
    let DocumentError::Diagnostics { diagnostics, .. } = error else { panic!("no file was read") };
    assert!(!diagnostics.is_empty());
    let lines = text.matches('\n').count() + 1;
    for fault in diagnostics {
        assert!((1..=lines).contains(&fault.excerpt.line), "{fault:?}");
        assert!(!fault.message.is_empty(), "{fault:?}");
    }
}
