//! Joints between bodies of a scene, with stops, a motor and friction.

use siconos_kernel::State;
use siconos_kernel::model::{
    DynamicalSystem, DynamicalSystemId, InteractionId, Joint, JointBodies, JointCoordinate, JointKind,
    NewtonImpact, NonSmoothDynamicalSystem, Relay,
};

use super::{BodyId, SceneError};

/// Joint between two bodies of a [`Scene`](super::Scene), with stops, a motor and friction.
///
/// The joint is defined by the poses of the bodies at the start. A fixed body stands for the inertial frame.
/// In a planar scene, there are revolute joints with an axis perpendicular to the plane, prismatic joints
/// with an axis in the plane, and fixed joints. The coordinate of a revolute joint is the angle \[rad\] by
/// which the first body has turned about the axis, relative to the second; the coordinate of a prismatic
/// joint is the displacement \[m\] along the axis. Both are 0 at the start. Bodies that share a joint do not
/// touch each other, unless [`colliding`](Self::colliding) is set.
///
/// A wheel with a motor:
///
/// ```
/// use siconos_kernel::prelude::*;
/// use siconos_mechanics::{Body, Scene, SceneJoint, Shape};
///
/// let mut scene = Scene::new();
/// let stand = scene.add(Body::fixed(Shape::cuboid([0.1, 0.1, 1.0])?).at([0.0, 0.0, 0.5]))?;
/// let wheel = scene.add(Body::new(Shape::cylinder(0.2, 0.05)?).with_mass(2.0).at([0.0, 0.0, 1.0]))?;
/// let axle = SceneJoint::revolute([wheel, stand], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]).with_motor(6.0, 0.3);
/// let axle = scene.add_joint(axle)?;
///
/// let parts = scene.into_parts()?;
/// let grid = TimeDiscretisation::uniform(0.0, 2.0, 5e-3)?;
/// let mut simulation = parts.simulation(grid).build()?;
/// let mut state = simulation.initial_state(&parts.model)?;
/// simulation.run(&parts.model, &mut state, |_, _| {})?;
/// // The wheel, with the moment of inertia 0.04 kg m2, reaches the speed of the motor after 0.8 s.
/// let spin = state.v(parts.system(wheel).expect("a free body"))[5];
/// assert!((spin - 6.0).abs() < 1e-9);
/// // The motor then does nothing.
/// let motor = parts.joint(axle).and_then(|joint| joint.motor).expect("a motor");
/// assert!(state.lambda(motor, Level::Velocity)[0].abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A slider in the plane, which its friction holds on a slope:
///
/// ```
/// use siconos_kernel::prelude::*;
/// use siconos_mechanics::{Body, Scene, SceneJoint, Shape};
///
/// let mut scene = Scene::planar();
/// let rail = scene.add(Body::fixed(Shape::segment([-1.0, -0.5], [1.0, 0.5])?))?;
/// let slide = scene.add(Body::new(Shape::rectangle([0.2, 0.1])?).with_mass(1.0))?;
/// let guide = SceneJoint::prismatic([slide, rail], [0.0; 3], [2.0, 1.0, 0.0]).with_friction(5.0);
/// let guide = scene.add_joint(guide)?;
///
/// let parts = scene.into_parts()?;
/// let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-2)?;
/// let mut simulation = parts.simulation(grid).build()?;
/// let mut state = simulation.initial_state(&parts.model)?;
/// simulation.run(&parts.model, &mut state, |_, _| {})?;
/// // The weight along the slope is 4.39 N.
/// let displacement = parts.joint_motion(&state, guide).expect("a slider").coordinate;
/// assert!(displacement.abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SceneJoint {
    pub(super) bodies: [BodyId; 2],
    kind: JointKind,
    point: [f64; 3],
    axis: [f64; 3],
    stops: Option<Stops>,
    motor: Option<Motor>,
    friction: Option<f64>,
    pub(super) is_colliding: bool,
}

/// Number of a joint in a scene: the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub(super) u32);

/// Interactions of a joint in the model, for their forces and for changes of their laws.
///
/// If only the second body of the joint is free, the coordinate in these interactions has the opposite sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointInteractions {
    /// Equations of the joint.
    pub joint: InteractionId,
    /// Lower and upper stop.
    pub stops: Option<InteractionId>,
    /// Motor.
    pub motor: Option<InteractionId>,
    /// Friction.
    pub friction: Option<InteractionId>,
}

/// Coordinate of a joint, and its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMotion {
    /// Angle \[rad\], between $-\pi$ and $\pi$, or displacement \[m\].
    pub coordinate: f64,
    /// Angular velocity \[rad/s\] or speed \[m/s\].
    pub rate: f64,
}

/// Joint in a model.
#[derive(Clone, Debug)]
pub(super) struct PlacedJoint {
    pub(super) interactions: JointInteractions,
    systems: Vec<DynamicalSystemId>,
    /// Coordinate of the interactions, and its sign.
    coordinate: Option<(JointCoordinate, f64)>,
}

impl PlacedJoint {
    /// Returns the motion of the joint; `None` if the joint has no coordinate, or if a state does not contain
    /// its bodies.
    pub(super) fn motion(&self, state: &State) -> Option<JointMotion> {
        let (coordinate, sign) = self.coordinate.as_ref()?;
        let (mut q, mut v) = (Vec::new(), Vec::new());
        for id in &self.systems {
            q.extend_from_slice(state.try_q(*id)?);
            v.extend_from_slice(state.try_v(*id)?);
        }
        let (value, rate) = (coordinate.value(&q).ok()?, coordinate.rate(&q, &v).ok()?);
        Some(JointMotion { coordinate: sign * value, rate: sign * rate })
    }
}

#[derive(Clone, Copy, Debug)]
struct Stops {
    lower: f64,
    upper: f64,
    restitution: f64,
}

#[derive(Clone, Copy, Debug)]
struct Motor {
    speed: f64,
    limit: f64,
    gain: f64,
}

impl SceneJoint {
    fn new(kind: JointKind, bodies: [BodyId; 2], point: [f64; 3], axis: [f64; 3]) -> Self {
        Self { bodies, kind, point, axis, stops: None, motor: None, friction: None, is_colliding: false }
    }

    /// Creates a joint with a common point \[m\], in space.
    #[doc(alias = "ball joint")]
    #[must_use]
    pub fn spherical(bodies: [BodyId; 2], point: [f64; 3]) -> Self {
        Self::new(JointKind::Spherical, bodies, point, [0.0; 3])
    }

    /// Creates a hinge: a rotation about an axis through a point \[m\].
    #[doc(alias = "hinge")]
    #[must_use]
    pub fn revolute(bodies: [BodyId; 2], point: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(JointKind::Revolute, bodies, point, axis)
    }

    /// Creates a joint that permits a rotation about an axis through a point \[m\] and a displacement along
    /// it, in space. Stops, motor and friction act on the rotation.
    #[must_use]
    pub fn cylindrical(bodies: [BodyId; 2], point: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(JointKind::Cylindrical, bodies, point, axis)
    }

    /// Creates a slider: a displacement along an axis through a point \[m\].
    #[doc(alias = "slider")]
    #[must_use]
    pub fn prismatic(bodies: [BodyId; 2], point: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(JointKind::Prismatic, bodies, point, axis)
    }

    /// Creates a rigid connection.
    #[doc(alias = "weld")]
    #[must_use]
    pub fn fixed(bodies: [BodyId; 2]) -> Self {
        Self::new(JointKind::Fixed, bodies, [0.0; 3], [0.0; 3])
    }

    /// Adds stops at two values of the coordinate \[rad\] or \[m\], with a coefficient of restitution.
    #[doc(alias = "limits")]
    #[must_use]
    pub fn with_stops(mut self, lower: f64, upper: f64, restitution: f64) -> Self {
        self.stops = Some(Stops { lower, upper, restitution });
        self
    }

    /// Adds a motor that keeps a speed \[rad/s\] or \[m/s\] with at most the given moment \[N m\] or force
    /// \[N\]. A speed of 0 makes it a brake.
    #[must_use]
    pub fn with_motor(mut self, speed: f64, limit: f64) -> Self {
        self.motor = Some(Motor { speed, limit, gain: f64::INFINITY });
        self
    }

    /// Adds a motor whose moment \[N m\] or force \[N\] is the gain \[N m s\] or \[N s/m\] times the
    /// difference between a speed \[rad/s\] or \[m/s\] and the speed of the joint, with at most the given
    /// magnitude. The gain
    /// must be positive. A direct-current motor has the speed without load, the stall moment, and their ratio
    /// as gain.
    ///
    /// If several motors drive wheels that stick to the ground, they share the load in proportion to their
    /// gains. The moments of motors that [keep a speed](Self::with_motor) would not be unique.
    #[must_use]
    pub fn with_velocity_servo(mut self, speed: f64, gain: f64, limit: f64) -> Self {
        self.motor = Some(Motor { speed, limit, gain });
        self
    }

    /// Adds dry friction with at most the given moment \[N m\] or force \[N\].
    #[must_use]
    pub fn with_friction(mut self, limit: f64) -> Self {
        self.friction = Some(limit);
        self
    }

    /// Lets the bodies touch each other.
    #[must_use]
    pub fn colliding(mut self) -> Self {
        self.is_colliding = true;
        self
    }

    /// Adds the joint to a model. `systems` are the systems of the bodies that are free.
    pub(super) fn add_to(
        &self,
        model: &mut NonSmoothDynamicalSystem,
        systems: [Option<DynamicalSystemId>; 2],
    ) -> Result<PlacedJoint, SceneError> {
        let (first, second, sign) = match systems {
            [Some(first), second] => (first, second, 1.0),
            [None, Some(only)] => (only, None, -1.0),
            [None, None] => return Err(SceneError::JointOfFixed { bodies: self.bodies.map(BodyId::number) }),
        };
        let joint = self.joint(model, first, second)?;
        let ids: Vec<_> = [first].into_iter().chain(second).collect();
        let coordinate = match self.kind {
            JointKind::Revolute | JointKind::Cylindrical => joint.angle(),
            JointKind::Prismatic => joint.displacement(),
            JointKind::Spherical | JointKind::Fixed => None,
        };
        let extras =
            [self.stops.map(|_| "stops"), self.motor.map(|_| "a motor"), self.friction.map(|_| "friction")];
        if let (None, Some(what)) = (&coordinate, extras.into_iter().flatten().next()) {
            return Err(SceneError::JointWithoutCoordinate { what });
        }
        let condition = joint.condition()?;
        let own = model.add_interaction(ids.clone(), joint, condition)?;
        let mut placed = JointInteractions { joint: own, stops: None, motor: None, friction: None };
        let measured = coordinate.clone().map(|coordinate| (coordinate, sign));
        let Some(coordinate) = coordinate else {
            return Ok(PlacedJoint { interactions: placed, systems: ids, coordinate: None });
        };
        if let Some(Stops { lower, upper, restitution }) = self.stops {
            let [lower, upper] = if sign > 0.0 { [lower, upper] } else { [-upper, -lower] };
            let stops = coordinate.stops(lower, upper)?;
            placed.stops =
                Some(model.add_interaction(ids.clone(), stops, NewtonImpact::new(restitution)?)?);
        }
        if let Some(Motor { speed, limit, gain }) = self.motor {
            let speed = sign * speed;
            if !speed.is_finite() {
                return Err(SceneError::Motor { speed });
            }
            let motion = coordinate.at_speed(speed)?;
            let law = Relay::symmetric(1, limit)?.with_gain(gain)?;
            placed.motor = Some(model.add_interaction(ids.clone(), motion, law)?);
        }
        if let Some(limit) = self.friction {
            let law = Relay::symmetric(1, limit)?;
            placed.friction = Some(model.add_interaction(ids.clone(), coordinate, law)?);
        }
        Ok(PlacedJoint { interactions: placed, systems: ids, coordinate: measured })
    }

    fn joint(
        &self,
        model: &NonSmoothDynamicalSystem,
        first: DynamicalSystemId,
        second: Option<DynamicalSystemId>,
    ) -> Result<Joint, SceneError> {
        let second = second.map(|id| model.system(id)).transpose()?;
        let bodies: JointBodies<'_> = match (model.system(first)?, second) {
            (DynamicalSystem::NewtonEuler(first), None) => (&**first).into(),
            (DynamicalSystem::NewtonEuler(first), Some(DynamicalSystem::NewtonEuler(second))) => {
                (&**first, &**second).into()
            }
            (first, second) => JointBodies::in_plane(planar_position(first), second.map(planar_position)),
        };
        Ok(match self.kind {
            JointKind::Spherical => Joint::spherical(bodies, self.point),
            JointKind::Revolute => Joint::revolute(bodies, self.point, self.axis),
            JointKind::Cylindrical => Joint::cylindrical(bodies, self.point, self.axis),
            JointKind::Prismatic => Joint::prismatic(bodies, self.point, self.axis),
            JointKind::Fixed => Joint::fixed(bodies),
        }?)
    }
}

/// Returns the initial position of a planar body.
fn planar_position(system: &DynamicalSystem) -> [f64; 3] {
    [0, 1, 2].map(|i| system.q0()[i])
}
