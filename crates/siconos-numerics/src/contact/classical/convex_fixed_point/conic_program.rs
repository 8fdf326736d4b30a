//! Convex problem with a fixed shift, in the input form of the interior-point method.

use siconos_linalg::Csc;

use crate::contact::DelassusProblem;
use crate::qp::interior_point::{Answer, Program, upper_triangle};

/// Conic program: minimise $\frac12 x^T W x + c^T x$ over the cones. The program is stored with W and c
/// divided by their norms.
#[derive(Clone, Debug, Default)]
pub(super) struct ConicProgram {
    hessian: Csc,
    a: Csc,
    b: Vec<f64>,
    equations: usize,
    second_order: Vec<usize>,
    /// Number by which W is divided.
    unit: f64,
    linear: Vec<f64>,
}

impl ConicProgram {
    /// Prepares the program for W and the cones. W is divided by `unit`.
    ///
    /// The components of a reaction are constrained as follows. Tangential or rolling components with the
    /// coefficient 0 are zero. A normal reaction whose other components are all zero is nonnegative. Other
    /// tangential or rolling components $r_k$ satisfy $\lVert r_k \rVert \le \mu_k r_N$.
    pub(super) fn prepare(&mut self, problem: &DelassusProblem<'_>, unit: f64) {
        let (law, n) = (problem.law(), problem.size());
        self.unit = unit;
        self.hessian = upper_triangle(problem.w(), 1.0 / unit, &vec![0.0; n]);
        let (mut equations, mut half_lines, mut cones) = (Vec::new(), Vec::new(), Vec::new());
        self.second_order.clear();
        for block in 0..law.blocks() {
            let start = law.range(block).start;
            let mut has_cone = false;
            for part in law.cone(block).parts() {
                let components = part.range.clone().map(|i| start + i);
                if part.coefficient == 0.0 {
                    equations.extend(components.map(|i| (i, 1.0)));
                } else if !part.range.is_empty() {
                    has_cone = true;
                    self.second_order.push(1 + part.range.len());
                    cones.push((start, -part.coefficient));
                    cones.extend(components.map(|i| (i, -1.0)));
                }
            }
            if !has_cone {
                half_lines.push((start, -1.0));
            }
        }
        self.equations = equations.len();
        let entries: Vec<_> = (equations.into_iter().chain(half_lines).chain(cones))
            .enumerate()
            .map(|(row, (column, value))| (row, column, value))
            .collect();
        self.b.clear();
        self.b.resize(entries.len(), 0.0);
        self.a = Csc::from_triplets(entries.len(), n, entries).unwrap_or_default();
    }

    /// Solves the program with the linear term `c`, whose norm is `size`, and writes the result to `r`.
    pub(super) fn solve(&mut self, c: &[f64], size: f64, tolerance: f64, r: &mut [f64]) -> Answer {
        // Scaling c scales the solution, because the constraints are cones. With norm(c) = 1, the tolerances
        // of the interior-point method are relative.
        self.linear.clear();
        self.linear.extend(c.iter().map(|c| c / size));
        let program = Program {
            hessian: &self.hessian,
            linear: &self.linear,
            a: &self.a,
            b: &self.b,
            equations: self.equations,
            second_order: &self.second_order,
        };
        let answer = program.solve(tolerance, MOST_ITERATIONS);
        let factor = size / self.unit;
        r.iter_mut().zip(&answer.x).for_each(|(r, x)| *r = factor * x);
        answer
    }
}

/// Maximum number of iterations of the interior-point method. It usually takes 10 to 30.
const MOST_ITERATIONS: usize = 100;
