//! Saving and resuming: trajectories in files, and runs that continue after an interruption.
//!
//! This chapter shows how to write the results of a simulation to a file that Python, a spreadsheet or
//! ParaView can read, and how to make a run of many hours survive a power failure.
//!
//! | task | type | contents of the file |
//! |---|---|---|
//! | save a table | [`Table`](crate::io::trajectory::Table) | named columns, one row per time |
//! | save rows as they are computed | [`TableWriter`](crate::io::trajectory::TableWriter) | the same, with bounded memory |
//! | save a state | [`StateRecord`](crate::kernel::StateRecord) | everything a step depends on, except the model |
//! | save a run | [`Snapshot`](crate::io::snapshot::Snapshot) | state, model file, number of rows written so far |
//! | save a model | [`ModelFile::of`](crate::io::model::ModelFile::of) | systems, interactions, simulation as TOML |
//!
//! This chapter needs the feature `io`, which is on by default.
//!
//! # A table
//!
//! A ball bounces on a floor. The program collects a row per step, and writes the table as CSV and for NumPy.
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
//!     table.provenance.push("bouncing ball; units: s, m, m/s, N s".to_owned());
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
//!     // No bit is lost in either format.
//!     assert_eq!(Table::read(file("ball.csv"))?, table);
//!     let read = Table::read(file("ball.npz"))?;
//!     assert!(read.rows().eq(table.rows()));
//!     // The balance of momentum of the mass of 1 kg, from the numbers in the file.
//!     let impulses: f64 = read.column("impulse").into_iter().flatten().sum();
//!     assert!((impulses - 9.81 * 2.0 - read.row(2000)[2]).abs() < 1e-12);
//! #   for name in ["ball.csv", "ball.npz"] {
//! #       std::fs::remove_file(file(name)).ok();
//! #   }
//!     Ok(())
//! }
//! ```
//!
//! 1. [`Table::new`](crate::io::trajectory::Table::new) takes the names of the columns. A table does not
//!    store units. State them in the names or in `provenance`.
//! 2. The first row is the initial state, so the loop pushes a row before each step. Multipliers are 0 there.
//! 3. The extension selects the format. `write` replaces an existing file, but only when the new file is
//!    complete.
//!
//! The CSV file begins with `# bouncing ball; units: s, m, m/s, N s` and the header `t,q,v,impulse`. In
//! Python:
//!
//! ```text
//! pandas.read_csv("ball.csv", comment="#")     # a data frame
//! numpy.load("ball.npz")["q"]                  # one column as an array
//! ```
//!
//! | extension | for | append rows | keeps the provenance |
//! |---|---|---|---|
//! | `.csv` | spreadsheets, pandas, everything else | yes | yes |
//! | `.jsonl` | programs that read JSON | yes | no |
//! | `.slog` | long runs: every row has a checksum | yes | yes |
//! | `.npz` | NumPy | no | no |
//! | `.h5` | HDF5, with the feature `hdf5` | no | yes |
//!
//! [`trajectory`](crate::io::trajectory) lists all formats. For ParaView, [`vtk`](crate::io::vtk) writes
//! points with fields as `.vtp` files, and an animation as a `.pvd` file.
//!
//! # Resume: rows and state
//!
//! A table in memory is lost if the program stops. A [`TableWriter`](crate::io::trajectory::TableWriter)
//! appends rows to a file; [`sync`](crate::io::trajectory::TableWriter::sync) makes sure that the rows are on
//! the disk, so they survive a loss of power. [`State::record`](crate::kernel::State::record) returns
//! everything on which the next step depends: time, variables, multipliers (the initial guess of the solver)
//! and parameters. If the same program rebuilds the simulation, the results are bit-identical. The record
//! contains a fingerprint of the model, not the model itself.
//!
//! A record implements the traits of serde, so it can be stored in any serde format. A
//! [`Snapshot`](crate::io::snapshot::Snapshot) stores it in a file with a checksum. The file is replaced only
//! when the new file is complete, and the previous snapshot is kept.
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
//! // First process. It stops after 1200 steps; its last snapshot is of step 1000.
//! let (model, mut simulation, ball) = build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut writer = TableWriter::create(path("ball.slog"), &head)?;
//! for step in 1..=1200 {
//!     writer.push_row(&[state.t, state.q(ball)[0]])?;
//!     simulation.step(&model, &mut state)?;
//!     if step == 1000 {
//!         writer.sync()?; // first the rows, then the snapshot that counts them
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
//! // Second process.
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
//! The writer reports, for example:
//!
//! ```text
//! ball.slog: the file already exists                      (create; replace overwrites)
//! ball.slog: another run is writing to the file
//! ball.npz: rows cannot be appended to a file of this format; use .csv, .jsonl or .slog, and convert it at the end
//! ball.slog: cannot continue from row 1000: the file has 870 complete rows      (resume; sync was missing)
//! ```
//!
//! [`State::restore`](crate::kernel::State::restore) compares the fingerprint with the model and names the
//! first difference: "dynamical system \`ball\` does not match the record: its constant M is different".
//! Closures are not compared: a changed force in the program is not detected, unless the functions have an
//! [`Origin`](crate::kernel::model::Origin).
//!
//! Save the following with the state, if the run has it:
//!
//! - **Sensors and controllers:** [`ControlLoop::record`](crate::control::ControlLoop::record) and `restore`.
//! - **Event-driven simulations:** the integrator restarts at impacts and other nonsmooth events, and only
//!   from these restarts can a run be resumed bit for bit. Save
//!   [`EventDriven::carried`](crate::kernel::simulation::EventDriven::carried) with the state (the field
//!   `carried` of a snapshot) and pass it to `recall`. For long smooth motions, set `restart_every` in
//!   [`EventDrivenSettings`](crate::kernel::simulation::EventDrivenSettings).
//! - **Adaptive steps:** the step rule of [`AdaptiveStepping`](crate::kernel::simulation::AdaptiveStepping)
//!   is not part of the state. A resumed run takes different steps, with the same tolerance.
//! - **Models that change:** before `restore`, rebuild the model with the contacts that it had when the
//!   record was written, in the same order.
//!
//! # Runs of model files
//!
//! If the model is a file, the library also keeps the progress of outputs, sensors and controllers, and a
//! snapshot contains the text of the model. From the command line:
//!
//! ```text
//! siconos-rs run ball.toml --output ball.slog --checkpoint 60s
//! siconos-rs run ball.toml --output ball.slog --resume ball.slog.snapshot
//! ```
//!
//! The first command writes a snapshot every 60 seconds, and another one if it is interrupted by Ctrl-C. In a
//! program, for every kind of model file:
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
//! // The fields `state` and `recorded` of a snapshot; its field `model` is the text of the file.
//! let (state, recorded) = run.record()?;
//!
//! // Another process, with the same model:
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
//! [`Snapshot::check_model`](crate::io::snapshot::Snapshot::check_model) compares a snapshot with a model
//! file that has possibly changed: "the snapshot belongs to another model: simulation.step is 0.002 in the
//! model, but 0.001 in the snapshot".
//!
//! # Pitfalls
//!
//! - Call `sync` **before** the snapshot that counts the rows. In the reverse order, if the machine stops in
//!   between, the snapshot counts rows that are not in the file.
//! - Rows that other programs are to read during the run need
//!   [`flush`](crate::io::trajectory::TableWriter::flush): the writer holds up to 64 KiB.
//! - A NaN loses its sign and payload in text formats; all other values keep every bit.
//! - Snapshots have a format version, and a program with a different format version rejects the file. They
//!   are for interrupted runs: archive the model file and the table.
//! - Two runs of one program are bit-identical on one type of processor. OpenBLAS selects its kernels based
//!   on the processor, so results can differ in the last digits on a different type.
//!
//! # Next
//!
//! - [`trajectory`](crate::io::trajectory) and [`snapshot`](crate::io::snapshot): all formats, byte by byte.
//! - [`model`](crate::io::model): the keys of model files, and their output columns.
//! - [`study`](crate::io::study): parameter studies, which resume from a journal.
