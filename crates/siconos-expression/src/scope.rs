//! The names that a text may use, and what each of them stands for.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::expression::{Node, Variable};
use crate::names;
use crate::symbol::{Name, Symbol, Type};

/// Why a name cannot be declared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScopeError {
    /// The name is not a letter or `_`, followed by letters, digits and `_`, followed by primes; nor several
    /// of these with points between them and perhaps an index, as in `arm.q[1]'`.
    #[error("`{name}` is not a name: letters, digits and `_`, with no digit in front, and primes behind")]
    NotAName {
        /// What was to be declared.
        name: String,
    },
    /// The name means something already.
    #[error("`{name}` is {what} and cannot be declared")]
    Reserved {
        /// What was to be declared.
        name: String,
        /// What it is, `a function` for instance.
        what: &'static str,
    },
    /// The name was declared before.
    #[error("`{name}` is declared twice")]
    Twice {
        /// What was to be declared.
        name: String,
    },
    /// The name of a function or of an argument has several parts, an index or primes, or is no name at all.
    #[error(
        "`{name}` is not the name of a function or argument: letters, digits and `_`, with no digit in front"
    )]
    NotPlain {
        /// What was to be declared.
        name: String,
    },
    /// A function has more arguments than it may have.
    #[error("`{name}` has {found} arguments; a function has at most {limit}")]
    TooManyArguments {
        /// The function.
        name: String,
        /// How many it has.
        found: usize,
        /// How many it may have.
        limit: usize,
    },
    /// A constant is infinite or no number.
    #[error("`{name}` is {value}; a constant must be finite")]
    NotFinite {
        /// What was to be declared.
        name: String,
        /// Its value.
        value: f64,
    },
}

/// The names of a model, as a text may use them.
///
/// ```
/// use siconos_expression::{Kind, Name, Role, Scope, Symbol, parse_number};
///
/// let mut scope = Scope::new();
/// let y = Name { symbol: Symbol { bank: 0, index: 0 }, kind: Kind::Real, role: Role::State };
/// let speed = Name { symbol: Symbol { bank: 0, index: 1 }, kind: Kind::Real, role: Role::Derivative };
/// scope.declare("y", y)?;
/// scope.declare("y'", speed)?;
///
/// let energy = parse_number("(y'^2 + y^2) / 2", &scope)?;
/// assert_eq!(energy.evaluate(&[&[3.0, 4.0]]), 12.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// What this one stands on.
    below: Option<Arc<Scope>>,
    names: BTreeMap<String, Name>,
    constants: BTreeMap<String, f64>,
    functions: BTreeMap<String, Function>,
    previous: BTreeMap<u32, u32>,
    temporaries: Option<u32>,
    is_without_events: bool,
}

/// Function of a scope.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    arguments: usize,
    /// `None` if the function is at fault.
    body: Option<Arc<Body>>,
}

impl Function {
    pub(crate) fn faulty(arguments: usize) -> Self {
        Self { arguments, body: None }
    }

    /// Number of arguments.
    pub(crate) fn arguments(&self) -> usize {
        self.arguments
    }

    pub(crate) fn body(&self) -> Option<&Arc<Body>> {
        self.body.as_ref()
    }
}

/// Body of a function: an expression whose first variables are the arguments.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) nodes: Vec<Node>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) value_type: Type,
}

impl Scope {
    /// A scope without names, outside events, whose actions have no temporaries.
    pub fn new() -> Self {
        Self::default()
    }

    /// A scope that stands on another one: all names of that are known, and those that are added to this one
    /// leave it as it is. Nothing is copied, so that many scopes may stand on a large one.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use siconos_expression::{Kind, Name, Role, Scope, Symbol, parse_number};
    ///
    /// let mut of_all = Scope::new();
    /// of_all.declare_constant("radius", 0.5)?;
    /// let mut of_ball = Scope::standing_on(&Arc::new(of_all));
    /// let q = Name { symbol: Symbol { bank: 0, index: 0 }, kind: Kind::Real, role: Role::State };
    /// of_ball.declare("q", q)?;
    /// assert_eq!(parse_number("q - radius", &of_ball)?.evaluate(&[&[2.0]]), 1.5);
    /// assert!(of_ball.declare_constant("radius", 1.0).is_err(), "declared below");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn standing_on(below: &Arc<Self>) -> Self {
        Self {
            previous: below.previous.clone(),
            temporaries: below.temporaries,
            is_without_events: below.is_without_events,
            below: Some(Arc::clone(below)),
            ..Self::default()
        }
    }

    /// This scope, and those that it stands on.
    fn layers(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |scope| scope.below.as_deref())
    }

    /// Adds a name: a letter or `_`, then letters, digits and `_`, then any number of primes. By custom `y'`
    /// is the derivative of `y`, but nothing here depends on it.
    ///
    /// A name may have several parts with points between them, and an index in brackets behind the last,
    /// before the primes: `ball.q`, `ball.q'`, `arm.q[1]'`. Such a name is declared as a whole, without
    /// blanks; nothing is known of `arm` or of `arm.q` by itself.
    ///
    /// # Errors
    ///
    /// [`ScopeError`] when it is no name, was declared before, or is a word, a function or a constant of the
    /// language.
    pub fn declare(&mut self, name: &str, meaning: Name) -> Result<(), ScopeError> {
        self.check_name(name)?;
        self.names.insert(name.to_owned(), meaning);
        Ok(())
    }

    /// Adds a name that stands for a number wherever it is read, the times of triggers included.
    ///
    /// ```
    /// use siconos_expression::{Scope, parse_number};
    ///
    /// let mut scope = Scope::new();
    /// scope.declare_constant("period", 0.5)?;
    /// assert_eq!(parse_number("-period^2", &scope)?.constant(), Some(-0.25));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ScopeError`] as for [`declare`](Self::declare), and for a number that is not finite.
    pub fn declare_constant(&mut self, name: &str, value: f64) -> Result<(), ScopeError> {
        self.check_name(name)?;
        if !value.is_finite() {
            return Err(ScopeError::NotFinite { name: name.to_owned(), value });
        }
        self.constants.insert(name.to_owned(), value);
        Ok(())
    }

    /// Whether a name can be declared.
    ///
    /// # Errors
    ///
    /// [`ScopeError`] as of [`declare`](Self::declare).
    pub fn check_name(&self, name: &str) -> Result<(), ScopeError> {
        let owned = || name.to_owned();
        if !names::is_name(name) {
            return Err(ScopeError::NotAName { name: owned() });
        }
        if let Some(what) = names::reserved(name) {
            return Err(ScopeError::Reserved { name: owned(), what });
        }
        let has = |scope: &Self| {
            let is_value = scope.names.contains_key(name) || scope.constants.contains_key(name);
            is_value || scope.functions.contains_key(name)
        };
        if self.layers().any(has) {
            return Err(ScopeError::Twice { name: owned() });
        }
        Ok(())
    }

    /// Adds a function that has no body yet, and so counts as faulty.
    pub(crate) fn add_function(&mut self, name: &str, function: Function) -> Result<(), ScopeError> {
        if !names::is_plain_name(name) {
            return Err(ScopeError::NotPlain { name: name.to_owned() });
        }
        self.check_name(name)?;
        self.functions.insert(name.to_owned(), function);
        Ok(())
    }

    pub(crate) fn set_body(&mut self, name: &str, body: Body) {
        if let Some(function) = self.functions.get_mut(name) {
            function.body = Some(Arc::new(body));
        }
    }

    pub(crate) fn function(&self, name: &str) -> Option<&Function> {
        self.layers().find_map(|scope| scope.functions.get(name))
    }

    /// The functions of the user.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (&str, &Function)> {
        self.layers().flat_map(|scope| &scope.functions).map(|(name, function)| (name.as_str(), function))
    }

    /// Refuses all words of events by name: `pre`, `change`, `edge` and its kin, `side`, `increasing`,
    /// `decreasing`, `halt` and the other controls, and assignments. For models without events, whose files
    /// may have been made of those that have some.
    ///
    /// ```
    /// use siconos_expression::{Scope, parse_number};
    ///
    /// let error = parse_number("2 * pre(1)", &Scope::new().without_events()).unwrap_err();
    /// let expected = "`pre` belongs to the events of hybrid models; there are none here";
    /// assert_eq!((error.to_string().as_str(), error.span), (expected, 4..7));
    /// ```
    #[must_use]
    pub fn without_events(mut self) -> Self {
        self.is_without_events = true;
        self
    }

    pub(crate) fn is_without_events(&self) -> bool {
        self.is_without_events
    }

    /// Lets `pre` read the names of `bank` from `previous_bank`, at the same index. Without any such bank
    /// `pre` is an error, as it is outside events. What never changes may be read from its own bank.
    #[must_use]
    pub fn with_previous(mut self, bank: u32, previous_bank: u32) -> Self {
        self.previous.insert(bank, previous_bank);
        self
    }

    /// Lets actions have temporaries: an unknown name that is assigned gets the next index of `bank`, from 0
    /// in each action.
    #[must_use]
    pub fn with_temporaries(mut self, bank: u32) -> Self {
        self.temporaries = Some(bank);
        self
    }

    /// What a name stands for, if it was declared.
    pub fn get(&self, name: &str) -> Option<&Name> {
        self.layers().find_map(|scope| scope.names.get(name))
    }

    /// All names with what they stand for, in the order of their characters.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Name)> {
        let all: BTreeMap<_, _> = self.layers().flat_map(|scope| &scope.names).collect();
        all.into_iter().map(|(name, meaning)| (name.as_str(), meaning))
    }

    /// The value of a constant, of the language or declared.
    pub(crate) fn constant(&self, name: &str) -> Option<f64> {
        names::constant(name).or_else(|| self.layers().find_map(|scope| scope.constants.get(name)).copied())
    }

    /// The names of all constants.
    pub(crate) fn constants(&self) -> impl Iterator<Item = &str> {
        names::constants().chain(self.layers().flat_map(|scope| scope.constants.keys()).map(String::as_str))
    }

    pub(crate) fn temporaries(&self) -> Option<u32> {
        self.temporaries
    }

    pub(crate) fn has_previous(&self) -> bool {
        !self.previous.is_empty()
    }

    /// Where the previous value of a symbol is.
    pub(crate) fn previous(&self, symbol: Symbol) -> Option<Symbol> {
        let bank = *self.previous.get(&symbol.bank)?;
        Some(Symbol { bank, index: symbol.index })
    }
}
