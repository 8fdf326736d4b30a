//! Number of cases and seed of property tests, and a random number generator for test problems.

mod random_state;

pub use random_state::RandomState;

use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};

/// Seed of all property tests, unless the environment variable `PROPTEST_RNG_SEED` is set.
///
/// The seed is fixed so that two runs draw the same cases: a test then fails because of a change in the code,
/// not because of the drawn cases.
const SEED: u64 = 0x51C0_2026;

/// Returns a configuration of property tests with the given number of cases.
///
/// The environment variables `PROPTEST_CASES` and `PROPTEST_RNG_SEED` override the number of cases and the
/// seed, for long manual searches. Failing cases are saved in a file next to the test. Commit this file
/// together with the correction.
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
