//! Linear system of a model, linearised at its initial state if necessary.

use ndarray::{Array2, s};
use siconos_linalg::DenseLu;

use super::{AnalysisError, LinearSystem};
use crate::model::relation::RelationValues;
use crate::model::{DynamicalSystemId, InteractionId, NonSmoothDynamicalSystem};

impl LinearSystem {
    /// Returns the linear system that consists of all first-order systems of a model and the interactions
    /// that act on no other systems. Its states are in the order of the systems of the model, its multipliers
    /// in the order of the interactions. Nonlinear functions are linearised at time `t`, the initial states
    /// and parameters, and lambda = 0. Returns `None` if no interaction acts on first-order systems.
    ///
    /// # Errors
    ///
    /// [`AnalysisError::SingularMass`] if a mass matrix is singular; [`AnalysisError::Model`] if a user
    /// function returns a value that is not finite.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::analysis::LinearSystem;
    /// use siconos_kernel::prelude::*;
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let x = model.add_system(FirstOrderLinearTi::new(vec![1.0], array![[-2.0]]).with_mass(array![2.0]))?;
    /// let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[4.0]]);
    /// model.add_interaction([x], relation, ComplementarityCondition::new(1)?)?;
    /// let system = LinearSystem::of(&model, 0.0)?.expect("there is an interaction");
    /// assert_eq!((system.a()[[0, 0]], system.b()[[0, 0]]), (-1.0, 2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(model: &NonSmoothDynamicalSystem, t: f64) -> Result<Option<Self>, AnalysisError> {
        let systems = model.systems().iter().filter(|(_, system)| system.is_first_order());
        let interactions = model
            .interactions()
            .iter()
            .filter(|(_, it)| it.relation().is_first_order() && !model.is_mixed(it));
        let systems: Vec<_> = systems.map(|(id, _)| id).collect();
        let interactions: Vec<_> = interactions.map(|(id, _)| id).collect();
        Self::of_part(model, t, &systems, &interactions)
    }

    /// [`of`](Self::of) for a subset of the systems, with interactions that act only on these systems.
    pub(crate) fn of_part(
        model: &NonSmoothDynamicalSystem,
        t: f64,
        systems: &[DynamicalSystemId],
        interactions: &[InteractionId],
    ) -> Result<Option<Self>, AnalysisError> {
        let at = model.at(t);
        let (mut n, mut m) = (0, 0);
        for id in systems {
            n += model.system(*id)?.x0().len();
        }
        for id in interactions {
            m += model.interaction(*id)?.size();
        }
        if m == 0 {
            return Ok(None);
        }
        let mut a = Array2::zeros((n, n));
        let mut mass = Array2::zeros((n, n));
        // Systems are found in this list by linear search, because subsets are small. A table indexed by slot
        // would have one entry for each system of the whole model.
        let mut places = Vec::with_capacity(systems.len());
        let mut start = 0;
        for &id in systems {
            let system = model.system(id)?;
            let place = start..start + system.x0().len();
            start = place.end;
            let within = s![place.clone(), place.clone()];
            system.linearised_into(at, &mut mass.slice_mut(within), &mut a.slice_mut(within));
            places.push((id, place));
        }
        let (mut b, mut c, mut d) = (Array2::zeros((n, m)), Array2::zeros((m, n)), Array2::zeros((m, m)));
        let mut row = 0;
        for &id in interactions {
            let interaction = model.interaction(id)?;
            let rows = row..row + interaction.size();
            row = rows.end;
            let mut x = Vec::new();
            let mut columns = Vec::new();
            for id in interaction.systems() {
                x.extend(model.system(*id)?.x0());
                let place = places.iter().find(|(other, _)| other == id).map(|(_, place)| place.clone());
                columns.extend(place.unwrap_or_default());
            }
            let mut values = RelationValues::of(interaction.relation(), columns.len());
            values.matrices(interaction.relation(), at, &x, &vec![0.0; rows.len()]);
            d.slice_mut(s![rows.clone(), rows.clone()]).assign(&values.d);
            for (k, &column) in columns.iter().enumerate() {
                c.slice_mut(s![rows.clone(), column]).assign(&values.c.column(k));
                b.slice_mut(s![column, rows.clone()]).assign(&values.b.row(k));
                for (l, &other) in columns.iter().enumerate().filter(|_| !values.k.is_empty()) {
                    a[[column, other]] += values.k[[k, l]];
                }
            }
        }
        let mut lu = DenseLu::default();
        lu.factor(mass.view()).map_err(|source| AnalysisError::SingularMass { source })?;
        for mut column in a.columns_mut().into_iter().chain(b.columns_mut()) {
            let mut image = column.to_vec();
            lu.solve(&mut image);
            column.assign(&ndarray::ArrayView1::from(&image));
        }
        Ok(Some(Self::new(a, b, c, d)?))
    }
}
