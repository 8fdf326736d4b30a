//! Matrix of the one-step problem of first-order systems, checked in every coefficient.

use ndarray::{Array1, Array2, s};
use siconos_kernel::prelude::*;
use siconos_linalg::DenseLu;
use siconos_testkit::random::RandomState;

/// Returns schemes with their theta, gamma and unit of the unknown (1 for lambda, h for its measure).
fn schemes(h: f64) -> Vec<(Integrator, f64, f64, f64)> {
    vec![
        (EulerMoreau { theta: 1.0 }.into(), 1.0, 1.0, 1.0),
        (EulerMoreau { theta: 0.5 }.into(), 0.5, 1.0, 1.0),
        (BackwardEuler.into(), 1.0, 1.0, 1.0),
        (ThetaGamma { theta: 0.5, gamma: 0.5 }.into(), 0.5, 0.5, 1.0),
        (ThetaGamma { theta: 1.0, gamma: 0.25 }.into(), 1.0, 0.25, 1.0),
        (MeasureEuler { theta: 1.0 }.into(), 1.0, 1.0, h),
        (MeasureEuler { theta: 0.5 }.into(), 0.5, 1.0, h),
        (FullyImplicit { theta: 0.5, theta_r: 1.0 }.into(), 0.5, 1.0, 1.0),
    ]
}

fn random(rows: usize, columns: usize, numbers: &mut RandomState) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |_| numbers.between(-1.0, 1.0))
}

fn solve(a: &Array2<f64>, b: &Array2<f64>) -> Array2<f64> {
    let mut lu = DenseLu::default();
    lu.factor(a.view()).unwrap();
    let mut x = b.clone();
    for mut column in x.columns_mut() {
        let mut of_column = column.to_vec();
        lu.solve(&mut of_column);
        column.assign(&Array1::from(of_column));
    }
    x
}

/// Systems with M and A, and relations between some of them, with D, and with C and B for each system.
struct Example {
    mass: Vec<Array2<f64>>,
    a: Vec<Array2<f64>>,
    over: Vec<Vec<usize>>,
    c: Vec<Vec<Array2<f64>>>,
    b: Vec<Vec<Array2<f64>>>,
    d: Vec<Array2<f64>>,
}

impl Example {
    /// Creates random coefficients for systems and relations of the given sizes.
    fn new(states: &[usize], relations: &[(usize, Vec<usize>)], seed: u32) -> Self {
        let numbers = &mut RandomState::new(seed);
        let mass = states.iter().map(|&n| Array2::eye(n) + 0.2 * random(n, n, numbers)).collect();
        let a = states.iter().map(|&n| 3.0 * random(n, n, numbers)).collect();
        let (mut c, mut b, mut d) = (Vec::new(), Vec::new(), Vec::new());
        for (m, over) in relations {
            c.push(over.iter().map(|&i| random(*m, states[i], numbers)).collect());
            b.push(over.iter().map(|&i| random(states[i], *m, numbers)).collect());
            d.push(random(*m, *m, numbers));
        }
        Self { mass, a, over: relations.iter().map(|(_, over)| over.clone()).collect(), c, b, d }
    }

    /// Returns the matrix (2.22) of the developer's notes, generalised to theta, gamma and the measure as
    /// unknown.
    fn matrix(&self, h: f64, (theta, gamma, unknown): (f64, f64, f64)) -> Array2<f64> {
        let first: Vec<usize> = std::iter::once(0)
            .chain(self.d.iter().scan(0, |sum, d| {
                *sum += d.nrows();
                Some(*sum)
            }))
            .collect();
        let mut matrix = Array2::zeros((first[self.d.len()], first[self.d.len()]));
        for (alpha, over) in self.over.iter().enumerate() {
            for (beta, over_other) in self.over.iter().enumerate() {
                let rows = first[alpha]..first[alpha + 1];
                let columns = first[beta]..first[beta + 1];
                let mut block = matrix.slice_mut(s![rows, columns]);
                for (i, system) in over.iter().enumerate() {
                    for (j, _) in over_other.iter().enumerate().filter(|(_, other)| *other == system) {
                        let w = &self.mass[*system] - h * theta * &self.a[*system];
                        block += &(h * gamma / unknown * self.c[alpha][i].dot(&solve(&w, &self.b[beta][j])));
                    }
                }
                if alpha == beta {
                    block += &(&self.d[alpha] / unknown);
                }
            }
        }
        matrix
    }

    /// Returns y of all relations after one step and the matrix that the simulation assembled. Relays with
    /// equal bounds prescribe lambda.
    fn step(&self, h: f64, integrator: Integrator, lambda: &[f64]) -> (Array1<f64>, Array2<f64>) {
        let mut model = NonSmoothDynamicalSystem::new();
        let systems: Vec<_> = (self.mass.iter().zip(&self.a))
            .map(|(mass, a)| {
                let x0 = vec![1.0; a.nrows()];
                model.add_system(FirstOrderLinearTi::new(x0, a.clone()).with_mass(mass.clone())).unwrap()
            })
            .collect();
        let mut interactions = Vec::new();
        let mut rest = lambda;
        for (alpha, over) in self.over.iter().enumerate() {
            let views = |parts: &[Array2<f64>], axis| {
                let parts: Vec<_> = parts.iter().map(|part| part.view()).collect();
                ndarray::concatenate(ndarray::Axis(axis), &parts).unwrap()
            };
            let relation = FirstOrderLinearRelation::new(views(&self.c[alpha], 1), views(&self.b[alpha], 0))
                .with_d(self.d[alpha].clone());
            let (own, others) = rest.split_at(relation.size());
            rest = others;
            let law = Relay::new(own.to_vec(), own.to_vec()).unwrap();
            let over: Vec<_> = over.iter().map(|&i| systems[i]).collect();
            interactions.push(model.add_interaction(over, relation, law).unwrap());
        }
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, h, h).unwrap())
            .integrator(integrator)
            .build()
            .unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        simulation.step(&model, &mut state).unwrap().unwrap();
        let y = interactions.iter().flat_map(|&id| state.y(id, Level::Position).to_vec()).collect();
        (y, simulation.one_step_matrix().unwrap())
    }
}

/// Returns the matrix from differences of y, one column for a unit change of each unknown.
fn columns_of_steps(example: &Example, h: f64, integrator: Integrator, unknown: f64) -> Array2<f64> {
    let m: usize = example.d.iter().map(Array2::nrows).sum();
    let (without, _) = example.step(h, integrator, &vec![0.0; m]);
    let mut columns = Array2::zeros((m, m));
    for j in 0..m {
        let mut lambda = vec![0.0; m];
        lambda[j] = 1.0;
        let (y, _) = example.step(h, integrator, &lambda);
        columns.column_mut(j).assign(&((y - &without) / unknown));
    }
    columns
}

fn assert_matrices(name: &str, found: &Array2<f64>, expected: &Array2<f64>, tolerance: f64) {
    let scale = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (place, x) in found.indexed_iter() {
        let off = (x - expected[place]).abs();
        assert!(off <= tolerance * scale, "{name}: entry {place:?} is {x}, not {}", expected[place]);
    }
}

/// Three systems. Interaction mu (m = 3) couples the first and the third, theta (m = 1) the second and the
/// third.
#[test]
fn the_example_of_the_notes_to_the_last_coefficient() {
    let h = 0.05;
    for (states, seed) in [([2, 3, 2], 1), ([1, 1, 1], 2), ([4, 2, 5], 3)] {
        let example = Example::new(&states, &[(3, vec![0, 2]), (1, vec![1, 2])], seed);
        for (integrator, theta, gamma, unknown) in schemes(h) {
            let expected = example.matrix(h, (theta, gamma, unknown));
            let (_, matrix) = example.step(h, integrator, &[0.0; 4]);
            assert_matrices(integrator.name(), &matrix, &expected, 1e-14);
            // The matrix also follows from the effect of the step on y, independently of the assembly.
            let columns = columns_of_steps(&example, h, integrator, unknown);
            assert_matrices(integrator.name(), &columns, &expected, 1e-12);
        }
    }
}

/// Blocks of interactions without a common system are zero, and the others are not: the linked-interaction
/// map.
#[test]
fn only_linked_interactions_are_coupled() {
    let over = [vec![0, 3], vec![1], vec![3, 2], vec![1, 0]];
    let sizes = [3, 1, 2, 2];
    let relations: Vec<_> = sizes.into_iter().zip(over.clone()).collect();
    let example = Example::new(&[2, 1, 3, 2], &relations, 7);
    for (integrator, theta, gamma, unknown) in schemes(0.1) {
        let (_, matrix) = example.step(0.1, integrator, &[0.0; 8]);
        assert_matrices(integrator.name(), &matrix, &example.matrix(0.1, (theta, gamma, unknown)), 1e-14);
        let first: [usize; 5] = [0, 3, 4, 6, 8];
        for alpha in 0..4 {
            for beta in 0..4 {
                let linked = alpha == beta || over[alpha].iter().any(|i| over[beta].contains(i));
                let block = matrix.slice(s![first[alpha]..first[alpha + 1], first[beta]..first[beta + 1]]);
                assert_eq!(block.iter().any(|x| *x != 0.0), linked, "{alpha} {beta}");
                assert_eq!(block.iter().all(|x| *x != 0.0), linked, "{alpha} {beta}");
            }
        }
    }
}

/// The matrix of a zero-order hold is the integral of the exponential, computed here by its series.
#[test]
fn the_matrix_of_a_hold_is_that_of_the_exponential() {
    let h = 0.1;
    let mut example = Example::new(&[2, 3, 2], &[(3, vec![0, 2]), (1, vec![1, 2])], 5);
    let (_, found) = example.step(h, ZeroOrderHold::default().into(), &[0.0; 4]);
    // h gamma (M - h theta A)^-1 is replaced by the integral of exp(M^-1 A s) over the step, times M^-1.
    for (mass, a) in example.mass.iter_mut().zip(&mut example.a) {
        let n = a.nrows();
        let rate = solve(mass, a);
        let (mut term, mut integral) = (Array2::<f64>::eye(n), Array2::<f64>::zeros((n, n)));
        for k in 1..30 {
            integral += &(&term * (h / f64::from(k)));
            term = term.dot(&rate) * (h / f64::from(k));
        }
        let inverse = solve(mass, &Array2::eye(n));
        *mass = solve(&(integral.dot(&inverse) / h), &Array2::eye(n));
        a.fill(0.0);
    }
    assert_matrices("ZeroOrderHold", &found, &example.matrix(h, (1.0, 1.0, 1.0)), 1e-12);
}
