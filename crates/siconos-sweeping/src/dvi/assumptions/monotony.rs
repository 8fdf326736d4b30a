//! Assumptions on K, F and the map from u to G(t, r + B u): convexity and monotonicity.

use ndarray::{Array2, ArrayView2};
use siconos_linalg::{dot, norm};

use super::super::super::sizes::worse;
use super::super::state_map::add_product;
use super::super::{Dvi, DviError, DviSet, ViMap};
use super::samples::{Samples, difference, is_finite};
use super::{Assumption, DviData, Finding};
use siconos_kernel::analysis::check_nonnegative_definite;
use siconos_kernel::engine::check_positive_definite;

/// Checks two properties of the projection P onto a convex set: it is firmly nonexpansive,
/// $\lVert P x - P y \rVert^2 \le (P x - P y)^T (x - y)$, and it does not move points of the set.
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
    let witness_is = "the two points, whose projections are not nearest points,";
    Assumption {
        what: "K is closed and convex",
        number_is: "constant of the projection",
        witness_is,
        finding,
    }
}

/// Difference quotients of a map F at a pair of points u and v.
struct Pair {
    /// $(F(u) - F(v))^T (u - v) / \lVert u - v \rVert^2$.
    quotient: f64,
    /// Bound of the rounding error of `quotient`.
    noise: f64,
    /// $\lVert F(u) - F(v) \rVert / \lVert u - v \rVert$.
    stretch: f64,
}

/// Assumed rounding error of a function value, in units in the last place.
const ROUNDINGS: f64 = 16.0;

impl Pair {
    fn new([u, v]: [&[f64]; 2], [of_u, of_v]: [&[f64]; 2]) -> Self {
        let (by, moved) = (difference(u, v), difference(of_u, of_v));
        let square = dot(&by, &by);
        let lost = (norm(of_u) + norm(of_v)) * norm(&by) + norm(&moved) * (norm(u) + norm(v));
        Self {
            quotient: dot(&moved, &by) / square,
            noise: ROUNDINGS * f64::EPSILON * lost / square,
            stretch: norm(&moved) / norm(&by),
        }
    }

    /// Returns `true` if the quotient is negative, and its magnitude exceeds its rounding error.
    fn is_negative(&self) -> bool {
        self.quotient < -self.noise
    }

    /// Returns the quotient, or 0 if its magnitude does not exceed its rounding error.
    fn margin(&self) -> f64 {
        if self.quotient.abs() <= self.noise { 0.0 } else { self.quotient }
    }
}

/// Returns the difference quotients at pairs of sampled points. Each comes with the values that describe the
/// pair: the time, if the map depends on it, and both points. If the map is not finite at a point, the error
/// contains the time and the point.
fn sampled_pairs(map: &ViMap, samples: &Samples) -> Result<Vec<(Pair, Vec<f64>)>, Vec<f64>> {
    let m = map.size();
    let place = |t: f64, points: &[&[f64]]| {
        let time = map.depends_on_time().then_some(t).into_iter();
        time.chain(points.iter().flat_map(|point| point.iter().copied())).collect::<Vec<f64>>()
    };
    let value = |t: f64, u: &[f64]| {
        let (mut w, mut scratch) = (vec![0.0; m], vec![0.0; m]);
        map.add_value(t, u, &mut scratch, &mut w);
        if is_finite(&w) { Ok(w) } else { Err(place(t, &[u])) }
    };
    samples
        .pairs()
        .map(|(k, l)| {
            let (t, u, v) = (samples.t[k], &samples.u[k], &samples.u[l]);
            let pair = Pair::new([u, v], [&value(t, u)?, &value(t, v)?]);
            Ok((pair, place(t, &[u, v])))
        })
        .collect()
}

/// Returns the description of the witness if F violates an assumption.
fn place_of(map: &ViMap, time_independent: &'static str, of_time: &'static str) -> &'static str {
    if map.depends_on_time() { of_time } else { time_independent }
}

pub(super) fn continuous_map(map: &ViMap, samples: &Samples) -> Assumption {
    let finding = match map.matrix() {
        Some(_) => Finding::Proved { number: None },
        None => match sampled_pairs(map, samples) {
            Ok(pairs) => {
                let number = pairs.iter().map(|(pair, _)| pair.stretch).fold(0.0, f64::max);
                Finding::Sampled { samples: samples.count(), number }
            }
            Err(witness) => Finding::Refuted { witness },
        },
    };
    let witness_is = place_of(map, "u", "the time and u");
    Assumption { what: "F is continuous", number_is: "constant", witness_is, finding }
}

pub(super) fn monotone_map(map: &ViMap, samples: &Samples) -> Result<Assumption, DviError> {
    let (finding, witness_is) = match map.matrix() {
        Some(d) => (definite(d)?, DIRECTION),
        None => {
            let finding = match sampled_pairs(map, samples) {
                Ok(mut pairs) => match pairs.iter().position(|(pair, _)| pair.is_negative()) {
                    Some(first) => Finding::Refuted { witness: pairs.swap_remove(first).1 },
                    None => {
                        let number =
                            pairs.iter().map(|(pair, _)| pair.margin()).fold(f64::INFINITY, f64::min);
                        Finding::Sampled { samples: samples.count(), number }
                    }
                },
                Err(witness) => Finding::Refuted { witness },
            };
            (finding, place_of(map, "the two u", "the time and the two u"))
        }
    };
    Ok(Assumption { what: "F is monotone", number_is: "margin", witness_is, finding })
}

const DIRECTION: &str = "the direction";

/// Checks that a matrix is nonnegative definite.
fn definite(d: &Array2<f64>) -> Result<Finding, DviError> {
    Ok(match check_nonnegative_definite(d.view())? {
        Ok(margin) => Finding::Proved { number: Some(margin.max(0.0)) },
        Err(witness) => Finding::Refuted { witness },
    })
}

pub(super) fn nonnegative_d(map: &ViMap) -> Result<Assumption, DviError> {
    let finding = match map.matrix() {
        Some(d) => definite(d)?,
        None if map.depends_on_time() => Finding::Unknown { why: "F depends on time" },
        None => Finding::Unknown { why: "F is not linear" },
    };
    let what = "F(u) = D u with D nonnegative definite";
    Ok(Assumption { what, number_is: "margin", witness_is: DIRECTION, finding })
}

/// Checks that C B is positive definite if G and B are given as matrices; otherwise samples pairs of points.
pub(super) fn strongly_monotone(dvi: &Dvi, samples: &Samples) -> Result<Assumption, DviError> {
    let (finding, witness_is) = match (dvi.g().matrix(), dvi.b().matrix()) {
        (Some(c), Some(b)) => {
            let size = c.mapv(f64::abs).dot(&b.mapv(f64::abs));
            let finding = match check_positive_definite(&c.dot(b), &size)? {
                Ok(margin) => Finding::Proved { number: Some(margin) },
                Err(witness) => Finding::Refuted { witness },
            };
            (finding, DIRECTION)
        }
        _ => (sampled_composition(dvi, samples), "the time, the x of B, r, and the two u"),
    };
    let what = "the map from u to G(t, r + B u) is strongly monotone";
    Ok(Assumption { what, number_is: "margin", witness_is, finding })
}

fn sampled_composition(dvi: &Dvi, samples: &Samples) -> Finding {
    let mut b = Array2::zeros(dvi.b().dim());
    let mut smallest = f64::INFINITY;
    for (k, l) in samples.pairs() {
        let (t, x, r) = (samples.t[k], &samples.x[k], &samples.x[l]);
        dvi.b().value_into(t, x, &mut b);
        let value = |u: &[f64]| {
            let (mut moved, mut y) = (r.clone(), vec![0.0; u.len()]);
            add_product(&b, u, &mut moved);
            dvi.g().value_into(t, &moved, &mut y);
            y
        };
        let (u, v) = (&samples.u[k], &samples.u[l]);
        let (of_u, of_v) = (value(u), value(v));
        let pair = Pair::new([u, v], [&of_u, &of_v]);
        // The map decreases, is not finite, or has equal values at different u.
        if pair.is_negative() || pair.quotient.is_nan() || of_u == of_v {
            let points = x.iter().chain(r).chain(u).chain(v);
            return Finding::Refuted { witness: std::iter::once(&t).chain(points).copied().collect() };
        }
        smallest = smallest.min(pair.margin());
    }
    Finding::Sampled { samples: samples.count(), number: smallest }
}

pub(super) fn small_changes(data: &DviData<'_>) -> Assumption {
    let finding = match (data.e, data.run) {
        (Some(e), Some(run)) if run.steps() >= 2 => {
            let changes = (2..=run.steps()).map(|k| {
                let change = difference(run.u(k), run.u(k - 1));
                norm(&image(e, &change)) / (run.t()[k] - run.t()[k - 1])
            });
            match changes.fold(0.0, worse) {
                number if number.is_finite() => Finding::Sampled { samples: run.steps() - 1, number },
                _ => {
                    Finding::Unknown { why: "the run has numbers that are not finite, or steps of no length" }
                }
            }
        }
        _ => Finding::Unknown { why: "E or a run of at least two steps was not given" },
    };
    let what = "F(u) = Psi(E u) with norm(E (u_(k+1) - u_k)) <= c h along the run";
    Assumption { what, number_is: "c", witness_is: "", finding }
}

fn image(e: ArrayView2<'_, f64>, u: &[f64]) -> Vec<f64> {
    e.rows().into_iter().map(|row| row.iter().zip(u).map(|(e, u)| e * u).sum()).collect()
}
