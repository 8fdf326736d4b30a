//! How fast guards move at a point, along the integration: whether they are at zero, and where they go.

use siconos_numerics::linalg::DenseLu;
use siconos_numerics::ode::{Crossing, OdeSettings, OdeSystem};

use super::HybridError;
use super::consistency::Consistency;
use super::motion::Motion;
use crate::model::At;

/// Guards are looked at over so much of the time in which the state changes by its own size.
const PART: f64 = 1e-4;

/// Over how long where nothing says how fast the state changes \[s\].
const BLIND: f64 = 1e-6;

/// A guard may change faster than the state, with the time say: it is looked at over this much less as well,
/// twice. No root of a whole number, so that what repeats itself is not met in step.
const FINER: f64 = 0.149;

/// How much a derivative may grow when it is looked at over less.
const GROWTH: f64 = 0.1;

/// How far variables are moved to see what of a guard is rounding.
const ROUNDING: f64 = 2.0 * f64::EPSILON;

/// A guard counts as zero where it may have been within so many widths of the location of roots.
const BAND: f64 = 4.0;

/// The guards at a point, and what they are computed with.
#[derive(Clone, Default)]
pub(super) struct Probe {
    mass: Option<DenseLu>,
    /// Derivatives of the continuous variables along s; of algebraic ones 0.
    rates: Vec<f64>,
    moved: Vec<f64>,
    /// By guard: its value, and its derivative along s.
    pub(super) g: Vec<f64>,
    pub(super) g_rates: Vec<f64>,
    /// By guard: over which time its derivative was taken.
    steps: Vec<f64>,
    /// Derivatives of the guards over three lengths, one finer than the other.
    tried: [Vec<f64>; 3],
    behind: Vec<f64>,
    /// By guard: what of it may be rounding.
    pub(super) rounding: Vec<f64>,
    /// The width to which roots are located here.
    width: f64,
}

impl Probe {
    pub(super) fn new(mass: Option<DenseLu>) -> Self {
        Self { mass, ..Self::default() }
    }

    /// Looks at the guards at s.
    pub(super) fn measure(
        &mut self,
        motion: &mut Motion<'_>,
        settings: &OdeSettings,
        consistency: &mut Consistency,
        s: f64,
        x: &[f64],
    ) -> Result<(), HybridError> {
        let guards = motion.guards.len();
        let [first, second, third] = &mut self.tried;
        let by_guard =
            [&mut self.g, &mut self.g_rates, &mut self.behind, &mut self.rounding, &mut self.steps];
        for vector in by_guard.into_iter().chain([first, second, third]) {
            vector.clear();
            vector.resize(guards, 0.0);
        }
        for vector in [&mut self.rates, &mut self.moved] {
            vector.clear();
            vector.resize(x.len(), 0.0);
        }
        self.width = settings.location().width(s);
        self.find_rates(motion, s, x)?;
        motion.compute_guards(s, x, &mut self.g);
        motion.check_guards(s, &self.g)?;
        self.find_rounding(motion, s, x);
        let longest = self.length(settings, motion.system.states(), x);
        self.find_guard_rates(longest, |probe, step, level| {
            probe.rates_over(motion, settings, consistency, (s, step), x, level);
        });
        Ok(())
    }

    /// Finds the derivatives of the guards along s. Each is taken over the longest time over less of which it
    /// does not grow or turn round: what is found over much longer than a guard takes to come and go says
    /// nothing. `look` takes all derivatives over a time, for one of three levels.
    fn find_guard_rates(&mut self, longest: f64, mut look: impl FnMut(&mut Self, f64, usize)) {
        let mut step = longest;
        look(self, step, 0);
        if FINER * FINER * step < self.width {
            self.steps.fill(step);
            self.g_rates.copy_from_slice(&self.tried[0]);
            return;
        }
        look(self, FINER * step, 1);
        let mut left = self.g.len();
        while left > 0 {
            let finest = FINER * FINER * step;
            look(self, finest, 2);
            let is_last = FINER * finest < self.width;
            for guard in 0..self.g.len() {
                if self.steps[guard] > 0.0 {
                    continue;
                }
                let [over, less, least] = [0, 1, 2].map(|level| self.tried[level][guard]);
                let grows = |finer: f64, step: f64| {
                    let rounding = self.rounding[guard] / step;
                    let same_way = if over < 0.0 { -finer } else { finer };
                    same_way > (1.0 + GROWTH) * over.abs() + rounding || same_way < -rounding
                };
                if !grows(less, FINER * step) && !grows(least, finest) {
                    (self.g_rates[guard], self.steps[guard]) = (over, step);
                } else if is_last {
                    (self.g_rates[guard], self.steps[guard]) = (least, finest);
                }
                left -= usize::from(self.steps[guard] > 0.0);
            }
            self.tried.rotate_left(1);
            step *= FINER;
        }
    }

    /// Takes the derivatives of all guards over a time ahead and behind.
    fn rates_over(
        &mut self,
        motion: &mut Motion<'_>,
        settings: &OdeSettings,
        consistency: &mut Consistency,
        (s, step): (f64, f64),
        x: &[f64],
        level: usize,
    ) {
        let mut rates = std::mem::take(&mut self.tried[level]);
        self.guards_at(motion, settings, consistency, (s, step), x, &mut rates);
        let mut behind = std::mem::take(&mut self.behind);
        self.guards_at(motion, settings, consistency, (s, -step), x, &mut behind);
        for ((rate, behind), g) in rates.iter_mut().zip(&behind).zip(&self.g) {
            // Beyond where a guard is defined one looks to the other side only.
            *rate = match (rate.is_finite(), behind.is_finite()) {
                (true, true) => (*rate - behind) / (2.0 * step),
                (true, false) => (*rate - g) / step,
                (false, true) => (g - behind) / step,
                (false, false) => 0.0,
            };
        }
        (self.tried[level], self.behind) = (rates, behind);
    }

    /// How far a continuous variable goes in the time to which roots are located.
    pub(super) fn reach_of(&self, index: usize) -> f64 {
        self.rates.get(index).map_or(0.0, |rate| rate.abs() * self.width)
    }

    /// How far from zero a guard may be that is at zero.
    pub(super) fn band(&self, guard: usize) -> f64 {
        (BAND * self.width * self.g_rates[guard].abs()).max(self.rounding[guard])
    }

    /// Which way a guard goes; none where that is rounding.
    pub(super) fn way(&self, guard: usize) -> Option<Crossing> {
        let rate = self.g_rates[guard];
        let is_known = rate.abs() * self.steps[guard] > self.rounding[guard];
        is_known.then_some(if rate < 0.0 { Crossing::Falling } else { Crossing::Rising })
    }

    /// Moves all variables by their rounding, up and down in three patterns, so that differences of two or of
    /// three of them show.
    fn find_rounding(&mut self, motion: &mut Motion<'_>, s: f64, x: &[f64]) {
        let patterns: [fn(usize) -> bool; 3] = [|_| true, |i| i % 2 == 0, |i| (i / 2) % 2 == 0];
        for is_up in patterns {
            for (i, (moved, x)) in self.moved.iter_mut().zip(x).enumerate() {
                let part = ROUNDING * x;
                *moved = if is_up(i) { x + part } else { x - part };
            }
            motion.compute_guards(s, &self.moved, &mut self.behind);
            for ((rounding, moved), g) in self.rounding.iter_mut().zip(&self.behind).zip(&self.g) {
                let change = (moved - g).abs();
                *rounding = rounding.max(if change.is_finite() { change } else { 0.0 });
            }
        }
    }

    /// The derivatives of the states along s.
    fn find_rates(&mut self, motion: &mut Motion<'_>, s: f64, x: &[f64]) -> Result<(), HybridError> {
        motion.compute_f(s, x, &mut self.rates);
        let (states, unknowns) = (motion.system.states(), motion.system.unknowns);
        self.rates[states..].fill(0.0);
        if let Some(index) = self.rates.iter().position(|rate| !rate.is_finite()) {
            let (variable, value) = (motion.system.names[index].clone(), self.rates[index]);
            return Err(HybridError::Rate { variable, value, t: motion.sign * s });
        }
        if let Some(mass) = &mut self.mass {
            mass.solve(&mut self.rates[states - unknowns..states]);
        }
        Ok(())
    }

    /// Over which time the guards are looked at: a part of that in which the state changes by its own size,
    /// measured as for the first step of an integration.
    fn length(&self, settings: &OdeSettings, states: usize, x: &[f64]) -> f64 {
        let size = |vector: &[f64]| {
            let parts = (0..states).map(|i| vector[i] / settings.weight(i, x[i]));
            parts.map(|part| part * part).sum::<f64>().sqrt()
        };
        let (of_x, of_rates) = (size(x).max(1.0), size(&self.rates));
        if of_rates > 0.0 { PART * of_x / of_rates } else { BLIND }.max(self.width)
    }

    /// Writes the guards at a point ahead or behind, on a straight line.
    fn guards_at(
        &mut self,
        motion: &mut Motion<'_>,
        settings: &OdeSettings,
        consistency: &mut Consistency,
        (s, step): (f64, f64),
        x: &[f64],
        g: &mut [f64],
    ) {
        for ((moved, x), rate) in self.moved.iter_mut().zip(x).zip(&self.rates) {
            *moved = x + step * rate;
        }
        let at = At::new(motion.sign * (s + step), motion.parameters);
        // Where there is no consistent point beside this one, the algebraic variables stay.
        let _ = consistency.establish(motion.system, settings, (at, motion.discrete), &mut self.moved);
        motion.compute_guards(s + step, &self.moved, g);
    }
}
