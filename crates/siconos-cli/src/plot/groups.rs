//! Groups of columns that share a panel.

use super::columns::{Columns, with_unit};

/// Columns that share a panel, with the label of the vertical axis.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) label: String,
    pub(super) columns: Vec<usize>,
}

/// Maximum length of a list of names \[characters\].
const LONGEST_LIST: usize = 60;

/// Groups columns. Columns share a panel if their names are equal except for indices, and if they have the
/// same unit. All columns of a panel then are derivatives of the same order. The groups are in the order of
/// their first columns.
pub(super) fn groups(all: Columns<'_>, columns: &[usize]) -> Vec<Group> {
    // Without names in the file, columns are named by numbers, which do not show the columns that belong
    // together.
    let is_nameless = all.names().iter().enumerate().all(|(place, name)| *name == format!("c{place}"));
    let mut groups: Vec<(String, Option<String>, Vec<usize>)> = Vec::new();
    for &column in columns {
        let name = all.name(column);
        let shared = if is_nameless { name.to_owned() } else { without_indices(name) };
        let unit = all.unit(column);
        match groups.iter_mut().find(|(known, of, _)| *known == shared && *of == unit) {
            Some((_, _, columns)) => columns.push(column),
            None => groups.push((shared, unit, vec![column])),
        }
    }
    groups.into_iter().map(|(_, _, columns)| Group::new(all, columns)).collect()
}

impl Group {
    /// Creates a group. Its label is the common part of the names, because the legend lists the names. The
    /// label is a list of the names if they have no common part. If all columns have the same unit, the label
    /// contains the unit.
    pub(super) fn new(all: Columns<'_>, columns: Vec<usize>) -> Self {
        let names = all.names();
        let shared = |column: &usize| without_indices(&names[*column]);
        let first = columns.first().map(shared).unwrap_or_default();
        let is_shared = columns.len() > 1 && columns.iter().all(|column| shared(column) == first);
        let label = if is_shared && !first.is_empty() { first } else { joined(names, &columns) };
        let unit = columns.first().and_then(|column| all.unit(*column));
        let unit = unit.filter(|unit| columns.iter().all(|column| all.unit(*column).as_ref() == Some(unit)));
        Self { label: with_unit(&label, unit.as_deref()), columns }
    }
}

/// Joins the names of columns, and truncates a long list.
fn joined(names: &[String], columns: &[usize]) -> String {
    let list = columns.iter().map(|column| names[*column].as_str()).collect::<Vec<_>>().join(", ");
    match list.char_indices().nth(LONGEST_LIST) {
        Some((end, _)) => format!("{} ..", &list[..end]),
        None => list,
    }
}

/// Returns the column of the time derivative of another column: `q'` for `q`, `q'[0]` for `q[0]`.
pub(super) fn derivative(names: &[String], column: usize) -> Option<usize> {
    let name = &names[column];
    let at_end = format!("{name}'");
    let before_index = name.split_once('[').map(|(stem, index)| format!("{stem}'[{index}"));
    names.iter().position(|other| *other == at_end || before_index.as_ref() == Some(other))
}

/// Removes all digits and all brackets with their contents from a name: `bead3.q'[0]` becomes `bead.q'`.
fn without_indices(name: &str) -> String {
    let mut shared = String::with_capacity(name.len());
    let mut depth = 0_usize;
    for character in name.chars() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 || character.is_ascii_digit() => (),
            _ => shared.push(character),
        }
    }
    // Both `q_1` and `q_2` become `q`.
    shared.split('.').map(|word| word.trim_end_matches('_')).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use siconos_io::trajectory::Table;

    use super::super::columns::Columns;
    use super::{derivative, groups};

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn of(list: &[&str]) -> Vec<(String, Vec<usize>)> {
        let columns: Vec<usize> = (1..list.len()).collect();
        let table = Table::new(names(list));
        groups(Columns::new(&table), &columns).into_iter().map(|group| (group.label, group.columns)).collect()
    }

    #[test]
    fn indices_share_a_panel_and_derivatives_have_their_own() {
        let found = of(&["t", "q[0]", "q[1]", "q'[0]", "q'[1]", "n"]);
        let group = |label: &str, columns: &[usize]| (label.to_owned(), columns.to_vec());
        assert_eq!(found, [group("q", &[1, 2]), group("q'", &[3, 4]), group("n", &[5])]);
        let found = of(&["t", "bead1.q", "bead1.q'", "bead2.q", "bead2.q'", "x_1", "x_2"]);
        let columns: Vec<_> = found.into_iter().map(|(_, columns)| columns).collect();
        assert_eq!(columns, [[1, 3], [2, 4], [5, 6]]);
    }

    #[test]
    fn the_label_is_the_common_part_of_the_names() {
        let mut list = vec!["t".to_owned()];
        list.extend((0..50).map(|k| format!("bead{k}.q")));
        let table = Table::new(list);
        let groups = groups(Columns::new(&table), &(1..51).collect::<Vec<_>>());
        assert_eq!((groups.len(), groups[0].label.as_str(), groups[0].columns.len()), (1, "bead.q", 50));
    }

    #[test]
    fn columns_of_different_units_have_their_own_panels() {
        let mut table = Table::new(["t", "v[0]", "v[1]", "v[2]"]);
        table.set_units([("v[0]", "m/s"), ("v[1]", "m/s"), ("v[2]", "rad/s")]);
        let groups = groups(Columns::new(&table), &[1, 2, 3]);
        let labels: Vec<_> = groups.iter().map(|group| group.label.as_str()).collect();
        assert_eq!(labels, ["v [m/s]", "v[2] [rad/s]"]);
    }

    #[test]
    fn a_file_without_names_has_a_panel_for_each_column() {
        assert_eq!(of(&["c0", "c1", "c2"]).len(), 2);
        assert_eq!(of(&["t", "c1", "c2"]).len(), 1);
    }

    #[test]
    fn derivatives_are_found_by_their_names() {
        let list = names(&["t", "u", "u'", "q[0]", "q'[0]", "u''"]);
        let found: Vec<_> = (0..list.len()).map(|column| derivative(&list, column)).collect();
        assert_eq!(found, [None, Some(2), Some(5), Some(4), None, None]);
    }
}
