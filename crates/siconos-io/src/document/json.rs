//! Parser of JSON into a tree. Only standard JSON is accepted: comments, trailing commas, and numbers such as
//! `.5` or `NaN` are errors.

use std::collections::BTreeSet;
use std::ops::Range;

use jsonc_parser::ast::{self, ObjectPropName};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};

use super::{Diagnostics, Node, Table, Text, TreeEntry, Value};

/// Parses the text that `diagnostics` holds; returns `None` and adds a diagnostic if it is not valid JSON.
pub(super) fn parse<'s>(diagnostics: &mut Diagnostics<'s>) -> Option<Table<'s>> {
    let source = diagnostics.source();
    let options = CollectOptions { comments: CommentCollectionStrategy::Off, tokens: false };
    match parse_to_ast(source, &options, &STRICT).map(|parsed| parsed.value) {
        Err(error) => diagnostics.note(&range(error.range()), error.kind()),
        Ok(Some(ast::Value::Object(object))) => return Some(of_object(source, object, diagnostics)),
        Ok(Some(other)) => diagnostics.note(&range(other.range()), "a model must be an object, `{ .. }`"),
        Ok(None) => diagnostics.note(
            &(0..0),
            "this file is empty; a model must be an object, `{ \"format\": 1, \"kind\": .. }`",
        ),
    }
    None
}

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn range(range: jsonc_parser::common::Range) -> Range<usize> {
    range.start..range.end
}

/// Returns the keys in the order of the file. The JSON standard does not define the meaning of a repeated
/// key. Therefore a repeated key gives a diagnostic, and its first value is used.
fn of_object<'s>(source: &'s str, object: ast::Object<'s>, diagnostics: &mut Diagnostics<'s>) -> Table<'s> {
    let mut entries: Vec<TreeEntry<'s>> = Vec::with_capacity(object.properties.len());
    let mut known = BTreeSet::new();
    for property in object.properties {
        let key_span = range(property.name.range());
        let key = match property.name {
            ObjectPropName::String(text) => text.value,
            ObjectPropName::Word(word) => word.value.into(),
        };
        if !known.insert(key.clone()) {
            diagnostics.note(&key_span, format_args!("the key `{key}` appears twice"));
            continue;
        }
        entries.push(TreeEntry { key, key_span, value: of_value(source, property.value, diagnostics) });
    }
    Table { entries }
}

fn of_value<'s>(source: &'s str, value: ast::Value<'s>, diagnostics: &mut Diagnostics<'s>) -> Value<'s> {
    let span = range(value.range());
    let node = match value {
        ast::Value::StringLit(text) => Node::Text(Text::new(source, span.clone(), text.value)),
        ast::Value::NumberLit(number) => {
            let is_whole = !number.value.contains(['.', 'e', 'E']);
            Node::Number { value: number.value.parse().unwrap_or(f64::NAN), is_whole }
        }
        ast::Value::BooleanLit(boolean) => Node::Boolean(boolean.value),
        ast::Value::Array(array) => Node::Array(
            array.elements.into_iter().map(|value| of_value(source, value, diagnostics)).collect(),
        ),
        ast::Value::Object(object) => Node::Table(of_object(source, object, diagnostics)),
        ast::Value::NullKeyword(_) => Node::Nothing("null"),
    };
    Value { span, node }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{Syntax, parse};
    use super::{Diagnostics, Node};

    #[test]
    fn keys_keep_their_order_and_contents_their_places() {
        let source = "{\"z\": 1, \"a\": \"x\", \"m\": [2.5, true]}";
        let table = parse(Syntax::Json, &mut Diagnostics::new(source, "test")).expect("JSON");
        let keys: Vec<_> = table.entries.iter().map(|entry| &*entry.key).collect();
        assert_eq!(keys, ["z", "a", "m"]);
        assert_eq!(&source[table.entries[1].key_span.clone()], "\"a\"");
        let Node::Text(text) = &table.entries[1].value.node else { panic!("a string") };
        assert_eq!(&source[text.span_of(&(0..1))], "x");
        assert!(matches!(table.entries[0].value.node, Node::Number { is_whole: true, .. }));
    }

    #[test]
    fn what_is_no_json_is_told_with_its_place() {
        for (source, expected) in [
            ("[1]", "test:1:1: a model must be an object, `{ .. }`"),
            (
                "",
                "test:1:1: this file is empty; a model must be an object, `{ \"format\": 1, \"kind\": .. }`",
            ),
        ] {
            let mut diagnostics = Diagnostics::new(source, "test");
            assert!(parse(Syntax::Json, &mut diagnostics).is_none());
            let error = diagnostics.check::<()>(None).expect_err("it is no model").to_string();
            assert_eq!(error.lines().next(), Some(expected));
        }
        let mut diagnostics = Diagnostics::new("{\"a\": 1, \"a\": 2}", "test");
        assert!(parse(Syntax::Json, &mut diagnostics).is_some(), "the rest of it can be read");
        let error = diagnostics.check(Some(())).expect_err("it is no model").to_string();
        assert_eq!(error.lines().next(), Some("test:1:10: the key `a` appears twice"));
        for source in ["{\"a\": 1,}", "{a: 1}", "{\"a\": NaN}", "{\"a\": 1} // no", "{\"a\": .5}", "{'a': 1}"]
        {
            assert!(parse(Syntax::Json, &mut Diagnostics::new(source, "test")).is_none(), "{source}");
        }
        let deep = format!("{{\"a\": {}1{}}}", "[".repeat(10_000), "]".repeat(10_000));
        assert!(parse(Syntax::Json, &mut Diagnostics::new(&deep, "test")).is_none());
    }
}
