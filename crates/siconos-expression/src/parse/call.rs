//! Parser for names and function calls within expressions.

use std::ops::Range;

use super::parser::{Operand, Parser};
use crate::error::{ParseError, ParseErrorKind};
use crate::expression::{Binary, Operation, Ternary, Unary};
use crate::names;
use crate::symbol::{Name, Role, Type};

impl Parser<'_> {
    /// Parses a name, or a function call with its arguments.
    pub(super) fn name_or_call(&mut self) -> Result<Operand, ParseError> {
        let span = self.advance().span;
        let name = self.text_of(&span);
        if self.is_sign("(") { self.call(name, span) } else { self.name(name, span) }
    }

    fn name(&mut self, name: &str, span: Range<usize>) -> Result<Operand, ParseError> {
        if let Some(place) = self.argument(name) {
            return Ok(self.leaf(Operation::Read(place), Type::Number, span));
        }
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
        } else if names::is_event_function(name) && self.is_without_events() {
            ParseErrorKind::EventWord { word: name.to_owned() }
        } else if names::is_function(name) || self.scope.function(name).is_some() {
            ParseErrorKind::NotCalled { name: name.to_owned() }
        } else {
            self.unknown_name(name)
        };
        Err(ParseError::new(span, kind))
    }

    /// Adds a constant. A negative constant is the negation of a positive number.
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
        let nearest = names::nearest(name, known.chain(self.arguments_of_function()));
        // If an unknown name contains no system name, suggests the first known name with the same last part.
        let last_part = |known: &&str| known.rsplit_once('.').is_some_and(|(_, last)| last == name);
        let nearest =
            nearest.or_else(|| self.scope.iter().map(|(known, _)| known).find(last_part).map(str::to_owned));
        let known = if nearest.is_none() { self.listed_names(name) } else { Vec::new() };
        ParseErrorKind::UnknownName { name: name.to_owned(), nearest, known }
    }

    /// Returns the names that a message about an unknown name lists: arguments of a function, declared names
    /// and constants, or only the names with the same first part if there are any. A name with the index 0 is
    /// omitted if the name without this index has the same meaning.
    fn listed_names(&self, unknown: &str) -> Vec<String> {
        let is_alias =
            |known: &str| known.contains("[0]") && self.scope.get(&known.replacen("[0]", "", 1)).is_some();
        let can_be_read = |name: &Name| name.role != Role::HighestDerivative;
        let declared = self.scope.iter().filter(|(known, name)| can_be_read(name) && !is_alias(known));
        let declared = declared.map(|(known, _)| known);
        let arguments = self.arguments_of_function();
        let all = arguments.chain(declared).chain(self.scope.declared_constants()).map(str::to_owned);
        let all: Vec<String> = all.collect();
        let Some((owner, _)) = unknown.split_once('.') else { return all };
        let is_of_owner = |known: &&String| known.split_once('.').is_some_and(|(own, _)| own == owner);
        let of_owner: Vec<_> = all.iter().filter(is_of_owner).cloned().collect();
        if of_owner.is_empty() { all } else { of_owner }
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
        if let Some(ternary) = Ternary::named(name) {
            let (arguments, span): ([Operand; 3], _) = self.arguments(name, span)?;
            arguments.iter().try_for_each(|argument| argument.expect(Type::Number))?;
            return Ok(self.applied(Operation::Ternary(ternary), &arguments[0], span));
        }
        if let Some(function) = self.scope.function(name).filter(|_| self.argument(name).is_none()) {
            return self.user_call(name, function, span);
        }
        let owned = name.to_owned();
        let kind = match name {
            _ if self.argument(name).is_some() => {
                ParseErrorKind::NotAFunction { name: owned, what: "an argument" }
            }
            _ if names::is_event_function(name) && self.is_without_events() => {
                ParseErrorKind::EventWord { word: owned }
            }
            "pre" | "change" | "rising_edge" | "falling_edge" | "edge" => return self.event_call(name, span),
            "increasing" | "decreasing" | "side" => ParseErrorKind::NotInATrigger { name: owned },
            _ => match (self.scope.get(name), self.scope.constant(name), self.temporaries.get(name)) {
                (Some(known), ..) => ParseErrorKind::NotAFunction { name: owned, what: known.role.words() },
                (_, Some(_), _) => ParseErrorKind::NotAFunction { name: owned, what: names::A_CONSTANT },
                (.., Some(_)) => ParseErrorKind::NotAFunction { name: owned, what: "a temporary" },
                _ => ParseErrorKind::UnknownFunction { name: owned, nearest: self.nearest_function(name) },
            },
        };
        Err(ParseError::new(span, kind))
    }

    /// Returns a known function whose name is similar.
    fn nearest_function(&self, name: &str) -> Option<String> {
        let of_events = names::event_functions().filter(|_| !self.is_without_events());
        let of_user = self.scope.functions().map(|(known, _)| known);
        names::nearest(name, names::functions().chain(of_events).chain(of_user))
    }

    /// Parses exactly N arguments of a function call. Also returns the byte range of the whole call.
    pub(super) fn arguments<const N: usize>(
        &mut self,
        function: &str,
        name: Range<usize>,
    ) -> Result<([Operand; N], Range<usize>), ParseError> {
        let (arguments, span) = self.all_arguments(name)?;
        let found = arguments.len();
        let arguments = arguments.try_into().map_err(|_| {
            let kind = ParseErrorKind::ArgumentCount { function: function.to_owned(), expected: N, found };
            ParseError::new(span.clone(), kind)
        })?;
        Ok((arguments, span))
    }

    /// Parses all arguments of a function call. Also returns the byte range of the whole call.
    pub(super) fn all_arguments(
        &mut self,
        name: Range<usize>,
    ) -> Result<(Vec<Operand>, Range<usize>), ParseError> {
        self.expect_sign("(", "`(`")?;
        let mut arguments = Vec::new();
        if !self.is_sign(")") {
            arguments.push(self.whole_expression()?);
            while self.take_sign(",") {
                arguments.push(self.whole_expression()?);
            }
        }
        let close = self.expect_sign(")", "an operator, `,` or `)`")?;
        Ok((arguments, name.start..close.span.end))
    }

    /// Adds the operation of a function of numbers. `first` is its first argument.
    fn applied(&mut self, operation: Operation, first: &Operand, span: Range<usize>) -> Operand {
        self.push(operation, Type::Number, &span);
        Operand { value_type: Type::Number, span, first_node: first.first_node }
    }
}
