//! Roots that cross back at once, which are not to fire.

use super::HybridError;
use super::motion::Watched;
use super::run::Step;
use super::solution::HybridSolution;

impl HybridSolution {
    /// Takes back the roots at the present time that were awaited and are not to fire.
    pub(super) fn drop_awaited(&mut self) {
        let s = self.sign() * self.desk.t;
        for (way, awaited) in self.ways.iter_mut().zip(&mut self.awaited) {
            // The root may be slightly elsewhere than it was seen ahead.
            if let (Some(now), Some((other, until))) = (*way, *awaited) {
                *awaited = None;
                if now == other && s <= until {
                    *way = None;
                }
            }
        }
    }

    /// Looks whether the roots at the present time cross back within the interval in which they are then not
    /// to fire; such a root is forgotten, and so will be the one with which it comes back. `critical` is how
    /// far along the integration one may look.
    pub(super) fn look_ahead(&mut self, critical: f64) -> Result<(), HybridError> {
        let s = self.sign() * self.desk.t;
        let (ways, here) = (self.ways.clone(), self.desk.clone());
        let comes_back = self.find_returns(s, critical)?;
        self.is_stale |= here.t != self.desk.t;
        (self.ways, self.desk) = (ways, here);
        // Where the equations switch, they do so for however short a time.
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

    /// By guard: whether it has fired at s and comes back in time.
    fn find_returns(&mut self, s: f64, critical: f64) -> Result<Vec<bool>, HybridError> {
        let sign = self.sign();
        let end = (s + self.settings.double_cross).min(critical);
        let mut comes_back = vec![false; self.ways.len()];
        let mut open: Vec<bool> = self.ways.iter().map(Option::is_some).collect();
        while open.contains(&true) && sign * self.desk.t < end {
            self.ways.fill(None);
            let step = self.advance(sign * end, critical)?;
            for (guard, is_open) in open.iter_mut().enumerate() {
                if *is_open && self.ways[guard].is_some() {
                    (comes_back[guard], *is_open) = (true, false);
                }
            }
            if !matches!(step, Step::Roots) {
                break;
            }
        }
        Ok(comes_back)
    }
}
