//! Functions that a file only names: `{ function = "drag" }`, which a registry of the program has.

use std::ops::Range;
use std::sync::Arc;

use ndarray::ArrayViewMut2;
use siconos_expression::{Expression, Scope, did_you_mean, nearest};
use siconos_kernel::model::{At, Jacobian, Parameters};

use super::functions::dense;
use super::registry::{Arguments, Closure, Function, Registry};
use super::values::{sized, vector};
use crate::document::{Faults, Node, Table, Value};

/// The keys of a table that names a function, the second one where its size is not known otherwise.
pub(super) const FUNCTION: &str = "function";
pub(super) const SIZE: &str = "size";

/// A vector that is a function.
#[derive(Debug)]
pub(super) enum VectorFunction {
    Expressions(Vec<Expression>),
    Registered(Registered),
}

/// A function by its name, what it has to read, and how many numbers it gives.
#[derive(Clone, Debug)]
pub(super) struct Registered {
    pub(super) name: String,
    span: Range<usize>,
    arguments: Arguments,
    pub(super) size: usize,
}

impl VectorFunction {
    /// Expressions of a scope, or the name of a function that reads these arguments; as many numbers as
    /// `size`, which for functions the file gives where it is not known.
    pub(super) fn sized(
        value: &Value<'_>,
        size: Option<usize>,
        (scope, arguments): (&Scope, Arguments),
        faults: &mut Faults<'_>,
    ) -> Option<Self> {
        match named(value) {
            Some(table) => {
                let [name] = table.clone().fields(faults, [FUNCTION]);
                let registered = read(name?, &value.span, (size, arguments), faults)?;
                Some(Self::Registered(registered))
            }
            None => sized(value, size, scope, faults).map(Self::Expressions),
        }
    }

    /// As many numbers as the file says.
    pub(super) fn of_any_size(
        value: &Value<'_>,
        (scope, arguments): (&Scope, Arguments),
        faults: &mut Faults<'_>,
    ) -> Option<Self> {
        match named(value) {
            Some(table) => {
                let [name, size] = table.clone().fields(faults, [FUNCTION, SIZE]);
                let size = size.map_or(Some(1), |size| size.count(faults, 1));
                let registered = read(name?, &value.span, (size, arguments), faults)?;
                Some(Self::Registered(registered))
            }
            None => vector(value, scope, faults).map(Self::Expressions),
        }
    }

    /// How many numbers it gives.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Expressions(entries) => entries.len(),
            Self::Registered(registered) => registered.size,
        }
    }

    pub(super) fn expressions(&self) -> Option<&[Expression]> {
        match self {
            Self::Expressions(entries) => Some(entries),
            Self::Registered(_) => None,
        }
    }

    pub(super) fn registered(&self) -> Option<&Registered> {
        match self {
            Self::Expressions(_) => None,
            Self::Registered(registered) => Some(registered),
        }
    }
}

fn named<'v, 's>(value: &'v Value<'s>) -> Option<&'v Table<'s>> {
    match &value.node {
        Node::Table(table) if table.get(FUNCTION).is_some() => Some(table),
        _ => None,
    }
}

fn read(
    name: Value<'_>,
    span: &Range<usize>,
    (size, arguments): (Option<usize>, Arguments),
    faults: &mut Faults<'_>,
) -> Option<Registered> {
    let name = name.text(faults)?.content.into_owned();
    Some(Registered { name, span: span.clone(), arguments, size: size? })
}

impl Registered {
    /// Notes that a registry has no such function.
    pub(super) fn check(&self, registry: &Registry, faults: &mut Faults<'_>) {
        let name = &self.name;
        let message = match registry.get(name) {
            Some(function) if function.arguments == self.arguments => return,
            Some(function) => format!(
                "the function `{name}` is {}; one {} is needed here",
                function.arguments.words(),
                self.arguments.words()
            ),
            None if registry.names().next().is_none() => format!(
                "there is no function `{name}`: the model is built without a registry of functions, which programs \
                 have, and the command line has not"
            ),
            None => {
                let near = did_you_mean(nearest(name, registry.names()).as_deref());
                format!("there is no function `{name}` in the registry{near}")
            }
        };
        faults.note(&self.span, message);
    }

    fn function<'r>(&self, registry: &'r Registry) -> Option<&'r Function> {
        registry.get(&self.name).filter(|function| function.arguments == self.arguments)
    }

    /// As a function of the time.
    pub(super) fn of_time(
        &self,
        registry: &Registry,
    ) -> Option<impl Fn(At<'_>, &mut [f64]) + Send + Sync + use<>> {
        let value = self.value(registry)?;
        Some(move |at: At<'_>, out: &mut [f64]| value(at, &[], &[], out))
    }

    /// As a function of time and one vector.
    pub(super) fn of_first(
        &self,
        registry: &Registry,
    ) -> Option<impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + use<>> {
        let value = self.value(registry)?;
        Some(move |at: At<'_>, x: &[f64], out: &mut [f64]| value(at, x, &[], out))
    }

    /// As a function of one vector, without the time.
    pub(super) fn steady(
        &self,
        registry: &Registry,
    ) -> Option<impl Fn(&Parameters, &[f64], &mut [f64]) + Send + Sync + use<>> {
        let value = self.value(registry)?;
        Some(move |parameters: &Parameters, x: &[f64], out: &mut [f64]| {
            value(At::new(f64::NAN, parameters), x, &[], out);
        })
    }

    /// The function of the registry, with all the arguments that any has.
    pub(super) fn value(&self, registry: &Registry) -> Option<Arc<Closure>> {
        self.function(registry).map(|function| Arc::clone(&function.value))
    }

    /// The derivative by the first or the second vector, where the registry has it.
    pub(super) fn derivative(&self, registry: &Registry, variable: usize) -> Option<Arc<Closure>> {
        self.function(registry)?.derivatives.get(variable)?.clone()
    }

    /// Both derivatives, as the kernel is told of them.
    pub(super) fn jacobian(&self, registry: &Registry, variable: usize) -> Jacobian {
        let Some(derivative) = self.derivative(registry, variable) else { return Jacobian::FiniteDifference };
        Jacobian::function(move |at: At<'_>, x: &[f64], y: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
            dense(out, |rows| derivative(at, x, y, rows));
        })
    }
}
