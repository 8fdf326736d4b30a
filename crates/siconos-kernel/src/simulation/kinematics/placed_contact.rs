//! One detected contact with its bodies.

use crate::detection::{DetectedContact, DetectionError};
use crate::model::{
    At, BodyCoordinates, ContactFrame, ContactPoints, NonSmoothDynamicalSystem, NonSmoothLaw, add,
    difference, dot, scaled,
};
use crate::nonsmooth_problem::{InteractionEntry, SystemIndex, Tables};

/// Detected contact with the indices of its bodies. The normal and the directions of the rows are fixed in
/// space, and the contact points are fixed in the frames of the bodies.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulation) struct PlacedContact {
    systems: [Option<SystemIndex>; 2],
    coordinates: BodyCoordinates,
    rows: usize,
    pub(in crate::simulation) frame: ContactFrame,
    /// Time at the beginning of the step.
    t: f64,
    /// Gap at the beginning of the step.
    gap: f64,
    /// Error bound of the gap.
    pub(super) accuracy: f64,
    points: ContactPoints,
    radii: [f64; 2],
    /// Centres of the rounded corners in the frames of the bodies; contact points for sharp corners.
    local: [[f64; 3]; 2],
    surface_velocity: [f64; 3],
}

impl PlacedContact {
    /// Assigns a contact to its bodies. Checks that both are bodies of the same kind, and that the law suits
    /// them.
    pub(in crate::simulation) fn new(
        contact: &DetectedContact,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
    ) -> Result<Self, DetectionError> {
        let coordinates = coordinates(contact, model)?;
        let rows = contact.law.size();
        Ok(Self {
            systems: tables.systems_of(contact)?,
            coordinates,
            rows,
            frame: ContactFrame::new(coordinates, rows, contact.points.normal),
            t: f64::NAN,
            gap: contact.gap,
            accuracy: contact.accuracy,
            points: contact.points,
            radii: contact.radii,
            local: [[0.0; 3]; 2],
            surface_velocity: contact.surface_velocity,
        })
    }

    /// Sets the normal and the points at the beginning of a step, which is at the time `t`.
    pub(in crate::simulation) fn begin(
        &mut self,
        contact: &DetectedContact,
        tables: &Tables,
        t: f64,
        q: &[f64],
    ) -> Result<(), DetectionError> {
        if self.coordinates == BodyCoordinates::Planar {
            contact.check_in_plane()?;
        }
        self.frame = ContactFrame::new(self.coordinates, self.rows, contact.points.normal);
        (self.t, self.points) = (t, contact.points);
        (self.gap, self.accuracy) = (contact.gap, contact.accuracy);
        (self.radii, self.surface_velocity) = (contact.radii, contact.surface_velocity);
        let points = self.centres();
        for ((local, system), point) in self.local.iter_mut().zip(self.systems).zip(points) {
            *local = system.map_or(point, |system| {
                self.frame.local(&q[tables.systems[system].positions.range()], point)
            });
        }
        Ok(())
    }

    /// Returns the centres of the rounded corners of both bodies at the beginning of the step.
    fn centres(&self) -> [[f64; 3]; 2] {
        let ContactPoints { first, second, normal } = self.points;
        [add(first, scaled(self.radii[0], normal)), add(second, scaled(-self.radii[1], normal))]
    }

    /// Returns the contact point of a body at a position.
    fn contact_point(&self, side: usize, q: &[f64]) -> [f64; 3] {
        let inward = [1.0, -1.0][side] * self.radii[side];
        add(self.frame.point(q, self.local[side]), scaled(-inward, self.points.normal))
    }

    /// Writes the rows of the Jacobian at a position, and the velocity of the obstacle.
    pub(super) fn differentiate(
        &self,
        tables: &Tables,
        entry: &InteractionEntry,
        q: &[f64],
        (jacobian, time_derivative): (&mut [f64], &mut [f64]),
    ) {
        let bodies = [0, 1].map(|side| {
            let system = &tables.systems[self.systems[side]?];
            let q = &q[system.positions.range()];
            Some((system.dofs.len(), q, self.contact_point(side, q)))
        });
        for (row, (at, columns)) in entry.rows.iter().zip(entry.rows_of_jacobian()).enumerate() {
            let mut out = &mut jacobian[columns];
            out.fill(0.0);
            for (body, sign) in bodies.iter().zip([1.0, -1.0]) {
                let Some((dofs, q, point)) = body else { continue };
                let (own, rest) = out.split_at_mut(*dofs);
                self.frame.add_row(row, q, *point, sign, own);
                out = rest;
            }
            time_derivative[at.index()] = -self.frame.velocity(row, self.surface_velocity);
        }
    }

    /// Returns the gap at a time and position within the step.
    pub(super) fn gap_at(&self, tables: &Tables, at: At<'_>, q: &[f64]) -> f64 {
        let (normal, [first, second]) = (self.points.normal, self.centres());
        let moved = |side: usize, point: [f64; 3]| match self.systems[side] {
            Some(system) => {
                let q = &q[tables.systems[system].positions.range()];
                dot(normal, difference(self.frame.point(q, self.local[side]), point))
            }
            None => (at.t - self.t) * dot(normal, self.surface_velocity),
        };
        self.gap + (moved(0, first) - moved(1, second))
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
