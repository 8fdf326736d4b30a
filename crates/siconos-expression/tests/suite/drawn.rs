//! Random expressions, and random values for their variables.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::model::Banks;

const FUNCTIONS: [&str; 24] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp",
    "ln", "log2", "log10", "sqrt", "cbrt", "abs", "sign", "floor", "ceil", "round", "-",
];
const PAIRS: [&str; 5] = ["atan2", "hypot", "min", "max", "mod"];
const OPERATORS: [&str; 5] = ["+", "-", "*", "/", "%"];
const NUMBERS: [&str; 10] = ["0", "1", "2", "0.5", "1e-3", "7.25", "pi", "16", "3", "123456.789"];
const NAMES: [&str; 6] = ["y", "z", "y'", "k", "count", "level"];
const FLAGS: [&str; 4] = ["on", "open", "true", "false"];

/// Returns a configuration with `cases` cases and a fixed seed, so that a test fails only if the code has
/// changed.
///
/// For a longer search, `PROPTEST_CASES` and `PROPTEST_RNG_SEED` override the number of cases and the seed.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let from_environment = ProptestConfig::default();
    let is_set = |name| std::env::var_os(name).is_some();
    ProptestConfig {
        cases: if is_set("PROPTEST_CASES") { from_environment.cases } else { cases },
        rng_seed: if is_set("PROPTEST_RNG_SEED") { from_environment.rng_seed } else { RngSeed::Fixed(2026) },
        failure_persistence: None,
        ..from_environment
    }
}

/// Random choices from which a text is created. After the last choice, all further choices are 0, which
/// selects a leaf.
pub(crate) struct Choices {
    left: std::vec::IntoIter<u8>,
}

impl Choices {
    pub(crate) fn new(choices: Vec<u8>) -> Self {
        Self { left: choices.into_iter() }
    }

    fn below(&mut self, count: usize) -> usize {
        usize::from(self.left.next().unwrap_or(0)) % count
    }

    fn one_of(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }

    /// Returns the text of a random number, with all parentheses. If `in_events` is set, it reads previous
    /// values.
    pub(crate) fn number(&mut self, depth: usize, in_events: bool) -> String {
        // The first alternative is used after the last choice.
        let kind = if depth == 0 { 0 } else { self.below(11) };
        let deeper = depth.saturating_sub(1);
        match kind {
            0 => self.one_of(&NAMES).to_owned(),
            1 => self.one_of(&NUMBERS).to_owned(),
            2 | 3 => {
                let [a, b] = self.two_numbers(deeper, in_events);
                format!("({a} {} {b})", self.one_of(&OPERATORS))
            }
            4 => {
                let [a, b] = self.two_numbers(deeper, in_events);
                format!("({a} * {b} {} {a})", self.one_of(&["+", "-"]))
            }
            5 => {
                let a = self.number(deeper, in_events);
                format!("({a}^{})", self.one_of(&["2", "3", "-1", "0.5", "-7", "k", "(y / 2)"]))
            }
            6 => {
                let a = self.number(deeper, in_events);
                format!("({}({a}))", self.one_of(&FUNCTIONS))
            }
            7 => {
                let [a, b] = self.two_numbers(deeper, in_events);
                format!("{}({a}, {b})", self.one_of(&PAIRS))
            }
            8 => {
                let [a, b] = self.two_numbers(deeper, in_events);
                format!("(if {} then {a} else {b})", self.condition(deeper, in_events))
            }
            9 => {
                let [a, b] = self.two_numbers(deeper, in_events);
                format!("clamp({a}, {b}, {})", self.one_of(&NUMBERS))
            }
            _ if in_events => format!("pre({})", self.one_of(&["y", "z", "(y - z)"])),
            _ => format!("(-{})", self.number(deeper, in_events)),
        }
    }

    fn two_numbers(&mut self, depth: usize, in_events: bool) -> [String; 2] {
        std::array::from_fn(|_| self.number(depth, in_events))
    }

    /// Returns the text of a random condition, with all parentheses.
    pub(crate) fn condition(&mut self, depth: usize, in_events: bool) -> String {
        let deeper = depth.saturating_sub(1);
        let kind = if depth == 0 { 0 } else { self.below(6) };
        match kind {
            0 => self.one_of(&FLAGS).to_owned(),
            1 => {
                let (a, b) = (self.number(deeper, in_events), self.number(deeper, in_events));
                format!("({a} {} {b})", self.one_of(&["<", "<=", ">", ">=", "==", "!="]))
            }
            2 => format!("(not {})", self.condition(deeper, in_events)),
            3 if in_events => {
                let argument = self.one_of(&["on", "y", "z < 1", "y + z"]);
                format!("{}({argument})", self.one_of(&["change", "edge", "falling_edge"]))
            }
            4 => {
                let [a, b, c] = std::array::from_fn(|_| self.condition(deeper, in_events));
                format!("(if {a} then {b} else {c})")
            }
            _ => {
                let (a, b) = (self.condition(deeper, in_events), self.condition(deeper, in_events));
                format!("({a} {} {b})", self.one_of(&["and", "or", "xor", "implies", "==", "!="]))
            }
        }
    }
}

pub(crate) fn choices() -> impl Strategy<Value = Choices> {
    vec(any::<u8>(), 0..200).prop_map(Choices::new)
}

impl std::fmt::Debug for Choices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.left.as_slice())
    }
}

/// Values of all magnitudes, including zeros, infinities and NaN.
pub(crate) fn slots() -> impl Strategy<Value = Banks> {
    let number = prop_oneof![
        8 => -4.0..4.0_f64,
        1 => any::<f64>(),
        2 => prop::sample::select(vec![0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]),
    ];
    vec(number, 12).prop_map(|numbers| {
        let mut slots = Banks::new();
        let bits = numbers.iter().map(|number| f64::from(u8::from(*number > 0.0)));
        let bits: Vec<f64> = bits.collect();
        for (name, value) in ["y", "z", "y'", "k", "count", "level"].into_iter().zip(&numbers) {
            slots.set(name, *value);
        }
        for (name, value) in ["on", "open"].into_iter().zip(&bits) {
            slots.set(name, *value);
        }
        slots.0[4][..4].copy_from_slice(&numbers[6..10]);
        slots.0[5][2..].copy_from_slice(&bits[6..9]);
        slots
    })
}
