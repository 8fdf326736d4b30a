//! Columns of the energy balance: `energy = true` in `[output]`.

use super::interactions::Interaction;
use super::systems::System;
use super::watched::{KINETIC, WORKS};
use crate::output::StandardColumn;

/// Prefix of the names of the columns with the work since the start.
const WORK_OF: &str = "work_of_";

/// Returns the columns: the kinetic energy, the potential energy if it is known, and, in a time-stepping
/// simulation, the work since the start \[J\].
///
/// The kinetic energy changes by the sum of all works. The potential energy is known if the forces on all
/// systems are constant or those of a linear spring, and if no law is a spring.
pub(super) fn columns(
    systems: &[System],
    interactions: &[&Interaction],
    by_steps: bool,
) -> Vec<StandardColumn> {
    let value = |name: &str, value: String| StandardColumn { name: name.to_owned(), value, is_sum: false };
    let kinetic = value("kinetic_energy", KINETIC.to_owned());
    let potential = potential(systems, interactions).map(|sum| value("potential_energy", sum));
    let works = WORKS.iter().filter(|_| by_steps).map(|(name, _)| StandardColumn {
        name: name.replacen("work.", WORK_OF, 1),
        value: (*name).to_owned(),
        is_sum: true,
    });
    [kinetic].into_iter().chain(potential).chain(works).collect()
}

/// Returns the potential energy as an expression of outputs, or `None` if it is not known.
fn potential(systems: &[System], interactions: &[&Interaction]) -> Option<String> {
    if interactions.iter().any(|own| own.law.is_spring()) {
        return None;
    }
    let mut terms = Vec::new();
    for system in systems.iter().filter(|system| !system.is_first_order()) {
        let coordinates = system.coordinates.names.iter().map(|own| format!("{}.{own}", system.name));
        let coordinates: Vec<_> = coordinates.collect();
        let known = system.conservative_forces()?;
        for (force, coordinate) in known.constant.iter().zip(&coordinates) {
            terms.push(format!("-({force}) * {coordinate}"));
        }
        for (row, column, entry) in known.stiffness {
            terms.push(format!("0.5 * ({entry}) * {} * {}", coordinates[row], coordinates[column]));
        }
    }
    Some(if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") })
}
