//! Sets in files: their kinds and their keys.

use siconos_expression::{Expression, Scope};
use siconos_numerics::cone::ConvexSetError;

use super::super::values::{Grid, expression, length, matrix, sized};
use super::shape::{SetContext, Shape, inequalities, polyhedron, span_of};
use crate::document::{Diagnostics, Form, Key, Node, Table, Value, needed, optional};

/// Kind of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SetKind {
    Orthant,
    Box,
    HalfSpace,
    Polyhedron,
    Ball,
    Ellipsoid,
    Simplex,
    SecondOrderCone,
    Intersection,
}

const SHIFT: Key = optional("shift", Form::Vector, "vector by which the set is shifted; default none");
const ROTATION: Key = optional(
    "rotation",
    Form::Matrix,
    "orthogonal matrix that rotates the set, before it is scaled and shifted; default none",
);
const SCALE: Key =
    optional("scale", Form::Number, "positive factor that scales the set, before it is shifted; default 1");

const ORTHANT: [Key; 4] =
    [needed("kind", Form::Word(&["orthant"]), "points with nonnegative components"), SHIFT, ROTATION, SCALE];
const BOX: [Key; 6] = [
    needed("kind", Form::Word(&["box"]), "points with each component between bounds"),
    optional(
        "lower",
        Form::Vector,
        "lower bounds, or one number for all components; `\"-inf\"` for no bound; default none",
    ),
    optional(
        "upper",
        Form::Vector,
        "upper bounds, or one number for all components; `\"inf\"` for no bound; default none",
    ),
    SHIFT,
    ROTATION,
    SCALE,
];
const HALF_SPACE: [Key; 6] = [
    needed("kind", Form::Word(&["half_space"]), "points x with a x >= b"),
    needed("a", Form::Vector, "normal a, which points into the set"),
    needed("b", Form::Number, "bound b"),
    SHIFT,
    ROTATION,
    SCALE,
];
const POLYHEDRON: [Key; 6] = [
    needed("kind", Form::Word(&["polyhedron"]), "points x with H x >= k"),
    needed("H", Form::Matrix, "H, a row for each inequality"),
    needed("k", Form::Vector, "bounds k"),
    SHIFT,
    ROTATION,
    SCALE,
];
const BALL: [Key; 6] = [
    needed("kind", Form::Word(&["ball"]), "points at a distance of at most `radius` from `centre`"),
    optional("centre", Form::Vector, "centre; default: the origin"),
    needed("radius", Form::Number, "radius; positive"),
    SHIFT,
    ROTATION,
    SCALE,
];
const ELLIPSOID: [Key; 6] = [
    needed("kind", Form::Word(&["ellipsoid"]), "points x with (x - c) Q (x - c) <= 1"),
    optional("centre", Form::Vector, "centre c; default: the origin"),
    needed("Q", Form::Matrix, "Q, symmetric and positive definite"),
    SHIFT,
    ROTATION,
    SCALE,
];
const SIMPLEX: [Key; 5] = [
    needed("kind", Form::Word(&["simplex"]), "points with nonnegative components that have a given sum"),
    optional("sum", Form::Number, "sum of the components; positive; default 1"),
    SHIFT,
    ROTATION,
    SCALE,
];
const SECOND_ORDER_CONE: [Key; 5] = [
    needed(
        "kind",
        Form::Word(&["second_order_cone"]),
        "points x with `norm(x[1], x[2], ..) <= mu * x[0]`, where mu is `coefficient`",
    ),
    optional("coefficient", Form::Number, "mu; positive; default 1"),
    SHIFT,
    ROTATION,
    SCALE,
];
pub(super) const INTERSECTION: [Key; 6] = [
    needed("kind", Form::Word(&["intersection"]), "intersection of several sets"),
    needed("sets", Form::Tables, "array of tables like `[set]`"),
    optional("settings", Form::Settings, "stopping criteria of the projection by Dykstra's algorithm"),
    SHIFT,
    ROTATION,
    SCALE,
];

/// Keys of each kind of set.
pub(in crate::model) const KEYS: [&[Key]; 9] = [
    &ORTHANT,
    &BOX,
    &HALF_SPACE,
    &POLYHEDRON,
    &BALL,
    &ELLIPSOID,
    &SIMPLEX,
    &SECOND_ORDER_CONE,
    &INTERSECTION,
];

const KINDS: [(&str, SetKind); 9] = [
    ("orthant", SetKind::Orthant),
    ("box", SetKind::Box),
    ("half_space", SetKind::HalfSpace),
    ("polyhedron", SetKind::Polyhedron),
    ("ball", SetKind::Ball),
    ("ellipsoid", SetKind::Ellipsoid),
    ("simplex", SetKind::Simplex),
    ("second_order_cone", SetKind::SecondOrderCone),
    ("intersection", SetKind::Intersection),
];

impl SetKind {
    /// Returns the kind and the table of a set, and checks the keys of the table.
    pub(super) fn of<'v, 's>(
        value: &'v Value<'s>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<(Self, &'v Table<'s>)> {
        let Node::Table(table) = &value.node else { return value.refused(diagnostics, "a table") };
        let kind = diagnostics.required(table.get("kind"), "kind", &value.span)?;
        let kind = kind.word(diagnostics, &KINDS)?;
        table.check_keys(kind.keys(), &value.span, diagnostics);
        Some((kind, table))
    }

    fn keys(self) -> &'static [Key] {
        let place = KINDS.iter().position(|(_, kind)| *kind == self);
        place.and_then(|place| KEYS.get(place)).copied().unwrap_or_default()
    }
}

/// Bound of each component; `None` for an unbounded component.
type Bounds = Vec<Option<Expression>>;

/// Reads the lower and upper bounds of a box. Each is a vector, or one number for all components.
pub(super) fn bounds(
    lower: Option<&Value<'_>>,
    upper: Option<&Value<'_>>,
    place: SetContext<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(Bounds, Bounds)> {
    let lower = one_bound(lower, "-inf", f64::NEG_INFINITY, place, diagnostics);
    let upper = one_bound(upper, "inf", f64::INFINITY, place, diagnostics);
    lower.zip(upper)
}

/// Reads the bounds of one side. In the file, the word `word` or the number `number` means that a bound is
/// missing.
fn one_bound(
    value: Option<&Value<'_>>,
    word: &str,
    number: f64,
    SetContext { n, scope }: SetContext<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Bounds> {
    let Some(value) = value else { return Some(vec![None; n]) };
    let is_none = |value: &Value<'_>| match &value.node {
        Node::Text(text) => text.content.trim() == word,
        Node::Number { value, .. } => *value == number,
        _ => false,
    };
    let mut entry = |value: &Value<'_>| match is_none(value) {
        true => Some(None),
        false => expression(value, scope, diagnostics).map(Some),
    };
    let read: Option<Bounds> = match &value.node {
        Node::Array(values) => values.iter().map(&mut entry).collect(),
        _ => return entry(value).map(|bound| vec![bound; n]),
    };
    let found = length(value)?;
    if found != n {
        diagnostics.note(
            &value.span,
            format_args!("there are {found} bounds; expected {n}, one for each component of a point"),
        );
        return None;
    }
    read
}

/// Motion of a set: rotation, then scaling, then shift.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) shift: Option<Vec<Expression>>,
    pub(super) rotation: Option<Grid>,
    pub(super) scale: Option<Expression>,
}

/// A set that can move.
#[derive(Clone, Debug)]
pub(super) enum SetDescription {
    /// Set with constant numbers, which can be moved by a frame.
    Shape(Shape, Option<Frame>),
    Box(Bounds, Bounds),
    /// H x >= k.
    Polyhedron(Grid, Vec<Expression>),
}

impl SetDescription {
    /// Reads a set of points with n components. Bounds and inequalities can read the time and the state. If
    /// there is a frame, they are constant, and the frame can read the time.
    pub(super) fn read(
        value: &Value<'_>,
        n: usize,
        [constants, time, moving]: [&Scope; 3],
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let (kind, table) = SetKind::of(value, diagnostics)?;
        if let Some(frame) = Frame::read(table, SetContext { n, scope: time }, diagnostics) {
            let shape = Shape::read(kind, table, SetContext { n, scope: constants }, diagnostics);
            return Some(Self::Shape(shape?, Some(frame?)));
        }
        let place = SetContext { n, scope: moving };
        match kind {
            SetKind::Box => {
                let (lower, upper) = bounds(table.get("lower"), table.get("upper"), place, diagnostics)?;
                check_order(&lower, &upper, table, diagnostics)?;
                Some(Self::Box(lower, upper))
            }
            SetKind::HalfSpace => {
                let a = table.get("a").and_then(|a| sized(a, n, moving, diagnostics));
                let b = table.get("b").and_then(|b| expression(b, moving, diagnostics));
                Self::of_inequalities(Grid { rows: 1, columns: n, entries: a? }, vec![b?], table, diagnostics)
            }
            SetKind::Polyhedron => {
                let (h, k) = inequalities(table, place, diagnostics)?;
                if h.rows == 0 {
                    diagnostics.note(&span_of(table), "a polyhedron must have at least one inequality");
                    return None;
                }
                Self::of_inequalities(h, k, table, diagnostics)
            }
            _ => Shape::read(kind, table, SetContext { n, scope: constants }, diagnostics)
                .map(|shape| Self::Shape(shape, None)),
        }
    }

    /// Returns the set of points with H x >= k. Constant inequalities are checked.
    fn of_inequalities(
        h: Grid,
        k: Vec<Expression>,
        table: &Table<'_>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        if h.is_constant() && super::super::values::is_constant(&k) {
            polyhedron(&h, &k, table, diagnostics)?;
        }
        Some(Self::Polyhedron(h, k))
    }

    /// Returns the number of inequalities that have a multiplier.
    pub(super) fn inequalities(&self, n: usize) -> usize {
        match self {
            Self::Polyhedron(h, _) => h.rows,
            Self::Shape(Shape::Orthant, None) => n,
            _ => 0,
        }
    }
}

/// Reports an error if a constant lower bound is above a constant upper bound.
fn check_order(
    lower: &Bounds,
    upper: &Bounds,
    table: &Table<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<()> {
    let constant = |bound: &Option<Expression>, none: f64| match bound {
        None => Some(none),
        Some(bound) => bound.constant(),
    };
    for (place, (lower, upper)) in lower.iter().zip(upper).enumerate() {
        let both = constant(lower, f64::NEG_INFINITY).zip(constant(upper, f64::INFINITY));
        if let Some((lower, upper)) = both.filter(|(lower, upper)| lower > upper) {
            let error = siconos_numerics::ProblemError::Bounds { index: place, lower, upper };
            diagnostics.note(&span_of(table), ConvexSetError::from(error));
            return None;
        }
    }
    Some(())
}

impl Frame {
    /// Reads the frame of a table. Returns `None` for a set without a frame, and `Some(None)` for a frame
    /// that has an error.
    pub(super) fn read(
        table: &Table<'_>,
        SetContext { n, scope }: SetContext<'_>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Option<Self>> {
        let [shift, rotation, scale] = ["shift", "rotation", "scale"].map(|key| table.get(key));
        if shift.is_none() && rotation.is_none() && scale.is_none() {
            return None;
        }
        let shift = shift.map_or(Some(None), |own| sized(own, n, scope, diagnostics).map(Some));
        let rotation =
            rotation.map_or(Some(None), |own| matrix(own, (Some(n), Some(n)), scope, diagnostics).map(Some));
        let scale = scale.map_or(Some(None), |own| expression(own, scope, diagnostics).map(Some));
        let frame = || Some(Self { shift: shift?, rotation: rotation?, scale: scale? });
        Some(frame())
    }
}
