//! Interface of the current modes to the integrator, as a system with guards.

use siconos_ode::{Crossing, OdeSystem, ZeroBand};

use super::FirstOrderModes;
use super::island::Island;

impl FirstOrderModes {
    /// Evaluates the modes at the state x of the integrator, and calls `read` for each island. The flag
    /// passed to `read` is `false` if the evaluation failed. The first error is stored.
    fn visit(&mut self, t: f64, x: &[f64], with_rates: bool, mut read: impl FnMut(&Island, bool)) {
        for island in &mut self.islands {
            let done = island.with_states(x, |it, x| it.evaluate_carried(t, x, with_rates));
            read(island, done.is_ok());
            if let Err(error) = done {
                self.error.get_or_insert(error.into());
            }
        }
    }
}

/// Right-hand side and guards of the current modes.
///
/// Each row has two guards. The first is lambda or y itself. The second is the same value plus a small
/// margin. If a value is zero up to rounding error at the start, only the second guard can detect that it
/// becomes negative later.
impl OdeSystem for FirstOrderModes {
    fn dimension(&self) -> usize {
        self.x.len()
    }

    fn compute_f(&mut self, t: f64, x: &[f64], f: &mut [f64]) {
        self.visit(t, x, false, |island, is_known| {
            for (&place, &rate) in island.data.state_places.iter().zip(&island.mode.rate) {
                f[place] = if is_known { rate } else { f64::NAN };
            }
        });
    }

    fn guards(&self) -> usize {
        2 * self.island_rows.len()
    }

    fn crossing(&self, _guard: usize) -> Crossing {
        Crossing::Falling
    }

    fn zero_band(&self, guard: usize) -> Option<ZeroBand> {
        let &(island, row) = self.island_rows.get(guard)?;
        self.islands[island].is_zero[row].then(ZeroBand::default)
    }

    fn compute_guards(&mut self, t: f64, x: &[f64], g: &mut [f64]) {
        let (first, second) = g.split_at_mut(g.len() / 2);
        self.visit(t, x, true, |island, is_known| {
            for (row, &place) in island.data.row_places.iter().enumerate() {
                (first[place], second[place]) =
                    if is_known { island.guards(row) } else { (f64::NAN, f64::NAN) };
            }
        });
    }
}
