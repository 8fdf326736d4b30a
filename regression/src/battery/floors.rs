//! How much of each family every method has to solve: the numbers of `battery.toml`, which may only rise.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::tally::{OfFamily, Tally};

/// The problems that methods solve: by method and kind a list in the order of the coefficients.
type Solved = BTreeMap<String, BTreeMap<String, Vec<usize>>>;

/// The file.
#[derive(Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Floors {
    /// Why the numbers are what they are.
    because: String,
    /// Problems solved (proven to have no solution, where there is none) of the whole battery, and of its
    /// tenth.
    whole: Solved,
    tenth: Solved,
}

impl Floors {
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// What was solved, as floors for the future.
    pub(super) fn of(whole: &Tally, tenth: &Tally, reason: &str) -> Self {
        Self { because: reason.to_owned(), whole: solved(whole), tenth: solved(tenth) }
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        let text = toml::to_string(self).map_err(|error| error.to_string())?;
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// What falls short. What is not in the file has no floor.
    ///
    /// Problems at the edge of what a method can do are decided by rounding, and that is another one on
    /// another processor: so a family may lose [one problem in twenty](slack), at least one, and a method one
    /// in a hundred of all.
    pub(super) fn compare(&self, tally: &Tally, is_whole: bool) -> Vec<String> {
        let floors = if is_whole { &self.whole } else { &self.tenth };
        let mut offences = Vec::new();
        for of_method in &tally.methods {
            let (method, mut all, mut all_solved, mut all_floors) = (&of_method.method, 0, 0, 0);
            let Some(floors) = floors.get(method) else { continue };
            for (OfFamily { kind, mu, problems, solved }, place) in with_places(&of_method.families) {
                let floor = floors.get(*kind).and_then(|floors| floors.get(place)).copied().unwrap_or(0);
                all += problems;
                all_solved += solved;
                all_floors += floor;
                if solved + slack(*problems, 20) < floor {
                    offences.push(format!(
                        "{method} solves {solved} of {problems} of the family {kind}, mu {mu}; it was {floor}"
                    ));
                }
            }
            if all_solved + slack(all, 100) < all_floors {
                offences.push(format!("{method} solves {all_solved} of {all}; it was {all_floors}"));
            }
        }
        offences
    }
}

/// One problem of so many, at least one.
fn slack(problems: usize, of: usize) -> usize {
    (problems / of).max(1)
}

/// The families of a kind stand next to each other; with each comes its place among them.
fn with_places(families: &[OfFamily]) -> impl Iterator<Item = (&OfFamily, usize)> {
    families.chunk_by(|a, b| a.kind == b.kind).flat_map(|of_kind| of_kind.iter().zip(0..))
}

fn solved(tally: &Tally) -> Solved {
    let mut all = Solved::new();
    for of_method in &tally.methods {
        let kinds = all.entry(of_method.method.clone()).or_default();
        for family in &of_method.families {
            kinds.entry(family.kind.to_owned()).or_default().push(family.solved);
        }
        // What a method refuses, or cannot solve at all, needs no line.
        kinds.retain(|_, solved| solved.iter().any(|solved| *solved > 0));
    }
    all
}

#[cfg(test)]
mod tests {
    use siconos_testkit::contact::battery::Kind;

    use super::super::tally::OfMethod;
    use super::{Floors, OfFamily, Tally};

    fn tally(solved: [usize; 2]) -> Tally {
        let family = |mu, solved| OfFamily { kind: "definite", mu, problems: 4, solved };
        let method = OfMethod {
            families: vec![family(0.3, solved[0]), family(10.0, solved[1])],
            ..OfMethod::new("auto")
        };
        Tally { problems: 8, methods: vec![method], offences: Vec::new() }
    }

    #[test]
    fn what_falls_below_a_floor_is_told() {
        let text = "because = \"so\"\n[whole]\n[tenth.auto]\ndefinite = [4, 2]\n";
        let floors: Floors = toml::from_str(text).expect("a good file");
        assert_eq!(floors.compare(&tally([4, 2]), false), [""; 0]);
        assert_eq!(floors.compare(&tally([4, 3]), false), [""; 0]);
        // One may be rounding, of a family and of all.
        assert_eq!(floors.compare(&tally([4, 1]), false), [""; 0]);
        let offences = floors.compare(&tally([4, 0]), false);
        assert_eq!(offences.len(), 2, "{offences:?}");
        assert!(offences[0].contains("0 of 4 of the family definite, mu 10; it was 2"), "{offences:?}");
        assert!(offences[1].contains("auto solves 4 of 8; it was 6"), "{offences:?}");
        let offences = floors.compare(&tally([3, 1]), false);
        assert_eq!(offences, ["auto solves 4 of 8; it was 6"]);
        // What is not in the file has no floor.
        assert_eq!(floors.compare(&tally([0, 0]), true), [""; 0]);
    }

    #[test]
    fn what_is_written_is_read() {
        let floors = Floors::of(&tally([4, 2]), &tally([1, 0]), "a reason");
        let text = toml::to_string(&floors).expect("numbers and names");
        assert!(text.contains("definite = [4, 2]"), "{text}");
        assert_eq!(toml::from_str::<Floors>(&text).expect("what was written"), floors);
        assert_eq!(floors.compare(&tally([4, 0]), true).len(), 2);
    }

    #[test]
    fn the_file_is_one() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let floors = Floors::read(&folder.join("battery.toml")).expect("it lies there");
        let kinds = Kind::ALL.map(Kind::name);
        for (kind, floors) in floors.whole.values().chain(floors.tenth.values()).flatten() {
            assert!(kinds.contains(&kind.as_str()) && floors.len() <= 7, "{kind}");
        }
    }
}
