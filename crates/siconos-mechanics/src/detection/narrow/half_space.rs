//! Contacts of points with a half-space.

use siconos_kernel::engine::vector::{add, difference, dot, scaled};

use super::Touch;
use crate::detection::placed::Plane;

/// Appends the contacts of numbered points of a core with a half-space.
pub(super) fn touches(
    vertices: impl Iterator<Item = (u32, [f64; 3])>,
    radius: f64,
    plane: &Plane,
    reach: f64,
    found: &mut Vec<Touch>,
) {
    for (number, vertex) in vertices {
        let height = dot(plane.normal, difference(vertex, plane.point));
        let gap = height - radius;
        if gap <= reach {
            let first = add(vertex, scaled(-radius, plane.normal));
            let second = add(first, scaled(-gap, plane.normal));
            let (points, normal) = ([first, second], plane.normal);
            found.push(Touch { points, normal, gap, features: [number, 0] });
        }
    }
}
