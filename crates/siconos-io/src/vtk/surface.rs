//! Surfaces of simple shapes, in the frame of a body.

use std::f64::consts::{PI, TAU};

/// Surface of a body: points in the body frame, and the cells that connect them.
///
/// ```
/// use siconos_io::vtk::Surface;
///
/// let cube = Surface::cuboid([1.0, 1.0, 1.0]);
/// assert_eq!((cube.points.len(), cube.polygons.len()), (8, 6));
/// let ball = Surface::ball(0.5);
/// assert!(ball.points.iter().all(|p| (p.iter().map(|x| x * x).sum::<f64>() - 0.25).abs() < 1e-14));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Points in the body frame, in the unit of the model.
    pub points: Vec<[f64; 3]>,
    /// Lines through two or more points.
    pub lines: Vec<Vec<usize>>,
    /// Polygons with three or more corners, which are counter-clockwise as seen from outside.
    pub polygons: Vec<Vec<usize>>,
}

/// Number of points of a circle.
const AROUND: usize = 24;
/// Number of points of a half circle from pole to pole, without the poles. The number is odd, so that a row
/// of points lies on the equator.
const ALONG: usize = 11;

impl Surface {
    /// Returns the polygons as triangles from their first corners, for example for the shape of a body. The
    /// polygons must be convex.
    ///
    /// ```
    /// use siconos_io::vtk::Surface;
    ///
    /// let cube = Surface::cuboid([1.0; 3]);
    /// assert_eq!(cube.triangles().len(), 12);
    /// ```
    #[must_use]
    pub fn triangles(&self) -> Vec<[usize; 3]> {
        let of_polygon = |polygon: &'_ [usize]| -> Vec<[usize; 3]> {
            polygon.windows(2).skip(1).map(|side| [polygon[0], side[0], side[1]]).collect()
        };
        self.polygons.iter().flat_map(|polygon| of_polygon(polygon)).collect()
    }

    /// Creates a ball around the origin.
    #[must_use]
    pub fn ball(radius: f64) -> Self {
        Self::capsule(radius, 0.0)
    }

    /// Creates a capsule around the origin: a cylinder along the z axis with a half ball at each end.
    /// `length` is the length of the cylinder, without the half balls.
    #[must_use]
    pub fn capsule(radius: f64, length: f64) -> Self {
        let mut points = vec![[0.0, 0.0, -0.5 * length - radius]];
        let equator = ALONG / 2;
        for row in 0..ALONG {
            let latitude = PI * ((row + 1) as f64 / (ALONG + 1) as f64 - 0.5);
            let of_row = |half: f64| {
                let (ring, height) = (radius * latitude.cos(), radius * latitude.sin() + half * length);
                let point = move |k: usize| {
                    let angle = TAU * k as f64 / AROUND as f64;
                    [ring * angle.cos(), ring * angle.sin(), height]
                };
                (0..AROUND).map(point)
            };
            // The equator of a capsule is a cylinder with two rows.
            if row < equator || (row == equator && length != 0.0) {
                points.extend(of_row(-0.5));
            }
            if row >= equator {
                points.extend(of_row(0.5));
            }
        }
        points.push([0.0, 0.0, 0.5 * length + radius]);
        let rows = (points.len() - 2) / AROUND;
        let at = |row: usize, k: usize| 1 + row * AROUND + k % AROUND;
        let mut polygons = Vec::new();
        for k in 0..AROUND {
            polygons.push(vec![0, at(0, k + 1), at(0, k)]);
            for row in 1..rows {
                polygons.push(vec![at(row - 1, k), at(row - 1, k + 1), at(row, k + 1), at(row, k)]);
            }
            polygons.push(vec![at(rows - 1, k), at(rows - 1, k + 1), points.len() - 1]);
        }
        Self { points, lines: Vec::new(), polygons }
    }

    /// Creates a box around the origin with these edge lengths along the axes of the body.
    #[must_use]
    pub fn cuboid(lengths: [f64; 3]) -> Self {
        let corner = |index: usize| {
            let coordinate = |axis: usize| lengths[axis] * (((index >> axis) & 1) as f64 - 0.5);
            [coordinate(0), coordinate(1), coordinate(2)]
        };
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        Self {
            points: (0..8).map(corner).collect(),
            lines: Vec::new(),
            polygons: faces.map(Vec::from).to_vec(),
        }
    }

    /// Creates a disc around the origin in the plane of x and y, with a line that shows its rotation.
    #[must_use]
    pub fn disc(radius: f64) -> Self {
        let point = |k: usize| {
            let angle = TAU * k as f64 / AROUND as f64;
            [radius * angle.cos(), radius * angle.sin(), 0.0]
        };
        Self {
            points: (0..AROUND).map(point).chain([[0.0; 3]]).collect(),
            lines: vec![vec![AROUND, 0]],
            polygons: vec![(0..AROUND).collect()],
        }
    }

    /// Creates a rectangle around the origin in the plane of x and y, with these edge lengths.
    #[must_use]
    pub fn rectangle([a, b]: [f64; 2]) -> Self {
        let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        Self {
            points: corners.map(|[x, y]| [x * a, y * b, 0.0]).to_vec(),
            lines: Vec::new(),
            polygons: vec![vec![0, 1, 2, 3]],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Surface;

    /// Returns the volume of a closed surface, which is positive if its polygons are counter-clockwise.
    fn volume(surface: &Surface) -> f64 {
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let of_triangle = |a: usize, b: usize, c: usize| {
            let [a, b, c] = [a, b, c].map(|corner| surface.points[corner]);
            dot(a, cross(b, c)) / 6.0
        };
        let of_polygon = |polygon: &Vec<usize>| -> f64 {
            polygon[1..].windows(2).map(|pair| of_triangle(polygon[0], pair[0], pair[1])).sum()
        };
        surface.polygons.iter().map(of_polygon).sum()
    }

    #[test]
    fn surfaces_are_closed_and_seen_from_outside() {
        assert!((volume(&Surface::cuboid([1.0, 2.0, 3.0])) - 6.0).abs() < 1e-14);
        let ball = volume(&Surface::ball(1.0)) / (4.0 / 3.0 * std::f64::consts::PI);
        assert!((0.95..1.0).contains(&ball), "{ball}");
        let capsule = volume(&Surface::capsule(1.0, 2.0));
        let exact = std::f64::consts::PI * (4.0 / 3.0 + 2.0);
        assert!((0.95..1.0).contains(&(capsule / exact)), "{capsule}");
        for surface in [Surface::ball(1.0), Surface::capsule(1.0, 2.0), Surface::cuboid([1.0; 3])] {
            // Each edge belongs to two polygons, in opposite directions.
            let mut edges: Vec<_> = Vec::new();
            for polygon in &surface.polygons {
                let next = polygon.iter().cycle().skip(1);
                edges.extend(polygon.iter().copied().zip(next.copied()));
            }
            assert!(edges.iter().all(|(a, b)| edges.contains(&(*b, *a))), "an open edge");
        }
    }
}
