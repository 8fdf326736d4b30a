//! Detection of constants that depend on each other in a cycle.

use std::collections::{BTreeMap, VecDeque};

use crate::document::{Node, Table};

/// Indices of the constants that each constant reads.
pub(super) struct Readings {
    names: Vec<String>,
    reads: Vec<Vec<usize>>,
    /// Number of remaining search steps. Because of this limit, a cycle may not be found if a file has very
    /// many constants and errors.
    looks_left: usize,
}

const MOST_LOOKS: usize = 1_000_000;

impl Readings {
    /// Collects the names that the constants of a table read.
    pub(super) fn of(table: &Table<'_>) -> Self {
        let names: Vec<_> = table.entries.iter().map(|entry| entry.key.to_string()).collect();
        let locations: BTreeMap<_, _> =
            names.iter().zip(0..).map(|(name, place)| (name.as_str(), place)).collect();
        let read = |node: &Node<'_>| match node {
            Node::Text(text) => {
                words(&text.content).filter_map(|word| locations.get(word).copied()).collect()
            }
            _ => Vec::new(),
        };
        let reads = table.entries.iter().map(|entry| read(&entry.value.node)).collect();
        Self { names, reads, looks_left: MOST_LOOKS }
    }

    /// Returns the index of the first constant that the constant at index `place` reads although the file
    /// does not define it above `place`.
    pub(super) fn first_not_above(&self, place: usize) -> Option<usize> {
        self.reads[place].iter().copied().find(|other| *other >= place)
    }

    pub(super) fn name(&self, place: usize) -> &str {
        &self.names[place]
    }

    /// Returns the shortest cycle that starts at the constant with index `place` and continues with the
    /// constant `over`, which `place` reads. Returns `None` if no cycle is found.
    pub(super) fn circle(&mut self, place: usize, over: usize) -> Option<Vec<usize>> {
        let mut before = BTreeMap::from([(over, place)]);
        let mut open = VecDeque::from([over]);
        while let Some(here) = open.pop_front() {
            if here == place {
                return Some(way_back(&before, place));
            }
            for next in &self.reads[here] {
                self.looks_left = self.looks_left.checked_sub(1)?;
                if !before.contains_key(next) {
                    before.insert(*next, here);
                    open.push_back(*next);
                }
            }
        }
        None
    }

    /// Describes a cycle for messages.
    pub(super) fn in_words(&self, circle: &[usize]) -> String {
        let names = circle.iter().map(|place| format!("`{}`", self.names[*place]));
        let names: Vec<_> = names.collect();
        // Longer cycles are hard to follow.
        let shown = match &names[..] {
            [first @ .., last] if first.len() > MOST_NAMED => {
                format!("{} reads .. reads {last}", first[..MOST_NAMED].join(" reads "))
            }
            all => all.join(" reads "),
        };
        format!("{shown}: constants cannot depend on each other in a cycle")
    }
}

/// Maximum number of constants of a cycle that are listed in a message.
const MOST_NAMED: usize = 8;

/// Returns the cycle that ends at `place`. `before` maps each constant to the constant from which the search
/// reached it.
fn way_back(before: &BTreeMap<usize, usize>, place: usize) -> Vec<usize> {
    let mut circle = vec![place];
    let mut here = place;
    while let Some(&previous) = before.get(&here) {
        circle.push(previous);
        if previous == place {
            break;
        }
        here = previous;
    }
    circle.reverse();
    circle
}

/// Returns the words of `text` that have the form of names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(move |c: char| !is_part(c));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::Readings;

    fn readings(reads: &[&[usize]]) -> Readings {
        let names = (0..reads.len()).map(|place| format!("c{place}")).collect();
        Readings { names, reads: reads.iter().map(|own| own.to_vec()).collect(), looks_left: 100 }
    }

    #[test]
    fn circles_are_found_where_there_are_some() {
        let mut readings = readings(&[&[1], &[2, 4], &[0, 3], &[3], &[]]);
        assert_eq!(readings.circle(0, 1), Some(vec![0, 1, 2, 0]));
        assert_eq!(readings.circle(3, 3), Some(vec![3, 3]));
        assert_eq!(readings.circle(1, 4), None);
        assert_eq!(
            readings.in_words(&[3, 3]),
            "`c3` reads `c3`: constants cannot depend on each other in a cycle"
        );
    }

    #[test]
    fn a_search_among_very_many_ends() {
        let mut readings = readings(&[&[1; 60], &[2; 60], &[0]]);
        assert_eq!(readings.circle(0, 1), Some(vec![0, 1, 2, 0]));
        assert_eq!(readings.circle(0, 1), None, "there are no looks left");
    }
}
