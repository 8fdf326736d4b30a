//! The methods of all classes.

use serde::Serialize;
use siconos_io::problem::ProblemClass;
use siconos_numerics::avi::AviMethod;
use siconos_numerics::mcp::McpMethod;
use siconos_numerics::method::MethodDescription;
use siconos_numerics::ncp::NcpMethod;
use siconos_numerics::qp::QpMethod;
use siconos_numerics::vi::ViMethod;

use crate::family::{CONTACT, Family, GLOBAL, GMP, LCP, MLCP, RELAY};

/// A line of the table.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    pub(crate) class: &'static str,
    /// Whether it is taken when none is named.
    pub(crate) default: bool,
    #[serde(flatten)]
    pub(crate) method: MethodDescription,
}

/// The methods of one class, or of all.
pub(crate) fn select(class: Option<&str>) -> Result<Vec<Entry>, String> {
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

/// The methods for problems of a class in files.
pub(crate) fn of_problems(class: ProblemClass) -> Vec<Entry> {
    let class_name = class.name();
    match class {
        ProblemClass::Lcp => of_family(class_name, &LCP),
        ProblemClass::Mlcp => of_family(class_name, &MLCP),
        ProblemClass::Relay => of_family(class_name, &RELAY),
        ProblemClass::Fc2d | ProblemClass::Fc3d | ProblemClass::Rolling | ProblemClass::Soclcp => {
            of_family(class_name, &CONTACT)
        }
        ProblemClass::Gfc2d | ProblemClass::Gfc3d | ProblemClass::Grolling => of_family(class_name, &GLOBAL),
        ProblemClass::Gmp => of_family(class_name, &GMP),
        _ => Vec::new(),
    }
}

fn all() -> Vec<Entry> {
    let mut all: Vec<Entry> = ProblemClass::ALL.into_iter().flat_map(of_problems).collect();
    let mut add = |class, methods: Vec<MethodDescription>, default: MethodDescription| {
        all.extend(entries(class, methods, default));
    };
    add("avi", describe(AviMethod::all(), AviMethod::description), AviMethod::default().description());
    add("vi", describe(ViMethod::all(), ViMethod::description), ViMethod::default().description());
    add("ncp", describe(NcpMethod::all(), NcpMethod::description), NcpMethod::default().description());
    add("mcp", describe(McpMethod::all(), McpMethod::description), McpMethod::default().description());
    add("qp", describe(QpMethod::all(), QpMethod::description), QpMethod::default().description());
    all
}

fn of_family<M: Default, S: ?Sized>(class: &'static str, family: &Family<M, S>) -> Vec<Entry> {
    entries(class, family.descriptions(), family.default()).collect()
}

fn entries(
    class: &'static str,
    methods: Vec<MethodDescription>,
    default: MethodDescription,
) -> impl Iterator<Item = Entry> {
    methods.into_iter().map(move |method| Entry { class, default: method == default, method })
}

fn describe<M>(methods: Vec<M>, description: fn(&M) -> MethodDescription) -> Vec<MethodDescription> {
    methods.iter().map(description).collect()
}
