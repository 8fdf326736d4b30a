//! Impacts at several contacts at once, by the compression of each.
//!
//! A law of restitution between the velocities before and after an impact does not say how the impulses of
//! contacts that touch share it: of three equal balls in a row, of which one hits the others, Newton's law
//! with e = 1 sends two away together, and a real cradle only the last. Liu, Zhao and Brogliato follow what
//! happens within the impact instead. Positions stand still, and each contact i is a spring that pushes with
//! $F_i = K_i \delta_i^{\eta_i}$ over its compression and gives back a part $e_i^2$ of the energy
//! $E_i = K_i \delta_i^{\eta_i + 1}/(\eta_i + 1)$ that was put in:
//!
//! $$ du = A \cdot dP, \qquad dE_i = -u_i dP_i \ (u_i \le 0), \qquad dE_i = -u_i dP_i / e_i^2 \ (u_i > 0), $$
//!
//! $$ \frac{dP_i}{dP_j} = \frac{F_i}{F_j} =
//!    \frac{\bigl((\eta_i + 1) E_i\bigr)^{\eta_i/(\eta_i + 1)} K_i^{1/(\eta_i + 1)}}
//!         {\bigl((\eta_j + 1) E_j\bigr)^{\eta_j/(\eta_j + 1)} K_j^{1/(\eta_j + 1)}} $$
//!
//! with $A = J M^{-1} J^T$, the relative velocities u and impulses P. As plain text: du = A dP; the energy of
//! a contact changes by -u dP while it is compressed, and by -u dP / e^2 while it expands; impulses grow in
//! the ratio of the forces. With equal exponents only the ratios of the stiffnesses matter.
//!
//! The published method takes constant steps of the largest impulse, and is of first order in them. Here the
//! same equations are followed by time, dP = F dt, in the compressions (where they have no singular
//! beginning), by the classical Runge-Kutta method of order 4, with steps that end where a contact turns
//! from compression to expansion, opens or closes again.
//!
//! With a small coefficient of restitution contacts may open and close again in an infinite sequence of blows
//! (inelastic collapse): three balls of 1 kg, 0.1 kg and 1 kg do so up to e = 0.3, and then move together.
//! The number of blows grows with the ratio of the masses, so that the end of the sequence is not integrated:
//! after 64 blows at a contact, the contacts that take part are stopped by the impulses that make their
//! velocities vanish, if these impulses push and all other contacts stay open.
//!
//! Reference: Liu, Zhao, Brogliato (2008), "Frictionless multiple impacts in multibody systems. I.
//! Theoretical framework", Proc. R. Soc. A 464, 3193-3211; part II, 465, 1-23 (bi-stiffness compliance).

mod motion;
mod settings;
mod solver;

pub use settings::{ImpactContact, MultipleImpactSettings};
pub use solver::MultipleImpact;
