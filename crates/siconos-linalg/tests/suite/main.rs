//! Tests of matrices and factorisations, in one executable.

mod block_conversion;
mod block_csr;
mod dense;
mod exponential;
mod sparse;
mod spectrum;
