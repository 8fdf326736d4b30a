//! Limits of iterations, so that the survey of all classes takes about a minute on one core.

/// Cost of one iteration of a method.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cost {
    /// A product with the matrix, or a sweep.
    Product,
    /// Inner problem, with many products.
    Inner,
    /// A factorisation.
    Factorisation,
    /// Pivot, or piece of an enumeration.
    Pivot,
    /// The method has its own limits.
    Own,
}

fn cost(method: &str) -> Cost {
    match method {
        "auto" => Cost::Own,
        "tresca" | "convex-fixed-point" | "panagiotopoulos" => Cost::Inner,
        "proximal-point" | "interior-point" => Cost::Factorisation,
        // Sparse, with a row for each degree of freedom.
        "velocity-newton" | "velocity-interior-point" | "velocity-proximal-point" => Cost::Own,
        "plane-lemke" | "plane-enumeration" => Cost::Pivot,
        name if name.starts_with("newton") => Cost::Factorisation,
        _ => Cost::Product,
    }
}

/// Returns `true` if every iteration of a method solves an inner problem.
pub(crate) fn has_inner_problems(method: &str) -> bool {
    cost(method) == Cost::Inner
}

/// Returns the maximum number of iterations for a problem of n unknowns, or `None` for the default.
pub(crate) fn iterations(method: &str, n: usize) -> Option<usize> {
    let n = n.max(1);
    match cost(method) {
        Cost::Own | Cost::Pivot => None,
        Cost::Product => Some((300_000 / n).clamp(150, 10_000)),
        Cost::Inner => Some((10_000 / n).clamp(10, 500)),
        Cost::Factorisation => Some((20_000 / n).clamp(30, 100)),
    }
}

/// Returns `true` if a method would take minutes for a problem with this number of unknowns and is skipped.
pub(super) fn is_too_large(method: &str, n: usize) -> bool {
    match cost(method) {
        Cost::Own | Cost::Product => false,
        Cost::Inner => n > 1500,
        Cost::Pivot => n > 400,
        // The Newton functions differ only near the solution; one of them suffices for large problems.
        Cost::Factorisation if method.starts_with("newton-") => n > 300,
        Cost::Factorisation => n > 1200,
    }
}
