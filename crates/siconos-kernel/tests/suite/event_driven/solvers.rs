//! User-defined solvers: each of the two problems has its own solver, a solver is kept by the simulation, and
//! solvers of other classes are refused. Jumps of first-order systems store their impulses.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::OneStepProblem;
use siconos_models::ball;
use siconos_numerics::contact::NonsmoothGaussSeidel;
use siconos_numerics::lcp::{Lcp, LcpProblem, Lemke};
use siconos_numerics::method::Limits;
use siconos_numerics::mlcp::Elimination;
use siconos_numerics::{SolveInfo, Solver, SolverError, Unsupported};
use siconos_testkit::exact::DiodeBridge;

use crate::event_driven::circuits::build;

/// Lemke's method with a count of its calls.
#[derive(Debug)]
struct Counted {
    solver: Lemke,
    calls: Arc<AtomicUsize>,
}

impl Solver for Counted {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        "counted"
    }

    fn limits(&self) -> Limits {
        self.solver.limits()
    }

    fn supports(&self, problem: &LcpProblem<'_>) -> Result<(), Unsupported> {
        self.solver.supports(problem)
    }

    fn solve(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.solver.solve(problem, z, w)
    }
}

fn counted() -> (Box<dyn Solver<Class = Lcp>>, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    (Box::new(Counted { solver: Lemke::default(), calls: calls.clone() }), calls)
}

fn grid(t_end: f64) -> TimeDiscretisation {
    TimeDiscretisation::uniform(0.0, t_end, 0.25 * t_end).unwrap()
}

fn calls(count: &AtomicUsize) -> usize {
    count.swap(0, Ordering::Relaxed)
}

#[test]
fn each_problem_has_a_solver_of_its_own() {
    let built = ball(9.81, 0.5, 1.0, 0.0).unwrap();
    let (impact, impacts) = counted();
    let (acceleration, accelerations) = counted();
    let mut sim = EventDriven::builder(&built.model)
        .discretisation(grid(4.0))
        .solver(OneStepProblem::Impact, impact)
        .solver(OneStepProblem::Acceleration, acceleration)
        .build()
        .unwrap();
    let mut state = sim.initial_state(&built.model).unwrap();
    let mut bounces = 0;
    sim.run(&built.model, &mut state, |report, _| bounces += report.impacts.len()).unwrap();
    assert_eq!(calls(&impacts), bounces);
    assert!(calls(&accelerations) <= 2, "where the ball comes to rest");
}

#[test]
fn time_steps_that_take_over_have_the_solver_of_the_impacts() {
    let built = ball(9.81, 0.5, 1.0, 0.0).unwrap();
    let run = |policy| {
        let (impact, impacts) = counted();
        let mut settings = EventDrivenSettings::default();
        settings.accumulation.policy = policy;
        let mut sim = EventDriven::builder(&built.model)
            .discretisation(grid(4.0))
            .settings(settings)
            .solver(OneStepProblem::Impact, impact)
            .build()
            .unwrap();
        let mut state = sim.initial_state(&built.model).unwrap();
        sim.run(&built.model, &mut state, |_, _| {}).unwrap();
        assert_eq!(state.q(built.bodies[0]), [0.0]);
        calls(&impacts)
    };
    let alone = run(AccumulationPolicy::Stick);
    let with_steps = run(AccumulationPolicy::HandOver { h: 1e-2 });
    assert!(with_steps >= alone + 10, "{alone} calls, {with_steps} with time steps");
}

#[test]
fn circuits_ask_the_solver_of_the_user() {
    let (model, system, _) = build(&DiodeBridge::default().model());
    let (acceleration, accelerations) = counted();
    let mut sim = EventDriven::builder(&model)
        .discretisation(grid(5e-3))
        .solver(OneStepProblem::Acceleration, acceleration)
        .build()
        .unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    assert!(calls(&accelerations) > 0, "the first mode");
    sim.run(&model, &mut state, |_, _| {}).unwrap();
    // The elimination for mixed problems and the default solver give the same motion.
    for solver in
        [OneStepSolver::from(Elimination::new(Box::new(Lemke::default()))), OneStepSolver::default()]
    {
        let mut sim = EventDriven::builder(&model)
            .discretisation(grid(5e-3))
            .solver(OneStepProblem::Acceleration, solver)
            .build()
            .unwrap();
        let mut other = sim.initial_state(&model).unwrap();
        sim.run(&model, &mut other, |_, _| {}).unwrap();
        assert_eq!(other.x(system), state.x(system));
    }
}

#[test]
fn a_solver_of_another_class_is_refused() {
    let (circuit, ..) = build(&DiodeBridge::default().model());
    let body = ball(9.81, 0.5, 1.0, 0.0).unwrap().model;
    for model in [&circuit, &body] {
        for problem in [OneStepProblem::Impact, OneStepProblem::Acceleration] {
            let sim = EventDriven::builder(model)
                .discretisation(grid(1.0))
                .solver(problem, NonsmoothGaussSeidel::default())
                .build();
            let text = sim.unwrap_err().to_string();
            assert!(text.contains(NonsmoothGaussSeidel::default().name()), "{text}");
        }
    }
}

/// Two states with lower bounds of zero. The first one starts below its bound, so that x jumps along B.
#[test]
fn a_jump_leaves_its_impulse() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = array![[2.0, 0.0], [0.0, 1.0]];
    let system = FirstOrderLinear::new(vec![-1.5, 1.0], Array2::zeros((2, 2))).with_mass(mass);
    let system = model.add_system(system).unwrap();
    let walls = FirstOrderLinearRelation::new(Array2::eye(2), Array2::eye(2));
    let walls = model.add_interaction([system], walls, ComplementarityCondition::new(2).unwrap()).unwrap();
    let (impact, impacts) = counted();
    let mut sim = EventDriven::builder(&model)
        .discretisation(grid(1.0))
        .solver(OneStepProblem::Impact, impact)
        .build()
        .unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    // M (x+ - x-) = sigma.
    assert_eq!(state.x(system), [0.0, 1.0]);
    assert_eq!(state.x_at(EventSide::Before, system), [-1.5, 1.0]);
    assert_eq!(state.lambda(walls, Level::Velocity), [3.0, 0.0]);
    assert_eq!(state.impulse(system), [3.0, 0.0]);
    assert!(calls(&impacts) > 0);
    let report = sim.step(&model, &mut state).unwrap().unwrap();
    assert!(!report.jumped, "there was none since the initial state was asked for");
    assert_eq!(state.lambda(walls, Level::Velocity), [0.0, 0.0]);
    assert_eq!(state.impulse(system), [0.0, 0.0]);
    // The user sets the state outside its bounds. The next step starts with a jump and reports it.
    state.set_x(system, &[1.0, -0.25]).unwrap();
    let report = sim.step(&model, &mut state).unwrap().unwrap();
    assert!(report.jumped);
    assert_eq!(state.x(system), [1.0, 0.0]);
    // After `update_state`, the impulse of the jump is available before the step.
    state.set_x(system, &[1.0, -0.25]).unwrap();
    sim.update_state(&model, &mut state).unwrap();
    assert_eq!(state.lambda(walls, Level::Velocity), [0.0, 0.25]);
    assert!(!sim.step(&model, &mut state).unwrap().unwrap().jumped);
}
