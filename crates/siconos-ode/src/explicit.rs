//! Explicit methods DOPRI5 and DOP853 of the crate `differential-equations` (after Hairer, Norsett, Wanner
//! 1993, sections II.4 to II.6), adapted to the [`Stepper`] trait.
//!
//! The dense output of version 0.7.0 has two defects. They are corrected here from quantities that the crate
//! computes correctly:
//!
//! - DOPRI5 reads the weights of its quartic term from a row of zeros, so that only a cubic of order 3
//!   remains. The quartic term is added from the slopes of the stages.
//! - DOP853 exchanges $s$ and $1 - s$ in its four highest terms. These have the common factor
//!   $s^2 (1 - s)^2$, which is symmetric. The four terms at $s$ are therefore the output of the crate at
//!   $1 - s$ minus the cubic at $1 - s$ that interpolates both ends.

use std::fmt;

use differential_equations::methods::ExplicitRungeKutta;

use super::adapter::{Attempt, Call, Explicit, Notes, SLOPES, Solver, attempt};
use super::right_hand_side::RightHandSide;
use super::segment::{NODES, Segment, Unit};
use super::state::set_length_of_zeros;
use super::stepper::{Start, Stepper, Target, Trial};
use super::{OdeError, OdeSettings};

/// Pair of Runge-Kutta formulas of different orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    Dopri5,
    Dop853,
}

/// Weights of the quartic term of the dense output of DOPRI5, for the slopes 1 to 7 (Hairer, Norsett, Wanner
/// 1993, section II.6, after Shampine 1986).
const QUARTIC: [f64; SLOPES + 1] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// Explicit method with its workspace.
pub(super) struct ExplicitStepper {
    pair: Pair,
    solver: Option<Box<dyn Solver>>,
    /// `true` if the solver is at the start of the next step.
    is_ready: bool,
    /// Unit of the states in the solver.
    unit: Unit,
    notes: Notes,
    /// Values of the dense output at the four interior [`NODES`](super::segment::NODES). Used for DOP853.
    values: [Vec<f64>; 4],
}

impl Clone for ExplicitStepper {
    /// The copy creates its own solver at its next step. The results are unchanged, because an explicit
    /// method has no history.
    fn clone(&self) -> Self {
        let (notes, values) = (self.notes.clone(), self.values.clone());
        Self { pair: self.pair, solver: None, is_ready: false, unit: self.unit, notes, values }
    }
}

impl fmt::Debug for ExplicitStepper {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ExplicitStepper").field("pair", &self.pair).finish_non_exhaustive()
    }
}

impl ExplicitStepper {
    pub(super) fn new(pair: Pair) -> Self {
        let values = std::array::from_fn(|_| Vec::new());
        Self { pair, solver: None, is_ready: false, unit: Unit::default(), notes: Notes::default(), values }
    }

    /// Returns an estimate of the step length times the dominant eigenvalue. It is computed from two
    /// evaluations of f at the end of the step: the last two stages of DOPRI5, or the last stage and the
    /// result of DOP853.
    pub(super) fn stiffness(&self, h: f64) -> f64 {
        let distance = |[a, b]: [&[f64]; 2]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        let slopes = distance([&self.notes.slopes[SLOPES - 1], &self.notes.slopes[SLOPES - 2]]);
        let states = distance([&self.notes.stages[1], &self.notes.stages[0]]);
        if states > 0.0 { h * (slopes / states).sqrt() } else { 0.0 }
    }

    /// Returns the index of the evaluation of f at the end of the step.
    fn end_call(&self) -> usize {
        match self.pair {
            Pair::Dopri5 => SLOPES,
            Pair::Dop853 => 11,
        }
    }

    fn make_solver(&self, settings: &OdeSettings) -> Box<dyn Solver> {
        let (absolute, relative) = (&settings.absolute_tolerance, &settings.relative_tolerance);
        // The step limits of `differential-equations` are disabled, because the adapter sets the length of
        // each step.
        match self.pair {
            Pair::Dopri5 => Box::new(Explicit(
                ExplicitRungeKutta::dopri5()
                    .atol(absolute.for_crate())
                    .rtol(relative.for_crate())
                    .h0(1.0)
                    .max_steps(usize::MAX),
            )),
            Pair::Dop853 => Box::new(Explicit(
                ExplicitRungeKutta::dop853()
                    .atol(absolute.for_crate())
                    .rtol(relative.for_crate())
                    .h0(1.0)
                    .max_steps(usize::MAX),
            )),
        }
    }

    fn set_segment(&mut self, solver: &mut dyn Solver, start: Start<'_>, target: &mut Target<'_>) {
        let h = start.h;
        let Target { x, f, segment } = target;
        segment.set_ends(h, (start.x, start.f), (x, f));
        match self.pair {
            Pair::Dopri5 => {
                let (slopes, unit) = (&self.notes.slopes, segment.unit());
                segment.add_quartic(|i| {
                    let terms = slopes.iter().zip(&QUARTIC[1..]);
                    let sum: f64 = terms.map(|(k, weight)| weight * unit.scaled(k[i])).sum();
                    h * (QUARTIC[0] * unit.scaled(start.f[i]) + sum)
                });
            }
            Pair::Dop853 => self.mirror(solver, segment),
        }
    }

    fn mirror(&mut self, solver: &mut dyn Solver, segment: &mut Segment) {
        let (first, last) = (solver.t_before(), solver.t());
        for (values, s) in self.values.iter_mut().zip(NODES) {
            let t = (first + (1.0 - s) * (last - first)).clamp(first, last);
            solver.interpolate(t, values);
            for (i, value) in values.iter_mut().enumerate() {
                *value = segment.unit().scaled(self.unit.restored(*value)) + segment.cubic(i, s)
                    - segment.cubic(i, 1.0 - s);
            }
        }
        segment.add_septic(&mut self.values);
    }
}

impl Stepper for ExplicitStepper {
    fn restart(&mut self, n: usize) {
        self.is_ready = false;
        self.notes.reset(n);
        for values in &mut self.values {
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
        set_length_of_zeros(start.x.len());
        let kept = self.solver.take();
        let is_new = kept.is_none();
        let mut solver = kept.unwrap_or_else(|| self.make_solver(rhs.settings));
        let end_call = self.end_call();
        // The crate adds slopes with coefficients of up to a few tens, so the sums could overflow.
        let unit = Unit::between(start.x, start.f);
        self.is_ready &= unit == self.unit;
        self.unit = unit;
        let call = Call { unit, ..Call::new(rhs, &mut self.notes, start, Some(end_call)) };
        // If this function returns early, the solver is dropped, and the next trial creates a new one.
        let before = match attempt(&mut *solver, call, start.h, is_new || !self.is_ready)? {
            Attempt::CannotBegin => return Ok(Trial::Rejected { next: 0.5 * start.h }),
            Attempt::NotFinite(at) => return Ok(Trial::NotFinite(at)),
            Attempt::GaveUp => {
                // The stiffness test of the crate compares slopes with states, and its minimum step length is
                // relative to a step before the restart. Neither is meaningful for this step. A new solver
                // has no previous step.
                let next = if is_new { 0.5 * start.h } else { start.h };
                return Ok(Trial::Rejected { next });
            }
            Attempt::Tried { before, .. } => before,
        };
        let next = solver.h();
        let is_accepted = solver.t() > before;
        if is_accepted {
            for (target, x) in target.x.iter_mut().zip(solver.x()) {
                *target = unit.restored(*x);
            }
            target.f.copy_from_slice(&self.notes.last);
            self.set_segment(&mut *solver, start, &mut target);
        }
        self.is_ready = true;
        self.solver = Some(solver);
        Ok(if is_accepted { Trial::Accepted { next } } else { Trial::Rejected { next } })
    }
}
