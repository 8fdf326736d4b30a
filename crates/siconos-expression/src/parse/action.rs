//! Parser for statements of actions: assignments, branches and control words.

use super::lexer::{Token, TokenKind};
use super::parser::Parser;
use super::temporaries::on_both;
use crate::action::{Action, Control, Statement};
use crate::error::{ParseError, ParseErrorKind};
use crate::expression::Expression;
use crate::names;
use crate::symbol::{Name, Type, ValueKind};

const A_STATEMENT: &str = "a statement";
const A_SEPARATOR: &str = "an operator, `;` or a new line";

/// Statements. `leaves` is `true` if every path through them ends the action.
struct Block {
    statements: Vec<Statement>,
    leaves: bool,
}

/// Target of an assignment.
enum Target {
    Declared(Name),
    Temporary { slot: u32 },
}

impl Parser<'_> {
    pub(super) fn action(mut self) -> Result<Action, ParseError> {
        self.skip_separators();
        if self.is_word("none") {
            let none = self.advance();
            self.skip_separators();
            return match self.peek().kind {
                TokenKind::End => Ok(Action::None),
                _ => Err(ParseError::new(none.span, ParseErrorKind::NoneNotAlone)),
            };
        }
        if self.peek().kind == TokenKind::End {
            return Err(self.unexpected("a statement or `none`"));
        }
        let Block { statements, .. } = self.statements()?;
        match self.peek().kind {
            TokenKind::End => Ok(Action::Run { statements, temporaries: self.temporaries.into_list() }),
            _ => Err(self.unexpected(A_STATEMENT)),
        }
    }

    fn skip_separators(&mut self) {
        while matches!(self.peek().kind, TokenKind::Newline | TokenKind::Sign(";")) {
            self.advance();
        }
    }

    /// Parses statements up to the end of the text or to a closing brace.
    fn statements(&mut self) -> Result<Block, ParseError> {
        let mut block = Block { statements: Vec::new(), leaves: false };
        loop {
            self.skip_separators();
            if matches!(self.peek().kind, TokenKind::End | TokenKind::Sign("}")) {
                return Ok(block);
            }
            if block.leaves {
                return Err(ParseError::new(self.peek().span.clone(), ParseErrorKind::NeverReached));
            }
            let (statement, leaves) = self.statement()?;
            block.statements.push(statement);
            block.leaves = leaves;
            let separates = |kind| {
                matches!(
                    kind,
                    TokenKind::Newline | TokenKind::End | TokenKind::Sign(";") | TokenKind::Sign("}")
                )
            };
            if !separates(self.peek().kind) {
                return Err(self.unexpected(A_SEPARATOR));
            }
        }
    }

    /// Parses a statement. Also returns `true` if every path through it ends the action.
    fn statement(&mut self) -> Result<(Statement, bool), ParseError> {
        let Token { kind, span } = self.peek().clone();
        if kind != TokenKind::Name {
            return Err(self.unexpected(A_STATEMENT));
        }
        match self.text_of(&span) {
            "if" => self.conditional(),
            "none" => Err(ParseError::new(span, ParseErrorKind::NoneNotAlone)),
            word => match Control::named(word) {
                Some(control) => {
                    self.advance();
                    Ok((Statement::Control(control, span), true))
                }
                None => Ok((self.assignment(word)?, false)),
            },
        }
    }

    fn assignment(&mut self, name: &str) -> Result<Statement, ParseError> {
        let name_span = self.advance().span;
        let at_name = |kind| ParseError::new(name_span.clone(), kind);
        let owned = || name.to_owned();

        let constant = self.scope.constant(name).map(|_| names::A_CONSTANT);
        let function = self.scope.function(name).map(|_| names::A_FUNCTION);
        if let Some(what) = names::reserved(name).or(constant).or(function) {
            return Err(at_name(ParseErrorKind::Reserved { name: owned(), what }));
        }
        let target = match (self.scope.get(name), self.scope.temporaries()) {
            (Some(known), _) if !known.role.is_assignable() => {
                return Err(at_name(ParseErrorKind::NotAssignable { name: owned(), role: known.role }));
            }
            (Some(known), _) => Target::Declared(*known),
            (None, Some(slot)) if !names::is_qualified(name) => Target::Temporary { slot },
            (None, _) => return Err(at_name(self.unknown_name(name))),
        };

        self.expect_sign("=", "`=`")?;
        let operand = self.whole_expression()?;
        let kind = match target {
            Target::Declared(known) => Some(known.kind),
            Target::Temporary { .. } => self.temporaries.get(name).map(|temporary| temporary.kind),
        };
        if let Some(kind) = kind {
            operand.expect(kind.value_type())?;
        }
        let value_span = operand.span.clone();
        let value_type = operand.value_type;
        let value = self.take_expression(operand)?;
        if kind == Some(ValueKind::Integer) {
            expect_whole(&value).map_err(|kind| ParseError::new(value_span.clone(), kind))?;
        }
        let (target, kind) = match target {
            Target::Declared(known) => (known.symbol, known.kind),
            Target::Temporary { slot } => {
                let temporary = self.temporaries.assign(name, slot, value_type);
                (temporary.symbol, temporary.kind)
            }
        };
        Ok(Statement::Assign { name: owned(), target, kind, value, span: name_span.start..value_span.end })
    }

    /// Parses `if condition { .. }`, with any number of `else if` and an optional `else`.
    fn conditional(&mut self) -> Result<(Statement, bool), ParseError> {
        self.nested(1, |parser| {
            parser.advance();
            let operand = parser.typed_expression(Type::Condition)?;
            let condition = parser.take_expression(operand)?;
            let before = parser.temporaries.assigned();

            let then = parser.block()?;
            let after_then = parser.temporaries.assigned();
            parser.temporaries.set_assigned(before);
            let otherwise = if !parser.take_word("else") {
                Block { statements: Vec::new(), leaves: false }
            } else if parser.is_word("if") {
                let (statement, leaves) = parser.conditional()?;
                Block { statements: vec![statement], leaves }
            } else {
                parser.block()?
            };

            // A path that ends the action does not reach this point.
            let after_otherwise = parser.temporaries.assigned();
            let assigned = match (then.leaves, otherwise.leaves) {
                (true, _) => after_otherwise,
                (false, true) => after_then,
                (false, false) => on_both(&after_then, &after_otherwise),
            };
            parser.temporaries.set_assigned(assigned);
            let leaves = then.leaves && otherwise.leaves;
            let (then, otherwise) = (then.statements, otherwise.statements);
            Ok((Statement::If { condition, then, otherwise }, leaves))
        })
    }

    fn block(&mut self) -> Result<Block, ParseError> {
        self.skip_newlines();
        self.expect_sign("{", "an operator or `{`")?;
        let block = self.statements()?;
        self.expect_sign("}", "a statement or `}`")?;
        Ok(block)
    }
}

/// Rejects a constant that is not an integer. Other expressions are not checked.
fn expect_whole(value: &Expression) -> Result<(), ParseErrorKind> {
    match value.constant() {
        Some(value) if !value.is_finite() || value.fract() != 0.0 => {
            Err(ParseErrorKind::NotAnInteger { value })
        }
        _ => Ok(()),
    }
}
