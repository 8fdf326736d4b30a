//! Triangulated convex hulls of points.
//!
//! The method is the quickhull algorithm (Barber, Dobkin and Huhdanpaa, 1996), with exact orientations, so
//! the surface is closed and convex for all points.

use std::collections::{BTreeMap, BTreeSet};

use siconos_kernel::engine::vector::{cross, difference, length};

use super::orientation::orientation;
use super::surface::sides;

/// Triangle of the hull.
#[derive(Clone, Debug)]
struct Triangle {
    /// Corners, counterclockwise as seen from outside.
    corners: [u32; 3],
    /// Points outside the triangle.
    outside: Vec<u32>,
    is_part: bool,
}

/// Hull under construction.
struct Quickhull<'a> {
    points: &'a [[f64; 3]],
    triangles: Vec<Triangle>,
    /// Triangle at each side.
    at_side: BTreeMap<[u32; 2], usize>,
}

/// Returns the triangles of the hull, counterclockwise as seen from outside; `None` if the points lie in a
/// plane.
pub(super) fn triangles(points: &[[f64; 3]]) -> Option<Vec<[u32; 3]>> {
    let [a, b, c, d] = tetrahedron(points)?;
    let mut hull = Quickhull { points, triangles: Vec::new(), at_side: BTreeMap::new() };
    hull.add(vec![[a, b, c], [b, a, d], [c, b, d], [a, c, d]], 0..points.len() as u32);
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

    /// Adds triangles, and assigns points to the first triangle that they are outside of.
    fn add(&mut self, corners: Vec<[u32; 3]>, points: impl Iterator<Item = u32>) {
        let first = self.triangles.len();
        for corners in corners {
            let index = self.triangles.len();
            self.at_side.extend(sides(&corners).map(|side| (side, index)));
            self.triangles.push(Triangle { corners, outside: Vec::new(), is_part: true });
        }
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
        let visible = self.visible(triangle, top);
        let of_visible = visible.iter().flat_map(|own| sides(&self.triangles[*own].corners));
        let horizon: Vec<[u32; 3]> = of_visible
            .filter(|[a, b]| !visible.contains(&self.at_side[&[*b, *a]]))
            .map(|[a, b]| [a, b, top])
            .collect();
        let mut points = Vec::new();
        for index in visible {
            let own = &mut self.triangles[index];
            own.is_part = false;
            points.append(&mut own.outside);
        }
        self.add(horizon, points.into_iter());
    }

    /// Returns the triangles that a point is outside of, which are connected.
    fn visible(&self, triangle: usize, point: u32) -> BTreeSet<usize> {
        let mut visible = BTreeSet::from([triangle]);
        let mut open = vec![triangle];
        while let Some(own) = open.pop() {
            for [a, b] in sides(&self.triangles[own].corners) {
                let other = self.at_side[&[b, a]];
                if !visible.contains(&other) && self.height(other, point) > 0.0 {
                    visible.insert(other);
                    open.push(other);
                }
            }
        }
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
