//! Quantities that are computed on request from a state and its model.

use ndarray::Array2;

use super::{Level, State};
use crate::model::dynamical_system::DifferenceScratch;
use crate::model::relation::RelationValues;
use crate::model::{
    DynamicalSystemId, Interaction, InteractionId, ModelError, NonSmoothDynamicalSystem, Relation,
    check_finite,
};

/// Side of an event of an event-driven simulation, at which velocities can jump, or end of a time step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventSide {
    /// Just before the event (left limits). In time-stepping, the beginning of the last step.
    Before,
    /// Just after the event (right limits). In time-stepping, the end of the last step.
    After,
}

impl State {
    /// Returns the velocity of a system before or after the last event, as [`v_before`](Self::v_before) or
    /// [`v`](Self::v) does.
    ///
    /// # Panics
    ///
    /// If the id is stale.
    #[track_caller]
    #[must_use]
    pub fn v_at(&self, side: EventSide, id: DynamicalSystemId) -> &[f64] {
        match side {
            EventSide::Before => self.v_before(id),
            EventSide::After => self.v(id),
        }
    }

    /// Returns the state x of a first-order system before or after the last event; empty for other systems.
    ///
    /// # Panics
    ///
    /// If the id is stale.
    #[track_caller]
    #[must_use]
    pub fn x_at(&self, side: EventSide, id: DynamicalSystemId) -> &[f64] {
        match side {
            EventSide::Before if self.places(id).first_order => &self.v_before[self.places(id).v.clone()],
            _ => self.x(id),
        }
    }

    /// Returns y of an interaction, evaluated at the time, positions and multipliers of the state.
    ///
    /// The result differs from [`y`](Self::y) if the integrator does not impose the law at the end of the
    /// step. For [`ThetaGamma`](crate::integrator::ThetaGamma), [`y`](Self::y) is the output at
    /// $t_k + \gamma h$, and this function returns $y = h(t_{k+1}, x_{k+1}, \lambda_{k+\gamma})$, with the
    /// most recent multiplier. For Lagrangian systems, this function returns the gap.
    ///
    /// # Errors
    ///
    /// If the id is unknown to the model or the state, or if a value is not finite: [`ModelError`].
    pub fn output(
        &self,
        model: &NonSmoothDynamicalSystem,
        id: InteractionId,
    ) -> Result<Vec<f64>, ModelError> {
        let interaction = model.interaction(id)?;
        let relation = interaction.relation();
        let rows = self.layout.rows(id).cloned().ok_or(ModelError::UnknownInteraction { id })?;
        let lambda = &self.lambda[0][rows];
        let x = self.gathered(interaction)?;
        let mut y = vec![0.0; interaction.size()];
        match relation {
            Relation::LagrangianLinear(relation) => {
                relation.h().add_product(1.0, &x, &mut y);
                for (i, y) in y.iter_mut().enumerate() {
                    *y += relation.offset().map_or(0.0, |b| b[i]);
                    let compliant =
                        |d: &Array2<f64>| d.row(i).iter().zip(lambda).map(|(d, l)| d * l).sum::<f64>();
                    *y += relation.compliance().map_or(0.0, compliant);
                }
            }
            relation if relation.is_first_order() => y = self.values(relation, &x, lambda).y,
            relation => {
                if let Some(constraint) = relation.constraint() {
                    constraint.output_into(self.at(), &x, &mut y);
                }
            }
        }
        check_finite("y", &y)?;
        Ok(y)
    }

    /// Returns the generalised reaction p of a system at a kinematic level, summed over all interactions of
    /// the system.
    ///
    /// p\[1\] is the [impulse](Self::impulse) \[N s\] of the last step or event. p\[0\] and p\[2\] are the
    /// sums of $J^T \lambda$ with the multipliers at these levels and the Jacobians at the state. p\[0\]
    /// contains the forces \[N\] of compliant contacts. p\[2\] contains the contact forces \[N\]; in
    /// time-stepping, these are means over the last step, without the detected contacts, whose
    /// [impulses](Self::contacts) are in p\[1\] only. For first-order systems, p\[0\] is the input r =
    /// g(t, x, lambda).
    ///
    /// # Errors
    ///
    /// If the id is unknown to the model or the state, or if a value is not finite: [`ModelError`].
    #[doc(alias = "p")]
    pub fn reaction(
        &self,
        model: &NonSmoothDynamicalSystem,
        system: DynamicalSystemId,
        level: Level,
    ) -> Result<Vec<f64>, ModelError> {
        let mut p = vec![0.0; model.system(system)?.degrees_of_freedom()];
        let places = self.known(system)?;
        if level == Level::Velocity {
            p.copy_from_slice(&self.impulse[places.v.clone()]);
            return Ok(p);
        }
        for id in model.interactions_of(system) {
            let interaction = model.interaction(id)?;
            let Some(place) = interaction.systems().iter().position(|other| *other == system) else {
                continue;
            };
            let rows = self.layout.rows(id).cloned().ok_or(ModelError::UnknownInteraction { id })?;
            let lambda = &self.lambda[level.index()][rows];
            let x = self.gathered(interaction)?;
            let mut start = 0;
            for other in &interaction.systems()[..place] {
                start += model.system(*other)?.degrees_of_freedom();
            }
            let relation = interaction.relation();
            if relation.is_first_order() {
                if level == Level::Position {
                    let r = self.values(relation, &x, lambda).r;
                    p.iter_mut().zip(&r[start..]).for_each(|(p, r)| *p += r);
                }
                continue;
            }
            let shape = (interaction.size(), interaction.columns());
            let mut jacobian = Array2::zeros(shape);
            let mut scratch = DifferenceScratch::new(shape.0, shape.1);
            relation.input_into(self.at(), interaction.space(), &x, &mut scratch, jacobian.view_mut());
            for (row, lambda) in jacobian.rows().into_iter().zip(lambda) {
                p.iter_mut().zip(row.iter().skip(start)).for_each(|(p, j)| *p += j * lambda);
            }
        }
        check_finite("p", &p)?;
        Ok(p)
    }

    /// Collects the positions (or states x) of all systems of an interaction.
    fn gathered(&self, interaction: &Interaction) -> Result<Vec<f64>, ModelError> {
        let mut all = Vec::new();
        for id in interaction.systems() {
            let places = self.known(*id)?;
            let of_velocities = places.first_order || interaction.relation().is_first_order();
            let (from, place) = if of_velocities { (&self.v, &places.v) } else { (&self.q, &places.q) };
            all.extend_from_slice(&from[place.clone()]);
        }
        Ok(all)
    }

    /// Evaluates the matrices, offset and functions of a relation between first-order systems at the state.
    fn values(&self, relation: &Relation, x: &[f64], lambda: &[f64]) -> RelationValues {
        let mut values = RelationValues::of(relation, x.len());
        values.matrices(relation, self.at(), x, lambda);
        values.offset(relation, self.at());
        values.functions(relation, self.at(), x, lambda);
        values
    }
}
