//! Tables of the keys of model files, as text or JSON.

use std::io::{self, Write};

use siconos_io::model::keys::{self, KeyDescription, KeyTable};
use siconos_io::siconos_expression::{did_you_mean, nearest};

use crate::answer::write_json;
use crate::arguments::{Format, KeysArguments};

/// Returns the tables of all kinds of files, and the table of names in expressions.
fn tables() -> Vec<KeyTable> {
    let mut tables = keys::tables();
    let of_models = tables.iter().take_while(|table| table.file == "model").count();
    tables.insert(of_models, keys::names());
    tables
}

/// Returns the tables that the arguments select: all, the tables of a kind, or the tables with a key.
pub(crate) fn select(arguments: &KeysArguments) -> Result<Vec<KeyTable>, String> {
    let Some(kind) = &arguments.kind else { return Ok(tables()) };
    let of_kind: Vec<_> = tables().into_iter().filter(|table| is_named(table, kind)).collect();
    match (of_kind.is_empty(), &arguments.key) {
        (false, None) => Ok(of_kind),
        (false, Some(key)) => {
            let found = only(of_kind.clone(), key);
            if found.is_empty() {
                let known = of_kind.iter().flat_map(|table| &table.keys).map(|key| key.name);
                return Err(unknown(&format!("key in `{kind}`"), key, known));
            }
            Ok(found)
        }
        (true, key) => {
            let found = only(tables(), kind);
            match key {
                _ if found.is_empty() => return Err(unknown("table or key", kind, names())),
                Some(key) if tables().iter().any(|table| is_named(table, key)) => {
                    return Err(format!("`{kind}` is a key, not a table; the table `{key}` comes first"));
                }
                Some(_) => {
                    return Err(format!("`{kind}` is a key, not a table; `siconos-rs keys {kind}` shows it"));
                }
                None => (),
            }
            Ok(found)
        }
    }
}

/// Returns `true` if a table has this name: a word that selects it, its location, the last part of its
/// location, or, for the top of a file, the kind of the file.
fn is_named(table: &KeyTable, name: &str) -> bool {
    match table.path {
        "" => table.file == name,
        path => table.words.contains(&name) || path == name || last_part(path) == name,
    }
}

/// Returns the last part of a location that is not a name that the user chooses: `laws` for `laws.NAME`.
fn last_part(path: &str) -> &str {
    let path = path.trim_end_matches(".NAME");
    path.rsplit_once('.').map_or(path, |(_, last)| last)
}

/// Reduces tables to one key, and omits the tables that do not have it. A name in expressions is also found
/// by its last part: `gap` for `floor.gap`.
fn only(tables: Vec<KeyTable>, key: &str) -> Vec<KeyTable> {
    let reduce = |mut table: KeyTable| {
        table
            .keys
            .retain(|own| own.name == key || own.name.rsplit_once('.').is_some_and(|(_, last)| last == key));
        (!table.keys.is_empty()).then_some(table)
    };
    tables.into_iter().filter_map(reduce).collect()
}

/// Returns the names of all tables and keys.
fn names() -> impl Iterator<Item = &'static str> {
    tables().into_iter().flat_map(|table| {
        let keys = table.keys.iter().map(|key| key.name);
        table.words.iter().copied().chain([last_part(table.path), table.file]).chain(keys).collect::<Vec<_>>()
    })
}

fn unknown(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> String {
    let near = nearest(name, known.filter(|known| !known.is_empty()));
    let hint = near
        .map_or_else(|| "; `siconos-rs keys` lists all tables".to_owned(), |near| did_you_mean(Some(&near)));
    format!("there is no {what} named `{name}`{hint}")
}

pub(crate) fn write(
    writer: &mut dyn Write,
    tables: &[KeyTable],
    arguments: &KeysArguments,
) -> io::Result<()> {
    match (arguments.format, &arguments.kind) {
        (Format::Json, _) => write_json(writer, tables),
        (Format::Text, None) => write_overview(writer, tables),
        (Format::Text, Some(_)) => {
            for (place, table) in tables.iter().enumerate() {
                if place > 0 {
                    writeln!(writer)?;
                }
                write_table(writer, table)?;
            }
            Ok(())
        }
    }
}

/// Writes one line for each location in a file, with the words that select its tables.
fn write_overview(writer: &mut dyn Write, tables: &[KeyTable]) -> io::Result<()> {
    for of_file in tables.chunk_by(|one, next| one.file == next.file) {
        writeln!(writer, "{}", of_file[0].file)?;
        for group in of_file.chunk_by(|one, next| one.path == next.path) {
            let mut words: Vec<_> = group.iter().flat_map(|table| &table.words).copied().collect();
            words.dedup();
            let path = if group[0].path.is_empty() { "top of the file" } else { group[0].path };
            let line = format!("  {path:<40}{}", words.join(", "));
            writeln!(writer, "{}", line.trim_end())?;
        }
    }
    writeln!(writer, "\nsiconos-rs keys NAME shows the keys of a table, or all tables with a key.")
}

fn write_table(writer: &mut dyn Write, table: &KeyTable) -> io::Result<()> {
    let path = if table.path.is_empty() { "top of the file" } else { table.path };
    let words = table.words.join(", ");
    let title = format!("{} file, {path}: {words}", table.file);
    writeln!(writer, "{}", title.trim_end_matches([':', ' ']))?;
    if !table.meaning.is_empty() {
        writeln!(writer, "  {}", plain(table.meaning))?;
    }
    let width = table.keys.iter().map(|key| key.name.len()).max().unwrap_or(0);
    for group in table.keys.chunk_by(|one, next| one.meaning == next.meaning) {
        for KeyDescription { name, value, is_required, .. } in group {
            let required = if *is_required { ", required" } else { "" };
            let line = format!("  {name:<width$}  {}{required}", plain(value));
            writeln!(writer, "{}", line.trim_end())?;
        }
        writeln!(writer, "  {:<width$}  {}", "", plain(group[0].meaning))?;
    }
    Ok(())
}

/// Removes the marks of code, which a terminal does not show.
fn plain(text: &str) -> String {
    text.replace('`', "")
}
