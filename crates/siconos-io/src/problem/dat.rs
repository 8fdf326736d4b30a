//! Grammar of each class in the `.dat` format, and detection of the class from the text.

use std::io::{Read, Write};

use siconos_linalg::{Matrix, MatrixRef};
use siconos_numerics::contact::ContactLaw;
use siconos_numerics::lcp::LinearComplementarityProblem;
use siconos_numerics::relay::BoxComplementarityProblem;

use super::contact_dat::{Friction, read_global, read_local, read_second_order, write_contact};
use super::gmp_dat::{read_gmp, write_gmp};
use super::matrix_reader::read_matrix;
use super::matrix_writer::{write_line, write_matrix};
use super::mlcp_dat::{read_mlcp, write_mlcp};
use super::tokens::Tokens;
use super::{Problem, ProblemClass, ProblemFileError, ProblemFileErrorKind as Kind};

impl Problem {
    /// Reads the `.dat` format (see [`problem`](super)). If `class` is `None`, the class is detected: it is
    /// the only class whose grammar matches the text.
    ///
    /// # Errors
    ///
    /// If the text is not a problem of the given class, if no class is given and the text matches no class or
    /// more than one, or if the reader fails. The [`ProblemFileError`] states the line and the column.
    ///
    /// ```
    /// use siconos_io::problem::{Problem, ProblemClass};
    ///
    /// let text = "2  0 2 2  2 2  2 1 1 2  -5 -6  a remark";
    /// let problem = Problem::from_dat(text.as_bytes(), None)?;
    /// assert_eq!(problem.class(), ProblemClass::Lcp);
    ///
    /// let error = Problem::from_dat("2 0 2 2\n3 2".as_bytes(), Some(ProblemClass::Lcp)).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 2, column 1: the repeated number of rows of M is 3; it must be 2"
    /// );
    /// # Ok::<(), siconos_io::problem::ProblemFileError>(())
    /// ```
    pub fn from_dat(mut reader: impl Read, class: Option<ProblemClass>) -> Result<Self, ProblemFileError> {
        let mut text = Vec::new();
        reader.read_to_end(&mut text).map_err(ProblemFileError::reading)?;
        match class {
            Some(class) => read_class(&mut Tokens::new(&text), class),
            None => detect(&text),
        }
    }

    /// Writes the `.dat` format. Reading it again gives an identical problem, bit for bit.
    ///
    /// # Errors
    ///
    /// If the format does not support the problem ([`Kind::UnsupportedStorage`]), because a matrix is
    /// diagonal, or because a generic mechanical problem contains relays, friction in the plane, or a matrix
    /// whose block sizes differ from the sizes of the laws. Also if the writer fails ([`Kind::Io`]).
    pub fn to_dat(&self, mut writer: impl Write) -> Result<(), ProblemFileError> {
        let writer: &mut dyn Write = &mut writer;
        match self {
            Self::Lcp(problem) => write_linear(writer, problem.view().m(), problem.view().q())?,
            Self::Mlcp(problem) => write_mlcp(writer, problem)?,
            Self::Relay(problem) => {
                let problem = problem.view();
                write_linear(writer, problem.m(), problem.q())?;
                write_line(writer, problem.lower())?;
                write_line(writer, problem.upper())?;
            }
            Self::Contact(problem) => write_contact(writer, problem)?,
            Self::Gmp(problem) => write_gmp(writer, problem)?,
        }
        Ok(writer.flush()?)
    }
}

fn read_class(tokens: &mut Tokens<'_>, class: ProblemClass) -> Result<Problem, ProblemFileError> {
    Ok(match class {
        ProblemClass::Lcp => read_lcp(tokens)?.into(),
        ProblemClass::Mlcp => read_mlcp(tokens)?.into(),
        ProblemClass::Relay => read_relay(tokens)?.into(),
        ProblemClass::Fc2d => read_local(tokens, Friction::Coulomb(2))?.into(),
        ProblemClass::Fc3d => read_local(tokens, Friction::Coulomb(3))?.into(),
        ProblemClass::Gfc2d => read_global(tokens, Friction::Coulomb(2))?.into(),
        ProblemClass::Gfc3d => read_global(tokens, Friction::Coulomb(3))?.into(),
        ProblemClass::Rolling => read_local(tokens, Friction::Rolling)?.into(),
        ProblemClass::Grolling => read_global(tokens, Friction::Rolling)?.into(),
        ProblemClass::Soclcp => read_second_order(tokens)?.into(),
        ProblemClass::Gmp => read_gmp(tokens)?.into(),
    })
}

fn read_lcp(tokens: &mut Tokens<'_>) -> Result<LinearComplementarityProblem, ProblemFileError> {
    let (m, q) = read_linear(tokens)?;
    LinearComplementarityProblem::new(m, q.into()).map_err(|error| tokens.error(Kind::Problem(error)))
}

fn read_relay(tokens: &mut Tokens<'_>) -> Result<BoxComplementarityProblem, ProblemFileError> {
    let (m, q) = read_linear(tokens)?;
    let (lower, upper) = read_bounds(tokens, q.len())?;
    BoxComplementarityProblem::new(m, q.into(), lower.into(), upper.into())
        .map_err(|error| tokens.error(Kind::Problem(error)))
}

/// Reads `n M q`.
fn read_linear(tokens: &mut Tokens<'_>) -> Result<(Matrix, Vec<f64>), ProblemFileError> {
    let n = tokens.size(format_args!("the number of unknowns n"))?;
    tokens.check_room(Some(n), format_args!("a problem of {n} unknowns"))?;
    let m = read_matrix(tokens, "M", n, n)?;
    Ok((m, tokens.numbers("q", n)?))
}

/// Reads the lower bounds and the upper bounds. Each upper bound must be at least the lower bound.
fn read_bounds(tokens: &mut Tokens<'_>, n: usize) -> Result<(Vec<f64>, Vec<f64>), ProblemFileError> {
    tokens.check_room(n.checked_mul(2), format_args!("the bounds, 2 x {n} numbers,"))?;
    let mut lower = Vec::with_capacity(n);
    for i in 1..=n {
        let what = format_args!("entry {i} of the lower bounds (of {n})");
        let bound = tokens.bound(what)?;
        if bound == f64::INFINITY {
            return Err(tokens.inconsistent(what, bound, "a number or -inf"));
        }
        lower.push(bound);
    }
    let mut upper = Vec::with_capacity(n);
    for (i, &least) in (1..).zip(&lower) {
        let what = format_args!("entry {i} of the upper bounds (of {n})");
        let bound = tokens.bound(what)?;
        if bound < least || bound == f64::NEG_INFINITY {
            return Err(tokens.inconsistent(
                what,
                bound,
                format_args!("a number or inf, not below the lower bound {least}"),
            ));
        }
        upper.push(bound);
    }
    Ok((lower, upper))
}

/// Reads a problem and detects its class.
fn detect(text: &[u8]) -> Result<Problem, ProblemFileError> {
    let mut fitting = Vec::new();
    let mut refused: Vec<(ProblemClass, ProblemFileError)> = Vec::new();
    // In most classes, nearly all of the text is a square matrix that starts after at most two numbers. It is
    // read once for all classes.
    let mut tokens = Tokens::new(text);
    let mut known = Vec::new();
    for _ in 0..3 {
        known.extend(tokens.known_square());
        tokens.next();
    }
    for class in ProblemClass::ALL {
        match read_class(&mut tokens.again(&known), class) {
            Ok(problem) => fitting.push(problem),
            Err(error) => refused.push((class, error)),
        }
    }
    drop_less_certain(&mut fitting);
    if fitting.len() > 1 {
        let classes = fitting.iter().map(Problem::class).collect();
        return Err(Kind::Ambiguous { classes }.into());
    }
    if let Some(problem) = fitting.pop() {
        return Ok(problem);
    }
    // The intended class is most likely the one with the longest match. In case of a tie, the earliest is
    // used.
    let furthest =
        refused.into_iter().reduce(|best, next| if next.1.place > best.1.place { next } else { best });
    let (class, error) = furthest.expect("there are classes, and none fits");
    Err(ProblemFileError { kind: Kind::NoClass { class, kind: Box::new(error.kind) }, ..error })
}

/// Removes the classes that match the text by accident.
fn drop_less_certain(fitting: &mut Vec<Problem>) {
    // Every class matches a problem without unknowns, and the solution is empty in each of them.
    if fitting.first().is_some_and(|problem| problem.size() == 0) {
        fitting.truncate(1);
    }
    // Text after a global problem with friction in space is treated as a remark. It can also be the
    // coefficients of rolling friction in the plane in global form, but it is read in this way only if this
    // class is given.
    if fitting.iter().any(|problem| problem.class() == ProblemClass::Gfc3d) {
        let is_remark = |problem: &Problem| {
            rolling_in_the_plane(problem).is_some() && problem.class() == ProblemClass::Grolling
        };
        fitting.retain(|problem| !is_remark(problem));
    }
    // A text in one of the classes below can also match a local problem with one contact. The class below is
    // more likely, because it must match more tokens: the sizes of a second matrix, or a list of cone starts
    // that ends with n. Read as a local problem, these tokens would be free velocities or coefficients,
    // followed by a remark.
    let says_more = |problem: &Problem| {
        let class = problem.class();
        matches!(
            class,
            ProblemClass::Gfc2d | ProblemClass::Gfc3d | ProblemClass::Grolling | ProblemClass::Soclcp
        )
    };
    let is_local = |problem: &Problem| {
        matches!(problem.class(), ProblemClass::Fc2d | ProblemClass::Fc3d | ProblemClass::Rolling)
    };
    if fitting.iter().any(says_more) {
        fitting.retain(|problem| !is_local(problem));
    }
    // A 0 or 1 after a friction problem with one contact is the flag that Siconos writes. It is not a
    // coefficient of rolling friction.
    let is_flag = |problem: &Problem| {
        matches!(rolling_in_the_plane(problem), Some(&[0.0 | 1.0]))
            && problem.class() == ProblemClass::Rolling
    };
    if fitting.iter().any(|problem| problem.class() == ProblemClass::Fc3d) {
        fitting.retain(|problem| !is_flag(problem));
    }
}

/// Returns the coefficients of rolling friction of a problem in the plane; `None` for other problems.
fn rolling_in_the_plane(problem: &Problem) -> Option<&[f64]> {
    match problem {
        Problem::Contact(problem) => match problem.law() {
            ContactLaw::Rolling { dimension: 3, mu_rolling, .. } => Some(mu_rolling),
            _ => None,
        },
        _ => None,
    }
}

fn write_linear(writer: &mut dyn Write, m: MatrixRef<'_>, q: &[f64]) -> Result<(), ProblemFileError> {
    writeln!(writer, "{}", q.len())?;
    write_matrix(writer, m)?;
    write_line(writer, q)
}
