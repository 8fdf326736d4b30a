//! Description of a method for tables of methods.

use serde::Serialize;

use super::Guarantee;

/// Description of a method of a problem class, as listed in tables of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MethodDescription {
    /// Name on command lines and in tables, in lower case with hyphens, for example `projected-gauss-seidel`.
    pub name: &'static str,
    /// Names and numeric ids of the method in Siconos. Empty if Siconos does not implement the method.
    pub siconos: &'static str,
    /// Problems for which the method is known to find a solution.
    pub guarantee: Guarantee,
    /// Matrix storage formats that the method supports.
    pub storage: &'static str,
    /// Author, year and section of the reference.
    pub reference: &'static str,
}

/// Problem classes that occur in Siconos names. For example, `SICONOS_MLCP_DIRECT_FB` consists of the class
/// `MLCP` and the method `DIRECT_FB`, which differs from the method `FB`.
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

/// Method names in the earliest versions of Siconos (2006), each with the name of the method in this crate.
const EARLY_NAMES: [(&str, &str); 4] = [
    ("LexicoLemke", "lemke"),
    ("NLGS", "projected-gauss-seidel"),
    ("NLGS", "nonsmooth-gauss-seidel"),
    ("NLGS", "gauss-seidel"),
];

impl MethodDescription {
    /// Returns `true` if `name` is the name of the method in this crate, one of its names in Siconos, or its
    /// numeric id in Siconos (`202`). Names in Siconos can be in upper or lower case. They can have the
    /// prefix `SICONOS_` (`PGS`, `SICONOS_LCP_PGS`). Names of the earliest versions are also accepted
    /// (`NLGS`, `LexicoLemke`).
    ///
    /// ```
    /// use siconos_numerics::Method;
    /// use siconos_numerics::contact::ContactMethod;
    /// use siconos_numerics::lcp::LcpMethod;
    ///
    /// for name in ["projected-gauss-seidel", "PGS", "siconos_lcp_pgs", "202", "NLGS"] {
    ///     assert_eq!(LcpMethod::from_name(name).unwrap().name(), "projected-gauss-seidel");
    /// }
    /// assert_eq!(LcpMethod::from_name("LexicoLemke").unwrap().name(), "lemke");
    /// assert_eq!(ContactMethod::from_name("NLGS").unwrap().name(), "nonsmooth-gauss-seidel");
    /// assert_eq!(LcpMethod::from_name("20"), None);
    /// ```
    ///
    /// A name with the prefix `SICONOS_` continues with an optional problem class, followed by the whole name
    /// of the method. Therefore `SICONOS_MLCP_DIRECT_FB` is not a name of the method `FB`.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        if name == self.name {
            return true;
        }
        let name = name.to_ascii_uppercase();
        let is_long_form = |word: &str| {
            let class = name.strip_prefix("SICONOS_").and_then(|rest| rest.strip_suffix(word));
            class.is_some_and(|class| class.is_empty() || CLASSES.contains(&class.trim_end_matches('_')))
        };
        self.words_of_siconos().any(|word| name == word || is_long_form(word))
            || self.early_names().any(|word| name.eq_ignore_ascii_case(word))
    }

    /// Returns the names and numeric ids of the method in Siconos.
    pub fn other_names(&self) -> impl Iterator<Item = &'static str> {
        self.words_of_siconos().chain(self.early_names())
    }

    fn early_names(&self) -> impl Iterator<Item = &'static str> {
        let own = self.name;
        EARLY_NAMES.into_iter().filter(move |(_, name)| *name == own).map(|(early, _)| early)
    }

    /// Returns the words of [`siconos`](Self::siconos) that are numbers or contain no lower-case letter.
    fn words_of_siconos(&self) -> impl Iterator<Item = &'static str> {
        let words = self.siconos.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.filter(|word| !word.is_empty() && word.chars().all(|c| !c.is_ascii_lowercase()))
    }
}
