//! Analysis of linear complementarity systems with known properties.

mod convergence;
mod initial_condition;
mod minimality;
mod p_property;
mod passivity;
mod relative_degree;

use ndarray::{Array1, Array2, Axis, array, concatenate};
use proptest::prelude::*;
use siconos_kernel::ModelError;
use siconos_kernel::analysis::{
    AnalysisError, ConvergenceConclusion, ConvergenceData, ConvergenceReport, InitialCondition, LinearSystem,
    Minimality, PProperty, PairProperty, PositiveRealness, RelativeDegree, StorageCheck, SufficientReason,
    check_nonnegative_definite, check_storage, one_step_matrix, p_property, sample_positive_realness,
};

type Outcome = Result<(), AnalysisError>;

fn system(a: Array2<f64>, b: Array2<f64>, c: Array2<f64>, d: Array2<f64>) -> LinearSystem {
    LinearSystem::new(a, b, c, d).expect("the matrices fit together")
}

/// Creates the chain x_1' = x_2, .., x_n' = lambda, y = x_1 with relative degree n.
fn integrator_chain(n: usize) -> LinearSystem {
    let a = Array2::from_shape_fn((n, n), |(i, j)| if j == i + 1 { 1.0 } else { 0.0 });
    let b = Array2::from_shape_fn((n, 1), |(i, _)| if i == n - 1 { 1.0 } else { 0.0 });
    let c = Array2::from_shape_fn((1, n), |(_, j)| if j == 0 { 1.0 } else { 0.0 });
    system(a, b, c, array![[0.0]])
}

const INDUCTANCE: f64 = 1e-2;
const CAPACITANCE: f64 = 1e-6;
const RESISTANCE: f64 = 1e3;
const FILTER: f64 = 300e-9;

fn resonator() -> Array2<f64> {
    array![[0.0, -1.0 / CAPACITANCE], [1.0 / INDUCTANCE, 0.0]]
}

fn resonator_storage() -> Array2<f64> {
    Array2::from_diag(&array![CAPACITANCE, INDUCTANCE])
}

/// Creates a bridge of four diodes with a resistor, connected to a resonator of a capacitor and an inductor.
fn diode_bridge() -> LinearSystem {
    let (g, k) = (1.0 / RESISTANCE, 1.0 / CAPACITANCE);
    system(
        resonator(),
        array![[0.0, 0.0, -k, k], [0.0, 0.0, 0.0, 0.0]],
        array![[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
        array![[g, g, -1.0, 0.0], [g, g, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
    )
}

/// Creates the diode bridge with a filter capacitor in parallel with the resistor.
fn filtered_bridge() -> LinearSystem {
    let (k, f) = (1.0 / CAPACITANCE, 1.0 / FILTER);
    let mut a = Array2::zeros((3, 3));
    a.slice_mut(ndarray::s![..2, ..2]).assign(&resonator());
    a[[2, 2]] = -1.0 / (RESISTANCE * FILTER);
    system(
        a,
        array![[0.0, 0.0, -k, k], [0.0, 0.0, 0.0, 0.0], [f, 0.0, f, 0.0]],
        array![[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
        array![[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 1.0, -1.0], [0.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
    )
}

/// Creates a resonator, a resistor and a diode in series.
fn rlcd() -> LinearSystem {
    system(resonator(), array![[-1.0 / CAPACITANCE], [0.0]], array![[-1.0, 0.0]], array![[RESISTANCE]])
}

/// Returns the system with x, y, lambda and time in other units: new x = scale times old x, and so on.
fn in_units(s: &LinearSystem, x: &[f64], y: &[f64], lambda: &[f64], t: f64) -> LinearSystem {
    let by = |m: ndarray::ArrayView2<'_, f64>, rows: &[f64], columns: &[f64], rate: f64| {
        Array2::from_shape_fn(m.dim(), |(i, j)| m[[i, j]] * rows[i] / columns[j] / rate)
    };
    system(by(s.a(), x, x, t), by(s.b(), x, lambda, t), by(s.c(), y, x, 1.0), by(s.d(), y, lambda, 1.0))
}

fn power_of_ten() -> impl Strategy<Value = f64> {
    (-12..=12).prop_map(|e| 10.0_f64.powi(e))
}

fn entries(rows: usize, columns: usize) -> impl Strategy<Value = Array2<f64>> {
    prop::collection::vec(-1.0..1.0_f64, rows * columns)
        .prop_map(move |v| Array2::from_shape_vec((rows, columns), v).expect("as many as asked for"))
}

/// Generates orthogonal matrices by Gram-Schmidt orthogonalisation of a well-conditioned matrix.
fn orthogonal(n: usize) -> impl Strategy<Value = Array2<f64>> {
    entries(n, n).prop_map(move |m| {
        let mut q = m * 0.3 + Array2::<f64>::eye(n);
        for _ in 0..2 {
            for k in 0..n {
                for j in 0..k {
                    let other = q.column(j).to_owned();
                    let part = q.column(k).dot(&other);
                    q.column_mut(k).scaled_add(-part, &other);
                }
                let length = q.column(k).dot(&q.column(k)).sqrt();
                q.column_mut(k).mapv_inplace(|x| x / length);
            }
        }
        q
    })
}
