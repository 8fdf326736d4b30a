//! Matrices in every storage that nonsmooth dynamics uses, their factorisations, exponentials and spectra.
//!
//! The crate is an engine of `siconos-numerics` and `siconos-kernel`, documented for those who write solvers.
//! It may change with any version. Factorisations keep their memory, so that a time step allocates nothing.
//!
//! | type or function | content | use |
//! |---|---|---|
//! | [`SmallMatrix`] | blocks whose size the compiler knows | local laws (1, 2, 3, 5, 6 unknowns) |
//! | [`DenseLu`] | LU of a dense matrix | own code up to 24 unknowns, LAPACK or faer above |
//! | [`BlockCsr`] | block compressed rows | Delassus matrices of many contacts |
//! | [`Csc`] | compressed sparse columns | sparse matrices without blocks, and what goes to sparse LU |
//! | [`DenseCholesky`], [`SparseCholesky`], [`SparseLu`] | factorisations by faer, in memory that is kept | symmetric positive definite matrices, dense and sparse; sparse matrices |
//! | [`FactoredMatrix`] | a sum of matrices in any storage, factorised as a diagonal, a band, sparse or dense, as its entries ask | iteration matrices of systems |
//! | [`NewtonMatrix`] | diag(a) + diag(b) M, factorised for M in any storage | every Newton and interior-point method |
//! | [`exponential`], [`zero_order_hold`] | exponential of a matrix, and what it gives for a held input | exact steps of linear systems |
//! | [`eigenvalues`], [`symmetric_eigen`], [`singular_values`] | spectra of dense matrices | analysis of systems, not time steps |
//! | [`Matrix`], [`MatrixRef`] | a matrix in any of the storages, owned or borrowed | problem data |
//!
//! This crate is the only place that names a linear-algebra library. The feature `openblas`, on by default,
//! selects LAPACK of the OpenBLAS that the system provides (through `ndarray-linalg`) for large dense LU
//! factorisations, eigenvalues and singular values, and the BLAS for products of `ndarray`. Without it, faer
//! computes them, and nothing but Rust is linked. All else is the same with either.

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

/// The version of `ndarray` whose arrays this crate takes and returns.
pub use ndarray;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
