//! Laws of a built model that change with the parameters.

use std::borrow::Cow;

use siconos_kernel::model::{InteractionId, NonSmoothDynamicalSystem, NonSmoothLaw};

use super::adjustable::AdjustableSettings;
use super::interactions::Interaction;
use crate::document::Value;
use crate::run_error::LawChangeError;

/// Laws with coefficients that are functions of parameters. `values` are the parameter values for which the
/// laws in the model were built.
#[derive(Clone, Debug)]
pub(super) struct AdjustableLaws {
    laws: Vec<(InteractionId, AdjustableSettings)>,
    values: Vec<f64>,
}

impl AdjustableLaws {
    /// Finds the laws that read parameters. `values` are the parameter values for which the model was built.
    pub(super) fn new(described: &[Interaction], ids: &[InteractionId], values: Vec<f64>) -> Self {
        let all = ids.iter().zip(described);
        let laws = all.filter_map(|(id, own)| Some((*id, own.law.adjustable()?.clone()))).collect();
        Self { laws, values }
    }

    /// Replaces the laws that read a parameter whose value has changed.
    ///
    /// # Errors
    ///
    /// If a coefficient of a law is out of range. The laws that precede it in the model have then already
    /// been replaced.
    pub(super) fn follow(
        &mut self,
        model: &mut NonSmoothDynamicalSystem,
        values: &[f64],
    ) -> Result<(), LawChangeError> {
        if self.laws.is_empty() {
            return Ok(());
        }
        for (id, settings) in &self.laws {
            if !settings.is_changed(&self.values, values) {
                continue;
            }
            let law: Result<NonSmoothLaw, _> = settings.read(values);
            let set = law.and_then(|law| model.set_law(*id, law).map_err(|error| error.to_string()));
            if let Err(message) = set {
                let interaction = id.name().unwrap_or_default().to_owned();
                return Err(LawChangeError { interaction, message });
            }
        }
        self.values.copy_from_slice(values);
        Ok(())
    }

    /// Returns the model with the laws for the parameter values `values`. If one of these laws is invalid,
    /// returns the model unchanged.
    pub(super) fn model_for<'m>(
        &self,
        model: &'m NonSmoothDynamicalSystem,
        values: &[f64],
    ) -> Cow<'m, NonSmoothDynamicalSystem> {
        if !self.laws.iter().any(|(_, settings)| settings.is_changed(&self.values, values)) {
            return Cow::Borrowed(model);
        }
        let mut other = model.clone();
        match self.clone().follow(&mut other, values) {
            Ok(()) => Cow::Owned(other),
            Err(_) => Cow::Borrowed(model),
        }
    }

    /// Returns the laws as values of a file.
    pub(super) fn written(&self) -> impl Iterator<Item = (InteractionId, Value<'static>)> {
        self.laws.iter().map(|(id, settings)| (*id, settings.written()))
    }
}
