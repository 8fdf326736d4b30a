//! Convex polygons and segments in the plane.

use std::f64::consts::PI;

use super::extent::Extent;
use super::{MassProperties, ShapeError, check, check_finite};

/// Convex polygon with corners in counterclockwise order, or segment. A segment has two corners and two
/// opposite sides.
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
        if turned > 3.0 * PI {
            return Err(ShapeError::NotConvex { corner: 0 });
        }
        Ok(Self::of_sides(corners, (0..count).map(side)))
    }

    /// Creates the segment between two points. The shape has the given name in messages.
    pub(crate) fn segment(shape: &'static str, ends: [[f64; 2]; 2]) -> Result<Self, ShapeError> {
        check_finite(shape, &ends)?;
        let [[a, b], [c, d]] = ends;
        let (x, y) = (c - a, d - b);
        check(shape, "length", x.hypot(y))?;
        Ok(Self::of_sides(&ends, [[x, y], [-x, -y]].into_iter()))
    }

    fn of_sides(corners: &[[f64; 2]], sides: impl Iterator<Item = [f64; 2]>) -> Self {
        let normal = |[x, y]: [f64; 2]| {
            let length = x.hypot(y);
            [y / length, -x / length]
        };
        let extent = Extent::of(corners.iter().map(|[x, y]| [*x, *y, 0.0]));
        Self { corners: corners.to_vec(), normals: sides.map(normal).collect(), extent }
    }

    /// Returns the ends of a segment; `None` for a polygon.
    pub(crate) fn ends(&self) -> Option<[[f64; 2]; 2]> {
        match self.corners[..] {
            [first, last] => Some([first, last]),
            _ => None,
        }
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

    /// Returns the mass properties of all points within a radius of a segment, for a radius of 0 with a
    /// constant mass per length.
    pub(crate) fn stadium_mass_properties(
        [a, b]: [[f64; 2]; 2],
        radius: f64,
        density: f64,
    ) -> MassProperties {
        let (length, r) = ((b[0] - a[0]).hypot(b[1] - a[1]), radius);
        let (middle, ends) = match r {
            0.0 => (density * length, 0.0),
            _ => (density * 2.0 * r * length, density * PI * r * r),
        };
        // The centre of a half disc is 4 r / (3 pi) from its diameter.
        let of_middle = middle * (length * length + 4.0 * r * r) / 12.0;
        let of_ends = ends * (0.5 * r * r + 0.25 * length * length + 4.0 * r * length / (3.0 * PI));
        MassProperties {
            centre: [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.0],
            ..MassProperties::principal(middle + ends, [0.0, 0.0, of_middle + of_ends])
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
