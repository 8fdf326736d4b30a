//! Tokens of a Rust source: words and punctuation marks.

/// Word or punctuation mark.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// Line number, from 1.
    pub(super) line: usize,
}

pub(super) fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the tokens of a source without comments and literals.
pub(super) fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (line, mut rest) in (1..).zip(code.lines().map(str::trim_start)) {
        while let Some(first) = rest.chars().next() {
            let length = if is_in_word(first) {
                rest.find(|c| !is_in_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            let (text, left) = rest.split_at(length);
            tokens.push(Token { text, line });
            rest = left.trim_start();
        }
    }
    tokens
}

/// Returns the tokens after the bracket that closes the first token.
pub(super) fn after_brackets<'a, 'b>(tokens: &'b [Token<'a>]) -> &'b [Token<'a>] {
    let mut depth = 0;
    let is_last = |token: &Token<'_>| {
        depth += i32::from(["(", "[", "{"].contains(&token.text));
        depth -= i32::from([")", "]", "}"].contains(&token.text));
        depth == 0
    };
    let last = tokens.iter().position(is_last);
    last.map_or(&[], |last| &tokens[last + 1..])
}

/// Removes attributes and items that are compiled for tests only. Also returns the names of the removed
/// modules.
pub(super) fn without_attributes_and_tests<'a>(mut rest: &[Token<'a>]) -> (Vec<Token<'a>>, Vec<&'a str>) {
    let (mut kept, mut modules) = (Vec::new(), Vec::new());
    let mut is_test = false;
    while let Some(&token) = rest.first() {
        let words: Vec<_> = rest.iter().take(7).map(|token| token.text).collect();
        match words[..] {
            ["#", "!", "[", ..] => rest = after_brackets(&rest[2..]),
            ["#", "[", "cfg", "(", "test", ..] | ["#", "[", "cfg", "(", "all", "(", "test"] => {
                is_test = true;
                rest = after_brackets(&rest[1..]);
            }
            ["#", "[", ..] => rest = after_brackets(&rest[1..]),
            _ if is_test => {
                is_test = false;
                if let ["mod", name, ";", ..] = words[..] {
                    modules.push(name);
                }
                rest = after_item(rest);
            }
            _ => {
                kept.push(token);
                rest = &rest[1..];
            }
        }
    }
    (kept, modules)
}

/// Returns the tokens after the first item, or from the bracket that closes its list.
fn after_item<'a, 'b>(mut rest: &'b [Token<'a>]) -> &'b [Token<'a>] {
    loop {
        match rest.first().map(|token| token.text) {
            None | Some("}") => return rest,
            Some(";") => return &rest[1..],
            Some("{") => return after_brackets(rest),
            Some("(" | "[") => rest = after_brackets(rest),
            Some(_) => rest = &rest[1..],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{tokens, without_attributes_and_tests};

    #[test]
    fn modules_for_tests_are_named() {
        let tests = without_attributes_and_tests(&tokens("#[cfg(test)]\nmod every;\nmod b;")).1;
        assert_eq!(tests, ["every"]);
    }
}
