//! Contact problems and their kin in the `.dat` format.

use std::io::Write;

use siconos_numerics::contact::{
    FrictionContactProblem, GlobalFrictionProblem, GlobalProblem, GlobalRollingProblem,
    RollingFrictionProblem, SecondOrderConeProblem,
};
use siconos_numerics::linalg::{Matrix, MatrixRef};

use super::matrix_reader::{read_matrix, read_square};
use super::matrix_writer::{write_line, write_matrix};
use super::tokens::Tokens;
use super::{Problem, ProblemFileError, ProblemFileErrorKind as Kind};

/// `dimension contacts W q mu`.
pub(super) fn read_friction<const D: usize>(
    tokens: &mut Tokens<'_>,
) -> Result<FrictionContactProblem<D>, ProblemFileError> {
    read_dimension(tokens, &[D])?;
    let (contacts, size) = read_contacts(tokens, D)?;
    let w = read_matrix(tokens, "W", size, size)?;
    let q = tokens.numbers("q", size)?;
    let mu = read_coefficients(tokens, "mu", contacts)?;
    FrictionContactProblem::new(w, q.into(), mu.into()).map_err(|error| tokens.error(Kind::Problem(error)))
}

/// `dimension contacts M H f w mu`, as many rows as the first matrix says.
pub(super) fn read_global<const D: usize>(
    tokens: &mut Tokens<'_>,
) -> Result<GlobalFrictionProblem<D>, ProblemFileError> {
    read_dimension(tokens, &[D])?;
    let Global { m, h, f, w, mu } = read_bodies_and_contacts(tokens, D)?;
    GlobalFrictionProblem::new(m, h, f.into(), w.into(), mu.into())
        .map_err(|error| tokens.error(Kind::Problem(error)))
}

/// `dimension contacts M H f w mu mu_rolling`, in the plane or in space.
pub(super) fn read_global_rolling(tokens: &mut Tokens<'_>) -> Result<Problem, ProblemFileError> {
    if read_dimension(tokens, &[3, 5])? == 3 {
        Ok(read_global_rolling_in::<3>(tokens)?.into())
    } else {
        Ok(read_global_rolling_in::<5>(tokens)?.into())
    }
}

fn read_global_rolling_in<const D: usize>(
    tokens: &mut Tokens<'_>,
) -> Result<GlobalRollingProblem<D>, ProblemFileError> {
    let Global { m, h, f, w, mu } = read_bodies_and_contacts(tokens, D)?;
    let mu_rolling = read_coefficients(tokens, "mu_rolling", mu.len())?;
    GlobalRollingProblem::new(m, h, f.into(), w.into(), mu.into(), mu_rolling.into())
        .map_err(|error| tokens.error(Kind::Problem(error)))
}

/// What every problem in global form begins with.
struct Global {
    m: Matrix,
    h: Matrix,
    f: Vec<f64>,
    w: Vec<f64>,
    mu: Vec<f64>,
}

fn read_bodies_and_contacts(tokens: &mut Tokens<'_>, dimension: usize) -> Result<Global, ProblemFileError> {
    let (contacts, size) = read_contacts(tokens, dimension)?;
    let (m, freedoms) = read_square(tokens, "M")?;
    let h = read_matrix(tokens, "H", freedoms, size)?;
    let f = tokens.numbers("f", freedoms)?;
    let w = tokens.numbers("w", size)?;
    let mu = read_coefficients(tokens, "mu", contacts)?;
    Ok(Global { m, h, f, w, mu })
}

/// `dimension contacts W q mu mu_rolling`, in the plane or in space.
pub(super) fn read_rolling(tokens: &mut Tokens<'_>) -> Result<Problem, ProblemFileError> {
    if read_dimension(tokens, &[3, 5])? == 3 {
        Ok(read_rolling_in::<3>(tokens)?.into())
    } else {
        Ok(read_rolling_in::<5>(tokens)?.into())
    }
}

fn read_rolling_in<const D: usize>(
    tokens: &mut Tokens<'_>,
) -> Result<RollingFrictionProblem<D>, ProblemFileError> {
    let (contacts, size) = read_contacts(tokens, D)?;
    let w = read_matrix(tokens, "W", size, size)?;
    let q = tokens.numbers("q", size)?;
    let mu = read_coefficients(tokens, "mu", contacts)?;
    let mu_rolling = read_coefficients(tokens, "mu_rolling", contacts)?;
    RollingFrictionProblem::new(w, q.into(), mu.into(), mu_rolling.into())
        .map_err(|error| tokens.error(Kind::Problem(error)))
}

/// `n cones M q starts tau`.
pub(super) fn read_second_order(tokens: &mut Tokens<'_>) -> Result<SecondOrderConeProblem, ProblemFileError> {
    let n = tokens.size(format_args!("the number of unknowns n"))?;
    tokens.check_room(Some(n), format_args!("a problem of {n} unknowns"))?;
    let what = format_args!("the number of cones");
    let cones = tokens.size(what)?;
    if cones > n || (cones == 0 && n > 0) {
        return Err(tokens.inconsistent(what, cones, format_args!("1 to {n}, the number of unknowns")));
    }
    let m = read_matrix(tokens, "M", n, n)?;
    let q = tokens.numbers("q", n)?;
    let starts = read_starts(tokens, cones, n)?;
    let tau = read_coefficients(tokens, "tau", cones)?;
    SecondOrderConeProblem::new(m, q.into(), starts, tau.into())
        .map_err(|error| tokens.error(Kind::Problem(error)))
}

/// The size of the blocks, which says in which space the contacts are.
fn read_dimension(tokens: &mut Tokens<'_>, possible: &[usize]) -> Result<usize, ProblemFileError> {
    let what = format_args!("the dimension of a contact");
    let dimension = tokens.size(what)?;
    if possible.contains(&dimension) {
        return Ok(dimension);
    }
    let words: Vec<_> = possible.iter().map(usize::to_string).collect();
    Err(tokens.inconsistent(what, dimension, words.join(" or ")))
}

/// The number of contacts, and of their unknowns.
fn read_contacts(tokens: &mut Tokens<'_>, dimension: usize) -> Result<(usize, usize), ProblemFileError> {
    let contacts = tokens.size(format_args!("the number of contacts"))?;
    let size = contacts.checked_mul(dimension);
    tokens.check_room(size, format_args!("a problem of {contacts} contacts"))?;
    // The room says that the product could be formed.
    Ok((contacts, size.unwrap_or_default()))
}

/// Numbers at or above 0 or `inf`, one for each contact or cone.
fn read_coefficients(
    tokens: &mut Tokens<'_>,
    name: &str,
    count: usize,
) -> Result<Vec<f64>, ProblemFileError> {
    tokens.check_room(Some(count), format_args!("{name}, {count} numbers,"))?;
    let mut coefficients = Vec::with_capacity(count);
    for i in 1..=count {
        let what = format_args!("entry {i} of {name} (of {count})");
        // Where the law has no use for an infinite one, the problem refuses it.
        let coefficient = tokens.bound(what)?;
        if coefficient < 0.0 {
            return Err(tokens.inconsistent(what, coefficient, "a number at or above 0, or inf"));
        }
        coefficients.push(coefficient);
    }
    Ok(coefficients)
}

/// The first unknown of each cone, and the number of unknowns at the end.
fn read_starts(tokens: &mut Tokens<'_>, cones: usize, n: usize) -> Result<Vec<usize>, ProblemFileError> {
    let what = format_args!("the first unknown of a cone");
    tokens.known_size(what, 0)?;
    let mut starts = vec![0];
    for cone in 1..=cones {
        let start = tokens.size(what)?;
        let (least, most) = (starts[cone - 1] + 1, n - (cones - cone));
        if cone == cones && start != n {
            return Err(tokens.inconsistent(what, start, format_args!("{n} after the last cone")));
        }
        if start < least || start > most {
            return Err(tokens.inconsistent(what, start, format_args!("{least} to {most}")));
        }
        starts.push(start);
    }
    Ok(starts)
}

/// What every contact problem begins with, in its local form.
pub(super) fn write_local(
    writer: &mut dyn Write,
    dimension: usize,
    w: MatrixRef<'_>,
    q: &[f64],
    mu: &[f64],
) -> Result<(), ProblemFileError> {
    writeln!(writer, "{dimension}\n{}", mu.len())?;
    write_matrix(writer, w)?;
    write_line(writer, q)?;
    write_line(writer, mu)
}

/// What every contact problem begins with, in its global form.
pub(super) fn write_global(
    writer: &mut dyn Write,
    dimension: usize,
    problem: &GlobalProblem<'_>,
    mu: &[f64],
) -> Result<(), ProblemFileError> {
    writeln!(writer, "{dimension}\n{}", mu.len())?;
    write_matrix(writer, problem.m())?;
    write_matrix(writer, problem.h())?;
    write_line(writer, problem.f())?;
    write_line(writer, problem.w())?;
    write_line(writer, mu)
}

pub(super) fn write_global_rolling<const D: usize>(
    writer: &mut dyn Write,
    problem: &GlobalRollingProblem<D>,
) -> Result<(), ProblemFileError> {
    write_global(writer, D, &problem.view(), problem.mu())?;
    write_line(writer, problem.mu_rolling())
}

pub(super) fn write_rolling<const D: usize>(
    writer: &mut dyn Write,
    problem: &RollingFrictionProblem<D>,
) -> Result<(), ProblemFileError> {
    write_local(writer, D, problem.w().view(), problem.q(), problem.mu())?;
    write_line(writer, problem.mu_rolling())
}

pub(super) fn write_second_order(
    writer: &mut dyn Write,
    problem: &SecondOrderConeProblem,
) -> Result<(), ProblemFileError> {
    writeln!(writer, "{}\n{}", problem.q().len(), problem.cones())?;
    write_matrix(writer, problem.m().view())?;
    write_line(writer, problem.q())?;
    write_line(writer, problem.starts())?;
    write_line(writer, problem.tau())
}
