//! Sliding modes by finite elements with switch detection: a state that comes to rest on a surface, and
//! stick-slip.
//!
//! **Rest on a surface.** The solution of $\dot x = \frac{1}{2} - \operatorname{Sgn} x$ from x = 1 decreases
//! at the rate 1/2, reaches 0 at t = 2 and stays there. At 0, Filippov's convex combination consists of a
//! quarter of the field 3/2 from below and three quarters of the field -1/2 from above. The method adjusts
//! the lengths of the elements so that the switch coincides with the boundary between two elements.
//!
//! **Stick-slip.** A mass on a spring lies on a belt that moves with the speed w. During slip, the friction
//! force is $F_0 - \kappa |v - w|$, which decreases with the slip speed:
//!
//! $$ \dot x = v, \qquad \dot v = -x + \kappa (v - w) - F_0 \operatorname{Sgn}(v - w). $$
//!
//! As plain text: x' = v, v' = -x + kappa (v - w) - F_0 Sgn(v - w). Because friction decreases with the slip
//! speed, it amplifies the oscillation around the equilibrium $x = F_0 - \kappa w$ until the mass reaches the
//! speed of the belt. The mass then sticks (v = w) and is carried to $x = F_0$, where the spring force
//! exceeds friction, and slips again. The result is a limit cycle with one sliding segment.
//!
//! Slip is a linear oscillation and stick is uniform motion. The [exact](StickSlip::exact) motion is
//! therefore known in closed form, except for the switching times, which are computed as roots. Compared with
//! the exact motion, elements with s stages have the order 2 s - 1, also across switches. Time-stepping,
//! which does not detect switches, has the order 1.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/sweeping_filippov_sliding.svg"))]
//!
//! ```
//! use siconos_examples::sweeping::filippov_sliding::StickSlip;
//!
//! let (belt, end) = (StickSlip::default(), 20.0);
//! let exact = belt.exact(end);
//! let error = |x: &[f64]| (x[0] - exact[0]).hypot(x[1] - exact[1]);
//! let motion = belt.simulate(3, end, 100)?;
//! assert!(error(&motion.end) < 1e-7);
//! assert_eq!(motion.switches.len(), 4, "it sticks and slips again, twice");
//! // Half the step: an eighth of the error with two stages, half the error by time-stepping.
//! let of_elements = error(&belt.simulate(2, end, 75)?.end) / error(&belt.simulate(2, end, 150)?.end);
//! let of_steps = error(&belt.time_stepping(end, 8000)?) / error(&belt.time_stepping(end, 16_000)?);
//! assert!(of_elements > 6.5 && of_steps > 1.8 && of_steps < 2.2);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```
//!
//! References: Nurkanovic, Sperl, Albrecht and Diehl (2024), "Finite elements with switch detection for
//! direct optimal control of nonsmooth systems"; Filippov (1988), "Differential Equations with Discontinuous
//! Righthand Sides".

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Colour, Curve, Figure, Panel, Scale};
use siconos_sweeping::dvi::{Dvi, DviSet, DviSettings, DviStepper, StateMap, ViMap};
use siconos_sweeping::fesd::{Fesd, FesdSettings, FilippovSystem};

use crate::ExampleError;

/// Motion computed by finite elements.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Times \[s\] and states at the start and at the end of each element.
    pub states: Vec<(f64, Vec<f64>)>,
    /// Midpoint \[s\] and length \[s\] of each element.
    pub lengths: Vec<(f64, f64)>,
    /// Times \[s\] at which the set of active modes changes, and the states at these times.
    pub switches: Vec<(f64, Vec<f64>)>,
    /// Time \[s\] and weight of mode 0 at both ends of each element.
    pub weights: Vec<(f64, f64)>,
    /// Final state.
    pub end: Vec<f64>,
}

/// Takes equal steps from 0 to `end`.
fn follow(mut fesd: Fesd, x0: &[f64], end: f64, steps: u32) -> Result<Motion, ExampleError> {
    let h = end / f64::from(steps);
    let mut x = x0.to_vec();
    let mut motion = Motion { states: vec![(0.0, x.clone())], ..Motion::default() };
    for k in 0..steps {
        let t = h * f64::from(k);
        let report = fesd.step(t, h, &mut x)?;
        if !report.status.is_success() {
            return Err(ExampleError::NoSolution { t: t + h });
        }
        let switched: Vec<f64> = report.switches.iter().map(|switch| switch.t).collect();
        for element in fesd.elements() {
            if switched.contains(&element.t) {
                motion.switches.push((element.t, element.start.clone()));
            }
            motion.lengths.push((element.t + 0.5 * element.h, element.h));
            let n = element.start.len();
            let stages = element.stages.len() / n;
            let modes = element.weights.len() / stages;
            let end = (element.t + element.h, element.end().to_vec());
            motion.weights.push((element.t, element.weights[0]));
            motion.weights.push((end.0, element.weights[(stages - 1) * modes]));
            motion.states.push(end);
        }
    }
    motion.end = x;
    Ok(motion)
}

/// Integrates $\dot x = \frac{1}{2} - \operatorname{Sgn} x$ from 1, with equal steps.
///
/// # Errors
///
/// If the number of stages is not supported, or a step is not solved.
pub fn falling(stages: usize, end: f64, steps: u32) -> Result<Motion, ExampleError> {
    let system = FilippovSystem::two_modes(1, |_t, x| x[0], |_t, _x, f| f[0] = 1.5, |_t, _x, f| f[0] = -0.5)?;
    follow(Fesd::new(system, stages, FesdSettings::default())?, &[1.0], end, steps)
}

/// Mass on a spring on a belt, with mass and stiffness 1.
#[derive(Clone, Copy, Debug)]
pub struct StickSlip {
    /// Speed w of the belt.
    pub belt: f64,
    /// Friction force F_0 at the start of slip.
    pub friction: f64,
    /// Decrease kappa of friction with the slip speed.
    pub loss: f64,
    /// Initial position and velocity. The velocity must be less than the velocity of the belt.
    pub start: [f64; 2],
}

impl Default for StickSlip {
    fn default() -> Self {
        Self { belt: 1.0, friction: 1.2, loss: 0.2, start: [1.6, 0.0] }
    }
}

impl StickSlip {
    /// Simulates by elements with the given number of stages, with equal steps.
    ///
    /// # Errors
    ///
    /// If the number of stages is not supported, or a step is not solved.
    pub fn simulate(&self, stages: usize, end: f64, steps: u32) -> Result<Motion, ExampleError> {
        let Self { belt: w, friction, loss, start } = *self;
        let slip = move |sign: f64| {
            move |_t: f64, x: &[f64], f: &mut [f64]| {
                (f[0], f[1]) = (x[1], -x[0] + loss * (x[1] - w) - sign * friction);
            }
        };
        let system = FilippovSystem::two_modes(2, move |_t, x| x[1] - w, slip(-1.0), slip(1.0))?
            .with_switching_jacobian(|_t, _x, mut j| j[[0, 1]] = 1.0)
            .with_mode_jacobian(move |_mode, _t, _x, mut j| {
                (j[[0, 1]], j[[1, 0]], j[[1, 1]]) = (1.0, -1.0, loss);
            });
        follow(Fesd::new(system, stages, FesdSettings::default())?, &start, end, steps)
    }

    /// Simulates by time-stepping with theta = 1, as a differential variational inequality. Returns the final
    /// state.
    ///
    /// # Errors
    ///
    /// If `steps` is 0 or a step is not solved.
    pub fn time_stepping(&self, end: f64, steps: u32) -> Result<[f64; 2], ExampleError> {
        let dvi = Dvi::new(
            StateMap::linear(array![[0.0, 1.0], [-1.0, self.loss]])
                .with_offset(vec![0.0, -self.loss * self.belt]),
            array![[0.0], [self.friction]],
            StateMap::linear(array![[0.0, 1.0]]).with_offset(vec![-self.belt]),
            ViMap::Linear(array![[0.0]]),
            DviSet::Box { lower: vec![-1.0], upper: vec![1.0] },
        )?;
        let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default())?;
        let run = stepper.solve(&self.start, (0.0, end), steps as usize)?;
        match run.info.status.is_success() {
            true => Ok([run.solution.x(steps as usize)[0], run.solution.x(steps as usize)[1]]),
            false => Err(ExampleError::NoSolution { t: end }),
        }
    }

    /// Returns the state after slip for the time `t`, starting from the given state.
    fn slip(&self, [x, v]: [f64; 2], t: f64) -> [f64; 2] {
        let (rest, half) = (self.friction - self.loss * self.belt, 0.5 * self.loss);
        let omega = (1.0 - half * half).sqrt();
        let (sine, cosine) = (omega * t).sin_cos();
        let (y, growth) = (x - rest, (half * t).exp());
        let across = (v - half * y) / omega;
        let (along, rate) = (y * cosine + across * sine, omega * (across * cosine - y * sine));
        [rest + growth * along, growth * (half * along + rate)]
    }

    /// Returns the exact state at the time `end`. Slip is evaluated in closed form up to the root at which
    /// the mass sticks. Stick lasts until x = F_0. Slip and stick alternate.
    #[must_use]
    pub fn exact(&self, end: f64) -> [f64; 2] {
        let (mut t, mut state) = (0.0, self.start);
        loop {
            let Some(duration) = self.time_of_slip(state, end - t) else { return self.slip(state, end - t) };
            t += duration;
            let x = self.slip(state, duration)[0];
            let carried = (self.friction - x) / self.belt;
            if t + carried >= end {
                return [x + self.belt * (end - t), self.belt];
            }
            t += carried;
            state = [self.friction, self.belt];
        }
    }

    /// Returns the duration of slip until v = w, or `None` if slip lasts longer than `within`.
    fn time_of_slip(&self, state: [f64; 2], within: f64) -> Option<f64> {
        let gap = |t: f64| self.slip(state, t)[1] - self.belt;
        let steps = (within / 0.01).ceil();
        // At k = 0 the mass may have just started to slip, so the search starts at k = 1.
        let at = |k: f64| within * k / steps;
        let mut k = 1.0;
        while k < steps {
            if gap(at(k)) < 0.0 && gap(at(k + 1.0)) >= 0.0 {
                let (mut before, mut after) = (at(k), at(k + 1.0));
                for _ in 0..60 {
                    let middle = 0.5 * (before + after);
                    if gap(middle) < 0.0 { before = middle } else { after = middle }
                }
                return Some(after);
            }
            k += 1.0;
        }
        None
    }
}

/// Returns pairs of step length and error at the time `end`, for elements with `stages` stages, or for
/// time-stepping if `stages` is `None`.
fn errors(belt: &StickSlip, end: f64, stages: Option<usize>) -> Result<Vec<(f64, f64)>, ExampleError> {
    let exact = belt.exact(end);
    let counts: Vec<u32> = match stages {
        Some(_) => vec![37, 53, 75, 107, 151, 213, 301],
        None => vec![601, 1201, 2401, 4801, 9601, 19_201],
    };
    counts
        .into_iter()
        .map(|steps| {
            let last = match stages {
                Some(stages) => {
                    let end = belt.simulate(stages, end, steps)?.end;
                    [end[0], end[1]]
                }
                None => belt.time_stepping(end, steps)?,
            };
            Ok((end / f64::from(steps), (last[0] - exact[0]).hypot(last[1] - exact[1])))
        })
        .collect()
}

/// Returns the order of convergence observed between the first and the last point.
fn order(points: &[(f64, f64)]) -> f64 {
    match points {
        [first, .., last] => (first.1 / last.1).ln() / (first.0 / last.0).ln(),
        _ => f64::NAN,
    }
}

/// Runs the example, prints switching times and orders, and writes `sweeping_filippov_sliding.svg` and
/// `.png`.
///
/// # Errors
///
/// If a step is not solved or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let fall = falling(2, 3.5, 5)?;
    let state = |motion: &Motion, i: usize| motion.states.iter().map(|(t, x)| (*t, x[i])).collect::<Vec<_>>();
    let marks =
        |motion: &Motion, i: usize| motion.switches.iter().map(|(t, x)| (*t, x[i])).collect::<Vec<_>>();
    for (t, _) in &fall.switches {
        println!("x' = 1/2 - Sgn x from 1 switches at t = {t:.12}");
    }
    let surface = Panel::new("x' = 1/2 - Sgn x: a quarter from below", "time t [s]", "x, weight")
        .with(Curve::line("x", state(&fall, 0)))
        .with(Curve::line("weight of x < 0", fall.weights.clone()).coloured(Colour::Green))
        .with(Curve::points("switch", marks(&fall, 0)).coloured(Colour::Vermillion));
    let (belt, end) = (StickSlip::default(), 30.0);
    let motion = belt.simulate(3, end, 300)?;
    for (t, x) in &motion.switches {
        println!("stick-slip switches at t = {t:.9}, x = {:.9}", x[0]);
    }
    let phase = motion.states.iter().map(|(_, x)| (x[0], x[1])).collect();
    let switched = motion.switches.iter().map(|(_, x)| (x[0], x[1])).collect();
    let plane = Panel::new("Stick-slip: slip grows until it sticks", "position x", "velocity v")
        .with(Curve::dashed("belt", vec![(-1.2, belt.belt), (2.6, belt.belt)]).coloured(Colour::Grey))
        .with(Curve::line("mass", phase).coloured(Colour::Blue))
        .with(Curve::points("switch", switched).coloured(Colour::Vermillion));
    let coarse = belt.simulate(3, 20.0, 20)?;
    let at_switch = coarse.switches.iter().flat_map(|(t, _)| [(*t, 0.0), (*t, 1.0), (f64::NAN, f64::NAN)]);
    let lengths = Panel {
        y_range: Some((0.0, 1.0)),
        ..Panel::new("Elements end at switches: 20 steps of 1 s", "time t [s]", "length [s]")
    }
    .with(Curve::dashed("switch", at_switch.collect()).coloured(Colour::Vermillion))
    .with(Curve::points("element", coarse.lengths.clone()).coloured(Colour::Blue));
    let mut orders = Panel {
        x_scale: Scale::Logarithmic,
        y_scale: Scale::Logarithmic,
        ..Panel::new("Error at t = 20 s and its order", "step h [s]", "error")
    };
    for (name, stages) in [("time-stepping", None), ("2 stages", Some(2)), ("3 stages", Some(3))] {
        let points = errors(&belt, 20.0, stages)?;
        println!("{name}: order {:.2}, smallest error {:.1e}", order(&points), points[points.len() - 1].1);
        orders = orders.with(Curve::line(format!("{name}: {:.1}", order(&points)), points));
    }
    let title = "Sliding modes by finite elements with switch detection";
    let panels = vec![surface, plane, lengths, orders];
    crate::save(&Figure::grid(title, 2, panels).with_size(1000, 680), output, "sweeping_filippov_sliding")
}
