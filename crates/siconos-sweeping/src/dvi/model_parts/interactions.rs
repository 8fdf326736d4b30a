//! Contributions of the interactions of a model to the matrix B, the function G and the map F.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2, s};

use super::{Acting, FirstOrderModel};
use crate::dvi::state_map::add_product;
use crate::dvi::{InputMap, StateMap, ViMap};
use siconos_kernel::engine::RelationValues;
use siconos_kernel::model::Relation;

impl FirstOrderModel {
    /// Returns h and g of an interaction at lambda = 0, including the offset of a linear relation.
    pub(super) fn functions(&self, it: &Acting, t: f64, x: &[f64]) -> RelationValues {
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

    /// Returns C, D and B of an interaction.
    fn matrices(&self, it: &Acting, t: f64, x: &[f64]) -> RelationValues {
        let mut values = RelationValues::of(&it.relation, it.columns.len());
        let x: Vec<f64> = it.columns.iter().map(|column| x[*column]).collect();
        values.matrices(&it.relation, self.at(t), &x, &vec![0.0; it.rows.len()]);
        values
    }

    /// Returns F(lambda) = D lambda, where D can be a function of time.
    pub(in super::super) fn map(self: &Arc<Self>) -> ViMap {
        let is_constant = |it: &Acting| match &it.relation {
            Relation::FirstOrderLinear(linear) => linear.has_constant_feedthrough(),
            _ => true,
        };
        if self.interactions.iter().all(is_constant) {
            return ViMap::Linear(self.feedthrough(0.0));
        }
        let (value, jacobian) = (Arc::clone(self), Arc::clone(self));
        ViMap::function_of_time(self.m, move |t, lambda, w| add_product(&value.feedthrough(t), lambda, w))
            .with_jacobian_of_time(move |t, _lambda, d| d.assign(&jacobian.feedthrough(t)))
    }

    fn feedthrough(&self, t: f64) -> Array2<f64> {
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
                _ => block.assign(&self.matrices(it, t, &x).d),
            }
        }
        d
    }

    pub(in super::super) fn b(self: &Arc<Self>) -> InputMap {
        let is_constant = |it: &Acting| match &it.relation {
            Relation::FirstOrderLinear(linear) => linear.b().constant().is_some(),
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

    pub(in super::super) fn g(self: &Arc<Self>) -> StateMap {
        let linear = || {
            self.interactions.iter().filter_map(|it| match &it.relation {
                Relation::FirstOrderLinear(linear) if linear.c().constant().is_some() => Some((linear, it)),
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
