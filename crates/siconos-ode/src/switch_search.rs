//! Search for a switch of f along a straight line.

use super::evaluate_guards::evaluate;
use super::root::find_crossing;
use super::{OdeError, OdeSystem, Statistics};

/// Workspace for a search along a straight line: a state, and the guards at the start, at the end and at a
/// point between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    x: Vec<f64>,
    here: Vec<f64>,
    there: Vec<f64>,
    between: Vec<f64>,
}

impl Line {
    /// Returns the time \[s\] after `t` at which a straight line meets a switch, located to `width` \[s\].
    /// Returns `None` if the line meets no switch within the time `within` \[s\]. The line is given by its
    /// start and its slope.
    pub(super) fn time_to_switch(
        &mut self,
        system: &mut dyn OdeSystem,
        statistics: &mut Statistics,
        (start, slope): (&[f64], &[f64]),
        (t, within): (f64, f64),
        width: f64,
    ) -> Result<Option<f64>, OdeError> {
        let guards = system.guards();
        let Self { x, here, there, between } = self;
        for vector in [&mut *here, &mut *there, &mut *between] {
            vector.clear();
            vector.resize(guards, 0.0);
        }
        x.resize(start.len(), 0.0);
        let mut look = |system: &mut dyn OdeSystem, time: f64, g: &mut [f64]| {
            for ((x, start), slope) in x.iter_mut().zip(start).zip(slope) {
                *x = start + time * slope;
            }
            evaluate(system, statistics, t + time, x, g)
        };
        look(system, 0.0, here)?;
        look(system, within, there)?;
        let mut first = None;
        for guard in 0..guards {
            let (a, b) = (here[guard], there[guard]);
            if a * b >= 0.0 || !system.is_switch(guard) {
                continue;
            }
            let sign = a.signum();
            let bracket = find_crossing((0.0, within), (sign * a, sign * b), width, |time| {
                look(system, time, between)?;
                Ok::<f64, OdeError>(sign * between[guard])
            })?;
            first = Some(first.map_or(bracket.before, |first: f64| first.min(bracket.before)));
        }
        Ok(first)
    }
}
