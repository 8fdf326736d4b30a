//! Choice of a solver: an object, a name, or a user-defined solver.

use ndarray::{Array2, array};
use siconos_kernel::FitError;
use siconos_kernel::prelude::*;
use siconos_numerics::lcp::{
    Lcp, LcpMethod, LcpProblem, Lemke, ProjectedGaussSeidel, ProjectedGaussSeidelSettings,
};
use siconos_numerics::method::Limits;
use siconos_numerics::mlcp::{Elimination, Mlcp, MlcpMethod};
use siconos_numerics::{SolveInfo, Solver, SolverError, Status, Unsupported};

fn ball_on_the_floor() -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball =
        LagrangianLinear::new(vec![0.2], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = -9.81);
    let ball = model.add_system(ball).unwrap();
    let floor = LagrangianLinearRelation::new(array![[1.0]]);
    let floor = model.add_interaction([ball], floor, NewtonImpact::new(0.5).unwrap()).unwrap();
    (model, ball, floor)
}

fn builder(model: &NonSmoothDynamicalSystem) -> siconos_kernel::simulation::TimeSteppingBuilder<'_> {
    TimeStepping::builder(model).discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap())
}

/// Behaviour of the user-defined solver.
#[derive(Clone, Copy, Debug)]
enum Mood {
    Solve,
    RefuseStorage,
    Fail,
}

/// User-defined solver for one contact, for which the solution is a quotient.
#[derive(Debug)]
struct Own(Mood);

impl Solver for Own {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        "own"
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: 1e-12, max_iterations: 1 }
    }

    fn supports(&self, problem: &LcpProblem<'_>) -> Result<(), Unsupported> {
        match self.0 {
            Mood::RefuseStorage => {
                Err(Unsupported { solver: "own", found: problem.m().storage(), takes: "nothing" })
            }
            _ => Ok(()),
        }
    }

    fn solve(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (m, q) = (problem.m().to_dense()[[0, 0]], problem.q()[0]);
        match self.0 {
            Mood::Fail => {
                return Err(Unsupported { solver: "own", found: "a contact", takes: "none" }.into());
            }
            Mood::Solve | Mood::RefuseStorage => {}
        }
        z[0] = (-q / m).max(0.0);
        let error = siconos_numerics::lcp::error_of_point(problem, z, w);
        Ok(SolveInfo { status: Status::Converged, iterations: 1, error })
    }
}

#[test]
fn all_ways_to_name_a_solver_give_the_same_motion() {
    let (model, ball, _) = ball_on_the_floor();
    let boxed: Box<dyn Solver<Class = Mlcp>> = Box::new(Elimination::default());
    let own: Box<dyn Solver<Class = Lcp>> = Box::new(Own(Mood::Solve));
    let tight = ProjectedGaussSeidelSettings { tolerance: 1e-14, ..Default::default() };
    let sweeps = ProjectedGaussSeidel::new(tight).unwrap();
    let solvers: [OneStepSolver; 8] = [
        OneStepSolver::default(),
        Lemke::default().into(),
        sweeps.into(),
        Elimination::default().into(),
        boxed.into(),
        own.into(),
        OneStepSolver::from_method(&LcpMethod::default()).unwrap(),
        OneStepSolver::from_method(&MlcpMethod::default()).unwrap(),
    ];
    let ends = solvers.map(|solver| {
        let mut simulation = builder(&model).solver(solver).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        simulation.run(&model, &mut state, |_, _| ()).unwrap();
        state.q(ball)[0]
    });
    for end in ends {
        assert!((end - ends[0]).abs() < 1e-12, "{ends:?}");
    }
}

#[test]
fn a_solver_that_takes_no_storage_is_refused_when_the_simulation_is_built() {
    let (model, ..) = ball_on_the_floor();
    let own: Box<dyn Solver<Class = Lcp>> = Box::new(Own(Mood::RefuseStorage));
    let refused = builder(&model).solver(own).build().unwrap_err();
    assert!(matches!(
        refused,
        Error::Simulation(SimulationError::Fit(FitError::Solver(Unsupported { solver: "own", .. })))
    ));
}

#[test]
fn an_error_of_the_solver_comes_with_time_and_step_and_leaves_the_state() {
    let (model, ..) = ball_on_the_floor();
    let own: Box<dyn Solver<Class = Lcp>> = Box::new(Own(Mood::Fail));
    let mut simulation = builder(&model).solver(own).build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let error = simulation.run(&model, &mut state, |_, _| ()).unwrap_err();
    // The ball falls 0.2 m in 0.2019 s, so that the contact closes in step 202.
    match error {
        SimulationError::OneStepProblem { step, t, source: SolverError::Unsupported(_) } => {
            assert_eq!((step, t), (state.step() + 1, state.t));
            assert!((t - (0.4_f64 / 9.81).sqrt()).abs() <= 1e-3, "{t}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_law_can_be_replaced_between_steps() {
    let (mut model, ball, floor) = ball_on_the_floor();
    let mut simulation = builder(&model).build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.step(&model, &mut state).unwrap();
    model.set_law(floor, NewtonImpact::new(0.0).unwrap()).unwrap();
    let mut rebound = f64::NEG_INFINITY;
    simulation.run(&model, &mut state, |_, state| rebound = rebound.max(state.v(ball)[0])).unwrap();
    assert!(rebound < 1e-12, "without restitution there is no rebound: {rebound}");
}

/// Twelve sliding blocks on top of each other. Gauss-Seidel sweeps solve the problem to the required
/// tolerance.
#[test]
fn the_tolerance_of_the_builder_is_that_of_the_automatic_solver() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mut below = None;
    for k in 0..12 {
        let speed = 1.0 - 0.3 * f64::from(k);
        let block = LagrangianLinear::new(vec![0.0; 3], vec![0.0, speed, 0.2 * speed], array![1.0, 1.0, 1.0])
            .with_constant_external_force(vec![-9.81, 0.0, 0.0]);
        let block = model.add_system(block).unwrap();
        let law = NewtonImpactFriction::in_space(0.0, 0.4).unwrap();
        match below {
            None => {
                model.add_interaction([block], LagrangianLinearRelation::new(Array2::eye(3)), law).unwrap()
            }
            Some(below) => {
                let mut apart = Array2::zeros((3, 6));
                for i in 0..3 {
                    (apart[[i, i]], apart[[i, i + 3]]) = (-1.0, 1.0);
                }
                model.add_interaction([below, block], LagrangianLinearRelation::new(apart), law).unwrap()
            }
        };
        below = Some(block);
    }
    let grid = || TimeDiscretisation::uniform(0.0, 0.1, 1e-2).unwrap();
    let largest_error = |tolerance: f64| {
        let builder = TimeStepping::builder(&model).discretisation(grid());
        let mut simulation = builder.tolerance(tolerance).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        // The tolerance also applies to another automatic solver.
        simulation.set_solver(OneStepSolver::default());
        let mut largest = 0.0_f64;
        simulation.run(&model, &mut state, |report, _| largest = largest.max(report.error)).unwrap();
        largest
    };
    let (rough, fine) = (largest_error(1e-3), largest_error(1e-12));
    assert!(rough <= 1e-3 && fine <= 1e-12 && fine < 1e-3 * rough, "{rough:e} {fine:e}");
    for wrong in [0.0, -1.0, f64::NAN] {
        assert!(TimeStepping::builder(&model).discretisation(grid()).tolerance(wrong).build().is_err());
    }
}
