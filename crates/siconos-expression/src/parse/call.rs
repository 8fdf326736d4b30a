//! Names and calls of functions within expressions.

use std::ops::Range;

use super::parser::{Operand, Parser};
use crate::error::{ParseError, ParseErrorKind};
use crate::expression::{Binary, Operation, Unary};
use crate::names;
use crate::scope::Type;

impl Parser<'_> {
    /// Reads a name alone, or with its arguments.
    pub(super) fn name_or_call(&mut self) -> Result<Operand, ParseError> {
        let span = self.advance().span;
        let name = self.text_of(&span);
        if self.is_sign("(") { self.call(name, span) } else { self.name(name, span) }
    }

    fn name(&mut self, name: &str, span: Range<usize>) -> Result<Operand, ParseError> {
        if let Some(value) = self.scope.constant(name) {
            return Ok(self.constant(value, span));
        }
        if let Some(known) = self.scope.get(name) {
            let operation = self.read(name, known.symbol, false);
            return Ok(self.leaf(operation, known.kind.value_type(), span));
        }
        let kind = if let Some(temporary) = self.temporaries.get(name) {
            if self.temporaries.is_assigned(name) {
                let (symbol, kind) = (temporary.symbol, temporary.kind);
                let operation = self.read(name, symbol, false);
                return Ok(self.leaf(operation, kind.value_type(), span));
            }
            ParseErrorKind::Unassigned { name: name.to_owned() }
        } else if names::is_function(name) {
            ParseErrorKind::NotCalled { name: name.to_owned() }
        } else {
            self.unknown_name(name)
        };
        Err(ParseError::new(span, kind))
    }

    /// A number that may be negative, which is an operation on one that is not.
    fn constant(&mut self, value: f64, span: Range<usize>) -> Operand {
        let size = self.leaf(Operation::Number(value.abs()), Type::Number, span.clone());
        if value.is_sign_negative() {
            self.push(Operation::Unary(Unary::Negate), Type::Number, &span);
        }
        size
    }

    pub(super) fn unknown_name(&self, name: &str) -> ParseErrorKind {
        let declared = self.scope.iter().map(|(known, _)| known);
        let known = declared.chain(self.temporaries.names()).chain(self.scope.constants());
        ParseErrorKind::UnknownName { name: name.to_owned(), nearest: names::nearest(name, known) }
    }

    fn call(&mut self, name: &str, span: Range<usize>) -> Result<Operand, ParseError> {
        if let Some(unary) = Unary::named(name) {
            let ([argument], span) = self.arguments(name, span)?;
            argument.expect(Type::Number)?;
            return Ok(self.applied(Operation::Unary(unary), &argument, span));
        }
        if let Some(binary) = Binary::named(name) {
            let ([first, second], span) = self.arguments(name, span)?;
            first.expect(Type::Number)?;
            second.expect(Type::Number)?;
            return Ok(self.applied(Operation::Binary(binary), &first, span));
        }
        let owned = name.to_owned();
        let kind = match name {
            "pre" | "change" | "rising_edge" | "falling_edge" | "edge" => return self.event_call(name, span),
            "increasing" | "decreasing" | "side" => ParseErrorKind::NotInATrigger { name: owned },
            _ => match (self.scope.get(name), self.scope.constant(name), self.temporaries.get(name)) {
                (Some(known), ..) => ParseErrorKind::NotAFunction { name: owned, what: known.role.words() },
                (_, Some(_), _) => ParseErrorKind::NotAFunction { name: owned, what: names::A_CONSTANT },
                (.., Some(_)) => ParseErrorKind::NotAFunction { name: owned, what: "a temporary" },
                _ => {
                    let nearest = names::nearest(name, names::functions());
                    ParseErrorKind::UnknownFunction { name: owned, nearest }
                }
            },
        };
        Err(ParseError::new(span, kind))
    }

    /// Reads as many arguments as a function takes; with the span of the whole call.
    pub(super) fn arguments<const N: usize>(
        &mut self,
        function: &str,
        name: Range<usize>,
    ) -> Result<([Operand; N], Range<usize>), ParseError> {
        self.expect_sign("(", "`(`")?;
        let mut arguments = Vec::new();
        if !self.is_sign(")") {
            arguments.push(self.whole_expression()?);
            while self.take_sign(",") {
                arguments.push(self.whole_expression()?);
            }
        }
        let close = self.expect_sign(")", "an operator, `,` or `)`")?;
        let span = name.start..close.span.end;
        let found = arguments.len();
        let arguments = arguments.try_into().map_err(|_| {
            let kind = ParseErrorKind::ArgumentCount { function: function.to_owned(), expected: N, found };
            ParseError::new(span.clone(), kind)
        })?;
        Ok((arguments, span))
    }

    /// Adds a function of numbers, the first of which is given.
    fn applied(&mut self, operation: Operation, first: &Operand, span: Range<usize>) -> Operand {
        self.push(operation, Type::Number, &span);
        Operand { value_type: Type::Number, span, first_node: first.first_node }
    }
}
