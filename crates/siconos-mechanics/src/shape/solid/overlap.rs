//! Proper overlaps of two triangles.
//!
//! Signs of volumes are exact (Shewchuk, 1997), so triangles that only touch do not overlap. The depth of an
//! overlap is the shortest displacement after which the triangles do not overlap. It has the direction of a
//! normal or of the cross product of two sides (Gottschalk, Lin and Manocha, 1996).

use siconos_kernel::engine::vector::{cross, difference, dot, unit};

use crate::shape::orientation::orientation;
use crate::shape::surface::area_vector;

/// Distance at which points lie in a plane. The size of the mesh is between 1/2 and 1, and its thinnest parts
/// have a thickness of 1e-10.
const FLAT: f64 = 1e-11;

/// Triangle of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    /// Indices of the corners, which are the same for a common corner of two triangles.
    pub(super) corners: [u32; 3],
    pub(super) points: [[f64; 3]; 3],
}

/// Returns `true` if two triangles overlap by more than `depth`.
///
/// Triangles in a plane overlap if their normals are equal, or if they share an edge. With opposite normals
/// and no common edge, they are the faces of two parts that touch.
pub(super) fn overlap(a: &Triangle, b: &Triangle, depth: f64) -> bool {
    if a.is_in_plane_of(b) && b.is_in_plane_of(a) {
        let is_fold = a.corners.iter().filter(|corner| b.corners.contains(corner)).count() > 1;
        let [n, m] = [a.normal(), b.normal()];
        return (is_fold || dot(n, m) > 0.0) && exceeds(a, b, &in_plane(a, b), depth);
    }
    let signs = [a.signs_of(b), b.signs_of(a)];
    let is_apart = |own: &[f64; 3]| own.iter().all(|x| *x >= 0.0) || own.iter().all(|x| *x <= 0.0);
    if signs.iter().any(is_apart) {
        return false;
    }
    let is_crossing = a.is_pierced(b, signs[0]) || b.is_pierced(a, signs[1]);
    is_crossing && exceeds(a, b, &in_space(a, b), depth)
}

impl Triangle {
    fn normal(&self) -> [f64; 3] {
        area_vector(self.points)
    }

    /// Returns `true` if the triangle lies in the plane of another one, except for rounding errors.
    fn is_in_plane_of(&self, other: &Self) -> bool {
        let height = |normal, point| dot(normal, difference(point, other.points[0])).abs();
        unit(other.normal()).is_some_and(|normal| self.points.iter().all(|p| height(normal, *p) <= FLAT))
    }

    fn sides(&self) -> [[f64; 3]; 3] {
        let [a, b, c] = self.points;
        [difference(b, a), difference(c, b), difference(a, c)]
    }

    /// Returns numbers with the signs of the heights of the corners of another triangle.
    fn signs_of(&self, other: &Self) -> [f64; 3] {
        let [a, b, c] = self.points;
        [0, 1, 2].map(|k| match self.corners.contains(&other.corners[k]) {
            true => 0.0,
            false => orientation([a, b, c, other.points[k]]),
        })
    }

    /// Returns `true` if this triangle contains a point of a side of another triangle, given the signs of its
    /// heights. Sides that end at a common corner do not count.
    fn is_pierced(&self, other: &Self, signs: [f64; 3]) -> bool {
        (0..3).any(|from| {
            let to = (from + 1) % 3;
            let is_common = [from, to].iter().any(|end| self.corners.contains(&other.corners[*end]));
            if is_common || signs[from] * signs[to] > 0.0 || [signs[from], signs[to]] == [0.0; 2] {
                return false;
            }
            let turns = [0, 1, 2].map(|k| {
                let [a, b] = [self.points[k], self.points[(k + 1) % 3]];
                orientation([other.points[from], other.points[to], a, b])
            });
            turns.iter().all(|x| *x >= 0.0) || turns.iter().all(|x| *x <= 0.0)
        })
    }

    /// Returns the interval of the points along an axis.
    fn along(&self, axis: [f64; 3]) -> [f64; 2] {
        let at = self.points.map(|point| dot(axis, point));
        [at.into_iter().fold(f64::INFINITY, f64::min), at.into_iter().fold(f64::NEG_INFINITY, f64::max)]
    }
}

/// Returns `true` if the overlap of the intervals of two triangles along all axes exceeds `depth`.
fn exceeds(a: &Triangle, b: &Triangle, axes: &[[f64; 3]], depth: f64) -> bool {
    axes.iter().filter_map(|axis| unit(*axis)).all(|axis| {
        let ([low, high], [other_low, other_high]) = (a.along(axis), b.along(axis));
        high - other_low > depth && other_high - low > depth
    })
}

/// Returns the axes along which triangles in a plane can be separated.
fn in_plane(a: &Triangle, b: &Triangle) -> Vec<[f64; 3]> {
    let [n, m] = [a.normal(), b.normal()];
    let normal = if dot(n, n) > dot(m, m) { n } else { m };
    a.sides().into_iter().chain(b.sides()).map(|side| cross(normal, side)).collect()
}

/// Returns the axes along which triangles that are not in a plane can be separated.
fn in_space(a: &Triangle, b: &Triangle) -> Vec<[f64; 3]> {
    let others = b.sides();
    let across = a.sides().into_iter().flat_map(|own| others.map(|other| cross(own, other)));
    across.chain([a.normal(), b.normal()]).collect()
}
