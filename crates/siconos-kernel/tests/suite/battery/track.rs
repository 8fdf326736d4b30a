//! Motions of models, by parts and in SI units, and the comparison of two motions.

use std::fmt;

use siconos_kernel::prelude::*;

use super::scene::{PartPlace, Scene};
use super::units::{Dimension, TIME};

/// Quantity, dimension, owner and component of a number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    /// `q`, `v`, `x`, `p`, `y0`, ..
    quantity: &'static str,
    dimension: Dimension,
    owner: usize,
    component: usize,
}

impl Label {
    /// Returns `true` for positions, velocities and states, `false` for forces and gaps.
    fn is_motion(&self) -> bool {
        matches!(self.quantity, "q" | "v" | "x")
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}[{}]", self.quantity, self.owner, self.component)
    }
}

/// Motion of a part: labels of its numbers, and their values at each point in time.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartTrack {
    labels: Vec<Label>,
    values: Vec<Vec<f64>>,
}

/// The motion of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Track {
    /// Points in time \[s\].
    pub(crate) times: Vec<f64>,
    pub(crate) parts: Vec<PartTrack>,
    /// Effort of each step: iterations and contacts, or times of events.
    pub(crate) account: Vec<(f64, usize)>,
}

/// Standard of comparison for two motions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Standard {
    /// Equal to the last bit, including forces, gaps and effort.
    Bits,
    /// Equal to the last bit, except for the effort.
    BitsOfMotion,
    /// Equal up to this difference, relative to the size of the motion.
    Within(f64),
}

impl Track {
    pub(crate) fn new(scene: &Scene, places: &[PartPlace]) -> Self {
        let labels = |place| {
            let mut labels = Vec::new();
            look(scene, None, place, &mut |label, _| labels.push(label));
            PartTrack { labels, values: Vec::new() }
        };
        Self { parts: places.iter().map(labels).collect(), ..Self::default() }
    }

    /// Adds the current state.
    pub(crate) fn note(&mut self, scene: &Scene, places: &[PartPlace], state: &State) {
        self.times.push(scene.units.to_si(state.t, TIME));
        for (part, place) in self.parts.iter_mut().zip(places) {
            let mut values = Vec::with_capacity(part.labels.len());
            look(scene, Some(state), place, &mut |label, value| {
                values.push(scene.units.to_si(value, label.dimension));
            });
            part.values.push(values);
        }
    }

    /// Returns the first difference that exceeds the standard.
    pub(crate) fn difference(&self, other: &Self, standard: Standard) -> Option<String> {
        if self.parts.len() != other.parts.len() || self.times.len() != other.times.len() {
            let lengths = |track: &Self| (track.parts.len(), track.times.len());
            return Some(format!(
                "parts and points in time: {:?} against {:?}",
                lengths(self),
                lengths(other)
            ));
        }
        for (k, (a, b)) in self.times.iter().zip(&other.times).enumerate() {
            if a.to_bits() != b.to_bits() {
                return Some(format!("time {k}: {a:e} against {b:e}"));
            }
        }
        for (place, (a, b)) in self.parts.iter().zip(&other.parts).enumerate() {
            if let Some(difference) = a.difference(b, standard, &self.times) {
                return Some(format!("part {place}, {difference}"));
            }
        }
        if matches!(standard, Standard::Bits) {
            let differs =
                |(a, b): &(&(f64, usize), &(f64, usize))| a.0.to_bits() != b.0.to_bits() || a.1 != b.1;
            if self.account.len() != other.account.len() {
                return Some(format!(
                    "effort: {} against {} entries",
                    self.account.len(),
                    other.account.len()
                ));
            }
            let pair = self.account.iter().zip(&other.account).enumerate().find(|(_, pair)| differs(pair));
            return pair.map(|(k, (a, b))| format!("effort, entry {k}: {a:?} against {b:?}"));
        }
        None
    }
}

/// Magnitude below which a number may lose digits in a change of units.
const UNDERFLOW: f64 = 1e-280;

/// Magnitude in SI units below which a number does not count as motion: the absolute tolerance of the
/// integrator.
const SMALLEST_MOTION: f64 = 1e-12;

impl PartTrack {
    fn difference(&self, other: &Self, standard: Standard, times: &[f64]) -> Option<String> {
        if self.labels != other.labels {
            return Some("other quantities".into());
        }
        let sizes = match standard {
            Standard::Within(_) => self.sizes(times),
            Standard::Bits | Standard::BitsOfMotion => Vec::new(),
        };
        for (k, (a, b)) in self.values.iter().zip(&other.values).enumerate() {
            for (i, (label, (a, b))) in self.labels.iter().zip(a.iter().zip(b)).enumerate() {
                let alike = match standard {
                    Standard::Bits | Standard::BitsOfMotion => {
                        a.to_bits() == b.to_bits() || a.abs().max(b.abs()) < UNDERFLOW
                    }
                    // A NaN agrees with no number.
                    Standard::Within(tolerance) => {
                        !label.is_motion() || (a - b).abs() <= tolerance * (sizes[i] + SMALLEST_MOTION)
                    }
                };
                if !alike {
                    let off = (a - b).abs();
                    return Some(format!("step {k}, {label}: {a:e} against {b:e}, off by {off:.1e}"));
                }
            }
        }
        None
    }

    /// Returns the size of the motion in each quantity: the largest value of the quantities with the same
    /// dimension, including rates multiplied by the duration.
    fn sizes(&self, times: &[f64]) -> Vec<f64> {
        let duration = times.last().unwrap_or(&0.0) - times.first().unwrap_or(&0.0);
        let largest = |i: usize| self.values.iter().fold(0.0_f64, |largest, row| largest.max(row[i].abs()));
        let own: Vec<_> = (0..self.labels.len()).map(largest).collect();
        let in_length = |label: &Label, size: f64| match label.quantity {
            "v" => (label.dimension * TIME, size * duration),
            _ => (label.dimension, size),
        };
        self.labels
            .iter()
            .map(|label| {
                let (wanted, per_unit) = in_length(label, 1.0);
                let all = self.labels.iter().zip(&own).filter(|(label, _)| label.is_motion());
                let alike = all.map(|(label, size)| in_length(label, *size)).filter(|(d, _)| *d == wanted);
                alike.fold(0.0_f64, |largest, (_, size)| largest.max(size)) / per_unit
            })
            .collect()
    }
}

/// Passes every number of a part to `see`. Without a state, the numbers are zero.
fn look(scene: &Scene, state: Option<&State>, place: &PartPlace, see: &mut dyn FnMut(Label, f64)) {
    let mut show =
        |quantity, owner, dimensions: &mut dyn Iterator<Item = Dimension>, values: Option<&[f64]>| {
            for (component, dimension) in dimensions.enumerate() {
                let value = values.map_or(0.0, |values| values[component]);
                see(Label { quantity, dimension, owner, component }, value);
            }
        };
    for (owner, entry) in scene.systems[place.systems.clone()].iter().enumerate() {
        let (id, c) = (entry.id, &entry.coordinates);
        let system = scene.model.system(id).expect("a system of the scene");
        if system.is_first_order() {
            show("x", owner, &mut c.iter().copied(), state.map(|state| state.x(id)));
            show("p", owner, &mut c.iter().copied(), state.map(|state| state.impulse(id)));
        } else {
            let force = |c: &Dimension| super::units::ENERGY * TIME / *c;
            show("q", owner, &mut c.iter().copied(), state.map(|state| state.q(id)));
            show("v", owner, &mut c.iter().map(|&c| c / TIME), state.map(|state| state.v(id)));
            show("p", owner, &mut c.iter().map(force), state.map(|state| state.impulse(id)));
        }
    }
    for (owner, entry) in scene.interactions[place.interactions.clone()].iter().enumerate() {
        let (id, y, lambda) = (entry.id, &entry.rows, &entry.multipliers);
        let level = |level| {
            (state.map(move |state| state.y(id, level)), state.map(move |state| state.lambda(id, level)))
        };
        let (y_0, lambda_0) = level(Level::Position);
        let (y_1, lambda_1) = level(Level::Velocity);
        show("y0", owner, &mut y.iter().copied(), y_0);
        show("y1", owner, &mut y.iter().map(|&y| y / TIME), y_1);
        show("lambda0", owner, &mut lambda.iter().copied(), lambda_0);
        show("lambda1", owner, &mut lambda.iter().map(|&l| l * TIME), lambda_1);
    }
}
