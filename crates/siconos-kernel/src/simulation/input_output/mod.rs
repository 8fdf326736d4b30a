//! Inputs and outputs of first-order systems: y = h(t, x, lambda) and r = g(t, x, lambda), their derivatives,
//! and Newton's linearisation of both (developer's notes of Siconos, 8.9 to 8.21).

mod linearisation;

use std::sync::Arc;

use siconos_linalg::add_scaled;

use crate::index::{IndexRange, RelationColumns, RowIndex, Table};
use crate::model::relation::RelationValues;
use crate::model::{At, Interaction, NonSmoothDynamicalSystem, Relation};
use crate::nonsmooth_problem::{BlockIndex, InteractionEntry, InteractionIndex, Part, SystemIndex, Tables};
use crate::threads::Threads;

/// Iterate of a step: states of all systems, and multipliers of all rows.
#[derive(Clone, Copy)]
pub(super) struct Iterate<'a> {
    /// Time $t_k$ at the beginning of the step. The time $t_{k+1}$ is `end`.
    pub(super) begin: At<'a>,
    pub(super) end: At<'a>,
    pub(super) x_k: &'a [f64],
    pub(super) x: &'a [f64],
    pub(super) lambda: &'a [f64],
}

impl<'a> Iterate<'a> {
    /// Returns the iterate of a step of length zero, with the state `x` at both ends.
    pub(super) fn standing(at: At<'a>, x: &'a [f64], lambda: &'a [f64]) -> Self {
        Self { begin: at, end: at, x_k: x, x, lambda }
    }
}

/// Selection of the coefficients of relations to evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoefficientSelection {
    All,
    /// Coefficients that are not constant.
    Variable,
}

/// Values of the relations of first-order systems at the last iterate.
#[derive(Clone, Debug, Default)]
pub(super) struct InputOutput {
    /// Relations by interaction; `None` for interactions of Lagrangian systems.
    relations: Table<InteractionEntry, Option<Arc<Relation>>>,
    /// Values by interaction; empty for interactions of Lagrangian systems.
    pub(super) values: Table<InteractionEntry, RelationValues>,
    /// Rows of $B^T$, in the layout of the Jacobians.
    pub(super) input: Vec<f64>,
    /// Known terms of the inputs over the step, one entry per state:
    /// $h \theta_r (g - B \lambda) + h (1 - \theta_r) r_k$.
    pub(super) known: Vec<f64>,
    /// Inputs $r_k$ at the beginning of the step, one entry per state.
    before: Vec<f64>,
    /// Linearised outputs (by row) and inputs (by interaction) at the solution of the one-step problem. After
    /// a damped Newton step, they are evaluated at the accepted iterate.
    linearised: Signals,
    /// Outputs and inputs at the last iterate.
    iterate: Signals,
    /// States at which all relations were last evaluated.
    x_at: Vec<f64>,
    /// Multipliers at which all relations were last evaluated.
    lambda_at: Vec<f64>,
    /// For each system of each interaction: the columns of the system in the relation, and the offset of the
    /// system in its block of W.
    places: Table<InteractionEntry, Vec<(IndexRange<RelationColumns>, usize)>>,
}

/// Outputs by row, inputs by interaction.
#[derive(Clone, Debug, Default)]
struct Signals {
    y: Vec<f64>,
    r: Table<InteractionEntry, Vec<f64>>,
}

impl InputOutput {
    pub(super) fn new(tables: &Tables, model: &NonSmoothDynamicalSystem) -> Self {
        if !tables.interactions.iter().any(InteractionEntry::is_first_order) {
            let zeros = || vec![0.0; tables.dofs];
            return Self { known: zeros(), before: zeros(), ..Self::default() };
        }
        let columns = |place: InteractionIndex| {
            tables.parts_of(place).last().map_or(0, |part| part.relation.end().index())
        };
        let relation_of = |entry: &InteractionEntry| {
            let interaction = entry.interaction_in(model).filter(|_| entry.is_first_order());
            interaction.map(Interaction::shared_relation)
        };
        let relations: Table<_, _> = tables.interactions.iter().map(relation_of).collect();
        let values = relations.entries().map(|(place, relation)| {
            relation
                .as_ref()
                .map_or_else(RelationValues::default, |of| RelationValues::of_support(of, columns(place)))
        });
        let places = tables.interactions.places().map(|place| {
            let of_part = |part: &Part| {
                let block = &tables.blocks[tables.systems[part.system].block];
                (part.relation, block.dofs.index_of(part.dofs.start()))
            };
            tables.parts_of(place).iter().map(of_part).collect()
        });
        let signals = Signals {
            y: vec![0.0; tables.rows.len()],
            r: tables.interactions.places().map(|place| vec![0.0; columns(place)]).collect(),
        };
        Self {
            values: values.collect(),
            relations,
            input: vec![0.0; tables.jacobian_len],
            known: vec![0.0; tables.dofs],
            before: vec![0.0; tables.dofs],
            linearised: signals.clone(),
            iterate: signals,
            x_at: vec![0.0; tables.dofs],
            lambda_at: vec![0.0; tables.rows.len()],
            places: places.collect(),
        }
    }

    /// Makes room for new systems, and for new interactions of Lagrangian systems.
    pub(super) fn extend(&mut self, tables: &Tables) {
        self.known.resize(tables.dofs, 0.0);
        self.before.resize(tables.dofs, 0.0);
        if self.values.is_empty() {
            return;
        }
        self.x_at.resize(tables.dofs, 0.0);
        self.lambda_at.resize(tables.rows.len(), 0.0);
        self.input.resize(tables.jacobian_len, 0.0);
        self.relations.resize(tables.interactions.len(), None);
        self.values.resize_with(tables.interactions.len(), RelationValues::default);
        self.places.resize_with(tables.interactions.len(), Vec::new);
        for signals in [&mut self.linearised, &mut self.iterate] {
            signals.y.resize(tables.rows.len(), 0.0);
            signals.r.resize_with(tables.interactions.len(), Vec::new);
        }
    }

    /// Returns, for each system of an interaction, its columns in the relation and its offset in its block of
    /// W.
    pub(super) fn places(&self, interaction: InteractionIndex) -> &[(IndexRange<RelationColumns>, usize)] {
        &self.places[interaction]
    }

    /// Evaluates C, D, K and B of `interactions`, and writes C to `jacobian`.
    pub(super) fn matrices(
        &mut self,
        tables: &Tables,
        threads: &Threads,
        which: CoefficientSelection,
        interactions: &[InteractionIndex],
        at: Iterate<'_>,
        jacobian: &mut [f64],
    ) {
        let Self { relations, values, input, .. } = self;
        let ranges = |place: InteractionIndex| {
            let entry = &tables.interactions[place];
            let own = entry.jacobian.range();
            (which == CoefficientSelection::All || !entry.constant).then(|| [own.clone(), own])
        };
        threads.each(values, [jacobian, input], interactions, ranges, |place, values, [c, b]| {
            let Some(relation) = &relations[place] else { return };
            let entry = &tables.interactions[place];
            let lambda = &at.lambda[entry.rows.range()];
            values
                .with_states(tables, place, at, |values, time, x| values.matrices(relation, time, x, lambda));
            let first = entry.jacobian.start().index();
            for (i, range) in entry.rows_of_jacobian().enumerate() {
                let own = range.start - first..range.end - first;
                let (c, b) = (&mut c[own.clone()], &mut b[own]);
                c.fill(0.0);
                b.fill(0.0);
                for part in tables.parts_of(place) {
                    for (at, column) in (part.column.index()..).zip(part.relation.range()) {
                        c[at] = values.c[[i, column]];
                        b[at] = values.b[[column, i]];
                    }
                }
            }
        });
    }

    /// Evaluates the offsets of the linear relations of `interactions`: all offsets, or only the offsets that
    /// vary in time.
    pub(super) fn offsets(
        &mut self,
        tables: &Tables,
        threads: &Threads,
        which: CoefficientSelection,
        interactions: &[InteractionIndex],
        (begin, end): (At<'_>, At<'_>),
    ) {
        let Self { relations, values, .. } = self;
        let ranges = |place: InteractionIndex| {
            let entry = &tables.interactions[place];
            (entry.affine && (which == CoefficientSelection::All || !entry.constant_offset)).then_some([])
        };
        threads.each(values, [], interactions, ranges, |place, values, []| {
            if let Some(relation) = &relations[place] {
                let kind = tables.kind(tables.interactions[place].kind);
                values.offset(relation, kind.at_law(begin, end));
            }
        });
    }

    /// Evaluates h and g of `interactions`. The matrices and constant offsets of linear relations must have
    /// been evaluated.
    pub(super) fn functions(
        &mut self,
        tables: &Tables,
        threads: &Threads,
        interactions: &[InteractionIndex],
        at: Iterate<'_>,
    ) {
        self.offsets(tables, threads, CoefficientSelection::Variable, interactions, (at.begin, at.end));
        let Self { relations, values, .. } = self;
        threads.each(
            values,
            [],
            interactions,
            |_| Some([]),
            |place, values, []| {
                let Some(relation) = &relations[place] else { return };
                let lambda = &at.lambda[tables.interactions[place].rows.range()];
                values.with_states(tables, place, at, |values, time, x| {
                    values.functions(relation, time, x, lambda);
                });
            },
        );
        for &place in interactions {
            let rows = tables.interactions[place].rows.range();
            self.lambda_at[rows.clone()].copy_from_slice(&at.lambda[rows]);
            for part in tables.parts_of(place) {
                self.x_at[part.dofs.range()].copy_from_slice(&at.x[part.dofs.range()]);
            }
        }
    }

    /// Writes the last evaluated h of `interactions` to `y`.
    pub(super) fn write_outputs(&self, tables: &Tables, interactions: &[InteractionIndex], y: &mut [f64]) {
        for &place in interactions {
            y[tables.interactions[place].rows.range()].copy_from_slice(&self.values[place].y);
        }
    }

    /// Stores the last evaluated g as $r_k$.
    pub(super) fn keep_inputs(&mut self, tables: &Tables, interactions: &[InteractionIndex]) {
        self.before.fill(0.0);
        for &place in interactions {
            for part in tables.parts_of(place) {
                add_scaled(
                    1.0,
                    &self.values[place].r[part.relation.range()],
                    &mut self.before[part.dofs.range()],
                );
            }
        }
    }

    /// Computes the known terms of the inputs of `interactions` over the step, at the iterate of the last
    /// evaluation. The result has an entry for each state of the blocks on which the interactions act.
    pub(super) fn update_known(
        &mut self,
        tables: &Tables,
        blocks: &[BlockIndex],
        interactions: &[InteractionIndex],
        h: f64,
    ) {
        for &block in blocks {
            self.known[tables.blocks[block].dofs.range()].fill(0.0);
        }
        for &place in interactions {
            let entry = &tables.interactions[place];
            let Some(weights) = tables.kind(entry.kind).weights() else { continue };
            if entry.affine {
                // The input of a linear relation is g = B lambda, which has no known term.
                continue;
            }
            let factor = h * weights.theta_r;
            for part in tables.parts_of(place) {
                let r = &self.values[place].r[part.relation.range()];
                add_scaled(factor, r, &mut self.known[part.dofs.range()]);
            }
            for row in entry.rows.iter() {
                let lambda = self.lambda_at[row.index()];
                tables.row(&self.input, row).add_to(-factor * lambda, &mut self.known);
            }
        }
        for &block in blocks {
            add_input_before(tables, block, h, &self.before, &mut self.known);
        }
    }

    /// Returns the output of one row without the terms of the unknown multipliers, for the free state `x_p`.
    /// It is $C x_\gamma + F z + e$ for a linear relation, and follows from the linearisation for a nonlinear
    /// relation.
    #[inline]
    pub(super) fn free_output(
        &self,
        tables: &Tables,
        at: RowIndex,
        jacobian: &[f64],
        (x_p, x_k): (&[f64], &[f64]),
    ) -> f64 {
        let interaction = tables.rows[at].interaction;
        let entry = &tables.interactions[interaction];
        let Some(weights) = tables.kind(entry.kind).weights() else { return 0.0 };
        let i = entry.rows.index_of(at);
        let c = tables.row(jacobian, at);
        let values = &self.values[interaction];
        let gamma = weights.gamma;
        if entry.affine {
            let at_gamma = |p, x| gamma * p + (1.0 - gamma) * x;
            return values.offset[i] + c.times_both((x_p, x_k), at_gamma);
        }
        let lambda = &self.lambda_at[entry.rows.range()];
        let d_lambda: f64 = values.d.row(i).iter().zip(lambda).map(|(d, l)| d * l).sum();
        values.y[i] + gamma * c.times_both((x_p, &self.x_at), |p, x| p - x) - d_lambda
    }

    /// Adds to `out`, for each of `interactions`, the integral $h \theta_r r$ over the step, where r is the
    /// linearised input. `out` has one entry per state.
    pub(super) fn add_linearised_inputs(
        &self,
        tables: &Tables,
        interactions: &[InteractionIndex],
        h: f64,
        out: &mut [f64],
    ) {
        add_inputs(tables, interactions.iter(), h, |place| &self.linearised.r[place], out);
    }

    /// Adds to `out`, for each of `interactions`, the magnitudes $h \theta_r |B| |\lambda|$ of the terms of
    /// the integral of the input over the step, as last evaluated. `out` has one entry per state.
    pub(super) fn add_input_terms(
        &self,
        tables: &Tables,
        interactions: &[InteractionIndex],
        h: f64,
        out: &mut [f64],
    ) {
        for &place in interactions {
            let entry = &tables.interactions[place];
            let Some(weights) = tables.kind(entry.kind).weights() else { continue };
            for row in entry.rows.iter() {
                let factor = h * weights.theta_r * self.lambda_at[row.index()];
                tables.row(&self.input, row).add_magnitudes_to(factor, out);
            }
        }
    }

    /// Adds to `out`, for each of `interactions` that is not mixed, the integral $h \theta_r r$ over the
    /// step, where r is the input as last evaluated. `out` has one entry per state.
    pub(super) fn add_evaluated_inputs(
        &self,
        tables: &Tables,
        interactions: &[InteractionIndex],
        h: f64,
        out: &mut [f64],
    ) {
        let others = interactions.iter().filter(|place| !tables.interactions[**place].is_mixed);
        add_inputs(tables, others, h, |place| &self.values[place].r, out);
    }

    /// Adds the integral of the inputs of linear relations over the step, $h \theta_r B \lambda$, to `out`,
    /// which has one entry per state. The inputs of mixed interactions are added with the impulses.
    pub(super) fn add_linear_inputs(
        &self,
        tables: &Tables,
        interactions: &[InteractionIndex],
        h: f64,
        lambda: &[f64],
        out: &mut [f64],
    ) {
        for &place in interactions {
            let entry = &tables.interactions[place];
            let Some(weights) = tables.kind(entry.kind).weights().filter(|_| !entry.is_mixed) else {
                continue;
            };
            for row in entry.rows.iter() {
                tables.row(&self.input, row).add_to(h * weights.theta_r * lambda[row.index()], out);
            }
        }
    }

    /// Adds the integral of the input at the beginning of the step, $h (1 - \theta_r) r_k$, to the entries of
    /// the block in `out`.
    pub(super) fn add_input_before(&self, tables: &Tables, block: BlockIndex, h: f64, out: &mut [f64]) {
        add_input_before(tables, block, h, &self.before, out);
    }
}

/// Adds $h \theta_r r$ of `interactions` to `out`, which has one entry per state.
fn add_inputs<'a>(
    tables: &Tables,
    interactions: impl Iterator<Item = &'a InteractionIndex>,
    h: f64,
    r: impl Fn(InteractionIndex) -> &'a Vec<f64>,
    out: &mut [f64],
) {
    for &place in interactions {
        let Some(weights) = tables.kind(tables.interactions[place].kind).weights() else { continue };
        for part in tables.parts_of(place) {
            add_scaled(h * weights.theta_r, &r(place)[part.relation.range()], &mut out[part.dofs.range()]);
        }
    }
}

/// Adds $h (1 - \theta_r) r_k$ to the entries of the block in `out`.
fn add_input_before(tables: &Tables, block: BlockIndex, h: f64, before: &[f64], out: &mut [f64]) {
    let block = &tables.blocks[block];
    if let Some(theta_r) = theta_r(tables, block.systems.start())
        && theta_r != 1.0
    {
        let place = block.dofs.range();
        add_scaled(h * (1.0 - theta_r), &before[place.clone()], &mut out[place]);
    }
}

/// Returns theta_r of a first-order system; `None` for other systems.
fn theta_r(tables: &Tables, system: SystemIndex) -> Option<f64> {
    let scheme = &tables.systems[system].scheme;
    scheme.is_first_order().then_some(scheme.weights.theta_r)
}

impl RelationValues {
    /// Calls `evaluate` with the time and the states at which the relation of `interaction` is evaluated.
    fn with_states(
        &mut self,
        tables: &Tables,
        interaction: InteractionIndex,
        at: Iterate<'_>,
        evaluate: impl FnOnce(&mut Self, At<'_>, &[f64]),
    ) {
        let kind = tables.kind(tables.interactions[interaction].kind);
        let gamma = kind.weights().map_or(1.0, |weights| weights.gamma);
        match tables.parts_of(interaction) {
            [part] if gamma == 1.0 => evaluate(self, at.end, &at.x[part.dofs.range()]),
            parts => {
                let mut gathered = std::mem::take(&mut self.gathered);
                for part in parts {
                    let states = at.x[part.dofs.range()].iter().zip(&at.x_k[part.dofs.range()]);
                    for (target, (x, x_k)) in gathered[part.relation.range()].iter_mut().zip(states) {
                        *target = gamma * x + (1.0 - gamma) * x_k;
                    }
                }
                evaluate(self, kind.at_law(at.begin, at.end), &gathered);
                self.gathered = gathered;
            }
        }
    }
}
