//! Output of a document as TOML or JSON. In TOML, each named item has a section. A number is written with the
//! fewest digits from which it is read back bit for bit.

mod json;
mod toml;

use super::tree::Syntax;
use super::{Node, Table, Value};

/// Maximum length of a line \[characters\]. Longer lines are broken where possible.
const WIDTH: usize = 110;

/// Reason why a value cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PrintError {
    /// The value is NaN, which JSON cannot represent.
    #[error("JSON cannot represent NaN")]
    NotANumber,
    /// A value has a type that the output syntax cannot represent.
    #[error("{what} cannot be written in another syntax")]
    Nothing {
        /// Type of the value.
        what: &'static str,
    },
}

/// Returns a document as text.
pub(crate) fn print(root: &Table<'_>, syntax: Syntax) -> Result<String, PrintError> {
    match syntax {
        Syntax::Toml => toml::print(root),
        Syntax::Json => json::print(root),
    }
}

/// Functions and separators that write a value on one line in a given syntax.
struct Line {
    key: fn(&str) -> String,
    /// Text between a key and its value.
    equals: &'static str,
    text: fn(&str) -> String,
    number: fn(f64) -> Result<String, PrintError>,
}

impl Line {
    /// Returns the text of a value on one line.
    fn value(&self, value: &Value<'_>) -> Result<String, PrintError> {
        Ok(match &value.node {
            Node::Text(text) => (self.text)(&text.content),
            Node::Number { value, is_whole: true } if value.abs() < 2.0_f64.powi(63) => format!("{value:.0}"),
            Node::Number { value, .. } => (self.number)(*value)?,
            Node::Boolean(boolean) => boolean.to_string(),
            Node::Array(values) => {
                let all: Result<Vec<_>, _> = values.iter().map(|value| self.value(value)).collect();
                format!("[{}]", all?.join(", "))
            }
            Node::Table(table) if table.entries.is_empty() => "{}".to_owned(),
            Node::Table(table) => {
                let entry = |entry: &super::TreeEntry<'_>| {
                    let (key, value) = ((self.key)(&entry.key), self.value(&entry.value)?);
                    Ok(format!("{key}{}{value}", self.equals))
                };
                let all: Result<Vec<_>, _> = table.entries.iter().map(entry).collect();
                format!("{{ {} }}", all?.join(", "))
            }
            Node::Nothing(what) => return Err(PrintError::Nothing { what }),
        })
    }

    /// Returns the elements of an array on several lines, indented by `indent` spaces. Each line contains one
    /// row of a matrix, or as many numbers as possible.
    fn elements(&self, values: &[Value<'_>], indent: usize) -> Result<String, PrintError> {
        let mut lines: Vec<String> = Vec::new();
        for (place, value) in values.iter().enumerate() {
            let comma = if place + 1 < values.len() { "," } else { "" };
            let next = self.value(value)? + comma;
            let is_row = matches!(value.node, Node::Array(_) | Node::Table(_));
            match lines.last_mut() {
                Some(line) if !is_row && indent + line.len() + 1 + next.len() <= WIDTH => {
                    line.push(' ');
                    line.push_str(&next);
                }
                _ => lines.push(next),
            }
        }
        let blanks = " ".repeat(indent);
        Ok(lines.iter().map(|line| format!("{blanks}{line}\n")).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Diagnostics;
    use super::super::tree::{Syntax, parse};
    use super::{PrintError, print};

    const TEXT: &str = r#"format = 1
kind = "model"
title = "with \"quotes\" and \\"

[parameters]
"load [kg]" = 0.1
small = -1e-300
gains = [1.0, 2.0]

[systems.ball]
family = "lagrangian_linear"
q = [1.0, 0.0]
mass = { diagonal = [1.0, 1.0] }

[output]
every = 10
columns = { a = "ball.q[0]", way = { sum = "ball.q[1]" } }
"#;

    #[test]
    fn toml_is_written_as_one_would_write_it_by_hand() {
        let root = parse(Syntax::Toml, &mut Diagnostics::new(TEXT, "x")).expect("TOML");
        assert_eq!(print(&root, Syntax::Toml).expect("a text"), TEXT);
    }

    #[test]
    fn nothing_is_lost_by_way_of_json() {
        let root = parse(Syntax::Toml, &mut Diagnostics::new(TEXT, "x")).expect("TOML");
        let json = print(&root, Syntax::Json).expect("a text");
        let root = parse(Syntax::Json, &mut Diagnostics::new(&json, "x")).expect("JSON");
        assert_eq!(print(&root, Syntax::Toml).expect("a text"), TEXT);
    }

    #[test]
    fn long_values_are_broken() {
        let row = format!("[{}]", ["0.1"; 20].join(", "));
        let text = format!("m = [{}]\n", [row.as_str(); 8].join(", "));
        let text = format!("{text}v = [{}]\nt = \"\"\"\na\n  b\"\"\"\n", ["1e-5"; 90].join(", "));
        let root = parse(Syntax::Toml, &mut Diagnostics::new(&text, "x")).expect("TOML");
        for syntax in [Syntax::Toml, Syntax::Json] {
            let printed = print(&root, syntax).expect("a text");
            assert!(printed.lines().all(|line| line.len() <= super::WIDTH), "{printed}");
            let again = parse(syntax, &mut Diagnostics::new(&printed, "x")).expect("a document");
            assert_eq!(print(&again, syntax).expect("a text"), printed);
        }
    }

    #[test]
    fn infinity_is_an_expression_in_json() {
        let root = parse(Syntax::Toml, &mut Diagnostics::new("x = [inf, -inf]", "x")).expect("TOML");
        assert_eq!(print(&root, Syntax::Toml).expect("a text"), "x = [inf, -inf]\n");
        assert!(print(&root, Syntax::Json).expect("a text").contains(r#"["inf", "-inf"]"#));
        let root = parse(Syntax::Toml, &mut Diagnostics::new("x = nan", "x")).expect("TOML");
        assert_eq!(print(&root, Syntax::Json), Err(PrintError::NotANumber));
    }
}
