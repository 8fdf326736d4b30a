//! Friction contact in global form: the velocities of the bodies are unknowns beside those of the contacts.
//!
//! | method | what it factorises | for |
//! |---|---|---|
//! | [`GlobalAuto`] | what its methods do | the default |
//! | [`Reduced`] | M, body by body | rigid bodies: W is sparse |
//! | [`GlobalGaussSeidel`] | M, body by body | guesses that are near; bodies with many contacts, whose W is full |
//! | [`GlobalNewton`] | velocities and reactions together, each iteration | fast ends; elastic bodies |
//! | [`GlobalAdmm`] | velocities alone, once per penalty | loose tolerances; large piles; many contacts on one elastic body |
//! | [`GlobalProximalPoint`] | M + H G H^T of the bodies, in some steps for each outer iteration | from loose tolerances to tight ones |
//! | [`GlobalInteriorPoint`] | M + H D H^T of the bodies, in some ten to some hundred steps | bodies that friction holds at rest, at any size; many contacts that slide |

mod admm;
mod auto;
mod best;
mod data;
mod delassus;
mod gauss_seidel;
mod interior_point;
mod mass;
mod matrices;
mod method;
mod newton;
mod own_velocities;
mod proximal_point;
mod reduced;
mod residual;
#[cfg(test)]
mod row_of_bodies;
mod saddle;
mod units;
mod velocity_matrix;
mod view;

pub use admm::{GlobalAdmm, GlobalAdmmSettings};
pub use auto::{GlobalAuto, GlobalAutoSettings};
pub use data::GlobalContactData;
pub use gauss_seidel::{GlobalGaussSeidel, GlobalGaussSeidelSettings};
pub use interior_point::{GlobalInteriorPoint, GlobalInteriorPointSettings};
pub use method::{GlobalContact, GlobalContactMethod};
pub use newton::{GlobalNewton, GlobalNewtonSettings};
pub(super) use proximal_point::proximal_factorisations;
pub use proximal_point::{GlobalProximalPoint, GlobalProximalPointSettings};
pub use reduced::{Reduced, ReducedSettings};
pub use residual::{global_error_of_point, global_siconos_error_of_point};
pub use view::GlobalProblem;

pub(super) use self::mass::Mass;
use super::ContactLaw;

/// Sets $v = M^{-1} (H r + f)$, the velocities that go with the reactions of a warm start; leaves them where
/// M is singular.
///
/// Returns whether `mass` holds the factors now.
fn start(problem: &GlobalProblem<'_>, mass: &mut Mass, r: &[f64], v: &mut [f64]) -> bool {
    let is_regular = mass.factor(problem.m()).is_ok();
    if is_regular {
        velocities_of(problem, mass, r, v);
        if v.iter().any(|x| !x.is_finite()) {
            v.fill(0.0);
        }
    }
    is_regular
}

/// Writes $v = M^{-1} (H r + f)$, with the factors of M.
fn velocities_of(problem: &GlobalProblem<'_>, mass: &mut Mass, r: &[f64], v: &mut [f64]) {
    v.copy_from_slice(problem.f());
    problem.h().add_product(1.0, r, v);
    mass.solve(v);
}
