//! The methods of all classes.

use serde::Serialize;
use siconos_numerics::avi::AviMethod;
use siconos_numerics::lcp::LcpMethod;
use siconos_numerics::mcp::McpMethod;
use siconos_numerics::method::MethodDescription;
use siconos_numerics::mlcp::MlcpMethod;
use siconos_numerics::ncp::NcpMethod;
use siconos_numerics::qp::QpMethod;
use siconos_numerics::relay::RelayMethod;
use siconos_numerics::vi::ViMethod;

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

fn all() -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut add = |class, methods: Vec<MethodDescription>, default: MethodDescription| {
        entries.extend(methods.into_iter().map(|method| Entry { class, default: method == default, method }));
    };
    add("lcp", describe(LcpMethod::all(), LcpMethod::description), LcpMethod::default().description());
    add("mlcp", describe(MlcpMethod::all(), MlcpMethod::description), MlcpMethod::default().description());
    add(
        "relay",
        describe(RelayMethod::all(), RelayMethod::description),
        RelayMethod::default().description(),
    );
    add("avi", describe(AviMethod::all(), AviMethod::description), AviMethod::default().description());
    add("vi", describe(ViMethod::all(), ViMethod::description), ViMethod::default().description());
    add("ncp", describe(NcpMethod::all(), NcpMethod::description), NcpMethod::default().description());
    add("mcp", describe(McpMethod::all(), McpMethod::description), McpMethod::default().description());
    add("qp", describe(QpMethod::all(), QpMethod::description), QpMethod::default().description());
    entries
}

fn describe<M>(methods: Vec<M>, description: fn(&M) -> MethodDescription) -> Vec<MethodDescription> {
    methods.iter().map(description).collect()
}
