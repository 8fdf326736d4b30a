//! How much of each family the default method has to solve: the numbers of `battery.toml`, which may only rise.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::tally::{OfFamily, Tally};

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Floors {
    /// Problems solved (proven to have no solution, where there is none), of the whole battery and of its tenth: for each
    /// kind a list in the order of the coefficients.
    whole: BTreeMap<String, Vec<usize>>,
    tenth: BTreeMap<String, Vec<usize>>,
    /// Problems that have to be solved and are not yet, by number.
    missed: Vec<usize>,
}

impl Floors {
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// What falls short, and what is listed without need.
    pub(super) fn compare(&self, tally: &Tally, is_whole: bool) -> Vec<String> {
        let floors = if is_whole { &self.whole } else { &self.tenth };
        let mut offences = Vec::new();
        // The families of a kind stand next to each other, in the order of the coefficients.
        for of_kind in tally.families.chunk_by(|a, b| a.kind == b.kind) {
            let floor = floors.get(of_kind[0].kind);
            for (k, OfFamily { kind, mu, problems, solved }) in of_kind.iter().enumerate() {
                // What is not in the file has to be solved.
                let floor = floor.and_then(|floor| floor.get(k)).unwrap_or(problems);
                if solved < floor {
                    offences.push(format!(
                        "the default method solves {solved} of {problems} of the family {kind}, mu {mu}; it was {floor}"
                    ));
                }
            }
        }
        let new = tally.missed.iter().filter(|number| !self.missed.contains(number));
        offences.extend(
            new.map(|number| format!("the default method misses problem {number}, which it has to solve")),
        );
        offences
    }
}

#[cfg(test)]
mod tests {
    use super::{Floors, OfFamily, Tally};

    fn tally(solved: [usize; 2], missed: &[usize]) -> Tally {
        let family = |mu, solved| OfFamily { kind: "definite", mu, problems: 4, solved };
        Tally {
            problems: 8,
            families: vec![family(0.3, solved[0]), family(10.0, solved[1])],
            methods: Vec::new(),
            missed: missed.to_vec(),
            offences: Vec::new(),
        }
    }

    #[test]
    fn what_falls_below_a_floor_is_told() {
        let text = "missed = [7]\n[whole]\n[tenth]\ndefinite = [4, 2]\n";
        let floors: Floors = toml::from_str(text).expect("a good file");
        assert_eq!(floors.compare(&tally([4, 2], &[7]), false), [""; 0]);
        assert_eq!(floors.compare(&tally([4, 3], &[]), false), [""; 0]);
        let offences = floors.compare(&tally([4, 1], &[7, 8]), false);
        assert_eq!(offences.len(), 2, "{offences:?}");
        assert!(offences[0].contains("1 of 4 of the family definite, mu 10; it was 2"), "{offences:?}");
        assert!(offences[1].contains("problem 8"), "{offences:?}");
        // What is not in the file has to be solved.
        assert_eq!(floors.compare(&tally([4, 3], &[]), true).len(), 1);
    }

    #[test]
    fn the_file_is_one() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let floors = Floors::read(&folder.join("battery.toml")).expect("it lies there");
        let kinds =
            siconos_testkit::contact::battery::Kind::ALL.map(siconos_testkit::contact::battery::Kind::name);
        for (kind, floors) in floors.whole.iter().chain(&floors.tenth) {
            assert!(kinds.contains(&kind.as_str()) && floors.len() <= 7, "{kind}");
        }
    }
}
