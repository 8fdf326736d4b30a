//! What can be known of a model before it is run: its first step is taken, and what is odd is told.

use std::convert::Infallible;

use siconos_kernel::error::{Error, SimulationError};
use siconos_kernel::model::{DynamicalSystem, DynamicalSystemId, InteractionId, NonSmoothDynamicalSystem};
use siconos_kernel::state::State;

use super::any_run::RunError;
use super::file::{BuiltModel, ModelFile};
use super::registry::Registry;
use super::simulation::BuiltSimulation;
use crate::document::{DocumentError, Fault, Faults};

impl ModelFile {
    /// Builds the model and takes its first step, or goes to its first event: what no step can do without,
    /// as a mass that is not 0, is so told before a run. Returns remarks: what is odd, and may be meant.
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
    /// Those of [`build`](Self::build), and what fails in the first step, each at the system or interaction
    /// that is at fault.
    pub fn check(&self) -> Result<Vec<Fault>, DocumentError> {
        let registry = Registry::new();
        let mut faults = Faults::new(&self.source, &self.name);
        let built = self.build_noting(&registry, &mut faults);
        let built = built.map(|mut built| {
            match built.first_step() {
                Ok(()) => (),
                Err(RunError::Step(error)) => {
                    let ids = (&built.systems[..], &built.interactions[..]);
                    self.note_failure(&error.into(), ids, &registry, &mut faults);
                }
                Err(error) => faults.note(&self.simulation.span, error),
            }
            built
        });
        Ok(self.remarks(&faults.check(built)?))
    }

    /// Notes why a model cannot be simulated. Where a system is at fault by itself, others may be as well.
    pub(super) fn note_failure(
        &self,
        error: &Error,
        (systems, interactions): (&[DynamicalSystemId], &[InteractionId]),
        registry: &Registry,
        faults: &mut Faults<'_>,
    ) {
        let message = self.in_words(error, systems, interactions);
        faults.note(self.place_of(error, systems, interactions), message);
        if is_of_a_system(error) {
            self.note_systems_alone(registry, faults);
        }
    }

    /// Lets each system take a step without the others, and notes what is wrong with it.
    fn note_systems_alone(&self, registry: &Registry, faults: &mut Faults<'_>) {
        let mut ids = vec![None; self.systems.len()];
        for (place, system) in self.systems.iter().enumerate() {
            let mut aside = Faults::new(&self.source, &self.name);
            let (mut model, values) = self.build_parameters(&mut aside);
            let built = system.build(&values, registry, &mut aside);
            let built = built.map(|built| model.add_named_system(&system.name, built));
            let Some(Ok(id)) = built else { continue };
            ids[place] = Some(id);
            let simulation = self.simulation.build(&model, &ids, &values);
            let stepped = simulation
                .and_then(|simulation| simulation.started(&model))
                .and_then(|(mut simulation, mut state)| simulation.first_step(&model, &mut state));
            if let Err(error) = stepped
                && is_of_a_system(&error)
            {
                let message = error.to_string().replace(&id.to_string(), &format!("`{}`", system.name));
                faults.note(&system.span, message);
            }
            ids[place] = None;
        }
    }

    /// What is odd about a model that can be run.
    fn remarks(&self, built: &BuiltModel) -> Vec<Fault> {
        let mut odd = Faults::new(&self.source, &self.name);
        for (id, system) in built.systems.iter().zip(&self.systems) {
            let Ok(DynamicalSystem::NewtonEuler(body)) = built.model.system(*id) else { continue };
            let [[a, _, _], [_, b, _], [_, _, c]] = *body.inertia().matrix();
            for (own, others) in [(a, b + c), (b, c + a), (c, a + b)] {
                // Up to the rounding of a matrix that has been turned.
                if own > others * (1.0 + 1e-12) {
                    let message = format!(
                        "no body has a moment of inertia above the sum of the two others, as {own} above {others}"
                    );
                    odd.note(&system.span, message);
                }
            }
            let length = body.attitude().norm();
            if (length - 1.0).abs() > 1e-6 {
                odd.note(
                    &system.span,
                    format_args!("this attitude is divided by its length, which is {length}"),
                );
            }
        }
        match odd.check(Some(())) {
            Err(DocumentError::Faults { faults, .. }) => faults,
            _ => Vec::new(),
        }
    }
}

/// Whether a system is at fault by itself.
fn is_of_a_system(error: &Error) -> bool {
    let Error::Simulation(error) = error else { return false };
    matches!(
        error,
        SimulationError::UnsupportedSystem { .. }
            | SimulationError::SingularIterationMatrix { .. }
            | SimulationError::SingularMass { .. }
            | SimulationError::NotFinite { .. }
    )
}

impl BuiltModel {
    /// Takes one step in which something moves, or goes to one event.
    fn first_step(&mut self) -> Result<(), RunError<Infallible>> {
        let before = self.state.step();
        if self.advance(|_| Ok(()))? && self.state.step() == before {
            // Events at the start are a step by themselves.
            self.advance(|_| Ok(()))?;
        }
        Ok(())
    }
}

impl BuiltSimulation {
    /// Takes one step, or goes to one event.
    fn first_step(&mut self, model: &NonSmoothDynamicalSystem, state: &mut State) -> Result<(), Error> {
        match self {
            Self::TimeStepping(simulation) => simulation.step(model, state).map(drop)?,
            Self::EventDriven(simulation) => simulation.step(model, state).map(drop)?,
        }
        Ok(())
    }
}
