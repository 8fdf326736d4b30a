//! Matrix storage, factorisations, matrix exponentials and spectra for nonsmooth dynamics.
//!
//! The crate serves `siconos-numerics` and `siconos-kernel`, and is documented for authors of solvers. Its
//! API can change with any version. Factorisations reuse their workspace, so a time step allocates no memory.
//! The exception is [`DenseLu`] with more than 24 unknowns.
//!
//! | type or function | content | use |
//! |---|---|---|
//! | [`SmallMatrix`] | blocks of a size known at compile time | local laws (1, 2, 3, 5, 6 unknowns) |
//! | [`DenseLu`] | LU of a dense matrix | own code up to 24 unknowns, LAPACK or faer above |
//! | [`BlockCsr`] | block compressed rows | Delassus matrices of many contacts |
//! | [`Csc`] | compressed sparse columns | sparse matrices without blocks, input of sparse LU |
//! | [`DenseCholesky`], [`SparseCholesky`] | Cholesky, by faer | symmetric positive definite matrices |
//! | [`SparseLu`] | LU factors, by faer | sparse matrices |
//! | [`FactoredMatrix`] | a sum of matrices, factorised as its pattern permits | iteration matrices |
//! | [`NewtonMatrix`] | diag(a) + diag(b) M, for M in any storage | Newton and interior-point methods |
//! | [`exponential`], [`zero_order_hold`] | matrix exponential, zero-order hold | exact linear steps |
//! | [`eigenvalues`], [`symmetric_eigen`], [`singular_values`] | dense spectra | analysis, not time steps |
//! | [`Matrix`], [`MatrixRef`] | a matrix in any of these storage formats, owned or borrowed | problem data |
//!
//! Only this crate depends on linear-algebra libraries. The feature `openblas`, on by default, selects LAPACK
//! from the OpenBLAS of the system (through `ndarray-linalg`) for large dense LU factorisations, eigenvalues
//! and singular values. It also selects the BLAS of OpenBLAS for products of `ndarray`. Without the feature,
//! faer computes these, and only Rust code is linked. Everything else is identical in both configurations.

#![deny(missing_docs)]

mod backend;
mod banded_ldl;
mod basic_lu;
mod block_csr;
mod block_newton_matrix;
mod bordered_lu;
mod cholesky;
mod components;
mod conversion;
pub mod cost;
mod csc;
mod dense;
mod elimination;
mod equilibration;
mod error;
mod exponential;
mod factored_matrix;
mod gmres;
mod matrix;
mod matrix_products;
mod nested_dissection;
mod newton_matrix;
pub mod operations;
mod pivot_units;
mod pivoted_lu;
mod powers;
mod principal_ldl;
mod scratch;
mod settings_error;
mod small;
mod sparse_cholesky;
mod sparse_factors;
mod sparse_lu;
mod spectrum;
mod symmetry;
mod triangular_factors;
mod updated_inverse;
mod vector;

pub use basic_lu::{BasicLu, LeftOver};
pub use block_csr::{BlockCsr, BlockRow};
pub use block_newton_matrix::BlockNewtonMatrix;
pub use bordered_lu::BorderedLu;
pub use cholesky::DenseCholesky;
pub use components::Components;
pub use csc::Csc;
pub use dense::DenseLu;
pub use equilibration::Equilibration;
pub use error::{MatrixError, SingularMatrix};
pub use exponential::{ExponentialError, ZeroOrderHold, exponential, zero_order_hold};
pub use factored_matrix::FactoredMatrix;
pub use gmres::{Gmres, GmresLimits};
pub use matrix::{Matrix, MatrixRef, is_sparse};
pub use newton_matrix::NewtonMatrix;
pub use pivot_units::units_of_matrix;
pub use powers::{exponent, nearest_power_of_two, power_of_two, power_of_two_below};
pub use settings_error::{SettingsError, display_number};
pub use small::SmallMatrix;
pub use sparse_cholesky::{SparseCholesky, multiplications_per_entry};
pub use sparse_factors::units_of_diagonal;
pub use sparse_lu::SparseLu;
pub use spectrum::{
    SpectrumError, SymmetricEigen, complex_singular_values, eigenvalues, singular_values, symmetric_eigen,
};
pub use triangular_factors::LARGEST_OWN_LU;
pub use updated_inverse::UpdatedInverse;
pub use vector::inlined::{add_combination, largest_magnitude};
pub use vector::{
    add_scaled, are_equal, are_finite, contiguous, dot, first_non_finite, in_general_position, inlined, norm,
    slice, square, with_wide_registers,
};

/// Version of `ndarray` whose arrays this crate accepts and returns.
pub use ndarray;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
