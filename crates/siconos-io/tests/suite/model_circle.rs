//! Directions in the plane as configurations. The bits are the same as in Rust, and the motion is the same as
//! with an angle.

use siconos_io::model::ModelFile;
use siconos_io::ndarray::arr2;
use siconos_io::siconos_kernel::model::{At, LagrangianScleronomousRelation, UnitCircle};
use siconos_io::siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use crate::same_bits;

const BY_STEPS: &str =
    "format = 1\nkind = \"model\"\n[simulation]\nkind = \"time_stepping\"\nend = 0.5\nstep = 0.005\n";

/// A damped pendulum, horizontal at the start, with a stop below.
const PENDULUM: &str = "[systems.arm]\nfamily = \"lagrangian\"\nconfiguration = \"unit_circle\"\nq = [1, 0]\nmass = 1\n\
                        internal_force = \"9.81 * q[0] + 0.25 * omega\"\n\
                        [interactions.stop]\nsystems = \"arm\"\nrelation = { kind = \"scleronomous\", h = \"q[1] + 0.3\" }\n\
                        law = { kind = \"newton_impact\", restitution = 0.5 }\n";

#[test]
fn a_direction_of_the_plane_turns_as_in_rust() {
    let arm = Lagrangian::new(vec![1.0, 0.0], vec![0.0], arr2(&[[1.0]]))
        .with_configuration(UnitCircle)
        .with_internal_force(
            |_: At<'_>, q: &[f64], v: &[f64], f: &mut [f64]| f[0] = 9.81 * q[0] + 0.25 * v[0],
            Jacobian::function(|_, q, _, j| j[[0, 0]] = -9.81 * q[1]),
            Jacobian::Constant(arr2(&[[0.25]])),
        );
    let mut model = NonSmoothDynamicalSystem::new();
    let arm = model.add_named_system("arm", arm).expect("a system");
    let stop = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[1] + 0.3)
        .with_jacobian(|_, q, j| j[[0, 0]] = q[0])
        .with_convective_acceleration(|_, q, v, out| out[0] = -v[0] * v[0] * q[1]);
    let law = NewtonImpact::new(0.5).expect("a law");
    model.add_named_interaction("stop", [arm], stop, law).expect("an interaction");
    let file = ModelFile::parse(&format!("{BY_STEPS}{PENDULUM}"), "arm.toml").expect("a model");
    same_bits::assert_is(&model, &file, "arm");
    assert_eq!(file.build().expect("a model").recorder.names(), ["t", "arm.q[0]", "arm.q[1]", "arm.omega"]);
}

const BY_EVENTS: &str = "format = 1\nkind = \"model\"\n[output]\nrows = \"grid\"\n\
                         [simulation]\nkind = \"event_driven\"\nend = 2\nstep = 0.05\n\
                         integrator = { kind = \"ode\", relative_tolerance = 1e-12, absolute_tolerance = 1e-12 }\n";

/// A mass on a spring, pushed by the pendulum.
const SLIDER: &str = "[systems.slider]\nfamily = \"lagrangian_linear\"\nq = 0.9\nmass = 1\nstiffness = 50\n\
                      external_force = \"5 + sin(t)\"\n";

#[test]
fn a_direction_of_the_plane_moves_as_its_angle() {
    let rows = |text: &str| {
        let file = ModelFile::parse(text, "arm.toml").unwrap_or_else(|error| panic!("{error}"));
        same_bits::rows(file.build().unwrap_or_else(|error| panic!("{error}")))
    };
    let push = |place: &str| {
        format!(
            "[interactions.push]\nsystems = [\"arm\", \"slider\"]\n\
             relation = {{ kind = \"rheonomous\", h = \"slider.q - 0.5 * {place} + 0.01 * sin(t)\" }}\n\
             law = {{ kind = \"newton_impact\", restitution = 0.8 }}\n"
        )
    };
    let columns = |x: &str, y: &str, omega: &str| {
        format!("[output.columns]\nx = \"{x}\"\ny = \"{y}\"\nomega = \"{omega}\"\nq = \"slider.q\"\n")
    };
    let of_direction = format!(
        "{BY_EVENTS}{PENDULUM}{SLIDER}{}{}",
        push("arm.q[0]"),
        columns("arm.q[0]", "arm.q[1]", "arm.omega")
    );
    let in_angle = PENDULUM
        .replace("configuration = \"unit_circle\"\nq = [1, 0]", "q = 0")
        .replace("q[0]", "cos(q)")
        .replace("q[1]", "sin(q)")
        .replace("omega", "q'");
    let in_angle = format!(
        "{BY_EVENTS}{in_angle}{SLIDER}{}{}",
        push("cos(arm.q)"),
        columns("cos(arm.q)", "sin(arm.q)", "arm.q'")
    );
    let (found, expected) = (rows(&of_direction), rows(&in_angle));
    assert_eq!(found.len(), expected.len());
    assert!(found.len() > 40 && found.last() != found.first());
    let off = found.iter().flatten().zip(expected.iter().flatten());
    let off = off.map(|(a, b)| (a - b).abs()).fold(0.0, worse);
    assert!(off < 1e-8, "{off:e}");
}

#[test]
fn what_a_direction_of_the_plane_cannot_be_is_told() {
    let said = |text: String| match ModelFile::parse(&text, "arm.toml") {
        Ok(file) => file.build().expect_err("it is refused").to_string(),
        Err(error) => error.to_string(),
    };
    for (own, other, expected) in [
        ("q = [1, 0]", "q = [1, 0, 0]", "must have two numbers"),
        ("q = [1, 0]", "q = [1, 0]\nv = [0, 1]", "this has 2 numbers; it must have 1"),
        ("q = [1, 0]", "coordinates = [\"omega\", \"b\"]\nq = [1, 0]", "appears twice"),
        ("\"unit_circle\"", "\"unit_sphere\"", "expected one of `unit_circle`"),
        ("mass = 1", "mass = { diagonal = [1, 1] }", "this matrix is 2 x 2; it must be 1 x 1"),
        (
            "{ kind = \"scleronomous\", h = \"q[1] + 0.3\" }",
            "{ kind = \"lagrangian_linear\", H = [[1, 0]] }",
            "is not a vector",
        ),
    ] {
        let text = PENDULUM.replacen(own, other, 1);
        assert_ne!(text, PENDULUM);
        let said = said(format!("{BY_STEPS}{text}"));
        assert!(said.contains(expected), "{other}: {said}");
    }
    let alone = PENDULUM.split("[interactions").next().expect("the system");
    let said = said(format!("{BY_STEPS}{alone}first_order = true\n"));
    assert!(said.contains("has no first-order form"), "{said}");
}
