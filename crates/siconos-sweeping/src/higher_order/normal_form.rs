//! Normal form of a linear complementarity system: the derivatives of y, and the zero dynamics.

use ndarray::{Array2, ArrayView2, Axis, concatenate, s};
use siconos_linalg::{DenseLu, nearest_power_of_two, square};

use super::HigherOrderError;
use super::complement::Complement;
use super::natural_units::NaturalUnits;
use siconos_kernel::ModelError;
use siconos_kernel::analysis::{LinearSystem, RelativeDegree, p_property};
use siconos_kernel::engine::check_finite;

/// Coordinates of a system of relative degree r: $z_i = C A^{i-1} x$ for i = 1 .. r, with m components each,
/// and $\xi$ with the remaining n - r m components,
///
/// $$ \dot z_i = z_{i+1}, \qquad \dot z_r = R_z z + R_\xi \xi + H \lambda, \qquad
///    \dot \xi = A_\xi \xi + B_\xi z_1, \qquad H = C A^{r-1} B. $$
///
/// As plain text: z_i' = z_{i+1}; z_r' = R_z z + R_xi xi + H lambda; xi' = A_xi xi + B_xi z_1. The last
/// equation is the zero dynamics: the motion that remains while y = 0.
///
/// **Choice of $\xi = N x$.** $N A^k B = 0$ for k = 0 .. r - 1. Therefore only $z_1$ drives $\xi$, and $\xi$
/// does not jump if lambda is an impulse or a derivative of an impulse up to order r - 1 (Sannuti 1983,
/// "Direct singular perturbation analysis of high-gain and cheap control problems"; Acary, Brogliato and
/// Goeleven 2008 use this form). N is the identity on n - r m coordinates of x, which are chosen by
/// elimination.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::analysis::LinearSystem;
/// use siconos_sweeping::higher_order::NormalForm;
///
/// // A mass of 2 kg, and a filter of its height: x = (height, velocity, filtered height).
/// let a = array![[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [3.0, 0.0, -3.0]];
/// let mass = LinearSystem::new(a, array![[0.0], [0.5], [0.0]], array![[1.0, 0.0, 0.0]], array![[0.0]])?;
/// let form = NormalForm::of(&mass)?;
/// assert_eq!((form.relative_degree(), form.leading()[[0, 0]]), (2, 0.5));
/// assert_eq!(form.zero_dynamics().0, array![[-3.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NormalForm {
    relative_degree: usize,
    leading: Array2<f64>,
    to_normal: Array2<f64>,
    to_original: Array2<f64>,
    last_rate: Array2<f64>,
    zero_a: Array2<f64>,
    zero_b: Array2<f64>,
    units: NaturalUnits,
    /// Units of xi, powers of two.
    zero_units: Vec<f64>,
}

impl NormalForm {
    /// Computes the normal form. D must be 0; a relative degree of 1 or more implies this.
    ///
    /// # Errors
    ///
    /// If the system is not a higher-order sweeping process ([`HigherOrderError::NotUniform`],
    /// [`DegreeZero`](HigherOrderError::DegreeZero), [`NotP`](HigherOrderError::NotP)); if entries of the
    /// powers of A lose all precision or overflow ([`Dependent`](HigherOrderError::Dependent),
    /// [`Model`](HigherOrderError::Model)); or if the relative degree cannot be computed
    /// ([`Analysis`](HigherOrderError::Analysis)).
    pub fn of(system: &LinearSystem) -> Result<Self, HigherOrderError> {
        let degree = RelativeDegree::of(system)?;
        let Some(r) = degree.uniform else {
            return Err(HigherOrderError::NotUniform { degree: Box::new(degree) });
        };
        if r == 0 {
            return Err(HigherOrderError::DegreeZero);
        }
        let leading = degree.leading;
        check_finite("C A^(r-1) B", &leading)?;
        let verdict = p_property(leading.view())?;
        if !verdict.is_proved() {
            return Err(HigherOrderError::NotP { relative_degree: r, verdict });
        }
        let powers = Powers::of(system, r)?;
        let units = NaturalUnits::of(system, leading.view());
        let complement = Complement::of(&powers.columns, &units.states)?;

        let inverse = hankel_inverse(&leading, &units, &powers)?;
        let last_on_columns = powers.next_row.dot(&powers.columns);
        let rate_of_z = last_on_columns.dot(&inverse);
        let rate_of_zero =
            complement.of_columns(&powers.next_row) - rate_of_z.dot(&complement.of_columns(&powers.rows));
        let last_rate = concatenate![Axis(1), rate_of_z, rate_of_zero];

        // x = K w + E xi with K = [B, A B, .., A^(r-1) B] and C A^(i-1) x = z_i, where E selects the kept
        // coordinates.
        let of_z = powers.columns.dot(&inverse);
        let mut of_zero = -of_z.dot(&complement.of_columns(&powers.rows));
        for (column, &i) in complement.kept.iter().enumerate() {
            of_zero[[i, column]] += 1.0;
        }
        let to_original = concatenate![Axis(1), of_z, of_zero];
        let to_normal = concatenate![Axis(0), powers.rows, complement.rows];

        let first_block = inverse.slice(s![(r - 1) * leading.nrows().., ..leading.nrows()]);
        let zero_b = complement.rows.dot(&powers.next_columns).dot(&first_block);
        let zero_a = complement.of_columns(&complement.rows.dot(&system.a()))
            - zero_b.dot(&complement.of_columns(&system.c().to_owned()));
        for matrix in [&to_normal, &to_original, &last_rate, &zero_a, &zero_b] {
            check_finite("the normal form of the system", matrix)?;
        }
        let zero_units = complement.kept.iter().map(|&i| nearest_power_of_two(units.states[i])).collect();
        Ok(Self {
            relative_degree: r,
            leading,
            to_normal,
            to_original,
            last_rate,
            zero_a,
            zero_b,
            units,
            zero_units,
        })
    }

    /// Returns the relative degree r, at least 1.
    #[must_use]
    pub fn relative_degree(&self) -> usize {
        self.relative_degree
    }

    /// Returns m, the number of components of y.
    #[must_use]
    pub fn multipliers(&self) -> usize {
        self.leading.nrows()
    }

    /// Returns n, the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.to_normal.nrows()
    }

    /// Returns $H = C A^{r-1} B$, m x m, a P-matrix.
    #[must_use]
    pub fn leading(&self) -> ArrayView2<'_, f64> {
        self.leading.view()
    }

    /// Returns $(R_z, R_\xi)$, m x n: the coefficients of the state in the rate of $z_r$.
    #[must_use]
    pub fn last_rate(&self) -> ArrayView2<'_, f64> {
        self.last_rate.view()
    }

    /// Returns $A_\xi$, a square matrix with n - r m rows, and $B_\xi$, with n - r m rows and m columns.
    #[must_use]
    pub fn zero_dynamics(&self) -> (ArrayView2<'_, f64>, ArrayView2<'_, f64>) {
        (self.zero_a.view(), self.zero_b.view())
    }

    pub(super) fn units(&self) -> &NaturalUnits {
        &self.units
    }

    pub(super) fn zero_units(&self) -> &[f64] {
        &self.zero_units
    }

    /// Returns T with $(z_1, \ldots, z_r, \xi) = T x$, n x n.
    #[must_use]
    pub fn to_normal(&self) -> ArrayView2<'_, f64> {
        self.to_normal.view()
    }

    /// Returns $T^{-1}$, n x n.
    #[must_use]
    pub fn to_original(&self) -> ArrayView2<'_, f64> {
        self.to_original.view()
    }
}

/// Products of C and B with powers of A.
struct Powers {
    /// C, C A, .., C A^(r-1), stacked vertically.
    rows: Array2<f64>,
    /// C A^r.
    next_row: Array2<f64>,
    /// B, A B, .., A^(r-1) B, stacked horizontally.
    columns: Array2<f64>,
    /// A^r B.
    next_columns: Array2<f64>,
}

impl Powers {
    fn of(system: &LinearSystem, r: usize) -> Result<Self, ModelError> {
        let (n, m) = (system.states(), system.multipliers());
        let a = system.a();
        let mut powers = Self {
            rows: Array2::zeros((r * m, n)),
            next_row: system.c().to_owned(),
            columns: Array2::zeros((n, r * m)),
            next_columns: system.b().to_owned(),
        };
        for i in 0..r {
            let block = i * m..(i + 1) * m;
            powers.rows.slice_mut(s![block.clone(), ..]).assign(&powers.next_row);
            powers.columns.slice_mut(s![.., block]).assign(&powers.next_columns);
            powers.next_row = powers.next_row.dot(&a);
            powers.next_columns = a.dot(&powers.next_columns);
        }
        for matrix in [&powers.next_row, &powers.next_columns] {
            check_finite("a power of A times C or B", matrix)?;
        }
        Ok(powers)
    }
}

/// Computes the inverse of the block matrix $G_{ik} = C A^{i+k-2} B$ by substitution. G is 0 above its
/// antidiagonal, on which all blocks are H, so only H has to be factorised.
fn hankel_inverse(
    leading: &Array2<f64>,
    units: &NaturalUnits,
    powers: &Powers,
) -> Result<Array2<f64>, HigherOrderError> {
    let m = leading.nrows();
    let size = powers.rows.nrows();
    let r = size / m;
    let mut lu = DenseLu::default();
    let entries: Vec<f64> = units.of_leading(leading.view()).collect();
    lu.factor(square(&entries, m))
        .map_err(|source| HigherOrderError::Singular { matrix: "C A^(r-1) B", source })?;
    // Block d is C A^(r-1+d) B.
    let markov = powers.rows.slice(s![(r - 1) * m.., ..]).dot(&powers.columns);
    let mut inverse = Array2::<f64>::zeros((size, size));
    for i in 0..r {
        let solved = (r - 1 - i) * m;
        let mut right = Array2::zeros((m, size));
        right.slice_mut(s![.., i * m..(i + 1) * m]).assign(&Array2::<f64>::eye(m));
        for before in 0..i {
            let d = i - before;
            let known = (r - 1 - before) * m;
            let response = markov.slice(s![.., d * m..(d + 1) * m]);
            right = right - response.dot(&inverse.slice(s![known..known + m, ..]));
        }
        for (column, right) in right.columns().into_iter().enumerate() {
            let mut solution: Vec<f64> = right.iter().zip(&units.outputs).map(|(x, unit)| x / unit).collect();
            lu.solve(&mut solution);
            for (row, (value, unit)) in solution.into_iter().zip(&units.multipliers).enumerate() {
                inverse[[solved + row, column]] = value * unit;
            }
        }
    }
    Ok(inverse)
}
