//! What the fuzz targets check. It needs no fuzzer, so the tests of `siconos-io` and `siconos-expression` run
//! it over the corpus as well.

pub mod read_expression;
#[cfg(feature = "hdf5")]
pub mod read_fclib;
pub mod read_log;
pub mod read_model;
pub mod read_problem;
pub mod read_snapshot;
pub mod read_table;
pub mod solve;
