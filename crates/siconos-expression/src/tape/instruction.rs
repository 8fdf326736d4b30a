//! Instructions of a tape, and their execution.

use crate::expression::{Binary, Unary, is_true};

/// Operation of an instruction. Its operands are the registers a, b and c, and `last`, the result of the
/// previous instruction. `last` avoids the delay of reading a register that was just written: without it,
/// long sums take almost twice as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// a + b
    Add,
    /// a - b
    Subtract,
    /// a b
    Multiply,
    /// a / b
    Divide,
    /// a b + c, rounded twice, as written.
    MultiplyAdd,
    /// a b - c, rounded twice.
    MultiplySubtract,
    /// c - a b, rounded twice.
    SubtractProduct,
    /// last + b
    AddToLast,
    /// last - b
    SubtractFromLast,
    /// a - last
    SubtractLast,
    /// last b
    MultiplyLast,
    /// last / b
    DivideLast,
    /// a / last
    DivideByLast,
    /// a b + last
    AddProductToLast,
    /// a b - last
    SubtractLastFromProduct,
    /// last - a b
    SubtractProductFromLast,
    /// last b + c
    MultiplyLastAdd,
    /// last b - c
    MultiplyLastSubtract,
    /// c - last b
    SubtractMultipleOfLast,
    /// b if a is true, otherwise c.
    Select,
    /// Function of a.
    Unary(Unary),
    /// Function of a and b.
    Binary(Binary),
}

/// One instruction. If the operation has fewer than three operands, each unused operand is a copy of a used
/// operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) code: Code,
    pub(super) to: u32,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) c: u32,
}

/// Registers of a tape during an evaluation.
pub(super) trait Registers {
    fn get(&self, register: u32) -> f64;
    fn set(&mut self, register: u32, value: f64);
}

/// Registers on the stack. All register indices of the tape are less than `COUNT`, so the remainder by
/// `COUNT` does not change them. The remainder makes the bounds check unnecessary, and is a bit mask if
/// `COUNT` is a power of two.
impl<const COUNT: usize> Registers for [f64; COUNT] {
    #[inline(always)]
    fn get(&self, register: u32) -> f64 {
        self[register as usize % COUNT]
    }

    #[inline(always)]
    fn set(&mut self, register: u32, value: f64) {
        self[register as usize % COUNT] = value;
    }
}

impl Registers for [f64] {
    #[inline(always)]
    fn get(&self, register: u32) -> f64 {
        self[register as usize]
    }

    #[inline(always)]
    fn set(&mut self, register: u32, value: f64) {
        self[register as usize] = value;
    }
}

#[inline(always)]
pub(super) fn run<R: Registers + ?Sized>(instructions: &[Instruction], registers: &mut R) {
    let mut last = 0.0;
    for instruction in instructions {
        let a = registers.get(instruction.a);
        let b = registers.get(instruction.b);
        let value = match instruction.code {
            Code::Add => a + b,
            Code::Subtract => a - b,
            Code::Multiply => a * b,
            Code::Divide => a / b,
            Code::MultiplyAdd => a * b + registers.get(instruction.c),
            Code::MultiplySubtract => a * b - registers.get(instruction.c),
            Code::SubtractProduct => registers.get(instruction.c) - a * b,
            Code::AddToLast => last + b,
            Code::SubtractFromLast => last - b,
            Code::SubtractLast => a - last,
            Code::MultiplyLast => last * b,
            Code::DivideLast => last / b,
            Code::DivideByLast => a / last,
            Code::AddProductToLast => a * b + last,
            Code::SubtractLastFromProduct => a * b - last,
            Code::SubtractProductFromLast => last - a * b,
            Code::MultiplyLastAdd => last * b + registers.get(instruction.c),
            Code::MultiplyLastSubtract => last * b - registers.get(instruction.c),
            Code::SubtractMultipleOfLast => registers.get(instruction.c) - last * b,
            Code::Select => {
                if is_true(a) {
                    b
                } else {
                    registers.get(instruction.c)
                }
            }
            Code::Unary(unary) => unary.apply(a),
            Code::Binary(binary) => binary.apply(a, b),
        };
        registers.set(instruction.to, value);
        last = value;
    }
}
