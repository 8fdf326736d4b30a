//! See `siconos_fuzz::read_snapshot`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| siconos_fuzz::read_snapshot::check(bytes));
