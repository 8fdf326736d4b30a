//! Writer of relations of rigid bodies.

use siconos_kernel::model::{
    BodyGeometry, ContactRows, ContactShape, Coupler, CouplerKind, Distance, Joint, JointCoordinate,
    JointKind, JointStop, NewtonEulerRelation, PointContact, PrescribedMotion, UserFunctions,
};

use super::super::sheet::{NO_KEY, Sheet};
use super::body::{
    BALL_AND_PLANE, BALLS, DISTANCE, FIXED, POINTS, ROWS, ROWS_IN_PLANE, SPHERICAL, WITH_AXIS,
};
use super::body_function;
use super::coupler::{GEAR, RACK, SCREW};
use super::free_joint::{self, Free};
use super::joint_motion::{FREE_OF_JOINT, PRESCRIBED, STOPS};
use crate::document::{Key, Value};

/// Writes a relation between bodies with `columns` coordinates in total.
pub(super) fn write(own: &NewtonEulerRelation, columns: usize, sheet: &mut Sheet<'_>) {
    match own.geometry() {
        Some(BodyGeometry::Joint(own)) => joint(own, sheet),
        Some(BodyGeometry::Distance(own)) => distance(own, sheet),
        Some(BodyGeometry::Contact(own)) => contact(own, sheet),
        Some(BodyGeometry::Coordinate(own)) => coordinate(own, sheet),
        Some(BodyGeometry::Stops(own)) => stops(own, sheet),
        Some(BodyGeometry::Prescribed(own)) => prescribed(own, sheet),
        Some(BodyGeometry::Coupler(own)) => coupler(own, sheet),
        Some(_) => sheet.leave("geometry", NO_KEY),
        None => body_function::write(own, columns, sheet),
    }
    if own.geometry().is_some() && own.input().is_some() {
        sheet.leave("G", NO_KEY);
    }
}

fn joint(own: &Joint, sheet: &mut Sheet<'_>) {
    let [fixed] = &FIXED;
    let [spherical, point] = &SPHERICAL;
    match own.kind() {
        JointKind::Fixed => sheet.put(fixed, Value::of_text("fixed")),
        JointKind::Spherical => {
            sheet.put(spherical, Value::of_text("spherical"));
            sheet.vector(point, &own.point());
        }
        _ => with_axis(own).into_iter().for_each(|(key, value)| sheet.put(key, value)),
    }
}

/// Returns the keys and values of a joint with an axis.
fn with_axis(own: &Joint) -> [(&'static Key, Value<'static>); 3] {
    let word = free_joint::KINDS.iter().find(|(_, kind)| *kind == own.kind()).map_or("", |(word, _)| word);
    let [kind, point, axis] = &WITH_AXIS;
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

fn coordinate(own: &JointCoordinate, sheet: &mut Sheet<'_>) {
    let [kind, joint] = &FREE_OF_JOINT;
    sheet.put(kind, Value::of_text(free(own).word()));
    sheet.put(joint, joint_table(own));
}

/// Writes the joint of a coordinate and, if the joint leaves two coordinates free, the kind of this one.
fn joint_and_free([joint, of]: [&Key; 2], own: &JointCoordinate, sheet: &mut Sheet<'_>) {
    sheet.put(joint, joint_table(own));
    if own.joint().kind() == JointKind::Cylindrical {
        sheet.put(of, Value::of_text(free(own).word()));
    }
}

fn stops(own: &JointStop, sheet: &mut Sheet<'_>) {
    let [kind, joint, of, lower, upper] = &STOPS;
    sheet.put(kind, Value::of_text("stops"));
    joint_and_free([joint, of], own.coordinate(), sheet);
    let (low, high) = own.bounds();
    sheet.number(lower, low);
    sheet.number(upper, high);
}

fn prescribed(own: &PrescribedMotion, sheet: &mut Sheet<'_>) {
    let [kind, joint, of, motion] = &PRESCRIBED;
    sheet.put(kind, Value::of_text("prescribed"));
    joint_and_free([joint, of], own.coordinate(), sheet);
    sheet.expressions(motion, "motion", own.motion());
    sheet.derived("rate", Some(own.rate()));
}

fn coupler(own: &Coupler, sheet: &mut Sheet<'_>) {
    let [first, _] = own.coordinates();
    match own.kind() {
        CouplerKind::Screw { lead: of_turn } => {
            let [kind, joint, lead] = &SCREW;
            sheet.put(kind, Value::of_text("screw"));
            sheet.put(joint, joint_table(first));
            sheet.number(lead, of_turn);
        }
        CouplerKind::Gear { teeth } => {
            pair(own, "gear", &GEAR, &teeth.map(|count| f64::from(count.get())), sheet);
        }
        CouplerKind::Rack { radius } => pair(own, "rack", &RACK, &[radius], sheet),
    }
}

/// Writes two joints, and the numbers that couple them.
fn pair(own: &Coupler, word: &'static str, keys: &[Key; 6], ratio: &[f64], sheet: &mut Sheet<'_>) {
    let [kind, first_joint, second_joint, of_ratio, first_bodies, shares_frame] = keys;
    let [first, second] = own.coordinates();
    sheet.put(kind, Value::of_text(word));
    sheet.put(first_joint, joint_table(first));
    sheet.put(second_joint, joint_table(second));
    sheet.vector(of_ratio, ratio);
    distribution(own, [first_bodies, shares_frame], sheet);
}

/// Writes the systems of each of two joints, if they differ from the default.
fn distribution(own: &Coupler, [first_bodies, shares_frame]: [&Key; 2], sheet: &mut Sheet<'_>) {
    let [first, second] = own.coordinates().map(|coordinate| coordinate.joint().bodies());
    if own.shares_frame() {
        sheet.put(shares_frame, Value::of_boolean(true));
    } else if first != second {
        sheet.put(first_bodies, Value::of_count(first));
    }
}

fn distance(own: &Distance, sheet: &mut Sheet<'_>) {
    let [kind, first, second, length, slack] = &DISTANCE;
    sheet.put(kind, Value::of_text("distance"));
    for (key, point) in [first, second].into_iter().zip(own.points()) {
        sheet.vector(key, &point);
    }
    sheet.number(length, own.length());
    if own.is_slack() {
        sheet.put(slack, Value::of_boolean(true));
    }
}

fn contact(own: &PointContact, sheet: &mut Sheet<'_>) {
    match own.shape() {
        ContactShape::BallAndPlane { radius: of_ball, point: of_plane, normal: out } => {
            let [kind, rows, radius, point, normal] = &BALL_AND_PLANE;
            sheet.put(kind, Value::of_text("ball_and_plane"));
            sheet.put(rows, contact_rows(own.rows()));
            sheet.number(radius, of_ball);
            sheet.vector(point, &of_plane);
            sheet.vector(normal, &out);
        }
        ContactShape::Balls { radii: [one, other] } => {
            let [kind, rows, first, second] = &BALLS;
            sheet.put(kind, Value::of_text("balls"));
            sheet.put(rows, contact_rows(own.rows()));
            sheet.number(first, one);
            sheet.number(second, other);
        }
        ContactShape::Function => points(own, sheet),
        _ => sheet.leave("shape", NO_KEY),
    }
}

/// Writes three vectors of three expressions each.
fn points(own: &PointContact, sheet: &mut Sheet<'_>) {
    let [kind, rows, first, second, normal] = &POINTS;
    sheet.put(kind, Value::of_text("points"));
    sheet.put(rows, contact_rows(own.rows()));
    for function in own.functions() {
        let Some(texts) = sheet.texts(function.name, function.origin) else { continue };
        for (key, texts) in [first, second, normal].into_iter().zip(texts.chunks(3)) {
            sheet.entries(key, texts);
        }
    }
}

fn contact_rows(rows: ContactRows) -> Value<'static> {
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
