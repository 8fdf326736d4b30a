//! Names that an expression can use, and their meanings.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::expression::{Node, Variable};
use crate::names;
use crate::symbol::{Name, Symbol, Type};

/// Reason why a name cannot be declared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScopeError {
    /// The name is not valid. A valid name is a letter or `_`, followed by letters, digits and `_`, followed
    /// by primes. It can have several parts joined by points, and an index, as in `arm.q[1]'`.
    #[error(
        "`{name}` is not a valid name; use letters, digits and `_`, not starting with a digit, then any primes"
    )]
    NotAName {
        /// The rejected name.
        name: String,
    },
    /// The name is reserved: it is a word, a function or a constant of the language.
    #[error("`{name}` is {what} and cannot be declared; {}", names::reserved_names(what))]
    Reserved {
        /// The rejected name.
        name: String,
        /// Description of what the name refers to, for example `a function`.
        what: &'static str,
    },
    /// The name was declared before.
    #[error("`{name}` is declared twice")]
    Twice {
        /// The rejected name.
        name: String,
    },
    /// The name of a function or of an argument is not a plain name. It is not valid, or it contains points,
    /// an index or primes.
    #[error(
        "`{name}` is not a valid name of a function or argument; use letters, digits and `_`, not starting with a digit"
    )]
    NotPlain {
        /// The rejected name.
        name: String,
    },
    /// A function has too many arguments.
    #[error("`{name}` has {found} arguments; the limit is {limit}")]
    TooManyArguments {
        /// Name of the function.
        name: String,
        /// Number of arguments.
        found: usize,
        /// Maximum number of arguments.
        limit: usize,
    },
    /// A constant is infinite or NaN.
    #[error("the constant `{name}` must be finite, not {value}")]
    NotFinite {
        /// Name of the constant.
        name: String,
        /// Value of the constant.
        value: f64,
    },
}

/// Set of the names that expressions can use, with the meaning of each name.
///
/// ```
/// use siconos_expression::{ValueKind, Name, Role, Scope, Symbol, parse_number};
///
/// let mut scope = Scope::new();
/// let y = Name { symbol: Symbol { slot: 0, index: 0 }, kind: ValueKind::Real, role: Role::State };
/// let speed = Name { symbol: Symbol { slot: 0, index: 1 }, kind: ValueKind::Real, role: Role::Derivative };
/// scope.declare("y", y)?;
/// scope.declare("y'", speed)?;
///
/// let energy = parse_number("(y'^2 + y^2) / 2", &scope)?;
/// assert_eq!(energy.evaluate(&[&[3.0, 4.0]]), 12.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Parent scope. All of its names are visible in this scope.
    below: Option<Arc<Scope>>,
    names: BTreeMap<String, Name>,
    constants: BTreeMap<String, f64>,
    functions: BTreeMap<String, Function>,
    previous: BTreeMap<u32, u32>,
    temporaries: Option<u32>,
    is_without_events: bool,
}

/// User-defined function of a scope.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    arguments: usize,
    /// Body, or `None` if the function has an error.
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

/// Body of a user-defined function: an expression whose first variables are the arguments.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) nodes: Vec<Node>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) value_type: Type,
}

impl Scope {
    /// Creates an empty scope. `pre` and temporary variables of actions are not available in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a child scope. All names of the parent scope `below` are visible in it, and names that are
    /// added to it do not change the parent. Nothing is copied; many small scopes can share a large parent.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use siconos_expression::{ValueKind, Name, Role, Scope, Symbol, parse_number};
    ///
    /// let mut of_all = Scope::new();
    /// of_all.declare_constant("radius", 0.5)?;
    /// let mut of_ball = Scope::standing_on(&Arc::new(of_all));
    /// let q = Name { symbol: Symbol { slot: 0, index: 0 }, kind: ValueKind::Real, role: Role::State };
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

    /// Iterates over this scope, its parent, and all further ancestors.
    fn layers(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |scope| scope.below.as_deref())
    }

    /// Adds a name: a letter or `_`, followed by letters, digits and `_`, followed by any number of primes.
    /// By convention, `y'` is the derivative of `y`, but this crate does not depend on this convention.
    ///
    /// A name can have several parts joined by points, and an index in brackets after the last part, before
    /// the primes: `ball.q`, `ball.q'`, `arm.q[1]'`. Such a name is declared as a whole, without blanks; this
    /// does not declare `arm` or `arm.q`.
    ///
    /// # Errors
    ///
    /// If the name is not a valid name, was declared before, or is a word, a function or a constant of the
    /// language ([`ScopeError`]).
    pub fn declare(&mut self, name: &str, meaning: Name) -> Result<(), ScopeError> {
        self.check_name(name)?;
        self.names.insert(name.to_owned(), meaning);
        Ok(())
    }

    /// Adds a named constant. Wherever the name is read, it is replaced by its value, also in the times of
    /// triggers.
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
    /// See [`declare`](Self::declare). Also if the value is not finite.
    pub fn declare_constant(&mut self, name: &str, value: f64) -> Result<(), ScopeError> {
        self.check_name(name)?;
        if !value.is_finite() {
            return Err(ScopeError::NotFinite { name: name.to_owned(), value });
        }
        self.constants.insert(name.to_owned(), value);
        Ok(())
    }

    /// Checks whether a name can be declared.
    ///
    /// # Errors
    ///
    /// See [`declare`](Self::declare).
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

    /// Adds a user-defined function without a body, which counts as a function with an error.
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

    /// Iterates over the user-defined functions.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (&str, &Function)> {
        self.layers().flat_map(|scope| &scope.functions).map(|(name, function)| (name.as_str(), function))
    }

    /// Rejects all words that are reserved for events: `pre`, `change`, `edge` and similar functions, `side`,
    /// `increasing`, `decreasing`, `halt` and the other control words, and assignments. The error message
    /// contains the word. Use this for models without events, whose files may be derived from files of models
    /// with events.
    ///
    /// ```
    /// use siconos_expression::{Scope, parse_number};
    ///
    /// let error = parse_number("2 * pre(1)", &Scope::new().without_events()).unwrap_err();
    /// let expected = "`pre` is available only in the events of hybrid models";
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

    /// Sets the slot that contains the previous values of the names in `slot`, which `pre` reads. A name and
    /// its previous value have the same index. If a name is in a slot without previous values, `pre` of this
    /// name is an error. If the values of a slot never change, `previous_slot` can be the slot itself.
    #[must_use]
    pub fn with_previous(mut self, slot: u32, previous_slot: u32) -> Self {
        self.previous.insert(slot, previous_slot);
        self
    }

    /// Enables temporary variables in actions. If an action assigns an unknown name, the name becomes a
    /// temporary variable. Its index in `slot` is the next free index, which starts at 0 in each action.
    #[must_use]
    pub fn with_temporaries(mut self, slot: u32) -> Self {
        self.temporaries = Some(slot);
        self
    }

    /// Returns the meaning of a name, or `None` if the name is not declared.
    pub fn get(&self, name: &str) -> Option<&Name> {
        self.layers().find_map(|scope| scope.names.get(name))
    }

    /// Iterates over all names with their meanings, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Name)> {
        let all: BTreeMap<_, _> = self.layers().flat_map(|scope| &scope.names).collect();
        all.into_iter().map(|(name, meaning)| (name.as_str(), meaning))
    }

    /// Returns the value of a constant, which is either declared or a constant of the language.
    pub(crate) fn constant(&self, name: &str) -> Option<f64> {
        names::constant(name).or_else(|| self.layers().find_map(|scope| scope.constants.get(name)).copied())
    }

    /// Iterates over the names of all constants.
    pub(crate) fn constants(&self) -> impl Iterator<Item = &str> {
        names::constants().chain(self.declared_constants())
    }

    /// Iterates over the names of the constants that are not constants of the language.
    pub(crate) fn declared_constants(&self) -> impl Iterator<Item = &str> {
        self.layers().flat_map(|scope| scope.constants.keys()).map(String::as_str)
    }

    pub(crate) fn temporaries(&self) -> Option<u32> {
        self.temporaries
    }

    pub(crate) fn has_previous(&self) -> bool {
        !self.previous.is_empty()
    }

    /// Returns the location of the previous value of a symbol.
    pub(crate) fn previous(&self, symbol: Symbol) -> Option<Symbol> {
        let slot = *self.previous.get(&symbol.slot)?;
        Some(Symbol { slot, index: symbol.index })
    }
}
