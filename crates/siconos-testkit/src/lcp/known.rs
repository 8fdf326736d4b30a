//! Linear complementarity problems with known answers.

use ndarray::Array2;
use siconos_numerics::method::MatrixClass;

/// Known facts about the solutions of a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The only solution.
    Unique(Vec<f64>),
    /// Some of several solutions.
    Several(Vec<Vec<f64>>),
    /// No $z \ge 0$ with $M z + q \ge 0$ exists. The certificate is a $y \ge 0$ with $y^T M \le 0$ and
    /// $y^T q < 0$ (Farkas), because $y^T (M z + q)$ is negative for every $z \ge 0$.
    Infeasible {
        /// Vector $y$.
        certificate: Vec<f64>,
    },
    /// Some $z \ge 0$ satisfy $M z + q \ge 0$, but none is complementary.
    FeasibleWithoutSolution {
        /// A feasible $z$.
        feasible: Vec<f64>,
    },
}

/// Linear complementarity problem with a known answer.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownLcp {
    /// Short unique name.
    pub name: String,
    /// Source of the problem and its answer.
    pub source: &'static str,
    /// Matrix M.
    pub m: Array2<f64>,
    /// Vector q.
    pub q: Vec<f64>,
    /// Smallest known class of the matrix.
    pub class: MatrixClass,
    /// Known answer.
    pub answer: Answer,
}

impl KnownLcp {
    /// Returns the number of unknowns $z$.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// Returns `true` if there is a solution.
    #[must_use]
    pub fn has_solution(&self) -> bool {
        matches!(self.answer, Answer::Unique(_) | Answer::Several(_))
    }

    /// Returns the known solutions; empty if there are none.
    #[must_use]
    pub fn solutions(&self) -> &[Vec<f64>] {
        match &self.answer {
            Answer::Unique(z) => std::slice::from_ref(z),
            Answer::Several(solutions) => solutions,
            Answer::Infeasible { .. } | Answer::FeasibleWithoutSolution { .. } => &[],
        }
    }

    /// Returns the solution if it is unique.
    #[must_use]
    pub fn unique_solution(&self) -> Option<&[f64]> {
        match &self.answer {
            Answer::Unique(z) => Some(z),
            _ => None,
        }
    }
}
