//! The differential variational inequality that a first-order model is.

use std::sync::Arc;

use super::model_parts::Parts;
use super::product_set::set_of;
use super::{Dvi, DviError};
use siconos_kernel::model::NonSmoothDynamicalSystem;

impl Dvi {
    /// The first-order systems and interactions of a model as one differential variational inequality, with
    /// lambda for u: all systems one after the other, and all interactions likewise.
    ///
    /// - Complementarity alone makes K the orthant. Relays, equalities and mixed conditions make it a box,
    ///   [`NormalCone`](siconos_kernel::model::NormalCone) a polyhedron, and
    ///   [`ConeComplementarity`](siconos_kernel::model::ConeComplementarity) with a cone of two components or
    ///   more a set that is known by its projection.
    /// - Where all coefficients of x and lambda are constant, the result is [affine](Self::is_affine), and
    ///   the same to the last bit as one that is put together by hand. Sources may be functions of time. A D
    ///   that is one makes F a [function of time](super::ViMap::function_of_time).
    /// - Parameters have their initial values.
    ///
    /// With [`solve_boundary_value`](super::solve_boundary_value) this is what a model of Siconos with
    /// `isBVP` is for. [`initial_state`](Self::initial_state) has the states that the model begins with.
    ///
    /// # Errors
    ///
    /// [`DviError::NoInteraction`]. [`DviError::System`]: one that is not of first order, or whose control
    /// depends on x'. [`DviError::Interaction`]: a law without such a set, or whose bounds move; a relation
    /// that is not known to be separable. [`DviError::Analysis`]: a singular M. Those of [`new`](Self::new).
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::prelude::*;
    /// use siconos_sweeping::dvi::{Dvi, DviSet};
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let x = model.add_system(FirstOrderLinearTi::new(vec![1.0], array![[-1.0]]))?;
    /// let sign = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
    /// model.add_interaction([x], sign, Relay::symmetric(1, 1.0)?)?;
    /// let dvi = Dvi::of(&model)?;
    /// assert!(dvi.is_affine() && matches!(dvi.set(), DviSet::Box { .. }));
    /// assert_eq!(Dvi::initial_state(&model), [1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(model: &NonSmoothDynamicalSystem) -> Result<Self, DviError> {
        let set = set_of(model)?;
        let parts = Arc::new(Parts::of(model)?);
        Self::new(parts.f(), parts.b(), parts.g(), parts.map(), set)
    }

    /// The initial states of the first-order systems of a model, one after the other.
    #[must_use]
    pub fn initial_state(model: &NonSmoothDynamicalSystem) -> Vec<f64> {
        model.systems().iter().flat_map(|(_, system)| system.x0().iter().copied()).collect()
    }
}
