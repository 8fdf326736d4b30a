//! Invalid data are refused with a reason; a step without a solution has a status.

use ndarray::{Array2, array};
use siconos_kernel::ModelError;
use siconos_kernel::SettingsError;
use siconos_kernel::siconos_numerics::cone::{ConvexSetError, Polyhedron};
use siconos_kernel::siconos_numerics::{ProblemError, Status};
use siconos_sweeping::dvi::{
    Boundary, BoundarySettings, Dvi, DviError, DviSet, DviSettings, DviSolution, DviStepper, InputMap,
    StateMap, ViMap, solve_boundary_value,
};

use super::problems::{friction, polyhedron, regulator, regulator_ends};

fn one(f: StateMap, g: StateMap, map: ViMap, set: DviSet) -> Result<Dvi, DviError> {
    Dvi::new(f, array![[1.0]], g, map, set)
}

fn linear(a: f64) -> StateMap {
    StateMap::linear(array![[a]])
}

#[test]
fn theta_steps_and_states_are_checked() {
    let dvi = friction();
    for theta in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let refused = DviStepper::new(&dvi, theta, DviSettings::default()).unwrap_err();
        assert!(matches!(refused, DviError::Settings(SettingsError::OutOfRange { name: "theta", .. })));
        let settings = BoundarySettings { theta, ..BoundarySettings::default() };
        let (dvi, ends) = (regulator(), regulator_ends());
        let refused = solve_boundary_value(&dvi, &ends, (0.0, 2.0), 10, &settings).unwrap_err();
        assert!(matches!(refused, DviError::Settings(SettingsError::OutOfRange { name: "theta", .. })));
    }
    let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
    for h in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        let refused = stepper.step(0.0, h, &mut [1.0]).unwrap_err();
        assert!(matches!(refused, DviError::Settings(SettingsError::OutOfRange { name: "h", .. })), "{h}");
    }
    let refused = stepper.step(0.0, 0.1, &mut [f64::NAN]).unwrap_err();
    assert!(matches!(refused, DviError::Model(ModelError::NotFinite { what: "x", index: 0, .. })));
    assert!(matches!(stepper.step(0.0, 0.1, &mut [0.0; 2]).unwrap_err(), DviError::Model(_)));
    assert!(matches!(stepper.step(f64::NAN, 0.1, &mut [0.0]).unwrap_err(), DviError::Settings(_)));
    assert!(stepper.solve(&[0.0], (0.0, 1.0), 0).is_err());
    assert!(stepper.solve(&[0.0], (1.0, 0.0), 10).is_err());
    let settings = DviSettings { tolerance: 0.0, ..DviSettings::default() };
    assert!(DviStepper::new(&dvi, 1.0, settings).is_err());
    assert!(stepper.set_u(&[f64::NAN]).is_err() && stepper.set_u(&[0.0; 2]).is_err());
}

#[test]
fn numbers_that_are_not_finite_are_named_with_their_index() {
    let nan = f64::NAN;
    let refused = Dvi::new(
        StateMap::linear(array![[0.0, 1.0], [nan, 0.0]]),
        array![[0.0], [1.0]],
        StateMap::linear(array![[1.0, 0.0]]),
        ViMap::Linear(array![[1.0]]),
        DviSet::Orthant,
    );
    assert!(matches!(refused, Err(DviError::Model(ModelError::NotFinite { what: "f", index: 2, .. }))));
    let refused = one(linear(1.0), linear(1.0), ViMap::Linear(array![[nan]]), DviSet::Orthant);
    assert!(matches!(refused, Err(DviError::Model(ModelError::NotFinite { what: "D", index: 0, .. }))));
    let refused = Polyhedron::new(array![[1.0], [1.0]], vec![0.0, nan]);
    assert!(matches!(
        refused,
        Err(ConvexSetError::Problem(ProblemError::NotFinite { what: "k", index: 1, .. }))
    ));
    let set = DviSet::Box { lower: vec![1.0], upper: vec![-1.0] };
    let refused = one(linear(1.0), linear(1.0), ViMap::Linear(array![[1.0]]), set);
    let bounds = ModelError::Bounds { index: 0, lower: 1.0, upper: -1.0 };
    assert_eq!(refused.unwrap_err(), bounds.into());
    // A user function.
    let dvi = one(
        linear(0.0).with_offset_function(|t, e| e[0] = 1.0 / (t - 1.0).max(0.0)),
        linear(1.0),
        ViMap::Linear(array![[1.0]]),
        DviSet::Orthant,
    )
    .unwrap();
    let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
    let refused = stepper.step(0.5, 0.1, &mut [1.0]).unwrap_err();
    let expected = ModelError::NotFiniteAt { what: "f", t: 0.5, index: 0, value: f64::INFINITY };
    assert_eq!(refused, expected.into());
    let mut ends = regulator_ends();
    ends.b[1] = nan;
    let refused = solve_boundary_value(&regulator(), &ends, (0.0, 2.0), 10, &BoundarySettings::default());
    assert!(matches!(refused, Err(DviError::Model(ModelError::NotFinite { index: 1, .. }))));
    let ends = Boundary { m: array![[1.0]], n: array![[0.0]], b: vec![0.0] };
    let refused = solve_boundary_value(&dvi, &ends, (0.0, 2.0), 10, &BoundarySettings::default());
    assert!(
        matches!(refused, Err(DviError::Model(ModelError::NotFiniteAt { what: "f + B u", index: 0, .. }))),
        "{refused:?}"
    );
    let turning = InputMap::function((1, 1), |_, _, b| b[[0, 0]] = f64::NAN);
    let dvi =
        Dvi::new(linear(0.0), turning, linear(1.0), ViMap::Linear(array![[1.0]]), DviSet::Orthant).unwrap();
    let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
    assert!(matches!(
        stepper.step(0.0, 0.1, &mut [1.0]),
        Err(DviError::Model(ModelError::NotFiniteAt { what: "B", index: 0, .. }))
    ));
}

#[test]
fn shapes_are_checked() {
    let map = || ViMap::Linear(array![[1.0]]);
    let g = || linear(1.0);
    assert!(Dvi::new(linear(0.0), Array2::zeros((1, 2)), g(), map(), DviSet::Orthant).is_err());
    assert!(Dvi::new(linear(0.0), Array2::zeros((2, 1)), g(), map(), DviSet::Orthant).is_err());
    assert!(one(linear(0.0), g(), ViMap::Linear(Array2::zeros((2, 2))), DviSet::Orthant).is_err());
    assert!(one(linear(0.0).with_offset(vec![0.0; 2]), g(), map(), DviSet::Orthant).is_err());
    let none = StateMap::linear(Array2::zeros((0, 0)));
    let b = Array2::zeros((0, 1));
    assert!(matches!(
        Dvi::new(none, b, StateMap::linear(Array2::zeros((1, 0))), map(), DviSet::Orthant),
        Err(DviError::Model(ModelError::Empty { what: "f" }))
    ));
    let set = polyhedron(Array2::ones((1, 2)), vec![0.0]);
    assert!(one(linear(0.0), g(), map(), set).is_err());
    let set = DviSet::Box { lower: vec![0.0; 2], upper: vec![1.0; 2] };
    assert!(one(linear(0.0), g(), map(), set).is_err());
}

#[test]
fn a_polyhedron_without_a_point_is_refused_with_a_combination() {
    for unit in [1.0, 1e-9, 1e12] {
        // u_1 >= 1, u_2 >= 1, u_1 + u_2 <= 1.
        let h: Array2<f64> = array![[1.0, 0.0], [0.0, 2.0], [-1.0, -1.0]];
        let k = vec![unit, 2.0 * unit, -unit];
        let set = polyhedron(h.clone(), k.clone());
        let refused = Dvi::new(
            StateMap::linear(Array2::zeros((2, 2))),
            Array2::eye(2),
            StateMap::linear(Array2::eye(2)),
            ViMap::Linear(Array2::eye(2)),
            set,
        )
        .unwrap_err();
        let DviError::EmptySet { combination } = &refused else { panic!("{refused}") };
        let y = ndarray::Array1::from(combination.clone());
        assert!(y.iter().all(|y| *y >= 0.0) && y.dot(&h).iter().all(|x| x.abs() < 1e-14));
        assert!(y.dot(&ndarray::Array1::from(k)) > 0.0);
    }
}

/// D = 0 and C B = 0: y = x_1 >= 0, and the force acts on x_2.
fn double_integrator() -> Dvi {
    Dvi::new(
        StateMap::linear(array![[0.0, 1.0], [0.0, 0.0]]),
        array![[0.0], [1.0]],
        StateMap::linear(array![[1.0, 0.0]]),
        ViMap::Linear(array![[0.0]]),
        DviSet::Orthant,
    )
    .unwrap()
}

#[test]
fn a_step_that_no_u_can_help_is_a_status() {
    // theta = 0: u does not act on y within the step, M = 0.
    let dvi = double_integrator();
    let mut stepper = DviStepper::new(&dvi, 0.0, DviSettings::default()).unwrap();
    let mut x = [0.05, -1.0];
    let step = stepper.step(0.0, 0.1, &mut x).unwrap();
    assert_eq!(step.info.status, Status::NoSolution);
    assert!(x.iter().all(|x| x.is_finite()));
    // While y stays positive, u = 0 is the solution.
    let mut x = [0.5, -1.0];
    assert!(stepper.step(0.0, 0.1, &mut x).unwrap().info.status.is_success());
    assert_eq!(x, [0.4, -1.0]);
    // theta = 1: M = h^2, and the equations of the step hold with large u.
    let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
    let mut x = [0.05, -1.0];
    let step = stepper.step(0.0, 0.1, &mut x).unwrap();
    assert!(step.info.status.is_success() && step.u[0] > 1.0);
    assert!(x[0].abs() < 1e-15 && (x[1] + 0.5).abs() < 1e-14, "{x:?}");
    // B = 0: u never acts on y.
    let never = Dvi::new(
        StateMap::linear(array![[-1.0]]).with_offset(vec![-1.0]),
        array![[0.0]],
        linear(1.0),
        ViMap::Linear(array![[0.0]]),
        DviSet::Orthant,
    )
    .unwrap();
    for theta in [0.0, 0.5, 1.0] {
        let mut stepper = DviStepper::new(&never, theta, DviSettings::default()).unwrap();
        let run = stepper.solve(&[1.0], (0.0, 10.0), 100).unwrap();
        assert_eq!(run.info.status, Status::NoSolution, "theta {theta}");
        assert!(run.solution.steps() < 12, "it ends where y would become negative");
    }
    // x' = -u, y = x: every u decreases y.
    let worse =
        Dvi::new(linear(0.0), array![[-1.0]], linear(1.0), ViMap::Linear(array![[0.0]]), DviSet::Orthant);
    let worse = worse.unwrap();
    let mut stepper = DviStepper::new(&worse, 1.0, DviSettings::default()).unwrap();
    assert_eq!(stepper.step(0.0, 0.1, &mut [-1.0]).unwrap().info.status, Status::NoSolution);
}

/// Functions without a solution, for which nothing can be proved: the status is not a success.
#[test]
fn functions_without_a_solution_are_no_success() {
    for set in [DviSet::Orthant, DviSet::projection(|u| u[0] = u[0].max(0.0))] {
        let dvi = Dvi::new(
            StateMap::function(1, |_, _, f| f[0] = -1.0),
            array![[0.0]],
            linear(1.0),
            ViMap::Linear(array![[0.0]]),
            set,
        )
        .unwrap();
        let settings = DviSettings { max_iterations: 300, ..DviSettings::default() };
        let mut stepper = DviStepper::new(&dvi, 1.0, settings).unwrap();
        let mut x = [0.05];
        let step = stepper.step(0.0, 0.1, &mut x).unwrap();
        assert!(!step.info.status.is_success(), "{:?}", step.info);
        assert!(x[0].is_finite());
    }
}

#[test]
fn a_singular_step_is_an_error_that_says_so() {
    let dvi = one(linear(2.0), linear(1.0), ViMap::Linear(array![[1.0]]), DviSet::Orthant).unwrap();
    let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
    let refused = stepper.step(0.0, 0.5, &mut [1.0]).unwrap_err();
    assert!(matches!(refused, DviError::SingularStep { step, .. } if step == 0.5), "{refused}");
    assert!(stepper.step(0.0, 0.25, &mut [1.0]).is_ok(), "another step is");
}

/// x' = u with |u| <= 1 cannot move x from 0 to 3 in time 2.
#[test]
fn a_boundary_value_problem_without_solution_is_a_status() {
    let mut ends = regulator_ends();
    let out_of_reach = Dvi::new(
        StateMap::linear(array![[0.0, 0.0], [0.0, 0.0]]),
        array![[1.0], [0.0]],
        StateMap::linear(array![[0.0, 1.0]]),
        ViMap::Linear(array![[1.0]]),
        DviSet::Box { lower: vec![-1.0], upper: vec![1.0] },
    )
    .unwrap();
    ends.n = array![[0.0, 0.0], [1.0, 0.0]];
    for (distance, reached) in [(1.5, true), (3.0, false)] {
        ends.b = vec![0.0, distance];
        let settings = BoundarySettings { max_iterations: 60, ..BoundarySettings::default() };
        let found = solve_boundary_value(&out_of_reach, &ends, (0.0, 2.0), 40, &settings).unwrap();
        assert_eq!(found.info.status.is_success(), reached, "{:?}", found.grids);
        assert_eq!(found.grids.len() > 1, !reached, "coarse grids are tried where the fine one fails");
        assert!(found.solution.x(40).iter().all(|x| x.is_finite()));
    }
}

/// A single equation for u: x' = -x + u, u = 2 - 3 x.
#[test]
fn a_polyhedron_without_inequalities_is_all_of_space() {
    let space = || polyhedron(Array2::zeros((0, 1)), vec![]);
    let affine =
        one(linear(-1.0), linear(3.0).with_offset(vec![-2.0]), ViMap::Linear(array![[1.0]]), space());
    let functions = one(
        StateMap::function(1, |_, x, f| f[0] = -x[0]),
        StateMap::function(1, |_, x, g| g[0] = 3.0 * x[0] - 2.0),
        ViMap::function(1, |u, w| w[0] = u[0]),
        space(),
    );
    for dvi in [affine.unwrap(), functions.unwrap()] {
        let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
        let run = stepper.solve(&[0.0], (0.0, 10.0), 100).unwrap();
        assert!(run.info.status.is_success(), "{:?}", run.info);
        assert!((run.solution.x(100)[0] - 0.5).abs() < 1e-9 && (run.solution.u(100)[0] - 0.5).abs() < 1e-8);
        let ends = Boundary { m: array![[1.0]], n: array![[0.0]], b: vec![0.0] };
        let found =
            solve_boundary_value(&dvi, &ends, (0.0, 10.0), 100, &BoundarySettings::default()).unwrap();
        assert!(found.info.status.is_success(), "{:?}", found.grids);
        assert!((found.solution.x(100)[0] - run.solution.x(100)[0]).abs() < 1e-9);
    }
}

/// An overflow leaves the state unchanged, and the next step can start from it.
#[test]
fn a_step_that_overflows_leaves_the_state() {
    let huge = one(
        StateMap::function(1, |_, x, f| f[0] = x[0] * x[0]).with_jacobian(|_, x, j| j[[0, 0]] = 2.0 * x[0]),
        linear(1.0),
        ViMap::Linear(array![[1.0]]),
        DviSet::projection(|u| u[0] = u[0].max(0.0)),
    )
    .unwrap();
    // x' = x^2 has no implicit step from 1 over h = 1: x = 1 + x^2 has no root.
    let mut stepper = DviStepper::new(&huge, 1.0, DviSettings::default()).unwrap();
    let mut x = [1.0];
    let step = stepper.step(0.0, 1.0, &mut x).unwrap();
    assert!(!step.info.status.is_success(), "{:?}", step.info);
    assert!(x[0].is_finite() && stepper.u()[0].is_finite());
    x = [1.0];
    assert!(stepper.step(0.0, 0.1, &mut x).unwrap().info.status.is_success());
}

#[test]
fn guesses_and_derivatives_have_to_be_finite() {
    let (dvi, ends) = (regulator(), regulator_ends());
    let mut guess = DviSolution::new(0.0, &[0.0, 0.0], 1);
    guess.push(2.0, &[0.0, f64::NAN], &[0.0]);
    let settings = BoundarySettings { guess: Some(guess), ..BoundarySettings::default() };
    let refused = solve_boundary_value(&dvi, &ends, (0.0, 2.0), 10, &settings);
    assert!(
        matches!(refused, Err(DviError::Model(ModelError::NotFinite { what: "guess", .. }))),
        "{refused:?}"
    );
    let settings = BoundarySettings { max_iterations: 0, ..BoundarySettings::default() };
    assert!(solve_boundary_value(&dvi, &ends, (0.0, 2.0), 10, &settings).is_err());
    // The square root has a value at 0, but no derivative.
    let root = one(
        StateMap::function(1, |_, x, f| f[0] = -x[0]),
        StateMap::function(1, |_, x, g| g[0] = x[0].abs().sqrt())
            .with_jacobian(|_, x, j| j[[0, 0]] = 0.5 / x[0]),
        ViMap::Linear(array![[1.0]]),
        DviSet::Orthant,
    )
    .unwrap();
    let ends = Boundary { m: array![[1.0]], n: array![[0.0]], b: vec![0.0] };
    let refused = solve_boundary_value(&root, &ends, (0.0, 1.0), 10, &BoundarySettings::default());
    let named = |error: &DviError| {
        matches!(
            error,
            DviError::Model(ModelError::NotFiniteAt { what: "the derivative of G", index: 0, .. })
        )
    };
    assert!(refused.as_ref().is_err_and(named), "{refused:?}");
    let mut stepper = DviStepper::new(&root, 1.0, DviSettings::default()).unwrap();
    let refused = stepper.step(0.0, 0.1, &mut [0.0]).map(|step| step.info);
    assert!(refused.as_ref().is_err_and(named), "{refused:?}");
}
