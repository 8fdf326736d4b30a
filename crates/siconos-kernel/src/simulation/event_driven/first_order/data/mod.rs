//! An island at one point (t, x): free motion, outputs without lambda, and the matrices of lambda.

mod checks;
mod parts;
mod units;

use ndarray::Array2;
use siconos_numerics::linalg::dot;

use self::parts::{RelationPart, SystemPart, equalities};
use super::time_derivative::TimeDerivative;
use super::{ModeError, Surroundings};
use crate::model::{At, InteractionId, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::{self, ProblemUnits, Tables};

/// $\dot x = $ `rate` $+ M^{-1} B \lambda$, $y = h + D \lambda$ at the point of the last evaluation; y has
/// `rows` components, x `states`, all those of the island, in the order of the model.
///
/// y and lambda are in [units](ProblemUnits) of their own, powers of two times those of the model: rows may
/// be volts or amperes, and are compared with each other. They are found in $D + \tau C M^{-1} B$, what
/// lambda does to y in the time scale $\tau$ of the model, where a stretch of motion begins.
#[derive(Clone, Debug)]
pub(super) struct Data {
    systems: Vec<SystemPart>,
    relations: Vec<RelationPart>,
    /// Where the states and the rows of the island are among those of the model.
    pub(super) state_places: Vec<usize>,
    pub(super) row_places: Vec<usize>,
    /// By row, whether it is an equality.
    pub(super) is_equality: Vec<bool>,
    /// $M^{-1} (f(x, t) + g(t, x, 0))$.
    pub(super) rate: Vec<f64>,
    /// $h(t, x, 0)$.
    pub(super) h: Vec<f64>,
    /// $\partial_t h(t, x, 0)$, where it was asked for.
    pub(super) h_rate: Vec<f64>,
    /// $\partial_\lambda h$.
    pub(super) d: Array2<f64>,
    /// $\partial_x h$, by rows.
    c: Vec<f64>,
    /// $M^{-1} \partial_\lambda g$, column by column.
    inputs: Vec<f64>,
    /// $|h - C x|$, where it was [asked for](Self::find_offsets).
    offsets: Vec<f64>,
    pub(super) matrices_vary: bool,
    depends_on_time: bool,
    time_derivative: TimeDerivative,
    pub(super) units: ProblemUnits,
    has_units: bool,
    is_begun: bool,
}

impl Data {
    pub(super) fn new(
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        island: &nonsmooth_problem::Island,
    ) -> Result<Self, ModeError> {
        let (mut systems, mut state_places) = (Vec::<SystemPart>::new(), Vec::new());
        for place in island.blocks.iter().flat_map(|&block| tables.blocks[block].systems.clone()) {
            let (entry, first) = (&tables.systems[place], state_places.len());
            state_places.extend(entry.dofs.clone());
            systems.push(SystemPart::new(model.system(entry.id)?, place, first..state_places.len()));
        }
        let (mut relations, mut row_places, mut is_equality) = (Vec::new(), Vec::new(), Vec::new());
        for &place in &island.interactions {
            let (entry, first) = (&tables.interactions[place], row_places.len());
            row_places.extend(entry.rows.clone());
            is_equality.extend(equalities(entry));
            let own = tables.parts_of(place).iter().filter_map(|part| {
                let system = systems.binary_search_by_key(&part.system, |system| system.place);
                system.ok().map(|system| systems[system].states.clone())
            });
            let (rows, columns) = (first..row_places.len(), own.flatten().collect());
            relations.push(RelationPart::new(model.interaction(entry.id)?.relation(), place, rows, columns));
        }
        let (states, rows) = (state_places.len(), row_places.len());
        let entries = || island.interactions.iter().map(|&place| &tables.interactions[place]);
        Ok(Self {
            matrices_vary: systems.iter().any(|system| system.mass_varies)
                || entries().any(|entry| !entry.constant),
            depends_on_time: entries().any(|entry| !(entry.constant && entry.constant_offset)),
            systems,
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
        })
    }

    pub(super) fn states(&self) -> usize {
        self.rate.len()
    }

    pub(super) fn rows(&self) -> usize {
        self.h.len()
    }

    /// The states at the beginning.
    pub(super) fn initial_states(&self, around: Surroundings<'_>) -> Vec<f64> {
        let systems = self.systems.iter().map(|part| around.tables.systems[part.place].id);
        let systems = systems.filter_map(|id| around.model.system(id).ok());
        systems.flat_map(|system| system.x0().iter().copied()).collect()
    }

    /// The interaction of a row.
    pub(super) fn interaction(&self, tables: &Tables, row: usize) -> Option<InteractionId> {
        let relation = self.relations.iter().find(|relation| relation.rows.contains(&row));
        relation.map(|relation| tables.interactions[relation.place].id)
    }

    /// Its first interaction, for messages about what has rows.
    pub(super) fn name(&self, tables: &Tables) -> InteractionId {
        tables.interactions[self.relations[0].place].id
    }

    /// Row i of $\partial_x h$.
    pub(super) fn c_row(&self, i: usize) -> &[f64] {
        &self.c[i * self.states()..(i + 1) * self.states()]
    }

    /// $M^{-1} \partial_\lambda g$ for multiplier j.
    pub(super) fn input(&self, j: usize) -> &[f64] {
        &self.inputs[j * self.states()..(j + 1) * self.states()]
    }

    /// $C M^{-1} B$ at (i, j), zero where it is only rounding.
    pub(super) fn gain(&self, i: usize, j: usize) -> f64 {
        let (c, b) = (self.c_row(i), self.input(j));
        let size: f64 = c.iter().zip(b).map(|(c, b)| (c * b).abs()).sum();
        let value = dot(c, b);
        if value.abs() <= 4.0 * c.len() as f64 * f64::EPSILON * size { 0.0 } else { value }
    }

    /// Writes $B \sigma$, as B was evaluated last, to the states of the model, for $\sigma$ in the units of
    /// the model.
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

    /// Whether h_i has lambda in it.
    pub(super) fn shows_lambda(&self, i: usize) -> bool {
        self.d.row(i).iter().any(|d| *d != 0.0)
    }

    /// The sum of magnitudes that h_i is made of, for states of these magnitudes.
    pub(super) fn h_size(&self, i: usize, x: &[f64]) -> f64 {
        self.offsets[i] + self.c_row(i).iter().zip(x).map(|(c, x)| (c * x).abs()).sum::<f64>()
    }

    /// Begins a stretch of smooth motion at (t, x): derivatives do not look back before it.
    pub(super) fn begin(&mut self, around: Surroundings<'_>, t: f64, x: &[f64]) -> Result<(), ModeError> {
        if self.matrices_vary {
            self.find_units(around, t, x)?;
        }
        if self.depends_on_time {
            let mut derivative = std::mem::take(&mut self.time_derivative);
            let (stretch, time_scale) = ((t, around.horizon), around.model.time_scale());
            let chosen = derivative.choose_step(stretch, time_scale, |t, h| self.outputs_at(around, t, x, h));
            self.time_derivative = derivative;
            chosen?;
        }
        Ok(())
    }

    /// Evaluates the island at a point; the derivative of h in time when `with_rates`.
    pub(super) fn evaluate(
        &mut self,
        around: Surroundings<'_>,
        t: f64,
        x: &[f64],
        with_rates: bool,
    ) -> Result<(), ModeError> {
        // The limit from the left.
        let t = if t >= around.horizon { around.horizon.next_down() } else { t };
        if !self.has_units {
            self.find_units(around, t, x)?;
        }
        if with_rates && self.depends_on_time {
            let mut derivative = std::mem::take(&mut self.time_derivative);
            let mut rates = std::mem::take(&mut self.h_rate);
            let done = derivative.evaluate(t, &mut rates, |t, h| self.outputs_at(around, t, x, h));
            (self.time_derivative, self.h_rate) = (derivative, rates);
            done?;
        }
        self.evaluate_functions(around, t, x)
    }

    /// Finds what h is made of beside the states, at the x of the last evaluation.
    pub(super) fn find_offsets(&mut self, x: &[f64]) {
        for i in 0..self.rows() {
            self.offsets[i] = (self.h[i] - dot(self.c_row(i), x)).abs();
        }
    }

    fn evaluate_functions(&mut self, around: Surroundings<'_>, t: f64, x: &[f64]) -> Result<(), ModeError> {
        let mut h = std::mem::take(&mut self.h);
        let done = self.outputs_at(around, t, x, &mut h);
        self.h = h;
        done?;
        self.field(around, t, x)?;
        if self.matrices_vary || !self.is_begun {
            self.copy_matrices();
            self.is_begun = true;
        }
        Ok(())
    }

    /// Evaluates the relations with lambda = 0, and writes h.
    fn outputs_at(
        &mut self,
        around: Surroundings<'_>,
        t: f64,
        x: &[f64],
        h: &mut [f64],
    ) -> Result<(), ModeError> {
        let at = At::new(t, around.parameters);
        for relation in &mut self.relations {
            let entry = &around.tables.interactions[relation.place];
            let has_matrices = entry.constant && self.is_begun;
            relation.evaluate(around.model.interaction(entry.id)?.relation(), (at, x), has_matrices);
            h[relation.rows.clone()].copy_from_slice(&relation.values.y);
        }
        h.iter_mut().zip(self.units.rows()).for_each(|(h, unit)| *h *= unit);
        Ok(())
    }

    /// Writes $M^{-1} (f + g)$; the relations have been evaluated.
    fn field(&mut self, around: Surroundings<'_>, t: f64, x: &[f64]) -> Result<(), ModeError> {
        let at = At::new(t, around.parameters);
        for part in &mut self.systems {
            let id = around.tables.systems[part.place].id;
            let (system, states) = (around.model.system(id)?, part.states.clone());
            let point = (at, &x[states.clone()]);
            part.field_into(system, point, !self.is_begun, &mut self.rate[states]);
            if part.mass_varies || !self.is_begun {
                part.factor_mass(system, point).map_err(|source| ModeError::SingularMass {
                    system: id,
                    t,
                    source,
                })?;
            }
        }
        // Without lambda a linear relation has no input.
        for relation in &self.relations {
            if !around.tables.interactions[relation.place].affine {
                for (r, &column) in relation.values.r.iter().zip(&relation.columns) {
                    self.rate[column] += r;
                }
            }
        }
        self.systems.iter_mut().for_each(|part| part.solve_mass(&mut self.rate));
        Ok(())
    }

    /// Writes C, D and $M^{-1} B$ as they were evaluated last.
    fn copy_matrices(&mut self) {
        let n = self.states();
        for RelationPart { rows, columns, values, .. } in &self.relations {
            for (i, row) in rows.clone().enumerate() {
                for (j, column) in rows.clone().enumerate() {
                    self.d[[row, column]] = values.d[[i, j]];
                }
                for (k, &column) in columns.iter().enumerate() {
                    self.c[row * n + column] = values.c[[i, k]];
                    self.inputs[row * n + column] = values.b[[k, i]];
                }
            }
        }
        for input in self.inputs.chunks_exact_mut(n.max(1)) {
            self.systems.iter_mut().for_each(|part| part.solve_mass(input));
        }
        self.put_matrices_into_units();
    }
}
