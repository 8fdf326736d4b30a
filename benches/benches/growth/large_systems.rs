//! Steps of one system with many degrees of freedom.

use criterion::Criterion;
use ndarray::{Array1, Array2, array};
use siconos_kernel::prelude::*;
use siconos_linalg::Csc;

use crate::{DRIVEN, H, bench_steps};

/// Benches steps of an elastic bar with many elements that bounces on the floor under its weight.
pub(crate) fn bar(criterion: &mut Criterion) {
    for elements in [1000, 2000, 10_000, 100_000] {
        bench_steps(criterion, &format!("growth/bar/{elements}"), H, || bar_of(elements));
    }
}

fn bar_of(elements: usize) -> NonSmoothDynamicalSystem {
    let n = elements + 1;
    let (mass, stiffness) = (1.0 / n as f64, 1e3 * elements as f64);
    let of_element = |k: usize| {
        [(k, k, stiffness), (k + 1, k + 1, stiffness), (k, k + 1, -stiffness), (k + 1, k, -stiffness)]
    };
    let stiffness = Csc::from_triplets(n, n, (0..elements).flat_map(of_element)).expect("entries");
    let mut model = NonSmoothDynamicalSystem::new();
    let bar = LagrangianLinear::new(vec![0.0; n], vec![0.0; n], Array1::from_elem(n, mass))
        .with_stiffness(stiffness)
        .with_constant_external_force(vec![-9.81 * mass; n]);
    let bar = model.add_system(bar).expect("a bar");
    let mut tip = Array2::zeros((1, n));
    tip[[0, 0]] = 1.0;
    let law = NewtonImpact::new(0.0).expect("a coefficient");
    model.add_interaction([bar], LagrangianLinearRelation::new(tip), law).expect("a contact");
    model
}

/// Benches steps of a general Lagrangian system with a constant diagonal mass matrix and a state-dependent
/// force.
pub(crate) fn lagrangian(criterion: &mut Criterion) {
    bench_steps(criterion, "growth/lagrangian/1000", H, || {
        let n = 1000;
        let mut model = NonSmoothDynamicalSystem::new();
        let system = Lagrangian::new(vec![1.0; n], vec![0.0; n], Array1::from_elem(n, 2.0))
            .with_internal_force(
                |_at, q, v, f| {
                    f.iter_mut().zip(q.iter().zip(v)).for_each(|(f, (q, v))| *f = q + q * q * q + 0.1 * v);
                },
                Jacobian::Zero,
                Jacobian::Zero,
            );
        model.add_system(system).expect("a system");
        model
    });
}

/// Returns a tridiagonal matrix with equal rows.
fn tridiagonal(n: usize, diagonal: f64, beside: f64) -> Csc {
    let of_column = |j: usize| {
        let above = (j > 0).then(|| (j - 1, j, beside));
        let below = (j + 1 < n).then_some((j + 1, j, beside));
        [above, Some((j, j, diagonal)), below].into_iter().flatten()
    };
    Csc::from_triplets(n, n, (0..n).flat_map(of_column)).expect("entries of the matrix")
}

/// Benches steps of ladders of capacitors with diodes, driven so that the diodes open and close. One ladder
/// is a single system with a diode from ground to each node. The other has one system per capacitor, with
/// diodes between neighbours.
pub(crate) fn ladder(criterion: &mut Criterion) {
    for n in [100, 1000, 10_000] {
        bench_steps(criterion, &format!("growth/ladder/one_system/{n}"), DRIVEN, || ladder_in_one_system(n));
    }
    for n in [100, 1000, 10_000] {
        bench_steps(criterion, &format!("growth/ladder/many_systems/{n}"), DRIVEN, || ladder_of_systems(n));
    }
}

fn ladder_in_one_system(n: usize) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let ladder =
        FirstOrderLinear::new(vec![0.0; n], tridiagonal(n, -2.0, 1.0)).with_source_function(|at, b| {
            for (k, b) in b.iter_mut().enumerate() {
                *b = (0.7 * at.t + 0.05 * k as f64).sin();
            }
        });
    let ladder = model.add_system(ladder).expect("a ladder");
    for k in 0..n {
        let node = |rows, columns| {
            Csc::from_triplets(rows, columns, [(k % rows, k % columns, 1.0)]).expect("a node of the ladder")
        };
        let relation = FirstOrderLinearRelation::new(node(1, n), node(n, 1));
        let law = ComplementarityCondition::new(1).expect("a row");
        model.add_interaction([ladder], relation, law).expect("a diode");
    }
    model
}

fn ladder_of_systems(n: u32) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let mut before = None;
    for k in 0..n {
        let capacitor = FirstOrderLinear::new(vec![0.0], array![[-1.0]])
            .with_source_function(move |at, b| b[0] = (0.7 * at.t + 0.3 * f64::from(k)).sin());
        let capacitor = model.add_system(capacitor).expect("a capacitor");
        if let Some(before) = before.replace(capacitor) {
            let relation = FirstOrderLinearRelation::new(array![[-1.0, 1.0]], array![[-1.0], [1.0]]);
            let law = ComplementarityCondition::new(1).expect("a row");
            model.add_interaction([before, capacitor], relation, law).expect("a diode");
        }
    }
    model
}

/// Benches steps of a rod that a thermostat heats at one end.
pub(crate) fn rod(criterion: &mut Criterion) {
    for n in [1000, 10_000, 100_000] {
        bench_steps(criterion, &format!("growth/rod/{n}"), DRIVEN, || {
            let conduction = (n * n) as f64;
            let mut model = NonSmoothDynamicalSystem::new();
            let rod = FirstOrderLinearTi::new(vec![0.0; n], tridiagonal(n, -2.0 * conduction, conduction));
            let rod = model.add_system(rod).expect("a rod");
            let (mut sensor, mut heater) = (Array2::zeros((1, n)), Array2::zeros((n, 1)));
            (sensor[[0, 0]], heater[[0, 0]]) = (1.0, conduction);
            let relation = FirstOrderLinearRelation::new(sensor, heater).with_offset(vec![-1.0]);
            let law = Relay::new(vec![0.0], vec![2.0]).expect("bounds");
            model.add_interaction([rod], relation, law).expect("a thermostat");
            model
        });
    }
}
