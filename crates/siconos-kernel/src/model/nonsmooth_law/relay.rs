//! Relays: multipliers with lower and upper bounds.

use std::sync::Arc;

use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};

use super::description::{LawDescription, Refusals, RowLaw};
use crate::model::Refusal;
use crate::model::closure::Closure;
use crate::model::coefficient::Coefficient;
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, ModelError, check_shape};

type BoundsOfTime = dyn Fn(At<'_>, &mut [f64], &mut [f64]) + Send + Sync;

/// Relay law $-y \in N_{[l, u]}(\lambda)$: $\lambda_i = l_i$ where $y_i > 0$, $\lambda_i = u_i$ where
/// $y_i < 0$, and $l_i \le \lambda_i \le u_i$ where $y_i = 0$.
///
/// With bounds of -1 and 1, the law is $\lambda \in -\mathrm{Sgn}(y)$: a relay, dry friction, or sliding-mode
/// control. Bounds can be infinite, and can be functions of time. With bounds of 0 and infinity, the law is
/// complementarity; with both bounds infinite, it is an equality.
///
/// Between Lagrangian systems and bodies, the law applies to the velocity $\dot y$ instead of y, and the
/// bounds limit a force \[N\] or moment \[N m\]. Examples are the dry friction of a slide or hinge, a brake,
/// and a motor of limited force that holds a speed. The force is the multiplier at
/// [`Level::Position`](crate::state::Level::Position); its impulse over the step is the multiplier at
/// [`Level::Velocity`](crate::state::Level::Velocity).
///
/// With a finite [gain](Self::with_gain) k, the relay is a saturation,
///
/// $$ \lambda_i = \min(\max(-k y_i, l_i), u_i), $$
///
/// as plain text: lambda_i = min(max(-k y_i, l_i), u_i). Examples are an amplifier, a damper of limited
/// force, and a motor whose moment decreases near its speed without load.
///
/// ```
/// use siconos_kernel::model::Relay;
///
/// let relay = Relay::symmetric(2, 1.0)?;
/// assert_eq!(relay.size(), 2);
/// // A supply that is switched off after a second.
/// let supply = Relay::of_time(1, |at, lower, upper| {
///     lower[0] = 0.0;
///     upper[0] = if at.t < 1.0 { 5.0 } else { 0.0 };
/// })?;
/// assert!(supply.depends_on_time());
/// assert!(Relay::new(vec![1.0], vec![-1.0]).is_err());
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "RelayNSL")]
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Relay {
    bounds: Bounds,
    gain: f64,
}

/// Constant bounds of a [`Relay`], one pair per component of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct RelayBounds {
    /// Lower bounds; negative infinity for a component without a lower bound.
    pub lower: Vec<f64>,
    /// Upper bounds, at or above the lower bounds; infinity for a component without an upper bound.
    pub upper: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Bounds {
    Constant(RelayBounds),
    OfTime { size: usize, function: Closure<BoundsOfTime> },
}

/// Functions are equal if they are the same object.
impl PartialEq for Bounds {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Constant(a), Self::Constant(b)) => a == b,
            (Self::OfTime { function: a, .. }, Self::OfTime { function: b, .. }) => a.is_same(b),
            _ => false,
        }
    }
}

/// Unchecked bounds, as read from a file; `None` for a component without a bound.
#[derive(Serialize, Deserialize)]
struct Unchecked {
    lower: Vec<Option<f64>>,
    upper: Vec<Option<f64>>,
    /// `None` for an infinite gain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gain: Option<f64>,
}

impl TryFrom<Unchecked> for Relay {
    type Error = ModelError;

    fn try_from(data: Unchecked) -> Result<Self, ModelError> {
        let or =
            |bounds: Vec<Option<f64>>, none: f64| bounds.into_iter().map(|b| b.unwrap_or(none)).collect();
        let law = Self::new(or(data.lower, f64::NEG_INFINITY), or(data.upper, f64::INFINITY))?;
        data.gain.map_or(Ok(law.clone()), |gain| law.with_gain(gain))
    }
}

impl Serialize for Relay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Bounds::Constant(RelayBounds { lower, upper }) = &self.bounds else {
            return Err(S::Error::custom(
                "the bounds of this relay are given by a function, which cannot be written",
            ));
        };
        let finite = |bounds: &[f64]| bounds.iter().map(|b| b.is_finite().then_some(*b)).collect();
        let gain = self.gain.is_finite().then_some(self.gain);
        Unchecked { lower: finite(lower), upper: finite(upper), gain }.serialize(serializer)
    }
}

impl Relay {
    pub(super) const DESCRIPTION: LawDescription = LawDescription {
        name: "Relay",
        rows: RowLaw::Box,
        opens: false,
        is_force: true,
        refused: Refusals {
            compliant: Some(Refusal::new(
                "a relay on a compliant relation",
                "drop D, and add a parallel spring",
            )),
            off_velocities: Some(Refusal::new("a relay", "use MoreauJean")),
            events: Some(Refusal::new(
                "a relay, whose switches would be events",
                "use TimeStepping with MoreauJean",
            )),
            first_order_events: Some(Refusal::new(
                "a relay, whose solutions may slide along its switching surface",
                "write it as complementarity with D if it is a saturation, or use TimeStepping",
            )),
            ..Refusals::NONE
        },
    };

    /// Creates a law with the given bounds, one pair per component of a block.
    ///
    /// # Errors
    ///
    /// If the bounds are empty ([`ModelError::Empty`]), their lengths differ ([`ModelError::WrongShape`]), or
    /// a bound is NaN, a lower bound is above the upper bound, or both are the same infinity
    /// ([`ModelError::Bounds`]).
    pub fn new(lower: Vec<f64>, upper: Vec<f64>) -> Result<Self, ModelError> {
        if lower.is_empty() {
            return Err(ModelError::Empty { what: "relay" });
        }
        check_shape("upper bounds", (lower.len(), 1), (upper.len(), 1))?;
        check_bounds(&lower, &upper)?;
        Ok(Self::of(Bounds::Constant(RelayBounds { lower, upper })))
    }

    /// Creates a law for blocks of `size` components with bounds `-bound` and `bound`.
    ///
    /// # Errors
    ///
    /// If `size` is 0 ([`ModelError::Empty`]), or the bound is negative or NaN ([`ModelError::Bounds`]).
    pub fn symmetric(size: usize, bound: f64) -> Result<Self, ModelError> {
        Self::new(vec![-bound; size], vec![bound; size])
    }

    /// Creates a law for blocks of `size` components. A function `(at, lower, upper)` of time and parameters
    /// writes the bounds; both slices are zeroed before the call. If it writes a lower bound above the upper
    /// bound, the step ends with an error.
    ///
    /// # Errors
    ///
    /// If `size` is 0 ([`ModelError::Empty`]).
    pub fn of_time(
        size: usize,
        bounds: impl Fn(At<'_>, &mut [f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Result<Self, ModelError> {
        if size == 0 {
            return Err(ModelError::Empty { what: "relay" });
        }
        Ok(Self::of(Bounds::OfTime { size, function: Closure::new(Arc::new(bounds)) }))
    }

    fn of(bounds: Bounds) -> Self {
        Self { bounds, gain: f64::INFINITY }
    }

    /// Sets the gain k, the magnitude of $d\lambda_i / d y_i$ between the bounds: \[N s/m\] or \[N m s\]
    /// between Lagrangian systems and bodies. Default: infinite.
    ///
    /// A motor with a stall moment of 40 N m and a speed of 8 rad/s without load, on a relation whose rate is
    /// the angular velocity, has the bounds -40 and 40 and the gain 5 N m s, if the relation subtracts 8
    /// rad/s.
    ///
    /// # Errors
    ///
    /// If the gain is not positive: [`ModelError::Gain`].
    pub fn with_gain(self, gain: f64) -> Result<Self, ModelError> {
        match gain > 0.0 {
            true => Ok(Self { gain, ..self }),
            false => Err(ModelError::Gain { value: gain }),
        }
    }

    /// Returns the gain.
    #[must_use]
    pub fn gain(&self) -> f64 {
        self.gain
    }

    /// Returns the number of components of a block.
    #[must_use]
    pub fn size(&self) -> usize {
        match &self.bounds {
            Bounds::Constant(bounds) => bounds.lower.len(),
            Bounds::OfTime { size, .. } => *size,
        }
    }

    /// Returns the bounds as they were given. If the bounds are a function, its name in
    /// [`UserFunctions`](crate::model::UserFunctions) is `bounds`, and its expressions are the lower bounds
    /// followed by the upper bounds.
    #[must_use]
    pub fn bounds(&self) -> Coefficient<'_, RelayBounds> {
        match &self.bounds {
            Bounds::Constant(bounds) => Coefficient::Constant(bounds),
            Bounds::OfTime { function, .. } => Coefficient::of_function(function),
        }
    }

    /// Returns `true` if the bounds are a function of time.
    #[must_use]
    pub fn depends_on_time(&self) -> bool {
        matches!(self.bounds, Bounds::OfTime { .. })
    }

    /// Writes the bounds at a given time; both slices have one entry per component of a block.
    ///
    /// # Errors
    ///
    /// If the length of a slice differs from the block size ([`ModelError::WrongShape`]), or a lower bound is
    /// above the upper bound ([`ModelError::Bounds`]).
    pub fn bounds_into<'a>(
        &self,
        at: impl Into<At<'a>>,
        lower: &mut [f64],
        upper: &mut [f64],
    ) -> Result<(), ModelError> {
        check_shape("lower bounds", (self.size(), 1), (lower.len(), 1))?;
        check_shape("upper bounds", (self.size(), 1), (upper.len(), 1))?;
        match &self.bounds {
            Bounds::Constant(bounds) => {
                lower.copy_from_slice(&bounds.lower);
                upper.copy_from_slice(&bounds.upper);
                Ok(())
            }
            Bounds::OfTime { function, .. } => {
                lower.fill(0.0);
                upper.fill(0.0);
                (function.0)(at.into(), lower, upper);
                check_bounds(lower, upper)
            }
        }
    }
}

impl HasParts for Relay {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of(Self::DESCRIPTION.name);
        parts.count("size", self.size());
        // Fingerprints of relays without a gain do not contain it.
        if self.gain.is_finite() {
            parts.number("gain", self.gain);
        }
        match &self.bounds {
            Bounds::Constant(bounds) => {
                parts.vector("lower bounds", &bounds.lower[..]);
                parts.vector("upper bounds", &bounds.upper[..]);
            }
            Bounds::OfTime { function, .. } => parts.function("bounds", function),
        }
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        match &mut self.bounds {
            Bounds::Constant(_) => Vec::new(),
            Bounds::OfTime { function, .. } => function.origin_mut().into_iter().collect(),
        }
    }
}

fn check_bounds(lower: &[f64], upper: &[f64]) -> Result<(), ModelError> {
    // Written so that NaN and an interval without finite values are rejected.
    let good = |l: f64, u: f64| l <= u && l < f64::INFINITY && u > f64::NEG_INFINITY;
    match lower.iter().zip(upper).position(|(&l, &u)| !good(l, u)) {
        None => Ok(()),
        Some(index) => Err(ModelError::Bounds { index, lower: lower[index], upper: upper[index] }),
    }
}
