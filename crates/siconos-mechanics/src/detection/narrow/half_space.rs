//! Contacts of vertices with a half-space.

use siconos_kernel::engine::vector::{add, difference, dot, scaled};

use super::Touch;
use crate::detection::placed::Plane;

/// Appends the contacts of the vertices of a core with a half-space.
pub(super) fn touches(
    vertices: impl Iterator<Item = [f64; 3]>,
    radius: f64,
    plane: &Plane,
    reach: f64,
    found: &mut Vec<Touch>,
) {
    for (index, vertex) in vertices.enumerate() {
        let height = dot(plane.normal, difference(vertex, plane.point));
        let gap = height - radius;
        if gap <= reach {
            let first = add(vertex, scaled(-radius, plane.normal));
            let second = add(first, scaled(-gap, plane.normal));
            let (points, normal) = ([first, second], plane.normal);
            found.push(Touch { points, normal, gap, features: [index as u32, 0] });
        }
    }
}
