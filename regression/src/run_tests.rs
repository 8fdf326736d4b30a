//! Runs of small simulations, with references in a temporary folder.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::trajectory::Table;

use super::{Failure, Outcome, RunError, Runner};
use crate::bless::{BlessError, bless};
use crate::manifest::Manifest;
use crate::reference::Folders;
use crate::scenarios::Scenarios;
use crate::stamp::Stamp;

const MANIFEST: &str = r#"
[[scenario]]
name = "line"
description = "q = t"
reference = { file = "references/line.csv", stride = 2 }
provenance = "made here"
columns = [{ absolute = 1e-12, relative = 0.0, of = ["q"] }]

[[scenario]]
name = "line_external"
description = "the same"
result = "line"
reference = { external = "line.ref" }
rows = [0, 3]
provenance = "made there"
columns = [{ absolute = 1e-12, relative = 0.0, of = ["q: c1"] }]

[[scenario]]
name = "broken"
description = "fails"
reference = { external = "line.ref" }
provenance = "made there"
columns = [{ absolute = 0.0, relative = 0.0, of = ["q"] }]

[[scenario]]
name = "panics"
description = "panics"
reference = { external = "line.ref" }
provenance = "made there"
columns = [{ absolute = 0.0, relative = 0.0, of = ["q"] }]
"#;

const SCENARIOS: Scenarios = Scenarios {
    names: &["line", "broken", "panics"],
    run: |name| match name {
        "line" => Some(Ok(line(1.0))),
        "broken" => Some(Err("out of luck".into())),
        "panics" => panic!("out of bounds"),
        _ => None,
    },
};

fn line(slope: f64) -> Table {
    let mut table = Table::new(["t", "q"]);
    for k in 0..5 {
        table.push_row(&[f64::from(k), slope * f64::from(k)]).expect("two numbers");
    }
    table
}

/// Creates folders for this test, without references.
fn folders(test: &str) -> (PathBuf, PathBuf) {
    let own = std::env::temp_dir().join(format!("siconos_regression_{}_{test}", std::process::id()));
    let _ = fs::remove_dir_all(&own);
    fs::create_dir_all(&own).expect("a temporary folder");
    let external = own.join("external");
    (own, external)
}

fn manifest() -> Manifest {
    Manifest::parse(Path::new("manifest.toml"), MANIFEST, SCENARIOS.names).expect("a good manifest")
}

fn stamp() -> Stamp {
    Stamp { date: "2026-01-01T00:00:00Z".to_owned(), version: "0.1.0", commit: None }
}

#[test]
fn a_blessed_scenario_passes_and_keeps_its_reason() -> Result<(), Box<dyn Error>> {
    let (own, external) = folders("bless");
    let manifest = manifest();
    let scenario = manifest.named("line")?;
    let mut runner = Runner::new(SCENARIOS, Folders::at(&own, &external));
    assert!(matches!(runner.run(scenario).outcome, Outcome::Failed(Failure::NoReference { .. })));

    let text = bless(scenario, "the first\none", &mut runner, &stamp())?;
    assert!(text.contains("there was none before") && text.contains("3 rows"), "{text}");
    let path = own.join("references/line.csv");
    let reference = Table::read(&path)?;
    assert!(reference.column("q").is_some_and(|q| q.eq([0.0, 2.0, 4.0])));
    assert!(
        reference.provenance.iter().any(|line| line == "because: the first one"),
        "{:?}",
        reference.provenance
    );
    assert!(reference.provenance.iter().any(|line| line.contains("2026-01-01")));
    assert!(runner.run(scenario).has_passed());

    line(1.5).thinned(2.try_into()?).write(&path)?;
    let record = runner.run(scenario);
    let Outcome::Failed(Failure::Off(offence)) = &record.outcome else { panic!("{:?}", record.outcome) };
    assert_eq!((offence.row, offence.time, offence.difference), (1, Some(2.0), 1.0));
    let text = bless(scenario, "back again", &mut runner, &stamp())?;
    assert!(text.contains("2.000e0 in row 2") && text.contains("t            none"), "{text}");
    fs::remove_dir_all(own)?;
    Ok(())
}

#[test]
fn external_references_may_be_absent_as_a_whole_only() -> Result<(), Box<dyn Error>> {
    let (own, external) = folders("external");
    let manifest = manifest();
    let scenario = manifest.named("line_external")?;
    let mut runner = Runner::new(SCENARIOS, Folders::at(&own, &external));
    let record = runner.run(scenario);
    assert!(matches!(record.outcome, Outcome::Skipped) && !record.has_failed() && !record.has_passed());

    fs::create_dir(&external)?;
    assert!(matches!(runner.run(scenario).outcome, Outcome::Failed(Failure::NoReference { .. })));
    fs::write(external.join("line.ref"), "5 2\n0 0\n1 1\n2 2\n")?;
    assert!(matches!(runner.run(scenario).outcome, Outcome::Failed(Failure::Unreadable(_))));
    fs::write(external.join("line.ref"), "5 2\n0 0\n1 1\n2 2\n3 7\n4 7\n")?;
    assert!(runner.run(scenario).has_passed(), "rows 3 and 4 are not compared");
    assert!(matches!(bless(scenario, "why not", &mut runner, &stamp()), Err(BlessError::External { .. })));
    fs::remove_dir_all(own)?;
    Ok(())
}

#[test]
fn a_simulation_without_result_fails() -> Result<(), Box<dyn Error>> {
    let (own, external) = folders("broken");
    fs::create_dir(&external)?;
    line(1.0).write(external.join("line.ref"))?;
    let manifest = manifest();
    let mut runner = Runner::new(SCENARIOS, Folders::at(&own, &external));
    let failed = runner.run(manifest.named("broken")?);
    assert!(matches!(failed.outcome, Outcome::Failed(Failure::Run(RunError::Failed(_)))));
    let panicked = runner.run(manifest.named("panics")?);
    let Outcome::Failed(Failure::Run(RunError::Panicked { message })) = panicked.outcome else {
        panic!("{:?}", panicked.outcome)
    };
    assert_eq!(message, "out of bounds");
    fs::remove_dir_all(own)?;
    Ok(())
}
