//! Whether the state is controllable from lambda and observable from y.

use std::fmt;

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate};
use siconos_linalg::{complex_singular_values, eigenvalues};

use super::balance::BalancedPair;
use super::error::spectrum_of;
use super::{AnalysisError, LinearSystem};

/// Which of the two dual properties was tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairProperty {
    /// lambda can drive the state anywhere: the pair (A, B).
    Controllable,
    /// y and lambda determine the state: the pair (A, C).
    Observable,
}

/// The result of the test of one pair.
///
/// Two tests are made, on matrices in balanced units (the squares of the logarithms of their entries are
/// smallest):
///
/// 1. The controllable subspace is built as in the staircase form (Van Dooren 1981; Paige 1981): B, then what
///    A adds, with orthogonal bases, and directions below the tolerance dropped. It is backward stable, which
///    is why it decides about the dimension; a power $A^k B$ is never formed. Too small a `dimension` proves
///    that a pair within the tolerance of the given one has no more.
/// 2. The smallest singular value of $[A - s I, B]$ over the eigenvalues s of A (the test of Popov, Belevitch
///    and Hautus). It is an upper bound of the distance to the nearest pair without the property (Eising
///    1984), and finds what the first test can miss: a long staircase of which every step is harmless but not
///    their product. By itself it would not do, because multiple eigenvalues are computed with large errors.
///
/// The property holds when both say so. Where the second says that it does not, the first drops directions
/// that are no longer than what rounding may have made of those before: a short remainder that is made a
/// unit vector takes its rounding along, which then looks like one more direction (Edelman and Ma 2000,
/// "Staircase failures explained by orthogonal versal forms"). The `dimension` is then an estimate.
///
/// The verdict is about the data to working precision: an entry of 1e-17 that stands for 0 counts as an
/// entry, since in other units it might be 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairTest {
    /// Which property.
    pub property: PairProperty,
    /// Whether it holds.
    pub holds: bool,
    /// The dimension of the controllable subspace, or the number of states less that of the unobservable one.
    pub dimension: usize,
    /// The number of states.
    pub states: usize,
    /// The smallest singular value of the second test over the norm of the matrices, without unit. What it
    /// proves: a pair without the property is not further away than this, relatively.
    pub margin: f64,
    /// What counts as zero beside the norm: $16 (n + m) \varepsilon$.
    pub tolerance: f64,
    /// Real and imaginary part of the eigenvalue of A at which the margin was found \[1/s\].
    pub weakest_mode: (f64, f64),
}

/// Controllable and observable: no smaller state has the same input and output (Kalman 1963).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimality {
    /// The test of (A, B).
    pub controllable: PairTest,
    /// The test of (A, C).
    pub observable: PairTest,
}

impl Minimality {
    /// Tests both pairs.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::analysis::{LinearSystem, Minimality};
    ///
    /// // lambda reaches the first of two tanks only.
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
    /// [`AnalysisError::Spectrum`] when eigenvalues or singular values cannot be computed.
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

    /// Whether both hold.
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
                "{pair} is {adjective}; a pair that is not lies at most {:.1e} away, relatively",
                self.margin
            );
        }
        write!(f, "{pair} is not {adjective} to rounding: ")?;
        if self.dimension < self.states {
            write!(f, "only {} of {} dimensions of the state are", self.dimension, self.states)
        } else {
            write!(f, "a pair that is not lies {:.1e} away, relatively", self.margin)
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

/// The dimension of the span of B, A B, A^2 B, .., by orthogonal directions: of the candidates, always the
/// one that is furthest from what is there comes next. Dropped are those no longer than `zero` and `growth`
/// times the angle by which rounding may have turned the directions that are there.
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
            // A short remainder has lost its orthogonality to rounding.
            orthogonalise(&mut direction, &basis);
            let length = direction.dot(&direction).sqrt();
            basis.push(direction / length);
        }
        candidates = basis[before..].iter().map(|direction| a.dot(direction)).collect();
    }
    basis.len()
}

/// Takes off the components along the basis, twice, after which the rest is orthogonal to rounding (Giraud,
/// Langou, Rozloznik 2005).
fn orthogonalise(vector: &mut Array1<f64>, basis: &[Array1<f64>]) {
    for _ in 0..2 {
        for direction in basis {
            let component = direction.dot(vector);
            vector.scaled_add(-component, direction);
        }
    }
}

/// The smallest singular value of [A - s I, B] over the eigenvalues s of A, and that s.
fn smallest_over_modes(a: &Array2<f64>, b: &Array2<f64>) -> Result<(f64, (f64, f64)), AnalysisError> {
    let (n, m) = b.dim();
    let modes = eigenvalues(a.view()).map_err(spectrum_of("A"))?;
    let pencil = concatenate![Axis(1), *a, *b];
    let mut weakest = (f64::INFINITY, (0.0, 0.0));
    // Of a conjugate pair, one.
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
