//! Construction of the kernel model. Construction continues after an error as far as possible, so that all
//! errors of the kernel are reported together.

use std::ops::Range;

use siconos_kernel::model::{DynamicalSystemId, InteractionId, NonSmoothDynamicalSystem};
use siconos_kernel::simulation::EventsManager;
use siconos_kernel::state::State;
use siconos_kernel::{Error, FitError, ModelError, SettingsError, SimulationError};

use super::adjustable_laws::AdjustableLaws;
use super::events::BuiltEvents;
use super::file::{BuiltModel, ContactStatistics, ModelFile};
use super::interactions::Interaction;
use super::laws::LawError;
use super::parameters::Parameter;
use super::registry::Registry;
use super::simulation::{BuiltSimulation, Wanted};
use super::systems::System;
use super::values::evaluated;
use super::watched::Ids;
use super::words::in_words_of_files;
use super::{control, events, initial_outputs};
use crate::document::Diagnostics;
use crate::snapshot::content::Unconverged;

impl ModelFile {
    /// Returns the names of the coordinates of the given systems, each preceded by the name of its system.
    fn arguments(&self, systems: &[usize]) -> Vec<String> {
        let of = |system: &System| {
            let own = system.coordinates.names.clone();
            let system = system.name.clone();
            own.into_iter().map(move |own| format!("{system}.{own}"))
        };
        systems.iter().filter_map(|place| self.systems.get(*place)).flat_map(of).collect()
    }

    /// Builds the model and reports all errors of the kernel. Returns `None` after an error.
    pub(super) fn build_noting(
        &self,
        registry: &Registry,
        end: Option<f64>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<BuiltModel> {
        let (mut model, values) = self.build_parameters(diagnostics);
        let systems = self.build_systems(&mut model, &values, registry, diagnostics);
        let interactions = self.build_interactions(&mut model, &systems, &values, registry, diagnostics);
        let systems = systems.into_iter().collect::<Option<Vec<_>>>()?;
        let interactions = interactions.into_iter().collect::<Option<Vec<_>>>()?;
        let ids: Vec<_> = systems.iter().copied().map(Some).collect();
        let balance = self.outputs.need_balance();
        let built = self.simulation.build(&model, &ids, &values, &Wanted { end, balance });
        let (mut simulation, state) = match built.and_then(|simulation| simulation.started(&model)) {
            Ok(started) => started,
            Err(error) => {
                self.note_failure(&error, &systems, &interactions, registry, diagnostics);
                return None;
            }
        };
        self.simulation.check_integrator(&model, &systems, &simulation, diagnostics);
        for (own, id) in self.interactions.iter().zip(&interactions) {
            if let Some((given, span)) = &own.y {
                initial_outputs::check(&model, &state, *id, &evaluated(given, &values), span, diagnostics);
            }
        }
        self.outputs.check(&values, diagnostics);
        let ids = Ids::new(systems.clone(), interactions.clone());
        let queue = simulation.events_mut();
        let around = control::Around { model: &model, values: &values, registry };
        let devices = control::build(&self.devices, &around, queue, diagnostics);
        let around = events::Around {
            parameters: model.parameters().ids().collect(),
            values: &values,
            readable: &self.readable,
            ids: &ids,
        };
        let events = BuiltEvents::new(&self.events, &around, queue, diagnostics);
        let recorder = self.outputs.recorder(&ids, &values);
        let laws = AdjustableLaws::new(&self.interactions, &interactions, values);
        Some(BuiltModel {
            laws,
            model,
            simulation,
            start: state.clone(),
            state,
            recorder,
            systems,
            interactions,
            solver: self.simulation.solver.clone(),
            devices: devices?,
            events: events?,
            described: (self.devices.clone(), self.events.clone()),
            data: self.data.clone(),
            arrays: self.arrays(),
            coordinates: self.systems.iter().map(|system| system.coordinates.names.clone()).collect(),
            title: self.title.clone(),
            outputs: self.outputs.clone(),
            stop: self.stop.as_ref().map(|stop| (stop.clone(), stop.built(&ids))),
            is_begun: false,
            restart: None,
            unconverged: Unconverged::default(),
            contacts: ContactStatistics::default(),
            is_stopped: false,
        })
    }

    /// Returns the names of the parameters that are arrays.
    fn arrays(&self) -> Vec<String> {
        let arrays = self.parameters.iter().filter(|parameter| parameter.is_array);
        arrays.map(|parameter| parameter.name.clone()).collect()
    }

    /// Returns a model that contains only the parameters, and the values of all parameters as one vector.
    pub(super) fn build_parameters(
        &self,
        diagnostics: &mut Diagnostics<'_>,
    ) -> (NonSmoothDynamicalSystem, Vec<f64>) {
        let mut model = NonSmoothDynamicalSystem::new();
        let mut values = Vec::new();
        for Parameter { name, span, values: own, .. } in &self.parameters {
            values.extend_from_slice(own);
            if let Err(error) = model.add_parameter(name, own.clone()) {
                diagnostics.note(span, error);
            }
        }
        if let Some((time_scale, span)) = self.simulation.time_scale()
            && let Err(error) = model.set_time_scale(time_scale)
        {
            diagnostics.note(span, error);
        }
        (model, values)
    }

    /// Builds the systems in the order of the file. The entry of a system that the kernel rejects is `None`.
    pub(super) fn build_systems(
        &self,
        model: &mut NonSmoothDynamicalSystem,
        values: &[f64],
        registry: &Registry,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Vec<Option<DynamicalSystemId>> {
        let build = |system: &System| {
            let built = system.build(values, registry, diagnostics)?;
            match model.add_named_system(&system.name, built) {
                Ok(id) => Some(id),
                Err(error) => {
                    diagnostics.note(&system.span, error);
                    None
                }
            }
        };
        self.systems.iter().map(build).collect()
    }

    /// Builds the interactions in the order of the file. The entry of an interaction is `None` if the kernel
    /// rejects the interaction or one of its systems.
    pub(super) fn build_interactions(
        &self,
        model: &mut NonSmoothDynamicalSystem,
        systems: &[Option<DynamicalSystemId>],
        values: &[f64],
        registry: &Registry,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Vec<Option<InteractionId>> {
        let build = |interaction: &Interaction| {
            let before = diagnostics.count();
            let of_relation = interaction.relation.registered().into_iter().map(|(_, own)| own);
            of_relation.chain(interaction.law.registered()).for_each(|own| own.check(registry, diagnostics));
            if diagnostics.count() > before {
                return None;
            }
            let between = interaction.systems.iter().map(|place| systems.get(*place).copied().flatten());
            let between = between.collect::<Option<Vec<_>>>()?;
            let built = self.build_interaction(interaction, model, between, values, registry);
            let note = |error: Refused| {
                diagnostics.note(&interaction.span, in_words_of_files(&error.to_string()));
            };
            built.map_err(note).ok()
        };
        self.interactions.iter().map(build).collect()
    }

    fn build_interaction(
        &self,
        interaction: &Interaction,
        model: &mut NonSmoothDynamicalSystem,
        between: Vec<DynamicalSystemId>,
        values: &[f64],
        registry: &Registry,
    ) -> Result<InteractionId, Refused> {
        let of_between = between.iter().filter_map(|id| model.system(*id).ok()).collect::<Vec<_>>();
        let arguments = self.arguments(&interaction.systems);
        let relation = interaction.relation.build(values, &of_between, &arguments, registry)?;
        let relation = relation.ok_or(Refused::NotOneOrTwoBodies)?;
        let law = interaction.law.build(values, registry)?;
        let id = model.add_named_interaction(&interaction.name, between, relation, law)?;
        if let Some(lambda) = &interaction.lambda {
            model.set_initial_lambda(id, &evaluated(lambda, values))?;
        }
        Ok(id)
    }

    /// Returns the location of the system or interaction that causes an error, or else of the simulation.
    pub(super) fn place_of(
        &self,
        error: &Error,
        systems: &[DynamicalSystemId],
        interactions: &[InteractionId],
    ) -> &Range<usize> {
        let of_simulation = match error {
            Error::Settings(SettingsError::OutOfRange { name, .. }) => self.simulation.place_of_setting(name),
            Error::Settings(SettingsError::TimesNotIncreasing { .. } | SettingsError::TooFewTimes { .. }) => {
                self.simulation.place_of("times")
            }
            _ => &self.simulation.span,
        };
        let of = |id| systems.iter().position(|other| *other == id).and_then(|place| self.systems.get(place));
        let between = |id| {
            interactions.iter().position(|other| *other == id).and_then(|place| self.interactions.get(place))
        };
        let Error::Simulation(error) = error else { return of_simulation };
        let found = match error {
            SimulationError::Fit(FitError::UnsupportedSystem { system, .. })
            | SimulationError::SingularIterationMatrix { system, .. }
            | SimulationError::SingularMass { system, .. }
            | SimulationError::Hold { system, .. }
            | SimulationError::NotFinite { system, .. } => of(*system).map(|system| &system.span),
            SimulationError::Fit(FitError::Unsupported { relation, .. })
            | SimulationError::Fit(FitError::IntegratorsDisagree { relation, .. })
            | SimulationError::Bounds { relation, .. }
            | SimulationError::Penetration { relation, .. }
            | SimulationError::InconsistentStart { relation, .. }
            | SimulationError::SingularLoop { joint: relation, .. }
            | SimulationError::NotFiniteOutput { relation, .. } => {
                relation.interaction().and_then(between).map(|interaction| &interaction.span)
            }
            _ => None,
        };
        found.unwrap_or(of_simulation)
    }
}

/// Reason why an interaction cannot be built.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Law(#[from] LawError),
    #[error("this relation requires one or two rigid bodies")]
    NotOneOrTwoBodies,
}

impl BuiltSimulation {
    /// Returns the queue of events.
    pub(super) fn events_mut(&mut self) -> &mut EventsManager {
        match self {
            Self::TimeStepping(simulation) => simulation.events_mut(),
            Self::EventDriven(simulation) => simulation.events_mut(),
        }
    }

    /// Computes the initial state. Returns the simulation and this state.
    pub(super) fn started(mut self, model: &NonSmoothDynamicalSystem) -> Result<(Self, State), Error> {
        let state = match &mut self {
            Self::TimeStepping(simulation) => simulation.initial_state(model)?,
            Self::EventDriven(simulation) => simulation.initial_state(model)?,
        };
        Ok((self, state))
    }
}
