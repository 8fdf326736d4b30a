//! Triangulated convex hulls of points.
//!
//! The method is the quickhull algorithm (Barber, Dobkin and Huhdanpaa, 1996), with exact orientations, so
//! the surface is closed and convex for all points.

use siconos_kernel::engine::vector::{cross, difference, length};

use super::orientation::orientation;
use super::surface::sides;

/// Triangle of the hull.
#[derive(Clone, Debug)]
struct Triangle {
    /// Corners, counterclockwise as seen from outside.
    corners: [u32; 3],
    /// Triangle on the other side of each side. Side k connects corner k with the next corner.
    neighbours: [usize; 3],
    /// Points outside the triangle.
    outside: Vec<u32>,
    is_part: bool,
}

/// Hull under construction.
struct Quickhull<'a> {
    points: &'a [[f64; 3]],
    triangles: Vec<Triangle>,
    /// Last triangle that was added whose first corner is the point.
    first_at: Vec<usize>,
}

/// Triangle to be added: its corners, and its neighbour at the first side.
type New = ([u32; 3], usize);

/// Returns the triangles of the hull, counterclockwise as seen from outside; `None` if the points lie in a
/// plane.
pub(super) fn triangles(points: &[[f64; 3]]) -> Option<Vec<[u32; 3]>> {
    let [a, b, c, d] = tetrahedron(points)?;
    let mut hull = Quickhull { points, triangles: Vec::new(), first_at: vec![0; points.len()] };
    let corners = [[a, b, c], [b, a, d], [c, b, d], [a, c, d]];
    for (corners, neighbours) in corners.into_iter().zip([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]) {
        hull.triangles.push(Triangle { corners, neighbours, outside: Vec::new(), is_part: true });
    }
    hull.assign(0, 0..points.len() as u32);
    let mut next = 0;
    while next < hull.triangles.len() {
        if hull.triangles[next].is_part {
            hull.extend(next);
        }
        next += 1;
    }
    Some(hull.triangles.into_iter().filter(|own| own.is_part).map(|own| own.corners).collect())
}

impl Quickhull<'_> {
    /// Returns a positive number if a point is outside a triangle.
    fn height(&self, triangle: usize, point: u32) -> f64 {
        let [a, b, c] = self.triangles[triangle].corners;
        orientation([a, b, c, point].map(|index| self.points[index as usize]))
    }

    /// Adds triangles with a common last corner around a point.
    fn add(&mut self, around: &[New]) {
        let first = self.triangles.len();
        for (index, (corners, _)) in around.iter().enumerate() {
            self.first_at[corners[0] as usize] = first + index;
        }
        for (own, (corners, below)) in (first..).zip(around) {
            let next = self.first_at[corners[1] as usize];
            let neighbours = [*below, next, 0];
            self.triangles.push(Triangle {
                corners: *corners,
                neighbours,
                outside: Vec::new(),
                is_part: true,
            });
            let of_below = sides(&self.triangles[*below].corners).position(|[a, _]| a == corners[1]);
            of_below.into_iter().for_each(|side| self.triangles[*below].neighbours[side] = own);
        }
        for own in first..self.triangles.len() {
            let next = self.triangles[own].neighbours[1];
            self.triangles[next].neighbours[2] = own;
        }
    }

    /// Assigns points to the first of the last triangles that they are outside of.
    fn assign(&mut self, first: usize, points: impl Iterator<Item = u32>) {
        for point in points {
            let outside = (first..self.triangles.len()).find(|own| self.height(*own, point) > 0.0);
            if let Some(triangle) = outside {
                self.triangles[triangle].outside.push(point);
            }
        }
    }

    /// Extends the hull by the point that is farthest outside a triangle, if there is one.
    fn extend(&mut self, triangle: usize) {
        let outside = self.triangles[triangle].outside.iter();
        let rated = outside.map(|point| (self.height(triangle, *point), *point));
        let Some((_, top)) = rated.max_by(|a, b| a.0.total_cmp(&b.0)) else { return };
        let visible = self.remove_visible(triangle, top);
        let mut around: Vec<New> = Vec::new();
        for own in &visible {
            let Triangle { corners, neighbours, .. } = &self.triangles[*own];
            let with_neighbours = sides(corners).zip(neighbours);
            let horizon = with_neighbours.filter(|(_, other)| self.triangles[**other].is_part);
            around.extend(horizon.map(|([a, b], other)| ([a, b, top], *other)));
        }
        let mut points = Vec::new();
        for index in visible {
            points.append(&mut self.triangles[index].outside);
        }
        let first = self.triangles.len();
        self.add(&around);
        self.assign(first, points.into_iter());
    }

    /// Removes the triangles that a point is outside of, which are connected, and returns them in ascending
    /// order.
    fn remove_visible(&mut self, triangle: usize, point: u32) -> Vec<usize> {
        let mut visible = vec![triangle];
        self.triangles[triangle].is_part = false;
        let mut done = 0;
        while let Some(own) = visible.get(done) {
            for other in self.triangles[*own].neighbours {
                if self.triangles[other].is_part && self.height(other, point) > 0.0 {
                    self.triangles[other].is_part = false;
                    visible.push(other);
                }
            }
            done += 1;
        }
        visible.sort_unstable();
        visible
    }
}

/// Returns four points that do not lie in a plane and are far from each other. The fourth point is below the
/// triangle of the others.
fn tetrahedron(points: &[[f64; 3]]) -> Option<[u32; 4]> {
    let at = |index: u32| points[index as usize];
    let farthest = |distance: &dyn Fn([f64; 3]) -> f64| {
        let rated = (0..points.len() as u32).map(|index| (distance(at(index)), index));
        rated.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, index)| index)
    };
    let a = farthest(&|p| length(difference(p, points[0])))?;
    let b = farthest(&|p| length(difference(p, at(a))))?;
    let c = farthest(&|p| length(cross(difference(p, at(a)), difference(at(b), at(a)))))?;
    let volume = |p: [f64; 3]| orientation([at(a), at(b), at(c), p]);
    let d = farthest(&|p| volume(p).abs())?;
    let height = volume(at(d));
    (height != 0.0).then_some(if height < 0.0 { [a, b, c, d] } else { [b, a, c, d] })
}
