//! Linear systems under relay feedback: sliding, fast switches, limit cycles.

use ndarray::{Array1, Array2, array};

use super::{Affine, LinearModel, Switched, Trajectory};

/// Maximum number of returns to the Poincare section in the search for a limit cycle.
const MOST_RETURNS: usize = 2000;

/// Linear system with relay feedback: $x' = A x + B \lambda$, $y = C x$, with one input and one output. The
/// relay is $\lambda = -1$ for $y > 0$ and $\lambda = 1$ for $y < 0$.
///
/// If $C B > 0$, the motion can slide on $y = 0$, with $\lambda = -C A x / C B$. If $C B = 0$ and
/// $C A B > 0$, the motion does not slide but switches many times in a short time. Such fast switches occur
/// if and only if the first nonzero Markov parameter is positive (Johansson, Rantzer and Astrom, "Fast
/// switches in relay feedback systems", Automatica 35, 1999).
///
/// ```
/// use siconos_testkit::exact::RelayFeedback;
///
/// let cycle = RelayFeedback::triple_lag().limit_cycle(5.0, 0.5).expect("it settles");
/// assert!((cycle.period - 3.67975).abs() < 1e-5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RelayFeedback {
    /// Matrices and initial state.
    pub model: LinearModel,
}

/// Periodic motion of a relay feedback system.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitCycle {
    /// Period.
    pub period: f64,
    /// State at the start of the long phase with $\lambda = +1$.
    pub state: Array1<f64>,
    /// Largest difference between the states at the start and after one period, divided by the largest entry
    /// of the state.
    pub mismatch: f64,
}

impl RelayFeedback {
    /// Creates the observer form of the transfer function
    /// $G(s) = (b_1 s^{n-1} + .. + b_n) / (s^n + a_1 s^{n-1} + .. + a_n)$.
    ///
    /// # Panics
    ///
    /// If the lengths of the three lists differ, or if the lists are empty.
    #[track_caller]
    #[must_use]
    pub fn from_transfer(numerator: &[f64], denominator: &[f64], start: &[f64]) -> Self {
        let n = denominator.len();
        assert!(numerator.len() == n && start.len() == n && n > 0, "lists of one length are needed");
        let a = Array2::from_shape_fn((n, n), |(i, j)| match j {
            0 => -denominator[i],
            _ => f64::from(u8::from(j == i + 1)),
        });
        let b = Array2::from_shape_fn((n, 1), |(i, _)| numerator[i]);
        let c = Array2::from_shape_fn((1, n), |(_, j)| f64::from(u8::from(j == 0)));
        let model = LinearModel { a, b, c, d: array![[0.0]], x0: Array1::from_iter(start.iter().copied()) };
        Self { model }
    }

    /// Returns the system $G(s) = 1 / (s+1)^3$, whose limit cycle has two switches (Astrom, "Oscillations in
    /// systems with relay feedback", in Adaptive Control, Filtering, and Signal Processing, 1995).
    #[must_use]
    pub fn triple_lag() -> Self {
        Self::from_transfer(&[0.0, 0.0, 1.0], &[3.0, 3.0, 1.0], &[1.0, 0.0, 0.0])
    }

    /// Returns the system $G(s) = (s^2 - 2 \sigma s + 1) / (s+1)(s^2 + 2 \xi \omega s + \omega^2)$ with
    /// $\omega = 25$, $\xi = 0.05$, $\sigma = 1$. Its limit cycle contains sliding (di Bernardo, Johansson
    /// and Vasca, Int. J. Bifurcation and Chaos 11, 2001; the numbers and the start are from Piiroinen and
    /// Kuznetsov, ACM Trans. Math. Softw. 34, 2008, eq. (32)).
    #[must_use]
    pub fn sliding_oscillator() -> Self {
        let (w, xi, sigma) = (25.0, 0.05, 1.0);
        let damping = 2.0 * xi * w;
        Self::from_transfer(
            &[1.0, -2.0 * sigma, 1.0],
            &[damping + 1.0, damping + w * w, w * w],
            &[0.0, -0.001, -0.02],
        )
    }

    /// Returns the system $G(s) = (s - 1/2)^2 / (s+1)^4$, with pole excess 2 and $C A B = 1$. Each half of
    /// its limit cycle has one long phase and six successive short phases, of a hundredth to a quarter of a
    /// second, while the unstable zeros drive the state away. Limit cycles with chattering are studied by
    /// Johansson, Barabanov and Astrom (IEEE Trans. Autom. Control 47, 2002); the double zero is our choice.
    #[must_use]
    pub fn chattering_oscillator() -> Self {
        Self::from_transfer(&[0.0, 1.0, -1.0, 0.25], &[4.0, 6.0, 4.0, 1.0], &[0.1, 0.0, 0.0, 0.3])
    }

    /// Returns the first Markov parameter $C B$; if it is positive, the motion can slide.
    #[must_use]
    pub fn first_markov_parameter(&self) -> f64 {
        self.model.c.dot(&self.model.b)[[0, 0]]
    }

    /// Returns the switched system. The modes "minus" and "plus" are named after the sign of the multiplier.
    /// If $C B > 0$, there is a third mode, "sliding".
    #[must_use]
    pub fn switched(&self) -> Switched {
        let (model, n) = (&self.model, self.model.x0.len());
        let fixed = |name, lambda: f64| {
            let guard = Affine::linear(&model.c * -lambda);
            model.mode(name, Affine::constant(array![lambda], n), guard, Affine::none(n))
        };
        let mut modes = vec![fixed("minus", -1.0), fixed("plus", 1.0)];
        let cb = self.first_markov_parameter();
        if cb > 0.0 {
            let equivalent = model.c.dot(&model.a) / -cb;
            let mut rows = Array2::zeros((2, n));
            rows.row_mut(0).assign(&equivalent.row(0));
            rows.row_mut(1).assign(&(-&equivalent).row(0));
            let within = Affine::new(rows, array![1.0, 1.0]);
            modes.push(model.mode(
                "sliding",
                Affine::linear(equivalent),
                within,
                Affine::linear(model.c.clone()),
            ));
        }
        Switched::new(modes)
    }

    /// Returns the motion from the initial state up to `t_end`.
    #[must_use]
    pub fn solve(&self, t_end: f64) -> Trajectory {
        self.switched().solve(0.0, &self.model.x0, t_end)
    }

    /// Searches for a limit cycle by iterating the exact Poincare map from the initial state. Returns `None`
    /// if the motion does not return to the Poincare section or does not converge.
    ///
    /// The Poincare section consists of the starts of the phases with $\lambda = +1$ that last longer than
    /// `dwell`. Choose `dwell` so that there is one such phase per period, and `longest` so that no period is
    /// longer.
    #[must_use]
    pub fn limit_cycle(&self, longest: f64, dwell: f64) -> Option<LimitCycle> {
        let system = self.switched();
        let mut state = self.model.x0.clone();
        let (mut best, mut not_better) = (None::<LimitCycle>, 0);
        for _ in 0..MOST_RETURNS {
            let motion = system.solve(0.0, &state, 2.0 * longest);
            // The first piece starts on the section, and the last piece can be incomplete.
            let (begin, _) =
                motion.pieces.windows(2).map(|pair| (&pair[0], &pair[1])).skip(1).find(|(piece, next)| {
                    system.modes()[piece.mode].name == "plus" && next.t - piece.t > dwell
                })?;
            let size = begin.x.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
            let off = (&begin.x - &state).iter().fold(0.0_f64, |s, x| s.max(x.abs()));
            let mismatch = off / size;
            if best.as_ref().is_none_or(|best| mismatch < best.mismatch) {
                best = Some(LimitCycle { period: begin.t, state: begin.x.clone(), mismatch });
                not_better = 0;
            } else {
                not_better += 1;
            }
            // Converged: the mismatch is only rounding error and no longer decreases.
            if not_better >= 3 && best.as_ref().is_some_and(|best| best.mismatch < 1e-10) {
                return best;
            }
            state.assign(&begin.x);
        }
        None
    }
}
