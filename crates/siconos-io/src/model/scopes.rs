//! Names that expressions of a model can read, and the argument slots that hold their values.

use std::sync::Arc;

use siconos_expression::{Name, Role, Scope, ScopeError, Symbol, ValueKind};

use crate::document::Numbers;
pub(super) use crate::document::T;

/// Argument slot of the time \[s\].
pub(super) const TIME: u32 = 0;
/// Argument slot of the values of all parameters, in the order of declaration.
pub(super) const PARAMETERS: u32 = 1;
/// Argument slot of the first argument of a function: positions or states.
pub(super) const FIRST: u32 = 2;
/// Argument slot of the second argument of a function: velocities or multipliers.
pub(super) const SECOND: u32 = 3;
/// Argument slot of the third argument of a function: the vector z of a nonlinear relation.
pub(super) const THIRD: u32 = 4;

/// Returns the symbol of an entry of an argument slot.
pub(super) fn symbol(slot: u32, index: usize) -> Symbol {
    // The conversion cannot fail: a file with more than 2^32 names would not fit in memory.
    Symbol { slot, index: u32::try_from(index).unwrap_or(u32::MAX) }
}

/// Returns the first `count` symbols of an argument slot.
pub(super) fn symbols(slot: u32, count: usize) -> Vec<Symbol> {
    (0..count).map(|index| symbol(slot, index)).collect()
}

/// Scopes of a model, each of which contains the names of the previous one.
#[derive(Clone, Debug)]
pub(super) struct Scopes {
    /// Constants, which are replaced by their values.
    pub(super) constants: Scope,
    /// Constants, functions and parameters: names that do not depend on the time.
    pub(super) parameters: Arc<Scope>,
    /// Constants, functions, parameters and the time.
    pub(super) time: Arc<Scope>,
    /// Values of all parameters in the file.
    initial: Arc<[f64]>,
}

impl Scopes {
    /// Creates the scopes from the scopes of constants and of named parameters, and the values of the
    /// parameters in the file.
    pub(super) fn new(constants: Scope, parameters: Scope, initial: Vec<f64>) -> Self {
        let parameters = Arc::new(parameters);
        let mut time = Scope::standing_on(&parameters);
        // This cannot fail: the scope is empty, and parameters and constants with this name have been
        // rejected.
        let _first = time.declare(T, name(symbol(TIME, 0), Role::Independent));
        Self { constants, parameters, time: Arc::new(time), initial: initial.into() }
    }

    /// Returns the names that settings can read, with the values of the parameters in the file.
    pub(super) fn numbers(&self) -> Numbers<'_> {
        Numbers::new(&self.parameters, &self.initial)
    }
}

/// Creates the entry of a real value in a scope.
pub(super) fn name(symbol: Symbol, role: Role) -> Name {
    Name { symbol, kind: ValueKind::Real, role }
}

/// Returns the names of the components of a vector: `word` for one component, `word[0]`, .. for more.
pub(super) fn numbered(word: &str, size: usize) -> Vec<String> {
    match size {
        1 => vec![word.to_owned()],
        _ => (0..size).map(|index| format!("{word}[{index}]")).collect(),
    }
}

/// Declares the entries of an argument slot under these names, each followed by `primes` primes.
///
/// # Errors
///
/// If a name cannot be declared. The error contains the index of this name.
pub(super) fn declare(
    scope: &mut Scope,
    names: &[String],
    primes: usize,
    slot: u32,
    role: Role,
) -> Result<(), (usize, ScopeError)> {
    for (index, own) in names.iter().enumerate() {
        let own = format!("{own}{}", "'".repeat(primes));
        scope.declare(&own, name(symbol(slot, index), role)).map_err(|error| (index, error))?;
    }
    Ok(())
}
