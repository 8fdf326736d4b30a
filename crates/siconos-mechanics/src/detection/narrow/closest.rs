//! Closest points of two convex polytopes that do not overlap.
//!
//! The method is that of Gilbert, Johnson and Keerthi (1988, "A fast procedure for computing the distance
//! between complex objects in three-dimensional space").

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled};

use super::{EDGE, FACE, edge_feature};
use crate::shape::polytope::Polytope;

/// Closest points of two polytopes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosestPoints {
    pub(super) points: [[f64; 3]; 2],
    pub(super) distance: f64,
    pub(super) features: [u32; 2],
}

impl ClosestPoints {
    /// Returns the unit normal from the second polytope to the first. The difference of the points has a
    /// large relative error if they are close to each other, so the components that the features determine
    /// are
    /// taken from the features: the normal is perpendicular to edges, and equal to the normal of a face.
    pub(super) fn normal(&self, a: &Polytope, b: &Polytope) -> [f64; 3] {
        let apart = difference(self.points[0], self.points[1]);
        let oriented = |normal: [f64; 3]| {
            let sign = 1.0_f64.copysign(dot(normal, apart));
            scaled(sign / length(normal), normal)
        };
        let [of_a, of_b] = [(a, self.features[0]), (b, self.features[1])]
            .map(|(polytope, feature)| Direction::of(polytope, feature));
        match (of_a, of_b) {
            (Direction::Normal(normal), _) | (_, Direction::Normal(normal)) => oriented(normal),
            (Direction::Edge(d), Direction::Edge(e))
                if length(cross(d, e)) > 1e-9 * length(d) * length(e) =>
            {
                oriented(cross(d, e))
            }
            (Direction::Edge(along), _) | (_, Direction::Edge(along)) => {
                let part = dot(apart, along) / dot(along, along);
                oriented(difference(apart, scaled(part, along)))
            }
            (Direction::Free, Direction::Free) => oriented(apart),
        }
    }
}

/// Direction that a feature determines.
#[derive(Clone, Copy, Debug)]
enum Direction {
    /// A vertex determines none.
    Free,
    Edge([f64; 3]),
    /// Normal of a face.
    Normal([f64; 3]),
}

impl Direction {
    fn of(polytope: &Polytope, feature: u32) -> Self {
        let index = (feature & !(EDGE | FACE)) as usize;
        if feature & FACE != 0 {
            return Self::Normal(polytope.faces[index].normal);
        }
        if feature & EDGE != 0 {
            let [p, q] = polytope.edges[index].map(|vertex| polytope.vertices[vertex as usize]);
            return Self::Edge(difference(q, p));
        }
        Self::Free
    }
}

/// Vertex of the difference of two polytopes.
#[derive(Clone, Copy, Debug)]
struct Support {
    vertices: [u32; 2],
    point: [f64; 3],
}

/// Maximum number of iterations. Each iteration adds a pair of vertices, and few are needed.
const MOST_ITERATIONS: usize = 128;

/// Progress below which the iteration ends, as a fraction of the squared distance.
const PROGRESS: f64 = 1e-15;

/// Returns the closest points of two polytopes; `None` if they overlap.
pub(super) fn closest_points(a: &Polytope, b: &Polytope) -> Option<ClosestPoints> {
    let mut simplex = Simplex::default();
    let middle = difference(a.vertices[0], b.vertices[0]);
    simplex.push(support(a, b, middle));
    for _ in 0..MOST_ITERATIONS {
        let v = simplex.closest()?;
        let squared = dot(v, v);
        if squared == 0.0 {
            return None;
        }
        let next = support(a, b, v);
        let gain = squared - dot(v, next.point);
        if gain <= PROGRESS * squared || simplex.contains(next) {
            break;
        }
        simplex.push(next);
    }
    Some(simplex.points(a, b))
}

/// Returns the vertex of the difference of both polytopes that is farthest against a direction.
fn support(a: &Polytope, b: &Polytope, direction: [f64; 3]) -> Support {
    let (first, p) = super::extreme(a, scaled(-1.0, direction), a.vertices[0]);
    let (second, q) = super::extreme(b, direction, b.vertices[0]);
    Support { vertices: [first, second], point: difference(p, q) }
}

/// Up to four vertices, with the weights of the point that is closest to the origin.
#[derive(Clone, Copy, Debug, Default)]
struct Simplex {
    vertices: [Support; 4],
    weights: [f64; 4],
    count: usize,
}

impl Default for Support {
    fn default() -> Self {
        Self { vertices: [0; 2], point: [0.0; 3] }
    }
}

/// Subset of the vertices of a simplex, with weights.
#[derive(Clone, Copy, Debug, Default)]
struct Subset {
    indices: [usize; 3],
    weights: [f64; 3],
    count: usize,
}

impl Subset {
    fn new<const N: usize>(indices: [usize; N], weights: [f64; N]) -> Self {
        let mut subset = Self { count: N, ..Self::default() };
        subset.indices[..N].copy_from_slice(&indices);
        subset.weights[..N].copy_from_slice(&weights);
        subset
    }
}

/// Vertices, edges and faces of a tetrahedron, as indices of vertices.
const SUBSETS: [&[usize]; 14] = [
    &[0],
    &[1],
    &[2],
    &[3],
    &[0, 1],
    &[0, 2],
    &[1, 2],
    &[0, 3],
    &[1, 3],
    &[2, 3],
    &[0, 1, 2],
    &[0, 1, 3],
    &[0, 2, 3],
    &[1, 2, 3],
];

impl Simplex {
    fn push(&mut self, vertex: Support) {
        self.vertices[self.count] = vertex;
        self.count += 1;
    }

    fn contains(&self, vertex: Support) -> bool {
        self.vertices[..self.count].iter().any(|own| own.vertices == vertex.vertices)
    }

    fn point(&self, index: usize) -> [f64; 3] {
        self.vertices[index].point
    }

    /// Reduces the simplex to the vertices that are needed for its point closest to the origin, and returns
    /// this point; `None` if the origin is inside.
    ///
    /// All vertices, edges and faces are tried, because tests of Voronoi regions fail by rounding where the
    /// simplex is nearly flat.
    fn closest(&mut self) -> Option<[f64; 3]> {
        if self.count == 4 && self.contains_origin() {
            return None;
        }
        let mut best = Subset::default();
        let mut least = f64::INFINITY;
        // Subsets with fewer vertices come first.
        for members in SUBSETS {
            let Some(subset) = self.project(members) else { continue };
            let v = self.combine(&subset);
            let squared = dot(v, v);
            if squared < least {
                (least, best) = (squared, subset);
            }
        }
        let v = self.combine(&best);
        for k in 0..best.count {
            (self.vertices[k], self.weights[k]) = (self.vertices[best.indices[k]], best.weights[k]);
        }
        self.count = best.count;
        Some(v)
    }

    fn combine(&self, subset: &Subset) -> [f64; 3] {
        let terms = subset.indices.iter().zip(subset.weights).take(subset.count);
        terms.fold([0.0; 3], |sum, (index, weight)| add(sum, scaled(weight, self.point(*index))))
    }

    /// Returns the point of the plane, line or vertex of a subset that is closest to the origin, if it is in
    /// the subset.
    fn project(&self, members: &[usize]) -> Option<Subset> {
        let at = |k: usize| (k < self.count).then(|| self.point(k));
        match *members {
            [i] => at(i).map(|_| Subset::new([i], [1.0])),
            [i, j] => {
                let (a, b) = (at(i)?, at(j)?);
                let along = difference(b, a);
                let (t, all) = (-dot(a, along), dot(along, along));
                (t > 0.0 && t < all).then(|| Subset::new([i, j], [1.0 - t / all, t / all]))
            }
            [i, j, k] => {
                let (a, b, c) = (at(i)?, at(j)?, at(k)?);
                let normal = cross(difference(b, a), difference(c, a));
                let squared = dot(normal, normal);
                let area = |p: [f64; 3], q: [f64; 3]| dot(normal, cross(p, q)) / squared;
                let weights = [area(b, c), area(c, a), area(a, b)];
                weights.iter().all(|weight| *weight > 0.0).then(|| Subset::new([i, j, k], weights))
            }
            _ => None,
        }
    }

    /// Returns `true` if the origin is inside the tetrahedron.
    fn contains_origin(&self) -> bool {
        [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]].into_iter().all(|[i, j, k, other]| {
            let [a, b, c] = [i, j, k].map(|index| self.point(index));
            let normal = cross(difference(b, a), difference(c, a));
            -dot(normal, a) * dot(normal, difference(self.point(other), a)) > 0.0
        })
    }

    /// Returns the points of both polytopes.
    fn points(&self, a: &Polytope, b: &Polytope) -> ClosestPoints {
        let of = |side: usize, polytope: &Polytope| {
            let terms = self.vertices[..self.count].iter().zip(self.weights);
            let base = polytope.vertices[self.vertices[0].vertices[side] as usize];
            let sum = terms.fold([0.0; 3], |sum, (vertex, weight)| {
                let own = polytope.vertices[vertex.vertices[side] as usize];
                add(sum, scaled(weight, difference(own, base)))
            });
            add(base, sum)
        };
        let feature = |side: usize, polytope: &Polytope| {
            let mut own: Vec<u32> =
                self.vertices[..self.count].iter().map(|vertex| vertex.vertices[side]).collect();
            own.sort_unstable();
            own.dedup();
            let contains = |of: &[u32]| own.iter().all(|vertex| of.contains(vertex));
            match own[..] {
                [vertex] => vertex,
                [_, _] => polytope
                    .edges
                    .iter()
                    .position(|edge| contains(edge))
                    .map_or(own[0], |edge| edge_feature(edge as u32)),
                _ => polytope
                    .faces
                    .iter()
                    .position(|face| contains(&face.vertices))
                    .map_or(own[0], super::face_feature),
            }
        };
        let points = [of(0, a), of(1, b)];
        let distance = length(difference(points[0], points[1]));
        ClosestPoints { points, distance, features: [feature(0, a), feature(1, b)] }
    }
}

/// Returns the closest points of two segments.
pub(super) fn of_segments([a, b]: [[f64; 3]; 2], [c, d]: [[f64; 3]; 2]) -> [[f64; 3]; 2] {
    let (u, v, w) = (difference(b, a), difference(d, c), difference(a, c));
    let (uu, uv, vv) = (dot(u, u), dot(u, v), dot(v, v));
    let (uw, vw) = (dot(u, w), dot(v, w));
    let determinant = uu * vv - uv * uv;
    let mut s = if determinant > 0.0 { ((uv * vw - vv * uw) / determinant).clamp(0.0, 1.0) } else { 0.0 };
    let mut t = if vv > 0.0 { (uv * s + vw) / vv } else { 0.0 };
    if !(0.0..=1.0).contains(&t) {
        t = t.clamp(0.0, 1.0);
        s = if uu > 0.0 { ((uv * t - uw) / uu).clamp(0.0, 1.0) } else { 0.0 };
    }
    [add(a, scaled(s, u)), add(c, scaled(t, v))]
}
