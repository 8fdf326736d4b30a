//! Crossings of the rim of a disc with segments and with other rims.

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled};

use crate::shape::polytope::{Face, Polytope};

/// Disc in the plane of a flat face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    centre: [f64; 3],
    normal: [f64; 3],
    radius: f64,
}

impl Disc {
    /// Returns the disc of a face whose vertices are on its rim, and opposite to each other in pairs.
    pub(super) fn of(polytope: &Polytope, face: &Face) -> Self {
        let end = |k: usize| polytope.vertices[face.vertices[k] as usize];
        let across = difference(end(0), end(face.vertices.len() / 2));
        let centre = difference(end(0), scaled(0.5, across));
        Self { centre, normal: face.normal, radius: 0.5 * length(across) }
    }

    /// Returns the point of the plane of the disc on the line through a point.
    fn projected(self, point: [f64; 3], along: [f64; 3]) -> [f64; 3] {
        let height = dot(self.normal, difference(self.centre, point)) / dot(self.normal, along);
        add(point, scaled(height, along))
    }

    /// Returns `true` if the projection of a point is inside the disc, except for a tolerance.
    pub(super) fn is_over(self, point: [f64; 3], along: [f64; 3], tolerance: f64) -> bool {
        length(difference(self.projected(point, along), self.centre)) <= self.radius + tolerance
    }

    /// Returns the points of the rim and of a segment whose projections along `along` are equal: the first is
    /// where the segment enters the disc, and the second where it leaves the disc.
    pub(super) fn crossings(self, [a, b]: [[f64; 3]; 2], along: [f64; 3]) -> [Option<[[f64; 3]; 2]>; 2] {
        let start = difference(self.projected(a, along), self.centre);
        let change = difference(self.projected(b, along), add(self.centre, start));
        let (squared, product) = (dot(change, change), dot(start, change));
        let root = product * product - squared * (dot(start, start) - self.radius * self.radius);
        [-1.0, 1.0].map(|sign| {
            let t = (-product + sign * root.sqrt()) / squared;
            let on_rim = add(self.centre, add(start, scaled(t, change)));
            (0.0..=1.0).contains(&t).then(|| [on_rim, add(a, scaled(t, difference(b, a)))])
        })
    }

    /// Returns the points of this and another rim whose projections along `along` are equal, for planes that
    /// are nearly parallel. Rims whose centres differ by less than a tolerance have none.
    pub(super) fn common(self, other: Self, along: [f64; 3], tolerance: f64) -> [Option<[[f64; 3]; 2]>; 2] {
        let apart = difference(self.projected(other.centre, along), self.centre);
        let distance = length(apart);
        let foot = 0.5 * (distance + (self.radius - other.radius) * (self.radius + other.radius) / distance);
        let half = (self.radius - foot) * (self.radius + foot);
        [-1.0, 1.0].map(|sign| {
            let left = scaled(sign * half.sqrt() / distance, cross(along, apart));
            let point = add(self.centre, add(scaled(foot / distance, apart), left));
            let points = [self.projected(point, along), other.projected(point, along)];
            (half > 0.0 && distance > tolerance).then_some(points)
        })
    }
}
