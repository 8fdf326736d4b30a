//! The names that systems, interactions and coordinates have in a file.

use siconos_expression::{Role, Scope};
use siconos_kernel::arena::{Arena, Id};
use siconos_kernel::model::{
    DynamicalSystem, DynamicalSystemId, Expressions, Interaction, InteractionId, NonSmoothDynamicalSystem,
    Origin, UserFunctions,
};

use crate::model::scopes::{FIRST, T, declare};

/// The names of all systems and interactions.
pub(in crate::model) struct Names {
    systems: Vec<(DynamicalSystemId, String)>,
    interactions: Vec<(InteractionId, String)>,
    /// Of systems whose coordinates a file has named.
    coordinates: Vec<(DynamicalSystemId, Vec<String>)>,
}

impl Names {
    /// Of a model, with the coordinates of systems that a file has named.
    pub(super) fn of(
        model: &NonSmoothDynamicalSystem,
        coordinates: Vec<(DynamicalSystemId, Vec<String>)>,
    ) -> Self {
        // The name of a system stands in front of those of its coordinates.
        let fits = |name: &str| {
            let mut scope = Scope::new();
            declare(&mut scope, &[format!("{name}.q")], 0, (FIRST, Role::State)).is_ok()
        };
        Self {
            systems: named(model.systems(), "system", fits),
            interactions: named(model.interactions(), "interaction", |_| true),
            coordinates,
        }
    }

    /// All systems, in the order of birth.
    pub(in crate::model) fn systems(&self) -> &[(DynamicalSystemId, String)] {
        &self.systems
    }

    /// All interactions, in the order of birth.
    pub(in crate::model) fn interactions(&self) -> &[(InteractionId, String)] {
        &self.interactions
    }

    /// The names of the coordinates of a system: those of the file, or else those that its expressions read;
    /// nothing where none does.
    pub(in crate::model) fn coordinates(
        &self,
        model: &NonSmoothDynamicalSystem,
        (id, name): (DynamicalSystemId, &str),
        system: &DynamicalSystem,
    ) -> Option<Vec<String>> {
        let of_file = self.coordinates.iter().find(|(known, _)| *known == id);
        of_file.map(|(_, names)| names.clone()).or_else(|| coordinates(model, (id, name), system))
    }

    pub(in crate::model) fn system(&self, id: DynamicalSystemId) -> &str {
        self.systems.iter().find(|(known, _)| *known == id).map_or("", |(_, name)| name)
    }
}

/// The name of each, or its number behind a word where it has none that fits.
fn named<T>(arena: &Arena<T>, word: &str, fits: impl Fn(&str) -> bool) -> Vec<(Id<T>, String)> {
    let own = |id: Id<T>| id.name().filter(|name| fits(name));
    let mut named: Vec<(Id<T>, String)> = Vec::with_capacity(arena.len());
    for (place, id) in arena.ids().enumerate() {
        let is_taken = |name: &str| {
            arena.ids().any(|other| own(other) == Some(name)) || named.iter().any(|(_, known)| known == name)
        };
        let name =
            own(id).map_or_else(|| first_free(&format!("{word}{}", place + 1), is_taken), str::to_owned);
        named.push((id, name));
    }
    named
}

/// A name, with as many underscores behind it as it takes to be free.
fn first_free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut free = name.to_owned();
    while is_taken(&free) {
        free.push('_');
    }
    free
}

/// The names that the expressions of a model have for the coordinates of a system; nothing where no
/// expression has any.
fn coordinates(
    model: &NonSmoothDynamicalSystem,
    (id, name): (DynamicalSystemId, &str),
    system: &DynamicalSystem,
) -> Option<Vec<String>> {
    let count = if system.is_first_order() { system.x0().len() } else { system.q0().len() };
    let own = arguments(system).find(|own| own.arguments.len() >= count);
    let names = match own {
        Some(own) => own.arguments[..count].to_vec(),
        None => of_interactions(model, (id, name), count)?,
    };
    let can_be_read = names.iter().all(|own| own != T) && {
        let mut scope = Scope::new();
        declare(&mut scope, &names, 0, (FIRST, Role::State)).is_ok()
    };
    can_be_read.then_some(names)
}

/// Relations call them by the name of the system and their own.
fn of_interactions(
    model: &NonSmoothDynamicalSystem,
    (id, name): (DynamicalSystemId, &str),
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
