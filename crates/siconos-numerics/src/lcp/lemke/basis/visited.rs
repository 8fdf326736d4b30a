//! Detection of repeated bases.
//!
//! The lexicographic rule excludes repeated bases (Cottle, Pang, Stone 1992, theorem 4.9.1). In floating
//! point, ties can be broken incorrectly, and then the pivots can cycle without end.

/// Hash of the current basis, updated with each exchange, and one stored hash.
///
/// The hash is compared with the stored hash, which is replaced whenever the number of pivots is a power of
/// two (Brent 1980). This detects every cycle before its third round. Two different bases have equal hashes
/// by chance in one of 2^64 comparisons. This costs some work but does not affect the solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Visited {
    basis: u64,
    remembered: Option<u64>,
    pivots: u64,
}

impl Visited {
    /// Records an exchange. Returns `true` if the new basis is the stored one.
    pub(super) fn comes_back(&mut self, entered: usize, left: usize) -> bool {
        self.basis ^= mixed(entered) ^ mixed(left);
        if self.remembered == Some(self.basis) {
            return true;
        }
        self.pivots += 1;
        if self.pivots.is_power_of_two() {
            self.remembered = Some(self.basis);
        }
        false
    }
}

/// Returns a hash of the variable. Each bit of the hash depends on all bits of the variable (Steele, Lea,
/// Flood 2014).
fn mixed(variable: usize) -> u64 {
    let mut x = (variable as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_noticed_before_its_third_round() {
        let cycle = [(3, 1), (4, 2), (1, 3), (2, 4)];
        let mut visited = Visited::default();
        for (entered, left) in [(9, 7), (8, 6)] {
            assert!(!visited.comes_back(entered, left));
        }
        let rounds = (0..12).map(|k| cycle[k % 4]);
        assert!(rounds.into_iter().any(|(entered, left)| visited.comes_back(entered, left)));
    }

    #[test]
    fn bases_that_differ_are_told_apart() {
        let mut visited = Visited::default();
        assert!((0..10_000).all(|k| !visited.comes_back(k + 1, k)));
    }
}
