//! One detected contact with its bodies.

use crate::detection::{DetectedContact, DetectionError};
use crate::model::{
    BodyCoordinates, ContactFrame, ContactPoints, NonSmoothDynamicalSystem, NonSmoothLaw, difference, dot,
};
use crate::nonsmooth_problem::{InteractionEntry, SystemIndex, Tables};
use crate::simulation::kinematics::Kinematics;

/// Detected contact with the indices of its bodies, the directions of its rows, and the contact points in the
/// frames of the bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedContact {
    systems: [Option<SystemIndex>; 2],
    coordinates: BodyCoordinates,
    rows: usize,
    pub(super) frame: ContactFrame,
    local: [[f64; 3]; 2],
    /// Number of previous steps in which the contact was detected.
    pub(super) age: u32,
}

impl PlacedContact {
    /// Assigns a contact to its bodies. Checks that both are bodies of the same kind, and that the law suits
    /// them.
    pub(super) fn new(
        contact: &DetectedContact,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
    ) -> Result<Self, DetectionError> {
        let coordinates = coordinates(contact, model)?;
        let (rows, normal) = (contact.law.size(), contact.points.normal);
        let frame = ContactFrame::new(coordinates, rows, normal);
        let systems = tables.systems_of(contact)?;
        Ok(Self { systems, coordinates, rows, frame, local: [[0.0; 3]; 2], age: 0 })
    }

    /// Sets the normal and the points at the beginning of a step.
    pub(super) fn begin(&mut self, contact: &DetectedContact, tables: &Tables, q: &[f64]) {
        let ContactPoints { first, second, normal } = contact.points;
        self.frame = ContactFrame::new(self.coordinates, self.rows, normal);
        for ((local, system), point) in self.local.iter_mut().zip(self.systems).zip([first, second]) {
            *local = system.map_or(point, |system| {
                self.frame.local(&q[tables.systems[system].positions.range()], point)
            });
        }
    }

    /// Writes the rows of the Jacobian, and the velocity of the obstacle.
    pub(super) fn write_jacobian(
        &self,
        contact: &DetectedContact,
        tables: &Tables,
        entry: &InteractionEntry,
        q: &[f64],
        kinematics: &mut Kinematics,
    ) {
        let ContactPoints { first, second, .. } = contact.points;
        for (row, (at, columns)) in entry.rows.iter().zip(entry.rows_of_jacobian()).enumerate() {
            let mut out = &mut kinematics.jacobian[columns];
            out.fill(0.0);
            for ((system, point), sign) in self.systems.into_iter().zip([first, second]).zip([1.0, -1.0]) {
                let Some(system) = system else { continue };
                let system = &tables.systems[system];
                let (own, rest) = out.split_at_mut(system.dofs.len());
                self.frame.add_row(row, &q[system.positions.range()], point, sign, own);
                out = rest;
            }
            kinematics.time_derivative[at.index()] = -self.frame.velocity(row, contact.surface_velocity);
        }
        kinematics.copy_reaction(entry);
    }

    /// Returns the gap after a step of length `h`, with the normal and the points of its beginning.
    pub(super) fn gap_at(&self, contact: &DetectedContact, tables: &Tables, q: &[f64], h: f64) -> f64 {
        let ContactPoints { first, second, normal } = contact.points;
        let moved = |side: usize, point: [f64; 3]| match self.systems[side] {
            Some(system) => {
                let q = &q[tables.systems[system].positions.range()];
                dot(normal, difference(self.frame.point(q, self.local[side]), point))
            }
            None => h * dot(normal, contact.surface_velocity),
        };
        contact.gap + (moved(0, first) - moved(1, second))
    }
}

/// Returns the coordinates of the bodies of a contact.
fn coordinates(
    contact: &DetectedContact,
    model: &NonSmoothDynamicalSystem,
) -> Result<BodyCoordinates, DetectionError> {
    let key = contact.key;
    let of = |system| {
        let own = BodyCoordinates::of(model.system(system)?);
        own.ok_or(DetectionError::NotABody { key, system })
    };
    let first = of(contact.first)?;
    if let Some(second) = contact.second {
        let why = match of(second)? {
            _ if second == contact.first => "a body does not touch itself",
            other if other != first => "one moves in space, the other in the plane",
            _ => "",
        };
        if !why.is_empty() {
            return Err(DetectionError::Pair { key, first: contact.first, second, why });
        }
    }
    let dimension = match first {
        BodyCoordinates::Spatial => 3,
        BodyCoordinates::Planar => 2,
    };
    let suits = match &*contact.law {
        NonSmoothLaw::NewtonImpact(_) => true,
        NonSmoothLaw::NewtonImpactFriction(law) => law.dimension() == dimension,
        _ => false,
    };
    if suits {
        return Ok(first);
    }
    let (bodies, instead) = match first {
        BodyCoordinates::Spatial => ("in space", "use NewtonImpact or NewtonImpactFriction::in_space"),
        BodyCoordinates::Planar => ("in the plane", "use NewtonImpact or NewtonImpactFriction::in_plane"),
    };
    let law = contact.law.description().name;
    Err(DetectionError::Law { key, law, bodies, instead })
}
