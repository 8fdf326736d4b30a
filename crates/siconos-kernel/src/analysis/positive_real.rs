//! Positive realness at samples of the frequency axis, a necessary condition for passivity.

use std::fmt;

use ndarray::{Array2, s};
use siconos_linalg::{DenseLu, eigenvalues, symmetric_eigen};

use super::balance::{BalancedPair, times_power_of_two};
use super::equilibration::{frobenius, scaled, symmetric_scaling};
use super::error::spectrum_of;
use super::{AnalysisError, LinearSystem};

/// Maximum number of logarithmic steps of the frequency grid, which extends from two decades below the
/// slowest mode to two decades above the fastest mode.
const STEPS: usize = 240;

/// Number of logarithmic steps per decade, unless `STEPS` limits it.
const PER_DECADE: f64 = 20.0;

/// Result of a passivity test that samples the transfer function $G(s) = C (s I - A)^{-1} B + D$ on the
/// imaginary axis, $s = i \omega$.
#[derive(Clone, Debug, PartialEq)]
pub enum PositiveRealness {
    /// $G(i \omega) + G(i \omega)^H \ge 0$ up to rounding at all samples, and no mode grows. This is
    /// necessary for a positive real function but not sufficient: the condition can be violated between the
    /// samples, and poles on the imaginary axis must satisfy additional conditions.
    NecessaryOnly {
        /// Number of sampled frequencies.
        samples: usize,
        /// Frequencies \[rad/s\] that were skipped because G has a pole there.
        skipped: Vec<f64>,
        /// Frequency \[rad/s\] at which the smallest eigenvalue was found; infinite if it is an eigenvalue of
        /// $D + D^T$.
        frequency: f64,
        /// Smallest eigenvalue over all samples, after scaling to entries near 1.
        smallest: f64,
    },
    /// An eigenvalue of $G + G^H$ is negative by more than rounding error: a sinusoidal lambda of this
    /// frequency extracts energy from the system without limit. This proves that G is not positive real and
    /// that a storage matrix does not exist.
    NotPassive {
        /// Frequency \[rad/s\] at which the eigenvalue was found; infinite if it is an eigenvalue of
        /// $D + D^T$.
        frequency: f64,
        /// Smallest eigenvalue of $G + G^H$ at this frequency, in the unit of y over lambda.
        smallest_eigenvalue: f64,
        /// Smallest eigenvalue of $G + G^H$ at this frequency, after scaling to entries near 1.
        relative: f64,
    },
    /// A has an eigenvalue with positive real part, so a positive definite storage function cannot exist:
    /// with lambda = 0, the stored energy would have to grow without supplied energy.
    GrowingMode {
        /// Real part of the eigenvalue \[1/s\], above 0.
        re: f64,
        /// Imaginary part \[rad/s\].
        im: f64,
    },
}

impl fmt::Display for PositiveRealness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NecessaryOnly { samples, skipped, smallest, .. } => {
                write!(
                    f,
                    "G + G^H is nonnegative at {samples} frequencies (smallest {smallest:.1e}), which is necessary, but not sufficient, for \
                     passivity"
                )?;
                match skipped.len() {
                    0 => Ok(()),
                    count => write!(f, "; {count} frequencies were skipped because they are poles"),
                }
            }
            Self::NotPassive { frequency, smallest_eigenvalue, .. } => write!(
                f,
                "not passive: at {frequency:.6e} rad/s the smallest eigenvalue of G + G^H is {smallest_eigenvalue:e}"
            ),
            Self::GrowingMode { re, im } => {
                write!(f, "not passive: A has the unstable eigenvalue {re:e} + {im:e} i")
            }
        }
    }
}

/// Tests $G(i \omega) + G(i \omega)^H \ge 0$ at samples of the frequency axis: at 0, at infinity, at the
/// imaginary parts and magnitudes of the eigenvalues of A, and on a logarithmic grid from one hundredth of
/// the smallest magnitude to one hundred times the largest magnitude.
///
/// **Meaning.** A passive system has $G + G^H \ge 0$ on the imaginary axis except at poles. For a minimal
/// system this condition, together with a condition on the poles, is equivalent to passivity (positive real
/// lemma: Brogliato, Lozano, Maschke, Egeland 2007, chapters 2 and 3; Camlibel, Heemels, Schumacher 2002).
/// Therefore, a single negative eigenvalue refutes passivity, but no number of samples proves it.
///
/// **Tolerance.** A bound of the rounding error of each entry of G is computed from the factorisation of
/// $K = i \omega I - A$: the bound is $16 (n + m) \varepsilon$ times $|C| |K^{-1}| |K| |X| + |C| |X| + |D|$,
/// where $K X = B$ (Higham 2002, section 7.2). An eigenvalue counts as negative only if rounding errors
/// within this bound cannot have caused its sign. Close to a pole the bound is large. An eigenvalue of A
/// counts as unstable if its real part exceeds Elsner's bound of the effect of rounding on eigenvalues
/// (Stewart and Sun 1990, theorem IV.1.3).
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::analysis::{LinearSystem, PositiveRealness, sample_positive_realness};
///
/// // 1 / (s + 1) is positive real, 1 / (s + 1)^2 is not.
/// let one = LinearSystem::new(array![[-1.0]], array![[1.0]], array![[1.0]], array![[0.0]])?;
/// assert!(matches!(sample_positive_realness(&one)?, PositiveRealness::NecessaryOnly { .. }));
/// let two = LinearSystem::new(array![[-1.0, 1.0], [0.0, -1.0]], array![[0.0], [1.0]], array![[1.0, 0.0]], array![[0.0]])?;
/// assert!(matches!(sample_positive_realness(&two)?, PositiveRealness::NotPassive { .. }));
/// # Ok::<(), siconos_kernel::analysis::AnalysisError>(())
/// ```
///
/// # Errors
///
/// [`AnalysisError::Spectrum`] if eigenvalues cannot be computed.
#[doc(alias("passivity", "positive real"))]
pub fn sample_positive_realness(system: &LinearSystem) -> Result<PositiveRealness, AnalysisError> {
    let pair = BalancedPair::of(system.a(), system.b());
    let rate = f64::from(pair.rate).exp2();
    let modes = eigenvalues(pair.a.view()).map_err(spectrum_of("A"))?;
    let doubt = eigenvalue_error(&pair.a);
    if let Some(&(re, im)) = modes.iter().filter(|mode| mode.0 > doubt).max_by(|x, y| x.0.total_cmp(&y.0)) {
        return Ok(PositiveRealness::GrowingMode { re: re * rate, im: im * rate });
    }
    let mut response = FrequencyResponse::of(system, pair);
    let mut skipped = Vec::new();
    let mut samples = 0;
    let mut least = (f64::INFINITY, f64::INFINITY);
    let mut least_negative: Option<(f64, f64)> = None;
    for frequency in frequencies(&modes, doubt) {
        let Some((smallest, noise)) = response.smallest_eigenvalue(frequency)? else {
            skipped.push(frequency * rate);
            continue;
        };
        samples += 1;
        if smallest < least.1 {
            least = (frequency, smallest);
        }
        if smallest < -noise && least_negative.is_none_or(|(_, before)| smallest < before) {
            least_negative = Some((frequency, smallest));
        }
    }
    Ok(match least_negative {
        Some((frequency, relative)) => PositiveRealness::NotPassive {
            frequency: frequency * rate,
            smallest_eigenvalue: response.unscaled_eigenvalue(frequency)?,
            relative,
        },
        None => {
            PositiveRealness::NecessaryOnly { samples, skipped, frequency: least.0 * rate, smallest: least.1 }
        }
    })
}

/// Returns a bound of the effect of rounding on an eigenvalue:
/// $(2 \lVert A \rVert)^{1 - 1/n} \lVert E \rVert^{1/n}$ with
/// $\lVert E \rVert = n \varepsilon \lVert A \rVert$.
fn eigenvalue_error(a: &Array2<f64>) -> f64 {
    let n = a.nrows() as f64;
    let norm = a.iter().map(|x| x * x).sum::<f64>().sqrt();
    norm * 2.0_f64.powf(1.0 - 1.0 / n) * (n * f64::EPSILON).powf(1.0 / n)
}

/// Returns the sampled frequencies, in units of the rate of the balanced matrices.
fn frequencies(modes: &[(f64, f64)], doubt: f64) -> Vec<f64> {
    // In balanced units the rate of the system is 1, which is also used if all modes are 0.
    let mut all = vec![0.0, 1.0, f64::INFINITY];
    let (mut slowest, mut fastest) = (1.0_f64, 1.0_f64);
    for mode in modes {
        let magnitude = mode.0.hypot(mode.1);
        if magnitude > doubt {
            slowest = slowest.min(magnitude);
            fastest = fastest.max(magnitude);
            all.extend([mode.1.abs(), magnitude]);
        }
    }
    let (from, to) = (slowest.log10() - 2.0, fastest.log10() + 2.0);
    let steps = (((to - from) * PER_DECADE).ceil() as usize).min(STEPS);
    all.extend((0..=steps).map(|k| 10.0_f64.powf(from + (to - from) * k as f64 / steps as f64)));
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// Transfer function G on the imaginary axis, in balanced units of state and time.
struct FrequencyResponse {
    a: Array2<f64>,
    b: Array2<f64>,
    c: Array2<f64>,
    d: Array2<f64>,
    lu: DenseLu,
    /// Real and imaginary parts of G + G^H at the most recently evaluated frequency.
    hermitian: (Array2<f64>, Array2<f64>),
}

impl FrequencyResponse {
    fn of(system: &LinearSystem, pair: BalancedPair) -> Self {
        let c = Array2::from_shape_fn(system.c().dim(), |(i, j)| {
            times_power_of_two(system.c()[[i, j]], pair.states[j])
        });
        let b =
            Array2::from_shape_fn(pair.b.dim(), |(i, j)| times_power_of_two(pair.b[[i, j]], -pair.inputs[j]));
        let m = system.multipliers();
        let hermitian = (Array2::zeros((m, m)), Array2::zeros((m, m)));
        Self { a: pair.a, b, c, d: system.d().to_owned(), lu: DenseLu::default(), hermitian }
    }

    /// Returns the smallest eigenvalue of the scaled G + G^H and a bound of its rounding error; `None` at a
    /// pole.
    fn smallest_eigenvalue(&mut self, frequency: f64) -> Result<Option<(f64, f64)>, AnalysisError> {
        let (n, m) = self.b.dim();
        let mut size = self.d.mapv(f64::abs);
        let (mut re, mut im) = (self.d.clone(), Array2::zeros((m, m)));
        if frequency.is_finite() {
            let Some((x, x_size)) = self.states(frequency) else { return Ok(None) };
            let (x_re, x_im) = (x.slice(s![..n, ..]), x.slice(s![n.., ..]));
            re += &self.c.dot(&x_re);
            im += &self.c.dot(&x_im);
            size += &self.c.mapv(f64::abs).dot(&(&x_size.slice(s![..n, ..]) + &x_size.slice(s![n.., ..])));
        }
        let size = &size + &size.t();
        if !size.iter().chain(&re).chain(&im).all(|x| x.is_finite()) {
            return Ok(None);
        }
        self.hermitian = (&re + &re.t(), &im - &im.t());
        let scale = symmetric_scaling(&size);
        let part = |x: &Array2<f64>| scaled(x, &scale, &scale);
        let smallest = smallest_hermitian(&part(&self.hermitian.0), &part(&self.hermitian.1))?;
        let noise = 16.0 * (n + m) as f64 * f64::EPSILON * frobenius(&scaled(&size, &scale, &scale));
        Ok(Some((smallest, noise)))
    }

    fn unscaled_eigenvalue(&mut self, frequency: f64) -> Result<f64, AnalysisError> {
        self.smallest_eigenvalue(frequency)?;
        smallest_hermitian(&self.hermitian.0, &self.hermitian.1)
    }

    /// Returns X = (i omega I - A)^-1 B as the stacked matrix [Re X; Im X], and for each entry a bound of its
    /// error in multiples of the rounding unit.
    fn states(&mut self, frequency: f64) -> Option<(Array2<f64>, Array2<f64>)> {
        let (n, m) = self.b.dim();
        let k = Array2::from_shape_fn((2 * n, 2 * n), |(i, j)| match (i < n, j < n) {
            (true, true) => -self.a[[i, j]],
            (false, false) => -self.a[[i - n, j - n]],
            (true, false) => {
                if i == j - n {
                    -frequency
                } else {
                    0.0
                }
            }
            (false, true) => {
                if i - n == j {
                    frequency
                } else {
                    0.0
                }
            }
        });
        self.lu.factor(k.view()).ok()?;
        let mut column = vec![0.0; 2 * n];
        let mut inverse = Array2::zeros((2 * n, 2 * n));
        for j in 0..2 * n {
            column.fill(0.0);
            column[j] = 1.0;
            self.lu.solve(&mut column);
            inverse.column_mut(j).iter_mut().zip(&column).for_each(|(x, y)| *x = y.abs());
        }
        let mut x = Array2::zeros((2 * n, m));
        for j in 0..m {
            column.fill(0.0);
            column[..n].iter_mut().zip(self.b.column(j)).for_each(|(x, b)| *x = *b);
            self.lu.solve(&mut column);
            x.column_mut(j).iter_mut().zip(&column).for_each(|(x, y)| *x = *y);
        }
        let magnitude = x.mapv(f64::abs);
        let size = inverse.dot(&k.mapv(f64::abs).dot(&magnitude)) + &magnitude;
        Some((x, size))
    }
}

/// Returns the smallest eigenvalue of the Hermitian matrix S + i T, computed from the real matrix
/// [S, -T; T, S].
fn smallest_hermitian(s: &Array2<f64>, t: &Array2<f64>) -> Result<f64, AnalysisError> {
    let m = s.nrows();
    let embedded = Array2::from_shape_fn((2 * m, 2 * m), |(i, j)| match (i < m, j < m) {
        (true, true) => s[[i, j]],
        (false, false) => s[[i - m, j - m]],
        (true, false) => -t[[i, j - m]],
        (false, true) => t[[i - m, j]],
    });
    Ok(symmetric_eigen(embedded.view()).map_err(spectrum_of("G + G^H"))?.values[0])
}
