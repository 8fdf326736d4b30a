//! Files with errors. For each `refused/NAME.toml`, the file `NAME.txt` contains all expected messages.

use std::fs;
use std::path::Path;

use siconos_io::document::DocumentError;
use siconos_io::hybrid::HybridModel;

#[test]
fn every_fault_is_told_with_its_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("refused");
    let mut files: Vec<_> =
        fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let (texts, messages): (Vec<_>, Vec<_>) =
        files.iter().partition(|file| file.extension().is_some_and(|extension| extension == "toml"));
    assert!(!texts.is_empty());
    assert_eq!(
        texts.iter().map(|file| file.with_extension("txt")).collect::<Vec<_>>(),
        messages.into_iter().cloned().collect::<Vec<_>>(),
        "each text has its messages"
    );
    let wrong: Vec<String> = texts.into_iter().filter_map(|file| difference(file)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Returns the messages for a file if they differ from the expected messages.
fn difference(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    let text = fs::read_to_string(file).expect("a text");
    let found = match HybridModel::parse(&text, name) {
        Ok(_) => "nothing".to_owned(),
        Err(error) => error.to_string(),
    };
    if std::env::var_os("SICONOS_BLESS").is_some() {
        fs::write(file.with_extension("txt"), format!("{found}\n")).expect("the messages can be written");
    }
    let expected = fs::read_to_string(file.with_extension("txt")).expect("its messages");
    (found != expected.trim_end_matches('\n'))
        .then(|| format!("== {name}, expected:\n{expected}\nfound:\n{found}"))
}

#[test]
fn a_file_that_is_not_there() {
    let error = HybridModel::read("no/such/file.toml").map(|_| ()).expect_err("it is not there");
    assert!(matches!(error, DocumentError::Io { .. }));
    assert!(error.to_string().starts_with("no/such/file.toml: cannot read: "), "{error}");
}
