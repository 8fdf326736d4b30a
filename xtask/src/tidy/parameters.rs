//! Rules for the parameters of functions: no tuples of unlike elements, and a limited number of arguments.
//!
//! A tuple of two or three elements of one type is allowed, for example `(q, v): (&[f64], &[f64])`. Types are
//! compared as text, without lifetimes.

use std::collections::BTreeSet;

use super::crates;
use super::modules::sources_of;
use super::offence::Offence;
use super::tokens::{Token, after_brackets, is_in_word};

/// Exceptions from the rule, as `file: function`.
const EXCEPTIONS: &[&str] = &[
    // Pairs of a joint coordinate and its number of teeth, radius or factor.
    "crates/siconos-kernel/src/model/relation/body/joint/coupler.rs: gear",
    "crates/siconos-kernel/src/model/relation/body/joint/coupler.rs: new",
    "crates/siconos-kernel/src/model/relation/body/joint/coupler.rs: rack",
];

const MOST_EXCEPTIONS: usize = 20;
const MOST_ARGUMENTS: usize = 7;
const MOST_ELEMENTS: usize = 3;

/// This file, which contains the list of exceptions.
const HERE: &str = "xtask/src/tidy/parameters.rs";

/// Returns the violations in all sources. `sources` contains paths and texts.
pub(super) fn offences(sources: &[(String, String)]) -> Vec<Offence> {
    with_exceptions(sources, EXCEPTIONS)
}

/// Returns the violations of the functions that are not listed as exceptions, and errors in the list itself.
fn with_exceptions(sources: &[(String, String)], exceptions: &[&str]) -> Vec<Offence> {
    let (mut found, mut used) = (Vec::new(), Vec::new());
    let names: BTreeSet<_> = sources.iter().filter_map(|(path, _)| crates::of_source(path)).collect();
    // A package of tests is a folder within a crate, so it is checked with the crate.
    for name in names.into_iter().filter(|name| !name.contains('/')) {
        for source in sources_of(name, sources, |_, tokens| functions(tokens)) {
            for Function { name, line, wrong } in source.found {
                let exception = format!("{}: {name}", source.path);
                if exceptions.contains(&exception.as_str()) {
                    used.push(exception);
                } else {
                    found.extend(wrong.into_iter().map(|text| Offence::new(source.path, line, text)));
                }
            }
        }
    }
    let stale = exceptions.iter().filter(|exception| !used.iter().any(|used| used == *exception));
    found.extend(stale.map(|exception| {
        Offence::new(HERE, 1, format!("the exception `{exception}` is not needed: delete it"))
    }));
    if exceptions.len() > MOST_EXCEPTIONS {
        let text = format!("{} exceptions; the limit is {MOST_EXCEPTIONS}", exceptions.len());
        found.push(Offence::new(HERE, 1, text));
    }
    found
}

/// Function with violations.
struct Function {
    name: String,
    /// Line number, from 1.
    line: usize,
    /// Messages for the violations.
    wrong: Vec<String>,
}

/// Returns the functions of a source that have violations.
fn functions(tokens: &[Token<'_>]) -> Vec<Function> {
    let starts = (0..tokens.len()).filter(|&at| tokens[at].text == "fn");
    starts.filter_map(|at| function(&tokens[at + 1..])).filter(|it| !it.wrong.is_empty()).collect()
}

/// Returns the function whose name is the first token. A type `fn (..)` has no name and is not a function.
fn function(tokens: &[Token<'_>]) -> Option<Function> {
    let (name, rest) = tokens.split_first().filter(|(name, _)| name.text.starts_with(is_in_word))?;
    let generics = if rest.first()?.text == "<" { parts(rest, "(").next()?.len() } else { 0 };
    let rest = &rest[generics..];
    let inside = rest.len() - after_brackets(rest).len();
    let list = rest.get(1..inside - 1).filter(|_| rest[0].text == "(")?;
    let types: Vec<_> = parts(list, ",").filter_map(type_of).collect();
    Some(Function { name: name.text.to_owned(), line: name.line, wrong: complaints(name.text, &types) })
}

/// Returns the type of a parameter, or `None` for `self`.
fn type_of<'a, 'b>(parameter: &'b [Token<'a>]) -> Option<&'b [Token<'a>]> {
    let pattern = parts(parameter, ":").next()?;
    let is_self = pattern.last().is_some_and(|token| token.text == "self");
    parameter.get(pattern.len() + 1..).filter(|_| !is_self)
}

/// Returns the messages for the violations of one function.
fn complaints(name: &str, types: &[&[Token<'_>]]) -> Vec<String> {
    let mut found: Vec<String> =
        types.iter().filter_map(|ty| Some(format!("`{name}` {}", unlike_tuple(ty)?))).collect();
    let count = types.len();
    if count > MOST_ARGUMENTS {
        found.push(format!(
            "`{name}` has {count} arguments besides `self`; the limit is {MOST_ARGUMENTS}: group them in a \
             struct with named fields"
        ));
    }
    found
}

/// Returns the message for a type that is a tuple with unlike or too many elements, or contains one as an
/// element.
fn unlike_tuple(ty: &[Token<'_>]) -> Option<String> {
    let elements = elements(ty)?;
    let texts: Vec<String> = elements.iter().map(|element| without_lifetimes(element)).collect();
    let shown = texts.join(", ");
    if texts.iter().any(|text| *text != texts[0]) {
        return Some(format!(
            "takes a tuple of unlike types, ({shown}): use separate arguments or a struct with \
             named fields"
        ));
    }
    if texts.len() > MOST_ELEMENTS {
        return Some(format!(
            "takes a tuple of {} elements, ({shown}); the limit is {MOST_ELEMENTS}: use an array or a struct \
             with named fields",
            texts.len()
        ));
    }
    elements.into_iter().find_map(unlike_tuple)
}

/// Returns the types of the elements of a tuple or a reference to a tuple, or `None` for any other type.
fn elements<'a, 'b>(mut ty: &'b [Token<'a>]) -> Option<Vec<&'b [Token<'a>]>> {
    loop {
        ty = match ty {
            [Token { text: "&" | "mut", .. }, rest @ ..] => rest,
            [Token { text: "'", .. }, _, rest @ ..] => rest,
            [Token { text: "(", .. }, list @ .., _] if after_brackets(ty).is_empty() => {
                let list: Vec<_> = parts(list, ",").collect();
                return (list.len() > 1).then_some(list);
            }
            _ => return None,
        }
    }
}

/// Returns the text of a type on one line, without lifetimes.
fn without_lifetimes(mut ty: &[Token<'_>]) -> String {
    let mut kept = String::new();
    while let [token, rest @ ..] = ty {
        ty = match (token.text, rest) {
            ("'", [_, Token { text: ",", .. }, rest @ ..]) if kept.ends_with('<') => rest,
            ("'", [_, rest @ ..]) => rest,
            (text, rest) => {
                let is_apart = kept.ends_with(',') || kept.ends_with("mut");
                if is_apart || (kept.ends_with(is_in_word) && text.starts_with(is_in_word)) {
                    kept.push(' ');
                }
                kept.push_str(text);
                rest
            }
        }
    }
    kept.replace("<>", "")
}

/// Splits a list at a token outside all brackets. Empty parts are omitted.
fn parts<'a, 'b>(list: &'b [Token<'a>], sign: &'static str) -> impl Iterator<Item = &'b [Token<'a>]> {
    let (mut depth, mut before) = (0_usize, "");
    let is_between = move |token: &Token<'a>| {
        let is_arrow = ["-", "="].contains(&before);
        before = token.text;
        let is_sign = depth == 0 && token.text == sign;
        match token.text {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            ">" if !is_arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_sign
    };
    list.split(is_between).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{MOST_EXCEPTIONS, with_exceptions};
    use crate::tidy::offence::Offence;

    const PATH: &str = "crates/siconos-ode/src/state.rs";

    fn found(path: &str, text: &str, exceptions: &[&str]) -> Vec<Offence> {
        with_exceptions(&[(path.to_owned(), text.to_owned())], exceptions)
    }

    #[track_caller]
    fn assert_lines(text: &str, lines: &[usize]) {
        let found = found(PATH, text, &[]);
        assert_eq!(found.iter().map(|it| it.line).collect::<Vec<_>>(), lines, "{text}: {found:?}");
    }

    #[test]
    fn unlike_elements_are_found() {
        assert_lines("fn f((a, b): (usize, &[f64])) {}\n", &[1]);
        assert_lines(
            "\npub(crate) fn f<F: Fn(f64) -> f64>(\n    &self,\n    at: &'a mut (A<'a>, f64),\n);\n",
            &[2],
        );
        assert_lines("fn f(a: (&mut [f64], &[f64]), n: usize) {}\n", &[1]);
        assert_lines("fn f(a: ((f64, usize), (f64, usize))) {}\n", &[1]);
    }

    #[test]
    fn like_elements_are_fine() {
        assert_lines("fn f((q, v): (&'a [f64], &'b [f64]), w: (f64, f64, f64)) -> (f64, usize) {}\n", &[]);
        assert_lines("fn f((a, b): (A<'_, T>, A<'a, T>), (c, d): (B<'a>, B)) {}\n", &[]);
        assert_lines("fn f(a: ((f64, f64), (f64, f64)), b: ()) {}\n", &[]);
        assert_lines("fn f(a: (f64, f64, f64, f64)) {}\n", &[1]);
    }

    #[test]
    fn tuples_inside_other_types_are_fine() {
        assert_lines(
            "fn f(a: &[(usize, f64)], b: impl Fn((usize, f64)) -> (f64, A), c: Option<(A, B)>) {}\n",
            &[],
        );
        assert_lines("type F = fn((usize, f64)) -> f64;\nlet f = |(a, b): (A, B)| a;\n", &[]);
    }

    #[test]
    fn arguments_are_counted_without_self() {
        let with = |n: usize| format!("fn f(&mut self, {}) {{}}\n", "a: [f64; 2], ".repeat(n));
        assert_lines(&with(7), &[]);
        assert_lines(&with(8), &[1]);
        assert_lines("fn f(self: Box<Self>, a: A, b: A, c: A, d: A, e: A, f: A, g: A) {}\n", &[]);
        assert_lines("fn f(a: A, b: A, A { b, c }: A, d: A, e: a::A<B, C>, f: A, g: A, h: A) {}\n", &[1]);
    }

    #[test]
    fn tests_comments_and_literals_are_skipped() {
        let hidden = "fn f(a: (A, B)) {}";
        assert_lines(&format!("// {hidden}\nlet a = \"{hidden}\";\n"), &[]);
        assert_lines(&format!("#[cfg(test)]\nmod tests {{\n    {hidden}\n}}\n\n{hidden}\n"), &[6]);
        assert_lines(&format!("#[cfg(test)]\nmod tests;\n{hidden}\n"), &[3]);
        for path in
            ["crates/siconos-ode/tests/state.rs", "crates/siconos-ode/tests/src/lib.rs", "benches/a.rs"]
        {
            assert_eq!(found(path, hidden, &[]), [], "{path}");
        }
    }

    #[test]
    fn files_of_test_modules_are_skipped() {
        let source = |path: &str, text: &str| (format!("crates/siconos-ode/src/{path}"), text.to_owned());
        let wrong = "fn f(a: (A, B)) {}";
        let sources = [
            source("lib.rs", "mod plain;\n#[cfg(test)]\nmod tests;\n"),
            source("tests.rs", wrong),
            source("tests/more.rs", wrong),
            source("plain.rs", "#[cfg(test)]\nmod own;\nmod tests_of_all;\n"),
            source("plain/own.rs", wrong),
            source("plain/tests_of_all.rs", wrong),
            source("own.rs", wrong),
        ];
        let found = with_exceptions(&sources, &[]);
        let paths: Vec<_> =
            found.iter().map(|it| it.path.trim_start_matches("crates/siconos-ode/src/")).collect();
        assert_eq!(paths, ["plain/tests_of_all.rs", "own.rs"]);
    }

    #[test]
    fn messages_name_the_function_and_the_remedy() {
        let text = &found(PATH, "fn solve(a: (&'a A, f64)) {}\n", &[])[0].text;
        assert!(text.starts_with("`solve` takes a tuple of unlike types, (&A, f64): use separate"), "{text}");
    }

    #[test]
    fn exceptions_are_few_and_needed() {
        let source = "fn f(a: (A, B)) {}\n";
        assert_eq!(found(PATH, source, &[&format!("{PATH}: f")]), []);
        let stale = found(PATH, source, &[&format!("{PATH}: f"), &format!("{PATH}: g")]);
        assert_eq!(stale.len(), 1);
        assert!(stale[0].text.ends_with("is not needed: delete it"), "{stale:?}");
        let many: Vec<String> = (0..=MOST_EXCEPTIONS).map(|k| format!("{PATH}: f{k}")).collect();
        let sources = many.iter().enumerate().map(|(k, _)| format!("fn f{k}(a: (A, B)) {{}}\n"));
        let listed: Vec<&str> = many.iter().map(String::as_str).collect();
        let found = found(PATH, &sources.collect::<String>(), &listed);
        assert_eq!(found.len(), 1);
        assert!(found[0].text.starts_with("21 exceptions; the limit is 20"), "{found:?}");
    }
}
