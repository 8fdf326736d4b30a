//! Comparison of the scenes with equilibrium, limit analysis and the energy balance.

use siconos_examples::ExampleError;
use siconos_examples::scenes::Accuracy;
use siconos_examples::scenes::box_stack::BoxStack;
use siconos_examples::scenes::hopper::Hopper;
use siconos_examples::scenes::masonry_arch::{LEAST_THICKNESS, MasonryArch, Snapshot};
use siconos_examples::scenes::rotating_drum::RotatingDrum;
use siconos_examples::scenes::sphere_column::SphereColumn;
use siconos_examples::scenes::terrain::Terrain;
use siconos_examples::scenes::vehicle::Vehicle;
use siconos_testkit::compare::worse;

/// Returns the arch after a time \[s\].
fn arch_after(t: f64, factor: f64) -> Result<Snapshot, ExampleError> {
    let arch = MasonryArch { thickness: factor * LEAST_THICKNESS, ..MasonryArch::default() };
    Ok(arch.simulate(&[t])?.pop().expect("a snapshot"))
}

#[test]
fn the_line_of_thrust_lies_in_the_arch_that_stands() -> Result<(), ExampleError> {
    let stands = arch_after(0.3, 1.02)?;
    assert!(stands.speed < 1e-9, "{:e}", stands.speed);
    assert!(stands.hinges.is_empty() && stands.thrust.len() == 16);
    let half = 0.51 * LEAST_THICKNESS;
    for (x, y) in &stands.thrust {
        // The edges of a joint are at the corners, on the circles.
        assert!((x.hypot(*y) - 1.0).abs() < half + 1e-9, "{x} {y}");
    }
    let [right, left] = stands.springers;
    assert!((right[0] + left[0]).abs() < 1e-6 * right[1], "{right:?} {left:?}");
    Ok(())
}

#[test]
fn a_thin_arch_falls_as_a_mechanism_of_six_hinges() -> Result<(), ExampleError> {
    let falls = arch_after(0.4, 0.98)?;
    // Two hinges at the springers, at the haunches, and on both sides of the crown.
    assert_eq!(falls.hinges.len(), 6, "{:?}", falls.hinges);
    let radii: Vec<f64> = falls.hinges.iter().map(|(x, y)| x.hypot(*y)).collect();
    assert!(radii[0] > 1.0 && radii[1] < 1.0 && radii[4] < 1.0 && radii[5] > 1.0, "{radii:?}");
    Ok(())
}

#[test]
fn the_impulse_on_the_floor_is_the_change_of_momentum() -> Result<(), ExampleError> {
    let stack = BoxStack { boxes: 4, t_end: 0.2, ..BoxStack::dropped() };
    let table = stack.simulate()?;
    let impulse: f64 = table.rows().map(|row| stack.h * row[1]).sum();
    // The stack is at rest at the start and at the end.
    assert!((impulse / stack.t_end - 1.0).abs() < 1e-3, "{impulse}");
    Ok(())
}

#[test]
fn a_collapsing_column_gains_no_energy() -> Result<(), ExampleError> {
    let column = SphereColumn { side: 3, layers: 4, t_end: 0.5, ..SphereColumn::default() };
    let collapse = column.simulate(&[0.5])?;
    let total: Vec<(f64, f64)> = collapse.table.rows().map(|row| (row[1] + row[2], row[4])).collect();
    // Without the work that lifts spheres out of overlaps.
    let gains = total.windows(2).map(|pair| pair[1].0 - pair[0].0 - pair[1].1);
    let gain = gains.fold(f64::NEG_INFINITY, worse);
    // A contact that opens and closes within a step gains at most m g^2 h^2 / 8.
    let error = 36.0 * column.mass() * (column.gravity * column.h).powi(2) / 8.0;
    assert!(gain < error, "{gain:e} {error:e}");
    // The overlap with the ground is at most the distance that a sphere falls in a step.
    let height = 2.0 * column.radius * column.layers as f64;
    let overlap = column.h * (2.0 * column.gravity * height).sqrt();
    assert!(collapse.snapshots[0].iter().all(|[.., z]| *z > column.radius - overlap));
    Ok(())
}

#[test]
fn discs_stay_in_the_drum_and_are_carried_along() -> Result<(), ExampleError> {
    let few = RotatingDrum { discs: 60, disc_radius: 0.02, ..RotatingDrum::default() };
    let drum = RotatingDrum { omega: 1.5, h: 5e-3, t_end: 1.0, ..few };
    let tumbling = drum.simulate()?;
    assert!(tumbling.end.iter().all(|[x, y, _]| x.hypot(*y) < drum.radius));
    let Accuracy { steps, unconverged, largest_error, .. } = tumbling.accuracy;
    assert!(steps == 200 && unconverged == 0 && largest_error <= drum.tolerance, "{largest_error:e}");
    // The bed rises with the drum until its surface is unstable.
    let slopes: Vec<f64> = tumbling.table.rows().map(|row| row[1]).collect();
    let steepest = slopes.iter().copied().fold(0.0, worse);
    assert!(steepest > 20.0 && steepest < 60.0, "{steepest}");
    // It then flows down.
    let last = *slopes.last().expect("a row");
    assert!(last > 10.0 && last < steepest - 2.0, "{last} {steepest}");
    Ok(())
}

/// In step 257, none of sweeps, interior points and proximal points solves the contacts with default effort.
#[test]
fn fifty_discs_with_much_friction_tumble() -> Result<(), ExampleError> {
    let many = RotatingDrum { discs: 55, disc_radius: 0.018, mu: 0.5, ..RotatingDrum::default() };
    let drum = RotatingDrum { omega: 1.0, h: 2e-3, t_end: 0.53, tolerance: 1e-8, ..many };
    let tumbling = drum.simulate()?;
    assert!(tumbling.end.iter().all(|[x, y, _]| x.hypot(*y) < drum.radius));
    assert_eq!(tumbling.accuracy.unconverged, 0, "{}", tumbling.accuracy);
    Ok(())
}

#[test]
fn a_hopper_discharges_at_a_steady_rate() -> Result<(), ExampleError> {
    let hopper = Hopper { grains: 400, opening: 0.9, tolerance: 1e-2, t_end: 2.6, ..Hopper::default() };
    let discharge = hopper.simulate(&[0.9])?;
    assert_eq!(discharge.accuracy.unconverged, 0, "{}", discharge.accuracy);
    let rows: Vec<&[f64]> = discharge.table.rows().collect();
    assert!(
        rows.iter().all(|row| row[1] <= hopper.feed_rate * row[0] + 1.0),
        "the grains keep to the feed rate"
    );
    assert!(rows.iter().all(|row| row[0] > hopper.opening || row[2] == 0.0), "the gate is closed");
    let last = rows.last().expect("a row");
    assert_eq!(last[1], 0.0, "the hopper is empty");
    let total = 400.0 * hopper.mass(hopper.grain_radius) * (1.0 + hopper.disorder.powi(2) / 3.0);
    assert!((last[2] / total - 1.0).abs() < 0.05, "{} {total}", last[2]);
    // The rate hardly depends on the height of the bed. Each half contains only 80 grains.
    let steady = hopper.steady_rate(&discharge).expect("a rate");
    assert!((steady.ratio_of_halves - 1.0).abs() < 0.25, "{steady:?}");
    // Less than in a hexagonal lattice of equal discs.
    let fraction = steady.bulk_density / hopper.density;
    assert!(fraction > 0.65 && fraction < 0.9069, "{fraction}");
    // Between the law for slots in flat bottoms and twice this rate.
    let slot = hopper.beverloo(steady.bulk_density, 0.99, 1.4);
    assert!(steady.rate > slot && steady.rate < 2.0 * slot, "{} {slot}", steady.rate);
    // Grains overlap by at most the distance that the fastest of them falls in a step.
    let grains = &discharge.snapshots[0];
    let overlap = hopper.h * (2.0 * hopper.gravity * hopper.height + hopper.feed_speed.powi(2)).sqrt();
    assert!(grains.len() > 150, "{}", grains.len());
    for (index, a) in grains.iter().enumerate() {
        for b in &grains[..index] {
            let distance = (a.centre[0] - b.centre[0]).hypot(a.centre[1] - b.centre[1]);
            assert!(distance > a.radius + b.radius - overlap, "{a:?} {b:?}");
        }
    }
    Ok(())
}

#[test]
fn bodies_slide_down_the_plane_of_a_terrain_with_constant_acceleration() -> Result<(), ExampleError> {
    let terrain = Terrain { t_end: 1.2, ..Terrain::default() };
    let descent = terrain.simulate(&[])?;
    assert_eq!(descent.accuracy.unconverged, 0, "{}", descent.accuracy);
    assert_eq!(descent.paths.len(), 6);
    for (body, path) in descent.paths.iter().enumerate() {
        let travel = terrain.travel_on_plane(&descent, body);
        assert_eq!(travel.len(), 601, "all bodies are on the plane");
        for (t, travel) in travel {
            let exact = 0.5 * terrain.sliding_acceleration() * t * t;
            assert!((travel - exact).abs() < 1e-8, "body {body}, t = {t}: {travel} {exact}");
        }
        let drift = path.iter().map(|[_, y, _]| (y - path[0][1]).abs()).fold(0.0, worse);
        assert!(drift < 1e-8, "body {body}: {drift:e}");
    }
    Ok(())
}

#[test]
fn bodies_come_to_rest_on_a_terrain_and_the_energies_balance() -> Result<(), ExampleError> {
    let terrain = Terrain { h: 4e-3, t_end: 5.0, ..Terrain::default() };
    let descent = terrain.simulate(&[])?;
    assert_eq!(descent.accuracy.unconverged, 0, "{}", descent.accuracy);
    let rows: Vec<&[f64]> = descent.table.rows().collect();
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    let lost = first[2] - last[2];
    assert!(lost > 5e3 && last[1] < 1e-3 * lost, "{lost} {last:?}");
    let balance = rows.iter().map(|row| row[5].abs()).fold(0.0, worse);
    assert!(balance < 1e-9 * lost, "{balance:e}");
    // Friction and impacts together dissipate in each step, up to the error of the contact problems.
    let dissipated = rows.windows(2).map(|pair| pair[1][3] + pair[1][4] - pair[0][3] - pair[0][4]);
    let least = dissipated.fold(f64::INFINITY, f64::min);
    assert!(least > -1e-8 * lost, "{least:e}");
    for [x, y, z] in descent.paths.iter().flatten() {
        assert!(*z > terrain.height(*x, *y), "{x} {y} {z}");
    }
    Ok(())
}

/// On level ground, all motors accelerate the vehicle with their stall moments, and it then keeps the speed
/// without load.
#[test]
fn a_vehicle_accelerates_to_the_speed_of_its_motors() -> Result<(), ExampleError> {
    let vehicle = Vehicle { t_end: 1.0, ..Vehicle::on_level_ground() };
    let table = vehicle.simulate(&[])?.table;
    let speeds: Vec<(f64, f64)> = table.rows().map(|row| (row[0], row[2])).collect();
    assert_eq!(speeds.len(), 201);
    let full = vehicle.omega - vehicle.moment / vehicle.gain;
    for (t, speed) in &speeds {
        let expected = vehicle.acceleration() * t;
        if expected < 0.9 * full * vehicle.radius {
            assert!((speed - expected).abs() < 0.01 * full * vehicle.radius, "t = {t}: {speed} {expected}");
        }
    }
    let (_, last) = speeds[200];
    assert!((last / (vehicle.omega * vehicle.radius) - 1.0).abs() < 5e-3, "{last}");
    let pitch = table.rows().map(|row| row[4].abs()).fold(0.0, worse);
    assert!(pitch < 0.1, "{pitch}");
    Ok(())
}
