//! Model that is changed at random, and built from scratch in its present form.

use ndarray::{Array2, array};
use siconos_kernel::model::UnitCircle;
use siconos_kernel::prelude::*;
use siconos_testkit::random::RandomState;

/// Body of a model.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// A ball on a line, with its mass.
    Ball(f64),
    /// A mass on a stiffening spring.
    Spring(f64),
    /// A block that moves in a plane.
    Block(f64),
    /// A pendulum with a unit vector in the plane as position.
    Pendulum(f64),
    /// An oscillator with two states, with its frequency.
    Circuit(f64),
}

impl Body {
    fn is_circuit(&self) -> bool {
        matches!(self, Self::Circuit(_))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Tie {
    /// Contact of a ball, a spring or the height of a block with the floor, with a coefficient of
    /// restitution.
    Floor(f64),
    /// Contact of a block with the floor, with friction.
    Friction(f64),
    /// A contact between the first coordinates of two bodies.
    Pair(f64),
    /// A contact between the first coordinates of two bodies, with a Jacobian that depends on the position.
    CurvedPair(f64),
    /// An equality of the first coordinates.
    Bar,
    /// A compliant floor.
    Soft(f64),
    /// Contact of a pendulum with a wall.
    Wall(f64),
    /// A diode in a circuit.
    Diode(f64),
    /// A diode between two circuits. Its current depends on their states, and it couples their matrices.
    Valve(f64),
}

/// Model with the data to build it again.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub(crate) model: NonSmoothDynamicalSystem,
    pub(crate) bodies: Vec<(Body, DynamicalSystemId)>,
    pub(crate) ties: Vec<(Tie, Vec<DynamicalSystemId>, InteractionId)>,
}

fn system(body: &Body) -> siconos_kernel::model::DynamicalSystem {
    match *body {
        Body::Ball(mass) => LagrangianLinear::new(vec![0.2 * mass], vec![-0.5], array![mass])
            .with_constant_external_force(vec![-9.81 * mass])
            .into(),
        Body::Spring(mass) => Lagrangian::new(vec![0.3], vec![0.0], array![mass])
            .with_internal_force(
                |_, q, v, f| f[0] = 40.0 * q[0] + 90.0 * q[0].powi(3) + 0.3 * v[0],
                Jacobian::function(|_, q, _, j| j[[0, 0]] = 40.0 + 270.0 * q[0] * q[0]),
                Jacobian::Constant(array![[0.3]]),
            )
            .with_constant_external_force(vec![-9.81 * mass])
            .into(),
        Body::Block(mass) => {
            LagrangianLinear::new(vec![0.0; 3], vec![0.0, 1.0, -0.4], array![mass, mass, mass])
                .with_constant_external_force(vec![-9.81 * mass, 2.0, 0.0])
                .into()
        }
        Body::Pendulum(mass) => Lagrangian::new(vec![0.6, 0.8], vec![-2.0], array![mass])
            .with_internal_force(|_, q, v, f| f[0] = 9.81 * q[1] + 0.1 * v[0], Jacobian::FiniteDifference, {
                Jacobian::Constant(array![[0.1]])
            })
            .with_configuration(UnitCircle)
            .into(),
        Body::Circuit(frequency) => {
            FirstOrderLinear::new(vec![1.0, 0.0], array![[-0.1, frequency], [-frequency, -0.1]])
                .with_source_function(move |at, b| b[1] = (3.0 * at.t + frequency).sin())
                .into()
        }
    }
}

/// Returns a row that combines the first coordinates of systems with the given factors.
fn first_coordinates(sizes: &[usize], factors: &[f64]) -> Array2<f64> {
    let mut row = Array2::zeros((1, sizes.iter().sum()));
    let mut column = 0;
    for (size, factor) in sizes.iter().zip(factors) {
        row[[0, column]] = *factor;
        column += size;
    }
    row
}

impl World {
    /// Creates bodies, each with a contact with the floor.
    pub(crate) fn on_the_floor<const N: usize>(bodies: [Body; N]) -> Self {
        let mut world = Self::default();
        for body in bodies {
            world.add_body(body);
            world.add_tie(Tie::Floor(0.5), vec![world.bodies.last().unwrap().1]);
        }
        world
    }

    pub(crate) fn add_body(&mut self, body: Body) {
        let id = self.model.add_system(system(&body)).unwrap();
        self.bodies.push((body, id));
    }

    pub(crate) fn add_tie(&mut self, tie: Tie, systems: Vec<DynamicalSystemId>) {
        let sizes: Vec<_> =
            systems.iter().map(|id| self.model.system(*id).unwrap().degrees_of_freedom()).collect();
        let h = |factors: &[f64]| LagrangianLinearRelation::new(first_coordinates(&sizes, factors));
        let ids = systems.clone();
        let law = |e| NewtonImpact::new(e).unwrap();
        let model = &mut self.model;
        let id = match tie {
            Tie::Floor(e) => model.add_interaction(ids, h(&[1.0]), law(e)),
            Tie::Friction(mu) => {
                let relation = LagrangianLinearRelation::new(Array2::eye(3));
                model.add_interaction(ids, relation, NewtonImpactFriction::in_space(0.1, mu).unwrap())
            }
            Tie::Pair(e) => model.add_interaction(ids, h(&[-1.0, 1.0]).with_offset(vec![-0.1]), law(e)),
            Tie::CurvedPair(e) => {
                let second = sizes[0];
                let gap = LagrangianScleronomousRelation::new(1, move |_, q, y| {
                    y[0] = (q[second] - q[0]) * (1.0 + 0.1 * q[0]);
                })
                .with_jacobian(move |_, q, j| {
                    j[[0, 0]] = -1.0 - 0.2 * q[0] + 0.1 * q[second];
                    j[[0, second]] = 1.0 + 0.1 * q[0];
                });
                model.add_interaction(ids, gap, law(e))
            }
            Tie::Bar => model.add_interaction(ids, h(&[-1.0, 1.0]), EqualityCondition::new(1).unwrap()),
            Tie::Soft(d) => {
                let relation = h(&[1.0]).with_compliance(array![[1e-3 * (1.0 + d)]]);
                model.add_interaction(ids, relation, ComplementarityCondition::new(1).unwrap())
            }
            Tie::Wall(e) => {
                let wall = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 0.1 + q[1]);
                model.add_interaction(ids, wall, law(e))
            }
            Tie::Diode(d) => {
                let (c, b) = (array![[1.0, 0.0]], array![[1.0], [0.0]]);
                let relation = FirstOrderLinearRelation::new(c, b).with_d(array![[d]]);
                model.add_interaction(ids, relation, ComplementarityCondition::new(1).unwrap())
            }
            Tie::Valve(d) => {
                let relation = FirstOrderNonlinearRelation::new(
                    1,
                    move |at, y| y[0] = at.x[0] - at.x[2] + (0.1 + d) * at.lambda[0],
                    |at, r| {
                        let current = at.lambda[0] * (1.0 + 0.1 * at.x[0] * at.x[0]);
                        (r[0], r[1], r[2], r[3]) = (current, 0.0, -current, 0.0);
                    },
                );
                let relation = relation
                    .with_c(RelationJacobian::FiniteDifference)
                    .with_d(RelationJacobian::FiniteDifference)
                    .with_k(RelationJacobian::FiniteDifference)
                    .with_b(RelationJacobian::FiniteDifference);
                model.add_interaction(ids, relation, ComplementarityCondition::new(1).unwrap())
            }
        };
        self.ties.push((tie, systems, id.unwrap()));
    }

    /// Makes one random change.
    pub(crate) fn change(&mut self, random: &mut RandomState) {
        let choose = |random: &mut RandomState, n: usize| (random.uniform() * n as f64) as usize;
        match choose(random, 10) {
            0 => {
                let mass = random.between(0.5, 3.0);
                self.add_body(match choose(random, 5) {
                    0 => Body::Ball(mass),
                    1 => Body::Spring(mass),
                    2 => Body::Pendulum(mass),
                    3 => Body::Circuit(3.0 * mass),
                    _ => Body::Block(mass),
                });
            }
            1 => {
                let used = |id: &DynamicalSystemId| self.ties.iter().any(|(_, ids, _)| ids.contains(id));
                let free: Vec<_> = (0..self.bodies.len()).filter(|&k| !used(&self.bodies[k].1)).collect();
                if !free.is_empty() {
                    let (_, id) = self.bodies.remove(free[choose(random, free.len())]);
                    self.model.remove_system(id).unwrap();
                }
            }
            2..=4 if !self.ties.is_empty() => {
                let (.., id) = self.ties.remove(choose(random, self.ties.len()));
                self.model.remove_interaction(id).unwrap();
            }
            5 if !self.ties.is_empty() => {
                // Another law for an existing contact.
                let k = choose(random, self.ties.len());
                let value = random.uniform();
                let (tie, _, id) = &mut self.ties[k];
                match tie {
                    Tie::Friction(mu) => {
                        *mu = if value < 0.3 { 0.0 } else { value };
                        let law = NewtonImpactFriction::in_space(0.1, *mu).unwrap();
                        self.model.set_law(*id, law).unwrap();
                    }
                    Tie::Floor(e) | Tie::Pair(e) | Tie::CurvedPair(e) | Tie::Wall(e) => {
                        *e = value;
                        self.model.set_law(*id, NewtonImpact::new(value).unwrap()).unwrap();
                    }
                    Tie::Bar | Tie::Soft(_) | Tie::Diode(_) | Tie::Valve(_) => {}
                }
            }
            _ if self.bodies.len() > 1 => {
                let a = choose(random, self.bodies.len());
                let b = (a + 1 + choose(random, self.bodies.len() - 1)) % self.bodies.len();
                let (body, first) = self.bodies[a].clone();
                let (other, second) = self.bodies[b].clone();
                let value = random.uniform();
                match (choose(random, 6), body) {
                    (0..3, Body::Circuit(_)) => self.add_tie(Tie::Diode(value), vec![first]),
                    (_, Body::Circuit(_)) if other.is_circuit() => {
                        self.add_tie(Tie::Valve(value), vec![first, second]);
                    }
                    (_, Body::Circuit(_)) => {}
                    // A linear relation needs configurations that form a vector space.
                    (0..3, Body::Pendulum(_)) => self.add_tie(Tie::Wall(value), vec![first]),
                    (_, Body::Pendulum(_)) => {}
                    (1.., _) if !matches!(other, Body::Ball(_) | Body::Spring(_) | Body::Block(_)) => {
                        self.add_tie(Tie::Soft(value), vec![first]);
                    }
                    (5, _) => self.add_tie(Tie::Soft(value), vec![first]),
                    (0, Body::Block(_)) => self.add_tie(Tie::Friction(value), vec![first]),
                    (0 | 1, _) => self.add_tie(Tie::Floor(value), vec![first]),
                    (2, _) => self.add_tie(Tie::Pair(value), vec![first, second]),
                    (3, _) => self.add_tie(Tie::CurvedPair(value), vec![first, second]),
                    // A second bar could constrain two bodies twice.
                    _ if self.ties.iter().all(|(tie, ..)| !matches!(tie, Tie::Bar)) => {
                        self.add_tie(Tie::Bar, vec![first, second]);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Removes every tie and adds it again, often enough for the index tables to be compacted more than once.
    pub(crate) fn renew_ties(&mut self) {
        for _ in 0..300 {
            if self.ties.is_empty() {
                return;
            }
            let (tie, systems, id) = self.ties.remove(0);
            self.model.remove_interaction(id).unwrap();
            self.add_tie(tie, systems);
        }
    }

    /// Builds the same model from scratch: without unused entries in the tables, and with other ids.
    pub(crate) fn anew(&self) -> Self {
        let mut world = Self::default();
        for (body, _) in &self.bodies {
            world.add_body(body.clone());
        }
        for (tie, systems, _) in &self.ties {
            let place =
                |id: &DynamicalSystemId| self.bodies.iter().position(|(_, other)| other == id).unwrap();
            let systems = systems.iter().map(|id| world.bodies[place(id)].1).collect();
            world.add_tie(*tie, systems);
        }
        world
    }

    pub(crate) fn simulation(&self) -> TimeStepping {
        TimeStepping::builder(&self.model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1e3, 2e-3).unwrap())
            .on_non_convergence(OnNonConvergence::Continue)
            .build()
            .unwrap()
    }

    /// Returns the bits of positions, velocities, gaps and impulses in the order of the model.
    pub(crate) fn bits(&self, state: &State) -> Vec<u64> {
        let of_body =
            |(_, id): &(Body, DynamicalSystemId)| [state.q(*id), state.v(*id), state.x(*id)].concat();
        let of_tie = |(_, _, id): &(Tie, Vec<DynamicalSystemId>, InteractionId)| {
            let at = |level| [state.y(*id, level), state.lambda(*id, level)].concat();
            [at(Level::Position), at(Level::Velocity)].concat()
        };
        let values = self.bodies.iter().flat_map(of_body).chain(self.ties.iter().flat_map(of_tie));
        values.map(f64::to_bits).collect()
    }
}
