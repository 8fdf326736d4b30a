//! Check that the variational inequality has solutions, and that they grow at most linearly.

use ndarray::Array2;
use siconos_linalg::{norm, singular_values};
use siconos_numerics::Status;
use siconos_numerics::cone::Polyhedron;

use super::super::{Dvi, DviError, DviSet, DviSettings, DviStepper, StateMap};
use super::samples::{Samples, is_finite};
use super::{Assumption, Finding};
use siconos_kernel::analysis::{AnalysisError, check_nonnegative_definite, p_property};
use siconos_kernel::engine::check_positive_definite;
use siconos_kernel::engine::{frobenius, row_column_scaling, scaled};

/// Checks that the solution sets SOL(K, q + F) are nonempty and convex, and bounded by rho (1 + norm(q)), for
/// every q in the range of G.
pub(super) fn growth(dvi: &Dvi, samples: &Samples) -> Result<Assumption, DviError> {
    let finding = match dvi.map().matrix() {
        Some(d) => growth_of_linear(dvi, d, samples)?,
        None => sampled_growth(dvi, samples)?,
    };
    Ok(Assumption {
        what: "the inequality has solutions for every q in the range of G, and the solution sets are convex and grow linearly",
        number_is: "rho",
        witness_is: "the vector (a q without solution, or a u whose multiples all solve q = 0)",
        finding,
    })
}

fn growth_of_linear(dvi: &Dvi, d: &Array2<f64>, samples: &Samples) -> Result<Finding, DviError> {
    if check_positive_definite(d, &d.mapv(f64::abs))?.is_ok() {
        return Ok(Finding::Proved { number: None });
    }
    let is_monotone = check_nonnegative_definite(d.view())?.is_ok();
    let is_box = matches!(dvi.set(), DviSet::Orthant | DviSet::Box { .. });
    let bounds = (0..dvi.inputs()).map(|j| dvi.set().bounds(j));
    let is_bounded = is_box && bounds.clone().all(|(l, u)| l.is_finite() && u.is_finite());
    if is_bounded && is_monotone {
        let largest = bounds.map(|(l, u)| l.abs().max(u.abs()).powi(2)).sum::<f64>().sqrt();
        return Ok(Finding::Proved { number: Some(largest) });
    }
    if is_monotone && dvi.set().polyhedron().is_some_and(Polyhedron::is_bounded) {
        return Ok(Finding::Proved { number: None });
    }
    if is_box && p_property(d.view())?.is_proved() {
        return Ok(Finding::Proved { number: None });
    }
    if matches!(dvi.set(), DviSet::Orthant)
        && let Some(j) = (0..d.nrows()).find(|j| d[[*j, *j]] == 0.0 && d.column(*j).iter().all(|x| *x >= 0.0))
        && takes_all_values(dvi)?
    {
        let mut witness = vec![0.0; d.nrows()];
        witness[j] = 1.0;
        return Ok(Finding::Refuted { witness });
    }
    sampled_growth(dvi, samples)
}

/// Returns `true` if G is affine in x with a matrix C of full row rank.
fn takes_all_values(dvi: &Dvi) -> Result<bool, DviError> {
    let Some(c) = dvi.g().matrix().filter(|c| c.nrows() <= c.ncols()) else { return Ok(false) };
    let (rows, columns) = row_column_scaling(&c.mapv(f64::abs));
    let scaled = scaled(c, &rows, &columns);
    let values = singular_values(scaled.view());
    let values = values.map_err(|source| AnalysisError::Spectrum { of: "C", source })?;
    let noise = 4.0 * c.ncols() as f64 * f64::EPSILON * frobenius(&scaled);
    Ok(values.last().is_some_and(|smallest| *smallest > noise))
}

/// Solves the inequality for sampled values q of G. Each sample is a step of a problem in which x is
/// constant.
fn sampled_growth(dvi: &Dvi, samples: &Samples) -> Result<Finding, DviError> {
    let (n, m) = (dvi.states(), dvi.inputs());
    let still = Dvi::new(
        StateMap::linear(Array2::zeros((n, n))),
        Array2::zeros((n, m)),
        dvi.g().clone(),
        dvi.map().clone(),
        dvi.set().clone(),
    )?;
    let mut stepper = DviStepper::new(&still, 0.0, DviSettings::default())?;
    let (mut largest, mut solved) = (0.0_f64, 0);
    let mut q = vec![0.0; m];
    for (t, x) in samples.t.iter().zip(&samples.x) {
        let mut x = x.clone();
        dvi.g().value_into(*t, &x, &mut q);
        if !is_finite(&q) {
            return Ok(Finding::Refuted { witness: q });
        }
        // A sample that cannot be set up, for example because F is not finite, counts as unsolved.
        let Ok(step) = stepper.step(t - samples.length, samples.length, &mut x) else { continue };
        if step.info.status == Status::NoSolution {
            return Ok(Finding::Refuted { witness: q });
        }
        if step.info.status.is_success() {
            solved += 1;
            largest = largest.max(norm(step.u) / (1.0 + norm(&q)));
        }
    }
    if solved == 0 {
        return Ok(Finding::Unknown { why: "no sample was solved" });
    }
    Ok(Finding::Sampled { samples: solved, number: largest })
}
