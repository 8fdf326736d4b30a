//! Saving and resuming: trajectories in files, and runs that continue after an interruption.
//!
//! How do I write results to a file that Python, a spreadsheet or ParaView can read, and how does a run of
//! many hours survive a power failure? The library has a type for each of these tasks:
//!
//! | task | type | contents of the file |
//! |---|---|---|
//! | save a table | [`Table`](crate::io::trajectory::Table) | named columns, one row per time |
//! | save rows as they are computed | [`TableWriter`](crate::io::trajectory::TableWriter) | named columns, one row per time; the memory of the program is bounded |
//! | save a state | [`StateRecord`](crate::kernel::StateRecord) | everything on which the next step depends, except the model |
//! | save a run | [`Snapshot`](crate::io::snapshot::Snapshot) | state, model file, number of rows written so far |
//! | save a model | [`ModelFile::of`](crate::io::model::ModelFile::of) | systems, interactions and simulation, as TOML |
//!
//! This chapter needs the feature `io`, which is on by default.
//!
//! # A table
//!
//! In this program, a ball bounces on a floor. The program collects one row per step in a table, and writes
//! the table to a CSV file and to a file for NumPy.
//!
//! ```
//! use siconos::io::trajectory::Table;
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]);
//!     let ball = model.add_system(ball.with_constant_external_force(vec![-9.81]))?;
//!     let floor = LagrangianLinearRelation::new(array![[1.0]]);
//!     let floor = model.add_interaction([ball], floor, NewtonImpact::new(0.9)?)?;
//!     let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.001)?;
//!     let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!     let mut state = simulation.initial_state(&model)?;
//!
//!     let mut table = Table::new(["t", "q", "v", "impulse"]);
//!     table.set_units([("t", "s"), ("q", "m"), ("v", "m/s"), ("impulse", "N s")]);
//!     loop {
//!         let impulse = state.lambda(floor, Level::Velocity)[0];
//!         table.push_row(&[state.t, state.q(ball)[0], state.v(ball)[0], impulse])?;
//!         if simulation.step(&model, &mut state)?.is_none() {
//!             break;
//!         }
//!     }
//!
//!     let file =
//!         |name: &str| std::env::temp_dir().join(format!("{}_{name}", std::process::id()));
//!     table.write(file("ball.csv"))?;
//!     table.write(file("ball.npz"))?;
//!
//!     // Both formats preserve every bit of the values.
//!     assert_eq!(Table::read(file("ball.csv"))?, table);
//!     let read = Table::read(file("ball.npz"))?;
//!     assert!(read.rows().eq(table.rows()));
//!     // Check the momentum balance of the ball (1 kg) with the values from the file.
//!     let impulses: f64 = read.column("impulse").into_iter().flatten().sum();
//!     assert!((impulses - 9.81 * 2.0 - read.row(2000)[2]).abs() < 1e-12);
//! #   for name in ["ball.csv", "ball.npz"] {
//! #       std::fs::remove_file(file(name)).ok();
//! #   }
//!     Ok(())
//! }
//! ```
//!
//! 1. [`Table::new`](crate::io::trajectory::Table::new) takes the names of the columns. The
//!    units are optional; figures show them at the axes.
//! 2. The loop pushes a row before each step, so the first row is the initial state. In this row, multipliers
//!    are 0.
//! 3. The extension of the file name selects the format. `write` replaces an existing file, but only after
//!    the new file is complete.
//!
//! The CSV file begins with a line `# units: {..}`, followed by the header `t,q,v,impulse`. Without units and
//! [`provenance`](crate::io::trajectory::Table::provenance), the header is the first line, as in the files
//! that `siconos-rs run` writes by default. To read the files in Python, use:
//!
//! ```text
//! pandas.read_csv("ball.csv", comment="#")     # a data frame
//! numpy.load("ball.npz")["q"]                  # one column as an array
//! ```
//!
//! | extension | purpose | can append rows | contains the provenance |
//! |---|---|---|---|
//! | `.csv` | spreadsheets, pandas, and most other programs | yes | yes |
//! | `.jsonl` | programs that read JSON | yes | no |
//! | `.slog` | long runs, because every row has a checksum | yes | yes |
//! | `.npz` | NumPy | no | no |
//! | `.h5` | HDF5; needs the feature `hdf5` | no | yes |
//!
//! [`trajectory`](crate::io::trajectory) lists all formats. For ParaView, [`vtk`](crate::io::vtk) writes
//! points with fields as `.vtp` files, and an animation as a `.pvd` file.
//!
//! # Resuming a run
//!
//! A table in memory is lost if the program stops. A [`TableWriter`](crate::io::trajectory::TableWriter)
//! appends rows to a file. After [`sync`](crate::io::trajectory::TableWriter::sync), the rows are on the disk
//! and survive a power failure.
//!
//! [`State::record`](crate::kernel::State::record) returns everything on which the next step depends: time,
//! variables, multipliers (the initial guess of the solver), and parameters. If the same program builds the
//! simulation again and restores the record, the results are bit-identical. The record contains a fingerprint
//! of the model, but not the model itself.
//!
//! A record implements the traits of serde, so you can store it in any serde format. A
//! [`Snapshot`](crate::io::snapshot::Snapshot) stores a record in a file with a checksum. An existing
//! snapshot is replaced only after the new file is complete, and the previous snapshot is kept.
//!
//! ```
//! use siconos::io::snapshot::{Recorded, RunState, Snapshot};
//! use siconos::io::trajectory::{Table, TableWriter};
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! // The same function in every process builds the same model.
//! let build = || -> Result<_, siconos::Error> {
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]);
//!     let ball =
//!         model.add_named_system("ball", ball.with_constant_external_force(vec![-9.81]))?;
//!     model.add_interaction(
//!         [ball],
//!         LagrangianLinearRelation::new(array![[1.0]]),
//!         NewtonImpact::new(0.9)?,
//!     )?;
//!     let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.001)?;
//!     let simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!     Ok((model, simulation, ball))
//! };
//! let head = Table::new(["t", "q"]);
//! # let path = |name: &str| std::env::temp_dir().join(format!("{}_resume_{name}", std::process::id()));
//!
//! // The first process stops after 1200 steps. Its last snapshot was written after step 1000.
//! let (model, mut simulation, ball) = build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut writer = TableWriter::create(path("ball.slog"), &head)?;
//! for step in 1..=1200 {
//!     writer.push_row(&[state.t, state.q(ball)[0]])?;
//!     simulation.step(&model, &mut state)?;
//!     if step == 1000 {
//!         writer.sync()?; // before the snapshot, which contains the number of rows
//!         let snapshot = Snapshot {
//!             program: "ball 1.0".to_owned(),
//!             host: String::new(),
//!             model_name: "ball".to_owned(),
//!             model: String::new(), // the model is in the program
//!             overrides: Vec::new(),
//!             state: RunState::Model { state: state.record(&model)?, carried: None },
//!             recorded: Recorded { rows: writer.rows(), ..Recorded::default() },
//!             output: None,
//!         };
//!         snapshot.write(path("ball.snapshot"))?;
//!     }
//! }
//! drop(writer);
//!
//! // The second process resumes from the snapshot.
//! let (model, mut simulation, ball) = build()?;
//! let snapshot = Snapshot::read(path("ball.snapshot"))?.snapshot;
//! let RunState::Model { state: record, .. } = &snapshot.state else {
//!     panic!("another program")
//! };
//! let mut state = State::restore(&model, record)?;
//! let mut writer = TableWriter::resume(path("ball.slog"), &head, snapshot.recorded.rows)?;
//! assert_eq!((state.t, writer.rows()), (1.0, 1000));
//! loop {
//!     writer.push_row(&[state.t, state.q(ball)[0]])?;
//!     if simulation.step(&model, &mut state)?.is_none() {
//!         break;
//!     }
//! }
//! writer.finish()?;
//!
//! // A run without interruption gives the same table, bit for bit.
//! # let (model, mut simulation, ball) = build()?;
//! # let mut state = simulation.initial_state(&model)?;
//! # let mut whole = head.clone();
//! # loop {
//! #     whole.push_row(&[state.t, state.q(ball)[0]])?;
//! #     if simulation.step(&model, &mut state)?.is_none() {
//! #         break;
//! #     }
//! # }
//! assert_eq!(Table::read(path("ball.slog"))?, whole);
//! # for name in ["ball.slog", "ball.snapshot"] {
//! #     std::fs::remove_file(path(name)).ok();
//! # }
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! The writer can return these errors:
//!
//! | error | cause and remedy |
//! |---|---|
//! | ball.slog: the file already exists | `create` does not overwrite files; use `replace` to overwrite the file |
//! | ball.slog: another run is writing to the file | only one run can write to a file at a time |
//! | ball.npz: rows cannot be appended to a file of this format; use .csv, .jsonl or .slog, and convert it at the end | the format `.npz` cannot append rows, as listed in the previous table |
//! | ball.slog: cannot continue from row 1000: the file has 870 complete rows | in `resume`: the program did not call `sync` before it wrote the snapshot |
//!
//! [`State::restore`](crate::kernel::State::restore) compares the fingerprint in the record with the model.
//! If they differ, the error names the first difference: "dynamical system \`ball\` does not match the
//! record: its constant M is different". Closures are not compared. A changed force function is therefore not
//! detected, unless it has an [`Origin`](crate::kernel::model::Origin).
//!
//! Some runs depend on more than the state:
//!
//! - **Sensors and controllers:** save them with
//!   [`ControlLoop::record`](crate::control::ControlLoop::record), and restore them with `restore`.
//! - **Event-driven simulation:** save
//!   [`EventDriven::carried`](crate::kernel::simulation::EventDriven::carried) with the state (in the field
//!   `carried` of a snapshot), and pass it to `recall`. Save a run directly after an impact or another
//!   nonsmooth event, where the integrator restarts; otherwise, the resumed run is not bit-identical. If a
//!   smooth motion lasts long, add restarts with `restart_every` in
//!   [`EventDrivenSettings`](crate::kernel::simulation::EventDrivenSettings).
//! - **Adaptive steps:** the step rule of [`AdaptiveStepping`](crate::kernel::simulation::AdaptiveStepping)
//!   is not part of the state. A resumed run takes different steps, with the same tolerance.
//! - **Models that change:** before you call `restore`, build the model with the contacts that it had when
//!   the record was written. Add the contacts in the same order.
//!
//! # Runs of model files
//!
//! If the model is a file, the library also saves the progress of outputs, sensors and controllers, and the
//! snapshot contains the text of the model file. From the command line, use:
//!
//! ```text
//! siconos-rs run ball.toml --output ball.slog --checkpoint 60s
//! siconos-rs run ball.toml --output ball.slog --resume ball.slog.snapshot
//! ```
//!
//! The first command writes a snapshot every 60 seconds. If it is interrupted by Ctrl-C, it writes a last
//! snapshot. The second command resumes the run. This program does the same for any kind of model file:
//!
//! ```
//! use siconos::io::model::AnyModel;
//! use siconos::io::trajectory::Table;
//!
//! const BALL: &str = r#"
//! format = 1
//! kind = "model"
//!
//! [systems.ball]
//! family = "lagrangian_linear"
//! q = 1
//! mass = 1
//! external_force = "-9.81"
//!
//! [interactions.floor]
//! systems = ["ball"]
//! relation = { kind = "lagrangian_linear", H = 1 }
//! law = { kind = "newton_impact", restitution = 0.9 }
//!
//! [simulation]
//! kind = "time_stepping"
//! end = 2
//! step = 0.001
//! "#;
//!
//! let model = AnyModel::parse(BALL, "ball.toml", &[])?;
//! let mut run = model.run(None)?;
//! let mut table = Table::new(run.names().to_vec());
//! while run.t() < 1.0 {
//!     run.advance(|row| table.push_row(row))?;
//! }
//! // A snapshot stores these two values in its fields `state` and `recorded`, and the text of the
//! // model file in its field `model`.
//! let (state, recorded) = run.record()?;
//!
//! // Another process resumes the run with the same model.
//! let mut resumed = model.run(None)?;
//! resumed.resume(&state, &recorded)?;
//! assert_eq!((resumed.t(), recorded.rows), (1.0, table.len() as u64));
//! resumed.to_end(|row| table.push_row(row))?;
//!
//! let mut whole = Table::new(run.names().to_vec());
//! model.run(None)?.to_end(|row| whole.push_row(row))?;
//! assert_eq!(table, whole);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! If the model file may have changed, compare it with the snapshot by
//! [`Snapshot::check_model`](crate::io::snapshot::Snapshot::check_model). The error is, for example, "the
//! snapshot belongs to another model: simulation.step is 0.002 in the model, but 0.001 in the snapshot".
//!
//! # Pitfalls
//!
//! - Call `sync` **before** you write the snapshot, because the snapshot contains the number of rows. In the
//!   reverse order, after a power failure between the two calls, the file has fewer rows than the snapshot
//!   states.
//! - The writer keeps up to 64 KiB of rows in memory. If other programs read the file during the run, call
//!   [`flush`](crate::io::trajectory::TableWriter::flush).
//! - In text formats, a NaN loses its sign and payload. All other values keep every bit.
//! - A snapshot has a format version, and a program with a different format version rejects it. Use snapshots
//!   only to resume interrupted runs. For an archive, keep the model file and the table.
//! - Two runs of a program give bit-identical results on processors of one type. On a different type, results
//!   can differ in the last digits, because OpenBLAS selects its kernels based on the processor.
//!
//! # Next
//!
//! - [`trajectory`](crate::io::trajectory) and [`snapshot`](crate::io::snapshot): all formats, byte by byte.
//! - [`model`](crate::io::model): the keys of model files, and the output columns.
//! - [`study`](crate::io::study): parameter studies, and how to resume them.
//! - [Large models and threads](super::large_models): output of long runs.
