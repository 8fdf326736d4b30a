//! Relative degree 2: unilateral contact with restitution 0, as in the Moreau-Jean scheme.

use ndarray::{Array1, Array2, Axis, array, concatenate};
use siconos_kernel::prelude::*;
use siconos_sweeping::higher_order::{HigherOrderState, HigherOrderSweeping};
use siconos_testkit::compare::{assert_close, largest_difference, worse};
use siconos_testkit::random::RandomState;

use super::systems::{assert_step, mechanical};

/// Linear mechanical system with contacts along the rows of `directions`.
struct Mechanism {
    mass: Array2<f64>,
    damping: Array2<f64>,
    stiffness: Array2<f64>,
    force: Vec<f64>,
    directions: Array2<f64>,
    start: [Vec<f64>; 2],
}

impl Mechanism {
    fn sweeping(&self) -> (HigherOrderSweeping, HigherOrderState) {
        let inverse = inverse(&self.mass);
        let system = mechanical([&inverse, &self.damping, &self.stiffness], &self.directions);
        let acceleration = inverse.dot(&Array1::from(self.force.clone()));
        let source = concatenate![Axis(0), Array1::zeros(self.force.len()), acceleration];
        let sweeping =
            HigherOrderSweeping::of(&system).unwrap().with_source(source.as_slice().unwrap()).unwrap();
        let state = sweeping.state(&self.start.concat()).unwrap();
        (sweeping, state)
    }

    /// Positions, velocities and impulses of all steps of the Moreau-Jean scheme.
    fn moreau_jean(&self, t_end: f64, h: f64) -> Vec<(Vec<f64>, Vec<f64>)> {
        let [q0, v0] = self.start.clone();
        let body = LagrangianLinear::new(q0, v0, self.mass.clone())
            .with_damping(self.damping.clone())
            .with_stiffness(self.stiffness.clone())
            .with_constant_external_force(self.force.clone());
        let mut model = NonSmoothDynamicalSystem::new();
        let body = model.add_system(body).unwrap();
        let rows: Vec<_> = (self.directions.rows().into_iter())
            .map(|row| {
                let relation = LagrangianLinearRelation::new(row.to_owned().insert_axis(Axis(0)));
                model.add_interaction([body], relation, NewtonImpact::new(0.0).unwrap()).unwrap()
            })
            .collect();
        let scheme = MoreauJean { theta: 1.0, ..MoreauJean::default() };
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, t_end, h).unwrap())
            .integrator(scheme)
            .build()
            .unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        let mut motion = Vec::new();
        simulation
            .run(&model, &mut state, |_, state| {
                let x = [state.q(body), state.v(body)].concat();
                let impulses = rows.iter().map(|row| state.lambda(*row, Level::Velocity)[0]).collect();
                motion.push((x, impulses));
            })
            .unwrap();
        motion
    }
}

fn inverse(matrix: &Array2<f64>) -> Array2<f64> {
    let n = matrix.nrows();
    let mut lu = siconos_linalg::DenseLu::default();
    lu.factor(matrix.view()).unwrap();
    let mut inverse = Array2::eye(n);
    for mut column in inverse.columns_mut() {
        let mut solution = column.to_vec();
        lu.solve(&mut solution);
        column.iter_mut().zip(solution).for_each(|(x, value)| *x = value);
    }
    inverse
}

fn definite(random: &mut RandomState, d: usize) -> Array2<f64> {
    let root = Array2::from_shape_fn((d, d), |_| random.between(-0.5, 0.5));
    root.dot(&root.t()) + Array2::<f64>::eye(d)
}

#[test]
fn what_starts_in_contact_and_does_not_fall_back_is_the_motion_of_moreau_and_jean() {
    let mut random = RandomState::new(5);
    let (h, steps) = (0.01, 100);
    let mut worst = 0.0;
    let (mut compared, mut impacts, mut lasting, mut leaving) = (0, 0, 0, 0);
    for draw in 0..120 {
        let d = 1 + draw % 4;
        let m = 1 + draw / 4 % d.min(3);
        // Coordinates 0 .. m - 1 are gaps. They are closed, at rest or with the velocity of an impact.
        let directions = Array2::from_shape_fn((m, d), |(j, k)| f64::from(u8::from(j == k)));
        let at_rest = draw % 2 == 0;
        let mut velocity = || if at_rest { 0.0 } else { random.between(-1.0, 0.0) };
        let v0: Vec<f64> = (0..d).map(|k| if k < m { velocity() } else { 0.3 }).collect();
        let q0: Vec<f64> = (0..d).map(|k| if k < m { 0.0 } else { 0.5 }).collect();
        let force = (0..d).map(|_| random.between(-2.0, 1.0)).collect();
        let mechanism = Mechanism {
            mass: definite(&mut random, d),
            damping: definite(&mut random, d) * 0.2,
            stiffness: definite(&mut random, d) * 2.0,
            force,
            directions,
            start: [q0, v0],
        };
        let (mut sweeping, mut state) = mechanism.sweeping();
        let motion = mechanism.moreau_jean(steps as f64 * h, h);
        assert_eq!(motion.len(), steps);
        let mut has_left = vec![false; m];
        for (k, (x, impulses)) in motion.iter().enumerate() {
            let before = state.clone();
            let report = sweeping.step(h, &mut state).unwrap();
            assert_step(&before, &state, report.mu);
            let falls_back = (0..m).any(|j| has_left[j] && state.z()[[1, j]] < 0.0);
            if falls_back {
                // A contact may close here, so that the comparison ends.
                break;
            }
            assert_close("impulses", &report.mu.row(1).to_vec(), impulses, 1e-13, 0.0);
            assert!(report.mu.row(0).iter().all(|mu| *mu == 0.0));
            let is_held: Vec<bool> = report.mu.row(1).iter().map(|mu| *mu > 0.0).collect();
            let found = sweeping.x(&state).unwrap();
            assert_close("x", &found, x, 1e-13, 0.0);
            worst = worse(worst, largest_difference(&found, x));
            compared += 1;
            for j in 0..m {
                impacts += usize::from(k == 0 && is_held[j] && !at_rest);
                lasting += usize::from(k > 0 && is_held[j]);
                leaving += usize::from(!has_left[j] && state.y()[j] > 0.0);
                has_left[j] |= state.y()[j] > 0.0;
            }
        }
    }
    println!(
        "off by {worst:.1e} at most in {compared} steps, {impacts} impacts, {lasting} steps in contact, {leaving} take off"
    );
    assert!(compared > 5000 && impacts > 50 && lasting > 3000 && leaving > 20);
}

#[test]
fn under_a_constant_force_and_one_impact_the_velocities_differ_by_three_steps_at_most() {
    // A mass falls on the floor and stays. The Moreau-Jean scheme detects the contact half a step early.
    let (mut worst, mut least) = (0.0, f64::INFINITY);
    for case in 0..200 {
        let height = 0.1 + 1.9 * f64::from(case % 20) / 20.0;
        let v0 = [-2.0, -0.5, 0.0, 0.5, 1.5][case as usize / 40];
        let h = [0.02, 0.01, 0.0037, 0.001][case as usize % 4];
        let (mass, force) = (2.0, -3.0);
        let jump = (v0 * v0 - 2.0 * height * force / mass).sqrt();
        let mechanism = Mechanism {
            mass: array![[mass]],
            damping: array![[0.0]],
            stiffness: array![[0.0]],
            force: vec![force],
            directions: array![[1.0]],
            start: [vec![height], vec![v0]],
        };
        let (mut sweeping, mut state) = mechanism.sweeping();
        let fall = (v0 + jump) * mass / -force;
        let mut difference = 0.0;
        for (x, _) in mechanism.moreau_jean(((fall + 0.2) / h).round() * h, h) {
            let _ = sweeping.step(h, &mut state).unwrap();
            difference += h * (state.z()[[1, 0]] - x[1]).abs();
        }
        assert_eq!(state.z()[[1, 0]], 0.0, "it has landed");
        assert!(difference <= 3.0 * h * jump, "height {height}, h = {h}: {} h", difference / (h * jump));
        worst = worse(worst, difference / (h * jump));
        least = least.min(difference / (h * jump));
    }
    println!("L1 difference over h times the jump: from {least:.2} to {worst:.2}");
}

#[test]
fn a_ball_that_falls_comes_to_rest_with_its_velocity_for_an_atom() {
    let mechanism = Mechanism {
        mass: array![[1.0]],
        damping: array![[0.0]],
        stiffness: array![[0.0]],
        force: vec![-9.81],
        directions: array![[1.0]],
        start: [vec![1.0], vec![0.0]],
    };
    let fall = (2.0_f64 / 9.81).sqrt();
    for h in [1e-2, 3.3e-3, 1e-3] {
        let (mut sweeping, mut state) = mechanism.sweeping();
        let mut sums = [0.0; 2];
        let count = (1.0 / h) as usize;
        for _ in 0..count {
            let before = state.clone();
            let report = sweeping.step(h, &mut state).unwrap();
            assert_step(&before, &state, report.mu);
            sums.iter_mut().zip(report.mu.column(0)).for_each(|(sum, mu)| *sum += mu);
        }
        assert_eq!(sweeping.x(&state).unwrap(), [0.0, 0.0]);
        // The impact, and the weight from then on: together the impulse of gravity over the whole time.
        let all = 9.81 * h * count as f64;
        assert!((sums[1] - all).abs() < 1e-12 && sums[0] <= 9.81 * fall * h, "{sums:?}");
    }
}
