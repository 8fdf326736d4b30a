//! Scaling of problems by powers of two.
//!
//! After scaling, the values on which the methods operate do not depend on the units of z, of M z and of the
//! rows of H. If a unit is changed by a power of two, the scaled values are bit-identical.

use ndarray::{ArrayView1, ArrayView2};
use siconos_linalg::{Matrix, MatrixRef, power_of_two_below, square};

use super::AviProblem;
use super::scales::Scales;
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};

/// Scaled problem and its storage. M is divided by its mean response, q by the scale of the error, and each
/// row of H and K by its length, all rounded to powers of two. Multipliers, slacks and forces then have
/// comparable magnitudes, so pivoting and active-set methods can compare them. If all divisors are 1, nothing
/// is copied.
#[derive(Clone, Debug, Default)]
pub(super) struct ScaledProblem {
    scales: Scales,
    /// Entries of a dense M, row by row. `stored` holds an M that is not stored as dense.
    entries: Vec<f64>,
    stored: Matrix,
    q: Vec<f64>,
    h: Vec<f64>,
    k: Vec<f64>,
    z: Vec<f64>,
    lambda: Vec<f64>,
    /// Reciprocals of the divisors of the rows of H and K.
    of_rows: Vec<f64>,
}

impl ScaledProblem {
    /// Solves a problem by calling `run` with the scaled problem. If q = 0 and z = 0 is in the polyhedron,
    /// returns the solution z = 0 without calling `run`. A problem with scales is already scaled.
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

/// Appends a row, multiplied by `factor`, to `memory`.
fn append(memory: &mut Vec<f64>, row: ArrayView1<'_, f64>, factor: f64) {
    match row.to_slice() {
        // The length of a slice is known in advance.
        Some(row) => memory.extend(row.iter().map(|x| x * factor)),
        None => memory.extend(row.iter().map(|x| x * factor)),
    }
}

/// Overwrites `memory` with `entries`.
fn write(memory: &mut Vec<f64>, entries: impl Iterator<Item = f64>) {
    memory.clear();
    memory.extend(entries);
}
