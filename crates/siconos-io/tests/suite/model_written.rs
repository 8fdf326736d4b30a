//! Models of the kernel written to files have the same bits when they are read again.

use siconos_io::model::{AnyModel, ModelFile, UnwrittenPart};
use siconos_io::ndarray::{Array2, ArrayViewMut2, arr2};
use siconos_io::siconos_kernel::integrator::{EulerMoreau, MoreauJean};
use siconos_io::siconos_kernel::model::dynamical_system::Jacobian;
use siconos_io::siconos_kernel::model::{
    At, ContactRows, Distance, FirstOrderLinear, FirstOrderLinearRelation, Joint,
    LagrangianScleronomousRelation, NewtonEuler, Origin, Parameters, PointContact, Quaternion, Relay,
    UserFunctions,
};
use siconos_io::siconos_kernel::prelude::*;

use crate::same_bits::{assert_same, assert_written, models, read};

#[test]
fn every_model_of_the_examples_is_written_and_read_to_the_same_bits() {
    let mut count = 0;
    for path in models() {
        let name = path.display().to_string();
        let AnyModel::Model(file) = AnyModel::read(&path, &[]).expect("a model") else { continue };
        let first = file.build().expect("it can be built");
        let written = first.written();
        assert_eq!(written.unwritten, [], "{name}");
        let second = read(&written, &name);
        assert_eq!(second.written(), written, "{name}");
        assert_same(first, second, &name);
        count += 1;
    }
    assert_eq!(count, 62);
}

#[test]
fn a_ball_without_names_is_written() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = LagrangianLinear::new(vec![1.0 / 3.0], vec![-0.0], arr2(&[[0.1]]));
    let ball = model.add_system(ball.with_constant_external_force(vec![-0.981])).expect("a ball");
    let touch = LagrangianLinearRelation::new(arr2(&[[1.0]])).with_offset(vec![-0.1]);
    model.add_interaction([ball], touch, NewtonImpact::new(0.9).expect("a law")).expect("a contact");
    model.set_time_scale(0.125).expect("a time scale");
    let grid = TimeDiscretisation::of_steps(0.1, 1.0 / 64.0, 150).expect("a grid");
    let theta = MoreauJean::new(0.75).expect("a scheme");
    let simulation =
        TimeStepping::builder(&model).discretisation(grid).integrator(theta).build().expect("it fits");
    let written = ModelFile::of(&model, &simulation);
    for expected in ["[systems.system1]", "[interactions.interaction1]", "time_scale = 0.125", "v = -0.0"] {
        assert!(written.text.contains(expected), "{expected}\n{}", written.text);
    }
    assert_written(&model, simulation, "ball");
}

#[test]
fn a_circuit_and_a_relay_are_written() {
    let mut model = NonSmoothDynamicalSystem::new();
    let a = arr2(&[[0.0, -1e6], [100.0, 0.0]]);
    let circuit =
        model.add_named_system("circuit", FirstOrderLinear::new(vec![10.0, 0.0], a)).expect("a system");
    let c = arr2(&[[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]]);
    let b = arr2(&[[0.0, 0.0, -1e6, 1e6], [0.0; 4]]);
    let d =
        arr2(&[[1e-3, 1e-3, -1.0, 0.0], [1e-3, 1e-3, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]);
    let bridge = FirstOrderLinearRelation::new(c, b).with_d(d);
    let law = ComplementarityCondition::new(4).expect("a law");
    model.add_named_interaction("bridge", [circuit], bridge, law).expect("an interaction");
    let mass =
        model.add_named_system("mass", FirstOrderLinear::new(vec![1.0], arr2(&[[-0.5]]))).expect("a system");
    let relay = FirstOrderLinearRelation::new(arr2(&[[1.0]]), arr2(&[[1.0]]));
    let bounds = Relay::new(vec![-0.25], vec![f64::INFINITY]).expect("a law");
    model.add_named_interaction("relay", [mass], relay, bounds).expect("an interaction");
    let grid = TimeDiscretisation::from_times((0..100).map(|k| 1e-6 * f64::from(k * k + k)).collect())
        .expect("a grid");
    let simulation = TimeStepping::builder(&model)
        .discretisation(grid)
        .integrator_for(circuit, EulerMoreau::new(1.0).expect("a scheme"))
        .build()
        .expect("it fits");
    let written = ModelFile::of(&model, &simulation);
    for expected in ["upper = [inf]", "integrators = { circuit = {", "times = ["] {
        assert!(written.text.contains(expected), "{expected}\n{}", written.text);
    }
    assert_written(&model, simulation, "circuit");
}

/// Returns one link of a chain.
fn link(place: f64) -> NewtonEuler {
    let turn = Quaternion::about([1.0, 2.0, place], 0.3);
    let body =
        NewtonEuler::new(2.0, [[0.3, 0.01, 0.0], [0.01, 0.4, 0.0], [0.0, 0.0, 0.2]], [place, 0.1, 0.2], turn);
    body.with_twist([0.0, 0.1, 0.0], [0.2, 0.0, 0.3]).with_constant_external_force([0.0, 0.0, -19.62])
}

#[test]
fn a_chain_of_joints_is_written() {
    let mut model = NonSmoothDynamicalSystem::new();
    let bodies = [0.0, 1.0, 2.0, 3.0].map(link);
    let ids = bodies.clone().map(|body| model.add_system(body).expect("a body"));
    let joints = [
        (&ids[..1], Joint::revolute(&bodies[0], [-0.5, 0.0, 0.0], [0.0, 3.0, 1.0]).expect("a joint")),
        (&ids[..2], Joint::spherical((&bodies[0], &bodies[1]), [0.5, 0.1, 0.0]).expect("a joint")),
    ];
    for (between, joint) in joints {
        let law = joint.condition().expect("a law");
        model.add_interaction(between.to_vec(), joint, law).expect("a joint");
    }
    let rod = Distance::between((&bodies[1], &bodies[2]), [1.0; 3], [2.0, 0.0, 0.3]).expect("a rod");
    let one = EqualityCondition::new(1).expect("a law");
    model.add_interaction(ids[1..3].to_vec(), rod, one).expect("a rod");
    let plane =
        PointContact::of_ball_and_plane(ContactRows::Friction, 0.1, [0.0, 0.0, -1.0], [0.0, 0.1, 1.0]);
    let friction = NewtonImpactFriction::in_space(0.4, 0.3).expect("a law");
    model.add_interaction([ids[3]], plane.expect("a plane"), friction).expect("a contact");
    let grid = TimeDiscretisation::uniform(0.0, 0.5, 5e-3).expect("a grid");
    let simulation = TimeStepping::builder(&model).discretisation(grid).build().expect("it fits");
    assert_written(&model, simulation, "chain");
}

#[test]
fn what_cannot_be_written_is_listed() {
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_parameter("load [kg]", vec![1.0]).expect("a parameter");
    model.add_parameter("g", vec![9.81]).expect("a parameter");
    let pendulum = Lagrangian::of_mass_function(
        vec![0.1],
        vec![0.0],
        |_: &Parameters, _: &[f64], m: &mut ArrayViewMut2<'_, f64>| {
            m[[0, 0]] = 1.0;
        },
    );
    let swing = |_: At<'_>, q: &[f64], _: &[f64], out: &mut [f64]| out[0] = 9.81 * q[0].sin();
    let mut pendulum = pendulum
        .with_internal_force(swing, Jacobian::FiniteDifference, Jacobian::Zero)
        .with_external_force(|_: At<'_>, out: &mut [f64]| out[0] = 0.0);
    pendulum.set_origin("F_ext", Origin::expressions(["angle", "angle'"], ["0.5 * g"])).expect("a function");
    let pendulum = model.add_named_system("pendulum", pendulum).expect("a system");
    let stop = LagrangianScleronomousRelation::new(1, |_: &Parameters, q: &[f64], y: &mut [f64]| y[0] = q[0])
        .with_jacobian(|_: &Parameters, _: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            j.assign(&Array2::eye(1));
        });
    let law = NewtonImpact::new(0.5).expect("a law");
    model.add_named_interaction("stop", [pendulum], stop, law).expect("an interaction");
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.01).expect("a grid");
    let simulation = TimeStepping::builder(&model).discretisation(grid).build().expect("it fits");
    let written = ModelFile::of(&model, &simulation);
    let listed: Vec<_> =
        written.unwritten.iter().map(|UnwrittenPart { object, part, .. }| (&object[..], &part[..])).collect();
    let expected = [
        ("system `pendulum`", "M"),
        ("system `pendulum`", "F_int"),
        ("system `pendulum`", "derivative of F_int in q"),
        ("interaction `stop`", "h"),
        ("interaction `stop`", "J"),
        ("interaction `stop`", "convective acceleration"),
        ("parameter `load [kg]`", "its name"),
    ];
    assert_eq!(listed, expected, "{:?}", written.unwritten);
    // Everything else is written.
    for expected in [
        "g = 9.81",
        "coordinates = [\"angle\"]",
        "external_force = \"0.5 * g\"",
        "law = { kind = \"newton_impact\", restitution = 0.5 }",
    ] {
        assert!(written.text.contains(expected), "{expected}\n{}", written.text);
    }
    assert!(!written.text.contains("mass"), "{}", written.text);
    let shown = written.unwritten[0].to_string();
    assert_eq!(shown, "system `pendulum`: M is a function of unknown origin");
}
