//! Models as files: systems, relations, laws and their simulation in TOML or JSON.
//!
//! A file is read once, as a whole: all that is wrong with it is told at once, in the order of the file, each
//! fault with its place. What was read can be changed ([`ModelFile::set`]), built ([`ModelFile::build`]) and
//! run ([`BuiltModel::to_end`]) as often as wanted. [`AnyModel`] reads files of [hybrid
//! systems](crate::hybrid) as well; [`schema`] is what editors check a file with while it is written.
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
//! - A number is written as one, or as a text with an expression, in the language of [`siconos_expression`]:
//!   `1e-3`, `"2 * pi / rate"`. Words of events (`pre`, `edge`, `halt`, assignments) are refused.
//! - A vector is an array of numbers, `[1, "a + b"]`; one alone is a vector of one entry.
//! - A matrix is an array of rows, `[[1, 0], [0, 1]]`; `{ diagonal = [1, 1] }`; a number alone; or
//!   `{ rows = 2, columns = 2, entries = [[0, 1, 5.0]] }` with places from 0 and zeros elsewhere, each place
//!   once. Those of `lagrangian_linear` systems and relations are kept as they are written.
//! - Both may be written by a formula of the place, from 0: `{ size = 100, entry = "0.1 * i" }`, and
//!   `{ rows = 9, columns = 9, entry = "if i == j then 2 else if abs(i - j) == 1 then -1 else 0" }`.
//! - A vector or a matrix of numbers may stand in a file of its own, `{ file = "data/mass.npy" }`: an array
//!   of NumPy, or `.csv` with a row in each line, numbers with commas between, and no head. The path is
//!   relative to the folder of the model, and what it leads to is below that folder, links followed; a file
//!   is 32 MiB long at most. A vector is an array of one dimension, or one number in each line.
//! - A choice with settings is a table that names it, `{ kind = "moreau_jean", theta = 0.5 }`, or its name
//!   alone where the defaults do: `"moreau_jean"`. What a choice holds that has no keys stands under `value`,
//!   `{ kind = "rho_infinity", value = 0.8 }`.
//! - A function of the program that builds the model has the place of expressions where the tables below
//!   say "or function": `{ function = "drag" }`, with `size = 2` for an h of several components, a matrix C
//!   of several rows, and several inputs. [`ModelFile::build_with`] takes the [`Registry`] that has it; the
//!   command line has none. [`Function`] says what each reads.
//!
//! ### Which names an expression may read
//!
//! - `[constants]` are read everywhere; each may read those above it, and nothing else. They stand for their
//!   values.
//! - `[parameters]` are numbers, or arrays whose entries are read as `masses[0]`. Whatever the model is made
//!   of may read them, and a run may set them; settings of integrators and solvers, which are fixed, may not.
//!   Whatever reads a parameter follows it where the kernel can: forces, functions h, bounds of relays, the
//!   mass of `lagrangian`, all matrices and vectors of first-order systems and relations but M of
//!   `first_order_linear`, F, z of a nonlinear relation, and T beside a linear system. Taken at the start
//!   are these, initial values, the points in time, the matrices of `lagrangian_linear` systems and
//!   relations, and of bodies mass, inertia, joints, distances, contacts and stops. [`ModelFile::check`]
//!   remarks where an event or a controller sets a parameter of one of them. What has to be constant, as for
//!   exact integration of a linear system, reads `[constants]`.
//! - `[functions]`, `"a, b -> a * b"`, read constants, parameters, their arguments and each other, in any
//!   order.
//! - `t` is the time, wherever the key says that something is of the time.
//! - A system reads its own coordinates by their names: `q`, or `q[0]`, `q[1]`, .. of several, or those of
//!   `coordinates`; velocities have a prime, `q'`. First-order systems have `x` in place of `q`.
//! - A Lagrangian system whose `configuration` is `unit_circle` has a direction of the plane for its two
//!   positions, cosine and sine, and one velocity, `omega`.
//! - A relation reads the coordinates of its systems with the name of the system, `lower.q`, and without it
//!   where no other of its systems has the name. The multipliers of a nonlinear first-order relation are
//!   `lambda`.
//! - An output reads `t`, `step`, `h` (the time since the previous step or event, 0 at the start), `after`
//!   (false before an event, else true), the parameters, and the values of systems, interactions and devices
//!   in the table below. An event reads the same but for `step`, `h` and `after`. If one of these three is a
//!   name of the model as well, no output reads it.
//! - A column `{ sum = ".." }` adds up its expression over all instants so far: the start and each step or
//!   event, from `from` on. Each instant counts once, with the values after it, whichever rows are written.
//!   The row before an impact has the sum without that impact.
//!
//! | name | what it is |
//! |---|---|
//! | `ball.q`, `ball.q'`, `ball.q''` | positions, velocities, accelerations, by the names of the coordinates; by time steps accelerations are means over the last step, and 0 at the start |
//! | `plant.x` | states of a first-order system |
//! | `body.x`, `body.e[0]`, `body.x'`, `body.omega[0]` | centre of mass, quaternion (scalar first), velocity, angular velocity |
//! | `ball.impulse` | what all interactions gave to it in the step, one entry for each velocity |
//! | `floor.y`, `floor.y'`, `floor.y''` | outputs of the relation and their derivatives; `floor.y''` by time steps as `ball.q''` |
//! | `floor.lambda`, `floor.impulse`, `floor.force` | multipliers at the levels of position, velocity and acceleration; by time steps the force is the impulse divided by the length of the step, and 0 at the start; with `d1_minus_linear` it is the force at the end of the step, without the impulse |
//! | `gauge.y` | what a sensor measured last; 0 before its first sample, as all that follows |
//! | `guess.estimate` | the estimate of an observer |
//! | `drive.u` | what a controller has set |
//! | `drive.proportional`, `drive.integral`, `drive.derivative` | the terms of a controller of the kind `pid` |
//! | `drive.sigma`, `drive.switched` | the sliding variable, and the switched part of u; of `twisting` the output and its rate |
//!
//! ### Sensors, controllers and events
//!
//! A plant is controlled through parameters: a controller of `[control]` sets its `input` at each sample,
//! from what a sensor or an observer gave, and it is held until the next one. At one instant sensors come
//! first, then observers, then controllers, then `[events]`; among equals the order is that of the file. By
//! time steps samples have to be at ends of steps, and an event takes place at the end of the step that its
//! time is in.
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
//! Any other feedback is an event with `every`: its expressions read the state and all devices. What devices
//! keep from sample to sample is part of a snapshot.
//!
//! ### Rules
//!
//! - Systems and interactions are numbered in the order of the file; where the order of a sum counts, it is
//!   this. A name is letters, digits and `_`, and a system and an interaction have different names.
//! - Derivatives that integrators need are taken from the expressions, and are exact; at a kink that of the
//!   branch taken. A file may give its own instead (`derivative`, `internal_derivative`).
//! - A law has a name in `[laws]` or stands in its interaction. `"complementarity"` and `"equality"` have as
//!   many components as their relation; other laws may have fewer, if these divide its number.
//! - A body reads `x`, `y`, `z`, its quaternion `e[0]`, .. `e[3]`, its velocity `x'`, .. and its angular
//!   velocity `omega[0]`, .. in `internal_force`; derivatives along a turn are those of the expressions times
//!   the tangent of the quaternion.
//! - What a joint leaves free is a relation that holds the joint as a table, `{ kind = "stops", joint = {
//! kind =
//!   "revolute", .. }, .. }`, and so are motors (`prescribed`), springs and brakes (`angle` or `way`, with
//! the
//!   law `spring` or `relay`), gears, racks and screws; the joint itself is an interaction of its own.
//! - [`ModelFile::check`] takes the first step: a mass of 0 is a fault of the file, and not of a run.
//! - Two of the keys `end`, `step` and `steps` give the points in time, or `times` all of them.
//!
#![doc = include_str!("keys.md")]

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
mod sheet;
mod simulation;
mod solvers;
mod systems;
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
pub use sheet::Unwritten;
pub use simulation::BuiltSimulation;
pub use write::{Simulated, Written};

pub use crate::run_error::{NotFinite, ResumeError, RunError, SetError, StartError};
pub use crate::snapshot::content::{DataFile, Unconverged};
