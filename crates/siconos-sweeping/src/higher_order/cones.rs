//! Cones T^0, T^1, .., which determine the constrained orders of a component.

/// Returns the number of constrained orders of one component with the derivatives $z_1, \ldots, z_r$.
///
/// $T^0$ is the nonnegative half-line, and $T^i(z_1, \ldots, z_i)$ is the tangent cone of $T^{i-1}$ at $z_i$.
/// Following Moreau, the tangent cone of the half-line at a negative point is defined as its tangent
/// cone at 0. Therefore $T^i$ is the half-line if $z_1, \ldots, z_i \le 0$, and the whole line otherwise.
/// Order i + 1 is constrained if all lower orders are at or below 0 (Acary, Brogliato, Goeleven 2008).
pub(super) fn constrained_orders(z: impl ExactSizeIterator<Item = f64>) -> usize {
    let r = z.len();
    (1 + z.take_while(|z| *z <= 0.0).count()).min(r)
}

#[cfg(test)]
mod tests {
    use super::constrained_orders;

    #[test]
    fn an_order_is_held_where_all_before_it_have_come_to_zero() {
        for (z, expected) in [
            ([1.0, -1.0, -1.0], 1),
            ([0.0, 1.0, -1.0], 2),
            ([-1.0, 0.0, -1.0], 3),
            ([0.0, 0.0, 1.0], 3),
            ([-0.0, f64::MIN_POSITIVE, 0.0], 2),
        ] {
            assert_eq!(constrained_orders(z.into_iter()), expected, "{z:?}");
        }
    }
}
