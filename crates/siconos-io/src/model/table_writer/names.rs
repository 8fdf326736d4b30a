//! Names of systems, interactions and coordinates in a file.

use std::collections::{BTreeMap, BTreeSet};

use siconos_expression::{Role, Scope};
use siconos_kernel::arena::{Arena, Id};
use siconos_kernel::model::{
    DynamicalSystem, DynamicalSystemId, Expressions, Interaction, InteractionId, NonSmoothDynamicalSystem,
    Origin, UserFunctions,
};

use super::unwritten::{NO_NAME, UnwrittenPart};
use crate::document::is_plain;
use crate::model::scopes::{FIRST, T, declare};

/// Names of all systems and interactions.
pub(in crate::model) struct Names {
    systems: Vec<(DynamicalSystemId, String)>,
    /// Index of each system in `systems`.
    places: BTreeMap<DynamicalSystemId, usize>,
    interactions: Vec<(InteractionId, String)>,
    /// Names of coordinates, for systems whose coordinates a file has named.
    coordinates: BTreeMap<DynamicalSystemId, Vec<String>>,
}

impl Names {
    /// Names the systems and interactions of a model. `coordinates` are the names that a file gives to
    /// coordinates.
    pub(in crate::model) fn of(
        model: &NonSmoothDynamicalSystem,
        coordinates: BTreeMap<DynamicalSystemId, Vec<String>>,
        unwritten: &mut Vec<UnwrittenPart>,
    ) -> Self {
        // A system and an interaction have different names.
        let mut taken = BTreeSet::new();
        let systems = named(model.systems(), "system", &mut taken, unwritten);
        let interactions = named(model.interactions(), "interaction", &mut taken, unwritten);
        let places = systems.iter().enumerate().map(|(place, (id, _))| (*id, place)).collect();
        Self { systems, places, interactions, coordinates }
    }

    /// Returns all systems in insertion order.
    pub(in crate::model) fn systems(&self) -> &[(DynamicalSystemId, String)] {
        &self.systems
    }

    /// Returns all interactions in insertion order.
    pub(in crate::model) fn interactions(&self) -> &[(InteractionId, String)] {
        &self.interactions
    }

    /// Returns the names of the coordinates of a system: the names in the file, or else the names that its
    /// expressions read. Returns `None` if neither exist.
    pub(in crate::model) fn coordinates(
        &self,
        model: &NonSmoothDynamicalSystem,
        id: DynamicalSystemId,
        name: &str,
        system: &DynamicalSystem,
    ) -> Option<Vec<String>> {
        let of_file = self.coordinates.get(&id).cloned();
        of_file.or_else(|| coordinates(model, id, name, system))
    }

    pub(in crate::model) fn system(&self, id: DynamicalSystemId) -> &str {
        self.places.get(&id).and_then(|place| self.systems.get(*place)).map_or("", |(_, name)| name)
    }
}

/// Names each object. An object without a name, or with a name that is invalid in files or already taken,
/// gets a name that consists of `word` and a number.
fn named<T>(
    arena: &Arena<T>,
    word: &str,
    taken: &mut BTreeSet<String>,
    unwritten: &mut Vec<UnwrittenPart>,
) -> Vec<(Id<T>, String)> {
    let ids: Vec<_> = arena.ids().collect();
    let fits = |name: &str| is_plain(name) && !taken.contains(name);
    let own: Vec<_> = ids.iter().map(|id| id.name().filter(|name| fits(name)).map(str::to_owned)).collect();
    taken.extend(own.iter().flatten().cloned());
    let mut named = Vec::with_capacity(ids.len());
    for ((place, id), own) in ids.into_iter().enumerate().zip(own) {
        if let (Some(name), None) = (id.name(), &own) {
            let object = format!("{word} `{name}`");
            unwritten.push(UnwrittenPart { object, part: "its name".to_owned(), reason: NO_NAME });
        }
        let name = own.unwrap_or_else(|| {
            let free = first_free(&format!("{word}{}", place + 1), |name| taken.contains(name));
            taken.insert(free.clone());
            free
        });
        named.push((id, name));
    }
    named
}

/// Appends underscores to a name until it is not taken.
fn first_free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut free = name.to_owned();
    while is_taken(&free) {
        free.push('_');
    }
    free
}

/// Returns the number of positions or states of a system.
pub(in crate::model) fn coordinate_count(system: &DynamicalSystem) -> usize {
    if system.is_first_order() { system.x0().len() } else { system.q0().len() }
}

/// Returns the names of the coordinates of a system in the expressions of the model, or `None` if no
/// expression reads them.
fn coordinates(
    model: &NonSmoothDynamicalSystem,
    id: DynamicalSystemId,
    name: &str,
    system: &DynamicalSystem,
) -> Option<Vec<String>> {
    let count = coordinate_count(system);
    let own = arguments(system).find(|own| own.arguments.len() >= count);
    let names = match own {
        Some(own) => own.arguments[..count].to_vec(),
        None => of_interactions(model, id, name, count)?,
    };
    let can_be_read = names.iter().all(|own| own != T) && {
        let mut scope = Scope::new();
        declare(&mut scope, &names, 0, FIRST, Role::State).is_ok()
    };
    can_be_read.then_some(names)
}

/// Returns the names that relations use for the coordinates of a system, without the system name before them.
fn of_interactions(
    model: &NonSmoothDynamicalSystem,
    id: DynamicalSystemId,
    name: &str,
    count: usize,
) -> Option<Vec<String>> {
    let interactions = model.interactions_of(id).filter_map(|own| model.interaction(own).ok());
    interactions.map(Interaction::relation).find_map(|relation| {
        let own = arguments(relation).next()?;
        let prefix = format!("{name}.");
        let names: Vec<_> = own.arguments.iter().filter_map(|own| own.strip_prefix(&prefix)).collect();
        (names.len() == count).then(|| names.into_iter().map(str::to_owned).collect())
    })
}

fn arguments(object: &impl UserFunctions) -> impl Iterator<Item = &Expressions> {
    object.functions().into_iter().filter_map(|function| match function.origin {
        Origin::Expressions(expressions) if !expressions.arguments.is_empty() => Some(&**expressions),
        _ => None,
    })
}
