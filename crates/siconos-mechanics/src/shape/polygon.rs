//! Convex polygons in the plane.

use super::extent::Extent;
use super::{MassProperties, ShapeError, check_finite};

/// Convex polygon with corners in counterclockwise order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polygon {
    corners: Vec<[f64; 2]>,
    /// Outward unit normal of each side; side k connects corner k with the next corner.
    normals: Vec<[f64; 2]>,
    /// Lengths before a rotation or translation.
    extent: Extent,
}

impl Polygon {
    pub(crate) fn new(corners: &[[f64; 2]]) -> Result<Self, ShapeError> {
        let count = corners.len();
        if count < 3 {
            return Err(ShapeError::FewCorners { corners: count });
        }
        check_finite("polygon", corners)?;
        let side = |k: usize| {
            let ([a, b], [c, d]) = (corners[k % count], corners[(k + 1) % count]);
            [c - a, d - b]
        };
        let mut turned = 0.0;
        for corner in 0..count {
            let ([a, b], [c, d]) = (side(corner + count - 1), side(corner));
            let (sine, cosine) = (a * d - b * c, a * c + b * d);
            if sine <= 0.0 {
                return Err(ShapeError::NotConvex { corner });
            }
            turned += sine.atan2(cosine);
        }
        // A star turns more than once.
        if turned > 3.0 * std::f64::consts::PI {
            return Err(ShapeError::NotConvex { corner: 0 });
        }
        let normal = |k: usize| {
            let [x, y] = side(k);
            let length = x.hypot(y);
            [y / length, -x / length]
        };
        let extent = Extent::of(corners.iter().map(|[x, y]| [*x, *y, 0.0]));
        Ok(Self { corners: corners.to_vec(), normals: (0..count).map(normal).collect(), extent })
    }

    pub(crate) fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }

    pub(crate) fn extent(&self) -> Extent {
        self.extent
    }

    pub(crate) fn normals(&self) -> &[[f64; 2]] {
        &self.normals
    }

    /// Sets the polygon to a rotated and translated polygon with the same number of corners.
    pub(crate) fn move_from(&mut self, from: &Self, sine: f64, cosine: f64, [x, y]: [f64; 2]) {
        let turn = |[a, b]: [f64; 2]| [cosine * a - sine * b, sine * a + cosine * b];
        for (own, corner) in self.corners.iter_mut().zip(&from.corners) {
            let [a, b] = turn(*corner);
            *own = [x + a, y + b];
        }
        for (own, normal) in self.normals.iter_mut().zip(&from.normals) {
            *own = turn(*normal);
        }
    }

    /// Integrates the polygon over the triangles between its first corner and its sides.
    pub(crate) fn mass_properties(&self, density: f64) -> MassProperties {
        let [x0, y0] = self.corners[0];
        let from_first = |[x, y]: [f64; 2]| [x - x0, y - y0];
        let (mut area, mut first, mut second) = (0.0, [0.0; 2], 0.0);
        for pair in self.corners[1..].windows(2) {
            let ([a, b], [c, d]) = (from_first(pair[0]), from_first(pair[1]));
            let own = 0.5 * (a * d - b * c);
            area += own;
            first = [first[0] + own * (a + c) / 3.0, first[1] + own * (b + d) / 3.0];
            second += own / 6.0 * (a * a + a * c + c * c + b * b + b * d + d * d);
        }
        let [x, y] = first.map(|moment| moment / area);
        let about_centre = density * (second - area * (x * x + y * y));
        MassProperties {
            centre: [x0 + x, y0 + y, 0.0],
            ..MassProperties::principal(density * area, [0.0, 0.0, about_centre])
        }
    }
}
