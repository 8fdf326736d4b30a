//! Looking again at a stretch of which the dense output has become finer.

use super::GuardWatch;
use crate::ode::ZeroBand;

/// What a scan changes of what is known of the sides.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    root: Option<f64>,
    start: Option<f64>,
    sides: Vec<i8>,
    bands: Vec<ZeroBand>,
    left: Vec<f64>,
}

impl GuardWatch {
    /// Remembers what is known before a stretch is looked at.
    pub(in super::super) fn remember(&mut self) {
        let kept = &mut self.remembered;
        (kept.root, kept.start) = (self.root, self.start);
        kept.sides.clone_from(&self.sides);
        kept.bands.clone_from(&self.bands);
        kept.left.clone_from(&self.left);
    }

    /// Goes back to what was remembered, so that the stretch can be looked at again on another dense output.
    pub(in super::super) fn go_back(&mut self) {
        let kept = &self.remembered;
        (self.root, self.start) = (kept.root, kept.start);
        self.sides.clone_from(&kept.sides);
        self.bands.clone_from(&kept.bands);
        self.left.clone_from(&kept.left);
        self.isolation.forget_step();
        self.search.forget_all();
    }
}
