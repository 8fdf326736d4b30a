//! Samples of the time, the state and u. The samples are the same in every run.

use super::super::Dvi;
use super::DviData;

/// Points of a low-discrepancy sequence in a box of times, states and u.
pub(super) struct Samples {
    /// Length of the time interval \[s\].
    pub(super) length: f64,
    pub(super) t: Vec<f64>,
    pub(super) x: Vec<Vec<f64>>,
    pub(super) u: Vec<Vec<f64>>,
}

impl Samples {
    /// Computes the additive low-discrepancy sequence of the generalised golden ratio g, the root of
    /// $g^{d + 1} = g + 1$ (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences").
    pub(super) fn new(dvi: &Dvi, data: &DviData<'_>) -> Self {
        let (n, m) = (dvi.states(), dvi.inputs());
        let d = 1 + n + m;
        let mut g = 1.5_f64;
        for _ in 0..60 {
            g = (1.0 + g).powf(1.0 / (d as f64 + 1.0));
        }
        let steps: Vec<f64> = (1..=d).map(|i| g.powf(-(i as f64))).collect();
        let part = |k: usize, i: usize| (0.5 + (k as f64 + 1.0) * steps[i]).fract();
        let (t0, t_end) = data.time;
        let all = 0..data.samples;
        Self {
            length: t_end - t0,
            t: all.clone().map(|k| t0 + (t_end - t0) * part(k, 0)).collect(),
            x: all
                .clone()
                .map(|k| {
                    (0..n).map(|i| data.center[i] + data.radius[i] * (2.0 * part(k, 1 + i) - 1.0)).collect()
                })
                .collect(),
            u: all
                .map(|k| (0..m).map(|j| data.input_radius * (2.0 * part(k, 1 + n + j) - 1.0)).collect())
                .collect(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.t.len()
    }

    /// Returns the index pairs of successive points of the sequence.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        (1..self.count()).map(|k| (k - 1, k))
    }
}

pub(super) fn is_finite(values: &[f64]) -> bool {
    values.iter().all(|x| x.is_finite())
}

pub(super) fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
