//! A problem with its answer.

use ndarray::Array2;

/// What is known of a matrix; each problem names the smallest class that its author can vouch for.
///
/// Classes are those of Cottle, Pang, Stone (1992), chapter 3. "Definite" does not imply symmetric unless it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixClass {
    /// Symmetric, $x^T M x > 0$ for $x \ne 0$.
    SymmetricPositiveDefinite,
    /// Symmetric, $x^T M x \ge 0$.
    SymmetricPositiveSemidefinite,
    /// Each diagonal entry exceeds the sum of the magnitudes of the others in its row.
    DiagonallyDominant,
    /// Strictly diagonally dominant after some positive scaling of the columns, with a positive diagonal.
    HMatrix,
    /// $x^T M x > 0$ for $x \ne 0$.
    PositiveDefinite,
    /// All principal minors are positive: exactly one solution for every q.
    PMatrix,
    /// $x^T M x \ge 0$: solvable when feasible.
    PositiveSemidefinite,
    /// $x^T M x > 0$ for $x \ge 0$, $x \ne 0$: solvable for every q.
    StrictlyCopositive,
    /// $x^T M x \ge 0$ for $x \ge 0$, and $(M + M^T) x = 0$ where it vanishes: solvable when feasible.
    CopositivePlus,
    /// Nothing is promised.
    General,
}

impl MatrixClass {
    /// Whether every matrix of this class belongs to `other` as well.
    #[must_use]
    pub fn is_within(self, other: Self) -> bool {
        let directly_above: &[Self] = match self {
            Self::SymmetricPositiveDefinite => &[Self::PositiveDefinite, Self::SymmetricPositiveSemidefinite],
            Self::SymmetricPositiveSemidefinite => &[Self::PositiveSemidefinite],
            Self::PositiveDefinite => &[Self::PMatrix, Self::PositiveSemidefinite, Self::StrictlyCopositive],
            Self::DiagonallyDominant => &[Self::HMatrix],
            Self::HMatrix => &[Self::PMatrix],
            Self::PositiveSemidefinite | Self::StrictlyCopositive => &[Self::CopositivePlus],
            Self::PMatrix | Self::CopositivePlus => &[Self::General],
            Self::General => &[],
        };
        self == other || directly_above.iter().any(|class| class.is_within(other))
    }
}

/// What is known of the solutions.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The only solution.
    Unique(Vec<f64>),
    /// Some of several solutions.
    Several(Vec<Vec<f64>>),
    /// No $z \ge 0$ has $M z + q \ge 0$. The certificate is a $y \ge 0$ with $y^T M \le 0$ and $y^T q < 0$ (Farkas):
    /// it would make $y^T (M z + q)$ negative.
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
