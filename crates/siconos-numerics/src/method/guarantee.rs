//! For which data a method is known to reach a solution.

use std::fmt;

use serde::{Serialize, Serializer};

/// Classes of square matrices, the weaker ones below the stronger ones ([`is_within`](Self::is_within)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// Any matrix.
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

impl fmt::Display for MatrixClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SymmetricPositiveDefinite => "symmetric positive definite",
            Self::SymmetricPositiveSemidefinite => "symmetric positive semidefinite",
            Self::DiagonallyDominant => "strictly diagonally dominant",
            Self::HMatrix => "H with positive diagonal",
            Self::PositiveDefinite => "positive definite",
            Self::PMatrix => "P",
            Self::PositiveSemidefinite => "positive semidefinite",
            Self::StrictlyCopositive => "strictly copositive",
            Self::CopositivePlus => "copositive-plus",
            Self::General => "any matrix",
        })
    }
}

/// To which problems of its class a guarantee is confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// To none: the matrix decides.
    All,
    /// To finite bounds on both sides.
    FiniteBounds,
    /// To coefficients of friction 0.
    WithoutFriction,
    /// To coefficients of friction up to a bound that depends on the matrix.
    SmallFriction,
    /// To a few unknowns, as the work grows exponentially.
    FewUnknowns,
    /// To what is said in words.
    Words(&'static str),
}

impl Scope {
    /// Ends a sentence that names classes of matrices; empty where there is nothing to add.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::All => "",
            Self::FiniteBounds => "between finite bounds",
            Self::WithoutFriction => "without friction",
            Self::SmallFriction => "with friction that is small enough",
            Self::FewUnknowns => "with few unknowns",
            Self::Words(words) => words,
        }
    }
}

/// For which data a method is known to reach a solution, whenever there is one.
///
/// It prints as the sentence of a table:
///
/// ```
/// use siconos_numerics::method::{Guarantee, MatrixClass, Scope};
///
/// let guarantee = Guarantee::of(&[MatrixClass::PMatrix]).and("stationary points for P0");
/// assert_eq!(guarantee.to_string(), "P; stationary points for P0");
/// let guarantee = Guarantee::of(&[MatrixClass::PositiveSemidefinite]).only(Scope::WithoutFriction);
/// assert_eq!(guarantee.to_string(), "positive semidefinite without friction");
/// assert_eq!(Guarantee::NONE.and("cycles are recognised").to_string(), "none; cycles are recognised");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// The matrix may be of any of these classes (of mixed problems, the matrix without the free unknowns).
    /// Empty when nothing is known that the matrix alone decides.
    pub classes: &'static [MatrixClass],
    /// To which problems that is confined.
    pub only: Scope,
    /// Whether such a problem without a solution ends as one: with `NoSolution`, or with `RayTermination`.
    pub recognises_unsolvable: bool,
    /// What else is known, in words.
    pub beside: &'static str,
}

impl Guarantee {
    /// Nothing is known.
    pub const NONE: Self = Self { classes: &[], only: Scope::All, recognises_unsolvable: false, beside: "" };

    /// For matrices of any of these classes.
    #[must_use]
    pub const fn of(classes: &'static [MatrixClass]) -> Self {
        Self { classes, ..Self::NONE }
    }

    /// In words alone: what is asked for is no class of matrices.
    #[must_use]
    pub const fn in_words(words: &'static str) -> Self {
        Self { only: Scope::Words(words), ..Self::NONE }
    }

    /// These classes are enough only in such problems.
    #[must_use]
    pub const fn only(self, only: Scope) -> Self {
        Self { only, ..self }
    }

    /// And such problems without a solution are recognised.
    #[must_use]
    pub const fn and_recognises_unsolvable(self) -> Self {
        Self { recognises_unsolvable: true, ..self }
    }

    /// What else is known.
    #[must_use]
    pub const fn and(self, beside: &'static str) -> Self {
        Self { beside, ..self }
    }

    /// Whether a matrix of this class is enough, in problems within the [scope](Self::only).
    #[must_use]
    pub fn covers(&self, class: MatrixClass) -> bool {
        self.classes.iter().any(|covered| class.is_within(*covered))
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let classes: Vec<String> = self.classes.iter().map(MatrixClass::to_string).collect();
        let parts = [&classes.join(", "), self.only.words()];
        let known: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        f.write_str(&if known.is_empty() { "none".to_owned() } else { known.join(" ") })?;
        let recognised =
            if self.recognises_unsolvable { "recognises problems without a solution" } else { "" };
        [recognised, self.beside]
            .iter()
            .filter(|part| !part.is_empty())
            .try_for_each(|part| write!(f, "; {part}"))
    }
}

impl Serialize for Guarantee {
    /// As the sentence of the table.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
