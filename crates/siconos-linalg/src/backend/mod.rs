//! Backends for large dense matrices: LAPACK with the feature `openblas`, faer without it.
//!
//! Both backends provide the same functions, and the tests compare the two. All factorisations that reuse
//! their workspace use faer in both configurations.

#[cfg(any(test, not(feature = "openblas")))]
mod balance;
#[cfg(feature = "openblas")]
mod blas_threads;
#[cfg(feature = "openblas")]
mod lapack;
#[cfg(any(test, not(feature = "openblas")))]
mod portable;
#[cfg(all(test, feature = "openblas"))]
mod tests;

#[cfg(feature = "openblas")]
pub(super) use lapack::{LargeLu, complex_singular_values, eigenvalues, singular_values, symmetric_eigen};
#[cfg(not(feature = "openblas"))]
pub(super) use portable::{LargeLu, complex_singular_values, eigenvalues, singular_values, symmetric_eigen};
