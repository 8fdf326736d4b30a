//! Description of a differential variational inequality in a file, and construction of the problem.

use ndarray::Array2;
use siconos_expression::Expression;
use siconos_numerics::cone::{ConvexSetError, Polyhedron, TransformedSet};
use siconos_sweeping::dvi::{
    Boundary, BoundarySettings, Dvi, DviError, DviSet, DviSettings, InputMap, StateMap, ViMap,
};

use super::super::scopes::TIME;
use super::super::values::{Grid, evaluated};
use super::closures::{Map, Offset, at_zero, matrix_of_vector, of_vector, reads};
use super::set::{Frame, SetDescription};
use super::shape::Shape;
use super::variables::Variables;

/// A differential variational inequality as described in the file.
#[derive(Debug)]
pub(super) struct DviDescription {
    pub(super) input: Variables,
    pub(super) f: Vec<Expression>,
    pub(super) b: Grid,
    pub(super) g: Vec<Expression>,
    /// F as a function of the time and the input.
    pub(super) map: Vec<Expression>,
    pub(super) set: DviSet,
    pub(super) method: Method,
}

/// Solution method. `Steps` takes one step after the other from an initial state. `Ends` solves all steps of
/// a boundary value problem together.
#[derive(Debug)]
pub(super) enum Method {
    Steps { theta: f64, settings: DviSettings },
    Ends(Boundary, Box<BoundarySettings>),
}

impl DviDescription {
    /// Builds the problem for a state with n components.
    pub(super) fn build(&self, n: usize) -> Result<Dvi, DviError> {
        let b = match self.b.values(&[]) {
            Some(b) => InputMap::from(b),
            None => InputMap::function((n, self.input.len()), matrix_of_vector(&self.b.entries)),
        };
        let (f, g) = (state_map(&self.f, n), state_map(&self.g, n));
        Dvi::new(f, b, g, vi_map(&self.map), self.set.clone())
    }
}

fn state_map(entries: &[Expression], n: usize) -> StateMap {
    match Map::of(entries, n) {
        Map::Affine(matrix, Offset::Constant(constant)) => StateMap::linear(matrix).with_offset(constant),
        Map::Affine(matrix, Offset::OfTime) => {
            StateMap::linear(matrix).with_offset_function(at_zero(entries, n))
        }
        Map::Any(derivative) => StateMap::function(entries.len(), of_vector(entries))
            .with_jacobian(move |t, x, out| derivative.write(&[&[t], &[], x], out)),
    }
}

fn vi_map(entries: &[Expression]) -> ViMap {
    let m = entries.len();
    let value = of_vector(entries);
    let map = match reads(entries, TIME) {
        true => ViMap::function_of_time(m, value),
        false => ViMap::function(m, move |u: &[f64], out: &mut [f64]| value(0.0, u, out)),
    };
    match Map::of(entries, m) {
        Map::Affine(matrix, Offset::Constant(constant)) if constant.iter().all(|own| *own == 0.0) => {
            ViMap::Linear(matrix)
        }
        Map::Affine(matrix, _) => map.with_jacobian(move |_u, out| out.assign(&matrix)),
        Map::Any(derivative) => {
            map.with_jacobian_of_time(move |t, u, out| derivative.write(&[&[t], &[], u], out))
        }
    }
}

impl SetDescription {
    /// Builds the set of an inequality with m components. The set is constant, because it can read only names
    /// with constant values.
    pub(super) fn fixed(&self, m: usize) -> Result<DviSet, ConvexSetError> {
        Ok(match self {
            Self::Shape(Shape::Orthant, None) => DviSet::Orthant,
            Self::Shape(shape, None) => DviSet::convex(shape.clone()),
            Self::Shape(shape, Some(frame)) => DviSet::convex(frame.moved(shape.clone(), m)?),
            Self::Box(lower, upper) => {
                let numbers = |bounds: &[Option<Expression>], none: f64| -> Vec<f64> {
                    bounds.iter().map(|own| own.as_ref().map_or(none, |own| own.evaluate(&[]))).collect()
                };
                let (lower, upper) = (numbers(lower, f64::NEG_INFINITY), numbers(upper, f64::INFINITY));
                DviSet::Box { lower, upper }
            }
            Self::Polyhedron(h, k) => {
                let matrix = h.values(&[]).unwrap_or_else(|| Array2::zeros((h.rows, h.columns)));
                DviSet::Polyhedron(Polyhedron::new(matrix, evaluated(k, &[]))?)
            }
        })
    }
}

impl Frame {
    /// Returns `shape` transformed by this frame. The frame can read only names with constant values.
    pub(super) fn moved(&self, shape: Shape, n: usize) -> Result<TransformedSet<Shape>, ConvexSetError> {
        let Self { shift, rotation, scale } = self;
        let mut moved = TransformedSet::new(shape, n);
        if let Some(rotation) = rotation.as_ref().and_then(|rotation| rotation.values(&[])) {
            moved = moved.rotated(rotation.view())?;
        }
        if let Some(scale) = scale {
            moved = moved.scaled(scale.evaluate(&[]))?;
        }
        if let Some(shift) = shift {
            moved = moved.shifted(&evaluated(shift, &[]))?;
        }
        Ok(moved)
    }
}
