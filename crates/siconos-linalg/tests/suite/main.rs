//! All tests of the matrices and factorisations, in one program.

mod block_conversion;
mod block_csr;
mod dense;
mod exponential;
mod sparse;
mod spectrum;
