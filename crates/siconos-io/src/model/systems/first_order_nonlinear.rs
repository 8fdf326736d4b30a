//! Nonlinear systems of first order: M(t, x) x' = f(t, x) + r.

use siconos_expression::Expression;
use siconos_kernel::model::dynamical_system::VectorField;
use siconos_kernel::model::{FirstOrderNonlinear, Jacobian, Lagrangian};

use super::super::functions;
use super::super::positions::{Positions, Space};
use super::super::registered::{MatrixFunction, Registered, VectorFunction};
use super::super::registry::{Arguments, Registry};
use super::super::scopes::{FIRST, symbols};
use super::super::table_writer::{NO_KEY, TableWriter};
use super::super::values::{Grid, evaluated, matrix, vector};
use super::SystemInput;
use super::control::{self, Control};
use super::lagrangian;
use crate::document::{Diagnostics, Form, Key, Value, needed, optional};

pub(super) const KEYS: [Key; 7] = [
    needed(
        "family",
        Form::Word(&["first_order_nonlinear"]),
        "M x' = f + T u + r, where r is the input of the interactions",
    ),
    needed("x", Form::Vector, "initial state"),
    optional("coordinates", Form::Names, "names of the states; default `x`, or `x[0]`, .."),
    needed("f", Form::VectorOrFunction, "f, which can depend on time and state"),
    optional("mass", Form::MatrixOrFunction, "M, which can depend on time and state; default: the identity"),
    optional(
        "derivative",
        Form::Matrix,
        "derivative of f with respect to x, instead of the derivative of its expressions",
    ),
    optional(
        "control",
        Form::Table,
        "control term T u; T can depend on the state, u on time, state and rates of the state; default 0",
    ),
];

/// Names in the kernel of the derivatives of the control term.
const CONTROL_DERIVATIVES: [&str; 2] = ["derivative of T u in x", "derivative of T u in x'"];

/// Description of the system in a file.
#[derive(Debug)]
pub(super) struct NonlinearDescription {
    x: Vec<Expression>,
    f: VectorFunction,
    mass: Option<MatrixFunction>,
    derivative: Option<Grid>,
    control: Option<Control>,
}

pub(super) fn read(
    parts: SystemInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<NonlinearDescription> {
    let SystemInput { table, span, scopes, coordinates } = parts;
    let n = coordinates.size();
    let [_, x, _, f, mass, derivative, control] = table.keyed(&KEYS, &span, diagnostics);
    let scope = coordinates.scope(&scopes.time);
    let x = x.and_then(|x| vector(&x, &scopes.parameters, diagnostics));
    let f = f.and_then(|f| VectorFunction::sized(&f, n, &scope, Arguments::State, diagnostics));
    let mass = match mass {
        Some(mass) => MatrixFunction::read(&mass, (n, n), &scope, Arguments::State, diagnostics).map(Some),
        None => Some(None),
    };
    let derivative = match derivative {
        Some(derivative) => matrix(&derivative, (n, n), &scope, diagnostics).map(Some),
        None => Some(None),
    };
    let (of_state, with_rates) =
        (coordinates.scope(&scopes.parameters), coordinates.scope_with_rates(&scopes.time));
    let control = control::of_state(control, n, (&of_state, &with_rates), diagnostics);
    Some(NonlinearDescription { x: x?, f: f?, mass: mass?, derivative: derivative?, control: control? })
}

impl NonlinearDescription {
    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match function {
            "f" => self.f.expressions(),
            "M" => self.mass.as_ref()?.expressions(),
            "derivative of f in x" => self.derivative.as_ref().map(Grid::as_slice),
            _ => self.control.as_ref()?.text(CONTROL_DERIVATIVES, function),
        }
    }

    /// Returns the functions that are taken from a registry, with their names in the kernel.
    pub(super) fn registered(&self) -> impl Iterator<Item = (&'static str, &Registered)> {
        let mass = self.mass.as_ref().and_then(MatrixFunction::registered);
        let of_control = self.control.iter().flat_map(Control::registered);
        let own = [("f", self.f.registered()), ("M", mass)];
        own.into_iter().filter_map(|(name, own)| Some((name, own?))).chain(of_control)
    }

    pub(super) fn build(&self, parameters: &[f64], registry: &Registry) -> Option<FirstOrderNonlinear> {
        let x = evaluated(&self.x, parameters);
        let jacobian: Jacobian = match (&self.derivative, &self.f) {
            (Some(grid), _) => functions::given_jacobian(grid),
            (None, VectorFunction::Expressions(f)) => functions::jacobian(f, &symbols(FIRST, x.len())),
            (None, VectorFunction::Registered(own)) => own.jacobian(registry, 0),
        };
        let f = functions::of_first(self.f.evaluation(registry)?);
        let system = FirstOrderNonlinear::new(x, f, jacobian);
        let system = match &self.control {
            Some(control) => {
                let positions = Positions::new([(Space::Vector, self.x.len())]);
                system.with_control(control.build(&positions, registry)?)
            }
            None => system,
        };
        let Some(mass) = &self.mass else { return Some(system) };
        Some(match mass.constant() {
            Some(mass) => system.with_mass(mass),
            None => system.with_mass_function(functions::matrix_of_first(mass.evaluation(registry)?)),
        })
    }
}

/// Writes the system with the keys that the reader expects.
pub(super) fn write(
    own: &FirstOrderNonlinear,
    coordinates: Option<&[String]>,
    table_writer: &mut TableWriter<'_>,
) {
    let (f_origin, jacobian) = match own.field() {
        VectorField::Function { f, jacobian } => (f, jacobian),
        VectorField::OfLagrangian(lagrangian) => {
            return write_view(own, lagrangian, coordinates, table_writer);
        }
    };
    let [family, x, named, f, mass, derivative, control] = &KEYS;
    let n = own.x0().len();
    table_writer.put(family, Value::of_text("first_order_nonlinear"));
    table_writer.coordinates(named, "x", coordinates);
    table_writer.vector(x, own.x0());
    table_writer.matrix_coefficient(mass, "M", (n, n), own.mass());
    table_writer.expressions(f, "f", f_origin);
    if let Some(value) = table_writer.derivative("derivative of f in x", n, jacobian, f_origin) {
        table_writer.put(derivative, value);
    }
    if let Some(own) = own.control() {
        control::write(own, n, CONTROL_DERIVATIVES, control, table_writer);
    }
}

/// Writes a Lagrangian system in first-order form.
fn write_view(
    own: &FirstOrderNonlinear,
    lagrangian: &Lagrangian,
    coordinates: Option<&[String]>,
    table_writer: &mut TableWriter<'_>,
) {
    let positions = coordinates.map(|names| &names[..names.len() / 2]);
    lagrangian::write(lagrangian, positions, table_writer);
    table_writer.put(&lagrangian::FIRST_ORDER, Value::of_boolean(true));
    if own.mass().is_some() {
        table_writer.leave("M of x", NO_KEY);
    }
    if own.control().is_some() {
        table_writer.leave("control term of the view", NO_KEY);
    }
}
