//! Contacts of solids that consist of convex pieces.
//!
//! The contacts of each piece are computed by themselves. A contact is dropped if another piece is in its
//! way, as at the edge of a piece inside a face of the solid.

use siconos_kernel::engine::vector::scaled;

use super::reduction::{is_same_plane, is_same_point, reduce_planes};
use super::{Touch, drop_duplicates, retain_from, touches as touches_of_pieces};
use crate::detection::placed::{PlacedCore, PlacedShape, PlacedSolid};

/// Appends the contacts of a solid of the given size with another shape. If all contacts of an overlap are
/// dropped, as for a small body inside the solid at a seam of two pieces, the deepest contact is kept.
pub(super) fn touches(solid: &PlacedSolid, size: f64, b: &PlacedShape, reach: f64, found: &mut Vec<Touch>) {
    let (first, mut deepest) = (found.len(), None);
    for (index, piece) in solid.pieces.iter().enumerate() {
        for (number, other) in pieces(b).iter().enumerate() {
            if !are_apart(piece.bounds, other.bounds, reach) {
                let of_pieces = found.len();
                touches_of_pieces(piece, other, reach, found);
                keep_exposed(solid, b, [index, number], of_pieces, found, &mut deepest);
            }
        }
    }
    if found.len() == first {
        found.extend(deepest);
    }
    drop_duplicates(found, first);
    drop_repeated(size, found, first);
    reduce_planes(found, first);
}

/// Drops the contacts of two pieces from index `first` if another piece is in their way, and gives the others
/// the features of the solids. `deepest` is the deepest overlap of all contacts that are dropped.
fn keep_exposed(
    solid: &PlacedSolid,
    b: &PlacedShape,
    [index, number]: [usize; 2],
    first: usize,
    found: &mut Vec<Touch>,
    deepest: &mut Option<Touch>,
) {
    retain_from(found, first, |_, mut touch| {
        let ([p, q], [own, other]) = (touch.points, [scaled(-1.0, touch.normal), touch.normal]);
        touch.features[0] += solid.first_feature(index);
        let mut is_exposed = solid.is_exposed(index, p, own);
        if let PlacedCore::Solid(solid) = &b.core {
            touch.features[1] += solid.first_feature(number);
            is_exposed &= solid.is_exposed(number, q, other);
        }
        if !is_exposed && touch.gap < deepest.map_or(0.0, |deepest| deepest.gap) {
            *deepest = Some(touch);
        }
        is_exposed.then_some(touch)
    });
}

/// Returns the pieces of a solid; a convex shape is its own piece. Polygons and polylines are
/// in the plane, and solids in space, so they have no pieces.
fn pieces(shape: &PlacedShape) -> &[PlacedShape] {
    match &shape.core {
        PlacedCore::Solid(solid) => &solid.pieces,
        PlacedCore::Polygon(_) | PlacedCore::Polyline(_) => &[],
        _ => std::slice::from_ref(shape),
    }
}

/// Returns `true` if the distance of two bounds exceeds `reach` along an axis.
fn are_apart(a: [[f64; 3]; 2], b: [[f64; 3]; 2], reach: f64) -> bool {
    let ([low, high], [other_low, other_high]) = (a, b);
    (0..3).any(|axis| low[axis] > other_high[axis] + reach || other_low[axis] > high[axis] + reach)
}

/// Removes contacts at a point where a previous contact has the same normal, as at a common corner of two
/// pieces.
fn drop_repeated(size: f64, found: &mut Vec<Touch>, first: usize) {
    retain_from(found, first, |kept, own| {
        let repeats = |other: &Touch| is_same_point(other, &own, size) && is_same_plane(other, &own);
        (!kept.iter().any(repeats)).then_some(own)
    });
}
