//! Pairs of roots that are so close in time that neither fires: a guard crosses zero and crosses back.

use super::HybridError;
use super::motion::Watched;
use super::run::IntegratorOutcome;
use super::solution::HybridSolution;

impl HybridSolution {
    /// Discards the roots at the current time that [`look_ahead`](Self::look_ahead) has marked to be
    /// discarded.
    pub(super) fn drop_awaited(&mut self) {
        let s = self.sign() * self.event_workspace.t;
        for (way, awaited) in self.ways.iter_mut().zip(&mut self.awaited) {
            // The time of the root can differ slightly from the time that `look_ahead` found.
            if let (Some(now), Some((other, until))) = (*way, *awaited) {
                *awaited = None;
                if now == other && s <= until {
                    *way = None;
                }
            }
        }
    }

    /// Checks whether the guards that cross zero at the current time cross back within the interval
    /// [`double_cross`](super::HybridSettings::double_cross). If a guard does, its present root is discarded,
    /// and its second root is marked to be discarded. The search ends at `critical`, which is a time
    /// multiplied by the sign of the direction of integration.
    pub(super) fn look_ahead(&mut self, critical: f64) -> Result<(), HybridError> {
        let s = self.sign() * self.event_workspace.t;
        let (ways, here) = (self.ways.clone(), self.event_workspace.clone());
        let comes_back = self.find_returns(s, critical)?;
        self.is_stale |= here.t != self.event_workspace.t;
        (self.ways, self.event_workspace) = (ways, here);
        // Roots of switches are never discarded.
        let is_event = |guard: &Watched| guard.event().is_some();
        let comes_back = comes_back.iter().zip(&self.guards).map(|(it, guard)| *it && is_event(guard));
        for ((way, awaited), _) in
            self.ways.iter_mut().zip(&mut self.awaited).zip(comes_back).filter(|(_, comes_back)| *comes_back)
        {
            *awaited = way.map(|way| (way.mirrored(), s + 2.0 * self.settings.double_cross));
            *way = None;
        }
        Ok(())
    }

    /// Returns, for each guard, `true` if it crosses zero at s and crosses back within the search interval.
    fn find_returns(&mut self, s: f64, critical: f64) -> Result<Vec<bool>, HybridError> {
        let sign = self.sign();
        let end = (s + self.settings.double_cross).min(critical);
        let mut comes_back = vec![false; self.ways.len()];
        let mut open: Vec<bool> = self.ways.iter().map(Option::is_some).collect();
        while open.contains(&true) && sign * self.event_workspace.t < end {
            self.ways.fill(None);
            let step = self.advance(sign * end, critical)?;
            for (guard, is_open) in open.iter_mut().enumerate() {
                if *is_open && self.ways[guard].is_some() {
                    (comes_back[guard], *is_open) = (true, false);
                }
            }
            if !matches!(step, IntegratorOutcome::Roots) {
                break;
            }
        }
        Ok(comes_back)
    }
}
