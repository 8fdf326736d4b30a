//! Random numbers: how property tests run (the number of cases, and the seed), and a generator for drawn
//! problems.

mod random_state;

pub use random_state::RandomState;

use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};

/// The seed of all property tests, unless the environment variable `PROPTEST_RNG_SEED` says otherwise.
///
/// It is fixed so that two runs agree: a change that breaks a test is then the change under review, not the
/// draw.
const SEED: u64 = 0x51C0_2026;

/// A configuration with the given number of cases.
///
/// `PROPTEST_CASES` overrides the number and `PROPTEST_RNG_SEED` the seed, for a long search by hand.
/// Failures are kept in a file beside the test, to be committed with the mend.
#[must_use]
pub fn config(cases: u32) -> Config {
    let from_environment = Config::default();
    let is_set = |name| std::env::var_os(name).is_some();
    Config {
        cases: if is_set("PROPTEST_CASES") { from_environment.cases } else { cases },
        rng_seed: if is_set("PROPTEST_RNG_SEED") { from_environment.rng_seed } else { RngSeed::Fixed(SEED) },
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))),
        ..from_environment
    }
}
