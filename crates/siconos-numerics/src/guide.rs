//! Guide to the solvers: problem class, solver, status, scaling and warm start.
//!
//! You have a matrix and a vector, and conditions such as "these numbers are not negative, and one of each
//! pair is zero". Or a simulation of your own produces such a problem in every step. This page names the
//! class of the problem and a solver, and reads the result. The [page of the crate](crate) has the formulas
//! and longer tables.
//!
//! # From the problem to the solution
//!
//! Two masses of 1 kg lie one on the other; the lower one lies on the floor. The impulses $z$ \[N s\] of the
//! two contacts in a step of 0.1 s satisfy
//!
//! $$ w = M z + q, \qquad 0 \le w \perp z \ge 0 $$
//!
//! (w = M z + q; w >= 0, z >= 0, and w_i z_i = 0), with the velocities $w$ \[m/s\] at which the contacts
//! open, the inverse masses $M$ \[1/kg\] that the contacts feel, and the velocities $q$ without impulses.
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::lcp::{Auto, LcpProblem};
//! use siconos_numerics::{Solver, SolverError};
//!
//! fn main() -> Result<(), SolverError> {
//!     // Contact 0: floor and lower mass. Contact 1: lower and upper mass.
//!     let m = array![[1.0, -1.0], [-1.0, 2.0]];
//!     let q = [-0.981, 0.0];
//!
//!     let mut solver = Auto::default();
//!     let (mut z, mut w) = ([0.0; 2], [0.0; 2]); // z: initial guess on entry
//!     let info = solver.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?.require_converged()?;
//!
//!     // The floor carries two weights, the lower mass one.
//!     assert!((z[0] - 2.0 * 0.981).abs() < 1e-12 && (z[1] - 0.981).abs() < 1e-12);
//!     assert!(info.error <= 1e-12);
//!     for attempt in solver.trace() {
//!         println!("{}: {} ({})", attempt.method, attempt.info.status, attempt.why);
//!     }
//!     assert_eq!(solver.trace()[0].method, "lemke");
//!     Ok(())
//! }
//! ```
//!
//! 1. A problem borrows its data. It is checked when it is created: shapes, bounds, coefficients.
//! 2. A solver owns its workspace. Keep it, and call it for all problems of a simulation, whatever their
//!    sizes.
//! 3. `solve` returns a [`SolveInfo`](crate::SolveInfo). A status is not an error; `require_converged` makes
//!    it one.
//!
//! # Which class
//!
//! | conditions | class | typical source |
//! |---|---|---|
//! | one of each pair is zero, none negative | [`lcp`](crate::lcp) | contacts without friction, ideal diodes |
//! | and some equations with free unknowns | [`mlcp`](crate::mlcp) | joints, circuits |
//! | unknowns between bounds | [`relay`](crate::relay) | relays, saturations, dry friction with known normal force |
//! | unknowns in a polyhedron | [`avi`](crate::avi) | normal cones |
//! | Coulomb friction, rolling friction, second-order cones | [`contact`](crate::contact) | contacts |
//! | several of these at once | [`gmp`](crate::gmp) | mechanisms with joints, stops and friction |
//! | a nonlinear map instead of M z + q | [`ncp`](crate::ncp), [`mcp`](crate::mcp), [`vi`](crate::vi) | equilibria |
//! | minimum of a convex quadratic function | [`qp`](crate::qp) | least squares with constraints, projections |
//!
//! Use the smallest class that holds the problem: its solvers are faster and have more guarantees. Coulomb's
//! cone in space is not a polyhedron: use [`contact`](crate::contact) rather than an LCP with facets.
//!
//! For friction, the unknowns of each contact form a block: first the normal, then the tangents. A block of 2
//! kg is pushed along the floor by an impulse of 1 N s. Its weight gives 1.962 N s in this step, so it
//! slides:
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::Solver;
//! use siconos_numerics::contact::{Auto, ContactLaw, ContactProblem};
//!
//! let w = array![[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]]; // the Delassus matrix W [1/kg]
//! let q = [-0.981, 0.5, 0.0]; // velocities without reactions: normal, two tangents [m/s]
//! let law = ContactLaw::Coulomb { dimension: 3, mu: &[0.3] };
//! let (mut r, mut u) = ([0.0; 3], [0.0; 3]);
//! let info = Auto::default().solve(&ContactProblem::new(&w, &q, law)?, &mut r, &mut u)?;
//! assert!(info.status.is_success());
//! assert!((r[0] - 1.962).abs() < 1e-7 && (r[1] + 0.3 * r[0]).abs() < 1e-7);
//! assert!((u[1] - (0.5 - 0.5 * 0.3 * 1.962)).abs() < 1e-7);
//! # Ok::<(), siconos_numerics::SolverError>(())
//! ```
//!
//! If W would be full because many contacts act on few bodies, give the bodies instead:
//! [`ContactProblem::of_bodies`](crate::contact::ContactProblem::of_bodies).
//!
//! # Which solver
//!
//! Start with `Auto` of the class. It tries a few methods, by size, storage and entries of the matrix, within
//! a budget of operations. Its [`trace`](crate::Solver::trace) lists methods, reasons and results. Choose a
//! single method if all your problems are alike and the trace always ends with the same one, or if you want
//! its guarantee:
//!
//! ```
//! use siconos_numerics::Method;
//! use siconos_numerics::lcp::LcpMethod;
//! use siconos_numerics::method::MatrixClass;
//!
//! // Methods that are known to solve every problem with a P-matrix.
//! let names: Vec<&str> = LcpMethod::all()
//!     .iter()
//!     .filter(|method| method.description().guarantee.covers(MatrixClass::PMatrix))
//!     .map(|method| method.name())
//!     .collect();
//! assert!(names.contains(&"lemke") && names.contains(&"newton-min"));
//! assert!(!names.contains(&"projected-gauss-seidel"));
//! // A method by its name, for files and command lines.
//! let mut method = LcpMethod::from_name("lemke").ok_or("no such method")?;
//! method.set_max_iterations(500);
//! assert_eq!(method.build()?.limits().max_iterations, 500);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | situation | method |
//! |---|---|
//! | few unknowns, any matrix | [`lcp::Lemke`](crate::lcp::Lemke), [`lcp::Enumeration`](crate::lcp::Enumeration): exact, and can prove that there is no solution |
//! | large, independent contacts (P-matrix) | [`lcp::NewtonMin`](crate::lcp::NewtonMin) |
//! | more contacts than degrees of freedom (semidefinite) | [`lcp::InteriorPoint`](crate::lcp::InteriorPoint), [`contact::InteriorPoint`](crate::contact::InteriorPoint) |
//! | matrix known by products only | [`lcp::ConjugateProjectedGradient`](crate::lcp::ConjugateProjectedGradient) |
//! | friction, loose tolerance, a good initial guess | [`contact::NonsmoothGaussSeidel`](crate::contact::NonsmoothGaussSeidel) |
//! | the same active set in most steps | [`mlcp::WarmActiveSet`](crate::mlcp::WarmActiveSet) |
//!
//! [Which solver?](crate#which-solver) has more rows, and the page of each class lists all methods.
//!
//! # Reading the status
//!
//! | [`Status`](crate::Status) | meaning | what to do |
//! |---|---|---|
//! | `Converged` | the error, recomputed from the returned arrays, is within the tolerance | |
//! | `AtRoundingLevel` | success: each row holds to a few last places, but the error is above the tolerance | nothing is better in double precision |
//! | `NoSolution` | proven | correct the problem |
//! | `MaxIterations`, `EffortSpent` | a limit ended the method | raise it, or take another method |
//! | `Stalled`, `NotFound`, `RayTermination`, `Breakdown` | the method ended by itself | take another method; a solution may exist |
//!
//! With every status the arrays hold the best (or last) point, and `info.error` is its error. `Err` means
//! wrong sizes, values that are not finite, or a problem that the solver does not support.
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::lcp::{Auto, LcpProblem, infeasibility_certificate};
//! use siconos_numerics::{Solver, Status};
//!
//! // w_0 = z_0 - z_1 - 1 and w_1 = -w_0 - 0.5: both cannot be nonnegative.
//! let m = array![[1.0, -1.0], [-1.0, 1.0]];
//! let problem = LcpProblem::new(&m, &[-1.0, 0.5])?;
//! let info = Auto::default().solve(&problem, &mut [0.0; 2], &mut [0.0; 2])?;
//! assert_eq!(info.status, Status::NoSolution);
//! // s >= 0 with M^T s <= 0 and q^T s < 0 proves it.
//! assert!(infeasibility_certificate(&problem).is_some());
//! # Ok::<(), siconos_numerics::SolverError>(())
//! ```
//!
//! # Error, scaling and units
//!
//! Each class has one function `error`, by which all its solvers stop. It is relative, and it does not depend
//! on units: for contacts, an error of 1e-8 means that velocities violate the law by 1e-8 of the velocities
//! without impulses. You need not scale a problem. In units that differ by powers of two, a solver returns
//! the same bits:
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::Solver;
//! use siconos_numerics::lcp::{Auto, LcpProblem, error, siconos_error};
//!
//! let m = array![[2.0, 1.0], [1.0, 2.0]];
//! let q = [-0.3, -0.1];
//! let unit = f64::from(1 << 20); // masses in units of 2^20 kg
//! let heavy = &m * unit;
//! let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
//! Auto::default().solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?.require_converged()?;
//! let (mut z2, mut w2) = ([0.0; 2], [0.0; 2]);
//! Auto::default().solve(&LcpProblem::new(&heavy, &q)?, &mut z2, &mut w2)?.require_converged()?;
//! assert_eq!(z2.map(|z| z * unit), z);
//!
//! // The error of a wrong point is the same in both units; the error of Siconos is not.
//! let off = [z[0] + 0.01, z[1]];
//! let off2 = off.map(|z| z / unit);
//! let errors = |m: &ndarray::Array2<f64>, z: &[f64; 2]| -> Result<_, siconos_numerics::ProblemError> {
//!     let w = [0, 1].map(|i| m[[i, 0]] * z[0] + m[[i, 1]] * z[1] + q[i]);
//!     Ok((error(&LcpProblem::new(m, &q)?, z, &w), siconos_error(&q, z, &w)))
//! };
//! let (here, there) = (errors(&m, &off)?, errors(&heavy, &off2)?);
//! assert!((here.0 - there.0).abs() < 1e-12 && here.1 > 1e3 * there.1);
//! # Ok::<(), siconos_numerics::SolverError>(())
//! ```
//!
//! If the tolerance is below the rounding errors of the problem, the status is `AtRoundingLevel` or
//! `Stalled`.
//!
//! # Warm start
//!
//! `z` on entry is the initial guess. In a simulation, leave the solution of the previous step in it.
//! Iterative methods then need fewer iterations; pivoting methods start with its active set.
//!
//! ```
//! use ndarray::Array2;
//! use siconos_numerics::Solver;
//! use siconos_numerics::lcp::{LcpProblem, ProjectedGaussSeidel};
//!
//! // A column of 20 masses of 1 kg.
//! let m = Array2::from_shape_fn((20, 20), |(i, j)| match i.abs_diff(j) {
//!     0 if i == 0 => 1.0,
//!     0 => 2.0,
//!     1 => -1.0,
//!     _ => 0.0,
//! });
//! let mut q = [0.0; 20];
//! q[0] = -0.0981;
//! let mut solver = ProjectedGaussSeidel::default();
//! let (mut z, mut w) = ([0.0; 20], [0.0; 20]);
//! let cold = solver.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?.require_converged()?;
//! q[0] *= 1.000_001; // the next step
//! let warm = solver.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?.require_converged()?;
//! assert!(2 * warm.iterations < cold.iterations);
//! # Ok::<(), siconos_numerics::SolverError>(())
//! ```
//!
//! A problem with several solutions, such as redundant joints or friction, may return another one from
//! another initial guess.
//!
//! # Limits
//!
//! - `max_iterations` and [`EffortLimit`](crate::EffortLimit) count iterations and operations, never time:
//!   two runs stop at the same point. For a limit in seconds or Ctrl-C, run the solve under a
//!   [`CancellationToken`](crate::CancellationToken).
//! - Large sparse matrices: [`BlockCsr`](crate::BlockCsr) for contacts, [`Csc`](crate::Csc) otherwise. Each
//!   method lists the storages that it supports; others are refused, not converted.
//!
//! # Pitfalls
//!
//! - A full matrix of 10 000 contacts has 100 million entries. Give a sparse matrix, or the bodies.
//! - `w` is written; only in classes where it does not follow from `z` it is also read.
//! - A solver without guarantee for your matrix may stop with `MaxIterations` although the problem is easy:
//!   compare with `Auto`, or run all methods on it ([`method`](crate::method) has the code).
//!
//! # Next
//!
//! - The pages of [`lcp`](crate::lcp) and [`contact`](crate::contact): methods, guarantees, references.
//! - [`method`](crate::method): functions for the solvers of any class. [`engine`](crate::engine): parts for
//!   own solvers.
//! - The command `siconos-rs solve problem.json --method lemke` solves problems from files.
