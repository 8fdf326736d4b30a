//! Parts of a parameter study that are computed separately.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Part of a study that is divided into `count` parts. The part contains every `count`-th point, so that all
/// parts take about the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shard {
    /// Index of the part, counted from 1.
    number: usize,
    count: usize,
}

impl Default for Shard {
    /// The whole study.
    fn default() -> Self {
        Self { number: 1, count: 1 }
    }
}

impl FromStr for Shard {
    type Err = String;

    /// Parses a part. For example, `3/7` is the third of seven parts.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').map(|(number, count)| (number.parse(), count.parse()));
        match numbers {
            Some((Ok(number), Ok(count))) if (1..=count).contains(&number) => Ok(Self { number, count }),
            _ => Err(format!("--shard is `{text}`; it must be I/N with I from 1 to N, such as 3/7")),
        }
    }
}

impl Shard {
    pub(super) fn is_all(self) -> bool {
        self.count == 1
    }

    pub(super) fn has(self, point: usize) -> bool {
        point % self.count == self.number - 1
    }

    /// Returns the path of the journal of the part, next to the table.
    pub(super) fn journal(self, output: &Path) -> PathBuf {
        output.with_added_extension(format!("part-{}-of-{}.slog", self.number, self.count))
    }

    /// Returns the part whose journal has the file name `name`; `None` if the file is not a journal of the
    /// table `output`.
    fn of_name(name: &str, output: &str) -> Option<Self> {
        let parts = name.strip_prefix(output)?.strip_prefix(".part-")?.strip_suffix(".slog")?;
        parts.replace("-of-", "/").parse().ok()
    }
}

/// Returns the parts of a table that have a journal, with the paths of the journals.
pub(super) fn parts(output: &Path) -> Result<Vec<(Shard, PathBuf)>, String> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let listed = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut parts: Vec<_> = listed
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let shard = Shard::of_name(&path.file_name()?.to_string_lossy(), &name)?;
            Some((shard, path))
        })
        .collect();
    parts.sort();
    let counts: Vec<_> = parts.iter().map(|(shard, _)| shard.count).collect();
    match counts.first() {
        None => Err(format!("{}: there are no parts of this table to merge", output.display())),
        Some(first) => match counts.iter().find(|count| *count != first) {
            None => Ok(parts),
            Some(other) => Err(format!(
                "there are parts of {first} and parts of {other}; remove the parts of one of them"
            )),
        },
    }
}

/// Describes the parts that have no journal, and the parts with points that are not computed yet.
pub(super) fn missing(parts: &[(Shard, PathBuf)], left: impl Iterator<Item = usize> + Clone) -> Vec<String> {
    let count = parts.first().map_or(1, |(shard, _)| shard.count);
    (1..=count)
        .map(|number| Shard { number, count })
        .filter_map(|shard| {
            let left = left.clone().filter(|point| shard.has(*point)).count();
            let is_there = parts.iter().any(|(part, _)| *part == shard);
            let part = format!("part {} of {count}", shard.number);
            match (left, is_there) {
                (0, _) => None,
                (_, false) => Some(part),
                (left, true) => Some(format!("{left} points of {part}")),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_every_point_once() {
        let shards: Vec<Shard> = (1..=7).map(|number| Shard { number, count: 7 }).collect();
        for point in 0..100 {
            assert_eq!(shards.iter().filter(|shard| shard.has(point)).count(), 1);
        }
        for text in ["0/7", "8/7", "1", "a/b", "1/0", "-1/7"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn journals_are_known_by_their_names() {
        let shard: Shard = "3/7".parse().expect("a part");
        let path = shard.journal(Path::new("out/table.csv"));
        assert_eq!(path, Path::new("out/table.csv.part-3-of-7.slog"));
        assert_eq!(Shard::of_name("table.csv.part-3-of-7.slog", "table.csv"), Some(shard));
        assert_eq!(Shard::of_name("table.csv.snapshot", "table.csv"), None);
    }
}
