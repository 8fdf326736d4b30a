//! Writer of relations of rigid bodies.

use siconos_kernel::model::{
    BodyGeometry, ContactRows, ContactShape, ContactSurface, Coupler, CouplerKind, Distance, Joint,
    JointCoordinate, JointKind, JointStop, NewtonEulerRelation, PointContact, PrescribedMotion,
    UserFunctions,
};

use super::super::table_writer::{NO_KEY, TableWriter};
use super::body::{
    BALL_AND_PLANE, BALLS, DISTANCE, FIXED, POINTS, REVOLUTE, ROWS, ROWS_IN_PLANE, SPHERICAL, WITH_AXIS,
};
use super::body_function;
use super::coupler::{GEAR, RACK, SCREW};
use super::free_joint::{self, Free};
use super::joint_motion::{FREE_OF_JOINT, PRESCRIBED, STOPS};
use crate::document::{Key, Value};

/// Writes a relation between bodies with `columns` coordinates in total.
pub(super) fn write(own: &NewtonEulerRelation, columns: usize, table_writer: &mut TableWriter<'_>) {
    match own.geometry() {
        Some(BodyGeometry::Joint(own)) => joint(own, table_writer),
        Some(BodyGeometry::Distance(own)) => distance(own, table_writer),
        Some(BodyGeometry::Contact(own)) => contact(own, table_writer),
        Some(BodyGeometry::Coordinate(own)) => coordinate(own, table_writer),
        Some(BodyGeometry::Stops(own)) => stops(own, table_writer),
        Some(BodyGeometry::Prescribed(own)) => prescribed(own, table_writer),
        Some(BodyGeometry::Coupler(own)) => coupler(own, table_writer),
        Some(_) => table_writer.leave("geometry", NO_KEY),
        None => body_function::write(own, columns, table_writer),
    }
    if own.geometry().is_some() && own.input().is_some() {
        table_writer.leave("G", NO_KEY);
    }
}

fn joint(own: &Joint, table_writer: &mut TableWriter<'_>) {
    let [fixed] = &FIXED;
    let [spherical, point] = &SPHERICAL;
    match own.kind() {
        JointKind::Fixed => table_writer.put(fixed, Value::of_text("fixed")),
        JointKind::Spherical => {
            table_writer.put(spherical, Value::of_text("spherical"));
            table_writer.vector(point, &own.point());
        }
        _ => with_axis(own).into_iter().for_each(|(key, value)| table_writer.put(key, value)),
    }
}

/// Returns the keys and values of a joint with an axis.
fn with_axis(own: &Joint) -> [(&'static Key, Value<'static>); 3] {
    let word = free_joint::KINDS.iter().find(|(_, kind)| *kind == own.kind()).map_or("", |(word, _)| word);
    let [kind, point, axis] = if own.kind() == JointKind::Revolute { &REVOLUTE } else { &WITH_AXIS };
    let vector = |entries: [f64; 3]| Value::of_array(entries.map(Value::of_number));
    let along = own.axis().unwrap_or_default();
    [(kind, Value::of_text(word)), (point, vector(own.point())), (axis, vector(along))]
}

/// Returns a joint with an axis as a separate table.
fn joint_table(own: &JointCoordinate) -> Value<'static> {
    Value::of_table(with_axis(own.joint()).map(|(key, value)| (key.name, value)))
}

/// Returns the kind of a joint coordinate.
fn free(own: &JointCoordinate) -> Free {
    if own.is_angle() { Free::Angle } else { Free::Way }
}

fn coordinate(own: &JointCoordinate, table_writer: &mut TableWriter<'_>) {
    let [kind, joint] = &FREE_OF_JOINT;
    table_writer.put(kind, Value::of_text(free(own).word()));
    table_writer.put(joint, joint_table(own));
}

/// Writes the joint of a coordinate and, if the joint leaves two coordinates free, the kind of this
/// coordinate.
fn joint_and_free([joint, of]: [&Key; 2], own: &JointCoordinate, table_writer: &mut TableWriter<'_>) {
    table_writer.put(joint, joint_table(own));
    if own.joint().kind() == JointKind::Cylindrical {
        table_writer.put(of, Value::of_text(free(own).word()));
    }
}

fn stops(own: &JointStop, table_writer: &mut TableWriter<'_>) {
    let [kind, joint, of, lower, upper] = &STOPS;
    table_writer.put(kind, Value::of_text("stops"));
    joint_and_free([joint, of], own.coordinate(), table_writer);
    let (low, high) = own.bounds();
    table_writer.number(lower, low);
    table_writer.number(upper, high);
}

fn prescribed(own: &PrescribedMotion, table_writer: &mut TableWriter<'_>) {
    let [kind, joint, of, motion] = &PRESCRIBED;
    table_writer.put(kind, Value::of_text("prescribed"));
    joint_and_free([joint, of], own.coordinate(), table_writer);
    table_writer.expressions(motion, "motion", own.motion());
    table_writer.derived("rate", Some(own.rate()));
}

fn coupler(own: &Coupler, table_writer: &mut TableWriter<'_>) {
    let [first, _] = own.coordinates();
    match own.kind() {
        CouplerKind::Screw { lead: of_turn } => {
            let [kind, joint, lead] = &SCREW;
            table_writer.put(kind, Value::of_text("screw"));
            table_writer.put(joint, joint_table(first));
            table_writer.number(lead, of_turn);
        }
        CouplerKind::Gear { teeth } => {
            pair(own, "gear", &GEAR, &teeth.map(|count| f64::from(count.get())), table_writer);
        }
        CouplerKind::Rack { radius } => pair(own, "rack", &RACK, &[radius], table_writer),
    }
}

/// Writes two joints and the values that couple them.
fn pair(
    own: &Coupler,
    word: &'static str,
    keys: &[Key; 6],
    ratio: &[f64],
    table_writer: &mut TableWriter<'_>,
) {
    let [kind, first_joint, second_joint, of_ratio, first_bodies, shares_frame] = keys;
    let [first, second] = own.coordinates();
    table_writer.put(kind, Value::of_text(word));
    table_writer.put(first_joint, joint_table(first));
    table_writer.put(second_joint, joint_table(second));
    table_writer.vector(of_ratio, ratio);
    distribution(own, [first_bodies, shares_frame], table_writer);
}

/// Writes the assignment of the systems to two joints, unless it is the default.
fn distribution(own: &Coupler, [first_bodies, shares_frame]: [&Key; 2], table_writer: &mut TableWriter<'_>) {
    let [first, second] = own.coordinates().map(|coordinate| coordinate.joint().bodies());
    if own.shares_frame() {
        table_writer.put(shares_frame, Value::of_boolean(true));
    } else if first != second {
        table_writer.put(first_bodies, Value::of_count(first));
    }
}

fn distance(own: &Distance, table_writer: &mut TableWriter<'_>) {
    let [kind, first, second, length, slack] = &DISTANCE;
    table_writer.put(kind, Value::of_text("distance"));
    for (key, point) in [first, second].into_iter().zip(own.points()) {
        table_writer.vector(key, &point);
    }
    table_writer.number(length, own.length());
    if own.is_slack() {
        table_writer.put(slack, Value::of_boolean(true));
    }
}

fn contact(own: &PointContact, table_writer: &mut TableWriter<'_>) {
    let ContactShape::Balls { balls, surface, is_on_body } = own.shape() else {
        return points(own, table_writer);
    };
    match (&balls[..], surface, is_on_body) {
        ([ball], ContactSurface::Plane { point: of_plane, normal: out }, false) if ball.is_centred() => {
            let [kind, rows, radius, point, normal] = &BALL_AND_PLANE;
            table_writer.put(kind, Value::of_text("ball_and_plane"));
            table_writer.put(rows, written_rows(own.rows()));
            table_writer.number(radius, ball.radius);
            table_writer.vector(point, of_plane);
            table_writer.vector(normal, out);
        }
        ([one], ContactSurface::Ball(other), true) if one.is_centred() && other.is_centred() => {
            let [kind, rows, first, second] = &BALLS;
            table_writer.put(kind, Value::of_text("balls"));
            table_writer.put(rows, written_rows(own.rows()));
            table_writer.number(first, one.radius);
            table_writer.number(second, other.radius);
        }
        _ if super::contact::write(own, table_writer) => {}
        _ => table_writer.leave("shape", NO_KEY),
    }
}

/// Writes the two points and the normal of a contact, each with three expressions.
fn points(own: &PointContact, table_writer: &mut TableWriter<'_>) {
    let [kind, rows, first, second, normal] = &POINTS;
    table_writer.put(kind, Value::of_text("points"));
    table_writer.put(rows, written_rows(own.rows()));
    for function in own.functions() {
        let Some(texts) = table_writer.texts(function.name, function.origin) else { continue };
        for (key, texts) in [first, second, normal].into_iter().zip(texts.chunks(3)) {
            table_writer.entries(key, texts);
        }
    }
}

/// Returns the rows of a contact as a value of a file.
pub(super) fn written_rows(rows: ContactRows) -> Value<'static> {
    let in_plane = |kind: &str, axis: [f64; 3]| {
        Value::of_table([
            ("kind", Value::of_text(kind)),
            ("axis", Value::of_array(axis.map(Value::of_number))),
        ])
    };
    let ([normal, friction, rolling], [sliding_in_plane, rolling_in_plane]) = (ROWS, ROWS_IN_PLANE);
    match rows {
        ContactRows::Normal => Value::of_text(normal),
        ContactRows::Friction => Value::of_text(friction),
        ContactRows::Rolling => Value::of_text(rolling),
        ContactRows::InPlane { axis } => in_plane(sliding_in_plane, axis),
        ContactRows::RollingInPlane { axis } => in_plane(rolling_in_plane, axis),
    }
}
