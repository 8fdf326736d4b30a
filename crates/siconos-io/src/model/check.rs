//! Check of a model before a run. The check takes the first step and reports unusual data.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;

use siconos_kernel::model::{
    DynamicalSystem, DynamicalSystemId, InteractionId, NonSmoothDynamicalSystem, UserFunctions,
};
use siconos_kernel::state::State;
use siconos_kernel::{Error, FitError, SimulationError};

use super::file::{BuiltModel, ModelFile};
use super::registry::Registry;
use super::simulation::BuiltSimulation;
use super::simulation::Wanted;
use super::words::{in_words, in_words_of_files};
use crate::document::{Diagnostic, Diagnostics, DocumentError};
use crate::run_error::RunError;

impl ModelFile {
    /// Builds the model and takes its first step, or advances to its first event. An error that would occur
    /// in every step, such as a mass of 0, is therefore reported before a run. Returns remarks on data that
    /// are valid but unusual.
    ///
    /// ```
    /// use siconos_io::model::ModelFile;
    ///
    /// let text = r#"
    /// format = 1
    /// kind = "model"
    /// [systems.ball]
    /// family = "lagrangian_linear"
    /// q = 1
    /// mass = 0
    /// [simulation]
    /// kind = "time_stepping"
    /// end = 1
    /// step = 0.1
    /// "#;
    /// let file = ModelFile::parse(text, "ball.toml")?;
    /// let error = file.check().unwrap_err().to_string();
    /// assert!(error.starts_with("ball.toml:4:10:") && error.contains("`ball` is singular"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If [`build`](Self::build) fails, or if the first step fails. Each error has the location of the
    /// system, the interaction or the event that causes it, or of the simulation.
    pub fn check(&self) -> Result<Vec<Diagnostic>, DocumentError> {
        self.check_with(&Registry::new())
    }

    /// Checks the model like [`check`](Self::check). The registry contains the functions that the file refers
    /// to by name.
    ///
    /// # Errors
    ///
    /// If [`check`](Self::check) or [`build_with`](Self::build_with) fails.
    pub fn check_with(&self, registry: &Registry) -> Result<Vec<Diagnostic>, DocumentError> {
        let mut diagnostics = Diagnostics::new(&self.source, &self.name);
        let built = self.build_noting(registry, None, &mut diagnostics);
        let built = built.map(|mut built| {
            match built.first_step() {
                Ok(()) => (),
                Err(RunError::Step(error)) => {
                    let BuiltModel { systems, interactions, .. } = &built;
                    self.note_failure(&error.into(), systems, interactions, registry, &mut diagnostics);
                }
                Err(RunError::Event(error)) => {
                    let event = self.events.iter().find(|event| event.name == error.event);
                    diagnostics.note(event.map_or(&self.simulation.span, |event| &event.span), error);
                }
                Err(error) => diagnostics.note(&self.simulation.span, error),
            }
            built
        });
        let built = diagnostics.check(built)?;
        let mut odd = Diagnostics::new(&self.source, &self.name);
        self.note_oddities(&built, &mut odd);
        self.note_what_is_taken_at_the_start(&built, registry, &mut odd);
        Ok(odd.into_list())
    }

    /// Reports an error that prevents a simulation. If a single system causes the error, each system is then
    /// checked without the others.
    pub(super) fn note_failure(
        &self,
        error: &Error,
        systems: &[DynamicalSystemId],
        interactions: &[InteractionId],
        registry: &Registry,
        diagnostics: &mut Diagnostics<'_>,
    ) {
        let message = in_words(error);
        diagnostics.note(self.place_of(error, systems, interactions), message);
        if is_of_a_system(error) {
            self.note_systems_alone(registry, diagnostics);
        }
    }

    /// Simulates one step of each system alone, and reports the errors.
    fn note_systems_alone(&self, registry: &Registry, diagnostics: &mut Diagnostics<'_>) {
        let mut ids = vec![None; self.systems.len()];
        // Errors in parameters have already been reported.
        let mut aside = Diagnostics::new(&self.source, &self.name);
        let (mut model, values) = self.build_parameters(&mut aside);
        for (place, system) in self.systems.iter().enumerate() {
            let built = system.build(&values, registry, &mut aside);
            let built = built.map(|built| model.add_named_system(&system.name, built));
            let Some(Ok(id)) = built else { continue };
            ids[place] = Some(id);
            let simulation = self.simulation.build(&model, &ids, &values, &Wanted::default());
            let stepped = simulation
                .and_then(|simulation| simulation.started(&model))
                .and_then(|(mut simulation, mut state)| simulation.first_step(&model, &mut state));
            if let Err(error) = stepped
                && is_of_a_system(&error)
            {
                diagnostics.note(&system.span, in_words_of_files(&error.to_string()));
            }
            ids[place] = None;
            // The removal cannot fail, because no interaction acts on the system.
            let _removed = model.remove_system(id);
        }
    }

    /// Reports unusual data of a model that can be run.
    fn note_oddities(&self, built: &BuiltModel, odd: &mut Diagnostics<'_>) {
        for (id, system) in built.systems.iter().zip(&self.systems) {
            let Ok(DynamicalSystem::NewtonEuler(body)) = built.model.system(*id) else { continue };
            let [[a, _, _], [_, b, _], [_, _, c]] = *body.inertia().matrix();
            for (own, others) in [(a, b + c), (b, c + a), (c, a + b)] {
                // Tolerance for the rounding errors of a matrix that has been rotated.
                if own > others * (1.0 + 1e-12) {
                    let message = format!(
                        "the moment of inertia {own} exceeds the sum of the other two, {others}, which is impossible for a body"
                    );
                    odd.note(&system.span, message);
                }
            }
            let length = body.orientation().norm();
            if (length - 1.0).abs() > 1e-6 {
                odd.note(
                    &system.span,
                    format_args!("this orientation has the length {length} and is normalised"),
                );
            }
        }
    }

    /// Reports events and controllers that set a parameter during the run if data that are evaluated only at
    /// the start depend on this parameter. These data are geometries, and matrices that are constant in the
    /// kernel.
    fn note_what_is_taken_at_the_start(
        &self,
        built: &BuiltModel,
        registry: &Registry,
        odd: &mut Diagnostics<'_>,
    ) {
        let of_events = self.events.iter().flat_map(|event| {
            let what = format!("the event `{}`", event.name);
            event.parameters().map(move |place| (place, event.span.clone(), what.clone()))
        });
        let of_devices = self.devices.iter().flat_map(|device| {
            let of_name = |(name, span): &(String, Range<usize>)| {
                let place = self.parameters.iter().position(|parameter| parameter.name == *name)?;
                Some((place, span.clone(), format!("`{}`", device.name)))
            };
            device.sets().iter().filter_map(of_name)
        });
        let mut readers = BTreeMap::new();
        for (place, span, what) in of_events.chain(of_devices) {
            let readers =
                readers.entry(place).or_insert_with(|| self.readers_at_the_start(place, built, registry));
            for reader in readers.iter() {
                let parameter = &self.parameters[place].name;
                odd.note(
                    &span,
                    format_args!("{what} sets `{parameter}`, but {reader} keeps its initial value"),
                );
            }
        }
    }

    /// Describes the data that depend on a parameter but are evaluated only at the start.
    fn readers_at_the_start(&self, place: usize, built: &BuiltModel, registry: &Registry) -> Vec<String> {
        let mut aside = Diagnostics::new(&self.source, &self.name);
        let (mut model, mut values) = self.build_parameters(&mut aside);
        let begin: usize = self.parameters[..place].iter().map(|before| before.values.len()).sum();
        for value in &mut values[begin..begin + self.parameters[place].values.len()] {
            // The change is small, so that the model can be built with the new value.
            *value = if *value == 0.0 { NEARBY } else { *value * (1.0 + NEARBY) };
        }
        let systems = self.build_systems(&mut model, &values, registry, &mut aside);
        let interactions = self.build_interactions(&mut model, &systems, &values, registry, &mut aside);
        let of_systems =
            self.systems.iter().zip(&built.systems).zip(systems).filter_map(|((own, id), other)| {
                let (before, after) = (built.model.system(*id).ok()?, model.system(other?).ok()?);
                let part = before.first_other_part(after)?;
                Some(format!("{part} of `{}`", own.name))
            });
        let of_interactions = self.interactions.iter().zip(&built.interactions).zip(interactions).filter_map(
            |((own, id), other)| {
                let (before, after) = (built.model.interaction(*id).ok()?, model.interaction(other?).ok()?);
                let part = before.relation().first_other_part(after.relation());
                // An adjustable law follows the parameters.
                let of_law = || match own.law.adjustable() {
                    Some(_) => None,
                    None => before.law().first_other_part(after.law()),
                };
                let part = part.or_else(of_law)?;
                Some(format!("{part} of `{}`", own.name))
            },
        );
        of_systems.chain(of_interactions).collect()
    }
}

/// Relative change of a parameter. Data that change with the parameter depend on it.
const NEARBY: f64 = 1.0 / 1024.0;

/// Returns `true` if a single system causes the error.
fn is_of_a_system(error: &Error) -> bool {
    let Error::Simulation(error) = error else { return false };
    matches!(
        error,
        SimulationError::Fit(FitError::UnsupportedSystem { .. })
            | SimulationError::SingularIterationMatrix { .. }
            | SimulationError::SingularMass { .. }
            | SimulationError::NotFinite { .. }
    )
}

impl BuiltModel {
    /// Takes the first step, or advances to the first event.
    fn first_step(&mut self) -> Result<(), RunError<Infallible>> {
        let before = self.state.step();
        if self.advance(|_| Ok(()))? && self.state.step() == before {
            // The first call may process only the events at the start, without a time step.
            self.advance(|_| Ok(()))?;
        }
        Ok(())
    }
}

impl BuiltSimulation {
    /// Takes one step, or advances to one event.
    fn first_step(&mut self, model: &NonSmoothDynamicalSystem, state: &mut State) -> Result<(), Error> {
        match self {
            Self::TimeStepping(simulation) => simulation.step(model, state).map(drop)?,
            Self::EventDriven(simulation) => simulation.step(model, state).map(drop)?,
        }
        Ok(())
    }
}
