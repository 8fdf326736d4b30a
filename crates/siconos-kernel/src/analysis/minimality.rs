//! Controllability of the state from lambda and observability from y.

use std::fmt;

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate};
use siconos_linalg::{complex_singular_values, eigenvalues};

use super::balance::BalancedPair;
use super::error::spectrum_of;
use super::{AnalysisError, LinearSystem};

/// Property of a pair of matrices. The two properties are dual to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairProperty {
    /// The pair (A, B): lambda can drive the state to any value.
    Controllable,
    /// The pair (A, C): y and lambda determine the state.
    Observable,
}

/// Result of the controllability test of (A, B) or the observability test of (A, C).
///
/// Observability of (A, C) is tested as controllability of $(A^T, C^T)$. Two tests are made on matrices in
/// balanced units, which minimise the sum of the squared logarithms of their entries:
///
/// 1. An orthonormal basis of the controllable subspace is built as in the staircase form (Van Dooren 1981;
///    Paige 1981): first for the range of B, then for the directions that A adds. Directions shorter than the
///    tolerance are dropped. This test determines the dimension, because it is backward stable; it never
///    forms a power $A^k B$. A `dimension` below the number of states proves that there is a pair whose
///    distance from the given pair is within the tolerance, and whose controllable subspace has at most this
///    dimension.
/// 2. The smallest singular value of $[A - s I, B]$ over the eigenvalues s of A is computed (the
///    Popov-Belevitch-Hautus test). It is an upper bound of the distance to the nearest pair without the
///    property (Eising 1984). It detects cases that the first test can miss: a long staircase in which no
///    step is small, but the product of the steps is. The second test is not sufficient on its own, because
///    multiple eigenvalues are computed with large errors.
///
/// The property holds if both tests confirm it. If the second test fails, the first test uses a larger
/// tolerance: it also drops directions that are not longer than the rounding error caused by the previous
/// directions. When the short remainder of an orthogonalisation is normalised, its rounding error is
/// amplified and looks like an additional direction (Edelman and Ma 2000, "Staircase failures explained by
/// orthogonal versal forms"). With the larger tolerance, `dimension` is only an estimate.
///
/// The entries of the matrices are taken as exact. An entry of 1e-17 counts as nonzero even if it is the
/// rounding error of a zero, because in other units it might be 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairTest {
    /// Property that was tested.
    pub property: PairProperty,
    /// `true` if the property holds.
    pub holds: bool,
    /// Dimension of the controllable subspace. For observability, the number of states minus the dimension of
    /// the unobservable subspace.
    pub dimension: usize,
    /// Number of states.
    pub states: usize,
    /// Smallest singular value found by the second test, divided by the norm of the matrices. It is an upper
    /// bound of the relative distance to a pair without the property.
    pub margin: f64,
    /// Rank tolerance, $16 (n + m) \varepsilon$. Lengths and singular values below this multiple of the norm
    /// of the matrices count as zero.
    pub tolerance: f64,
    /// Real and imaginary parts \[1/s\] of the eigenvalue of A at which the margin is attained.
    pub weakest_mode: (f64, f64),
}

/// Test of the minimality of the state. A state that is controllable and observable is minimal: no system
/// with fewer states has the same input-output behaviour (Kalman 1963).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimality {
    /// Test of (A, B).
    pub controllable: PairTest,
    /// Test of (A, C).
    pub observable: PairTest,
}

impl Minimality {
    /// Tests the controllability of (A, B) and the observability of (A, C).
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::analysis::{LinearSystem, Minimality};
    ///
    /// // lambda acts on the first of two tanks only.
    /// let a = array![[-1.0, 0.0], [0.0, -2.0]];
    /// let tanks = LinearSystem::new(a, array![[1.0], [0.0]], array![[1.0, 1.0]], array![[0.0]])?;
    /// let minimality = Minimality::of(&tanks)?;
    /// assert!(!minimality.controllable.holds && minimality.observable.holds);
    /// assert_eq!(minimality.controllable.dimension, 1);
    /// # Ok::<(), siconos_kernel::analysis::AnalysisError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Spectrum`] if eigenvalues or singular values cannot be computed.
    pub fn of(system: &LinearSystem) -> Result<Self, AnalysisError> {
        Ok(Self {
            controllable: test_pair(PairProperty::Controllable, system.a(), system.b())?,
            observable: test_pair(
                PairProperty::Observable,
                system.a().reversed_axes(),
                system.c().reversed_axes(),
            )?,
        })
    }

    /// Returns `true` if both properties hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.controllable.holds && self.observable.holds
    }
}

impl fmt::Display for PairTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pair, adjective) = match self.property {
            PairProperty::Controllable => ("(A, B)", "controllable"),
            PairProperty::Observable => ("(A, C)", "observable"),
        };
        if self.holds {
            return write!(
                f,
                "{pair} is {adjective}; the relative distance to a pair that is not {adjective} is at most {:.1e}",
                self.margin
            );
        }
        write!(f, "{pair} is not {adjective}, up to rounding: ")?;
        if self.dimension < self.states {
            write!(f, "only {} of {} dimensions of the state are {adjective}", self.dimension, self.states)
        } else {
            write!(f, "a pair that is not {adjective} lies within a relative distance of {:.1e}", self.margin)
        }
    }
}

impl fmt::Display for Minimality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.holds() { "minimal" } else { "not minimal" };
        write!(f, "the state is {verdict}: {}; {}", self.controllable, self.observable)
    }
}

fn test_pair(
    property: PairProperty,
    a: ArrayView2<'_, f64>,
    b: ArrayView2<'_, f64>,
) -> Result<PairTest, AnalysisError> {
    let (n, m) = b.dim();
    let pair = BalancedPair::of(a, b);
    let norm = pair.a.iter().chain(&pair.b).map(|x| x * x).sum::<f64>().sqrt();
    let tolerance = 16.0 * (n + m) as f64 * f64::EPSILON;
    let (smallest, mode) = smallest_over_modes(&pair.a, &pair.b)?;
    let margin = if norm > 0.0 { smallest / norm } else { 0.0 };
    let growth = if margin > tolerance { 0.0 } else { norm };
    let dimension = controllable_dimension(&pair.a, &pair.b, tolerance * norm, growth);
    let rate = f64::from(pair.rate).exp2();
    Ok(PairTest {
        property,
        holds: dimension == n && margin > tolerance,
        dimension,
        states: n,
        margin,
        tolerance,
        weakest_mode: (mode.0 * rate, mode.1 * rate),
    })
}

/// Returns the dimension of the span of B, A B, A^2 B, .. from an orthonormal basis. The next basis vector is
/// the candidate with the largest component orthogonal to the current basis. A candidate is dropped if the
/// length of this component is at most `zero` plus `growth` times a bound of the angle by which rounding can
/// have rotated the basis vectors.
fn controllable_dimension(a: &Array2<f64>, b: &Array2<f64>, zero: f64, growth: f64) -> usize {
    let n = a.nrows();
    let mut basis: Vec<Array1<f64>> = Vec::with_capacity(n);
    let mut angle = 0.0_f64;
    let mut candidates: Vec<Array1<f64>> = b.columns().into_iter().map(|column| column.to_owned()).collect();
    while !candidates.is_empty() && basis.len() < n {
        let before = basis.len();
        while basis.len() < n {
            for candidate in &mut candidates {
                orthogonalise(candidate, &basis);
            }
            let lengths = candidates.iter().map(|candidate| candidate.dot(candidate).sqrt());
            let longest = lengths.enumerate().max_by(|x, y| x.1.total_cmp(&y.1));
            let rounding = zero + growth * angle;
            let Some((index, length)) = longest.filter(|(_, length)| *length > rounding) else { break };
            angle = angle.max(rounding / length);
            let mut direction = candidates.swap_remove(index) / length;
            // Normalising a short remainder amplifies its rounding errors. The normalised vector is therefore
            // orthogonalised again.
            orthogonalise(&mut direction, &basis);
            let length = direction.dot(&direction).sqrt();
            basis.push(direction / length);
        }
        candidates = basis[before..].iter().map(|direction| a.dot(direction)).collect();
    }
    basis.len()
}

/// Removes the components of a vector along the basis vectors. After two passes the remainder is orthogonal
/// to the basis up to rounding (Giraud, Langou, Rozloznik 2005).
fn orthogonalise(vector: &mut Array1<f64>, basis: &[Array1<f64>]) {
    for _ in 0..2 {
        for direction in basis {
            let component = direction.dot(vector);
            vector.scaled_add(-component, direction);
        }
    }
}

/// Returns the smallest singular value of [A - s I, B] over the eigenvalues s of A, and the eigenvalue at
/// which it is attained.
fn smallest_over_modes(a: &Array2<f64>, b: &Array2<f64>) -> Result<(f64, (f64, f64)), AnalysisError> {
    let (n, m) = b.dim();
    let modes = eigenvalues(a.view()).map_err(spectrum_of("A"))?;
    let pencil = concatenate![Axis(1), *a, *b];
    let mut weakest = (f64::INFINITY, (0.0, 0.0));
    // One eigenvalue of each conjugate pair is sufficient.
    for mode in modes.into_iter().filter(|mode| mode.1 >= 0.0) {
        let mut re = pencil.clone();
        let mut im = Array2::zeros((n, n + m));
        for i in 0..n {
            re[[i, i]] -= mode.0;
            im[[i, i]] = -mode.1;
        }
        let values = complex_singular_values(re.view(), im.view()).map_err(spectrum_of("[A - s I, B]"))?;
        let smallest = values[values.len() - 1];
        if smallest < weakest.0 {
            weakest = (smallest, mode);
        }
    }
    Ok(weakest)
}
