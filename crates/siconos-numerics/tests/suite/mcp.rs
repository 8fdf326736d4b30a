//! Mixed nonlinear complementarity: optimality conditions with a known solution, and invalid input.

use ndarray::ArrayViewMut2;
use siconos_numerics::mcp::{McpMethod, McpProblem, Newton, error};
use siconos_numerics::ncp::{DifferentiableMap, FromFunctions, NewtonSettings};
use siconos_numerics::ncp_function::NcpFunction;
use siconos_numerics::{Method, Solver, SolverError, Status};

fn both() -> [Newton; 2] {
    [NcpFunction::FischerBurmeister, NcpFunction::Minimum].map(|function| {
        Newton::new(NewtonSettings { function, merit: function, ..NewtonSettings::default() }).unwrap()
    })
}

/// Nearest point of x^2 + y^2 <= 1 to (2, 2), with the unknowns x, y and the multiplier m of 1 - x^2 - y^2 >=
/// 0.
fn nearest_point() -> impl DifferentiableMap {
    FromFunctions::new(
        3,
        |z, f| {
            f[0] = z[0] - 2.0 + 2.0 * z[0] * z[2];
            f[1] = z[1] - 2.0 + 2.0 * z[1] * z[2];
            f[2] = 1.0 - z[0] * z[0] - z[1] * z[1];
        },
        |z, mut j: ArrayViewMut2<'_, f64>| {
            (j[[0, 0]], j[[0, 2]]) = (1.0 + 2.0 * z[2], 2.0 * z[0]);
            (j[[1, 1]], j[[1, 2]]) = (1.0 + 2.0 * z[2], 2.0 * z[1]);
            (j[[2, 0]], j[[2, 1]]) = (-2.0 * z[0], -2.0 * z[1]);
        },
    )
}

#[test]
fn the_nearest_point_of_a_disc_is_on_its_rim() {
    let map = nearest_point();
    let problem = McpProblem::new(&map, 2).unwrap();
    let root = std::f64::consts::FRAC_1_SQRT_2;
    let exact = [root, root, 2.0_f64.sqrt() - 0.5];
    for mut solver in both() {
        let (mut z, mut w) = ([0.5, 0.2, 0.0], [0.0; 3]);
        let info = solver.solve(&problem, &mut z, &mut w).unwrap();
        assert!(info.status.is_success(), "{}: {info:?}", solver.name());
        assert_eq!(error(2, &z, &w), info.error);
        assert!(z.iter().zip(exact).all(|(z, x)| (z - x).abs() < 1e-8), "{z:?}");
    }
}

/// Implicit Euler step of a double integrator with a relay on its velocity: x+ = x + h v+, v+ = v - h s, and
/// s = 1 - 2 a with 0 <= a _|_ v+ + b >= 0, 0 <= b _|_ 1 - a >= 0. The exact velocity is known.
#[test]
fn a_step_of_a_relay_system_written_as_a_mixed_problem() {
    let (h, x, v) = (0.1, 1.0, 0.25);
    for v in [v, 0.03, -0.7] {
        let map = FromFunctions::new(
            4,
            move |z, f| {
                f[0] = z[0] - x - h * z[1];
                f[1] = z[1] - v + h * (1.0 - 2.0 * z[2]);
                f[2] = z[1] + z[3];
                f[3] = 1.0 - z[2];
            },
            move |_, mut j: ArrayViewMut2<'_, f64>| {
                (j[[0, 0]], j[[0, 1]]) = (1.0, -h);
                (j[[1, 1]], j[[1, 2]]) = (1.0, -2.0 * h);
                (j[[2, 1]], j[[2, 3]]) = (1.0, 1.0);
                j[[3, 2]] = -1.0;
            },
        );
        let problem = McpProblem::new(&map, 2).unwrap();
        for mut solver in both() {
            let (mut z, mut w) = ([0.0; 4], [0.0; 4]);
            let info = solver.solve(&problem, &mut z, &mut w).unwrap();
            assert!(info.status.is_success(), "{} {v}: {info:?}", solver.name());
            // The velocity moves towards zero by h, but not beyond zero.
            let exact = if v > h {
                v - h
            } else if v < -h {
                v + h
            } else {
                0.0
            };
            assert!((z[1] - exact).abs() < 1e-8, "{v}: {z:?}");
            assert!((z[0] - x - h * exact).abs() < 1e-8);
        }
    }
}

#[test]
fn bad_input_is_refused_and_nothing_is_no_problem() {
    let map = nearest_point();
    let problem = McpProblem::new(&map, 2).unwrap();
    for mut solver in both() {
        let refused = solver.solve(&problem, &mut [0.0; 2], &mut [0.0; 3]).unwrap_err();
        assert!(matches!(refused, SolverError::Problem(_)));
        let nothing = FromFunctions::new(0, |_, _| {}, |_, _| {});
        let empty = McpProblem::new(&nothing, 0).unwrap();
        assert_eq!(solver.solve(&empty, &mut [], &mut []).unwrap().status, Status::Converged);
    }
    assert!(error(1, &[0.0, f64::NAN], &[0.0; 2]).is_nan());
    for method in McpMethod::all() {
        assert_eq!(McpMethod::from_name(method.description().name).as_ref(), Some(&method));
        assert!(method.build().is_ok());
    }
}
