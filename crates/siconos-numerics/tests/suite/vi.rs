//! Variational inequalities: projections, saddle points, boxes, comparison of methods, and invalid input.

use ndarray::{Array2, ArrayViewMut2};
use siconos_numerics::cone::{ConvexSet, Interval, Orthant};
use siconos_numerics::engine::fixed_point::{FixedPointSettings, StepRule};
use siconos_numerics::ncp::{DifferentiableMap, FromFunctions};
use siconos_numerics::ncp_function::NcpFunction;
use siconos_numerics::relay::{CaoFerris, RelayProblem};
use siconos_numerics::vi::{
    BoxDirection, BoxNewtonSettings, BoxViProblem, Extragradient, FixedPoint, Newton, Vi, ViMethod,
    ViProblem, box_error, error,
};
use siconos_numerics::{Method, ProblemError, Solver, SolverError, Status};

fn box_solvers() -> Vec<Newton> {
    let mut all = Vec::new();
    for function in [NcpFunction::FischerBurmeister, NcpFunction::Minimum] {
        for direction in [BoxDirection::Newton, BoxDirection::LinearisedInequality] {
            let settings = BoxNewtonSettings { function, direction, ..BoxNewtonSettings::default() };
            all.push(Newton::new(settings).unwrap());
        }
    }
    all
}

fn solvers() -> Vec<Box<dyn Solver<Class = Vi>>> {
    let mut all: Vec<Box<dyn Solver<Class = Vi>>> = Vec::new();
    for mut method in ViMethod::all() {
        if !matches!(method, ViMethod::HyperplaneProjection(_)) {
            method.set_tolerance(1e-10);
        }
        all.push(method.build().unwrap());
    }
    for rule in [StepRule::SolodovTseng, StepRule::HanSun] {
        let settings = FixedPointSettings { rule, tolerance: 1e-10, ..FixedPointSettings::default() };
        all.push(Box::new(FixedPoint::new(settings.clone()).unwrap()));
        if rule == StepRule::SolodovTseng {
            all.push(Box::new(Extragradient::new(settings).unwrap()));
        }
    }
    all
}

/// For F(z) = z - p, the solution is the nearest point of the set: ten numbers with bounds, in a ball, and
/// nonnegative.
#[test]
fn projections_come_out_of_every_method() {
    let p: Vec<f64> = (0..10).map(|i| (i as f64 * 1.7).sin() * 3.0).collect();
    let map = |z: &[f64], f: &mut [f64]| (0..10).for_each(|i| f[i] = z[i] - p[i]);
    let ball = |x: &mut [f64]| {
        let length = x.iter().map(|x| x * x).sum::<f64>().sqrt().max(1.0);
        x.iter_mut().for_each(|x| *x /= length);
    };
    let (lower, upper) = ([-1.0; 10], [0.5; 10]);
    let bounds = Interval::new(&lower, &upper).unwrap();
    let sets: [&dyn ConvexSet; 3] = [&ball, &bounds, &Orthant];
    for set in sets {
        let mut nearest = p.clone();
        set.project(&mut nearest);
        for mut solver in solvers() {
            let problem = ViProblem::new(10, &map, set);
            let (mut z, mut w) = (vec![1.0; 10], vec![0.0; 10]);
            let info = solver.solve(&problem, &mut z, &mut w).unwrap();
            assert!(info.status.is_success(), "{}: {info:?}", solver.name());
            assert!(error(&problem, &z) <= solver.tolerance());
            let near = 1e2 * solver.tolerance();
            assert!(z.iter().zip(&nearest).all(|(z, x)| (z - x).abs() < near), "{}", solver.name());
        }
    }
}

/// A monotone map with large slopes and a skew part, for which the step lengths have to adapt. The reference
/// is a pivoting method.
#[test]
fn steps_adapt_themselves_to_a_map_of_large_slope() {
    let n = 6;
    let m = Array2::from_shape_fn((n, n), |(i, j)| match i.cmp(&j) {
        std::cmp::Ordering::Equal => 100.0 + 40.0 * i as f64,
        std::cmp::Ordering::Less => 30.0,
        std::cmp::Ordering::Greater => -30.0,
    });
    let q: Vec<f64> = (0..n).map(|i| 150.0 * (i as f64 + 0.5).cos()).collect();
    let (lower, upper) = (vec![-0.5; n], vec![0.5; n]);
    let (mut exact, mut w) = (vec![0.0; n], vec![0.0; n]);
    let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
    assert!(CaoFerris::default().solve(&problem, &mut exact, &mut w).unwrap().status.is_success());
    let map = |z: &[f64], f: &mut [f64]| {
        for i in 0..n {
            f[i] = q[i] + (0..n).map(|j| m[[i, j]] * z[j]).sum::<f64>();
        }
    };
    let bounds = Interval::new(&lower, &upper).unwrap();
    for mut solver in solvers() {
        let problem = ViProblem::new(n, &map, &bounds);
        let mut z = vec![0.3; n];
        let info = solver.solve(&problem, &mut z, &mut w).unwrap();
        assert!(info.status.is_success() && info.iterations < 2000, "{}: {info:?}", solver.name());
        assert!(
            z.iter().zip(&exact).all(|(z, x)| (z - x).abs() < 1e2 * solver.tolerance()),
            "{}",
            solver.name()
        );
    }
}

/// A rotation is monotone, but not strictly: the extragradient and the hyperplane method converge, and the
/// fixed-point method must not report a success.
#[test]
fn on_a_rotation_the_fixed_point_fails_honestly() {
    let map = |z: &[f64], f: &mut [f64]| f.copy_from_slice(&[z[1] - 0.1, 0.2 - z[0]]);
    let (lower, upper) = ([-1.0; 2], [1.0; 2]);
    let bounds = Interval::new(&lower, &upper).unwrap();
    for mut solver in solvers() {
        let problem = ViProblem::new(2, &map, &bounds);
        let (mut z, mut w) = ([0.9, -0.4], [0.0; 2]);
        let info = solver.solve(&problem, &mut z, &mut w).unwrap();
        let recomputed = error(&problem, &z);
        assert_eq!(
            info.status == Status::Converged,
            recomputed <= solver.tolerance(),
            "{}: {info:?}",
            solver.name()
        );
        if ["extragradient", "hyperplane-projection"].contains(&solver.name()) {
            assert!(info.status.is_success(), "{}: {info:?}", solver.name());
            assert!((z[0] - 0.2).abs() < 1e-6 && (z[1] - 0.1).abs() < 1e-6);
        }
    }
}

/// One implicit step of the twisting controller of a nonlinear oscillator, with the sign at the end of the
/// step: a nonlinear F over a box. All four methods agree, and the state is consistent with the signs.
#[test]
fn an_implicit_twisting_step_with_a_nonlinear_map_over_a_box() {
    let (h, r1, r2) = (0.05, 3.0, 1.5);
    for (x, v) in [(1.0, 0.5), (0.001, -0.002), (-0.3, 2.0), (0.0, 0.0)] {
        // The unknowns are the signs. The state at the end of the step follows from them.
        let state = move |s: &[f64]| {
            let input = r1 * s[0] + r2 * s[1];
            let v_end = v - h * (input + (x + 0.1 * x * x * x));
            let x_end = x + h * v_end + 0.01 * h * v_end.powi(3);
            ([x_end, v_end], [-h * r1, -h * r2])
        };
        let map = FromFunctions::new(
            2,
            move |s, f| {
                let ([x_end, v_end], _) = state(s);
                f.copy_from_slice(&[-x_end, -v_end]);
            },
            move |s, mut j: ArrayViewMut2<'_, f64>| {
                let ([_, v_end], of_v) = state(s);
                for k in 0..2 {
                    j[[0, k]] = -(h + 0.03 * h * v_end * v_end) * of_v[k];
                    j[[1, k]] = -of_v[k];
                }
            },
        );
        let problem = BoxViProblem::new(&map, &[-1.0; 2], &[1.0; 2]).unwrap();
        let mut converged = 0;
        let mut end: Option<[f64; 2]> = None;
        for mut solver in box_solvers() {
            let (mut s, mut w) = ([0.0; 2], [0.0; 2]);
            let info = solver.solve(&problem, &mut s, &mut w).unwrap();
            assert_eq!(box_error(&problem, &s, &w), info.error);
            if !info.status.is_success() {
                continue;
            }
            converged += 1;
            for (s, w) in s.iter().zip(w) {
                assert!(w.abs() < 1e-8 || (s + w.signum()).abs() < 1e-8, "{s} {w}");
            }
            let (state, _) = state(&s);
            let end = end.get_or_insert(state);
            assert!((end[0] - state[0]).abs() < 1e-7 && (end[1] - state[1]).abs() < 1e-7);
        }
        assert!(converged >= 3, "({x}, {v}): {converged}");
    }
}

/// Without an upper bound, the problem is a complementarity problem; without bounds, it is an equation.
#[test]
fn bounds_of_every_kind_over_a_box() {
    let infinity = f64::INFINITY;
    let map = FromFunctions::new(
        4,
        |z, f| (0..4).for_each(|i| f[i] = z[i].powi(3) + z[i] - [10.0, -2.0, 68.0, 2.0][i]),
        |z, mut j: ArrayViewMut2<'_, f64>| (0..4).for_each(|i| j[[i, i]] = 3.0 * z[i] * z[i] + 1.0),
    );
    let (lower, upper) = ([0.0, 0.0, -infinity, -infinity], [1.0, infinity, infinity, 0.5]);
    let problem = BoxViProblem::new(&map, &lower, &upper).unwrap();
    for mut solver in box_solvers() {
        let (mut z, mut w) = ([0.3; 4], [0.0; 4]);
        let info = solver.solve(&problem, &mut z, &mut w).unwrap();
        assert!(info.status.is_success(), "{}: {info:?}", solver.name());
        assert!(z.iter().zip([1.0, 0.0, 4.0, 0.5]).all(|(z, x)| (z - x).abs() < 1e-8), "{z:?}");
    }
}

#[test]
fn bad_input_is_refused_and_nothing_is_no_problem() {
    let map = |z: &[f64], f: &mut [f64]| f.copy_from_slice(z);
    let broken = |_: &[f64], f: &mut [f64]| f.fill(f64::NAN);
    for mut solver in solvers() {
        let problem = ViProblem::new(2, &map, &Orthant);
        let refused = solver.solve(&problem, &mut [0.0; 3], &mut [0.0; 2]).unwrap_err();
        assert!(matches!(refused, SolverError::Problem(ProblemError::WrongLength { what: "z", .. })));
        let refused = solver.solve(&problem, &mut [f64::INFINITY; 2], &mut [0.0; 2]).unwrap_err();
        assert!(matches!(refused, SolverError::Problem(ProblemError::NotFinite { what: "z", .. })));
        let info = solver.solve(&ViProblem::new(0, &map, &Orthant), &mut [], &mut []).unwrap();
        assert_eq!((info.status, info.error), (Status::Converged, 0.0));
        let info = solver.solve(&ViProblem::new(1, &broken, &Orthant), &mut [1.0], &mut [0.0]).unwrap();
        assert_eq!(info.status, Status::Breakdown);
    }
    let map = FromFunctions::new(1, |z, f| f.copy_from_slice(z), |_, _| {});
    let as_map: &dyn DifferentiableMap = &map;
    let refused = BoxViProblem::new(as_map, &[1.0], &[0.0]).unwrap_err();
    assert!(matches!(refused, ProblemError::Bounds { .. }));
    let too_short = FixedPointSettings { shortest: 0.95, ..FixedPointSettings::default() };
    assert!(FixedPoint::new(too_short).is_err());
    for method in ViMethod::all() {
        assert_eq!(ViMethod::from_name(method.description().name).as_ref(), Some(&method));
    }
}

/// Without a solution, the natural map is nowhere smaller than 1, and the iterates diverge until z - F(z)
/// rounds to z.
#[test]
fn problems_without_a_solution_do_not_converge() {
    let one = |_: &[f64], f: &mut [f64]| f[0] = -1.0;
    let partly_bounded = |_: &[f64], f: &mut [f64]| f.copy_from_slice(&[-1.0, 1.0, 0.0]);
    let singular = |z: &[f64], f: &mut [f64]| {
        f.copy_from_slice(&[z[0] - z[1] - 1.0, z[1] - z[0] - 1.0]);
    };
    let half_bounds = Interval::new(&[0.0; 3], &[f64::INFINITY, 1.0, 1.0]).unwrap();
    let problems = [
        ViProblem::new(1, &one, &Orthant),
        ViProblem::new(3, &partly_bounded, &half_bounds),
        ViProblem::new(2, &singular, &Orthant),
    ];
    for problem in &problems {
        assert!((0..=40).all(|k| error(problem, &vec![10.0_f64.powi(k); problem.size()]) > 0.5));
        for mut solver in solvers() {
            let (mut z, mut w) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
            let info = solver.solve(problem, &mut z, &mut w).unwrap();
            assert!(!info.status.is_success() && info.error > 0.5, "{}: {info:?}, {z:?}", solver.name());
        }
    }
}
