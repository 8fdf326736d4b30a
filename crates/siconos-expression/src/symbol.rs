//! Meaning of a name: the location of its value, its kind and its role in the model.

/// Location of the value of a name. An evaluation receives several slices, which are called slots. A symbol
/// selects one entry of one slot.
///
/// For example, a caller can pass the state, the parameters and the discrete variables as separate slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol {
    /// Index of the slot.
    pub slot: u32,
    /// Index of the value within the slot.
    pub index: u32,
}

/// Kind of the values of a name. A boolean is stored as 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Any floating-point number.
    Real,
    /// A whole number, stored as a double.
    Integer,
    /// True or false.
    Boolean,
}

impl ValueKind {
    /// Returns the type of a variable of this kind. An expression that is assigned to the variable must have
    /// this type.
    pub fn value_type(self) -> Type {
        match self {
            Self::Real | Self::Integer => Type::Number,
            Self::Boolean => Type::Condition,
        }
    }
}

/// Type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A floating-point number.
    Number,
    /// True or false.
    Condition,
}

impl Type {
    /// Returns the phrase that describes the type in messages, for example `a number`.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Condition => "a condition",
        }
    }
}

/// Role of a name in the model. The role determines the descriptions in messages, and whether an action can
/// assign a value to the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Independent variable, for example the time. Timed triggers refer to it.
    Independent,
    /// Dependent variable of a differential equation. An action can assign a value to it.
    State,
    /// Derivative of lower order than its equation. An action can assign a value to it.
    Derivative,
    /// Highest derivative in its equation, which the equation defines.
    HighestDerivative,
    /// Variable that an algebraic equation defines.
    Algebraic,
    /// Variable that changes only at events. An action can assign a value to it.
    Discrete,
    /// Discrete variable that arms two roots alternately. Only the triggers of these roots change it.
    Required,
    /// Named constant of the model.
    Parameter,
    /// Any other role, described by a phrase for messages, for example `an input`. An action cannot assign a
    /// value to a name with this role.
    Fixed(&'static str),
}

impl Role {
    /// Returns the phrase that describes the role in messages, for example `a parameter`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Independent => "the independent variable",
            Self::State => "a state",
            Self::Derivative => "a derivative",
            Self::HighestDerivative => "the highest derivative of its equation",
            Self::Algebraic => "an algebraic variable",
            Self::Discrete => "a discrete variable",
            Self::Required => "a variable that triggers require",
            Self::Parameter => "a parameter",
            Self::Fixed(words) => words,
        }
    }

    /// Returns `true` if an action can assign a value to a name with this role.
    pub fn is_assignable(self) -> bool {
        matches!(self, Self::State | Self::Derivative | Self::Discrete)
    }
}

/// Meaning of a name: the location of its value, its kind and its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Location of the value.
    pub symbol: Symbol,
    /// Kind of the values.
    pub kind: ValueKind,
    /// Role in the model.
    pub role: Role,
}
