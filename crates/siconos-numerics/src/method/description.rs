//! What a table says of a method.

use serde::Serialize;

use super::Guarantee;

/// A method of a problem class in the words of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MethodDescription {
    /// The name on command lines and in tables, in lower case with hyphens: `projected-gauss-seidel`.
    pub name: &'static str,
    /// What Siconos calls it, empty when it has nothing of the kind.
    pub siconos: &'static str,
    /// For which data it is known to reach a solution.
    pub guarantee: Guarantee,
    /// The storages that it takes.
    pub storage: &'static str,
    /// Author, year, section.
    pub reference: &'static str,
}

/// The classes of problems as they stand in the names of Siconos: `DIRECT_FB` of `SICONOS_MLCP_DIRECT_FB` is
/// another method than `FB`.
const CLASSES: [&str; 18] = [
    "LCP",
    "MLCP",
    "RELAY",
    "AVI",
    "VI",
    "VI_BOX",
    "NCP",
    "MCP",
    "QP",
    "CONVEXQP",
    "SOCLCP",
    "FRICTION_2D",
    "FRICTION_3D",
    "GLOBAL_FRICTION_3D",
    "ROLLING_FRICTION_2D",
    "ROLLING_FRICTION_3D",
    "GLOBAL_ROLLING_FRICTION_3D",
    "GENERIC_MECHANICAL",
];

impl MethodDescription {
    /// Whether it goes by this name: its own, that of Siconos (`PGS`, `SICONOS_LCP_PGS`, in any case), or the
    /// number that Siconos gives it (`202`).
    ///
    /// ```
    /// use siconos_numerics::Method;
    /// use siconos_numerics::lcp::LcpMethod;
    ///
    /// for name in ["projected-gauss-seidel", "PGS", "siconos_lcp_pgs", "202"] {
    ///     assert_eq!(LcpMethod::from_name(name).unwrap().name(), "projected-gauss-seidel");
    /// }
    /// assert_eq!(LcpMethod::from_name("20"), None);
    /// ```
    ///
    /// A method is told apart from one whose name its own ends with.
    #[must_use]
    pub fn goes_by(&self, name: &str) -> bool {
        if name == self.name {
            return true;
        }
        let name = name.to_ascii_uppercase();
        let mut words = self.siconos.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.any(|word| {
            let is_capital = word.chars().all(|c| !c.is_ascii_lowercase()) && !word.is_empty();
            let is_long_form = || {
                let class = name.strip_prefix("SICONOS_").and_then(|rest| rest.strip_suffix(word));
                let is_class =
                    |class: &str| class.is_empty() || CLASSES.contains(&class.trim_end_matches('_'));
                class.is_some_and(is_class)
            };
            is_capital && (name == word || is_long_form())
        })
    }
}
