//! World of three bodies, in any units: a box on a spring is hinged to a second box that falls on the floor,
//! and a ball bounces next to them.

use std::num::NonZeroUsize;

use siconos_kernel::model::{Distance, Frame};
use siconos_kernel::prelude::*;

use crate::common::{SI, Units};

/// Simulated time \[s\]; `STEPS` is the number of steps.
const END: f64 = 1.0;
pub(super) const STEPS: usize = 256;

/// Options of a world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) of: Units,
    /// Initial tilt of the first box \[rad\].
    pub(super) tilt: f64,
    /// Number of worlds, which are independent of each other.
    pub(super) copies: usize,
    /// `true` if a free body and a bouncing ball, unrelated to the worlds, are inserted first.
    pub(super) strangers: bool,
    pub(super) projection: Option<Projection>,
    /// `true` if the hinge has dry friction, and a spring with a damper acts on the ball.
    pub(super) drives: bool,
}

pub(super) const PLAN: Plan =
    Plan { of: SI, tilt: 0.7, copies: 1, strangers: false, projection: None, drives: false };

/// Returns the plan with each kind of projection, and with drives.
pub(super) fn plans() -> [Plan; 5] {
    let of = |projection, drives| Plan { projection, drives, ..PLAN };
    let (direct, combined) = (Some(Projection::Direct), Some(Projection::Combined));
    [of(None, false), of(direct, false), of(combined, false), of(None, true), of(combined, true)]
}

/// Model, and the bodies of each of its worlds.
pub(super) struct World {
    pub(super) plan: Plan,
    pub(super) model: NonSmoothDynamicalSystem,
    pub(super) bodies: Vec<[DynamicalSystemId; 3]>,
    pub(super) hinges: Vec<InteractionId>,
    /// Contacts of the hinged box and of the ball with the floor.
    pub(super) contacts: Vec<[InteractionId; 2]>,
}

impl Plan {
    pub(super) fn build(self) -> Result<World, Error> {
        let (bodies, hinges, contacts) = (Vec::new(), Vec::new(), Vec::new());
        let model = NonSmoothDynamicalSystem::new();
        let mut world = World { plan: self, model, bodies, hinges, contacts };
        if self.strangers {
            let free =
                NewtonEuler::new(self.of.mass, self.inertia([1.0, 2.0, 3.0]), [0.0; 3], Quaternion::IDENTITY)
                    .with_twist([0.0; 3], [1.0, 20.0, 0.5].map(|w| w / self.of.time));
            world.model.add_system(free)?;
            let ball = world.model.add_system(self.ball([5.0, 0.0, 0.15]))?;
            world.put_on_floor(ball)?;
        }
        for _ in 0..self.copies {
            world.add()?;
        }
        Ok(world)
    }

    fn inertia(self, moments: [f64; 3]) -> [f64; 3] {
        moments.map(|moment| self.of.mass * self.of.length * self.of.length * moment)
    }

    /// Returns the unit of force, as a multiple of the SI unit.
    fn force(self) -> f64 {
        self.of.mass * self.of.length / (self.of.time * self.of.time)
    }

    fn weight(self, mass: f64) -> [f64; 3] {
        [0.0, 0.0, -9.81 * mass * self.force()]
    }

    fn place(self, x: [f64; 3]) -> [f64; 3] {
        x.map(|x| self.of.length * x)
    }

    fn velocity(self, v: [f64; 3]) -> [f64; 3] {
        v.map(|v| self.of.length / self.of.time * v)
    }

    fn ball(self, at: [f64; 3]) -> NewtonEuler {
        let inertia = self.inertia([0.002; 3]);
        NewtonEuler::new(0.5 * self.of.mass, inertia, self.place(at), Quaternion::IDENTITY)
            .with_twist(self.velocity([-1.0, 0.5, 0.0]), [0.0; 3])
            .with_constant_external_force(self.weight(0.5))
    }

    /// Creates a box on a spring with dampers.
    fn held_box(self) -> NewtonEuler {
        let Units { length, time, .. } = self.of;
        let stiffness = 40.0 * self.force() / length;
        let damping = 0.5 * self.force() * time / length;
        let of_rotation = 0.02 * self.force() * length * time;
        let force = move |_: At<'_>, q: &[f64], v: &[f64], f: &mut [f64]| {
            for i in 0..3 {
                (f[i], f[3 + i]) = (stiffness * q[i] + damping * v[i], of_rotation * v[3 + i]);
            }
        };
        let in_q = Jacobian::function(move |_, _, _, j| (0..3).for_each(|i| j[[i, i]] = stiffness));
        let in_v = Jacobian::function(move |_, _, _, j| {
            (0..3).for_each(|i| (j[[i, i]], j[[3 + i, 3 + i]]) = (damping, of_rotation));
        });
        let orientation = Quaternion::about([1.0, 2.0, 0.5], self.tilt);
        let inertia = self.inertia([0.02, 0.05, 0.06]);
        NewtonEuler::new(1.5 * self.of.mass, inertia, self.place([0.1, 0.2, 0.5]), orientation)
            .with_twist(self.velocity([0.3, -0.2, 0.0]), [2.0, 1.0, -3.0].map(|w| w / time))
            .with_constant_external_force(self.weight(1.5))
            .with_internal_force(Frame::Body, force, in_q, in_v)
    }

    /// Creates a box with a time-dependent external moment.
    fn hinged_box(self) -> NewtonEuler {
        let (time, moment) = (self.of.time, 0.03 * self.force() * self.of.length);
        let inertia = self.inertia([0.01, 0.02, 0.015]);
        NewtonEuler::new(0.75 * self.of.mass, inertia, self.place([0.4, 0.2, 0.5]), Quaternion::IDENTITY)
            .with_constant_external_force(self.weight(0.75))
            .with_external_moment(Frame::Space, move |at, m| m[1] = moment * (3.0 * at.t / time).sin())
    }

    fn grid(self) -> Result<TimeDiscretisation, Error> {
        let end = END * self.of.time;
        Ok(TimeDiscretisation::uniform(0.0, end, end / STEPS as f64)?)
    }
}

impl World {
    fn put_on_floor(&mut self, body: DynamicalSystemId) -> Result<InteractionId, Error> {
        let (radius, up) = (0.1 * self.plan.of.length, [0.0, 0.0, 1.0]);
        let floor = PointContact::of_ball_and_plane(ContactRows::Friction, radius, [0.0; 3], up)?;
        Ok(self.model.add_interaction([body], floor, NewtonImpactFriction::in_space(0.5, 0.3)?)?)
    }

    fn add(&mut self) -> Result<(), Error> {
        let plan = self.plan;
        let (first, second) = (plan.held_box(), plan.hinged_box());
        let hinge = Joint::revolute((&first, &second), plan.place([0.25, 0.2, 0.5]), [0.0, 1.0, 0.0])?;
        let ball = plan.ball([0.7, 0.0, 0.3]);
        let angle = hinge.angle().expect("a hinge turns");
        let hooks = [[0.1, 0.2, 0.45], [0.7, 0.05, 0.3]].map(|x| plan.place(x));
        let spring =
            Distance::between((&first, &ball), hooks[0], hooks[1])?.with_length(0.5 * plan.of.length)?;
        let model = &mut self.model;
        let ids = [model.add_system(first)?, model.add_system(second)?, model.add_system(ball)?];
        let condition = hinge.condition()?;
        self.hinges.push(model.add_interaction([ids[0], ids[1]], hinge, condition)?);
        if plan.drives {
            let (force, Units { length, time, .. }) = (plan.force(), plan.of);
            let friction = Relay::symmetric(1, 0.02 * force * length)?;
            model.add_interaction([ids[0], ids[1]], angle, friction)?;
            let spring_law = SpringDamper::new(3.0 * force / length, 0.05 * force * time / length)?;
            model.add_interaction([ids[0], ids[2]], spring, spring_law)?;
        }
        let contacts = [self.put_on_floor(ids[1])?, self.put_on_floor(ids[2])?];
        self.bodies.push(ids);
        self.contacts.push(contacts);
        Ok(())
    }

    pub(super) fn simulation(&self, threads: usize) -> Result<TimeStepping, Error> {
        TimeStepping::builder(&self.model)
            .discretisation(self.plan.grid()?)
            .integrator(MoreauJean { projection: self.plan.projection, ..MoreauJean::default() })
            .threads(NonZeroUsize::new(threads).expect("at least one"))
            .build()
    }

    /// Returns the bits of the positions and velocities of one world in SI units.
    pub(super) fn motion(&self, copy: usize, state: &State) -> Vec<u64> {
        let Units { length, time, .. } = self.plan.of;
        let unit = |k: usize| if k < 3 { length } else { 1.0 };
        let of_body = |&body: &DynamicalSystemId| {
            let q = state.q(body).iter().enumerate().map(move |(k, q)| (q / unit(k)).to_bits());
            q.chain(state.v(body).iter().enumerate().map(move |(k, v)| (v / unit(k) * time).to_bits()))
        };
        self.bodies[copy].iter().flat_map(of_body).collect()
    }

    /// Simulates one world. Returns its motion, and the number of steps in which each contact has an impulse.
    pub(super) fn track(&self, threads: usize) -> Result<(Vec<Vec<u64>>, [usize; 2]), Error> {
        let mut simulation = self.simulation(threads)?;
        let mut state = simulation.initial_state(&self.model)?;
        let (mut track, mut pressed) = (Vec::new(), [0; 2]);
        simulation.run(&self.model, &mut state, |_, state| {
            track.push(self.motion(0, state));
            for (pressed, &contact) in pressed.iter_mut().zip(&self.contacts[0]) {
                *pressed += usize::from(state.lambda(contact, Level::Velocity)[0] > 0.0);
            }
        })?;
        Ok((track, pressed))
    }
}
