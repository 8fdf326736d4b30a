//! Parser for expressions, by the precedence of the operators (precedence climbing).

use std::ops::Range;

use super::lexer::{Token, TokenKind};
use super::parser::{Operand, Parser};
use crate::error::{ParseError, ParseErrorKind};
use crate::expression::{Binary, Operation, Ternary, Unary, binding, bindings};
use crate::names;
use crate::symbol::Type;

const AN_EXPRESSION: &str = "an expression";

/// Binary operators.
const OPERATORS: [Binary; 16] = [
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Remainder,
    Binary::Power,
    Binary::Less,
    Binary::LessEqual,
    Binary::Greater,
    Binary::GreaterEqual,
    Binary::Equal,
    Binary::NotEqual,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Implies,
];

impl Parser<'_> {
    /// Parses the longest expression that starts at the next token.
    pub(super) fn whole_expression(&mut self) -> Result<Operand, ParseError> {
        self.expression(binding::WHOLE)
    }

    /// Parses an expression of a given type.
    pub(super) fn typed_expression(&mut self, value_type: Type) -> Result<Operand, ParseError> {
        let operand = self.whole_expression()?;
        self.expect_type(&operand, value_type)?;
        Ok(operand)
    }

    /// Checks the type of the expression that was parsed last. If a number is found instead of a condition,
    /// the next token can be a mistyped comparison operator, which is then reported.
    fn expect_type(&self, operand: &Operand, expected: Type) -> Result<(), ParseError> {
        if expected == Type::Condition && operand.value_type == Type::Number && self.is_sign("=") {
            return Err(self.single_equals());
        }
        operand.expect(expected)
    }

    /// Parses an expression whose operators have a precedence of at least `weakest`.
    fn expression(&mut self, weakest: u8) -> Result<Operand, ParseError> {
        self.nested(1, |parser| {
            parser.make_room(1, &parser.peek().span)?;
            let mut left = parser.prefix(weakest)?;
            while let Some((operator, (own, _, needed))) = parser.operator() {
                if own < weakest {
                    break;
                }
                parser.advance();
                let right = parser.expression(needed)?;
                left = parser.combined(operator, &left, &right)?;
                if own == binding::COMPARISON {
                    parser.refuse_chain()?;
                }
            }
            Ok(left)
        })
    }

    /// Returns the next token as a binary operator, with its precedences; `None` if it is not a binary
    /// operator.
    fn operator(&self) -> Option<(Binary, (u8, u8, u8))> {
        let Token { kind, span } = self.peek();
        if !matches!(kind, TokenKind::Name | TokenKind::Sign(_)) {
            return None;
        }
        let text = self.text_of(span);
        let operator = OPERATORS.into_iter().find(|operator| operator.name() == text)?;
        Some((operator, bindings(operator)?))
    }

    fn refuse_chain(&self) -> Result<(), ParseError> {
        match self.operator() {
            Some((_, (binding::COMPARISON, ..))) => {
                Err(ParseError::new(self.peek().span.clone(), ParseErrorKind::ChainedComparison))
            }
            _ => Ok(()),
        }
    }

    /// Adds the operation on the two operands that were parsed last.
    fn combined(&mut self, operator: Binary, left: &Operand, right: &Operand) -> Result<Operand, ParseError> {
        let expected = match operator {
            Binary::And | Binary::Or | Binary::Xor | Binary::Implies => Type::Condition,
            // Both sides must have the same type.
            Binary::Equal | Binary::NotEqual => left.value_type,
            _ => Type::Number,
        };
        left.expect(expected)?;
        self.expect_type(right, expected)?;
        let value_type = match operator {
            Binary::Add | Binary::Subtract => Type::Number,
            Binary::Multiply | Binary::Divide | Binary::Remainder | Binary::Power => Type::Number,
            _ => Type::Condition,
        };
        let span = left.span.start..right.span.end;
        self.push(Operation::Binary(operator), value_type, &span);
        Ok(Operand { value_type, span, first_node: left.first_node })
    }

    /// Parses the first operand of an expression: a prefix operator with its operand, or a primary
    /// expression.
    fn prefix(&mut self, weakest: u8) -> Result<Operand, ParseError> {
        self.skip_newlines();
        let Token { kind, span } = self.peek().clone();
        match kind {
            TokenKind::Sign("-") => self.unary(Unary::Negate, binding::MINUS, Type::Number),
            TokenKind::Sign("(") => {
                self.advance();
                let inner = self.whole_expression()?;
                let close = self.expect_sign(")", "an operator or `)`")?;
                Ok(Operand { span: span.start..close.span.end, ..inner })
            }
            TokenKind::Number(value) => {
                self.advance();
                Ok(self.leaf(Operation::Number(value), Type::Number, span))
            }
            TokenKind::Name => self.word(weakest),
            _ => Err(self.unexpected(AN_EXPRESSION)),
        }
    }

    /// Parses an operand that starts with a name or a word of the language.
    fn word(&mut self, weakest: u8) -> Result<Operand, ParseError> {
        let span = self.peek().span.clone();
        let name = self.text_of(&span);
        match name {
            "not" if weakest > binding::NOT => {
                Err(ParseError::new(span, ParseErrorKind::NeedsParentheses { word: "not" }))
            }
            "not" => self.unary(Unary::Not, binding::NOT, Type::Condition),
            "if" if self.is_choice_call() => self.choice_call(),
            "if" if weakest > binding::WHOLE => {
                Err(ParseError::new(span, ParseErrorKind::NeedsParentheses { word: "if" }))
            }
            "if" => self.choice(),
            "true" | "false" => {
                self.advance();
                Ok(self.leaf(Operation::Boolean(name == "true"), Type::Condition, span))
            }
            "and" | "or" | "xor" | "implies" | "then" | "else" => Err(self.unexpected(AN_EXPRESSION)),
            _ if names::CONTROLS.contains(&name) && self.is_without_events() => {
                Err(ParseError::new(span, ParseErrorKind::EventWord { word: name.to_owned() }))
            }
            _ if names::CONTROLS.contains(&name) => Err(self.unexpected(AN_EXPRESSION)),
            _ => self.name_or_call(),
        }
    }

    fn unary(&mut self, unary: Unary, weakest: u8, value_type: Type) -> Result<Operand, ParseError> {
        let start = self.advance().span.start;
        let operand = self.expression(weakest)?;
        self.expect_type(&operand, value_type)?;
        let span = start..operand.span.end;
        self.push(Operation::Unary(unary), value_type, &span);
        Ok(Operand { value_type, span, first_node: operand.first_node })
    }

    /// Parses `if condition then a else b`; both branches must have the same type.
    fn choice(&mut self) -> Result<Operand, ParseError> {
        let start = self.advance().span.start;
        let condition = self.typed_expression(Type::Condition)?;
        if !self.take_word("then") {
            return Err(self.unexpected("`then`"));
        }
        let then = self.whole_expression()?;
        if !self.take_word("else") {
            return Err(self.unexpected("`else`"));
        }
        let otherwise = self.typed_expression(then.value_type)?;
        let span = start..otherwise.span.end;
        self.push(Operation::Ternary(Ternary::Select), then.value_type, &span);
        Ok(Operand { value_type: then.value_type, span, first_node: condition.first_node })
    }

    /// Returns `true` if the next `if` has the form of a call, that is, if its parentheses contain a comma.
    fn is_choice_call(&self) -> bool {
        let mut open = 0_usize;
        for token in &self.tokens[(self.next + 1).min(self.tokens.len())..] {
            match token.kind {
                TokenKind::Sign("(") => open += 1,
                TokenKind::Sign(")") if open <= 1 => return false,
                TokenKind::Sign(")") => open -= 1,
                TokenKind::Sign(",") if open == 1 => return true,
                _ if open == 0 => return false,
                _ => {}
            }
        }
        false
    }

    /// Parses `if(condition, a, b)`; both branches must have the same type.
    fn choice_call(&mut self) -> Result<Operand, ParseError> {
        let name = self.advance().span;
        let ([condition, then, otherwise], span) = self.arguments("if", name)?;
        condition.expect(Type::Condition)?;
        otherwise.expect(then.value_type)?;
        self.push(Operation::Ternary(Ternary::Select), then.value_type, &span);
        Ok(Operand { value_type: then.value_type, span, first_node: condition.first_node })
    }

    /// Adds a node that has no operands.
    pub(super) fn leaf(&mut self, operation: Operation, value_type: Type, span: Range<usize>) -> Operand {
        let first_node = self.nodes.len();
        self.push(operation, value_type, &span);
        Operand { value_type, span, first_node }
    }
}
