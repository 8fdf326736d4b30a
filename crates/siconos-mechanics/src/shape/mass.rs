//! Mass, centre of mass and moments of inertia of solid shapes.

use siconos_kernel::engine::vector::{add, cross, difference, dot, scaled};
use siconos_kernel::model::Quaternion;

use super::polytope::Polytope;

/// Mass properties of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass \[kg\]; in the plane, mass per length of the body perpendicular to the plane \[kg/m\].
    pub mass: f64,
    /// Centre of mass \[m\].
    pub centre: [f64; 3],
    /// Inertia matrix about the centre of mass \[kg m2\].
    pub inertia: [[f64; 3]; 3],
}

impl MassProperties {
    /// Properties of nothing.
    pub(crate) const ZERO: Self = Self { mass: 0.0, centre: [0.0; 3], inertia: [[0.0; 3]; 3] };

    /// Creates the properties of a solid whose principal axes are the coordinate axes.
    pub(crate) fn principal(mass: f64, moments: [f64; 3]) -> Self {
        let [a, b, c] = moments;
        Self { mass, centre: [0.0; 3], inertia: [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]] }
    }

    /// Integrates a polyhedron over the tetrahedra between its centre and its faces.
    pub(crate) fn of_polyhedron(density: f64, polytope: &Polytope) -> Self {
        let count = polytope.vertices.len() as f64;
        let middle = scaled(1.0 / count, polytope.vertices.iter().fold([0.0; 3], |sum, p| add(sum, *p)));
        let point = |vertex: u32| polytope.vertices[vertex as usize];
        let triangles = polytope.faces.iter().flat_map(|face| {
            let (first, others) = (face.vertices[0], &face.vertices[1..]);
            others.windows(2).map(move |pair| [first, pair[0], pair[1]].map(point))
        });
        Self::of_surface(density, middle, triangles)
    }

    /// Integrates the solid inside a closed surface over the tetrahedra between a point and triangles that
    /// are counterclockwise as seen from outside. The integrals are exact except for rounding errors, for
    /// any point; a point in the middle has the smallest rounding errors.
    pub(crate) fn of_surface(
        density: f64,
        middle: [f64; 3],
        triangles: impl Iterator<Item = [[f64; 3]; 3]>,
    ) -> Self {
        let (mut volume, mut first, mut second) = (0.0, [0.0; 3], [[0.0; 3]; 3]);
        for corners in triangles {
            let [a, b, c] = corners.map(|corner| difference(corner, middle));
            let own = dot(a, normal_of_triangle([a, b, c])) / 6.0;
            volume += own;
            let sum = add(a, add(b, c));
            first = add(first, scaled(0.25 * own, sum));
            for (i, row) in second.iter_mut().enumerate() {
                for (j, entry) in row.iter_mut().enumerate() {
                    *entry += own / 20.0 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
                }
            }
        }
        let (mass, offset) = (density * volume, scaled(1.0 / volume, first));
        let about = |i: usize, j: usize| density * (second[i][j] - volume * offset[i] * offset[j]);
        let around = |i: usize| about((i + 1) % 3, (i + 1) % 3) + about((i + 2) % 3, (i + 2) % 3);
        let entry = |i: usize, j: usize| if i == j { around(i) } else { -about(i, j) };
        let inertia = [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)));
        Self { mass, centre: add(middle, offset), inertia }
    }

    /// Returns the properties after a rotation, followed by a translation.
    pub(crate) fn moved(&self, orientation: Quaternion, by: [f64; 3]) -> Self {
        let r = orientation.matrix();
        let times = |a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]| {
            [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum::<f64>()))
        };
        let transposed = [0, 1, 2].map(|i| [0, 1, 2].map(|j| r[j][i]));
        let inertia = times(&times(&r, &self.inertia), &transposed);
        // Products in another order round differently, but an inertia is symmetric.
        let inertia = [0, 1, 2].map(|i| [0, 1, 2].map(|j| 0.5 * (inertia[i][j] + inertia[j][i])));
        Self { mass: self.mass, centre: add(orientation.rotate(self.centre), by), inertia }
    }

    /// Returns the properties of two solids together.
    pub(crate) fn joined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        let weighted = add(scaled(self.mass, self.centre), scaled(other.mass, other.centre));
        let centre = scaled(1.0 / mass, weighted);
        let mut inertia = [[0.0; 3]; 3];
        for own in [self, other].into_iter().filter(|own| own.mass > 0.0) {
            let d = difference(own.centre, centre);
            for (i, row) in inertia.iter_mut().enumerate() {
                for (j, entry) in row.iter_mut().enumerate() {
                    let diagonal = if i == j { dot(d, d) } else { 0.0 };
                    *entry += own.inertia[i][j] + own.mass * (diagonal - d[i] * d[j]);
                }
            }
        }
        Self { mass, centre, inertia }
    }

    /// Returns the properties with another mass and the same distribution of the mass.
    pub(crate) fn with_mass(&self, mass: f64) -> Self {
        let factor = mass / self.mass;
        Self { mass, inertia: self.inertia.map(|row| scaled(factor, row)), ..*self }
    }
}

/// Returns the normal of a triangle whose length is twice the area. It is the cross product of the shorter
/// sides, which has the smallest rounding errors.
fn normal_of_triangle([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let sides = [difference(b, a), difference(c, b), difference(a, c)];
    let [x, y, z] = sides.map(|side| dot(side, side));
    let [u, v, w] = sides;
    if x > y.max(z) {
        cross(v, w)
    } else if y > z {
        cross(w, u)
    } else {
        cross(u, v)
    }
}
