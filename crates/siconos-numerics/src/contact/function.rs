//! Functions whose zeros satisfy the law of one contact, with their generalised Jacobians.
//!
//! Every function maps the reaction $r$ and the velocity $u$ of a block to a vector $\Phi(r, u)$ with as many
//! components as the block. $\Phi$ is zero if and only if r and u satisfy the law. $A$ is the derivative with
//! respect to $r$, and $B$ the derivative with respect to $u$. The Newton matrix of the whole problem is
//! $A + B W$.

use serde::{Deserialize, Serialize};
use siconos_linalg::norm;

use super::ContactLaw;
use super::fischer_burmeister::{Scratch, evaluate};

/// Function whose zeros satisfy the law of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ContactFunction {
    /// Natural map $r - P_K(r - \rho (u + s(u) e_N))$, for every law except rolling friction with an infinite
    /// coefficient (De Saxce and Feng 1998; Facchinei and Pang 2003, 1.5.8). For Coulomb's law with a
    /// coefficient above 10, the function of Alart and Curnier is used instead, because the shift would be so
    /// large that adding it to the normal velocity would lose the normal velocity to rounding.
    #[doc(alias = "SICONOS_FRICTION_3D_NSN_NM (520)")]
    #[default]
    NaturalMap,
    /// Alart-Curnier function (1991), for Coulomb's law only. Its components are $r_N - (r_N - \rho u_N)_+$
    /// and $r_T - P_D(r_T - \rho u_T)$, where $P_D$ projects onto the disc D of radius
    /// $\mu (r_N - \rho u_N)_+$.
    #[doc(alias = "SICONOS_FRICTION_3D_NSN_AC (504)")]
    AlartCurnier,
    /// Function of Jean and Moreau (Jean 1999; Jean and Moreau 1987), for Coulomb's law only. It differs from
    /// [`AlartCurnier`](Self::AlartCurnier) in the radius of the disc, which is $\mu (r_N)_+$.
    JeanMoreau,
    /// Fischer-Burmeister function $x + y - (x^2 + y^2)^{1/2}$ in the Jordan algebra of second-order cones,
    /// with $x = (\mu r_N, r_T)$ and $y = \rho ((u_N + s(u)) / \mu, u_T)$. It supports the laws whose blocks
    /// are single cones (Fukushima, Luo, Tseng 2002).
    #[doc(alias = "SICONOS_FRICTION_3D_NSN_FB (513)")]
    FischerBurmeister,
}

/// Maximum coefficient of friction for which the natural map with De Saxce's shift is used.
const LARGEST_SHIFT: f64 = 10.0;

/// Arguments of a contact function: the index of a block, its reaction and its velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactPoint<'a> {
    pub(crate) block: usize,
    /// Step length of the projections. It is about the reciprocal of the norm of the diagonal block of W.
    pub(crate) rho: f64,
    /// Reaction of the block, one entry per component.
    pub(crate) r: &'a [f64],
    /// Velocity of the block, one entry per component.
    pub(crate) u: &'a [f64],
}

impl ContactFunction {
    /// All functions.
    pub const ALL: [Self; 4] =
        [Self::NaturalMap, Self::AlartCurnier, Self::JeanMoreau, Self::FischerBurmeister];

    /// Returns `true` if the function is defined for the law.
    #[must_use]
    pub fn supports(self, law: &ContactLaw<'_>) -> bool {
        match self {
            Self::NaturalMap => matches!(law, ContactLaw::Coulomb { .. }) || !law.has_infinite_friction(),
            Self::AlartCurnier | Self::JeanMoreau => matches!(law, ContactLaw::Coulomb { .. }),
            Self::FischerBurmeister => {
                !matches!(law, ContactLaw::Rolling { .. }) && !law.has_infinite_friction()
            }
        }
    }

    /// Writes $\Phi$ of the block to `phi`. If `jacobians` is given, writes the derivatives A and B to it, in
    /// row-major order.
    pub(crate) fn evaluate(
        self,
        law: &ContactLaw<'_>,
        at: ContactPoint<'_>,
        phi: &mut [f64],
        jacobians: Option<(&mut [f64], &mut [f64])>,
        scratch: &mut Scratch,
    ) {
        let ContactPoint { block: i, rho, r, u } = at;
        match (self, *law) {
            (Self::NaturalMap, ContactLaw::Coulomb { mu, .. }) if mu[i] > LARGEST_SHIFT => {
                alart_curnier(mu[i], rho, r, u, true, phi, jacobians);
            }
            (Self::AlartCurnier, ContactLaw::Coulomb { mu, .. }) => {
                alart_curnier(mu[i], rho, r, u, true, phi, jacobians);
            }
            (Self::JeanMoreau, ContactLaw::Coulomb { mu, .. }) => {
                alart_curnier(mu[i], rho, r, u, false, phi, jacobians);
            }
            (Self::FischerBurmeister, _) => evaluate(law, i, rho, (r, u), phi, jacobians, scratch),
            _ => natural_map(law, i, rho, (r, u), phi, jacobians),
        }
    }
}

fn natural_map(
    law: &ContactLaw<'_>,
    i: usize,
    rho: f64,
    (r, u): (&[f64], &[f64]),
    phi: &mut [f64],
    jacobians: Option<(&mut [f64], &mut [f64])>,
) {
    let d = r.len();
    phi.iter_mut().zip(r.iter().zip(u)).for_each(|(x, (r, u))| *x = r - rho * u);
    phi[0] -= rho * law.shift(i, u);
    if let Some((a, b)) = jacobians {
        // B = rho P' (I + e grad s^T) and A = I - P'. Within this branch, A temporarily holds P', and the
        // last row of B temporarily holds the gradient of s.
        law.cone(i).derivative(phi, a);
        b.fill(0.0);
        let (first_rows, gradient) = b.split_at_mut((d - 1) * d);
        law.shift_gradient(i, u, gradient);
        for row in 0..d - 1 {
            for column in 0..d {
                first_rows[row * d + column] = rho * (a[row * d + column] + a[row * d] * gradient[column]);
            }
        }
        for column in 0..d {
            let last = (d - 1) * d;
            gradient[column] = rho * (a[last + column] + a[last] * gradient[column]);
        }
        a.iter_mut().for_each(|x| *x = -*x);
        (0..d).for_each(|k| a[k * d + k] += 1.0);
    }
    law.project(i, phi);
    phi.iter_mut().zip(r).for_each(|(x, r)| *x = r - *x);
}

fn alart_curnier(
    mu: f64,
    rho: f64,
    r: &[f64],
    u: &[f64],
    radius_from_prediction: bool,
    phi: &mut [f64],
    jacobians: Option<(&mut [f64], &mut [f64])>,
) {
    let d = r.len();
    phi.iter_mut().zip(r.iter().zip(u)).for_each(|(x, (r, u))| *x = r - rho * u);
    let normal = phi[0];
    let pressed = if radius_from_prediction { normal } else { r[0] };
    let (radius, slope) = if pressed > 0.0 { (mu * pressed, mu) } else { (0.0, 0.0) };
    let length = norm(&phi[1..]);
    let sticks = length <= radius;
    if let Some((a, b)) = jacobians {
        a.fill(0.0);
        b.fill(0.0);
        if normal > 0.0 {
            b[0] = rho;
        } else {
            a[0] = 1.0;
        }
        for i in 1..d {
            if sticks {
                b[i * d + i] = rho;
                continue;
            }
            // Outside the disc, P_D(x) = radius x / |x|.
            let unit = phi[i] / length;
            for j in 1..d {
                let turn = radius / length * (f64::from(i == j) - unit * phi[j] / length);
                a[i * d + j] = f64::from(i == j) - turn;
                b[i * d + j] = rho * turn;
            }
            a[i * d] = -slope * unit;
            if radius_from_prediction {
                b[i * d] = rho * slope * unit;
            }
        }
    }
    phi[0] = r[0] - normal.max(0.0);
    let factor = if sticks { 1.0 } else { radius / length };
    phi[1..].iter_mut().zip(&r[1..]).for_each(|(x, r)| *x = r - factor * *x);
}

#[cfg(test)]
#[path = "function_tests.rs"]
mod tests;
