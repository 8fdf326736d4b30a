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
    behind: Vec<f64>,
    /// By guard: what of it may be rounding.
    pub(super) rounding: Vec<f64>,
    /// The width to which roots are located here, and over which time guards are looked at.
    width: f64,
    step: f64,
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
        for vector in [&mut self.g, &mut self.g_rates, &mut self.behind, &mut self.rounding] {
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
        self.step = self.length(settings, motion.system.states(), x);
        let step = self.step;
        self.find_rounding(motion, s, x);
        self.guards_at(motion, settings, consistency, (s, step), x, true);
        self.guards_at(motion, settings, consistency, (s, -step), x, false);
        for ((rate, behind), g) in self.g_rates.iter_mut().zip(&self.behind).zip(&self.g) {
            // Beyond where a guard is defined one looks to the other side only.
            *rate = match (rate.is_finite(), behind.is_finite()) {
                (true, true) => (*rate - behind) / (2.0 * step),
                (true, false) => (*rate - g) / step,
                (false, true) => (g - behind) / step,
                (false, false) => 0.0,
            };
        }
        Ok(())
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
        let is_known = rate.abs() * self.step > self.rounding[guard];
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
        is_ahead: bool,
    ) {
        for ((moved, x), rate) in self.moved.iter_mut().zip(x).zip(&self.rates) {
            *moved = x + step * rate;
        }
        let at = At::new(motion.sign * (s + step), motion.parameters);
        // Where there is no consistent point beside this one, the algebraic variables stay.
        let _ = consistency.establish(motion.system, settings, (at, motion.discrete), &mut self.moved);
        let g = if is_ahead { &mut self.g_rates } else { &mut self.behind };
        motion.compute_guards(s + step, &self.moved, g);
    }
}
