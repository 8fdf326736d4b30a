//! Linear systems under relay feedback: sliding, fast switches, limit cycles.

use ndarray::{Array1, Array2, array};

use super::{Affine, LinearModel, Switched, Trajectory};

/// How many returns to the section are made in search of a limit cycle.
const MOST_RETURNS: usize = 2000;

/// $x' = A x + B \lambda$, $y = C x$ with one input and one output and a relay between them: $\lambda = -1$
/// for $y > 0$, $+1$ for $y < 0$.
///
/// With $C B > 0$ the motion can slide on $y = 0$, $\lambda = -C A x / C B$. With $C B = 0$, $C A B > 0$ it
/// does not slide but switches many times in a short time; a first non-vanishing Markov parameter of positive
/// sign is necessary and sufficient for such fast switches (Johansson, Rantzer and Astrom, "Fast switches in
/// relay feedback systems", Automatica 35, 1999).
///
/// ```
/// use siconos_testkit::exact::RelayFeedback;
///
/// let cycle = RelayFeedback::triple_lag().limit_cycle(5.0, 0.5).expect("it settles");
/// assert!((cycle.period - 3.67975).abs() < 1e-5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RelayFeedback {
    /// The matrices and the start.
    pub model: LinearModel,
}

/// A periodic motion.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitCycle {
    /// The period.
    pub period: f64,
    /// The state in which the long phase with $\lambda = +1$ begins.
    pub state: Array1<f64>,
    /// How far the state came back from itself after one period, relative to its size.
    pub mismatch: f64,
}

impl RelayFeedback {
    /// The observer form of the transfer function
    /// $G(s) = (b_1 s^{n-1} + .. + b_n) / (s^n + a_1 s^{n-1} + .. + a_n)$.
    ///
    /// # Panics
    ///
    /// Unless both lists and the start have one length.
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

    /// $G(s) = 1 / (s+1)^3$: a limit cycle of two switches and nothing else (Astrom, "Oscillations in systems
    /// with relay feedback", in Adaptive Control, Filtering, and Signal Processing, 1995).
    #[must_use]
    pub fn triple_lag() -> Self {
        Self::from_transfer(&[0.0, 0.0, 1.0], &[3.0, 3.0, 1.0], &[1.0, 0.0, 0.0])
    }

    /// $G(s) = (s^2 - 2 \sigma s + 1) / (s+1)(s^2 + 2 \xi \omega s + \omega^2)$ with $\omega = 25$,
    /// $\xi = 0.05$, $\sigma = 1$: a limit cycle of which a part is sliding (di Bernardo, Johansson and
    /// Vasca, Int. J. Bifurcation and Chaos 11, 2001; these numbers and the start in Piiroinen and Kuznetsov,
    /// ACM Trans. Math. Softw. 34, 2008, eq. (32)).
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

    /// $G(s) = (s - 1/2)^2 / (s+1)^4$: pole excess 2 and $C A B = 1$. Its limit cycle has, in each half, one
    /// long phase and six short ones in a row, of a hundredth to a quarter of a second, while the state is
    /// driven off the unstable zeros: a limit cycle with chattering as studied by Johansson, Barabanov and
    /// Astrom (IEEE Trans. Autom. Control 47, 2002), with a double zero of our choice.
    #[must_use]
    pub fn chattering_oscillator() -> Self {
        Self::from_transfer(&[0.0, 1.0, -1.0, 0.25], &[4.0, 6.0, 4.0, 1.0], &[0.1, 0.0, 0.0, 0.3])
    }

    /// The first Markov parameter $C B$: positive where the motion can slide.
    #[must_use]
    pub fn first_markov_parameter(&self) -> f64 {
        self.model.c.dot(&self.model.b)[[0, 0]]
    }

    /// The system as a switched one: "minus", "plus" by the sign of the multiplier, and "sliding" where
    /// $C B > 0$.
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

    /// The motion from the start up to `t_end`.
    #[must_use]
    pub fn solve(&self, t_end: f64) -> Trajectory {
        self.switched().solve(0.0, &self.model.x0, t_end)
    }

    /// Searches for a limit cycle by iterating the exact Poincare map from the start. The section is where a
    /// phase with $\lambda = +1$ begins that lasts longer than `dwell`; give a `dwell` that singles out one
    /// phase per period, and a time `longest` that no period exceeds. `None` when the motion does not come
    /// back to the section or does not settle.
    #[must_use]
    pub fn limit_cycle(&self, longest: f64, dwell: f64) -> Option<LimitCycle> {
        let system = self.switched();
        let mut state = self.model.x0.clone();
        let (mut best, mut not_better) = (None::<LimitCycle>, 0);
        for _ in 0..MOST_RETURNS {
            let motion = system.solve(0.0, &state, 2.0 * longest);
            // The first piece is where the section was left, the last may be cut short.
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
            // Settled: only rounding is left, and it has stopped to shrink.
            if not_better >= 3 && best.as_ref().is_some_and(|best| best.mismatch < 1e-10) {
                return best;
            }
            state.assign(&begin.x);
        }
        None
    }
}
