//! Functions defined in the file: `push = "depth -> stiffness * max(depth, 0)"`.

use std::ops::Range;

use siconos_expression::{FunctionDefinition, FunctionErrorKind, Scope};

use crate::document::{Diagnostics, Table, Text, TreeEntry};

/// Separator between the arguments and the body of a function.
const ARROW: &str = "->";

/// Function as written in the file.
struct Written<'s> {
    name_span: Range<usize>,
    text: Text<'s>,
    /// Number of bytes before the body of the function.
    skipped: usize,
}

/// Reads the table of functions and declares them. A function can read constants, parameters, its arguments
/// and other functions, in any order.
pub(super) fn read(table: Table<'_>, scope: &mut Scope, diagnostics: &mut Diagnostics<'_>) {
    let (mut definitions, mut places) = (Vec::new(), Vec::new());
    for TreeEntry { key, key_span, value } in table.entries {
        let Some(text) = value.text(diagnostics) else {
            diagnostics.excuse(&key);
            continue;
        };
        let (arguments, skipped) = match text.content.find(ARROW) {
            Some(arrow) => (names(&text.content[..arrow]), arrow + ARROW.len()),
            None => (Vec::new(), 0),
        };
        definitions.push(FunctionDefinition::new(key, arguments, &text.content[skipped..]));
        places.push(Written { name_span: key_span, text, skipped });
    }
    let Err(errors) = scope.declare_functions(&definitions) else { return };
    for error in errors.0 {
        let Some(Written { name_span, text, skipped }) = places.get(error.definition) else { continue };
        match error.kind {
            FunctionErrorKind::Text(error) => diagnostics.note_in(text, *skipped, &error),
            FunctionErrorKind::Argument { error, .. } => {
                diagnostics.note(&text.span_of(&(0..skipped.saturating_sub(ARROW.len()))), error);
            }
            other => {
                diagnostics.note(name_span, other);
                diagnostics.excuse(&error.name);
            }
        }
    }
}

/// Returns the comma-separated names in a list with or without parentheses.
fn names(text: &str) -> Vec<&str> {
    let text = text.trim();
    let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    if text.trim().is_empty() { Vec::new() } else { text.split(',').map(str::trim).collect() }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn arguments_stand_between_commas() {
        assert_eq!(names(" x "), ["x"]);
        assert_eq!(names("(a, b)"), ["a", "b"]);
        assert!(names("()").is_empty() && names("").is_empty());
    }
}
