//! Comparison of the heavy top with its steady precession and its first integrals.

use siconos_examples::ExampleError;
use siconos_examples::heavy_top::{
    GRAVITY, HeavyTop, INCLINATION, INERTIA, LENGTH, MASS, SPIN, lowest_cosine, slow_precession,
};
use siconos_kernel::simulation::JointReaction;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;

#[test]
fn the_rate_of_precession_solves_its_equation() {
    let (p, about_pivot) = (slow_precession(), INERTIA[0] + MASS * LENGTH * LENGTH);
    let rest = about_pivot * p * p * INCLINATION.cos() - INERTIA[2] * SPIN * p + MASS * GRAVITY * LENGTH;
    assert!(rest.abs() < 1e-14 && p < 1.0, "{p}: {rest}");
}

#[test]
fn steady_precession_has_the_order_of_the_reaction() -> Result<(), ExampleError> {
    for (joint_reaction, order, largest) in
        [(JointReaction::Middle, 2.0, 2e-5), (JointReaction::End, 1.0, 2e-2)]
    {
        let top = HeavyTop { joint_reaction, ..HeavyTop::steady() };
        let steps = [2e-3, 1e-3, 5e-4];
        let mut errors = [0.0; 3];
        for (error, h) in errors.iter_mut().zip(steps) {
            *error = HeavyTop { h, ..top }.largest_change()?;
        }
        assert!(errors[1] < largest, "{joint_reaction:?}: {errors:?}");
        let observed = observed_order(&steps, &errors);
        assert!((observed.order - order).abs() < 0.05, "{joint_reaction:?}: {observed:?}");
    }
    Ok(())
}

#[test]
fn the_axis_goes_round_at_the_rate_of_precession() -> Result<(), ExampleError> {
    let steps = [2e-3, 1e-3];
    let mut errors = [0.0; 2];
    for (error, h) in errors.iter_mut().zip(steps) {
        let table = HeavyTop { h, ..HeavyTop::steady() }.simulate()?;
        for row in table.rows() {
            let off = row[2].atan2(row[1]) - slow_precession() * row[0];
            *error = worse(off.abs(), *error);
        }
    }
    let observed = observed_order(&steps, &errors);
    assert!(errors[1] < 3e-4 && (observed.order - 2.0).abs() < 0.1, "{observed:?}");
    Ok(())
}

#[test]
fn without_precession_the_axis_falls_as_far_as_its_integrals_allow() -> Result<(), ExampleError> {
    let (upper, lower) = (INCLINATION.cos(), lowest_cosine());
    // The root, computed as written in the documentation.
    let momentum = INERTIA[2] * SPIN;
    let about_pivot = INERTIA[0] + MASS * LENGTH * LENGTH;
    let fall = 2.0 * about_pivot * MASS * GRAVITY * LENGTH * (1.0 - lower * lower);
    assert!((momentum * momentum * (upper - lower) - fall).abs() < 1e-13);
    let mut errors = [0.0; 2];
    for (error, h) in errors.iter_mut().zip([2e-3, 1e-3]) {
        let table = HeavyTop { h, ..HeavyTop::let_go() }.simulate()?;
        let fallen = table.rows().map(|row| upper - row[3]).fold(0.0, worse);
        let risen = table.rows().skip(100).map(|row| row[3] - lower).fold(0.0, worse);
        *error = worse((fallen - (upper - lower)).abs(), (risen - (upper - lower)).abs());
    }
    // The curve is sampled once per step, so its extremes also have an error of order 2.
    assert!(errors[1] < 2e-5 && errors[1] < 0.35 * errors[0], "{errors:?}");
    Ok(())
}

#[test]
fn energy_is_kept_by_a_reaction_in_the_middle() -> Result<(), ExampleError> {
    let change = |joint_reaction| -> Result<f64, ExampleError> {
        let table = HeavyTop { joint_reaction, ..HeavyTop::steady() }.simulate()?;
        let energies: Vec<f64> = table.rows().map(|row| row[4]).collect();
        Ok(energies.iter().map(|energy| (energy - energies[0]).abs()).fold(0.0, worse))
    };
    let (middle, end) = (change(JointReaction::Middle)?, change(JointReaction::End)?);
    assert!(middle < 1e-3 * end, "{middle} {end}");
    Ok(())
}
