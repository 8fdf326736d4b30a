//! Checks of the fuzz targets. They require no fuzzer, so that the tests of `siconos-io` and
//! `siconos-expression` can run them over the corpus.

pub mod read_expression;
#[cfg(feature = "hdf5")]
pub mod read_fclib;
pub mod read_log;
pub mod read_model;
pub mod read_problem;
pub mod read_snapshot;
pub mod read_table;
pub mod solve;
