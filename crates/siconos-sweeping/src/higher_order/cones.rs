//! The cones T^0, T^1, .. : which orders of a component are held at or above 0.

/// How many of the orders 1, 2, .. of one component are held above 0, of $z_1, \ldots, z_r$ in turn.
///
/// $T^0$ is the half-line of nonnegative numbers, and $T^i(z_1, \ldots, z_i)$ the tangent cone of $T^{i-1}$
/// at $z_i$, where the tangent cone of the half-line outside of it is that at 0 (as Moreau has it): the
/// half-line at $z_i \le 0$, the whole line at $z_i > 0$ and from then on. So order i + 1 is held where all
/// before it are at or below 0 (Acary, Brogliato, Goeleven 2008).
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
