//! What the fuzz targets check. It needs no fuzzer, so the tests of `siconos-io` run it over the corpus as well.

pub mod read_problem;
pub mod solve;
