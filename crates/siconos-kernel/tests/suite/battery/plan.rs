//! Contents and simulation settings of the models of the battery.

use siconos_kernel::prelude::*;

use super::draw::Draw;
use super::families::{Events, Family, Laws};
use super::scene::Scene;
use super::units::Units;

/// Number of models.
pub(crate) const MODELS: u32 = 200;

/// One model of the battery.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) number: u32,
    pub(crate) parts: Vec<Family>,
    /// Start time \[s\].
    pub(crate) t0: f64,
    pub(crate) h: f64,
    pub(crate) steps: usize,
    pub(crate) theta: f64,
    pub(crate) projection: Option<Projection>,
    /// Force level of the half-explicit scheme for Lagrangian systems; `None` for the default scheme.
    pub(crate) half_explicit: Option<ForceLevel>,
    /// Scheme of the first-order systems.
    pub(crate) scheme: EulerMoreau,
}

const CHAINS: [Family; 3] = [Family::BouncingBalls, Family::Column, Family::Cradle];
const STRUCTURES: [Family; 3] = [Family::Rods, Family::Structure, Family::Star];
const ARMS: [Family; 5] = [
    Family::Pendulum,
    Family::DoublePendulum,
    Family::PendulumOnSlider,
    Family::PointOnRod,
    Family::ShakenTable,
];
const CIRCUITS: [Family; 4] = [Family::Diode, Family::Bridge, Family::DrivenDiodes, Family::Swept];
const RELAYS: [Family; 4] = [Family::SlidingMode, Family::TwoRelays, Family::NormalCone, Family::CubicRelay];
const FRICTION: [Family; 2] = [Family::Discs, Family::BallsInSpace];

impl Plan {
    pub(crate) fn new(number: u32) -> Self {
        let mut draw = Draw::new(number);
        let mut parts = Vec::new();
        let mut some = |low: usize, high: usize, families: &[Family], draw: &mut Draw| {
            for _ in 0..draw.count(low, high) {
                parts.push(draw.one_of(families));
            }
        };
        match number % 10 {
            0 => some(1, 3, &CHAINS, &mut draw),
            1 => some(1, 2, &STRUCTURES, &mut draw),
            2 => {
                some(1, 1, &[Family::SoftStops], &mut draw);
                some(0, 2, &CHAINS, &mut draw);
            }
            3 => some(1, 2, &FRICTION[..1], &mut draw),
            4 => {
                some(1, 1, &FRICTION[1..], &mut draw);
                some(0, 1, &[Family::Column, Family::Discs, Family::Rods, Family::Diode], &mut draw);
            }
            5 => some(1, 2, &ARMS, &mut draw),
            6 => {
                some(1, 2, &ARMS, &mut draw);
                some(1, 2, &[CHAINS, STRUCTURES].concat(), &mut draw);
            }
            7 => some(1, 2, &CIRCUITS, &mut draw),
            8 => some(1, 2, &RELAYS, &mut draw),
            _ => {
                some(1, 2, &[&CHAINS[..], &STRUCTURES, &ARMS].concat(), &mut draw);
                some(1, 1, &CIRCUITS, &mut draw);
                some(0, 1, &[&RELAYS[..2], &RELAYS[3..], &FRICTION].concat(), &mut draw);
            }
        }
        Self {
            number,
            parts,
            t0: draw.one_of(&[0.0, 0.0, 1.0, 3.7]),
            h: draw.one_of(&[1e-3, 2e-3, 5e-3, 0.0078125]),
            steps: draw.count(60, 140),
            theta: draw.one_of(&[0.5, 0.5, 0.7, 1.0]),
            scheme: EulerMoreau::new(draw.one_of(&[0.5, 1.0])).expect("theta in range"),
            projection: draw.one_of(&[None, None, Some(Projection::Direct), Some(Projection::Combined)]),
            half_explicit: draw
                .one_of(&[None, None, Some(ForceLevel::Acceleration), Some(ForceLevel::Velocity)])
                .filter(|_| matches!(number % 10, 0 | 1 | 5 | 6)),
        }
    }

    /// Returns `true` if a part has friction. If it also has other laws, the problem has blocks with
    /// different laws.
    pub(crate) fn has_friction(&self) -> bool {
        self.parts.iter().any(|part| part.laws() >= Laws::FrictionInPlane)
    }

    /// Returns the law of an additional contact that does not change the class of the one-step nonsmooth
    /// problem.
    pub(crate) fn law_of_its_class(&self) -> Laws {
        let same = self.parts.iter().all(|part| part.laws() == self.parts[0].laws());
        if same && self.has_friction() { self.parts[0].laws() } else { Laws::Complementarity }
    }

    /// Returns the event-driven scheme of the whole model.
    pub(crate) fn events(&self) -> Events {
        let kind = self.parts[0].events();
        if self.parts.iter().all(|part| part.events() == kind) { kind } else { Events::None }
    }

    /// Adds the part with number `index` to a scene.
    pub(crate) fn add_part(&self, scene: &mut Scene, index: usize) {
        let mut draw = Draw::new(1000 + 16 * self.number + index as u32);
        scene.part(|scene| self.parts[index].add(scene, &mut draw));
    }

    /// Adds a part that is unrelated to the others.
    pub(crate) fn add_bystander(&self, scene: &mut Scene, family: Family) {
        let mut draw = Draw::new(500_000 + self.number);
        scene.part(|scene| family.add(scene, &mut draw));
    }

    /// Returns other units for this model: each unit named in `which` is multiplied by a random power of two.
    pub(crate) fn units(&self, which: &str) -> Units {
        let mut draw = Draw::new(900_000 + self.number);
        let mut power = |name| {
            let power = draw.count(1, 20) as i32 * draw.one_of(&[-1, 1]);
            if which.contains(name) { power } else { 0 }
        };
        Units { kg: power("mass"), m: power("length"), s: power("time"), a: power("current") }
    }
}
