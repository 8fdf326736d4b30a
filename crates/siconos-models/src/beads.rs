//! A column of beads.

use ndarray::array;
use siconos_kernel::prelude::*;

/// Beads of mass 1 kg and radius 0.1 m on a vertical line, which fall onto the floor and onto each other.
#[derive(Clone, Copy, Debug)]
pub struct ColumnOfBeads {
    /// Number of beads.
    pub beads: usize,
    /// Initial distance between the centres of neighbouring beads \[m\].
    pub spacing: f64,
    /// Coefficient of restitution of all contacts.
    pub restitution: f64,
    /// Gap \[m\] below which a contact is added to the model.
    pub detection: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for ColumnOfBeads {
    fn default() -> Self {
        Self { beads: 10, spacing: 0.25, restitution: 0.9, detection: 0.02, h: 5e-4, t_end: 2.0 }
    }
}

/// Radius of a bead \[m\].
pub const RADIUS: f64 = 0.1;

impl ColumnOfBeads {
    /// Builds the model with all beads and without contacts.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(&self) -> Result<(NonSmoothDynamicalSystem, Vec<DynamicalSystemId>), Error> {
        let mut model = NonSmoothDynamicalSystem::new();
        let beads = (0..self.beads).map(|i| {
            let height = 1.0 + self.spacing * i as f64;
            model.add_system(
                LagrangianLinear::new(
                    vec![height, 0.0, 0.0],
                    vec![0.0; 3],
                    array![1.0, 1.0, 0.4 * RADIUS * RADIUS],
                )
                .with_external_force(|_t, f| f[0] = -9.81),
            )
        });
        let beads = beads.collect::<Result<Vec<_>, _>>()?;
        Ok((model, beads))
    }

    /// Adds the contact below bead `i`: a contact with the floor for the lowest bead, and with the bead below
    /// for the others.
    ///
    /// # Errors
    ///
    /// If the coefficient of restitution is out of range.
    pub fn add_contact(
        &self,
        model: &mut NonSmoothDynamicalSystem,
        beads: &[DynamicalSystemId],
        i: usize,
    ) -> Result<InteractionId, Error> {
        let law = NewtonImpact::new(self.restitution)?;
        Ok(if i == 0 {
            let gap = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0]]).with_offset(vec![-RADIUS]);
            model.add_interaction([beads[0]], gap, law)?
        } else {
            let gap = LagrangianLinearRelation::new(array![[-1.0, 0.0, 0.0, 1.0, 0.0, 0.0]]);
            model.add_interaction([beads[i - 1], beads[i]], gap.with_offset(vec![-2.0 * RADIUS]), law)?
        })
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, Error> {
        TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .build()
    }

    /// Runs the simulation. Contacts are added to the model when beads come near each other or the floor;
    /// `visit` is called with the initial state and after each step.
    ///
    /// # Errors
    ///
    /// If the model or the simulation is invalid, or a step fails.
    pub fn run(&self, mut visit: impl FnMut(&State, &[DynamicalSystemId])) -> Result<(), Error> {
        let (mut model, beads) = self.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut in_contact = vec![false; self.beads];
        loop {
            visit(&state, &beads);
            let height = |i: usize| state.q(beads[i])[0];
            for (i, in_contact) in in_contact.iter_mut().enumerate() {
                let gap = if i == 0 { height(0) - RADIUS } else { height(i) - height(i - 1) - 2.0 * RADIUS };
                if !*in_contact && gap.abs() < self.detection {
                    *in_contact = true;
                    self.add_contact(&mut model, &beads, i)?;
                }
            }
            if simulation.step(&model, &mut state)?.is_none() {
                return Ok(());
            }
        }
    }
}
