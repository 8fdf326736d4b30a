//! Filippov systems in Stewart's form: regions defined by switching functions, with one field in each region.

use std::fmt;

use ndarray::{Array2, ArrayViewMut2};

use super::FesdError;
use siconos_kernel::ModelError;
use siconos_kernel::engine::check_finite;

/// Writes c(t, x).
type Switching = dyn Fn(f64, &[f64], &mut [f64]) + Send + Sync;
/// Writes f_i(t, x).
type Mode = dyn Fn(usize, f64, &[f64], &mut [f64]) + Send + Sync;
/// Writes dc/dx.
type SwitchingDerivative = dyn Fn(f64, &[f64], ArrayViewMut2<'_, f64>) + Send + Sync;
/// Writes df_i/dx.
type ModeDerivative = dyn Fn(usize, f64, &[f64], ArrayViewMut2<'_, f64>) + Send + Sync;

/// Piecewise smooth system with the field f_i in the region $R_i$. On the boundaries between regions, the
/// rate is a convex combination of the fields, as defined by Filippov:
///
/// $$ \dot x = \sum_i \theta_i f_i(t, x), \qquad
/// \theta \in \operatorname{argmin} \lbrace g(t, x)^T \theta : \theta \ge 0, \sum_i \theta_i = 1 \rbrace,
/// \qquad g = -S c(t, x). $$
///
/// As plain text: x' = sum of theta_i f_i, where theta minimises g^T theta over the simplex, with g = -S c. c
/// contains the q switching functions. S is an m x q matrix with entries 1 and -1; row i contains the signs
/// of c in region i. The optimality conditions of the minimum are $g_i - \lambda_i - \mu = 0$,
/// $0 \le \theta_i \perp \lambda_i \ge 0$ (Stewart 1990). Define one mode for every combination of signs that
/// occurs.
///
/// ```
/// use siconos_sweeping::fesd::FilippovSystem;
///
/// // x' = 1/2 - Sgn x: 3/2 below 0, -1/2 above.
/// let system = FilippovSystem::two_modes(1, |_t, x| x[0], |_t, _x, f| f[0] = 1.5, |_t, _x, f| f[0] = -0.5)?;
/// assert_eq!((system.states(), system.modes()), (1, 2));
/// # Ok::<(), siconos_sweeping::fesd::FesdError>(())
/// ```
///
/// References: D. E. Stewart (1990), "A high accuracy method for solving ODEs with discontinuous right-hand
/// side", Numerische Mathematik 58, 299-328. A. F. Filippov (1988), "Differential Equations with
/// Discontinuous Righthand Sides", Kluwer.
pub struct FilippovSystem {
    states: usize,
    signs: Array2<f64>,
    switching: Box<Switching>,
    mode: Box<Mode>,
    pub(super) switching_derivative: Option<Box<SwitchingDerivative>>,
    pub(super) mode_derivative: Option<Box<ModeDerivative>>,
    /// Values of c and dc/dx.
    values: Vec<f64>,
    gradients: Array2<f64>,
}

impl fmt::Debug for FilippovSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilippovSystem")
            .field("states", &self.states)
            .field("signs", &self.signs)
            .finish_non_exhaustive()
    }
}

impl FilippovSystem {
    /// Creates a system with n states. `signs` is S, `switching(t, x, c)` writes the q switching functions,
    /// and `mode(i, t, x, f)` writes the field f_i \[unit of x per s\]. The default
    /// [`PatternSearch`](super::PatternSearch) evaluates each field only in or near its region.
    ///
    /// # Errors
    ///
    /// If n = 0 or S is empty ([`FesdError::Model`]); if an entry of S is neither 1 nor -1
    /// ([`FesdError::Sign`]); or if two rows of S are equal ([`FesdError::SameRegion`]).
    pub fn new(
        n: usize,
        signs: Array2<f64>,
        switching: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static,
        mode: impl Fn(usize, f64, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Result<Self, FesdError> {
        if n == 0 {
            return Err(ModelError::NoDegreeOfFreedom.into());
        }
        if signs.is_empty() {
            return Err(ModelError::Empty { what: "S of a Filippov system" }.into());
        }
        check_finite("S of a Filippov system", &signs)?;
        if let Some(((mode, function), &value)) = signs.indexed_iter().find(|(_, sign)| sign.abs() != 1.0) {
            return Err(FesdError::Sign { mode, function, value });
        }
        for second in 0..signs.nrows() {
            if let Some(first) = (0..second).find(|&first| signs.row(first) == signs.row(second)) {
                return Err(FesdError::SameRegion { first, second });
            }
        }
        let q = signs.ncols();
        Ok(Self {
            states: n,
            signs,
            switching: Box::new(switching),
            mode: Box::new(mode),
            switching_derivative: None,
            mode_derivative: None,
            values: vec![0.0; q],
            gradients: Array2::zeros((q, n)),
        })
    }

    /// Creates a system with one switching function c(t, x) and two fields: mode 0 for c < 0, and mode 1 for
    /// c > 0.
    ///
    /// # Errors
    ///
    /// If n = 0 ([`FesdError::Model`]).
    pub fn two_modes(
        n: usize,
        switching: impl Fn(f64, &[f64]) -> f64 + Send + Sync + 'static,
        below: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static,
        above: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Result<Self, FesdError> {
        Self::new(
            n,
            ndarray::array![[-1.0], [1.0]],
            move |t, x, c| c[0] = switching(t, x),
            move |mode, t, x, f| if mode == 0 { below(t, x, f) } else { above(t, x, f) },
        )
    }

    /// Sets the derivative of the switching functions. The function `(t, x, J)` writes the q x n matrix dc/dx
    /// to J, which is 0 on entry. By default, dc/dx is computed by finite differences.
    #[must_use]
    pub fn with_switching_jacobian(
        mut self,
        derivative: impl Fn(f64, &[f64], ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.switching_derivative = Some(Box::new(derivative));
        self
    }

    /// Sets the derivatives of the fields. The function `(i, t, x, J)` writes the n x n matrix df_i/dx to J,
    /// which is 0 on entry. By default, df_i/dx is computed by finite differences.
    #[must_use]
    pub fn with_mode_jacobian(
        mut self,
        derivative: impl Fn(usize, f64, &[f64], ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.mode_derivative = Some(Box::new(derivative));
        self
    }

    /// Returns n, the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states
    }

    /// Returns m, the number of modes.
    #[must_use]
    pub fn modes(&self) -> usize {
        self.signs.nrows()
    }

    /// Writes f_i.
    pub(super) fn write_mode(&self, i: usize, t: f64, x: &[f64], f: &mut [f64]) {
        f.fill(0.0);
        (self.mode)(i, t, x, f);
    }

    /// Writes g.
    pub(super) fn write_guards(&mut self, t: f64, x: &[f64], g: &mut [f64]) {
        self.values.fill(0.0);
        (self.switching)(t, x, &mut self.values);
        for (g, signs) in g.iter_mut().zip(self.signs.rows()) {
            *g = -signs.iter().zip(&self.values).map(|(sign, c)| sign * c).sum::<f64>();
        }
    }

    /// Writes dg/dx, m x n. Returns `false` if the user set no derivative of c.
    pub(super) fn write_guard_gradients(&mut self, t: f64, x: &[f64], to: &mut [f64]) -> bool {
        let Some(derivative) = &self.switching_derivative else { return false };
        self.gradients.fill(0.0);
        derivative(t, x, self.gradients.view_mut());
        for (row, signs) in to.chunks_exact_mut(self.states).zip(self.signs.rows()) {
            for (k, to) in row.iter_mut().enumerate() {
                let column = self.gradients.column(k);
                *to = -signs.iter().zip(column).map(|(sign, c)| sign * c).sum::<f64>();
            }
        }
        true
    }
}
