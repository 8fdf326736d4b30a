//! Rule for commit subjects: their length.

use std::process::Command;

use super::offence::Offence;
use crate::command;
use crate::workspace;

/// Maximum width of a subject. With this width, `git log --oneline` shows it with an abbreviated hash in 80
/// columns.
const WIDTH: usize = 72;

/// Last commit to which the rule does not apply.
const BASE: &str = "cc9812ed";

/// Returns the violations since the base commit, or none in a shallow clone, which does not contain this
/// commit.
pub(super) fn offences() -> Vec<Offence> {
    let range = format!("{BASE}..HEAD");
    let mut log = Command::new("git");
    log.args(["log", "--no-merges", "--format=%h %s", &range]).current_dir(workspace::root());
    too_long(&command::answer(&mut log).unwrap_or_default())
}

fn too_long(log: &str) -> Vec<Offence> {
    let entries = log.lines().filter_map(|line| line.split_once(' '));
    let long = entries.filter(|(_, subject)| subject.chars().count() > WIDTH);
    long.map(|(hash, subject)| {
        let columns = subject.chars().count();
        Offence::new(hash, 1, format!("a commit subject of {columns} columns; at most {WIDTH} are allowed"))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::too_long;

    #[test]
    fn long_subjects_are_found() {
        let long = "w".repeat(73);
        let found = too_long(&format!("aaaa Say what changes\nbbbb {long}\ncccc {}\n", &long[1..]));
        assert_eq!(found.iter().map(|offence| offence.path.as_str()).collect::<Vec<_>>(), ["bbbb"]);
    }
}
