//! Simultaneous impacts at several contacts, resolved by following the compression of each contact.
//!
//! A restitution law between the velocities before and after an impact does not determine how touching
//! contacts share the impulse. If the first of three equal balls in a row hits the other two, Newton's law
//! with e = 1 makes the other two move away together, whereas in a real Newton's cradle only the last ball
//! moves away. The law of Liu, Zhao and Brogliato models the process within the impact. Positions are
//! constant, and each contact i is a spring with the force $F_i = K_i \delta_i^{\eta_i}$ under the
//! compression $\delta_i$. The contact returns the fraction $e_i^2$ of the energy
//! $E_i = K_i \delta_i^{\eta_i + 1}/(\eta_i + 1)$ stored during compression:
//!
//! $$ du = A \cdot dP, \qquad dE_i = -u_i dP_i \ (u_i \le 0), \qquad dE_i = -u_i dP_i / e_i^2 \ (u_i > 0), $$
//!
//! $$ \frac{dP_i}{dP_j} = \frac{F_i}{F_j} =
//!    \frac{\bigl((\eta_i + 1) E_i\bigr)^{\eta_i/(\eta_i + 1)} K_i^{1/(\eta_i + 1)}}
//!         {\bigl((\eta_j + 1) E_j\bigr)^{\eta_j/(\eta_j + 1)} K_j^{1/(\eta_j + 1)}} $$
//!
//! with $A = J M^{-1} J^T$, the relative velocities u and the impulses P. As plain text: du = A dP; the
//! energy of a contact changes by -u dP during compression and by -u dP / e^2 during expansion; impulses grow
//! in the ratio of the forces. If all exponents are equal, only the ratios of the stiffnesses matter.
//!
//! The published method advances in constant increments of the largest impulse and is of first order. This
//! module integrates the same equations in time, dP = F dt, with the compressions as variables, which avoids
//! a singularity at the start. It uses the classical Runge-Kutta method of order 4. A step ends when a
//! contact changes from compression to expansion, opens, or closes again.
//!
//! If the coefficient of restitution is small, contacts can open and close in an infinite sequence of impacts
//! (inelastic collapse). This happens for three balls of 1 kg, 0.1 kg and 1 kg if e is at most 0.3; they then
//! move together. The number of impacts grows with the mass ratio, so the end of the sequence is not
//! integrated. After 64 impacts at one contact, the impulses that make the relative velocities of the
//! contacts in the sequence zero are computed. They are applied, and end the sequence, if all of them are
//! positive and all other contacts stay open.
//!
//! Reference: Liu, Zhao, Brogliato (2008), "Frictionless multiple impacts in multibody systems. I.
//! Theoretical framework", Proc. R. Soc. A 464, 3193-3211; part II, 465, 1-23 (bi-stiffness compliance).

mod motion;
mod settings;
mod solver;

pub use settings::{ImpactContact, MultipleImpactSettings};
pub use solver::MultipleImpact;
