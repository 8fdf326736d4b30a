//! Invariants of random models that hold at every step.

use ndarray::array;
use proptest::prelude::*;
use siconos_kernel::prelude::*;

/// Bodies on a line between two walls, without forces: masses, initial gaps, velocities, and one coefficient
/// of restitution for all contacts.
#[derive(Clone, Debug)]
struct Line {
    masses: Vec<f64>,
    gaps: Vec<f64>,
    velocities: Vec<f64>,
    restitution: f64,
}

fn line() -> impl Strategy<Value = Line> {
    (1..7_usize)
        .prop_flat_map(|n| {
            let masses = prop::collection::vec(0.1..10.0, n);
            let gaps = prop::collection::vec(0.0..0.05, n + 1);
            let velocities = prop::collection::vec(-2.0..2.0, n);
            (masses, gaps, velocities, 0.0..=1.0)
        })
        .prop_map(|(masses, gaps, velocities, restitution)| Line { masses, gaps, velocities, restitution })
}

impl Line {
    fn model(&self) -> (NonSmoothDynamicalSystem, Vec<DynamicalSystemId>, Vec<InteractionId>) {
        let mut model = NonSmoothDynamicalSystem::new();
        let mut x = 0.0;
        let bodies: Vec<_> = (0..self.masses.len())
            .map(|i| {
                x += self.gaps[i];
                let body = LagrangianLinear::new(vec![x], vec![self.velocities[i]], array![self.masses[i]]);
                model.add_system(body).unwrap()
            })
            .collect();
        let end = x + self.gaps[self.masses.len()];
        let law = NewtonImpact::new(self.restitution).unwrap();
        let mut contacts = vec![
            model.add_interaction([bodies[0]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap(),
        ];
        for pair in bodies.windows(2) {
            let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]);
            contacts.push(model.add_interaction([pair[0], pair[1]], gap, law).unwrap());
        }
        let wall = LagrangianLinearRelation::new(array![[-1.0]]).with_offset(vec![end]);
        contacts.push(model.add_interaction([bodies[bodies.len() - 1]], wall, law).unwrap());
        (model, bodies, contacts)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn impacts_obey_their_law_keep_momentum_and_make_no_energy(line in line()) {
        let (model, bodies, contacts) = line.model();
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 0.5, 2e-3).unwrap())
            .build()
            .unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        let energy = |state: &State| -> f64 {
            bodies.iter().zip(&line.masses).map(|(&id, m)| 0.5 * m * state.v(id)[0].powi(2)).sum()
        };
        let momentum = |state: &State| -> f64 {
            bodies.iter().zip(&line.masses).map(|(&id, m)| m * state.v(id)[0]).sum()
        };
        loop {
            let before = state.clone();
            let Some(report) = simulation.step(&model, &mut state).unwrap() else { break };
            let active: Vec<_> = report.active.iter().map(|unitary| unitary.relation).collect();
            for &contact in &contacts {
                let lambda = state.lambda(contact, Level::Velocity)[0];
                let w = state.y(contact, Level::Velocity)[0]
                    + line.restitution * before.y(contact, Level::Velocity)[0];
                if active.contains(&contact.into()) {
                    prop_assert!(lambda >= 0.0 && w >= -1e-10 && (lambda * w).abs() < 1e-9, "{lambda} {w}");
                } else {
                    prop_assert_eq!(lambda, 0.0);
                }
            }
            // Only the walls change the total momentum; impulses between bodies cancel.
            let walls = state.lambda(contacts[0], Level::Velocity)[0]
                - state.lambda(contacts[contacts.len() - 1], Level::Velocity)[0];
            let gained = momentum(&state) - momentum(&before);
            prop_assert!((gained - walls).abs() < 1e-9 * (1.0 + walls.abs()), "{gained} {walls}");
            // With one coefficient of restitution for all contacts, Newton's law does not increase the energy
            // (Moreau 1988).
            prop_assert!(energy(&state) <= energy(&before) * (1.0 + 1e-10) + 1e-12);
        }
    }

    #[test]
    fn the_order_of_the_contacts_does_not_change_the_motion(line in line(), seed in 0..1000_usize) {
        let run = |rotate: usize| {
            let (model, bodies, contacts) = line.model();
            let mut shuffled = model.clone();
            for _ in 0..rotate % contacts.len() {
                // Remove the oldest contact and add it again as the newest.
                let oldest = shuffled.interactions().ids().next().unwrap();
                let contact = shuffled.remove_interaction(oldest).unwrap();
                let systems = contact.systems().to_vec();
                shuffled.add_interaction(systems, contact.relation().clone(), contact.law().clone()).unwrap();
            }
            let mut simulation = TimeStepping::builder(&shuffled)
                .discretisation(TimeDiscretisation::uniform(0.0, 0.1, 2e-3).unwrap())
                .build()
                .unwrap();
            let mut state = simulation.initial_state(&shuffled).unwrap();
            simulation.run(&shuffled, &mut state, |_, _| ()).unwrap();
            bodies.iter().map(|&id| state.v(id)[0]).collect::<Vec<_>>()
        };
        // The Delassus matrix of a line is positive definite, so that the impulses and the motion are unique.
        for (a, b) in run(0).iter().zip(run(seed)) {
            prop_assert!((a - b).abs() < 1e-8, "{a} {b}");
        }
    }
}
