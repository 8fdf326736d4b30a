//! Report of an event-driven step.

use siconos_numerics::SolveInfo;

use crate::nonsmooth_problem::UnitaryRelation;
use crate::simulation::Event;
use crate::state::EventSide;

/// Report of an event, or of several events at the same tick.
#[derive(Clone, Copy, Debug)]
pub struct EventReport<'a> {
    /// Time \[s\]. It is the located root if there is one, and the time of the scheduled events otherwise.
    pub t: f64,
    /// Processed events, ordered by their kinds.
    pub events: &'a [Event],
    /// Contacts that closed with an impact.
    pub impacts: &'a [UnitaryRelation],
    /// Contacts that closed with an impact before the step, at the time of the state from which the step
    /// started. This happens after the user has set the state, or after a user event has changed forces. The
    /// impulses of these impacts are available only in the state after
    /// [`EventDriven::update_state`](super::EventDriven::update_state).
    pub impacts_before: &'a [UnitaryRelation],
    /// Contacts that were removed from I_2.
    pub released: &'a [UnitaryRelation],
    /// Contacts of I_2 with no gap acceleration and no contact force, for which the next derivative is zero
    /// as well. They stay in I_2.
    pub undetermined: &'a [UnitaryRelation],
    /// Index set I_2 after the event: lasting contacts and bilateral constraints. For first-order
    /// systems, the active constraints.
    pub closed: &'a [UnitaryRelation],
    /// `true` if the state of first-order systems has jumped at this event or before the step. A jump before
    /// the step occurs if the state is inconsistent after a user event or because the user has set it.
    ///
    /// The jump is caused by an impulse $\sigma$ of lambda. After a jump at the event, $\sigma$ is in
    /// [`State::lambda`](crate::State::lambda) at [`Level::Velocity`](crate::Level::Velocity), and
    /// $p\[1\] = M (x^+ - x^-) = B \sigma$ is in [`State::impulse`](crate::State::impulse). After a jump
    /// before the step, they are available only in the state after
    /// [`EventDriven::update_state`](super::EventDriven::update_state).
    pub jumped: bool,
    /// Solver result of the problem at velocity level. Without an impact, the status is converged after 0
    /// iterations. For first-order systems, it is the result for the jump, if the jump was computed by a
    /// complementarity problem.
    pub impact_solve: SolveInfo,
    /// Solver result of the problem at acceleration level. For first-order systems, it is the result for the
    /// choice of the active constraints, if a complementarity problem was solved for this choice.
    pub acceleration_solve: SolveInfo,
    /// Accumulation of impacts at this event, if there is one.
    pub accumulation: Option<Accumulation<'a>>,
}

impl EventReport<'_> {
    /// Returns the sides of the event at which the state differs: both sides if there was an impact or a
    /// jump, and only the side after the event otherwise. A table of results that shows jumps has one row for
    /// each side.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::prelude::*;
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let ball = LagrangianLinear::new(vec![0.0], vec![4.0], array![1.0])
    ///     .with_constant_external_force(vec![-8.0]);
    /// let ball = model.add_system(ball)?;
    /// let floor = LagrangianLinearRelation::new(array![[1.0]]);
    /// model.add_interaction([ball], floor, NewtonImpact::new(0.5)?)?;
    /// let grid = TimeDiscretisation::uniform(0.0, 1.25, 1.25)?;
    /// let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
    /// let mut state = simulation.initial_state(&model)?;
    /// let mut rows = Vec::new();
    /// simulation.run(&model, &mut state, |report, state| {
    ///     rows.extend(report.sides().iter().map(|&side| (report.t, state.v_at(side, ball)[0])));
    /// })?;
    /// let expected = [(1.0, -4.0), (1.0, 2.0), (1.25, 0.0)];
    /// assert_eq!(rows.len(), expected.len());
    /// for ((t, v), (expected_t, expected_v)) in rows.into_iter().zip(expected) {
    ///     assert!((t - expected_t).abs() < 1e-12 && (v - expected_v).abs() < 1e-11);
    /// }
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    #[must_use]
    pub fn sides(&self) -> &'static [EventSide] {
        if self.impacts.is_empty() && !self.jumped {
            &[EventSide::After]
        } else {
            &[EventSide::Before, EventSide::After]
        }
    }
}

/// Accumulation of impacts to which the accumulation policy was applied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accumulation<'a> {
    /// Estimated time \[s\] at which infinitely many impacts would have occurred.
    pub t: f64,
    /// Contacts at which impacts accumulate.
    pub contacts: &'a [UnitaryRelation],
}
