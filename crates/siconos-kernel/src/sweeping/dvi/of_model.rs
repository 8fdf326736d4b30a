//! The differential variational inequality that a first-order model is.

use std::sync::Arc;

use ndarray::{Array2, s};

use super::model_parts::Parts;
use super::{Dvi, DviError, DviSet, ViMap};
use crate::model::{NonSmoothDynamicalSystem, NonSmoothLaw};

impl Dvi {
    /// The first-order systems and interactions of a model as one differential variational inequality, with
    /// lambda for u: all systems one after the other, and all interactions likewise.
    ///
    /// - Complementarity alone makes K the orthant. Relays, equalities and mixed conditions make it a box,
    ///   [`NormalCone`](crate::model::NormalCone) a polyhedron.
    /// - Where all coefficients of x and lambda are constant, the result is [affine](Self::is_affine), and
    ///   the same to the last bit as one that is put together by hand. Sources may be functions of time.
    /// - Parameters have their initial values.
    ///
    /// With [`solve_boundary_value`](super::solve_boundary_value) this is what a model of Siconos with
    /// `isBVP` is for. [`initial_state`](Self::initial_state) has the states that the model begins with.
    ///
    /// # Errors
    ///
    /// [`DviError::NoInteraction`]. [`DviError::System`]: one that is not of first order, or whose control
    /// depends on x'. [`DviError::Interaction`]: a law without such a set, a D that depends on time, a
    /// relation that is not separable. [`DviError::Analysis`]: a singular M. Those of [`new`](Self::new).
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::prelude::*;
    /// use siconos_kernel::sweeping::dvi::{Dvi, DviSet};
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let x = model.add_system(FirstOrderLinearTi::new(vec![1.0], array![[-1.0]]))?;
    /// let sign = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
    /// model.add_interaction([x], sign, Relay::symmetric(1, 1.0)?)?;
    /// let dvi = Dvi::of(&model)?;
    /// assert!(dvi.is_affine() && matches!(dvi.set(), DviSet::Box { .. }));
    /// assert_eq!(Dvi::initial_state(&model), [1.0]);
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    pub fn of(model: &NonSmoothDynamicalSystem) -> Result<Self, DviError> {
        let set = set_of(model)?;
        let parts = Arc::new(Parts::of(model)?);
        let map = ViMap::Linear(parts.feedthrough());
        Self::new(parts.f(), parts.b(), parts.g(), map, set)
    }

    /// The initial states of the first-order systems of a model, one after the other.
    #[must_use]
    pub fn initial_state(model: &NonSmoothDynamicalSystem) -> Vec<f64> {
        model.systems().iter().flat_map(|(_, system)| system.x0().iter().copied()).collect()
    }
}

/// K, by the laws.
fn set_of(model: &NonSmoothDynamicalSystem) -> Result<DviSet, DviError> {
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    // Rows of polyhedra, with the first component that they act on.
    let mut inequalities = Vec::new();
    let (mut is_orthant, mut is_box) = (true, true);
    for (interaction, it) in model.interactions().iter() {
        let refuse = |why| DviError::Interaction { interaction, why };
        let law = it.law();
        for _ in 0..it.size() / law.size().max(1) {
            let first = lower.len();
            let unbounded = [(f64::NEG_INFINITY, f64::INFINITY)];
            let bounds: Vec<(f64, f64)> = match law {
                NonSmoothLaw::Complementarity(_) => [(0.0, f64::INFINITY)].repeat(law.size()),
                NonSmoothLaw::Equality(_) => unbounded.repeat(law.size()),
                NonSmoothLaw::MixedComplementarity(mixed) => {
                    let mut bounds = unbounded.repeat(mixed.equalities());
                    bounds.resize(law.size(), (0.0, f64::INFINITY));
                    bounds
                }
                NonSmoothLaw::Relay(relay) if relay.depends_on_time() => {
                    return Err(refuse("the bounds of its relay depend on time, and K does not move"));
                }
                NonSmoothLaw::Relay(relay) => {
                    let (mut l, mut u) = (vec![0.0; law.size()], vec![0.0; law.size()]);
                    relay.bounds_into(model.at(0.0), &mut l, &mut u)?;
                    l.into_iter().zip(u).collect()
                }
                NonSmoothLaw::NormalCone(cone) => {
                    is_box = false;
                    inequalities
                        .extend(cone.polyhedron().k().iter().enumerate().map(|(i, k)| (first, cone, i, *k)));
                    unbounded.repeat(law.size())
                }
                _ => return Err(refuse("its law is no inclusion of lambda in a polyhedron")),
            };
            is_orthant &= matches!(law, NonSmoothLaw::Complementarity(_));
            let (l, u): (Vec<f64>, Vec<f64>) = bounds.into_iter().unzip();
            lower.extend(l);
            upper.extend(u);
        }
    }
    if lower.is_empty() {
        return Err(DviError::NoInteraction);
    }
    if is_orthant {
        return Ok(DviSet::Orthant);
    }
    if is_box {
        return Ok(DviSet::Box { lower, upper });
    }
    let m = lower.len();
    let finite = |bounds: &[f64]| bounds.iter().filter(|b| b.is_finite()).count();
    let p = inequalities.len() + finite(&lower) + finite(&upper);
    let (mut h, mut k) = (Array2::zeros((p, m)), Vec::with_capacity(p));
    for (first, cone, i, value) in inequalities {
        h.slice_mut(s![k.len(), first..first + cone.size()]).assign(&cone.polyhedron().h().row(i));
        k.push(value);
    }
    for (bounds, sign) in [(&lower, 1.0), (&upper, -1.0)] {
        for (j, bound) in bounds.iter().enumerate().filter(|(_, bound)| bound.is_finite()) {
            h[[k.len(), j]] = sign;
            k.push(sign * bound);
        }
    }
    Ok(DviSet::Polyhedron { h, k })
}
