//! Energy change of impacts: published values, and the statements for random impacts.
//!
//! Bodies of random masses and fixed obstacles have closed contacts and no load. A single step is the impact,
//! which does the work $P^T (U^+ + U^-) / 2$.

use ndarray::Array2;

use siconos_kernel::prelude::*;
use siconos_testkit::random::RandomState;

use crate::common::grid;

/// Impact with contacts (N, T) on one system.
struct Impact {
    mass: Array2<f64>,
    /// Matrix of the contacts, two rows per contact.
    rows: Array2<f64>,
    velocity: Vec<f64>,
    laws: Vec<NewtonImpactFriction>,
}

/// Impulse, velocity before and velocity after the impact of each contact.
struct Outcome {
    contacts: Vec<[[f64; 2]; 3]>,
    /// Change of the kinetic energy \[J\].
    gain: f64,
    /// Magnitude of the kinetic energies \[J\], the larger of the two.
    energy: f64,
}

impl Impact {
    fn step(&self) -> Outcome {
        let n = self.velocity.len();
        let mut model = NonSmoothDynamicalSystem::new();
        let system = LagrangianLinear::new(vec![0.0; n], self.velocity.clone(), self.mass.clone());
        let system = model.add_system(system).unwrap();
        let mut contacts = Vec::new();
        for (k, law) in self.laws.iter().enumerate() {
            let rows = self.rows.slice(ndarray::s![2 * k..2 * k + 2, ..]).to_owned();
            let relation = LagrangianLinearRelation::new(rows);
            contacts.push(model.add_interaction([system], relation, *law).unwrap());
        }
        let mut simulation =
            TimeStepping::builder(&model).discretisation(grid(1.0, 1.0)).tolerance(1e-12).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        let of = |state: &State, level| -> Vec<Vec<f64>> {
            contacts.iter().map(|&contact| state.y(contact, level).to_vec()).collect()
        };
        let energy = |v: &[f64]| {
            let v = ndarray::ArrayView1::from(v);
            0.5 * v.dot(&self.mass.dot(&v))
        };
        let before = (of(&state, Level::Velocity), energy(state.v(system)));
        simulation.step(&model, &mut state).unwrap().expect("a step");
        let after = (of(&state, Level::Velocity), energy(state.v(system)));
        let pair = |x: &[f64]| [x[0], x[1]];
        let contacts = contacts.iter().enumerate().map(|(k, &contact)| {
            [pair(state.lambda(contact, Level::Velocity)), pair(&before.0[k]), pair(&after.0[k])]
        });
        Outcome { contacts: contacts.collect(), gain: after.1 - before.1, energy: before.1.max(after.1) }
    }

    /// Draws a random impact with a number of contacts.
    fn random(
        random: &mut RandomState,
        contacts: usize,
        law: impl Fn(&mut RandomState) -> NewtonImpactFriction,
    ) -> Self {
        let n = 2 * contacts + 1;
        let half = Array2::from_shape_fn((n, n), |_| random.standard_normal());
        let mass = half.dot(&half.t()) / n as f64 + Array2::from_diag_elem(n, 0.3);
        let rows = Array2::from_shape_fn((2 * contacts, n), |_| random.standard_normal());
        let velocity = (0..n).map(|_| random.standard_normal()).collect();
        let laws = (0..contacts).map(|_| law(random)).collect();
        Self { mass, rows, velocity, laws }
    }
}

/// Returns the energy gain of a rod of 1 kg and 2 m at 45 degrees that hits the ground with its end, at (-1,
/// 0.6) m/s.
fn rod(law: NewtonImpactFriction) -> f64 {
    // Along the normal and the tangent at the end, W is ((2.5, -1.5), (-1.5, 2.5)), which is the inverse of
    // this mass matrix.
    let mass = ndarray::array![[2.5, 1.5], [1.5, 2.5]] / 4.0;
    let rows = Array2::eye(2);
    Impact { mass, rows, velocity: vec![-1.0, 0.6], laws: vec![law] }.step().gain
}

#[test]
fn a_rod_gains_energy_under_the_law_of_newton_and_loses_it_under_that_of_fremond() {
    let law = |mu: f64| NewtonImpactFriction::in_plane(0.9, mu).unwrap();
    assert!((rod(law(0.5)) - 0.053125).abs() < 1e-12, "{}", rod(law(0.5)));
    assert!((rod(law(0.3)) - 0.0238489).abs() < 1e-7, "{}", rod(law(0.3)));
    let of_fremond = rod(law(0.5).of_fremond());
    assert!((of_fremond + 0.036875).abs() < 1e-12, "{of_fremond}");
}

/// Draws 500 random impacts of one to four contacts. Returns the number for which `counts` is `true`, and how
/// many of them gain energy. For each impact, checks that the work of the impulses on the mean velocities is
/// the change of energy.
fn gains(
    seed: u32,
    law: impl Fn(&mut RandomState) -> NewtonImpactFriction,
    counts: impl Fn(&Outcome) -> bool,
) -> (usize, usize) {
    let mut random = RandomState::new(seed);
    let (mut looked_at, mut gained) = (0, 0);
    for case in 0..500 {
        let outcome = Impact::random(&mut random, 1 + case % 4, &law).step();
        let work: f64 = outcome
            .contacts
            .iter()
            .flat_map(|[p, before, after]| (0..2).map(move |k| 0.5 * p[k] * (before[k] + after[k])))
            .sum();
        assert!(
            (work - outcome.gain).abs() < 1e-12 * outcome.energy.max(1.0),
            "{case}: {work} {}",
            outcome.gain
        );
        if counts(&outcome) {
            looked_at += 1;
            gained += usize::from(outcome.gain > 1e-10 * outcome.energy);
        }
    }
    (looked_at, gained)
}

#[test]
fn with_one_restitution_along_all_rows_no_impact_gains_energy() {
    for e in [0.0, 0.3, 0.7, 1.0] {
        let law = |random: &mut RandomState| {
            let law = NewtonImpactFriction::in_plane(e, random.between(0.0, 1.0)).unwrap();
            law.with_tangential_restitution(e).unwrap()
        };
        assert_eq!(gains(1, law, |_| true), (500, 0), "e = {e}");
    }
}

#[test]
fn without_friction_and_with_one_restitution_none_does() {
    for e in [0.0, 0.5, 1.0] {
        let law = |_: &mut RandomState| NewtonImpactFriction::in_plane(e, 0.0).unwrap();
        assert_eq!(gains(2, law, |_| true), (500, 0), "e = {e}");
    }
}

#[test]
fn under_the_law_of_fremond_none_does_where_contacts_with_an_impulse_were_closing() {
    let law = |random: &mut RandomState| {
        let (e, mu) = (random.between(0.0, 1.0), random.between(0.0, 1.0));
        NewtonImpactFriction::in_plane(e, mu).unwrap().of_fremond()
    };
    let were_closing =
        |outcome: &Outcome| outcome.contacts.iter().all(|[p, before, _]| p[0] <= 1e-12 || before[0] <= 0.0);
    let (looked_at, gained) = gains(3, law, were_closing);
    assert!(looked_at > 200, "{looked_at}");
    assert_eq!(gained, 0);
}

#[test]
fn all_else_may_gain_energy_and_some_does() {
    let law = |random: &mut RandomState| {
        NewtonImpactFriction::in_plane(random.between(0.5, 1.0), random.between(0.3, 1.0)).unwrap()
    };
    let (looked_at, gained) = gains(4, law, |_| true);
    println!("{gained} of {looked_at} impacts under Newton's law and friction against the last velocity");
    assert!(gained > 0, "then this test asks too little");
}

#[test]
fn friction_takes_energy_from_the_last_velocity_of_each_contact() {
    let law = |random: &mut RandomState| {
        NewtonImpactFriction::in_plane(random.between(0.0, 1.0), random.between(0.0, 1.0)).unwrap()
    };
    gains(5, law, |outcome| {
        for [p, _, after] in &outcome.contacts {
            assert!(p[1] * after[1] <= 1e-10 * outcome.energy.max(1.0), "{p:?} {after:?}");
        }
        true
    });
}

/// Under load and without friction, the impulse of an impact does no positive work on the weighted mean
/// velocity theta u+ + (1 - theta) u-, if theta is at most 1/(1 + e).
#[test]
fn under_load_impacts_take_energy_up_to_a_theta_of_one_over_one_plus_e() -> Result<(), Error> {
    for (e, theta) in [(0.0, 1.0), (0.5, 0.5), (0.5, 2.0 / 3.0), (1.0, 0.5), (0.9, 0.5)] {
        let mut model = NonSmoothDynamicalSystem::new();
        let law = NewtonImpact::new(e)?;
        let mut below = None;
        let mut contacts = Vec::new();
        for k in 0..4 {
            let height = 0.3 + 0.25 * f64::from(k);
            let mass = 1.0 + 0.7 * f64::from(k);
            let ball = LagrangianLinear::new(vec![height], vec![-1.0], ndarray::array![mass])
                .with_constant_external_force(vec![-9.81 * mass]);
            let ball = model.add_system(ball)?;
            contacts.push(match below {
                None => model.add_interaction(
                    [ball],
                    LagrangianLinearRelation::new(ndarray::array![[1.0]]),
                    law,
                )?,
                Some(below) => {
                    let between = LagrangianLinearRelation::new(ndarray::array![[-1.0, 1.0]]);
                    model.add_interaction([below, ball], between.with_offset(vec![-0.2]), law)?
                }
            });
            below = Some(ball);
        }
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(grid(3.0, 2e-3))
            .integrator(MoreauJean::new(theta)?)
            .build()?;
        let mut state = simulation.initial_state(&model)?;
        let mut before: Vec<f64> = contacts.iter().map(|&it| state.y(it, Level::Velocity)[0]).collect();
        let mut impacts = 0;
        simulation.run(&model, &mut state, |_, state| {
            for (&contact, before) in contacts.iter().zip(&mut before) {
                let (p, after) =
                    (state.lambda(contact, Level::Velocity)[0], state.y(contact, Level::Velocity)[0]);
                if p > 0.0 && *before <= 0.0 {
                    let work = p * (theta * after + (1.0 - theta) * *before);
                    assert!(work <= 1e-12, "e = {e}, theta = {theta}: {work}");
                    impacts += 1;
                }
                *before = after;
            }
        })?;
        assert!(impacts > 20, "{impacts}");
    }
    Ok(())
}
