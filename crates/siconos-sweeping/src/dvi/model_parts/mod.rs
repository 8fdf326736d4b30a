//! The systems and interactions of a first-order model as functions of one state.

mod field;
mod interactions;

use std::ops::Range;

use ndarray::{Array2, ArrayView1, ArrayViewMut2, s};
use siconos_linalg::DenseLu;

use super::DviError;
use siconos_kernel::analysis::AnalysisError;
use siconos_kernel::model::{At, DynamicalSystem, NonSmoothDynamicalSystem, Parameters, Relation};

/// Systems and interactions of a model. The state x concatenates the states of all systems in the order of
/// the model, and u concatenates the lambda of all interactions.
#[derive(Debug)]
pub(super) struct FirstOrderModel {
    systems: Vec<(DynamicalSystem, Range<usize>)>,
    interactions: Vec<Acting>,
    parameters: Parameters,
    /// Factors of the matrices M; `None` if all are identities, or if at least one M is a function.
    mass: Option<DenseLu>,
    /// `true` if at least one matrix M is a function.
    has_mass_function: bool,
    n: usize,
    m: usize,
}

#[derive(Debug)]
struct Acting {
    relation: Relation,
    rows: Range<usize>,
    columns: Vec<usize>,
}

impl FirstOrderModel {
    pub(super) fn of(model: &NonSmoothDynamicalSystem) -> Result<Self, DviError> {
        let (mut systems, mut places) = (Vec::new(), Vec::new());
        let (mut n, mut has_mass_function, mut has_mass) = (0, false, false);
        for (id, system) in model.systems().iter() {
            let refuse = |why| DviError::System { system: id, why };
            match system {
                DynamicalSystem::FirstOrderLinear(linear) => has_mass |= linear.mass().is_some(),
                DynamicalSystem::FirstOrderNonlinear(nonlinear) => {
                    if nonlinear.has_control() {
                        return Err(refuse("its control term may depend on the rate of x"));
                    }
                    has_mass |= !nonlinear.has_identity_mass();
                    has_mass_function |= !nonlinear.has_constant_mass();
                }
                _ => return Err(refuse("it is not a first-order system")),
            }
            let place = n..n + system.x0().len();
            n = place.end;
            places.push((id, place.clone()));
            systems.push((system.clone(), place));
        }
        let (mut interactions, mut m) = (Vec::new(), 0);
        for (interaction, it) in model.interactions().iter() {
            let refuse = |why| DviError::Interaction { interaction, why };
            let relation = it.relation().clone();
            match &relation {
                Relation::FirstOrderLinear(_) => {}
                Relation::FirstOrderNonlinear(nonlinear) if nonlinear.constant_in_lambda().is_some() => {}
                Relation::FirstOrderNonlinear(_) => {
                    return Err(refuse(
                        "K must be zero, and D and B constant, so that y = G(t, x) + D lambda and r = B \
                         lambda; if y = G(t, x) + F(t, lambda) and r = B(t, x) lambda, combine these functions \
                         with Dvi::new",
                    ));
                }
                _ => return Err(refuse("its relation is not a first-order relation")),
            }
            let rows = m..m + it.size();
            m = rows.end;
            let own = it.systems().iter().filter_map(|id| places.iter().find(|(other, _)| other == id));
            let columns = own.flat_map(|(_, place)| place.clone()).collect();
            interactions.push(Acting { relation, rows, columns });
        }
        let parameters = model.initial_parameters().clone();
        let mut parts = Self { systems, interactions, parameters, mass: None, has_mass_function, n, m };
        if has_mass && !has_mass_function {
            let mut lu = DenseLu::default();
            lu.factor_in_any_units(parts.mass_at(0.0, &vec![0.0; n]).view())
                .map_err(|source| AnalysisError::SingularMass { source })?;
            parts.mass = Some(lu);
        }
        Ok(parts)
    }

    fn at(&self, t: f64) -> At<'_> {
        At::new(t, &self.parameters)
    }

    fn mass_at(&self, t: f64, x: &[f64]) -> Array2<f64> {
        let mut mass = Array2::zeros((self.n, self.n));
        for (system, place) in &self.systems {
            let mut block = mass.slice_mut(s![place.clone(), place.clone()]);
            match system {
                DynamicalSystem::FirstOrderLinear(linear) => linear.mass_into(&mut block),
                DynamicalSystem::FirstOrderNonlinear(nonlinear) => {
                    let mut scratch = nonlinear.scratch();
                    nonlinear.mass_into(self.at(t), &x[place.clone()], &mut scratch, &mut block);
                }
                _ => {}
            }
        }
        mass
    }

    /// Multiplies columns by $M^{-1}$ in place; writes NaN if M is singular.
    fn divide_by_mass(&self, t: f64, x: &[f64], columns: &mut ArrayViewMut2<'_, f64>) {
        let mut own = DenseLu::default();
        let lu = match &self.mass {
            Some(lu) => lu,
            None if !self.has_mass_function => return,
            None => match own.factor_in_any_units(self.mass_at(t, x).view()) {
                Ok(()) => &own,
                Err(_) => return columns.fill(f64::NAN),
            },
        };
        for mut column in columns.columns_mut() {
            let mut solved = column.to_vec();
            lu.solve(&mut solved);
            column.assign(&ArrayView1::from(&solved));
        }
    }

    fn divide_vector(&self, t: f64, x: &[f64], vector: &mut [f64]) {
        if let Ok(mut column) = ArrayViewMut2::from_shape((vector.len(), 1), vector) {
            self.divide_by_mass(t, x, &mut column);
        }
    }
}
