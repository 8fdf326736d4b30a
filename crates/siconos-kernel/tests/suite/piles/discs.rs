//! A triangle of discs in the plane on the ground. Springs hold their centres.

use ndarray::{Array1, Array2, array};
use siconos_kernel::prelude::*;

/// Radius, slightly larger than half the distance of neighbours, so that all of them are in contact.
const RADIUS: f64 = 0.5 + 1.0 / 16_384.0;
const MASS: f64 = 4.0;

/// Triangle of discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Discs {
    /// Number of discs in the lowest layer.
    pub(super) side: usize,
    pub(super) mu: f64,
    /// Stiffness \[N/m\] and damping \[N s/m\] of the springs between the centres and their initial
    /// positions.
    pub(super) stiffness: f64,
    pub(super) damping: f64,
}

impl Discs {
    pub(super) fn build(self) -> Result<NonSmoothDynamicalSystem, Error> {
        let mut model = NonSmoothDynamicalSystem::new();
        let mut below: Vec<DynamicalSystemId> = Vec::new();
        let rise = 0.75_f64.sqrt();
        for layer in 0..self.side {
            let mut own = Vec::new();
            for i in 0..self.side - layer {
                let at = [0.5 * layer as f64 + i as f64, 0.5 + rise * layer as f64];
                let disc = model.add_system(self.disc(at, layer + 3 * i))?;
                if layer == 0 {
                    self.touch(&mut model, vec![disc], [0.0, 1.0])?;
                } else {
                    self.touch(&mut model, vec![disc, below[i]], [0.5, rise])?;
                    self.touch(&mut model, vec![disc, below[i + 1]], [-0.5, rise])?;
                }
                if let Some(&beside) = own.last() {
                    self.touch(&mut model, vec![disc, beside], [1.0, 0.0])?;
                }
                own.push(disc);
            }
            below = own;
        }
        Ok(model)
    }

    /// Creates a disc with a mass that depends on its number. The unknowns are the position of its centre and
    /// its angle.
    fn disc(self, [x, y]: [f64; 2], number: usize) -> LagrangianLinear {
        let mass = MASS * (0.8 + 0.05 * (7 * number % 9) as f64);
        let along = |entry: f64| Array2::from_diag(&array![entry, entry, 0.0]);
        let inertia = 0.5 * mass * RADIUS * RADIUS;
        let held = [self.stiffness * x, self.stiffness * y - 9.81 * mass, 0.0];
        LagrangianLinear::new(vec![x, y, 0.0], vec![0.0; 3], Array1::from(vec![mass, mass, inertia]))
            .with_stiffness(along(self.stiffness))
            .with_damping(along(self.damping))
            .with_constant_external_force(held.to_vec())
    }

    /// Adds a contact of a disc with the ground or with another disc. The normal points to the first disc.
    fn touch(
        self,
        model: &mut NonSmoothDynamicalSystem,
        discs: Vec<DynamicalSystemId>,
        [x, y]: [f64; 2],
    ) -> Result<(), Error> {
        let law = NewtonImpactFriction::in_plane(0.0, self.mu)?;
        let (rows, distance) = match discs.len() {
            1 => (array![[x, y, 0.0], [-y, x, -RADIUS]], RADIUS),
            _ => (array![[x, y, 0.0, -x, -y, 0.0], [-y, x, -RADIUS, y, -x, -RADIUS]], 2.0 * RADIUS),
        };
        let relation = LagrangianLinearRelation::new(rows).with_offset(array![-distance, 0.0]);
        model.add_interaction(discs, relation, law)?;
        Ok(())
    }
}
