//! Relations that depend on few of many states, compared with relations in which all entries are stored.

use ndarray::{Array2, array};
use siconos_kernel::model::Coefficient;
use siconos_kernel::prelude::*;
use siconos_linalg::{Csc, Matrix};

/// Evaluates the rates of a driven chain of n tanks.
fn rates(n: usize, t: f64, x: &[f64], rate: &mut [f64]) {
    for k in 0..n {
        let before = if k > 0 { x[k - 1] } else { 0.0 };
        let after = if k + 1 < n { x[k + 1] } else { 0.0 };
        rate[k] = before - 2.5 * x[k] + after + (2.0 * t + 0.9 * k as f64).sin();
    }
}

fn matrix(n: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, n), |(i, j)| match i.abs_diff(j) {
        0 => -2.5,
        1 => 1.0,
        _ => 0.0,
    })
}

/// Form of the coefficients of the relations.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Data {
    Sparse,
    Dense,
    /// Functions, for which no entries are known to be zero.
    Functions,
}

type Entries = Vec<(usize, usize, f64)>;

fn relation(data: Data, (m, n): (usize, usize), c: &Entries, b: &Entries) -> FirstOrderLinearRelation {
    let c = Csc::from_triplets(m, n, c.iter().copied()).unwrap();
    let b = Csc::from_triplets(n, m, b.iter().copied()).unwrap();
    let (dense_c, dense_b) = (c.to_dense(), b.to_dense());
    let relation = match data {
        Data::Sparse => FirstOrderLinearRelation::new(c, b),
        Data::Dense => FirstOrderLinearRelation::new(dense_c, dense_b),
        Data::Functions => FirstOrderLinearRelation::of_functions(
            m,
            move |_, out| out.assign(&dense_c),
            move |_, out| out.assign(&dense_b),
        ),
    };
    relation.with_d(Array2::eye(m) * 0.5)
}

struct Tanks {
    model: NonSmoothDynamicalSystem,
    systems: [DynamicalSystemId; 2],
    relations: [InteractionId; 3],
}

/// Creates two chains of 20 and 18 tanks with three relations: one couples the chains, one reads a state and
/// acts on another state, and one is given for both chains but has no entries for the second.
fn tanks(data: Data, is_linear: bool) -> Tanks {
    let mut model = NonSmoothDynamicalSystem::new();
    let systems = [20, 18].map(|n: usize| match is_linear {
        true => {
            let source = move |at: At<'_>, b: &mut [f64]| rates(n, at.t, &vec![0.0; n], b);
            model.add_system(FirstOrderLinear::new(vec![0.1; n], matrix(n)).with_source_function(source))
        }
        false => {
            let field = move |at: At<'_>, x: &[f64], rate: &mut [f64]| rates(n, at.t, x, rate);
            let jacobian = Jacobian::function(move |_, _, _, j| j.assign(&matrix(n)));
            model.add_system(FirstOrderNonlinear::new(vec![0.1; n], field, jacobian))
        }
    });
    let [first, second] = systems.map(|system| system.unwrap());
    let between = relation(
        data,
        (2, 38),
        &vec![(0, 3, 1.0), (0, 25, -1.0), (1, 4, 2.0)],
        &vec![(3, 0, 1.0), (25, 0, -0.5), (19, 1, 1.5), (37, 1, 0.25)],
    );
    let across = relation(data, (1, 18), &vec![(0, 2, -1.0)], &vec![(9, 0, 1.0)]);
    let of_one = relation(data, (1, 38), &vec![(0, 7, 1.0), (0, 8, 1.0)], &vec![(8, 0, 2.0)]);
    let mut add = |systems: &[DynamicalSystemId], relation: FirstOrderLinearRelation| {
        let law = ComplementarityCondition::new(relation.size()).unwrap();
        model.add_interaction(systems.iter().copied(), relation, law).unwrap()
    };
    let relations = [add(&[first, second], between), add(&[second], across), add(&[first, second], of_one)];
    Tanks { model, systems: [first, second], relations }
}

impl Tanks {
    /// Returns states, outputs and multipliers.
    fn numbers(&self, state: &State) -> Vec<f64> {
        let of_system = self.systems.iter().flat_map(|&system| state.x(system));
        let of_relation = self
            .relations
            .iter()
            .flat_map(|&id| state.y(id, Level::Position).iter().chain(state.lambda(id, Level::Position)));
        of_system.chain(of_relation).copied().collect()
    }

    fn steps(&self, integrator: impl Into<Integrator>) -> Vec<Vec<f64>> {
        let mut simulation = TimeStepping::builder(&self.model)
            .discretisation(TimeDiscretisation::uniform(0.0, 3.0, 0.02).unwrap())
            .integrator(integrator)
            .build()
            .unwrap();
        let mut state = simulation.initial_state(&self.model).unwrap();
        let mut all = Vec::new();
        simulation.run(&self.model, &mut state, |_, state| all.push(self.numbers(state))).unwrap();
        all
    }
}

fn are_near(a: &[Vec<f64>], b: &[Vec<f64>], tolerance: f64) -> bool {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= tolerance;
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(near))
}

#[test]
fn what_is_left_out_changes_no_step() {
    for is_linear in [true, false] {
        let [sparse, dense, functions] =
            [Data::Sparse, Data::Dense, Data::Functions].map(|data| tanks(data, is_linear));
        for integrator in [
            Integrator::from(BackwardEuler),
            ThetaGamma { theta: 0.5, gamma: 0.7 }.into(),
            EulerMoreau::default().into(),
        ] {
            let of_sparse = sparse.steps(integrator);
            assert_eq!(of_sparse, dense.steps(integrator), "the same support, to the last bit");
            let of_all = functions.steps(integrator);
            assert!(are_near(&of_sparse, &of_all, 1e-9), "{is_linear}, {integrator:?}");
            // The states are followed by y and lambda of each relation.
            let mode = |numbers: &Vec<f64>| [40, 41, 43, 45].map(|place| numbers[place] > 1e-6);
            let changes = of_sparse.windows(2).filter(|pair| mode(&pair[0]) != mode(&pair[1])).count();
            assert!(changes > 4, "the modes change: {changes}");
        }
    }
}

#[test]
fn what_is_left_out_changes_no_event() {
    let run = |data: Data| {
        let tanks = tanks(data, true);
        let mut simulation = EventDriven::builder(&tanks.model)
            .discretisation(TimeDiscretisation::uniform(0.0, 2.0, 0.5).unwrap())
            .build()
            .unwrap();
        let mut state = simulation.initial_state(&tanks.model).unwrap();
        let (mut all, mut times) = (Vec::new(), Vec::new());
        let observe = |_: &EventReport<'_>, state: &State| {
            times.push(state.t);
            all.push(tanks.numbers(state));
        };
        simulation.run(&tanks.model, &mut state, observe).unwrap();
        (all, vec![times])
    };
    let [sparse, dense, functions] = [Data::Sparse, Data::Dense, Data::Functions].map(run);
    assert!(sparse.0.len() > 8, "some modes change: {}", sparse.0.len());
    assert_eq!(sparse, dense);
    assert!(are_near(&sparse.1, &functions.1, 1e-9) && are_near(&sparse.0, &functions.0, 1e-8));
}

/// The relation returns the coefficients from which it was built.
#[test]
fn the_coefficients_are_those_of_the_user() {
    let c = Csc::from_triplets(1, 20, [(0, 7, 2.0)]).unwrap();
    let b = Csc::from_triplets(20, 1, [(12, 0, 5.0)]).unwrap();
    let relation = FirstOrderLinearRelation::new(c, b).with_d(array![[1.0]]);
    let dense = |matrix: Option<&Matrix>| matrix.unwrap().view().to_dense();
    assert_eq!((dense(relation.c().constant())[[0, 7]], dense(relation.b().constant())[[12, 0]]), (2.0, 5.0));
    assert_eq!(
        (dense(relation.c().constant()).sum(), dense(relation.d().and_then(Coefficient::constant))),
        (2.0, array![[1.0]])
    );
}
