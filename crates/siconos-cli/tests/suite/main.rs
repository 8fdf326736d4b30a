//! All tests of the command, in one program: each more would link everything once more.
//!
//! `cargo test --package siconos-cli --test suite NAME` runs those with NAME in their path, a module for
//! instance.

mod answer;
mod bench;
mod choices;
mod command_line;
mod contact;
mod files;
mod for_programs;
mod kills;
mod plot;
mod points_of_sweeps;
mod problems;
mod processes;
mod program;
mod run;
mod run_model;
#[cfg(unix)]
mod signals;
mod snapshots;
