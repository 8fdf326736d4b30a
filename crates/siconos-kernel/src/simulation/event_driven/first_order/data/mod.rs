//! The model at one point (t, x): free motion, outputs without lambda, and the matrices of lambda.

mod checks;
mod units;

use ndarray::{Array2, ArrayView1};
use siconos_numerics::linalg::{DenseLu, dot};

use super::ModeError;
use super::layout::{Layout, RelationEntry, SystemEntry};
use super::time_derivative::TimeDerivative;
use crate::model::{
    At, DynamicalSystem, DynamicalSystemId, InteractionId, NonSmoothDynamicalSystem, Parameters,
};
use crate::nonsmooth_problem::ProblemUnits;

/// $\dot x = $ `rate` $+ M^{-1} B \lambda$, $y = h + D \lambda$ at the point of the last evaluation; y has
/// `rows` components, x `states`.
///
/// y and lambda are in [units](ProblemUnits) of their own, powers of two times those of the model: rows may
/// be volts or amperes, and are compared with each other. They are found in $D + \tau C M^{-1} B$, what
/// lambda does to y in the time scale $\tau$ of the model, where a stretch of motion begins.
#[derive(Clone, Debug)]
pub(super) struct Data {
    systems: Vec<SystemEntry>,
    pub(super) relations: Vec<RelationEntry>,
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
    /// $|h - C x|$.
    offsets: Vec<f64>,
    pub(super) matrices_vary: bool,
    depends_on_time: bool,
    time_derivative: TimeDerivative,
    horizon: f64,
    /// The present values.
    pub(super) parameters: Parameters,
    units: ProblemUnits,
    has_units: bool,
    is_begun: bool,
}

impl Data {
    pub(super) fn new(model: &NonSmoothDynamicalSystem) -> Result<Self, ModeError> {
        let Layout { systems, relations, is_equality } = Layout::of(model)?;
        let states = systems.last().map_or(0, |entry| entry.places.end);
        let rows = is_equality.len();
        Ok(Self {
            matrices_vary: systems.iter().any(|entry| entry.mass_varies)
                || relations.iter().any(|entry| !entry.constant_matrices),
            depends_on_time: relations.iter().any(|entry| entry.depends_on_time),
            systems,
            relations,
            is_equality,
            rate: vec![0.0; states],
            h: vec![0.0; rows],
            h_rate: vec![0.0; rows],
            d: Array2::zeros((rows, rows)),
            c: vec![0.0; rows * states],
            inputs: vec![0.0; rows * states],
            offsets: vec![0.0; rows],
            time_derivative: TimeDerivative::new(rows),
            horizon: f64::INFINITY,
            parameters: model.at(0.0).parameters().clone(),
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

    /// The systems in the order of x.
    pub(super) fn systems(&self) -> impl Iterator<Item = DynamicalSystemId> {
        self.systems.iter().map(|entry| entry.id)
    }

    /// The interaction of a row.
    pub(super) fn interaction(&self, row: usize) -> Option<InteractionId> {
        self.relations.iter().find(|entry| entry.rows.contains(&row)).map(|entry| entry.id)
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

    /// Writes $B \sigma$, as B was evaluated last, for $\sigma$ in the units of the model.
    pub(super) fn reaction_into(&self, sigma: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for entry in &self.relations {
            for (b, &place) in entry.values.b.rows().into_iter().zip(&entry.columns) {
                out[place] +=
                    b.iter().zip(&sigma[entry.rows.clone()]).map(|(b, sigma)| b * sigma).sum::<f64>();
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

    /// Sets the time up to which the functions of the model are smooth; they are not evaluated at it or after
    /// it.
    pub(super) fn set_horizon(&mut self, t: f64) {
        self.horizon = t;
    }

    /// Begins a stretch of smooth motion at (t, x): derivatives do not look back before it.
    pub(super) fn begin(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        t: f64,
        x: &[f64],
    ) -> Result<(), ModeError> {
        if self.horizon <= t {
            // It has been reached.
            self.horizon = f64::INFINITY;
        }
        if self.matrices_vary {
            self.find_units(model, t, x)?;
        }
        if self.depends_on_time {
            let mut derivative = std::mem::take(&mut self.time_derivative);
            let chosen = derivative
                .choose_step((t, self.horizon), model.time_scale(), |t, h| self.outputs_at(model, t, x, h));
            self.time_derivative = derivative;
            chosen?;
        }
        Ok(())
    }

    /// Evaluates the model at a point; the derivative of h in time when `with_rates`.
    pub(super) fn evaluate(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        t: f64,
        x: &[f64],
        with_rates: bool,
    ) -> Result<(), ModeError> {
        // The limit from the left.
        let t = if t >= self.horizon { self.horizon.next_down() } else { t };
        if !self.has_units {
            self.find_units(model, t, x)?;
        }
        if with_rates && self.depends_on_time {
            let mut derivative = std::mem::take(&mut self.time_derivative);
            let mut rates = std::mem::take(&mut self.h_rate);
            let done = derivative.evaluate(t, &mut rates, |t, h| self.outputs_at(model, t, x, h));
            (self.time_derivative, self.h_rate) = (derivative, rates);
            done?;
        }
        self.evaluate_functions(model, t, x)?;
        for i in 0..self.rows() {
            self.offsets[i] = (self.h[i] - dot(self.c_row(i), x)).abs();
        }
        Ok(())
    }

    fn evaluate_functions(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        t: f64,
        x: &[f64],
    ) -> Result<(), ModeError> {
        let mut h = std::mem::take(&mut self.h);
        let done = self.outputs_at(model, t, x, &mut h);
        self.h = h;
        done?;
        self.field(model, t, x)?;
        if self.matrices_vary || !self.is_begun {
            self.copy_matrices();
            self.is_begun = true;
        }
        Ok(())
    }

    /// Evaluates the relations with lambda = 0, and writes h.
    fn outputs_at(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        t: f64,
        x: &[f64],
        h: &mut [f64],
    ) -> Result<(), ModeError> {
        let at = At::new(t, &self.parameters);
        for entry in &mut self.relations {
            let relation = model.interaction(entry.id)?.relation();
            for (target, &place) in entry.x.iter_mut().zip(&entry.columns) {
                *target = x[place];
            }
            entry.lambda.fill(0.0);
            if !entry.constant_matrices || !self.is_begun {
                entry.values.matrices(relation, at, &entry.x, &entry.lambda);
            }
            entry.values.offset(relation, at);
            entry.values.functions(relation, at, &entry.x, &entry.lambda);
            h[entry.rows.clone()].copy_from_slice(&entry.values.y);
        }
        h.iter_mut().zip(self.units.rows()).for_each(|(h, unit)| *h *= unit);
        Ok(())
    }

    /// Writes $M^{-1} (f + g)$; the relations have been evaluated.
    fn field(&mut self, model: &NonSmoothDynamicalSystem, t: f64, x: &[f64]) -> Result<(), ModeError> {
        let at = At::new(t, &self.parameters);
        for entry in &mut self.systems {
            let (out, x) = (&mut self.rate[entry.places.clone()], &x[entry.places.clone()]);
            match model.system(entry.id)? {
                DynamicalSystem::FirstOrderLinear(system) => {
                    if !system.has_constant_matrix() || !self.is_begun {
                        system.matrix_into(at, &mut entry.matrix.view_mut());
                    }
                    for (target, row) in out.iter_mut().zip(entry.matrix.rows()) {
                        *target = row.dot(&ArrayView1::from(x));
                    }
                    system.add_source(at, &mut entry.work, out);
                    if !self.is_begun && system.mass().is_some() {
                        let mut mass = Array2::zeros((x.len(), x.len()));
                        system.mass_into(&mut mass.view_mut());
                        factor_mass(entry.id, t, &mass, &mut entry.mass)?;
                    }
                }
                DynamicalSystem::FirstOrderNonlinear(system) => {
                    // No control: the rate that it would see is not used.
                    entry.work.fill(0.0);
                    system.field_into(at, x, &entry.work[..x.len()], &mut entry.scratch, out);
                    if entry.mass_varies || !self.is_begun {
                        system.mass_into(at, x, &mut entry.scratch, &mut entry.matrix.view_mut());
                        factor_mass(entry.id, t, &entry.matrix, &mut entry.mass)?;
                    }
                }
                DynamicalSystem::Lagrangian(_) | DynamicalSystem::LagrangianLinear(_) => {}
            }
        }
        for entry in self.relations.iter().filter(|entry| !entry.is_linear) {
            for (r, &place) in entry.values.r.iter().zip(&entry.columns) {
                self.rate[place] += r;
            }
        }
        for entry in &self.systems {
            if let Some(mass) = &entry.mass {
                mass.solve(&mut self.rate[entry.places.clone()]);
            }
        }
        Ok(())
    }

    /// Writes C, D and $M^{-1} B$ as they were evaluated last.
    fn copy_matrices(&mut self) {
        let n = self.states();
        for entry in &self.relations {
            for (i, row) in entry.rows.clone().enumerate() {
                for (j, column) in entry.rows.clone().enumerate() {
                    self.d[[row, column]] = entry.values.d[[i, j]];
                }
                for (k, &place) in entry.columns.iter().enumerate() {
                    self.c[row * n + place] = entry.values.c[[i, k]];
                    self.inputs[row * n + place] = entry.values.b[[k, i]];
                }
            }
        }
        for input in self.inputs.chunks_exact_mut(n.max(1)) {
            for entry in &self.systems {
                if let Some(mass) = &entry.mass {
                    mass.solve(&mut input[entry.places.clone()]);
                }
            }
        }
        self.put_matrices_into_units();
    }
}

fn factor_mass(
    system: DynamicalSystemId,
    t: f64,
    matrix: &Array2<f64>,
    mass: &mut Option<DenseLu>,
) -> Result<(), ModeError> {
    mass.get_or_insert_default().factor(matrix.view()).map_err(|source| ModeError::SingularMass {
        system,
        t,
        source,
    })
}
