//! Descriptions of a system, its events and its settings. They are compared with the descriptions in a record
//! before a solution is resumed from the record.

use std::fmt::Debug;

use super::HybridSystem;
use super::event::{Event, EventAction, EventTrigger, GuardOf};
use super::settings::HybridSettings;
use siconos_kernel::engine::{HasParts, PartList};
use siconos_kernel::model::Origin;

/// Joins names with commas.
fn listed(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

impl HasParts for HybridSystem {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("hybrid system");
        parts.count("order", if self.is_second_order { 2 } else { 1 });
        parts.word("list of states", listed(self.names[..self.states()].iter().cloned()));
        parts.word("list of algebraic variables", listed(self.names[self.states()..].iter().cloned()));
        let discrete = self.discrete.iter().map(|variable| format!("{}: {:?}", variable.name, variable.kind));
        parts.word("list of discrete variables", listed(discrete));
        let parameter = |size: usize, name: &str| format!("{name}[{size}]");
        let parameters = self.declared_parameters.iter();
        let parameters = parameters.map(|(_, it)| parameter(it.initial().len(), it.name()));
        parts.word("list of parameters", listed(parameters));
        if let Some(mass) = &self.mass {
            parts.dense("M", mass.view());
        }
        let switches = self.switches.len() + self.switch_times.len();
        if switches > 0 {
            parts.count("switches", switches);
        }
        if self.jacobian.is_some() {
            parts.word("derivative", "given");
        }
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        Vec::new()
    }
}

/// Event, with the system that contains the names of its variables.
pub(super) struct Named<'a>(pub(super) &'a HybridSystem, pub(super) &'a Event);

impl HasParts for Named<'_> {
    fn parts(&self) -> PartList<'_> {
        let Self(system, event) = self;
        let of = |f: &GuardOf| match f {
            GuardOf::Variable(index) => system.names[*index].clone(),
            GuardOf::Function(_) => "a function".to_owned(),
        };
        let mut parts = match &event.kind {
            EventTrigger::Root { f, crossing, side, condition } => {
                let mut parts = PartList::of("root");
                parts.word("argument", of(f));
                parts.word("direction", format!("{crossing:?}"));
                if let Some(side) = side {
                    parts.word("side", format!("{side:?}"));
                }
                if condition.is_some() {
                    parts.word("condition", "a function");
                }
                parts
            }
            EventTrigger::Range { f, lower, upper } => {
                let mut parts = PartList::of("range");
                parts.word("argument", of(f));
                parts.number("lower end", *lower);
                parts.number("upper end", *upper);
                parts
            }
            EventTrigger::Time { start, every } => {
                let mut parts = PartList::of("time");
                parts.number("start", *start);
                if let Some(every) = every {
                    parts.number("period", *every);
                }
                parts
            }
            EventTrigger::Discrete { .. } => PartList::of("condition"),
        };
        let action = match &event.work {
            EventAction::None => "none",
            EventAction::Function(_) => "a function",
            EventAction::Run { .. } => "statements",
        };
        parts.word("action", action);
        parts.word("retrigger", event.retrigger.to_string());
        parts.word("fire_initial", event.fire_initial.to_string());
        if let Some((id, value)) = event.requires {
            parts.word("requires", format!("{} = {value}", system.discrete[id.index()].name));
        }
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        Vec::new()
    }
}

/// Initial time and settings. All bits of a solution depend on them.
pub(super) struct Start<'a>(pub(super) f64, pub(super) &'a HybridSettings);

impl HasParts for Start<'_> {
    fn parts(&self) -> PartList<'_> {
        let Self(t0, settings) = self;
        let HybridSettings {
            ode,
            event_maxiter,
            event_iterate,
            event_pre,
            event_initial,
            double_cross,
            accumulation,
            record: _,
            instant,
            restart_every,
        } = settings;
        let mut parts = PartList::of("hybrid solution");
        parts.number("t0", *t0);
        let all: [(&'static str, &dyn Debug); 15] = [
            ("method", &ode.method),
            ("relative_tolerance", &ode.relative_tolerance),
            ("absolute_tolerance", &ode.absolute_tolerance),
            ("h_initial", &ode.h_initial),
            ("h_max", &ode.h_max),
            ("samples", &ode.samples),
            ("root_tolerance", &ode.root_tolerance),
            ("event_maxiter", event_maxiter),
            ("event_iterate", event_iterate),
            ("event_pre", event_pre),
            ("event_initial", event_initial),
            ("double_cross", double_cross),
            ("accumulation", accumulation),
            ("instant", instant),
            ("restart_every", restart_every),
        ];
        for (name, value) in all {
            parts.word(name, format!("{value:?}"));
        }
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        Vec::new()
    }
}
