//! Differential variational inequalities: x' = f + B u, where u solves a variational inequality that depends
//! on x.
//!
//! $$ \dot x = f(t, x) + B(t, x) u, \qquad u \in \mathrm{SOL}\bigl(K, G(t, x) + F(\cdot)\bigr) $$
//!
//! As plain text: x' = f(t, x) + B(t, x) u, and u is a point of the convex set K with (v - u)^T (G(t, x) +
//! F(u)) >= 0 for all v in K. This form includes complementarity systems (K is the orthant), relays and
//! saturations (K is a box), polyhedral inclusions, and the optimality conditions of optimal control problems
//! with bounds.
//!
//! | task | item |
//! |---|---|
//! | motion from an initial state | [`DviStepper`] |
//! | motion with conditions at both ends, M x(0) + N x(T) = b | [`solve_boundary_value`] |
//! | check of the assumptions of the theory | [`DviReport`] |
//! | conversion of a first-order model | [`Dvi::of`] |
//!
//! As the step length goes to 0, x converges uniformly, but u only weakly. Compare solutions by their x;
//! compare their u only if F is strongly monotone.
//!
//! Reference: J.-S. Pang, D. Stewart (2008), "Differential variational inequalities", Mathematical
//! Programming 113, 345-424.

mod affine_step;
mod assumptions;
mod boundary;
mod boundary_value;
mod by_projection;
mod error;
mod general_step;
mod initial_value;
mod input_map;
mod model_parts;
mod of_model;
mod problem;
mod product_set;
mod set;
mod solution;
mod state_map;
mod step_task;
mod vi_map;

pub use assumptions::{Assumption, DviConclusion, DviData, DviReport, Finding};
pub use boundary::conditions::{Boundary, BoundaryWarning};
pub use boundary_value::{BoundarySettings, BoundarySolution, solve_boundary_value};
pub use error::DviError;
pub use initial_value::{DviRun, DviSettings, DviStep, DviStepper};
pub use input_map::InputMap;
pub use problem::Dvi;
pub use set::{DviSet, SetProjection};
pub use solution::DviSolution;
pub use state_map::StateMap;
pub use vi_map::{ViFunction, ViMap};
