//! Guide to the solvers: problem class, solver, status, scaling and warm start.
//!
//! How do I solve a problem that consists of a matrix, a vector, and conditions such as "these numbers are
//! not negative, and one of each pair is zero"? You may have a single problem, or a simulation that produces
//! such a problem in every step. This page shows how to find the class of the problem, choose a solver, and
//! read the result. The [crate page](crate) contains the formulas and longer tables.
//!
//! # From the problem to the solution
//!
//! A mass of 1 kg lies on the floor, and a second mass of 1 kg lies on the first mass. The impulses $z$
//! \[N s\] of the two contacts in a step of 0.1 s satisfy
//!
//! $$ w = M z + q, \qquad 0 \le w \perp z \ge 0. $$
//!
//! As plain text: w = M z + q, w >= 0, z >= 0, and w_i z_i = 0. The entries of $w$ \[m/s\] are the velocities
//! at which the contacts open. The Delassus matrix $M$ \[1/kg\] contains the changes in these velocities per
//! unit impulse. The entries of $q$ \[m/s\] are the velocities without impulses.
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::lcp::{Auto, LcpProblem};
//! use siconos_numerics::{Solver, SolverError};
//!
//! fn main() -> Result<(), SolverError> {
//!     // Contact 0: floor and lower mass. Contact 1: lower mass and upper mass.
//!     let m = array![[1.0, -1.0], [-1.0, 2.0]];
//!     let q = [-0.981, 0.0];
//!
//!     let mut solver = Auto::default();
//!     let (mut z, mut w) = ([0.0; 2], [0.0; 2]); // z: initial guess on entry
//!     let info = solver.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?.require_converged()?;
//!
//!     // The floor carries both masses, and the lower mass carries the upper mass.
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
//! 1. A problem borrows its data. Shapes, bounds and coefficients are checked when the problem is created.
//! 2. A solver owns its workspace. Keep the solver, and use it for all problems of a simulation. The sizes of
//!    these problems may differ.
//! 3. `solve` returns a [`SolveInfo`](crate::SolveInfo), which contains a status. A solver that does not
//!    converge is not an error of `solve`. To get an error in this case, call `require_converged`.
//!
//! # Problem classes
//!
//! | conditions | class | typical source |
//! |---|---|---|
//! | pairs of numbers that are not negative, and of which at least one is zero | [`lcp`](crate::lcp) | contacts without friction, ideal diodes |
//! | complementarity conditions, and equations with free unknowns | [`mlcp`](crate::mlcp) | joints, circuits |
//! | unknowns between bounds | [`relay`](crate::relay) | relays, saturations, dry friction with a known normal force |
//! | unknowns in a polyhedron | [`avi`](crate::avi) | normal cones of polyhedra |
//! | Coulomb friction, rolling friction, second-order cones | [`contact`](crate::contact) | contacts with friction |
//! | several of the conditions above | [`gmp`](crate::gmp) | mechanisms with joints, stops and friction |
//! | a nonlinear map instead of M z + q | [`ncp`](crate::ncp), [`mcp`](crate::mcp), [`vi`](crate::vi) | equilibria |
//! | minimum of a convex quadratic function | [`qp`](crate::qp) | least squares with constraints, projections |
//!
//! Use the most specific class that contains the problem, because its solvers are faster and have more
//! guarantees. Coulomb's friction cone in space is not a polyhedron. For friction in space, use
//! [`contact`](crate::contact), not an LCP that approximates the cone by facets.
//!
//! In a problem with friction, the unknowns of each contact form a block: the normal component, followed by
//! the tangential components. In this example, an impulse of 1 N s pushes a body of 2 kg along the floor. In
//! the same step, the impulse of the weight is 1.962 N s. With a coefficient of friction of 0.3, the friction
//! limit is 0.589 N s, so the body slides:
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
//! If many contacts act on few bodies, W is dense. In this case, pass the mass matrix and the contact
//! Jacobian of the bodies to [`ContactProblem::of_bodies`](crate::contact::ContactProblem::of_bodies) instead
//! of W.
//!
//! # Choosing a solver
//!
//! Start with the `Auto` solver of the class. It chooses a few methods based on the size, storage and entries
//! of the matrix, and tries them within a budget of operations. Its [`trace`](crate::Solver::trace) lists the
//! methods that were tried, with reasons and results. Choose a single method if your problems are similar and
//! the trace always ends with the same method, or if you need the guarantee of a method. Methods can be
//! selected by their guarantees or by their names:
//!
//! ```
//! use siconos_numerics::Method;
//! use siconos_numerics::lcp::LcpMethod;
//! use siconos_numerics::method::MatrixClass;
//!
//! // List the methods that are guaranteed to solve every problem with a P-matrix.
//! let names: Vec<&str> = LcpMethod::all()
//!     .iter()
//!     .filter(|method| method.description().guarantee.covers(MatrixClass::PMatrix))
//!     .map(|method| method.name())
//!     .collect();
//! assert!(names.contains(&"lemke") && names.contains(&"newton-min"));
//! assert!(!names.contains(&"projected-gauss-seidel"));
//! // Create a method from its name, which can come from a file or a command line.
//! let mut method = LcpMethod::from_name("lemke").ok_or("no such method")?;
//! method.set_max_iterations(500);
//! assert_eq!(method.build()?.limits().max_iterations, 500);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | situation | method |
//! |---|---|
//! | few unknowns, any matrix | [`lcp::Lemke`](crate::lcp::Lemke), [`lcp::Enumeration`](crate::lcp::Enumeration): exact, and can prove that there is no solution |
//! | many independent contacts (M is a P-matrix) | [`lcp::NewtonMin`](crate::lcp::NewtonMin) |
//! | more contacts than degrees of freedom (M is semidefinite) | [`lcp::InteriorPoint`](crate::lcp::InteriorPoint), [`contact::InteriorPoint`](crate::contact::InteriorPoint) |
//! | large matrix that should not be factorised | [`lcp::ConjugateProjectedGradient`](crate::lcp::ConjugateProjectedGradient) |
//! | friction, if the tolerance is loose and the initial guess is good | [`contact::NonsmoothGaussSeidel`](crate::contact::NonsmoothGaussSeidel) |
//! | problems of successive steps with mostly the same active set | [`mlcp::WarmActiveSet`](crate::mlcp::WarmActiveSet) |
//!
//! [Which solver?](crate#which-solver) contains a longer table. The page of each class lists all its methods.
//!
//! # Reading the status
//!
//! | [`Status`](crate::Status) | meaning | what to do |
//! |---|---|---|
//! | `Converged` | the error, recomputed from the returned arrays, is within the tolerance | |
//! | `AtRoundingLevel` | success: each row is satisfied up to a few units in the last place, but the error is above the tolerance | nothing, because double precision permits no better solution |
//! | `NoSolution` | the method has proven that no solution exists | correct the problem |
//! | `MaxIterations`, `EffortSpent` | the method reached a limit | raise the limit, or use another method |
//! | `Stalled`, `NotFound`, `RayTermination`, `Breakdown` | the method stopped without a solution, but a solution may exist | use another method |
//!
//! Whatever the status, the arrays contain the best or the last iterate, and `info.error` is the error of
//! this iterate. `solve` returns `Err` if sizes are wrong, if values are not finite, if the solver does not
//! support the problem, or if a matrix that it has to factorise is singular.
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::lcp::{Auto, LcpProblem, infeasibility_certificate};
//! use siconos_numerics::{Solver, Status};
//!
//! // w_0 = z_0 - z_1 - 1 and w_1 = -w_0 - 0.5 cannot both be nonnegative.
//! let m = array![[1.0, -1.0], [-1.0, 1.0]];
//! let problem = LcpProblem::new(&m, &[-1.0, 0.5])?;
//! let info = Auto::default().solve(&problem, &mut [0.0; 2], &mut [0.0; 2])?;
//! assert_eq!(info.status, Status::NoSolution);
//! // A vector s >= 0 with M^T s <= 0 and q^T s < 0 proves that there is no solution.
//! assert!(infeasibility_certificate(&problem).is_some());
//! # Ok::<(), siconos_numerics::SolverError>(())
//! ```
//!
//! # Error, scaling and units
//!
//! Each class has one function `error`. All solvers of the class compare this error with their tolerance. In
//! classes that are defined by a matrix, the error is relative and does not depend on units, so you need not
//! scale a problem. For contacts, an error of 1e-8 means that velocities violate the law by 1e-8 times the
//! velocities without impulses. If you change units by powers of two, the results of a solver are
//! bit-identical after conversion of the units. In classes that are defined by a nonlinear map
//! ([`ncp`](crate::ncp), [`mcp`](crate::mcp), [`vi`](crate::vi)), the error depends on units. This example
//! solves a problem with a matrix in two units of mass:
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
//! // The error of an inaccurate point is the same in both units. The error as defined by Siconos
//! // depends on the unit.
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
//! On entry, `z` is the initial guess. In a simulation, leave the solution of the previous step in `z`.
//! Iterative methods then need fewer iterations. Pivoting methods start with the active set of the previous
//! solution, that is, the rows in which z is positive.
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
//! q[0] *= 1.000_001; // the problem of the next step
//! let warm = solver.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?.require_converged()?;
//! assert!(2 * warm.iterations < cold.iterations);
//! # Ok::<(), siconos_numerics::SolverError>(())
//! ```
//!
//! A problem can have several solutions, for example because of redundant joints or friction. In this case, a
//! solver can return different solutions for different initial guesses.
//!
//! # Limits
//!
//! - `max_iterations` and [`EffortLimit`](crate::EffortLimit) limit iterations and operations, not time, so
//!   two runs stop at the same point. For a time limit in seconds or a reaction to Ctrl-C, run the solve
//!   under a [`CancellationToken`](crate::CancellationToken).
//! - For large sparse matrices, use [`BlockCsr`](crate::BlockCsr) for contacts, and [`Csc`](crate::Csc)
//!   otherwise. The page of each method lists the storage formats that the method supports. Matrices are not
//!   converted: in any other storage, `solve` returns an error.
//!
//! # Pitfalls
//!
//! - A dense matrix with 10 000 rows has 100 million entries. Use a sparse matrix or, for contacts,
//!   [`ContactProblem::of_bodies`](crate::contact::ContactProblem::of_bodies).
//! - `w` is an output. In [`avi`](crate::avi) and [`qp`](crate::qp), `w` on entry is also the initial guess
//!   for the multipliers.
//! - A solver without a guarantee for your matrix can stop with `MaxIterations` even if the problem is easy.
//!   Compare the result with the result of `Auto`, or run all methods on the problem; see the example of
//!   [`method`](crate::method).
//!
//! # Next
//!
//! - The pages of [`lcp`](crate::lcp) and [`contact`](crate::contact): methods, guarantees, references.
//! - [`method`](crate::method): functions for the solvers of any class. [`engine`](crate::engine): components
//!   for your own solvers.
//! - The command-line tool solves problems from files: `siconos-rs solve problem.json --method lemke`.
