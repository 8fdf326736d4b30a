//! Contacts of solids that consist of convex pieces.
//!
//! The contacts of each piece are computed by themselves. A contact is dropped if another piece is in its
//! way, as at the edge of a piece inside a face of the solid.

use siconos_kernel::engine::vector::{difference, length, scaled};

use super::mesh::{SAME_POINT, is_same_plane, reduce_planes};
use super::{Touch, drop_duplicates, touches as touches_of_piece};
use crate::detection::placed::{PlacedCore, PlacedShape, PlacedSolid};

/// Appends the contacts of a solid of the given size with another shape.
pub(super) fn touches(solid: &PlacedSolid, size: f64, b: &PlacedShape, reach: f64, found: &mut Vec<Touch>) {
    // Polygons move in the plane, and solids in space.
    if matches!(b.core, PlacedCore::Polygon(_)) {
        return;
    }
    let first = found.len();
    for (index, piece) in solid.pieces.iter().enumerate() {
        if are_apart(piece.bounds, b.bounds, reach) {
            continue;
        }
        let of_piece = found.len();
        touches_of_piece(piece, b, reach, found);
        let mut kept = of_piece;
        for k in of_piece..found.len() {
            let mut touch = found[k];
            if solid.is_exposed(index, touch.points[0], scaled(-1.0, touch.normal)) {
                touch.features[0] += solid.first_feature(index);
                found[kept] = touch;
                kept += 1;
            }
        }
        found.truncate(kept);
    }
    drop_duplicates(found, first);
    drop_repeated(size, found, first);
    reduce_planes(found, first);
}

/// Returns `true` if the distance of two bounds exceeds `reach` along an axis.
fn are_apart(a: [[f64; 3]; 2], b: [[f64; 3]; 2], reach: f64) -> bool {
    let ([low, high], [other_low, other_high]) = (a, b);
    (0..3).any(|axis| low[axis] > other_high[axis] + reach || other_low[axis] > high[axis] + reach)
}

/// Removes contacts at a point where a previous contact has the same normal, as at a common corner of two
/// pieces.
fn drop_repeated(size: f64, found: &mut Vec<Touch>, first: usize) {
    let mut kept = first;
    for k in first..found.len() {
        let own = found[k];
        let repeats = |other: &Touch| {
            length(difference(other.points[0], own.points[0])) <= SAME_POINT * size
                && is_same_plane(other, &own)
        };
        if !found[first..kept].iter().any(repeats) {
            found[kept] = own;
            kept += 1;
        }
    }
    found.truncate(kept);
}
