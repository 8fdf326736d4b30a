//! Simulations of the scenarios.

use std::error::Error;

use siconos_io::trajectory::Table;

type Outcome = Result<Table, Box<dyn Error + Send + Sync>>;

/// Simulations by name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scenarios {
    pub(crate) names: &'static [&'static str],
    /// Runs a simulation; `None` for an unknown name.
    pub(crate) run: fn(&str) -> Option<Outcome>,
}

impl Scenarios {
    pub(crate) fn of_the_examples() -> Self {
        Self { names: siconos_examples::scenario::names(), run: siconos_examples::scenario::run }
    }
}
