//! Scenarios that are built in Rust are written to model files, in which only their closures are listed as
//! unwritten. Scenarios without closures are read again, and their simulations are equal bit for bit.

use std::collections::BTreeSet;
use std::convert::Infallible;

use siconos_examples::bead_column_ed::BeadColumnEd;
use siconos_examples::block_on_slope::BlockOnSlope;
use siconos_examples::bouncing_ball::BouncingBall;
use siconos_examples::bouncing_ball_ed::BouncingBallEd;
use siconos_examples::buck_converter::BuckConverter;
use siconos_examples::cam_follower::{CamFollower, Form};
use siconos_examples::chain_of_joints::ChainOfJoints;
use siconos_examples::column_of_beads::ColumnOfBeads;
use siconos_examples::diode_bridge::DiodeBridge;
use siconos_examples::double_pendulum::DoublePendulum;
use siconos_examples::filippov::Relays;
use siconos_examples::filtered_bridge::FilteredBridge;
use siconos_examples::friction_oscillator::FrictionOscillator;
use siconos_examples::heavy_top::HeavyTop;
use siconos_examples::impacting_bar::ImpactingBar;
use siconos_examples::nonlinear_relation::CircleSliding;
use siconos_examples::pendulum_with_stop_ed::{PendulumWithStopEd, double_pendulum_simulation};
use siconos_examples::relay_oscillator::RelayOscillator;
use siconos_examples::rlcd::Rlcd;
use siconos_examples::simple_pendulum_ed::SimplePendulumEd;
use siconos_examples::slider_crank_clearance::SliderCrank;
use siconos_examples::spinning_disk::SpinningDisk;
use siconos_examples::tippe_top::TippeTop;
use siconos_examples::two_contacts_ed::TwoContactsEd;
use siconos_examples::{ExampleError, scenario};
use siconos_io::model::{BuiltModel, BuiltSimulation, ModelFile};
use siconos_kernel::model::{DynamicalSystem, Origin, UserFunctions};
use siconos_kernel::prelude::*;
use siconos_models::pendulum_with_stop;

/// Model with its simulation.
type Made = (NonSmoothDynamicalSystem, BuiltSimulation);
type Make = fn() -> Result<Made, ExampleError>;

fn steps(model: NonSmoothDynamicalSystem, simulation: TimeStepping) -> Result<Made, ExampleError> {
    Ok((model, BuiltSimulation::TimeStepping(Box::new(simulation))))
}

fn events(model: NonSmoothDynamicalSystem, simulation: EventDriven) -> Result<Made, ExampleError> {
    Ok((model, BuiltSimulation::EventDriven(Box::new(simulation))))
}

/// Scenarios with a model. Of several scenarios that differ only in a number, one is listed.
const MADE: [(&str, Make); 27] = [
    ("bouncing_ball", || {
        let own = BouncingBall::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("bouncing_ball_ed", || {
        let own = BouncingBallEd::default();
        let model = own.ball.model()?.0;
        let simulation = own.simulation(&model)?;
        events(model, simulation)
    }),
    ("two_contacts_ed", || {
        let own = TwoContactsEd::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        events(model, simulation)
    }),
    ("bead_column_ed", || {
        let own = BeadColumnEd::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        events(model, simulation)
    }),
    ("simple_pendulum_ed", || {
        let own = SimplePendulumEd::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        events(model, simulation)
    }),
    ("pendulum_with_stop_ed", || {
        let own = PendulumWithStopEd::default();
        let model = pendulum_with_stop(own.gravity, own.length, own.angle, own.restitution)?.model;
        let simulation = own.simulation(&model)?;
        events(model, simulation)
    }),
    ("double_pendulum_ed", || {
        let own = DoublePendulum::default();
        let model = own.model()?.0;
        let simulation = double_pendulum_simulation(&own, &model)?;
        events(model, simulation)
    }),
    ("column_of_beads", || {
        let own = ColumnOfBeads::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("cam_follower_358", || {
        let own = CamFollower::default().at(358.0);
        let model = own.model(Form::Rheonomic)?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("cam_follower_358_translated", || {
        let own = CamFollower::default().at(358.0);
        let model = own.model(Form::Translated)?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("double_pendulum", || {
        let own = DoublePendulum::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("impacting_bar", || {
        let own = ImpactingBar::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("block_on_slope", || {
        let own = BlockOnSlope::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("spinning_disk", || {
        let own = SpinningDisk::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("heavy_top", || {
        let own = HeavyTop::steady();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("tippe_top", || {
        let own = TippeTop { h: 2e-4, ..TippeTop::default() };
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("slider_crank_clearance", || {
        let own = SliderCrank::with_clearance();
        let model = own.model()?.model;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("slider_crank_ideal", || {
        let own = SliderCrank::ideal();
        let model = own.model()?.model;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("chain_of_joints", || {
        let own = ChainOfJoints { t_end: 0.7, ..ChainOfJoints::default() };
        let model = own.model()?.model;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("diode_bridge", || {
        let own = DiodeBridge::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("filtered_bridge", || {
        let own = FilteredBridge::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("rlcd", || {
        let own = Rlcd::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("filippov_spiral", || {
        let own = Relays::spiral(25.0);
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("relay_oscillator", || {
        let own = RelayOscillator::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("friction_oscillator", || {
        let own = FrictionOscillator::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("buck_converter", || {
        let own = BuckConverter::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
    ("nonlinear_relation", || {
        let own = CircleSliding::default();
        let model = own.model()?.0;
        let simulation = own.simulation(&model)?;
        steps(model, simulation)
    }),
];

/// Scenarios without closures, which are written completely.
const WHOLE: [&str; 9] = [
    "impacting_bar",
    "heavy_top",
    "slider_crank_ideal",
    "diode_bridge",
    "filtered_bridge",
    "rlcd",
    "filippov_spiral",
    "relay_oscillator",
    "friction_oscillator",
];

/// Returns the functions whose source text is unknown, as pairs of object and name.
fn closures(model: &NonSmoothDynamicalSystem) -> BTreeSet<(String, String)> {
    fn of(object: &impl UserFunctions, name: &str) -> Vec<(String, String)> {
        let functions = object.functions().into_iter().filter(|own| *own.origin == Origin::Unknown);
        functions.map(|own| (name.to_owned(), own.name.to_owned())).collect()
    }
    let mut all = BTreeSet::new();
    for (place, id) in model.systems().ids().enumerate() {
        let name = id.name().map_or_else(|| format!("system{}", place + 1), str::to_owned);
        all.extend(of(model.system(id).expect("it is there"), &format!("system `{name}`")));
    }
    for (place, id) in model.interactions().ids().enumerate() {
        let name = id.name().map_or_else(|| format!("interaction{}", place + 1), str::to_owned);
        let own = model.interaction(id).expect("it is there");
        all.extend(of(own.relation(), &format!("interaction `{name}`")));
        all.extend(of(own.law(), &format!("interaction `{name}`")));
    }
    all
}

/// Returns the bits of the time, of all positions, velocities or states, and of the impulses.
fn bits(model: &NonSmoothDynamicalSystem, state: &State) -> Vec<u64> {
    let mut numbers = vec![state.t];
    for id in model.systems().ids() {
        match model.system(id).is_ok_and(DynamicalSystem::is_first_order) {
            true => numbers.extend(state.x(id)),
            false => numbers.extend(state.q(id).iter().chain(state.v(id))),
        }
        numbers.extend(state.impulse(id));
    }
    numbers.into_iter().map(f64::to_bits).collect()
}

/// Checks that the first steps of a model built in Rust equal the first steps of the model read from its
/// file.
fn assert_same(name: &str, (model, mut simulation): Made, mut built: BuiltModel) {
    let mut state = match &mut simulation {
        BuiltSimulation::TimeStepping(own) => own.initial_state(&model).expect("a state"),
        BuiltSimulation::EventDriven(own) => own.initial_state(&model).expect("a state"),
    };
    for step in 0..300 {
        assert_eq!(bits(&model, &state), bits(&built.model, &built.state), "{name}, step {step}");
        let goes_on = match &mut simulation {
            BuiltSimulation::TimeStepping(own) => own.step(&model, &mut state).expect("a step").is_some(),
            BuiltSimulation::EventDriven(own) => own.step(&model, &mut state).expect("a step").is_some(),
        };
        let other_goes_on = built.advance(|_| Ok::<_, Infallible>(())).expect("a step");
        assert_eq!(goes_on, other_goes_on, "{name}, step {step}");
        if !goes_on {
            break;
        }
    }
}

/// Items that are listed in addition to closures: a mass matrix that is stored as a diagonal, which the
/// reader stores as a full matrix, and a solver with its own settings.
const LISTED_BESIDE: [(&str, &str, &str); 2] = [
    ("pendulum_with_stop_ed", "system `system1`", "the storage of M"),
    ("spinning_disk", "simulation", "solver `auto`"),
];

#[test]
fn what_is_not_written_of_scenarios_are_their_closures() {
    let (mut whole, mut wrong) = (Vec::new(), Vec::new());
    for (name, make) in MADE {
        assert!(scenario::names().contains(&name), "{name}");
        let (model, simulation) = make().expect("a model");
        let written = ModelFile::of(&model, &simulation);
        let by_differences = |reason: &str| reason.contains("differences");
        let listed = written.unwritten.iter().filter(|own| !by_differences(own.reason));
        let listed: BTreeSet<_> = listed.map(|own| (own.object.clone(), own.part.clone())).collect();
        let mut closures = closures(&model);
        let beside = LISTED_BESIDE.iter().filter(|(of, ..)| *of == name);
        closures.extend(beside.map(|(_, object, part)| ((*object).to_owned(), (*part).to_owned())));
        if listed != closures {
            wrong.push(format!("{name}: {listed:?}, not {closures:?}"));
        }
        if written.unwritten.is_empty() {
            whole.push(name);
            let file =
                ModelFile::parse(&written.text, name).unwrap_or_else(|error| panic!("{name}: {error}"));
            let built = file.build().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(built.written().text, written.text, "{name}");
            assert_same(name, (model, simulation), built);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(whole, WHOLE);
}
