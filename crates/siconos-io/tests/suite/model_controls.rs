//! Control terms and constants of relations in files: bit for bit the same as built in Rust.

use siconos_io::model::ModelFile;
use siconos_io::ndarray::{ArrayViewMut2, arr2};
use siconos_io::siconos_kernel::model::dynamical_system::Jacobian;
use siconos_io::siconos_kernel::model::{
    At, ControlTerm, FirstOrderLinear, FirstOrderLinearRelation, FirstOrderNonlinear,
    FirstOrderNonlinearRelation, Parameters, Relation, RelationJacobian, RelationPoint,
};
use siconos_io::siconos_kernel::prelude::*;

use crate::same_bits;

const AROUND: &str =
    "format = 1\nkind = \"model\"\n[simulation]\nkind = \"time_stepping\"\nend = 0.5\nstep = 0.005\n";

fn assert_is(model: &NonSmoothDynamicalSystem, text: &str, name: &str) {
    let file = ModelFile::parse(&format!("{AROUND}{text}"), name).unwrap_or_else(|error| panic!("{error}"));
    same_bits::assert_is(model, &file, name);
}

#[test]
fn a_motor_with_a_constant_matrix_acts_as_in_rust() {
    let motor = ControlTerm::new(arr2(&[[1.0], [0.5]]), |at: At<'_>, q: &[f64], v: &[f64], u: &mut [f64]| {
        u[0] = 0.25 * at.t - 20.0 * q[0] - 3.0 * v[1];
    })
    .with_jacobians(
        Jacobian::Constant(arr2(&[[-20.0, 0.0], [-10.0, 0.0]])),
        Jacobian::Constant(arr2(&[[0.0, -3.0], [0.0, -1.5]])),
    );
    let arm = Lagrangian::new(vec![0.5, 0.25], vec![0.0, 1.0], arr2(&[[2.0, 0.5], [0.5, 1.0]]));
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_named_system("arm", arm.with_control(motor)).expect("a system");
    let text = "[systems.arm]\nfamily = \"lagrangian\"\nq = [0.5, 0.25]\nv = [0, 1]\n\
                mass = [[2, 0.5], [0.5, 1]]\n\
                control = { T = [[1], [0.5]], u = \"0.25 * t - 20 * q[0] - 3 * q[1]'\" }\n";
    assert_is(&model, text, "motor");
}

#[test]
fn a_matrix_of_the_positions_is_differentiated() {
    let matrix = |_: &Parameters, q: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        (out[[0, 0]], out[[1, 1]]) = (1.0 + q[1], 2.0);
    };
    let inputs = |_: At<'_>, q: &[f64], _: &[f64], u: &mut [f64]| (u[0], u[1]) = (-4.0 * q[0], -3.0 * q[1]);
    // d/dq of (1 + q1) (-4 q0) and of 2 (-3 q1).
    let by_q = |_: At<'_>, q: &[f64], _: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        (out[[0, 0]], out[[0, 1]]) = (-4.0 * (1.0 + q[1]), -4.0 * q[0]);
        out[[1, 1]] = -6.0;
    };
    let term = ControlTerm::of_matrix_function(2, matrix, inputs)
        .with_jacobians(Jacobian::function(by_q), Jacobian::Zero);
    let arm = Lagrangian::new(vec![0.5, 0.25], vec![0.0, 1.0], arr2(&[[2.0, 0.0], [0.0, 1.0]]));
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_named_system("arm", arm.with_control(term)).expect("a system");
    let text = "[systems.arm]\nfamily = \"lagrangian\"\nq = [0.5, 0.25]\nv = [0, 1]\nmass = [[2, 0], [0, 1]]\n\
                control = { T = [[\"1 + q[1]\", 0], [0, 2]], u = [\"-4 * q[0]\", \"-3 * q[1]\"] }\n";
    assert_is(&model, text, "matrix");
}

#[test]
fn inputs_of_first_order_systems_act_as_in_rust() {
    let plant = FirstOrderLinear::new(vec![1.0, 0.0], arr2(&[[-0.5, 1.0], [0.0, -2.0]]))
        .with_control(arr2(&[[0.0], [1.0]]), |at: At<'_>, u: &mut [f64]| u[0] = 3.0 * at.t);
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_named_system("plant", plant).expect("a system");
    let text = "[systems.plant]\nfamily = \"first_order_linear\"\nx = [1, 0]\nA = [[-0.5, 1], [0, -2]]\n\
                control = { T = [[0], [1]], u = \"3 * t\" }\n";
    assert_is(&model, text, "linear");

    let inputs = |_: At<'_>, x: &[f64], rate: &[f64], u: &mut [f64]| u[0] = -2.0 * x[0] - 0.25 * rate[0];
    let term = ControlTerm::new(arr2(&[[1.0]]), inputs)
        .with_jacobians(Jacobian::Constant(arr2(&[[-2.0]])), Jacobian::Constant(arr2(&[[-0.25]])));
    let f = |_: At<'_>, x: &[f64], out: &mut [f64]| out[0] = 1.0 - 0.5 * x[0];
    let plant = FirstOrderNonlinear::new(vec![1.0], f, Jacobian::Constant(arr2(&[[-0.5]])));
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_named_system("plant", plant.with_control(term)).expect("a system");
    let text = "[systems.plant]\nfamily = \"first_order_nonlinear\"\nx = 1\nf = \"1 - 0.5 * x\"\n\
                control = { T = 1, u = \"-2 * x - 0.25 * x'\" }\n";
    assert_is(&model, text, "nonlinear");
}

const PLANT: &str = "[systems.plant]\nfamily = \"first_order_linear\"\nx = 1\nA = -1\n\
                     [interactions.diode]\nsystems = \"plant\"\nlaw = \"complementarity\"\n";

fn diode(relation: impl Into<Relation>) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let plant = model.add_named_system("plant", FirstOrderLinear::new(vec![1.0], arr2(&[[-1.0]])));
    let law = ComplementarityCondition::new(1).expect("a law");
    model.add_named_interaction("diode", [plant.expect("a system")], relation, law).expect("a diode");
    model
}

#[test]
fn numbers_of_relations_are_read_as_in_rust() {
    let linear = || FirstOrderLinearRelation::new(arr2(&[[1.0]]), arr2(&[[1.0]]));
    let f = arr2(&[[2.0, -1.0]]);
    let text = |z: &str| {
        format!(
            "{PLANT}relation = {{ kind = \"first_order_linear\", C = 1, B = 1, F = [[2, -1]], z = {z} }}\n"
        )
    };
    assert_is(&diode(linear().with_parameters(f.clone(), vec![0.1, 0.9])), &text("[0.1, 0.9]"), "constant z");
    let of_time = |at: At<'_>, z: &mut [f64]| (z[0], z[1]) = (0.1, 3.0 * at.t);
    assert_is(&diode(linear().with_parameter_function(f, of_time)), &text("[0.1, \"3 * t\"]"), "z of time");

    let h = |at: RelationPoint<'_>, y: &mut [f64]| y[0] = at.x[0] - at.z[1] + at.z[0] * at.lambda[0];
    let nonlinear = FirstOrderNonlinearRelation::new(1, h, |at: RelationPoint<'_>, r: &mut [f64]| {
        r[0] = at.lambda[0];
    })
    .with_c(RelationJacobian::Constant(arr2(&[[1.0]])))
    .with_d(RelationJacobian::function(|at: RelationPoint<'_>, d: &mut ArrayViewMut2<'_, f64>| {
        d[[0, 0]] = at.z[0];
    }))
    .with_k(RelationJacobian::Zero)
    .with_b(RelationJacobian::Constant(arr2(&[[1.0]])))
    .with_parameters(vec![0.5, 0.8]);
    let text = format!(
        "{PLANT}relation = {{ kind = \"first_order_nonlinear\", h = \"x - z[1] + z[0] * lambda\", g = \"lambda\", \
         z = [0.5, 0.8] }}\n"
    );
    assert_is(&diode(nonlinear), &text, "z of a nonlinear relation");
}
