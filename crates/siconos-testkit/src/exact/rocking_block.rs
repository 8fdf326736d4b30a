//! Housner's rocking block as a system of one degree of freedom.

/// Slender block that rocks on its two lower corners (Housner 1963).
///
/// The tilt angle $\theta$ satisfies $I \ddot\theta = -m g R \sin(\alpha \operatorname{sgn}\theta - \theta)$;
/// with $p^2 = m g R / I$ and a slender block,
/// $\ddot\theta = -p^2 (\alpha \operatorname{sgn}\theta - \theta)$. At $\theta = 0$ the block changes to the
/// other corner and the rate is reduced: $\dot\theta^+ = r \dot\theta^-$. With $\varphi = |\theta| \ge 0$
/// this is a unilateral model, $\ddot\varphi = p^2 (\varphi - \alpha)$ and
/// $\dot\varphi^+ = -r \dot\varphi^-$, Newton's law with the restitution r. In plain text: phi'' = p^2 (phi -
/// alpha), phi'+ = -r phi'-.
///
/// After a release at rest from $\varphi_0$, the tilt is $\varphi = \alpha - (\alpha - \varphi_0) \cosh p t$.
/// After impact n the rate is $v_n = r^n p \sqrt{\alpha^2 - (\alpha - \varphi_0)^2}$, the next amplitude is
/// $\varphi_n = \alpha - \sqrt{\alpha^2 - v_n^2 / p^2}$, and the next flight lasts
/// $(2 / p) \operatorname{artanh}(v_n / (p \alpha))$. For r < 1 the impacts accumulate.
///
/// ```
/// use siconos_testkit::exact::RockingBlock;
///
/// let block = RockingBlock::new(2.0, 0.2, 0.1, 0.9);
/// assert!((block.impact_time(1) - 0.5 * 2.0_f64.acosh()).abs() < 1e-15);
/// assert!(block.amplitude(1) < block.amplitude(0) && block.amplitude(0) < 0.1 + 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RockingBlock {
    frequency: f64,
    slenderness: f64,
    tilt: f64,
    reduction: f64,
}

impl RockingBlock {
    /// Creates a block with the frequency parameter p \[1/s\] and the slenderness angle alpha \[rad\]. It is
    /// released at rest from a tilt \[rad\]. `reduction` is the factor r.
    ///
    /// # Panics
    ///
    /// If p is not positive, if the tilt is not in (0, alpha), or if the reduction r is not in (0, 1].
    #[track_caller]
    #[must_use]
    pub fn new(frequency: f64, slenderness: f64, tilt: f64, reduction: f64) -> Self {
        assert!(frequency > 0.0, "p is {frequency}");
        assert!(tilt > 0.0 && tilt < slenderness, "the tilt {tilt} is not in (0, {slenderness})");
        assert!(reduction > 0.0 && reduction <= 1.0, "r is {reduction}");
        Self { frequency, slenderness, tilt, reduction }
    }

    /// Returns the rate of the tilt just after impact `n`, counted from 1. The rate just before the impact is
    /// 1 / r times as large.
    #[must_use]
    pub fn rate_after(&self, n: u32) -> f64 {
        let (alpha, rest) = (self.slenderness, self.slenderness - self.tilt);
        self.reduction.powf(f64::from(n)) * self.frequency * ((alpha - rest) * (alpha + rest)).sqrt()
    }

    /// Returns the largest tilt after impact `n`. For `n = 0` it is the initial tilt.
    #[must_use]
    pub fn amplitude(&self, n: u32) -> f64 {
        let (alpha, part) = (self.slenderness, self.rate_after(n) / self.frequency);
        // This equals alpha - sqrt(alpha^2 - part^2); the difference would cancel for small amplitudes.
        part * part / (alpha + ((alpha - part) * (alpha + part)).sqrt())
    }

    /// Returns the largest tilt after impact `n` of a block that is not slender,
    /// $\ddot\varphi = -p^2 \sin(\alpha - \varphi)$. It follows from the energy
    /// $\tfrac12 \dot\varphi^2 + p^2 \cos(\alpha - \varphi)$.
    #[must_use]
    pub fn amplitude_of_a_stout_block(&self, n: u32) -> f64 {
        let (alpha, rest) = (self.slenderness, self.slenderness - self.tilt);
        // Half the square of the rate before the first impact, divided by p^2. After impact n it is
        // multiplied by r^(2 n).
        let first = rest.cos() - alpha.cos();
        alpha - (alpha.cos() + self.reduction.powf(2.0 * f64::from(n)) * first).acos()
    }

    /// Returns the time of impact `n`, counted from 1.
    ///
    /// # Panics
    ///
    /// If `n` is 0.
    #[track_caller]
    #[must_use]
    pub fn impact_time(&self, n: u32) -> f64 {
        assert!(n > 0, "impacts are counted from 1");
        let first = (self.slenderness / (self.slenderness - self.tilt)).acosh() / self.frequency;
        first + (1..n).map(|n| self.flight(n)).sum::<f64>()
    }

    /// Returns the time at which the impacts accumulate, or `None` for r = 1.
    #[must_use]
    pub fn accumulation_time(&self) -> Option<f64> {
        if self.reduction == 1.0 {
            return None;
        }
        let mut sum = self.impact_time(1);
        let mut n = 1;
        loop {
            let flight = self.flight(n);
            sum += flight;
            // The remaining flights last at most as long as a geometric series with ratio r.
            if flight * self.reduction / (1.0 - self.reduction) < 1e-17 * sum {
                return Some(sum);
            }
            n += 1;
        }
    }

    /// Returns the tilt and its rate at time `t`. The value at an impact is the right limit, and both are 0
    /// after the accumulation.
    #[must_use]
    pub fn state(&self, t: f64) -> (f64, f64) {
        if self.accumulation_time().is_some_and(|end| t >= end) {
            return (0.0, 0.0);
        }
        let (p, alpha) = (self.frequency, self.slenderness);
        let mut last = self.impact_time(1);
        if t < last {
            let rest = alpha - self.tilt;
            return (alpha - rest * (p * t).cosh(), -p * rest * (p * t).sinh());
        }
        let mut n = 1;
        while last + self.flight(n) <= t {
            last += self.flight(n);
            n += 1;
        }
        let (v, s) = (self.rate_after(n), p * (t - last));
        // The form -2 sinh^2(s / 2) of 1 - cosh s does not cancel for short flights.
        let tilt = v / p * s.sinh() - 2.0 * alpha * (0.5 * s).sinh().powi(2);
        (tilt.max(0.0), v * s.cosh() - p * alpha * s.sinh())
    }

    /// Returns the duration of the flight after impact `n`.
    fn flight(&self, n: u32) -> f64 {
        2.0 / self.frequency * (self.rate_after(n) / (self.frequency * self.slenderness)).atanh()
    }
}
