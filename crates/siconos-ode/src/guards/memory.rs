//! Repetition of a scan after the dense output of the step was refined.

use super::GuardScanner;
use crate::ZeroBand;

/// State of the guards before a scan.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    root: Option<f64>,
    start: Option<f64>,
    sides: Vec<i8>,
    bands: Vec<ZeroBand>,
    left: Vec<f64>,
}

impl GuardScanner {
    /// Stores the state of the guards before a scan, so that the scan can be repeated.
    pub(in super::super) fn remember(&mut self) {
        let kept = &mut self.remembered;
        (kept.root, kept.start) = (self.root, self.start);
        kept.sides.clone_from(&self.sides);
        kept.bands.clone_from(&self.bands);
        kept.left.clone_from(&self.left);
    }

    /// Restores the state of the guards before the last scan.
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
