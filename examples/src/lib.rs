//! Examples of nonsmooth simulations. Each module is a page with the physics, the model in code, and a
//! figure.
//!
//! | example | contents |
//! |---|---|
//! | [`bouncing_ball`] | one body, one contact, an accumulation of impacts |
//! | [`column_of_beads`] | many simultaneous contacts, added to the model during the simulation |
//! | [`cam_follower`] | a moving constraint, one motion in two sets of coordinates, chaos |
//! | [`cam_follower::maps`] | impact map and stroboscopic map of the chaotic attractor of the cam-follower |
//! | [`cam_follower::bifurcation`] | bifurcation diagram over the cam speed, in parallel and resumable |
//! | [`bouncing_ball_ed`] | the bouncing ball, event-driven, through the accumulation to rest |
//! | [`two_contacts_ed`] | a ball between floor and ceiling, event-driven |
//! | [`bead_column_ed`] | the column of beads, event-driven: waves of impacts, ten contacts in one impact |
//! | [`simple_pendulum_ed`] | a persistent contact: a pendulum in Cartesian coordinates, event-driven |
//! | [`pendulum_with_stop_ed`] | simple and double pendulum with a stop, event-driven |
//! | [`double_pendulum`] | nonlinear dynamics with nonlinear contacts |
//! | [`impacting_bar`] | finite elements against a wall |
//! | [`block_on_slope`] | friction in the plane: stick, then slip |
//! | [`spinning_disk`] | impacts with friction that convert spin into lateral motion |
//! | [`newton_euler_ball`] | a rigid body in space that bounces with friction and spin |
//! | [`free_body_flip`] | a free body that flips repeatedly; energy conserved up to rounding |
//! | [`heavy_top`] | a body on a ball joint: steady precession, cusps, order of accuracy with joints |
//! | [`tippe_top`] | a top that friction turns upside down; Jellett's integral |
//! | [`slider_crank_clearance`] | a slider-crank mechanism with clearance, and the ideal mechanism |
//! | [`chain_of_joints`] | joints that do not drift under projection, and a floor with friction |
//! | [`diode_bridge`] | a circuit with four diodes; exact energy balance |
//! | [`filtered_bridge`] | a state jump, and its treatment by several schemes |
//! | [`rlcd`] | a circuit with one diode |
//! | [`filippov`] | relays: sliding along surfaces into the origin |
//! | [`relay_oscillator`] | relay feedback with sliding segments, without numerical chattering |
//! | [`friction_oscillator`] | dry friction: linear decay, then sticking |
//! | [`buck_converter`] | a switched converter: discontinuous conduction, sliding-mode control |
//! | [`sliding_mode`] | sliding-mode control, implicit and explicit |
//! | [`sampled_pid`] | a sampled PID controller with a bounded force |
//! | [`nonlinear_relation`] | a nonlinear, multi-valued relation by Newton's method |
//! | [`diode_bridge_ed`] | the diode bridge, event-driven: from one switching to the next |
//! | [`hybrid`] | six hybrid systems: sample and hold, thermostat, neuron, PID, two tanks, counted bounces |
//! | [`sweeping`] | moving sets, hysteresis, a crowd, plastic springs, a triple integrator |
//! | [`sweeping::bridge_rectifier`] | a rectifier as a differential variational inequality, periodic motion |
//! | [`sweeping::bounded_control`] | optimal control with a bound, as a boundary value problem |
//! | [`sweeping::filippov_sliding`] | sliding modes and stick-slip to high order, by switch detection |
//! | [`scenes::masonry_arch`] | an arch of voussoirs near its least thickness: line of thrust, collapse by hinges |
//! | [`scenes::box_stack`] | ten boxes at rest and after a fall: the force on the floor, restitution |
//! | [`scenes::sphere_column`] | a column of 200 spheres that collapses into a heap |
//! | [`scenes::rotating_drum`] | 500 discs in a rotating drum: the dynamic angle of repose |
//! | [`scenes::hopper`] | grains added and removed during the run: discharge rate and Beverloo's law |
//! | [`scenes::terrain`] | bodies slide and tumble down a terrain: acceleration, energy balance |
//! | [`scenes::vehicle`] | four motors drive a vehicle over a height field: acceleration, speed under load |
//! | [`adaptive_steps`] | error against work of adaptive and fixed time steps |
//! | [`work_precision`] | error and cost of the ODE methods, with root location |
//!
//! Run an example with `cargo run --release --package siconos-examples -- bouncing_ball`. It prints a short
//! table and writes its figure to `target/figures`, or to the folder that `--output` names.

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
pub mod scenes;
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

/// Code blocks of the README, which are run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// Error of an example.
#[derive(Debug, thiserror::Error)]
pub enum ExampleError {
    /// Error of the simulation.
    #[error(transparent)]
    Simulation(#[from] siconos_kernel::Error),
    /// Error of the model.
    #[error(transparent)]
    Model(#[from] siconos_kernel::ModelError),
    /// Error of a setting.
    #[error(transparent)]
    Settings(#[from] siconos_kernel::SettingsError),
    /// Error of a time step or an event.
    #[error(transparent)]
    Step(#[from] siconos_kernel::SimulationError),
    /// Error of a scene.
    #[error(transparent)]
    Scene(#[from] siconos_mechanics::SceneError),
    /// Error of a shape.
    #[error(transparent)]
    Shape(#[from] siconos_mechanics::ShapeError),
    /// Error of the controller.
    #[error(transparent)]
    Control(#[from] siconos_control::ControlError),
    /// Error of the hybrid system.
    #[error(transparent)]
    Hybrid(#[from] siconos_hybrid::HybridError),
    /// Error of the sweeping process.
    #[error(transparent)]
    Sweep(#[from] siconos_sweeping::SweepingError),
    /// Error of the sweeping process of higher order.
    #[error(transparent)]
    HigherOrder(#[from] siconos_sweeping::higher_order::HigherOrderError),
    /// Error of the differential variational inequality.
    #[error(transparent)]
    Dvi(#[from] siconos_sweeping::dvi::DviError),
    /// Error of the finite elements with switch detection.
    #[error(transparent)]
    Fesd(#[from] siconos_sweeping::fesd::FesdError),
    /// Error of the smooth integration.
    #[error(transparent)]
    Ode(#[from] siconos_ode::OdeError),
    /// Error of the table of results.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Error of the figure.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// The folder for the figures cannot be created.
    #[error("cannot make the folder {}: {source}", .path.display())]
    Folder {
        /// Path of the folder.
        path: PathBuf,
        /// Error reported by the operating system.
        source: std::io::Error,
    },
    /// Error of the journal of a parameter study.
    #[error(transparent)]
    Journal(#[from] siconos_io::study::JournalError),
    /// A step has no solution.
    #[error("the step to t = {t} s has no solution")]
    NoSolution {
        /// End of the step \[s\].
        t: f64,
    },
    /// A figure requires a column that the table does not have.
    #[error("the table has no column `{column}`")]
    NoColumn {
        /// Name of the column.
        column: String,
    },
}

impl From<siconos_numerics::cone::ConvexSetError> for ExampleError {
    fn from(error: siconos_numerics::cone::ConvexSetError) -> Self {
        Self::Sweep(error.into())
    }
}

/// Function that runs an example. It prints a table, writes the figures into the given folder and returns the
/// paths of the figures.
pub type Run = fn(&Path) -> Result<Vec<PathBuf>, ExampleError>;

/// Examples by name.
pub const EXAMPLES: [(&str, Run); 54] = [
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
    ("masonry_arch", scenes::masonry_arch::run),
    ("box_stack", scenes::box_stack::run),
    ("sphere_column", scenes::sphere_column::run),
    ("rotating_drum", scenes::rotating_drum::run),
    ("hopper", scenes::hopper::run),
    ("terrain", scenes::terrain::run),
    ("vehicle", scenes::vehicle::run),
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

/// Returns the kinetic energy of a rigid body from its mass, its principal moments of inertia and its six
/// velocities.
pub(crate) fn kinetic_energy(mass: f64, moments: [f64; 3], v: &[f64]) -> f64 {
    0.5 * [mass; 3].into_iter().chain(moments).zip(v).map(|(inertia, v)| inertia * v * v).sum::<f64>()
}

/// Returns two columns of a table as the points of a curve.
pub(crate) fn pairs(table: &Table, x: &str, y: &str) -> Result<Vec<(f64, f64)>, ExampleError> {
    let column =
        |name: &str| table.column(name).ok_or_else(|| ExampleError::NoColumn { column: name.to_owned() });
    Ok(column(x)?.zip(column(y)?).collect())
}

/// Returns two columns of a table as the points of a curve. Each column is multiplied by a factor, for
/// example to convert it to milliseconds.
pub(crate) fn scaled_pairs(
    table: &Table,
    (x, x_scale): (&str, f64),
    (y, y_scale): (&str, f64),
) -> Result<Vec<(f64, f64)>, ExampleError> {
    Ok(pairs(table, x, y)?.into_iter().map(|(x, y)| (x * x_scale, y * y_scale)).collect())
}

/// Runs a simulation to its end. The table has one row for the initial state and one per step.
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
