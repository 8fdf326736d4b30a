//! Lists of crates to which rules apply.

/// Computation crates, from low level to high level.
pub(super) const COMPUTATION: [&str; 8] = [
    "siconos-linalg",
    "siconos-ode",
    "siconos-numerics",
    "siconos-kernel",
    "siconos-hybrid",
    "siconos-control",
    "siconos-sweeping",
    "siconos-mechanics",
];

/// Other crates with documentation for users.
pub(super) const OTHERS: [&str; 5] =
    ["siconos-expression", "siconos-figure", "siconos-io", "siconos", "siconos-cli"];

/// Returns the crates of both lists except the command-line program.
pub(super) fn libraries() -> impl Iterator<Item = &'static str> {
    COMPUTATION.into_iter().chain(OTHERS).filter(|name| *name != "siconos-cli")
}

/// Returns the crate of a source file.
pub(super) fn of_source(path: &str) -> Option<&str> {
    Some(path.strip_prefix("crates/")?.split_once("/src/")?.0)
}
