//! Parameters of functions: no tuples of unlike elements, and not too many arguments.
//!
//! A tuple of two or three elements of one type is fine, for example `(q, v): (&[f64], &[f64])`. Types are
//! compared as text, without lifetimes.

use super::crates;
use super::offence::Offence;
use super::source::code_only;

/// Functions that the rule does not hold for, as `file: function`.
const EXCEPTIONS: &[&str] = &[
    // Pairs of a coordinate of a joint with its teeth, radius or factor.
    "crates/siconos-kernel/src/model/relation/body/joint/coupler.rs: gear",
    "crates/siconos-kernel/src/model/relation/body/joint/coupler.rs: new",
    "crates/siconos-kernel/src/model/relation/body/joint/coupler.rs: rack",
];

const MOST_EXCEPTIONS: usize = 20;
const MOST_ARGUMENTS: usize = 7;
const MOST_ELEMENTS: usize = 3;

/// This file, where the exceptions are listed.
const HERE: &str = "xtask/src/tidy/parameters.rs";

/// Offences of all sources, given as paths and texts.
pub(super) fn offences(sources: &[(String, String)]) -> Vec<Offence> {
    with_exceptions(sources, EXCEPTIONS)
}

/// Offences of the functions that are not listed, and of the list itself.
fn with_exceptions(sources: &[(String, String)], exceptions: &[&str]) -> Vec<Offence> {
    let mut found = Vec::new();
    let mut used = Vec::new();
    let checked = sources.iter().filter(|(path, _)| is_checked(path));
    let codes: Vec<_> = checked.map(|(path, text)| (path, code_only(text))).collect();
    let tests: Vec<_> = codes.iter().flat_map(|(path, code)| test_modules(path, code)).collect();
    for (path, code) in codes.iter().filter(|(path, _)| !tests.iter().any(|test| path.starts_with(test))) {
        let code = without_tests(code);
        for function in functions(&code) {
            let wrong = complaints(&function);
            let exception = format!("{path}: {}", function.name);
            if wrong.is_empty() {
                continue;
            }
            if exceptions.contains(&exception.as_str()) {
                used.push(exception);
            } else {
                found.extend(wrong.into_iter().map(|text| Offence::new(path, function.line, text)));
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

/// Returns `true` if the path is a source of a crate, and not in its folder of tests.
fn is_checked(path: &str) -> bool {
    crates::of_source(path).is_some() && !path.contains("/tests/")
}

/// Attribute of an item that only tests have.
const MARK: &str = "#[cfg(test)]";

/// The paths of modules that only tests have, without what follows the name: `.rs`, or a folder.
fn test_modules<'a>(path: &'a str, code: &'a str) -> impl Iterator<Item = String> + 'a {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let folder = match file {
        "lib.rs" | "main.rs" | "mod.rs" => folder,
        _ => path.trim_end_matches(".rs"),
    };
    code.split(MARK).skip(1).flat_map(move |item| {
        let name = item.trim_start().strip_prefix("mod ").and_then(|rest| rest.split_once(';'));
        let name = name.map(|(name, _)| name).filter(|name| name.chars().all(is_word));
        name.into_iter().flat_map(move |name| ['.', '/'].map(|next| format!("{folder}/{name}{next}")))
    })
}

/// Blanks every item after `#[cfg(test)]` and keeps the newlines.
fn without_tests(code: &str) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(start) = rest.find(MARK) {
        let item = start + MARK.len();
        let end = match rest[item..].find(['{', ';']).map(|at| item + at) {
            Some(at) if rest[at..].starts_with('{') => closing(rest, at).map_or(rest.len(), |at| at + 1),
            Some(at) => at + 1,
            None => rest.len(),
        };
        kept.push_str(&rest[..start]);
        kept.extend(rest[start..end].chars().map(|c| if c == '\n' { c } else { ' ' }));
        rest = &rest[end..];
    }
    kept.push_str(rest);
    kept
}

/// A function with a name.
struct Function<'a> {
    name: &'a str,
    /// From 1.
    line: usize,
    /// The types of the parameters, without `self`.
    types: Vec<&'a str>,
}

/// The named functions of a source without comments and literals.
fn functions(code: &str) -> Vec<Function<'_>> {
    let starts = code.match_indices("fn ").map(|(at, _)| at);
    starts.filter(|&at| !code[..at].ends_with(is_word)).filter_map(|at| function(code, at)).collect()
}

/// The function whose keyword is at this position. A type `fn (..)` has no name and is not a function.
fn function(code: &str, keyword: usize) -> Option<Function<'_>> {
    let after = code[keyword + 2..].trim_start();
    let length = after.find(|c| !is_word(c)).unwrap_or(after.len());
    let (name, rest) = after.split_at(length);
    let start = code.len() - rest.len();
    let opening = match rest.chars().next()? {
        '<' => closing(code, start)? + 1,
        _ => start,
    };
    if name.is_empty() || !code[opening..].starts_with('(') {
        return None;
    }
    let list = &code[opening + 1..closing(code, opening)?];
    let types = split(list).into_iter().filter_map(type_of).collect();
    Some(Function { name, line: 1 + code[..keyword].matches('\n').count(), types })
}

/// The type of a parameter, `None` for `self`.
fn type_of(parameter: &str) -> Option<&str> {
    let colon = *at_top(parameter, ':').first()?;
    let pattern = parameter[..colon].trim();
    (pattern != "self" && pattern != "mut self").then(|| parameter[colon + 1..].trim())
}

/// The offences of one function, in words.
fn complaints(function: &Function<'_>) -> Vec<String> {
    let name = function.name;
    let mut found: Vec<String> =
        function.types.iter().filter_map(|ty| Some(format!("`{name}` {}", unlike_tuple(ty)?))).collect();
    let count = function.types.len();
    if count > MOST_ARGUMENTS {
        found.push(format!(
            "`{name}` has {count} arguments besides `self`; the limit is {MOST_ARGUMENTS}: group them in a \
             struct with named fields"
        ));
    }
    found
}

/// The complaint about a type, if it is a tuple with unlike or too many elements, or has one as an element.
fn unlike_tuple(ty: &str) -> Option<String> {
    let elements = elements(ty)?;
    let texts: Vec<String> = elements.iter().map(|element| without_lifetimes(element)).collect();
    let shown = texts.join(", ");
    if texts.iter().any(|text| *text != texts[0]) {
        return Some(format!(
            "takes a tuple of unlike types, ({shown}): take them as separate arguments or as a struct with \
             named fields"
        ));
    }
    if texts.len() > MOST_ELEMENTS {
        return Some(format!(
            "takes a tuple of {} elements, ({shown}); the limit is {MOST_ELEMENTS}: take an array or a struct \
             with named fields",
            texts.len()
        ));
    }
    elements.into_iter().find_map(unlike_tuple)
}

/// The types of the elements of a tuple or a reference to one, `None` for any other type.
fn elements(ty: &str) -> Option<Vec<&str>> {
    let mut inner = ty.trim();
    while let Some(rest) = inner.strip_prefix('&') {
        let rest = rest.trim_start();
        let rest = rest.strip_prefix('\'').map_or(rest, |rest| rest.trim_start_matches(is_word).trim_start());
        inner = rest.strip_prefix("mut ").unwrap_or(rest).trim_start();
    }
    let is_whole = inner.starts_with('(') && closing(inner, 0) == Some(inner.len() - 1);
    let list = split(is_whole.then(|| &inner[1..inner.len() - 1])?);
    (list.len() > 1).then_some(list)
}

/// The text of a type on one line, without lifetimes.
fn without_lifetimes(ty: &str) -> String {
    let mut kept = String::with_capacity(ty.len());
    let mut rest = ty;
    while let Some(at) = rest.find('\'') {
        kept.push_str(&rest[..at]);
        rest = rest[at + 1..].trim_start_matches(is_word).trim_start();
        if kept.ends_with('<') {
            rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        }
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ").replace("<>", "")
}

/// The parts between the commas of a list, brackets of all kinds respected, without empty ones.
fn split(list: &str) -> Vec<&str> {
    let mut start = 0;
    let commas = at_top(list, ',').into_iter().chain([list.len()]);
    commas
        .map(|at| list[std::mem::replace(&mut start, at + 1)..at].trim())
        .filter(|it| !it.is_empty())
        .collect()
}

/// The positions of a sign outside of all brackets. A colon of `::` does not count.
fn at_top(text: &str, sign: char) -> Vec<usize> {
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        let is_path = c == ':' && (text[at + 1..].starts_with(':') || text[..at].ends_with(':'));
        if depth == 0 && c == sign && !is_path {
            found.push(at);
        }
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' if !is_arrow(text, at) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}

/// The position of the bracket that closes the one at `opening`. Brackets of other kinds do not count.
fn closing(code: &str, opening: usize) -> Option<usize> {
    let (open, close) = match code[opening..].chars().next()? {
        '(' => ('(', ')'),
        '{' => ('{', '}'),
        '<' => ('<', '>'),
        _ => return None,
    };
    let mut depth = 0_usize;
    let inside = code[opening..].char_indices().map(|(at, c)| (opening + at, c));
    let mut brackets = inside.filter(|&(at, c)| (c == open || c == close) && !is_arrow(code, at));
    brackets.find_map(|(at, c)| {
        depth = if c == open { depth + 1 } else { depth - 1 };
        (depth == 0).then_some(at)
    })
}

/// Returns `true` if the bracket at this position is the tip of `->` or `=>`.
fn is_arrow(code: &str, at: usize) -> bool {
    code[at..].starts_with('>') && code[..at].ends_with(['-', '='])
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
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
        assert!(text.starts_with("`solve` takes a tuple of unlike types, (&A, f64): take them as"), "{text}");
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
