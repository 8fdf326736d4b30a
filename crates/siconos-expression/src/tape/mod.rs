//! Tapes: expressions compiled for many evaluations.

mod allocation;
mod instruction;
mod selection;

use std::cell::RefCell;

use crate::expression::Expression;
use crate::graph::{Graph, Id, Value};
use crate::scope::Symbol;
use allocation::allocated;
use instruction::{Instruction, Registers, run};

/// The most registers that lie on the stack, and a number that is enough for small systems: setting up the
/// registers is what a small tape spends most of its time on. Their numbers need no check, see [`Registers`].
const SOME: usize = 32;
const FEW: usize = 8;
const _: () = assert!(FEW.is_power_of_two() && SOME.is_power_of_two() && FEW < SOME);

thread_local! {
    /// The registers of tapes that have many. They stay from one evaluation to the next.
    static REGISTERS: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

/// Expressions compiled to one list of instructions.
///
/// What several of them have in common is computed once, and what is constant when the tape is made. Sums
/// and products are neither reordered nor contracted: the result is, bit for bit, that of a Rust closure with
/// the operations as they are written. A power whose exponent is a whole number up to 16 is a product:
/// `x^(2 n)` is `x^n * x^n`, `x^(2 n + 1)` is `x^(2 n) * x`, and `x^-n` is `1 / x^n`.
///
/// ```
/// use siconos_expression::{Kind, Name, Role, Scope, Symbol, Tape, parse_number};
///
/// let mut scope = Scope::new();
/// for (index, name) in (0..).zip(["y", "y'"]) {
///     let symbol = Symbol { bank: 0, index };
///     scope.declare(name, Name { symbol, kind: Kind::Real, role: Role::State })?;
/// }
/// let mu = Name { symbol: Symbol { bank: 1, index: 0 }, kind: Kind::Real, role: Role::Parameter };
/// scope.declare("mu", mu)?;
///
/// // The oscillator of van der Pol.
/// let speed = parse_number("y'", &scope)?;
/// let acceleration = parse_number("mu * (1 - y^2) * y' - y", &scope)?;
/// let tape = Tape::compile(&[&speed, &acceleration]);
///
/// let mut rates = [0.0; 2];
/// tape.evaluate(&[&[2.0, 1.0], &[5.0]], &mut rates);
/// assert_eq!(rates, [1.0, -17.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tape {
    /// What lies in the first registers at the start.
    constants: Vec<f64>,
    /// The constants once more, among registers to start with where those lie on the stack.
    start: [f64; SOME],
    /// What is read into the registers behind them, from the first of these on.
    inputs: Vec<Symbol>,
    first_input: u32,
    instructions: Vec<Instruction>,
    outputs: Vec<Output>,
    registers: usize,
}

/// A result: from which register to which place.
#[derive(Clone, Copy, Debug)]
struct Output {
    register: u32,
    place: usize,
}

impl Tape {
    /// Compiles expressions, whose values will be in the order in which these are given.
    pub fn compile(expressions: &[&Expression]) -> Self {
        let mut graph = Graph::default();
        let outputs: Vec<_> = expressions.iter().map(|expression| graph.insert(expression)).collect();
        let places: Vec<_> = (0..outputs.len()).collect();
        Self::of_graph(&graph, &outputs, &places)
    }

    /// Compiles values of a graph; the places are where they are written to.
    pub(crate) fn of_graph(graph: &Graph, outputs: &[Id], places: &[usize]) -> Self {
        let (graph, outputs) = graph.lowered(outputs);
        let mut constants = Vec::new();
        let mut inputs = Vec::new();
        for (id, value) in graph.iter() {
            match value {
                Value::Number(bits) => constants.push((id, f64::from_bits(bits))),
                Value::Input(symbol) => inputs.push((symbol, id)),
                _ => {}
            }
        }
        // Symbols that lie beside each other are read one after another.
        inputs.sort_unstable();
        let given: Vec<Id> = constants.iter().map(|it| it.0).chain(inputs.iter().map(|it| it.1)).collect();
        let instructions = selection::instructions(&graph, &outputs);
        let allocation = allocated(graph.values().len(), &given, instructions, &outputs);

        let constants: Vec<f64> = constants.into_iter().map(|(_, number)| number).collect();
        let mut start = [0.0; SOME];
        for (register, constant) in start.iter_mut().zip(&constants) {
            *register = *constant;
        }
        let outputs = allocation.outputs.iter().zip(places);
        Self {
            // As there are no more values than 2^32, there are no more constants.
            first_input: constants.len() as u32,
            constants,
            start,
            inputs: inputs.into_iter().map(|(symbol, _)| symbol).collect(),
            instructions: allocation.instructions,
            outputs: outputs.map(|(register, place)| Output { register: *register, place: *place }).collect(),
            registers: allocation.count,
        }
    }

    /// How many values it computes.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// How many operations an evaluation takes; a product that is added to something counts with the sum as
    /// one.
    pub fn operations(&self) -> usize {
        self.instructions.len()
    }

    /// The distinct symbols that it reads, in their order.
    pub fn symbols(&self) -> &[Symbol] {
        &self.inputs
    }

    /// Evaluates all expressions. After the first evaluation on a thread, nothing is allocated.
    ///
    /// # Panics
    ///
    /// When a symbol lies outside the banks, or `out` is shorter than [`outputs`](Self::outputs).
    pub fn evaluate(&self, banks: &[&[f64]], out: &mut [f64]) {
        if self.registers <= FEW {
            let mut registers: [f64; FEW] = std::array::from_fn(|register| self.start[register]);
            self.run(&mut registers, banks, out);
        } else if self.registers <= SOME {
            let mut registers = self.start;
            self.run(&mut registers, banks, out);
        } else {
            REGISTERS.with_borrow_mut(|all| {
                if all.len() < self.registers {
                    all.resize(self.registers, 0.0);
                }
                let registers = &mut all[..self.registers];
                registers[..self.constants.len()].copy_from_slice(&self.constants);
                self.run(registers, banks, out);
            });
        }
    }

    /// Evaluates in registers that hold the constants.
    #[inline(always)]
    fn run<R: Registers + ?Sized>(&self, registers: &mut R, banks: &[&[f64]], out: &mut [f64]) {
        for (input, register) in self.inputs.iter().zip(self.first_input..) {
            registers.set(register, banks[input.bank as usize][input.index as usize]);
        }
        run(&self.instructions, registers);
        for output in &self.outputs {
            out[output.place] = registers.get(output.register);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tape;
    use crate::parse::parse_number;
    use crate::scope::{Kind, Name, Role, Scope, Symbol};

    fn registers(text: &str) -> usize {
        let mut scope = Scope::new();
        for (index, name) in (0..).zip(["x", "y"]) {
            let symbol = Symbol { bank: 0, index };
            scope.declare(name, Name { symbol, kind: Kind::Real, role: Role::State }).expect("a new name");
        }
        Tape::compile(&[&parse_number(text, &scope).expect(text)]).registers
    }

    #[test]
    fn registers_are_used_again() {
        let sum = (0..1000).map(|k| format!("sin(x^2 - y) * cos({k} / y)")).collect::<Vec<_>>().join(" + ");
        // The constants of all terms, and a few for everything else.
        assert!((1000..1010).contains(&registers(&sum)));
        assert_eq!(registers("sin(sin(sin(sin(x))))"), 1);
        assert_eq!(registers("x * y + x - y"), 2);
    }
}
