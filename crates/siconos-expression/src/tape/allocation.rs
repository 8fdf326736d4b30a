//! Allocation of registers: the register of a value is reused after the last use of the value.

use super::instruction::Instruction;
use crate::graph::Id;

/// Instructions and outputs in which values are replaced by registers.
pub(super) struct Allocation {
    pub(super) instructions: Vec<Instruction>,
    /// Registers of the outputs.
    pub(super) outputs: Vec<u32>,
    /// Number of registers.
    pub(super) count: usize,
}

/// Assigns registers to values. The values in `given` (the constants and inputs) get the first registers, in
/// this order.
pub(super) fn allocated(
    values: usize,
    given: &[Id],
    instructions: Vec<Instruction>,
    outputs: &[Id],
) -> Allocation {
    // The outputs are read after the last instruction.
    let mut last_use = vec![0; values];
    for (place, instruction) in instructions.iter().enumerate() {
        for value in [instruction.a, instruction.b, instruction.c] {
            last_use[value as usize] = place;
        }
    }
    for output in outputs {
        last_use[output.index()] = instructions.len();
    }

    let mut register = vec![0_u32; values];
    let mut next = 0_u32;
    for id in given {
        register[id.index()] = next;
        next += 1;
    }
    let mut free = Vec::new();
    let instructions: Vec<_> = instructions
        .into_iter()
        .enumerate()
        .map(|(place, instruction)| {
            let [a, b, c] =
                [instruction.a, instruction.b, instruction.c].map(|value| register[value as usize]);
            let mut dying = [instruction.a, instruction.b, instruction.c];
            dying.sort_unstable();
            for (k, value) in dying.iter().enumerate() {
                if last_use[*value as usize] == place && !dying[..k].contains(value) {
                    free.push(register[*value as usize]);
                }
            }
            let to = free.pop().unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            register[instruction.to as usize] = to;
            Instruction { to, a, b, c, ..instruction }
        })
        .collect();

    let outputs = outputs.iter().map(|output| register[output.index()]).collect();
    Allocation { instructions, outputs, count: next as usize }
}
