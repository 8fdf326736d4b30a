//! Automatic contact solver that sends its attempts to the test.

use std::sync::mpsc::{Receiver, Sender, channel};

use siconos_kernel::prelude::*;
use siconos_numerics::contact::{Auto, Contact, ContactProblem};
use siconos_numerics::method::Limits;
use siconos_numerics::{Attempt, SolveInfo, Solver, SolverError, Unsupported};

/// Solver that starts each step from r = 0, from which Gauss-Seidel sweeps need the most iterations.
#[derive(Debug)]
struct Watched {
    auto: Auto,
    told: Sender<Vec<Attempt>>,
}

/// Returns the solver for a simulation, and the receiver of its attempts after each solve.
pub(super) fn watched() -> (OneStepSolver, Receiver<Vec<Attempt>>) {
    let (told, attempts) = channel();
    (OneStepSolver::Contact(Box::new(Watched { auto: Auto::default(), told })), attempts)
}

impl Solver for Watched {
    type Class = Contact;

    fn name(&self) -> &'static str {
        self.auto.name()
    }

    fn limits(&self) -> Limits {
        self.auto.limits()
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        self.auto.supports(problem)
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        r.fill(0.0);
        let info = self.auto.solve(problem, r, u);
        // The receiver may already be dropped.
        let _ = self.told.send(self.auto.trace().to_vec());
        info
    }
}
