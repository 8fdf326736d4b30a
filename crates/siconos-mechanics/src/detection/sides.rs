//! Sides of segments: a body stays on the side of a segment on which it was at the beginning of the last
//! step.
//!
//! The positions of two thin bodies do not show that one has passed the other within a step.

use siconos_kernel::ContactState;
use siconos_kernel::engine::vector::{add, scaled};

use super::narrow::{EDGE, Touch, drop_duplicates, touches};
use super::placed::{PlacedCore, PlacedShape};

impl PlacedShape {
    /// Returns `true` for segments and chains of segments. Their edges have the numbers 2 k and 2 k + 1 for
    /// the sides of segment k.
    pub(super) fn has_two_sides(&self) -> bool {
        match &self.core {
            PlacedCore::Polygon(polygon) => polygon.ends().is_some(),
            PlacedCore::Polyline(_) => true,
            PlacedCore::HalfSpace(_)
            | PlacedCore::Polytope(_)
            | PlacedCore::Round(_)
            | PlacedCore::Mesh(_)
            | PlacedCore::Solid(_) => false,
        }
    }
}

/// Writes the contacts of shapes of which one has two sides. `before` are the contacts of this pair in the
/// last step. Bodies that are on the other side by more than their depth at the end of the last step plus
/// `reach` stay there.
pub(super) fn two_sided_touches(
    shapes: [&PlacedShape; 2],
    before: &[ContactState],
    reach: f64,
    found: &mut Vec<Touch>,
) {
    let depth = before.iter().map(|contact| -contact.gap_at_end).fold(0.0, f64::max);
    touches(shapes[0], shapes[1], reach + depth, found);
    for shape in [0, 1].into_iter().filter(|shape| shapes[*shape].has_two_sides()) {
        let other = 1 - shape;
        // A rod can touch vertices of a chain with both sides, but a convex body only with one.
        let is_chain = matches!(shapes[other].core, PlacedCore::Polyline(_));
        let had = |features: [u32; 2]| {
            let is_same =
                |own: [u32; 2]| own[shape] == features[shape] && (!is_chain || own[other] == features[other]);
            before.iter().any(|contact| is_same(contact.key.features))
        };
        for touch in found.iter_mut().filter(|touch| touch.features[shape] & EDGE != 0) {
            let opposite = of_other_side(touch.features, shape);
            if !had(touch.features) && had(opposite) {
                *touch = on_other_side(*touch, opposite, shapes.map(|own| own.radius), reach + depth);
            }
        }
    }
    found.retain(|touch| touch.gap <= reach);
    drop_duplicates(found, 0);
}

/// Returns the features with the other side of a segment of one of the shapes.
fn of_other_side(mut features: [u32; 2], shape: usize) -> [u32; 2] {
    features[shape] ^= 1;
    features
}

/// Returns the contact with the other side of a segment, if the cores are at most `reach` apart.
fn on_other_side(touch: Touch, features: [u32; 2], radii: [f64; 2], reach: f64) -> Touch {
    let Touch { points: [p, q], normal, gap, .. } = touch;
    let [r, s] = radii;
    let of_cores = gap + (r + s);
    if of_cores > reach {
        return touch;
    }
    let points = [add(p, scaled(r, normal)), add(q, scaled(-s, normal))];
    Touch::of_cores(points, scaled(-1.0, normal), -of_cores, radii, features)
}
