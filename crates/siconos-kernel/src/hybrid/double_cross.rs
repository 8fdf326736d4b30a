//! Roots that cross back at once, which are not to fire.

use super::HybridError;
use super::run::Step;
use super::solution::HybridSolution;

impl HybridSolution {
    /// Looks whether the roots at the present time cross back within the interval in which they are then not
    /// to fire; such a root is forgotten, and so will be the one with which it comes back. `critical` is how
    /// far along the integration one may look.
    pub(super) fn look_ahead(&mut self, critical: f64) -> Result<(), HybridError> {
        let s = self.sign() * self.desk.t;
        let (ways, here) = (self.ways.clone(), self.desk.clone());
        let returns = self.find_returns(s, critical)?;
        self.is_stale |= here.t != self.desk.t;
        (self.ways, self.desk) = (ways, here);
        for ((way, until), back) in self.ways.iter_mut().zip(&mut self.ignored_until).zip(returns) {
            let is_ignored = until.is_some_and(|until| s <= until);
            *until = back.or(*until);
            if is_ignored || back.is_some() {
                *way = None;
            }
        }
        Ok(())
    }

    /// By guard: when it comes back along the integration, where it has fired at s and does so in time.
    fn find_returns(&mut self, s: f64, critical: f64) -> Result<Vec<Option<f64>>, HybridError> {
        let sign = self.sign();
        let end = (s + self.settings.double_cross).min(critical);
        let mut returns = vec![None; self.ways.len()];
        let is_open =
            |(way, until): (&Option<_>, &Option<f64>)| way.is_some() && until.is_none_or(|until| s > until);
        let mut open: Vec<bool> = self.ways.iter().zip(&self.ignored_until).map(is_open).collect();
        while open.contains(&true) && sign * self.desk.t < end {
            self.ways.fill(None);
            let step = self.advance(sign * end, critical)?;
            for (guard, is_open) in open.iter_mut().enumerate() {
                if *is_open && self.ways[guard].is_some() {
                    returns[guard] = Some(sign * self.desk.t);
                    *is_open = false;
                }
            }
            if !matches!(step, Step::Roots) {
                break;
            }
        }
        Ok(returns)
    }
}
