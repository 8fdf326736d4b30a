//! Cut of a solid by a plane.

use std::collections::BTreeMap;

use siconos_kernel::engine::vector::{add, cross, difference, dot, scaled};

use super::cap::{self, Outline};
use super::lump::Lump;
use crate::shape::surface::{area_vector, sides};

/// Plane of all points x with normal . x = offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plane {
    /// Unit normal.
    pub(super) normal: [f64; 3],
    pub(super) offset: f64,
}

/// Bound of the change of the volume by a cut, in multiples of the distance at which points lie in the plane.
/// The size of the mesh is at most 1, so the area of a cut is at most 4.
const VOLUME: f64 = 16.0;

/// Side of the plane on which points lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Below,
    On,
    Above,
}

impl Plane {
    /// Creates the plane with a unit normal through a point.
    pub(super) fn through(point: [f64; 3], normal: [f64; 3]) -> Self {
        Self { normal, offset: dot(normal, point) }
    }

    fn height(&self, point: [f64; 3]) -> f64 {
        dot(self.normal, point) - self.offset
    }
}

/// Solid during a cut: its points followed by the points of its edges in the plane.
struct Cut {
    plane: Plane,
    points: Vec<[f64; 3]>,
    side: Vec<Side>,
    /// Point in the plane of each edge that crosses it.
    crossings: BTreeMap<[u32; 2], u32>,
}

/// Returns the solids below and above a plane; `None` if the plane does not cut the solid, or if the cut
/// cannot be closed. Points up to the distance `snap` from the plane count as points of the plane.
pub(super) fn cut(lump: &Lump, plane: Plane, snap: f64) -> Option<[Vec<Lump>; 2]> {
    let side = |point: &[f64; 3]| match plane.height(*point) {
        height if height > snap => Side::Above,
        height if height < -snap => Side::Below,
        _ => Side::On,
    };
    let side: Vec<Side> = lump.points.iter().map(side).collect();
    if !(side.contains(&Side::Below) && side.contains(&Side::Above)) {
        return None;
    }
    let mut cut = Cut { plane, points: lump.points.clone(), side, crossings: BTreeMap::new() };
    let [below, above] = [Side::Below, Side::Above].map(|side| cut.closed(lump, side));
    let halves = [below?, above?];
    let volume: f64 = halves.iter().map(Lump::volume).sum();
    let is_kept = (volume - lump.volume()).abs() <= VOLUME * snap;
    is_kept.then(|| halves.map(Lump::components))
}

impl Cut {
    /// Returns the solid on one side of the plane; `None` if the cut cannot be closed.
    fn closed(&mut self, lump: &Lump, side: Side) -> Option<Lump> {
        let mut triangles = Vec::with_capacity(lump.triangles.len());
        let mut flat = Vec::new();
        for corners in &lump.triangles {
            if corners.iter().all(|corner| self.side[*corner as usize] == Side::On) {
                flat.push(*corners);
            } else {
                self.clip(*corners, side, &mut triangles);
            }
        }
        let outline = self.outline(&triangles);
        let up = if side == Side::Below { 1.0 } else { -1.0 };
        let normal = scaled(up, self.plane.normal);
        let cap = cap::triangles(&self.points, normal, &outline)?;
        let is_covered = |triangle: &[u32; 3]| self.is_in_cap(*triangle, normal, &cap);
        if !flat.iter().all(is_covered) {
            return None;
        }
        triangles.extend(cap);
        Some(Lump::new(&self.points, &triangles))
    }

    /// Appends the triangles on one side of the plane of a triangle that does not lie in the plane.
    fn clip(&mut self, corners: [u32; 3], side: Side, triangles: &mut Vec<[u32; 3]>) {
        if !corners.iter().any(|corner| self.side[*corner as usize] == side) {
            return;
        }
        let mut polygon = Vec::with_capacity(4);
        for [a, b] in sides(&corners) {
            let [from, to] = [a, b].map(|corner| self.side[corner as usize]);
            if from == side || from == Side::On {
                polygon.push(a);
            }
            if from != to && from != Side::On && to != Side::On {
                polygon.push(self.crossing(a, b));
            }
        }
        match polygon[..] {
            [a, b, c] => triangles.push([a, b, c]),
            [a, b, c, d] => triangles.extend(self.halves([a, b, c, d])),
            _ => {}
        }
    }

    /// Returns two triangles of a quadrilateral, which is cut along its shorter diagonal.
    fn halves(&self, [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
        let squared = |from: u32, to: u32| {
            let along = difference(self.points[to as usize], self.points[from as usize]);
            dot(along, along)
        };
        if squared(a, c) <= squared(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    }

    /// Returns the point of an edge in the plane.
    fn crossing(&mut self, a: u32, b: u32) -> u32 {
        let ends = [a.min(b), a.max(b)];
        if let Some(known) = self.crossings.get(&ends) {
            return *known;
        }
        let [p, q] = ends.map(|end| self.points[end as usize]);
        let [below, above] = [p, q].map(|point| self.plane.height(point));
        let point = add(p, scaled(below / (below - above), difference(q, p)));
        let index = self.points.len() as u32;
        self.points.push(point);
        self.side.push(Side::On);
        self.crossings.insert(ends, index);
        index
    }

    /// Returns the outline of the region in the plane that closes triangles on one side.
    fn outline(&self, triangles: &[[u32; 3]]) -> Outline {
        let mut outline = Outline::new();
        let is_on = |corner: u32| self.side[corner as usize] == Side::On;
        for [a, b] in triangles.iter().flat_map(|own| sides(own)).filter(|[a, b]| is_on(*a) && is_on(*b)) {
            match outline.get_mut(&[a, b]) {
                Some(count) if *count > 1 => *count -= 1,
                Some(_) => _ = outline.remove(&[a, b]),
                None => *outline.entry([b, a]).or_insert(0) += 1,
            }
        }
        outline
    }

    /// Returns `true` if a triangle in the plane is not part of the surface of the side with the outward
    /// `normal`, or if the cap covers its middle. Otherwise the solid is thinner than the distance at which
    /// points lie in the plane.
    fn is_in_cap(&self, triangle: [u32; 3], normal: [f64; 3], cap: &[[u32; 3]]) -> bool {
        let [a, b, c] = triangle.map(|corner| self.points[corner as usize]);
        if dot(normal, area_vector([a, b, c])) <= 0.0 {
            return true;
        }
        let middle = scaled(1.0 / 3.0, add(a, add(b, c)));
        cap.iter().any(|corners| {
            let corners = corners.map(|corner| self.points[corner as usize]);
            (0..3).all(|k| {
                let [from, to] = [corners[k], corners[(k + 1) % 3]];
                dot(normal, cross(difference(to, from), difference(middle, from))) >= -1e-12
            })
        })
    }
}
