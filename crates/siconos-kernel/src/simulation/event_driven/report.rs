//! What an event-driven step tells.

use siconos_numerics::SolveInfo;

use crate::nonsmooth_problem::UnitaryRelation;
use crate::simulation::Event;
use crate::state::Side;

/// The account of one event, or of several at the same tick.
#[derive(Clone, Copy, Debug)]
pub struct EventReport<'a> {
    /// The time \[s\]: of the root where there was one, of the scheduled events otherwise.
    pub t: f64,
    /// The events that were processed, in the order of their kinds.
    pub events: &'a [Event],
    /// The contacts that closed with an impact.
    pub impacts: &'a [UnitaryRelation],
    /// The contacts that closed with an impact before the step, at the time of the state that it began from:
    /// it was set by the user, or forces were changed by a user event. The impulses of such impacts are in
    /// the state after [`EventDriven::settle`](super::EventDriven::settle) only.
    pub impacts_before: &'a [UnitaryRelation],
    /// The contacts that left I_2.
    pub released: &'a [UnitaryRelation],
    /// The contacts with neither acceleration nor force, of which the next derivative says nothing either;
    /// they stay in I_2.
    pub undetermined: &'a [UnitaryRelation],
    /// The index set I_2 after the event: contacts that last, and bilateral constraints. Of first-order
    /// systems the active constraints.
    pub closed: &'a [UnitaryRelation],
    /// Whether the state of first-order systems has jumped, at this event, or where it was settled before the
    /// step: after a user event, or after the user has set it. An impulse $\sigma$ of lambda has moved it,
    /// which after a jump at the event is in [`State::lambda`](crate::State::lambda) at
    /// [`Level::Velocity`](crate::Level::Velocity), and as $p\[1\] = M (x^+ - x^-) = B \sigma$ in
    /// [`State::impulse`](crate::State::impulse); that of a jump before the step is there after
    /// [`EventDriven::settle`](super::EventDriven::settle).
    pub jumped: bool,
    /// What the solver told of the problem at velocity level; nothing to solve where there was no impact. Of
    /// first-order systems that of the jump, where it is a complementarity problem.
    pub impact_solve: SolveInfo,
    /// How the solver ended at acceleration level; of first-order systems, at the choice of the active
    /// constraints, where one was solved.
    pub acceleration_solve: SolveInfo,
    /// Where impacts accumulated at this event.
    pub accumulation: Option<Accumulation<'a>>,
}

impl EventReport<'_> {
    /// The sides of the event that differ: both where there was an impact or a jump, otherwise the one after
    /// it. So a table that is to show jumps gets a row for each.
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
    pub fn sides(&self) -> &'static [Side] {
        if self.impacts.is_empty() && !self.jumped { &[Side::After] } else { &[Side::Before, Side::After] }
    }
}

/// An accumulation of impacts that was cut short.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accumulation<'a> {
    /// The estimated time at which infinitely many impacts would have taken place \[s\].
    pub t: f64,
    /// The contacts.
    pub contacts: &'a [UnitaryRelation],
}
