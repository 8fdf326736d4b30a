//! Multiple impacts by the law of Liu, Zhao and Brogliato, compared with the exact motion of unilateral
//! springs and with the published integration over the impulse, and general properties.

use ndarray::{Array2, array};
use siconos_kernel::multiple_impact::{ImpactContact, MultipleImpact, MultipleImpactSettings};
use siconos_linalg::{BlockCsr, MatrixRef};
use siconos_numerics::{SolveInfo, SolverError, Status};
use siconos_testkit::compare::worse;
use siconos_testkit::random::RandomState;

fn contact(stiffness: f64, exponent: f64, restitution: f64) -> ImpactContact {
    ImpactContact { stiffness, exponent, restitution }
}

/// Returns the matrix of the contacts between neighbouring balls in a row.
fn row(masses: &[f64]) -> Array2<f64> {
    let n = masses.len() - 1;
    Array2::from_shape_fn((n, n), |(i, j)| match i.abs_diff(j) {
        0 => 1.0 / masses[i] + 1.0 / masses[i + 1],
        1 => -1.0 / masses[i.max(j)],
        _ => 0.0,
    })
}

/// Simulates a row of balls in which the first ball hits the others at 1 m/s. Returns the velocities and the
/// report of the solver.
fn cradle(masses: &[f64], contacts: &[ImpactContact]) -> (Vec<f64>, SolveInfo) {
    let mut u = vec![0.0; contacts.len()];
    u[0] = -1.0;
    let mut p = u.clone();
    let a = row(masses);
    let info = MultipleImpact::default().solve((&a).into(), contacts, &mut u, &mut p).unwrap();
    let pushed = |k: usize| k.checked_sub(1).map_or(masses[0], |before| p[before]);
    let pushes = |k: usize| p.get(k).copied().unwrap_or(0.0);
    ((0..masses.len()).map(|k| (pushed(k) - pushes(k)) / masses[k]).collect(), info)
}

fn off(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).fold(0.0, |worst, (a, b)| worse(worst, (a - b).abs()))
}

/// Returns the exact velocities of three equal balls with two equal linear springs. Both springs are
/// compressed, delta = (sin t +- sin(sqrt(3) t) / sqrt(3)) / 2, until the first one opens; then only the
/// second one acts.
fn three_balls_exactly() -> [f64; 3] {
    let root = 3.0_f64.sqrt();
    let delta = |t: f64, sign: f64| 0.5 * (t.sin() + sign * (root * t).sin() / root);
    let rate = |t: f64, sign: f64| 0.5 * (t.cos() + sign * (root * t).cos());
    // The first zero of delta_1 after its maximum.
    let (mut before, mut behind) = (1.5, 2.6);
    assert!(delta(before, 1.0) > 0.0 && delta(behind, 1.0) < 0.0);
    for _ in 0..60 {
        let middle = 0.5 * (before + behind);
        if delta(middle, 1.0) > 0.0 { before = middle } else { behind = middle }
    }
    let opening = behind;
    let (first_rate, second, second_rate) = (rate(opening, 1.0), delta(opening, -1.0), rate(opening, -1.0));
    // The relative velocity u_1 = v_2 - v_1 is -delta_1'. The second spring oscillates with the frequency
    // sqrt(2), and its energy determines the final -u_2.
    let energy = second_rate * second_rate + 2.0 * second * second;
    let u_2 = energy.sqrt();
    let v_1 = (1.0 + 2.0 * first_rate - (-second_rate)) / 3.0;
    // Conservation of momentum: v_2 + v_3 = 1 - v_1.
    let v_3 = 0.5 * (1.0 - v_1 + u_2);
    [v_1, 1.0 - v_1 - v_3, v_3]
}

#[test]
fn three_equal_balls_move_as_unilateral_springs_do() {
    let exact = three_balls_exactly();
    assert!(off(&exact, &[-0.130262, 0.150230, 0.980032]) < 1e-6, "{exact:?}");
    let (found, info) = cradle(&[1.0; 3], &[contact(1.0, 1.0, 1.0); 2]);
    assert!(info.status.is_success() && info.error < 1e-9, "{info:?}");
    assert!(off(&found, &exact) < 1e-8, "{found:?} {exact:?}");
}

/// The expected values were computed with the published method of constant impulse increments, with
/// increments of 1e-5.
#[test]
fn other_rows_of_balls_come_to_the_published_steps() {
    let hertz = 1.5;
    let cases: &[(&[f64], &[ImpactContact], &[f64])] = &[
        (&[1.0; 3], &[contact(1.0, hertz, 1.0); 2], &[-0.07095, 0.07640, 0.99455]),
        (&[1.0; 3], &[contact(1.0, 1.0, 1.0), contact(0.1, 1.0, 1.0)], &[-0.01184, 0.01198, 0.99986]),
        (&[1.0; 3], &[contact(1.0, 1.0, 1.0), contact(10.0, 1.0, 1.0)], &[-0.33099, 0.61717, 0.71382]),
        (&[1.0, 2.0, 1.0], &[contact(1.0, hertz, 1.0); 2], &[-0.36199, 0.24961, 0.86276]),
        (&[1.0; 5], &[contact(1.0, hertz, 1.0); 4], &[-0.07109, -0.03027, -0.01446, 0.12705, 0.98878]),
        (&[1.0; 3], &[contact(1.0, hertz, 0.9); 2], &[-0.00861, 0.10413, 0.90448]),
        (&[1.0; 3], &[contact(1.0, hertz, 0.5); 2], &[0.20922, 0.21879, 0.57199]),
    ];
    for (masses, contacts, expected) in cases {
        let (found, info) = cradle(masses, contacts);
        assert!(info.status.is_success(), "{info:?}");
        assert!(off(&found, expected) < 1e-4, "{found:?} {expected:?} {info:?}");
    }
}

/// Returns the momentum, and the kinetic energy relative to the initial energy of the first ball.
fn balance(masses: &[f64], velocities: &[f64]) -> (f64, f64) {
    let sum = |power| masses.iter().zip(velocities).map(|(m, v)| m * v.powi(power)).sum::<f64>();
    (sum(1), sum(2) / masses[0])
}

/// The sequence of impacts is infinite and converges to a common velocity. The number of steps must stay
/// below 200 000 for all mass ratios.
#[test]
fn a_light_ball_between_heavy_ones_loses_all_of_its_velocity() {
    for exponent in [1.0, 1.5] {
        for e in [0.0, 1e-6, 0.01, 0.1, 0.2, 0.3] {
            for light in [0.1, 0.01, 3e-3, 1e-3, 1e-4] {
                let masses = [1.0, light, 1.0];
                let (found, info) = cradle(&masses, &[contact(1.0, exponent, e); 2]);
                let named = format!("{exponent} {e} {light}: {found:?} {info:?}");
                assert!(info.status.is_success() && info.iterations < 200_000, "{named}");
                assert!(off(&found, &[1.0 / (2.0 + light); 3]) < 1e-9, "{named}");
                let (momentum, _) = balance(&masses, &found);
                assert!((momentum - 1.0).abs() < 1e-12, "{named}");
            }
        }
    }
}

#[test]
fn balls_of_all_ratios_of_masses_keep_their_momentum_and_gain_no_energy() {
    for exponent in [1.0, 1.5] {
        for e in [0.0, 0.1, 0.5, 0.9, 1.0] {
            for middle in [1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 1e2, 1e3, 1e4] {
                let masses = [1.0, middle, 1.0];
                let (found, info) = cradle(&masses, &[contact(1.0, exponent, e); 2]);
                let named = format!("{exponent} {e} {middle}: {found:?} {info:?}");
                assert!(info.status.is_success(), "{named}");
                let (momentum, energy) = balance(&masses, &found);
                assert!((momentum - 1.0).abs() < 1e-11 && energy < 1.0 + 1e-7, "{named}");
                assert!(found.windows(2).all(|pair| pair[1] - pair[0] > -1e-11), "{named}");
            }
        }
    }
}

#[test]
fn plastic_rows_of_light_and_heavy_balls_move_together() {
    for balls in 3..=10 {
        for light in [0.1, 0.01] {
            let masses: Vec<_> = (0..balls).map(|k| if k % 2 == 0 { 1.0 } else { light }).collect();
            let (found, info) = cradle(&masses, &vec![contact(1.0, 1.0, 0.0); balls - 1]);
            assert!(info.status.is_success(), "{balls} {light}: {info:?}");
            let together = 1.0 / masses.iter().sum::<f64>();
            let off = off(&found, &vec![together; balls]);
            assert!(off < 1e-9, "{balls} {light}: {found:?} {together}");
        }
    }
}

#[test]
fn one_contact_has_its_energetic_restitution() {
    for exponent in [1.0, 1.25, 1.5, 2.0] {
        for e in [1.0, 0.8, 0.3, 0.05, 1e-3, 1e-6, 0.0] {
            let (mut u, mut p) = ([-2.0], [0.0]);
            let a = array![[0.4]];
            let contacts = [contact(3e5, exponent, e)];
            let info = MultipleImpact::default().solve((&a).into(), &contacts, &mut u, &mut p).unwrap();
            assert!(info.status.is_success(), "{exponent} {e}: {info:?}");
            assert!((u[0] - 2.0 * e).abs() < 1e-5, "{exponent} {e}: {u:?}");
            assert!((p[0] - 2.0 * (1.0 + e) / 0.4).abs() < 3e-5, "{exponent} {e}: {p:?}");
        }
    }
}

/// Draws n contacts of random bodies with n + 2 degrees of freedom.
fn random(draw: &mut RandomState, n: usize) -> (Array2<f64>, Vec<ImpactContact>, Vec<f64>) {
    let j = Array2::from_shape_fn((n, n + 2), |_| draw.standard_normal());
    let a = j.dot(&j.t()) / n as f64;
    let contacts = (0..n).map(|_| {
        let exponent = if draw.between(0.0, 1.0) < 0.5 { 1.0 } else { 1.5 };
        contact(10.0_f64.powf(draw.between(-1.0, 1.0)), exponent, draw.between(0.0, 1.0))
    });
    let contacts = contacts.collect();
    (a, contacts, (0..n).map(|_| draw.standard_normal()).collect())
}

#[test]
fn no_impact_gains_energy_and_none_pulls() {
    let mut draw = RandomState::new(11);
    for case in 0..200 {
        let (a, contacts, before) = random(&mut draw, 1 + case % 6);
        let (mut u, mut p) = (before.clone(), vec![0.0; before.len()]);
        let info = MultipleImpact::default().solve((&a).into(), &contacts, &mut u, &mut p).unwrap();
        assert!(info.status.is_success(), "{case}: {info:?}");
        let gain: f64 = (0..p.len()).map(|i| 0.5 * p[i] * (u[i] + before[i])).sum();
        let size: f64 = (0..p.len()).map(|i| (p[i] * before[i]).abs()).sum();
        assert!(gain <= 1e-6 * size, "{case}: {gain} of {size}");
        assert!(p.iter().all(|p| *p >= 0.0) && u.iter().all(|u| *u >= -1e-12), "{case}: {p:?} {u:?}");
        let moved: Vec<f64> =
            before.iter().zip(a.dot(&ndarray::ArrayView1::from(&p))).map(|(u, x)| u + x).collect();
        assert!(off(&u, &moved) < 1e-12, "{case}");
    }
}

#[test]
fn finer_steps_change_little() -> Result<(), SolverError> {
    let mut draw = RandomState::new(12);
    for case in 0..30 {
        let (a, contacts, before) = random(&mut draw, 1 + case % 5);
        let run = |steps_per_radian| {
            let settings = MultipleImpactSettings { steps_per_radian, ..MultipleImpactSettings::default() };
            let (mut u, mut p) = (before.clone(), vec![0.0; before.len()]);
            let info = MultipleImpact::new(settings)?.solve((&a).into(), &contacts, &mut u, &mut p)?;
            assert!(info.status.is_success(), "{info:?}");
            Ok::<_, SolverError>(u)
        };
        let (own, fine) = (run(64)?, run(512)?);
        assert!(off(&own, &fine) < 2e-6, "{case}: {own:?} {fine:?}");
    }
    Ok(())
}

#[test]
fn units_change_no_bit_where_exponents_are_equal() {
    let mut draw = RandomState::new(13);
    for case in 0..20 {
        let (a, mut contacts, before) = random(&mut draw, 1 + case % 5);
        contacts.iter_mut().for_each(|contact| contact.exponent = 1.5);
        let (mut u, mut p) = (before.clone(), vec![0.0; before.len()]);
        let mut solver = MultipleImpact::default();
        assert!(solver.solve((&a).into(), &contacts, &mut u, &mut p).unwrap().status.is_success());
        for (of_a, of_u, of_k) in
            [(0.125, 1.0, 4.0), (1.0, 256.0, 1.0), (2.0_f64.powi(40), 2.0_f64.powi(-30), 1024.0)]
        {
            let other = &a * of_a;
            let scaled: Vec<_> =
                contacts.iter().map(|it| ImpactContact { stiffness: it.stiffness * of_k, ..*it }).collect();
            let mut v: Vec<f64> = before.iter().map(|u| u * of_u).collect();
            let mut s = vec![0.0; v.len()];
            assert!(solver.solve((&other).into(), &scaled, &mut v, &mut s).unwrap().status.is_success());
            let same = |x: &[f64], y: &[f64], unit: f64| {
                x.iter().zip(y).all(|(x, y)| (x * unit).to_bits() == y.to_bits())
            };
            assert!(same(&u, &v, of_u) && same(&p, &s, of_u / of_a), "{case}");
        }
    }
}

#[test]
fn a_long_row_passes_the_blow_on() {
    let n = 60;
    let contacts = vec![contact(1e7, 1.5, 1.0); n - 1];
    let a = row(&vec![0.5; n]);
    let (mut u, mut p) = (vec![0.0; n - 1], vec![0.0; n - 1]);
    u[0] = -1.0;
    let sparse = BlockCsr::from_matrix((&a).into(), 1).unwrap();
    let info =
        MultipleImpact::default().solve(MatrixRef::BlockCsr(&sparse), &contacts, &mut u, &mut p).unwrap();
    assert!(info.status.is_success() && info.error < 1e-7, "{info:?}");
    // The last ball leaves with nearly the full velocity, and the first ball rebounds slowly.
    let (first, last) = (1.0 - p[0] / 0.5, p[n - 2] / 0.5);
    assert!((0.95..1.0).contains(&last) && (-0.1..0.0).contains(&first), "{first} {last}");
}

#[test]
fn contacts_that_open_and_no_contact_stay_as_they_are() {
    let mut solver = MultipleImpact::default();
    let (mut u, mut p) = ([0.5, 0.0], [1.0, 1.0]);
    let a = row(&[1.0; 3]);
    let info = solver.solve((&a).into(), &[contact(1.0, 1.0, 0.5); 2], &mut u, &mut p).unwrap();
    assert_eq!((info.status, info.iterations, u, p), (Status::Converged, 0, [0.5, 0.0], [0.0; 2]));
    let info = solver.solve((&Array2::zeros((0, 0))).into(), &[], &mut [], &mut []).unwrap();
    assert_eq!(info.status, Status::Converged);
}

#[test]
fn what_cannot_be_is_told() {
    let mut solver = MultipleImpact::default();
    let a = array![[1.0, 0.0], [0.0, 0.0]];
    let (mut u, mut p) = ([-1.0, -1.0], [0.0; 2]);
    let both = [contact(1.0, 1.0, 1.0); 2];
    let info = solver.solve((&a).into(), &both, &mut u, &mut p).unwrap();
    assert_eq!(info.status, Status::Breakdown, "nothing can move at the second");
    let mut text = |contacts: &[ImpactContact], u: &mut [f64]| {
        let mut p = vec![0.0; 2];
        solver.solve((&a).into(), contacts, u, &mut p).expect_err("refused").to_string()
    };
    let second = |other| [both[0], other];
    for (other, words) in [
        (contact(0.0, 1.0, 1.0), "`stiffness` of contact 1 is 0; it must be positive"),
        (contact(1.0, 0.5, 1.0), "`exponent` of contact 1 is 0.5; it must be at least 1"),
        (contact(1.0, 1.0, 1.5), "`restitution` of contact 1 is 1.5; it must be between 0 and 1"),
        (contact(1.0, 1.0, f64::NAN), "between 0 and 1"),
    ] {
        assert!(text(&second(other), &mut [-1.0, -1.0]).contains(words));
    }
    assert!(text(&both, &mut [f64::NAN, 0.0]).contains("velocity"));
    assert!(text(&both[..1], &mut [0.0, 0.0]).contains("contacts"));
    let few = MultipleImpactSettings { max_iterations: 5, ..MultipleImpactSettings::default() };
    let (mut u, mut p) = ([-1.0], [0.0]);
    let info = MultipleImpact::new(few).unwrap().solve((&array![[1.0]]).into(), &both[..1], &mut u, &mut p);
    assert_eq!(info.unwrap().status, Status::MaxIterations);
    assert!(MultipleImpact::new(MultipleImpactSettings { steps_per_radian: 0, ..few }).is_err());
}
