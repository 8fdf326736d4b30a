//! Relations of rigid bodies, written by the keys of their readers.

use siconos_kernel::model::{
    BodyGeometry, ContactRows, ContactShape, Distance, Joint, JointKind, NewtonEulerRelation, PointContact,
    UserFunctions,
};

use super::super::write::{NO_KEY, Sheet};
use super::body::{BALL_AND_PLANE, BALLS, DISTANCE, FIXED, POINTS, SPHERICAL, WITH_AXIS};
use crate::document::Value;

pub(super) fn write(own: &NewtonEulerRelation, sheet: &mut Sheet<'_>) {
    match own.geometry() {
        Some(BodyGeometry::Joint(own)) => joint(own, sheet),
        Some(BodyGeometry::Distance(own)) => distance(own, sheet),
        Some(BodyGeometry::Contact(own)) => contact(own, sheet),
        Some(BodyGeometry::Coordinate(_)) => sheet.leave("coordinate of a joint", NO_KEY),
        Some(BodyGeometry::Stops(_)) => sheet.leave("stops of a joint", NO_KEY),
        Some(BodyGeometry::Prescribed(_)) => sheet.leave("prescribed motion", NO_KEY),
        Some(BodyGeometry::Coupler(_)) => sheet.leave("coupler", NO_KEY),
        Some(_) => sheet.leave("geometry", NO_KEY),
        // Files have no relation of bodies that is a function alone.
        None => own.functions().iter().for_each(|function| sheet.leave(function.name, NO_KEY)),
    }
}

fn joint(own: &Joint, sheet: &mut Sheet<'_>) {
    let word = match own.kind() {
        JointKind::Spherical => "spherical",
        JointKind::Revolute => "revolute",
        JointKind::Cylindrical => "cylindrical",
        JointKind::Prismatic => "prismatic",
        JointKind::Fixed => "fixed",
    };
    let [fixed] = &FIXED;
    let [kind, point, axis] = &WITH_AXIS;
    let [spherical, _] = &SPHERICAL;
    let (kind, has_point) = match own.kind() {
        JointKind::Fixed => (fixed, false),
        JointKind::Spherical => (spherical, true),
        _ => (kind, true),
    };
    sheet.put(kind, Value::of_text(word));
    if has_point {
        sheet.vector(point, &own.point());
    }
    if let Some(own) = own.axis() {
        sheet.vector(axis, &own);
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

/// Three vectors of three expressions each.
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
    match rows {
        ContactRows::Normal => Value::of_text("normal"),
        ContactRows::Friction => Value::of_text("friction"),
        ContactRows::Rolling => Value::of_text("rolling"),
        ContactRows::InPlane { axis } => in_plane("in_plane", axis),
        ContactRows::RollingInPlane { axis } => in_plane("rolling_in_plane", axis),
    }
}
