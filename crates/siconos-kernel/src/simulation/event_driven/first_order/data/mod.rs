//! Data of an island at one point (t, x): free motion, outputs without lambda, and the matrices that multiply
//! lambda.

mod evaluate;
mod relation_part;

use std::sync::Arc;

use ndarray::Array2;
use siconos_linalg::dot;

use self::relation_part::{RelationPart, equalities};
use super::time_derivative::TimeDerivative;
use crate::integrator::RateWorkspace;
use crate::model::{DynamicalSystemId, ModelError, NonSmoothDynamicalSystem, Parameters, RelationId};
use crate::nonsmooth_problem::{self, ProblemUnits, Tables, magnitude};

/// Data of $\dot x = $ `rate` $+ M^{-1} B \lambda$, $y = h + D \lambda$ at the last evaluation. y has `rows`
/// components and x has `states` components: all components of the island, in the order of the model.
///
/// y and lambda have their own [units](ProblemUnits). Each of these units is a unit of the model multiplied
/// by a power of two. They are needed because rows with different units, for example volts and amperes, are
/// compared with each other. The units are chosen at the start of an interval of motion, from
/// $D + \tau C M^{-1} B$. This matrix is the effect of lambda on y over the time scale $\tau$ of the model.
#[derive(Clone, Debug)]
pub(super) struct IslandData {
    systems: Vec<(DynamicalSystemId, RateWorkspace)>,
    relations: Vec<RelationPart>,
    /// Indices of the states of the island in the model.
    pub(super) state_places: Vec<usize>,
    /// Indices of the rows of the island in the model.
    pub(super) row_places: Vec<usize>,
    /// `true` for each row that is an equality.
    pub(super) is_equality: Vec<bool>,
    /// $M^{-1} (f(x, t) + g(t, x, 0))$.
    pub(super) rate: Vec<f64>,
    /// $h(t, x, 0)$.
    pub(super) h: Vec<f64>,
    /// $\partial_t h(t, x, 0)$, if it was requested.
    pub(super) h_rate: Vec<f64>,
    /// $\partial_\lambda h$.
    pub(super) d: Array2<f64>,
    /// $\partial_x h$, stored row by row.
    c: Vec<f64>,
    /// $M^{-1} \partial_\lambda g$, stored column by column.
    inputs: Vec<f64>,
    /// $|h - C x|$, if it was requested with [`find_offsets`](Self::find_offsets).
    offsets: Vec<f64>,
    pub(super) matrices_vary: bool,
    depends_on_time: bool,
    time_derivative: TimeDerivative,
    pub(super) units: ProblemUnits,
    has_units: bool,
    is_begun: bool,
    /// Current parameters of the model.
    pub(super) parameters: Arc<Parameters>,
    /// Time until which the functions of the model are smooth. They are evaluated only before this time.
    pub(super) horizon: f64,
    /// Time scale of the model.
    pub(super) time_scale: f64,
}

impl IslandData {
    pub(super) fn new(
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        island: &nonsmooth_problem::Island,
        parameters: &Arc<Parameters>,
    ) -> Result<Self, ModelError> {
        let (mut works, mut places, mut state_places) = (Vec::new(), Vec::new(), Vec::new());
        for place in island.blocks.iter().flat_map(|&block| tables.blocks[block].systems.iter()) {
            let (entry, first) = (&tables.systems[place], state_places.len());
            state_places.extend(entry.dofs.range());
            let work = RateWorkspace::new(model.system(entry.id)?, first..state_places.len());
            works.push((entry.id, work));
            places.push(place);
        }
        let (mut relations, mut row_places, mut is_equality) = (Vec::new(), Vec::new(), Vec::new());
        for &place in &island.interactions {
            let (entry, first) = (&tables.interactions[place], row_places.len());
            row_places.extend(entry.rows.range());
            is_equality.extend(equalities(entry));
            let own = tables.parts_of(place).iter().filter_map(|part| {
                let first = works[places.binary_search(&part.system).ok()?].1.first_state();
                let own = part.dofs.within(tables.systems[part.system].dofs.start());
                Some(first + own.start..first + own.end)
            });
            let (rows, columns) = (first..row_places.len(), own.flatten().collect());
            if let Some(interaction) = entry.id.interaction() {
                let relation = model.interaction(interaction)?.shared_relation();
                relations.push(RelationPart::new(entry.clone(), relation, rows, columns));
            }
        }
        let (states, rows) = (state_places.len(), row_places.len());
        let entries = || island.interactions.iter().map(|&place| &tables.interactions[place]);
        Ok(Self {
            matrices_vary: works.iter().any(|(_, work)| work.has_variable_mass())
                || entries().any(|entry| !entry.constant),
            depends_on_time: entries().any(|entry| !(entry.constant && entry.constant_offset)),
            systems: works,
            relations,
            state_places,
            row_places,
            is_equality,
            rate: vec![0.0; states],
            h: vec![0.0; rows],
            h_rate: vec![0.0; rows],
            d: Array2::zeros((rows, rows)),
            c: vec![0.0; rows * states],
            inputs: vec![0.0; rows * states],
            offsets: vec![0.0; rows],
            time_derivative: TimeDerivative::new(rows),
            units: ProblemUnits::default(),
            has_units: false,
            is_begun: false,
            parameters: Arc::clone(parameters),
            horizon: f64::INFINITY,
            time_scale: tables.time_scale,
        })
    }

    pub(super) fn states(&self) -> usize {
        self.rate.len()
    }

    pub(super) fn rows(&self) -> usize {
        self.h.len()
    }

    /// Returns the initial states.
    pub(super) fn initial_states(&self) -> Vec<f64> {
        self.systems.iter().flat_map(|(_, work)| work.x0().iter().copied()).collect()
    }

    /// Returns the interaction of a row.
    pub(super) fn interaction(&self, row: usize) -> Option<RelationId> {
        self.relations.iter().find(|relation| relation.rows.contains(&row)).map(|relation| relation.entry.id)
    }

    /// Returns the first interaction of the island, which names the island in error messages. The island must
    /// have rows.
    pub(super) fn name(&self) -> RelationId {
        self.relations[0].entry.id
    }

    /// Returns row i of $\partial_x h$.
    pub(super) fn c_row(&self, i: usize) -> &[f64] {
        &self.c[i * self.states()..(i + 1) * self.states()]
    }

    /// Returns $M^{-1} \partial_\lambda g$ for multiplier j.
    pub(super) fn input(&self, j: usize) -> &[f64] {
        &self.inputs[j * self.states()..(j + 1) * self.states()]
    }

    /// Returns $C M^{-1} B$ at (i, j), or zero if the value is not larger than its rounding error.
    pub(super) fn gain(&self, i: usize, j: usize) -> f64 {
        let (c, b) = (self.c_row(i), self.input(j));
        let value = dot(c, b);
        if value.abs() <= 4.0 * c.len() as f64 * f64::EPSILON * magnitude(c, b) { 0.0 } else { value }
    }

    /// Returns the coefficient of lambda_j in y_i, or in the time derivative of y_i if y_i does not depend on
    /// lambda.
    pub(super) fn leading(&self, i: usize, j: usize) -> f64 {
        if self.shows_lambda(i) { self.d[[i, j]] } else { self.gain(i, j) }
    }

    /// Writes $B \sigma$ to the entries of `out` that belong to the states of the island. $\sigma$ is in the
    /// units of the model, and B is taken from the last evaluation.
    pub(super) fn reaction_into(&self, sigma: &[f64], out: &mut [f64]) {
        for &place in &self.state_places {
            out[place] = 0.0;
        }
        for relation in &self.relations {
            for (b, &column) in relation.values.b.rows().into_iter().zip(&relation.columns) {
                let own = b.iter().zip(&sigma[relation.rows.clone()]).map(|(b, sigma)| b * sigma);
                out[self.state_places[column]] += own.sum::<f64>();
            }
        }
    }

    /// Returns `true` if y_i depends on lambda.
    pub(super) fn shows_lambda(&self, i: usize) -> bool {
        self.d.row(i).iter().any(|d| *d != 0.0)
    }

    /// Returns the sum of the magnitudes of the terms of h_i. `x` contains the magnitudes of the states.
    pub(super) fn h_size(&self, i: usize, x: &[f64]) -> f64 {
        self.offsets[i] + magnitude(self.c_row(i), x)
    }

    /// Returns the sum of the magnitudes of the terms of the time derivative of h_i. `rate` contains the
    /// magnitudes of the rates of the states.
    pub(super) fn h_rate_size(&self, i: usize, rate: &[f64]) -> f64 {
        self.h_rate[i].abs() + magnitude(self.c_row(i), rate)
    }
}
