//! Contacts of discs, polygons and segments with chains of segments.

use super::reduction::reduce_planes;
use super::{EDGE, Touch, drop_duplicates, edge_feature, planar, retain_from};
use crate::detection::placed::{PlacedCore, PlacedShape};
use crate::shape::Polyline;

/// Appends the contacts of a planar body with a chain of segments. Vertices that do not protrude make no
/// contacts of their own, so a body slides over them as over a straight line.
pub(super) fn touches(a: &PlacedShape, line: &Polyline, reach: f64, found: &mut Vec<Touch>) {
    let (radii, start) = ([a.radius, 0.0], found.len());
    for (number, piece) in line.pieces.iter().enumerate() {
        let [p, q] = [piece.corners()[0], piece.corners()[1]];
        let is_far = |axis: usize| {
            p[axis].max(q[axis]) < a.bounds[0][axis] - reach
                || p[axis].min(q[axis]) > a.bounds[1][axis] + reach
        };
        if is_far(0) || is_far(1) {
            continue;
        }
        let first = found.len();
        match &a.core {
            PlacedCore::Polygon(polygon) => planar::polygons(polygon, piece, radii, reach, found),
            PlacedCore::Polytope(core) => planar::disc(core.vertices[0], piece, radii, reach, found),
            PlacedCore::HalfSpace(_)
            | PlacedCore::Polyline(_)
            | PlacedCore::Round(_)
            | PlacedCore::Mesh(_)
            | PlacedCore::Solid(_) => {}
        }
        retain_from(found, first, |_, touch| of_line(touch, line, number));
    }
    drop_duplicates(found, start);
    reduce_planes(found, start);
}

/// Returns the contact with the features of the chain; `None` if the vertex of a segment is not exposed.
fn of_line(touch: Touch, line: &Polyline, piece: usize) -> Option<Touch> {
    let [own, feature] = touch.features;
    if feature & EDGE != 0 {
        let side = feature & !EDGE;
        return Some(Touch { features: [own, edge_feature(2 * piece as u32 + side)], ..touch });
    }
    let features = [own, line.vertex(piece, feature)];
    line.is_exposed(piece, feature, touch.normal).then_some(Touch { features, ..touch })
}
