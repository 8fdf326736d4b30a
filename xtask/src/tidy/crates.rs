//! The crates that rules name.

/// The crates of computation, the lower ones first.
pub(super) const COMPUTATION: [&str; 7] = [
    "siconos-linalg",
    "siconos-ode",
    "siconos-numerics",
    "siconos-kernel",
    "siconos-hybrid",
    "siconos-control",
    "siconos-sweeping",
];

/// The other crates that are documented for users.
pub(super) const OTHERS: [&str; 5] =
    ["siconos-expression", "siconos-figure", "siconos-io", "siconos", "siconos-cli"];

/// The crates of both lists but the command.
pub(super) fn libraries() -> impl Iterator<Item = &'static str> {
    COMPUTATION.into_iter().chain(OTHERS).filter(|name| *name != "siconos-cli")
}

/// The crate of a source file.
pub(super) fn of_source(path: &str) -> Option<&str> {
    Some(path.strip_prefix("crates/")?.split_once("/src/")?.0)
}
