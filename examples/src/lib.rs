//! Examples of nonsmooth simulations: each module is a page with the physics, the model in code, and a
//! figure.
//!
//! | example | what it shows |
//! |---|---|
//! | [`bouncing_ball`] | one body, one contact, an accumulation of impacts |
//! | [`column_of_beads`] | many contacts at once, contacts that enter the model while it runs |
//! | [`cam_follower`] | a moving constraint, the same motion in two coordinates, chaos |
//! | [`cam_follower::maps`] | impact map and stroboscopic map of its chaotic attractor |
//! | [`cam_follower::bifurcation`] | its motions over the speed of the cam, in parallel and resumable |
//! | [`bouncing_ball_ed`] | the same ball event by event, through the accumulation to rest |
//! | [`two_contacts_ed`] | a ball between floor and ceiling, event by event |
//! | [`bead_column_ed`] | beads event by event: waves of impacts, and ten contacts in one |
//! | [`simple_pendulum_ed`] | a contact that lasts: a pendulum in Cartesian coordinates |
//! | [`pendulum_with_stop_ed`] | simple and double pendulum with a stop, event by event |
//! | [`double_pendulum`] | nonlinear dynamics with nonlinear contacts |
//! | [`impacting_bar`] | finite elements against a wall |
//! | [`block_on_slope`] | friction in the plane: sticking, then sliding |
//! | [`spinning_disk`] | impacts with friction, spin turned into motion |
//! | [`newton_euler_ball`] | a rigid body in space that bounces with friction and spin |
//! | [`free_body_flip`] | a free body that turns over and over; energy to rounding |
//! | [`heavy_top`] | a body on a ball joint: steady precession, cusps, and the order of joints |
//! | [`tippe_top`] | a top that friction turns over; what any contact in a point keeps |
//! | [`slider_crank_clearance`] | a mechanism with a slider that rattles in its guide, and the ideal one |
//! | [`chain_of_joints`] | joints that stay closed under projection, and a floor with friction |
//! | [`diode_bridge`] | a circuit with four diodes; exact energy balance |
//! | [`filtered_bridge`] | a state that jumps, and what each scheme makes of it |
//! | [`rlcd`] | a circuit with one diode |
//! | [`filippov`] | relays that slide along surfaces into the origin |
//! | [`relay_oscillator`] | relay feedback with sliding segments, without numerical chattering |
//! | [`friction_oscillator`] | dry friction: linear decay, then sticking |
//! | [`buck_converter`] | a switched converter: diode and transistor, discontinuous conduction, sliding-mode control |
//! | [`sliding_mode`] | sliding-mode control by an implicit and by an explicit step |
//! | [`sampled_pid`] | a sampled PID controller with a motor that saturates |
//! | [`nonlinear_relation`] | a nonlinear, multi-valued relation by Newton |
//! | [`diode_bridge_ed`] | the bridge of diodes, from one switching to the next |
//! | [`hybrid`] | six systems with events: sample and hold, thermostat, neuron, PID, two tanks, counted bounces |
//! | [`sweeping`] | moving sets and what they drag along, hysteresis, a crowd, springs that yield, a chain of three integrators at its limit |
//! | [`sweeping::bridge_rectifier`] | a rectifier as a differential variational inequality, with its periodic motion |
//! | [`sweeping::bounded_control`] | optimal control with a bound, as a boundary value problem |
//! | [`sweeping::filippov_sliding`] | sliding modes and stick-slip to high order, by switch detection |
//! | [`adaptive_steps`] | error against work of steps whose length follows the motion |
//! | [`work_precision`] | errors and cost of the methods of smooth integration with root location |
//!
//! Run one with `cargo run --release --package siconos-examples -- bouncing_ball`; it prints a short table
//! and writes its figure to `target/figures`, or where `--output` says.

pub mod adaptive_steps;
pub mod bead_column_ed;
pub mod block_on_slope;
pub mod bouncing_ball;
pub mod bouncing_ball_ed;
pub mod buck_converter;
pub mod cam_follower;
pub mod chain_of_joints;
pub mod column_of_beads;
pub mod diode_bridge;
pub mod diode_bridge_ed;
pub mod double_pendulum;
pub mod filippov;
pub mod filtered_bridge;
pub mod free_body_flip;
pub mod friction_oscillator;
pub mod heavy_top;
pub mod hybrid;
pub mod impacting_bar;
pub mod newton_euler_ball;
pub mod nonlinear_relation;
pub mod pendulum_with_stop_ed;
pub mod relay_oscillator;
pub mod rlcd;
pub mod sampled_pid;
pub mod scenario;
pub mod simple_pendulum_ed;
pub mod slider_crank_clearance;
pub mod sliding_mode;
pub mod spinning_disk;
pub mod sweeping;
pub mod tippe_top;
pub mod two_contacts_ed;
pub mod work_precision;

use std::path::{Path, PathBuf};

use siconos_figure::{Figure, FigureError};
use siconos_io::trajectory::{Table, TableError};
use siconos_kernel::prelude::{NonSmoothDynamicalSystem, State, TimeStepping};

/// The programs in the README, run with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// Why an example did not run.
#[derive(Debug, thiserror::Error)]
pub enum ExampleError {
    /// The simulation.
    #[error(transparent)]
    Simulation(#[from] siconos_kernel::Error),
    /// The model.
    #[error(transparent)]
    Model(#[from] siconos_kernel::ModelError),
    /// A setting.
    #[error(transparent)]
    Settings(#[from] siconos_kernel::SettingsError),
    /// A time step or an event.
    #[error(transparent)]
    Step(#[from] siconos_kernel::SimulationError),
    /// The controller.
    #[error(transparent)]
    Control(#[from] siconos_control::ControlError),
    /// The hybrid system.
    #[error(transparent)]
    Hybrid(#[from] siconos_hybrid::HybridError),
    /// The sweeping process.
    #[error(transparent)]
    Sweep(#[from] siconos_sweeping::SweepError),
    /// The sweeping process of higher order.
    #[error(transparent)]
    HigherOrder(#[from] siconos_sweeping::higher_order::HigherOrderError),
    /// The differential variational inequality.
    #[error(transparent)]
    Dvi(#[from] siconos_sweeping::dvi::DviError),
    /// The finite elements with switch detection.
    #[error(transparent)]
    Fesd(#[from] siconos_sweeping::fesd::FesdError),
    /// The smooth integration.
    #[error(transparent)]
    Ode(#[from] siconos_ode::OdeError),
    /// The table of results.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The figure.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// The folder for the figures.
    #[error("cannot make the folder {}: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The points of a sweep that are done.
    #[error(transparent)]
    Journal(#[from] siconos_io::sweep::JournalError),
    /// A step has no solution.
    #[error("the step to t = {t} s has no solution")]
    NoSolution {
        /// The end of the step \[s\].
        t: f64,
    },
    /// A figure asks for a column that the table does not have.
    #[error("the table has no column `{column}`")]
    NoColumn {
        /// The column.
        column: String,
    },
}

impl From<siconos_numerics::cone::ConvexSetError> for ExampleError {
    fn from(error: siconos_numerics::cone::ConvexSetError) -> Self {
        Self::Sweep(error.into())
    }
}

/// Runs an example: prints its table, writes its figures into a folder, returns their paths.
pub type Run = fn(&Path) -> Result<Vec<PathBuf>, ExampleError>;

/// The examples by name.
pub const EXAMPLES: [(&str, Run); 47] = [
    ("bouncing_ball", bouncing_ball::run),
    ("column_of_beads", column_of_beads::run),
    ("cam_follower", cam_follower::run),
    ("cam_follower_maps", cam_follower::maps::run),
    ("cam_follower_bifurcation", cam_follower::bifurcation::run),
    ("bouncing_ball_ed", bouncing_ball_ed::run),
    ("two_contacts_ed", two_contacts_ed::run),
    ("bead_column_ed", bead_column_ed::run),
    ("simple_pendulum_ed", simple_pendulum_ed::run),
    ("pendulum_with_stop_ed", pendulum_with_stop_ed::run),
    ("diode_bridge_ed", diode_bridge_ed::run),
    ("double_pendulum", double_pendulum::run),
    ("impacting_bar", impacting_bar::run),
    ("block_on_slope", block_on_slope::run),
    ("spinning_disk", spinning_disk::run),
    ("newton_euler_ball", newton_euler_ball::run),
    ("free_body_flip", free_body_flip::run),
    ("heavy_top", heavy_top::run),
    ("tippe_top", tippe_top::run),
    ("slider_crank_clearance", slider_crank_clearance::run),
    ("chain_of_joints", chain_of_joints::run),
    ("diode_bridge", diode_bridge::run),
    ("filtered_bridge", filtered_bridge::run),
    ("rlcd", rlcd::run),
    ("filippov", filippov::run),
    ("relay_oscillator", relay_oscillator::run),
    ("friction_oscillator", friction_oscillator::run),
    ("buck_converter", buck_converter::run),
    ("sliding_mode", sliding_mode::run),
    ("sampled_pid", sampled_pid::run),
    ("nonlinear_relation", nonlinear_relation::run),
    ("work_precision", work_precision::run),
    ("adaptive_steps", adaptive_steps::run),
    ("hybrid_sample_and_hold", hybrid::sample_and_hold::run),
    ("hybrid_thermostat", hybrid::thermostat::run),
    ("hybrid_neuron", hybrid::neuron::run),
    ("hybrid_sampled_pid", hybrid::sampled_pid::run),
    ("hybrid_two_tanks", hybrid::two_tanks::run),
    ("hybrid_counted_bounces", hybrid::counted_bounces::run),
    ("sweeping_moving_sets", sweeping::moving_sets::run),
    ("sweeping_hysteresis", sweeping::hysteresis::run),
    ("sweeping_triple_integrator", sweeping::triple_integrator::run),
    ("sweeping_crowd", sweeping::crowd::run),
    ("sweeping_plastic_chain", sweeping::plastic_chain::run),
    ("sweeping_bridge_rectifier", sweeping::bridge_rectifier::run),
    ("sweeping_bounded_control", sweeping::bounded_control::run),
    ("sweeping_filippov_sliding", sweeping::filippov_sliding::run),
];

/// The kinetic energy of a body with these moments of inertia along its axes, of its six velocities.
pub(crate) fn kinetic_energy(mass: f64, moments: [f64; 3], v: &[f64]) -> f64 {
    0.5 * [mass; 3].into_iter().chain(moments).zip(v).map(|(inertia, v)| inertia * v * v).sum::<f64>()
}

/// Two columns of a table as points of a curve.
pub(crate) fn pairs(table: &Table, x: &str, y: &str) -> Result<Vec<(f64, f64)>, ExampleError> {
    let column =
        |name: &str| table.column(name).ok_or_else(|| ExampleError::NoColumn { column: name.to_owned() });
    Ok(column(x)?.zip(column(y)?).collect())
}

/// Two columns of a table, each times a factor (for milliseconds, microvolts), as points of a curve.
pub(crate) fn scaled_pairs(
    table: &Table,
    (x, x_scale): (&str, f64),
    (y, y_scale): (&str, f64),
) -> Result<Vec<(f64, f64)>, ExampleError> {
    Ok(pairs(table, x, y)?.into_iter().map(|(x, y)| (x * x_scale, y * y_scale)).collect())
}

/// Runs a simulation to its end: one row for the initial state and one per step.
pub(crate) fn record<const N: usize>(
    model: &NonSmoothDynamicalSystem,
    mut simulation: TimeStepping,
    columns: [&str; N],
    mut sample: impl FnMut(&State) -> [f64; N],
) -> Result<Table, ExampleError> {
    let mut state = simulation.initial_state(model)?;
    let mut table = Table::with_capacity(columns, simulation.discretisation().steps() + 1);
    table.push_row(&sample(&state))?;
    while simulation.step(model, &mut state)?.is_some() {
        table.push_row(&sample(&state))?;
    }
    Ok(table)
}

/// Writes a figure as SVG and PNG.
pub(crate) fn save(figure: &Figure, folder: &Path, name: &str) -> Result<Vec<PathBuf>, ExampleError> {
    std::fs::create_dir_all(folder)
        .map_err(|source| ExampleError::Folder { path: folder.to_owned(), source })?;
    ["svg", "png"]
        .into_iter()
        .map(|extension| {
            let path = folder.join(name).with_extension(extension);
            figure.save(&path)?;
            Ok(path)
        })
        .collect()
}
