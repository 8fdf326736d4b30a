//! Search for sign changes of guards on the dense output of a step.
//!
//! The side of a guard is its last nonzero sign. A guard that has been zero since the start has no side. A
//! guard fires at the earliest time at which its sign is strictly opposite to its side.

mod candidate;
mod memory;
mod search;

use self::candidate::Candidate;
use self::memory::Sides;
use self::search::{Found, Search};
use super::course::{Bounds, DenseSolution};
use super::evaluate_guards::evaluate;
use super::isolation::{DenseStep, Isolation};
use super::root::find_crossing;
use super::settings::RootLocation;
use super::system::{Crossing, OdeSystem, ZeroBand};
use super::{OdeError, Statistics};

/// Factor by which the distance of successive probes from the start of the first step grows.
const PROBE_GROWTH: f64 = 8.0;

/// Guard that fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fired {
    /// Index of the guard.
    pub guard: usize,
    /// Direction of the crossing: [`Crossing::Falling`] or [`Crossing::Rising`].
    pub direction: Crossing,
}

/// Earliest known sign change of the guards.
#[derive(Clone, Copy, Debug)]
struct NextChange {
    /// Time of the earliest known change \[s\]; infinite if no change is known.
    t: f64,
    /// `true` if no other guard changes its side before `t`.
    is_certain: bool,
}

/// Interval that is scanned within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScannedInterval {
    /// Start of the interval \[s\]; the step has been scanned up to here.
    pub from: f64,
    /// End of the interval \[s\].
    pub to: f64,
    /// `true` if the integration ends at `to`. In this case, a guard that is exactly zero at `to` fires.
    pub is_end: bool,
    /// Start and end of the step \[s\].
    pub step: (f64, f64),
    /// Degree of the dense output of the step in time.
    pub degree: usize,
}

/// Root finder of an [`Integrator`](super::Integrator), for use with other integrators. It stores the side of
/// each guard.
///
/// After [`restart`](Self::restart), pass the steps to [`scan`](Self::scan) in order, each with its dense
/// output.
///
/// ```
/// use siconos_ode::{Crossing, GuardScanner, OdeFunctions, RootLocation, Statistics, ScannedInterval};
///
/// // For the known solution x(t) = 1 - t^2, find the time at which x falls through zero.
/// let mut system = OdeFunctions::new(1, |t: f64, _x: &[f64], f: &mut [f64]| f[0] = -2.0 * t)
///     .with_guards(vec![Crossing::Falling], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0]);
/// let (mut watch, mut counts) = (GuardScanner::default(), Statistics::default());
/// watch.restart(&mut system, &mut counts, 0.0, &[1.0])?;
/// let stretch = ScannedInterval { from: 0.0, to: 1.5, is_end: true, step: (0.0, 1.5), degree: 2 };
/// let dense = |t: f64, x: &mut [f64]| x[0] = 1.0 - t * t;
/// let root = watch.scan(&mut system, RootLocation::default(), &mut counts, &stretch, dense)?;
/// assert!((root.unwrap() - 1.0).abs() < 1e-12);
/// assert_eq!(watch.fired().len(), 1);
/// # Ok::<(), siconos_ode::OdeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GuardScanner {
    pub(super) fired: Vec<Fired>,
    /// Time of the last root.
    pub(super) root: Option<f64>,
    /// Start of the integration \[s\]. `None` after the first part of the first step has been scanned.
    start: Option<f64>,
    sides: Vec<i8>,
    /// Bands in which guards that were zero at the start still count as zero.
    bands: Vec<ZeroBand>,
    left: Vec<f64>,
    right: Vec<f64>,
    work: Vec<f64>,
    x: Vec<f64>,
    candidates: Vec<Candidate>,
    isolation: Isolation,
    search: Search,
    remembered: Sides,
}

fn sign(value: f64) -> i8 {
    if value > 0.0 {
        1
    } else if value < 0.0 {
        -1
    } else {
        0
    }
}

impl GuardScanner {
    /// Returns the number of guards at the last restart.
    #[must_use]
    pub fn guards(&self) -> usize {
        self.sides.len()
    }

    /// Returns the guards that fired at the last root; empty if the last scan found no root.
    #[must_use]
    pub fn fired(&self) -> &[Fired] {
        &self.fired
    }

    /// Restarts at time `t` with the state `x`. A guard that fired at the time t counts as zero. The
    /// exception is a guard that fires in only one direction and is back on the side from which it fires.
    ///
    /// # Errors
    ///
    /// [`OdeError::Guard`] if a guard is not finite.
    pub fn restart(
        &mut self,
        system: &mut dyn OdeSystem,
        statistics: &mut Statistics,
        t: f64,
        x: &[f64],
    ) -> Result<(), OdeError> {
        let guards = system.guards();
        for vector in [&mut self.left, &mut self.right, &mut self.work] {
            vector.clear();
            vector.resize(guards, 0.0);
        }
        self.x.clear();
        self.x.resize(x.len(), 0.0);
        self.sides.clear();
        self.sides.resize(guards, 0);
        self.bands.clear();
        self.bands.resize(guards, ZeroBand::default());
        self.candidates.clear();
        self.candidates.reserve(guards);
        if guards > 0 {
            evaluate(system, statistics, t, x, &mut self.left)?;
        }
        for (side, g) in self.sides.iter_mut().zip(&self.left) {
            *side = sign(*g);
        }
        for (guard, side) in self.sides.iter_mut().enumerate() {
            if let Some(band) = system.zero_band(guard) {
                *side = 0;
                self.bands[guard] = band;
            }
        }
        if self.root == Some(t) {
            for fired in self.fired.iter().filter(|fired| fired.guard < guards) {
                // If a guard is on the side to which it crossed, it differs from zero only by rounding. If it
                // is on the side from which it crossed, the caller has changed it.
                let is_back = match system.crossing(fired.guard) {
                    Crossing::Falling => self.sides[fired.guard] > 0,
                    Crossing::Rising => self.sides[fired.guard] < 0,
                    Crossing::Any => false,
                };
                if !is_back {
                    self.sides[fired.guard] = 0;
                }
            }
        }
        self.fired.clear();
        self.fired.reserve(guards);
        self.start = Some(t);
        self.isolation.reset(x.len());
        self.search.begin(guards);
        Ok(())
    }

    /// Declares that guards fired at the time `t` \[s\] of the next restart.
    pub fn recall(&mut self, t: f64, fired: &[usize]) {
        self.root = Some(t);
        self.fired.clear();
        self.fired.extend(fired.iter().map(|&guard| Fired { guard, direction: Crossing::Any }));
    }

    /// Discards the record of the guards that fired last. The next restart then sets the side of each guard
    /// from its sign or its [`zero_band`](OdeSystem::zero_band).
    pub fn forget_roots(&mut self) {
        self.root = None;
    }

    /// Scans an interval of a step. Returns the time of the earliest root \[s\], or `None` if there is no
    /// root. `dense` is the solution over the interval.
    ///
    /// # Errors
    ///
    /// [`OdeError::Guard`] if a guard is not finite.
    pub fn scan(
        &mut self,
        system: &mut dyn OdeSystem,
        location: RootLocation,
        statistics: &mut Statistics,
        stretch: &ScannedInterval,
        dense: impl DenseSolution,
    ) -> Result<Option<f64>, OdeError> {
        self.fired.clear();
        if self.sides.is_empty() {
            return Ok(None);
        }
        let begins_at_zero = |guard: usize| self.start.is_some() && self.sides[guard] == 0;
        let step = DenseStep { ends: stretch.step, degree: stretch.degree, dense: &dense };
        self.isolation.update(system, location, statistics, step, begins_at_zero)?;
        let (first, last) = stretch.step;
        let mut from = stretch.from;
        let mut change = self.next_change(system, location, (from, stretch.to), &dense);
        // If all sign changes are known, no samples are needed.
        let mut samples = if change.is_certain { 1 } else { location.samples.max(1) };
        let mut part = (last - first) / samples as f64;
        // If a guard is zero at the start, probes just after the start show to which side it moves and
        // whether it soon crosses zero again. Where impacts accumulate, the intervals between them become
        // much shorter than a step.
        let begin = from;
        let is_open = self.bands.iter().any(|band| band.width > 0.0);
        let shortest = location.width(begin);
        let first_probe = if is_open { 4.0 * shortest } else { (1e-3 * part).max(shortest) };
        let mut ahead = if self.start.is_some() { first_probe } else { f64::INFINITY };
        let (mut sample, mut cut) = (1, 0);
        while from < stretch.to {
            while sample < samples && first + sample as f64 * part <= from {
                sample += 1;
            }
            while self.isolation.cuts.get(cut).is_some_and(|at| *at <= from) {
                cut += 1;
            }
            while begin + ahead <= from && ahead < part {
                ahead = if is_open { PROBE_GROWTH * ahead } else { f64::INFINITY };
            }
            let grid = if sample < samples { first + sample as f64 * part } else { stretch.to };
            let cut = self.isolation.cuts.get(cut).copied().unwrap_or(f64::INFINITY);
            let probe = if ahead < part { begin + ahead } else { f64::INFINITY };
            let to = grid.min(cut).min(probe).min(change.t).min(stretch.to);
            let ends = stretch.is_end && to == stretch.to;
            let root = self.look_at(system, location, statistics, (from, to), ends, &dense)?;
            if root.is_some() {
                return Ok(root);
            }
            from = to;
            change = self.next_change(system, location, (from, stretch.to), &dense);
            if !change.is_certain && samples == 1 {
                samples = location.samples.max(1);
                part = (last - first) / samples as f64;
            }
        }
        Ok(None)
    }

    /// Finds the earliest change of side among the guards with bounds. The result is certain if no other
    /// guard can change before, apart from polynomial guards with isolated roots.
    fn next_change(
        &mut self,
        system: &mut dyn OdeSystem,
        location: RootLocation,
        (from, to): (f64, f64),
        dense: &impl DenseSolution,
    ) -> NextChange {
        let mut next = NextChange { t: f64::INFINITY, is_certain: true };
        if from >= to || self.isolation.are_complete {
            return next;
        }
        let width = location.width(to);
        for guard in 0..self.sides.len() {
            if self.isolation.is_isolated(guard) {
                continue;
            }
            if !system.has_guard_bounds(guard) {
                next.is_certain = false;
                continue;
            }
            let side = self.sides[guard];
            // The side of this guard is determined by a probe.
            if side == 0 {
                continue;
            }
            let span = (from, to.min(next.t));
            let found = self.search.next_change(guard, side, span, width, |from, to| {
                let t = Bounds { lower: from, upper: to };
                system.guard_bounds(guard, t, &|component| dense.course((from, to), component))
            });
            match found {
                Found::Clear => (),
                Found::Change(t) => next.t = t,
                Found::Unknown => next.is_certain = false,
            }
        }
        next
    }

    /// Scans the part of a step between the times `from` and `to` \[s\].
    fn look_at(
        &mut self,
        system: &mut dyn OdeSystem,
        location: RootLocation,
        statistics: &mut Statistics,
        (from, to): (f64, f64),
        ends: bool,
        dense: &impl DenseSolution,
    ) -> Result<Option<f64>, OdeError> {
        dense.state(to, &mut self.x);
        evaluate(system, statistics, to, &self.x, &mut self.right)?;
        let width = location.width(to);
        let start = self.start.take();
        self.candidates.clear();
        for guard in 0..self.sides.len() {
            let (side, now) = (self.sides[guard], sign(self.right[guard]));
            let is_zero = ends && now == 0;
            let band = self.bands[guard];
            let (flip, shift) = if side == 0 && band.width > 0.0 && band.is_left_firing(self.right[guard]) {
                (-f64::from(now), band.width)
            } else if side != 0 && (now == -side || is_zero) && system.crossing(guard).accepts(side) {
                (f64::from(side), 0.0)
            } else {
                continue;
            };
            let mut candidate =
                Candidate { guard, flip, shift, before: (from, 0.0), after: (to, 0.0), is_zero };
            candidate.before.1 = candidate.value(&self.left);
            candidate.after.1 = candidate.value(&self.right);
            self.candidates.push(candidate);
        }
        self.locate(system, statistics, width, start, dense)?;
        let Some(earliest) = self.candidates.iter().map(|candidate| candidate.after.0).reduce(f64::min)
        else {
            for (guard, g) in self.right.iter().enumerate() {
                let (side, band) = (&mut self.sides[guard], &mut self.bands[guard]);
                if g.abs() > band.width {
                    if *side != sign(*g) {
                        *side = sign(*g);
                        self.search.forget(guard);
                    }
                    band.width = 0.0;
                }
            }
            std::mem::swap(&mut self.left, &mut self.right);
            return Ok(None);
        };
        let mut root = earliest;
        for candidate in
            self.candidates.iter().filter(|candidate| candidate.after.0 <= earliest + 2.0 * width)
        {
            let direction = if candidate.flip > 0.0 { Crossing::Falling } else { Crossing::Rising };
            self.sides[candidate.guard] = if candidate.is_zero { 0 } else { -candidate.flip as i8 };
            self.search.forget(candidate.guard);
            self.fired.push(Fired { guard: candidate.guard, direction });
            root = root.max(candidate.after.0);
        }
        dense.state(root, &mut self.x);
        evaluate(system, statistics, root, &self.x, &mut self.left)?;
        self.root = Some(root);
        Ok(Some(root))
    }

    /// Locates the roots of all candidates that can be the earliest root. Each evaluation gives the values of
    /// all guards and narrows the brackets of the other candidates as well, so several simultaneous roots
    /// cost little more than one. A root that cannot be separated from the start is identified with the start
    /// and is dropped, unless the guard leaves its band.
    fn locate(
        &mut self,
        system: &mut dyn OdeSystem,
        statistics: &mut Statistics,
        width: f64,
        start: Option<f64>,
        dense: &impl DenseSolution,
    ) -> Result<(), OdeError> {
        let mut earliest = f64::INFINITY;
        for place in 0..self.candidates.len() {
            let (located, others) = self.candidates[place..].split_at_mut(1);
            let candidate = &mut located[0];
            if candidate.before.0 > earliest + 2.0 * width {
                continue;
            }
            if !candidate.is_zero {
                let (x, g) = (&mut self.x, &mut self.work);
                let (times, values) =
                    ((candidate.before.0, candidate.after.0), (candidate.before.1, candidate.after.1));
                let bracket = find_crossing(times, values, width, |t| {
                    dense.state(t, x);
                    evaluate(system, statistics, t, x, g)?;
                    others.iter_mut().for_each(|other| other.narrow(t, g));
                    Ok::<f64, OdeError>(candidate.value(g))
                })?;
                candidate.after.0 = bracket.after;
            }
            let leaves_a_band = self.sides[candidate.guard] == 0;
            let is_start = start.is_some_and(|start| candidate.after.0 - start <= 2.0 * width);
            if is_start && !leaves_a_band {
                candidate.after.0 = f64::INFINITY;
            }
            earliest = earliest.min(candidate.after.0);
        }
        self.candidates.retain(|candidate| candidate.after.0.is_finite());
        Ok(())
    }
}
