//! Snapshots with a valid checksum and a changed record: they are refused or the run resumes, without a
//! panic.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;
use std::path::Path;

use siconos_io::model::AnyModel;
use siconos_io::snapshot::Snapshot;

use crate::snapshot_formats::{model, read};

const SORTS: [&str; 6] = ["steps", "events", "sweeping", "dvi", "hybrid", "unconverged"];

/// Length of the header before the content.
const HEADER: usize = 28;

/// The largest integer, in the `postcard` format.
const LARGEST: [u8; 10] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];

/// Result of resuming an unchanged model from a changed snapshot.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Unread,
    Refused,
    Failed,
    WentOn,
}

/// Takes a few steps from a snapshot.
fn gone_on(model: &AnyModel, snapshot: &Snapshot) -> Outcome {
    let mut run = model.run(None).expect("it begins");
    if let Err(error) = run.resume(&snapshot.state, &snapshot.recorded) {
        assert!(!error.to_string().is_empty());
        return Outcome::Refused;
    }
    let columns = run.names().len();
    for _ in 0..3 {
        let step = run.advance(|row| {
            assert_eq!(row.len(), columns);
            Ok::<(), Infallible>(())
        });
        match step {
            Ok(true) => (),
            Ok(false) => break,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return Outcome::Failed;
            }
        }
    }
    run.record().expect("a record");
    Outcome::WentOn
}

/// Replaces some bytes, and corrects the length and the checksum.
fn changed(bytes: &[u8], places: Range<usize>, others: &[u8]) -> Vec<u8> {
    let mut changed = [&bytes[..places.start], others, &bytes[places.end..bytes.len() - 4]].concat();
    let length = (changed.len() - HEADER) as u64;
    changed[HEADER - 8..HEADER].copy_from_slice(&length.to_le_bytes());
    let check = crc32fast::hash(&changed);
    changed.extend_from_slice(&check.to_le_bytes());
    changed
}

/// Returns a stored snapshot and its model.
fn kept_one(sort: &str) -> (Snapshot, AnyModel) {
    let name = format!("format_5_{sort}");
    let whole = read(&name);
    let model = model(&name, &whole);
    (whole, model)
}

/// Returns an oscillator with two roots that arm each other, after some events.
fn with_a_pair() -> (Snapshot, AnyModel) {
    let text = r#"
        format = 1
        kind = "hybrid"
        [time]
        end = 9
        [variables]
        x = { initial = [1, 0], equation = "x'' = -x" }
        [discrete]
        b = true
        [[events]]
        trigger = "x - 0.5"
        requires = "b"
        [[events]]
        trigger = "0.5 - x"
        requires = "not b"
    "#;
    let model = AnyModel::parse(text, "pair.toml", &[]).expect("a model");
    let mut run = model.run(None).expect("it begins");
    for _ in 0..150 {
        run.advance(|_row| Ok::<(), Infallible>(())).expect("a step");
    }
    let (state, recorded) = run.record().expect("a record");
    assert!(state.t() > 0.0);
    let (model_name, model_text) = (model.name().to_owned(), model.text().to_owned());
    let (overrides, program, host) = (Vec::new(), "test".to_owned(), "here".to_owned());
    let whole =
        Snapshot { program, host, model_name, model: model_text, overrides, state, recorded, output: None };
    (whole, model)
}

/// Applies changes at each position of the record in turn, and returns the number of each outcome.
fn outcomes(
    (whole, model): &(Snapshot, AnyModel),
    changes: impl Fn(&[u8], usize) -> Vec<(Range<usize>, Vec<u8>)>,
) -> BTreeMap<Outcome, usize> {
    let (bytes, text) = (whole.to_bytes(), whole.model.as_bytes());
    let begin = bytes.windows(text.len()).position(|window| window == text).expect("the model is in it");
    let mut outcomes = BTreeMap::new();
    for place in begin + text.len()..bytes.len() - 4 {
        for (places, others) in changes(&bytes, place) {
            let outcome = match Snapshot::from_bytes(&changed(&bytes, places, &others), Path::new("x")) {
                Err(_) => Outcome::Unread,
                Ok(snapshot) => gone_on(model, &snapshot),
            };
            *outcomes.entry(outcome).or_insert(0) += 1;
        }
    }
    outcomes
}

/// Returns all snapshots.
fn snapshots() -> impl Iterator<Item = (Snapshot, AnyModel)> {
    SORTS.into_iter().map(kept_one).chain([with_a_pair()])
}

#[test]
fn no_changed_byte_of_a_record_is_a_panic() {
    for snapshot in snapshots() {
        let changes = |bytes: &[u8], place| {
            let byte: u8 = bytes[place];
            [byte ^ 1, byte ^ 0x80, 0, 0xff, 0x7f].map(|other| (place..place + 1, vec![other])).to_vec()
        };
        let outcomes = outcomes(&snapshot, changes);
        for outcome in [Outcome::Unread, Outcome::Refused, Outcome::WentOn] {
            assert!(outcomes.contains_key(&outcome), "{}: {outcomes:?}", snapshot.0.model_name);
        }
    }
}

/// A count, an index, a step number or a length is replaced by the largest integer.
#[test]
fn no_number_of_a_record_is_too_large() {
    let mut all = BTreeMap::new();
    for snapshot in snapshots() {
        let changes = |bytes: &[u8], place: usize| {
            let goes_on = |place: usize| bytes[place] >= 0x80;
            if goes_on(place) {
                return Vec::new();
            }
            let begin = (0..place).rev().take_while(|place| goes_on(*place)).last().unwrap_or(place);
            [begin, place].map(|begin| (begin..place + 1, LARGEST.to_vec())).to_vec()
        };
        for (outcome, count) in outcomes(&snapshot, changes) {
            *all.entry(outcome).or_insert(0) += count;
        }
    }
    assert!(all.contains_key(&Outcome::Refused) && all.contains_key(&Outcome::WentOn), "{all:?}");
}
