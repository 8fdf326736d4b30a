//! All tests of figures in one program, so that the libraries are linked only once.
//!
//! `cargo test --package siconos-figure-tests NAME` runs the tests with NAME in their path, for example a
//! module.

mod drawn;
mod kinds;
mod many_curves;
mod maps;
mod whole_figures;
