//! See `siconos_fuzz::solve`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| siconos_fuzz::solve::check(bytes));
