//! Events and spans that a simulation emits through `tracing`.
//!
//! These tests are a separate program: the interest in an event is determined once per process, and tests
//! that run concurrently without a subscriber would switch it off.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_numerics::lcp::{Lcp, LcpProblem};
use siconos_numerics::method::Limits;
use siconos_numerics::{SolveInfo, Solver, SolverError, Status};

/// Solver that always fails.
#[derive(Debug)]
struct GivesUp;

impl Solver for GivesUp {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        "gives up"
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: 1e-12, max_iterations: 7 }
    }

    fn solve(&mut self, _: &LcpProblem<'_>, _: &mut [f64], _: &mut [f64]) -> Result<SolveInfo, SolverError> {
        Ok(SolveInfo { status: Status::NotFound, iterations: 7, error: 0.5 })
    }
}

/// Counter of warnings and of the spans of steps.
#[derive(Default)]
struct Counts {
    warnings: AtomicUsize,
    steps: AtomicUsize,
}

struct Counter(Arc<Counts>);

impl tracing::Subscriber for Counter {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        if span.metadata().name() == "step" {
            self.0.steps.fetch_add(1, Ordering::Relaxed);
        }
        tracing::span::Id::from_u64(1)
    }

    fn event(&self, event: &tracing::Event<'_>) {
        if *event.metadata().level() == tracing::Level::WARN {
            self.0.warnings.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

/// Creates a ball of 1 kg at a height above a floor.
fn ball_at(height: f64) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball =
        LagrangianLinear::new(vec![height], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = -9.81);
    let ball = model.add_system(ball).unwrap();
    let floor = LagrangianLinearRelation::new(array![[1.0]]);
    model.add_interaction([ball], floor, NewtonImpact::new(0.5).unwrap()).unwrap();
    model
}

#[test]
fn a_start_below_the_floor_is_warned_of() {
    for (height, warnings) in [(-1e-3, 1), (0.0, 0), (0.2, 0)] {
        let model = ball_at(height);
        let counts = Arc::new(Counts::default());
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap())
            .build()
            .unwrap();
        tracing::subscriber::with_default(Counter(Arc::clone(&counts)), || {
            simulation.initial_state(&model).unwrap();
        });
        assert_eq!(counts.warnings.load(Ordering::Relaxed), warnings, "{height}");
    }
}

#[test]
fn an_overlap_is_warned_of_beside_a_gap_with_larger_rounding() {
    // One ball is far from the origin, with a gap of the size of rounding. One is near the origin and
    // overlaps by half as much.
    let mut model = NonSmoothDynamicalSystem::new();
    for (place, floor) in [(1e8, 1e8 + 1.5e-8), (1.0, 1.0 + 5e-9)] {
        let ball = model.add_system(LagrangianLinear::new(vec![place], vec![0.0], array![1.0])).unwrap();
        let floor = LagrangianLinearRelation::new(array![[1.0]]).with_offset(array![-floor]);
        model.add_interaction([ball], floor, NewtonImpact::new(0.5).unwrap()).unwrap();
    }
    let counts = Arc::new(Counts::default());
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap())
        .build()
        .unwrap();
    tracing::subscriber::with_default(Counter(Arc::clone(&counts)), || {
        simulation.initial_state(&model).unwrap();
    });
    assert_eq!(counts.warnings.load(Ordering::Relaxed), 1);
}

#[test]
fn the_policy_decides_whether_a_solver_that_gives_up_is_warned_of() {
    let model = ball_at(0.2);
    for (policy, warned) in [(OnNonConvergence::Warn, true), (OnNonConvergence::Continue, false)] {
        let counts = Arc::new(Counts::default());
        let solver: Box<dyn Solver<Class = Lcp>> = Box::new(GivesUp);
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap())
            .solver(solver)
            .on_non_convergence(policy)
            .build()
            .unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        let mut failures = 0;
        tracing::subscriber::with_default(Counter(Arc::clone(&counts)), || {
            simulation
                .run(&model, &mut state, |report, _| {
                    failures += usize::from(report.solve.status == Status::NotFound);
                })
                .unwrap();
        });
        assert!(failures > 100, "the ball falls through, and is below the floor ever after");
        assert_eq!(counts.warnings.load(Ordering::Relaxed), if warned { failures } else { 0 });
        // One span per step, and one for the call at the end of the grid.
        assert_eq!(counts.steps.load(Ordering::Relaxed), 1001);
    }
}

#[test]
fn the_time_of_an_event_that_may_fire_again_at_any_time_is_warned_of() {
    use siconos_hybrid::{
        Action, Direction, EventOptions, HybridSettings, HybridSolution, HybridSystem, Trigger, View,
    };
    for (retrigger, warnings) in [(true, 1), (false, 0)] {
        let mut system =
            HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0).unwrap();
        let options = EventOptions { retrigger: Some(retrigger), ..EventOptions::default() };
        let root = Trigger::root(|p: View| p.x[0] - 1.0);
        system.event_with(root, Action::None, options).unwrap();
        let mut solution = HybridSolution::new(&system, 0.0, &[0.0], HybridSettings::default()).unwrap();
        solution.set_direction(Direction::Right);
        for asks in [true, false] {
            let counts = Arc::new(Counts::default());
            tracing::subscriber::with_default(Counter(Arc::clone(&counts)), || {
                if asks {
                    assert!(solution.last_fired(&[1]).unwrap()[0] < 0.0);
                } else {
                    solution.set_last_fired(&[(1, 0.5)]).unwrap();
                }
            });
            assert_eq!(counts.warnings.load(Ordering::Relaxed), warnings, "{retrigger} {asks}");
        }
    }
}
