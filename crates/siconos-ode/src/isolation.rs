//! Isolation of the roots of polynomial guards within a step.
//!
//! The dense output is a polynomial in time, so a guard that is a polynomial of the state is a polynomial in
//! time as well. The number of sign changes of its Bernstein coefficients bounds the number of its roots in
//! the interval and has the same parity (Lane and Riesenfeld 1981, "Bounds on a polynomial", after
//! Descartes). No sign change means no root, and one sign change means exactly one root.
//!
//! An interval with more sign changes is bisected (de Casteljau) until each half has at most one root or is
//! as short as the root tolerance (Mourrain, Rouillier, Roy 2005, "The Bernstein basis and real root
//! isolation"). The points of bisection are called cuts. The guards are also evaluated at the cuts.
//! Coefficients within their bounds on rounding errors ([`rounding`]) have no sign.

use super::OdeError;
use super::Statistics;
use super::bernstein::{BernsteinBasis, Coefficients, MOST, changes, rounding, split_off_left};
use super::course::DenseSolution;
use super::evaluate_guards::evaluate;
use super::settings::RootLocation;
use super::system::OdeSystem;

/// Interval that can contain more than one root.
#[derive(Clone, Copy, Debug)]
struct Interval {
    from: f64,
    to: f64,
    coefficients: Coefficients,
    /// Bounds on the rounding errors of the coefficients.
    bounds: Coefficients,
}

impl Interval {
    /// Keeps the right half of the interval and returns the left half.
    fn split_off_left(&mut self, degree: usize) -> Self {
        let middle = 0.5 * (self.from + self.to);
        let coefficients = split_off_left(&mut self.coefficients, degree);
        let bounds = split_off_left(&mut self.bounds, degree);
        let left = Self { from: self.from, to: middle, coefficients, bounds };
        self.from = middle;
        left
    }
}

/// Step of an integrator, with its solution.
pub(super) struct DenseStep<'a, D> {
    /// Start and end \[s\].
    pub(super) ends: (f64, f64),
    /// Degree of the solution in time.
    pub(super) degree: usize,
    pub(super) dense: &'a D,
}

/// Cuts of the last step, which separate the roots of polynomial guards.
#[derive(Clone, Debug, Default)]
pub(super) struct Isolation {
    /// Times of the cuts in increasing order \[s\].
    pub(super) cuts: Vec<f64>,
    /// `true` if the cuts separate the roots of all guards.
    pub(super) are_complete: bool,
    /// For each guard, `true` if the cuts separate its roots.
    isolated: Vec<bool>,
    /// Step to which the cuts belong; `None` before the first step.
    step: Option<(f64, f64)>,
    /// `nodes` holds the fractions of the step at which the guards were evaluated. `values` holds the values
    /// of all guards at each fraction.
    nodes: Coefficients,
    basis: BernsteinBasis,
    values: Vec<f64>,
    x: Vec<f64>,
    open: Vec<Interval>,
}

impl Isolation {
    /// Discards the history. The state has n components.
    pub(super) fn reset(&mut self, n: usize) {
        self.cuts.clear();
        self.are_complete = false;
        self.step = None;
        self.x.clear();
        self.x.resize(n, 0.0);
        self.open.reserve(MOST);
    }

    /// Returns `true` if the cuts separate all roots of a guard.
    pub(super) fn is_isolated(&self, guard: usize) -> bool {
        self.isolated.get(guard).copied().unwrap_or(false)
    }

    /// Discards the cuts of the last step, after its dense output has changed.
    pub(super) fn forget_step(&mut self) {
        self.step = None;
    }

    /// Computes the cuts of a step with a polynomial dense output. If a guard is zero at the start of the
    /// step, the start is a root, and a cut separates it from the next root.
    pub(super) fn update(
        &mut self,
        system: &mut dyn OdeSystem,
        location: RootLocation,
        statistics: &mut Statistics,
        step: DenseStep<'_, impl DenseSolution>,
        begins_at_zero: impl Fn(usize) -> bool,
    ) -> Result<(), OdeError> {
        let DenseStep { ends, degree, dense } = step;
        if self.step == Some(ends) {
            return Ok(());
        }
        self.step = Some(ends);
        self.cuts.clear();
        let guards = system.guards();
        let in_time = |system: &dyn OdeSystem, guard: usize| {
            system
                .guard_degree(guard)
                .map(|of_guard| of_guard * degree)
                .filter(|total| (1..=MOST).contains(total))
        };
        self.isolated.clear();
        self.isolated.extend((0..guards).map(|guard| in_time(system, guard).is_some()));
        self.are_complete = self.isolated.iter().all(|is_isolated| *is_isolated);
        let Some(most) = (0..guards).filter_map(|guard| in_time(system, guard)).max() else { return Ok(()) };
        let (first, last) = ends;
        self.values.resize((most + 1) * guards, 0.0);
        self.basis.set_degree(most);
        for (k, values) in self.values.chunks_mut(guards).enumerate() {
            let wanted = self.basis.nodes()[k];
            self.nodes[k] = dense.state_near(ends, wanted, &mut self.x);
            evaluate(system, statistics, first + self.nodes[k] * (last - first), &self.x, values)?;
        }
        let shortest = 2.0 * location.width(last) / (last - first);
        for guard in 0..guards {
            if in_time(system, guard).is_some() {
                self.isolate((guard, guards), most, shortest, begins_at_zero(guard));
            }
        }
        self.cuts.sort_by(f64::total_cmp);
        self.cuts.dedup();
        for cut in &mut self.cuts {
            *cut = first + *cut * (last - first);
        }
        Ok(())
    }

    fn isolate(
        &mut self,
        (guard, guards): (usize, usize),
        degree: usize,
        shortest: f64,
        begins_at_zero: bool,
    ) {
        let mut values = [0.0; MOST + 1];
        let mut largest = 0.0_f64;
        for (k, value) in values.iter_mut().take(degree + 1).enumerate() {
            *value = self.values[k * guards + guard];
            largest = largest.max(value.abs());
        }
        let coefficients = self.basis.coefficients(&values, &self.nodes);
        let bounds = rounding(degree, largest);
        self.open.clear();
        self.open.push(Interval { from: 0.0, to: 1.0, coefficients, bounds });
        while let Some(mut interval) = self.open.pop() {
            loop {
                let Interval { from, to, coefficients, bounds } = &interval;
                let at_start = usize::from(begins_at_zero && *from == 0.0);
                let most_roots = changes(&coefficients[..=degree], &bounds[..=degree]) + at_start;
                if to - from < shortest || most_roots < 2 {
                    break;
                }
                self.cuts.push(0.5 * (from + to));
                self.open.push(interval.split_off_left(degree));
            }
        }
    }
}
