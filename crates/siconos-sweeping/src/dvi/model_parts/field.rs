//! Rate f of a model, without the contribution of lambda.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2, s};

use super::FirstOrderModel;
use crate::dvi::StateMap;
use crate::dvi::state_map::add_product;
use siconos_kernel::model::{DynamicalSystem, Relation};

impl FirstOrderModel {
    /// Returns `true` if f has the form A x + e(t).
    fn has_affine_field(&self) -> bool {
        let systems = self.systems.iter().all(
            |(system, _)| matches!(system, DynamicalSystem::FirstOrderLinear(linear) if linear.has_constant_matrix()),
        );
        systems && self.interactions.iter().all(|it| matches!(it.relation, Relation::FirstOrderLinear(_)))
    }

    pub(in super::super) fn f(self: &Arc<Self>) -> StateMap {
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

    /// Writes the terms e(t) of the linear systems.
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
                    add_product(&a, x, out);
                    linear.add_source(at, &mut vec![0.0; linear.scratch_len()], out);
                }
                DynamicalSystem::FirstOrderNonlinear(nonlinear) => {
                    let rate = vec![0.0; x.len()];
                    nonlinear.field_into(at, x, &rate, &mut nonlinear.scratch(), out);
                }
                _ => {}
            }
        }
        // Contribution g(lambda) of each interaction at lambda = 0.
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
                        at,
                        x,
                        &rate,
                        &mut nonlinear.scratch(),
                        &mut block,
                    );
                }
                _ => {}
            }
        }
        self.divide_by_mass(t, x, out);
    }
}
