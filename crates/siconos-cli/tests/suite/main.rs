//! All tests of the command, in one program, so that the libraries are linked only once.
//!
//! `cargo test --package siconos-cli --test suite NAME` runs the tests with NAME in their path, for example a
//! module.

mod answer;
mod bench;
mod choices;
mod command_line;
mod contact;
mod files;
mod for_programs;
mod keys;
mod kills;
mod models_page;
mod new;
mod plot;
mod plot_options;
mod points_of_studies;
mod problems;
mod processes;
mod program;
mod run;
mod run_model;
#[cfg(unix)]
mod signals;
mod snapshots;
