//! Variables of a hybrid system: continuous variables, and discrete variables, which change only at events.

/// Type of a discrete variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum VariableType {
    /// Real value, for example a sample of a continuous variable.
    #[default]
    Float,
    /// Integer whose magnitude is less than $2^{53}$, for example a count. (Not every larger integer is a
    /// floating-point number.)
    Integer,
    /// Boolean, for example the state of a switch; stored as 1 or 0.
    Boolean,
}

/// $2^{53}$: the smallest positive integer whose successor is not a floating-point number.
const TOO_LARGE: f64 = 9_007_199_254_740_992.0;

impl VariableType {
    /// Returns the requirement that `value` violates, or `None` if it is a valid value of this type.
    ///
    /// ```
    /// use siconos_hybrid::VariableType;
    ///
    /// assert_eq!(VariableType::Integer.refuses(2.0), None);
    /// assert_eq!(VariableType::Integer.refuses(2.5), Some("a whole number below 2^53 in magnitude"));
    /// ```
    #[must_use]
    pub fn refuses(self, value: f64) -> Option<&'static str> {
        let (fits, must_be) = match self {
            Self::Float => (value.is_finite(), "finite"),
            Self::Integer => {
                (value.fract() == 0.0 && value.abs() < TOO_LARGE, "a whole number below 2^53 in magnitude")
            }
            Self::Boolean => (value == 0.0 || value == 1.0, "true or false, written as 1 or 0"),
        };
        (!fits).then_some(must_be)
    }
}

/// Identifier of a discrete variable of a [`HybridSystem`](super::HybridSystem): its index in the order of
/// declaration. Right-hand sides can therefore be written before the variables are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DiscreteId(pub(super) usize);

impl DiscreteId {
    /// Creates the identifier of the variable with the given index in the order of declaration, counted from
    /// 0.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        Self(index)
    }

    /// Returns the index of the variable in the order of declaration, counted from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

/// Variable of a hybrid system: a continuous variable, identified by its index, or a discrete variable. In
/// the order of the continuous variables, the states precede the algebraic variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    /// State or algebraic variable. In a second-order system, the states are the variables followed by their
    /// derivatives.
    Continuous(usize),
    /// Discrete variable.
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

/// Declaration of a discrete variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Discrete {
    pub(super) name: String,
    pub(super) kind: VariableType,
    pub(super) initial: f64,
}
