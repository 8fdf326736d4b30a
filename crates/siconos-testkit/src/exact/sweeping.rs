//! Sweeping processes on a line, with relative degree 1. The solutions are continuous or have jumps.

use std::f64::consts::TAU;

use ndarray::array;

use super::{Affine, LinearModel, Switched, Trajectory};

/// Point that a force alternately pushes against a wall and pulls away from it: $x' = u(t) + \lambda$,
/// $u = a \cos \omega t - d$, $0 \le x \perp \lambda \ge 0$.
///
/// The state is absolutely continuous. At the wall, $\lambda = \max(0, -u)$ is a function of bounded
/// variation: it decreases continuously to 0 until the point leaves and jumps when the point returns. With
/// the motion $f$ without the wall, $x(t) = f(t) + \max(0, \sup_{s \le t} -f(s))$ (Skorokhod 1961).
///
/// ```
/// use siconos_testkit::exact::PushedPoint;
///
/// let point = PushedPoint::default();
/// let motion = point.solve(3.0);
/// assert_eq!(motion.mode(0.6).name, "wall");
/// assert!((motion.lambda(0.6)[0] + point.input(0.6)).abs() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushedPoint {
    /// $a$ \[m/s\].
    pub amplitude: f64,
    /// $\omega$ \[1/s\].
    pub frequency: f64,
    /// $d$ \[m/s\]. If it is at least the amplitude, the point never leaves the wall after reaching it. If it
    /// is not positive, the point never returns to the wall after leaving it.
    pub drift: f64,
    /// Position at $t = 0$ \[m\].
    pub start: f64,
}

impl Default for PushedPoint {
    /// Returns a point with $u = \cos (2 \pi t) - 0.3$ that starts at $x = 0.2$.
    fn default() -> Self {
        Self { amplitude: 1.0, frequency: TAU, drift: 0.3, start: 0.2 }
    }
}

impl PushedPoint {
    /// Returns the force $u(t)$.
    #[must_use]
    pub fn input(&self, t: f64) -> f64 {
        self.amplitude * (self.frequency * t).cos() - self.drift
    }

    /// Returns the integral of the force, which is the motion without the wall.
    #[must_use]
    pub fn without_wall(&self, t: f64) -> f64 {
        self.start + self.amplitude / self.frequency * (self.frequency * t).sin() - self.drift * t
    }

    /// Returns the matrices of $x' = u(t) + \lambda$, where $u$ ([`input`](Self::input)) is a source term:
    /// $A = 0$, $B = C = 1$, $D = 0$. The law is complementarity of size 1.
    #[must_use]
    pub fn model(&self) -> LinearModel {
        let (zero, one) = (array![[0.0]], array![[1.0]]);
        LinearModel { a: zero.clone(), b: one.clone(), c: one, d: zero, x0: array![self.start] }
    }

    /// Returns the motion up to `t_end`. Its state is $(x, \cos \omega t, \sin \omega t)$. The force is the
    /// output of an oscillator, so that the system is autonomous.
    #[must_use]
    pub fn solve(&self, t_end: f64) -> Trajectory {
        let (a, d) = (self.amplitude, self.drift);
        let model = self.autonomous();
        // The constant drift cannot be written as A x + B lambda, so it is added to the flows of both modes.
        let with_drift = |mut mode: super::Mode| {
            mode.flow = super::LinearFlow::new(
                mode.flow.matrix().clone(),
                mode.flow.constant() + &array![-d, 0.0, 0.0],
            );
            mode
        };
        let push = Affine::new(array![[0.0, -a, 0.0]], array![d]);
        let gap = Affine::linear(array![[1.0, 0.0, 0.0]]);
        let modes = vec![
            with_drift(model.mode("wall", push.clone(), push, gap.clone())),
            with_drift(model.mode("free", Affine::constant(array![0.0], 3), gap, Affine::none(3))),
        ];
        Switched::new(modes).solve(0.0, &model.x0, t_end)
    }

    /// Returns the matrices of the autonomous form, without the constant $-d$ in the first row.
    fn autonomous(&self) -> LinearModel {
        let w = self.frequency;
        LinearModel {
            a: array![[0.0, self.amplitude, 0.0], [0.0, 0.0, -w], [0.0, w, 0.0]],
            b: array![[1.0], [0.0], [0.0]],
            c: array![[1.0, 0.0, 0.0]],
            d: array![[0.0]],
            x0: array![self.start, 1.0, 0.0],
        }
    }
}

/// Leaking tank whose minimum level $c(t) \ge 0$ is changed at given times: $x' = -k x + \lambda$,
/// $0 \le x - c(t) \perp \lambda \ge 0$. Between these times $c$ is constant.
///
/// Between the changes, $x$ decays to $c$ and stays there, with $\lambda = k c$. If $c$ increases to a value
/// above $x$, the state jumps by the impulse $\sigma = c - x^-$, so that $x$ is a function of bounded
/// variation (Moreau 1977).
///
/// ```
/// use siconos_testkit::exact::StaircaseTank;
///
/// let tank = StaircaseTank::new(1.0, 2.0, vec![(0.0, 1.0), (1.0, 3.0)]);
/// assert_eq!(tank.state(0.5), 2.0 * (-0.5_f64).exp());
/// assert_eq!((tank.state_before(1.0), tank.state(1.0), tank.impulse(1)), (1.0, 3.0, 2.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StaircaseTank {
    rate: f64,
    steps: Vec<(f64, f64)>,
    /// State just before each change of the level.
    before: Vec<f64>,
}

impl StaircaseTank {
    /// Creates a tank from the rate $k$ \[1/s\], the state just before the first change, and the changes:
    /// pairs of a time and the minimum level that holds from this time.
    ///
    /// # Panics
    ///
    /// If `steps` is empty, if the times do not increase, or if a level or the rate is negative.
    #[track_caller]
    #[must_use]
    pub fn new(rate: f64, start: f64, steps: Vec<(f64, f64)>) -> Self {
        assert!(rate >= 0.0 && start.is_finite() && !steps.is_empty(), "rate {rate}, start {start}");
        assert!(steps.windows(2).all(|pair| pair[0].0 < pair[1].0), "times must increase");
        assert!(steps.iter().all(|(_, level)| *level >= 0.0), "levels must not be negative");
        let mut tank = Self { rate, steps, before: vec![start] };
        for k in 1..tank.steps.len() {
            let before = tank.after_step(k - 1, tank.steps[k].0);
            tank.before.push(before);
        }
        tank
    }

    /// Returns the minimum level $c$ at `t`. The value at a change is the right limit.
    ///
    /// # Panics
    ///
    /// If `t` is before the first change. All functions of time panic in this case.
    #[track_caller]
    #[must_use]
    pub fn level(&self, t: f64) -> f64 {
        self.steps[self.step(t)].1
    }

    /// Returns the state at `t`. The value at a change is the right limit.
    #[track_caller]
    #[must_use]
    pub fn state(&self, t: f64) -> f64 {
        self.after_step(self.step(t), t)
    }

    /// Returns the state just before `t`, the left limit.
    #[track_caller]
    #[must_use]
    pub fn state_before(&self, t: f64) -> f64 {
        let step = self.step(t);
        if self.steps[step].0 == t { self.before[step] } else { self.after_step(step, t) }
    }

    /// Returns the multiplier at `t`. The time must not be the time of a jump.
    #[track_caller]
    #[must_use]
    pub fn lambda(&self, t: f64) -> f64 {
        let level = self.level(t);
        if self.state(t) > level { 0.0 } else { self.rate * level }
    }

    /// Returns the impulse at change `k`, counted from 0.
    #[must_use]
    pub fn impulse(&self, k: usize) -> f64 {
        (self.steps[k].1 - self.before[k]).max(0.0)
    }

    fn after_step(&self, k: usize, t: f64) -> f64 {
        let (begin, level) = self.steps[k];
        (self.before[k].max(level) * (-self.rate * (t - begin)).exp()).max(level)
    }

    #[track_caller]
    fn step(&self, t: f64) -> usize {
        let begun = self.steps.partition_point(|(begin, _)| *begin <= t);
        assert!(begun > 0, "t = {t} is before the first step");
        begun - 1
    }
}
