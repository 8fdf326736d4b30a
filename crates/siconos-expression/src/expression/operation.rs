//! Operations, their names and their values.

/// Operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unary {
    Negate,
    Not,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Ln,
    Log2,
    Log10,
    Sqrt,
    Cbrt,
    Abs,
    Sign,
    Floor,
    Ceil,
    Round,
}

impl Unary {
    /// Functions with their names. If a function has several names, the first name is printed.
    pub(crate) const FUNCTIONS: [(&str, Self); 24] = [
        ("sin", Self::Sin),
        ("cos", Self::Cos),
        ("tan", Self::Tan),
        ("asin", Self::Asin),
        ("acos", Self::Acos),
        ("atan", Self::Atan),
        ("sinh", Self::Sinh),
        ("cosh", Self::Cosh),
        ("tanh", Self::Tanh),
        ("asinh", Self::Asinh),
        ("acosh", Self::Acosh),
        ("atanh", Self::Atanh),
        ("exp", Self::Exp),
        ("ln", Self::Ln),
        ("log", Self::Ln),
        ("log2", Self::Log2),
        ("log10", Self::Log10),
        ("sqrt", Self::Sqrt),
        ("cbrt", Self::Cbrt),
        ("abs", Self::Abs),
        ("sign", Self::Sign),
        ("floor", Self::Floor),
        ("ceil", Self::Ceil),
        ("round", Self::Round),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, unary)| *unary)
    }

    /// Returns the name of the function, or the operator that precedes the operand.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Not => "not ",
            function => {
                Self::FUNCTIONS.iter().find(|(_, known)| *known == function).map_or("", |(name, _)| name)
            }
        }
    }

    #[inline]
    pub(crate) fn apply(self, x: f64) -> f64 {
        match self {
            Self::Negate => -x,
            Self::Not => truth(x == 0.0),
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Tan => x.tan(),
            Self::Asin => x.asin(),
            Self::Acos => x.acos(),
            Self::Atan => x.atan(),
            Self::Sinh => x.sinh(),
            Self::Cosh => x.cosh(),
            Self::Tanh => x.tanh(),
            Self::Asinh => x.asinh(),
            Self::Acosh => x.acosh(),
            Self::Atanh => x.atanh(),
            Self::Exp => x.exp(),
            Self::Ln => x.ln(),
            Self::Log2 => x.log2(),
            Self::Log10 => x.log10(),
            Self::Sqrt => x.sqrt(),
            Self::Cbrt => x.cbrt(),
            Self::Abs => x.abs(),
            Self::Sign => sign(x),
            Self::Floor => x.floor(),
            Self::Ceil => x.ceil(),
            Self::Round => x.round(),
        }
    }
}

/// Operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// Remainder with the sign of the dividend.
    Remainder,
    Power,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Xor,
    Implies,
    Atan2,
    Hypot,
    Max,
    Min,
    /// Remainder with the sign of the divisor.
    Modulo,
}

impl Binary {
    /// Functions with their names.
    pub(crate) const FUNCTIONS: [(&str, Self); 5] = [
        ("atan2", Self::Atan2),
        ("hypot", Self::Hypot),
        ("max", Self::Max),
        ("min", Self::Min),
        ("mod", Self::Modulo),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, binary)| *binary)
    }

    /// Returns the operator, or the name of the function.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Power => "^",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Implies => "implies",
            Self::Atan2 => "atan2",
            Self::Hypot => "hypot",
            Self::Max => "max",
            Self::Min => "min",
            Self::Modulo => "mod",
        }
    }

    /// Returns `true` if the result is a condition.
    pub(crate) fn is_condition(self) -> bool {
        matches!(
            self,
            Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual | Self::Equal | Self::NotEqual
        ) || matches!(self, Self::And | Self::Or | Self::Xor | Self::Implies)
    }

    /// Returns `true` if the result is bit-identical after the operands are exchanged.
    pub(crate) fn is_commutative(self) -> bool {
        matches!(self, Self::Add | Self::Multiply | Self::Equal | Self::NotEqual)
            || matches!(self, Self::And | Self::Or | Self::Xor)
    }

    #[inline]
    pub(crate) fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Remainder => a % b,
            Self::Power => power(a, b),
            Self::Less => truth(a < b),
            Self::LessEqual => truth(a <= b),
            Self::Greater => truth(a > b),
            Self::GreaterEqual => truth(a >= b),
            Self::Equal => truth(a == b),
            Self::NotEqual => truth(a != b),
            Self::And => truth(is_true(a) && is_true(b)),
            Self::Or => truth(is_true(a) || is_true(b)),
            Self::Xor => truth(is_true(a) != is_true(b)),
            Self::Implies => truth(!is_true(a) || is_true(b)),
            Self::Atan2 => a.atan2(b),
            Self::Hypot => a.hypot(b),
            Self::Max => a.max(b),
            Self::Min => a.min(b),
            Self::Modulo => a - b * (a / b).floor(),
        }
    }
}

/// Operation on three values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ternary {
    /// Condition, then, otherwise.
    Select,
    /// Value, lower bound, upper bound.
    Clamp,
}

impl Ternary {
    /// Functions with their names.
    pub(crate) const FUNCTIONS: [(&str, Self); 1] = [("clamp", Self::Clamp)];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, ternary)| *ternary)
    }

    pub(crate) fn apply(self, a: f64, b: f64, c: f64) -> f64 {
        match self {
            Self::Select if is_true(a) => b,
            Self::Select => c,
            Self::Clamp if a < b => b,
            Self::Clamp if a > c => c,
            Self::Clamp => a,
        }
    }
}

/// Maximum magnitude of an integer exponent for which a power is computed as a product.
pub(crate) const LARGEST_PRODUCT: i32 = 16;

/// Returns the exponent if the power is computed as a product or as the reciprocal of a product.
pub(crate) fn product_exponent(exponent: f64) -> Option<i32> {
    let is_small = exponent.abs() <= f64::from(LARGEST_PRODUCT) && exponent.fract() == 0.0;
    // The exponent is a small integer, so the conversion is exact.
    is_small.then_some(exponent as i32)
}

/// Returns a power. If the exponent is a small integer, the power is computed as a product; otherwise by
/// `powf`.
pub(crate) fn power(base: f64, exponent: f64) -> f64 {
    match product_exponent(exponent) {
        None => base.powf(exponent),
        Some(0) => 1.0,
        Some(n) if n < 0 => 1.0 / product(base, n.unsigned_abs()),
        Some(n) => product(base, n.unsigned_abs()),
    }
}

/// Returns a power with an exponent of at least 1. An even power is the square of the power with half the
/// exponent; an odd power is the preceding even power times the base.
fn product(base: f64, exponent: u32) -> f64 {
    let bits = u32::BITS - exponent.leading_zeros();
    (0..bits.saturating_sub(1)).rev().fold(base, |power, bit| {
        let square = power * power;
        if exponent >> bit & 1 == 1 { square * base } else { square }
    })
}

/// Converts a boolean to 1 or 0, as it is stored in slots and registers.
#[inline]
pub(crate) fn truth(condition: bool) -> f64 {
    if condition { 1.0 } else { 0.0 }
}

#[inline]
pub(crate) fn is_true(value: f64) -> bool {
    value != 0.0
}

/// Returns -1 or 1, or x itself if x is zero or NaN.
fn sign(x: f64) -> f64 {
    if x == 0.0 { x } else { x.signum() }
}
