//! Higher-order sweeping processes: complementarity systems of any relative degree.
//!
//! $$ \dot x = A x + B \lambda + e, \qquad 0 \le y = C x \perp \lambda \ge 0, $$
//!
//! As plain text: x' = A x + B lambda + e, y = C x, where y and lambda are nonnegative and orthogonal. If
//! $\lambda$ acts only on the derivative of y of order r, and r is 2 or more, the state has to jump to keep
//! y nonnegative, so $\lambda$ is not a function of time. The jump is defined by the derivatives of y, one
//! order after the other:
//!
//! $$ z_i = y^{(i-1)}, \qquad d z_i = z_{i+1} dt + d \nu_i, \qquad
//!    d \nu_i \in -N_{T^{i-1}}(z_i^+), \qquad i = 1, \ldots, r, $$
//!
//! where $T^{i-1}$ is the nonnegative half-line if $z_1^-, \ldots, z_{i-1}^- \le 0$, and the whole line
//! otherwise. As plain text: z_i is the derivative of order i - 1 of y, and dz_i = z_{i+1} dt + dnu_i with
//! nonnegative measures nu_i that are nonzero only where z_i+ = 0. For i = r, $z_{r+1}$ is
//! $C A^r x + C A^{r-1} e$, and $d \nu_r$ is multiplied by $C A^{r-1} B$. Order 1 is always constrained to be
//! nonnegative. A higher order is constrained only if all lower orders are at or below 0.
//!
//! With r = 1 this is Moreau's sweeping process; with r = 2 it is unilateral contact with restitution 0.
//! Higher relative degrees arise from actuators between a force and a constraint, and from optimal control
//! problems with state constraints, whose adjoints are measures.
//!
//! | type | description |
//! |---|---|
//! | [`HigherOrderSweeping`] | process, with its time-stepping scheme |
//! | [`HigherOrderState`] | z_1 .. z_r of each component, and the zero dynamics |
//! | [`Jump`] | jump at one instant |
//! | [`HigherOrderReport`] | measures of a step |
//! | [`NormalForm`] | coordinates of the state: derivatives of y, and the zero dynamics |
//!
//! Results do not depend on the units of x, y, lambda or time. Matrices are dense, for up to a few hundred
//! states.
//!
//! Reference: V. Acary, B. Brogliato, D. Goeleven (2008), "Higher order Moreau's sweeping process:
//! mathematical formulation and numerical simulation", Mathematical Programming 113, 133-217.

mod complement;
mod cones;
mod coordinates;
mod error;
mod jump;
mod natural_units;
mod normal_form;
mod one_step_problem;
mod report;
mod scheme;
mod state;
mod step_matrices;

pub use error::HigherOrderError;
pub use jump::Jump;
pub use normal_form::NormalForm;
pub use report::HigherOrderReport;
pub use scheme::HigherOrderSweeping;
pub use state::HigherOrderState;
