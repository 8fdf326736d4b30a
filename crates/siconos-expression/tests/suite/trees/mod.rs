//! Random trees of operations, with their text (with few parentheses) and their values (computed in Rust in
//! the same order). This module does not use the crate siconos-expression.

mod evaluation;

pub(crate) use evaluation::Evaluation;

/// Names that a tree may read.
pub(crate) const NAMES: [&str; 5] = ["x", "ball.q", "ball.q'", "arm.q[1]", "arm.q[10]''"];

/// Pseudorandom numbers, identical in every test run (splitmix64, Steele, Lea and Flood 2014).
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    pub(crate) fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Returns a number from -3 to 3.
    pub(crate) fn small(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64 * 6.0 - 3.0
    }
}

pub(crate) type OfOne = (&'static str, fn(f64) -> f64);
/// Function that identifies the side of a kink or jump that a number is on.
pub(crate) type Side = fn(f64) -> f64;
type OfTwo = (&'static str, fn(f64, f64) -> f64);
type Comparison = (&'static str, fn(f64, f64) -> bool);
type Word = (&'static str, u8, fn(bool, bool) -> bool);

/// Functions of one number that have no kinks in their domain.
pub(crate) const SMOOTH: [OfOne; 18] = [
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("asinh", f64::asinh),
    ("acosh", f64::acosh),
    ("atanh", f64::atanh),
    ("exp", f64::exp),
    ("ln", f64::ln),
    ("log2", f64::log2),
    ("log10", f64::log10),
    ("sqrt", f64::sqrt),
    ("cbrt", f64::cbrt),
];
/// Functions of one number with kinks or jumps, and functions that identify the side.
pub(crate) const KINKED: [(OfOne, Side); 5] = [
    (("abs", f64::abs), f64::signum),
    (("sign", sign), sign),
    (("floor", f64::floor), f64::floor),
    (("ceil", f64::ceil), f64::ceil),
    (("round", f64::round), f64::round),
];
const PAIRS: [OfTwo; 2] = [("atan2", f64::atan2), ("hypot", f64::hypot)];
const EXTREMES: [OfTwo; 2] = [("min", |a, b| a.min(b)), ("max", |a, b| a.max(b))];
const OPERATORS: [(OfTwo, u8); 4] = [
    (("+", |a, b| a + b), SUM),
    (("-", |a, b| a - b), SUM),
    (("*", |a, b| a * b), PRODUCT),
    (("/", |a, b| a / b), PRODUCT),
];
const COMPARISONS: [Comparison; 6] = [
    ("<", |a, b| a < b),
    ("<=", |a, b| a <= b),
    (">", |a, b| a > b),
    (">=", |a, b| a >= b),
    ("==", |a, b| a == b),
    ("!=", |a, b| a != b),
];
const WORDS: [Word; 4] = [
    ("implies", 1, |a, b| !a | b),
    ("or", 2, |a, b| a | b),
    ("xor", 3, |a, b| a ^ b),
    ("and", 4, |a, b| a & b),
];

// Precedence levels of numbers.
const CHOICE: u8 = 0;
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const MINUS: u8 = 3;
const POWER: u8 = 4;
const TIGHT: u8 = 5;
// Precedence levels of conditions. The words have lower levels.
const NOT: u8 = 5;
const COMPARED: u8 = 6;

fn sign(x: f64) -> f64 {
    if x == 0.0 { x } else { x.signum() }
}

/// Expression that is a number.
pub(crate) enum Tree {
    Number(f64),
    Name(usize),
    Argument(usize),
    Minus(Box<Self>),
    Smooth(OfOne, Box<Self>),
    Kinked(usize, Box<Self>),
    Operator(usize, Box<[Self; 2]>),
    Remainder(Box<[Self; 2]>),
    Modulo(Box<[Self; 2]>),
    Power(Box<[Self; 2]>),
    Pair(OfTwo, Box<[Self; 2]>),
    /// Zero is added, because either of two zeros may be returned.
    Extreme(OfTwo, Box<[Self; 2]>),
    Clamp(Box<[Self; 3]>),
    Choice {
        condition: Condition,
        sides: Box<[Self; 2]>,
        is_call: bool,
    },
    /// Call of a user-defined function.
    Call(usize, Vec<Self>),
}

pub(crate) enum Condition {
    Truth(bool),
    Compared(Comparison, Box<[Tree; 2]>),
    Not(Box<Self>),
    Word(Word, Box<[Self; 2]>),
}

/// User-defined function.
pub(crate) struct Function {
    pub(crate) arguments: usize,
    pub(crate) body: Tree,
}

/// Returns the name of a function.
pub(crate) fn function_name(place: usize) -> String {
    format!("f{place}")
}

pub(crate) fn argument_name(place: usize) -> String {
    // The first argument hides a name of the scope.
    if place == 0 { "x".to_owned() } else { format!("a{place}") }
}

/// Elements of random trees.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'f> {
    pub(crate) functions: &'f [Function],
    /// Number of arguments that may be read; none outside functions.
    pub(crate) arguments: usize,
}

impl Tree {
    pub(crate) fn drawn(draw: &mut Draw, parts: Parts<'_>, depth: usize) -> Self {
        let kind = if depth == 0 { draw.below(3) } else { draw.below(24) };
        let deeper = depth.saturating_sub(1);
        let one = |draw: &mut Draw| Box::new(Self::drawn(draw, parts, deeper));
        let two = |draw: &mut Draw| Box::new([(); 2].map(|()| Self::drawn(draw, parts, deeper)));
        match kind {
            0 if parts.arguments > 0 => Self::Argument(draw.below(parts.arguments)),
            0 | 1 => {
                // The first argument hides the first name.
                let first = usize::from(parts.arguments > 0);
                Self::Name(first + draw.below(NAMES.len() - first))
            }
            2 => Self::Number(draw.one_of(&[0.0, 1.0, 2.0, 3.0, 0.1, 0.3, 1e-3, 7.25, 16.0])),
            3 => Self::Minus(one(draw)),
            4..=6 => Self::Smooth(draw.one_of(&SMOOTH), one(draw)),
            7 => Self::Kinked(draw.below(KINKED.len()), one(draw)),
            8..=13 => Self::Operator(draw.below(OPERATORS.len()), two(draw)),
            14 => Self::Remainder(two(draw)),
            15 => Self::Modulo(two(draw)),
            16 => Self::Power(two(draw)),
            17 => {
                let exponent = Self::Number(draw.one_of(&[0.0, 1.0, 2.0, 3.0, 5.0, 16.0, 17.0, 0.5]));
                let exponent = if draw.below(4) == 0 { Self::Minus(Box::new(exponent)) } else { exponent };
                Self::Power(Box::new([Self::drawn(draw, parts, deeper), exponent]))
            }
            18 => Self::Pair(draw.one_of(&PAIRS), two(draw)),
            19 => Self::Extreme(draw.one_of(&EXTREMES), two(draw)),
            20 => Self::Clamp(Box::new([(); 3].map(|()| Self::drawn(draw, parts, deeper)))),
            21 => {
                let condition = Condition::drawn(draw, parts, deeper);
                Self::Choice { condition, sides: two(draw), is_call: draw.below(2) == 0 }
            }
            _ if parts.functions.is_empty() => Self::Operator(draw.below(OPERATORS.len()), two(draw)),
            _ => {
                let place = draw.below(parts.functions.len());
                let arguments = parts.functions[place].arguments;
                Self::Call(place, (0..arguments).map(|_| Self::drawn(draw, parts, deeper)).collect())
            }
        }
    }

    fn is_constant(&self) -> bool {
        match self {
            Self::Number(_) => true,
            Self::Minus(a) => a.is_constant(),
            _ => false,
        }
    }

    fn binding(&self) -> u8 {
        match self {
            Self::Operator(operator, _) => OPERATORS[*operator].1,
            Self::Remainder(_) => PRODUCT,
            Self::Minus(_) => MINUS,
            Self::Power(_) => POWER,
            Self::Extreme(..) => SUM,
            Self::Choice { is_call: false, .. } => CHOICE,
            _ => TIGHT,
        }
    }

    /// Returns the text, in parentheses if its precedence is less than `needed`.
    pub(crate) fn text(&self, needed: u8) -> String {
        let all = |of: &[Self]| of.iter().map(|it| it.text(CHOICE)).collect::<Vec<_>>().join(", ");
        let between = |operator: &str, own: u8, [a, b]: &[Self; 2]| {
            format!("{} {operator} {}", a.text(own), b.text(own + 1))
        };
        let text = match self {
            Self::Number(number) => format!("{number:?}"),
            Self::Name(place) => NAMES[*place].to_owned(),
            Self::Argument(place) => argument_name(*place),
            Self::Minus(a) => format!("-{}", a.text(MINUS)),
            Self::Smooth((name, _), a) => format!("{name}({})", a.text(CHOICE)),
            Self::Kinked(place, a) => format!("{}({})", KINKED[*place].0.0, a.text(CHOICE)),
            Self::Operator(place, of) => between(OPERATORS[*place].0.0, OPERATORS[*place].1, of),
            Self::Remainder(of) => between("%", PRODUCT, of),
            Self::Modulo(of) => format!("mod({})", all(&**of)),
            Self::Power(of) => format!("{}^{}", of[0].text(TIGHT), of[1].text(MINUS)),
            Self::Pair((name, _), of) => format!("{name}({})", all(&**of)),
            Self::Extreme((name, _), of) => format!("{name}({}) + 0", all(&**of)),
            Self::Clamp(of) => format!("clamp({})", all(&**of)),
            Self::Choice { condition, sides, is_call: true } => {
                format!("if({}, {})", condition.text(0), all(&**sides))
            }
            Self::Choice { condition, sides, is_call: false } => {
                let [then, otherwise] = [0, 1].map(|side| sides[side].text(CHOICE));
                format!("if {} then {then} else {otherwise}", condition.text(0))
            }
            Self::Call(place, of) => format!("{}({})", function_name(*place), all(of)),
        };
        if self.binding() < needed { format!("({text})") } else { text }
    }
}

impl Condition {
    fn drawn(draw: &mut Draw, parts: Parts<'_>, depth: usize) -> Self {
        let kind = if depth == 0 { 0 } else { draw.below(8) };
        let deeper = depth.saturating_sub(1);
        match kind {
            0 => Self::Truth(draw.below(2) == 0),
            1..=4 => {
                let of = Box::new([(); 2].map(|()| Tree::drawn(draw, parts, deeper)));
                Self::Compared(draw.one_of(&COMPARISONS), of)
            }
            5 => Self::Not(Box::new(Self::drawn(draw, parts, deeper))),
            _ => {
                let of = Box::new([(); 2].map(|()| Self::drawn(draw, parts, deeper)));
                Self::Word(draw.one_of(&WORDS), of)
            }
        }
    }

    fn text(&self, needed: u8) -> String {
        let (own, text) = match self {
            Self::Truth(truth) => (TIGHT + 2, format!("{truth}")),
            Self::Compared((name, _), of) => {
                (COMPARED, format!("{} {name} {}", of[0].text(SUM), of[1].text(SUM)))
            }
            Self::Not(of) => (NOT, format!("not {}", of.text(NOT))),
            Self::Word((name, own, _), of) => {
                // `implies` is right-associative, all other words are left-associative.
                let right = u8::from(*name != "implies");
                (*own, format!("{} {name} {}", of[0].text(own + 1 - right), of[1].text(own + right)))
            }
        };
        if own < needed { format!("({text})") } else { text }
    }
}
