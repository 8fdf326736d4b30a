//! Largest distance by which a convex piece protrudes from the mesh, by branch and bound.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use siconos_kernel::engine::vector::{add, difference, dot, length, scaled};

use super::bounds;
use super::distance::Boundary;
use crate::shape::hull::Hull;

/// Ratio of the upper bound to the distance of a point of the piece at which the search ends.
const CLOSE: f64 = 1.1;

/// Number of cubes after which the search ends as soon as the upper bound is below the limit.
const MANY: usize = 2_000;

/// Maximum number of cubes.
const MOST: usize = 30_000;

/// Size of a piece as a multiple of the limit above which the search ends after fewer cubes, because their
/// number would be too small for a result.
const LARGE: f64 = 128.0;

/// Cube with the distance of its centre from the surface of the mesh.
#[derive(Clone, Copy, Debug)]
struct Cube {
    centre: [f64; 3],
    half: f64,
    /// Distance of its centre from the surface of the mesh.
    distance: f64,
    /// `true` if its centre is inside the mesh, and `None` if this is not known.
    is_inside: Option<bool>,
    /// Bound on the distances of its points from the mesh.
    upper: f64,
    number: usize,
}

impl PartialEq for Cube {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cube {}

impl PartialOrd for Cube {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cube {
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper.total_cmp(&other.upper).then(other.number.cmp(&self.number))
    }
}

/// Search for the point of a convex piece that is farthest from the mesh.
struct Search<'a> {
    hull: &'a Hull,
    boundary: &'a Boundary,
    open: BinaryHeap<Cube>,
    /// Number of cubes so far.
    count: usize,
    lower: f64,
    /// Largest bound of the cubes that are not searched because they hardly exceed the lower bound.
    left: f64,
}

/// Returns an upper bound on the distances of all points of a convex piece from the mesh. The search ends
/// early if the distance of a point exceeds `limit`.
pub(super) fn protrusion(hull: &Hull, boundary: &Boundary, limit: f64) -> f64 {
    let mut search = Search { hull, boundary, open: BinaryHeap::new(), count: 0, lower: 0.0, left: 0.0 };
    let (centre, half) = cube_around(&hull.vertices);
    search.add(centre, half, None);
    let most = if half > LARGE * limit { MANY } else { MOST };
    loop {
        let Some(next) = search.open.pop() else { return search.result(0.0) };
        let is_close = next.upper <= CLOSE * search.lower;
        let is_decided = search.lower > limit || search.count > MANY && next.upper <= limit;
        if is_close || is_decided || search.count > most {
            return search.result(next.upper);
        }
        let quarter = 0.5 * next.half;
        for corner in 0..8_u32 {
            let offset = |axis: u32| if corner & (1 << axis) == 0 { -quarter } else { quarter };
            search.add(add(next.centre, [offset(0), offset(1), offset(2)]), quarter, Some(next));
        }
    }
}

impl Search<'_> {
    /// Returns the upper bound. `open` is the largest bound of the cubes that are not searched.
    fn result(&self, open: f64) -> f64 {
        open.max(self.left).max(self.lower)
    }

    /// Adds a cube that is a part of another one, unless no point of it can be a point of the piece that is
    /// farther from the mesh.
    fn add(&mut self, centre: [f64; 3], half: f64, from: Option<Cube>) {
        let height = self.height(centre, half);
        if height[1] > 0.0 {
            return;
        }
        self.count += 1;
        let (distance, radius) = (self.boundary.distance(centre), 3.0_f64.sqrt() * half);
        let mut cube =
            Cube { centre, half, distance, is_inside: None, upper: distance + radius, number: self.count };
        if cube.upper <= CLOSE * self.lower {
            self.left = self.left.max(cube.upper);
            return;
        }
        if distance >= radius || distance > self.lower {
            let is_inside = self.is_inside(&cube, from);
            cube.is_inside = Some(is_inside);
            if is_inside {
                if distance >= radius {
                    return;
                }
                // A segment to a point outside crosses the surface at this distance or later.
                cube.upper = radius - distance;
            } else if height[0] <= 0.0 {
                self.lower = self.lower.max(distance);
            }
        }
        self.open.push(cube);
    }

    /// Returns `true` if the centre of a cube is inside the mesh. It is on the same side as the centre of the
    /// larger cube if the segment between them is shorter than the distance of one of them from the surface.
    fn is_inside(&self, cube: &Cube, from: Option<Cube>) -> bool {
        let known = from.filter(|from| {
            let along = length(difference(cube.centre, from.centre));
            along < cube.distance.max(from.distance)
        });
        known.and_then(|from| from.is_inside).unwrap_or_else(|| self.boundary.is_inside(cube.centre))
    }

    /// Returns the largest height of a point above the faces of the piece, and the largest height of the
    /// lowest corner of a cube around the point.
    fn height(&self, centre: [f64; 3], half: f64) -> [f64; 2] {
        let mut highest = [f64::NEG_INFINITY; 2];
        for (normal, corners) in &self.hull.faces {
            let height = dot(*normal, difference(centre, self.hull.vertices[corners[0] as usize]));
            let reach = half * normal.iter().map(|x| x.abs()).sum::<f64>();
            highest = [highest[0].max(height), highest[1].max(height - reach)];
        }
        highest
    }
}

/// Returns the centre and half the side length of a cube that contains points.
fn cube_around(points: &[[f64; 3]]) -> ([f64; 3], f64) {
    let [low, high] = bounds(points);
    let half = difference(high, low).into_iter().fold(0.0, f64::max);
    (scaled(0.5, add(low, high)), 0.5 * half)
}
