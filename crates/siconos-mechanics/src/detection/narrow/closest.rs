//! Closest points of two convex sets that do not overlap.
//!
//! The method is that of Gilbert, Johnson and Keerthi (1988, "A fast procedure for computing the distance
//! between complex objects in three-dimensional space").

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled};

use super::support::{SupportMap, SupportPoint};
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
    /// are taken from the features: the normal is perpendicular to edges, and equal to the normal of a face.
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

/// Support point of the difference of two sets.
#[derive(Clone, Copy, Debug, Default)]
struct Support {
    of: [SupportPoint; 2],
    point: [f64; 3],
}

impl Support {
    /// Returns the point of the difference that is farthest against a direction.
    fn against(a: &(impl SupportMap + ?Sized), b: &(impl SupportMap + ?Sized), direction: [f64; 3]) -> Self {
        let of = [a.farthest(scaled(-1.0, direction)), b.farthest(direction)];
        Self { of, point: difference(of[0].point, of[1].point) }
    }
}

/// Maximum number of iterations. Each iteration adds a pair of support points, and few are needed.
const MOST_ITERATIONS: usize = 128;

/// Progress below which the iteration ends, as a fraction of the squared distance.
const PROGRESS: f64 = 1e-15;

/// Relative difference of squared distances that count as equal.
const EQUAL: f64 = 1e-13;

/// Number of successive iterations without a smaller error after which the iteration ends.
const MOST_STALLED: usize = 12;

/// Rounding error of a separation, as a multiple of the largest coordinate.
const COORDINATES: f64 = 2.0 * f64::EPSILON;

/// Returns the closest points of two polytopes; `None` if they overlap.
pub(super) fn closest_points(a: &Polytope, b: &Polytope) -> Option<ClosestPoints> {
    let simplex = Simplex::closest_to_origin(a, b, difference(a.vertices[0], b.vertices[0]), 0.0)?;
    let points = simplex.points();
    let distance = length(difference(points[0], points[1]));
    Some(ClosestPoints { points, distance, features: [simplex.feature(0, a), simplex.feature(1, b)] })
}

/// Up to four support points of the difference of two sets, with the weights of the point that is closest to
/// the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simplex {
    vertices: [Support; 4],
    weights: [f64; 4],
    count: usize,
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
    /// Returns the simplex of the difference of two sets that contains the point closest to the origin;
    /// `None` if the sets overlap. The iteration starts from a direction from the second set to the first,
    /// and ends if the error of the distance is below a tolerance.
    pub(super) fn closest_to_origin(
        a: &(impl SupportMap + ?Sized),
        b: &(impl SupportMap + ?Sized),
        start: [f64; 3],
        tolerance: f64,
    ) -> Option<Self> {
        let mut simplex = Self::default();
        simplex.push(Support::against(a, b, start));
        // Simplex with the smallest difference of its distance from the origin and the separation along its
        // direction, which is a lower bound of the distance.
        let (mut best, mut error, mut is_apart, mut stalled) = (None, f64::INFINITY, false, 0);
        for _ in 0..MOST_ITERATIONS {
            // A simplex that is nearly flat can contain the origin by rounding only.
            let Some(v) = simplex.closest() else { return best.filter(|_| is_apart) };
            let squared = dot(v, v);
            if squared == 0.0 {
                return best.filter(|_| is_apart);
            }
            let next = Support::against(a, b, v);
            let along = dot(v, next.point);
            is_apart |= along > 0.0;
            let own = (squared - along) / squared.sqrt();
            stalled += 1;
            if own < error {
                (best, error, stalled) = (Some(simplex), own, 0);
            }
            let coordinates =
                next.of.iter().flat_map(|own| own.point).fold(0.0_f64, |most, x| most.max(x.abs()));
            if squared - along <= PROGRESS * squared
                || error <= tolerance.max(COORDINATES * coordinates)
                || simplex.contains(next)
                || stalled > MOST_STALLED
            {
                break;
            }
            simplex.push(next);
        }
        best
    }

    fn push(&mut self, vertex: Support) {
        self.vertices[self.count] = vertex;
        self.count += 1;
    }

    fn contains(&self, vertex: Support) -> bool {
        self.vertices[..self.count].iter().any(|own| own.of == vertex.of)
    }

    fn point(&self, index: usize) -> [f64; 3] {
        self.vertices[index].point
    }

    /// Reduces the simplex to the vertices that are needed for its point closest to the origin, and returns
    /// this point; `None` if the origin is inside.
    ///
    /// All vertices, edges and faces are tried, because tests of Voronoi regions fail by rounding where the
    /// simplex is nearly flat. Distances hardly depend on small errors of the direction. Among points with
    /// equal distances, the point along whose direction the simplex is farthest from the origin is chosen.
    fn closest(&mut self) -> Option<[f64; 3]> {
        if self.count == 4 && self.contains_origin() {
            return None;
        }
        let points = SUBSETS.map(|members| {
            let subset = self.project(members)?;
            let v = self.combine(&subset);
            Some((subset, v, dot(v, v)))
        });
        let least = points.iter().flatten().map(|(.., squared)| *squared).fold(f64::INFINITY, f64::min);
        let mut best = (f64::NEG_INFINITY, Subset::default(), [0.0; 3]);
        // Subsets with fewer vertices come first.
        for (subset, v, squared) in points.into_iter().flatten() {
            if squared > (1.0 + EQUAL) * least {
                continue;
            }
            let along = self.vertices[..self.count].iter().map(|vertex| dot(v, vertex.point));
            let separation = along.fold(f64::INFINITY, f64::min);
            if separation > best.0 {
                best = (separation, subset, v);
            }
        }
        let (_, best, v) = best;
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

    /// Returns the points of both sets.
    pub(super) fn points(&self) -> [[f64; 3]; 2] {
        [0, 1].map(|side| {
            let base = self.vertices[0].of[side].point;
            let terms = self.vertices[..self.count].iter().zip(self.weights);
            let sum = terms.fold([0.0; 3], |sum, (vertex, weight)| {
                add(sum, scaled(weight, difference(vertex.of[side].point, base)))
            });
            add(base, sum)
        })
    }

    /// Returns the feature of a polytope that contains its point.
    pub(super) fn feature(&self, side: usize, polytope: &Polytope) -> u32 {
        let mut own: Vec<u32> =
            self.vertices[..self.count].iter().map(|vertex| vertex.of[side].number).collect();
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
    if vv == 0.0 || !(0.0..=1.0).contains(&t) {
        t = t.clamp(0.0, 1.0);
        s = if uu > 0.0 { ((uv * t - uw) / uu).clamp(0.0, 1.0) } else { 0.0 };
    }
    [add(a, scaled(s, u)), add(c, scaled(t, v))]
}
