//! Test that every method of the kernel that creates or changes systems, relations, laws and devices has a
//! counterpart in files, or a reason why it has none. The methods are taken from `docs/interface`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use siconos_kernel::model::NonSmoothLaw;

use super::{control, interactions, laws, read, relations, systems};
use crate::document::{Key, Shape, shape_of, snake_case};

/// Counterpart in files of each method: a key, or the name of a kind.
const IN_FILES: [(&str, &[(&str, &str)]); 43] = [
    (
        "NonSmoothDynamicalSystem",
        &[
            ("new", "kind"),
            ("add_system", "systems"),
            ("add_named_system", "systems"),
            ("add_interaction", "interactions"),
            ("add_named_interaction", "interactions"),
            ("add_parameter", "parameters"),
        ],
    ),
    (
        "LagrangianLinear",
        &[
            ("new", "lagrangian_linear"),
            ("planar_body", "planar_body"),
            ("with_velocity", "velocity"),
            ("with_damping", "damping"),
            ("with_stiffness", "stiffness"),
            ("with_external_force", "external_force"),
            ("with_constant_external_force", "external_force"),
        ],
    ),
    (
        "Lagrangian",
        &[
            ("new", "lagrangian"),
            ("of_mass_function", "mass"),
            ("with_internal_force", "internal_force"),
            ("with_gyroscopic_force", "gyroscopic_force"),
            ("with_external_force", "external_force"),
            ("with_constant_external_force", "external_force"),
            ("with_control", "control"),
            ("with_configuration", "configuration"),
        ],
    ),
    (
        "FirstOrderLinear",
        &[
            ("new", "first_order_linear"),
            ("of_matrix_function", "A"),
            ("with_mass", "mass"),
            ("with_source", "source"),
            ("with_source_function", "source"),
            ("with_control", "control"),
        ],
    ),
    (
        "FirstOrderLinearTi",
        &[("new", "first_order_linear"), ("with_mass", "mass"), ("with_source", "source")],
    ),
    (
        "FirstOrderNonlinear",
        &[
            ("new", "first_order_nonlinear"),
            ("of_lagrangian", "first_order"),
            ("with_mass", "mass"),
            ("with_mass_function", "mass"),
            ("with_control", "control"),
        ],
    ),
    (
        "NewtonEuler",
        &[
            ("new", "newton_euler"),
            ("with_twist", "omega"),
            ("with_rotation_update", "rotation_update"),
            ("with_external_force", "external_force"),
            ("with_constant_external_force", "external_force"),
            ("with_external_moment", "external_moment"),
            ("with_constant_external_moment", "external_moment_in_body"),
            ("with_internal_force", "internal_force"),
        ],
    ),
    ("ControlTerm", &[("new", "u"), ("of_matrix_function", "T"), ("with_jacobians", "derivative")]),
    (
        "LagrangianLinearRelation",
        &[("new", "H"), ("with_offset", "offset"), ("with_compliance", "compliance")],
    ),
    ("LagrangianScleronomousRelation", &[("new", "scleronomous")]),
    ("LagrangianRheonomousRelation", &[("new", "rheonomous")]),
    (
        "FirstOrderLinearRelation",
        &[
            ("new", "C"),
            ("of_functions", "B"),
            ("with_d", "D"),
            ("with_d_function", "D"),
            ("with_offset", "offset"),
            ("with_offset_function", "offset"),
            ("with_parameters", "F"),
            ("with_parameter_function", "z"),
        ],
    ),
    (
        "FirstOrderNonlinearRelation",
        &[("new", "h"), ("type_1", "h"), ("type_2", "g"), ("with_parameters", "z")],
    ),
    ("NewtonEulerRelation", &[("new", "newton_euler"), ("with_input", "input")]),
    (
        "Joint",
        &[
            ("spherical", "spherical"),
            ("revolute", "revolute"),
            ("cylindrical", "cylindrical"),
            ("prismatic", "prismatic"),
            ("fixed", "fixed"),
        ],
    ),
    ("JointBodies", &[("in_plane", "planar_body")]),
    ("JointCoordinate", &[("stops", "stops"), ("prescribed", "prescribed")]),
    ("Coupler", &[("gear", "gear"), ("rack", "rack"), ("screw", "screw"), ("sharing_frame", "shares_frame")]),
    ("Distance", &[("between", "distance"), ("slack", "slack"), ("with_length", "length")]),
    (
        "PointContact",
        &[
            ("new", "points"),
            ("at_rest", "contact"),
            ("between", "contact"),
            ("of_ball_and_plane", "ball_and_plane"),
            ("of_balls", "balls"),
        ],
    ),
    ("PlanarContact", &[("at_rest", "planar_contact"), ("between", "planar_contact")]),
    ("Quaternion", &[("of_parts", "attitude"), ("about", "axis")]),
    ("Relay", &[("new", "relay"), ("of_time", "bounds"), ("symmetric", "lower"), ("with_gain", "gain")]),
    ("NormalCone", &[("new", "normal_cone")]),
    ("ConeComplementarity", &[("second_order", "sizes")]),
    ("ComplementarityCondition", &[("new", "complementarity")]),
    ("EqualityCondition", &[("new", "equality")]),
    ("MixedComplementarityCondition", &[("new", "mixed_complementarity")]),
    ("NewtonImpact", &[("new", "newton_impact")]),
    (
        "NewtonImpactFriction",
        &[
            ("in_plane", "dimension"),
            ("in_space", "dimension"),
            ("with_tangential_restitution", "tangential_restitution"),
            ("of_fremond", "tangential_restitution"),
            ("with_rolling", "mu_rolling"),
            ("with_cohesion", "cohesion"),
        ],
    ),
    (
        "MultipleImpact",
        &[("new", "multiple_impact"), ("with_stiffness", "stiffness"), ("with_exponent", "exponent")],
    ),
    ("SpringDamper", &[("new", "spring")]),
    (
        "ControlLoop",
        &[
            ("add_sensor", "control"),
            ("add_named_sensor", "control"),
            ("add_observer", "control"),
            ("add_named_observer", "control"),
            ("add_actuator", "control"),
            ("add_named_actuator", "control"),
        ],
    ),
    ("LinearSensor", &[("new", "linear_sensor"), ("with_feedthrough", "D"), ("with_delay", "delay")]),
    ("LuenbergerObserver", &[("new", "luenberger_observer"), ("with_feedthrough", "D")]),
    ("SlidingReducedOrderObserver", &[("new", "sliding_observer")]),
    (
        "Pid",
        &[
            ("new", "pid"),
            ("with_reference", "reference"),
            ("with_reference_function", "reference"),
            ("with_bounds", "upper"),
        ],
    ),
    ("LinearSlidingMode", &[("new", "sliding_mode")]),
    ("ExplicitLinearSlidingMode", &[("new", "explicit_sliding_mode")]),
    ("Twisting", &[("implicit", "form"), ("explicit", "form"), ("regularised", "widths")]),
    ("FunctionActuator", &[("new", "function")]),
    ("HeldPlant", &[("new", "A")]),
    ("Jacobian", &[("of_state", "derivative")]),
];

/// Methods without a counterpart in files, with the reason.
pub(super) const NO_KEYS: [(&str, &[&str], &str); 7] = [
    (
        "FirstOrderLinear",
        &["of_lagrangian"],
        "a file contains the matrices of this system as `first_order_linear`; `lagrangian` has the key `first_order`",
    ),
    (
        "LagrangianScleronomousRelation",
        &["with_jacobian", "with_convective_acceleration", "with_difference_step"],
        "derivatives of expressions are exact; a function of the program can have its own first derivative, and the second derivative is \
         approximated by finite differences",
    ),
    (
        "LagrangianRheonomousRelation",
        &["with_jacobian", "with_time_derivative", "with_convective_acceleration", "with_difference_step"],
        "as for a scleronomous relation",
    ),
    (
        "NewtonEulerRelation",
        &["with_derivative", "with_time_derivative"],
        "derivatives of expressions are exact; relations of bodies accept no function of the program",
    ),
    (
        "FirstOrderNonlinearRelation",
        &["with_b", "with_c", "with_d", "with_k"],
        "derivatives of expressions are exact, and a function of the program can have its own",
    ),
    ("Inertia", &["of_ball", "of_cuboid", "of_cylinder"], "a file contains the moments, as expressions"),
    ("Quaternion", &["of_body"], "this method only extracts the quaternion from the coordinates of a body"),
];

/// Names of the constructors that do not start with a prefix in [`method`].
const CONSTRUCTORS: [&str; 22] = [
    "new",
    "symmetric",
    "between",
    "at_rest",
    "planar_body",
    "slack",
    "spherical",
    "revolute",
    "cylindrical",
    "prismatic",
    "fixed",
    "gear",
    "screw",
    "rack",
    "sharing_frame",
    "stops",
    "prescribed",
    "second_order",
    "implicit",
    "explicit",
    "regularised",
    "about",
];

/// Parses a line of an interface list. Returns `None` unless the line is a method that creates or changes an
/// object.
fn method(line: &str) -> Option<(&str, &str)> {
    let (path, method) = line.split_once(": fn ")?;
    let starts = ["with_", "of_", "add_", "type_", "in_"];
    let makes = starts.iter().any(|start| method.starts_with(start)) || CONSTRUCTORS.contains(&method);
    let name = path.rsplit("::").next()?;
    makes.then_some((name, method))
}

/// Returns all keys and words of files.
fn words() -> BTreeSet<String> {
    let lists: Vec<&[Key]> = [&read::KEYS[..], &interactions::KEYS, &systems::CONTROL, &systems::ORIENTATION]
        .into_iter()
        .chain(systems::KEYS)
        .chain(relations::KEYS)
        .chain(laws::KEYS)
        .chain(control::KEYS)
        .collect();
    let mut words = BTreeSet::new();
    for key in lists.into_iter().flatten() {
        words.insert(key.name.to_owned());
        if let crate::document::Form::Word(own) = key.form {
            words.extend(own.iter().map(|word| (*word).to_owned()));
        }
    }
    if let Shape::Choice(variants) = shape_of::<NonSmoothLaw>() {
        for (variant, inner) in variants {
            words.insert(snake_case(variant));
            if let Some(Shape::Table { keys, .. }) = inner {
                words.extend(keys.iter().map(|(key, _)| (*key).to_owned()));
            }
        }
    }
    words
}

#[test]
fn every_method_has_a_key_or_a_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/interface");
    let list = |name: &str| fs::read_to_string(folder.join(name)).expect("the list of the interface");
    let (kernel, control) = (list("siconos-kernel.txt"), list("siconos-control.txt"));
    let of_models = kernel.lines().filter(|line| line.starts_with("model::"));
    let methods: BTreeSet<_> = of_models.chain(control.lines()).filter_map(method).collect();
    let in_files =
        IN_FILES.iter().flat_map(|(name, own)| own.iter().map(move |(method, _)| (*name, *method)));
    let without = NO_KEYS.iter().flat_map(|(name, own, _)| own.iter().map(move |method| (*name, *method)));
    let known: Vec<_> = in_files.chain(without).collect();
    let twice: Vec<_> =
        known.iter().filter(|own| known.iter().filter(|other| other == own).count() > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    let known: BTreeSet<_> = known.into_iter().collect();
    // Only the kernel calls these methods.
    let internal = [("At", "new"), ("FirstOrderLinear", "add_source"), ("Parameter", "new")];
    let forgotten: Vec<_> = methods.difference(&known).filter(|own| !internal.contains(own)).collect();
    assert!(forgotten.is_empty(), "neither a key nor a reason: {forgotten:?}");
    let gone: Vec<_> = known.difference(&methods).collect();
    assert!(gone.is_empty(), "the kernel has no such methods: {gone:?}");
    let words = words();
    for (name, own) in IN_FILES {
        let missing: Vec<_> = own.iter().filter(|(_, word)| !words.contains(*word)).collect();
        assert!(missing.is_empty(), "{name}: files have no {missing:?}");
    }
}
