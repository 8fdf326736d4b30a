//! Intersections of rays with solids that have curved surfaces.

use siconos_kernel::engine::vector::{add, difference, scaled, unit};

use super::round::Round;

/// Solid as the points of a slab at which a quadratic form is at most a constant.
struct Quadric {
    weights: [f64; 3],
    centre: [f64; 3],
    level: f64,
    /// Lower and upper bound of z.
    slab: [f64; 2],
}

impl Quadric {
    fn of(solid: &Round) -> Self {
        match *solid {
            Round::Cylinder { radius, half } => Self {
                weights: [1.0, 1.0, 0.0],
                centre: [0.0; 3],
                level: radius * radius,
                slab: [-half, half],
            },
            Round::Cone { radius, height } => {
                let apex = 0.75 * height;
                Self {
                    weights: [1.0, 1.0, -(radius / height).powi(2)],
                    centre: [0.0, 0.0, apex],
                    level: 0.0,
                    slab: [-0.25 * height, apex],
                }
            }
            Round::Ellipsoid(axes) => Self {
                weights: axes.map(|axis| 1.0 / (axis * axis)),
                centre: [0.0; 3],
                level: 1.0,
                slab: [f64::NEG_INFINITY, f64::INFINITY],
            },
        }
    }

    /// Returns the value of the bilinear form.
    fn form(&self, a: [f64; 3], b: [f64; 3]) -> f64 {
        (0..3).map(|i| self.weights[i] * a[i] * b[i]).sum()
    }

    fn contains(&self, point: [f64; 3]) -> bool {
        let from = difference(point, self.centre);
        self.form(from, from) <= self.level && (self.slab[0]..=self.slab[1]).contains(&point[2])
    }

    /// Returns the distances at which the ray crosses the curved surface, extended beyond the slab.
    fn roots(&self, origin: [f64; 3], direction: [f64; 3]) -> [f64; 2] {
        let from = difference(origin, self.centre);
        let (a, b) = (self.form(direction, direction), self.form(from, direction));
        let c = self.form(from, from) - self.level;
        let root = (b * b - a * c).sqrt();
        // The sum of terms of equal sign; the other root follows from the product of the roots.
        let sum = -(b + root.copysign(b));
        [sum / a, c / sum]
    }
}

impl Round {
    /// Returns the distance at which a ray with a unit direction enters the solid, and the outward normal
    /// there. If the origin is inside, the distance is 0 and the normal is opposite to the direction.
    pub(crate) fn hit(&self, origin: [f64; 3], direction: [f64; 3]) -> Option<(f64, [f64; 3])> {
        let quadric = Quadric::of(self);
        let point = |distance: f64| add(origin, scaled(distance, direction));
        if quadric.contains(origin) {
            return Some((0.0, scaled(-1.0, direction)));
        }
        let curved = quadric.roots(origin, direction).map(|distance| (distance, None));
        let flat = [0, 1].map(|side| {
            let outward = [-1.0, 1.0][side];
            ((quadric.slab[side] - origin[2]) / direction[2], Some([0.0, 0.0, outward]))
        });
        let mut crossings: Vec<(f64, Option<[f64; 3]>)> = curved.into_iter().chain(flat).collect();
        crossings.retain(|(distance, _)| *distance > 0.0 && distance.is_finite());
        crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
        // The ray is inside the solid between two crossings if their midpoint is inside.
        let enters =
            |pair: &&[(f64, Option<[f64; 3]>)]| quadric.contains(point(0.5 * (pair[0].0 + pair[1].0)));
        let (distance, normal) = crossings.windows(2).find(enters)?[0];
        let from = difference(point(distance), quadric.centre);
        let gradient = || unit([0, 1, 2].map(|i| quadric.weights[i] * from[i]));
        Some((distance, normal.or_else(gradient)?))
    }
}
