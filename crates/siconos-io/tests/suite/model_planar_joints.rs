//! Joints, distances and couplers of planar bodies in files. Each model is bit for bit the same as the model
//! built in Rust, and as the model that is read from its own file.

use std::convert::Infallible;
use std::f64::consts::PI;
use std::num::NonZeroI32;
use std::path::Path;

use siconos_io::model::ModelFile;
use siconos_io::siconos_kernel::model::{
    At, Coupler, Distance, Joint, JointBodies, NonSmoothLaw, Relation, SpringDamper,
};
use siconos_io::siconos_kernel::prelude::*;

use crate::same_bits::{assert_is, assert_written, steps};

const HEAD: &str = "format = 1\nkind = \"model\"\n";
const TAIL: &str = "[simulation]\nkind = \"time_stepping\"\nend = 0.5\nstep = 0.005\n";
const AXIS: [f64; 3] = [0.0, 0.0, 1.0];
const STARTS: [[f64; 3]; 3] = [[0.5, 0.0, 0.3], [1.25, 0.25, -0.2], [2.0, 0.5, 0.0]];
const NAMES: [&str; 3] = ["a", "b", "frame"];

const SPRING: &str = "{ kind = \"spring\", stiffness = 40, damping = 0.5 }";
const BOUNCE: &str = "{ kind = \"newton_impact\", restitution = 0.5 }";
const EQUALITY: &str = "\"equality\"";

/// Three planar bodies, of which the first is thrown, and a file that describes them.
struct Scene {
    model: NonSmoothDynamicalSystem,
    ids: Vec<DynamicalSystemId>,
    text: String,
}

impl Scene {
    fn new() -> Self {
        let (mut model, mut ids, mut text) = (NonSmoothDynamicalSystem::new(), Vec::new(), HEAD.to_owned());
        for (start, name) in STARTS.into_iter().zip(NAMES) {
            let speed = if name == "a" { 1.5 } else { 0.0 };
            let body = LagrangianLinear::planar_body(2.0, 0.3, start)
                .with_velocity(vec![0.0, 0.0, speed])
                .with_constant_external_force(vec![0.0, -19.62, 0.0]);
            ids.push(model.add_named_system(name, body).expect("a body"));
            let [x, y, angle] = start;
            text += &format!(
                "[systems.{name}]\nfamily = \"planar_body\"\nmass = 2\ninertia = 0.3\nposition = [{x:?}, {y:?}]\n\
                 angle = {angle:?}\nomega = {speed:?}\nexternal_force = [0, -19.62]\n"
            );
        }
        Self { model, ids, text }
    }

    fn add(
        &mut self,
        name: &str,
        between: &[usize],
        relation: impl Into<Relation>,
        law: NonSmoothLaw,
        text: [&str; 2],
    ) {
        let systems: Vec<_> = between.iter().map(|body| self.ids[*body]).collect();
        self.model.add_named_interaction(name, systems, relation, law).expect("an interaction");
        let names: Vec<_> = between.iter().map(|body| NAMES[*body]).collect();
        let [relation, law] = text;
        self.text +=
            &format!("[interactions.{name}]\nsystems = {names:?}\nrelation = {relation}\nlaw = {law}\n");
    }

    fn joint(&mut self, name: &str, between: &[usize], joint: &Joint, text: &str) {
        let law = joint.condition().expect("a law").into();
        self.add(name, between, joint.clone(), law, [text, EQUALITY]);
    }

    /// Compares the model in Rust with the file, and with the file that is written, unless a function of the
    /// program occurs in the model in Rust.
    fn assert(self, name: &str, has_function: bool) {
        let text = format!("{}{TAIL}", self.text);
        let file = ModelFile::parse(&text, name).unwrap_or_else(|error| panic!("{error}"));
        assert_is(&self.model, &file, name);
        if !has_function {
            assert_written(&self.model, steps(&self.model), name);
        }
    }
}

fn alone(body: usize) -> JointBodies<'static> {
    JointBodies::in_plane(STARTS[body], None)
}

fn pair(first: usize, second: usize) -> JointBodies<'static> {
    JointBodies::in_plane(STARTS[first], Some(STARTS[second]))
}

fn law(law: impl Into<NonSmoothLaw>) -> NonSmoothLaw {
    law.into()
}

#[test]
fn joints_and_distances_are_as_in_rust() -> Result<(), ModelError> {
    for (bodies, between) in [(alone(0), &[0][..]), (pair(0, 1), &[0, 1])] {
        let count = between.len();
        let slide = Joint::prismatic(bodies, [0.5, 0.0, 0.0], [2.0, 1.0, 0.0])?;
        let joints = [
            (
                Joint::revolute(bodies, [0.25, 0.5, 0.0], AXIS)?,
                "{ kind = \"revolute\", point = [0.25, 0.5] }",
            ),
            (
                Joint::revolute(bodies, [0.25, 0.5, 0.0], [0.0, 0.0, -2.0])?,
                "{ kind = \"revolute\", point = [0.25, 0.5, 0], axis = [0, 0, -2] }",
            ),
            (slide.clone(), "{ kind = \"prismatic\", point = [0.5, 0], axis = [2, 1] }"),
            (slide, "{ kind = \"prismatic\", point = [0.5, 0, 0], axis = [2, 1, 0] }"),
            (Joint::fixed(bodies)?, "{ kind = \"fixed\" }"),
        ];
        for (joint, text) in joints {
            let mut scene = Scene::new();
            scene.joint("joint", between, &joint, text);
            scene.assert(&format!("{text}, {count}"), false);
        }
        let ends = ([0.25, 0.5, 0.0], [1.0, 0.75, 0.0]);
        let distance = Distance::between(bodies, ends.0, ends.1)?;
        let text = "kind = \"distance\", first = [0.25, 0.5], second = [1, 0.75, 0]";
        let mut scene = Scene::new();
        let equality = law(EqualityCondition::new(1)?);
        scene.add("rod", between, distance, equality, [&format!("{{ {text} }}"), EQUALITY]);
        scene.assert(&format!("rod, {count}"), false);
        let rope = distance.with_length(1.25)?.slack();
        let text = format!("{{ {text}, length = 1.25, slack = true }}");
        let mut scene = Scene::new();
        scene.add("rope", between, rope, law(NewtonImpact::new(0.5)?), [&text, BOUNCE]);
        scene.assert(&format!("rope, {count}"), false);
    }
    Ok(())
}

#[test]
fn joint_coordinates_are_as_in_rust() -> Result<(), ModelError> {
    let hinge = "{ kind = \"revolute\", point = [0.25, 0.5] }";
    let slide = "{ kind = \"prismatic\", point = [0.5, 0], axis = [2, 1] }";
    for (bodies, between) in [(alone(0), &[0][..]), (pair(0, 1), &[0, 1])] {
        let of_hinge = Joint::revolute(bodies, [0.25, 0.5, 0.0], AXIS)?;
        let of_slide = Joint::prismatic(bodies, [0.5, 0.0, 0.0], [2.0, 1.0, 0.0])?;
        let (angle, way) = (of_hinge.angle().expect("it turns"), of_slide.displacement().expect("it slides"));
        let bounce = || NewtonImpact::new(0.5).map(law);
        let motion = |at: At<'_>| 0.1 * at.t;
        let cases: [(&str, &Joint, &str, Relation, NonSmoothLaw, &str, &str); 6] = [
            (
                "angle",
                &of_hinge,
                hinge,
                angle.clone().into(),
                law(SpringDamper::new(40.0, 0.5)?),
                "kind = \"angle\"",
                SPRING,
            ),
            (
                "way",
                &of_slide,
                slide,
                way.clone().into(),
                law(SpringDamper::new(40.0, 0.5)?),
                "kind = \"way\"",
                SPRING,
            ),
            (
                "stops_of_angle",
                &of_hinge,
                hinge,
                angle.stops(-0.1, 0.2)?.into(),
                bounce()?,
                "kind = \"stops\", lower = -0.1, upper = 0.2",
                BOUNCE,
            ),
            (
                "stops_of_way",
                &of_slide,
                slide,
                way.stops(-0.1, 0.2)?.into(),
                bounce()?,
                "kind = \"stops\", of = \"way\", lower = -0.1, upper = 0.2",
                BOUNCE,
            ),
            (
                "motor",
                &of_hinge,
                hinge,
                angle.prescribed(motion, |_: At<'_>| 0.1).into(),
                law(EqualityCondition::new(1)?),
                "kind = \"prescribed\", motion = \"0.1 * t\"",
                EQUALITY,
            ),
            (
                "pusher",
                &of_slide,
                slide,
                way.prescribed(motion, |_: At<'_>| 0.1).into(),
                law(EqualityCondition::new(1)?),
                "kind = \"prescribed\", motion = \"0.1 * t\"",
                EQUALITY,
            ),
        ];
        for (name, joint, text_of_joint, relation, own, text, text_of_law) in cases {
            let mut scene = Scene::new();
            scene.joint("joint", between, joint, text_of_joint);
            let text = format!("{{ {text}, joint = {text_of_joint} }}");
            scene.add(name, between, relation, own, [&text, text_of_law]);
            scene.assert(&format!("{name}, {}", between.len()), text_of_law == EQUALITY);
        }
    }
    Ok(())
}

#[test]
fn gears_and_racks_are_as_in_rust() -> Result<(), ModelError> {
    let teeth = |count| NonZeroI32::new(count).expect("a wheel has teeth");
    let equality = || EqualityCondition::new(1).map(law);
    let (first, second) =
        ("{ kind = \"revolute\", point = [0.5, 0] }", "{ kind = \"revolute\", point = [1.25, 0.25] }");
    let ([of_first, of_second], points) = ([[0], [1]], [[0.5, 0.0, 0.0], [1.25, 0.25, 0.0]]);
    let axles = [Joint::revolute(alone(0), points[0], AXIS)?, Joint::revolute(alone(1), points[1], AXIS)?];
    let angles = axles.each_ref().map(|axle| axle.angle().expect("it turns"));

    let mut scene = Scene::new();
    scene.joint("axle", &of_first, &axles[0], first);
    scene.joint("shaft", &of_second, &axles[1], second);
    let gear = Coupler::gear((&angles[0], teeth(20)), (&angles[1], teeth(-30)))?;
    let text =
        format!("{{ kind = \"gear\", first_joint = {first}, second_joint = {second}, teeth = [20, -30] }}");
    scene.add("gear", &[0, 1], gear, equality()?, [&text, EQUALITY]);
    scene.assert("gear", false);

    let mut scene = Scene::new();
    let slide = Joint::prismatic(alone(0), points[0], [0.0, 1.0, 0.0])?;
    let text_of_slide = "{ kind = \"prismatic\", point = [0.5, 0], axis = [0, 1] }";
    scene.joint("slide", &of_first, &slide, text_of_slide);
    scene.joint("shaft", &of_second, &axles[1], second);
    let rack = Coupler::rack(&slide.displacement().expect("it slides"), (&angles[1], 0.5))?;
    let text = format!(
        "{{ kind = \"rack\", first_joint = {text_of_slide}, second_joint = {second}, radius = 0.5 }}"
    );
    scene.add("rack", &[0, 1], rack, equality()?, [&text, EQUALITY]);
    scene.assert("rack", false);

    // The third body is the housing of the first wheel, or of both wheels.
    for shares_frame in [true, false] {
        let mut scene = Scene::new();
        let one = Joint::revolute(pair(0, 2), points[0], AXIS)?;
        let (two, of_two) = match shares_frame {
            true => (Joint::revolute(pair(1, 2), points[1], AXIS)?, &[1, 2][..]),
            false => (axles[1].clone(), &[1][..]),
        };
        scene.joint("axle", &[0, 2], &one, first);
        scene.joint("shaft", of_two, &two, second);
        let [one, two] = [one, two].map(|joint| joint.angle().expect("it turns"));
        let gear = Coupler::gear((&one, teeth(20)), (&two, teeth(30)))?;
        let (gear, between, how) = match shares_frame {
            true => (gear.sharing_frame()?, [0, 1, 2], "shares_frame = true"),
            false => (gear, [0, 2, 1], "first_bodies = 2"),
        };
        let text = format!(
            "{{ kind = \"gear\", first_joint = {first}, second_joint = {second}, teeth = [20, 30], {how} }}"
        );
        scene.add("gear", &between, gear, equality()?, [&text, EQUALITY]);
        scene.assert(how, false);
    }
    Ok(())
}

/// A planar body is a Lagrangian system with three coordinates, so a file can describe it as such.
#[test]
fn lagrangian_systems_with_three_coordinates_are_planar_bodies() {
    for (family, mass) in [
        ("lagrangian_linear", "{ diagonal = [2, 2, 0.3] }"),
        ("lagrangian", "[[2, 0, 0], [0, 2, 0], [0, 0, 0.3]]"),
    ] {
        let text = format!(
            "{HEAD}[systems.rod]\nfamily = \"{family}\"\nq = [0.5, 0, 0]\nmass = {mass}\nexternal_force = [0, -19.62, 0]\n\
             [interactions.hinge]\nsystems = \"rod\"\nrelation = {{ kind = \"revolute\", point = [0, 0] }}\n\
             law = \"equality\"\n{TAIL}"
        );
        let file = ModelFile::parse(&text, family).unwrap_or_else(|error| panic!("{error}"));
        let built = file.build().unwrap_or_else(|error| panic!("{error}"));
        let hinge = built.model.interaction(built.interactions[0]).expect("a hinge");
        assert_eq!(hinge.relation().size(), 2, "{family}");
    }
}

/// The slider of the example follows the closed form of a slider-crank mechanism, and the flap stays between
/// its stops.
#[test]
fn the_slider_crank_of_the_example_follows_its_motor() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/keys/planar_joints.toml");
    let file = ModelFile::read(&path).expect("a model");
    assert!(file.check().expect("a correct file").is_empty());
    let mut built = file.build().expect("it can be built");
    let (slider, flap) = (built.systems[2], built.systems[3]);
    let (crank, rod) = (0.1_f64, 0.3_f64);
    let (mut off, mut swings) = (0.0_f64, [0.0_f64; 2]);
    loop {
        let angle = PI * (1.0 - (2.0 * built.state.t).cos());
        let stroke = crank * angle.cos() + (rod.powi(2) - (crank * angle.sin()).powi(2)).sqrt();
        off = off.max((built.state.q(slider)[0] - stroke).abs());
        let swing = built.state.q(flap)[2] - built.state.q(slider)[2];
        swings = [swings[0].min(swing), swings[1].max(swing)];
        if !built.advance(|_| Ok::<_, Infallible>(())).expect("a step") {
            break;
        }
    }
    assert!(off < 1e-4, "{off:e}");
    // The flap hits both stops and goes beyond them by less than its motion in one step.
    assert!(swings.iter().all(|swing| (0.3..0.32).contains(&swing.abs())), "{swings:?}");
}
