//! Guarantees of methods: the problems for which a method is known to find a solution.

use std::fmt;

use serde::{Serialize, Serializer};

/// Classes of square matrices, partially ordered by inclusion ([`is_within`](Self::is_within)). The
/// statements about solutions refer to the linear complementarity problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MatrixClass {
    /// Symmetric matrices with $x^T M x > 0$ for $x \ne 0$.
    SymmetricPositiveDefinite,
    /// Symmetric matrices with $x^T M x \ge 0$.
    SymmetricPositiveSemidefinite,
    /// Matrices in which each diagonal entry exceeds the sum of the magnitudes of the other entries in its
    /// row.
    DiagonallyDominant,
    /// Matrices with a positive diagonal that become strictly diagonally dominant after some positive scaling
    /// of the columns.
    HMatrix,
    /// Matrices with $x^T M x > 0$ for $x \ne 0$.
    PositiveDefinite,
    /// Matrices whose principal minors are all positive. There is exactly one solution for every q.
    PMatrix,
    /// Matrices with $x^T M x \ge 0$. A solution exists if the problem is feasible.
    PositiveSemidefinite,
    /// Matrices with $x^T M x > 0$ for $x \ge 0$, $x \ne 0$. A solution exists for every q.
    StrictlyCopositive,
    /// Matrices with $x^T M x \ge 0$ for $x \ge 0$, and with $(M + M^T) x = 0$ for every $x \ge 0$ with
    /// $x^T M x = 0$. A solution exists if the problem is feasible.
    CopositivePlus,
    /// All matrices.
    General,
}

impl MatrixClass {
    /// Returns `true` if every matrix of this class also belongs to `other`.
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

/// Restriction of a guarantee to a subset of the problems of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// No restriction: the guarantee depends only on the matrix.
    All,
    /// Problems in which all lower and upper bounds are finite.
    FiniteBounds,
    /// Problems in which all coefficients of friction are 0.
    WithoutFriction,
    /// Problems in which all coefficients of friction are below a bound that depends on the matrix.
    SmallFriction,
    /// Problems with few unknowns, because the cost grows exponentially.
    FewUnknowns,
    /// Restriction that is stated in words.
    Words(&'static str),
}

impl Scope {
    /// Returns the words of the restriction, or an empty string for [`Scope::All`]. In a sentence, the words
    /// follow the names of the matrix classes.
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

/// Problems for which a method is known to find a solution, if a solution exists.
///
/// The [`Display`](fmt::Display) text of a guarantee is used as an entry of a table:
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
    /// Classes of matrices for which the method finds a solution. For mixed problems, they refer to the
    /// matrix that remains after the free unknowns have been eliminated. Empty if the guarantee does not
    /// depend on a class of matrices.
    pub classes: &'static [MatrixClass],
    /// Restriction of the guarantee to a subset of the problems with matrices of these classes.
    pub only: Scope,
    /// `true` if the method detects that a problem covered by the guarantee has no solution, and returns
    /// `NoSolution` or `RayTermination`.
    pub recognises_unsolvable: bool,
    /// Further statements in words. In a table, they follow the guarantee.
    pub beside: &'static str,
}

impl Guarantee {
    /// No guarantee.
    pub const NONE: Self = Self { classes: &[], only: Scope::All, recognises_unsolvable: false, beside: "" };

    /// Creates a guarantee for all matrices that belong to at least one of these classes.
    #[must_use]
    pub const fn of(classes: &'static [MatrixClass]) -> Self {
        Self { classes, ..Self::NONE }
    }

    /// Creates a guarantee that is stated only in words, because its condition is not a class of matrices.
    #[must_use]
    pub const fn in_words(words: &'static str) -> Self {
        Self { only: Scope::Words(words), ..Self::NONE }
    }

    /// Restricts the guarantee to the problems in `only`.
    #[must_use]
    pub const fn only(self, only: Scope) -> Self {
        Self { only, ..self }
    }

    /// Adds the statement that the method detects problems without a solution, if they are covered by the
    /// guarantee.
    #[must_use]
    pub const fn and_recognises_unsolvable(self) -> Self {
        Self { recognises_unsolvable: true, ..self }
    }

    /// Adds further statements in words. In a table, they follow the guarantee.
    #[must_use]
    pub const fn and(self, beside: &'static str) -> Self {
        Self { beside, ..self }
    }

    /// Returns `true` if the method finds a solution for every matrix of this class, for problems that
    /// satisfy the [restriction](Self::only).
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
    /// Serialises the guarantee as its [`Display`](fmt::Display) text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
