//! Checks of the assumptions on f, G and B: continuity and boundedness.

use ndarray::Array2;
use siconos_linalg::norm;

use super::super::{Dvi, InputMap, StateMap};
use super::samples::{Samples, difference, is_finite};
use super::{Assumption, Finding};
use siconos_kernel::engine::frobenius;

/// Description of the witness if a function of time and state violates an assumption.
const PLACE: &str = "the time and the state";

pub(super) fn lipschitz(what: &'static str, map: &StateMap, samples: &Samples) -> Assumption {
    let finding = match map.matrix() {
        Some(matrix) => Finding::Proved { number: Some(frobenius(matrix)) },
        None => sampled_quotient(map, samples),
    };
    Assumption { what, number_is: "constant", witness_is: PLACE, finding }
}

fn place(t: f64, x: &[f64]) -> Vec<f64> {
    std::iter::once(t).chain(x.iter().copied()).collect()
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
                return Finding::Refuted { witness: place(t, x) };
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
    Assumption { what, number_is: "largest rate", witness_is: PLACE, finding }
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
                    return Finding::Refuted { witness: place(t, &samples.x[k]) };
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
                (t, x, frobenius(&value))
            });
            let largest = sizes.try_fold(0.0_f64, |largest, (t, x, size)| {
                if size.is_finite() { Ok(largest.max(size)) } else { Err(place(*t, x)) }
            });
            match largest {
                Ok(number) => Finding::Sampled { samples: samples.count(), number },
                Err(witness) => Finding::Refuted { witness },
            }
        }
    };
    Assumption { what: "B is bounded and continuous", number_is: "bound", witness_is: PLACE, finding }
}
