//! Number of threads of OpenBLAS.
//!
//! By default OpenBLAS uses one thread per processor. A factorisation with 100 unknowns takes fifty times as
//! long on two threads as on one. The parallel LU also needs half a MiB of stack for each level of its
//! recursion. A thread of `std::thread` has 2 MiB of stack, so the process would end with a segmentation
//! fault.

use std::env;
use std::ffi::c_int;
use std::sync::Once;

/// Environment variables with which a user sets the number of threads of OpenBLAS.
const CHOICES: [&str; 3] = ["OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"];

#[expect(unsafe_code, reason = "OpenBLAS sets its number of threads by this C function only")]
unsafe extern "C" {
    fn openblas_set_num_threads(threads: c_int);
}

/// Restricts OpenBLAS to one thread, unless an environment variable sets the number of threads. Only the
/// first call has an effect.
pub(super) fn restrict() {
    static RESTRICTED: Once = Once::new();
    RESTRICTED.call_once(|| {
        if CHOICES.iter().all(|name| env::var_os(name).is_none()) {
            #[expect(unsafe_code, reason = "a call of a C function")]
            // SAFETY: the function takes a positive number by value and may be called at any time.
            unsafe {
                openblas_set_num_threads(1);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use ndarray::Array2;

    use super::*;
    use crate::DenseLu;

    /// Factorises matrices on a thread with 2 MiB of stack. The next test runs this test in a separate
    /// process.
    #[test]
    #[ignore = "needs an environment without a number of threads"]
    fn a_factorisation_on_a_thread_of_two_mib() {
        let factor = || {
            for n in [100, 200, 400, 800] {
                let entry = |(i, j)| if i == j { 2.0 } else { 1.0 / (1 + i + 2 * j) as f64 };
                let m = Array2::from_shape_fn((n, n), entry);
                DenseLu::default().factor(m.view()).expect("a diagonal that is large enough");
            }
        };
        let factored =
            std::thread::Builder::new().stack_size(2 << 20).spawn(factor).expect("a thread").join();
        assert!(factored.is_ok());
    }

    #[test]
    fn small_stacks_are_enough_without_settings_in_the_environment() {
        let module = module_path!().split_once("::").expect("a module of a crate").1;
        let mut child = Command::new(env::current_exe().expect("the path of this program"));
        child.args(["--ignored", "--exact"]).arg(format!("{module}::a_factorisation_on_a_thread_of_two_mib"));
        CHOICES.iter().for_each(|name| {
            child.env_remove(name);
        });
        assert!(child.status().expect("the program starts").success());
    }
}
