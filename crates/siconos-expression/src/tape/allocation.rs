//! Registers: a value that is needed no more leaves its register to the next.

use super::instruction::Instruction;
use crate::graph::Id;

/// Registers in place of the values that they hold.
pub(super) struct Allocation {
    pub(super) instructions: Vec<Instruction>,
    /// The registers of the outputs.
    pub(super) outputs: Vec<u32>,
    /// How many registers there are.
    pub(super) count: usize,
}

/// Gives registers to values. Those of `given`, the constants and inputs, get the first ones in their order.
pub(super) fn allocated(
    values: usize,
    given: &[Id],
    instructions: Vec<Instruction>,
    outputs: &[Id],
) -> Allocation {
    // Behind the last instruction come the outputs.
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
