//! Families of model parts. A model has one part, or several independent parts.

mod arms;
mod beads;
mod circuits;
mod friction;

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;

use super::draw::Draw;
use super::scene::{LinearBody, LinearRows, Scene, Wave};
use super::units::{ANGLE, ENERGY, FREQUENCY, LENGTH, TIME};

/// Family of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    BouncingBalls,
    Column,
    Cradle,
    Rods,
    SoftStops,
    Structure,
    Star,
    Discs,
    BallsInSpace,
    Pendulum,
    DoublePendulum,
    PendulumOnSlider,
    PointOnRod,
    ShakenTable,
    Diode,
    Bridge,
    DrivenDiodes,
    Swept,
    SlidingMode,
    TwoRelays,
    NormalCone,
    CubicRelay,
    /// A heavy body without contacts.
    FreeBody,
    /// A heavy pendulum without contacts.
    FreePendulum,
    /// A heavy ball that bounces.
    HeavyBall,
    /// A body with a constraint too far away to become active; the law is the one used in the rest of the
    /// model.
    FarContact(Laws),
}

/// Class of the nonsmooth laws of a part, which determines the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Laws {
    /// Linear complementarity.
    Complementarity,
    /// Complementarity and equalities.
    Mixed,
    /// Complementarity, equalities, and bounds on both sides.
    Bounds,
    Polyhedron,
    FrictionInPlane,
    FrictionInSpace,
}

/// Event-driven scheme of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Events {
    Mechanics,
    Circuits,
    None,
}

impl Family {
    pub(crate) fn laws(self) -> Laws {
        match self {
            Self::Rods | Self::SoftStops | Self::PointOnRod => Laws::Mixed,
            Self::SlidingMode | Self::TwoRelays | Self::CubicRelay => Laws::Bounds,
            Self::NormalCone => Laws::Polyhedron,
            Self::Discs => Laws::FrictionInPlane,
            Self::BallsInSpace => Laws::FrictionInSpace,
            Self::FarContact(laws) => laws,
            _ => Laws::Complementarity,
        }
    }

    pub(crate) fn events(self) -> Events {
        match self {
            Self::SoftStops | Self::Discs | Self::BallsInSpace => Events::None,
            Self::SlidingMode | Self::TwoRelays | Self::NormalCone | Self::CubicRelay => Events::None,
            Self::Diode | Self::Bridge | Self::DrivenDiodes | Self::Swept => Events::Circuits,
            _ => Events::Mechanics,
        }
    }

    /// Adds a part of this family to a scene.
    pub(crate) fn add(self, scene: &mut Scene, draw: &mut Draw) {
        match self {
            Self::BouncingBalls => beads::bouncing_balls(scene, draw),
            Self::Column => beads::column(scene, draw),
            Self::Cradle => beads::cradle(scene, draw),
            Self::Rods => beads::rods(scene, draw),
            Self::SoftStops => beads::soft_stops(scene, draw),
            Self::Structure => beads::structure(scene, draw),
            Self::Star => beads::star(scene, draw),
            Self::Discs => friction::discs(scene, draw),
            Self::BallsInSpace => friction::balls_in_space(scene, draw),
            Self::Pendulum => arms::pendulum(scene, draw),
            Self::DoublePendulum => arms::double_pendulum(scene, draw),
            Self::PendulumOnSlider => arms::pendulum_on_slider(scene, draw),
            Self::PointOnRod => arms::point_on_rod(scene, draw),
            Self::ShakenTable => arms::shaken_table(scene, draw),
            Self::Diode => circuits::diode(scene, draw),
            Self::Bridge => circuits::bridge(scene, draw),
            Self::DrivenDiodes => circuits::driven_diodes(scene, draw),
            Self::Swept => circuits::swept(scene, draw),
            Self::SlidingMode => circuits::sliding_mode(scene, draw),
            Self::TwoRelays => circuits::two_relays(scene, draw, false),
            Self::NormalCone => circuits::two_relays(scene, draw, true),
            Self::CubicRelay => circuits::cubic_relay(scene, draw),
            Self::FreeBody => free_body(scene, draw),
            Self::FreePendulum => free_pendulum(scene, draw),
            Self::HeavyBall => heavy_ball(scene, draw),
            Self::FarContact(laws) => far_contact(scene, draw, laws),
        }
    }
}

/// Adds two heavy masses on springs under a periodic force.
fn free_body(scene: &mut Scene, draw: &mut Draw) {
    let m = draw.magnitude(1e5, 1e7);
    let k = m * draw.between(1.0, 10.0);
    scene.linear_body(&LinearBody {
        coordinates: vec![LENGTH; 2],
        q0: vec![draw.between(-1e3, 1e3), draw.between(-1e3, 1e3)],
        v0: vec![draw.between(-10.0, 10.0), draw.between(-10.0, 10.0)],
        mass: array![[m, 0.2 * m], [0.2 * m, m]],
        stiffness: Some(array![[k, -0.5 * k], [-0.5 * k, k]]),
        force: vec![Wave { constant: m, amplitude: m, frequency: 3.0 }],
        ..LinearBody::default()
    });
}

fn free_pendulum(scene: &mut Scene, draw: &mut Draw) {
    let m = draw.magnitude(1e5, 1e7);
    let (inertia, moment) = (scene.of(m, ENERGY * TIME * TIME), scene.of(9.81 * m, ENERGY));
    let (start, rate) = (draw.between(-2.0, 2.0), scene.of(draw.between(-1.0, 1.0), FREQUENCY));
    let system = Lagrangian::new(vec![start], vec![rate], array![[inertia]]).with_internal_force(
        move |_at, q, _v, f| f[0] = moment * q[0].sin(),
        Jacobian::FiniteDifference,
        Jacobian::Zero,
    );
    scene.system(vec![ANGLE], system);
}

fn heavy_ball(scene: &mut Scene, draw: &mut Draw) {
    let m = draw.magnitude(1e2, 1e4);
    let height = draw.between(0.01, 0.2);
    let ball = scene.linear_body(&LinearBody {
        coordinates: vec![LENGTH],
        q0: vec![height],
        v0: vec![0.0],
        mass: array![[m]],
        force: vec![Wave::constant(-9.81 * m)],
        ..LinearBody::default()
    });
    let rows = LinearRows { rows: vec![LENGTH], h: array![[1.0]], ..LinearRows::default() };
    scene.linear_contact(&[ball], &rows, NewtonImpact::new(0.7).expect("between 0 and 1"));
}

fn far_contact(scene: &mut Scene, draw: &mut Draw, laws: Laws) {
    let n = match laws {
        Laws::FrictionInPlane => 2,
        Laws::FrictionInSpace => 3,
        _ => 1,
    };
    let m = draw.magnitude(1e-2, 1e2);
    let body = scene.linear_body(&LinearBody {
        coordinates: vec![LENGTH; n],
        q0: vec![draw.between(1e5, 1e6); n],
        v0: vec![draw.between(-1.0, 1.0); n],
        mass: Array2::from_diag_elem(n, m),
        ..LinearBody::default()
    });
    let rows = LinearRows { rows: vec![LENGTH; n], h: Array2::eye(n), ..LinearRows::default() };
    match laws {
        Laws::FrictionInPlane => scene.linear_contact(
            &[body],
            &rows,
            NewtonImpactFriction::in_plane(0.5, 0.3).expect("coefficients in range"),
        ),
        Laws::FrictionInSpace => scene.linear_contact(
            &[body],
            &rows,
            NewtonImpactFriction::in_space(0.5, 0.3).expect("coefficients in range"),
        ),
        _ => scene.linear_contact(&[body], &rows, NewtonImpact::new(0.5).expect("between 0 and 1")),
    };
}
