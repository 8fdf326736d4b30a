//! The systems and interactions of a first-order model as functions of one state.

use std::ops::Range;
use std::sync::Arc;

use ndarray::{Array2, ArrayView1, ArrayViewMut2, s};
use siconos_numerics::linalg::DenseLu;

use super::{DviError, InputMap, StateMap};
use crate::analysis::AnalysisError;
use crate::model::relation::RelationValues;
use crate::model::{At, DynamicalSystem, NonSmoothDynamicalSystem, Parameters, Relation};

/// The systems and interactions of a model, all states one after the other in the order of the model, and all
/// components of lambda likewise.
#[derive(Debug)]
pub(super) struct Parts {
    systems: Vec<(DynamicalSystem, Range<usize>)>,
    interactions: Vec<Acting>,
    parameters: Parameters,
    /// The matrices M, factorised; nothing where all are identities.
    mass: Option<DenseLu>,
    /// Whether an M is a function.
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

impl Parts {
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
                _ => return Err(refuse("it is not of first order")),
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
                Relation::FirstOrderLinear(linear) if linear.has_constant_feedthrough() => {}
                Relation::FirstOrderLinear(_) => return Err(refuse("its D depends on time, and F does not")),
                Relation::FirstOrderNonlinear(nonlinear) if nonlinear.constant_in_lambda().is_some() => {}
                Relation::FirstOrderNonlinear(_) => {
                    return Err(refuse(
                        "only with K = 0 and constant D and B is y = G(t, x) + D lambda and r = B lambda",
                    ));
                }
                _ => return Err(refuse("its relation is not of first order")),
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

    /// Overwrites columns with $M^{-1}$ times them; NaN where M is singular.
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

    /// Whether f is A x + e(t).
    fn has_affine_field(&self) -> bool {
        let systems = self.systems.iter().all(
            |(system, _)| matches!(system, DynamicalSystem::FirstOrderLinear(linear) if linear.has_constant_matrix()),
        );
        systems && self.interactions.iter().all(|it| matches!(it.relation, Relation::FirstOrderLinear(_)))
    }

    pub(super) fn f(self: &Arc<Self>) -> StateMap {
        if !self.has_affine_field() {
            return self.general_field();
        }
        let linear = || {
            self.systems.iter().filter_map(|(system, place)| match system {
                DynamicalSystem::FirstOrderLinear(linear) => Some((linear, place)),
                _ => None,
            })
        };
        let mut a = Array2::zeros((self.n, self.n));
        for (system, place) in linear() {
            system.matrix_into(self.at(0.0), &mut a.slice_mut(s![place.clone(), place.clone()]));
        }
        self.divide_by_mass(0.0, &[], &mut a.view_mut());
        let f = StateMap::linear(a);
        if linear().all(|(system, _)| !system.has_source()) {
            return f;
        }
        if linear().all(|(system, _)| system.is_time_invariant()) {
            let mut source = vec![0.0; self.n];
            self.source_into(0.0, &mut source);
            return f.with_offset(source);
        }
        let parts = Arc::clone(self);
        f.with_offset_function(move |t, out| parts.source_into(t, out))
    }

    /// Writes what does not depend on x, of linear systems.
    fn source_into(&self, t: f64, out: &mut [f64]) {
        for (system, place) in &self.systems {
            if let DynamicalSystem::FirstOrderLinear(linear) = system {
                let mut scratch = vec![0.0; linear.scratch_len()];
                linear.add_source(self.at(t), &mut scratch, &mut out[place.clone()]);
            }
        }
        self.divide_vector(t, &[], out);
    }

    fn general_field(self: &Arc<Self>) -> StateMap {
        let parts = Arc::clone(self);
        let f = StateMap::function(self.n, move |t, x, out| parts.field_into(t, x, out));
        if self.has_mass_function {
            return f;
        }
        let parts = Arc::clone(self);
        f.with_jacobian(move |t, x, out| parts.field_jacobian_into(t, x, out))
    }

    fn field_into(&self, t: f64, x: &[f64], out: &mut [f64]) {
        let at = self.at(t);
        for (system, place) in &self.systems {
            let (x, out) = (&x[place.clone()], &mut out[place.clone()]);
            match system {
                DynamicalSystem::FirstOrderLinear(linear) => {
                    let mut a = Array2::zeros((x.len(), x.len()));
                    linear.matrix_into(at, &mut a.view_mut());
                    super::state_map::add_product(&a, x, out);
                    linear.add_source(at, &mut vec![0.0; linear.scratch_len()], out);
                }
                DynamicalSystem::FirstOrderNonlinear(nonlinear) => {
                    let rate = vec![0.0; x.len()];
                    nonlinear.field_into(at, x, &rate, &mut nonlinear.scratch(), out);
                }
                _ => {}
            }
        }
        // r at lambda = 0.
        for it in &self.interactions {
            if let Relation::FirstOrderNonlinear(_) = &it.relation {
                let values = self.functions(it, t, x);
                it.columns.iter().zip(&values.r).for_each(|(column, r)| out[*column] += r);
            }
        }
        self.divide_vector(t, x, out);
    }

    fn field_jacobian_into(&self, t: f64, x: &[f64], out: &mut ArrayViewMut2<'_, f64>) {
        let at = self.at(t);
        for (system, place) in &self.systems {
            let x = &x[place.clone()];
            let mut block = out.slice_mut(s![place.clone(), place.clone()]);
            match system {
                DynamicalSystem::FirstOrderLinear(linear) => linear.matrix_into(at, &mut block),
                DynamicalSystem::FirstOrderNonlinear(nonlinear) => {
                    let rate = vec![0.0; x.len()];
                    nonlinear.subtract_jacobian(
                        (-1.0, 0.0),
                        (at, x, &rate),
                        &mut nonlinear.scratch(),
                        &mut block,
                    );
                }
                _ => {}
            }
        }
        self.divide_by_mass(t, x, out);
    }

    /// h and g of an interaction at lambda = 0, with the offset of a linear relation.
    fn functions(&self, it: &Acting, t: f64, x: &[f64]) -> RelationValues {
        let mut values = RelationValues::of(&it.relation, it.columns.len());
        let x: Vec<f64> = it.columns.iter().map(|column| x[*column]).collect();
        let lambda = vec![0.0; it.rows.len()];
        if let Relation::FirstOrderLinear(_) = it.relation {
            values.matrices(&it.relation, self.at(t), &x, &lambda);
            values.offset(&it.relation, self.at(t));
        }
        values.functions(&it.relation, self.at(t), &x, &lambda);
        values
    }

    /// C, D and B of an interaction.
    fn matrices(&self, it: &Acting, t: f64, x: &[f64]) -> RelationValues {
        let mut values = RelationValues::of(&it.relation, it.columns.len());
        let x: Vec<f64> = it.columns.iter().map(|column| x[*column]).collect();
        values.matrices(&it.relation, self.at(t), &x, &vec![0.0; it.rows.len()]);
        values
    }

    pub(super) fn feedthrough(&self) -> Array2<f64> {
        let mut d = Array2::zeros((self.m, self.m));
        let x = vec![0.0; self.n];
        for it in &self.interactions {
            let mut block = d.slice_mut(s![it.rows.clone(), it.rows.clone()]);
            match &it.relation {
                Relation::FirstOrderNonlinear(nonlinear) => {
                    if let Some((Some(own), _)) = nonlinear.constant_in_lambda() {
                        block.assign(own);
                    }
                }
                _ => block.assign(&self.matrices(it, 0.0, &x).d),
            }
        }
        d
    }

    pub(super) fn b(self: &Arc<Self>) -> InputMap {
        let is_constant = |it: &Acting| match &it.relation {
            Relation::FirstOrderLinear(linear) => linear.b().is_some(),
            _ => true,
        };
        if self.interactions.iter().all(is_constant) && !self.has_mass_function {
            let mut b = Array2::zeros((self.n, self.m));
            self.input_into(0.0, &vec![0.0; self.n], &mut b.view_mut());
            return b.into();
        }
        let parts = Arc::clone(self);
        InputMap::function((self.n, self.m), move |t, x, out| parts.input_into(t, x, out))
    }

    fn input_into(&self, t: f64, x: &[f64], out: &mut ArrayViewMut2<'_, f64>) {
        for it in &self.interactions {
            let own = match &it.relation {
                Relation::FirstOrderNonlinear(nonlinear) => match nonlinear.constant_in_lambda() {
                    Some((_, b)) => b.clone(),
                    None => continue,
                },
                _ => self.matrices(it, t, x).b,
            };
            for (row, &column) in own.rows().into_iter().zip(&it.columns) {
                out.slice_mut(s![column, it.rows.clone()]).assign(&row);
            }
        }
        self.divide_by_mass(t, x, out);
    }

    pub(super) fn g(self: &Arc<Self>) -> StateMap {
        let linear = || {
            self.interactions.iter().filter_map(|it| match &it.relation {
                Relation::FirstOrderLinear(linear) if linear.c().is_some() => Some((linear, it)),
                _ => None,
            })
        };
        if linear().count() < self.interactions.len() {
            let (value, jacobian) = (Arc::clone(self), Arc::clone(self));
            return StateMap::function(self.m, move |t, x, out| {
                for it in &value.interactions {
                    out[it.rows.clone()].copy_from_slice(&value.functions(it, t, x).y);
                }
            })
            .with_jacobian(move |t, x, out| jacobian.output_into(t, x, out));
        }
        let mut c = Array2::zeros((self.m, self.n));
        self.output_into(0.0, &vec![0.0; self.n], &mut c.view_mut());
        let g = StateMap::linear(c);
        if linear().all(|(relation, _)| !relation.has_offset()) {
            return g;
        }
        if linear().all(|(relation, _)| relation.has_constant_offset()) {
            let mut offset = vec![0.0; self.m];
            self.offset_into(0.0, &mut offset);
            return g.with_offset(offset);
        }
        let parts = Arc::clone(self);
        g.with_offset_function(move |t, out| parts.offset_into(t, out))
    }

    fn output_into(&self, t: f64, x: &[f64], out: &mut ArrayViewMut2<'_, f64>) {
        for it in &self.interactions {
            let values = self.matrices(it, t, x);
            for (column, entries) in it.columns.iter().zip(values.c.columns()) {
                out.slice_mut(s![it.rows.clone(), *column]).assign(&entries);
            }
        }
    }

    fn offset_into(&self, t: f64, out: &mut [f64]) {
        for it in &self.interactions {
            let mut values = RelationValues::of(&it.relation, it.columns.len());
            values.offset(&it.relation, self.at(t));
            out[it.rows.clone()].copy_from_slice(&values.offset);
        }
    }
}
