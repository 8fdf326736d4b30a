//! Intersections of rays with shapes.

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled, unit};

use super::placed::{PlacedCore, PlacedShape};
use crate::shape::Polygon;
use crate::shape::polytope::Polytope;

/// Ray with a unit direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub(crate) origin: [f64; 3],
    pub(crate) direction: [f64; 3],
}

/// First point of a shape on a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// Distance from the origin of the ray; 0 if the origin is inside the shape.
    pub(crate) distance: f64,
    /// Outward unit normal of the shape; opposite to the ray if the origin is inside the shape.
    pub(crate) normal: [f64; 3],
}

impl Ray {
    /// Returns the first point of a shape on the ray; `None` if the origin of the ray is not finite.
    pub(crate) fn hit(&self, shape: &PlacedShape) -> Option<Hit> {
        if !self.origin.iter().all(|x| x.is_finite()) {
            return None;
        }
        // Squares of large distances have large rounding errors.
        let start = self.distance_to_ball(&shape.bounds);
        let near = Self { origin: add(self.origin, scaled(start, self.direction)), ..*self };
        let hit = near.hit_nearby(shape)?;
        Some(Hit { distance: start + hit.distance, ..hit })
    }

    /// Returns the distance along the ray to a plane in front of the ball around bounds; 0 if the origin is
    /// behind the plane or the bounds are infinite.
    fn distance_to_ball(&self, [low, high]: &[[f64; 3]; 2]) -> f64 {
        let (centre, diagonal) = (scaled(0.5, add(*low, *high)), difference(*high, *low));
        let distance = dot(self.direction, difference(centre, self.origin)) - length(diagonal);
        if distance > 0.0 && distance.is_finite() { distance } else { 0.0 }
    }

    fn hit_nearby(&self, shape: &PlacedShape) -> Option<Hit> {
        match &shape.core {
            PlacedCore::HalfSpace(plane) => self.enter([(plane.normal, plane.point)]),
            PlacedCore::Polyline(line) => {
                let hits = line.pieces.iter().filter_map(|piece| self.polygon(piece, shape.radius));
                hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
            }
            PlacedCore::Polygon(polygon) => self.polygon(polygon, shape.radius),
            PlacedCore::Mesh(mesh) => {
                let hits = mesh.pieces.iter().filter_map(|piece| self.triangle(piece));
                hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
            }
            PlacedCore::Solid(solid) => {
                let hits = solid.pieces.iter().filter_map(|piece| self.hit_nearby(piece));
                hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
            }
            PlacedCore::Round(solid) => {
                let (distance, normal) = solid.hit(self.origin, self.direction)?;
                Some(Hit { distance, normal })
            }
            PlacedCore::Polytope(core) => match core.vertices[..] {
                [centre] => self.ball(centre, shape.radius),
                [a, b] => self.capsule(a, b, shape.radius),
                _ => {
                    let plane = |vertices: &[u32]| core.vertices[vertices[0] as usize];
                    self.enter(core.faces.iter().map(|face| (face.normal, plane(&face.vertices))))
                }
            },
        }
    }

    /// Returns the point at which the ray enters the intersection of half-spaces, given by outward normals
    /// and points of their planes.
    fn enter(&self, planes: impl IntoIterator<Item = ([f64; 3], [f64; 3])>) -> Option<Hit> {
        let (mut first, mut last) =
            (Hit { distance: 0.0, normal: scaled(-1.0, self.direction) }, f64::INFINITY);
        for (normal, point) in planes {
            let height = dot(normal, difference(self.origin, point));
            let speed = dot(normal, self.direction);
            if speed == 0.0 && height > 0.0 {
                return None;
            }
            let distance = -height / speed;
            if speed < 0.0 && distance > first.distance {
                first = Hit { distance, normal };
            } else if speed > 0.0 {
                last = last.min(distance);
            }
        }
        (first.distance <= last).then_some(first)
    }

    /// Returns the point at which the ray passes through a triangle from its outer side.
    fn triangle(&self, piece: &Polytope) -> Option<Hit> {
        let (normal, corners) = (piece.faces[0].normal, &piece.vertices);
        let speed = dot(normal, self.direction);
        let distance = -dot(normal, difference(self.origin, corners[0])) / speed;
        if speed >= 0.0 || distance < 0.0 {
            return None;
        }
        let point = add(self.origin, scaled(distance, self.direction));
        piece.is_over_first_face(point).then_some(Hit { distance, normal })
    }

    /// Returns the first point of a polygon, or within a radius of a segment.
    fn polygon(&self, polygon: &Polygon, radius: f64) -> Option<Hit> {
        let in_space = |[x, y]: [f64; 2]| [x, y, 0.0];
        if let Some(ends) = polygon.ends() {
            return self.stadium(ends.map(in_space), in_space(polygon.normals()[0]), radius);
        }
        let sides = polygon.normals().iter().zip(polygon.corners());
        self.enter(sides.map(|(normal, corner)| (in_space(*normal), in_space(*corner))))
    }

    /// Returns the first point within a radius of a segment with a unit normal, in the plane.
    fn stadium(&self, [a, b]: [[f64; 3]; 2], normal: [f64; 3], radius: f64) -> Option<Hit> {
        if radius > 0.0 {
            return self.capsule(a, b, radius);
        }
        let speed = dot(normal, self.direction);
        let normal = scaled(-1.0_f64.copysign(speed), normal);
        let distance = dot(normal, difference(self.origin, a)) / speed.abs();
        let along = difference(b, a);
        let at = dot(along, difference(add(self.origin, scaled(distance, self.direction)), a));
        let is_hit = distance >= 0.0 && (0.0..=dot(along, along)).contains(&at);
        is_hit.then_some(Hit { distance, normal })
    }

    fn ball(&self, centre: [f64; 3], radius: f64) -> Option<Hit> {
        let from = difference(self.origin, centre);
        let (along, outside) = (dot(from, self.direction), dot(from, from) - radius * radius);
        if outside <= 0.0 {
            return Some(Hit { distance: 0.0, normal: scaled(-1.0, self.direction) });
        }
        let discriminant = along * along - outside;
        if along > 0.0 || discriminant < 0.0 {
            return None;
        }
        let distance = -along - discriminant.sqrt();
        let normal = unit(add(from, scaled(distance, self.direction)))?;
        Some(Hit { distance, normal })
    }

    /// Returns the first point of a capsule: of the balls at its ends, or of the cylinder between them.
    fn capsule(&self, a: [f64; 3], b: [f64; 3], radius: f64) -> Option<Hit> {
        let ends = [a, b].into_iter().filter_map(|end| self.ball(end, radius));
        let side = self.cylinder(a, b, radius);
        ends.chain(side).min_by(|x, y| x.distance.total_cmp(&y.distance))
    }

    fn cylinder(&self, a: [f64; 3], b: [f64; 3], radius: f64) -> Option<Hit> {
        let axis = difference(b, a);
        let squared = dot(axis, axis);
        let from = difference(self.origin, a);
        // Distances from the axis are those of the cross products, divided by the length of the axis.
        let (of_origin, of_direction) = (cross(from, axis), cross(self.direction, axis));
        let (p, q) = (dot(of_direction, of_direction), dot(of_origin, of_direction));
        let outside = dot(of_origin, of_origin) - radius * radius * squared;
        let is_between = |distance: f64| {
            let along = dot(axis, add(from, scaled(distance, self.direction)));
            (0.0..=squared).contains(&along)
        };
        if outside <= 0.0 {
            let inside = Hit { distance: 0.0, normal: scaled(-1.0, self.direction) };
            return is_between(0.0).then_some(inside);
        }
        let discriminant = q * q - p * outside;
        if q > 0.0 || discriminant < 0.0 || p == 0.0 {
            return None;
        }
        let distance = (-q - discriminant.sqrt()) / p;
        let point = add(from, scaled(distance, self.direction));
        let foot = scaled(dot(axis, point) / squared, axis);
        is_between(distance).then_some(Hit { distance, normal: unit(difference(point, foot))? })
    }
}
