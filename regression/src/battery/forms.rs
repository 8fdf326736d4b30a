//! Forms in which a battery problem is posed, each with its own methods.

use ndarray::Array1;
use siconos_numerics::contact::{ContactLawData, ContactMethod, ContactProblem};
use siconos_numerics::gmp::{GenericMechanicalProblem, GmpMethod, MechanicalLaw};
use siconos_numerics::{EffortLimit, Method, SolveInfo, SolverError, Unsupported};
use siconos_testkit::contact::battery::Drawn;
use siconos_testkit::contact::velocity_error;

use super::judge::TOLERANCE;
use crate::contact::effort;

/// Maximum number of contacts for enumeration, which is 8^4 bases. Twice as many contacts take minutes.
const ENUMERATED: usize = 4;

/// Interval of the problems of a family that are posed in all forms; the others are posed with the Delassus
/// matrix only.
const IN_ALL_FORMS: usize = 4;

/// Effort limit of automatic choices. Many problems have no solution, and each would use the whole default
/// limit.
const EFFORT: EffortLimit = EffortLimit { operations: 2e9, factorisations: 0.0 };

/// Method for one of the forms.
pub(crate) enum Posed {
    /// With the Delassus matrix W.
    Matrix(ContactMethod),
    /// With the bodies instead of W.
    Bodies(ContactMethod),
    /// With W and blocks with different laws.
    Blocks(GmpMethod),
}

/// Returns every method for every form in which a problem is posed; `turn` is the number of the problem in
/// its family.
pub(super) fn all(turn: usize) -> Vec<Posed> {
    let mut all: Vec<Posed> = ContactMethod::all().into_iter().map(Posed::Matrix).collect();
    if turn.is_multiple_of(IN_ALL_FORMS) {
        all.extend(ContactMethod::all().into_iter().map(Posed::Bodies));
        all.extend(GmpMethod::all().into_iter().map(Posed::Blocks));
    }
    all
}

impl Posed {
    /// Returns the name of the method, with the name of the form unless the form is W.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Matrix(method) => method.description().name.to_owned(),
            Self::Bodies(method) => format!("bodies {}", method.description().name),
            Self::Blocks(method) => format!("blocks {}", method.description().name),
        }
    }

    /// Returns `true` if this is the default method of its form, for which there are requirements. Blocks
    /// with different laws are for few contacts among other laws, and have no requirements.
    pub(super) fn is_default(&self) -> bool {
        match self {
            Self::Matrix(method) | Self::Bodies(method) => matches!(method, ContactMethod::Auto(_)),
            Self::Blocks(_) => false,
        }
    }

    /// Solves a problem from zero with a limit on effort. Returns the result of the method, the reactions,
    /// and their error as computed by the testkit.
    pub(super) fn solve(self, drawn: &Drawn) -> Result<(SolveInfo, Vec<f64>, f64), SolverError> {
        match self {
            Self::Matrix(method) => {
                solve_contacts(method, drawn, &ContactProblem::new(&drawn.w, &drawn.q, drawn.law.view())?)
            }
            Self::Bodies(method) => {
                let (m, h) = drawn.bodies();
                let problem = ContactProblem::of_bodies(&m, &h, &drawn.q, drawn.law.view())?;
                solve_contacts(method, drawn, &problem)
            }
            Self::Blocks(method) => solve_blocks(method, drawn),
        }
    }
}

fn solve_contacts(
    mut method: ContactMethod,
    drawn: &Drawn,
    problem: &ContactProblem<'_>,
) -> Result<(SolveInfo, Vec<f64>, f64), SolverError> {
    let name = method.description().name;
    method.set_tolerance(TOLERANCE);
    match &mut method {
        ContactMethod::Auto(settings) => settings.effort = EFFORT,
        ContactMethod::PlaneEnumeration(settings) => settings.largest_contacts = ENUMERATED,
        method => {
            if let Some(iterations) = effort::iterations(name, drawn.q.len()) {
                method.set_max_iterations(iterations);
            }
        }
    }
    let mut solver = method.build()?;
    solver.supports(problem)?;
    let (mut r, mut u) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    let info = solver.solve(problem, &mut r, &mut u)?;
    let error = velocity_error(&drawn.law, &drawn.w.view().to_dense(), &drawn.q, &r);
    Ok((info, r, error))
}

/// Solves a problem with one friction block for every contact.
fn solve_blocks(mut method: GmpMethod, drawn: &Drawn) -> Result<(SolveInfo, Vec<f64>, f64), SolverError> {
    let laws: Vec<MechanicalLaw> = match &drawn.law {
        ContactLawData::Coulomb { dimension: 2, mu } => {
            mu.iter().map(|mu| MechanicalLaw::Friction2 { mu: *mu }).collect()
        }
        ContactLawData::Coulomb { mu, .. } => {
            mu.iter().map(|mu| MechanicalLaw::Friction3 { mu: *mu }).collect()
        }
        _ => Vec::new(),
    };
    if laws.is_empty() || drawn.family.mu.is_infinite() {
        return Err(SolverError::Unsupported(Unsupported {
            solver: "blocks with different laws",
            found: "this law",
            takes: "Coulomb friction with finite coefficients",
        }));
    }
    method.set_tolerance(TOLERANCE);
    if let Some(iterations) = effort::iterations(method.description().name, drawn.q.len()) {
        method.set_max_iterations(iterations);
    }
    let problem = GenericMechanicalProblem::new(drawn.w.clone(), Array1::from(drawn.q.clone()), laws)?;
    let (mut r, mut u) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    let info = method.build()?.solve(&problem, &mut r, &mut u)?;
    let error = velocity_error(&drawn.law, &drawn.w.view().to_dense(), &drawn.q, &r);
    Ok((info, r, error))
}
