//! Contact problems and second-order cone problems in the `.dat` format.

use std::io::Write;

use siconos_linalg::slice;
use siconos_numerics::contact::{BodiesData, ContactData, ContactLaw, ContactLawData, OperatorData};

use super::matrix_reader::{read_matrix, read_square};
use super::matrix_writer::{write_line, write_matrix};
use super::tokens::Tokens;
use super::{ProblemFileError, ProblemFileErrorKind as Kind};

/// Kind of friction, which determines the coefficients and the possible block sizes.
#[derive(Clone, Copy)]
pub(super) enum Friction {
    /// Coulomb friction with coefficients mu. The value is the block size: 2 in the plane, 3 in space.
    Coulomb(usize),
    /// Rolling friction with coefficients mu and mu_rolling. The block size is 3 in the plane, 5 in space.
    Rolling,
}

impl Friction {
    fn dimensions(&self) -> &[usize] {
        match self {
            Self::Coulomb(dimension) => std::slice::from_ref(dimension),
            Self::Rolling => &[3, 5],
        }
    }

    /// Reads `mu`, followed by `mu_rolling` for rolling friction.
    fn read_law(
        self,
        tokens: &mut Tokens<'_>,
        dimension: usize,
        contacts: usize,
    ) -> Result<ContactLawData, ProblemFileError> {
        let mu = read_coefficients(tokens, "mu", contacts)?;
        Ok(match self {
            Self::Coulomb(_) => ContactLawData::coulomb(dimension, mu),
            Self::Rolling => {
                ContactLawData::rolling(dimension, mu, read_coefficients(tokens, "mu_rolling", contacts)?)
            }
        })
    }
}

/// Reads `dimension contacts W q mu`, followed by `mu_rolling` for rolling friction.
pub(super) fn read_local(
    tokens: &mut Tokens<'_>,
    friction: Friction,
) -> Result<ContactData, ProblemFileError> {
    let dimension = read_dimension(tokens, friction.dimensions())?;
    let (contacts, size) = read_contacts(tokens, dimension)?;
    let w = read_matrix(tokens, "W", size, size)?;
    let q = tokens.numbers("q", size)?;
    let law = friction.read_law(tokens, dimension, contacts)?;
    ContactData::new(w, q.into(), law).map_err(|error| tokens.error(Kind::Problem(error)))
}

/// Reads `dimension contacts M H f w mu`, followed by `mu_rolling` for rolling friction. The number of rows
/// of M is read from the header of M.
pub(super) fn read_global(
    tokens: &mut Tokens<'_>,
    friction: Friction,
) -> Result<ContactData, ProblemFileError> {
    let dimension = read_dimension(tokens, friction.dimensions())?;
    let (contacts, size) = read_contacts(tokens, dimension)?;
    let (m, freedoms) = read_square(tokens, "M")?;
    let h = read_matrix(tokens, "H", freedoms, size)?;
    let f = tokens.numbers("f", freedoms)?;
    let w = tokens.numbers("w", size)?;
    let law = friction.read_law(tokens, dimension, contacts)?;
    let bodies = BodiesData { m, h, f: f.into(), w: w.into() };
    ContactData::of_bodies(bodies, law).map_err(|error| tokens.error(Kind::Problem(error)))
}

/// Reads `n cones M q starts tau`.
pub(super) fn read_second_order(tokens: &mut Tokens<'_>) -> Result<ContactData, ProblemFileError> {
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
    ContactData::new(m, q.into(), ContactLawData::SecondOrder { starts, tau })
        .map_err(|error| tokens.error(Kind::Problem(error)))
}

/// Reads the block size, which determines whether the contacts are in the plane or in space.
fn read_dimension(tokens: &mut Tokens<'_>, possible: &[usize]) -> Result<usize, ProblemFileError> {
    let what = format_args!("the dimension of a contact");
    let dimension = tokens.size(what)?;
    if possible.contains(&dimension) {
        return Ok(dimension);
    }
    let words: Vec<_> = possible.iter().map(usize::to_string).collect();
    Err(tokens.inconsistent(what, dimension, words.join(" or ")))
}

/// Reads the number of contacts. Returns this number and the total number of unknowns of the contacts.
fn read_contacts(tokens: &mut Tokens<'_>, dimension: usize) -> Result<(usize, usize), ProblemFileError> {
    let contacts = tokens.size(format_args!("the number of contacts"))?;
    let size = contacts.checked_mul(dimension);
    tokens.check_room(size, format_args!("a problem of {contacts} contacts"))?;
    // `check_room` returns an error if the product overflows.
    Ok((contacts, size.unwrap_or_default()))
}

/// Reads one non-negative number for each contact or cone. It can be `inf`.
fn read_coefficients(
    tokens: &mut Tokens<'_>,
    name: &str,
    count: usize,
) -> Result<Vec<f64>, ProblemFileError> {
    tokens.check_room(Some(count), format_args!("{name}, {count} numbers,"))?;
    let mut coefficients = Vec::with_capacity(count);
    for i in 1..=count {
        let what = format_args!("entry {i} of {name} (of {count})");
        // If the law does not allow infinite coefficients, the constructor of the problem returns an error.
        let coefficient = tokens.bound(what)?;
        if coefficient < 0.0 {
            return Err(tokens.inconsistent(what, coefficient, "a nonnegative number or inf"));
        }
        coefficients.push(coefficient);
    }
    Ok(coefficients)
}

/// Reads the index of the first unknown of each cone, followed by the number of unknowns.
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

pub(super) fn write_contact(writer: &mut dyn Write, problem: &ContactData) -> Result<(), ProblemFileError> {
    let law = problem.law();
    writeln!(writer, "{}\n{}", first_size(law), law.blocks())?;
    match problem.operator() {
        OperatorData::Delassus(w) => {
            write_matrix(writer, w.view())?;
            write_line(writer, problem.q())?;
        }
        OperatorData::Bodies(bodies) => {
            write_matrix(writer, bodies.m.view())?;
            write_matrix(writer, bodies.h.view())?;
            write_line(writer, slice(&bodies.f))?;
            write_line(writer, slice(&bodies.w))?;
        }
    }
    write_law(writer, law)
}

/// Returns the number that starts the file: the block size of the contacts or, for cones, the number of
/// unknowns.
fn first_size(law: ContactLaw<'_>) -> usize {
    match law {
        ContactLaw::Coulomb { dimension, .. } | ContactLaw::Rolling { dimension, .. } => dimension,
        _ => law.size(),
    }
}

fn write_law(writer: &mut dyn Write, law: ContactLaw<'_>) -> Result<(), ProblemFileError> {
    match law {
        ContactLaw::Coulomb { mu, .. } => write_line(writer, mu),
        ContactLaw::Rolling { mu, mu_rolling, .. } => {
            write_line(writer, mu)?;
            write_line(writer, mu_rolling)
        }
        ContactLaw::SecondOrder { starts, tau } => {
            write_line(writer, starts)?;
            write_line(writer, tau)
        }
        _ => Err(Kind::UnsupportedStorage { storage: "the law" }.into()),
    }
}
