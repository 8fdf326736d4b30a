//! Problems in units of their own: whatever the units of z, of M z and of the rows of H, methods see the same
//! numbers, to the last bit where the units differ by powers of two.

use ndarray::{ArrayView1, ArrayView2};
use siconos_linalg::{Matrix, MatrixRef, power_of_two_below, square};

use super::AviProblem;
use super::scales::Scales;
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};

/// A problem in its own units, and the memory for it: M divided by the power of two of its mean own response,
/// q by that of the scale of the error, and each row of H and K by that of its length. So a multiplier, a
/// slack and a force are numbers near each other, which pivots and active sets may compare. Where they are
/// already, nothing is copied.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnUnits {
    scales: Scales,
    /// M row by row, or where it is not dense, in its storage.
    entries: Vec<f64>,
    stored: Matrix,
    q: Vec<f64>,
    h: Vec<f64>,
    k: Vec<f64>,
    z: Vec<f64>,
    lambda: Vec<f64>,
    /// The inverses of what the rows of H and K are divided by.
    of_rows: Vec<f64>,
}

impl OwnUnits {
    /// Solves a problem by `run`, which is handed it in its own units; one that z = 0 solves because q = 0 is
    /// told without it. A problem with scales is in its own units already.
    pub(super) fn solve(
        &mut self,
        problem: &AviProblem<'_>,
        z: &mut [f64],
        lambda: &mut [f64],
        run: impl FnOnce(&AviProblem<'_>, &mut [f64], &mut [f64]) -> Result<SolveInfo, SolverError>,
    ) -> Result<SolveInfo, SolverError> {
        if problem.scales().is_some() {
            return run(problem, z, lambda);
        }
        self.scales.prepare(problem);
        let force = self.scales.of_force();
        if force == 0.0 {
            z.fill(0.0);
            lambda.fill(0.0);
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 });
        }
        let (response, force) = (power_of_two_below(self.scales.mean_response()), power_of_two_below(force));
        self.of_rows.clear();
        self.of_rows.extend(self.scales.lengths().map(|length| 1.0 / power_of_two_below(length)));
        if response == 1.0 && force == 1.0 && self.of_rows.iter().all(|row| *row == 1.0) {
            return run(&problem.with_scales(&self.scales), z, lambda);
        }
        self.scales.divide(response, force, &self.of_rows);
        let Self { scales, entries, stored, q, h, k, of_rows, .. } = self;
        let (of_m, of_w, of_z) = (1.0 / response, 1.0 / force, response / force);
        let m = if let MatrixRef::Dense(m) = problem.m() {
            entries.clear();
            m.rows().into_iter().for_each(|row| append(entries, row, of_m));
            MatrixRef::Dense(square(entries, m.nrows()))
        } else {
            problem.m().copy_to(stored);
            stored.scale_entries(|_, _| of_m);
            stored.view()
        };
        write(q, problem.q().iter().map(|q| q * of_w));
        h.clear();
        for (row, of_row) in problem.h().rows().into_iter().zip(&*of_rows) {
            append(h, row, *of_row);
        }
        write(k, problem.k().iter().zip(&*of_rows).map(|(k, of_row)| k * of_row * of_z));
        write(&mut self.z, z.iter().map(|z| z * of_z));
        write(&mut self.lambda, lambda.iter().zip(&*of_rows).map(|(lambda, of_row)| lambda / of_row * of_w));
        let Ok(h) = ArrayView2::from_shape(problem.h().dim(), h) else {
            unreachable!("as many entries as H has")
        };
        let own = AviProblem::new(m, q, h, k)?;
        let solved = run(&own.with_scales(scales), &mut self.z, &mut self.lambda);
        z.iter_mut().zip(&self.z).for_each(|(z, own)| *z = own / of_z);
        for ((lambda, own), of_row) in lambda.iter_mut().zip(&self.lambda).zip(&self.of_rows) {
            *lambda = own * force * of_row;
        }
        solved
    }
}

/// Appends a row times a factor.
fn append(memory: &mut Vec<f64>, row: ArrayView1<'_, f64>, factor: f64) {
    match row.to_slice() {
        // Of a slice the length is known beforehand.
        Some(row) => memory.extend(row.iter().map(|x| x * factor)),
        None => memory.extend(row.iter().map(|x| x * factor)),
    }
}

/// Overwrites what is there.
fn write(memory: &mut Vec<f64>, entries: impl Iterator<Item = f64>) {
    memory.clear();
    memory.extend(entries);
}
