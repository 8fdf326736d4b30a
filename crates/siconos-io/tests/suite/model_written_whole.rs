//! A written model is the same when it is read again; anything that cannot be written is listed.

use siconos_io::model::{BuiltModel, Function, ModelFile, Registry, WrittenModel};
use siconos_io::ndarray::{Array1, arr2, array};
use siconos_io::siconos_kernel::model::dynamical_system::Jacobian;
use siconos_io::siconos_kernel::model::{
    At, Distance, Joint, NewtonEuler, Origin, Quaternion, UserFunctions,
};
use siconos_io::siconos_kernel::nonsmooth_problem::OneStepSolver;
use siconos_io::siconos_kernel::prelude::*;
use siconos_io::siconos_kernel::simulation::OneStepProblem;
use siconos_linalg::Csc;
use siconos_numerics::lcp::{LcpMethod, Lemke};

use crate::same_bits::{assert_same, assert_written, read, steps};

fn built(text: &str) -> BuiltModel {
    let file = ModelFile::parse(text, "model.toml").unwrap_or_else(|error| panic!("{error}"));
    file.build().unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the displayed items of the list.
fn listed(written: &WrittenModel) -> Vec<String> {
    written.unwritten.iter().map(ToString::to_string).collect()
}

const SIMULATION: &str = "[simulation]\nkind = \"time_stepping\"\nend = 0.5\nstep = 0.005\n";

#[test]
fn parameters_are_numbers_or_arrays_as_in_their_file() {
    let text = format!(
        "format = 1\nkind = \"model\"\n[parameters]\ns = 2.0\ngains = [1.0, 3.0]\none = [4.0]\nidle = [5.0]\n\
         [systems.cart]\nfamily = \"lagrangian_linear\"\nq = 0\nmass = 1\n\
         external_force = \"s * gains[0] + gains[1] + one[0]\"\n{SIMULATION}"
    );
    let first = built(&text);
    let written = first.written();
    assert_eq!(listed(&written), [""; 0]);
    for expected in ["s = 2.0", "gains = [1.0, 3.0]", "one = [4.0]", "idle = [5.0]"] {
        assert!(written.text.contains(expected), "{expected}\n{}", written.text);
    }
    // Without its file, the form of a parameter in the model is known from the expressions that read it.
    let of_kernel = ModelFile::of(&first.model, &first.simulation);
    assert_eq!(listed(&of_kernel), [""; 0]);
    assert!(of_kernel.text.contains("s = 2.0") && of_kernel.text.contains("one = [4.0]"));
    assert_same(first, read(&written, "parameters"), "parameters");
}

#[test]
fn matrices_keep_their_storage() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = Array1::from_iter((1..=4).map(|k| f64::from(k) / 3.0));
    let springs = (0..4).map(|k| (k, k, 7.0)).chain((1..4).map(|k| (k, k - 1, -3.0)));
    let springs = Csc::from_triplets(4, 4, springs).expect("a matrix");
    let ball = LagrangianLinear::new(vec![1.0; 4], vec![0.0; 4], mass)
        .with_stiffness(springs)
        .with_damping(arr2(&[[0.1, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4], [0.0; 4]]))
        .with_constant_external_force(vec![-9.81; 4]);
    let ball = model.add_named_system("ball", ball).expect("a system");
    let h = Csc::from_triplets(1, 4, [(0, 2, 1.0)]).expect("a matrix");
    let law = NewtonImpact::new(0.5).expect("a law");
    model.add_named_interaction("floor", [ball], LagrangianLinearRelation::new(h), law).expect("it fits");
    let one = LagrangianLinear::new(vec![1.0], vec![0.0], array![3.0]);
    model.add_named_system("one", one.with_constant_external_force(vec![-9.81])).expect("a system");
    assert_written(&model, steps(&model), "storage");
}

#[test]
fn a_long_diagonal_is_written_and_read() {
    let mut model = NonSmoothDynamicalSystem::new();
    let n = 1001;
    let row = LagrangianLinear::new(vec![0.0; n], vec![1.0; n], Array1::from_elem(n, 2.0));
    model.add_named_system("row", row).expect("a system");
    let written = ModelFile::of(&model, &steps(&model));
    assert_eq!(listed(&written), [""; 0]);
    assert!(written.text.len() < 60_000, "{}", written.text.len());
    assert_eq!(read(&written, "row").written(), written);
}

#[test]
fn names_that_a_reader_refuses_are_listed() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = || LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]);
    let law = NewtonImpact::new(0.5).expect("a law");
    let touch = || LagrangianLinearRelation::new(arr2(&[[1.0]]));
    for name in ["ball on floor", "a.b", "g'", "interaction1"] {
        let id = model.add_named_system(name, mass()).expect("a system");
        model.add_named_interaction(name, [id], touch(), law).expect("an interaction");
    }
    let written = ModelFile::of(&model, &steps(&model));
    let expected: Vec<_> = ["system", "interaction"]
        .into_iter()
        .flat_map(|word| ["ball on floor", "a.b", "g'"].map(|name| format!("{word} `{name}`")))
        .chain(["interaction `interaction1`".to_owned()])
        .map(|object| format!("{object}: its name is not valid in a file"))
        .collect();
    assert_eq!(listed(&written), expected);
    // The rest of the text can still be read.
    assert_eq!(read(&written, "names").systems.len(), 4);
}

#[test]
fn what_a_reader_says_of_the_text_is_listed() {
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_parameter("q", vec![9.81]).expect("a parameter");
    let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]);
    model.add_named_system("ball", ball).expect("a system");
    let said = listed(&ModelFile::of(&model, &steps(&model)));
    assert!(!said.is_empty() && said.iter().all(|said| said.starts_with("text: ")), "{said:?}");
    assert!(said[0].contains("`q` is declared twice"), "{said:?}");

    // Argument names that a file does not support.
    let mut model = NonSmoothDynamicalSystem::new();
    let swing = |_: At<'_>, q: &[f64], _: &[f64], out: &mut [f64]| out[0] = 9.81 * q[0].sin();
    let mut pendulum = Lagrangian::new(vec![0.1], vec![0.0], arr2(&[[1.0]])).with_internal_force(
        swing,
        Jacobian::Zero,
        Jacobian::Zero,
    );
    let texts = Origin::expressions(["t", "q", "v"], ["9.81 * sin(q[0])"]);
    pendulum.set_origin("F_int", texts).expect("a function");
    model.add_named_system("pendulum", pendulum).expect("a system");
    let said = listed(&ModelFile::of(&model, &steps(&model)));
    assert!(said.iter().any(|said| said.contains("q[0]")), "{said:?}");
}

#[test]
fn a_derivative_that_does_not_follow_is_listed() {
    let mut model = NonSmoothDynamicalSystem::new();
    let force = |_: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]| out[0] = 9.81 * q[0] + 0.1 * v[0];
    let by_q = Jacobian::Constant(arr2(&[[9.81]]));
    let mut ball = Lagrangian::new(vec![0.1], vec![0.0], arr2(&[[1.0]])).with_internal_force(
        force,
        by_q,
        Jacobian::Zero,
    );
    let texts = Origin::expressions(["q", "q'"], ["9.81 * q + 0.1 * q'"]);
    ball.set_origin("F_int", texts).expect("a function");
    model.add_named_system("ball", ball).expect("a system");
    let said = listed(&ModelFile::of(&model, &steps(&model)));
    assert_eq!(said, ["system `ball`: derivative of F_int in v differs after the text is read back"]);
}

#[test]
fn solvers_and_balances_that_are_not_written_are_listed() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model
        .add_named_system("ball", LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]))
        .expect("a system");
    let touch = LagrangianLinearRelation::new(arr2(&[[1.0]]));
    let law = NewtonImpact::new(0.5).expect("a law");
    model.add_named_interaction("floor", [ball], touch, law).expect("an interaction");
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1).expect("a grid");
    let by_events = EventDriven::builder(&model)
        .discretisation(grid.clone())
        .solver(OneStepProblem::Impact, Lemke::default())
        .build()
        .expect("it fits");
    let solver =
        |name: &str| format!("simulation: solver `{name}` has settings that the simulation does not have");
    let name = by_events.solver(OneStepProblem::Impact);
    assert_eq!(listed(&ModelFile::of(&model, &by_events)), [solver(name)]);
    let by_steps = TimeStepping::builder(&model)
        .discretisation(grid)
        .solver(OneStepSolver::from_method(&LcpMethod::default()).expect("a solver"))
        .energy_balance(true)
        .build()
        .expect("it fits");
    let expected = [
        solver(by_steps.solver()),
        "simulation: the balance of energy of each step has no key in files".into(),
    ];
    assert_eq!(listed(&ModelFile::of(&model, &by_steps)), expected);
    let usual = steps(&model);
    assert_eq!(listed(&ModelFile::of(&model, &usual)), [""; 0]);
}

#[test]
fn what_was_made_between_other_bodies_is_listed() {
    let body = |x: f64| NewtonEuler::new(1.0, 0.1, [x, 0.0, 0.0], Quaternion::IDENTITY);
    let mut model = NonSmoothDynamicalSystem::new();
    let ids = [0.0, 1.0].map(|x| model.add_system(body(x)).expect("a body"));
    let (own, other) = (body(1.0), body(1.25));
    let law = EqualityCondition::new(3).expect("a law");
    for second in [&own, &other] {
        let joint = Joint::spherical((&body(0.0), second), [0.5, 0.0, 0.0]).expect("a joint");
        model.add_interaction(ids, joint, law).expect("an interaction");
    }
    for second in [&own, &other] {
        let rod = Distance::between((&body(0.0), second), [0.0; 3], [1.25, 0.0, 0.0]).expect("a rod");
        let law = EqualityCondition::new(1).expect("a law");
        model.add_interaction(ids, rod, law).expect("an interaction");
    }
    let said = listed(&ModelFile::of(&model, &steps(&model)));
    let of: Vec<_> = said.iter().filter_map(|said| said.split_once(':')).map(|(object, _)| object).collect();
    assert_eq!(of, ["interaction `interaction2`", "interaction `interaction4`"], "{said:?}");
}

#[test]
fn zeros_keep_their_sign() {
    let mut model = NonSmoothDynamicalSystem::new();
    let turn = Quaternion::of_parts(1.0, [0.0, 0.0, -0.0]);
    let inertia = [[0.1, -0.0, 0.0], [-0.0, 0.2, 0.0], [0.0, 0.0, 0.3]];
    let body = NewtonEuler::new(1.0, inertia, [0.0, -0.0, 1.0], turn);
    model.add_named_system("body", body.with_twist([0.0; 3], [0.1, 0.2, 0.3])).expect("a body");
    let written = ModelFile::of(&model, &steps(&model));
    assert!(written.text.contains("attitude"), "{}", written.text);
    assert_written(&model, steps(&model), "zeros");
}

#[test]
fn derivatives_beside_a_function_of_a_registry_are_written() {
    let text = format!(
        "format = 1\nkind = \"model\"\n\
         [systems.ball]\nfamily = \"lagrangian\"\nq = 1\nmass = 1\n\
         internal_force = {{ function = \"swing\" }}\ninternal_derivative = {{ q = \"cos(q)\", v = 0.25 }}\n\
         [systems.lag]\nfamily = \"first_order_nonlinear\"\nx = 1\n\
         f = {{ function = \"f\" }}\nderivative = \"-3 * x * x\"\n{SIMULATION}"
    );
    let registry = Registry::new()
        .with("swing", Function::of_motion(|_, q, v, out| out[0] = q[0].sin() + 0.25 * v[0]))
        .with("f", Function::of_state(|_, x, out| out[0] = -x[0] * x[0] * x[0]));
    let of = |text: &str| {
        let file = ModelFile::parse(text, "model.toml").unwrap_or_else(|error| panic!("{error}"));
        file.build_with(&registry).unwrap_or_else(|error| panic!("{error}"))
    };
    let first = of(&text);
    let written = first.written();
    assert_eq!(listed(&written), [""; 0]);
    for expected in ["internal_derivative = ", "derivative = \"-3.0 * x * x\""] {
        assert!(written.text.contains(expected), "{expected}\n{}", written.text);
    }
    let second = of(&written.text);
    assert_eq!(second.written(), written);
    assert_same(first, second, "derivatives");
}
