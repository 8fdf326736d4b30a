//! Models as files: systems, relations, laws and their simulation in TOML or JSON.
//!
//! A file is read as a whole, and all errors in it are reported together, in the order of the file, each with
//! line and column. A [`ModelFile`] can be changed ([`ModelFile::set`]), built ([`ModelFile::build`]) and run
//! ([`BuiltModel::to_end`]) any number of times. [`AnyModel`] also reads files of
//! [hybrid systems](crate::hybrid) and of
//! [sweeping processes and differential variational inequalities](inclusion). [`schema`] returns the JSON
//! Schema with which editors check a file while it is written.
//!
//! ```
//! use siconos_io::model::ModelFile;
//!
//! let text = r#"
//! format = 1
//! kind = "model"
//! title = "Two balls on a floor"
//!
//! [constants]
//! radius = 0.1
//! start = "10 * radius"
//!
//! [parameters]
//! gravity = 9.81
//! masses = [1.0, 0.5]
//!
//! [functions]
//! lift = "t -> 0.01 * sin(2 * pi * t)"
//!
//! [systems.lower]
//! family = "lagrangian_linear"
//! q = "start"
//! mass = "masses[0]"
//! external_force = "-masses[0] * gravity"
//!
//! [systems.upper]
//! family = "lagrangian_linear"
//! coordinates = ["height"]
//! q = "start + 5 * radius"
//! mass = "masses[1]"
//! external_force = "-masses[1] * gravity"
//!
//! [laws.hit]
//! kind = "newton_impact"
//! restitution = 0.7
//!
//! [interactions.floor]
//! systems = ["lower"]
//! relation = { kind = "rheonomous", h = "q - radius - lift(t)" }
//! law = "hit"
//!
//! [interactions.between]
//! systems = ["lower", "upper"]
//! relation = { kind = "scleronomous", h = "height - lower.q - 2 * radius" }
//! law = "hit"
//!
//! [simulation]
//! kind = "time_stepping"
//! end = 2
//! step = 1e-3
//!
//! [output.columns]
//! lower = "lower.q"
//! upper = "upper.height"
//! speed = "upper.height'"
//! hits = { sum = "if floor.impulse > 0 then 1 else 0" }
//! "#;
//! let mut file = ModelFile::parse(text, "balls.toml")?;
//! file.set("gravity", &[1.62])?;
//! let mut run = file.build()?;
//! assert_eq!(run.recorder.names(), ["t", "lower", "upper", "speed", "hits"]);
//! run.to_end(|_row| Ok::<_, std::convert::Infallible>(()))?;
//! assert_eq!(run.recorder.rows(), 2001);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ### Values
//!
//! - A number is written as a number, or as a string with an expression in the language of
//!   [`siconos_expression`]: `1e-3`, `"2 * pi / rate"`. Language elements for events (`pre`, `edge`, `halt`,
//!   assignments) are rejected.
//! - A vector is an array of numbers, `[1, "a + b"]`. A single number is a vector with one entry.
//! - A dense matrix is an array of rows, `[[1, 0], [0, 1]]`. A diagonal matrix is `{ diagonal = [1, 1] }`. A
//!   sparse matrix is `{ rows = 2, columns = 2, entries = [[0, 1, 5.0]] }`, where each entry is
//!   `[row, column, value]`, indices start at 0, each entry is listed at most once, and all entries that are
//!   not listed are 0. A single number is a 1 x 1 matrix. The kernel stores the matrices of
//!   `lagrangian_linear` systems and relations in the form in which they are written.
//! - Vectors and matrices can also be given by a formula in terms of the indices, which start at 0:
//!   `{ size = 100, entry = "0.1 * i" }`, and
//!   `{ rows = 9, columns = 9, entry = "if i == j then 2 else if abs(i - j) == 1 then -1 else 0" }`.
//! - A vector or matrix of numbers can be stored in a separate file, `{ file = "data/mass.npy" }`: a NumPy
//!   array, or a `.csv` file with one row in each line, numbers separated by commas, and no header. A vector
//!   is a one-dimensional array, or a `.csv` file with one number in each line. The path is relative to the
//!   folder of the model. After symbolic links are followed, the file must be below this folder. Its maximum
//!   size is 32 MiB.
//! - A choice that has settings, such as an integrator, is a table with the name of the choice as `kind`:
//!   `{ kind = "moreau_jean", theta = 0.5 }`. The name alone, `"moreau_jean"`, selects the default settings.
//!   If a choice has a single value without a name, the key of this value is `value`:
//!   `{ kind = "rho_infinity", value = 0.8 }`.
//! - Where the tables below say "or function", a function of the program that builds the model can replace
//!   the expressions: `{ function = "drag" }`. If other data do not determine the number of values, the key
//!   `size` gives this number. Default: 1. The key is needed for a function h with several components, for a
//!   matrix C with several rows, and for several inputs of a control term.
//!   [`ModelFile::build_with`] takes the [`Registry`] with these functions; the command-line tool has no
//!   registry. [`Function`] lists the arguments of each kind of function.
//!
//! ### Names in expressions
//!
//! - `[constants]` can be read everywhere. Each constant can read only the constants above it. The name of a
//!   constant is replaced by its value.
//! - `[parameters]` are numbers, or arrays with entries that are read as `masses[0]`. All numbers of the
//!   model can depend on parameters. Parameters can be set before a run ([`ModelFile::set`]) and, by events
//!   and controllers, during a run.
//! - The following data change with the parameters during a run: forces, functions h, bounds of relays, the
//!   coefficients of all other laws, the mass of `lagrangian`, and all matrices and vectors of first-order
//!   systems and relations, except the matrix M of `first_order_linear`, the matrix F of a relation, the
//!   vector z of a nonlinear relation, and the matrix T in the control term of a linear system.
//! - The following data are evaluated only at the start: the exceptions above, initial values, the matrices
//!   of `lagrangian_linear` systems and relations, and mass, inertia, joints, distances, contacts and stops
//!   of bodies. [`ModelFile::check`] returns a remark if an event or a controller sets a parameter on which
//!   one of these data depends. For data that must be constant, such as the matrices of a linear system under
//!   exact integration, use `[constants]`.
//! - The time grid, the settings in `[simulation]`, and sizes such as `{ size = "n", entry = "0.1 * i" }`
//!   also read parameters only once. It is an error if an event or a controller sets such a parameter.
//! - The functions in `[functions]`, such as `"a, b -> a * b"`, can read constants, parameters, their
//!   arguments and each other, in any order.
//! - `t` is the time. An expression can read it if the description of its key mentions the time.
//! - The coordinates of a system are called `q` in its expressions, or `q[0]`, `q[1]`, .. if there are
//!   several. The key `coordinates` can give them other names. Velocities have a prime, `q'`. First-order
//!   systems have `x` in place of `q`.
//! - A Lagrangian system with `configuration = "unit_circle"` has two positions, the cosine and the sine of a
//!   direction in the plane, and one velocity, `omega`.
//! - In the expressions of a relation, the name of a system precedes each of its coordinates, `lower.q`. The
//!   name of the system can be omitted if no other system of the relation has a coordinate with this name.
//!   The multipliers of a nonlinear first-order relation are `lambda`.
//! - An output can read `t`, `step`, `h` (the time since the previous step or event, 0 at the start), `after`
//!   (`false` in the row before an event, otherwise `true`), the parameters, and the values of systems,
//!   interactions and devices in the table below. An event can read all of these except `step`, `h` and
//!   `after`. If the model defines one of these three names itself, no output can read this name.
//! - A column `{ sum = ".." }` is the sum of its expression over all instants from the time `from` on. The
//!   instants are the start and each step or event. Each instant counts once, with the values after it, even
//!   if its rows are not written. In the row before an impact, the sum does not include this impact.
//!
//! | name | meaning |
//! |---|---|
//! | `ball.q`, `ball.q'`, `ball.q''` | positions, velocities and accelerations; `q` is the name of the coordinate; in a time-stepping simulation, accelerations are means over the last step, and 0 at the start |
//! | `plant.x` | states of a first-order system |
//! | `body.x`, `body.e[0]`, `body.x'`, `body.omega[0]` | centre of mass, quaternion (scalar first), velocity, angular velocity |
//! | `ball.impulse` | sum of the impulses of all interactions on the system in the step, one entry for each velocity |
//! | `floor.y`, `floor.y'`, `floor.y''` | outputs of the relation and their derivatives; in a time-stepping simulation, `floor.y''` is a mean over the last step, and 0 at the start |
//! | `floor.lambda`, `floor.impulse`, `floor.force` | multipliers at the levels of position, velocity and acceleration; in a time-stepping simulation, the force is the impulse divided by the length of the step, and 0 at the start; with `d1_minus_linear` it is the force at the end of the step, without the impulse |
//! | `gauge.y` | last measurement of a sensor; all values of sensors, observers and controllers are 0 before the first sample |
//! | `guess.estimate` | estimate of an observer |
//! | `drive.u` | value set by a controller |
//! | `drive.proportional`, `drive.integral`, `drive.derivative` | terms of a `pid` controller |
//! | `drive.sigma`, `drive.switched` | sliding variable, and switched term of u; for a `twisting` controller, `sigma` has two entries, the output and its rate, and there is no `switched` |
//!
//! ### Sensors, controllers and events
//!
//! A controller of `[control]` acts on the plant through a parameter. At each sample it computes the value of
//! its `input` from the value of a sensor or an observer, and holds it until the next sample. At one instant,
//! sensors are processed first, then observers, controllers and `[events]`, each group in the order of the
//! file. In a time-stepping simulation, each sample must be at the end of a step, and an event takes place at
//! the end of the step that contains its time.
//!
//! ```
//! use siconos_io::model::ModelFile;
//!
//! let text = r#"
//! format = 1
//! kind = "model"
//!
//! [parameters]
//! motor = 0
//! slope = 0
//!
//! [systems.cart]
//! family = "lagrangian_linear"
//! q = 0
//! mass = 1
//! external_force = "motor - slope"
//!
//! [control.gauge]
//! kind = "linear_sensor"
//! systems = "cart"
//! C = [[1, 0]]
//! period = 0.05
//!
//! [control.drive]
//! kind = "pid"
//! signal = "gauge"
//! input = "motor"
//! reference = 1
//! proportional = 4
//! integral = 1
//! derivative = 3
//! period = 0.05
//!
//! [events.hill]
//! times = [10]
//! set = { slope = "slope + 0.5" }
//!
//! [simulation]
//! kind = "time_stepping"
//! end = 40
//! step = 0.01
//!
//! [output.columns]
//! q = "cart.q"
//! u = "drive.u"
//! "#;
//! let mut run = ModelFile::parse(text, "cart.toml")?.build()?;
//! run.to_end(|_row| Ok::<_, std::convert::Infallible>(()))?;
//! let [_t, q, u] = run.recorder.last_row()[..] else { panic!("three columns") };
//! assert!((q - 1.0).abs() < 1e-3 && (u - 0.5).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To describe any other feedback, write an event with the key `every`. Its expressions can read the state
//! and the values of all devices. A snapshot includes the values that devices store between samples.
//!
//! ### Rules
//!
//! - Systems and interactions are numbered in the order of the file, and sums over them are computed in this
//!   order. A name consists of letters, digits and `_`. A system and an interaction cannot have the same
//!   name.
//! - The derivatives that integrators need are computed exactly from the expressions. At a kink, the
//!   derivative of the evaluated branch is used. A file can replace these derivatives (`derivative`,
//!   `internal_derivative`).
//! - A law is either defined in `[laws]` and referred to by name, or written in its interaction.
//!   `"complementarity"` and `"equality"` have as many components as their relation. If any other law has
//!   fewer components than its relation, it applies to each block of components of the relation, whose number
//!   of components must be a multiple of the number of components of the law.
//! - In `internal_force`, a body reads `x`, `y`, `z`, its quaternion `e[0]` to `e[3]`, its velocity `x'`,
//!   `y'`, `z'`, and its angular velocity `omega[0]` to `omega[2]`. The derivative with respect to a rotation
//!   follows from the chain rule: the derivative of the expressions with respect to the quaternion, times the
//!   derivative of the quaternion with respect to the rotation.
//! - Relations can act on the coordinate that a joint leaves free. The joint is given as a table in the
//!   relation, `{ kind = "stops", joint = { kind = "revolute", .. }, .. }`. There are stops (`stops`), motors
//!   (`prescribed`), springs and brakes (`angle` or `way`, with the law `spring` or `relay`), gears, racks
//!   and screws. The joint itself is a separate interaction.
//! - [`ModelFile::check`] takes the first step, so that a mass of 0 is reported as an error in the file, and
//!   not during a run.
//! - The time grid is given by two of the keys `end`, `step` and `steps`, or by `times` alone.
//!
#![doc = include_str!("keys.md")]

mod adjustable;
mod adjustable_laws;
mod any_run;
mod arrays;
mod build;
mod check;
mod columns;
mod control;
mod events;
#[cfg(test)]
mod every_choice;
#[cfg(test)]
mod every_method;
mod file;
mod fixed;
mod functions;
mod grid;
mod header;
pub mod inclusion;
mod initial_outputs;
mod interactions;
#[cfg(test)]
mod keys;
mod kinds;
mod laws;
mod named_functions;
mod origins;
mod outputs;
mod parameters;
mod positions;
mod read;
mod registered;
mod registry;
mod relations;
mod run;
mod schema;
mod scopes;
mod simulation;
mod solvers;
mod systems;
mod table_writer;
mod values;
mod watched;
mod words;
mod write;

pub use any_run::AnyRun;
pub use file::{BuiltModel, ModelFile};
pub use kinds::AnyModel;
pub use outputs::Recorder;
pub use registry::{Function, Registry};
pub use schema::schema;
pub use simulation::BuiltSimulation;
pub use table_writer::UnwrittenPart;
pub use write::{SimulationRef, WrittenModel};

pub use crate::run_error::{LawChangeError, NotFinite, ResumeError, RunError, SetParameterError, StartError};
pub use crate::snapshot::content::{DataFile, Unconverged};
