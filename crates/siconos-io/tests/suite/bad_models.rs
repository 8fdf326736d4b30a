//! Invalid models. For each `bad/NN_name.toml` or `.json`, the file `NN_name.expected` contains all expected
//! messages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::model::AnyModel;

/// Number of models, and number of models with several errors.
const MODELS: usize = 135;
const WITH_SEVERAL: usize = 92;

/// Returns the paths of the models in the folder, in order.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bad");
    let all = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path());
    let mut models: Vec<_> =
        all.filter(|path| path.extension().is_some_and(|end| end != "expected")).collect();
    models.sort();
    models
}

/// Returns all messages from reading a model, building it, and taking the first step.
fn said(path: &Path) -> String {
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
    let text = fs::read_to_string(path).expect("a model");
    let error = match AnyModel::parse_in(path.parent().expect("a folder"), (&text, name), &[]) {
        Ok(model) => model.check().map(|_| ()).expect_err(name).to_string(),
        Err(error) => error.to_string(),
    };
    format!("{error}\n")
}

#[test]
fn all_that_is_wrong_is_said_in_order() {
    let mut wrong = Vec::new();
    let (mut count, mut with_several) = (0, 0);
    for path in files() {
        let (found, expected) = (said(&path), path.with_extension("expected"));
        if std::env::var_os("SICONOS_BLESS").is_some() {
            fs::write(&expected, &found).expect("the messages can be written");
        }
        let expected = fs::read_to_string(expected).unwrap_or_default();
        if found != expected {
            wrong.push(format!("== {}, expected:\n{expected}\nfound:\n{found}", path.display()));
        }
        count += 1;
        with_several += usize::from(found.contains("\n\n"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((count, with_several), (MODELS, WITH_SEVERAL));
}

#[test]
fn every_list_of_messages_has_its_model() {
    let models: BTreeSet<_> = files().iter().map(|path| path.with_extension("expected")).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bad");
    let all = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path());
    let lists: BTreeSet<_> =
        all.filter(|path| path.extension().is_some_and(|end| end == "expected")).collect();
    assert_eq!(lists, models);
}
