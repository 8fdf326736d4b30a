//! Meaning of a name: the location of its value, its kind and its role in the model.

/// Location of the value of a name: an evaluation receives several slices, called slots, and the symbol
/// selects one entry of one slot.
///
/// A caller can pass the state, the parameters and the discrete variables as separate slots.
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
    /// Returns the type of a variable of this kind, which is also the type of every expression assigned to
    /// the variable.
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
    /// Returns the phrase for the type in messages, for instance `a number`.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Condition => "a condition",
        }
    }
}

/// Role of a name in the model. The role determines the phrases in messages, and whether an action can assign
/// the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Variable of integration, for example the time. Timed triggers refer to it.
    Independent,
    /// A dependent variable of a differential equation. An action can assign it.
    State,
    /// A derivative below the order of its equation. An action can assign it.
    Derivative,
    /// Derivative that an equation defines.
    HighestDerivative,
    /// Variable that an algebraic equation defines.
    Algebraic,
    /// A variable that changes only at events. An action can assign it.
    Discrete,
    /// A discrete variable that belongs to triggers. Only the triggers change it.
    Required,
    /// A named constant.
    Parameter,
    /// Any other role, given as the phrase for it in messages, for instance `an input`. An action cannot
    /// assign a name with this role.
    Fixed(&'static str),
}

impl Role {
    /// Returns the phrase for the role in messages, for instance `a parameter`.
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

    /// Returns `true` if an action can assign a name with this role.
    pub fn is_assignable(self) -> bool {
        matches!(self, Self::State | Self::Derivative | Self::Discrete)
    }
}

/// Meaning of a name: the location of its value, its kind and its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Location of its value.
    pub symbol: Symbol,
    /// Kind of its values.
    pub kind: ValueKind,
    /// Role in the model.
    pub role: Role,
}
