//! Conversion of a first-order model to a differential variational inequality.

use std::sync::Arc;

use super::model_parts::FirstOrderModel;
use super::product_set::set_of;
use super::{Dvi, DviError};
use siconos_kernel::model::NonSmoothDynamicalSystem;

impl Dvi {
    /// Converts the first-order systems and interactions of a model to one differential variational
    /// inequality. x concatenates the states of all systems, and u concatenates the lambda of all
    /// interactions.
    ///
    /// - K is the orthant if all laws are complementarity conditions. Relays, equalities and mixed conditions
    ///   make K a box. [`NormalCone`](siconos_kernel::model::NormalCone) makes it a polyhedron.
    ///   [`ConeComplementarity`](siconos_kernel::model::ConeComplementarity) with a cone of two or more
    ///   components makes it a set given by its projection.
    /// - If all coefficients of x and lambda are constant, the result is [affine](Self::is_affine), and is
    ///   bit-identical to a manually assembled problem. Sources can be functions of time. If a matrix D is a
    ///   function of time, F is a [function of time](super::ViMap::function_of_time).
    /// - Parameters have their initial values.
    ///
    /// Together with [`solve_boundary_value`](super::solve_boundary_value), this replaces models of Siconos
    /// with the option `isBVP`. [`initial_state`](Self::initial_state) returns the initial states of the
    /// model.
    ///
    /// # Errors
    ///
    /// If the model has no interaction ([`DviError::NoInteraction`]); if a system is not of first order or
    /// its control depends on x' ([`DviError::System`]); if a law does not define a constant convex set, or
    /// if a relation is not known to be separable ([`DviError::Interaction`]); or if a matrix M is singular
    /// ([`DviError::Analysis`]). For the other errors, see [`new`](Self::new).
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
        let parts = Arc::new(FirstOrderModel::of(model)?);
        Self::new(parts.f(), parts.b(), parts.g(), parts.map(), set)
    }

    /// Returns the initial states of the first-order systems of a model, concatenated.
    #[must_use]
    pub fn initial_state(model: &NonSmoothDynamicalSystem) -> Vec<f64> {
        model.systems().iter().flat_map(|(_, system)| system.x0().iter().copied()).collect()
    }
}
