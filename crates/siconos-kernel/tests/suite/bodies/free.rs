//! Free rotation of a rigid body: energy, angular momentum, and the solution in Jacobi's elliptic functions.

use siconos_kernel::integrator::GyroscopicTerm;
use siconos_kernel::model::{NewtonEuler, Quaternion};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;
use siconos_testkit::exact::{complete_elliptic, jacobi};

const INERTIA: [f64; 3] = [1.0, 2.0, 3.0];

/// Returns the orientation and the angular velocity after each step.
fn spin(
    omega: [f64; 3],
    gyroscopic: GyroscopicTerm,
    (h, end): (f64, f64),
) -> Result<Vec<(Quaternion, [f64; 3])>, Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let body = NewtonEuler::new(1.0, INERTIA, [0.0; 3], Quaternion::IDENTITY).with_twist([0.0; 3], omega);
    let body = model.add_system(body)?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, end, h)?)
        .integrator(MoreauJean { gyroscopic, ..MoreauJean::default() })
        .newton(NewtonSettings { tolerance: 1e-14, ..NewtonSettings::default() })
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut track = vec![(Quaternion::IDENTITY, omega)];
    simulation.run(&model, &mut state, |_, state| {
        let (q, v) = (state.q(body), state.v(body));
        track.push((Quaternion::of_body(q), [v[3], v[4], v[5]]));
    })?;
    Ok(track)
}

fn energy(omega: [f64; 3]) -> f64 {
    0.5 * omega.iter().zip(INERTIA).map(|(w, i)| i * w * w).sum::<f64>()
}

fn momentum(orientation: Quaternion, omega: [f64; 3]) -> [f64; 3] {
    orientation.rotate(std::array::from_fn(|i| INERTIA[i] * omega[i]))
}

/// Returns the largest relative errors of the energy and of the angular momentum in the inertial frame.
fn errors(gyroscopic: GyroscopicTerm, h: f64) -> Result<(f64, f64), Error> {
    let track = spin([0.1, 1.0, 0.1], gyroscopic, (h, 40.0))?;
    assert_eq!(track.len(), (40.0 / h).round() as usize + 1);
    let (orientation, omega) = track[0];
    let (before, of) = (energy(omega), momentum(orientation, omega));
    let length = of.iter().map(|l| l * l).sum::<f64>().sqrt();
    Ok(track.iter().fold((0.0, 0.0), |(worst, turned), &(orientation, omega)| {
        let l = momentum(orientation, omega);
        let off = (0..3).map(|i| (l[i] - of[i]).powi(2)).sum::<f64>().sqrt() / length;
        (worse(worst, (energy(omega) / before - 1.0).abs()), worse(turned, off))
    }))
}

#[test]
fn energy_and_momentum_are_kept_as_the_term_lets_them() -> Result<(), Error> {
    let near =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 0.02, "{found} and {expected}");
    for (h, ends, explicit, turned) in [(0.04, 1.33e-4, 0.164, 2.6e-4), (0.02, 3.33e-5, 0.078, 6.5e-5)] {
        let (energy, momentum) = errors(GyroscopicTerm::Middle, h)?;
        assert!(energy < 1e-12, "{energy}");
        near(momentum, turned);
        near(errors(GyroscopicTerm::Ends, h)?.0, ends);
        near(errors(GyroscopicTerm::Explicit, h)?.0, explicit);
    }
    Ok(())
}

/// Exact angular velocity at time t of a body that rotates mainly about its third axis: Landau and Lifshitz,
/// Mechanics, section 37.
struct Exact {
    amplitudes: [f64; 3],
    p: f64,
    k: f64,
    u0: f64,
}

impl Exact {
    fn of(omega: [f64; 3]) -> Self {
        let [i1, i2, i3] = INERTIA;
        let (twice, square) =
            (2.0 * energy(omega), (0..3).map(|i| (INERTIA[i] * omega[i]).powi(2)).sum::<f64>());
        let (low, high) = (square - twice * i1, twice * i3 - square);
        let amplitudes = [
            (high / (i1 * (i3 - i1))).sqrt(),
            (high / (i2 * (i3 - i2))).sqrt(),
            (low / (i3 * (i3 - i1))).sqrt(),
        ];
        let p = ((i3 - i2) * low / (i1 * i2 * i3)).sqrt();
        let k = ((i2 - i1) * high / ((i3 - i2) * low)).sqrt();
        // sn is increasing on the first quarter of its period.
        let (mut left, mut right) = (0.0, complete_elliptic(k));
        for _ in 0..200 {
            let middle = 0.5 * (left + right);
            if jacobi(middle, k).0 * amplitudes[1] < omega[1] { left = middle } else { right = middle }
        }
        Self { amplitudes, p, k, u0: left }
    }

    fn omega(&self, t: f64) -> [f64; 3] {
        let (sn, cn, dn) = jacobi(self.u0 + self.p * t, self.k);
        let [a, b, c] = self.amplitudes;
        [a * cn, b * sn, c * dn]
    }
}

#[test]
fn the_angular_velocity_is_that_of_jacobis_functions_to_second_order() -> Result<(), Error> {
    let start = [0.1, 1.0, 0.1];
    let exact = Exact::of(start);
    assert!((0..3).all(|i| (exact.omega(0.0)[i] - start[i]).abs() < 1e-12));
    let steps = [0.08, 0.04, 0.02, 0.01, 0.005];
    for gyroscopic in [GyroscopicTerm::Middle, GyroscopicTerm::Ends] {
        let mut off = Vec::new();
        for h in steps {
            let track = spin(start, gyroscopic, (h, 8.0))?;
            let errors = track.iter().enumerate().map(|(k, (_, omega))| {
                let expected = exact.omega(k as f64 * h);
                (0..3).map(|i| (omega[i] - expected[i]).abs()).fold(0.0, worse)
            });
            off.push(errors.fold(0.0, worse));
        }
        let observed = observed_order(&steps, &off);
        assert!(
            (observed.order - 2.0).abs() < 0.05 && off[4] < 1e-4,
            "{gyroscopic:?}: {observed:?}, {off:?}"
        );
    }
    Ok(())
}

#[test]
fn the_flip_of_a_wing_nut_comes_at_its_time() -> Result<(), Error> {
    let (h, start) = (0.005, [1e-3, 1.0, 1e-3]);
    let exact = Exact::of(start);
    let between = 2.0 * complete_elliptic(exact.k) / exact.p;
    assert!((between - 27.5308).abs() < 1e-4, "{between}");
    let track = spin(start, GyroscopicTerm::Middle, (h, 100.0))?;
    let flips: Vec<f64> = track
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0].1[1] * pair[1].1[1] < 0.0)
        .map(|(k, pair)| h * (k as f64 + pair[0].1[1] / (pair[0].1[1] - pair[1].1[1])))
        .collect();
    assert_eq!(flips.len(), 4, "{flips:?}");
    for pair in flips.windows(2) {
        assert!((pair[1] - pair[0] - between).abs() < 1e-3, "{flips:?}");
    }
    Ok(())
}
