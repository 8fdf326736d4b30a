//! All tests of files, in one program: each more would link everything once more.
//!
//! `cargo test --package siconos-figure-tests NAME` runs those with NAME in their path, a module for
//! instance.

mod drawn;
mod kinds;
mod many_curves;
mod maps;
mod whole_figures;
