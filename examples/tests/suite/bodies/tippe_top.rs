//! Comparison of the tippe top with its integrals, and with the smallest energy that the integrals permit.

use siconos_examples::ExampleError;
use siconos_examples::tippe_top::{GRAVITY, INERTIA, MASS, OFFSET, RADIUS, TippeTop, threshold};
use siconos_io::trajectory::Table;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;

/// Columns of the table.
const COSINE: usize = 1;
const SPIN: usize = 3;
const JELLETT: usize = 4;
const ENERGY: usize = 5;

/// Returns the largest relative change of Jellett's integral.
fn drift(table: &Table) -> f64 {
    let values: Vec<f64> = table.rows().map(|row| row[JELLETT]).collect();
    values.iter().map(|value| (value / values[0] - 1.0).abs()).fold(0.0, worse)
}

fn last(table: &Table) -> Vec<f64> {
    table.rows().last().expect("a row").to_vec()
}

#[test]
fn it_turns_over() -> Result<(), ExampleError> {
    let top = TippeTop { h: 2e-4, ..TippeTop::default() };
    let table = top.simulate()?;
    let end = last(&table);
    assert!(end[COSINE] < -0.98, "{end:?}");
    // Jellett's integral is the spin times R (1 + alpha) C if the top is upside down, and the spin times R (1
    // - alpha) C if it is
    // upright.
    let alpha = OFFSET / RADIUS;
    let expected = -top.spin * (1.0 - alpha) / (1.0 + alpha);
    assert!((end[SPIN] / expected - 1.0).abs() < 0.02, "{} {expected}", end[SPIN]);
    // At each inclination, one motion with this value of the integral has the smallest energy. The energy of
    // the top must not be smaller.
    let [across, _, along] = INERTIA;
    for row in table.rows() {
        let u = row[COSINE];
        let moment = RADIUS.powi(2) * (across * (1.0 - u * u) + along * (u - alpha).powi(2));
        let smallest = row[JELLETT].powi(2) / (2.0 * moment) + MASS * GRAVITY * (RADIUS - OFFSET * u);
        assert!(row[ENERGY] > smallest * (1.0 - 1e-5), "t = {}: {} {smallest}", row[0], row[ENERGY]);
    }
    Ok(())
}

#[test]
fn what_it_starts_with_is_enough_to_turn_over() {
    let (alpha, ratio) = (OFFSET / RADIUS, INERTIA[0] / INERTIA[2]);
    assert!(1.0 - alpha < ratio && ratio < 1.0 + alpha);
    let slowest = threshold() / (RADIUS * (1.0 - alpha) * INERTIA[2]);
    assert!((slowest - 77.0).abs() < 0.5 && slowest < TippeTop::default().spin, "{slowest}");
    // At the threshold, the energy as a function of the cosine has zero slope at the inverted spin. The slope
    // is computed by differences.
    let energy = |u: f64| {
        let moment = RADIUS.powi(2) * (INERTIA[0] * (1.0 - u * u) + INERTIA[2] * (u - alpha).powi(2));
        threshold().powi(2) / (2.0 * moment) - MASS * GRAVITY * OFFSET * u
    };
    let slope = (energy(-1.0 + 1e-5) - energy(-1.0 - 1e-5)) / 2e-5;
    assert!(slope.abs() < 1e-6 * MASS * GRAVITY * OFFSET, "{slope}");
}

#[test]
fn forces_in_the_contact_keep_jelletts_integral() -> Result<(), ExampleError> {
    for mu in [0.0, 0.1, 0.3] {
        let steps = [2e-4, 1e-4, 5e-5];
        let mut drifts = [0.0; 3];
        for (found, h) in drifts.iter_mut().zip(steps) {
            *found = drift(&TippeTop { mu, h, t_end: 1.0, ..TippeTop::default() }.simulate()?);
        }
        let observed = observed_order(&steps, &drifts);
        assert!(drifts[2] < 1e-3 && observed.order > 0.9, "mu {mu}: {observed:?} of {drifts:?}");
    }
    Ok(())
}

#[test]
fn rolling_friction_does_not() -> Result<(), ExampleError> {
    let top = TippeTop { h: 2e-4, t_end: 1.0, ..TippeTop::default() };
    let without = drift(&top.simulate()?);
    let with = drift(&TippeTop { mu_rolling: 1e-4, ..top }.simulate()?);
    assert!(with > 5.0 * without, "{with} {without}");
    Ok(())
}

#[test]
fn about_its_own_axis_it_rolls_and_stays_upright() -> Result<(), ExampleError> {
    let table = TippeTop { about_own_axis: true, t_end: 1.0, ..TippeTop::default() }.simulate()?;
    let [across, _, along] = INERTIA;
    // Routh's integral is the third integral of a rolling ball.
    let routh = |row: &[f64]| {
        let u = row[COSINE];
        let moment = across * (1.0 - u * u) + along * (u - OFFSET / RADIUS).powi(2);
        row[SPIN] * (across * along + MASS * RADIUS.powi(2) * moment).sqrt()
    };
    let rolling: Vec<&[f64]> = table.rows().filter(|row| row[0] > 0.3).collect();
    let of_first = (routh(rolling[0]), rolling[0][ENERGY]);
    for row in rolling {
        assert!(row[COSINE] > 0.995, "t = {}: {}", row[0], row[COSINE]);
        assert!((routh(row) / of_first.0 - 1.0).abs() < 1e-5, "t = {}: {}", row[0], routh(row));
        assert!((row[ENERGY] / of_first.1 - 1.0).abs() < 1e-5, "t = {}: {}", row[0], row[ENERGY]);
    }
    Ok(())
}
