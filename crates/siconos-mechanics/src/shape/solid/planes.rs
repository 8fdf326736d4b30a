//! Planes that can cut a solid into parts that are closer to convex.

use std::collections::BTreeMap;

use siconos_kernel::engine::vector::{AXES, add, cross, difference, dot, length, scaled, unit};

use super::cut::Plane;
use super::lump::Lump;
use super::middle;
use crate::shape::surface::area_vector;

/// Maximum number of planes.
const MOST: usize = 64;

/// Number of the largest triangles whose planes are used.
const LARGEST: usize = 16;

/// Largest difference of normals and offsets of planes that count as equal.
const EQUAL: f64 = 1e-9;

/// Edge at which the solid is not convex.
#[derive(Clone, Copy, Debug)]
struct ReflexEdge {
    ends: [u32; 2],
    /// Unit normals of its triangles.
    normals: [[f64; 3]; 2],
    /// Product of the length and the angle by which it exceeds a plane.
    weight: f64,
}

/// Returns planes through the edges at which a solid is not convex: planes of triangles, planes that bisect
/// the angle at an edge, and planes of two consecutive edges. They are followed by planes of large triangles
/// and by planes through the middle. Points up to the distance `snap` above a plane are not above it.
pub(super) fn planes(lump: &Lump, snap: f64) -> Vec<Plane> {
    let edges = reflex_edges(lump, snap);
    let mut at_point: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, edge) in edges.iter().enumerate() {
        edge.ends.iter().for_each(|end| at_point.entry(*end).or_default().push(index));
    }
    let mut chosen = Chosen(Vec::new());
    for (index, edge) in edges.iter().enumerate() {
        let [n, m] = edge.normals;
        let base = lump.points[edge.ends[0] as usize];
        let mut normals = vec![Some(n), Some(m), unit(cross(along(lump, edge), add(n, m)))];
        let next = edge.ends.iter().flat_map(|end| &at_point[end]).filter(|other| **other != index);
        normals.extend(next.map(|other| spanned(along(lump, edge), along(lump, &edges[*other]))));
        normals.into_iter().flatten().for_each(|normal| chosen.add(Plane::through(base, normal)));
    }
    for triangle in largest(lump) {
        let corners = lump.corners(triangle);
        unit(area_vector(corners))
            .into_iter()
            .for_each(|normal| chosen.add(Plane::through(corners[0], normal)));
    }
    let centre = middle(&lump.points);
    AXES.into_iter().for_each(|axis| chosen.force(Plane::through(centre, axis)));
    chosen.0
}

/// Planes so far, without repetitions.
struct Chosen(Vec<Plane>);

impl Chosen {
    /// Adds a plane unless there are too many.
    fn add(&mut self, plane: Plane) {
        if self.0.len() < MOST {
            self.force(plane);
        }
    }

    /// Adds a plane.
    fn force(&mut self, plane: Plane) {
        let is_same = |other: &Plane| {
            let sign = 1.0_f64.copysign(dot(other.normal, plane.normal));
            let off = difference(other.normal, scaled(sign, plane.normal));
            length(off) <= EQUAL && (other.offset - sign * plane.offset).abs() <= EQUAL
        };
        if !self.0.iter().any(is_same) {
            self.0.push(plane);
        }
    }
}

/// Returns the edges at which a solid is not convex, with the largest weights first.
fn reflex_edges(lump: &Lump, snap: f64) -> Vec<ReflexEdge> {
    let at_side = lump.triangles_at_sides();
    let mut edges = Vec::new();
    for ([a, b], own) in at_side.iter().filter(|([a, b], _)| a < b) {
        let Some(others) = at_side.get(&[*b, *a]) else { continue };
        for (own, other) in own.iter().zip(others) {
            edges.extend(reflex_edge(lump, [*a, *b], [*own, *other], snap));
        }
    }
    edges.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    edges
}

/// Returns the common edge of two triangles if the second one is above the plane of the first.
fn reflex_edge(lump: &Lump, ends: [u32; 2], triangles: [usize; 2], snap: f64) -> Option<ReflexEdge> {
    let [own, other] = triangles.map(|triangle| lump.corners(triangle));
    let normals = [unit(area_vector(own))?, unit(area_vector(other))?];
    let height = |normal, base, corners: [[f64; 3]; 3]| {
        corners.iter().map(|corner| dot(normal, difference(*corner, base))).fold(0.0, f64::max)
    };
    let highest = height(normals[0], own[0], other).max(height(normals[1], other[0], own));
    if highest <= snap {
        return None;
    }
    let [p, q] = ends.map(|end| lump.points[end as usize]);
    let angle = length(cross(normals[0], normals[1])).atan2(dot(normals[0], normals[1]));
    Some(ReflexEdge { ends, normals, weight: angle * length(difference(q, p)) })
}

fn along(lump: &Lump, edge: &ReflexEdge) -> [f64; 3] {
    let [a, b] = edge.ends.map(|end| lump.points[end as usize]);
    difference(b, a)
}

/// Returns the unit normal of the plane of two directions; `None` if they are nearly parallel.
fn spanned(u: [f64; 3], v: [f64; 3]) -> Option<[f64; 3]> {
    let across = cross(u, v);
    if length(across) > 1e-3 * length(u) * length(v) { unit(across) } else { None }
}

/// Returns the largest triangles.
fn largest(lump: &Lump) -> Vec<usize> {
    let mut order: Vec<(f64, usize)> = (0..lump.triangles.len())
        .map(|triangle| (length(area_vector(lump.corners(triangle))), triangle))
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    order.into_iter().take(LARGEST).map(|(_, triangle)| triangle).collect()
}
