//! Parser for triggers of events.

use std::ops::Range;

use super::lexer::TokenKind;
use super::parser::{Operand, Parser};
use crate::error::{ParseError, ParseErrorKind};
use crate::expression::Expression;
use crate::symbol::{Role, Type};
use crate::trigger::{Direction, Side, Trigger};

/// Function whose roots trigger an event, with the direction and the side of these roots.
struct Root {
    function: Expression,
    span: Range<usize>,
    direction: Direction,
    side: Option<Side>,
}

impl Root {
    fn is_plain(&self) -> bool {
        self.direction == Direction::Any && self.side.is_none()
    }

    fn expect_number(&self) -> Result<(), ParseError> {
        match self.function.value_type() {
            Type::Number => Ok(()),
            found => {
                let kind = ParseErrorKind::WrongType { expected: Type::Number, found };
                Err(ParseError::new(self.span.clone(), kind))
            }
        }
    }

    fn into_trigger(self, condition: Option<Expression>) -> Result<Trigger, ParseError> {
        if self.function.constant().is_some() {
            return Err(ParseError::new(self.span, ParseErrorKind::ConstantFunction));
        }
        let variable = self.function.variable();
        let Self { function, direction, side, .. } = self;
        Ok(Trigger::Root { function, direction, side, variable, condition })
    }
}

impl Parser<'_> {
    pub(super) fn trigger(mut self) -> Result<Trigger, ParseError> {
        let trigger = if self.take_sign("[") {
            self.conditional_trigger()?
        } else {
            let root = self.root()?;
            if root.is_plain() && self.take_sign("=") {
                self.equated(root)?
            } else if root.function.value_type() == Type::Condition {
                Trigger::Discrete { condition: root.function }
            } else {
                root.into_trigger(None)?
            }
        };
        self.expect_end()?;
        Ok(trigger)
    }

    /// Parses the rest of `[root, condition]` after the opening bracket.
    fn conditional_trigger(&mut self) -> Result<Trigger, ParseError> {
        let root = self.root()?;
        root.expect_number()?;
        self.expect_sign(",", "an operator or `,`")?;
        let condition = self.typed_expression(Type::Condition)?;
        let condition = self.take_expression(condition)?;
        self.expect_sign("]", "an operator or `]`")?;
        // By convention, the constant 0 marks a trigger that consists of a condition only.
        if root.is_plain() && root.function.constant() == Some(0.0) {
            return Ok(Trigger::Discrete { condition });
        }
        root.into_trigger(Some(condition))
    }

    /// Parses a function with an optional direction. The result can also be a condition without a direction.
    fn root(&mut self) -> Result<Root, ParseError> {
        let direction = if self.is_word("increasing") {
            Direction::Increasing
        } else if self.is_word("decreasing") {
            Direction::Decreasing
        } else {
            return self.sided();
        };
        self.advance();
        self.expect_sign("(", "`(`")?;
        let root = self.sided()?;
        root.expect_number()?;
        self.expect_sign(")", "an operator or `)`")?;
        Ok(Root { direction, ..root })
    }

    /// Parses a function, or `side(..)` of a dependent variable.
    fn sided(&mut self) -> Result<Root, ParseError> {
        if !self.is_word("side") {
            let operand = self.whole_expression()?;
            let span = operand.span.clone();
            let function = self.take_expression(operand)?;
            return Ok(Root { function, span, direction: Direction::Any, side: None });
        }
        self.advance();
        self.expect_sign("(", "`(`")?;
        let operand = self.whole_expression()?;
        let span = operand.span.clone();
        let function = self.take_expression(operand)?;
        if !self.is_dependent(&function) {
            return Err(ParseError::new(span, ParseErrorKind::SideNeedsState));
        }
        self.expect_sign(",", "`,`")?;
        let Some(side) = [Side::Pre, Side::Post].into_iter().find(|side| self.take_word(side.word())) else {
            return Err(self.unexpected("`pre` or `post`"));
        };
        self.expect_sign(")", "`)`")?;
        Ok(Root { function, span, direction: Direction::Any, side: Some(side) })
    }

    /// Returns `true` if the expression is a single variable of a differential or algebraic equation.
    fn is_dependent(&self, function: &Expression) -> bool {
        matches!(self.role_of(function), Some(Role::State | Role::Algebraic)) && !function.reads_previous()
    }

    /// Returns the role of the name if the expression is a single name.
    fn role_of(&self, function: &Expression) -> Option<Role> {
        function.variable()?;
        let name = &function.variables().first()?.name;
        self.scope.get(name).map(|known| known.role)
    }

    /// Parses the text after `f =`: a range, or times if f is the independent variable.
    fn equated(&mut self, root: Root) -> Result<Trigger, ParseError> {
        root.expect_number()?;
        let is_independent = self.role_of(&root.function) == Some(Role::Independent);
        let name = || root.function.to_string();
        if is_independent && self.take_sign("[") {
            let start = self.time()?;
            self.expect_sign(",", "an operator or `,`")?;
            let every = self.period()?;
            self.expect_sign("]", "an operator or `]`")?;
            return Ok(Trigger::Time { name: name(), start, every: Some(every) });
        }
        let operand = self.typed_expression(Type::Number)?;
        if self.take_sign("..") {
            let lower = self.take_expression(operand)?;
            let upper = self.typed_expression(Type::Number)?;
            let upper = self.take_expression(upper)?;
            return Ok(Trigger::Range { function: root.function, lower, upper });
        }
        if !is_independent {
            if self.peek().kind != TokenKind::End {
                return Err(self.unexpected("an operator or `..`"));
            }
            let span = root.span.start..operand.span.end;
            return Err(ParseError::new(span, ParseErrorKind::NeitherTimeNorRange));
        }
        let start = self.checked_time(operand)?;
        Ok(Trigger::Time { name: name(), start, every: None })
    }

    fn time(&mut self) -> Result<Expression, ParseError> {
        let operand = self.typed_expression(Type::Number)?;
        self.checked_time(operand)
    }

    fn checked_time(&mut self, operand: Operand) -> Result<Expression, ParseError> {
        let (time, value, span) = self.known_in_advance(operand)?;
        if value.is_finite() {
            return Ok(time);
        }
        Err(ParseError::new(span, ParseErrorKind::TimeNotFinite { value }))
    }

    fn period(&mut self) -> Result<Expression, ParseError> {
        let operand = self.typed_expression(Type::Number)?;
        let (period, value, span) = self.known_in_advance(operand)?;
        if value.is_finite() && value > 0.0 {
            return Ok(period);
        }
        Err(ParseError::new(span, ParseErrorKind::BadPeriod { value }))
    }

    /// Returns the operand, its value and its byte range. Returns an error if the operand contains variables.
    fn known_in_advance(&mut self, operand: Operand) -> Result<(Expression, f64, Range<usize>), ParseError> {
        let span = operand.span.clone();
        let expression = self.take_expression(operand)?;
        match (expression.constant(), expression.variables().first()) {
            (Some(value), _) => Ok((expression, value, span)),
            (None, variable) => {
                let name = variable.map_or_else(String::new, |variable| variable.name.clone());
                let what = self.scope.get(&name).map_or("a variable", |known| known.role.words());
                Err(ParseError::new(span, ParseErrorKind::TimeReadsName { name, what }))
            }
        }
    }
}
