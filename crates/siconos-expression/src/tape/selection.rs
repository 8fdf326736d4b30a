//! Selection of instructions. A product that is used only in one sum is merged with the sum.

use super::instruction::{Code, Instruction};
use crate::expression::Binary;
use crate::graph::{Graph, Id, Value};

/// Returns the instructions of a graph without powers, in the order of its values. The register of each value
/// is the index of the value in the graph.
pub(super) fn instructions(graph: &Graph, outputs: &[Id]) -> Vec<Instruction> {
    let uses = graph.uses(outputs);
    // Factors of a product that is used only once.
    let factors = |id: Id| match graph.value(id) {
        Value::Binary(Binary::Multiply, a, b) if uses[id.index()] == 1 => Some((a, b)),
        _ => None,
    };
    let selected: Vec<_> = graph.iter().map(|(id, value)| (id, selected(value, factors))).collect();
    let mut is_inside = vec![false; selected.len()];
    for product in selected.iter().filter_map(|(_, selected)| selected.as_ref()?.inside) {
        is_inside[product.index()] = true;
    }
    let instruction = |(id, selected): (Id, Option<Selected>)| {
        let Selected { code, operands: [a, b, c], .. } = selected.filter(|_| !is_inside[id.index()])?;
        Some(Instruction { code, to: id.number(), a: a.number(), b: b.number(), c: c.number() })
    };
    let mut instructions: Vec<_> = selected.into_iter().filter_map(instruction).collect();
    for place in 1..instructions.len() {
        let last = instructions[place - 1].to;
        instructions[place] = with_last(instructions[place], last);
    }
    instructions
}

/// Replaces an operand that is the result of the previous instruction by `last`, to avoid a register read.
fn with_last(instruction: Instruction, last: u32) -> Instruction {
    let Instruction { code, a, b, c, .. } = instruction;
    // Sums and products do not change if their operands are exchanged.
    let exchanged = Instruction { a: b, b: a, ..instruction };
    let is_last = |operand| operand == last;
    let (code, instruction) = match code {
        Code::Add if is_last(a) => (Code::AddToLast, instruction),
        Code::Add if is_last(b) => (Code::AddToLast, exchanged),
        Code::Subtract if is_last(a) => (Code::SubtractFromLast, instruction),
        Code::Subtract if is_last(b) => (Code::SubtractLast, instruction),
        Code::Multiply if is_last(a) => (Code::MultiplyLast, instruction),
        Code::Multiply if is_last(b) => (Code::MultiplyLast, exchanged),
        Code::Divide if is_last(a) => (Code::DivideLast, instruction),
        Code::Divide if is_last(b) => (Code::DivideByLast, instruction),
        Code::MultiplyAdd if is_last(c) => (Code::AddProductToLast, instruction),
        Code::MultiplyAdd if is_last(a) => (Code::MultiplyLastAdd, instruction),
        Code::MultiplyAdd if is_last(b) => (Code::MultiplyLastAdd, exchanged),
        Code::MultiplySubtract if is_last(c) => (Code::SubtractLastFromProduct, instruction),
        Code::MultiplySubtract if is_last(a) => (Code::MultiplyLastSubtract, instruction),
        Code::MultiplySubtract if is_last(b) => (Code::MultiplyLastSubtract, exchanged),
        Code::SubtractProduct if is_last(c) => (Code::SubtractProductFromLast, instruction),
        Code::SubtractProduct if is_last(a) => (Code::SubtractMultipleOfLast, instruction),
        Code::SubtractProduct if is_last(b) => (Code::SubtractMultipleOfLast, exchanged),
        _ => (code, instruction),
    };
    Instruction { code, ..instruction }
}

/// Instruction that computes a value.
struct Selected {
    code: Code,
    operands: [Id; 3],
    /// Product that is merged into the instruction.
    inside: Option<Id>,
}

fn selected(value: Value, factors: impl Fn(Id) -> Option<(Id, Id)>) -> Option<Selected> {
    let fused = |code, product: Id, c: Id| {
        let (a, b) = factors(product)?;
        Some(Selected { code, operands: [a, b, c], inside: Some(product) })
    };
    let plain = |code, operands| Some(Selected { code, operands, inside: None });
    match value {
        Value::Number(_) | Value::Input(_) | Value::Power(..) => None,
        Value::Unary(unary, a) => plain(Code::Unary(unary), [a, a, a]),
        Value::Select(a, b, c) => plain(Code::Select, [a, b, c]),
        Value::Binary(Binary::Add, a, b) => fused(Code::MultiplyAdd, b, a)
            .or_else(|| fused(Code::MultiplyAdd, a, b))
            .or_else(|| plain(Code::Add, [a, b, b])),
        Value::Binary(Binary::Subtract, a, b) => fused(Code::SubtractProduct, b, a)
            .or_else(|| fused(Code::MultiplySubtract, a, b))
            .or_else(|| plain(Code::Subtract, [a, b, b])),
        Value::Binary(Binary::Multiply, a, b) => plain(Code::Multiply, [a, b, b]),
        Value::Binary(Binary::Divide, a, b) => plain(Code::Divide, [a, b, b]),
        Value::Binary(binary, a, b) => plain(Code::Binary(binary), [a, b, b]),
    }
}
