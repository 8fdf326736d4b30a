//! Checks of the fuzz target for expressions (folder `fuzz` next to `crates`). They run on the corpus of the
//! target, without a fuzzer.

use std::fs;
use std::path::Path;

#[path = "../../../../fuzz/src/read_expression.rs"]
pub mod read_expression;

#[test]
fn expressions_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/corpus/read_expression");
    let mut files: Vec<_> =
        fs::read_dir(&folder).expect("the corpus").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        println!("{}", file.display());
        read_expression::check(&fs::read(&file).expect("a file"));
    }
}
