//! Check of the schemes of a simulation against the relative degree of its model.

use super::BuildReport;
use super::builder::Integrators;
use crate::analysis::{AnalysisError, LinearSystem, RelativeDegree, SchemeMismatch};
use crate::arena::SideTable;
use crate::model::{
    DisjointSets, DynamicalSystemId, InteractionId, NonSmoothDynamicalSystem, NonSmoothLaw, Partition,
};

/// Maximum total number of states and multipliers of a part of the model. The relative degree of a larger
/// part is not computed, because its matrices are dense.
const LARGEST_PART: usize = 500;

/// Checks the schemes of the first-order systems against the relative degrees of their parts. A part consists
/// of systems that are connected by interactions.
pub(super) fn check_schemes(
    model: &NonSmoothDynamicalSystem,
    integrators: &Integrators,
    t0: f64,
) -> BuildReport {
    let (systems, parts, interactions) = connected(model);
    let (members, starts) = parts.members();
    let (mut mismatches, mut unchecked) = (Vec::new(), None);
    for (range, interactions) in starts.windows(2).zip(&interactions) {
        let members = &members[range[0]..range[1]];
        let part: Vec<_> = members.iter().map(|&member| systems[member]).collect();
        match degree(model, &part, interactions, t0) {
            Ok(None) => {}
            Ok(Some(degree)) => {
                let bounded = multipliers_are_bounded(model, interactions, t0);
                let look = if bounded { SchemeMismatch::of_bounded } else { SchemeMismatch::of };
                mismatches.extend(members.iter().filter_map(|&member| {
                    let id = systems[member];
                    look(&degree, integrators.of(id, true)).map(|mismatch| (member, (id, mismatch)))
                }));
            }
            Err(error) => unchecked = unchecked.or(Some(error)),
        }
    }
    mismatches.sort_by_key(|(member, _)| *member);
    BuildReport { mismatches: mismatches.into_iter().map(|(_, of_system)| of_system).collect(), unchecked }
}

/// Returns the first-order systems, their connected parts, and the interactions of each part.
fn connected(
    model: &NonSmoothDynamicalSystem,
) -> (Vec<DynamicalSystemId>, DisjointSets, Vec<Vec<InteractionId>>) {
    let (mut systems, mut places) = (Vec::new(), SideTable::default());
    for (id, _) in model.systems().iter().filter(|(_, system)| system.is_first_order()) {
        places.insert(id, systems.len());
        systems.push(id);
    }
    let of_interaction =
        |ids: &[DynamicalSystemId]| ids.iter().filter_map(|id| places.get(*id).copied()).collect::<Vec<_>>();
    let mut partition = Partition::new(systems.len());
    let relations = || {
        model.interactions().iter().filter(|(_, it)| it.relation().is_first_order() && !model.is_mixed(it))
    };
    relations().for_each(|(_, interaction)| partition.join(of_interaction(interaction.systems())));
    let parts = partition.parts();
    let mut interactions = vec![Vec::new(); parts.count];
    for (id, interaction) in relations() {
        if let Some(&member) = of_interaction(interaction.systems()).first() {
            interactions[parts.part_of[member]].push(id);
        }
    }
    (systems, parts, interactions)
}

/// Returns the relative degree of one part; `None` for a part without interactions.
fn degree(
    model: &NonSmoothDynamicalSystem,
    systems: &[DynamicalSystemId],
    interactions: &[InteractionId],
    t0: f64,
) -> Result<Option<RelativeDegree>, AnalysisError> {
    let (mut states, mut multipliers) = (0, 0);
    for id in systems {
        states += model.system(*id)?.x0().len();
    }
    for id in interactions {
        multipliers += model.interaction(*id)?.size();
    }
    if multipliers > 0 && states + multipliers > LARGEST_PART {
        return Err(AnalysisError::TooLarge { states, multipliers, largest: LARGEST_PART });
    }
    let system = LinearSystem::of_part(model, t0, systems, interactions)?;
    system
        .map(|system| RelativeDegree::of(&system.with_compliance(&compliances(model, interactions))))
        .transpose()
}

/// Returns the compliance of each multiplier, which is 1/k for a relay with the gain k, and 0 otherwise.
fn compliances(model: &NonSmoothDynamicalSystem, interactions: &[InteractionId]) -> Vec<f64> {
    let interactions = interactions.iter().filter_map(|id| model.interaction(*id).ok());
    let of_law = |law: &NonSmoothLaw| match law {
        NonSmoothLaw::Relay(relay) => 1.0 / relay.gain(),
        _ => 0.0,
    };
    interactions.flat_map(|own| std::iter::repeat_n(of_law(own.law()), own.size())).collect()
}

/// Returns `true` if all multipliers have finite bounds.
fn multipliers_are_bounded(
    model: &NonSmoothDynamicalSystem,
    interactions: &[InteractionId],
    t0: f64,
) -> bool {
    let mut interactions = interactions.iter().filter_map(|id| model.interaction(*id).ok());
    interactions.all(|interaction| match interaction.law() {
        NonSmoothLaw::Relay(law) => {
            let (mut lower, mut upper) = (vec![0.0; law.size()], vec![0.0; law.size()]);
            law.bounds_into(model.at(t0), &mut lower, &mut upper).is_ok()
                && lower.iter().chain(&upper).all(|bound| bound.is_finite())
        }
        NonSmoothLaw::NormalCone(law) => law.polyhedron().is_bounded(),
        _ => false,
    })
}
