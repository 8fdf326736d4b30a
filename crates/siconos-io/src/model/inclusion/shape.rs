//! Convex sets with constant numbers.

use std::sync::Arc;

use ndarray::Array2;
use siconos_expression::Scope;
use siconos_numerics::Status;
use siconos_numerics::cone::{
    Ball, ConvexSet, ConvexSetError, DykstraSettings, Ellipsoid, HalfSpace, Intersection, Interval, Orthant,
    Polyhedron, SecondOrderCone, Simplex, TransformedSet,
};

use super::super::values::{Grid, evaluated, expression, matrix, sized};
use super::set::{Frame, INTERSECTION, SetKind, bounds};
use crate::document::{Diagnostics, Node, Table, Value, settings};

/// A set that does not move.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Orthant,
    Box { lower: Vec<f64>, upper: Vec<f64> },
    HalfSpace(HalfSpace),
    Polyhedron(Polyhedron),
    Ball(Ball),
    Ellipsoid(Box<Ellipsoid>),
    Simplex(Simplex),
    Cone(SecondOrderCone),
    Intersection(Arc<Intersection>),
    Transformed(Box<TransformedSet<Shape>>),
}

impl ConvexSet for Shape {
    fn project(&self, x: &mut [f64]) {
        let _reported = self.try_project(x);
    }

    fn try_project(&self, x: &mut [f64]) -> Status {
        match self {
            Self::Orthant => Orthant.try_project(x),
            // The bounds have been checked to be in order.
            Self::Box { lower, upper } => match Interval::new(lower, upper) {
                Ok(interval) => interval.try_project(x),
                Err(_) => Status::Breakdown,
            },
            Self::HalfSpace(set) => set.try_project(x),
            Self::Polyhedron(set) => set.try_project(x),
            Self::Ball(set) => set.try_project(x),
            Self::Ellipsoid(set) => set.try_project(x),
            Self::Simplex(set) => set.try_project(x),
            Self::Cone(set) => set.try_project(x),
            Self::Intersection(set) => set.try_project(x),
            Self::Transformed(set) => set.try_project(x),
        }
    }
}

/// Number of components of the points of a set, and scope in which its numbers are read.
#[derive(Clone, Copy)]
pub(super) struct SetContext<'s> {
    pub(super) n: usize,
    pub(super) scope: &'s Scope,
}

impl Shape {
    /// Reads a set of the given kind from its table. The keys of the table have been checked.
    pub(super) fn read(
        kind: SetKind,
        table: &Table<'_>,
        place: SetContext<'_>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let SetContext { n, scope } = place;
        let get = |key: &str| table.get(key);
        Some(match kind {
            SetKind::Orthant => Self::Orthant,
            SetKind::Box => {
                let (lower, upper) = bounds(get("lower"), get("upper"), place, diagnostics)?;
                let number = |value: &Option<siconos_expression::Expression>, none: f64| {
                    value.as_ref().map_or(none, |value| value.evaluate(&[]))
                };
                let lower: Vec<_> = lower.iter().map(|own| number(own, f64::NEG_INFINITY)).collect();
                let upper: Vec<_> = upper.iter().map(|own| number(own, f64::INFINITY)).collect();
                Interval::new(&lower, &upper)
                    .map_err(ConvexSetError::from)
                    .map(drop)
                    .noted(table, diagnostics)?;
                Self::Box { lower, upper }
            }
            SetKind::HalfSpace => {
                let a = get("a").and_then(|a| sized(a, n, scope, diagnostics));
                let b = get("b").and_then(|b| expression(b, scope, diagnostics));
                let set = HalfSpace::new(evaluated(&a?, &[]), b?.evaluate(&[]));
                Self::HalfSpace(set.noted(table, diagnostics)?)
            }
            SetKind::Polyhedron => {
                let (h, k) = inequalities(table, place, diagnostics)?;
                Self::Polyhedron(polyhedron(&h, &k, table, diagnostics)?)
            }
            SetKind::Ball => {
                let centre = centre(get("centre"), place, diagnostics);
                let radius = get("radius").and_then(|radius| expression(radius, scope, diagnostics));
                Self::Ball(Ball::new(centre?, radius?.evaluate(&[])).noted(table, diagnostics)?)
            }
            SetKind::Ellipsoid => {
                let centre = centre(get("centre"), place, diagnostics);
                let q = get("Q").and_then(|q| constant_matrix(q, (n, n), scope, diagnostics));
                let set = Ellipsoid::new(centre?, q?.view()).noted(table, diagnostics)?;
                Self::Ellipsoid(Box::new(set))
            }
            SetKind::Simplex => {
                let sum = get("sum").map_or(Some(1.0), |sum| constant(sum, scope, diagnostics))?;
                Self::Simplex(Simplex::new(sum).noted(table, diagnostics)?)
            }
            SetKind::SecondOrderCone => {
                let own = get("coefficient").map_or(Some(1.0), |own| constant(own, scope, diagnostics))?;
                Self::Cone(SecondOrderCone::new(n, own).noted(table, diagnostics)?)
            }
            SetKind::Intersection => Self::intersection(table, place, diagnostics)?,
        })
    }

    /// Reads a member of an intersection, with its kind and its frame.
    fn within(value: &Value<'_>, place: SetContext<'_>, diagnostics: &mut Diagnostics<'_>) -> Option<Self> {
        let (kind, table) = SetKind::of(value, diagnostics)?;
        let shape = Self::read(kind, table, place, diagnostics);
        match Frame::read(table, place, diagnostics) {
            None => shape,
            Some(frame) => {
                let moved = frame?.moved(shape?, place.n).noted(table, diagnostics)?;
                Some(Self::Transformed(Box::new(moved)))
            }
        }
    }

    fn intersection(
        table: &Table<'_>,
        place: SetContext<'_>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let sets = table.get("sets")?;
        let Node::Array(values) = &sets.node else { return sets.refused(diagnostics, "an array of sets") };
        if values.is_empty() {
            diagnostics.note(&sets.span, ConvexSetError::NoSet);
        }
        let read: Vec<_> = values.iter().map(|value| Self::within(value, place, diagnostics)).collect();
        let own: Option<DykstraSettings> = match table.get(INTERSECTION[2].name) {
            None => Some(DykstraSettings::default()),
            Some(own) => settings(own, place.scope, diagnostics),
        };
        let mut set = Intersection::default();
        for shape in read {
            set.add(shape?);
        }
        match set.with_settings(own?) {
            Ok(set) => Some(Self::Intersection(Arc::new(set))),
            Err(error) => {
                diagnostics.note(&sets.span, error);
                None
            }
        }
    }
}

/// Reads H and k of inequalities H x >= k.
pub(super) fn inequalities(
    table: &Table<'_>,
    place: SetContext<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(Grid, Vec<siconos_expression::Expression>)> {
    let (h, k) = (table.get("H")?, table.get("k")?);
    let h = matrix(h, (None, Some(place.n)), place.scope, diagnostics);
    let k = sized(k, h.as_ref().map(|h| h.rows), place.scope, diagnostics);
    h.zip(k)
}

/// Returns the polyhedron of constant inequalities. An empty polyhedron is an error.
pub(super) fn polyhedron(
    h: &Grid,
    k: &[siconos_expression::Expression],
    table: &Table<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Polyhedron> {
    let set = Polyhedron::new(h.values(&[])?, evaluated(k, &[])).noted(table, diagnostics)?;
    match set.emptiness() {
        None => Some(set),
        Some(factors) => {
            let message = format!(
                "this set is empty: its inequalities, multiplied by {:?}, add up to 0 >= a positive number",
                factors.to_vec()
            );
            diagnostics.note(&span_of(table), message);
            None
        }
    }
}

fn centre(
    value: Option<&Value<'_>>,
    place: SetContext<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<f64>> {
    match value {
        None => Some(vec![0.0; place.n]),
        Some(value) => sized(value, place.n, place.scope, diagnostics).map(|own| evaluated(&own, &[])),
    }
}

/// Reads a number. The scope must contain only names with constant values.
pub(super) fn constant(value: &Value<'_>, scope: &Scope, diagnostics: &mut Diagnostics<'_>) -> Option<f64> {
    expression(value, scope, diagnostics).map(|own| own.evaluate(&[]))
}

/// Reads a matrix of the given shape. The scope must contain only names with constant values.
pub(super) fn constant_matrix(
    value: &Value<'_>,
    (rows, columns): (usize, usize),
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Array2<f64>> {
    matrix(value, (Some(rows), Some(columns)), scope, diagnostics)?.values(&[])
}

/// Returns the location of the kind of a set, for errors that concern the whole set.
pub(super) fn span_of(table: &Table<'_>) -> std::ops::Range<usize> {
    table.get("kind").map_or(0..0, |kind| kind.span.clone())
}

/// Converts an error of a set to a diagnostic at the location of the value of the key `kind`.
pub(super) trait Noted<T> {
    fn noted(self, table: &Table<'_>, diagnostics: &mut Diagnostics<'_>) -> Option<T>;
}

impl<T> Noted<T> for Result<T, ConvexSetError> {
    fn noted(self, table: &Table<'_>, diagnostics: &mut Diagnostics<'_>) -> Option<T> {
        self.map_err(|error| diagnostics.note(&span_of(table), error)).ok()
    }
}
