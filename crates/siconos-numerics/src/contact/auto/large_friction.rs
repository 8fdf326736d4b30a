//! Replacement of infinite friction by a coefficient of 1e6. A contact that sticks with this coefficient also
//! sticks with any larger coefficient.

use super::{Auto, AutoSettings};
use crate::cascade::{Budget, Stage};
use crate::contact::residual::{error_of_point, judge};
use crate::contact::{Contact, ContactLaw, ContactProblem};
use crate::effort::EffortLimit;
use crate::error::{SolverError, Unsupported};
use crate::info::SolveInfo;
use crate::method::{Limits, Solver};

/// Coefficient that replaces an infinite coefficient. With a larger value, the cones would be half-spaces
/// within rounding errors.
const LARGE: f64 = 1e6;

/// Solver for infinite friction. It solves the problem with large friction by [`Auto`], and checks the result
/// for the problem with infinite friction.
#[derive(Debug)]
pub(super) struct LargeFriction {
    tolerance: f64,
    with_large: Auto,
    mu: Vec<f64>,
}

impl LargeFriction {
    pub(super) fn new(tolerance: f64) -> Self {
        let settings = AutoSettings { tolerance, ..AutoSettings::default() };
        let with_large = Auto::new(settings).expect("the tolerance has been checked");
        Self { tolerance, with_large, mu: Vec::new() }
    }

    /// Returns the dimension of the contacts and their coefficients. Returns an error if the law is not
    /// Coulomb's law or if all coefficients are finite.
    fn coefficients<'a>(&self, problem: &ContactProblem<'a>) -> Result<(usize, &'a [f64]), Unsupported> {
        match problem.law() {
            ContactLaw::Coulomb { dimension, mu } if mu.contains(&f64::INFINITY) => Ok((dimension, mu)),
            _ => {
                let (found, takes) =
                    ("this law, or finite friction", "Coulomb friction with an infinite coefficient");
                Err(Unsupported { solver: self.name(), found, takes })
            }
        }
    }
}

impl Stage for LargeFriction {
    fn set_budget(&mut self, budget: &Budget) {
        let operations = budget.cost * budget.iterations as f64;
        self.with_large.set_effort(EffortLimit::of_operations(operations));
    }

    fn effort(&self, _: &ContactProblem<'_>, _: &SolveInfo, _: &Budget) -> f64 {
        self.with_large.effort_spent()
    }
}

impl Solver for LargeFriction {
    type Class = Contact;

    fn name(&self) -> &'static str {
        "large-friction"
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, ..self.with_large.limits() }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        self.coefficients(problem).map(|_| ())
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (dimension, mu) = self.coefficients(problem)?;
        self.mu.clear();
        self.mu.extend(mu.iter().map(|mu| mu.min(LARGE)));
        let law = ContactLaw::Coulomb { dimension, mu: &self.mu };
        let problem = problem.need_delassus(self.name())?;
        let w = problem.w();
        let large = ContactProblem::of_checked(w.reborrow(), problem.q(), law);
        let info = self.with_large.solve(&large, r, u)?;
        let error = error_of_point(&problem, r, u);
        let judged = judge(&problem, r, error, self.tolerance);
        let status = if judged.is_success() || info.status.is_success() { judged } else { info.status };
        Ok(SolveInfo { status, error, ..info })
    }
}
