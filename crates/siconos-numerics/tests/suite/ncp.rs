//! Nonlinear complementarity: problems with published solutions, Jacobians compared with finite differences,
//! and invalid input.

use ndarray::{Array2, ArrayViewMut2};
use siconos_numerics::engine::semismooth_newton::SemismoothNewtonSettings;
use siconos_numerics::ncp::{DifferentiableMap, FromFunctions, NcpMethod, Newton, NewtonSettings, error};
use siconos_numerics::ncp_function::NcpFunction;
use siconos_numerics::{Method, ProblemError, Solver, SolverError, Status};

/// Returns the largest difference between the Jacobian and central differences, relative to its largest
/// entry.
fn jacobian_error(map: &dyn DifferentiableMap, z: &[f64]) -> f64 {
    let n = map.size();
    let mut jacobian = Array2::zeros((n, n));
    map.jacobian(z, jacobian.view_mut());
    let largest = jacobian.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
    let (mut left, mut right) = (vec![0.0; n], vec![0.0; n]);
    let mut worst = 0.0_f64;
    for j in 0..n {
        let step = 1e-5 * z[j].abs().max(1.0);
        let mut moved = z.to_vec();
        moved[j] = z[j] + step;
        map.value(&moved, &mut right);
        moved[j] = z[j] - step;
        map.value(&moved, &mut left);
        for i in 0..n {
            worst = worst.max(((right[i] - left[i]) / (2.0 * step) - jacobian[[i, j]]).abs() / largest);
        }
    }
    worst
}

/// Problem of Kojima and Shindo (1986) with two solutions: (sqrt(6)/2, 0, 0, 1/2), which is degenerate, and
/// (1, 0, 3, 0).
fn kojima_shindo() -> impl DifferentiableMap {
    FromFunctions::new(
        4,
        |z, f| {
            let [a, b, c, d] = [z[0], z[1], z[2], z[3]];
            f[0] = 3.0 * a * a + 2.0 * a * b + 2.0 * b * b + c + 3.0 * d - 6.0;
            f[1] = 2.0 * a * a + a + b * b + 10.0 * c + 2.0 * d - 2.0;
            f[2] = 3.0 * a * a + a * b + 2.0 * b * b + 2.0 * c + 9.0 * d - 9.0;
            f[3] = a * a + 3.0 * b * b + 2.0 * c + 3.0 * d - 3.0;
        },
        |z, mut j: ArrayViewMut2<'_, f64>| {
            let (a, b) = (z[0], z[1]);
            let rows = [
                [6.0 * a + 2.0 * b, 2.0 * a + 4.0 * b, 1.0, 3.0],
                [4.0 * a + 1.0, 2.0 * b, 10.0, 2.0],
                [6.0 * a + b, a + 4.0 * b, 2.0, 9.0],
                [2.0 * a, 6.0 * b, 2.0, 3.0],
            ];
            for (i, row) in rows.iter().enumerate() {
                for (k, entry) in row.iter().enumerate() {
                    j[[i, k]] = *entry;
                }
            }
        },
    )
}

/// Market of five firms (Murphy, Sherali and Soyster 1982) as a complementarity problem: cost c q + b / (b +
/// 1) L^(-1/b) q^((b+1)/b), price (5000 / Q)^(1/1.1).
fn nash_cournot() -> impl DifferentiableMap {
    const C: [f64; 5] = [10.0, 8.0, 6.0, 4.0, 2.0];
    const B: [f64; 5] = [1.2, 1.1, 1.0, 0.9, 0.8];
    const L: f64 = 5.0;
    const G: f64 = 1.1;
    let price = |total: f64| (5000.0 / total).powf(1.0 / G);
    FromFunctions::new(
        5,
        move |z, f| {
            let total: f64 = z.iter().sum();
            for i in 0..5 {
                let cost = C[i] + (z[i] / L).powf(1.0 / B[i]);
                f[i] = cost - price(total) + z[i] * price(total) / (G * total);
            }
        },
        move |z, mut j: ArrayViewMut2<'_, f64>| {
            let total: f64 = z.iter().sum();
            let p = price(total);
            let slope = -p / (G * total);
            // Derivative of p / (G Q).
            let of_share = -p / (G * total * total) * (1.0 + 1.0 / G);
            for i in 0..5 {
                for k in 0..5 {
                    j[[i, k]] = -slope + z[i] * of_share;
                }
                j[[i, i]] += (z[i] / L).powf(1.0 / B[i]) / (B[i] * z[i]) + p / (G * total);
            }
        },
    )
}

/// Membrane on 10 x 10 inner points of the unit square that a load pushes down, above a floor. F(z) = A z +
/// load + z^3 is nonlinear, and its Jacobian is an M-matrix plus a diagonal.
fn obstacle() -> impl DifferentiableMap {
    const N: usize = 10;
    let neighbours = |k: usize| {
        let (i, j) = (k / N, k % N);
        [
            (i > 0).then(|| k - N),
            (i + 1 < N).then(|| k + N),
            (j > 0).then(|| k - 1),
            (j + 1 < N).then(|| k + 1),
        ]
    };
    // z is the height above the floor, which is 0.1 below the rim.
    let load = |k: usize| 0.05 * ((k % N) as f64 / 3.0).sin() + 0.02;
    FromFunctions::new(
        N * N,
        move |z, f| {
            for k in 0..N * N {
                let around: f64 = neighbours(k).into_iter().map(|l| l.map_or(0.1, |l| z[l])).sum();
                f[k] = 4.0 * z[k] - around + load(k) + z[k].powi(3);
            }
        },
        move |z, mut j: ArrayViewMut2<'_, f64>| {
            for k in 0..N * N {
                j[[k, k]] = 4.0 + 3.0 * z[k] * z[k];
                neighbours(k).into_iter().flatten().for_each(|l| j[[k, l]] = -1.0);
            }
        },
    )
}

/// Kanzow's test problem: F(z) = grad of sum exp((z_i - i + 2)^2), with the solution (0, 0, 1, 2, 3).
fn kanzow() -> impl DifferentiableMap {
    let t = |z: &[f64], i: usize| z[i] - i as f64 + 1.0;
    FromFunctions::new(
        5,
        move |z, f| (0..5).for_each(|i| f[i] = 2.0 * t(z, i) * t(z, i).powi(2).exp()),
        move |z, mut j: ArrayViewMut2<'_, f64>| {
            (0..5).for_each(|i| j[[i, i]] = (2.0 + 4.0 * t(z, i).powi(2)) * t(z, i).powi(2).exp());
        },
    )
}

fn both() -> [Newton; 2] {
    [NcpFunction::FischerBurmeister, NcpFunction::Minimum].map(|function| {
        Newton::new(NewtonSettings { function, merit: function, ..NewtonSettings::default() }).unwrap()
    })
}

#[test]
fn jacobians_are_right() {
    assert!(jacobian_error(&kojima_shindo(), &[1.0, 0.5, 2.0, 0.3]) < 1e-8);
    assert!(jacobian_error(&nash_cournot(), &[30.0, 45.0, 40.0, 50.0, 35.0]) < 1e-8);
    assert!(jacobian_error(&kanzow(), &[0.3, 0.2, 1.2, 1.5, 3.3]) < 1e-7);
    let z: Vec<f64> = (0..100).map(|k| 0.01 * k as f64).collect();
    assert!(jacobian_error(&obstacle(), &z) < 1e-8);
}

#[test]
fn one_of_the_two_solutions_of_kojima_and_shindo_is_found_from_many_points() {
    let map = kojima_shindo();
    let known = [[6.0_f64.sqrt() / 2.0, 0.0, 0.0, 0.5], [1.0, 0.0, 3.0, 0.0]];
    for z in known {
        let mut w = [0.0; 4];
        map.value(&z, &mut w);
        assert!(error(&z, &w) < 1e-14);
    }
    let (mut found, mut failed) = ([0; 2], 0);
    for mut solver in both() {
        for start in 0..81_u32 {
            let mut z: Vec<f64> = (0..4).map(|i| f64::from(start / 3_u32.pow(i) % 3)).collect();
            let mut w = vec![0.0; 4];
            let info = solver.solve(&map, &mut z, &mut w).unwrap();
            if !info.status.is_success() {
                assert!(error(&z, &w) > 1e-10);
                failed += 1;
                continue;
            }
            let near = |k: &[f64; 4]| k.iter().zip(&z).all(|(k, z)| (k - z).abs() < 1e-5);
            let which = known.iter().position(near);
            found[which.unwrap_or_else(|| panic!("{z:?}"))] += 1;
        }
    }
    assert!(found[0] > 20 && found[1] > 5 && failed < 40, "{found:?} {failed}");
}

#[test]
fn the_market_of_five_firms_has_the_published_equilibrium() {
    let map = nash_cournot();
    // The published point is accurate to about 1e-3, as its error shows.
    let published = [36.9318, 41.8175, 43.7060, 42.6588, 39.1786];
    let mut w = [0.0; 5];
    map.value(&published, &mut w);
    assert!(error(&published, &w) < 1e-3, "{w:?}");
    for mut solver in both() {
        let (mut z, mut w) = ([10.0; 5], [0.0; 5]);
        let info = solver.solve(&map, &mut z, &mut w).unwrap();
        assert!(info.status.is_success(), "{}: {info:?}", solver.name());
        for (z, published) in z.iter().zip(published) {
            assert!((z - published).abs() < 1e-3, "{z} {published}");
        }
    }
}

#[test]
fn kanzows_test_has_its_solution() {
    for mut solver in both() {
        let (mut z, mut w) = ([1.0; 5], [0.0; 5]);
        let info = solver.solve(&kanzow(), &mut z, &mut w).unwrap();
        assert!(info.status.is_success(), "{}: {info:?}", solver.name());
        for (i, z) in z.iter().enumerate() {
            assert!((z - (i as f64 - 1.0).max(0.0)).abs() < 1e-8, "{i} {z}");
        }
    }
}

#[test]
fn a_membrane_rests_on_its_floor_and_both_functions_agree() {
    let mut solutions = Vec::new();
    for mut solver in both() {
        let (mut z, mut w) = (vec![0.0; 100], vec![0.0; 100]);
        let info = solver.solve(&obstacle(), &mut z, &mut w).unwrap();
        assert!(info.status.is_success() && info.iterations < 60, "{}: {info:?}", solver.name());
        solutions.push(z);
    }
    let (a, b) = (&solutions[0], &solutions[1]);
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-8));
    let touching = a.iter().filter(|z| **z < 1e-9).count();
    assert!((10..95).contains(&touching), "{touching}");
}

/// Newton's method converges quadratically: the tolerance 1e-10 takes at most two steps more than 1e-5.
#[test]
fn the_last_steps_are_quadratic() {
    let steps = |tolerance: f64| {
        let newton = SemismoothNewtonSettings { tolerance, ..Default::default() };
        let mut solver = Newton::new(NewtonSettings { newton, ..Default::default() }).unwrap();
        let (mut z, mut w) = ([10.0; 5], [0.0; 5]);
        solver.solve(&nash_cournot(), &mut z, &mut w).unwrap().iterations
    };
    assert!(steps(1e-10) <= steps(1e-4) + 2, "{} {}", steps(1e-10), steps(1e-4));
}

#[test]
fn bad_input_is_refused_and_nothing_is_no_problem() {
    let map = kanzow();
    for mut solver in both() {
        let refused = solver.solve(&map, &mut [0.0; 4], &mut [0.0; 5]).unwrap_err();
        assert!(matches!(refused, SolverError::Problem(ProblemError::WrongLength { what: "z", .. })));
        let refused = solver.solve(&map, &mut [f64::NAN; 5], &mut [0.0; 5]).unwrap_err();
        assert!(matches!(refused, SolverError::Problem(ProblemError::NotFinite { what: "z", .. })));
        let nothing = FromFunctions::new(0, |_, _| {}, |_, _| {});
        let info = solver.solve(&nothing, &mut [], &mut []).unwrap();
        assert_eq!((info.status, info.error), (Status::Converged, 0.0));
        // F is never finite: neither a success nor a panic.
        let broken = FromFunctions::new(1, |_, f| f[0] = f64::NAN, |_, _| {});
        assert_eq!(solver.solve(&broken, &mut [1.0], &mut [0.0]).unwrap().status, Status::Breakdown);
        // F = -1 has no solution.
        let unsolvable = FromFunctions::new(1, |_, f| f[0] = -1.0, |_, _| {});
        assert!(!solver.solve(&unsolvable, &mut [1.0], &mut [0.0]).unwrap().status.is_success());
    }
    for method in NcpMethod::all() {
        assert_eq!(NcpMethod::from_name(method.description().name).as_ref(), Some(&method));
        assert!(method.build().is_ok());
    }
}
