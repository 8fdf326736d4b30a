//! JSON lines: one object per row, with the names of the columns as keys.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufWriter, Read, Write};

use serde::Deserialize;
use serde::de::{Error, MapAccess, Visitor};

use super::csv_format::write_number;
use super::lines::NumberedLines;
use super::{Table, TableError, TableErrorKind};
use crate::number::{overflows, parse_number};

impl Table {
    /// Reads JSON lines: an object of numbers on each line, `{"t": 0.0, "q": 1.5}`.
    ///
    /// The keys of the first line name the columns. Each further line has the same keys, in any order.
    /// Non-finite numbers are written as the strings `"nan"`, `"inf"` and `"-inf"`, because JSON has no
    /// literals for them; `null` is read as NaN. Blank lines are skipped.
    ///
    /// ```
    /// use siconos_io::trajectory::Table;
    ///
    /// let text = "{\"t\": 0, \"q\": 1.5}\n{\"q\": \"-inf\", \"t\": 0.1}\n";
    /// let table = Table::from_json_lines(text.as_bytes())?;
    /// assert_eq!(table.columns(), ["t", "q"]);
    /// assert_eq!(table.row(1), [0.1, f64::NEG_INFINITY]);
    /// # Ok::<(), siconos_io::trajectory::TableError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the file has no lines, a line is not an object of numbers, a key is missing, unknown or repeated,
    /// or the reader fails. The [`TableError`] states the line.
    pub fn from_json_lines(reader: impl Read) -> Result<Self, TableError> {
        let mut lines = NumberedLines::new(reader);
        let mut table = Self::read_json_head(&mut lines)?;
        while table.read_json_row(&mut lines)? {}
        Ok(table)
    }

    /// Reads the first row into a table with its keys as columns.
    pub(super) fn read_json_head(lines: &mut NumberedLines<impl Read>) -> Result<Self, TableError> {
        let Some(text) = lines.next_filled()? else {
            let expected = "a line with a JSON object whose keys name the columns".to_owned();
            return Err(TableError::at(lines.line() + 1, TableErrorKind::Truncated { expected }));
        };
        let first = parse(lines.line(), &text)?;
        let columns = first.iter().map(|(name, _)| (**name).to_owned()).collect();
        let mut table = Self::with_columns(columns)
            .map_err(|(index, kind)| TableError::at_field(lines.line(), index + 1, kind))?;
        table.push_entries(&first.iter().map(|(_, value)| *value).collect::<Vec<_>>());
        Ok(table)
    }

    /// Appends the next row; returns `false` at the end of the text.
    pub(super) fn read_json_row(&mut self, lines: &mut NumberedLines<impl Read>) -> Result<bool, TableError> {
        let Some(text) = lines.next_filled()? else { return Ok(false) };
        let mut members = parse(lines.line(), &text)?;
        let is_in_order = |members: &[Member<'_>]| members.iter().map(|(key, _)| key).eq(self.columns());
        if !is_in_order(&members) {
            members = in_order(members, self.columns())
                .map_err(|message| TableError::at(lines.line(), TableErrorKind::NotARow { message }))?;
        }
        for (_, value) in members {
            self.push_entry(value);
        }
        Ok(true)
    }

    /// Writes JSON lines: an object for each row, with the columns in order. The provenance is not written,
    /// and a table without rows gives an empty file.
    ///
    /// # Errors
    ///
    /// If the writer fails ([`TableErrorKind::Io`]).
    pub fn to_json_lines(&self, writer: impl Write) -> Result<(), TableError> {
        let mut writer = BufWriter::new(writer);
        let mut write = || {
            let keys = json_keys(self.columns())?;
            for row in self.rows() {
                write_json_row(&mut writer, &keys, row)?;
            }
            writer.flush()
        };
        write().map_err(|source| TableErrorKind::Io(source).into())
    }
}

/// Returns the text that precedes the number of each column in a row: `{` or a comma, the key, and a colon.
pub(super) fn json_keys(columns: &[String]) -> io::Result<Vec<String>> {
    let before = |(place, name)| {
        let mark = if place == 0 { '{' } else { ',' };
        Ok(format!("{mark}{}:", serde_json::to_string(name)?))
    };
    columns.iter().enumerate().map(before).collect()
}

/// Writes a row and ends the line.
pub(super) fn write_json_row(writer: &mut dyn Write, keys: &[String], row: &[f64]) -> io::Result<()> {
    for (key, value) in keys.iter().zip(row) {
        writer.write_all(key.as_bytes())?;
        let quote: &[u8] = if value.is_finite() { b"" } else { b"\"" };
        writer.write_all(quote)?;
        write_number(writer, *value)?;
        writer.write_all(quote)?;
    }
    writer.write_all(b"}\n")
}

type Member<'l> = (Cow<'l, str>, f64);

/// Returns the members in the order of the columns, or a message if their keys differ from the columns.
fn in_order<'l>(members: Vec<Member<'l>>, columns: &[String]) -> Result<Vec<Member<'l>>, String> {
    let mut by_key = BTreeMap::new();
    for (key, value) in members {
        if let Some((key, _)) = by_key.remove_entry(&key) {
            return Err(format!("the key {key:?} appears twice"));
        }
        by_key.insert(key, value);
    }
    let taken = columns
        .iter()
        .map(|name| by_key.remove_entry(&**name).ok_or_else(|| format!("the key {name:?} is missing")));
    let members = taken.collect::<Result<_, _>>()?;
    match by_key.first_key_value() {
        None => Ok(members),
        Some((key, _)) => Err(format!("the key {key:?} is unknown")),
    }
}

/// Returns the members of the object in `text`, in the order of the text.
fn parse(line: u64, text: &str) -> Result<Vec<Member<'_>>, TableError> {
    let refused = |error: serde_json::Error| {
        // The text is a single line, so the line number in the message is always 1.
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
        let message = format!("{message} (character {})", error.column());
        TableError::at(line, TableErrorKind::NotARow { message })
    };
    serde_json::from_str(text).map(|Members(members)| members).map_err(refused)
}

struct Members<'l>(Vec<Member<'l>>);

impl<'l> Deserialize<'l> for Members<'l> {
    fn deserialize<D: serde::Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'l> Visitor<'l> for MembersVisitor {
    type Value = Members<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of numbers")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Members<'l>, A::Error> {
        let mut members = Vec::new();
        while let Some((Key(key), Number(value))) = map.next_entry()? {
            members.push((key, value));
        }
        Ok(Members(members))
    }
}

/// Key of a member, borrowed from the line if it has no escapes.
#[derive(Deserialize)]
struct Key<'l>(#[serde(borrow)] Cow<'l, str>);

/// Number, which is a string in JSON if it is not finite.
pub(super) struct Number(pub(super) f64);

impl<'l> Deserialize<'l> for Number {
    fn deserialize<D: serde::Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"a number, "nan", "inf", "-inf" or null"#)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
        Ok(Number(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_unit<E: Error>(self) -> Result<Number, E> {
        Ok(Number(f64::NAN))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
        // A string must not contain a finite number.
        let value = parse_number(text).filter(|value| !value.is_finite() && !overflows(text, *value));
        value.map(Number).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}
