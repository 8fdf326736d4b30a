//! Law of a contact whose friction has a fixed bound. The set of its reactions is a cylinder, the product of
//! a half-line and discs.

use siconos_linalg::{SmallMatrix, norm};

use crate::contact::ContactLaw;
use crate::contact::gauss_seidel::rows::ContactRows;
use crate::engine::nsgs::LocalLaw;

/// Sets of reactions of all contacts: $r_N \ge 0$ and $\lVert r_k \rVert \le g_k$, where k denotes the
/// tangential or the rolling components.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cylinders {
    /// Bounds $g$ \[N s\]. Each contact has one bound for friction and, with rolling friction, a second bound
    /// for the rolling moment.
    pub(crate) radii: Vec<f64>,
    /// Step lengths of the tangential projections, in the order of `radii`.
    steps: Vec<f64>,
    parts: usize,
}

impl Cylinders {
    /// Sets the step lengths from the diagonal blocks of W, and the bounds from the normal reactions in `r`.
    pub(crate) fn prepare<const D: usize>(&mut self, law: &ContactLaw<'_>, rows: &ContactRows, r: &[f64]) {
        self.steps.clear();
        self.radii.clear();
        for block in 0..law.blocks() {
            let (a, cone) = (rows.diagonal::<D>(block), law.cone(block));
            self.parts = cone.parts().len();
            for part in cone.parts() {
                let sum = |i: usize| part.range.clone().map(|j| a.0[i][j].abs()).sum::<f64>();
                let bound = part.range.clone().map(sum).fold(0.0, f64::max);
                self.steps.push(if bound > 0.0 { 1.0 / bound } else { 0.0 });
                self.radii.push(part.coefficient * r[block * D]);
            }
        }
    }

    /// Moves each bound towards its value for the normal reaction in `r`, by the fraction `weight` of the
    /// difference.
    pub(crate) fn follow(&mut self, law: &ContactLaw<'_>, r: &[f64], weight: f64) {
        for block in 0..law.blocks() {
            let normal = r[law.range(block).start];
            let radii = &mut self.radii[block * self.parts..(block + 1) * self.parts];
            for (radius, part) in radii.iter_mut().zip(law.cone(block).parts()) {
                *radius += weight * (part.coefficient * normal - *radius);
            }
        }
    }

    /// Returns the contact law with these bounds, for one sweep. `moves_normal` is `true` if the sweep also
    /// solves for the normal reactions.
    pub(crate) fn law<'a>(&'a self, law: ContactLaw<'a>, moves_normal: bool) -> CylinderLaw<'a> {
        CylinderLaw { law, cylinders: self, moves_normal, estimate: 0.0 }
    }
}

/// Shortens tangential and rolling reactions in `r` so that they are in the cones. The normal reactions,
/// which must be nonnegative, do not change.
pub(crate) fn cut_to_cones(law: &ContactLaw<'_>, r: &mut [f64]) {
    for block in 0..law.blocks() {
        let r = &mut r[law.range(block)];
        for part in law.cone(block).parts() {
            let bound = part.coefficient * r[0];
            cut(&mut r[part.range.clone()], bound);
        }
    }
}

/// Shortens a vector to `length` if it is longer than `length`.
fn cut(x: &mut [f64], length: f64) {
    let own = norm(x);
    if own > length {
        let factor = length / own;
        x.iter_mut().for_each(|x| *x *= factor);
    }
}

/// Law of one contact with fixed friction bounds. It solves for the normal reaction exactly. It then takes
/// one projected gradient step for the tangential reaction and, with rolling friction, one for the rolling
/// reaction. In the plane, these steps are exact too.
///
/// Before a contact is solved, the squared norm of its natural map is added to `estimate`.
#[derive(Debug)]
pub(crate) struct CylinderLaw<'a> {
    law: ContactLaw<'a>,
    cylinders: &'a Cylinders,
    /// `true` if the law also solves for the normal reaction; `false` if the normal reaction is given.
    moves_normal: bool,
    /// Sum of the squared norms of the natural maps of all contacts.
    pub(crate) estimate: f64,
}

impl<const D: usize> LocalLaw<D> for CylinderLaw<'_> {
    #[inline]
    fn solve(&mut self, block: usize, a: &SmallMatrix<D>, b: &[f64; D], old: &[f64; D]) -> [f64; D] {
        let cone = self.law.cone(block);
        let own = a.mul_vector(old);
        let mut map: [f64; D] = std::array::from_fn(|k| old[k] - (own[k] + b[k]));
        let mut r = *old;
        if self.moves_normal {
            map[0] = map[0].max(0.0);
            let rest: f64 = (1..D).map(|j| a.0[0][j] * r[j]).sum();
            r[0] = (-(b[0] + rest) / a.0[0][0]).max(0.0);
        } else {
            map[0] = old[0];
        }
        for (k, part) in cone.parts().iter().enumerate() {
            let place = block * self.cylinders.parts + k;
            let (radius, step) = (self.cylinders.radii[place], self.cylinders.steps[place]);
            cut(&mut map[part.range.clone()], radius);
            let mut x = r;
            for i in part.range.clone() {
                let velocity = b[i] + a.0[i].iter().zip(&r).map(|(a, r)| a * r).sum::<f64>();
                x[i] -= step * velocity;
            }
            cut(&mut x[part.range.clone()], radius);
            r = x;
        }
        self.estimate += old.iter().zip(&map).map(|(r, x)| (r - x).powi(2)).sum::<f64>();
        r
    }
}
