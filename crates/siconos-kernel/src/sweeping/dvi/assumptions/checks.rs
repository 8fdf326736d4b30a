//! The checks of the report.

use ndarray::{Array2, ArrayView2};
use siconos_numerics::Status;
use siconos_numerics::linalg::{dot, norm, singular_values};

use super::super::state_map::add_product;
use super::super::{Dvi, DviError, DviSet, DviSettings, DviStepper, InputMap, StateMap, ViMap};
use super::samples::Samples;
use super::{Assumption, DviData, Finding};
use crate::analysis::equilibration::{frobenius, row_column_scaling, scaled};
use crate::analysis::{AnalysisError, check_nonnegative_definite, check_positive_definite, p_property};

const STATE: &str = "the state";

fn is_finite(values: &[f64]) -> bool {
    values.iter().all(|x| x.is_finite())
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

pub(super) fn lipschitz(what: &'static str, map: &StateMap, samples: &Samples) -> Assumption {
    let finding = match map.matrix() {
        Some(matrix) => Finding::Proved { number: Some(frobenius(matrix)) },
        None => sampled_quotient(map, samples),
    };
    Assumption { what, number_is: "constant", witness_is: STATE, finding }
}

fn sampled_quotient(map: &StateMap, samples: &Samples) -> Finding {
    let mut largest = 0.0_f64;
    let (mut first, mut second) = (vec![0.0; map.rows()], vec![0.0; map.rows()]);
    for (k, l) in samples.pairs() {
        let t = samples.t[k];
        map.value_into(t, &samples.x[k], &mut first);
        map.value_into(t, &samples.x[l], &mut second);
        for (values, x) in [(&first, &samples.x[k]), (&second, &samples.x[l])] {
            if !is_finite(values) {
                return Finding::Refuted { witness: x.clone() };
            }
        }
        let distance = norm(&difference(&samples.x[k], &samples.x[l]));
        largest = largest.max(norm(&difference(&first, &second)) / distance);
    }
    Finding::Sampled { samples: samples.count(), number: largest }
}

pub(super) fn lipschitz_in_time(dvi: &Dvi, samples: &Samples) -> Assumption {
    let maps = [dvi.f(), dvi.g()];
    let finding = if maps.iter().all(|map| !map.depends_on_time()) {
        Finding::Proved { number: None }
    } else {
        sampled_rate(&maps, samples)
    };
    let what = "f and G are Lipschitz continuous in t";
    Assumption { what, number_is: "largest rate", witness_is: "the time", finding }
}

fn sampled_rate(maps: &[&StateMap], samples: &Samples) -> Finding {
    let mut largest = 0.0_f64;
    for map in maps {
        let (mut first, mut second) = (vec![0.0; map.rows()], vec![0.0; map.rows()]);
        for (k, l) in samples.pairs() {
            map.value_into(samples.t[k], &samples.x[k], &mut first);
            map.value_into(samples.t[l], &samples.x[k], &mut second);
            for (values, t) in [(&first, samples.t[k]), (&second, samples.t[l])] {
                if !is_finite(values) {
                    return Finding::Refuted { witness: vec![t] };
                }
            }
            let distance = (samples.t[k] - samples.t[l]).abs();
            largest = largest.max(norm(&difference(&first, &second)) / distance);
        }
    }
    Finding::Sampled { samples: samples.count(), number: largest }
}

pub(super) fn bounded_input(b: &InputMap, samples: &Samples) -> Assumption {
    let finding = match b.matrix() {
        Some(matrix) => Finding::Proved { number: Some(frobenius(matrix)) },
        None => {
            let mut value = Array2::zeros(b.dim());
            let mut sizes = samples.t.iter().zip(&samples.x).map(|(t, x)| {
                b.value_into(*t, x, &mut value);
                (x, frobenius(&value))
            });
            let largest = sizes.try_fold(0.0_f64, |largest, (x, size)| {
                if size.is_finite() { Ok(largest.max(size)) } else { Err(x.clone()) }
            });
            match largest {
                Ok(number) => Finding::Sampled { samples: samples.count(), number },
                Err(witness) => Finding::Refuted { witness },
            }
        }
    };
    Assumption { what: "B is bounded and continuous", number_is: "bound", witness_is: STATE, finding }
}

/// A projection onto a convex set is firmly nonexpansive: $\lVert P x - P y \rVert^2 \le (P x - P y)^T (x -
/// y)$; and it leaves points of the set where they are.
pub(super) fn convex_set(set: &DviSet, samples: &Samples) -> Assumption {
    let finding = match set {
        DviSet::Projection(projection) => {
            let nearest = |u: &[f64]| {
                let mut image = u.to_vec();
                projection.apply(&mut image);
                image
            };
            let tolerance = 1e-12;
            let failing = samples.pairs().find(|(k, l)| {
                let (x, y) = (&samples.u[*k], &samples.u[*l]);
                let (px, py) = (nearest(x), nearest(y));
                let moved = difference(&px, &py);
                let firm = dot(&moved, &moved) - dot(&moved, &difference(x, y));
                let again = norm(&difference(&nearest(&px), &px));
                let is_firm = firm <= tolerance * dot(&moved, &moved).max(norm(x) * norm(y));
                let is_idempotent = again <= tolerance * norm(&px).max(norm(x));
                !(is_firm && is_idempotent)
            });
            match failing {
                Some((k, l)) => {
                    Finding::Refuted { witness: samples.u[k].iter().chain(&samples.u[l]).copied().collect() }
                }
                None => Finding::Sampled { samples: samples.count(), number: 1.0 },
            }
        }
        _ => Finding::Proved { number: None },
    };
    let witness_is = "the two points, whose projections are no nearest points,";
    Assumption {
        what: "K is closed and convex",
        number_is: "constant of the projection",
        witness_is,
        finding,
    }
}

pub(super) fn continuous_map(map: &ViMap, samples: &Samples) -> Assumption {
    let finding = match map.matrix() {
        Some(_) => Finding::Proved { number: None },
        None => {
            let quotients = sampled_products(map, samples);
            match quotients {
                Ok(list) => {
                    let number = list.iter().map(|it| it.stretch).fold(0.0, f64::max);
                    Finding::Sampled { samples: samples.count(), number }
                }
                Err(witness) => Finding::Refuted { witness },
            }
        }
    };
    Assumption { what: "F is continuous", number_is: "constant", witness_is: "u", finding }
}

/// What a map does to a pair of samples.
struct Product {
    /// Pairs of samples.
    places: (usize, usize),
    /// $(F(u) - F(v))^T (u - v) / \lVert u - v \rVert^2$.
    quotient: f64,
    /// $\lVert F(u) - F(v) \rVert / \lVert u - v \rVert$.
    stretch: f64,
}

/// The products of pairs, or a u where the map is not finite.
fn sampled_products(map: &ViMap, samples: &Samples) -> Result<Vec<Product>, Vec<f64>> {
    let m = map.size();
    let value = |u: &[f64]| {
        let (mut w, mut scratch) = (vec![0.0; m], vec![0.0; m]);
        map.add_value(u, &mut scratch, &mut w);
        if is_finite(&w) { Ok(w) } else { Err(u.to_vec()) }
    };
    samples
        .pairs()
        .map(|(k, l)| {
            let moved = difference(&value(&samples.u[k])?, &value(&samples.u[l])?);
            let by = difference(&samples.u[k], &samples.u[l]);
            let quotient = dot(&moved, &by) / dot(&by, &by);
            Ok(Product { places: (k, l), quotient, stretch: norm(&moved) / norm(&by) })
        })
        .collect()
}

pub(super) fn monotone_map(map: &ViMap, samples: &Samples) -> Result<Assumption, DviError> {
    let finding = match map.matrix() {
        Some(d) => match check_nonnegative_definite(d.view())? {
            Ok(margin) => Finding::Proved { number: Some(margin.max(0.0)) },
            Err(witness) => Finding::Refuted { witness },
        },
        None => match sampled_products(map, samples) {
            Ok(list) => match list.iter().min_by(|a, b| a.quotient.total_cmp(&b.quotient)) {
                Some(worst) if worst.quotient < 0.0 => {
                    let (k, l) = worst.places;
                    Finding::Refuted { witness: difference(&samples.u[k], &samples.u[l]) }
                }
                worst => Finding::Sampled {
                    samples: samples.count(),
                    number: worst.map_or(0.0, |worst| worst.quotient),
                },
            },
            Err(witness) => Finding::Refuted { witness },
        },
    };
    Ok(Assumption { what: "F is monotone", number_is: "margin", witness_is: "the direction", finding })
}

pub(super) fn nonnegative_d(map: &ViMap) -> Result<Assumption, DviError> {
    let finding = match map.matrix() {
        Some(d) => match check_nonnegative_definite(d.view())? {
            Ok(margin) => Finding::Proved { number: Some(margin.max(0.0)) },
            Err(witness) => Finding::Refuted { witness },
        },
        None => Finding::Unknown { why: "F is not linear" },
    };
    let what = "F(u) = D u with D nonnegative definite";
    Ok(Assumption { what, number_is: "margin", witness_is: "the direction", finding })
}

/// C B is positive definite where G and B are known as matrices; else pairs of samples.
pub(super) fn strongly_monotone(dvi: &Dvi, samples: &Samples) -> Result<Assumption, DviError> {
    let finding = match (dvi.g().matrix(), dvi.b().matrix()) {
        (Some(c), Some(b)) => {
            let size = c.mapv(f64::abs).dot(&b.mapv(f64::abs));
            match check_positive_definite(&c.dot(b), &size)? {
                Ok(margin) => Finding::Proved { number: Some(margin) },
                Err(witness) => Finding::Refuted { witness },
            }
        }
        _ => sampled_composition(dvi, samples),
    };
    let what = "u to G(t, r + B u) is strongly monotone";
    Ok(Assumption { what, number_is: "margin", witness_is: "the direction", finding })
}

fn sampled_composition(dvi: &Dvi, samples: &Samples) -> Finding {
    let mut b = Array2::zeros(dvi.b().dim());
    let mut smallest = f64::INFINITY;
    for (k, l) in samples.pairs() {
        let t = samples.t[k];
        dvi.b().value_into(t, &samples.x[k], &mut b);
        let value = |u: &[f64]| {
            let (mut x, mut y) = (samples.x[l].clone(), vec![0.0; u.len()]);
            add_product(&b, u, &mut x);
            dvi.g().value_into(t, &x, &mut y);
            y
        };
        let by = difference(&samples.u[k], &samples.u[l]);
        let moved = difference(&value(&samples.u[k]), &value(&samples.u[l]));
        let quotient = dot(&moved, &by) / dot(&by, &by);
        if quotient <= 0.0 || quotient.is_nan() {
            return Finding::Refuted { witness: by };
        }
        smallest = smallest.min(quotient);
    }
    Finding::Sampled { samples: samples.count(), number: smallest }
}

/// Nonempty, convex, bounded by rho (1 + norm(q)).
pub(super) fn growth(dvi: &Dvi, samples: &Samples) -> Result<Assumption, DviError> {
    let finding = match dvi.map().matrix() {
        Some(d) => growth_of_linear(dvi, d, samples)?,
        None => sampled_growth(dvi, samples)?,
    };
    Ok(Assumption {
        what: "the inequality has solutions for every q in the range of G, convex and of linear growth",
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

/// Whether G is affine with a C of full row rank.
fn takes_all_values(dvi: &Dvi) -> Result<bool, DviError> {
    let Some(c) = dvi.g().matrix().filter(|c| c.nrows() <= c.ncols()) else { return Ok(false) };
    let (rows, columns) = row_column_scaling(&c.mapv(f64::abs));
    let scaled = scaled(c, &rows, &columns);
    let values = singular_values(scaled.view());
    let values = values.map_err(|source| AnalysisError::Spectrum { of: "C", source })?;
    let noise = 4.0 * c.ncols() as f64 * f64::EPSILON * frobenius(&scaled);
    Ok(values.last().is_some_and(|smallest| *smallest > noise))
}

/// The inequality at samples of G, as a step in which x stays where it is.
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
        let step = stepper.step(t - 1.0, 1.0, &mut x)?;
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

pub(super) fn small_changes(data: &DviData<'_>) -> Assumption {
    let finding = match (data.e, data.run) {
        (Some(e), Some(run)) if run.steps() >= 2 => {
            let changes = (2..=run.steps()).map(|k| {
                let change = difference(run.u(k), run.u(k - 1));
                norm(&image(e, &change)) / (run.t()[k] - run.t()[k - 1])
            });
            Finding::Sampled { samples: run.steps() - 1, number: changes.fold(0.0, f64::max) }
        }
        _ => Finding::Unknown { why: "E or a run of at least two steps was not given" },
    };
    let what = "F(u) = Psi(E u) with norm(E (u_(k+1) - u_k)) <= c h along the run";
    Assumption { what, number_is: "c", witness_is: "", finding }
}

fn image(e: ArrayView2<'_, f64>, u: &[f64]) -> Vec<f64> {
    e.rows().into_iter().map(|row| row.iter().zip(u).map(|(e, u)| e * u).sum()).collect()
}
