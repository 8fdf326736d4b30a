//! Any text as a model file: no panic, and every fault has its place in the text.

use siconos_io::document::DocumentError;
use siconos_io::model::{AnyModel, StartError};

/// Longer texts are left out: they take time and show nothing that shorter ones do not.
const LONGEST: usize = 4096;

/// Takes the bytes through the reader of models, in both forms. What is read is built and not simulated: that
/// may take any time.
///
/// # Panics
///
/// When the reader does, when it finds nothing wrong and reads nothing, or when a model does not fit
/// together.
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
    let DocumentError::Faults { faults, .. } = error else { panic!("no file was read") };
    assert!(!faults.is_empty());
    let lines = text.matches('\n').count() + 1;
    for fault in faults {
        assert!((1..=lines).contains(&fault.excerpt.line), "{fault:?}");
        assert!(!fault.message.is_empty(), "{fault:?}");
    }
}
