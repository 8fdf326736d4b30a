//! The page `docs/models.md`, an index of the models in `examples/models`. With `SICONOS_BLESS=1`, the test
//! draws the figures and writes the page.

use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::model::AnyModel;

use crate::program::siconos;

const HEAD: &str = "\
# Example models

These models are in `examples/models`. `siconos-rs run examples/models/NAME.toml --plot` runs the model `NAME` and
draws the figure that is shown here. [Model files](model-files.md) explains the keys.

| | |
|---|---|
";

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Describes the kind of a model and of its simulation.
fn kind(text: &str) -> String {
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")));
        line.and_then(|line| line.split('"').next()).unwrap_or_default().replace('_', " ")
    };
    let simulation = text.split("[simulation]").nth(1).unwrap_or_default();
    let simulation = simulation.lines().find_map(|line| line.strip_prefix("kind = \""));
    let simulation = simulation.and_then(|line| line.split('"').next()).map(|kind| kind.replace('_', " "));
    match (value("kind"), simulation) {
        (kind, Some(simulation)) => format!("{kind}, {simulation}"),
        (kind, None) => kind,
    }
}

#[test]
fn the_page_lists_all_models_with_their_figures() {
    let blesses = std::env::var_os("SICONOS_BLESS").is_some();
    let mut files: Vec<PathBuf> = fs::read_dir(folder("examples/models"))
        .expect("the models")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    let mut cells = Vec::new();
    for file in &files {
        let name = file.file_stem().expect("a name").to_string_lossy();
        let figure = folder("docs/figures/models").join(format!("{name}.svg"));
        if blesses {
            let output =
                siconos(&["run", &file.to_string_lossy(), "--plot", &figure.to_string_lossy(), "--quiet"]);
            assert!(output.status.code().is_some_and(|code| code <= 1), "{name}: {output:?}");
        }
        assert!(figure.exists(), "{name} has no figure; run this test with SICONOS_BLESS=1");
        let model = AnyModel::read(file, &[]).expect("a model");
        let title = model.title().unwrap_or_else(|| panic!("{name} has no title")).to_owned();
        let kind = kind(&fs::read_to_string(file).expect("a text"));
        let link = format!("[`{name}`](../examples/models/{name}.toml)");
        cells.push(format!(
            "<img src=\"figures/models/{name}.svg\" alt=\"{title}\" width=\"380\"><br>{title}: {link} ({kind})"
        ));
    }
    let rows: String = cells.chunks(2).map(|pair| format!("| {} |\n", pair.join(" | "))).collect();
    let (page, path) = (format!("{HEAD}{rows}"), folder("docs/models.md"));
    if blesses {
        fs::write(&path, &page).expect("the page");
    }
    let found = fs::read_to_string(&path).expect("the page");
    assert!(found == page, "docs/models.md is not up to date; run this test with SICONOS_BLESS=1");
    let figures = fs::read_dir(folder("docs/figures/models")).expect("the figures").count();
    assert_eq!(figures, files.len(), "a figure of a model that does not exist");
}
