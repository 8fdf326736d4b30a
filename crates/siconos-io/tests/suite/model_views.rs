//! Lagrangian systems in first-order relations, and derivatives of control terms: the same bits as in Rust.

use siconos_io::model::ModelFile;
use siconos_io::ndarray::{ArrayViewMut2, arr2};
use siconos_io::siconos_kernel::model::dynamical_system::Jacobian;
use siconos_io::siconos_kernel::model::{At, ControlTerm, FirstOrderLinearRelation, FirstOrderNonlinear};
use siconos_io::siconos_kernel::prelude::*;

use crate::same_bits;

const AROUND: &str =
    "format = 1\nkind = \"model\"\n[simulation]\nkind = \"time_stepping\"\nend = 0.5\nstep = 0.005\n";

fn assert_is(model: &NonSmoothDynamicalSystem, text: &str, name: &str) -> ModelFile {
    let file = ModelFile::parse(&format!("{AROUND}{text}"), name).unwrap_or_else(|error| panic!("{error}"));
    same_bits::assert_is(model, &file, name);
    file
}

#[test]
fn a_relation_of_positions_and_velocities_acts_as_in_rust() {
    let arm = Lagrangian::new(vec![1.0], vec![-4.0], arr2(&[[2.0]]))
        .with_internal_force(
            |_: At<'_>, q: &[f64], v: &[f64], f: &mut [f64]| f[0] = 8.0 * q[0] + 0.5 * v[0],
            Jacobian::Constant(arr2(&[[8.0]])),
            Jacobian::Constant(arr2(&[[0.5]])),
        )
        .with_external_force(|at: At<'_>, f: &mut [f64]| f[0] = at.t);
    let mut model = NonSmoothDynamicalSystem::new();
    let arm = model.add_named_system("arm", FirstOrderNonlinear::of_lagrangian(&arm)).expect("a system");
    let stop = FirstOrderLinearRelation::new(arr2(&[[1.0, 0.25]]), arr2(&[[0.0], [1.0]]));
    let law = ComplementarityCondition::new(1).expect("a law");
    model.add_named_interaction("stop", [arm], stop, law).expect("an interaction");
    let text = "[systems.arm]\nfamily = \"lagrangian\"\nq = 1\nv = -4\nmass = 2\n\
                internal_force = \"8 * q + 0.5 * q'\"\nexternal_force = \"t\"\nfirst_order = true\n\
                [interactions.stop]\nsystems = \"arm\"\nlaw = \"complementarity\"\n\
                relation = { kind = \"first_order_linear\", C = [[1, 0.25]], B = [[0], [1]] }\n";
    let file = assert_is(&model, text, "arm");
    assert_eq!(file.build().expect("a model").recorder.names(), ["t", "arm.q", "arm.q'"]);
    // The model built in Rust is written, and is the same when it is read again.
    same_bits::assert_written(&file.build().expect("a model").model, same_bits::steps(&model), "arm");
}

#[test]
fn states_of_such_a_system_have_the_names_of_positions_and_velocities() {
    let text = "[systems.arm]\nfamily = \"lagrangian\"\ncoordinates = [\"a\", \"b\"]\nq = [1, 0]\n\
                mass = { diagonal = [1, 2] }\nfirst_order = true\n\
                [interactions.stop]\nsystems = \"arm\"\nlaw = \"complementarity\"\n\
                relation = { kind = \"first_order_nonlinear\", h = \"a + arm.b' + lambda\", g = [0, 0, 0, \"lambda\"] }\n\
                [output.columns]\nsum = \"arm.a + arm.b'\"\n";
    let file =
        ModelFile::parse(&format!("{AROUND}{text}"), "arm.toml").unwrap_or_else(|error| panic!("{error}"));
    let built = || file.build().unwrap_or_else(|error| panic!("{error}"));
    let written = built().written();
    assert_eq!(written.unwritten, [], "{}", written.text);
    same_bits::assert_same(built(), same_bits::read(&written, "written.toml"), "arm");
}

#[test]
fn derivatives_of_control_terms_may_be_given() {
    let by_q = |_: At<'_>, q: &[f64], _: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        out[[0, 0]] = -8.0 * q[0];
    };
    let motor = ControlTerm::new(arr2(&[[1.0]]), |_: At<'_>, q: &[f64], v: &[f64], u: &mut [f64]| {
        u[0] = -4.0 * q[0] * q[0] - 3.0 * v[0];
    })
    .with_jacobians(Jacobian::function(by_q), Jacobian::Constant(arr2(&[[-2.0]])));
    let arm = Lagrangian::new(vec![0.5], vec![0.0], arr2(&[[2.0]]));
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_named_system("arm", arm.with_control(motor)).expect("a system");
    // The derivative with respect to v differs from the derivative of the expression.
    let text = "[systems.arm]\nfamily = \"lagrangian\"\nq = 0.5\nmass = 2\n\
                control = { T = 1, u = \"-4 * q * q - 3 * q'\", derivative = { q = \"-8 * q\", v = -2 } }\n";
    assert_is(&model, text, "motor");
}
