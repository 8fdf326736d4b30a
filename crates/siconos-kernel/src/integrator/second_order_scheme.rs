//! What the schemes of second-order systems have in common.

use super::{D1MinusLinear, ModalExact, MoreauJean, Projection, SchatzmanPaoli};
use crate::settings_error::SettingsError;

/// All schemes of second-order systems in one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SecondOrderScheme {
    MoreauJean(MoreauJean),
    SchatzmanPaoli(SchatzmanPaoli),
    ModalExact(ModalExact),
    D1MinusLinear(D1MinusLinear),
}

/// Where a scheme holds contacts and joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Holds {
    /// At velocity level, while a contact is active.
    Velocities(Activation),
    /// At position level, in every step.
    Positions,
    /// In forces and impulses apart.
    ForcesAndImpulses(D1MinusLinear),
}

/// A scheme in differences of positions, $u_{k+1} = (q_{k+1} - q_k) / h$.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TwoStep {
    /// [`SchatzmanPaoli`] with its theta.
    Central { theta: f64 },
    /// [`ModalExact`].
    Modal,
}

/// When a contact at velocity level is active.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Activation {
    /// How far ahead the gap is predicted, in steps.
    pub(crate) gamma: f64,
    /// The predicted gap at or below which it is; its rounding where none is given.
    pub(crate) threshold: Option<f64>,
    pub(crate) projection: Option<Projection>,
}

impl Activation {
    pub(super) fn validate(self) -> Result<(), SettingsError> {
        let Self { gamma: value, threshold, .. } = self;
        if !(value >= 0.0 && value.is_finite()) {
            let (name, must_be) = ("gamma", "finite and at least 0");
            return Err(SettingsError::OutOfRange { name, value, must_be });
        }
        check_threshold("activation_threshold", threshold)
    }
}

pub(super) fn check_threshold(name: &'static str, threshold: Option<f64>) -> Result<(), SettingsError> {
    match threshold {
        Some(value) if !value.is_finite() => {
            Err(SettingsError::OutOfRange { name, value, must_be: "finite" })
        }
        _ => Ok(()),
    }
}

impl SecondOrderScheme {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::MoreauJean(_) => "MoreauJean",
            Self::SchatzmanPaoli(_) => "SchatzmanPaoli",
            Self::ModalExact(_) => "ModalExact",
            Self::D1MinusLinear(_) => "D1MinusLinear",
        }
    }

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        match self {
            Self::MoreauJean(scheme) => scheme.validate(),
            Self::SchatzmanPaoli(scheme) => scheme.validate(),
            Self::ModalExact(scheme) => scheme.validate(),
            Self::D1MinusLinear(scheme) => scheme.validate(),
        }
    }

    /// The weight of the velocity at the end of the step in that of the positions.
    pub(crate) fn theta(&self) -> f64 {
        match self {
            Self::MoreauJean(scheme) => scheme.theta,
            Self::SchatzmanPaoli(_) | Self::ModalExact(_) => 1.0,
            Self::D1MinusLinear(_) => 0.5,
        }
    }

    pub(crate) fn two_step(&self) -> Option<TwoStep> {
        match self {
            Self::MoreauJean(_) | Self::D1MinusLinear(_) => None,
            Self::SchatzmanPaoli(scheme) => Some(TwoStep::Central { theta: scheme.theta }),
            Self::ModalExact(_) => Some(TwoStep::Modal),
        }
    }

    /// How it holds contacts and joints.
    pub(crate) fn holds(&self) -> Holds {
        match *self {
            Self::MoreauJean(MoreauJean { gamma, activation_threshold: threshold, projection, .. }) => {
                Holds::Velocities(Activation { gamma, threshold, projection })
            }
            Self::ModalExact(ModalExact { gamma, activation_threshold: threshold }) => {
                Holds::Velocities(Activation { gamma, threshold, projection: None })
            }
            Self::SchatzmanPaoli(_) => Holds::Positions,
            Self::D1MinusLinear(scheme) => Holds::ForcesAndImpulses(scheme),
        }
    }

    /// When contacts are active that are held at velocity level.
    pub(crate) fn activation(&self) -> Option<Activation> {
        match self.holds() {
            Holds::Velocities(activation) => Some(activation),
            _ => None,
        }
    }
}

impl From<D1MinusLinear> for SecondOrderScheme {
    fn from(scheme: D1MinusLinear) -> Self {
        Self::D1MinusLinear(scheme)
    }
}

impl From<MoreauJean> for SecondOrderScheme {
    fn from(scheme: MoreauJean) -> Self {
        Self::MoreauJean(scheme)
    }
}

impl From<SchatzmanPaoli> for SecondOrderScheme {
    fn from(scheme: SchatzmanPaoli) -> Self {
        Self::SchatzmanPaoli(scheme)
    }
}

impl From<ModalExact> for SecondOrderScheme {
    fn from(scheme: ModalExact) -> Self {
        Self::ModalExact(scheme)
    }
}
