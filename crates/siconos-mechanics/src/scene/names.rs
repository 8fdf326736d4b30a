//! Names of the bodies of a scene.

use std::collections::BTreeMap;

use super::{Body, BodyId, SceneError};

/// Names of bodies, each of which belongs to one body.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    by_name: BTreeMap<String, BodyId>,
    /// Names by number of the body.
    by_body: BTreeMap<BodyId, String>,
}

impl Names {
    /// Checks that no other body has the name of a body.
    pub(super) fn check(&self, body: &Body) -> Result<(), SceneError> {
        match body.name.as_ref().filter(|name| self.by_name.contains_key(*name)) {
            Some(name) => Err(SceneError::DuplicateName { name: name.clone() }),
            None => Ok(()),
        }
    }

    /// Adds the name of a body, if it has one.
    pub(super) fn add(&mut self, id: BodyId, body: &Body) {
        if let Some(name) = &body.name {
            self.by_name.insert(name.clone(), id);
            self.by_body.insert(id, name.clone());
        }
    }

    /// Removes the name of a body.
    pub(super) fn remove(&mut self, id: BodyId) {
        if let Some(name) = self.by_body.remove(&id) {
            self.by_name.remove(&name);
        }
    }

    /// Returns the body with a name.
    pub(super) fn find(&self, name: &str) -> Option<BodyId> {
        self.by_name.get(name).copied()
    }

    /// Returns the name of a body, or its number if it has no name.
    pub(super) fn of(&self, id: BodyId) -> String {
        self.by_body.get(&id).cloned().unwrap_or_else(|| id.as_name())
    }
}
