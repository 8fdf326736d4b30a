//! Relative degree: the order of the lowest derivative of y that contains the multiplier.

use std::fmt;

use ndarray::{Array2, ArrayView2, Axis, Zip};
use siconos_linalg::singular_values;

use super::balance::times_power_of_two;
use super::equilibration::{frobenius, row_column_scaling, scaled};
use super::error::spectrum_of;
use super::{AnalysisError, LinearSystem};

/// Relative degrees of $\dot x = A x + B \lambda$, $y = C x + D \lambda$.
///
/// Lambda appears in the derivatives of y through the Markov parameters $H_0 = D$, $H_r = C A^{r-1} B$
/// (H_0 = D, H_r = C A^(r-1) B). By the theorem of Cayley and Hamilton the parameters up to $r = n$ are
/// sufficient. `None` means that lambda appears in no derivative (infinite relative degree).
///
/// **Three definitions.** `per_row` considers each row only with its own multiplier, as in section 2.1.3 of
/// the developers' notes of Siconos. If there are several multipliers, a different multiplier can act on a
/// lower derivative of a row; `per_row_coupled` therefore considers the whole row of the Markov parameter, as
/// in input-output decoupling (Isidori 1995, section 5.1). The time-stepping schemes require that all rows
/// have the same degree and that the Markov parameter of this degree is regular, see `uniform` (Acary and
/// Brogliato 2008, section 4.3).
///
/// **Tolerance.** An entry of $H_r$ counts as zero if its magnitude is at most $2 r n \varepsilon$ times the
/// corresponding entry of $|C| |A|^{r-1} |B|$, which is a bound of its rounding error (Higham 2002, section
/// 3.5). The comparison does not depend on the units of x, y, lambda and time, because both sides have the
/// same unit. The entries of D are data without rounding error, so only exact zeros count as zero.
#[doc(alias("relativeDegree", "relative degree"))]
#[derive(Clone, Debug, PartialEq)]
pub struct RelativeDegree {
    /// For each row j, the smallest r with $(H_r)_{jj} \ne 0$.
    pub per_row: Vec<Option<usize>>,
    /// For each row j, the smallest r for which row j of $H_r$ is not zero.
    pub per_row_coupled: Vec<Option<usize>>,
    /// Decoupling matrix, also called the leading matrix, m x m, in the units of the data. Row j is row j of
    /// $H_r$ with r = `per_row_coupled[j]`, or zero if this degree is `None`. An entry beyond the range of
    /// f64 is infinite or 0.
    pub leading: Array2<f64>,
    /// Reciprocal condition number of the leading matrix: the ratio of its smallest to its largest singular
    /// value, after a scaling of rows and columns that removes the units. It is 0 if the matrix is singular
    /// up to rounding.
    pub leading_reciprocal_condition: f64,
    /// Smallest r with $H_r \ne 0$ if this $H_r$ is regular; `None` if it is singular or all $H_r$ are zero.
    pub uniform: Option<usize>,
}

impl RelativeDegree {
    /// Computes the relative degrees from the Markov parameters up to at most $C A^{n-1} B$.
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Spectrum`] if the singular values of a Markov parameter cannot be computed.
    pub fn of(system: &LinearSystem) -> Result<Self, AnalysisError> {
        let (n, m) = (system.states(), system.multipliers());
        let mut result = Self {
            per_row: vec![None; m],
            per_row_coupled: vec![None; m],
            leading: Array2::zeros((m, m)),
            leading_reciprocal_condition: 0.0,
            uniform: None,
        };
        // Rows of the leading matrix, each divided by a power of two so that it cannot overflow. The
        // condition number does not depend on these divisors, because it is computed after a scaling of the
        // rows.
        let mut leading = MarkovParameter::zeros(m);
        let mut any_before = false;
        let mut powers = MarkovPowers::of(system);
        for r in 0..=n {
            let markov =
                if r == 0 { MarkovParameter::of_d(system.d()) } else { powers.next_parameter(r * n) };
            for j in 0..m {
                if result.per_row[j].is_none() && markov.value[[j, j]] != 0.0 {
                    result.per_row[j] = Some(r);
                }
                if result.per_row_coupled[j].is_none() && markov.value.row(j).iter().any(|&x| x != 0.0) {
                    result.per_row_coupled[j] = Some(r);
                    leading.copy_row(&markov, j);
                    for i in 0..m {
                        let exponent = if r == 0 { 0 } else { powers.exponent(r, j, i) };
                        result.leading[[j, i]] = times_power_of_two(markov.value[[j, i]], exponent);
                    }
                }
            }
            if !any_before && markov.value.iter().any(|&x| x != 0.0) {
                any_before = true;
                if markov.reciprocal_condition()? > 0.0 {
                    result.uniform = Some(r);
                }
            }
            if result.per_row.iter().all(Option::is_some) {
                break;
            }
        }
        result.leading_reciprocal_condition = leading.reciprocal_condition()?;
        Ok(result)
    }

    /// Returns the vector relative degree: `per_row_coupled` if the leading matrix is regular, otherwise
    /// `None`.
    #[must_use]
    pub fn vector(&self) -> Option<Vec<usize>> {
        if self.leading_reciprocal_condition > 0.0 {
            self.per_row_coupled.iter().copied().collect()
        } else {
            None
        }
    }

    /// Returns the largest entry of `per_row_coupled`, or `None` if any of its entries is `None`.
    #[must_use]
    pub fn largest(&self) -> Option<usize> {
        self.per_row_coupled.iter().copied().try_fold(0, |largest, r| r.map(|r| largest.max(r)))
    }
}

impl fmt::Display for RelativeDegree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reciprocal = self.leading_reciprocal_condition;
        if let Some(r) = self.uniform {
            return write!(
                f,
                "the relative degree is {r}: lambda acts on {} through a regular matrix, reciprocal condition {reciprocal:.1e}",
                match r {
                    0 => "y itself".to_owned(),
                    1 => "the first derivative of y".to_owned(),
                    2 => "the second derivative of y".to_owned(),
                    r => format!("derivative {r} of y"),
                }
            );
        }
        write!(f, "there is no uniform relative degree; row by row, lambda first appears in derivative ")?;
        write_degrees(f, &self.per_row_coupled)?;
        if self.per_row != self.per_row_coupled {
            write!(f, " (each row's own multiplier in derivative ")?;
            write_degrees(f, &self.per_row)?;
            write!(f, ")")?;
        }
        if reciprocal > 0.0 {
            write!(f, "; these rows are independent, reciprocal condition {reciprocal:.1e}")
        } else {
            write!(f, "; these rows are dependent and do not determine lambda")
        }
    }
}

fn write_degrees(f: &mut fmt::Formatter<'_>, degrees: &[Option<usize>]) -> fmt::Result {
    for (j, degree) in degrees.iter().enumerate() {
        let comma = if j == 0 { "" } else { ", " };
        match degree {
            Some(r) => write!(f, "{comma}{r}")?,
            None => write!(f, "{comma}none")?,
        }
    }
    Ok(())
}

/// Markov parameter $H_r$, with rows and columns scaled by powers of two. Entries within the rounding error
/// are set to 0.
struct MarkovParameter {
    value: Array2<f64>,
    /// Matrix $|C| |A|^{r-1} |B|$ with the same scaling, or $|D|$ for r = 0.
    size: Array2<f64>,
    /// Bound of the rounding error of an entry, as a fraction of the corresponding entry of `size`.
    rounding: f64,
}

impl MarkovParameter {
    fn zeros(m: usize) -> Self {
        Self { value: Array2::zeros((m, m)), size: Array2::zeros((m, m)), rounding: 0.0 }
    }

    fn of_d(d: ArrayView2<'_, f64>) -> Self {
        Self { value: d.to_owned(), size: d.mapv(f64::abs), rounding: 0.0 }
    }

    fn copy_row(&mut self, other: &Self, j: usize) {
        self.value.row_mut(j).assign(&other.value.row(j));
        self.size.row_mut(j).assign(&other.size.row(j));
        self.rounding = self.rounding.max(other.rounding);
    }

    /// Returns the ratio of the smallest to the largest singular value after scaling by the sizes, or 0 if
    /// the matrix is singular up to rounding.
    fn reciprocal_condition(&self) -> Result<f64, AnalysisError> {
        let (r, c) = row_column_scaling(&self.size);
        let values =
            singular_values(scaled(&self.value, &r, &c).view()).map_err(spectrum_of("a Markov parameter"))?;
        let (largest, smallest) = (values[0], values[values.len() - 1]);
        let rounding = self.rounding + 4.0 * values.len() as f64 * f64::EPSILON;
        let noise = rounding * frobenius(&scaled(&self.size, &r, &c));
        Ok(if smallest > noise { smallest / largest } else { 0.0 })
    }
}

/// Matrices $C A^{r-1}$ for r = 1, 2, .. . Each row is divided by a recorded power of two, so that products
/// of many factors neither overflow nor underflow.
struct MarkovPowers {
    a: Array2<f64>,
    b: Array2<f64>,
    a_exponent: i32,
    b_exponents: Vec<i32>,
    rows: Array2<f64>,
    row_sizes: Array2<f64>,
    row_exponents: Vec<i32>,
    started: bool,
}

impl MarkovPowers {
    fn of(system: &LinearSystem) -> Self {
        let (mut a, mut b, mut rows) = (system.a().to_owned(), system.b().to_owned(), system.c().to_owned());
        let a_exponent = exponent_of(a.iter());
        a.mapv_inplace(|x| times_power_of_two(x, -a_exponent));
        let b_exponents = b
            .columns_mut()
            .into_iter()
            .map(|mut column| {
                let exponent = exponent_of(column.iter());
                column.mapv_inplace(|x| times_power_of_two(x, -exponent));
                exponent
            })
            .collect();
        let row_sizes = rows.mapv(f64::abs);
        let row_exponents = vec![0; rows.nrows()];
        let started = false;
        rows = rows.as_standard_layout().into_owned();
        Self { a, b, a_exponent, b_exponents, rows, row_sizes, row_exponents, started }
    }

    /// Returns the next Markov parameter; `terms` bounds the number of rounding errors in an entry.
    fn next_parameter(&mut self, terms: usize) -> MarkovParameter {
        if self.started {
            self.rows = self.rows.dot(&self.a);
            self.row_sizes = self.row_sizes.dot(&self.a.mapv(f64::abs));
        }
        self.started = true;
        for (j, exponent) in self.row_exponents.iter_mut().enumerate() {
            let shift = exponent_of(self.row_sizes.row(j).iter());
            *exponent += shift;
            for matrix in [&mut self.rows, &mut self.row_sizes] {
                matrix.index_axis_mut(Axis(0), j).mapv_inplace(|x| times_power_of_two(x, -shift));
            }
        }
        let mut value = self.rows.dot(&self.b);
        let size = self.row_sizes.dot(&self.b.mapv(f64::abs));
        let rounding = 2.0 * terms as f64 * f64::EPSILON;
        Zip::from(&mut value).and(&size).for_each(|value, size| {
            if value.abs() <= rounding * size {
                *value = 0.0;
            }
        });
        MarkovParameter { value, size, rounding }
    }

    /// Returns the exponent of 2 by which entry (j, i) of $H_r$ was divided.
    fn exponent(&self, r: usize, j: usize, i: usize) -> i32 {
        self.row_exponents[j] + self.a_exponent * (r as i32 - 1) + self.b_exponents[i]
    }
}

/// Returns the exponent of 2 of the largest magnitude, or 0 if all values are 0.
fn exponent_of<'a>(values: impl Iterator<Item = &'a f64>) -> i32 {
    let largest = values.fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest > 0.0 { largest.log2().floor() as i32 } else { 0 }
}
