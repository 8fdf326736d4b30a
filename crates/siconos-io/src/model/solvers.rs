//! Solver of the one-step problems, selected by problem class and method.

use serde::Serialize;
use serde::de::DeserializeOwned;
use siconos_kernel::nonsmooth_problem::{OneStepClass, OneStepSolver};
use siconos_kernel::{Error, SettingsError};
use siconos_numerics::avi::AviMethod;
use siconos_numerics::contact::ContactMethod;
use siconos_numerics::gmp::GmpMethod;
use siconos_numerics::lcp::LcpMethod;
use siconos_numerics::method::Method;
use siconos_numerics::mlcp::MlcpMethod;
use siconos_numerics::relay::RelayMethod;

use crate::document::{Diagnostics, Node, Numbers, Value, settings};

/// Solver for one of the problem classes that arise from models.
#[derive(Clone, Debug)]
pub(super) enum SolverChoice {
    Lcp(LcpMethod),
    Mlcp(MlcpMethod),
    Relay(RelayMethod),
    Avi(AviMethod),
    Contact(ContactMethod),
    Gmp(GmpMethod),
}

type ReadClass = fn(&Value<'_>, Numbers<'_>, &mut Diagnostics<'_>) -> Option<SolverChoice>;

/// Problem classes by name.
const CLASSES: [(&str, ReadClass); 6] = [
    ("lcp", |value, numbers, diagnostics| method(value, numbers, diagnostics).map(SolverChoice::Lcp)),
    ("mlcp", |value, numbers, diagnostics| method(value, numbers, diagnostics).map(SolverChoice::Mlcp)),
    ("relay", |value, numbers, diagnostics| method(value, numbers, diagnostics).map(SolverChoice::Relay)),
    ("avi", |value, numbers, diagnostics| method(value, numbers, diagnostics).map(SolverChoice::Avi)),
    ("contact", |value, numbers, diagnostics| method(value, numbers, diagnostics).map(SolverChoice::Contact)),
    ("gmp", |value, numbers, diagnostics| method(value, numbers, diagnostics).map(SolverChoice::Gmp)),
];

/// Reads a method, given by its name in the code, such as `projected_gauss_seidel`, or by an alias, such as
/// `projected-gauss-seidel` or `PSOR`. Settings that the file omits have the defaults of that method.
fn method<M: Method + Serialize + DeserializeOwned>(
    value: &Value<'_>,
    numbers: Numbers<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<M> {
    let kind = match &value.node {
        Node::Table(table) => table.get("kind").map(|kind| &kind.node),
        node => Some(node),
    };
    let named = match kind {
        Some(Node::Text(name)) => M::from_name(&name.content).and_then(|own| Value::of_settings(&own, None)),
        _ => None,
    };
    match (named, &value.node) {
        (Some(named), Node::Table(given)) => {
            let given = given.entries.iter().filter(|entry| entry.key != "kind").cloned();
            settings(&named.with_entries(given), numbers, diagnostics)
        }
        (Some(named), _) => settings(&named, numbers, diagnostics),
        (None, _) => settings(value, numbers, diagnostics),
    }
}

/// Reads `{ class = "lcp", kind = "lemke", .. }`.
pub(super) fn read(
    mut value: Value<'_>,
    numbers: Numbers<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<SolverChoice> {
    let span = value.span.clone();
    let class = value.take("class", diagnostics)?;
    let class = diagnostics.required(class, "class", &span)?;
    let read = class.word(diagnostics, &CLASSES)?;
    read(&value, numbers, diagnostics)
}

impl SolverChoice {
    /// Returns the value that [`read`] reads as this choice, or `None` if the settings cannot be written.
    pub(super) fn written(&self) -> Option<Value<'static>> {
        fn of<M: Method + Serialize + DeserializeOwned + PartialEq>(
            class: usize,
            method: &M,
        ) -> Option<Value<'static>> {
            Some(Value::of_settings(method, None)?.with_first("class", Value::of_text(CLASSES[class].0)))
        }
        match self {
            Self::Lcp(method) => of(0, method),
            Self::Mlcp(method) => of(1, method),
            Self::Relay(method) => of(2, method),
            Self::Avi(method) => of(3, method),
            Self::Contact(method) => of(4, method),
            Self::Gmp(method) => of(5, method),
        }
    }

    /// Builds the solver.
    pub(super) fn build(&self) -> Result<OneStepSolver, Error> {
        fn of<M: Method>(method: &M) -> Result<OneStepSolver, Error>
        where
            M::Class: OneStepClass,
        {
            OneStepSolver::from_method(method).map_err(|error| SettingsError::from(error).into())
        }
        match self {
            Self::Lcp(method) => of(method),
            Self::Mlcp(method) => of(method),
            Self::Relay(method) => of(method),
            Self::Avi(method) => of(method),
            Self::Contact(method) => of(method),
            Self::Gmp(method) => of(method),
        }
    }
}
