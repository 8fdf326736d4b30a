//! Newton steps for the normal with the largest separation.
//!
//! The support functions are the largest of a few smooth branches, so the separation is the smallest of a few
//! smooth functions of the normal. At its maximum, one, two or three of them are equal and smallest. Each
//! subset gives a step from the first and second derivatives, with the equality of the functions as a
//! linear condition. The convergence is quadratic, so the normal is exact except for rounding.

use siconos_kernel::engine::vector::{add, difference, dot, perpendiculars, scaled, unit};

use super::support::SupportMap;
use crate::shape::round::Branch;

/// Difference from the smallest function below which a function is considered, as a fraction of the size.
const NEAR: f64 = 1e-5;

/// Maximum number of functions.
const MOST: usize = 8;

/// Length of the largest step.
const LONGEST: f64 = 1.0;

/// Normal and points of both sets after a step.
pub(super) struct Step {
    pub(super) normal: [f64; 3],
    pub(super) points: [[f64; 3]; 2],
}

/// Smooth function of the normal in a plane tangent to the unit sphere.
#[derive(Clone, Copy)]
struct Smooth {
    points: [[f64; 3]; 2],
    value: f64,
    gradient: [f64; 2],
    hessian: [[f64; 2]; 2],
}

/// Calls `each` with the steps of all subsets from a unit normal. `size` is the larger size of both sets.
pub(super) fn steps([a, b]: [&dyn SupportMap; 2], normal: [f64; 3], size: f64, mut each: impl FnMut(Step)) {
    let tangents = perpendiculars(normal);
    let all = functions([a, b], normal, tangents, NEAR * size);
    let mut offer = |[s, t]: [f64; 2], weights: &[(usize, f64)]| {
        let change = add(scaled(s, tangents[0]), scaled(t, tangents[1]));
        let Some(normal) = unit(add(normal, change)).filter(|_| s.hypot(t) <= LONGEST) else { return };
        let points = [0, 1].map(|side| {
            let terms = weights.iter().map(|(k, weight)| scaled(*weight, all[*k].points[side]));
            terms.fold([0.0; 3], add)
        });
        each(Step { normal, points });
    };
    for i in 0..all.len() {
        if let Some(step) = of_one(&all[i]) {
            offer(step, &[(i, 1.0)]);
        }
        for j in i + 1..all.len() {
            if let Some((step, [x, y])) = of_two(&all[i], &all[j]) {
                offer(step, &[(i, x), (j, y)]);
            }
            for k in j + 1..all.len() {
                if let Some((step, [x, y, z])) = of_three([&all[i], &all[j], &all[k]]) {
                    offer(step, &[(i, x), (j, y), (k, z)]);
                }
            }
        }
    }
}

/// Returns the functions whose values exceed the smallest by at most `above`, in the order of the values.
fn functions(
    [a, b]: [&dyn SupportMap; 2],
    normal: [f64; 3],
    tangents: [[f64; 3]; 2],
    above: f64,
) -> Vec<Smooth> {
    let mut branches = [Vec::new(), Vec::new()];
    let [of_a, of_b] = &mut branches;
    a.branches_from([0.0; 3], scaled(-1.0, normal), above, &mut |branch| of_a.push(branch));
    b.branches_from([0.0; 3], normal, above, &mut |branch| of_b.push(branch));
    let mut all: Vec<Smooth> = Vec::new();
    for p in of_a.iter() {
        for q in of_b.iter() {
            all.push(Smooth::new(p, q, normal, tangents));
        }
    }
    all.sort_by(|x, y| x.value.total_cmp(&y.value));
    let least = all.first().map_or(0.0, |smallest| smallest.value);
    all.retain(|own| own.value <= least + above);
    all.truncate(MOST);
    all
}

impl Smooth {
    fn new(p: &Branch, q: &Branch, normal: [f64; 3], tangents: [[f64; 3]; 2]) -> Self {
        let apart = difference(p.point, q.point);
        let value = dot(normal, apart);
        let entry = |i: usize, j: usize| {
            let across = [&p.hessian, &q.hessian].map(|hessian| {
                let image = hessian.map(|row| dot(row, tangents[j]));
                dot(tangents[i], image)
            });
            // A unit vector changes its length by the second order of a step in the tangent plane.
            -across[0] - across[1] - if i == j { value } else { 0.0 }
        };
        Self {
            points: [p.point, q.point],
            value,
            gradient: tangents.map(|tangent| dot(tangent, apart)),
            hessian: [0, 1].map(|i| [0, 1].map(|j| entry(i, j))),
        }
    }
}

/// Returns the step to the maximum of a function.
fn of_one(own: &Smooth) -> Option<[f64; 2]> {
    let [[a, b], [_, d]] = own.hessian;
    let is_concave = a < 0.0 && a * d > b * b;
    let step = solved(own.hessian, own.gradient.map(|x| -x));
    step.filter(|_| is_concave)
}

/// Returns the step to the maximum of two functions where they are equal, and their weights.
fn of_two(x: &Smooth, y: &Smooth) -> Option<([f64; 2], [f64; 2])> {
    let change = [0, 1].map(|i| x.gradient[i] - y.gradient[i]);
    let squared = product(change, change);
    let weight = (-product(y.gradient, change) / squared).clamp(0.0, 1.0);
    let weights = [weight, 1.0 - weight];
    let across = change.map(|c| c * (y.value - x.value) / squared);
    let along = [-change[1], change[0]].map(|c| c / squared.sqrt());
    let hessian = [0, 1].map(|i| [0, 1].map(|j| weights[0] * x.hessian[i][j] + weights[1] * y.hessian[i][j]));
    let image = hessian.map(|row| product(row, along));
    let (curvature, slope) = (product(along, image), product(along, y.gradient) + product(across, image));
    let step = [0, 1].map(|i| across[i] - slope / curvature * along[i]);
    (squared > 0.0 && curvature < 0.0).then_some((step, weights))
}

/// Returns the step to the point where three functions are equal, and their weights.
fn of_three([x, y, z]: [&Smooth; 3]) -> Option<([f64; 2], [f64; 3])> {
    let [p, q] = [x, y].map(|own| [0, 1].map(|i| own.gradient[i] - z.gradient[i]));
    let step = solved([p, q], [z.value - x.value, z.value - y.value])?;
    let [a, b] = solved([[p[0], q[0]], [p[1], q[1]]], z.gradient.map(|x| -x))?;
    let weights = [a, b, 1.0 - a - b];
    weights.iter().all(|weight| *weight >= 0.0).then_some((step, weights))
}

/// Returns the solution of two linear equations; `None` if they are singular.
fn solved([[a, b], [c, d]]: [[f64; 2]; 2], [x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let determinant = a * d - b * c;
    (determinant != 0.0).then(|| [(d * x - b * y) / determinant, (a * y - c * x) / determinant])
}

fn product(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
