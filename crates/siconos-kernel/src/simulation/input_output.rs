//! Inputs and outputs of first-order systems: y = h(t, x, lambda), r = g(t, x, lambda), their derivatives, and Newton's
//! linearisation of both (developer's notes of Siconos, 8.9 to 8.21).

use std::ops::Range;

use siconos_numerics::linalg::dot;

use super::kinematics::Which;
use crate::error::SimulationError;
use crate::model::NonSmoothDynamicalSystem;
use crate::model::relation::RelationValues;
use crate::nonsmooth_problem::{ContactKind, InteractionEntry, Tables};

/// An iterate of the step: states over all systems, multipliers over all rows.
#[derive(Clone, Copy)]
pub(super) struct Iterate<'a> {
    pub(super) t_k: f64,
    pub(super) t_kp1: f64,
    pub(super) x_k: &'a [f64],
    pub(super) x: &'a [f64],
    pub(super) lambda: &'a [f64],
}

/// What the relations of first-order systems were at the last iterate.
#[derive(Clone, Debug, Default)]
pub(super) struct InputOutput {
    /// By interaction; empty for those of Lagrangian systems.
    pub(super) values: Vec<RelationValues>,
    /// The rows of $B^T$, in the layout of the Jacobians.
    pub(super) input: Vec<f64>,
    /// The known part of the inputs over the step, by state: $h \theta_r (g - B \lambda) + h (1 - \theta_r) r_k$.
    pub(super) known: Vec<f64>,
    /// $r_k$, by state.
    before: Vec<f64>,
    /// The linearised outputs and inputs at the solution of the one-step problem.
    y: Vec<f64>,
    r: Vec<Vec<f64>>,
    /// The iterate at which everything was evaluated.
    x_at: Vec<f64>,
    lambda_at: Vec<f64>,
    x_gamma: Vec<f64>,
    /// Where the systems of an interaction lie in its relation and in their block of W.
    places: Vec<Vec<(Range<usize>, usize)>>,
    /// The interactions of first-order systems.
    members: Vec<usize>,
}

/// How far an iterate is from solving the equations of first-order systems, each relative to the size of its terms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Residuals {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) r: f64,
}

impl InputOutput {
    pub(super) fn new(model: &NonSmoothDynamicalSystem, tables: &Tables) -> Self {
        let is_first_order = |place: &usize| tables.interactions[*place].is_first_order();
        let members: Vec<_> = (0..tables.interactions.len()).filter(is_first_order).collect();
        if members.is_empty() {
            return Self { known: vec![0.0; tables.dofs], ..Self::default() };
        }
        let columns = |place: usize| tables.parts_of(place).last().map_or(0, |part| part.relation.end);
        let values = tables.interactions.iter().enumerate().map(|(place, entry)| {
            model.interaction(entry.id).map_or_else(
                |_| RelationValues::default(),
                |interaction| RelationValues::of(interaction.relation(), columns(place)),
            )
        });
        let places = (0..tables.interactions.len()).map(|place| {
            let of_part = |part: &crate::nonsmooth_problem::Part| {
                let block = tables.blocks.iter().find(|block| block.systems.contains(&part.system));
                let start = block.map_or(0, |block| block.dofs.start);
                (part.relation.clone(), part.dofs.start - start)
            };
            tables.parts_of(place).iter().map(of_part).collect()
        });
        Self {
            values: values.collect(),
            input: vec![0.0; tables.jacobian_len],
            known: vec![0.0; tables.dofs],
            before: vec![0.0; tables.dofs],
            y: vec![0.0; tables.rows],
            r: (0..tables.interactions.len()).map(|place| vec![0.0; columns(place)]).collect(),
            x_at: vec![0.0; tables.dofs],
            lambda_at: vec![0.0; tables.rows],
            x_gamma: vec![0.0; (0..tables.interactions.len()).map(columns).max().unwrap_or(0)],
            places: places.collect(),
            members,
        }
    }

    /// Where the systems of an interaction lie in its relation and in their block of W.
    pub(super) fn places(&self, interaction: usize) -> &[(Range<usize>, usize)] {
        &self.places[interaction]
    }

    /// Evaluates C, D, K and B, and writes C into the Jacobians.
    pub(super) fn matrices(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        which: Which,
        at: Iterate<'_>,
        jacobian: &mut [f64],
    ) -> Result<(), SimulationError> {
        for &place in &self.members {
            let entry = &tables.interactions[place];
            if which == Which::Variable && entry.constant {
                continue;
            }
            let relation = model.interaction(entry.id)?.relation();
            let (t, x) = gather(tables, place, at, &mut self.x_gamma);
            let values = &mut self.values[place];
            values.matrices(relation, t, x, &at.lambda[entry.rows.clone()]);
            for (i, row) in entry.rows.clone().enumerate() {
                let range = tables.jacobian_row(place, row);
                let (c, b) = (&mut jacobian[range.clone()], &mut self.input[range]);
                c.fill(0.0);
                b.fill(0.0);
                for part in tables.parts_of(place) {
                    for (k, column) in part.relation.clone().enumerate() {
                        c[part.column + k] = values.c[[i, column]];
                        b[part.column + k] = values.b[[column, i]];
                    }
                }
            }
        }
        Ok(())
    }

    /// Evaluates h and g, which needs the matrices of linear relations.
    pub(super) fn functions(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        at: Iterate<'_>,
    ) -> Result<(), SimulationError> {
        for &place in &self.members {
            let entry = &tables.interactions[place];
            let relation = model.interaction(entry.id)?.relation();
            let (t, x) = gather(tables, place, at, &mut self.x_gamma);
            self.values[place].functions(relation, t, x, &at.lambda[entry.rows.clone()]);
        }
        self.x_at.copy_from_slice(at.x);
        self.lambda_at.copy_from_slice(at.lambda);
        Ok(())
    }

    /// Writes h as it was evaluated last into y.
    pub(super) fn write_outputs(&self, tables: &Tables, y: &mut [f64]) {
        for &place in &self.members {
            y[tables.interactions[place].rows.clone()].copy_from_slice(&self.values[place].y);
        }
    }

    /// Keeps g as it was evaluated last as $r_k$.
    pub(super) fn keep_inputs(&mut self, tables: &Tables) {
        self.before.fill(0.0);
        for &place in &self.members {
            for part in tables.parts_of(place) {
                add(1.0, &self.values[place].r[part.relation.clone()], &mut self.before[part.dofs.clone()]);
            }
        }
    }

    /// The known part of the inputs over the step, for the iterate of the last evaluation.
    pub(super) fn update_known(&mut self, tables: &Tables, h: f64) {
        self.known.fill(0.0);
        for &place in &self.members {
            let entry = &tables.interactions[place];
            let ContactKind::FirstOrder(scheme) = entry.kind else { continue };
            let (values, lambda) = (&self.values[place], &self.lambda_at[entry.rows.clone()]);
            for part in tables.parts_of(place) {
                for (k, row) in part.dofs.clone().zip(part.relation.clone()) {
                    let b_lambda: f64 = values.b.row(row).iter().zip(lambda).map(|(b, l)| b * l).sum();
                    self.known[k] += h * scheme.theta_r * (values.r[row] - b_lambda);
                }
            }
        }
        for block in &tables.blocks {
            let Some(weight) = theta_r(tables, block.systems.start).map(|theta_r| h * (1.0 - theta_r)) else {
                continue;
            };
            if weight != 0.0 {
                let place = block.dofs.clone();
                add(weight, &self.before[place.clone()], &mut self.known[place]);
            }
        }
    }

    /// The output of one row without the unknown: of a linear relation $C x_\gamma + F z + e$ with the free state `x_p`, of a
    /// nonlinear one its linearisation.
    pub(super) fn free_output(
        &self,
        tables: &Tables,
        (interaction, row): (usize, usize),
        (jacobian, x_p): (&[f64], &[f64]),
    ) -> f64 {
        let entry = &tables.interactions[interaction];
        let ContactKind::FirstOrder(scheme) = entry.kind else { return 0.0 };
        let i = row - entry.rows.start;
        let c = &jacobian[tables.jacobian_row(interaction, row)];
        let mut change = 0.0;
        for leg in tables.legs_of(interaction) {
            let states = x_p[leg.dofs.clone()].iter().zip(&self.x_at[leg.dofs.clone()]);
            change += c[leg.columns.clone()].iter().zip(states).map(|(c, (p, x))| c * (p - x)).sum::<f64>();
        }
        let values = &self.values[interaction];
        let lambda = &self.lambda_at[entry.rows.clone()];
        let d_lambda: f64 = values.d.row(i).iter().zip(lambda).map(|(d, l)| d * l).sum();
        values.y[i] + scheme.gamma * change - d_lambda
    }

    /// Linearises y and r around the last iterate, at the solution of the one-step problem.
    pub(super) fn linearise(&mut self, tables: &Tables, x: &[f64], lambda: &[f64]) {
        for &place in &self.members {
            let entry = &tables.interactions[place];
            let ContactKind::FirstOrder(scheme) = entry.kind else { continue };
            let (values, r) = (&self.values[place], &mut self.r[place]);
            let rows = entry.rows.clone();
            let change: &mut [f64] = &mut self.x_gamma;
            for part in tables.parts_of(place) {
                let states = x[part.dofs.clone()].iter().zip(&self.x_at[part.dofs.clone()]);
                for (change, (x, x_at)) in change[part.relation.clone()].iter_mut().zip(states) {
                    *change = scheme.gamma * (x - x_at);
                }
            }
            let of_lambda = |row: ndarray::ArrayView1<'_, f64>| -> f64 {
                let pairs = lambda[rows.clone()].iter().zip(&self.lambda_at[rows.clone()]);
                row.iter().zip(pairs).map(|(a, (l, l_at))| a * (l - l_at)).sum()
            };
            let of_x = |row: ndarray::ArrayView1<'_, f64>| -> f64 {
                row.iter().zip(&*change).map(|(a, dx)| a * dx).sum()
            };
            for (i, row) in rows.clone().enumerate() {
                self.y[row] = values.y[i] + of_x(values.c.row(i)) + of_lambda(values.d.row(i));
            }
            for (i, r) in r.iter_mut().enumerate() {
                let by_k = if values.k.is_empty() { 0.0 } else { of_x(values.k.row(i)) };
                *r = values.r[i] + by_k + of_lambda(values.b.row(i));
            }
        }
    }

    /// Adds the integral of the linearised inputs over the step, $h \theta_r r + h (1 - \theta_r) r_k$, by state.
    pub(super) fn add_linearised_inputs(&self, tables: &Tables, h: f64, out: &mut [f64]) {
        self.add_inputs(tables, h, |place| &self.r[place], out);
    }

    /// Adds the integral of the inputs of the last evaluation over the step, by state.
    pub(super) fn add_evaluated_inputs(&self, tables: &Tables, h: f64, out: &mut [f64]) {
        self.add_inputs(tables, h, |place| &self.values[place].r, out);
    }

    fn add_inputs<'a>(&self, tables: &Tables, h: f64, r: impl Fn(usize) -> &'a Vec<f64>, out: &mut [f64]) {
        for &place in &self.members {
            let ContactKind::FirstOrder(scheme) = tables.interactions[place].kind else { continue };
            for part in tables.parts_of(place) {
                add(h * scheme.theta_r, &r(place)[part.relation.clone()], &mut out[part.dofs.clone()]);
            }
        }
        for entry in &tables.systems {
            if let crate::integrator::Scheme::FirstOrder(scheme) = entry.scheme
                && scheme.theta_r != 1.0
            {
                let place = entry.dofs.clone();
                add(h * (1.0 - scheme.theta_r), &self.before[place.clone()], &mut out[place]);
            }
        }
    }

    /// How far the linearised y and r are from h and g as they were evaluated last.
    pub(super) fn residuals(&self, tables: &Tables) -> Residuals {
        let (mut worst_y, mut worst_r) = (0.0_f64, 0.0_f64);
        for &place in &self.members {
            let entry = &tables.interactions[place];
            let values = &self.values[place];
            let lambda = &self.lambda_at[entry.rows.clone()];
            let terms = |row: ndarray::ArrayView1<'_, f64>, x: &dyn Fn(usize) -> f64| -> f64 {
                row.iter().enumerate().map(|(k, a)| (a * x(k)).abs()).sum()
            };
            let states = |k: usize| {
                let part = tables.parts_of(place).iter().find(|part| part.relation.contains(&k));
                part.map_or(0.0, |part| self.x_at[part.dofs.start + k - part.relation.start])
            };
            for (i, (y, h)) in self.y[entry.rows.clone()].iter().zip(&values.y).enumerate() {
                let scale = terms(values.c.row(i), &states) + terms(values.d.row(i), &|k| lambda[k]);
                worst_y = larger(worst_y, relative(y - h, scale + y.abs() + h.abs()));
            }
            for (i, (r, g)) in self.r[place].iter().zip(&values.r).enumerate() {
                worst_r = larger(
                    worst_r,
                    relative(r - g, terms(values.b.row(i), &|k| lambda[k]) + r.abs() + g.abs()),
                );
            }
        }
        Residuals { x: 0.0, y: worst_y, r: worst_r }
    }

    /// y of a linear relation, for the state that is kept: no iterate has to be remembered.
    pub(super) fn interactions(&self) -> &[usize] {
        &self.members
    }

    /// $B$-weighted input of one row, in the layout of the Jacobians.
    pub(super) fn input_row(&self, tables: &Tables, interaction: usize, row: usize) -> &[f64] {
        &self.input[tables.jacobian_row(interaction, row)]
    }
}

/// theta_r of a first-order system.
fn theta_r(tables: &Tables, system: usize) -> Option<f64> {
    match tables.systems[system].scheme {
        crate::integrator::Scheme::FirstOrder(scheme) => Some(scheme.theta_r),
        crate::integrator::Scheme::SecondOrder(_) => None,
    }
}

/// The time and the states at which the relation of an interaction is taken.
fn gather<'a>(
    tables: &Tables,
    interaction: usize,
    at: Iterate<'a>,
    gathered: &'a mut [f64],
) -> (f64, &'a [f64]) {
    let gamma = match tables.interactions[interaction].kind {
        ContactKind::FirstOrder(scheme) => scheme.gamma,
        _ => 1.0,
    };
    match tables.parts_of(interaction) {
        [part] if gamma == 1.0 => (at.t_kp1, &at.x[part.dofs.clone()]),
        parts => {
            for part in parts {
                let states = at.x[part.dofs.clone()].iter().zip(&at.x_k[part.dofs.clone()]);
                for (target, (x, x_k)) in gathered[part.relation.clone()].iter_mut().zip(states) {
                    *target = gamma * x + (1.0 - gamma) * x_k;
                }
            }
            let columns = parts.last().map_or(0, |part| part.relation.end);
            let t = if gamma == 1.0 { at.t_kp1 } else { at.t_k + gamma * (at.t_kp1 - at.t_k) };
            (t, &gathered[..columns])
        }
    }
}

fn add(factor: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

fn relative(difference: f64, scale: f64) -> f64 {
    difference.abs() / scale.max(f64::MIN_POSITIVE)
}

/// The larger of two numbers, NaN if one is: `f64::max` would hide it.
fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}
