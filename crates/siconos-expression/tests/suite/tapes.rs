//! Tapes: bit-identical to the evaluation node by node, common subexpressions, registers, and allocation.

use proptest::prelude::*;
use siconos_expression::{
    Expression, Jacobian, Name, Role, Scope, Symbol, Tape, ValueKind, parse_expression, parse_number,
};

use crate::allocation::{CountingAllocator, count_allocations};
use crate::drawn::{Choices, choices, config, slots};
use crate::model::{Banks, assert_same, event_scope, scope, symbol};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn number(text: &str) -> Expression {
    parse_number(text, &scope()).expect(text)
}

fn evaluated(tape: &Tape, slots: &Banks) -> Vec<f64> {
    let mut out = vec![0.0; tape.outputs()];
    tape.evaluate(&slots.slices(), &mut out);
    out
}

/// Compares a tape for all texts with their separate evaluation.
fn compare(texts: &[String], slots: &Banks) {
    let scope = event_scope();
    let read: Vec<_> = texts.iter().map(|text| parse_expression(text, &scope).expect(text)).collect();
    let tape = Tape::compile(&read.iter().collect::<Vec<_>>());
    for ((value, expression), text) in evaluated(&tape, slots).into_iter().zip(&read).zip(texts) {
        assert_same(value, expression.evaluate(&slots.slices()), text);
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn a_tape_gives_the_bits_of_the_evaluation(mut choices in choices(), slots in slots()) {
        compare(&[choices.number(6, true), choices.condition(4, true), choices.number(3, true)], &slots);
    }

    #[test]
    fn many_registers_give_the_bits_of_few(mut choices in choices(), slots in slots()) {
        let values: Vec<_> = (0..40).map(|k| format!("(y + {k}) * z - {}", choices.number(2, true))).collect();
        compare(&values, &slots);
    }
}

#[test]
fn a_tape_gives_the_bits_of_a_closure() {
    let tape = Tape::compile(&[&number("y'"), &number("mu * (1 - y^2) * y' - y")]);
    let closure = |mu: f64, y: f64, speed: f64| [speed, mu * (1.0 - y * y) * speed - y];
    for k in 0..1000 {
        let [mu, y, speed] = [0.1, 0.7, -1.3].map(|factor| factor * f64::from(k) / 7.0);
        let mut slots = Banks::new();
        slots.set("mu", mu);
        slots.set("y", y);
        slots.set("y'", speed);
        assert_eq!(evaluated(&tape, &slots), closure(mu, y, speed));
    }
}

#[test]
fn sums_are_not_contracted() {
    // With one rounding instead of two, the difference would be the rounding error of the product.
    let tape = Tape::compile(&[&number("y * y - z"), &number("z - y * y"), &number("y * y + z")]);
    let mut slots = Banks::new();
    let y = 1.0 + f64::EPSILON;
    slots.set("y", y);
    slots.set("z", y * y);
    assert_eq!(evaluated(&tape, &slots), [0.0, 0.0, 2.0 * (y * y)]);
}

#[test]
fn what_is_common_is_computed_once() {
    let operations = |texts: &[&str]| {
        let read: Vec<_> = texts.iter().map(|text| number(text)).collect();
        Tape::compile(&read.iter().collect::<Vec<_>>()).operations()
    };
    assert_eq!(operations(&["y"]), 0);
    assert_eq!(operations(&["y + z"]), 1);
    assert_eq!(operations(&["sin(y) + sin(y)"]), 2);
    assert_eq!(operations(&["sin(y + z)", "cos(z + y)", "sin(z + y)"]), 3);
    assert_eq!(operations(&["y^2 + y * y"]), 2);
    assert_eq!(operations(&["y^4", "y^2", "y^8"]), 3);
    // The product is merged with the sum.
    assert_eq!(operations(&["y * z + k"]), 1);
    assert_eq!(operations(&["k - y * z"]), 1);
    assert_eq!(operations(&["mu * (1 - y^2) * y' - y"]), 3);
    // The product is used twice.
    assert_eq!(operations(&["y * z + k", "y * z"]), 2);
    // Constants are computed at compilation.
    assert_eq!(operations(&["y * (sin(1) + 2^0.5)"]), 1);
    assert_eq!(operations(&["if 1 < 2 then y else sin(z)"]), 0);
    assert_eq!(operations(&["if on then y + z else z + y"]), 1);
    // Terms are not reordered: these sums round differently.
    assert_eq!(operations(&["y + z + k", "k + z + y"]), 4);
}

#[test]
fn a_tape_knows_what_it_reads() {
    let tape = Tape::compile(&[&number("z + k"), &number("y * z - t")]);
    assert_eq!(tape.symbols(), ["t", "y", "z", "k"].map(symbol));
    assert_eq!(tape.outputs(), 2);
    let empty = Tape::compile(&[]);
    assert_eq!((empty.outputs(), empty.symbols().len()), (0, 0));
    empty.evaluate(&[], &mut []);
    let constants = Tape::compile(&[&number("1"), &number("2"), &number("1")]);
    assert_eq!(evaluated(&constants, &Banks::new()), [1.0, 2.0, 1.0]);
}

#[test]
fn a_steady_state_allocates_nothing() {
    let few = Tape::compile(&[&number("mu * (1 - y^2) * y' - y")]);
    let texts: Vec<_> = (0..100).map(|k| number(&format!("sin(y + {k})"))).collect();
    let many = Tape::compile(&texts.iter().collect::<Vec<_>>());
    let jacobian = Jacobian::compile(&texts.iter().collect::<Vec<_>>(), &[symbol("y"), symbol("z")]);
    let values = Banks::new();
    let slots = values.slices();
    let mut out = [0.0; 200];
    let mut evaluate = || {
        few.evaluate(&slots, &mut out);
        many.evaluate(&slots, &mut out);
        jacobian.evaluate(&slots, &mut out);
    };
    evaluate();
    assert_eq!(count_allocations(evaluate), 0);
}

/// Returns a sum of `terms` terms, with operators that do not nest.
fn long_sum(terms: usize) -> String {
    let term = |k| match k % 4 {
        0 => format!("{k} * y"),
        1 => "sin(z)".to_owned(),
        2 => format!("z / {k}"),
        _ => "y^2".to_owned(),
    };
    (0..terms).map(term).collect::<Vec<_>>().join(" + ")
}

#[test]
fn long_sums_need_no_stack() {
    let text = long_sum(100_000);
    // A thread with a small stack detects recursion.
    let work = move || {
        let sum = number(&text);
        let slots = Banks::new();
        let expected = sum.evaluate(&slots.slices());
        assert_eq!(evaluated(&Tape::compile(&[&sum]), &slots), [expected]);
        assert_eq!(number(&sum.to_string()), sum);

        let jacobian = Jacobian::compile(&[&sum], &[symbol("y"), symbol("z")]);
        let mut row = [0.0; 2];
        jacobian.evaluate(&slots.slices(), &mut row);
        let (y, z) = (0.5_f64, 3.5_f64);
        let terms = (0..100_000_u32).step_by(4).map(f64::from);
        let by_y = terms.clone().map(|k| k + 2.0 * y).sum::<f64>();
        let by_z = terms.map(|k| z.cos() + 1.0 / (k + 2.0)).sum::<f64>();
        // Each of 1e5 additions rounds a partial sum that is not larger than the result.
        assert!((row[0] - by_y).abs() <= 1e5 * f64::EPSILON * by_y.abs(), "{} {by_y}", row[0]);
        let size = 25_000.0 * (1.0 + z.cos().abs());
        assert!((row[1] - by_z).abs() <= 1e5 * f64::EPSILON * size, "{} {by_z}", row[1]);
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn long_sums_in_many_variables_take_no_square_of_their_length() {
    let mut scope = Scope::new();
    let mut variables = Vec::new();
    let mut text = "0".to_owned();
    for index in 0..20_000 {
        let symbol = Symbol { slot: 0, index };
        let name = Name { symbol, kind: ValueKind::Real, role: Role::State };
        scope.declare(&format!("x{index}"), name).expect("a new name");
        variables.push(symbol);
        text += &format!(" + 2 * x{index}");
    }
    let sum = parse_number(&text, &scope).expect("a sum");
    let jacobian = Jacobian::compile(&[&sum], &variables);
    let mut row = vec![0.0; variables.len()];
    jacobian.evaluate(&[&row.clone()], &mut row);
    assert!(row.iter().all(|derivative| *derivative == 2.0));
}

#[test]
fn choices_without_end_are_leaves() {
    assert_eq!(Choices::new(vec![]).condition(3, true), "on");
}
