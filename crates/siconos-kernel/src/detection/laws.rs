//! Contact laws by pair of materials.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::DetectionError;
use crate::model::NonSmoothLaw;

/// Material of a contactor, created by [`ContactLaws::material`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material(u32);

impl Material {
    /// Default material, which every table contains under the name `default`.
    pub const DEFAULT: Self = Self(0);
}

/// Symmetric table of contact laws by pair of materials, with a default law for pairs that are not in the
/// table.
///
/// ```
/// use siconos_kernel::detection::{ContactLaws, Material};
/// use siconos_kernel::model::{NewtonImpactFriction, NonSmoothLaw};
///
/// let (rough, slippery) = (NewtonImpactFriction::in_space(0.0, 0.6)?, NewtonImpactFriction::in_space(0.0, 0.05)?);
/// let mut laws = ContactLaws::new(rough);
/// let ice = laws.material("ice");
/// laws.set(ice, Material::DEFAULT, slippery);
/// let mu = |a, b| match laws.of(a, b).map(|law| &**law) {
///     Ok(NonSmoothLaw::NewtonImpactFriction(law)) => law.mu(),
///     other => panic!("{other:?}"),
/// };
/// assert_eq!((mu(Material::DEFAULT, ice), mu(ice, ice)), (0.05, 0.6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContactLaws {
    names: Vec<String>,
    default: Option<Arc<NonSmoothLaw>>,
    by_pair: BTreeMap<[Material; 2], Arc<NonSmoothLaw>>,
}

impl ContactLaws {
    /// Creates a table with a default law.
    pub fn new(default: impl Into<NonSmoothLaw>) -> Self {
        Self { default: Some(Arc::new(default.into())), ..Self::without_default() }
    }

    /// Creates a table without a default law: each pair of materials that touch must have a law.
    #[must_use]
    pub fn without_default() -> Self {
        Self { names: vec!["default".to_owned()], default: None, by_pair: BTreeMap::new() }
    }

    /// Returns the material with this name, which is added if it is new.
    pub fn material(&mut self, name: &str) -> Material {
        let known = self.names.iter().position(|own| own == name);
        let index = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        Material(index as u32)
    }

    /// Sets the law of a pair of materials. The order of the materials does not matter.
    pub fn set(&mut self, a: Material, b: Material, law: impl Into<NonSmoothLaw>) {
        self.by_pair.insert([a.min(b), a.max(b)], Arc::new(law.into()));
    }

    /// Returns the law of a pair of materials.
    ///
    /// # Errors
    ///
    /// If neither the pair nor the table has a law: [`DetectionError::NoLaw`].
    pub fn of(&self, a: Material, b: Material) -> Result<&Arc<NonSmoothLaw>, DetectionError> {
        let own = self.by_pair.get(&[a.min(b), a.max(b)]).or(self.default.as_ref());
        own.ok_or_else(|| DetectionError::NoLaw { first: self.name(a), second: self.name(b) })
    }

    /// Iterates over all laws.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<NonSmoothLaw>> {
        self.default.iter().chain(self.by_pair.values())
    }

    fn name(&self, material: Material) -> String {
        self.names.get(material.0 as usize).cloned().unwrap_or_else(|| format!("#{}", material.0))
    }
}

/// Checks that a law is a law of contacts.
pub(crate) fn check_contact_law(law: &NonSmoothLaw) -> Result<(), DetectionError> {
    match law {
        NonSmoothLaw::NewtonImpact(_) | NonSmoothLaw::NewtonImpactFriction(_) => Ok(()),
        _ => Err(DetectionError::UnsuitableLaw { law: law.description().name }),
    }
}
