//! Required numbers of solved problems for every method and family: `battery.toml`. They may only increase.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::tally::{OfFamily, Tally};

/// Numbers of solved problems: for each method and kind a list in the order of the coefficients.
type Solved = BTreeMap<String, BTreeMap<String, Vec<usize>>>;

/// Contents of the file.
#[derive(Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Floors {
    /// Reason for the numbers.
    because: String,
    /// Numbers of solved problems in the complete battery and in its tenth. A problem without a solution
    /// counts as solved if this is proven.
    whole: Solved,
    tenth: Solved,
}

impl Floors {
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Returns the numbers of solved problems as requirements for later runs.
    pub(super) fn of(whole: &Tally, tenth: &Tally, reason: &str) -> Self {
        Self { because: reason.to_owned(), whole: solved(whole), tenth: solved(tenth) }
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        let text = toml::to_string(self).map_err(|error| error.to_string())?;
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Returns the violated requirements. Entries that are missing in the file require nothing.
    ///
    /// Problems at the limit of a method are decided by rounding, which differs between processors. A family
    /// may therefore lose [one problem in twenty](slack), at least one, and a method one problem in a hundred
    /// of all.
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
                        "{method} solves {solved} of {problems} of the family {kind}, mu {mu}; the floor is {floor}"
                    ));
                }
            }
            if all_solved + slack(all, 100) < all_floors {
                offences.push(format!("{method} solves {all_solved} of {all}; the floor is {all_floors}"));
            }
        }
        offences
    }
}

/// Returns the fraction 1 / `of` of a number of problems, at least one.
fn slack(problems: usize, of: usize) -> usize {
    (problems / of).max(1)
}

/// Pairs each family with its index among the families of its kind, which are adjacent.
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
        // A method that refuses a kind, or solves none of its problems, needs no line.
        kinds.retain(|_, solved| solved.iter().any(|solved| *solved > 0));
    }
    all
}

#[cfg(test)]
mod tests {
    use siconos_testkit::contact::battery::BatteryFamily;

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
        // One lost problem may be due to rounding, in a family and in all families.
        assert_eq!(floors.compare(&tally([4, 1]), false), [""; 0]);
        let offences = floors.compare(&tally([4, 0]), false);
        assert_eq!(offences.len(), 2, "{offences:?}");
        assert!(offences[0].contains("0 of 4 of the family definite, mu 10; the floor is 2"), "{offences:?}");
        assert!(offences[1].contains("auto solves 4 of 8; the floor is 6"), "{offences:?}");
        let offences = floors.compare(&tally([3, 1]), false);
        assert_eq!(offences, ["auto solves 4 of 8; the floor is 6"]);
        // A missing entry requires nothing.
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
        let kinds = BatteryFamily::ALL.map(BatteryFamily::name);
        for (kind, floors) in floors.whole.values().chain(floors.tenth.values()).flatten() {
            assert!(kinds.contains(&kind.as_str()) && floors.len() <= 7, "{kind}");
        }
    }
}
