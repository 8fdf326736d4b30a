//! Event iteration at one instant.
//!
//! Each pass processes the events in the order in which they were added. A continuous event whose trigger
//! fires at this time fires in the first pass. A discrete event fires in every pass in which its condition
//! holds. The settings determine the number of passes. If an event halts the iteration, the iteration resumes
//! at the event after it when the halt is cleared.

use siconos_ode::Crossing;

use super::action::{Flow, run};
use super::event::{EventAction, EventTrigger, GuardOf};
use super::event_workspace::Executed;
use super::solution::HybridSolution;
use super::{EventIterate, EventNumber, EventPre, HybridError, RootSide, Variable};
use siconos_kernel::model::At;

/// Outcome of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IterationEnd {
    Done,
    /// An event halted the integration. `is_over` is `true` if the iteration ended before the halt.
    Halted {
        event: usize,
        is_over: bool,
    },
}

impl HybridSolution {
    /// Starts the iteration at the current time. `first` is the index of the event that is processed first.
    pub(super) fn begin_iteration(&mut self, first: usize) -> Result<(), HybridError> {
        self.iteration.begun_with.clone_from(&self.event_workspace.values);
        self.event_workspace.previous.clone_from(&self.event_workspace.values);
        self.iteration.pass = 0;
        self.begin_pass()?;
        self.iteration.next = first;
        Ok(())
    }

    fn begin_pass(&mut self) -> Result<(), HybridError> {
        let limit = self.settings.event_maxiter;
        if self.iteration.pass == limit {
            return Err(self.endless(limit));
        }
        self.iteration.pass += 1;
        self.iteration.next = 0;
        self.iteration.fired_in_pass.clear();
        if self.settings.event_pre == EventPre::Iteration {
            self.event_workspace.previous.copy_from_slice(&self.event_workspace.values);
        }
        Ok(())
    }

    fn endless(&self, limit: usize) -> HybridError {
        let events = self.iteration.fired_in_pass.clone();
        let retriggers = |number: &EventNumber| {
            let event = &self.system.events[number - 1];
            event.retrigger && event.is_continuous()
        };
        let hint = if events.iter().any(retriggers) {
            "; a continuous trigger with `retrigger` fires in every pass"
        } else if events.is_empty() {
            "; variables still change from pass to pass"
        } else {
            ""
        };
        HybridError::EndlessIteration { t: self.event_workspace.t, limit, events, hint }
    }

    /// Continues the iteration until it ends or is halted.
    pub(super) fn iterate(&mut self) -> Result<IterationEnd, HybridError> {
        loop {
            if let Some(end) = self.go_through()? {
                return Ok(end);
            }
            let again = match self.settings.event_iterate {
                EventIterate::Trigger => !self.iteration.fired_in_pass.is_empty(),
                EventIterate::PreChange => self.event_workspace.values != self.event_workspace.previous,
            };
            if !again {
                return Ok(self.over());
            }
            self.begin_pass()?;
        }
    }

    /// Processes the remaining events of the pass, and the events of all further passes that actions start
    /// ([`Flow::ToBegin`]).
    fn go_through(&mut self) -> Result<Option<IterationEnd>, HybridError> {
        while self.iteration.next < self.system.events.len() {
            let place = self.iteration.next;
            self.iteration.next += 1;
            if !self.enabled[place] || !self.is_triggered(place) {
                continue;
            }
            let flow = self.execute(place)?;
            if flow != Flow::NoMark {
                self.mark(place);
            }
            match flow {
                Flow::Next | Flow::NoMark => (),
                Flow::Halt => return Ok(Some(IterationEnd::Halted { event: place, is_over: false })),
                Flow::DelayHalt => self.iteration.delayed = Some(place),
                Flow::ToBegin => self.begin_pass()?,
                Flow::ToEnd => break,
                Flow::BreakIteration => return Ok(Some(self.over())),
            }
        }
        Ok(None)
    }

    fn over(&mut self) -> IterationEnd {
        match self.iteration.delayed.take() {
            None => IterationEnd::Done,
            Some(event) => IterationEnd::Halted { event, is_over: true },
        }
    }

    fn mark(&mut self, place: usize) {
        self.iteration.has_fired[place] = true;
        self.iteration.fired_in_pass.push(place + 1);
        self.iteration.fired.push(place + 1);
        if self.system.events[place].is_continuous() {
            self.last_fired[place] = Some(self.event_workspace.t);
        }
    }

    /// Returns `true` if the event with index `place` fires in this pass.
    fn is_triggered(&mut self, place: usize) -> bool {
        if self.system.events[place].is_continuous() {
            let Some(way) = self.iteration.pending[place] else { return false };
            self.put_on_side(place, way);
            if !self.system.events[place].retrigger {
                self.iteration.pending[place] = None;
            }
        }
        let event = &self.system.events[place];
        let condition = match &event.kind {
            EventTrigger::Discrete { .. } if self.iteration.has_fired[place] && !event.retrigger => {
                return false;
            }
            EventTrigger::Discrete { condition } | EventTrigger::Root { condition: Some(condition), .. } => {
                condition
            }
            EventTrigger::Root { condition: None, .. }
            | EventTrigger::Range { .. }
            | EventTrigger::Time { .. } => return true,
        };
        let (system, parameters, mode) = (&self.system, &self.parameters, self.settings.event_pre);
        self.event_workspace.lend(system, parameters, mode, &[], |point| condition.holds(point)).result
    }

    /// Moves the variable of a trigger to the requested side of the root. Does nothing if an event has
    /// already assigned the variable in this iteration.
    fn put_on_side(&mut self, place: usize, way: Crossing) {
        let EventTrigger::Root { f: GuardOf::Variable(index), side: Some(side), .. } =
            self.system.events[place].kind
        else {
            return;
        };
        let value = self.event_workspace.values[index];
        if value.to_bits() != self.iteration.begun_with[index].to_bits() {
            return;
        }
        let after = if way == Crossing::Falling { -1.0 } else { 1.0 };
        let sign = if side == RootSide::Post { after } else { -after };
        if value * sign > 0.0 {
            return;
        }
        // Distance that the variable moves in a time equal to the root location width.
        let reach = self.probe.reach_of(index).max(value.abs()).max(f64::MIN_POSITIVE);
        self.event_workspace.values[index] = sign * reach;
    }

    /// Executes the action of the event with index `place`.
    fn execute(&mut self, place: usize) -> Result<Flow, HybridError> {
        let requires = self.system.events[place].requires;
        let (system, parameters, mode) = (&self.system, &self.parameters, self.settings.event_pre);
        if let Some((id, needed)) = requires {
            if let Some(pair) = self.pairs.iter().find(|pair| pair.has(place)) {
                pair.check(&self.system, self.event_workspace.view(&self.system, &self.parameters))?;
            }
            let k = self.system.names.len() + id.0;
            let _ = self
                .event_workspace
                .lend(system, parameters, mode, &[], |point| point.write(k, f64::from(!needed)));
        }
        let Executed { result: flow, fault, has_changed } = match &self.system.events[place].work {
            EventAction::None => Executed { result: Flow::Next, fault: None, has_changed: false },
            EventAction::Function(function) => {
                self.event_workspace.lend(system, parameters, mode, &[], |point| (function.0)(point))
            }
            EventAction::Run { instructions, temporaries } => {
                self.event_workspace
                    .lend(system, parameters, mode, temporaries, |point| run(instructions, point))
            }
        };
        if let Some(fault) = fault {
            let target = self.system.name_of(fault.variable);
            let is_required = matches!(fault.variable, Variable::Discrete(id) if self.system.required[id.0]);
            let event = place + 1;
            return Err(if is_required {
                HybridError::Assignment { event, target, why: fault.must_be }
            } else {
                let (t, value, must_be) = (self.event_workspace.t, fault.value, fault.must_be);
                HybridError::ValueFunction { event, t, target, value, must_be }
            });
        }
        // The variable that arms the event has changed, even if the action itself has changed no variable.
        if has_changed || requires.is_some() {
            self.make_consistent()?;
        }
        Ok(flow)
    }

    /// Recomputes the algebraic variables after a change.
    pub(super) fn make_consistent(&mut self) -> Result<(), HybridError> {
        let (x, discrete) = self.event_workspace.values.split_at_mut(self.system.names.len());
        let at = At::new(self.piece.nearest(self.event_workspace.t), &self.parameters);
        self.consistency.establish(&self.system, &self.settings.ode, at, discrete, x)
    }
}
