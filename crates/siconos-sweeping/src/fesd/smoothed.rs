//! Smoothed conditions of a whole step, in which the element lengths are unknowns.

use super::continuation::Run;
use super::layout::{Layout, Pair, Units};
use super::stage::Stage;
use super::system::ActiveWeights;

/// The last unknown is ln sigma divided by this number, so that its share of the arc length is similar to the
/// shares of the other unknowns.
const OF_LOGARITHM: f64 = 4.0;

/// Value of sigma above which the lengths are kept nearly equal. Otherwise, at a large sigma, an unbounded
/// weight can push the state away from a constraint, and elements next to the constraint would shrink to
/// length 0.
const EVEN_SIGMA: f64 = 0.1;

/// Smoothed conditions of a step. They consist of the conditions of each stage with $w_i s_i = \sigma$
/// (Scholtes' relaxation, as an equation), the sum of the lengths, and the following equation at each
/// boundary between elements e and e + 1:
///
/// $$ G_e - G_{e+1} + \varepsilon (h_e - h_{e+1}) / h = 0, \quad
/// G_e = \sum_i \Big( \sum_j w_{eji} \Big) \Big( \sum_j s_{eji} \Big), \quad
/// \varepsilon = \sqrt{\sigma} (1 + (\sigma / \sigma_e)^2), $$
///
/// where the sum of the slacks includes the left end of the element. As plain text:
/// G_e - G_(e+1) + eps (h_e - h_(e+1)) / h = 0, where G_e is the sum over i of (sum over j of w_eji)
/// (sum over j of s_eji), and eps = sqrt(sigma) (1 + (sigma / sigma_e)^2).
///
/// With sigma = 0 the cross complementarity G_e is 0 if element e has no switch in its interior, and positive
/// otherwise. If element e is too short, the switch is in element e + 1; if it is too long, the switch is in
/// element e. The difference G_e - G_(e+1) therefore changes its sign where the boundary is at the switch.
/// Nurkanovic et al. (2024) bound the sum of both instead. The sum has a minimum at the switch, so its slope
/// there is 0 and does not lead to the switch.
///
/// The term with the lengths is step equilibration. It goes to 0 more slowly than the contribution of sigma
/// to G, and at a large sigma it keeps the lengths equal.
///
/// All quantities are in the units of states, slacks, weights and the step.
#[derive(Debug, Default)]
pub(super) struct Smoothed {
    pub(super) layout: Layout,
    /// Errors of the equations, and their Jacobian. The last column of the Jacobian contains the derivatives
    /// with respect to ln sigma / `OF_LOGARITHM`.
    pub(super) equations: Vec<f64>,
    pub(super) jacobian: Vec<f64>,
    units: Units,
    all: Vec<usize>,
    stages: Vec<Stage>,
    x: Vec<f64>,
    start: Vec<f64>,
    weights: Vec<f64>,
    guards: Vec<f64>,
    /// Pairs at all stages, and at the left end of the step.
    pairs: Vec<Pair>,
    left: Vec<Pair>,
}

impl Smoothed {
    /// Prepares a step that starts at x and has a given number of elements.
    pub(super) fn begin(&mut self, run: &mut Run<'_>, x: &[f64], elements: usize) {
        let (n, m, stages) = (x.len(), run.system.pairs(), run.table.stages());
        self.layout = Layout { n, m, stages, elements, is_convex: run.system.is_convex() };
        let size = self.layout.size();
        self.equations.resize(size, 0.0);
        self.jacobian.resize(size * (size + 1), 0.0);
        self.stages.resize_with(stages, Stage::default);
        self.pairs.resize(elements * stages * m, Pair::default());
        self.left.resize(m, Pair::default());
        self.all.clear();
        self.all.extend(0..m);
        self.start.clear();
        self.start.extend_from_slice(x);
        self.guards.resize(m, 0.0);
        run.system.write_guards(run.t, x, &mut self.guards);
        self.units.update(run.scales, run.h);
    }

    pub(super) fn units(&self) -> &Units {
        &self.units
    }

    /// Writes the initial guess: equal lengths, the start state at all stages, and pairs that have either
    /// equal weights with sum 1 (Filippov system) or the slacks at the start (sweeping process).
    pub(super) fn guess(&self, h: f64, sigma: f64, z: &mut Vec<f64>) {
        let Layout { n, m, stages, elements, is_convex } = self.layout;
        let slack = |i: usize| self.guards[i] / self.units.slack[i];
        let mean = (0..m).map(slack).sum::<f64>() / m as f64;
        let equal = m as f64 * sigma;
        let push_pairs = |z: &mut Vec<f64>| {
            for i in 0..m {
                let s = if is_convex { equal } else { slack(i).max(sigma.sqrt()) };
                z.push(s - sigma / s);
            }
            if is_convex {
                z.push(mean - equal);
            }
        };
        z.clear();
        for _ in 0..elements {
            for _ in 0..stages {
                z.extend((0..n).map(|k| self.start[k] / self.units.state[k]));
                push_pairs(z);
            }
            z.push(h / elements as f64 / self.units.length);
        }
        if is_convex {
            push_pairs(z);
        }
        z.push(sigma.ln() / OF_LOGARITHM);
    }

    /// Returns pair i at a stage of an element.
    pub(super) fn pair(&self, element: usize, stage: usize, i: usize) -> Pair {
        self.pairs[(element * self.layout.stages + stage) * self.layout.m + i]
    }

    /// Writes the errors of the equations and the Jacobian at z.
    pub(super) fn assemble(&mut self, run: &mut Run<'_>, z: &[f64]) {
        let Layout { n, m, stages, elements, is_convex } = self.layout;
        let size = self.layout.size();
        let sigma = Self::sigma(z);
        self.jacobian.fill(0.0);
        self.assemble_start(z, sigma);
        let mut t = run.t;
        for e in 0..elements {
            let h = z[self.layout.length(e)] * self.units.length;
            for j in 0..stages {
                let at = self.layout.stage(e, j);
                self.x.clear();
                self.x.extend((0..n).map(|k| z[at + k] * self.units.state[k]));
                self.weights.clear();
                for i in 0..m {
                    let pair = Pair::new(z[at + n + i], sigma);
                    self.weights.push(pair.weight * self.units.weight[i]);
                    self.pairs[(e * stages + j) * m + i] = pair;
                }
                let t = t + run.table.nodes[j] * h;
                let of_set = ActiveWeights { active: &self.all, weights: &self.weights };
                self.stages[j].evaluate(run.system, t, &self.x, Some(h), of_set, run.scales);
            }
            self.write_motion_rows(run, z, e, (h, sigma));
            for j in 0..stages {
                let at = self.layout.stage(e, j) + n;
                let level = is_convex.then(|| z[at + m]);
                self.write_pair_rows(e, Some(j), at, level, sigma);
                self.write_time_columns(run, (e, j), at);
            }
            t += h;
        }
        self.write_boundary_rows(z, (run.h, sigma));
        self.jacobian.iter_mut().skip(size).step_by(size + 1).for_each(|by_sigma| *by_sigma *= OF_LOGARITHM);
    }

    /// Returns sigma, the product of each weight and its slack in their units.
    pub(super) fn sigma(z: &[f64]) -> f64 {
        z.last().map_or(f64::NAN, |last| (OF_LOGARITHM * last).exp())
    }

    /// Computes the pairs at the start of the step. They are unknowns if mu is an unknown; otherwise they
    /// follow from the guards.
    fn assemble_start(&mut self, z: &[f64], sigma: f64) {
        let Layout { m, is_convex, .. } = self.layout;
        let at = self.layout.start();
        for i in 0..m {
            self.left[i] = if is_convex {
                Pair::new(z[at + i], sigma)
            } else {
                Pair { slack: self.guards[i].max(0.0) / self.units.slack[i], ..Pair::default() }
            };
        }
        if is_convex {
            self.write_pair_rows(0, None, at, Some(z[at + m]), sigma);
        }
    }

    /// Writes the Runge-Kutta equations of an element.
    fn write_motion_rows(&mut self, run: &Run<'_>, z: &[f64], e: usize, (h, sigma): (f64, f64)) {
        let Layout { n, m, stages, .. } = self.layout;
        let size = self.layout.size();
        for j in 0..stages {
            for r in 0..n {
                let row = self.layout.stage(e, j) + r;
                let unit = self.units.state[r];
                let to = &mut self.jacobian[row * (size + 1)..(row + 1) * (size + 1)];
                let mut value = z[row];
                to[row] += 1.0;
                if e == 0 {
                    value -= self.start[r] / unit;
                } else {
                    let before = self.layout.stage(e - 1, stages - 1) + r;
                    value -= z[before];
                    to[before] -= 1.0;
                }
                for (k, stage) in self.stages.iter().enumerate() {
                    let a = run.table.matrix[j * stages + k] / unit;
                    let from = self.layout.stage(e, k);
                    value -= h * a * stage.rate[r];
                    for c in 0..n {
                        to[from + c] -= h * a * stage.rate_by_x[r * n + c] * self.units.state[c];
                    }
                    for i in 0..m {
                        let pair = self.pairs[(e * stages + k) * m + i];
                        let push = h * a * stage.point.columns[i * n + r] * self.units.weight[i];
                        to[from + n + i] += push * (pair.weight / pair.sum);
                        to[size] -= push * (sigma / pair.sum);
                    }
                    to[self.layout.length(e)] -= a * stage.rate[r] * self.units.length;
                    let by_t = h * a * stage.rate_by_t[r] * self.units.length;
                    for earlier in 0..e {
                        to[self.layout.length(earlier)] -= by_t;
                    }
                    to[self.layout.length(e)] -= by_t * run.table.nodes[k];
                }
                self.equations[row] = value;
            }
        }
    }

    /// Writes the equations of the pairs at a stage or at the start of the step. Each slack must be its guard
    /// minus mu, and the weights must add up to 1.
    fn write_pair_rows(&mut self, e: usize, stage: Option<usize>, at: usize, level: Option<f64>, sigma: f64) {
        let Layout { n, m, stages, .. } = self.layout;
        let size = self.layout.size();
        let width = size + 1;
        let mut sum = -1.0;
        for i in 0..m {
            let row = at + i;
            let unit = self.units.slack[i];
            let (pair, guard) = match stage {
                Some(j) => (self.pairs[(e * stages + j) * m + i], self.stages[j].point.guards[i]),
                None => (self.left[i], self.guards[i]),
            };
            self.equations[row] = guard / unit - level.unwrap_or(0.0) - pair.slack;
            let to = &mut self.jacobian[row * width..(row + 1) * width];
            if let Some(j) = stage {
                for k in 0..n {
                    to[at - n + k] = self.stages[j].guards_by_x[i * n + k] * (self.units.state[k] / unit);
                }
            }
            to[row] -= pair.slack / pair.sum;
            to[size] -= sigma / pair.sum;
            if level.is_some() {
                to[at + m] = -1.0;
                sum += pair.weight;
                self.jacobian[(at + m) * width + row] = -pair.weight / pair.sum;
                self.jacobian[(at + m) * width + size] += sigma / pair.sum;
            }
        }
        if level.is_some() {
            self.equations[at + m] = sum;
        }
    }

    /// Writes the derivatives of the guards at a stage with respect to the element lengths up to the stage.
    fn write_time_columns(&mut self, run: &Run<'_>, (e, j): (usize, usize), at: usize) {
        let width = self.layout.size() + 1;
        for i in 0..self.layout.m {
            let by_t = self.stages[j].guards_by_t[i] * (self.units.length / self.units.slack[i]);
            let to = &mut self.jacobian[(at + i) * width..(at + i + 1) * width];
            for earlier in 0..e {
                to[self.layout.length(earlier)] += by_t;
            }
            to[self.layout.length(e)] += by_t * run.table.nodes[j];
        }
    }

    /// Writes the equations of the boundaries between elements, and the equation for the sum of the lengths.
    fn write_boundary_rows(&mut self, z: &[f64], (h, sigma): (f64, f64)) {
        let elements = self.layout.elements;
        let width = self.layout.size() + 1;
        let last = self.layout.length(elements - 1);
        self.equations[last] = -h / self.units.length;
        let unit = self.units.length / h;
        let equal = sigma.sqrt() * (1.0 + (sigma / EVEN_SIGMA).powi(2)) * unit;
        let by_logarithm = sigma.sqrt() * (0.5 + 2.5 * (sigma / EVEN_SIGMA).powi(2)) * unit;
        for e in 0..elements {
            let length = self.layout.length(e);
            self.equations[last] += z[length];
            self.jacobian[last * width + length] = 1.0;
            if e + 1 == elements {
                break;
            }
            let next = self.layout.length(e + 1);
            self.equations[length] = equal * (z[length] - z[next]);
            self.jacobian[length * width + length] += equal;
            self.jacobian[length * width + next] -= equal;
            self.jacobian[length * width + width - 1] += by_logarithm * (z[length] - z[next]);
        }
        for e in 0..elements {
            for i in 0..self.layout.m {
                if e + 1 < elements {
                    self.add_cross(self.layout.length(e), 1.0, (e, i), sigma);
                }
                if e > 0 {
                    self.add_cross(self.layout.length(e - 1), -1.0, (e, i), sigma);
                }
            }
        }
    }

    /// Adds the cross complementarity of pair i in element e to a row, multiplied by `sign`.
    fn add_cross(&mut self, row: usize, sign: f64, (e, i): (usize, usize), sigma: f64) {
        let Layout { n, m, stages, is_convex, .. } = self.layout;
        let size = self.layout.size();
        let pair = |e: usize, j: usize| self.pairs[(e * stages + j) * m + i];
        let (left, left_at) = if e == 0 {
            (self.left[i], is_convex.then(|| self.layout.start() + i))
        } else {
            (pair(e - 1, stages - 1), Some(self.layout.stage(e - 1, stages - 1) + n + i))
        };
        let weights: f64 = (0..stages).map(|j| pair(e, j).weight).sum();
        let slacks: f64 = left.slack + (0..stages).map(|j| pair(e, j).slack).sum::<f64>();
        self.equations[row] += sign * weights * slacks;
        let to = &mut self.jacobian[row * (size + 1)..(row + 1) * (size + 1)];
        if let Some(at) = left_at {
            to[at] += sign * weights * (left.slack / left.sum);
            to[size] += sign * weights * (sigma / left.sum);
        }
        for j in 0..stages {
            let pair = pair(e, j);
            let at = self.layout.stage(e, j) + n + i;
            to[at] += sign * (weights * (pair.slack / pair.sum) - slacks * (pair.weight / pair.sum));
            to[size] += sign * (weights + slacks) * (sigma / pair.sum);
        }
    }
}
