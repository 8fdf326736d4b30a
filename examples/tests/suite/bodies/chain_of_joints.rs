//! Comparison of the chain with its energy, a closed form, and the chain in other units.

use siconos_examples::ExampleError;
use siconos_examples::chain_of_joints::ChainOfJoints;
use siconos_kernel::prelude::Projection;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;

const ENERGY: usize = 1;
const OFF: usize = 2;

#[test]
fn in_the_air_energy_has_an_error_of_order_2_and_no_joint_opens() -> Result<(), ExampleError> {
    for projection in [Projection::Direct, Projection::Combined] {
        let steps = [2e-3, 1e-3, 5e-4];
        let mut errors = [0.0; 3];
        for (error, h) in errors.iter_mut().zip(steps) {
            let chain =
                ChainOfJoints { h, t_end: 0.5, projection: Some(projection), ..ChainOfJoints::in_the_air() };
            for row in chain.simulate()?.rows() {
                *error = worse(*error, row[ENERGY].abs());
                assert!(row[OFF] < 1e-13, "{projection:?}, t = {}: {}", row[0], row[OFF]);
            }
        }
        let observed = observed_order(&steps, &errors);
        assert!((observed.order - 2.0).abs() < 0.1, "{projection:?}: {observed:?} of {errors:?}");
    }
    Ok(())
}

#[test]
fn without_projection_joints_drift() -> Result<(), ExampleError> {
    let chain = ChainOfJoints { projection: None, t_end: 0.5, ..ChainOfJoints::in_the_air() };
    let largest = chain.simulate()?.rows().map(|row| row[OFF]).fold(0.0, worse);
    assert!(largest > 1e-7, "{largest}");
    Ok(())
}

#[test]
fn one_rod_is_a_compound_pendulum() -> Result<(), ExampleError> {
    let chain = ChainOfJoints { rods: 1, t_end: 0.4, ..ChainOfJoints::in_the_air() };
    // The duration of the fall from the horizontal, in units of small swings, is the complete elliptic
    // integral of the first kind at m = 1/2 (Abramowitz and Stegun 1964, table 17.1).
    let about_end = chain.mass * chain.length.powi(2) * (1.0 / 3.0 + 1.0 / 1600.0);
    let expected =
        1.854_074_677_301_372 * (about_end / (0.5 * chain.mass * chain.gravity * chain.length)).sqrt();
    let mut errors = [0.0; 3];
    for (error, h) in errors.iter_mut().zip([2e-3, 1e-3, 5e-4]) {
        let table = ChainOfJoints { h, ..chain }.simulate()?;
        let rows: Vec<&[f64]> = table.rows().collect();
        let pair = rows.windows(2).find(|pair| pair[1][3] < 0.0).expect("it comes down");
        *error = (pair[0][0] + h * pair[0][3] / (pair[0][3] - pair[1][3]) - expected).abs();
    }
    // The error of the interpolation depends on the point in the step at which the rod is upright.
    assert!(errors[2] < 1e-6 && errors[2] < 0.2 * errors[0], "{errors:?}");
    Ok(())
}

#[test]
fn the_floor_takes_energy_and_holds_the_end() -> Result<(), ExampleError> {
    let chain = ChainOfJoints::default();
    let table = chain.simulate()?;
    let height = chain.height.expect("a floor");
    let rows: Vec<&[f64]> = table.rows().collect();
    let scale = chain.mass * chain.gravity * chain.length * 36.0;
    for pair in rows.windows(2) {
        assert!(pair[1][ENERGY] < pair[0][ENERGY] + 1e-4 * scale, "t = {}", pair[1][0]);
        assert!(pair[1][OFF] < 1e-13, "t = {}: {}", pair[1][0], pair[1][OFF]);
    }
    // The impact is detected when the end overlaps the floor by half the distance that it falls in a step.
    // The projection then removes the overlap.
    let lowest = rows.iter().flat_map(|row| row[3..].chunks_exact(2).map(|end| end[1]));
    let deepest = lowest.fold(0.0, f64::min);
    assert!(deepest > -height - 0.02, "{deepest}");
    assert!(rows[rows.len() - 1][ENERGY] < -1.0, "{:?}", rows[rows.len() - 1]);
    Ok(())
}

#[test]
fn units_change_no_bit() -> Result<(), ExampleError> {
    let power = |k: i32| 2.0_f64.powi(k);
    for height in [None, Some(0.8)] {
        // The chain has four rods of 0.25 m. If there is a floor, they hit it after half a second.
        let chain = ChainOfJoints { rods: 4, height, h: power(-9), t_end: 0.75, ..ChainOfJoints::default() };
        let expected = chain.simulate()?;
        if let Some(height) = height {
            let end = expected.rows().map(|row| row[10]).fold(0.0, f64::min);
            assert!(end < -height + 1e-3, "it falls on the floor: {end}");
        }
        for (mass, length, time) in [
            (power(11), 1.0, 1.0),
            (1.0, power(-9), 1.0),
            (1.0, 1.0, power(6)),
            (power(-20), power(10), power(-3)),
        ] {
            let scaled = ChainOfJoints {
                mass: mass * chain.mass,
                length: length * chain.length,
                gravity: chain.gravity * length / (time * time),
                height: height.map(|height| height * length),
                h: chain.h * time,
                t_end: chain.t_end * time,
                ..chain
            };
            let energy = mass * (length / time).powi(2);
            for (row, expected) in scaled.simulate()?.rows().zip(expected.rows()) {
                let units = [time, energy].into_iter().chain(std::iter::repeat(length));
                let found: Vec<u64> = row.iter().zip(units).map(|(x, unit)| (x / unit).to_bits()).collect();
                let bits: Vec<u64> = expected.iter().map(|x| x.to_bits()).collect();
                assert!(found == bits, "{mass} {length} {time}: {row:?} {expected:?}");
            }
        }
    }
    Ok(())
}
