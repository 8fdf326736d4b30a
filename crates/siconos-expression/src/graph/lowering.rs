//! Reduction of a graph to the values that the outputs need. Powers are expanded to products.

use super::{Graph, Id, Value};
use crate::expression::Binary;

impl Graph {
    /// Returns the reduced graph, and the ids of the outputs in it. The reduced graph contains only the
    /// values that the outputs need, and products instead of powers.
    pub(crate) fn lowered(&self, outputs: &[Id]) -> (Self, Vec<Id>) {
        let needed = self.needed(outputs);
        let mut lowered = Self::default();
        // Id of each value in the reduced graph; `None` if the value is not needed. If a value is needed, all
        // its operands are needed.
        let mut places: Vec<Option<Id>> = Vec::with_capacity(self.values.len());
        for (value, is_needed) in self.values.iter().zip(needed) {
            places.push(is_needed.then(|| lowered.lower(*value, &places)).flatten());
        }
        let outputs = outputs.iter().filter_map(|output| places[output.index()]).collect();
        (lowered, outputs)
    }

    fn needed(&self, outputs: &[Id]) -> Vec<bool> {
        let mut needed = vec![false; self.values.len()];
        for output in outputs {
            needed[output.index()] = true;
        }
        for place in (0..self.values.len()).rev() {
            if needed[place] {
                for operand in self.values[place].operands() {
                    needed[operand.index()] = true;
                }
            }
        }
        needed
    }

    /// Adds a value of another graph. `places` maps the ids of that graph to ids of this graph. The operands
    /// of the value must already have been added.
    fn lower(&mut self, value: Value, places: &[Option<Id>]) -> Option<Id> {
        let place = |id: Id| places[id.index()];
        Some(match value {
            Value::Number(_) | Value::Input(_) => self.id(value),
            Value::Unary(unary, a) => self.unary(unary, place(a)?),
            Value::Binary(binary, a, b) => self.binary(binary, place(a)?, place(b)?),
            Value::Select(condition, then, otherwise) => {
                self.select(place(condition)?, place(then)?, place(otherwise)?)
            }
            Value::Power(base, exponent) => {
                let product = self.product(place(base)?, exponent.unsigned_abs());
                if exponent < 0 {
                    let one = self.number(1.0);
                    self.binary(Binary::Divide, one, product)
                } else {
                    product
                }
            }
        })
    }

    /// Adds the product that [`Binary::Power`] computes for an exponent of at least 1.
    fn product(&mut self, base: Id, exponent: u32) -> Id {
        let bits = u32::BITS - exponent.leading_zeros();
        (0..bits.saturating_sub(1)).rev().fold(base, |power, bit| {
            let square = self.binary(Binary::Multiply, power, power);
            if exponent >> bit & 1 == 1 { self.binary(Binary::Multiply, square, base) } else { square }
        })
    }
}
