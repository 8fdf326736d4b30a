//! Vectors and matrices in separate files: the same bits as inline, and no access outside the folder.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::document::{Diagnostic, DocumentError};
use siconos_io::model::{AnyModel, ModelFile};

/// Folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("siconos-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("data")).expect("a folder");
        Self(folder)
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.join(path), bytes).expect("a file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _left = fs::remove_dir_all(&self.0);
    }
}

/// Returns the bytes of a NumPy array.
fn npy(shape: &str, numbers: &[f64]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.into_bytes());
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

/// Returns a model with two masses on springs, a floor below the first mass, a parameter, and these values.
fn text([q, mass, stiffness, weights, restitution]: [&str; 5]) -> String {
    format!(
        r#"
format = 1
kind = "model"

[parameters]
weights = {weights}

[systems.masses]
family = "lagrangian_linear"
q = {q}
mass = {mass}
stiffness = {stiffness}
external_force = ["-weights[0]", "-weights[1]"]

[laws.hit]
kind = "newton_impact"
restitution = {restitution}

[interactions.floor]
systems = "masses"
relation = {{ kind = "lagrangian_linear", H = [[1, 0]] }}
law = "hit"

[simulation]
kind = "time_stepping"
end = 1
step = 0.01
"#
    )
}

const INLINE: [&str; 5] = [
    "[0.1, 0.30000000000000004]",
    "[[2.0, 0.125], [0.125, 1.1]]",
    "[[3.3, -1e-3], [-1e-3, 7.7]]",
    "[9.81, 19.62]",
    "0.7",
];

const FILES: [&str; 5] = [
    r#"{ file = "data/q.csv" }"#,
    r#"{ file = "data/mass.npy" }"#,
    r#"{ file = "stiffness.csv" }"#,
    r#"{ file = "data/../data/weights.npy" }"#,
    "0.7",
];

fn folder_with_data(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("data/q.csv", "0.1\n0.30000000000000004\n");
    folder.write("data/mass.npy", npy("2, 2", &[2.0, 0.125, 0.125, 1.1]));
    folder.write("stiffness.csv", "3.3, -1e-3\r\n-1e-3, 7.7\r\n");
    folder.write("data/weights.npy", npy("2,", &[9.81, 19.62]));
    folder
}

fn model(folder: &Path, text: &str) -> ModelFile {
    match AnyModel::parse_in(folder, (text, "model.toml"), &[]).unwrap_or_else(|error| panic!("{error}")) {
        AnyModel::Model(model) => *model,
        other => panic!("a model, and no {other:?}"),
    }
}

fn bits(model: &ModelFile) -> Vec<u64> {
    let mut rows = Vec::new();
    let keep = |row: &[f64]| {
        rows.extend(row.iter().map(|value| value.to_bits()));
        Ok::<_, Infallible>(())
    };
    model.build().expect("it can be built").to_end(keep).expect("it goes to its end");
    rows
}

#[test]
fn arrays_in_files_are_those_inline() {
    let folder = folder_with_data("arrays");
    let (inline, of_files) = (model(&folder.0, &text(INLINE)), model(&folder.0, &text(FILES)));
    assert!(bits(&inline) == bits(&of_files));
    let names: Vec<_> = of_files.data().iter().map(|data| &*data.path).collect();
    assert_eq!(names, ["data/../data/weights.npy", "data/mass.npy", "data/q.csv", "stiffness.csv"]);
    assert!(inline.data().is_empty());
    // A written model contains the numbers.
    let written = [&inline, &of_files].map(|model| model.build().expect("it can be built").written());
    assert_eq!(written[0], written[1]);
    // A file in the folder of the model is found from the path of the model.
    folder.write("model.toml", text(FILES));
    let read = ModelFile::read(folder.0.join("model.toml")).expect("a model");
    assert!(bits(&read) == bits(&inline));
}

#[test]
fn the_bytes_of_a_file_tell_it_from_another() {
    let folder = folder_with_data("bytes");
    let before = model(&folder.0, &text(FILES)).data().to_vec();
    folder.write("stiffness.csv", "3.3, -1e-3\n-1e-3, 7.7\n");
    let after = model(&folder.0, &text(FILES)).data().to_vec();
    assert_eq!(before[..3], after[..3]);
    assert_ne!(before[3], after[3]);
}

#[test]
fn a_run_does_not_go_on_with_another_file() {
    let folder = folder_with_data("resume");
    let file = model(&folder.0, &text(FILES));
    let mut first = file.build().expect("it can be built");
    for _ in 0..10 {
        first.advance(|_| Ok::<_, Infallible>(())).expect("a step");
    }
    let (state, recorded) = first.record().expect("a record");
    let resumed =
        || model(&folder.0, &text(FILES)).build().expect("it can be built").resume(&state, &recorded);
    resumed().expect("the same files");
    folder.write("data/weights.npy", npy("2,", &[9.81, 19.63]));
    let error = resumed().expect_err("another file").to_string();
    assert!(
        error.starts_with("the file `data/../data/weights.npy` of the model has the checksum"),
        "{error}"
    );
}

fn faults(folder: &Path, text: &str) -> Vec<Diagnostic> {
    match AnyModel::parse_in(folder, (text, "model.toml"), &[]) {
        Err(DocumentError::Diagnostics { diagnostics, .. }) => diagnostics,
        other => panic!("{other:?}"),
    }
}

/// Returns the message for a file given as the stiffness.
fn said(folder: &Path, file: &str) -> String {
    let stiffness = format!("{{ file = \"{file}\" }}");
    let [q, mass, _, weights, restitution] = INLINE;
    let found = faults(folder, &text([q, mass, &stiffness, weights, restitution]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].excerpt.line, found[0].excerpt.column), (12, 13), "{found:?}");
    found[0].message.clone()
}

#[test]
fn nothing_is_read_but_arrays_below_the_folder() {
    let around = Folder::new("around");
    around.write("outside.csv", "1,0\n0,1\n");
    let inside = around.0.join("inside");
    fs::create_dir_all(inside.join("folder.csv")).expect("a folder");
    let absolute = around.0.join("outside.csv").display().to_string();
    let mut cases = vec![
        ("../outside.csv".to_owned(), "is outside the folder of the model"),
        // The message does not reveal the existence of a file outside the folder.
        ("../none.csv".to_owned(), "is outside the folder of the model"),
        ("../none/../inside/none.csv".to_owned(), "is outside the folder of the model"),
        ("folder.csv/../../outside.csv".to_owned(), "is outside the folder of the model"),
        (absolute, "is an absolute path"),
        ("/dev/zero.csv".to_owned(), "is an absolute path"),
        ("folder.csv".to_owned(), "is not a file"),
        ("none.npy".to_owned(), "cannot read"),
        ("none.txt".to_owned(), "ends neither in"),
        (String::new(), "ends neither in"),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(around.0.join("outside.csv"), inside.join("link.csv")).expect("a link");
        std::os::unix::fs::symlink(&around.0, inside.join("up")).expect("a link");
        std::os::unix::fs::symlink("/dev/zero", inside.join("zero.csv")).expect("a link");
        std::os::unix::fs::symlink(around.0.join("none.csv"), inside.join("gone.csv")).expect("a link");
        for path in ["link.csv", "up/outside.csv", "up/none.csv", "up/../none.csv", "zero.csv", "gone.csv"] {
            cases.push((path.to_owned(), "is outside the folder of the model"));
        }
    }
    for (file, expected) in cases {
        let message = said(&inside, &file);
        assert!(message.contains(expected) && message.contains(&file), "{message}");
    }
    // Links that stay in the folder are allowed.
    #[cfg(unix)]
    {
        fs::write(inside.join("k.csv"), "1,0\n0,1\n").expect("a file");
        std::os::unix::fs::symlink("k.csv", inside.join("same.csv")).expect("a link");
        let [q, mass, _, weights, restitution] = INLINE;
        model(&inside, &text([q, mass, r#"{ file = "same.csv" }"#, weights, restitution]));
    }
}

#[test]
fn a_text_alone_has_no_files() {
    let Err(DocumentError::Diagnostics { diagnostics: faults, .. }) =
        AnyModel::parse(&text(FILES), "model.toml", &[])
    else {
        panic!("it was read")
    };
    assert_eq!(faults.len(), 4, "{faults:?}");
    assert!(faults.iter().all(|fault| fault.message.contains("a text without a folder")), "{faults:?}");
}

#[test]
fn arrays_that_do_not_fit_are_refused() {
    let folder = Folder::new("wrong_arrays");
    folder.write("three.npy", npy("3, 3", &[1.0; 9]));
    folder.write("flat.npy", npy("4,", &[1.0; 4]));
    folder.write("deep.npy", npy("1, 2, 2", &[1.0; 4]));
    folder.write("nan.npy", npy("2, 2", &[1.0, 0.0, f64::NAN, 1.0]));
    folder.write("huge.npy", npy("1000000000, 1000000000", &[1.0; 4]));
    folder.write("rows.npy", npy("1000000000000, 0", &[]));
    folder.write("empty.npy", []);
    folder.write("many.npy", npy("1001, 1000", &vec![0.0; 1_001_000]));
    folder.write("long.csv", vec![b'1'; (32 << 20) + 1]);
    folder.write("words.csv", "k,l\n1,2\n");
    for (file, expected) in [
        ("three.npy", "this matrix is 3 x 3; it must be 2 x 2"),
        ("flat.npy", "expected a row of the matrix, an array, found a number"),
        ("deep.npy", "its shape is [1, 2, 2]"),
        ("nan.npy", "`nan.npy`: the entry at row 1, column 0 is NaN; it must be finite"),
        ("huge.npy", "bytes of data"),
        ("rows.npy", "its shape is [1000000000000, 0], so it has no numbers"),
        ("empty.npy", "not a NumPy array"),
        ("many.npy", "1001000 entries of `many.npy`"),
        ("long.csv", "is too long"),
        ("words.csv", "line 1, column 1: `k` is not a number"),
    ] {
        let message = said(&folder.0, file);
        assert!(message.contains(expected), "{file}: {message}");
    }
}
