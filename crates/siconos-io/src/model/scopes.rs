//! The names that texts of a model may use, and the banks in which their values are.

use std::sync::Arc;

use siconos_expression::{Kind, Name, Role, Scope, ScopeError, Symbol};

/// The time \[s\].
pub(super) const TIME: u32 = 0;
/// The values of all parameters, in the order of declaration.
pub(super) const PARAMETERS: u32 = 1;
/// The first argument of a function: positions, or states.
pub(super) const FIRST: u32 = 2;
/// The second one: velocities, or multipliers.
pub(super) const SECOND: u32 = 3;
/// The third one: numbers that belong to a relation.
pub(super) const THIRD: u32 = 4;

/// The name of the time.
pub(super) const T: &str = "t";

/// The symbol at a place of a bank.
pub(super) fn symbol(bank: u32, index: usize) -> Symbol {
    // A file with more than 2^32 names would not fit in memory.
    Symbol { bank, index: u32::try_from(index).unwrap_or(u32::MAX) }
}

/// All symbols of a bank.
pub(super) fn symbols(bank: u32, count: usize) -> Vec<Symbol> {
    (0..count).map(|index| symbol(bank, index)).collect()
}

/// The scopes of a model, from that of its constants to those of functions of a state.
#[derive(Clone, Debug)]
pub(super) struct Scopes {
    /// Constants alone, which stand for their values.
    pub(super) constants: Scope,
    /// Constants, functions and parameters: what does not depend on time.
    pub(super) parameters: Arc<Scope>,
    /// With the time.
    pub(super) time: Arc<Scope>,
}

impl Scopes {
    /// The scopes over constants and named parameters.
    pub(super) fn new(constants: Scope, parameters: Scope) -> Self {
        let parameters = Arc::new(parameters);
        let mut time = Scope::standing_on(&parameters);
        // The first name of a scope; parameters and constants of this name are refused before.
        let _first = time.declare(T, name(symbol(TIME, 0), Role::Independent));
        Self { constants, parameters, time: Arc::new(time) }
    }
}

/// What a name of real values stands for.
pub(super) fn name(symbol: Symbol, role: Role) -> Name {
    Name { symbol, kind: Kind::Real, role }
}

/// The names of the components of a vector of a size: the word alone for one, `word[0]`, .. for more.
pub(super) fn numbered(word: &str, size: usize) -> Vec<String> {
    match size {
        1 => vec![word.to_owned()],
        _ => (0..size).map(|index| format!("{word}[{index}]")).collect(),
    }
}

/// Adds names of the entries of a bank, with so many primes each.
///
/// # Errors
///
/// The first name that cannot be declared, by its place.
pub(super) fn declare(
    scope: &mut Scope,
    names: &[String],
    primes: usize,
    bank: u32,
    role: Role,
) -> Result<(), (usize, ScopeError)> {
    for (index, own) in names.iter().enumerate() {
        let own = format!("{own}{}", "'".repeat(primes));
        scope.declare(&own, name(symbol(bank, index), role)).map_err(|error| (index, error))?;
    }
    Ok(())
}
