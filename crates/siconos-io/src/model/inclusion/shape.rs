//! Convex sets with constant numbers.

use std::sync::Arc;

use ndarray::Array2;
use siconos_expression::Scope;
use siconos_numerics::Status;
use siconos_numerics::cone::{
    Ball, ConvexSet, DykstraSettings, Ellipsoid, HalfSpace, Intersection, Interval, TransformedSet, Orthant,
    Polyhedron, SecondOrderCone, ConvexSetError, Simplex,
};

use super::super::values::{Grid, evaluated, expression, matrix, sized};
use super::set::{Frame, INTERSECTION, Kind, bounds};
use crate::document::{Faults, Node, Table, Value, settings};

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
pub(super) struct Place<'s> {
    pub(super) n: usize,
    pub(super) scope: &'s Scope,
}

impl Shape {
    /// Reads a set of a kind from its table. The keys of the table have been checked.
    pub(super) fn read(
        kind: Kind,
        table: &Table<'_>,
        place: Place<'_>,
        faults: &mut Faults<'_>,
    ) -> Option<Self> {
        let Place { n, scope } = place;
        let get = |key: &str| table.get(key);
        Some(match kind {
            Kind::Orthant => Self::Orthant,
            Kind::Box => {
                let (lower, upper) = bounds(get("lower"), get("upper"), place, faults)?;
                let number = |value: &Option<siconos_expression::Expression>, none: f64| {
                    value.as_ref().map_or(none, |value| value.evaluate(&[]))
                };
                let lower: Vec<_> = lower.iter().map(|own| number(own, f64::NEG_INFINITY)).collect();
                let upper: Vec<_> = upper.iter().map(|own| number(own, f64::INFINITY)).collect();
                Interval::new(&lower, &upper).map_err(ConvexSetError::from).map(drop).noted(table, faults)?;
                Self::Box { lower, upper }
            }
            Kind::HalfSpace => {
                let a = get("a").and_then(|a| sized(a, n, scope, faults));
                let b = get("b").and_then(|b| expression(b, scope, faults));
                let set = HalfSpace::new(evaluated(&a?, &[]), b?.evaluate(&[]));
                Self::HalfSpace(set.noted(table, faults)?)
            }
            Kind::Polyhedron => {
                let (h, k) = inequalities(table, place, faults)?;
                Self::Polyhedron(polyhedron(&h, &k, table, faults)?)
            }
            Kind::Ball => {
                let centre = centre(get("centre"), place, faults);
                let radius = get("radius").and_then(|radius| expression(radius, scope, faults));
                Self::Ball(Ball::new(centre?, radius?.evaluate(&[])).noted(table, faults)?)
            }
            Kind::Ellipsoid => {
                let centre = centre(get("centre"), place, faults);
                let q = get("Q").and_then(|q| constant_matrix(q, (n, n), scope, faults));
                let set = Ellipsoid::new(centre?, q?.view()).noted(table, faults)?;
                Self::Ellipsoid(Box::new(set))
            }
            Kind::Simplex => {
                let sum = get("sum").map_or(Some(1.0), |sum| constant(sum, scope, faults))?;
                Self::Simplex(Simplex::new(sum).noted(table, faults)?)
            }
            Kind::SecondOrderCone => {
                let own = get("coefficient").map_or(Some(1.0), |own| constant(own, scope, faults))?;
                Self::Cone(SecondOrderCone::new(n, own).noted(table, faults)?)
            }
            Kind::Intersection => Self::intersection(table, place, faults)?,
        })
    }

    /// Reads a set of an intersection, with its kind and its frame.
    fn within(value: &Value<'_>, place: Place<'_>, faults: &mut Faults<'_>) -> Option<Self> {
        let (kind, table) = Kind::of(value, faults)?;
        let shape = Self::read(kind, table, place, faults);
        match Frame::read(table, place, faults) {
            None => shape,
            Some(frame) => {
                let moved = frame?.moved(shape?, place.n).noted(table, faults)?;
                Some(Self::Transformed(Box::new(moved)))
            }
        }
    }

    fn intersection(table: &Table<'_>, place: Place<'_>, faults: &mut Faults<'_>) -> Option<Self> {
        let sets = table.get("sets")?;
        let Node::Array(values) = &sets.node else { return sets.refused(faults, "an array of sets") };
        if values.is_empty() {
            faults.note(&sets.span, ConvexSetError::NoSet);
        }
        let read: Vec<_> = values.iter().map(|value| Self::within(value, place, faults)).collect();
        let own: Option<DykstraSettings> = match table.get(INTERSECTION[2].name) {
            None => Some(DykstraSettings::default()),
            Some(own) => settings(own, place.scope, faults),
        };
        let mut set = Intersection::default();
        for shape in read {
            set.add(shape?);
        }
        match set.with_settings(own?) {
            Ok(set) => Some(Self::Intersection(Arc::new(set))),
            Err(error) => {
                faults.note(&sets.span, error);
                None
            }
        }
    }
}

/// Reads H and k of inequalities H x >= k.
pub(super) fn inequalities(
    table: &Table<'_>,
    place: Place<'_>,
    faults: &mut Faults<'_>,
) -> Option<(Grid, Vec<siconos_expression::Expression>)> {
    let (h, k) = (table.get("H")?, table.get("k")?);
    let h = matrix(h, (None, Some(place.n)), place.scope, faults);
    let k = sized(k, h.as_ref().map(|h| h.rows), place.scope, faults);
    h.zip(k)
}

/// Returns the polyhedron of constant inequalities. An empty polyhedron is reported.
pub(super) fn polyhedron(
    h: &Grid,
    k: &[siconos_expression::Expression],
    table: &Table<'_>,
    faults: &mut Faults<'_>,
) -> Option<Polyhedron> {
    let set = Polyhedron::new(h.values(&[])?, evaluated(k, &[])).noted(table, faults)?;
    match set.emptiness() {
        None => Some(set),
        Some(factors) => {
            let message = format!(
                "this set is empty: its inequalities with the factors {:?} add up to 0 >= a number above 0",
                factors.to_vec()
            );
            faults.note(&span_of(table), message);
            None
        }
    }
}

fn centre(value: Option<&Value<'_>>, place: Place<'_>, faults: &mut Faults<'_>) -> Option<Vec<f64>> {
    match value {
        None => Some(vec![0.0; place.n]),
        Some(value) => sized(value, place.n, place.scope, faults).map(|own| evaluated(&own, &[])),
    }
}

/// Reads a number that depends on constant names only.
pub(super) fn constant(value: &Value<'_>, scope: &Scope, faults: &mut Faults<'_>) -> Option<f64> {
    expression(value, scope, faults).map(|own| own.evaluate(&[]))
}

/// Reads a matrix of this shape that depends on constant names only.
pub(super) fn constant_matrix(
    value: &Value<'_>,
    (rows, columns): (usize, usize),
    scope: &Scope,
    faults: &mut Faults<'_>,
) -> Option<Array2<f64>> {
    matrix(value, (Some(rows), Some(columns)), scope, faults)?.values(&[])
}

/// Returns the location of the kind of a set, for errors that concern the whole set.
pub(super) fn span_of(table: &Table<'_>) -> std::ops::Range<usize> {
    table.get("kind").map_or(0..0, |kind| kind.span.clone())
}

/// Report of the errors of a set at its kind.
pub(super) trait Noted<T> {
    fn noted(self, table: &Table<'_>, faults: &mut Faults<'_>) -> Option<T>;
}

impl<T> Noted<T> for Result<T, ConvexSetError> {
    fn noted(self, table: &Table<'_>, faults: &mut Faults<'_>) -> Option<T> {
        self.map_err(|error| faults.note(&span_of(table), error)).ok()
    }
}
