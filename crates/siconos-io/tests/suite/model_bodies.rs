//! Rigid bodies in files: state-dependent forces, free joint coordinates, couplers, functions of positions.
//! Each model is bit for bit the same as the model built in Rust.

use std::num::NonZeroI32;

use siconos_io::model::{BuiltModel, ModelFile};
use siconos_io::ndarray::{Array2, ArrayViewMut2};
use siconos_io::siconos_kernel::model::dynamical_system::{Frame, Jacobian};
use siconos_io::siconos_kernel::model::{
    At, Coupler, Joint, NewtonEuler, NewtonEulerRelation, NonSmoothLaw, Quaternion, Relation, RotationUpdate,
    SpringDamper,
};
use siconos_io::siconos_kernel::prelude::*;

use crate::same_bits::{self, assert_same, assert_written, read, steps};

const HEAD: &str = "format = 1\nkind = \"model\"\n";
const TAIL: &str = "\n[simulation]\nkind = \"time_stepping\"\nend = 0.5\nstep = 0.005\n";

fn file(text: &str, name: &str) -> ModelFile {
    ModelFile::parse(&format!("{HEAD}{text}{TAIL}"), name).unwrap_or_else(|error| panic!("{error}"))
}

fn built(text: &str, name: &str) -> BuiltModel {
    file(text, name).build().unwrap_or_else(|error| panic!("{error}"))
}

fn assert_is(model: &NonSmoothDynamicalSystem, text: &str, name: &str) {
    same_bits::assert_is(model, &file(text, name), name);
}

/// Returns a body at a position.
fn body(place: f64) -> NewtonEuler {
    NewtonEuler::new(2.0, [0.3, 0.4, 0.2], [place, 0.0, 0.25], Quaternion::IDENTITY)
        .with_twist([0.0; 3], [0.0, 0.0, 1.5])
        .with_constant_external_force([0.0, 0.0, -19.62])
}

fn text_of_body(name: &str, place: f64) -> String {
    format!(
        "[systems.{name}]\nfamily = \"newton_euler\"\nmass = 2\ninertia = [0.3, 0.4, 0.2]\n\
         position = [{place:?}, 0, 0.25]\nomega = [0, 0, 1.5]\nexternal_force = [0, 0, -19.62]\n"
    )
}

#[test]
fn forces_of_the_state_turn_as_in_rust() {
    for (frame, word) in [(Frame::Space, "space"), (Frame::Body, "body")] {
        for (update, how) in
            [(RotationUpdate::Exponential, "exponential"), (RotationUpdate::Tangent, "tangent")]
        {
            let force = |_: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]| {
                out[0] = 3.0 * q[0] + 0.1 * v[0];
                (out[1], out[2]) = (4.0 * q[1], 5.0 * q[2]);
                (out[3], out[4]) = (0.2 * v[3], 0.6 * q[5]);
            };
            let by_q = |_: At<'_>, q: &[f64], _: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
                (out[[0, 0]], out[[1, 1]], out[[2, 2]]) = (3.0, 4.0, 5.0);
                let tangent = NewtonEuler::tangent(q.try_into().expect("seven coordinates"));
                (3..6).for_each(|j| out[[4, j]] = 0.6 * tangent[5][j]);
            };
            let mut by_v = Array2::zeros((6, 6));
            (by_v[[0, 0]], by_v[[3, 3]]) = (0.1, 0.2);
            let turn = Quaternion::about([1.0, 2.0, 3.0], 0.3);
            let body = NewtonEuler::new(2.0, [0.3, 0.4, 0.2], [0.1, 0.0, 0.25], turn)
                .with_twist([0.0, 1.0, 0.0], [0.5, 0.0, 1.5])
                .with_internal_force(frame, force, Jacobian::function(by_q), Jacobian::Constant(by_v))
                .with_rotation_update(update);
            let mut model = NonSmoothDynamicalSystem::new();
            model.add_named_system("body", body).expect("a body");
            let text = format!(
                "[systems.body]\nfamily = \"newton_euler\"\nmass = 2\ninertia = [0.3, 0.4, 0.2]\n\
                 position = [0.1, 0, 0.25]\nattitude = {{ axis = [1, 2, 3], angle = 0.3 }}\n\
                 velocity = [0, 1, 0]\nomega = [0.5, 0, 1.5]\n\
                 internal_force = [\"3 * x + 0.1 * x'\", \"4 * y\", \"5 * z\", \"0.2 * omega[0]\", \"0.6 * e[2]\", 0]\n\
                 internal_frame = \"{word}\"\nrotation_update = \"{how}\"\n"
            );
            assert_is(&model, &text, &format!("{word}, {how}"));
        }
    }
}

#[test]
fn given_derivatives_of_a_body_are_taken() {
    let text = |derivative: &str| {
        let force = "internal_force = [\"3 * x\", 0, 0, 0, \"0.6 * e[2]\", 0]\n";
        format!("{}{force}{derivative}", text_of_body("body", 0.1))
    };
    let zeros = "[0, 0, 0, 0, 0, 0]";
    let wrong = format!(
        "internal_derivative = {{ q = [[7, 0, 0, 0, 0, 0], {zeros}, {zeros}, {zeros}, {zeros}, {zeros}] }}\n"
    );
    let first = built(&text(&wrong), "given");
    let written = first.written();
    assert_eq!(written.unwritten, []);
    assert!(written.text.contains("internal_derivative"), "{}", written.text);
    assert_same(first, read(&written, "given"), "given");
    assert!(!built(&text(""), "derived").written().text.contains("internal_derivative"));
}

#[test]
fn what_joints_leave_free_is_a_relation() {
    let hinge = "{ kind = \"revolute\", point = [0, 0, 0], axis = [0, 0, 2] }";
    let tube = "{ kind = \"cylindrical\", point = [0, 0, 0], axis = [0, 0, 2] }";
    let of_joint = |joint: &str| {
        format!("[interactions.joint]\nsystems = [\"body\"]\nrelation = {joint}\nlaw = \"equality\"\n")
    };
    let with = |relation: &str, law: &str| {
        format!("[interactions.free]\nsystems = [\"body\"]\nrelation = {relation}\nlaw = {law}\n")
    };
    let one = body(0.5);
    let revolute = Joint::revolute(&one, [0.0; 3], [0.0, 0.0, 2.0]).expect("a joint");
    let cylindrical = Joint::cylindrical(&one, [0.0; 3], [0.0, 0.0, 2.0]).expect("a joint");
    let bounce = NonSmoothLaw::from(NewtonImpact::new(0.5).expect("a law"));
    let spring = NonSmoothLaw::from(SpringDamper::new(40.0, 0.5).expect("a law"));
    let equality = NonSmoothLaw::from(EqualityCondition::new(1).expect("a law"));
    let [angle, of_tube] = [&revolute, &cylindrical].map(|joint| joint.angle().expect("it turns"));
    let way = cylindrical.displacement().expect("it slides");
    let motion = way.prescribed(|at: At<'_>| 0.1 * at.t, |_: At<'_>| 0.1);
    let cases: [(&str, &Joint, &str, Relation, NonSmoothLaw, String); 6] = [
        (
            "angle",
            &revolute,
            hinge,
            angle.clone().into(),
            spring.clone(),
            with(&format!("{{ kind = \"angle\", joint = {hinge} }}"), SPRING),
        ),
        (
            "way",
            &cylindrical,
            tube,
            way.clone().into(),
            spring.clone(),
            with(&format!("{{ kind = \"way\", joint = {tube} }}"), SPRING),
        ),
        (
            "stops",
            &revolute,
            hinge,
            angle.stops(-0.1, 0.2).expect("stops").into(),
            bounce.clone(),
            with(&format!("{{ kind = \"stops\", joint = {hinge}, lower = -0.1, upper = 0.2 }}"), BOUNCE),
        ),
        (
            "stops of a way",
            &cylindrical,
            tube,
            way.stops(-0.5, 0.2).expect("stops").into(),
            bounce.clone(),
            with(
                &format!("{{ kind = \"stops\", joint = {tube}, of = \"way\", lower = -0.5, upper = 0.2 }}"),
                BOUNCE,
            ),
        ),
        (
            "stops of an angle",
            &cylindrical,
            tube,
            of_tube.stops(-0.5, 0.2).expect("stops").into(),
            bounce,
            with(
                &format!("{{ kind = \"stops\", joint = {tube}, of = \"angle\", lower = -0.5, upper = 0.2 }}"),
                BOUNCE,
            ),
        ),
        (
            "prescribed",
            &cylindrical,
            tube,
            motion.into(),
            equality,
            with(
                &format!("{{ kind = \"prescribed\", joint = {tube}, of = \"way\", motion = \"0.1 * t\" }}"),
                "\"equality\"",
            ),
        ),
    ];
    for (name, joint, text_of_joint, relation, law, text) in cases {
        let mut model = NonSmoothDynamicalSystem::new();
        let id = model.add_named_system("body", one.clone()).expect("a body");
        let condition = joint.condition().expect("a law");
        model.add_named_interaction("joint", [id], joint.clone(), condition).expect("a joint");
        model.add_named_interaction("free", [id], relation, law).expect("a relation");
        let text = format!("{}{}{text}", text_of_body("body", 0.5), of_joint(text_of_joint));
        assert_is(&model, &text, name);
        if name != "prescribed" {
            assert_written(&model, steps(&model), name);
        }
    }
}

const SPRING: &str = "{ kind = \"spring\", stiffness = 40, damping = 0.5 }";
const BOUNCE: &str = "{ kind = \"newton_impact\", restitution = 0.5 }";

/// Two or three bodies on joints with axes along z, connected by a coupler.
struct Coupled {
    model: NonSmoothDynamicalSystem,
    bodies: Vec<NewtonEuler>,
    ids: Vec<DynamicalSystemId>,
    text: String,
}

impl Coupled {
    fn new(places: &[f64]) -> Self {
        let mut model = NonSmoothDynamicalSystem::new();
        let bodies: Vec<_> = places.iter().map(|place| body(*place)).collect();
        let names = ["a", "b", "frame"];
        let ids = bodies
            .iter()
            .zip(names)
            .map(|(body, name)| model.add_named_system(name, body.clone()).expect("a body"));
        let ids = ids.collect();
        let text = places.iter().zip(names).map(|(place, name)| text_of_body(name, *place)).collect();
        Self { model, bodies, ids, text }
    }

    /// Adds a joint between the bodies with these indices.
    fn joint(&mut self, name: &str, joint: &Joint, between: &[usize], text: &str) {
        let systems: Vec<_> = between.iter().map(|place| self.ids[*place]).collect();
        let condition = joint.condition().expect("a law");
        self.model.add_named_interaction(name, systems, joint.clone(), condition).expect("a joint");
        let names: Vec<_> =
            between.iter().map(|place| format!("\"{}\"", ["a", "b", "frame"][*place])).collect();
        self.text += &format!(
            "[interactions.{name}]\nsystems = [{}]\nrelation = {text}\nlaw = \"equality\"\n",
            names.join(", ")
        );
    }

    fn assert_is(mut self, coupler: Coupler, between: &[usize], text: &str, name: &str) {
        let systems: Vec<_> = between.iter().map(|place| self.ids[*place]).collect();
        let condition = EqualityCondition::new(1).expect("a law");
        self.model.add_named_interaction("coupler", systems, coupler, condition).expect("a coupler");
        let names: Vec<_> =
            between.iter().map(|place| format!("\"{}\"", ["a", "b", "frame"][*place])).collect();
        self.text += &format!(
            "[interactions.coupler]\nsystems = [{}]\nrelation = {text}\nlaw = \"equality\"\n",
            names.join(", ")
        );
        assert_is(&self.model, &self.text, name);
        assert_written(&self.model, steps(&self.model), name);
    }
}

fn teeth(count: i32) -> NonZeroI32 {
    NonZeroI32::new(count).expect("it is not 0")
}

fn turning(place: f64) -> (String, [f64; 3], [f64; 3]) {
    let text = format!("{{ kind = \"revolute\", point = [{place:?}, 0, 0], axis = [0, 0, 1] }}");
    (text, [place, 0.0, 0.0], [0.0, 0.0, 1.0])
}

#[test]
fn gears_and_racks_tie_joints_as_in_rust() {
    let mut both = Coupled::new(&[0.0, 0.75]);
    let ((first, point, axis), (second, other, _)) = (turning(0.0), turning(0.75));
    let one = Joint::revolute(&both.bodies[0], point, axis).expect("a joint");
    let two = Joint::revolute(&both.bodies[1], other, axis).expect("a joint");
    both.joint("axle", &one, &[0], &first);
    both.joint("shaft", &two, &[1], &second);
    let gear = Coupler::gear(
        (&one.angle().expect("it turns"), teeth(20)),
        (&two.angle().expect("it turns"), teeth(-30)),
    );
    let text =
        format!("{{ kind = \"gear\", first_joint = {first}, second_joint = {second}, teeth = [20, -30] }}");
    both.assert_is(gear.expect("a gear"), &[0, 1], &text, "gear");

    let mut both = Coupled::new(&[0.0, 0.75]);
    let slide = "{ kind = \"prismatic\", point = [0, 0, 0], axis = [0, 1, 0] }";
    let one = Joint::prismatic(&both.bodies[0], [0.0; 3], [0.0, 1.0, 0.0]).expect("a joint");
    let two = Joint::revolute(&both.bodies[1], other, axis).expect("a joint");
    both.joint("slide", &one, &[0], slide);
    both.joint("shaft", &two, &[1], &second);
    let rack = Coupler::rack(&one.displacement().expect("it slides"), (&two.angle().expect("it turns"), 0.5));
    let text = format!("{{ kind = \"rack\", first_joint = {slide}, second_joint = {second}, radius = 0.5 }}");
    both.assert_is(rack.expect("a rack"), &[0, 1], &text, "rack");
}

#[test]
fn gears_in_a_housing_and_screws_are_as_in_rust() {
    let ((first, point, axis), (second, other, _)) = (turning(0.0), turning(0.75));
    for (shares_frame, between) in [(true, &[0, 1, 2][..]), (false, &[0, 2, 1][..])] {
        let mut all = Coupled::new(&[0.0, 0.75, 1.5]);
        let [a, b, frame] = &all.bodies[..] else { panic!("three bodies") };
        let one = Joint::revolute((a, frame), point, axis).expect("a joint");
        let two = match shares_frame {
            true => Joint::revolute((b, frame), other, axis).expect("a joint"),
            false => Joint::revolute(b, other, axis).expect("a joint"),
        };
        all.joint("axle", &one, &[0, 2], &first);
        all.joint("shaft", &two, if shares_frame { &[1, 2] } else { &[1] }, &second);
        let gear = Coupler::gear(
            (&one.angle().expect("it turns"), teeth(20)),
            (&two.angle().expect("it turns"), teeth(30)),
        );
        let mut gear = gear.expect("a gear");
        let mut how = "first_bodies = 2";
        if shares_frame {
            (gear, how) = (gear.sharing_frame().expect("a housing"), "shares_frame = true");
        }
        let text = format!(
            "{{ kind = \"gear\", first_joint = {first}, second_joint = {second}, teeth = [20, 30], {how} }}"
        );
        all.assert_is(gear, between, &text, how);
    }
    let mut one = Coupled::new(&[0.0]);
    let tube = "{ kind = \"cylindrical\", point = [0, 0, 0], axis = [0, 0, 1] }";
    let nut = Joint::cylindrical(&one.bodies[0], point, axis).expect("a joint");
    one.joint("tube", &nut, &[0], tube);
    let text = format!("{{ kind = \"screw\", joint = {tube}, lead = -0.25 }}");
    one.assert_is(Coupler::screw(&nut, -0.25).expect("a screw"), &[0], &text, "screw");
}

#[test]
fn functions_of_positions_act_as_in_rust() {
    let rising = NewtonEulerRelation::new(1, |at: At<'_>, q: &[f64], y: &mut [f64]| y[0] = q[2] - 0.1 * at.t)
        .with_derivative(|_: At<'_>, _: &[f64], c: &mut ArrayViewMut2<'_, f64>| c[[0, 2]] = 1.0)
        .with_time_derivative(|_: At<'_>, _: &[f64], rate: &mut [f64]| rate[0] = -0.1);
    let pushed = NewtonEulerRelation::new(1, |_: At<'_>, q: &[f64], y: &mut [f64]| y[0] = q[2] + 0.5 * q[4])
        .with_derivative(|_: At<'_>, _: &[f64], c: &mut ArrayViewMut2<'_, f64>| {
            (c[[0, 2]], c[[0, 4]]) = (1.0, 0.5);
        })
        .with_input(|_: At<'_>, _: &[f64], g: &mut ArrayViewMut2<'_, f64>| {
            (g[[0, 2]], g[[0, 5]]) = (1.0, 0.25);
        });
    let cases = [
        ("rising", rising, "{ kind = \"newton_euler\", h = \"z - 0.1 * t\" }"),
        (
            "pushed",
            pushed,
            "{ kind = \"newton_euler\", h = \"body.z + 0.5 * e[1]\", input = [[0, 0, 1, 0, 0, 0.25]] }",
        ),
    ];
    for (name, relation, text) in cases {
        let mut model = NonSmoothDynamicalSystem::new();
        let id = model.add_named_system("body", body(0.5)).expect("a body");
        let law = NewtonImpact::new(0.5).expect("a law");
        model.add_named_interaction("floor", [id], relation, law).expect("a relation");
        let text = format!(
            "{}[interactions.floor]\nsystems = \"body\"\nrelation = {text}\nlaw = {BOUNCE}\n",
            text_of_body("body", 0.5)
        );
        assert_is(&model, &text, name);
    }
}
