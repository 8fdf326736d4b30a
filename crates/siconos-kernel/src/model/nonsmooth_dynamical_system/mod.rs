//! Complete model: systems, interactions and parameters.

mod changes;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::configuration::PositionSpace;
use super::interaction::Systems;
use super::layout::{Change, ChangeLog, Layout};
use super::origin::Origin;
use super::parts::{HasParts, PartList};
use super::{
    At, DynamicalSystem, DynamicalSystemId, Interaction, InteractionId, NonSmoothLaw, Parameter, ParameterId,
    Parameters, Relation,
};
use crate::arena::{Arena, SideTable};
use crate::model::{ModelError, check_finite, check_shape};

/// Next stamp. The stamps of models, of their changes and of simulations are unique in a process, so that a
/// stamp shows whether cached data belong to a model. Stamps have no influence on results.
static NEXT_STAMP: AtomicU64 = AtomicU64::new(1);

/// Default time scale \[s\].
pub(super) const DEFAULT_TIME_SCALE: f64 = 1.0;

/// Returns a new stamp.
pub fn next_stamp() -> u64 {
    NEXT_STAMP.fetch_add(1, Ordering::Relaxed)
}

/// Nonsmooth dynamical system: dynamical systems and the interactions between them.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::{LagrangianLinear, LagrangianLinearRelation, NewtonImpact, NonSmoothDynamicalSystem};
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let ball = model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]))?;
/// let floor = model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), NewtonImpact::new(0.9)?)?;
/// assert_eq!(model.interaction(floor)?.systems(), [ball]);
///
/// model.remove_interaction(floor)?;
/// assert!(model.interaction(floor).is_err());
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NonSmoothDynamicalSystem {
    systems: Arena<DynamicalSystem>,
    interactions: Arena<Interaction>,
    acting: SideTable<DynamicalSystem, Acting>,
    layout: Layout,
    changes: ChangeLog,
    parameters: Arena<Parameter>,
    /// Initial values of the parameters.
    initial_parameters: Parameters,
    /// Most recently added law. Contacts with equal laws share one object.
    last_law: Option<Arc<NonSmoothLaw>>,
    /// Time scale \[s\]; see [`set_time_scale`](Self::set_time_scale).
    time_scale: f64,
    /// Stamp of the creation of the model. A clone keeps it, so that states are valid for both.
    uid: u64,
    /// Stamp of the most recent change.
    epoch: u64,
}

/// Interactions that act on a system.
#[derive(Clone, Debug, Default)]
struct Acting {
    interactions: BTreeSet<InteractionId>,
    /// Stamp of the last change in which one of them was added or removed, or its law set.
    changed: u64,
}

impl Default for NonSmoothDynamicalSystem {
    fn default() -> Self {
        Self::new()
    }
}

impl NonSmoothDynamicalSystem {
    /// Creates an empty model.
    #[must_use]
    pub fn new() -> Self {
        let stamp = next_stamp();
        let mut changes = ChangeLog::default();
        changes.begin(stamp);
        Self {
            systems: Arena::default(),
            interactions: Arena::default(),
            acting: SideTable::default(),
            layout: Layout::default(),
            changes,
            parameters: Arena::default(),
            initial_parameters: Parameters::default(),
            last_law: None,
            time_scale: DEFAULT_TIME_SCALE,
            uid: stamp,
            epoch: stamp,
        }
    }

    /// Adds a system.
    ///
    /// # Errors
    ///
    /// If a shape is wrong, or an entry is not finite ([`ModelError`]).
    pub fn add_system(
        &mut self,
        system: impl Into<DynamicalSystem>,
    ) -> Result<DynamicalSystemId, ModelError> {
        self.insert_system(None, system.into())
    }

    /// Adds a system with a name. Messages show the name, and [`system_named`](Self::system_named) finds the
    /// system with this name.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::model::{LagrangianLinear, NonSmoothDynamicalSystem};
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]);
    /// let ball = model.add_named_system("ball", ball)?;
    /// assert_eq!(model.system_named("ball"), Some(ball));
    /// assert_eq!(ball.to_string(), "`ball`");
    /// # Ok::<(), siconos_kernel::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the name is taken ([`ModelError::NameTaken`]), or in the cases listed for
    /// [`add_system`](Self::add_system).
    pub fn add_named_system(
        &mut self,
        name: &str,
        system: impl Into<DynamicalSystem>,
    ) -> Result<DynamicalSystemId, ModelError> {
        if let Some(id) = self.system_named(name) {
            return Err(ModelError::NameTaken { name: name.to_owned(), by: format!("system {id}") });
        }
        self.insert_system(Some(name), system.into())
    }

    fn insert_system(
        &mut self,
        name: Option<&str>,
        system: DynamicalSystem,
    ) -> Result<DynamicalSystemId, ModelError> {
        system.check()?;
        let stamp = next_stamp();
        let id = self.systems.insert(name, system, stamp);
        let change = self.systems.get(id).map_or(Change::Other, |system| self.layout.push_system(id, system));
        self.note(stamp, change);
        Ok(id)
    }

    /// Returns the system with this name, or `None` if no system has the name.
    #[must_use]
    pub fn system_named(&self, name: &str) -> Option<DynamicalSystemId> {
        self.systems.named(name)
    }

    /// Adds an interaction between the given systems. The relation refers to the degrees of freedom of the
    /// systems in this order.
    ///
    /// # Errors
    ///
    /// If the list of systems is empty, a system is unknown or given twice, the relation does not support the
    /// kind or number of the systems, a shape is wrong, an entry is not finite, or the size of the relation
    /// is not a multiple of the size of the law ([`ModelError`]).
    pub fn add_interaction(
        &mut self,
        systems: impl IntoIterator<Item = DynamicalSystemId>,
        relation: impl Into<Relation>,
        law: impl Into<NonSmoothLaw>,
    ) -> Result<InteractionId, ModelError> {
        self.insert_interaction(None, systems.into_iter().collect(), relation.into(), law.into())
    }

    /// Adds an interaction with a name. Messages show the name, and
    /// [`interaction_named`](Self::interaction_named) finds the interaction with this name.
    ///
    /// # Errors
    ///
    /// If the name is taken ([`ModelError::NameTaken`]), or in the cases listed for
    /// [`add_interaction`](Self::add_interaction).
    pub fn add_named_interaction(
        &mut self,
        name: &str,
        systems: impl IntoIterator<Item = DynamicalSystemId>,
        relation: impl Into<Relation>,
        law: impl Into<NonSmoothLaw>,
    ) -> Result<InteractionId, ModelError> {
        if let Some(id) = self.interaction_named(name) {
            return Err(ModelError::NameTaken { name: name.to_owned(), by: format!("interaction {id}") });
        }
        self.insert_interaction(Some(name), systems.into_iter().collect(), relation.into(), law.into())
    }

    /// Returns the interaction with this name, or `None` if no interaction has the name.
    #[must_use]
    pub fn interaction_named(&self, name: &str) -> Option<InteractionId> {
        self.interactions.named(name)
    }

    /// Returns `true` if a relation of first-order systems also acts on Lagrangian systems.
    pub(crate) fn is_mixed(&self, interaction: &Interaction) -> bool {
        let is_lagrangian =
            |id: &DynamicalSystemId| self.systems.get(*id).is_some_and(|own| !own.is_first_order());
        interaction.relation().is_first_order() && interaction.systems().iter().any(is_lagrangian)
    }

    fn insert_interaction(
        &mut self,
        name: Option<&str>,
        systems: Systems,
        relation: Relation,
        law: NonSmoothLaw,
    ) -> Result<InteractionId, ModelError> {
        if systems.is_empty() {
            return Err(ModelError::NoSystem);
        }
        let (mut columns, mut are_vectors) = (0, true);
        for (k, &id) in systems.iter().enumerate() {
            if systems[..k].contains(&id) {
                return Err(ModelError::SystemTwice { id });
            }
            let system = self.system(id)?;
            let is_mixed = matches!(&relation, Relation::FirstOrderLinear(_)) && !system.is_first_order();
            if system.is_first_order() != relation.is_first_order() && !is_mixed {
                let order = |first| if first { "first-order" } else { "Lagrangian" };
                let (relation, found) = (order(relation.is_first_order()), order(system.is_first_order()));
                return Err(ModelError::OrderMismatch { relation, system: id, found });
            }
            columns += system.degrees_of_freedom();
            let is_vector = system.space().is_vector();
            are_vectors &= is_vector;
            if let (Relation::LagrangianLinear(_), false) = (&relation, is_vector) {
                return Err(ModelError::PositionNotVector { id });
            }
            let is_body = matches!(system, DynamicalSystem::NewtonEuler(_));
            let is_planar = relation.requires_planar_bodies();
            if matches!(relation, Relation::NewtonEuler(_)) && !is_body && !is_planar {
                return Err(ModelError::NotRigidBody { id });
            }
            if let Some(constraint) = relation.constraint() {
                constraint.check_positions(id, system.q0().len())?;
            }
        }
        if let Some(constraint) = relation.constraint() {
            constraint.check_bodies(systems.len())?;
        }
        let has_first_order =
            |id: &DynamicalSystemId| self.system(*id).is_ok_and(DynamicalSystem::is_first_order);
        if let (true, Some(&system)) = (relation.is_first_order(), systems.first())
            && !systems.iter().any(has_first_order)
        {
            let (relation, found) = ("first-order", "Lagrangian");
            return Err(ModelError::OrderMismatch { relation, system, found });
        }
        relation.check(columns)?;
        if !relation.size().is_multiple_of(law.size()) {
            return Err(ModelError::SizeNotMultiple { relation: relation.size(), law: law.size() });
        }
        let stamp = next_stamp();
        let couples = relation.has_k();
        let factors = systems.iter().filter_map(|id| self.systems.get(*id)?.factor());
        let space = if are_vectors { PositionSpace::Vector } else { PositionSpace::of(factors) };
        let law = match self.last_law.take().filter(|last| last.is_same(&law)) {
            Some(last) => last,
            None => Arc::new(law),
        };
        self.last_law = Some(Arc::clone(&law));
        let interaction = Interaction {
            systems: systems.clone(),
            relation: Arc::new(relation),
            law,
            space,
            columns,
            initial_lambda: None,
        };
        let id = self.interactions.insert(name, interaction, stamp);
        for system in systems {
            let acting = self.acting.entry(system);
            acting.interactions.insert(id);
            acting.changed = stamp;
        }
        if couples {
            self.lay_out(stamp);
        } else if let Some(interaction) = self.interactions.get(id) {
            let change = self.layout.push_interaction(id, interaction);
            self.note(stamp, change);
        }
        Ok(id)
    }

    /// Declares a parameter: a vector that functions of the model read. `initial` contains its initial
    /// values. The current values belong to the [`State`](crate::State), where they can be set
    /// ([`State::set_parameter`](crate::State::set_parameter)) between two steps, for example at an event.
    /// See [`At`] for an example.
    ///
    /// # Errors
    ///
    /// If `initial` is empty, a value is not finite, or the name is taken ([`ModelError`]).
    pub fn add_parameter(
        &mut self,
        name: impl Into<String>,
        initial: impl Into<Vec<f64>>,
    ) -> Result<ParameterId, ModelError> {
        let parameter = Parameter::new(name.into(), initial.into())?;
        let name = parameter.name().to_owned();
        if let Some(id) = self.parameter_named(&name) {
            return Err(ModelError::NameTaken { name, by: format!("parameter {id}") });
        }
        let stamp = next_stamp();
        let initial = parameter.initial().to_vec();
        let id = self.parameters.insert(Some(&name), parameter, stamp);
        self.initial_parameters.push(id, &initial);
        self.note(stamp, Change::Other);
        Ok(id)
    }

    /// Returns the parameters, in the order of declaration.
    #[must_use]
    pub fn parameters(&self) -> &Arena<Parameter> {
        &self.parameters
    }

    /// Returns the parameter with this name, or `None` if no parameter has the name.
    #[must_use]
    pub fn parameter_named(&self, name: &str) -> Option<ParameterId> {
        self.parameters.named(name)
    }

    /// Returns the time `t` \[s\] together with the initial values of all parameters, as an argument for
    /// functions of the model.
    #[must_use]
    pub fn at(&self, t: f64) -> At<'_> {
        At::new(t, &self.initial_parameters)
    }

    /// Removes a system.
    ///
    /// # Errors
    ///
    /// If the system is unknown ([`ModelError::UnknownSystem`]), or an interaction acts on it
    /// ([`ModelError::SystemInUse`]).
    pub fn remove_system(&mut self, id: DynamicalSystemId) -> Result<DynamicalSystem, ModelError> {
        if let Some(interaction) = self.interactions_of(id).next() {
            return Err(ModelError::SystemInUse { system: id, interaction });
        }
        let system = self.systems.remove(id).ok_or(ModelError::UnknownSystem { id })?;
        self.acting.remove(id);
        let change = self.layout.remove_system(id);
        self.note_removal(next_stamp(), change, false);
        Ok(system)
    }

    /// Removes an interaction.
    ///
    /// # Errors
    ///
    /// If the interaction is unknown ([`ModelError::UnknownInteraction`]).
    pub fn remove_interaction(&mut self, id: InteractionId) -> Result<Interaction, ModelError> {
        let interaction = self.interactions.remove(id).ok_or(ModelError::UnknownInteraction { id })?;
        let stamp = next_stamp();
        for &system in &interaction.systems {
            let acting = self.acting.entry(system);
            acting.interactions.remove(&id);
            acting.changed = stamp;
        }
        let change = self.layout.remove_interaction(id);
        self.note_removal(stamp, change, interaction.relation.has_k());
        Ok(interaction)
    }

    /// Replaces the law of an interaction. The size of the relation must be a multiple of the size of the new
    /// law.
    ///
    /// # Errors
    ///
    /// If the interaction is unknown ([`ModelError::UnknownInteraction`]), or the size of the law is not
    /// permitted ([`ModelError::SizeNotMultiple`]).
    pub fn set_law(&mut self, id: InteractionId, law: impl Into<NonSmoothLaw>) -> Result<(), ModelError> {
        let law = law.into();
        let interaction = self.interactions.get_mut(id).ok_or(ModelError::UnknownInteraction { id })?;
        if !interaction.size().is_multiple_of(law.size()) {
            return Err(ModelError::SizeNotMultiple { relation: interaction.size(), law: law.size() });
        }
        interaction.law = Arc::new(law);
        let stamp = next_stamp();
        for &system in &interaction.systems {
            self.acting.entry(system).changed = stamp;
        }
        self.note(stamp, Change::LawSet(id));
        Ok(())
    }

    /// Sets the initial multipliers of an interaction: lambda of first-order systems, or the force of a
    /// compliant contact. [`State::set_lambda`](crate::State::set_lambda) sets the multipliers in an existing
    /// state. Default: 0. Existing states keep their multipliers.
    ///
    /// ```
    /// # use ndarray::array;
    /// use siconos_kernel::prelude::*;
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let lag = model.add_system(FirstOrderLinearTi::new(vec![0.5], array![[-1.0]]))?;
    /// let valve = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]).with_d(array![[1.0]]);
    /// let valve = model.add_interaction([lag], valve, ComplementarityCondition::new(1)?)?;
    /// model.set_initial_lambda(valve, &[0.25])?;
    /// assert_eq!(State::new(&model, 0.0).lambda(valve, Level::Position), [0.25]);
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the interaction is unknown ([`ModelError::UnknownInteraction`]), the number of multipliers differs
    /// from the size of the interaction ([`ModelError::WrongShape`]), or a multiplier is not finite
    /// ([`ModelError::NotFinite`]).
    pub fn set_initial_lambda(&mut self, id: InteractionId, lambda: &[f64]) -> Result<(), ModelError> {
        let interaction = self.interactions.get_mut(id).ok_or(ModelError::UnknownInteraction { id })?;
        check_shape("lambda", (interaction.size(), 1), (lambda.len(), 1))?;
        check_finite("lambda", lambda)?;
        interaction.initial_lambda = Some(lambda.into());
        Ok(())
    }

    /// Sets the time scale \[s\]: the characteristic time over which time-dependent functions in the model
    /// change, for example the time over which a phase changes by 1 rad. Default: 1 s. Must be finite and
    /// positive.
    ///
    /// Time derivatives that the user does not supply are computed by finite differences. The
    /// finite-difference step is 1/4096 of the time scale, but at least $2^{20}$ times the rounding error of
    /// t. If the acceleration and the force of a closed contact are both zero, the next higher time
    /// derivative determines whether the contact opens. In this case, an event-driven simulation looks ahead
    /// by at most 1/1024 of the time scale. Neither the finite-difference step nor the look-ahead time
    /// depends on time steps or output times. With the default time scale, the time derivative of a harmonic
    /// function has a relative error of at most 2e-12 for angular frequencies up to 100 rad/s, and of 2e-6 at
    /// 1000 rad/s. For functions that change faster, or if another unit of time is used, set the time scale
    /// or supply the derivatives.
    ///
    /// ```
    /// use siconos_kernel::model::NonSmoothDynamicalSystem;
    ///
    /// // A table that vibrates at 50 kHz.
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// model.set_time_scale(1.0 / (2.0 * std::f64::consts::PI * 50e3))?;
    /// # Ok::<(), siconos_kernel::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the time scale is not finite or not positive ([`ModelError::TimeScale`]).
    pub fn set_time_scale(&mut self, time_scale: f64) -> Result<(), ModelError> {
        if !(time_scale.is_finite() && time_scale > 0.0) {
            return Err(ModelError::TimeScale { value: time_scale });
        }
        self.time_scale = time_scale;
        self.note(next_stamp(), Change::Other);
        Ok(())
    }

    /// Returns the time scale \[s\].
    #[must_use]
    pub fn time_scale(&self) -> f64 {
        self.time_scale
    }

    /// Returns a system.
    ///
    /// # Errors
    ///
    /// If the id is stale ([`ModelError::UnknownSystem`]).
    pub fn system(&self, id: DynamicalSystemId) -> Result<&DynamicalSystem, ModelError> {
        self.systems.get(id).ok_or(ModelError::UnknownSystem { id })
    }

    /// Returns an interaction.
    ///
    /// # Errors
    ///
    /// If the id is stale ([`ModelError::UnknownInteraction`]).
    pub fn interaction(&self, id: InteractionId) -> Result<&Interaction, ModelError> {
        self.interactions.get(id).ok_or(ModelError::UnknownInteraction { id })
    }

    /// Returns the systems, in insertion order.
    #[must_use]
    pub fn systems(&self) -> &Arena<DynamicalSystem> {
        &self.systems
    }

    /// Returns the interactions, in insertion order.
    #[must_use]
    pub fn interactions(&self) -> &Arena<Interaction> {
        &self.interactions
    }

    /// Returns the interactions that act on a system, in insertion order; none for a stale id.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::model::{LagrangianLinear, LagrangianLinearRelation, NewtonImpact, NonSmoothDynamicalSystem};
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let ball = model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]))?;
    /// let walls = [1.0, -1.0].map(|h| LagrangianLinearRelation::new(array![[h]]).with_offset(vec![2.0]));
    /// for wall in walls {
    ///     model.add_interaction([ball], wall, NewtonImpact::new(0.9)?)?;
    /// }
    /// assert_eq!(model.interactions_of(ball).count(), 2);
    /// # Ok::<(), siconos_kernel::ModelError>(())
    /// ```
    pub fn interactions_of(&self, id: DynamicalSystemId) -> impl Iterator<Item = InteractionId> + '_ {
        self.acting.get(id).into_iter().flat_map(|acting| &acting.interactions).copied()
    }

    /// Returns `true` if an interaction that acts on a system was added or removed, or its law set, after the
    /// change of the model with the given stamp.
    pub(crate) fn interactions_changed_since(&self, stamp: u64, id: DynamicalSystemId) -> bool {
        self.acting.get(id).is_some_and(|acting| acting.changed > stamp)
    }

    /// Returns the interactions that are linked to an interaction, in insertion order (the linked-interaction
    /// map, developer's notes of Siconos, 2.1.1). Two interactions are linked if they share a system, or if
    /// they act on systems that relations with $r = g(x, \lambda)$ couple. The matrix of a one-step nonsmooth
    /// problem, in time-stepping or at an event, has nonzero off-diagonal blocks only between linked
    /// interactions.
    ///
    /// # Errors
    ///
    /// If the id is stale ([`ModelError::UnknownInteraction`]).
    pub fn linked_interactions(&self, id: InteractionId) -> Result<Vec<InteractionId>, ModelError> {
        let mut systems = self.interaction(id)?.systems.to_vec();
        let (mut seen, mut linked): (BTreeSet<_>, _) = (systems.iter().copied().collect(), Vec::new());
        let mut next = 0;
        while let Some(&system) = systems.get(next) {
            next += 1;
            for interaction in self.interactions_of(system) {
                linked.push(interaction);
                // Systems that a relation with K couples share one iteration matrix W.
                let coupled = self.interaction(interaction)?;
                if coupled.relation.has_k() {
                    systems.extend(coupled.systems.iter().copied().filter(|&other| seen.insert(other)));
                }
            }
        }
        linked.sort_unstable();
        linked.dedup();
        linked.retain(|&other| other != id);
        Ok(linked)
    }

    /// Returns the initial values of the parameters.
    #[must_use]
    pub fn initial_parameters(&self) -> &Parameters {
        &self.initial_parameters
    }

    pub(crate) fn uid(&self) -> u64 {
        self.uid
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }
}

/// Parts of the model itself; systems and interactions have their own parts.
impl HasParts for NonSmoothDynamicalSystem {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("NonSmoothDynamicalSystem");
        parts.number("time scale", self.time_scale);
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        Vec::new()
    }
}
