//! Contacts of a trajectory: pairs of a column with the gap and a column with the impulse.

use super::columns::Columns;

/// Last words in the names of columns with gaps.
const GAPS: [&str; 2] = ["gap", "y"];
const IMPULSES: [&str; 3] = ["impulse", "lambda", "p"];

/// Columns of a contact.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) label: String,
    pub(super) gap: usize,
    pub(super) impulse: usize,
}

/// Returns the contacts whose columns are given in the order gap, impulse, gap, impulse, ..
pub(super) fn listed(columns: Columns<'_>, places: &[usize]) -> Result<Vec<Pair>, String> {
    if places.len() % 2 == 1 {
        return Err(format!(
            "the number of columns is {}; for --kind gap they must be pairs of a gap and its impulse",
            places.len()
        ));
    }
    let is_alone = places.len() == 2;
    let pair = |pair: &[usize]| Pair {
        label: if is_alone { String::new() } else { columns.name(pair[0]).to_owned() },
        gap: pair[0],
        impulse: pair[1],
    };
    Ok(places.chunks_exact(2).map(pair).collect())
}

/// Finds the contacts from the names of the columns: `floor.gap` with `floor.impulse`, `y[1]` with
/// `lambda[1]`, or, with friction, `floor.gap[1]` with the first of the components of the second contact.
pub(super) fn found(columns: Columns<'_>) -> Result<Vec<Pair>, String> {
    let names = columns.names();
    let mut pairs = Vec::new();
    for (gap, name) in names.iter().enumerate() {
        let (before, word, index) = parts(name);
        if !GAPS.contains(&word) {
            continue;
        }
        let of_word = |impulse: &&str| impulse_of(names, gap, impulse);
        if let Some(impulse) = IMPULSES.iter().find_map(of_word) {
            let label = format!("{}{index}", before.trim_end_matches('.'));
            pairs.push(Pair { label, gap, impulse });
        }
    }
    if pairs.is_empty() {
        let message = "no columns have the names of a gap and its impulse, such as `floor.gap` and \
                       `floor.impulse`; use --y GAP,IMPULSE";
        return Err(message.to_owned());
    }
    Ok(pairs)
}

/// Returns the column of the impulse, called `word`, of a gap. With friction, each gap has several components
/// of the impulse, of which the first one is normal.
fn impulse_of(names: &[String], gap: usize, word: &str) -> Option<usize> {
    let (before, word_of_gap, index) = parts(&names[gap]);
    let columns = |word: &str| {
        let is_own =
            |place: &usize| matches!(parts(&names[*place]), (own, last, _) if own == before && last == word);
        (0..names.len()).filter(is_own).collect::<Vec<_>>()
    };
    let (gaps, impulses) = (columns(word_of_gap), columns(word));
    if word_of_gap == "gap" && impulses.len() > gaps.len() && impulses.len().is_multiple_of(gaps.len()) {
        let contact = gaps.iter().position(|place| *place == gap)?;
        return impulses.get(contact * (impulses.len() / gaps.len())).copied();
    }
    impulses.into_iter().find(|place| parts(&names[*place]).2 == index)
}

/// Splits a name into the text before its last word, the last word, and the index.
fn parts(name: &str) -> (&str, &str, &str) {
    let end = name.find('[').unwrap_or(name.len());
    let (stem, index) = name.split_at(end);
    let begin = stem.rfind('.').map_or(0, |point| point + 1);
    let (before, word) = stem.split_at(begin);
    (before, word, index)
}

#[cfg(test)]
mod tests {
    use siconos_io::trajectory::Table;

    use super::{Columns, Pair, found, listed};

    #[test]
    fn contacts_are_found_by_names_or_listed() -> Result<(), String> {
        let pair = |label: &str, gap, impulse| Pair { label: label.to_owned(), gap, impulse };
        let table =
            Table::new(["t", "floor.gap", "wall.gap", "wall.impulse", "floor.impulse", "y[1]", "lambda[1]"]);
        let columns = Columns::new(&table);
        assert_eq!(found(columns)?, [pair("floor", 1, 4), pair("wall", 2, 3), pair("[1]", 5, 6)]);
        assert_eq!(listed(columns, &[5, 6])?, [pair("", 5, 6)]);
        let message = listed(columns, &[5]).expect_err("no pair");
        assert!(message.starts_with("the number of columns is 1;"), "{message}");
        let table = Table::new([
            "t",
            "a.gap[0]",
            "a.gap[1]",
            "a.impulse[0]",
            "a.impulse[1]",
            "a.impulse[2]",
            "a.impulse[3]",
        ]);
        assert_eq!(found(Columns::new(&table))?, [pair("a[0]", 1, 3), pair("a[1]", 2, 5)]);
        let table = Table::new(["t", "q"]);
        assert!(found(Columns::new(&table)).is_err());
        Ok(())
    }
}
