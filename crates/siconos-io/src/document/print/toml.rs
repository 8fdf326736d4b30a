//! TOML output. Named tables become sections; small tables are on one line.

use super::{Line, PrintError, WIDTH};
use crate::document::{Node, Table, TreeEntry};

const LINE: Line = Line { key, equals: " = ", text, number };

pub(super) fn print(root: &Table<'_>) -> Result<String, PrintError> {
    let mut printed = Printed { text: String::new(), path: Vec::new() };
    printed.section(root)?;
    Ok(printed.text)
}

struct Printed {
    text: String,
    path: Vec<String>,
}

impl Printed {
    /// Writes a table under its heading: the entries on lines of their own, followed by the subsections.
    fn section(&mut self, table: &Table<'_>) -> Result<(), PrintError> {
        let (lines, sections) = self.split(table)?;
        if !self.path.is_empty() && (!lines.is_empty() || sections.is_empty()) {
            let blank = if self.text.is_empty() { "" } else { "\n" };
            self.text.push_str(&format!("{blank}[{}]\n", self.path.join(".")));
        }
        for entry in lines {
            self.line(entry)?;
        }
        for entry in sections {
            let Node::Table(table) = &entry.value.node else { continue };
            self.path.push(key(&entry.key));
            self.section(table)?;
            self.path.pop();
        }
        Ok(())
    }

    /// Splits the entries of a table into lines and sections. At the first level, all tables become sections.
    /// Below it, the order of the entries is kept, so a table can become a section only if all entries after
    /// it are tables.
    fn split<'t, 's>(&self, table: &'t Table<'s>) -> Result<Split<'t, 's>, PrintError> {
        let is_table = |entry: &&TreeEntry<'_>| matches!(entry.value.node, Node::Table(_));
        if self.path.is_empty() {
            return Ok(table.entries.iter().partition(|entry| !is_table(entry)));
        }
        let trailing = table.entries.iter().rev().take_while(is_table).count();
        let first = table.entries.len() - trailing;
        if self.path.len() == 1 && first == 0 {
            return Ok((Vec::new(), table.entries.iter().collect()));
        }
        let mut begin = table.entries.len();
        for place in (first..table.entries.len()).rev() {
            let TreeEntry { key: own, value, .. } = &table.entries[place];
            if key(own).len() + LINE.equals.len() + LINE.value(value)?.len() > WIDTH {
                begin = place;
            }
        }
        let (lines, sections) = table.entries.split_at(begin);
        Ok((lines.iter().collect(), sections.iter().collect()))
    }

    fn line(&mut self, entry: &TreeEntry<'_>) -> Result<(), PrintError> {
        let head = format!("{}{}", key(&entry.key), LINE.equals);
        let flat = LINE.value(&entry.value)?;
        match &entry.value.node {
            Node::Array(values) if head.len() + flat.len() > WIDTH => {
                self.text.push_str(&format!("{head}[\n{}]\n", LINE.elements(values, 4)?));
            }
            Node::Text(own) if own.content.contains('\n') => {
                self.text.push_str(&format!("{head}\"\"\"\n{}\"\"\"\n", escaped(&own.content, true)));
            }
            _ => self.text.push_str(&format!("{head}{flat}\n")),
        }
        Ok(())
    }
}

type Split<'t, 's> = (Vec<&'t TreeEntry<'s>>, Vec<&'t TreeEntry<'s>>);

fn key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { text(name) }
}

fn text(content: &str) -> String {
    format!("\"{}\"", escaped(content, false))
}

fn escaped(content: &str, keeps_breaks: bool) -> String {
    let mut escaped = String::with_capacity(content.len());
    for letter in content.chars() {
        match letter {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' if keeps_breaks => escaped.push('\n'),
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            letter if letter.is_control() => escaped.push_str(&format!("\\u{:04X}", u32::from(letter))),
            letter => escaped.push(letter),
        }
    }
    escaped
}

fn number(number: f64) -> Result<String, PrintError> {
    Ok(match number {
        _ if number.is_nan() => "nan".to_owned(),
        f64::INFINITY => "inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        _ => format!("{number:?}"),
    })
}
