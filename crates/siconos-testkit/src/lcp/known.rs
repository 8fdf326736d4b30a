//! A problem with its answer.

use ndarray::Array2;
use siconos_numerics::method::MatrixClass;

/// What is known of the solutions.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The only solution.
    Unique(Vec<f64>),
    /// Some of several solutions.
    Several(Vec<Vec<f64>>),
    /// No $z \ge 0$ has $M z + q \ge 0$. The certificate is a $y \ge 0$ with $y^T M \le 0$ and $y^T q < 0$
    /// (Farkas): it would make $y^T (M z + q)$ negative.
    Infeasible {
        /// That $y$.
        certificate: Vec<f64>,
    },
    /// Some $z \ge 0$ has $M z + q \ge 0$, but none is complementary.
    FeasibleWithoutSolution {
        /// Such a $z$.
        feasible: Vec<f64>,
    },
}

/// A linear complementarity problem with a known answer.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownLcp {
    /// Short and unique.
    pub name: String,
    /// Where the problem and its answer come from.
    pub source: &'static str,
    /// The matrix.
    pub m: Array2<f64>,
    /// The vector.
    pub q: Vec<f64>,
    /// The smallest class known to hold the matrix.
    pub class: MatrixClass,
    /// The answer.
    pub answer: Answer,
}

impl KnownLcp {
    /// Number of unknown pairs.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// Whether there is a solution.
    #[must_use]
    pub fn has_solution(&self) -> bool {
        matches!(self.answer, Answer::Unique(_) | Answer::Several(_))
    }

    /// The known solutions; empty when there are none.
    #[must_use]
    pub fn solutions(&self) -> &[Vec<f64>] {
        match &self.answer {
            Answer::Unique(z) => std::slice::from_ref(z),
            Answer::Several(solutions) => solutions,
            Answer::Infeasible { .. } | Answer::FeasibleWithoutSolution { .. } => &[],
        }
    }

    /// The solution, when it is the only one.
    #[must_use]
    pub fn unique_solution(&self) -> Option<&[f64]> {
        match &self.answer {
            Answer::Unique(z) => Some(z),
            _ => None,
        }
    }
}
