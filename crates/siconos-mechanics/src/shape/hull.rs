//! Convex hulls of points, with faces of any number of corners.

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use siconos_kernel::engine::vector::{add, cross, difference, dot, scaled, unit};

use super::ShapeError;

/// Convex hull: vertices, and faces as outward normals with their corners in counterclockwise order.
#[derive(Clone, Debug)]
pub(crate) struct Hull {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) faces: Vec<([f64; 3], Vec<u32>)>,
}

/// Maximum distance of a vertex from the plane of a face that contains it, as a fraction of the size.
const FLAT: f64 = 1e-10;

impl Hull {
    /// Computes the hull of points.
    pub(crate) fn of_points(points: &[[f64; 3]]) -> Result<Self, ShapeError> {
        let count = points.len();
        for (index, point) in points.iter().enumerate() {
            if let Some(&value) = point.iter().find(|x| !x.is_finite()) {
                return Err(ShapeError::NotFinite { shape: "convex hull", index, value });
            }
        }
        if count < 4 {
            return Err(ShapeError::FlatHull { points: count });
        }
        // The library compares with absolute tolerances, so the points are scaled to size 1. The scale is a
        // power of two, which changes no digit.
        let centre = scaled(1.0 / count as f64, points.iter().fold([0.0; 3], |sum, p| add(sum, *p)));
        let size =
            points.iter().flat_map(|p| difference(*p, centre)).fold(0.0, |size: f64, x| size.max(x.abs()));
        if size == 0.0 {
            return Err(ShapeError::FlatHull { points: count });
        }
        let unit_length = size.log2().floor().exp2();
        let near_one = |p: &[f64; 3]| {
            let [x, y, z] = scaled(1.0 / unit_length, difference(*p, centre));
            Vector::new(x, y, z)
        };
        let scaled_points: Vec<_> = points.iter().map(near_one).collect();
        let (vertices, triangles) = try_convex_hull(&scaled_points)
            .map_err(|error| ShapeError::Hull { points: count, why: error.to_string() })?;
        let vertices: Vec<[f64; 3]> = vertices.into_iter().map(|p| [p.x, p.y, p.z]).collect();
        let mut faces = merged(&vertices, &triangles);
        if faces.len() < 4 {
            return Err(ShapeError::FlatHull { points: count });
        }
        let vertices = without_unused(vertices, &mut faces);
        // The original coordinates, where a vertex is one of the points.
        let original = |p: [f64; 3]| {
            let index = scaled_points.iter().position(|q| [q.x, q.y, q.z] == p);
            index.map_or_else(|| add(centre, scaled(unit_length, p)), |index| points[index])
        };
        Ok(Self { vertices: vertices.into_iter().map(original).collect(), faces })
    }
}

/// Merges triangles in a common plane.
fn merged(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Vec<([f64; 3], Vec<u32>)> {
    let at = |vertex: u32| vertices[vertex as usize];
    let normal = |[a, b, c]: [u32; 3]| unit(cross(difference(at(b), at(a)), difference(at(c), at(a))));
    let mut open: Vec<[u32; 3]> = triangles.iter().copied().filter(|own| normal(*own).is_some()).collect();
    // Large triangles have accurate normals, and are the first of their faces.
    let area = |[a, b, c]: [u32; 3]| {
        let across = cross(difference(at(b), at(a)), difference(at(c), at(a)));
        dot(across, across)
    };
    open.sort_by(|a, b| area(*b).total_cmp(&area(*a)));
    let mut faces = Vec::new();
    while !open.is_empty() {
        let first = open[0];
        let Some(n) = normal(first) else { break };
        let height = dot(n, at(first[0]));
        let is_in_plane = |own: &[u32; 3]| own.iter().all(|&v| (dot(n, at(v)) - height).abs() <= FLAT);
        let (own, others): (Vec<_>, Vec<_>) = open.into_iter().partition(is_in_plane);
        open = others;
        if let Some(corners) = outline(&own) {
            let corners = without_straight_angles(corners, n, &at);
            faces.push((plane_normal(&corners, n, &at), corners));
        }
    }
    faces
}

/// Returns the boundary of a set of triangles, in their orientation.
fn outline(triangles: &[[u32; 3]]) -> Option<Vec<u32>> {
    let sides = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]];
    let all: Vec<[u32; 2]> = triangles.iter().flat_map(|own| sides(*own)).collect();
    let is_inner = |[a, b]: &[u32; 2]| all.contains(&[*b, *a]);
    let boundary: Vec<[u32; 2]> = all.iter().copied().filter(|side| !is_inner(side)).collect();
    let start = boundary.iter().map(|side| side[0]).min()?;
    let (mut corners, mut at) = (vec![start], start);
    loop {
        at = boundary.iter().find(|side| side[0] == at)?[1];
        if at == start {
            return Some(corners);
        }
        if corners.len() > boundary.len() {
            return None;
        }
        corners.push(at);
    }
}

/// Removes corners at which the outline does not turn.
fn without_straight_angles(corners: Vec<u32>, n: [f64; 3], at: &impl Fn(u32) -> [f64; 3]) -> Vec<u32> {
    let count = corners.len();
    let turns = |k: usize| {
        let [before, own, after] = [k + count - 1, k, k + 1].map(|k| at(corners[k % count]));
        dot(n, cross(difference(own, before), difference(after, own))) > FLAT
    };
    let kept: Vec<u32> = (0..count).filter(|&k| turns(k)).map(|k| corners[k]).collect();
    if kept.len() < 3 { corners } else { kept }
}

/// Returns the normal of a polygon as the sum of the cross products of its sides (Newell's method).
fn plane_normal(corners: &[u32], n: [f64; 3], at: &impl Fn(u32) -> [f64; 3]) -> [f64; 3] {
    let first = at(corners[0]);
    let pairs =
        corners.windows(2).map(|pair| [difference(at(pair[0]), first), difference(at(pair[1]), first)]);
    let sum = pairs.fold([0.0; 3], |sum, [a, b]| add(sum, cross(a, b)));
    unit(sum).unwrap_or(n)
}

/// Removes vertices that belong to no face.
fn without_unused(vertices: Vec<[f64; 3]>, faces: &mut [([f64; 3], Vec<u32>)]) -> Vec<[f64; 3]> {
    let mut new = vec![None; vertices.len()];
    let mut kept = Vec::new();
    for corner in faces.iter_mut().flat_map(|(_, corners)| corners) {
        let old = *corner as usize;
        *corner = *new[old].get_or_insert_with(|| {
            kept.push(vertices[old]);
            kept.len() as u32 - 1
        });
    }
    kept
}
