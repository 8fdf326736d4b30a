//! Contacts described by shapes. The first body has a ball, points or a box. The second body, or an obstacle
//! at rest, has a plane or a ball. In the plane: a disc, points or a rectangle against a line or a disc.

use std::ops::Range;

use siconos_expression::{Expression, Scope};
use siconos_kernel::ModelError;
use siconos_kernel::model::{
    ContactBall, ContactRows, ContactShape, ContactSurface, Disc, PlanarContact, PlanarRows, PlanarSurface,
    PointContact, Relation,
};

use super::super::systems::System;
use super::super::table_writer::TableWriter;
use super::super::values::{evaluated, expression, matrix, sized};
use super::RelationInput;
use super::body::contact_rows;
use super::body_space::BodySpace;
use super::body_written::written_rows;
use crate::document::{Diagnostics, Form, Key, Value, needed, optional};

pub(super) const CONTACT: [Key; 4] = [
    needed(
        "kind",
        Form::Word(&["contact"]),
        "contacts of shapes of rigid bodies: gap of each contact, and displacements along two perpendicular tangents, which are computed from the normal",
    ),
    needed("shape", Form::Table, "shape of the first body: `ball`, `point`, `points` or `box`"),
    needed(
        "against",
        Form::Table,
        "shape of the second body, or of an obstacle at rest if there is one body: `plane` or `ball`",
    ),
    optional("rows", Form::Settings, "components of each contact; default: those that the law needs"),
];

pub(super) const PLANAR_CONTACT: [Key; 4] = [
    needed(
        "kind",
        Form::Word(&["planar_contact"]),
        "contacts of shapes of planar bodies: gap of each contact, and displacement along the tangent, which is the normal turned clockwise by 90 degrees",
    ),
    needed("shape", Form::Table, "shape of the first body: `disc`, `point`, `points` or `box`"),
    needed(
        "against",
        Form::Table,
        "shape of the second body, or of an obstacle at rest if there is one body: `line` or `disc`",
    ),
    optional(
        "rows",
        Form::Word(&["normal", "friction", "rolling"]),
        "components of each contact; default: those that the law needs",
    ),
];

const CENTRE: Key = optional("centre", Form::Vector, "centre in the body frame; default: the centre of mass");

const BALL: [Key; 3] = [
    needed("kind", Form::Word(&["ball", "disc"]), "a ball, or a disc of a planar body"),
    needed("radius", Form::Number, "radius"),
    CENTRE,
];

const POINT: [Key; 2] = [
    needed("kind", Form::Word(&["point"]), "one point"),
    needed("at", Form::Vector, "the point in the body frame"),
];

const POINTS: [Key; 3] = [
    needed("kind", Form::Word(&["points"]), "several points or balls, with one contact each"),
    needed("at", Form::Matrix, "a row for each point, in the body frame"),
    optional("radius", Form::Number, "radius of all balls; default 0"),
];

const BOX: [Key; 2] = [
    needed(
        "kind",
        Form::Word(&["box"]),
        "the corners of a box, or of a rectangle of a planar body: (-, -), (+, -), (-, +), (+, +) in the plane; in space, those with negative z first",
    ),
    needed(
        "lengths",
        Form::Vector,
        "edge lengths along the axes of the body; the centre is the centre of mass",
    ),
];

const PLANE: [Key; 3] = [
    needed("kind", Form::Word(&["plane", "line"]), "an unbounded plane, or a straight line in the plane"),
    needed("normal", Form::Vector, "normal, on the side of the first body; of nonzero length"),
    optional("point", Form::Vector, "point of the plane or line; default: the origin"),
];

/// Keys of the shapes of the first body.
pub(in super::super) const SHAPES: [&[Key]; 4] = [&BALL, &POINT, &POINTS, &BOX];
/// Keys of the shapes of the second body or of an obstacle.
pub(in super::super) const OBSTACLES: [&[Key]; 2] = [&PLANE, &BALL];

/// Returns the words for a ball and for a plane.
fn words(space: BodySpace) -> [&'static str; 2] {
    match space {
        BodySpace::Spatial => ["ball", "plane"],
        BodySpace::Planar => ["disc", "line"],
    }
}

/// Shape as described in a file.
#[derive(Debug)]
enum Shape {
    Ball { centre: Vec<Expression>, radius: Expression },
    Points { rows: usize, at: Vec<Expression>, radius: Option<Expression> },
    Box(Vec<Expression>),
    Plane { point: Vec<Expression>, normal: Vec<Expression> },
}

/// Components of each contact.
#[derive(Clone, Copy, Debug)]
enum Rows {
    Spatial(ContactRows),
    Planar(PlanarRows),
}

impl Rows {
    fn count(self) -> usize {
        match self {
            Self::Spatial(rows) => rows.count(),
            Self::Planar(rows) => ContactRows::from(rows).count(),
        }
    }
}

/// Description of the relation in a file.
#[derive(Debug)]
pub(in super::super) struct ContactDescription {
    rows: Rows,
    first: Shape,
    second: Shape,
}

const PLANAR_ROWS: [(&str, PlanarRows); 3] =
    [("normal", PlanarRows::Normal), ("friction", PlanarRows::Friction), ("rolling", PlanarRows::Rolling)];

pub(super) fn spatial(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<ContactDescription> {
    read(parts, &CONTACT, BodySpace::Spatial, diagnostics)
}

pub(super) fn planar(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<ContactDescription> {
    let is_planar = |system: &&&System| BodySpace::of(system) == Some(BodySpace::Planar);
    if let Some(other) = parts.systems.iter().find(|system| !is_planar(system)) {
        let message = format_args!(
            "this relation requires systems of the family `planar_body`, but `{}` does not have three coordinates",
            other.name
        );
        diagnostics.note(&parts.span, message);
        return None;
    }
    read(parts, &PLANAR_CONTACT, BodySpace::Planar, diagnostics)
}

fn read(
    parts: RelationInput<'_, '_>,
    keys: &'static [Key; 4],
    space: BodySpace,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<ContactDescription> {
    let RelationInput { table, span, scopes, law_size, .. } = parts;
    let [_, shape_of_first, against, rows] = table.keyed(keys, &span, diagnostics);
    let [ball, plane] = words(space);
    let first = shape_of_first.and_then(|own| {
        shape(own, &[ball, "point", "points", "box"], space, &scopes.parameters, diagnostics)
    });
    let second = against.and_then(|own| shape(own, &[plane, ball], space, &scopes.parameters, diagnostics));
    let rows = match (rows, space) {
        (Some(rows), BodySpace::Spatial) => {
            contact_rows(&rows, &scopes.constants, diagnostics).map(Rows::Spatial)
        }
        (Some(rows), BodySpace::Planar) => rows.word(diagnostics, &PLANAR_ROWS).map(Rows::Planar),
        (None, _) => rows_for(law_size, space, &span, diagnostics),
    };
    Some(ContactDescription { rows: rows?, first: first?, second: second? })
}

/// Returns the components that a law of this size needs: only the normal component if the size is unknown.
fn rows_for(
    law_size: Option<usize>,
    space: BodySpace,
    span: &Range<usize>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Rows> {
    let rows = match (space, law_size.unwrap_or(1)) {
        (BodySpace::Spatial, 1) => Rows::Spatial(ContactRows::Normal),
        (BodySpace::Spatial, 3) => Rows::Spatial(ContactRows::Friction),
        (BodySpace::Spatial, 5) => Rows::Spatial(ContactRows::Rolling),
        (BodySpace::Planar, 1) => Rows::Planar(PlanarRows::Normal),
        (BodySpace::Planar, 2) => Rows::Planar(PlanarRows::Friction),
        (BodySpace::Planar, 3) => Rows::Planar(PlanarRows::Rolling),
        (_, size) => {
            let s = if size == 1 { "" } else { "s" };
            let (one, remedy) = match space {
                BodySpace::Spatial => (
                    "1, 3 or 5",
                    "for friction in a plane, add `rows = { kind = \"in_plane\", axis = [..] }`",
                ),
                BodySpace::Planar => ("1, 2 or 3", "use a law with `dimension = 2`"),
            };
            let message = format!("the law has {size} component{s}, but a contact has {one}; {remedy}");
            diagnostics.note(span, message);
            return None;
        }
    };
    Some(rows)
}

/// Reads a shape whose kind is one of `words`.
fn shape(
    value: Value<'_>,
    words: &[&'static str],
    space: BodySpace,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Shape> {
    let (span, dimension) = (value.span.clone(), space.dimension());
    let table = value.table(diagnostics)?;
    let kind = diagnostics.required(table.get("kind"), "kind", &span)?;
    let words: Vec<_> = words.iter().map(|word| (*word, *word)).collect();
    let word = kind.word(diagnostics, &words)?;
    let vector = |value: Option<Value<'_>>, diagnostics: &mut Diagnostics<'_>| {
        value.map_or(Some(Vec::new()), |value| sized(&value, dimension, scope, diagnostics))
    };
    match word {
        "ball" | "disc" => {
            let [_, radius, centre] = table.keyed(&BALL, &span, diagnostics);
            let radius = radius.and_then(|radius| expression(&radius, scope, diagnostics));
            let centre = vector(centre, diagnostics);
            Some(Shape::Ball { centre: centre?, radius: radius? })
        }
        "point" => {
            let [_, at] = table.keyed(&POINT, &span, diagnostics);
            let at = vector(Some(at?), diagnostics)?;
            Some(Shape::Points { rows: 1, at, radius: None })
        }
        "points" => {
            let [_, at, radius] = table.keyed(&POINTS, &span, diagnostics);
            let at = at.and_then(|at| matrix(&at, (None, Some(dimension)), scope, diagnostics));
            let radius =
                radius.map_or(Some(None), |radius| expression(&radius, scope, diagnostics).map(Some));
            let at = at?;
            Some(Shape::Points { rows: at.rows, at: at.entries, radius: radius? })
        }
        "box" => {
            let [_, lengths] = table.keyed(&BOX, &span, diagnostics);
            sized(&lengths?, dimension, scope, diagnostics).map(Shape::Box)
        }
        _ => {
            let [_, normal, point] = table.keyed(&PLANE, &span, diagnostics);
            let normal = normal.and_then(|normal| sized(&normal, dimension, scope, diagnostics));
            let point = vector(point, diagnostics);
            Some(Shape::Plane { point: point?, normal: normal? })
        }
    }
}

/// Returns the values of a vector of the given dimension; an empty vector is 0.
fn array<const N: usize>(entries: &[Expression], parameters: &[f64]) -> [f64; N] {
    evaluated(entries, parameters).try_into().unwrap_or([0.0; N])
}

impl Shape {
    /// Returns the number of contacts.
    fn count(&self) -> usize {
        match self {
            Self::Points { rows, .. } => *rows,
            Self::Box(lengths) => 1 << lengths.len(),
            Self::Ball { .. } | Self::Plane { .. } => 1,
        }
    }

    fn balls(&self, parameters: &[f64]) -> Vec<ContactBall> {
        let number = |value: &Expression| value.evaluate(&[&[], parameters]);
        match self {
            Self::Ball { centre, radius } => {
                vec![ContactBall { centre: array(centre, parameters), radius: number(radius) }]
            }
            Self::Points { at, radius, .. } => {
                let radius = radius.as_ref().map_or(0.0, number);
                let place = |at| ContactBall { centre: array(at, parameters), radius };
                at.chunks(3).map(place).collect()
            }
            Self::Box(lengths) => ContactBall::corners(array(lengths, parameters)).to_vec(),
            Self::Plane { .. } => Vec::new(),
        }
    }

    fn discs(&self, parameters: &[f64]) -> Vec<Disc> {
        let number = |value: &Expression| value.evaluate(&[&[], parameters]);
        match self {
            Self::Ball { centre, radius } => {
                vec![Disc { centre: array(centre, parameters), radius: number(radius) }]
            }
            Self::Points { at, radius, .. } => {
                let radius = radius.as_ref().map_or(0.0, number);
                at.chunks(2).map(|at| Disc { centre: array(at, parameters), radius }).collect()
            }
            Self::Box(lengths) => Disc::corners(array(lengths, parameters)).to_vec(),
            Self::Plane { .. } => Vec::new(),
        }
    }
}

impl ContactDescription {
    /// Returns the number of components of y.
    pub(super) fn size(&self) -> usize {
        self.rows.count() * self.first.count()
    }

    /// Builds the relation between one or two bodies.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if a normal or an axis has length 0, or a radius is negative or not finite.
    pub(super) fn build(&self, parameters: &[f64], bodies: usize) -> Result<Relation, ModelError> {
        let is_on_body = bodies == 2;
        match self.rows {
            Rows::Spatial(rows) => {
                let surface = match &self.second {
                    Shape::Plane { point, normal } => ContactSurface::Plane {
                        point: array(point, parameters),
                        normal: array(normal, parameters),
                    },
                    other => ContactSurface::Ball(other.balls(parameters)[0]),
                };
                let make = if is_on_body { PointContact::between } else { PointContact::at_rest };
                make(rows, self.first.balls(parameters), surface).map(Relation::from)
            }
            Rows::Planar(rows) => {
                let surface = match &self.second {
                    Shape::Plane { point, normal } => PlanarSurface::Line {
                        point: array(point, parameters),
                        normal: array(normal, parameters),
                    },
                    other => PlanarSurface::Disc(other.discs(parameters)[0]),
                };
                let make = if is_on_body { PlanarContact::between } else { PlanarContact::at_rest };
                make(rows, self.first.discs(parameters), surface).map(Relation::from)
            }
        }
    }
}

/// Writes contacts with the keys that the reader expects. Returns `false` if the shapes cannot be described
/// in a file.
pub(super) fn write(own: &PointContact, table_writer: &mut TableWriter<'_>) -> bool {
    let ContactShape::Balls { balls, surface, .. } = own.shape() else { return false };
    let (space, keys) = match own.planar_rows() {
        Some(_) => (BodySpace::Planar, &PLANAR_CONTACT),
        None => (BodySpace::Spatial, &CONTACT),
    };
    let [ball_word, plane_word] = words(space);
    let vector = |entries: &[f64; 3]| {
        Value::of_array(entries[..space.dimension()].iter().map(|entry| Value::of_number(*entry)))
    };
    let table = |word: &str, entries: Vec<(&Key, Value<'static>)>| {
        let kind = std::iter::once(("kind", Value::of_text(word)));
        Value::of_table(kind.chain(entries.into_iter().map(|(key, value)| (key.name, value))))
    };
    let one = |ball: &ContactBall| {
        let [_, radius, centre] = &BALL;
        let mut entries = vec![(radius, Value::of_number(ball.radius))];
        if !ball.is_centred() {
            entries.push((centre, vector(&ball.centre)));
        }
        table(ball_word, entries)
    };
    let [_, at_point] = &POINT;
    let [_, at, radius] = &POINTS;
    let first = match &balls[..] {
        [ball] if ball.radius == 0.0 => table("point", vec![(at_point, vector(&ball.centre))]),
        [ball] => one(ball),
        [before, .., last] if is_box(balls, space) => {
            let [_, lengths] = &BOX;
            let edges = std::array::from_fn(|i| last.centre[i] - before.centre[i]);
            table("box", vec![(lengths, vector(&edges))])
        }
        [before, others @ ..] if others.iter().all(|ball| ball.radius == before.radius) => {
            let rows = Value::of_array(balls.iter().map(|ball| vector(&ball.centre)));
            let mut entries = vec![(at, rows)];
            if before.radius != 0.0 {
                entries.push((radius, Value::of_number(before.radius)));
            }
            table("points", entries)
        }
        _ => return false,
    };
    let second = match surface {
        ContactSurface::Plane { point: through, normal: out } => {
            let [_, normal, point] = &PLANE;
            table(plane_word, vec![(normal, vector(out)), (point, vector(through))])
        }
        ContactSurface::Ball(ball) => one(ball),
        _ => return false,
    };
    let [kind, of_first, of_second, of_rows] = keys;
    let Form::Word(words) = kind.form else { return false };
    table_writer.put(kind, Value::of_text(words[0]));
    table_writer.put(of_first, first);
    table_writer.put(of_second, second);
    let rows = match own.planar_rows() {
        Some(rows) => {
            let word = PLANAR_ROWS.iter().find(|(_, own)| *own == rows).map_or("normal", |(word, _)| word);
            Value::of_text(word)
        }
        None => written_rows(own.rows()),
    };
    table_writer.put(of_rows, rows);
    true
}

/// Returns `true` if points are the corners of a box, in the order of [`ContactBall::corners`].
fn is_box(balls: &[ContactBall], space: BodySpace) -> bool {
    let [first, .., last] = balls else { return false };
    let edges: [f64; 3] = std::array::from_fn(|i| last.centre[i] - first.centre[i]);
    match space {
        BodySpace::Spatial => balls == ContactBall::corners(edges),
        BodySpace::Planar => {
            let corners = Disc::corners([edges[0], edges[1]]);
            let same =
                |(ball, disc): (&ContactBall, &Disc)| ball.centre[..2] == disc.centre && ball.radius == 0.0;
            balls.len() == corners.len() && balls.iter().zip(&corners).all(same)
        }
    }
}
