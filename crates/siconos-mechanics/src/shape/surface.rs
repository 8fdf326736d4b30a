//! Faces of a closed surface of triangles.

use std::collections::{BTreeMap, BTreeSet};

use siconos_kernel::engine::vector::{cross, difference, dot, scaled};

use super::spread::normal;

/// Outward normal of a face, and its corners in counterclockwise order.
pub(crate) type Outline = ([f64; 3], Vec<u32>);

/// Closed surface of triangles.
pub(super) struct Surface<'a> {
    vertices: &'a [[f64; 3]],
    triangles: &'a [[u32; 3]],
    /// Triangle at each side.
    at_side: BTreeMap<[u32; 2], usize>,
    /// Maximum distance of a vertex from the plane of a face that contains it.
    tolerance: f64,
}

impl<'a> Surface<'a> {
    /// Creates a surface; `None` if it is not closed.
    pub(super) fn new(vertices: &'a [[f64; 3]], triangles: &'a [[u32; 3]], tolerance: f64) -> Option<Self> {
        let at_side = polygons_at_sides(triangles.iter().map(|own| &own[..]))?;
        Some(Self { vertices, triangles, at_side, tolerance })
    }

    /// Merges triangles in a common plane; `None` if the faces do not form a closed surface.
    pub(super) fn faces(&self) -> Option<Vec<Outline>> {
        // Large triangles have accurate normals, and are the first of their faces.
        let mut seeds: Vec<usize> = (0..self.triangles.len()).collect();
        let area = |index: usize| dot(self.across(index), self.across(index));
        seeds.sort_by(|a, b| area(*b).total_cmp(&area(*a)));
        let mut taken = vec![false; seeds.len()];
        let mut outlines = Vec::new();
        for seed in seeds {
            if !taken[seed] {
                let members = self.face_around(seed, &mut taken)?;
                outlines.push((self.normal(&members)?, self.outline(&members)?));
            }
        }
        let faces = without_straight_angles(outlines, self.vertices.len());
        polygons_at_sides(faces.iter().map(|(_, corners)| &corners[..]))?;
        Some(faces)
    }

    /// Returns the triangles in the plane of a triangle that are connected with it, and marks them.
    fn face_around(&self, seed: usize, taken: &mut [bool]) -> Option<Vec<usize>> {
        let members = self.grow(seed, self.normal(&[seed])?, taken);
        members.iter().for_each(|own| taken[*own] = false);
        // All triangles together have the most accurate normal.
        Some(self.grow(seed, self.normal(&members)?, taken))
    }

    fn grow(&self, seed: usize, normal: [f64; 3], taken: &mut [bool]) -> Vec<usize> {
        let base = self.at(self.triangles[seed][0]);
        let is_in_plane =
            |vertex: &u32| dot(normal, difference(self.at(*vertex), base)).abs() <= self.tolerance;
        let mut members = vec![seed];
        taken[seed] = true;
        let mut done = 0;
        while done < members.len() {
            for [a, b] in sides(&self.triangles[members[done]]) {
                let other = self.at_side[&[b, a]];
                if !taken[other] && self.triangles[other].iter().all(is_in_plane) {
                    taken[other] = true;
                    members.push(other);
                }
            }
            done += 1;
        }
        members
    }

    /// Returns the boundary of triangles, in their orientation; `None` if it is not a single loop.
    fn outline(&self, members: &[usize]) -> Option<Vec<u32>> {
        let own: BTreeSet<usize> = members.iter().copied().collect();
        let mut next = BTreeMap::new();
        for [a, b] in members.iter().flat_map(|index| sides(&self.triangles[*index])) {
            if !own.contains(&self.at_side[&[b, a]]) && next.insert(a, b).is_some() {
                return None;
            }
        }
        let (&start, _) = next.first_key_value()?;
        let mut corners = vec![start];
        while let Some(&corner) = next.get(corners.last()?).filter(|corner| **corner != start) {
            corners.push(corner);
            if corners.len() > next.len() {
                return None;
            }
        }
        (corners.len() == next.len()).then_some(corners)
    }

    /// Returns the outward normal of triangles in a plane, of which the first is the largest.
    fn normal(&self, members: &[usize]) -> Option<[f64; 3]> {
        let corners = members.iter().flat_map(|index| self.triangles[*index]);
        let normal = normal(&corners.map(|corner| self.at(corner)).collect::<Vec<_>>())?;
        let sign = 1.0_f64.copysign(dot(normal, self.across(members[0])));
        Some(scaled(sign, normal))
    }

    fn at(&self, vertex: u32) -> [f64; 3] {
        self.vertices[vertex as usize]
    }

    /// Returns a normal of a triangle whose length is twice the area.
    fn across(&self, index: usize) -> [f64; 3] {
        area_vector(self.triangles[index].map(|vertex| self.at(vertex)))
    }
}

/// Returns a normal of a triangle whose length is twice the area.
pub(super) fn area_vector([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    cross(difference(b, a), difference(c, a))
}

/// Returns the sides of a polygon, each with its first and second corner.
pub(super) fn sides(corners: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| [*a, *b])
}

/// Returns the polygon at each side; `None` if the polygons do not form a closed surface, in which each side
/// belongs to one polygon and is opposite to a side of another polygon.
fn polygons_at_sides<'a>(polygons: impl Iterator<Item = &'a [u32]>) -> Option<BTreeMap<[u32; 2], usize>> {
    let mut at_side = BTreeMap::new();
    for (index, corners) in polygons.enumerate() {
        for side in sides(corners) {
            if at_side.insert(side, index).is_some() {
                return None;
            }
        }
    }
    at_side.keys().all(|[a, b]| at_side.contains_key(&[*b, *a])).then_some(at_side)
}

/// Removes vertices of fewer than three faces, which are inside an edge, and faces that have no other
/// vertices.
fn without_straight_angles(mut outlines: Vec<Outline>, vertices: usize) -> Vec<Outline> {
    let mut faces = vec![0; vertices];
    outlines.iter().flat_map(|(_, corners)| corners).for_each(|corner| faces[*corner as usize] += 1);
    for (_, corners) in &mut outlines {
        corners.retain(|corner| faces[*corner as usize] > 2);
    }
    outlines.retain(|(_, corners)| corners.len() > 2);
    outlines
}
