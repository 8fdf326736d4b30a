//! Separating axes of two polytopes: normals of faces, and directions perpendicular to an edge of each.

use siconos_kernel::engine::vector::{cross, difference, dot, length, scaled};

use crate::shape::polytope::{Face, Polytope};

/// Axis with the largest separation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    /// Unit vector from the second polytope to the first.
    pub(super) normal: [f64; 3],
    /// Separation along the normal; negative if the polytopes overlap.
    pub(super) separation: f64,
    pub(super) of: AxisOf,
}

/// Features that define an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum AxisOf {
    FaceOfFirst(usize),
    FaceOfSecond(usize),
    /// Directions of an edge of each polytope.
    Edges([[f64; 3]; 2]),
}

/// Sine of the smallest angle between edges whose common perpendicular is an axis.
const PARALLEL: f64 = 1e-10;

/// Returns the normal of a face with the largest separation; `None` if there are no faces. A normal is
/// preferred to the following ones, those of the second polytope first, unless they exceed it by `advantage`:
/// rounding errors must not decide between equal separations.
pub(super) fn best_face(a: &Polytope, b: &Polytope, advantage: f64) -> Option<Axis> {
    let of_second = b.faces.iter().enumerate().map(|(index, face)| Axis {
        normal: face.normal,
        separation: beyond(face, b, a),
        of: AxisOf::FaceOfSecond(index),
    });
    let of_first = a.faces.iter().enumerate().map(|(index, face)| Axis {
        normal: scaled(-1.0, face.normal),
        separation: beyond(face, a, b),
        of: AxisOf::FaceOfFirst(index),
    });
    let better = |best: Axis, next: Axis| {
        if next.separation > best.separation + advantage { next } else { best }
    };
    of_second.chain(of_first).reduce(better)
}

/// Returns the common perpendicular of edges with the largest separation, if it exceeds the best axis by
/// `advantage`; otherwise the best axis.
pub(super) fn best_edges(a: &Polytope, b: &Polytope, mut best: Axis, advantage: f64) -> Axis {
    for &d in &a.directions {
        for &e in &b.directions {
            let across = cross(d, e);
            let sine = length(across);
            if sine <= PARALLEL {
                continue;
            }
            let normal = scaled(1.0 / sine, across);
            let base = a.vertices[0];
            let [(low_a, high_a), (low_b, high_b)] = [extent(a, normal, base), extent(b, normal, base)];
            for (normal, separation) in [(normal, low_a - high_b), (scaled(-1.0, normal), low_b - high_a)] {
                if separation > best.separation + advantage {
                    best = Axis { normal, separation, of: AxisOf::Edges([d, e]) };
                }
            }
        }
    }
    best
}

/// Returns the separation of two polytopes along a unit vector.
pub(super) fn separation(a: &Polytope, b: &Polytope, along: [f64; 3]) -> f64 {
    let base = a.vertices[0];
    extent(a, along, base).0 - extent(b, along, base).1
}

/// Returns the smallest height of `other` above a face of `own`.
fn beyond(face: &Face, own: &Polytope, other: &Polytope) -> f64 {
    let base = own.vertices[face.vertices[0] as usize];
    let height = |vertex: &[f64; 3]| dot(face.normal, difference(*vertex, base));
    other.vertices.iter().map(height).fold(f64::INFINITY, f64::min)
}

/// Returns the smallest and the largest coordinate along an axis.
fn extent(polytope: &Polytope, axis: [f64; 3], base: [f64; 3]) -> (f64, f64) {
    let along = polytope.vertices.iter().map(|vertex| dot(axis, difference(*vertex, base)));
    along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}
