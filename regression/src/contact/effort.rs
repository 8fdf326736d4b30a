//! Iterations, so that the survey of all classes takes about a minute on one core.

/// How the cost of one iteration grows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cost {
    /// A product with the matrix, or a sweep.
    Product,
    /// Many of them: an inner problem.
    Inner,
    /// A factorisation.
    Factorisation,
    /// A pivot, or a piece of an enumeration.
    Pivot,
    /// It decides itself.
    Own,
}

fn cost(method: &str) -> Cost {
    match method {
        "auto" => Cost::Own,
        "tresca" | "convex-fixed-point" | "panagiotopoulos" => Cost::Inner,
        "proximal-point" | "interior-point" => Cost::Factorisation,
        // Sparse, and a row for each degree of freedom.
        "velocity-newton" | "velocity-interior-point" | "velocity-proximal-point" => Cost::Own,
        "plane-lemke" | "plane-enumeration" => Cost::Pivot,
        name if name.starts_with("newton") => Cost::Factorisation,
        _ => Cost::Product,
    }
}

/// Whether every iteration of a method is a problem of its own.
pub(crate) fn has_inner_problems(method: &str) -> bool {
    cost(method) == Cost::Inner
}

/// The largest number of iterations on a problem of n unknowns; `None` leaves the default.
pub(crate) fn iterations(method: &str, n: usize) -> Option<usize> {
    let n = n.max(1);
    match cost(method) {
        Cost::Own | Cost::Pivot => None,
        Cost::Product => Some((300_000 / n).clamp(150, 10_000)),
        Cost::Inner => Some((10_000 / n).clamp(10, 500)),
        Cost::Factorisation => Some((20_000 / n).clamp(30, 100)),
    }
}

/// Whether a method is not asked for a problem of that many unknowns: it would take minutes.
pub(super) fn is_too_large(method: &str, n: usize) -> bool {
    match cost(method) {
        Cost::Own | Cost::Product => false,
        Cost::Inner => n > 1500,
        Cost::Pivot => n > 400,
        // The functions differ near the solution; on large problems one of them is enough.
        Cost::Factorisation if method.starts_with("newton-") => n > 300,
        Cost::Factorisation => n > 1200,
    }
}
