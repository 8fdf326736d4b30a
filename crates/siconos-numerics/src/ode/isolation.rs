//! Certainty for guards that are polynomials of the state: their roots within a step, isolated.
//!
//! The dense output is a polynomial in time, so such a guard is one as well. In the Bernstein basis the number of changes of
//! sign of its coefficients bounds the number of its roots in the interval and has the same parity (Lane and Riesenfeld
//! 1981, "Bounds on a polynomial", after Descartes): none means no root, one means exactly one. An interval with more is
//! cut into halves (de Casteljau), until each has at most one or is as short as the root tolerance (Mourrain, Rouillier,
//! Roy 2005, "The Bernstein basis and real root isolation"). At the cuts the guards are looked at as well.

use super::OdeError;
use super::Statistics;
use super::guards::evaluate;
use super::segment::LARGEST_DEGREE;
use super::settings::RootLocation;
use super::system::OdeSystem;

/// Up to this degree in time a guard is isolated; beyond it rounding spoils the coefficients.
const MOST: usize = 2 * LARGEST_DEGREE + 2;

/// Coefficients in the Bernstein basis of an interval.
type Coefficients = [f64; MOST + 1];

/// An interval that may hold more than one root.
#[derive(Clone, Copy, Debug)]
struct Interval {
    from: f64,
    to: f64,
    coefficients: Coefficients,
}

/// Where the last step has to be cut.
#[derive(Clone, Debug, Default)]
pub(super) struct Isolation {
    /// In increasing order \[s\].
    pub(super) cuts: Vec<f64>,
    /// Whether they separate the roots of all guards.
    pub(super) are_complete: bool,
    /// The step that they belong to; none before the first.
    step: Option<(f64, f64)>,
    /// Values of all guards, one node after the other.
    values: Vec<f64>,
    x: Vec<f64>,
    open: Vec<Interval>,
}

impl Isolation {
    /// Forgets the past; the state has n components.
    pub(super) fn reset(&mut self, n: usize) {
        self.cuts.clear();
        self.are_complete = false;
        self.step = None;
        self.x.clear();
        self.x.resize(n, 0.0);
        self.open.reserve(MOST);
    }

    /// Finds the cuts of a step whose dense output `dense` is a polynomial of this degree.
    pub(super) fn update(
        &mut self,
        system: &mut dyn OdeSystem,
        location: RootLocation,
        statistics: &mut Statistics,
        (step, degree): ((f64, f64), usize),
        dense: &impl Fn(f64, &mut [f64]),
    ) -> Result<(), OdeError> {
        if self.step == Some(step) {
            return Ok(());
        }
        self.step = Some(step);
        self.cuts.clear();
        self.are_complete = false;
        let guards = system.guards();
        let in_time = |system: &dyn OdeSystem, guard: usize| {
            system
                .guard_degree(guard)
                .map(|of_guard| of_guard * degree)
                .filter(|total| (1..=MOST).contains(total))
        };
        let Some(most) = (0..guards).filter_map(|guard| in_time(system, guard)).max() else { return Ok(()) };
        self.are_complete = (0..guards).all(|guard| in_time(system, guard).is_some());
        let (first, last) = step;
        self.values.resize((most + 1) * guards, 0.0);
        for (k, values) in self.values.chunks_mut(guards).enumerate() {
            let t = first + node(k, most) * (last - first);
            dense(t, &mut self.x);
            evaluate(system, statistics, t, &self.x, values)?;
        }
        let shortest = 2.0 * location.width(last) / (last - first);
        for guard in 0..guards {
            if in_time(system, guard).is_some() {
                self.isolate(guard, guards, most, shortest);
            }
        }
        self.cuts.sort_by(f64::total_cmp);
        self.cuts.dedup();
        for cut in &mut self.cuts {
            *cut = first + *cut * (last - first);
        }
        Ok(())
    }

    fn isolate(&mut self, guard: usize, guards: usize, degree: usize, shortest: f64) {
        let mut values = [0.0; MOST + 1];
        let mut largest = 0.0_f64;
        for (k, value) in values.iter_mut().take(degree + 1).enumerate() {
            *value = self.values[k * guards + guard];
            largest = largest.max(value.abs());
        }
        // Smaller coefficients are rounding errors of the values.
        let noise = 64.0 * f64::EPSILON * largest;
        let coefficients = to_bernstein(&mut values, degree);
        self.open.clear();
        self.open.push(Interval { from: 0.0, to: 1.0, coefficients });
        while let Some(Interval { from, to, coefficients }) = self.open.pop() {
            let middle = 0.5 * (from + to);
            if to - from < shortest || changes(&coefficients[..=degree], noise) < 2 {
                continue;
            }
            self.cuts.push(middle);
            let (left, right) = halves(&coefficients, degree);
            self.open.push(Interval { from, to: middle, coefficients: left });
            self.open.push(Interval { from: middle, to, coefficients: right });
        }
    }
}

/// Chebyshev's nodes with the ends, in the unit interval.
fn node(k: usize, degree: usize) -> f64 {
    0.5 * (1.0 - (std::f64::consts::PI * k as f64 / degree as f64).cos())
}

/// From values at the nodes to coefficients: Newton's divided differences, multiplied out in the Bernstein basis.
fn to_bernstein(values: &mut Coefficients, degree: usize) -> Coefficients {
    for order in 1..=degree {
        for k in (order..=degree).rev() {
            values[k] = (values[k] - values[k - 1]) / (node(k, degree) - node(k - order, degree));
        }
    }
    let mut result = [0.0; MOST + 1];
    result[0] = values[degree];
    for k in (0..degree).rev() {
        // Times (s - node), which raises the degree by one, plus a constant.
        let (at, raised) = (node(k, degree), (degree - k) as f64);
        for j in (0..=degree - k).rev() {
            let here = if j < degree - k { (raised - j as f64) * -at * result[j] } else { 0.0 };
            let before = if j > 0 { j as f64 * (1.0 - at) * result[j - 1] } else { 0.0 };
            result[j] = (here + before) / raised + values[k];
        }
    }
    result
}

/// The number of changes of sign, without the numbers that are as small as the noise.
fn changes(coefficients: &[f64], noise: f64) -> usize {
    let mut signs = coefficients.iter().filter(|value| value.abs() > noise).map(|value| *value > 0.0);
    let Some(mut last) = signs.next() else { return 0 };
    signs.filter(|sign| std::mem::replace(&mut last, *sign) != *sign).count()
}

/// The coefficients on both halves of the interval.
fn halves(coefficients: &Coefficients, degree: usize) -> (Coefficients, Coefficients) {
    let (mut left, mut right) = ([0.0; MOST + 1], *coefficients);
    for (k, left) in left.iter_mut().enumerate().take(degree + 1) {
        *left = right[0];
        for j in 0..degree - k {
            right[j] = 0.5 * (right[j] + right[j + 1]);
        }
    }
    (left, right)
}
