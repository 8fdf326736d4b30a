//! Contacts of shapes and planar bodies in files. Each model is bit for bit the same as the model built in
//! Rust.

use siconos_io::model::ModelFile;
use siconos_io::siconos_kernel::model::NonSmoothLaw;
use siconos_io::siconos_kernel::prelude::*;

use crate::same_bits;

const HEAD: &str = "format = 1\nkind = \"model\"\n";
const TAIL: &str = "\n[simulation]\nkind = \"time_stepping\"\nend = 0.5\nstep = 0.005\n";

fn file(text: &str) -> Result<ModelFile, String> {
    ModelFile::parse(&format!("{HEAD}{text}{TAIL}"), "contacts.toml").map_err(|error| error.to_string())
}

fn assert_is(model: &NonSmoothDynamicalSystem, text: &str, name: &str) {
    let file = file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    same_bits::assert_is(model, &file, name);
}

/// Text of two bodies in space, and of their model in Rust.
const BODIES: &str = "[systems.top]\nfamily = \"newton_euler\"\nmass = 2\ninertia = [0.3, 0.4, 0.2]\n\
                      position = [0.1, 0, 0.5]\nomega = [0, 1, 0]\nexternal_force = [0, 0, -19.62]\n\
                      [systems.base]\nfamily = \"newton_euler\"\nmass = 3\ninertia = [0.3, 0.4, 0.2]\n\
                      position = [0, 0, 0.1]\nexternal_force = [0, 0, -29.43]\n";

fn bodies(model: &mut NonSmoothDynamicalSystem) -> Result<[DynamicalSystemId; 2], ModelError> {
    let top = NewtonEuler::new(2.0, [0.3, 0.4, 0.2], [0.1, 0.0, 0.5], Quaternion::IDENTITY)
        .with_twist([0.0; 3], [0.0, 1.0, 0.0])
        .with_constant_external_force([0.0, 0.0, -19.62]);
    let base = NewtonEuler::new(3.0, [0.3, 0.4, 0.2], [0.0, 0.0, 0.1], Quaternion::IDENTITY)
        .with_constant_external_force([0.0, 0.0, -29.43]);
    Ok([model.add_named_system("top", top)?, model.add_named_system("base", base)?])
}

/// Contact of a body in space, with the text of its shape and the rest of the text of its interaction.
struct SpatialCase<'a> {
    name: &'a str,
    balls: &'a [ContactBall],
    surface: ContactSurface,
    rows: ContactRows,
    shape: &'a str,
    rest: String,
    law: NonSmoothLaw,
}

/// Contact of a planar body, with the texts of its shapes and its coefficient of rolling friction.
struct PlanarCase<'a> {
    name: &'a str,
    discs: Vec<Disc>,
    surface: PlanarSurface,
    rows: PlanarRows,
    shape: &'a str,
    against: &'a str,
    rolls: f64,
}

#[test]
fn contacts_in_space_are_those_of_rust() -> Result<(), ModelError> {
    let floor = ContactSurface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] };
    let top = ContactSurface::Plane { point: [0.0, 0.0, 0.1], normal: [0.0, 0.0, 1.0] };
    let dome = ContactSurface::Ball(ContactBall { centre: [0.0, 0.0, -0.2], radius: 0.3 });
    let ball = |centre, radius| ContactBall { centre, radius };
    let corners = ContactBall::corners([0.4, 0.3, 0.2]);
    let feet = [ball([0.1, 0.0, -0.1], 0.02), ball([-0.1, 0.1, -0.1], 0.02), ball([-0.1, -0.1, -0.1], 0.02)];
    let friction = NewtonImpactFriction::in_space(0.3, 0.5)?;
    let (words_of_friction, plane) = (
        "{ kind = \"newton_impact_friction\", dimension = 3, restitution = 0.3, mu = 0.5 }",
        "{ kind = \"plane\", normal = [0, 0, 1] }",
    );
    let rolling = friction.with_rolling(1e-3)?;
    let cases = [
SpatialCase { name: "box and plane", balls: &corners, surface: floor, rows: ContactRows::Friction, shape: "{ kind = \"box\", lengths = [0.4, 0.3, 0.2] }", rest: format!("against = {plane} }}\nlaw = {words_of_friction}"), law: friction.into() },
SpatialCase { name: "points with a radius", balls: &feet, surface: floor, rows: ContactRows::Friction, shape: "{ kind = \"points\", at = [[0.1, 0, -0.1], [-0.1, 0.1, -0.1], [-0.1, -0.1, -0.1]], radius = 0.02 }", rest: format!("against = {plane} }}\nlaw = {words_of_friction}"), law: friction.into() },
SpatialCase { name: "ball off the centre on a ball", balls: &[ball([0.0, 0.1, 0.0], 0.1)], surface: dome, rows: ContactRows::Rolling, shape: "{ kind = \"ball\", radius = 0.1, centre = [0, 0.1, 0] }", rest: "against = { kind = \"ball\", radius = 0.3, centre = [0, 0, -0.2] } }\nlaw = \
             { kind = \"newton_impact_friction\", dimension = 3, restitution = 0.3, mu = 0.5, mu_rolling = 1e-3 }"
                .to_owned(), law: rolling.into() },
SpatialCase { name: "point on a plane of a body", balls: &[ball([0.0, 0.0, -0.1], 0.0)], surface: top, rows: ContactRows::Normal, shape: "{ kind = \"point\", at = [0, 0, -0.1] }", rest: "against = { kind = \"plane\", normal = [0, 0, 1], point = [0, 0, 0.1] } }\n\
             law = { kind = \"newton_impact\", restitution = 0.3 }"
                .to_owned(), law: NewtonImpact::new(0.3)?.into() },
SpatialCase { name: "rows in a plane", balls: &[ball([0.0; 3], 0.1)], surface: dome, rows: ContactRows::InPlane { axis: [0.0, 1.0, 0.0] }, shape: "{ kind = \"ball\", radius = 0.1 }", rest: "against = { kind = \"ball\", radius = 0.3, centre = [0, 0, -0.2] }, \
             rows = { kind = \"in_plane\", axis = [0, 1, 0] } }\nlaw = \
             { kind = \"newton_impact_friction\", dimension = 2, restitution = 0.3, mu = 0.5 }"
                .to_owned(), law: NewtonImpactFriction::in_plane(0.3, 0.5)?.into() },
    ];
    for SpatialCase { name, balls, surface, rows, shape, rest, law } in cases {
        for is_on_body in [false, true] {
            let mut model = NonSmoothDynamicalSystem::new();
            let ids = bodies(&mut model)?;
            let (systems, between) = match is_on_body {
                true => (&ids[..], "[\"top\", \"base\"]"),
                false => (&ids[..1], "\"top\""),
            };
            let make = if is_on_body { PointContact::between } else { PointContact::at_rest };
            let contact = make(rows, balls.to_vec(), surface)?;
            model.add_named_interaction("pair", systems.to_vec(), contact, law.clone())?;
            let text = format!(
                "{BODIES}[interactions.pair]\nsystems = {between}\nrelation = {{ kind = \"contact\", shape = {shape}, {rest}\n"
            );
            assert_is(&model, &text, &format!("{name}, {is_on_body}"));
        }
    }
    Ok(())
}

#[test]
fn planar_contacts_are_those_of_rust() -> Result<(), ModelError> {
    let line = PlanarSurface::Line { point: [0.0; 2], normal: [0.0, 1.0] };
    let round = PlanarSurface::Disc(Disc { centre: [0.0, -0.3], radius: 0.3 });
    let cases = [
        PlanarCase {
            name: "box and line",
            discs: Disc::corners([0.4, 0.2]).to_vec(),
            surface: line,
            rows: PlanarRows::Friction,
            shape: "{ kind = \"box\", lengths = [0.4, 0.2] }",
            against: "{ kind = \"line\", normal = [0, 1] }",
            rolls: 0.0,
        },
        PlanarCase {
            name: "rolling disc",
            discs: vec![Disc::centred(0.1)],
            surface: line,
            rows: PlanarRows::Rolling,
            shape: "{ kind = \"disc\", radius = 0.1 }",
            against: "{ kind = \"line\", normal = [0, 1] }",
            rolls: 1e-3,
        },
        PlanarCase {
            name: "points on a disc",
            discs: vec![Disc::point([0.1, -0.1]), Disc::point([-0.1, -0.1])],
            surface: round,
            rows: PlanarRows::Friction,
            shape: "{ kind = \"points\", at = [[0.1, -0.1], [-0.1, -0.1]] }",
            against: "{ kind = \"disc\", radius = 0.3, centre = [0, -0.3] }",
            rolls: 0.0,
        },
        PlanarCase {
            name: "point on a disc",
            discs: vec![Disc::point([0.1, -0.1])],
            surface: round,
            rows: PlanarRows::Friction,
            shape: "{ kind = \"point\", at = [0.1, -0.1] }",
            against: "{ kind = \"disc\", radius = 0.3, centre = [0, -0.3] }",
            rolls: 0.0,
        },
    ];
    for PlanarCase { name, discs, surface, rows, shape, against, rolls } in cases {
        for is_on_body in [false, true] {
            let mut model = NonSmoothDynamicalSystem::new();
            let top = LagrangianLinear::planar_body(2.0, 0.1, [0.1, 0.4, 0.2])
                .with_velocity(vec![0.3, 0.0, 1.0])
                .with_constant_external_force(vec![0.0, -19.62, 0.5]);
            let top = model.add_named_system("top", top)?;
            let base = model.add_named_system("base", LagrangianLinear::planar_body(3.0, 0.2, [0.0; 3]))?;
            let (systems, between) = match is_on_body {
                true => (vec![top, base], "[\"top\", \"base\"]"),
                false => (vec![top], "\"top\""),
            };
            let make = if is_on_body { PlanarContact::between } else { PlanarContact::at_rest };
            let law = NewtonImpactFriction::in_plane(0.3, 0.5)?;
            let (law, rolling) = match rolls {
                0.0 => (law, String::new()),
                rolls => (law.with_rolling(rolls)?, format!(", mu_rolling = {rolls}")),
            };
            model.add_named_interaction("pair", systems, make(rows, discs.clone(), surface)?, law)?;
            let text = format!(
                "[systems.top]\nfamily = \"planar_body\"\nmass = 2\ninertia = 0.1\nposition = [0.1, 0.4]\n\
                 angle = 0.2\nvelocity = [0.3, 0]\nomega = 1\nexternal_force = [0, -19.62]\nexternal_moment = 0.5\n\
                 [systems.base]\nfamily = \"planar_body\"\nmass = 3\ninertia = 0.2\nposition = [0, 0]\n\
                 [interactions.pair]\nsystems = {between}\n\
                 relation = {{ kind = \"planar_contact\", shape = {shape}, against = {against} }}\n\
                 law = {{ kind = \"newton_impact_friction\", dimension = 2, restitution = 0.3, mu = 0.5{rolling} }}\n"
            );
            assert_is(&model, &text, &format!("{name}, {is_on_body}"));
        }
    }
    Ok(())
}

/// The force and the moment of a planar body can depend on time and parameters, and relations read its
/// coordinates by name.
#[test]
fn planar_bodies_have_names_and_forces_of_time() {
    let text = "[parameters]\npush = 3\n[systems.card]\nfamily = \"planar_body\"\nmass = 2\ninertia = 0.5\n\
                position = [0, 1]\nexternal_force = [\"push * t\", 0]\nexternal_moment = \"push\"\n\
                [interactions.wall]\nsystems = \"card\"\n\
                relation = { kind = \"scleronomous\", h = \"10 - x - 0.1 * sin(angle)\" }\n\
                law = { kind = \"newton_impact\", restitution = 0 }\n";
    let mut run = file(text).expect("a model").build().expect("a model");
    run.to_end(|_| Ok::<_, std::convert::Infallible>(())).expect("a run");
    let v = run.state.v(run.systems[0]);
    assert!(
        (v[0] - 0.5 * 3.0 * 0.25 / 2.0).abs() < 1e-12 && v[1] == 0.0 && (v[2] - 3.0).abs() < 1e-12,
        "{v:?}"
    );
}

#[test]
fn faults_of_shapes_are_named() {
    let text = |shape: &str, rest: &str, law: &str| {
        format!(
            "{BODIES}[interactions.pair]\nsystems = \"top\"\nrelation = {{ kind = \"contact\", shape = {shape}, {rest} }}\nlaw = {law}\n"
        )
    };
    let (ball, plane, impact) = (
        "{ kind = \"ball\", radius = 0.1 }",
        "against = { kind = \"plane\", normal = [0, 0, 1] }",
        "{ kind = \"newton_impact\", restitution = 0 }",
    );
    let in_plane = "{ kind = \"newton_impact_friction\", dimension = 2, restitution = 0, mu = 0.5 }";
    for (shape, rest, law, expected) in [
        (
            "{ kind = \"bal\", radius = 0.1 }",
            plane,
            impact,
            "expected one of `ball`, `point`, `points`, `box`, found `bal`; did you mean `ball`?",
        ),
        ("{ radius = 0.1 }", plane, impact, "the key `kind` is missing"),
        ("{ kind = \"box\", lengths = [1, 2] }", plane, impact, "this has 2 numbers; it must have 3"),
        (ball, "against = { kind = \"plane\" }", impact, "the key `normal` is missing"),
        (
            ball,
            "against = { kind = \"line\", normal = [0, 1] }",
            impact,
            "expected one of `plane`, `ball`, found `line`",
        ),
        (ball, plane, in_plane, "the law has 2 components, but a contact has 1, 3 or 5"),
        (
            "{ kind = \"ball\", radius = -0.1 }",
            plane,
            impact,
            "a length must be finite and nonnegative, not -0.1",
        ),
        (ball, "against = { kind = \"plane\", normal = [0, 0, 0] }", impact, "must have a nonzero length"),
    ] {
        let text = text(shape, rest, law);
        let error = file(&text).and_then(|file| file.build().map(drop).map_err(|error| error.to_string()));
        let error = error.expect_err(expected);
        assert!(error.contains(expected), "{shape} {rest}: {error}");
    }
    let bead = "[systems.bead]\nfamily = \"lagrangian_linear\"\nq = [0, 0]\nmass = [[1, 0], [0, 1]]\n\
                [interactions.line]\nsystems = \"bead\"\nrelation = { kind = \"planar_contact\", \
                shape = { kind = \"disc\", radius = 0.1 }, against = { kind = \"line\", normal = [0, 1] } }\n\
                law = { kind = \"newton_impact\", restitution = 0 }\n";
    let error = file(bead).expect_err("two coordinates");
    assert!(
        error.contains("systems of the family `planar_body`, but `bead` does not have three coordinates"),
        "{error}"
    );
}
