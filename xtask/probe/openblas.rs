//! Calls OpenBLAS once through CBLAS and once through LAPACK. Exits with 0 if both results are correct.
//!
//! `cargo xtask setup` compiles this file with plain rustc to test whether the workspace can be linked. It
//! calls the functions that the linear-algebra crates call. Running it shows that the loader finds the
//! library as well.

use std::process::ExitCode;

unsafe extern "C" {
    fn cblas_ddot(n: i32, x: *const f64, incx: i32, y: *const f64, incy: i32) -> f64;
    fn dgesv_(
        n: *const i32,
        nrhs: *const i32,
        a: *mut f64,
        lda: *const i32,
        ipiv: *mut i32,
        b: *mut f64,
        ldb: *const i32,
        info: *mut i32,
    );
}

fn main() -> ExitCode {
    let (x, y) = ([1.0, 2.0], [3.0, 4.0]);
    // SAFETY: both vectors have two contiguous entries, as the arguments state.
    let dot = unsafe { cblas_ddot(2, x.as_ptr(), 1, y.as_ptr(), 1) };

    // [2 1; 1 3] z = [4; 7], stored by columns.
    let (order, columns) = (2, 1);
    let mut matrix = [2.0, 1.0, 1.0, 3.0];
    let mut solution = [4.0, 7.0];
    let mut pivots = [0; 2];
    let mut info = -1;
    // SAFETY: the matrix is 2 x 2, the right-hand side and the pivots have two entries, and all of them
    // outlive the call.
    unsafe {
        dgesv_(
            &order,
            &columns,
            matrix.as_mut_ptr(),
            &order,
            pivots.as_mut_ptr(),
            solution.as_mut_ptr(),
            &order,
            &mut info,
        );
    }

    let near = |value: f64, expected: f64| (value - expected).abs() < 1e-12;
    if near(dot, 11.0) && info == 0 && near(solution[0], 1.0) && near(solution[1], 2.0) {
        ExitCode::SUCCESS
    } else {
        eprintln!("dot {dot}, info {info}, solution {solution:?}");
        ExitCode::FAILURE
    }
}
