//! Stiff systems, automatic choice of the method, Jacobians and mass matrices.

use std::f64::consts::PI;

use siconos_ode::{Advance, Crossing, Integrator, Method, OdeFunctions, OdeSettings, OdeSystem, Tolerance};

use super::{METHODS, all_roots, integrator, oscillator, settings, van_der_pol};

#[test]
fn stiff_van_der_pol_agrees_with_the_reference() {
    // Reference solution of the problem VDPOLM of the test set for initial value problem solvers (Mazzia,
    // Magherini, release 2.4) at t = 2000.
    let reference = [1.706_167_732_170_483, -8.928_097_010_247_975e-4];
    for method in [Method::Stiff, Method::Auto] {
        let mut integrator = integrator(method, 1e-10);
        integrator.restart(0.0, &[2.0, 0.0]).expect("it is finite");
        let end = integrator.advance(&mut van_der_pol(), 2000.0);
        assert_eq!(end, Ok(Advance::Reached { t: 2000.0 }));
        let error = (integrator.x()[0] / reference[0] - 1.0).abs();
        println!("{method:?}: {error:e}, {:?}", integrator.statistics());
        assert!(error < 1e-8, "{method:?}: {error:e}");
        assert!((integrator.x()[1] / reference[1] - 1.0).abs() < 1e-7);
        assert!(integrator.statistics().f_evaluations < 200_000, "it is stiff for an explicit method");
        if method == Method::Auto {
            assert!(integrator.statistics().switches > 0);
        }
    }
}

#[test]
fn differences_of_f_are_relative_to_the_unit() {
    // One of the states starts at 0, where only the tolerance determines the unit.
    for start in [[2.0, 0.0], [0.0, 1e-3]] {
        let solve = |unit: f64| {
            let mut system = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
                let [x, v] = [x[0] / unit, x[1] / unit];
                (f[0], f[1]) = (unit * v, unit * (1000.0 * (1.0 - x * x) * v - x));
            });
            let absolute_tolerance = Tolerance::All(1e-8 * unit);
            let chosen = OdeSettings { absolute_tolerance, ..settings(Method::Stiff, 1e-8) };
            let mut integrator = Integrator::new(chosen).expect("valid settings");
            integrator.restart(0.0, &start.map(|x| unit * x)).expect("it is finite");
            assert_eq!(integrator.advance(&mut system, 100.0), Ok(Advance::Reached { t: 100.0 }));
            let x = [integrator.x()[0] / unit, integrator.x()[1] / unit];
            (x, integrator.statistics().f_evaluations)
        };
        let expected = solve(1.0);
        for exponent in [-100, -40, -10, 10, 40, 100] {
            assert_eq!(solve(2.0_f64.powi(exponent)), expected, "from {start:?} in 2^{exponent}");
        }
    }
}

#[test]
fn auto_stays_explicit_where_nothing_is_stiff_and_comes_back() {
    let mut auto = integrator(Method::Auto, 1e-10);
    auto.restart(0.0, &[1.0, 0.0]).expect("it is finite");
    assert_eq!(auto.advance(&mut oscillator(vec![], &[]), 50.0), Ok(Advance::Reached { t: 50.0 }));
    assert_eq!(auto.statistics().switches, 0);

    // The system is stiff until t = 1, and an undamped oscillator after that.
    let mut system = OdeFunctions::new(2, |t, x: &[f64], f: &mut [f64]| {
        f[0] = x[1];
        f[1] = if t < 1.0 { -1e6 * (x[1] - t.cos()) } else { -x[0] };
    });
    let mut auto = integrator(Method::Auto, 1e-8);
    auto.restart(0.0, &[0.0, 1.0]).expect("it is finite");
    assert_eq!(auto.advance(&mut system, 1.0), Ok(Advance::Reached { t: 1.0 }));
    assert_eq!(auto.current_method(), Method::Stiff);
    let x = [auto.x()[0], auto.x()[1]];
    auto.restart(1.0, &x).expect("it is finite");
    assert_eq!(auto.advance(&mut system, 30.0), Ok(Advance::Reached { t: 30.0 }));
    assert_eq!(auto.current_method(), Method::HighOrder);
    assert_eq!(auto.statistics().switches, 2);
    assert!((auto.x()[0] - 30f64.sin()).abs() < 1e-4, "{}", auto.x()[0] - 30f64.sin());
}

#[test]
fn a_given_jacobian_saves_evaluations_and_changes_nothing_else() {
    let f = |_t: f64, x: &[f64], f: &mut [f64]| {
        f[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
        f[2] = 3e7 * x[1] * x[1];
        f[1] = -f[0] - f[2];
    };
    let mut without = OdeFunctions::new(3, f);
    let mut with = OdeFunctions::new(3, f).with_jacobian(|_t, x: &[f64], j: &mut [f64]| {
        j[..3].copy_from_slice(&[-0.04, 1e4 * x[2], 1e4 * x[1]]);
        j[7] = 6e7 * x[1];
        for column in 0..3 {
            j[3 + column] = -j[column] - j[6 + column];
        }
    });
    let mut ends = Vec::new();
    for system in [&mut without as &mut dyn OdeSystem, &mut with] {
        let chosen =
            OdeSettings { absolute_tolerance: Tolerance::All(1e-14), ..settings(Method::Stiff, 1e-10) };
        let mut integrator = Integrator::new(chosen).expect("valid settings");
        integrator.restart(0.0, &[1.0, 0.0, 0.0]).expect("it is finite");
        assert_eq!(integrator.advance(system, 40.0), Ok(Advance::Reached { t: 40.0 }));
        ends.push((integrator.x().to_vec(), integrator.statistics().f_evaluations));
    }
    // Reference for Robertson's reaction at t = 40 (Hairer and Wanner 1996, section IV.10, and the
    // documentation of LSODE).
    for (x, _) in &ends {
        assert!((x[0] - 0.715_827_07).abs() < 1e-7, "{x:?}");
        assert!((x.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    assert!(ends[1].1 < ends[0].1);
}

#[test]
fn systems_beyond_the_own_factorisation_are_integrated() {
    // The heat equation on 40 points. Mode k decays as exp(-4 (n + 1)^2 sin^2(k pi / (2 (n + 1))) t).
    const N: usize = 40;
    let scale = (N as f64 + 1.0).powi(2);
    let mode = |k: usize, i: usize| (PI * (k * (i + 1)) as f64 / (N as f64 + 1.0)).sin();
    let rate = |k: usize| 4.0 * scale * (0.5 * PI * k as f64 / (N as f64 + 1.0)).sin().powi(2);
    for method in METHODS {
        let mut heat = OdeFunctions::new(N, |_t, x: &[f64], f: &mut [f64]| {
            for i in 0..N {
                let (left, right) = (if i > 0 { x[i - 1] } else { 0.0 }, x.get(i + 1).unwrap_or(&0.0));
                f[i] = scale * (left - 2.0 * x[i] + right);
            }
        })
        .with_guards(vec![Crossing::Any], |_t, x: &[f64], g: &mut [f64]| g[0] = x[N / 2] - 0.5);
        let start: Vec<f64> = (0..N).map(|i| mode(1, i) + mode(N, i)).collect();
        let mut integrator = integrator(method, 1e-10);
        integrator.restart(0.0, &start).expect("it is finite");
        let roots = all_roots(&mut integrator, &mut heat, 1.0);
        assert_eq!(roots.len(), 1, "{method:?}");
        let expected = (2.0 * mode(1, N / 2)).ln() / rate(1);
        assert!((roots[0].0 - expected).abs() < 1e-9, "{method:?}: {:e}", roots[0].0 - expected);
        for (i, x) in integrator.x().iter().enumerate() {
            assert!((x - (-rate(1)).exp() * mode(1, i)).abs() < 1e-9, "{method:?}");
        }
        assert_eq!(integrator.current_method() == Method::Explicit, method == Method::Explicit);
    }
}

#[test]
fn a_jump_of_f_after_a_smooth_phase_is_got_over() {
    // x' = -1000 (x - s), where s changes sign at t = 5. No guard announces the jump.
    for method in [Method::Stiff, Method::Auto] {
        for tolerance in [1e-6, 1e-8, 1e-10] {
            let mut integrator = integrator(method, tolerance);
            let mut system = OdeFunctions::new(2, |t, x: &[f64], f: &mut [f64]| {
                f[0] = -1000.0 * (x[0] - if t < 5.0 { 1.0 } else { -1.0 });
                f[1] = x[0];
            });
            integrator.restart(0.0, &[0.0, 0.0]).expect("it is finite");
            assert_eq!(integrator.advance(&mut system, 10.0), Ok(Advance::Reached { t: 10.0 }));
            // The integral of x is 5 - 5, minus a transient of 1/1000 from 0 to 1, plus one of 2/1000 from 1
            // to -1.
            let error = (integrator.x()[1] - 1e-3).abs();
            assert!(error < 1000.0 * tolerance, "{method:?} {tolerance:e}: {error:e}");
            assert!((integrator.x()[0] + 1.0).abs() < 1000.0 * tolerance);
        }
    }
}

/// M x' = A x, with the matrices stored by rows.
struct Linear {
    mass: Vec<f64>,
    a: Vec<f64>,
}

impl OdeSystem for Linear {
    fn dimension(&self) -> usize {
        2
    }

    fn compute_f(&mut self, _t: f64, x: &[f64], f: &mut [f64]) {
        for (f, row) in f.iter_mut().zip(self.a.chunks(2)) {
            *f = row[0] * x[0] + row[1] * x[1];
        }
    }

    fn has_mass(&self) -> bool {
        true
    }

    fn compute_mass(&mut self, mass: &mut [f64]) {
        mass.copy_from_slice(&self.mass);
    }

    fn guards(&self) -> usize {
        1
    }

    fn compute_guards(&mut self, _t: f64, x: &[f64], g: &mut [f64]) {
        g[0] = x[1] + 0.5;
    }
}

#[test]
fn a_mass_matrix_is_taken_by_the_stiff_method() {
    // M times the matrix of the oscillator x1' = x2, x2' = -x1, with M = (2 1; 1 3).
    let regular = Linear { mass: vec![2.0, 1.0, 1.0, 3.0], a: vec![-1.0, 2.0, -3.0, 1.0] };
    // x1' = x2 and 0 = x1 + x2. The solution is x1 = exp(-t), and x2 reaches -1/2 at t = ln 2.
    let singular = Linear { mass: vec![1.0, 0.0, 0.0, 0.0], a: vec![0.0, 1.0, 1.0, 1.0] };
    let at_end = [[2f64.cos(), -2f64.sin()], [(-2f64).exp(), -(-2f64).exp()]];
    let cases = [(regular, [1.0, 0.0], PI / 6.0), (singular, [1.0, -1.0], 2f64.ln())];
    for ((mut system, start, root), exact) in cases.into_iter().zip(at_end) {
        let mut integrator = integrator(Method::Stiff, 1e-11);
        integrator.restart(0.0, &start).expect("it is finite");
        let Ok(Advance::Roots { t, .. }) = integrator.advance(&mut system, 2.0) else { panic!("no root") };
        assert!((t - root).abs() < 1e-9, "{:e}", t - root);
        assert_eq!(integrator.advance(&mut system, 2.0), Ok(Advance::Reached { t: 2.0 }));
        for (x, exact) in integrator.x().iter().zip(exact) {
            assert!((x - exact).abs() < 1e-9, "{:e}", x - exact);
        }
    }
}

/// The solution of x' = -1000 (x - cos t) - sin t is cos t. Roots and output points within the long steps of
/// the stiff method are as accurate as the ends of the steps, where the error is several hundred tolerances.
/// They do not change the steps.
#[test]
fn what_lies_inside_a_stiff_step_is_as_exact_as_its_end() {
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let run = |points: usize| {
            let mut system = OdeFunctions::new(1, |t: f64, x: &[f64], f: &mut [f64]| {
                f[0] = -1e3 * (x[0] - t.cos()) - t.sin();
            })
            .with_guards(vec![Crossing::Any], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0] - 0.5);
            let mut integrator = integrator(Method::Stiff, tolerance);
            integrator.restart(0.0, &[1.0]).expect("it is finite");
            let (mut roots, mut worst) = (Vec::new(), 0.0_f64);
            for point in 1..=points {
                let t_out = 10.0 * point as f64 / points as f64;
                while let Advance::Roots { t, .. } =
                    integrator.advance_within(&mut system, t_out, 10.0).expect("it goes on")
                {
                    roots.push(t);
                }
                worst = worst.max((integrator.x()[0] - integrator.t().cos()).abs());
            }
            (roots, worst, integrator.x()[0], integrator.statistics().steps)
        };
        let (roots, _, end, steps) = run(1);
        let pi = PI;
        let exact = [pi / 3.0, 5.0 * pi / 3.0, 7.0 * pi / 3.0];
        assert_eq!(roots.len(), 3);
        for (root, exact) in roots.iter().zip(exact) {
            assert!((root - exact).abs() < 1000.0 * tolerance, "{tolerance:e}: {root} {exact}");
        }
        let (same_roots, worst, same_end, same_steps) = run(100);
        assert!(worst < 1000.0 * tolerance, "{tolerance:e}: {worst:e}");
        assert_eq!((same_roots, same_end, same_steps), (roots, end, steps));
    }
}

/// The decay is so fast that the first step must be far shorter than the default initial step of any solver.
#[test]
fn a_decay_in_a_tenth_of_a_femtosecond_is_over_at_once() {
    for method in [Method::Stiff, Method::Auto] {
        for rate in [1e6, 1e12, 1e16, 1e18, 1e25] {
            let mut system = OdeFunctions::new(1, |_t, x: &[f64], f: &mut [f64]| f[0] = -rate * x[0]);
            let mut integrator = integrator(method, 1e-10);
            integrator.restart(0.0, &[1.0]).expect("it is finite");
            let reached = integrator.advance(&mut system, 1.0).expect("it goes");
            assert_eq!(reached, Advance::Reached { t: 1.0 }, "{method:?} {rate:e}");
            assert!(integrator.x()[0].abs() < 1e-9, "{method:?} {rate:e}: {}", integrator.x()[0]);
        }
    }
}
