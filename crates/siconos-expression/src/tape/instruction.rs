//! The instructions of a tape, and the loop that carries them out.

use crate::expression::{Binary, Unary, is_true};

/// What an instruction does with the registers that it names, and with the value of the instruction before,
/// `last`. That value is at hand, whereas a register that has just been written has to be waited for: long
/// sums take little more than half the time.
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
    /// a b + c, rounded twice, as it is written.
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
    /// b where a is true, else c.
    Select,
    /// Of a.
    Unary(Unary),
    /// Of a and b.
    Binary(Binary),
}

/// One operation; registers that it does not need repeat others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) code: Code,
    pub(super) to: u32,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) c: u32,
}

/// What keeps the values of a tape while it runs.
pub(super) trait Registers {
    fn get(&self, register: u32) -> f64;
    fn set(&mut self, register: u32, value: f64);
}

/// Registers on the stack. A tape for so many has smaller numbers alone, which a remainder leaves as they
/// are; with a power of two that is a mask, and spares the check.
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
