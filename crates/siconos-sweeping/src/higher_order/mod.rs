//! The higher-order sweeping process: complementarity systems of any relative degree.
//!
//! $$ \dot x = A x + B \lambda + e, \qquad 0 \le y = C x \perp \lambda \ge 0, $$
//!
//! as plain text x' = A x + B lambda + e, y = C x, y and lambda nonnegative and orthogonal. When $\lambda$
//! acts on the r-th derivative of y only, y >= 0 cannot be kept by a function $\lambda$ once r is 2 or more:
//! the state has to jump. What the jump is follows from the derivatives of y, one order after the other:
//!
//! $$ z_i = y^{(i-1)}, \qquad d z_i = z_{i+1} dt + d \nu_i, \qquad
//!    d \nu_i \in -N_{T^{i-1}}(z_i^+), \qquad i = 1, \ldots, r, $$
//!
//! where $T^{i-1}$ is the half-line of nonnegative numbers if $z_1^-, \ldots, z_{i-1}^- \le 0$, else the
//! whole line. As plain text: z_i is the derivative of y of order i - 1, dz_i = z_{i+1} dt + dnu_i, with
//! nonnegative measures nu_i that act where z_i+ = 0 only. For i = r the density is $C A^r x + C A^{r-1} e$
//! and the measure $C A^{r-1} B d \nu_r$. So order 1 is held at or above 0 always, and each further one only
//! where all before it have come to 0 or are below.
//!
//! With r = 1 this is Moreau's sweeping process, with r = 2 that of unilateral contact with restitution 0.
//! Higher degrees come from actuators between a force and a constraint, and from the adjoints of optimal
//! control under constraints of the state, which are measures.
//!
//! | type | what it is |
//! |---|---|
//! | [`HigherOrderSweeping`] | the process, and the scheme that steps it |
//! | [`HigherOrderState`] | z_1 .. z_r of each component, and the zero dynamics |
//! | [`Jump`] | what happens at one instant |
//! | [`HigherOrderReport`] | the measures of a step |
//! | [`NormalForm`] | the coordinates |
//!
//! No result depends on the units of x, y, lambda or time. Matrices are dense, for up to some hundred states.
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
