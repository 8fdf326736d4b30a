//! Variational inequalities over a convex set that is given by its projection.
pub(crate) mod box_function;
