//! Random numbers for one part of a model.

use siconos_testkit::random::RandomState;

/// Stream of random numbers that is fixed by its seed.
pub(crate) struct Draw(RandomState);

impl Draw {
    pub(crate) fn new(seed: u32) -> Self {
        Self(RandomState::new(seed))
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.between(low, high)
    }

    /// Draws a number that is uniformly distributed in the logarithm.
    pub(crate) fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    /// Draws an integer from `low` to `high`, both included.
    pub(crate) fn count(&mut self, low: usize, high: usize) -> usize {
        low + (self.0.word() as usize) % (high - low + 1)
    }

    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.0.uniform() < probability
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.count(0, choices.len() - 1)]
    }
}
