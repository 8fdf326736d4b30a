//! A pyramid of balls on the ground, in any units.

use std::num::NonZeroUsize;

use siconos_kernel::model::{ContactRows, NewtonEuler, PointContact, Quaternion};
use siconos_kernel::prelude::*;

use crate::common::{SI, Units};

/// Half the distance of neighbours. The radius is larger by `OVERLAP`, so that rounding does not open
/// contacts. The sums of these numbers are exact.
const HALF: f64 = 0.5;
const OVERLAP: f64 = 1.0 / 16_384.0;

/// Height of a layer above the layer below, slightly less than $\sqrt{1/2}$.
const RISE: f64 = 0.70703125;

const MASS: f64 = 3.0;
const GRAVITY: f64 = 9.81;

/// Step length \[s\].
const STEP: f64 = 1.0 / 128.0;

/// Parameters of a model with pyramids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) of: Units,
    /// Number of balls along an edge of the lowest layer.
    pub(super) side: usize,
    pub(super) mu: f64,
    /// Coefficient of rolling friction, as a multiple of the radius; 0 for contacts with three rows.
    pub(super) mu_rolling: f64,
    /// Number of independent pyramids.
    pub(super) copies: usize,
    /// `true` if an unrelated bouncing ball and two hinged balls, in SI units, are inserted before the
    /// pyramids.
    pub(super) stranger: bool,
}

/// Pyramid with 225 contacts.
pub(super) const PLAN: Plan = Plan { of: SI, side: 5, mu: 1.0, mu_rolling: 0.0, copies: 1, stranger: false };

/// Model and the contents of each of its pyramids.
pub(super) struct Pyramids {
    pub(super) plan: Plan,
    pub(super) model: NonSmoothDynamicalSystem,
    pub(super) balls: Vec<Vec<DynamicalSystemId>>,
    /// All contacts, starting with the contacts with the ground.
    pub(super) contacts: Vec<Vec<InteractionId>>,
}

impl Plan {
    pub(super) fn build(self) -> Result<Pyramids, Error> {
        let (balls, contacts) = (Vec::new(), Vec::new());
        let mut pyramids = Pyramids { plan: self, model: NonSmoothDynamicalSystem::new(), balls, contacts };
        if self.stranger {
            let ball = pyramids.model.add_system(self.ball(1.0, [1000.0, 0.0, 0.6]))?;
            pyramids.touch(None, ball)?;
            let (first, second) = (self.ball(1.0, [1000.0, 0.0, 5.0]), self.ball(2.0, [1002.0, 0.0, 5.0]));
            let hinge = Joint::revolute((&first, &second), [1001.0, 0.0, 5.0], [0.0, 1.0, 0.0])?;
            let (condition, model) = (hinge.condition()?, &mut pyramids.model);
            let hinged = [model.add_system(first)?, model.add_system(second)?];
            model.add_interaction(hinged, hinge, condition)?;
        }
        for _ in 0..self.copies {
            pyramids.add()?;
        }
        Ok(pyramids)
    }

    /// Returns the mass of a ball by its number \[kg\].
    pub(super) fn mass(self, number: usize) -> f64 {
        self.of.mass * MASS * (0.8 + 0.05 * (7 * number % 9) as f64)
    }

    /// Returns the velocity that gravity adds in a step \[m/s\].
    pub(super) fn fall(self) -> f64 {
        GRAVITY * STEP * self.of.length / self.of.time
    }

    fn radius(self) -> f64 {
        (HALF + OVERLAP) * self.of.length
    }

    fn ball(self, mass: f64, at: [f64; 3]) -> NewtonEuler {
        let Units { length, time, .. } = self.of;
        let weight = -GRAVITY * mass * length / (time * time);
        let moment = 0.4 * mass * self.radius() * self.radius();
        NewtonEuler::new(mass, [moment; 3], at.map(|x| length * x), Quaternion::IDENTITY)
            .with_constant_external_force([0.0, 0.0, weight])
    }
}

impl Pyramids {
    fn add(&mut self) -> Result<(), Error> {
        let side = self.plan.side;
        let (mut balls, mut contacts) = (Vec::new(), Vec::new());
        let mut below: Vec<DynamicalSystemId> = Vec::new();
        for layer in 0..side {
            let size = side - layer;
            let mut own = Vec::new();
            for (i, j) in (0..size).flat_map(|i| (0..size).map(move |j| (i, j))) {
                let across = |k: usize| HALF * layer as f64 + k as f64;
                let at = [across(i), across(j), HALF + RISE * layer as f64];
                let mass = self.plan.mass(balls.len());
                let ball = self.model.add_system(self.plan.ball(mass, at))?;
                if layer == 0 {
                    contacts.push(self.touch(None, ball)?);
                }
                balls.push(ball);
                own.push(ball);
            }
            for (i, j) in (0..size).flat_map(|i| (0..size).map(move |j| (i, j))) {
                let ball = own[i * size + j];
                if layer > 0 {
                    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        contacts.push(self.touch(Some(below[(i + a) * (size + 1) + j + b]), ball)?);
                    }
                }
                if i > 0 {
                    contacts.push(self.touch(Some(own[(i - 1) * size + j]), ball)?);
                }
                if j > 0 {
                    contacts.push(self.touch(Some(own[i * size + j - 1]), ball)?);
                }
            }
            below = own;
        }
        self.balls.push(balls);
        self.contacts.push(contacts);
        Ok(())
    }

    fn touch(
        &mut self,
        below: Option<DynamicalSystemId>,
        ball: DynamicalSystemId,
    ) -> Result<InteractionId, Error> {
        let (radius, Plan { mu, mu_rolling, .. }) = (self.plan.radius(), self.plan);
        let (rows, law) = match mu_rolling {
            0.0 => (ContactRows::Friction, NewtonImpactFriction::in_space(0.0, mu)?),
            rolls => {
                let law = NewtonImpactFriction::in_space(0.0, mu)?.with_rolling(rolls * radius)?;
                (ContactRows::Rolling, law)
            }
        };
        Ok(match below {
            None => {
                let ground = PointContact::of_ball_and_plane(rows, radius, [0.0; 3], [0.0, 0.0, 1.0])?;
                self.model.add_interaction([ball], ground, law)?
            }
            Some(below) => self.model.add_interaction(
                [ball, below],
                PointContact::of_balls(rows, radius, radius)?,
                law,
            )?,
        })
    }

    /// Removes the contact of a ball with the ground, by the number of the ball, and adds it again.
    pub(super) fn exchange_contact_of_ground(&mut self, number: usize) -> Result<(), Error> {
        self.model.remove_interaction(self.contacts[0][number])?;
        self.contacts[0][number] = self.touch(None, self.balls[0][number])?;
        Ok(())
    }

    pub(super) fn simulation(&self, threads: usize) -> Result<TimeStepping, Error> {
        let step = STEP * self.plan.of.time;
        TimeStepping::builder(&self.model)
            .discretisation(TimeDiscretisation::uniform(0.0, 64.0 * step, step)?)
            .threads(NonZeroUsize::new(threads).expect("at least one"))
            .build()
    }

    /// Returns the bits of the positions and velocities of one pyramid, and of the impulses of its contacts,
    /// in SI units.
    pub(super) fn bits(&self, copy: usize, state: &State) -> Vec<u64> {
        let Units { mass, length, time } = self.plan.of;
        let unit = |k: usize| if k < 3 { length } else { 1.0 };
        let of_ball = |&ball: &DynamicalSystemId| {
            let q = state.q(ball).iter().enumerate().map(move |(k, q)| q / unit(k));
            q.chain(state.v(ball).iter().enumerate().map(move |(k, v)| v / unit(k) * time))
        };
        let of_contact = |&contact: &InteractionId| {
            // Rolling moments have one more factor of length.
            let unit = move |k: usize| mass * length / time * if k < 3 { 1.0 } else { length };
            state.lambda(contact, Level::Velocity).iter().enumerate().map(move |(k, r)| r / unit(k))
        };
        let balls = self.balls[copy].iter().flat_map(of_ball);
        balls.chain(self.contacts[copy].iter().flat_map(of_contact)).map(f64::to_bits).collect()
    }

    /// Returns the bits of one pyramid after each step. All steps must be solved successfully.
    pub(super) fn track(&self, threads: usize, copy: usize, steps: usize) -> Result<Vec<Vec<u64>>, Error> {
        let mut simulation = self.simulation(threads)?;
        let mut state = simulation.initial_state(&self.model)?;
        let mut track = Vec::new();
        for _ in 0..steps {
            let report = simulation.step(&self.model, &mut state)?.expect("a step");
            assert!(report.is_converged && report.solve.status.is_success(), "{:?}", report.solve);
            track.push(self.bits(copy, &state));
        }
        Ok(track)
    }
}
