//! The forms in which a problem of the battery is posed, each with methods of its own.

use ndarray::Array1;
use siconos_numerics::contact::{
    ContactLawData, ContactMethod, ContactProblem, GlobalContactMethod, GlobalProblem,
};
use siconos_numerics::gmp::{GenericMechanicalProblem, GmpMethod, MechanicalLaw};
use siconos_numerics::{EffortLimit, Method, SolveInfo, SolverError, Unsupported};
use siconos_testkit::contact::battery::{Drawn, GlobalForm};
use siconos_testkit::contact::{global_velocity_error, velocity_error};

use super::judge::TOLERANCE;
use crate::contact::effort;

/// Contacts that enumeration is asked for, which is 8^4 bases; its default takes minutes for twice as many.
const ENUMERATED: usize = 4;

/// Every which problem of a family is posed in all forms; the others only with the Delassus matrix.
const IN_ALL_FORMS: usize = 4;

/// Limit of automatic choices. Many of the problems have no solution, and each would be tried to the default
/// limit.
const EFFORT: EffortLimit = EffortLimit { operations: 2e9, factorisations: 0.0 };

/// Limits an automatic choice.
fn limit(method: &mut ContactMethod) {
    if let ContactMethod::Auto(settings) = method {
        settings.effort = EFFORT;
    }
}

/// A method for one of the forms.
pub(crate) enum Posed {
    /// $u = W r + q$.
    Local(ContactMethod),
    /// $M v = H r + f$, $u = H^T v + w$.
    Global(GlobalContactMethod),
    /// The local form as blocks of different laws.
    Blocks(GmpMethod),
}

/// Every method for every form in which a problem is posed that is the `turn`-th of its family.
pub(super) fn all(turn: usize) -> Vec<Posed> {
    let mut all: Vec<Posed> = ContactMethod::all().into_iter().map(Posed::Local).collect();
    if turn.is_multiple_of(IN_ALL_FORMS) {
        all.extend(GlobalContactMethod::all().into_iter().map(Posed::Global));
        all.extend(GmpMethod::all().into_iter().map(Posed::Blocks));
    }
    all
}

impl Posed {
    /// The name of the method, with that of the form unless it is local.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Local(method) => method.description().name.to_owned(),
            Self::Global(method) => format!("global {}", method.description().name),
            Self::Blocks(method) => format!("blocks {}", method.description().name),
        }
    }

    /// Whether it is the method of its form that a user gets who names none, and with that has duties. Blocks
    /// of different laws are for few contacts among other laws: there nothing has to be solved.
    pub(super) fn is_default(&self) -> bool {
        match self {
            Self::Local(method) => matches!(method, ContactMethod::Auto(_)),
            Self::Global(method) => matches!(method, GlobalContactMethod::Auto(_)),
            Self::Blocks(_) => false,
        }
    }

    /// Solves a problem from zero, with a limit on effort; returns what the method says, the reactions, and
    /// their error by the measure of the testkit.
    pub(super) fn solve(self, drawn: &Drawn) -> Result<(SolveInfo, Vec<f64>, f64), SolverError> {
        match self {
            Self::Local(method) => solve_local(method, drawn),
            Self::Global(method) => solve_global(method, drawn),
            Self::Blocks(method) => solve_blocks(method, drawn),
        }
    }
}

fn solve_local(mut method: ContactMethod, drawn: &Drawn) -> Result<(SolveInfo, Vec<f64>, f64), SolverError> {
    let name = method.description().name;
    method.set_tolerance(TOLERANCE);
    limit(&mut method);
    match &mut method {
        ContactMethod::PlaneEnumeration(settings) => settings.largest_contacts = ENUMERATED,
        method => {
            if let Some(iterations) = effort::iterations(name, drawn.q.len()) {
                method.set_max_iterations(iterations);
            }
        }
    }
    let problem = ContactProblem::new(&drawn.w, &drawn.q, drawn.law.view())?;
    let mut solver = method.build()?;
    solver.supports(&problem)?;
    let (mut r, mut u) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    let info = solver.solve(&problem, &mut r, &mut u)?;
    let error = velocity_error(&drawn.law, &drawn.w.view().to_dense(), &drawn.q, &r);
    Ok((info, r, error))
}

fn solve_global(
    mut method: GlobalContactMethod,
    drawn: &Drawn,
) -> Result<(SolveInfo, Vec<f64>, f64), SolverError> {
    let global = drawn.global_form();
    let size = global.f.len() + global.w.len();
    method.set_tolerance(TOLERANCE);
    match &mut method {
        GlobalContactMethod::Auto(settings) => {
            settings.effort = EFFORT;
            limit(&mut settings.local);
        }
        GlobalContactMethod::Reduced(settings) => limit(&mut settings.local),
        _ => {}
    }
    if let Some(iterations) = effort::iterations(method.description().name, size) {
        method.set_max_iterations(iterations);
    }
    let GlobalForm { m, h, f, w } = &global;
    let problem = GlobalProblem::new(m, h, f, w, drawn.law.view())?;
    let (mut z, mut u) =
        (vec![0.0; problem.size() + problem.degrees_of_freedom()], vec![0.0; problem.size()]);
    let info = method.build()?.solve(&problem, &mut z, &mut u)?;
    let (r, v) = z.split_at(problem.size());
    let error = error_of(drawn, &global, r, v);
    Ok((info, z, error))
}

/// A block of friction for every contact.
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
            solver: "blocks of different laws",
            found: "a law that is none of its blocks",
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

fn error_of(drawn: &Drawn, global: &GlobalForm, r: &[f64], v: &[f64]) -> f64 {
    let w = drawn.w.view().to_dense();
    global_velocity_error(&drawn.law, (&w, &drawn.q), global, (r, v))
}
