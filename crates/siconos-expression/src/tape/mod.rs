//! Tapes: lists of instructions to which expressions are compiled for repeated evaluation.

mod allocation;
mod instruction;
mod selection;

use std::cell::RefCell;

use crate::expression::{Binary, Expression};
use crate::graph::{Graph, Id, Value};
use crate::symbol::Symbol;
use allocation::allocated;
use instruction::{Instruction, Registers, run};

/// Maximum number of registers on the stack. They need no bounds check, see [`Registers`].
const SOME: usize = 32;
/// Maximum number of registers of a small tape. Small tapes use fewer registers on the stack, because the
/// initialisation of the registers takes most of their time.
const FEW: usize = 8;
const _: () = assert!(FEW.is_power_of_two() && SOME.is_power_of_two() && FEW < SOME);

thread_local! {
    /// Registers of tapes that need more registers than the stack provides. Each evaluation on a thread
    /// reuses the memory of the previous one.
    static REGISTERS: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

/// Expressions compiled to one list of instructions.
///
/// Common subexpressions are computed once, and constants are computed during compilation. Sums and products
/// are neither reordered nor contracted, so the result is bit-identical to the result of a Rust closure with
/// the same operations. A power whose exponent is an integer of magnitude at most 16 is computed as a
/// product: `x^(2 n)` is `x^n * x^n`, `x^(2 n + 1)` is `x^(2 n) * x`, and `x^-n` is `1 / x^n`.
///
/// ```
/// use siconos_expression::{ValueKind, Name, Role, Scope, Symbol, Tape, parse_number};
///
/// let mut scope = Scope::new();
/// for (index, name) in (0..).zip(["y", "y'"]) {
///     let symbol = Symbol { slot: 0, index };
///     scope.declare(name, Name { symbol, kind: ValueKind::Real, role: Role::State })?;
/// }
/// let mu = Name { symbol: Symbol { slot: 1, index: 0 }, kind: ValueKind::Real, role: Role::Parameter };
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
    /// Initial values of the first registers, which are the constants.
    constants: Vec<f64>,
    /// Initial values of all registers on the stack, starting with the constants.
    start: [f64; SOME],
    /// Symbols that are loaded into consecutive registers, starting at register `first_input`.
    inputs: Vec<Symbol>,
    first_input: u32,
    instructions: Vec<Instruction>,
    outputs: Vec<Output>,
    registers: usize,
}

/// Rate of change of a variable; see [`Tape::compile_along`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// The rate is the value of this symbol.
    Symbol(Symbol),
    /// The rate is this constant, for example 1 for the time.
    Number(f64),
    /// The rate is a multiple of the value of a symbol. For example, if an angle changes at the rate 1, the
    /// rate of its sine is its cosine.
    Multiple(f64, Symbol),
    /// The rate is a multiple of the product of two symbols, for example of an angular velocity and a cosine.
    Product(f64, [Symbol; 2]),
}

impl Rate {
    fn id(self, graph: &mut Graph) -> Id {
        match self {
            Self::Symbol(symbol) => graph.input(symbol),
            Self::Number(number) => graph.number(number),
            Self::Multiple(factor, symbol) => {
                let (factor, symbol) = (graph.number(factor), graph.input(symbol));
                graph.binary(Binary::Multiply, factor, symbol)
            }
            Self::Product(factor, symbols) => {
                let [a, b] = symbols.map(|symbol| graph.input(symbol));
                let (factor, product) = (graph.number(factor), graph.binary(Binary::Multiply, a, b));
                graph.binary(Binary::Multiply, factor, product)
            }
        }
    }
}

/// Output of a tape: its register, and its index in the output slice.
#[derive(Clone, Copy, Debug)]
struct Output {
    register: u32,
    place: usize,
}

impl Tape {
    /// Compiles expressions. The outputs of the tape have the order of the expressions.
    pub fn compile(expressions: &[&Expression]) -> Self {
        let mut graph = Graph::default();
        let outputs: Vec<_> = expressions.iter().map(|expression| graph.insert(expression)).collect();
        let places: Vec<_> = (0..outputs.len()).collect();
        Self::of_graph(&graph, &outputs, &places)
    }

    /// Compiles the derivatives of a given order of expressions f along a motion in which each variable x_j
    /// changes at a rate r_j.
    ///
    /// $$ \frac{d}{dt} f = \sum_j \frac{\partial f}{\partial x_j} r_j, \qquad
    ///    \frac{d^2}{dt^2} f = \sum_{j, k} \frac{\partial^2 f}{\partial x_j \partial x_k} r_j r_k $$
    ///
    /// As plain text: order 0 gives f, and order 1 gives J r, where J is the Jacobian. For constant rates,
    /// order 2 gives the sum over j and k of r_j r_k times the second derivative with respect to x_j and x_k.
    /// For example, let f be a constraint, and let the variables be the positions, with the velocities v as
    /// rates, and the time, with rate 1. Then order 2 gives the second time derivative of f during a motion
    /// without acceleration. It is d/dt(J) v if f does not depend on time.
    ///
    /// A symbol that is not listed as a variable is constant, even if it is the rate of a variable. If the
    /// symbol of a rate is also listed as a variable, its own rate is taken into account: if q has the rate v
    /// and v has the rate a, order 2 contains the term J a. If a variable is listed with several rates, the
    /// last rate is used. At kinks, the derivative of the selected branch is used, as in a
    /// [`Jacobian`](crate::Jacobian). Each order makes the tape a few times longer.
    ///
    /// ```
    /// use siconos_expression::{ValueKind, Name, Rate, Role, Scope, Symbol, Tape, parse_number};
    ///
    /// let mut scope = Scope::new();
    /// let [q, v] = [0, 1].map(|index| Symbol { slot: 0, index });
    /// scope.declare("q", Name { symbol: q, kind: ValueKind::Real, role: Role::State })?;
    ///
    /// // The height of a pendulum, its velocity, and its acceleration at a constant angular velocity.
    /// let height = parse_number("2 * (1 - cos(q))", &scope)?;
    /// let along = |order| Tape::compile_along(&[&height], &[(q, Rate::Symbol(v))], order);
    /// let mut out = [0.0; 3];
    /// for (order, out) in (0..).zip(out.chunks_mut(1)) {
    ///     along(order).evaluate(&[&[0.0, 3.0]], out);
    /// }
    /// assert_eq!(out, [0.0, 0.0, 2.0 * 3.0 * 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile_along(expressions: &[&Expression], rates: &[(Symbol, Rate)], order: usize) -> Self {
        let mut graph = Graph::default();
        let mut outputs: Vec<_> = expressions.iter().map(|expression| graph.insert(expression)).collect();
        let rates: Vec<_> = rates.iter().map(|(variable, rate)| (*variable, rate.id(&mut graph))).collect();
        for _ in 0..order {
            outputs = graph.derivatives_along(&outputs, &rates);
        }
        let places: Vec<_> = (0..outputs.len()).collect();
        Self::of_graph(&graph, &outputs, &places)
    }

    /// Compiles the derivatives of expressions along several directions. Each direction is given by the rates
    /// of the variables, as in [`compile_along`](Self::compile_along) with order 1. The outputs are in
    /// row-major order, with one row per expression and one column per direction. If the directions are the
    /// coordinate directions, the outputs form the dense Jacobian matrix.
    ///
    /// ```
    /// use siconos_expression::{ValueKind, Name, Rate, Role, Scope, Symbol, Tape, parse_number};
    ///
    /// // Height of the tip (x, y) of a clock hand above the ground.
    /// let mut scope = Scope::new();
    /// let [x, y] = [0, 1].map(|index| Symbol { slot: 0, index });
    /// for (name, symbol) in [("x", x), ("y", y)] {
    ///     scope.declare(name, Name { symbol, kind: ValueKind::Real, role: Role::State })?;
    /// }
    /// let height = parse_number("3 + y", &scope)?;
    /// let turn = vec![(x, Rate::Multiple(-1.0, y)), (y, Rate::Multiple(1.0, x))];
    /// let mut by_angle = [0.0];
    /// Tape::compile_directions(&[&height], &[turn]).evaluate(&[&[0.6, 0.8]], &mut by_angle);
    /// assert_eq!(by_angle, [0.6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile_directions(expressions: &[&Expression], motions: &[Vec<(Symbol, Rate)>]) -> Self {
        let mut graph = Graph::default();
        let values: Vec<_> = expressions.iter().map(|expression| graph.insert(expression)).collect();
        let (mut outputs, mut places) = (Vec::new(), Vec::new());
        for (column, motion) in motions.iter().enumerate() {
            let rates: Vec<_> = motion.iter().map(|(own, rate)| (*own, rate.id(&mut graph))).collect();
            outputs.extend(graph.derivatives_along(&values, &rates));
            places.extend((0..values.len()).map(|row| row * motions.len() + column));
        }
        Self::of_graph(&graph, &outputs, &places)
    }

    /// Compiles values of a graph. `places` contains the index of each value in the output slice.
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
        // Sorted, so that symbols that are adjacent in memory are read in sequence.
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
            // A graph has at most 2^32 values, so there are at most 2^32 constants.
            first_input: constants.len() as u32,
            constants,
            start,
            inputs: inputs.into_iter().map(|(symbol, _)| symbol).collect(),
            instructions: allocation.instructions,
            outputs: outputs.map(|(register, place)| Output { register: *register, place: *place }).collect(),
            registers: allocation.count,
        }
    }

    /// Returns the number of outputs of the tape.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Returns the number of operations of an evaluation. A multiplication that is merged with an addition or
    /// subtraction counts as one operation.
    pub fn operations(&self) -> usize {
        self.instructions.len()
    }

    /// Returns the distinct symbols that the tape reads, in ascending order.
    pub fn symbols(&self) -> &[Symbol] {
        &self.inputs
    }

    /// Evaluates all expressions. Only the first evaluation on a thread allocates memory.
    ///
    /// # Panics
    ///
    /// If a symbol is outside `slots`, or if `out` is shorter than [`outputs`](Self::outputs).
    pub fn evaluate(&self, slots: &[&[f64]], out: &mut [f64]) {
        if self.registers <= FEW {
            let mut registers: [f64; FEW] = std::array::from_fn(|register| self.start[register]);
            self.run(&mut registers, slots, out);
        } else if self.registers <= SOME {
            let mut registers = self.start;
            self.run(&mut registers, slots, out);
        } else {
            REGISTERS.with_borrow_mut(|all| {
                if all.len() < self.registers {
                    all.resize(self.registers, 0.0);
                }
                let registers = &mut all[..self.registers];
                registers[..self.constants.len()].copy_from_slice(&self.constants);
                self.run(registers, slots, out);
            });
        }
    }

    /// Executes all instructions. On entry, the first registers must contain the constants.
    #[inline(always)]
    fn run<R: Registers + ?Sized>(&self, registers: &mut R, slots: &[&[f64]], out: &mut [f64]) {
        for (input, register) in self.inputs.iter().zip(self.first_input..) {
            registers.set(register, slots[input.slot as usize][input.index as usize]);
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
    use crate::scope::Scope;
    use crate::symbol::{Name, Role, Symbol, ValueKind};

    fn registers(text: &str) -> usize {
        let mut scope = Scope::new();
        for (index, name) in (0..).zip(["x", "y"]) {
            let symbol = Symbol { slot: 0, index };
            scope
                .declare(name, Name { symbol, kind: ValueKind::Real, role: Role::State })
                .expect("a new name");
        }
        Tape::compile(&[&parse_number(text, &scope).expect(text)]).registers
    }

    #[test]
    fn registers_are_used_again() {
        let sum = (0..1000).map(|k| format!("sin(x^2 - y) * cos({k} / y)")).collect::<Vec<_>>().join(" + ");
        // The constants of all terms, and a few additional registers.
        assert!((1000..1010).contains(&registers(&sum)));
        assert_eq!(registers("sin(sin(sin(sin(x))))"), 1);
        assert_eq!(registers("x * y + x - y"), 2);
    }
}
