//! Ladders of diodes and a heated rod: large first-order systems with sparse matrices, compared with dense
//! matrices, exhaustive search and closed forms.

use ndarray::{Array1, Array2, array};
use siconos_kernel::analysis::AnalysisError;
use siconos_kernel::prelude::*;
use siconos_linalg::{Csc, DenseLu, Matrix};
use siconos_testkit::compare::worse;

/// Returns a tridiagonal matrix with the given diagonal and one value for all entries next to it.
pub(crate) fn tridiagonal(n: usize, diagonal: impl Fn(usize) -> f64, beside: f64) -> Csc {
    let of_column = |j: usize| {
        let above = (j > 0).then(|| (j - 1, j, beside));
        let below = (j + 1 < n).then_some((j + 1, j, beside));
        [above, Some((j, j, diagonal(j))), below].into_iter().flatten()
    };
    Csc::from_triplets(n, n, (0..n).flat_map(of_column)).unwrap()
}

/// Ladder of n capacitors of 1 F with voltages v. Neighbours are connected by 1 ohm, the first and the last
/// capacitor also to ground. Each capacitor has a current source, and a diode from ground that keeps v >= 0:
/// v' = -G v + s(t) + i, 0 <= v, i >= 0, v i = 0.
struct RcLadder {
    model: NonSmoothDynamicalSystem,
    system: DynamicalSystemId,
    diodes: Vec<InteractionId>,
}

fn source(k: usize, t: f64) -> f64 {
    4.0 * (3.0 * t + 1.1 * k as f64).sin()
}

impl RcLadder {
    fn new(a: impl Into<Matrix>, mass: impl Into<Matrix>) -> Self {
        let (a, mass) = (a.into(), mass.into());
        let n = a.rows();
        let mut model = NonSmoothDynamicalSystem::new();
        let ladder = FirstOrderLinear::new(vec![0.0; n], a).with_mass(mass).with_source_function(|at, b| {
            b.iter_mut().enumerate().for_each(|(k, b)| *b = source(k, at.t));
        });
        let system = model.add_system(ladder).unwrap();
        let unit = |k: usize| Array2::from_shape_fn((1, n), |(_, j)| f64::from(u8::from(j == k)));
        let diode = |k: usize| {
            let relation = FirstOrderLinearRelation::new(unit(k), unit(k).t().to_owned());
            model.add_interaction([system], relation, ComplementarityCondition::new(1).unwrap()).unwrap()
        };
        let diodes = (0..n).map(diode).collect();
        Self { model, system, diodes }
    }

    fn of_storage(n: usize, to_storage: impl Fn(Csc) -> Matrix) -> Self {
        Self::new(to_storage(tridiagonal(n, |_| -2.0, 1.0)), Array1::from_elem(n, 1.0))
    }

    /// Returns voltages and currents after every step.
    fn run(&self, steps: usize, h: f64) -> Vec<(Vec<f64>, Vec<f64>)> {
        let mut simulation = TimeStepping::builder(&self.model)
            .discretisation(TimeDiscretisation::uniform(0.0, steps as f64 * h, h).unwrap())
            .integrator(BackwardEuler)
            .build()
            .unwrap();
        let mut state = simulation.initial_state(&self.model).unwrap();
        let mut out = Vec::new();
        let record = |_: &StepReport<'_>, state: &State| {
            let current = |id: &InteractionId| state.lambda(*id, Level::Position)[0];
            out.push((state.x(self.system).to_vec(), self.diodes.iter().map(current).collect()));
        };
        simulation.run(&self.model, &mut state, record).unwrap();
        out
    }
}

/// Computes a step by trying every set of conducting diodes, with v = 0 at conducting diodes and no current
/// in the others. Exactly one set is feasible, since W is an M-matrix.
fn step_by_modes(v_k: &[f64], t: f64, h: f64) -> (Vec<f64>, Vec<f64>) {
    let n = v_k.len();
    let w = Array2::eye(n) - h * tridiagonal(n, |_| -2.0, 1.0).to_dense();
    let b: Vec<_> = v_k.iter().enumerate().map(|(k, v)| v + h * source(k, t)).collect();
    for mode in 0..1_u32 << n {
        // The unknown of a row is h i if its diode conducts, and v otherwise.
        let conducts = |k: usize| mode >> k & 1 == 1;
        let matrix = Array2::from_shape_fn((n, n), |(i, j)| match conducts(j) {
            true => -f64::from(u8::from(i == j)),
            false => w[[i, j]],
        });
        let (mut lu, mut z) = (DenseLu::default(), b.clone());
        lu.factor(matrix.view()).unwrap();
        lu.solve(&mut z);
        if z.iter().all(|z| *z >= -1e-12) {
            let pick = |wanted: bool, unit: f64| {
                (0..n).map(|k| if conducts(k) == wanted { z[k] / unit } else { 0.0 }).collect()
            };
            return (pick(false, 1.0), pick(true, h));
        }
    }
    panic!("no mode at t = {t}")
}

#[test]
fn a_ladder_of_diodes_is_in_the_mode_that_brute_force_finds() {
    let (n, h) = (7, 0.05);
    let ladder = RcLadder::of_storage(n, Matrix::from);
    let (mut v, mut conducting) = (vec![0.0; n], [0; 2]);
    for (step, (found, currents)) in ladder.run(120, h).into_iter().enumerate() {
        let (expected, of_diodes) = step_by_modes(&v, h * (step + 1) as f64, h);
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-11);
        assert!(
            near(&found, &expected) && near(&currents, &of_diodes),
            "step {step}: {found:?} {expected:?}"
        );
        let count = currents.iter().filter(|i| **i > 1e-9).count();
        conducting = [conducting[0].max(count), conducting[1].max(n - count)];
        v = found;
    }
    assert!(conducting[0] > 2 && conducting[1] == n, "the modes change: {conducting:?}");
}

/// The results agree up to rounding in every storage, and to the last bit for sparse and dense data.
#[test]
fn the_storage_of_the_data_changes_nothing() {
    for (n, steps) in [(7, 60), (60, 40)] {
        let sparse = RcLadder::of_storage(n, Matrix::from).run(steps, 0.05);
        let dense = RcLadder::of_storage(n, |a| a.to_dense().into()).run(steps, 0.05);
        // Tiny entries that are not dropped, so that products and factors are dense.
        let full = |a: Csc| Matrix::from(a.to_dense() + 1e-300);
        let full = RcLadder::of_storage(n, full).run(steps, 0.05);
        for ((a, b), c) in sparse.iter().zip(&dense).zip(&full) {
            assert_eq!(a, b, "{n} nodes");
            let numbers = |(v, i): &(Vec<f64>, Vec<f64>)| v.iter().chain(i).copied().collect::<Vec<_>>();
            let near = numbers(a).iter().zip(numbers(c)).all(|(a, c)| (a - c).abs() < 1e-10);
            assert!(near, "{n} nodes: {a:?} {c:?}");
        }
    }
}

/// The energy from the sources is stored in the capacitors or lost in the resistors; the diodes take none.
/// Backward Euler loses an additional C (v - v_k)^2 / 2 in each step, which is included.
#[test]
fn the_energy_of_a_long_ladder_is_balanced() {
    let (n, h) = (200, 0.02);
    let ladder = RcLadder::of_storage(n, Matrix::from);
    let mut before = vec![0.0; n];
    let mut conducted = 0.0;
    for (step, (v, currents)) in ladder.run(150, h).into_iter().enumerate() {
        let power = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
        let change: Vec<_> = v.iter().zip(&before).map(|(v, v_k)| v - v_k).collect();
        let stored = 0.5 * (power(&v, &v) - power(&before, &before) + power(&change, &change));
        let differences = v.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum::<f64>();
        let resistors = h * (differences + v[0].powi(2) + v[n - 1].powi(2));
        let t = h * (step + 1) as f64;
        let given = h * (0..n).map(|k| source(k, t) * v[k]).sum::<f64>();
        let (off, size) = (stored + resistors - given, stored.abs() + resistors + given.abs());
        assert!(off.abs() <= 1e-12 * size.max(1e-3), "step {step}: {off:e} of {size:e}");
        assert!(power(&v, &currents).abs() < 1e-12, "a diode with a voltage does not conduct");
        conducted += currents.iter().sum::<f64>();
        before = v;
    }
    assert!(conducted > 1.0);
}

/// Creates a rod of n cells from 0 to 1 [m], with a heater and the sensor of a thermostat at its first end.
fn heated_rod(n: usize) -> (NonSmoothDynamicalSystem, DynamicalSystemId) {
    let conduction = (n * n) as f64;
    let diagonal = move |k: usize| if k == 0 { -conduction } else { -2.0 * conduction };
    let mut model = NonSmoothDynamicalSystem::new();
    let rod = FirstOrderLinearTi::new(vec![0.0; n], tridiagonal(n, diagonal, conduction));
    let rod = model.add_system(rod).unwrap();
    let (mut c, mut b) = (Array2::zeros((1, n)), Array2::zeros((n, 1)));
    // The output y is the temperature minus 1. The heater gives lambda = 2 for y < 0 and 0 for y > 0.
    (c[[0, 0]], b[[0, 0]]) = (1.0, n as f64);
    let relation = FirstOrderLinearRelation::new(c, b).with_offset(vec![-1.0]);
    model.add_interaction([rod], relation, Relay::new(vec![0.0], vec![2.0]).unwrap()).unwrap();
    (model, rod)
}

/// The temperature converges to a straight line from 1 at the thermostat to 0 at the far end, in a sliding
/// mode. The heater supplies the heat that flows off.
#[test]
fn a_thermostat_holds_the_end_of_a_rod_at_its_temperature() {
    for n in [10, 2000] {
        let (model, rod) = heated_rod(n);
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 20.0, 0.1).unwrap())
            .integrator(BackwardEuler)
            .build()
            .unwrap();
        let is_too_large =
            matches!(simulation.build_report().unchecked, Some(AnalysisError::TooLarge { .. }));
        assert_eq!(is_too_large, n > 500);
        let mut state = simulation.initial_state(&model).unwrap();
        simulation.run(&model, &mut state, |_, _| ()).unwrap();
        let x = state.x(rod);
        let off = (0..n).map(|k| (x[k] - (1.0 - k as f64 / n as f64)).abs()).fold(0.0, worse);
        assert!(off < 1e-8, "{n} cells: {off:e}");
    }
}

/// Ten thousand independent capacitors, and a rod of ten thousand cells. The memory grows linearly with their
/// number; dense matrices would need gigabytes.
#[test]
fn many_states_take_memory_in_proportion() {
    let n = 10_000;
    let mut model = NonSmoothDynamicalSystem::new();
    let mut capacitors = Vec::new();
    for k in 0..n {
        let falling = -0.5 - f64::from(k) / f64::from(n);
        let capacitor = FirstOrderLinearTi::new(vec![1.0], array![[-1.0]]).with_source(vec![falling]);
        let capacitor = model.add_system(capacitor).unwrap();
        let diode = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
        model.add_interaction([capacitor], diode, ComplementarityCondition::new(1).unwrap()).unwrap();
        capacitors.push((capacitor, falling));
    }
    let (h, steps) = (0.125, 8);
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, h * f64::from(steps), h).unwrap())
        .integrator(BackwardEuler)
        .build()
        .unwrap();
    assert_eq!(simulation.build_report().unchecked, None);
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.run(&model, &mut state, |_, _| ()).unwrap();
    for (capacitor, falling) in capacitors {
        // The voltage satisfies v (1 + h) = v_k + h b until it would be negative.
        let expected = (0..steps).fold(1.0, |v, _| ((v + h * falling) / (1.0 + h)).clamp(0.0, f64::MAX));
        assert!((state.x(capacitor)[0] - expected).abs() < 1e-14);
    }

    let (model, rod) = heated_rod(100_000);
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 0.3, 0.1).unwrap())
        .integrator(BackwardEuler)
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.run(&model, &mut state, |_, _| ()).unwrap();
    let x = state.x(rod);
    assert!(
        x[0] > 0.1 && x.windows(2).all(|pair| pair[1] <= pair[0] && pair[1] >= 0.0),
        "it is warm at one end"
    );
}

/// Simulates a chain of states in which neighbours are coupled by inputs that depend on them. The chain is
/// one system with dense W, or one system per state with a sparse common W.
fn coupled_chain(n: usize, is_split: bool) -> Vec<f64> {
    let mut model = NonSmoothDynamicalSystem::new();
    let initial = |k: usize| (1.3 * k as f64).sin();
    let systems: Vec<_> = if is_split {
        let system = |k| FirstOrderLinearTi::new(vec![initial(k)], array![[-1.0]]);
        (0..n).map(|k| model.add_system(system(k)).unwrap()).collect()
    } else {
        let fall = |_: At<'_>, x: &[f64], f: &mut [f64]| f.iter_mut().zip(x).for_each(|(f, x)| *f = -x);
        let jacobian = Jacobian::Constant(-Array2::<f64>::eye(n));
        let initial: Vec<_> = (0..n).map(initial).collect();
        vec![model.add_system(FirstOrderNonlinear::new(initial, fall, jacobian)).unwrap()]
    };
    for k in 0..n - 1 {
        let (at, of) = if is_split { (0, vec![systems[k], systems[k + 1]]) } else { (k, vec![systems[0]]) };
        let relation = FirstOrderNonlinearRelation::new(
            1,
            move |point, y| y[0] = point.x[at] - point.x[at + 1] + point.lambda[0] + 0.1,
            move |point, r| {
                (r[at], r[at + 1]) = (point.lambda[0] * (1.0 + 0.3 * point.x[at + 1]), -point.lambda[0]);
            },
        )
        .with_c(RelationJacobian::FiniteDifference)
        .with_d(RelationJacobian::FiniteDifference)
        .with_k(RelationJacobian::FiniteDifference)
        .with_b(RelationJacobian::FiniteDifference);
        model.add_interaction(of, relation, ComplementarityCondition::new(1).unwrap()).unwrap();
    }
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 0.5, 0.05).unwrap())
        .newton(NewtonSettings { tolerance: 1e-12, ..NewtonSettings::default() })
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut out = Vec::new();
    simulation
        .run(&model, &mut state, |_, state| systems.iter().for_each(|id| out.extend(state.x(*id))))
        .unwrap();
    let w = simulation.iteration_matrix(&model, systems[0]).unwrap().unwrap();
    assert!((w[[0, 0]] - 1.0).abs() < 0.2, "{w}");
    out
}

#[test]
fn systems_that_inputs_couple_have_one_sparse_matrix() {
    for n in [6, 40] {
        let (one, many) = (coupled_chain(n, false), coupled_chain(n, true));
        let off = one.iter().zip(&many).map(|(a, b)| (a - b).abs()).fold(0.0, worse);
        assert!(off < 1e-10, "{n} states: {off:e}");
    }
}

/// Simulates a chain of inductors and capacitors with a diode at its end, each state in its own unit. A is
/// not symmetric.
fn coils_and_capacitors(n: usize, unit: impl Fn(usize) -> f64) -> Vec<f64> {
    let (mut entries, last) = (Vec::new(), n - 1);
    for k in 0..n {
        // Even states are voltages, odd states are currents. A current also has a resistor.
        let rate = 1.0 + 0.1 * k as f64;
        entries.push((k, k, -0.05 * rate));
        entries.extend((k > 0).then(|| (k, k - 1, rate)));
        entries.extend((k < last).then(|| (k, k + 1, -rate)));
    }
    let in_units = entries.into_iter().map(|(i, j, x)| (i, j, x * unit(i) / unit(j)));
    let a = Csc::from_triplets(n, n, in_units).unwrap();
    let first = unit(0);
    let mut model = NonSmoothDynamicalSystem::new();
    let system = FirstOrderLinear::new(vec![0.0; n], a)
        .with_source_function(move |at, b| b[0] = first * (4.0 * at.t).sin());
    let system = model.add_system(system).unwrap();
    let (mut c, mut b) = (Array2::zeros((1, n)), Array2::zeros((n, 1)));
    (c[[0, last]], b[[last, 0]]) = (1.0 / unit(last), unit(last));
    let law = ComplementarityCondition::new(1).unwrap();
    model.add_interaction([system], FirstOrderLinearRelation::new(c, b), law).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 10.0, 0.05).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut out = Vec::new();
    simulation
        .run(&model, &mut state, |_, state| {
            out.extend(state.x(system).iter().enumerate().map(|(k, x)| x / unit(k)));
        })
        .unwrap();
    out
}

#[test]
fn units_of_the_states_of_a_sparse_system_change_no_bit() {
    let expected = coils_and_capacitors(40, |_| 1.0);
    let powers = [0, -30, 17, 4, 60, -9, 1];
    let found = coils_and_capacitors(40, |k| f64::from(powers[k % powers.len()]).exp2());
    assert!(expected.iter().any(|x| x.abs() > 0.1));
    assert!(expected.iter().zip(&found).all(|(a, b)| a == b));
}
