//! Comparison of the slider-crank with its equations of motion in angles, which do not contain bodies and
//! joints.

use std::f64::consts::TAU;

use siconos_examples::ExampleError;
use siconos_examples::slider_crank_clearance::{
    CLEARANCE, CRANK, GRAVITY, MASSES, MOMENTS, OMEGA, ROD, SliderCrank,
};
use siconos_kernel::prelude::Projection;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;

/// Angles of crank and rod, and their rates.
type Angles = [f64; 4];

/// Returns the entries 11, 12 and 22 of the mass matrix of Flores, Leine and Glocker, without the rotation of
/// the slider.
fn mass([crank, rod, ..]: Angles) -> [f64; 3] {
    let [m1, m2, m3] = MASSES;
    [
        MOMENTS[0] + (0.25 * m1 + m2 + m3) * CRANK * CRANK,
        (0.5 * m2 + m3) * CRANK * ROD * (crank - rod).cos(),
        MOMENTS[1] + (0.25 * m2 + m3) * ROD * ROD,
    ]
}

/// Returns the solution x of M x = f with the mass matrix M.
fn solved(angles: Angles, f: [f64; 2]) -> [f64; 2] {
    let [a, b, d] = mass(angles);
    let determinant = a * d - b * b;
    [(d * f[0] - b * f[1]) / determinant, (a * f[1] - b * f[0]) / determinant]
}

fn rates(angles: Angles) -> Angles {
    let [crank, rod, of_crank, of_rod] = angles;
    let [m1, m2, m3] = MASSES;
    let coupled = (0.5 * m2 + m3) * CRANK * ROD * (crank - rod).sin();
    let f = [
        -coupled * of_rod * of_rod - (0.5 * m1 + m2 + m3) * GRAVITY * CRANK * crank.cos(),
        coupled * of_crank * of_crank - (0.5 * m2 + m3) * GRAVITY * ROD * rod.cos(),
    ];
    let [a, b] = solved(angles, f);
    [of_crank, of_rod, a, b]
}

/// Takes one step of the classical Runge-Kutta method.
fn stepped(angles: Angles, h: f64) -> Angles {
    let moved = |k: Angles, part: f64| std::array::from_fn(|i| angles[i] + part * h * k[i]);
    let k1 = rates(angles);
    let k2 = rates(moved(k1, 0.5));
    let k3 = rates(moved(k2, 0.5));
    let k4 = rates(moved(k3, 1.0));
    std::array::from_fn(|i| angles[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
}

/// Returns the gap of both upper corners of a slider that is not tilted.
fn gap([crank, rod, ..]: Angles) -> f64 {
    CLEARANCE - CRANK * crank.sin() - ROD * rod.sin()
}

/// Applies the impact of both upper corners with slip, with restitution 0.4 and friction 0.01.
fn after_impact(angles: Angles) -> Angles {
    let [crank, rod, of_crank, of_rod] = angles;
    let normal = [-CRANK * crank.cos(), -ROD * rod.cos()];
    let along = [-CRANK * crank.sin(), -ROD * rod.sin()];
    let rate = |w: [f64; 2]| w[0] * of_crank + w[1] * of_rod;
    let friction = -0.01 * rate(along).signum();
    let response = solved(angles, [normal[0] + friction * along[0], normal[1] + friction * along[1]]);
    let impulse = -1.4 * rate(normal) / (normal[0] * response[0] + normal[1] * response[1]);
    [crank, rod, of_crank + impulse * response[0], of_rod + impulse * response[1]]
}

/// Returns the angles at `t_end` after at most one impact, and the time of the impact.
fn by_angles(t_end: f64) -> (Angles, f64) {
    let h = 1e-6;
    let mut angles = [0.0, 0.0, OMEGA[0], OMEGA[1]];
    let (mut t, mut impact) = (0.0, f64::INFINITY);
    while t < t_end - 0.5 * h {
        let next = stepped(angles, h);
        angles = if gap(next) < 0.0 {
            let (mut before, mut after) = (0.0, h);
            for _ in 0..60 {
                let middle = 0.5 * (before + after);
                let side = if gap(stepped(angles, middle)) < 0.0 { &mut after } else { &mut before };
                *side = middle;
            }
            impact = t + before;
            stepped(after_impact(stepped(angles, before)), h - before)
        } else {
            next
        };
        t += h;
    }
    (angles, impact)
}

/// Returns the position of the slider, computed from the angles of crank and rod.
fn place([crank, rod, ..]: Angles) -> f64 {
    CRANK * crank.cos() + ROD * rod.cos()
}

#[test]
fn before_the_first_impact_bodies_move_as_angles_do() -> Result<(), ExampleError> {
    let t_end = 2e-3;
    let (expected, _) = by_angles(t_end);
    let steps = [2e-5, 1e-5, 5e-6];
    let mut errors = [0.0; 3];
    for (error, h) in errors.iter_mut().zip(steps) {
        let table = SliderCrank { h, t_end, ..SliderCrank::with_clearance() }.simulate()?;
        let row = table.rows().last().expect("a row");
        *error = worse((row[1] - expected[0]).abs(), (row[3] - place(expected)).abs());
    }
    let observed = observed_order(&steps, &errors);
    assert!(errors[2] < 1e-7 && (observed.order - 2.0).abs() < 0.1, "{observed:?} of {errors:?}");
    Ok(())
}

#[test]
fn the_first_impact_is_that_of_the_published_equations() -> Result<(), ExampleError> {
    let (t_end, h) = (5e-3, 1e-5);
    let (expected, impact) = by_angles(t_end);
    let table = SliderCrank { h, t_end, ..SliderCrank::with_clearance() }.simulate()?;
    let rows: Vec<&[f64]> = table.rows().collect();
    let rate = |pair: &[&[f64]]| (pair[1][5] - pair[0][5]) / h;
    let bounce = rows.windows(2).position(|pair| rate(pair) > 0.05).expect("it bounces");
    assert!((rows[bounce][0] - impact).abs() < 1.5 * h, "{} {impact}", rows[bounce][0]);
    let (before, after) = (rate(&rows[bounce - 2..bounce]), rate(&rows[bounce + 1..bounce + 3]));
    assert!((after / before + 0.4).abs() < 0.01, "{before} {after}");
    // The impact is late by at most a step, and all later positions are late by the same time.
    let last = rows[rows.len() - 1];
    let off = [last[1] - expected[0], last[3] - place(expected), last[5] - gap(expected)];
    assert!(off.iter().all(|off| off.abs() < 3e-5) && off[2].abs() < 1.5e-5, "{off:?}");
    // Both corners of a side hit simultaneously, so that the slider does not tilt.
    assert!(rows.iter().all(|row| row[2].abs() < 1e-9));
    Ok(())
}

#[test]
fn the_ideal_slider_is_where_its_crank_says() -> Result<(), ExampleError> {
    for projection in [Projection::Direct, Projection::Combined] {
        let table = SliderCrank { projection: Some(projection), ..SliderCrank::ideal() }.simulate()?;
        for row in table.rows() {
            let (sine, cosine) = row[1].sin_cos();
            let expected = CRANK * cosine + (ROD * ROD - (CRANK * sine).powi(2)).sqrt();
            assert!((row[3] - expected).abs() < 1e-9, "t = {}: {} {expected}", row[0], row[3]);
        }
    }
    Ok(())
}

/// Returns two quantities of the ideal mechanism: twice the kinetic energy divided by the square of the rate
/// of the crank, and the potential energy.
fn of_crank_angle(crank: f64) -> (f64, f64) {
    let rod = (-CRANK / ROD * crank.sin()).asin();
    let ratio = -CRANK * crank.cos() / (ROD * rod.cos());
    let [a, b, d] = mass([crank, rod, 0.0, 0.0]);
    let [m1, m2, m3] = MASSES;
    let heights = (0.5 * m1 + m2 + m3) * CRANK * crank.sin() + (0.5 * m2 + m3) * ROD * rod.sin();
    (a + 2.0 * b * ratio + d * ratio * ratio, GRAVITY * heights)
}

#[test]
fn a_turn_of_the_ideal_crank_takes_the_time_that_its_energy_says() -> Result<(), ExampleError> {
    let (inertia, potential) = of_crank_angle(0.0);
    let energy = 0.5 * inertia * OMEGA[0] * OMEGA[0] + potential;
    // The trapezoidal rule is very accurate for a periodic function.
    let parts = 256;
    let slowness = |k: u32| {
        let (inertia, potential) = of_crank_angle(TAU * f64::from(k) / f64::from(parts));
        (inertia / (2.0 * (energy - potential))).sqrt()
    };
    let turn = (0..parts).map(slowness).sum::<f64>() * TAU / f64::from(parts);
    let mut errors = [0.0; 3];
    for (error, h) in errors.iter_mut().zip([2e-4, 1e-4, 5e-5]) {
        let table = SliderCrank { h, t_end: 0.08, ..SliderCrank::ideal() }.simulate()?;
        let rows: Vec<&[f64]> = table.rows().collect();
        let pair = rows.windows(2).find(|pair| pair[1][1] >= TAU).expect("it turns");
        let part = (TAU - pair[0][1]) / (pair[1][1] - pair[0][1]);
        *error = (pair[0][0] + part * h - turn).abs();
        let changes = rows.iter().map(|row| (row[9] / energy - 1.0).abs());
        assert!(changes.fold(0.0, worse) < 2e3 * (h / 0.01).powi(2), "h = {h}");
    }
    assert!(errors[2] < 1e-5 && errors[2] < 0.3 * errors[0], "{turn}: {errors:?}");
    Ok(())
}

#[test]
fn under_combined_projection_no_corner_overlaps() -> Result<(), ExampleError> {
    let projection = Some(Projection::Combined);
    for tilting in [0.0, 1.0] {
        let slider = SliderCrank { tilting, projection, t_end: 0.05, ..SliderCrank::with_clearance() };
        let table = slider.simulate()?;
        assert!(table.rows().all(|row| row[5..9].iter().all(|gap| *gap > -1e-15)), "{tilting}");
        // The corners touch the guide.
        assert!(table.rows().any(|row| row[5].abs() < 1e-15), "{tilting}");
    }
    Ok(())
}

#[test]
fn under_direct_projection_a_corner_overlaps_by_no_more_than_it_moves_in_a_step() -> Result<(), ExampleError>
{
    let deepest = |projection| -> Result<f64, ExampleError> {
        let slider = SliderCrank { tilting: 1.0, projection, ..SliderCrank::with_clearance() };
        let table = slider.simulate()?;
        Ok(table.rows().flat_map(|row| row[5..9].to_vec()).fold(f64::INFINITY, f64::min))
    };
    let (without, direct) = (deepest(None)?, deepest(Some(Projection::Direct))?);
    assert!(without < -1e-6 && direct > -6e-5, "{without} {direct}");
    Ok(())
}

#[test]
fn a_tilted_slider_stays_in_its_guide_and_loses_energy() -> Result<(), ExampleError> {
    let table = SliderCrank { tilting: 1.0, ..SliderCrank::with_clearance() }.simulate()?;
    let largest = table.rows().map(|row| row[2].abs()).fold(0.0, worse);
    assert!(largest > 1e-3, "it tilts: {largest}");
    let rows: Vec<&[f64]> = table.rows().collect();
    for row in &rows {
        // A corner that moves at 3 m/s overlaps by the distance that it moves in a step.
        assert!(row[5..9].iter().all(|gap| (-6e-5..=2.06e-3).contains(gap)), "{row:?}");
    }
    assert!(rows.windows(2).all(|pair| pair[1][9] < pair[0][9] + 1e-4 * rows[0][9]));
    assert!(rows[rows.len() - 1][9] < 0.98 * rows[0][9]);
    Ok(())
}
