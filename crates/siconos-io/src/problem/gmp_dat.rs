//! Generic mechanical problems (blocks with different laws) in the `.dat` format.
//!
//! The format supports three laws. Their codes are 0 (complementarity), 2 (equality) and 4 (friction in
//! space, followed by the friction coefficient).

use std::io::Write;

use siconos_linalg::{Matrix, MatrixRef};
use siconos_numerics::gmp::{GenericMechanicalProblem, MechanicalLaw};

use super::matrix_reader::read_square;
use super::matrix_writer::{write_line, write_matrix};
use super::tokens::Tokens;
use super::{ProblemFileError, ProblemFileErrorKind as Kind};

const COMPLEMENTARITY: usize = 0;
const EQUALITY: usize = 2;
const FRICTION: usize = 4;

/// Reads `M q`, followed by a law for each block row of M.
pub(super) fn read_gmp(tokens: &mut Tokens<'_>) -> Result<GenericMechanicalProblem, ProblemFileError> {
    let begin = tokens.clone();
    let (matrix, n) = read_square(tokens, "M")?;
    let Matrix::BlockCsr(m) = matrix else {
        // An unsupported storage of M is reported at the position of the storage code.
        let mut tokens = begin;
        let what = format_args!("the storage of M");
        let storage = tokens.size(what)?;
        return Err(tokens.inconsistent(
            what,
            storage,
            "1 (sparse blocks), since each block row has its own law",
        ));
    };
    let q = tokens.numbers("q", n)?;
    let sizes: Vec<usize> = m.row_starts().windows(2).map(|pair| pair[1] - pair[0]).collect();
    tokens.check_room(Some(sizes.len()), format_args!("the laws of {} blocks", sizes.len()))?;
    let mut laws = Vec::with_capacity(sizes.len());
    for (block, size) in sizes.into_iter().enumerate() {
        laws.push(read_law(tokens, block, size)?);
    }
    GenericMechanicalProblem::new(m, q.into(), laws).map_err(|error| tokens.error(Kind::Problem(error)))
}

fn read_law(tokens: &mut Tokens<'_>, block: usize, size: usize) -> Result<MechanicalLaw, ProblemFileError> {
    let what = format_args!("the law of block {block}, which has {size} unknowns,");
    match tokens.size(what)? {
        COMPLEMENTARITY => Ok(MechanicalLaw::Complementarity { size }),
        EQUALITY => Ok(MechanicalLaw::Equality { size }),
        FRICTION if size == 3 => {
            let what = format_args!("mu of block {block}");
            let mu = tokens.bound(what)?;
            if mu < 0.0 {
                return Err(tokens.inconsistent(what, mu, "a nonnegative number or inf"));
            }
            Ok(MechanicalLaw::Friction3 { mu })
        }
        other => {
            let known = "0 (complementarity), 2 (equality) or, with three unknowns, 4 (friction in space)";
            Err(tokens.inconsistent(what, other, known))
        }
    }
}

pub(super) fn write_gmp(
    writer: &mut dyn Write,
    problem: &GenericMechanicalProblem,
) -> Result<(), ProblemFileError> {
    let no_form = |storage| Err(Kind::UnsupportedStorage { storage }.into());
    let MatrixRef::BlockCsr(m) = problem.m() else {
        return no_form(problem.m().storage());
    };
    let sizes = problem.laws().iter().map(MechanicalLaw::size);
    if !m.row_starts().windows(2).map(|pair| pair[1] - pair[0]).eq(sizes) {
        return no_form("a matrix whose block rows differ from the laws");
    }
    write_matrix(writer, problem.m())?;
    write_line(writer, problem.q())?;
    for law in problem.laws() {
        match law {
            MechanicalLaw::Complementarity { .. } => writeln!(writer, "{COMPLEMENTARITY}")?,
            MechanicalLaw::Equality { .. } => writeln!(writer, "{EQUALITY}")?,
            MechanicalLaw::Friction3 { mu } => writeln!(writer, "{FRICTION}\n{mu:?}")?,
            MechanicalLaw::Relay { .. } => return no_form("a relay among the laws"),
            MechanicalLaw::Friction2 { .. } => return no_form("friction in the plane among the laws"),
            MechanicalLaw::Rolling3 { .. } | MechanicalLaw::Rolling5 { .. } => {
                return no_form("rolling friction among the laws");
            }
            _ => return no_form("one of the laws"),
        }
    }
    Ok(())
}
