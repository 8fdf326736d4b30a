//! Parser for functions that compare values with the values before an event. These functions are replaced by
//! operations that read previous values.

use std::ops::Range;

use super::parser::{Operand, Parser};
use crate::error::{ParseError, ParseErrorKind};
use crate::expression::{Binary, Node, Operation, Unary};
use crate::symbol::Type;

impl Parser<'_> {
    /// Parses the argument of a function of previous values, and adds the equivalent nodes.
    pub(super) fn event_call(&mut self, name: &str, span: Range<usize>) -> Result<Operand, ParseError> {
        if !self.scope.has_previous() {
            let kind = ParseErrorKind::OutsideEvents { function: name.to_owned() };
            return Err(ParseError::new(span, kind));
        }
        let ([argument], span) = self.arguments(name, span)?;
        let first_node = argument.first_node;
        // The nodes of the argument are copied, and at most two nodes are added: `not` and the comparison.
        self.make_room(self.nodes.len() - first_node + 2, &span)?;
        let now = self.nodes.split_off(first_node);
        let before = self.previous(&now)?;

        let of_numbers = argument.value_type == Type::Number;
        match name {
            "pre" => self.nodes.extend(before),
            "change" => self.extend_with(now, before, Binary::NotEqual, &span),
            "falling_edge" if of_numbers => self.extend_with(now, before, Binary::Less, &span),
            "falling_edge" => self.extend_with(negated(now, &span), before, Binary::And, &span),
            _ if of_numbers => self.extend_with(before, now, Binary::Less, &span),
            _ => self.extend_with(negated(before, &span), now, Binary::And, &span),
        }
        let value_type = if name == "pre" { argument.value_type } else { Type::Condition };
        Ok(Operand { value_type, span, first_node })
    }

    fn extend_with(&mut self, left: Vec<Node>, right: Vec<Node>, operator: Binary, span: &Range<usize>) {
        self.nodes.extend(left);
        self.nodes.extend(right);
        self.push(Operation::Binary(operator), Type::Condition, span);
    }

    /// Returns copies of the nodes that read the previous values of all variables.
    fn previous(&mut self, nodes: &[Node]) -> Result<Vec<Node>, ParseError> {
        nodes.iter().map(|node| self.previous_node(node)).collect()
    }

    fn previous_node(&mut self, node: &Node) -> Result<Node, ParseError> {
        let Operation::Read(place) = node.operation else { return Ok(node.clone()) };
        let variable = self.variable(place).clone();
        if variable.is_previous {
            return Err(ParseError::new(node.span.clone(), ParseErrorKind::NestedPrevious));
        }
        let name = variable.name;
        let known = self.scope.get(&name);
        match known.and_then(|_| self.scope.previous(variable.symbol)) {
            Some(symbol) => Ok(Node { operation: self.read(&name, symbol, true), ..node.clone() }),
            None => {
                let what = known.map_or("a temporary", |known| known.role.words());
                Err(ParseError::new(node.span.clone(), ParseErrorKind::NoPrevious { name, what }))
            }
        }
    }
}

fn negated(mut nodes: Vec<Node>, span: &Range<usize>) -> Vec<Node> {
    nodes.push(Node {
        operation: Operation::Unary(Unary::Not),
        value_type: Type::Condition,
        span: span.clone(),
    });
    nodes
}
