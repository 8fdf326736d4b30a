//! Variables: what changes along the solution, and what changes at events only.

/// The type of a discrete variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum VariableType {
    /// A real number, a sample of a continuous variable, say.
    #[default]
    Float,
    /// A whole number below $2^{53}$ in size, a count: from there on one more is not another number.
    Integer,
    /// True or false, 1 or 0 as a number: a switch.
    Boolean,
}

/// The first whole number whose successor is none in floating point.
const TOO_LARGE: f64 = 9_007_199_254_740_992.0;

impl VariableType {
    /// What a value of this type must be, where the given one is none.
    ///
    /// ```
    /// use siconos_hybrid::VariableType;
    ///
    /// assert_eq!(VariableType::Integer.refuses(2.0), None);
    /// assert_eq!(VariableType::Integer.refuses(2.5), Some("a whole number below 2^53 in size"));
    /// ```
    #[must_use]
    pub fn refuses(self, value: f64) -> Option<&'static str> {
        let (fits, must_be) = match self {
            Self::Float => (value.is_finite(), "finite"),
            Self::Integer => {
                (value.fract() == 0.0 && value.abs() < TOO_LARGE, "a whole number below 2^53 in size")
            }
            Self::Boolean => (value == 0.0 || value == 1.0, "true or false, as a number 1 or 0"),
        };
        (!fits).then_some(must_be)
    }
}

/// A discrete variable of a [`HybridSystem`](super::HybridSystem): its place in the order of declaration. As
/// that is known beforehand, right-hand sides can be written before the variables are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DiscreteId(pub(super) usize);

impl DiscreteId {
    /// The variable that is declared at this place, counted from 0.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        Self(index)
    }

    /// The place of the variable in the order in which they were declared, from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

/// A variable of a hybrid system: by its index among the continuous ones, states before algebraic variables,
/// or by the id of a discrete one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    /// A state or an algebraic variable. Of a system of second order the states are the variables and behind
    /// them their derivatives.
    Continuous(usize),
    /// A discrete variable.
    Discrete(DiscreteId),
}

impl From<usize> for Variable {
    fn from(index: usize) -> Self {
        Self::Continuous(index)
    }
}

impl From<DiscreteId> for Variable {
    fn from(id: DiscreteId) -> Self {
        Self::Discrete(id)
    }
}

/// A discrete variable as it is declared.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Discrete {
    pub(super) name: String,
    pub(super) kind: VariableType,
    pub(super) initial: f64,
}
