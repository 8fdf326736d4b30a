//! All tests of files in one program, which is linked once.
//!
//! `cargo test --package siconos-io-tests NAME` runs the tests with NAME in their path, for instance in a
//! module.

mod bad_models;
mod contact_errors;
mod contact_reference;
mod contacts;
mod endless_runs;
mod every_key;
#[cfg(feature = "hdf5")]
mod fclib;
// Public, because the fuzz targets share its functions.
pub mod fuzz_corpus;
mod hybrid;
mod json_schema;
mod model_arrays;
mod model_attacks;
mod model_attacks_by_events;
mod model_attacks_of_runs;
mod model_bodies;
mod model_circle;
mod model_contacts;
mod model_control;
mod model_controls;
mod model_feedback;
mod model_formulas;
mod model_groups_of_outputs;
mod model_initial_outputs;
mod model_mixed;
mod model_outputs;
mod model_parameters;
mod model_planar_joints;
mod model_registry;
mod model_registry_places;
mod model_schema;
mod model_solver_names;
mod model_times;
mod model_views;
mod model_written;
mod model_written_whole;
mod points_of_studies;
mod problem_errors;
mod problem_reference;
mod problem_round_trip;
mod processes;
mod python;
mod same_bits;
mod snapshot;
mod snapshot_attacks;
mod snapshot_formats;
mod trajectory_envelope;
mod trajectory_errors;
mod trajectory_exports;
// Devices, limits and signals of Linux.
#[cfg(target_os = "linux")]
mod trajectory_interrupted;
mod trajectory_log;
mod trajectory_plain;
mod trajectory_reader;
mod trajectory_round_trip;
mod trajectory_summary;
mod trajectory_writer;
mod vtk;

use siconos_testkit::allocation::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
