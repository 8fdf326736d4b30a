//! Guide to the solvers: problem class, solver, status, scaling and warm start.
