//! Escaping of text in XML.

use super::{VtkError, VtkErrorKind};

/// Escapes `text` for use as the value of an attribute.
pub(super) fn attribute(text: &str) -> Result<String, VtkError> {
    if text.is_empty() || text.contains(char::is_control) {
        return Err(VtkErrorKind::Unwritable { name: text.to_owned() }.into());
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    Ok(escaped)
}
