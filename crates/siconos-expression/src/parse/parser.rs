//! State of the parser: the tokens, and the nodes of the expression under construction.

use std::collections::BTreeMap;
use std::ops::Range;

use super::lexer::{Lines, Token, TokenKind, tokens};
use super::temporaries::Temporaries;
use super::{MAX_DEPTH, MAX_NODES};
use crate::error::{ParseError, ParseErrorKind};
use crate::expression::{Expression, Node, Operation, Variable, levels};
use crate::scope::Scope;
use crate::symbol::{Symbol, Type};

/// Subexpression that has been parsed. Directly after parsing, its nodes are at the end of `Parser::nodes`.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) value_type: Type,
    /// Byte range of the subexpression, including parentheses around it.
    pub(super) span: Range<usize>,
    /// Index in `Parser::nodes` of the first node of the subexpression.
    pub(super) first_node: usize,
}

impl Operand {
    pub(super) fn expect(&self, expected: Type) -> Result<(), ParseError> {
        if self.value_type == expected {
            return Ok(());
        }
        let kind = ParseErrorKind::WrongType { expected, found: self.value_type };
        Err(ParseError::new(self.span.clone(), kind))
    }
}

pub(super) struct Parser<'a> {
    text: &'a str,
    pub(super) tokens: Vec<Token>,
    pub(super) next: usize,
    depth: usize,
    pub(super) scope: &'a Scope,
    pub(super) temporaries: Temporaries,
    pub(super) nodes: Vec<Node>,
    /// Number of nodes that are not in `nodes` but count towards the limit.
    pub(super) elsewhere: usize,
    /// Names of the arguments if the text defines a user-defined function.
    of_function: Option<&'a [String]>,
    pub(super) variables: Vec<Variable>,
    /// Indices in `variables`. The key is the name, and `true` for a previous value.
    places: BTreeMap<(String, bool), usize>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, scope: &'a Scope, lines: Lines) -> Result<Self, ParseError> {
        Ok(Self {
            text,
            tokens: tokens(text, lines)?,
            next: 0,
            depth: 0,
            scope,
            temporaries: Temporaries::default(),
            nodes: Vec::new(),
            elsewhere: 0,
            of_function: None,
            variables: Vec::new(),
            places: BTreeMap::new(),
        })
    }

    /// Prepares the parser for the text of a user-defined function. `elsewhere` is the number of nodes of
    /// other functions. The arguments are the first variables; their symbols are never read.
    pub(super) fn for_function(mut self, arguments: &'a [String], elsewhere: usize) -> Self {
        self.of_function = Some(arguments);
        self.elsewhere = elsewhere;
        for (name, index) in arguments.iter().zip(0..) {
            self.read(name, Symbol { slot: u32::MAX, index }, false);
        }
        self
    }

    /// Returns the index of the argument with this name, or `None` if there is none.
    pub(super) fn argument(&self, name: &str) -> Option<usize> {
        self.of_function?.iter().position(|argument| argument == name)
    }

    /// Iterates over the names of the arguments, if the text defines a user-defined function.
    pub(super) fn arguments_of_function(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.of_function.unwrap_or_default().iter().map(String::as_str)
    }

    /// Returns `true` if the words of events are rejected.
    pub(super) fn is_without_events(&self) -> bool {
        self.of_function.is_some() || self.scope.is_without_events()
    }

    /// Returns the next token. At the end of the text, this is always [`TokenKind::End`].
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        self.next += 1;
        token
    }

    pub(super) fn text_of(&self, span: &Range<usize>) -> &'a str {
        &self.text[span.clone()]
    }

    pub(super) fn skip_newlines(&mut self) {
        while self.peek().kind == TokenKind::Newline {
            self.next += 1;
        }
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Sign(found) if found == sign)
    }

    /// Consumes the next token if it is this sign. Returns `true` if it is.
    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let is_next = self.is_sign(sign);
        self.next += usize::from(is_next);
        is_next
    }

    /// Consumes the next token if it is this sign; otherwise returns an error that contains `expected`.
    pub(super) fn expect_sign(&mut self, sign: &str, expected: &'static str) -> Result<Token, ParseError> {
        if self.is_sign(sign) { Ok(self.advance()) } else { Err(self.unexpected(expected)) }
    }

    /// Returns `true` if the next token is this word.
    pub(super) fn is_word(&self, word: &str) -> bool {
        let Token { kind, span } = self.peek();
        *kind == TokenKind::Name && self.text_of(span) == word
    }

    /// Consumes the next token if it is this word. Line ends before the word are skipped.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let before = self.next;
        self.skip_newlines();
        let is_next = self.is_word(word);
        self.next = if is_next { self.next + 1 } else { before };
        is_next
    }

    pub(super) fn expect_end(&self) -> Result<(), ParseError> {
        match self.peek().kind {
            TokenKind::End => Ok(()),
            _ => Err(self.unexpected("an operator or the end")),
        }
    }

    /// Returns the error for an unexpected token. `expected` describes the token that is expected.
    pub(super) fn unexpected(&self, expected: &'static str) -> ParseError {
        let Token { kind, span } = self.peek();
        let found = match kind {
            TokenKind::Sign("=") => return self.single_equals(),
            TokenKind::Newline => "the end of the line".to_owned(),
            TokenKind::End => "the end".to_owned(),
            _ => format!("`{}`", self.text_of(span)),
        };
        ParseError::new(span.clone(), ParseErrorKind::Expected { expected, found })
    }

    /// Returns the error for a single equals sign in place of a comparison.
    pub(super) fn single_equals(&self) -> ParseError {
        let is_assignment = self.is_without_events();
        let kind = if is_assignment { ParseErrorKind::Assignment } else { ParseErrorKind::SingleEquals };
        ParseError::new(self.peek().span.clone(), kind)
    }

    /// Parses an element that can be nested, and checks the nesting depth.
    pub(super) fn nested<T>(
        &mut self,
        levels: usize,
        read: impl FnOnce(&mut Self) -> Result<T, ParseError>,
    ) -> Result<T, ParseError> {
        // The outermost level does not count.
        if self.depth + levels > MAX_DEPTH + 1 {
            return Err(ParseError::new(
                self.peek().span.clone(),
                ParseErrorKind::TooDeep { limit: MAX_DEPTH },
            ));
        }
        self.depth += levels;
        let read = read(self);
        self.depth -= levels;
        read
    }

    pub(super) fn push(&mut self, operation: Operation, value_type: Type, span: &Range<usize>) {
        self.nodes.push(Node { operation, value_type, span: span.clone() });
    }

    /// Returns the operation that reads a variable.
    pub(super) fn read(&mut self, name: &str, symbol: Symbol, is_previous: bool) -> Operation {
        let variables = &mut self.variables;
        let place = *self.places.entry((name.to_owned(), is_previous)).or_insert_with(|| {
            variables.push(Variable { name: name.to_owned(), symbol, is_previous });
            variables.len() - 1
        });
        Operation::Read(place)
    }

    pub(super) fn variable(&self, place: usize) -> &Variable {
        &self.variables[place]
    }

    /// Returns an error if `more` additional nodes exceed the limit.
    pub(super) fn make_room(&self, more: usize, span: &Range<usize>) -> Result<(), ParseError> {
        let nodes = self.elsewhere.saturating_add(self.nodes.len()).saturating_add(more);
        if nodes > MAX_NODES {
            return Err(ParseError::new(span.clone(), ParseErrorKind::TooManyNodes { limit: MAX_NODES }));
        }
        Ok(())
    }

    /// Removes the nodes of an operand, which are the last nodes, and returns them as an expression.
    pub(super) fn take_expression(&mut self, operand: Operand) -> Result<Expression, ParseError> {
        let nodes = self.take_nodes(&operand)?;
        Ok(Expression::new(nodes, &self.variables))
    }

    /// Removes the nodes of an operand, which are the last nodes. Checks the nesting depth of their printed
    /// form, which must be parsable.
    pub(super) fn take_nodes(&mut self, operand: &Operand) -> Result<Vec<Node>, ParseError> {
        self.make_room(0, &operand.span)?;
        let nodes = self.nodes.split_off(operand.first_node);
        if self.depth + levels(&nodes, &self.variables) > MAX_DEPTH + 1 {
            return Err(ParseError::new(operand.span.clone(), ParseErrorKind::TooDeep { limit: MAX_DEPTH }));
        }
        self.elsewhere += nodes.len();
        Ok(nodes)
    }
}
