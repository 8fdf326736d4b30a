//! Nonlinear systems of first order: M(t, x) x' = f(t, x) + r.

use siconos_expression::Expression;
use siconos_kernel::model::dynamical_system::VectorField;
use siconos_kernel::model::{FirstOrderNonlinear, Jacobian};

use super::super::functions;
use super::super::registered::{Registered, VectorFunction};
use super::super::registry::{Arguments, Registry};
use super::super::scopes::{FIRST, symbols};
use super::super::values::{Grid, evaluated, matrix, vector};
use super::super::write::{Sheet, is_registered};
use super::Parts;
use super::control::{self, Control};
use crate::document::{Faults, Form, Key, Value, needed, optional};

pub(super) const KEYS: [Key; 7] = [
    needed("family", Form::Word(&["first_order_nonlinear"]), "what kind of system it is"),
    needed("x", Form::Vector, "the state at the start"),
    optional("coordinates", Form::Names, "names of the states; default `x`, or `x[0]`, .."),
    needed("f", Form::Vector, "the right side, of time and state"),
    optional("mass", Form::Matrix, "M, constant or of time and state; default the identity"),
    optional("derivative", Form::Matrix, "of f by x, in place of that of its expressions"),
    optional("control", Form::Table, "T of the state times u of time, state and rates; default 0"),
];

/// What a file says of it.
#[derive(Debug)]
pub(super) struct Described {
    x: Vec<Expression>,
    f: VectorFunction,
    mass: Option<Grid>,
    derivative: Option<Grid>,
    control: Option<Control>,
}

pub(super) fn read(parts: Parts<'_, '_>, faults: &mut Faults<'_>) -> Option<Described> {
    let Parts { table, span, scopes, coordinates } = parts;
    let n = coordinates.size();
    let [_, x, _, f, mass, derivative, control] = table.keyed(&KEYS, &span, faults);
    let scope = coordinates.scope(&scopes.time);
    let x = x.and_then(|x| vector(&x, &scopes.parameters, faults));
    let f = f.and_then(|f| VectorFunction::sized(&f, n, (&scope, Arguments::State), faults));
    let [mass, derivative] = [mass, derivative].map(|value| match value {
        Some(value) => matrix(&value, (n, n), &scope, faults).map(Some),
        None => Some(None),
    });
    let (of_state, with_rates) =
        (coordinates.scope(&scopes.parameters), coordinates.scope_with_rates(&scopes.time));
    let control = control::read(control, n, (&of_state, &with_rates), faults);
    Some(Described { x: x?, f: f?, mass: mass?, derivative: derivative?, control: control? })
}

impl Described {
    /// The expressions of a function of the system, by its name.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match function {
            "f" => self.f.expressions(),
            "M" => self.mass.as_ref().map(Grid::as_slice),
            "derivative of f in x" => self.derivative.as_ref().map(Grid::as_slice),
            _ => self.control.as_ref()?.text(function),
        }
    }

    /// The functions that a registry has, by the names of the kernel.
    pub(super) fn registered(&self) -> impl Iterator<Item = (&'static str, &Registered)> {
        self.f.registered().map(|own| ("f", own)).into_iter()
    }

    pub(super) fn build(&self, parameters: &[f64], registry: &Registry) -> Option<FirstOrderNonlinear> {
        let x = evaluated(&self.x, parameters);
        let jacobian: Jacobian = match (&self.derivative, &self.f) {
            (Some(grid), _) => functions::given_jacobian(grid),
            (None, VectorFunction::Expressions(f)) => functions::jacobian(f, &symbols(FIRST, x.len())),
            (None, VectorFunction::Registered(own)) => own.jacobian(registry, 0),
        };
        let system = match &self.f {
            VectorFunction::Expressions(f) => FirstOrderNonlinear::new(x, functions::of_first(f), jacobian),
            VectorFunction::Registered(own) => FirstOrderNonlinear::new(x, own.of_first(registry)?, jacobian),
        };
        let system = match &self.control {
            Some(control) => system.with_control(control.build()),
            None => system,
        };
        let Some(mass) = &self.mass else { return Some(system) };
        Some(match mass.values(parameters) {
            Some(mass) => system.with_mass(mass),
            None => system.with_mass_function(functions::matrix_of_first(mass)),
        })
    }
}

/// Writes it by the same keys.
pub(super) fn write(own: &FirstOrderNonlinear, coordinates: Option<&[String]>, sheet: &mut Sheet<'_>) {
    let [family, x, named, f, mass, derivative, control] = &KEYS;
    let n = own.x0().len();
    sheet.put(family, Value::of_text("first_order_nonlinear"));
    sheet.coordinates(named, "x", coordinates);
    sheet.vector(x, own.x0());
    sheet.matrix_coefficient(mass, "M", (n, n), own.mass());
    match own.field() {
        VectorField::Function { f: origin, jacobian } => {
            sheet.expressions(f, "f", origin);
            // A registry has the derivative, or nobody.
            if !is_registered(origin)
                && let Some(value) = sheet.derivative("derivative of f in x", n, jacobian)
            {
                sheet.put(derivative, value);
            }
        }
        VectorField::OfLagrangian(_) => {
            sheet.leave("field", "is that of a Lagrangian system, which has no key in files");
        }
    }
    if let Some(own) = own.control() {
        let names = ["derivative of T u in x", "derivative of T u in x'"];
        control::write(own, n, names, control, sheet);
    }
}
