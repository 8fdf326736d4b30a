//! Scaling of a program with linear constraints.
//!
//! Interior-point and splitting methods use absolute stopping criteria, and lose digits if unknowns or rows
//! differ widely in size. Therefore unknowns, rows of A and the objective are multiplied by powers of two.
//! The columns of M and A and the rows of A then have entries near 1 (Ruiz 2001, "A scaling algorithm to
//! equilibrate both rows and columns norms in matrices"; Stellato et al. 2020, section 5.1), and the
//! characteristic length and force of each set of coupled unknowns are near 1 as well.

use siconos_linalg::{Csc, Matrix, MatrixRef, nearest_power_of_two};

use super::QpProblem;
use super::residual::ErrorFunction;
use super::scales::Scales;
use crate::convex_set::Interval;
use crate::error::ProblemError;

/// Scaled program and its units. The memory is reused for the next program.
#[derive(Clone, Debug, Default)]
pub(super) struct ScaledProblem {
    m: Matrix,
    q: Vec<f64>,
    a: Csc,
    lower: Vec<f64>,
    upper: Vec<f64>,
    scales: Scales,
    /// Unit of each x: x is the scaled unknown times its unit.
    unknowns: Vec<f64>,
    /// Factor by which each row of A and its bounds are multiplied.
    rows: Vec<f64>,
    /// Unit of each multiplier: y is the scaled multiplier times its unit.
    multipliers: Vec<f64>,
}

/// Number of equilibration rounds; three or four are enough for most matrices.
const ROUNDS: usize = 10;

impl ScaledProblem {
    /// Computes the units, and scales the data.
    pub(super) fn find(
        &mut self,
        problem: &QpProblem<'_>,
        a: MatrixRef<'_>,
        bounds: Interval<'_>,
    ) -> Result<(), ProblemError> {
        let n = problem.size();
        self.m = match problem.m() {
            MatrixRef::Dense(m) => Matrix::from(m.to_owned()),
            m => Matrix::from(Csc::from_matrix(m)),
        };
        self.a = Csc::from_matrix(a);
        copy(problem.q(), &mut self.q);
        copy(bounds.lower(), &mut self.lower);
        copy(bounds.upper(), &mut self.upper);
        for (units, count) in
            [(&mut self.unknowns, n), (&mut self.rows, a.rows()), (&mut self.multipliers, a.rows())]
        {
            units.clear();
            units.resize(count, 1.0);
        }
        let (unknowns, rows) = self.equilibrated();
        self.multiply(&unknowns, &rows, &vec![1.0; n], &vec![1.0; a.rows()]);
        self.unify()
    }

    /// Returns the factors of unknowns and of rows for which the largest entry of each column and row is near
    /// 1.
    fn equilibrated(&self) -> (Vec<f64>, Vec<f64>) {
        let m = MatrixRef::from(&self.m);
        let (n, rows) = (m.columns(), self.a.rows());
        // The objective has its own unit, in which the mean of the diagonal is 1 at the start.
        let (mut sum, mut count) = (0.0, 0.0);
        m.for_each_diagonal(|_, d| {
            if d != 0.0 {
                sum += d.abs();
                count += 1.0;
            }
        });
        let objective = if sum > 0.0 { count / sum } else { 1.0 };
        let (mut unknowns, mut of_rows) = (vec![1.0; n], vec![1.0; rows]);
        let (mut columns, mut largest) = (vec![0.0_f64; n], vec![0.0_f64; rows]);
        let a = MatrixRef::Csc(&self.a);
        a.for_each_entry(|i, _, x| largest[i] = largest[i].max(x.abs()));
        let invert = |factors: &mut [f64], sizes: &[f64], power: f64| {
            let seen = factors.iter_mut().zip(sizes).filter(|(_, size)| **size > 0.0 && size.is_finite());
            seen.for_each(|(factor, size)| *factor /= size.powf(power));
        };
        invert(&mut of_rows, &largest, 1.0);
        for _ in 0..ROUNDS {
            columns.fill(0.0);
            largest.fill(0.0);
            m.for_each_entry(|i, j, x| {
                columns[j] = columns[j].max((objective * x * unknowns[i] * unknowns[j]).abs());
            });
            a.for_each_entry(|i, j, x| {
                let entry = (x * of_rows[i] * unknowns[j]).abs();
                (columns[j], largest[i]) = (columns[j].max(entry), largest[i].max(entry));
            });
            invert(&mut unknowns, &columns, 0.5);
            invert(&mut of_rows, &largest, 0.5);
        }
        let round = |factors: Vec<f64>| factors.into_iter().map(nearest_power_of_two).collect();
        (round(unknowns), round(of_rows))
    }

    /// Scales each set of coupled unknowns by its characteristic length and force.
    fn unify(&mut self) -> Result<(), ProblemError> {
        let mut scales = std::mem::take(&mut self.scales);
        scales.find(&self.program()?);
        let (of_unknowns, of_rows) = scales.labels();
        let length = |set: &usize| nearest_power_of_two(scales.sets()[*set].length());
        let energy = |set: &usize| {
            let set = &scales.sets()[*set];
            nearest_power_of_two(set.force()) * nearest_power_of_two(set.length())
        };
        let lengths: Vec<_> = of_unknowns.iter().map(length).collect();
        let rows: Vec<_> = of_rows.iter().map(|set| 1.0 / length(set)).collect();
        let energies: Vec<_> = of_unknowns.iter().map(|set| 1.0 / energy(set)).collect();
        let of_multipliers: Vec<_> = of_rows.iter().map(energy).collect();
        self.multiply(&lengths, &rows, &energies, &of_multipliers);
        self.scales = scales;
        Ok(())
    }

    /// Divides each unknown by its unit in `unknowns`, multiplies the rows of A by `rows`, and multiplies the
    /// objective of the set of each unknown by `objectives`. `of_multipliers` holds the reciprocal of the
    /// objective factor for each row.
    fn multiply(&mut self, unknowns: &[f64], rows: &[f64], objectives: &[f64], of_multipliers: &[f64]) {
        let of_m = |i: usize, j: usize| objectives[j] * unknowns[i] * unknowns[j];
        match &mut self.m {
            Matrix::Dense(m) => m.indexed_iter_mut().for_each(|((i, j), x)| *x *= of_m(i, j)),
            Matrix::Csc(m) => m.scale_entries(of_m),
            Matrix::Diagonal(_) | Matrix::BlockCsr(_) => {}
        }
        self.a.scale_entries(|i, j| rows[i] * unknowns[j]);
        self.q
            .iter_mut()
            .zip(unknowns)
            .zip(objectives)
            .for_each(|((q, unit), objective)| *q *= unit * objective);
        for bounds in [&mut self.lower, &mut self.upper] {
            bounds.iter_mut().zip(rows).for_each(|(bound, row)| *bound *= row);
        }
        self.unknowns.iter_mut().zip(unknowns).for_each(|(own, unit)| *own *= unit);
        self.rows.iter_mut().zip(rows).for_each(|(own, row)| *own *= row);
        let of_rows = rows.iter().zip(of_multipliers);
        self.multipliers.iter_mut().zip(of_rows).for_each(|(own, (row, of_row))| *own *= row * of_row);
    }

    /// Returns the scaled program.
    pub(super) fn program(&self) -> Result<QpProblem<'_>, ProblemError> {
        QpProblem::linear(&self.m, &self.q, &self.a, &self.lower, &self.upper)
    }

    /// Converts a point of the problem to scaled units.
    pub(super) fn take(&self, x: &mut [f64], y: &mut [f64]) {
        x.iter_mut().zip(&self.unknowns).for_each(|(x, unit)| *x /= unit);
        y.iter_mut().zip(&self.multipliers).for_each(|(y, unit)| *y /= unit);
    }

    /// Converts a scaled point to the units of the problem.
    pub(super) fn take_back(&self, x: &mut [f64], y: &mut [f64]) {
        x.iter_mut().zip(&self.unknowns).for_each(|(x, unit)| *x *= unit);
        y.iter_mut().zip(&self.multipliers).for_each(|(y, unit)| *y *= unit);
    }
}

/// Evaluates the error of scaled points. The points are first converted to the units of the problem.
#[derive(Debug)]
pub(super) struct ErrorEvaluator<'a, 'p> {
    pub(super) problem: &'a QpProblem<'p>,
    pub(super) units: &'a ScaledProblem,
    pub(super) measure: &'a mut ErrorFunction,
    pub(super) memory: &'a mut ErrorWorkspace,
}

/// Workspace for a point in the units of the problem.
#[derive(Clone, Debug, Default)]
pub(super) struct ErrorWorkspace {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl ErrorEvaluator<'_, '_> {
    /// Returns the [`error`](super::error) of a scaled point.
    pub(super) fn error(&mut self, x: &[f64], y: &[f64]) -> f64 {
        let ErrorWorkspace { x: back_x, y: back_y } = &mut *self.memory;
        copy(x, back_x);
        copy(y, back_y);
        self.units.take_back(back_x, back_y);
        self.measure.of(self.problem, back_x, back_y)
    }
}

fn copy(from: &[f64], into: &mut Vec<f64>) {
    into.clear();
    into.extend_from_slice(from);
}
