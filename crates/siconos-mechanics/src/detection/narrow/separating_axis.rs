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

/// Returns the axis with the largest separation, or the first axis with a separation above `enough`. Normals
/// of faces are preferred to axes of edges unless these exceed them by `advantage`. Returns `None` if there
/// are no axes, for example for two balls.
pub(super) fn best_axis(a: &Polytope, b: &Polytope, enough: f64, advantage: f64) -> Option<Axis> {
    let mut best: Option<Axis> = None;
    for (index, face) in b.faces.iter().enumerate() {
        let separation = beyond(face, b, a);
        let of = AxisOf::FaceOfSecond(index);
        offer(&mut best, Axis { normal: face.normal, separation, of }, 0.0);
    }
    for (index, face) in a.faces.iter().enumerate() {
        let separation = beyond(face, a, b);
        let of = AxisOf::FaceOfFirst(index);
        offer(&mut best, Axis { normal: scaled(-1.0, face.normal), separation, of }, advantage);
    }
    if best.is_some_and(|best| best.separation > enough) {
        return best;
    }
    for &d in &a.directions {
        for &e in &b.directions {
            let across = cross(d, e);
            let sine = length(across);
            if sine <= PARALLEL {
                continue;
            }
            let axis = scaled(1.0 / sine, across);
            let base = a.vertices[0];
            let [(low_a, high_a), (low_b, high_b)] = [extent(a, axis, base), extent(b, axis, base)];
            let of = AxisOf::Edges([d, e]);
            offer(&mut best, Axis { normal: axis, separation: low_a - high_b, of }, advantage);
            let back = scaled(-1.0, axis);
            offer(&mut best, Axis { normal: back, separation: low_b - high_a, of }, advantage);
        }
    }
    best
}

fn offer(best: &mut Option<Axis>, axis: Axis, advantage: f64) {
    if best.is_none_or(|best| axis.separation > best.separation + advantage) {
        *best = Some(axis);
    }
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
