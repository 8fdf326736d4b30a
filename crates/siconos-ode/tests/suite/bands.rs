//! Guards that count as zero in a band at the start.

use siconos_ode::{Crossing, OdeSystem, ZeroBand};

use super::{METHODS, all_roots, integrator};

#[test]
fn a_guard_that_begins_as_zero_has_no_side_in_its_band_and_fires_where_it_leaves_it_against_its_direction() {
    /// x' = 1 from x = 0, with a guard that counts as zero in a band of 1e-6 at the start.
    struct Clock(fn(f64) -> f64);
    impl OdeSystem for Clock {
        fn dimension(&self) -> usize {
            1
        }
        fn compute_f(&mut self, _t: f64, _x: &[f64], f: &mut [f64]) {
            f[0] = 1.0;
        }
        fn guards(&self) -> usize {
            1
        }
        fn crossing(&self, _guard: usize) -> Crossing {
            Crossing::Falling
        }
        fn zero_band(&self, _guard: usize) -> Option<ZeroBand> {
            Some(ZeroBand { width: 1e-6, fires: Some(Crossing::Falling) })
        }
        fn compute_guards(&mut self, _t: f64, x: &[f64], g: &mut [f64]) {
            g[0] = self.0(x[0]);
        }
    }
    for method in METHODS {
        let roots = |guard: fn(f64) -> f64| {
            let mut integrator = integrator(method, 1e-10);
            integrator.restart(0.0, &[0.0]).expect("it is finite");
            let times = all_roots(&mut integrator, &mut Clock(guard), 1.0);
            times.into_iter().map(|(t, _)| t).collect::<Vec<_>>()
        };
        // The guard starts in the band, rises, and falls again.
        let bounce = roots(|x| x * (0.6 - x) - 1e-9);
        assert!(matches!(bounce[..], [t] if (t - 0.6).abs() < 1e-8), "{method:?}: {bounce:?}");
        // The guard falls at once and fires at the end of the band.
        let falls = roots(|x| 1e-9 - x);
        assert!(matches!(falls[..], [t] if (t - 1.001e-6).abs() < 1e-12), "{method:?}: {falls:?}");
        assert!(roots(|x| 1e-7 * (20.0 * x).sin()).is_empty(), "{method:?}");
    }
}
