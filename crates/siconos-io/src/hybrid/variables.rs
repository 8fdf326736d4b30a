//! Variables of a model: their initial values, and the left-hand sides of their equations.

use std::ops::Range;

use siconos_expression::Scope;

use super::keys;
use crate::document::{Diagnostics, Node, Table, Text, TreeEntry, Value};

/// Highest order accepted for an equation. More primes (`x'''..`) would be hard to count.
const HIGHEST_ORDER: usize = 9;

/// Variable with its equation. The right-hand side of the equation is parsed later.
#[derive(Debug)]
pub(super) struct Variable<'s> {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    /// Order of the equation; 0 for an algebraic variable.
    pub(super) order: usize,
    /// Initial values of the variable and its derivatives below the order of the equation. For an algebraic
    /// variable, the initial guess.
    pub(super) initial: Vec<f64>,
    /// Equation, and index of the byte after its `=`; `None` if it has an error.
    pub(super) equation: Option<(Text<'s>, usize)>,
}

/// Reads the table of variables.
pub(super) fn read<'s>(
    table: Table<'s>,
    constants: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Vec<Variable<'s>> {
    table.entries.into_iter().map(|entry| variable(entry, constants, diagnostics)).collect()
}

/// Reads a variable. A variable with an error is also declared, so that its name is not reported as unknown.
fn variable<'s>(entry: TreeEntry<'s>, constants: &Scope, diagnostics: &mut Diagnostics<'_>) -> Variable<'s> {
    let TreeEntry { key, key_span: span, value } = entry;
    let name = key.into_owned();
    let table_span = value.span.clone();
    let Some(table) = value.table(diagnostics) else {
        return Variable { name, span, order: 1, initial: Vec::new(), equation: None };
    };
    let [initial, equation] = table.fields(diagnostics, keys::names(&keys::VARIABLE));
    let initial = diagnostics.required(initial, "initial", &table_span);
    let equation = diagnostics.required(equation, "equation", &table_span);
    let text = equation.and_then(|equation| equation.text(diagnostics));
    let left = text.as_ref().and_then(|text| left_side(&name, text, diagnostics));
    let initial_span = initial.as_ref().map_or(table_span, |initial| initial.span.clone());
    let values =
        initial.as_ref().map_or_else(Vec::new, |initial| initial_values(initial, constants, diagnostics));
    let Some(LeftSide { order, end }) = left else {
        return Variable {
            name,
            span,
            order: values.len().clamp(1, HIGHEST_ORDER),
            initial: Vec::new(),
            equation: None,
        };
    };
    let (needed, found) = (order.max(1), values.len());
    if found != needed && initial.is_some() {
        let what = match order {
            0 => "an algebraic variable requires one number as its initial guess".to_owned(),
            1 => format!("an equation for `{name}'` requires one initial value, for `{name}`"),
            _ => format!(
                "an equation for `{name}{}` requires {order} initial values, for {}",
                "'".repeat(order),
                listed(&name, order)
            ),
        };
        diagnostics.note(&initial_span, format_args!("{what}; found {found}"));
    }
    // Values that are not numbers have been reported.
    let initial = values.into_iter().flatten().collect();
    Variable { name, span, order, initial, equation: text.map(|text| (text, end)) }
}

/// Returns the names of the variable and its derivatives of orders below `order`, for a message.
fn listed(name: &str, order: usize) -> String {
    let names: Vec<String> = (0..order).map(|k| format!("`{name}{}`", "'".repeat(k))).collect();
    let (last, rest) = names
        .split_last()
        .map_or((String::new(), String::new()), |(last, rest)| (last.clone(), rest.join(", ")));
    format!("{rest} and {last}")
}

/// Reads the initial values, given as a number or as an array of numbers.
fn initial_values(
    initial: &Value<'_>,
    constants: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Vec<Option<f64>> {
    match &initial.node {
        Node::Array(values) => values.iter().map(|value| value.constant(constants, diagnostics)).collect(),
        _ => vec![initial.constant(constants, diagnostics)],
    }
}

/// Order of an equation, and index of the byte at which its right-hand side begins.
struct LeftSide {
    order: usize,
    end: usize,
}

fn left_side(name: &str, text: &Text<'_>, diagnostics: &mut Diagnostics<'_>) -> Option<LeftSide> {
    let content = &*text.content;
    let end = first_equals(content);
    let left = &content[..end.map_or(content.len(), |end| end - 1)];
    let order = if left.trim() == "0" { Some(0) } else { order_of(left.trim(), name) };
    if let (Some(order), Some(end)) = (order, end) {
        return Some(LeftSide { order, end });
    }
    let begin = left.len() - left.trim_start().len();
    let place = text.span_of(&(begin..begin + left.trim().len()));
    let forms = format!(
        "the equation of `{name}` must begin with `{name}' =`, `{name}'' =` or, if it is algebraic, `0 =`"
    );
    diagnostics.note(&place, forms);
    None
}

/// Returns the number of primes if `left` consists of the name and primes only.
fn order_of(left: &str, name: &str) -> Option<usize> {
    let primes = left.strip_prefix(name)?;
    let is_order = primes.bytes().all(|byte| byte == b'\'') && (1..=HIGHEST_ORDER).contains(&primes.len());
    is_order.then_some(primes.len())
}

/// Returns the index of the byte after the first `=` that is not part of a comparison.
fn first_equals(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_alone = |at: usize| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        !matches!(before, Some(b'=' | b'<' | b'>' | b'!')) && bytes.get(at + 1) != Some(&b'=')
    };
    text.match_indices('=').map(|(at, _)| at).find(|at| is_alone(*at)).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::{first_equals, order_of};

    #[test]
    fn an_equals_sign_stands_alone() {
        assert_eq!(first_equals("y' = a == b"), Some(4));
        assert_eq!(first_equals("a <= b"), None);
        assert_eq!(first_equals("="), Some(1));
        assert_eq!(first_equals("a != b == c >= d"), None);
    }

    #[test]
    fn primes_count_derivatives() {
        assert_eq!(order_of("y''", "y"), Some(2));
        for left in ["y", "y' ", "yy'", "x'", "y'a", "", "y''''''''''"] {
            assert_eq!(order_of(left, "y"), None, "{left}");
        }
    }
}
