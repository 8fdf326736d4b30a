//! Values and rates of the guards at a point. They determine which guards count as zero, and in which
//! direction the guards move. Rates are derivatives with respect to s, the independent variable of the
//! integration. The *root location width* is the length \[s\] of the time interval to which a root is
//! located.

use siconos_linalg::DenseLu;
use siconos_ode::{Crossing, OdeSettings, OdeSystem};

use super::HybridError;
use super::consistency::Consistency;
use super::motion::Motion;
use siconos_kernel::model::At;

/// Maximum finite-difference step, as a fraction of the time in which the state changes by its own magnitude.
const PART: f64 = 1e-4;

/// Maximum finite-difference step \[s\] if all derivatives of the state are zero.
const BLIND: f64 = 1e-6;

/// Ratio of each difference step to the next larger step. At least two smaller steps are tried, because a
/// guard can change faster than the state, for example if it depends directly on time. No power of the ratio
/// is the reciprocal of an integer, so the steps are not multiples of each other and do not sample a periodic
/// guard at equal phases.
const FINER: f64 = 0.149;

/// A difference step is accepted if the derivative over a smaller step is larger by at most this fraction.
const GROWTH: f64 = 0.1;

/// Relative change of the variables that is used to estimate the rounding errors of the guards.
const ROUNDING: f64 = 2.0 * f64::EPSILON;

/// A guard counts as zero if it is at most this multiple of the root location width away from its root.
const BAND: f64 = 4.0;

/// A guard jumps within a step if its change over the step exceeds this fraction of its change over the next
/// larger step.
const JUMP: f64 = 0.5;

/// Forward and backward differences of all guards over one step. The difference of an undefined guard is NaN.
#[derive(Clone, Debug, Default)]
struct Differences {
    step: f64,
    ahead: Vec<f64>,
    behind: Vec<f64>,
}

impl Differences {
    /// Returns the derivative of a guard with respect to s. If the guard is undefined on one side, uses the
    /// difference on the other side.
    fn rate(&self, guard: usize) -> f64 {
        let (ahead, behind) = (self.ahead[guard], self.behind[guard]);
        match (ahead.is_finite(), behind.is_finite()) {
            (true, true) => (ahead + behind) / (2.0 * self.step),
            (true, false) => ahead / self.step,
            (false, true) => behind / self.step,
            (false, false) => 0.0,
        }
    }
}

/// Sides of a point on which a guard jumps within the root location width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Jumps {
    pub(super) ahead: bool,
    pub(super) behind: bool,
}

impl Jumps {
    pub(super) fn any(self) -> bool {
        self.ahead || self.behind
    }
}

/// Guard that has crossed zero, with the point at which it crossed zero.
#[derive(Clone, Copy)]
pub(super) struct CrossedGuard<'a> {
    pub(super) guard: usize,
    pub(super) s: f64,
    pub(super) x: &'a [f64],
    /// Derivatives of the continuous variables before the crossing.
    pub(super) came_with: &'a [f64],
}

/// Values and rates of the guards at a point, with workspace.
#[derive(Clone, Default)]
pub(super) struct Probe {
    mass: Option<DenseLu>,
    /// Derivatives of the continuous variables with respect to s. They are 0 for algebraic variables.
    pub(super) rates: Vec<f64>,
    moved: Vec<f64>,
    point: Vec<f64>,
    /// Value of each guard.
    pub(super) g: Vec<f64>,
    /// Derivative of each guard with respect to s.
    pub(super) g_rates: Vec<f64>,
    /// Jumps of each guard at the point.
    pub(super) jumps: Vec<Jumps>,
    /// Difference step from which the rate of each guard was computed.
    steps: Vec<f64>,
    /// Differences of the guards over three steps, in decreasing order of the step.
    tried: [Differences; 3],
    trial: Vec<f64>,
    /// Estimated rounding error of each guard.
    pub(super) rounding: Vec<f64>,
    /// Root location width at the point \[s\].
    pub(super) width: f64,
}

impl Probe {
    pub(super) fn new(mass: Option<DenseLu>) -> Self {
        Self { mass, ..Self::default() }
    }

    /// Evaluates the guards at s, and estimates their rates and rounding errors.
    pub(super) fn measure(
        &mut self,
        motion: &mut Motion<'_>,
        settings: &OdeSettings,
        consistency: &mut Consistency,
        s: f64,
        x: &[f64],
    ) -> Result<(), HybridError> {
        let guards = motion.guards.len();
        let by_guard = [&mut self.g, &mut self.g_rates, &mut self.trial, &mut self.rounding, &mut self.steps];
        let differences = self.tried.iter_mut().flat_map(|it| [&mut it.ahead, &mut it.behind]);
        for vector in by_guard.into_iter().chain(differences) {
            vector.clear();
            vector.resize(guards, 0.0);
        }
        self.jumps.clear();
        self.jumps.resize(guards, Jumps::default());
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
            probe.find_differences(motion, settings, consistency, (s, step), x, level);
        });
        Ok(())
    }

    /// Computes the rates of the guards. For each guard, the largest suitable step is used. A step is
    /// suitable if the derivatives over the next two smaller steps are not larger and have the same sign, and
    /// if the derivative over the next smaller step is not much smaller. Steps that contain a jump, and steps
    /// that are much longer than the time in which the guard is nonzero, fail this test. `look` computes the
    /// differences of all guards over a step, and stores them in `tried` at the given index.
    fn find_guard_rates(&mut self, longest: f64, mut look: impl FnMut(&mut Self, f64, usize)) {
        let mut step = longest.max(self.width / (FINER * FINER));
        look(self, step, 0);
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
                let [over, less, least] = [0, 1, 2].map(|level| self.tried[level].rate(guard));
                let along = |finer: f64| if over < 0.0 { -finer } else { finer };
                let grows = |finer: f64, step: f64| {
                    let rounding = self.rounding[guard] / step;
                    along(finer) > (1.0 + GROWTH) * over.abs() + rounding || along(finer) < -rounding
                };
                let falls = along(less) < JUMP * over.abs() - self.rounding[guard] / (FINER * step);
                if !falls && !grows(less, FINER * step) && !grows(least, finest) {
                    (self.g_rates[guard], self.steps[guard]) = (over, step);
                } else if is_last {
                    (self.g_rates[guard], self.steps[guard]) = (least, finest);
                    self.look_for_jumps(guard);
                }
                left -= usize::from(self.steps[guard] > 0.0);
            }
            self.tried.rotate_left(1);
            step *= FINER;
        }
    }

    /// Determines whether a guard jumps before or after the point, within the smallest of the three steps. If
    /// it jumps on one side only, its rate is computed on the other side.
    fn look_for_jumps(&mut self, guard: usize) {
        let [_, less, least] = &self.tried;
        let rounding = self.rounding[guard];
        let is_jump = |less: f64, least: f64| least.abs() > JUMP * less.abs() && least.abs() > 4.0 * rounding;
        let jumps = Jumps {
            ahead: is_jump(less.ahead[guard], least.ahead[guard]),
            behind: is_jump(less.behind[guard], least.behind[guard]),
        };
        self.jumps[guard] = jumps;
        match jumps {
            Jumps { ahead: false, behind: true } => {
                (self.g_rates[guard], self.steps[guard]) = (less.ahead[guard] / less.step, less.step);
            }
            Jumps { ahead: true, behind: false } => {
                (self.g_rates[guard], self.steps[guard]) = (less.behind[guard] / less.step, less.step);
            }
            Jumps { ahead: true, behind: true } | Jumps { ahead: false, behind: false } => (),
        }
    }

    /// Computes the differences of all guards over `step`, forward and backward from the point.
    fn find_differences(
        &mut self,
        motion: &mut Motion<'_>,
        settings: &OdeSettings,
        consistency: &mut Consistency,
        (s, step): (f64, f64),
        x: &[f64],
        level: usize,
    ) {
        let mut differences = std::mem::take(&mut self.tried[level]);
        differences.step = step;
        self.guards_at(motion, settings, consistency, (s, step), x, &mut differences.ahead);
        self.guards_at(motion, settings, consistency, (s, -step), x, &mut differences.behind);
        for ((ahead, behind), g) in differences.ahead.iter_mut().zip(&mut differences.behind).zip(&self.g) {
            (*ahead, *behind) = (*ahead - g, g - *behind);
        }
        self.tried[level] = differences;
    }

    /// Returns the distance that a continuous variable moves in a time equal to the root location width.
    pub(super) fn reach_of(&self, index: usize) -> f64 {
        self.rates.get(index).map_or(0.0, |rate| rate.abs() * self.width)
    }

    /// Returns the magnitude up to which a guard counts as zero. A guard that jumps on both sides counts as
    /// zero only if it is exactly zero.
    pub(super) fn band(&self, guard: usize) -> f64 {
        if self.jumps[guard] == (Jumps { ahead: true, behind: true }) {
            return 0.0;
        }
        (BAND * self.width * self.g_rates[guard].abs()).max(self.rounding[guard])
    }

    /// Returns the direction in which a guard moves, or `None` if its change is only a rounding error.
    pub(super) fn way(&self, guard: usize) -> Option<Crossing> {
        let rate = self.g_rates[guard];
        let is_known = rate.abs() * self.steps[guard] > self.rounding[guard];
        is_known.then_some(if rate < 0.0 { Crossing::Falling } else { Crossing::Rising })
    }

    /// Returns the direction in which a guard will cross zero within the root location width, or `None` if it
    /// does not.
    pub(super) fn about_to_cross(&self, guard: usize) -> Option<Crossing> {
        let (g, jumps) = (self.g[guard], self.jumps[guard]);
        // The step of these differences is less than seven times the root location width.
        let ahead = if jumps.ahead { g + self.tried[1].ahead[guard] } else { g };
        let crosses = g * ahead < 0.0 || (g * self.g_rates[guard] < 0.0 && g.abs() <= self.band(guard));
        crosses.then_some(if g > 0.0 { Crossing::Falling } else { Crossing::Rising })
    }

    /// Estimates the rounding errors of the guards from perturbations of all variables by their rounding
    /// errors. Three patterns of signs are used, so that the rounding errors of differences of two or three
    /// variables are detected. Each pattern is also used with the opposite sign, and the smaller change
    /// counts, because a guard that jumps at the point changes a lot on one side only.
    fn find_rounding(&mut self, motion: &mut Motion<'_>, s: f64, x: &[f64]) {
        let patterns: [fn(usize) -> bool; 3] = [|_| true, |i| i % 2 == 0, |i| (i / 2) % 2 == 0];
        for is_up in patterns {
            self.trial.fill(f64::INFINITY);
            let [scratch, ..] = &mut self.tried;
            for sign in [1.0, -1.0] {
                for (i, (moved, x)) in self.moved.iter_mut().zip(x).enumerate() {
                    let part = sign * ROUNDING * x;
                    *moved = if is_up(i) { x + part } else { x - part };
                }
                motion.compute_guards(s, &self.moved, &mut scratch.ahead);
                for ((least, moved), g) in self.trial.iter_mut().zip(&scratch.ahead).zip(&self.g) {
                    // `min` ignores NaN, which is the value of an undefined guard.
                    *least = least.min((moved - g).abs());
                }
            }
            for (rounding, change) in self.rounding.iter_mut().zip(&self.trial) {
                *rounding = rounding.max(if change.is_finite() { *change } else { 0.0 });
            }
        }
    }

    /// Computes the derivatives of the states with respect to s.
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

    /// Returns the finite-difference step of the guards: a fraction of the time in which the state changes by
    /// its own magnitude. This time is estimated as for the first step of an integration.
    pub(super) fn length(&self, settings: &OdeSettings, states: usize, x: &[f64]) -> f64 {
        let size = |vector: &[f64]| {
            let parts = (0..states).map(|i| vector[i] / settings.weight(i, x[i]));
            parts.map(|part| part * part).sum::<f64>().sqrt()
        };
        let (of_x, of_rates) = (size(x).max(1.0), size(&self.rates));
        if of_rates > 0.0 { PART * of_x / of_rates } else { BLIND }.max(self.width)
    }

    /// Evaluates the guards at s + `step`, with the state moved along its derivative.
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
        self.guards_where_moved(motion, settings, consistency, s + step, g);
    }

    /// Evaluates the guards at the moved state, with consistent algebraic variables.
    fn guards_where_moved(
        &mut self,
        motion: &mut Motion<'_>,
        settings: &OdeSettings,
        consistency: &mut Consistency,
        s: f64,
        g: &mut [f64],
    ) {
        let at = At::new(motion.piece.nearest(motion.sign * s), motion.parameters);
        // If no consistent point is found, the algebraic variables remain unchanged.
        let _ = consistency.establish(motion.system, settings, at, motion.discrete, &mut self.moved);
        motion.compute_guards(s, &self.moved, g);
    }

    /// Returns `true` if the motion drives a guard towards zero on both sides of its zero crossing. `way` is
    /// the direction in which the guard has crossed zero. The point before the crossing is computed from the
    /// derivatives before the crossing.
    pub(super) fn leads_back(
        &mut self,
        motion: &mut Motion<'_>,
        settings: &OdeSettings,
        crossed: CrossedGuard<'_>,
        way: Crossing,
    ) -> bool {
        let CrossedGuard { guard, s, x, came_with } = crossed;
        let reach = BAND * self.width;
        let step = FINER * self.length(settings, motion.system.states(), x);
        let mut point = std::mem::take(&mut self.point);
        point.clear();
        point.extend_from_slice(x);
        let mut goes = |probe: &mut Self, side: f64| {
            for (i, value) in point.iter_mut().enumerate() {
                *value = x[i] + side * reach * came_with[i];
            }
            let at = s + side * reach;
            probe.find_rates(motion, at, &point).ok()?;
            let ends = [-step, 0.0, step].map(|time| {
                for (moved, (x, rate)) in probe.moved.iter_mut().zip(point.iter().zip(&probe.rates)) {
                    *moved = x + time * rate;
                }
                motion.compute_guards(at + time, &probe.moved, &mut probe.trial);
                probe.trial[guard]
            });
            Some((ends[1], ends[2] - ends[0]))
        };
        let sides = (goes(self, -1.0), goes(self, 0.0));
        self.point = point;
        let (Some(before), Some(after)) = sides else { return false };
        let sign = if way == Crossing::Rising { 1.0 } else { -1.0 };
        let rounding = self.rounding[guard];
        // The events at this time can have moved the guard away from zero.
        let is_between = sign * before.0 <= 0.0 && sign * after.0 >= 0.0;
        is_between && sign * before.1 > rounding && sign * after.1 < -rounding
    }

    /// Returns the time within which a guard that has jumped can jump back, or `None` if its sign is equal
    /// everywhere near the crossing. The position of the crossing is known only up to the root location
    /// width, in the direction of the derivatives before the crossing. The motion can need more time than
    /// this width to leave the uncertain region.
    pub(super) fn time_of_return(
        &mut self,
        motion: &mut Motion<'_>,
        settings: &OdeSettings,
        consistency: &mut Consistency,
        crossed: CrossedGuard<'_>,
    ) -> Option<f64> {
        let CrossedGuard { guard, s, x, came_with } = crossed;
        let reach = BAND * self.width;
        let longest = self.length(settings, motion.system.states(), x).max(reach);
        let mut g = std::mem::take(&mut self.trial);
        let mut is_on_one_side = |probe: &mut Self, time: f64| {
            let signs = [-1.0, 0.0, 1.0].map(|side| {
                for (i, moved) in probe.moved.iter_mut().enumerate() {
                    *moved = x[i] + side * reach * came_with[i] + time * probe.rates[i];
                }
                let at = s + side * reach + time;
                probe.guards_where_moved(motion, settings, consistency, at, &mut g);
                (g[guard] > 0.0, g[guard] < 0.0)
            });
            signs[0] == signs[1] && signs[1] == signs[2]
        };
        let mut time = None;
        if !is_on_one_side(self, 0.0) {
            let mut tried = reach;
            while tried < longest && !is_on_one_side(self, tried) {
                tried *= 2.0;
            }
            time = Some(2.0 * tried.min(longest) + reach);
        }
        self.trial = g;
        time
    }
}
