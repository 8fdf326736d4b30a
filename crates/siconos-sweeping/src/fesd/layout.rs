//! Layout and units of the unknowns of the smoothed conditions.

use siconos_linalg::power_of_two_below;

use super::scales::Scales;

/// Weight w and slack s with $w s = \sigma$. Both are functions of the unknown s - w.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pair {
    pub(super) weight: f64,
    pub(super) slack: f64,
    /// w + s. The derivatives with respect to s - w are -w / (w + s) for w, and s / (w + s) for s. The
    /// derivatives with respect to ln sigma are sigma / (w + s) for both.
    pub(super) sum: f64,
}

impl Pair {
    pub(super) fn new(difference: f64, sigma: f64) -> Self {
        let sum = difference.hypot(2.0 * sigma.sqrt());
        let larger = 0.5 * (sum + difference.abs());
        let smaller = sigma / larger;
        let (weight, slack) = if difference > 0.0 { (smaller, larger) } else { (larger, smaller) };
        Self { weight, slack, sum }
    }
}

/// Sizes and layout of the unknowns. Each stage has x, s - w for all pairs, and (for a Filippov system) mu.
/// The stages of an element are followed by the length of the element. For a Filippov system, s - w for all
/// pairs at the start of the step and mu follow the last element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) n: usize,
    pub(super) m: usize,
    pub(super) stages: usize,
    pub(super) elements: usize,
    /// `true` if mu is an unknown.
    pub(super) is_convex: bool,
}

impl Layout {
    pub(super) fn stage(&self, element: usize, stage: usize) -> usize {
        element * self.of_element() + stage * self.of_stage()
    }

    pub(super) fn length(&self, element: usize) -> usize {
        (element + 1) * self.of_element() - 1
    }

    /// Returns the number of unknowns, not counting ln sigma, which is the last unknown.
    pub(super) fn size(&self) -> usize {
        self.start() + if self.is_convex { self.m + 1 } else { 0 }
    }

    pub(super) fn start(&self) -> usize {
        self.elements * self.of_element()
    }

    fn of_stage(&self) -> usize {
        self.n + self.m + usize::from(self.is_convex)
    }

    fn of_element(&self) -> usize {
        self.stages * self.of_stage() + 1
    }
}

/// Units of states, slacks, weights and lengths, powers of 2.
#[derive(Debug, Default)]
pub(super) struct Units {
    pub(super) state: Vec<f64>,
    pub(super) slack: Vec<f64>,
    pub(super) weight: Vec<f64>,
    pub(super) length: f64,
}

impl Units {
    /// Updates the units from the scales and the step length.
    pub(super) fn update(&mut self, scales: &Scales, h: f64) {
        let of = |scales: &[f64], units: &mut Vec<f64>| {
            units.clear();
            units.extend(scales.iter().map(|scale| power_of_two_below(*scale)));
        };
        of(&scales.state, &mut self.state);
        of(&scales.slack, &mut self.slack);
        of(&scales.weight, &mut self.weight);
        self.length = power_of_two_below(h);
    }
}
