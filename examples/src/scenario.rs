//! Examples as regression scenarios. Each scenario has a name and a function that returns the table of its
//! simulation.

use siconos_io::trajectory::Table;
use siconos_kernel::integrator::Integrator;
use siconos_kernel::prelude::{EulerMoreau, MeasureEuler, NewtonSettings, ThetaGamma};

use crate::ExampleError;
use crate::bead_column_ed::BeadColumnEd;
use crate::block_on_slope::BlockOnSlope;
use crate::bouncing_ball::BouncingBall;
use crate::bouncing_ball_ed::BouncingBallEd;
use crate::buck_converter::BuckConverter;
use crate::cam_follower::{CamFollower, Form};
use crate::chain_of_joints::ChainOfJoints;
use crate::column_of_beads::{self, ColumnOfBeads};
use crate::diode_bridge::DiodeBridge;
use crate::double_pendulum::{self, DoublePendulum, exact_derivative};
use crate::filippov::Relays;
use crate::filtered_bridge::FilteredBridge;
use crate::friction_oscillator::FrictionOscillator;
use crate::heavy_top::HeavyTop;
use crate::hybrid::sampled_pid::EventPid;
use crate::hybrid::thermostat::Thermostat;
use crate::hybrid::two_tanks;
use crate::impacting_bar::ImpactingBar;
use crate::nonlinear_relation::CircleSliding;
use crate::pendulum_with_stop_ed::{PendulumWithStopEd, simulate_double_pendulum};
use crate::relay_oscillator::RelayOscillator;
use crate::rlcd::Rlcd;
use crate::sampled_pid::SampledPid;
use crate::simple_pendulum_ed::SimplePendulumEd;
use crate::slider_crank_clearance::SliderCrank;
use crate::sliding_mode::SlidingMode;
use crate::spinning_disk::SpinningDisk;
use crate::sweeping::crowd::Crowd;
use crate::sweeping::hysteresis::Gear;
use crate::sweeping::plastic_chain::Chain;
use crate::sweeping::{moving_sets, triple_integrator};
use crate::tippe_top::TippeTop;
use crate::two_contacts_ed::TwoContactsEd;

/// Error of a scenario.
pub type ScenarioError = Box<dyn std::error::Error + Send + Sync>;

type Simulate = fn() -> Result<Table, ExampleError>;

const SCENARIOS: [(&str, Simulate); 54] = [
    ("bouncing_ball", || BouncingBall::default().simulate()),
    ("bouncing_ball_ed", || BouncingBallEd::default().simulate()),
    ("bouncing_ball_ed_to_rest", || BouncingBallEd::to_rest().simulate()),
    ("two_contacts_ed", || TwoContactsEd::default().simulate()),
    ("bead_column_ed", || BeadColumnEd::default().simulate()),
    ("bead_column_ed_touching", || BeadColumnEd::touching().simulate()),
    ("simple_pendulum_ed", || SimplePendulumEd::default().simulate()),
    ("pendulum_with_stop_ed", || PendulumWithStopEd::default().simulate()),
    ("double_pendulum_ed", || simulate_double_pendulum(&DoublePendulum::default())),
    ("cam_follower_ed_660", || cam_follower(660.0, 0.5).simulate_event_driven()),
    ("column_of_beads", || column_of_beads::simulate(&ColumnOfBeads::default())),
    ("cam_follower_358", || cam_follower(358.0, 1.0).simulate(Form::Rheonomic)),
    ("cam_follower_358_translated", || cam_follower(358.0, 1.0).simulate(Form::Translated)),
    ("cam_follower_660", || cam_follower(660.0, 0.5).simulate(Form::Rheonomic)),
    ("cam_follower_700", || cam_follower(700.0, 0.5).simulate(Form::Rheonomic)),
    ("double_pendulum", || double_pendulum::simulate(&DoublePendulum::default())),
    ("double_pendulum_one_iteration", || double_pendulum::simulate(&one_iteration())),
    ("impacting_bar", || ImpactingBar::default().simulate()),
    ("block_on_slope", || BlockOnSlope::default().simulate()),
    ("spinning_disk", || SpinningDisk::default().simulate()),
    ("heavy_top", || HeavyTop::steady().simulate()),
    ("heavy_top_let_go", || HeavyTop::let_go().simulate()),
    ("tippe_top", || tippe_top().simulate()),
    ("slider_crank_clearance", || SliderCrank::with_clearance().simulate()),
    ("slider_crank_clearance_tilted", || tilted_slider().simulate()),
    ("slider_crank_ideal", || SliderCrank::ideal().simulate()),
    ("chain_of_joints", || chain_to_the_floor().simulate()),
    ("diode_bridge", || DiodeBridge::default().simulate()),
    ("diode_bridge_implicit", || diode_bridge(1.0).simulate()),
    ("diode_bridge_midpoint", || diode_bridge(0.5).simulate()),
    ("filtered_bridge", || FilteredBridge::default().simulate()),
    ("filtered_bridge_theta_half", || filtered_bridge(EulerMoreau::default()).simulate()),
    ("filtered_bridge_measure", || filtered_bridge(MeasureEuler::default()).simulate()),
    ("filtered_bridge_midpoint", || filtered_bridge(ThetaGamma::default()).simulate()),
    ("rlcd", || Rlcd::default().simulate()),
    ("filippov_straight", || Relays::straight().simulate()),
    ("filippov_spiral", || Relays::spiral(25.0).simulate()),
    ("relay_oscillator", || RelayOscillator::default().simulate()),
    ("friction_oscillator", || FrictionOscillator::default().simulate()),
    ("buck_converter", || BuckConverter::default().simulate()),
    ("buck_converter_sliding", || BuckConverter::sliding().simulate()),
    ("sliding_mode", || SlidingMode::default().simulate()),
    ("sliding_mode_explicit", || SlidingMode::explicit().simulate()),
    ("sampled_pid", || SampledPid::default().simulate()),
    ("nonlinear_relation", || CircleSliding::default().simulate()),
    ("hybrid_sampled_pid", || EventPid::default().simulate()),
    ("hybrid_thermostat", || Thermostat::default().simulate(6.0)),
    ("hybrid_two_tanks", || two_tanks::simulate(120.0)),
    ("sweeping_disc", || moving_sets::in_a_disc(5e-3, 600)),
    ("sweeping_square", || moving_sets::in_a_square(2e-3, 1500)),
    ("sweeping_hysteresis", || Gear::default().simulate(2000)),
    ("sweeping_crowd", || Crowd::waiting(24).simulate(0.02, 300)),
    ("sweeping_plastic_chain", || Chain::default().simulate(1.25e-3, 1600)),
    ("sweeping_triple_integrator", || triple_integrator::simulate([1.0, -2.0, 1.0], 3.0, 1000)),
];

fn cam_follower(rpm: f64, t_end: f64) -> CamFollower {
    CamFollower { t_end, ..CamFollower::default() }.at(rpm)
}

/// Returns the tippe top with fewer steps than its figure has: a quarter.
fn tippe_top() -> TippeTop {
    TippeTop { h: 2e-4, ..TippeTop::default() }
}

fn tilted_slider() -> SliderCrank {
    SliderCrank { tilting: 1.0, t_end: 0.04, ..SliderCrank::with_clearance() }
}

/// Returns the chain up to a time at which its end slides on the floor. A longer motion is chaotic.
fn chain_to_the_floor() -> ChainOfJoints {
    ChainOfJoints { t_end: 0.7, ..ChainOfJoints::default() }
}

/// Returns the diode bridge with the theta-gamma scheme for theta = gamma.
fn diode_bridge(theta: f64) -> DiodeBridge {
    DiodeBridge { integrator: ThetaGamma { theta, gamma: theta }.into(), ..DiodeBridge::default() }
}

fn filtered_bridge(integrator: impl Into<Integrator>) -> FilteredBridge {
    FilteredBridge { integrator: integrator.into(), ..FilteredBridge::default() }
}

/// Returns the double pendulum with the errors of the published reference. The tolerance of Newton's method
/// is so large that only one iteration is made, and one entry of the derivative contains v0 v1 instead of
/// v1^2. Because the iteration has not converged, the motion depends on both.
fn one_iteration() -> DoublePendulum {
    let derivative = |q: &[f64], v: &[f64], g: f64| {
        let mut derivative = exact_derivative(q, v, g);
        derivative[0][0] = v[1] * v[0] * (q[0] - q[1]).cos() + 2.0 * g * q[0].cos();
        derivative
    };
    let newton = NewtonSettings { tolerance: f64::MAX, ..NewtonSettings::default() };
    DoublePendulum { newton, force_derivative: derivative, ..DoublePendulum::default() }
}

/// Returns the names of all scenarios.
#[must_use]
pub fn names() -> &'static [&'static str] {
    const NAMES: [&str; SCENARIOS.len()] = {
        let mut names = [""; SCENARIOS.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = SCENARIOS[i].0;
            i += 1;
        }
        names
    };
    &NAMES
}

/// Runs a scenario. Returns `None` if the name is unknown.
///
/// ```
/// let table = siconos_examples::scenario::run("bouncing_ball").expect("there is one")?;
/// assert_eq!(table.columns(), ["t", "q", "v", "p", "lambda"]);
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
#[must_use]
pub fn run(name: &str) -> Option<Result<Table, ScenarioError>> {
    let (_, simulate) = SCENARIOS.iter().find(|(known, _)| *known == name)?;
    Some(simulate().map_err(ScenarioError::from))
}
