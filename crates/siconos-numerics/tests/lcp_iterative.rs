//! The iterative and the optimisation-based methods of the linear complementarity problem.

use siconos_numerics::lcp::LcpMethod;
use siconos_testkit::lcp::{BatteryReport, Capability, MatrixClass, check_lcp_solver};

const SYMMETRIC: Capability = Capability {
    classes: &[MatrixClass::SymmetricPositiveDefinite],
    tolerance: 1e-8,
    largest_condition: 2000.0,
    recognises_unsolvable: false,
};

const SEMIDEFINITE: Capability = Capability {
    classes: &[MatrixClass::PositiveSemidefinite],
    tolerance: 1e-10,
    largest_condition: f64::INFINITY,
    recognises_unsolvable: true,
};

#[track_caller]
fn battery(name: &str, capability: &Capability) -> BatteryReport {
    let method = LcpMethod::from_name(name).expect("a known name");
    check_lcp_solver(method.build().expect("valid settings").as_mut(), capability)
}

#[test]
fn projected_sor() {
    let report = battery("projected-sor", &SYMMETRIC);
    assert!(report.solved >= 80, "{report:?}");
}

#[test]
fn regularised_gauss_seidel() {
    let report = battery("regularised-gauss-seidel", &Capability { largest_condition: 600.0, ..SYMMETRIC });
    assert!(report.solved >= 80, "{report:?}");
}

#[test]
fn conjugate_projected_gradient() {
    let report = battery(
        "conjugate-projected-gradient",
        &Capability { largest_condition: f64::INFINITY, ..SYMMETRIC },
    );
    assert!(report.solved >= 80, "{report:?}");
}

#[test]
fn projected_gradient() {
    let report = battery("projected-gradient", &Capability { largest_condition: f64::INFINITY, ..SYMMETRIC });
    assert!(report.solved >= 80, "{report:?}");
}

#[test]
fn latin() {
    for name in ["latin", "latin-weighted"] {
        let capability = Capability { tolerance: 1e-8, recognises_unsolvable: false, ..SEMIDEFINITE };
        let report = battery(name, &capability);
        assert!(report.solved >= 80, "{report:?}");
    }
}

#[test]
fn quadratic_program() {
    let report = battery("quadratic-program", &SEMIDEFINITE);
    assert!(report.solved >= 80 && report.unsolvable > 12, "{report:?}");
}

#[test]
fn sequential_quadratic_program() {
    let capability =
        Capability { classes: &[MatrixClass::PositiveSemidefinite, MatrixClass::PMatrix], ..SEMIDEFINITE };
    let report = battery("sequential-quadratic-program", &capability);
    assert!(report.solved >= 80 && report.unsolvable > 12, "{report:?}");
}
