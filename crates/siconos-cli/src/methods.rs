//! Lists of the methods of all classes.

use serde::Serialize;
use siconos_io::problem::ProblemClass;
use siconos_linalg::Csc;
use siconos_numerics::avi::AviMethod;
use siconos_numerics::contact::{ContactLaw, ContactMethod, ContactProblem};
use siconos_numerics::gmp::GmpMethod;
use siconos_numerics::lcp::LcpMethod;
use siconos_numerics::mcp::McpMethod;
use siconos_numerics::method::MethodDescription;
use siconos_numerics::mlcp::MlcpMethod;
use siconos_numerics::ncp::NcpMethod;
use siconos_numerics::qp::QpMethod;
use siconos_numerics::relay::RelayMethod;
use siconos_numerics::vi::{BoxViMethod, ViMethod};
use siconos_numerics::{Method, Solver};

/// Entry of the table of methods.
#[derive(Debug, Serialize)]
pub(crate) struct MethodEntry {
    pub(crate) class: &'static str,
    /// `true` for the default method of the class.
    pub(crate) default: bool,
    #[serde(flatten)]
    pub(crate) method: &'static MethodDescription,
}

/// Returns the methods of one class, or of all classes.
pub(crate) fn select(class: Option<&str>) -> Result<Vec<MethodEntry>, String> {
    let mut entries = all();
    if let Some(class) = class {
        let mut classes: Vec<_> = entries.iter().map(|entry| entry.class).collect();
        classes.dedup();
        entries.retain(|entry| entry.class == class);
        if entries.is_empty() {
            return Err(format!("there is no class `{class}`; the classes are {}", classes.join(", ")));
        }
    }
    Ok(entries)
}

/// Returns the methods for problem files of a class.
pub(crate) fn of_problems(class: ProblemClass) -> Vec<MethodEntry> {
    match class {
        ProblemClass::Lcp => entries::<LcpMethod>(class.name()),
        ProblemClass::Mlcp => entries::<MlcpMethod>(class.name()),
        ProblemClass::Relay => entries::<RelayMethod>(class.name()),
        ProblemClass::Fc2d | ProblemClass::Gfc2d => {
            of_contacts(class, ContactLaw::Coulomb { dimension: 2, mu: &[] })
        }
        ProblemClass::Fc3d | ProblemClass::Gfc3d => {
            of_contacts(class, ContactLaw::Coulomb { dimension: 3, mu: &[] })
        }
        ProblemClass::Rolling | ProblemClass::Grolling => {
            of_contacts(class, ContactLaw::Rolling { dimension: 5, mu: &[], mu_rolling: &[] })
        }
        ProblemClass::Soclcp => of_contacts(class, ContactLaw::SecondOrder { starts: &[0], tau: &[] }),
        ProblemClass::Gmp => entries::<GmpMethod>(class.name()),
        _ => Vec::new(),
    }
}

fn all() -> Vec<MethodEntry> {
    let mut all: Vec<MethodEntry> = ProblemClass::ALL.into_iter().flat_map(of_problems).collect();
    all.extend(entries::<AviMethod>("avi"));
    all.extend(entries::<ViMethod>("vi"));
    all.extend(entries::<BoxViMethod>("box-vi"));
    all.extend(entries::<NcpMethod>("ncp"));
    all.extend(entries::<McpMethod>("mcp"));
    all.extend(entries::<QpMethod>("qp"));
    all
}

/// Returns the contact methods that support `law`. A method is tested with a problem that has no contacts.
fn of_contacts(class: ProblemClass, law: ContactLaw<'_>) -> Vec<MethodEntry> {
    let nothing = Csc::default();
    let is_global = matches!(class, ProblemClass::Gfc2d | ProblemClass::Gfc3d | ProblemClass::Grolling);
    let empty = match is_global {
        true => ContactProblem::of_bodies(&nothing, &nothing, &[], law),
        false => ContactProblem::new(&nothing, &[], law),
    };
    let Ok(empty) = empty else { return Vec::new() };
    let takes = |name| {
        let solver = ContactMethod::from_name(name).and_then(|method| method.build().ok());
        solver.is_some_and(|solver| solver.supports(&empty).is_ok())
    };
    let mut entries = entries::<ContactMethod>(class.name());
    entries.retain(|entry| takes(entry.method.name));
    entries
}

fn entries<M: Method>(class: &'static str) -> Vec<MethodEntry> {
    let default = M::default().name();
    let entry =
        |method: M| MethodEntry { class, default: method.name() == default, method: method.description() };
    M::all().into_iter().map(entry).collect()
}
