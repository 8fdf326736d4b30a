//! Stiff method Radau5 of the crate `differential-equations` (after Hairer and Wanner 1996, section IV.8),
//! adapted to the [`Stepper`] trait, for $\dot x = f$ and for $M \dot x = f$.
//!
//! Workarounds for defects of version 0.7.0:
//!
//! - It rejects a step that is shorter than 1e-16 times the previous step. For a new solver, the previous
//!   step is its initial step, so the initial step is set to the length of the first trial.
//! - It transforms a scalar tolerance once for each component. It is given one tolerance per component, each
//!   of which is transformed once.
//! - Its workspace starts with vectors of zeros whose length it does not specify; see
//!   [`state`](super::state).
//! - A NaN in the first Newton iteration passes its tests. The adapter monitors the values of f.
//! - After a step that kept its length, it continues with the old factorisation even if the next length
//!   differs. After a rejection it continues with an old Jacobian. In these cases the solver is created again
//!   at the current time, and the step is repeated.

use std::fmt;

use differential_equations::methods::{Algebraic, ImplicitRungeKutta, Ordinary};

use super::adapter::{Attempt, Call, Explicit, Notes, Solver, WithMass, attempt};
use super::right_hand_side::RightHandSide;
use super::segment::Unit;
use super::state::set_length_of_zeros;
use super::stepper::{Start, Stepper, Target, Trial};
use super::{OdeError, OdeSettings};

/// Stiff method with its workspace.
#[derive(Default)]
pub(super) struct RadauStepper {
    /// Solver of `differential-equations`; `None` if it must be created at the start of the next step.
    solver: Option<Box<dyn Solver>>,
    /// Step length for which the solver has factorised its matrices \[s\].
    h_factored: f64,
    /// Unit of the states in the solver.
    unit: Unit,
    notes: Notes,
    thirds: [Vec<f64>; 2],
}

impl Clone for RadauStepper {
    /// The copy creates its own solver, with a new Jacobian, at its next step.
    fn clone(&self) -> Self {
        let (notes, thirds) = (self.notes.clone(), self.thirds.clone());
        Self { solver: None, h_factored: self.h_factored, unit: self.unit, notes, thirds }
    }
}

impl fmt::Debug for RadauStepper {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RadauStepper").finish_non_exhaustive()
    }
}

impl RadauStepper {
    /// Returns the infinity norm of the Jacobian, which is an upper bound on its spectral radius.
    pub(super) fn jacobian_norm(&self) -> f64 {
        self.notes.jacobian_norm
    }

    /// Returns the mass matrix, stored row by row. The caller fills it before the first step. It is empty if
    /// there is none.
    pub(super) fn mass(&mut self) -> &mut Vec<f64> {
        &mut self.notes.mass
    }

    fn make_solver(&self, settings: &OdeSettings, n: usize, h: f64) -> Box<dyn Solver> {
        let absolute = settings.absolute_tolerance.for_each(n);
        let relative = settings.relative_tolerance.for_each(n);
        // Stopping criterion of the Newton iteration as in RADAU5, for the smallest of the transformed
        // relative tolerances.
        let smallest = relative.iter().fold(f64::INFINITY, |least, r| least.min(0.1 * r.powf(2.0 / 3.0)));
        let newton = (10.0 * f64::EPSILON / smallest).max(0.03_f64.min(smallest.sqrt()));
        if self.notes.mass.is_empty() {
            Box::new(Explicit(
                ImplicitRungeKutta::<Ordinary, _, _, _, 5, 3, 3>::radau5()
                    .atol(absolute)
                    .rtol(relative)
                    .newton_tol(newton)
                    .h0(h)
                    .max_steps(usize::MAX),
            ))
        } else {
            Box::new(WithMass(
                ImplicitRungeKutta::<Algebraic, _, _, _, 5, 3, 3>::radau5()
                    .atol(absolute)
                    .rtol(relative)
                    .newton_tol(newton)
                    .h0(h)
                    .max_steps(usize::MAX),
            ))
        }
    }

    /// Copies the collocation polynomial of the step.
    fn set_segment(&mut self, solver: &mut dyn Solver, start: Start<'_>, target: &mut Target<'_>) {
        let (first, last) = (solver.t_before(), solver.t());
        let third = (last - first) / 3.0;
        for (values, t) in self.thirds.iter_mut().zip([first + third, last - third]) {
            solver.interpolate(t, values);
            values.iter_mut().for_each(|value| *value = self.unit.restored(*value));
        }
        let [first, second] = &self.thirds;
        target.segment.set_thirds((start.x, target.x), (first, second));
    }
}

impl Stepper for RadauStepper {
    fn restart(&mut self, n: usize) {
        self.solver = None;
        self.notes.reset(n);
        for values in &mut self.thirds {
            values.clear();
            values.resize(n, 0.0);
        }
    }

    fn step(
        &mut self,
        rhs: &mut RightHandSide<'_>,
        start: Start<'_>,
        mut target: Target<'_>,
    ) -> Result<Trial, OdeError> {
        let n = start.x.len();
        set_length_of_zeros(n);
        let unit = Unit::between(start.x, start.f);
        if unit != self.unit {
            (self.solver, self.unit) = (None, unit);
        }
        loop {
            let kept = self.solver.take();
            let is_new = kept.is_none();
            let mut solver = kept.unwrap_or_else(|| self.make_solver(rhs.settings, n, start.h));
            let call = Call { unit, ..Call::new(rhs, &mut self.notes, start, None) };
            // If this function returns early, the solver is dropped, and the next trial creates a new one.
            let (before, evaluations) = match attempt(&mut *solver, call, start.h, is_new)? {
                Attempt::CannotBegin => return Ok(Trial::Rejected { next: 0.5 * start.h }),
                Attempt::NotFinite(at) => return Ok(Trial::NotFinite(at)),
                Attempt::GaveUp if is_new => return Ok(Trial::Rejected { next: 0.5 * start.h }),
                Attempt::GaveUp => continue,
                Attempt::Tried { before, evaluations } => (before, evaluations),
            };
            rhs.statistics.factorisations += evaluations.decompositions;
            if evaluations.decompositions > 0 {
                self.h_factored = start.h;
            } else if !is_new && start.h != self.h_factored {
                continue;
            }
            let next = solver.h();
            if solver.t() <= before {
                if evaluations.jacobian > 0 {
                    self.solver = Some(solver);
                }
                return Ok(Trial::Rejected { next });
            }
            for (target, x) in target.x.iter_mut().zip(solver.x()) {
                *target = unit.restored(*x);
            }
            target.f.copy_from_slice(&self.notes.last);
            self.set_segment(&mut *solver, start, &mut target);
            self.solver = Some(solver);
            return Ok(Trial::Accepted { next });
        }
    }
}
