//! Chains of plastic springs: in series, in parallel, under cyclic loads.

use siconos_examples::sweeping::plastic_chain::{Chain, Spring};
use siconos_io::trajectory::Table;
use siconos_testkit::compare::{assert_close, assert_near};

fn spring(from: usize, stiffness: f64, strength: f64) -> Spring {
    Spring { from, to: from + 1, stiffness, strength }
}

/// Returns the columns of a kind, s or p, in the last row.
fn last(motion: &Table, kind: char, count: usize) -> Vec<f64> {
    let value = |i: usize| motion.column(&format!("{kind}{i}")).expect("there is one").last().expect("a row");
    (0..count).map(value).collect()
}

/// The stiffness k of springs in series satisfies 1 / k = sum of 1 / k_i, and the force is at most the
/// smallest strength.
#[test]
fn behind_each_other_the_weakest_yields() {
    let springs = vec![spring(0, 2.0, 1.0), spring(1, 5.0, 0.6), spring(2, 1.0, 0.9)];
    let chain = Chain { springs, length: |t| t };
    let stiffness = 1.0 / (1.0 / 2.0 + 1.0 / 5.0 + 1.0);
    let motion = chain.simulate(0.01, 200).expect("it goes");
    for row in motion.rows() {
        let [_t, length, force, _dissipated, ..] = row else { panic!("columns") };
        let expected = (stiffness * length).min(0.6);
        assert_near(*force, expected, 1e-13);
        assert_close("stresses", &row[4..7], &[expected; 3], 1e-13, 0.0);
        let plastic = (length - 0.6 / stiffness).max(0.0);
        assert_close("plastic", &row[7..], &[0.0, plastic, 0.0], 1e-12, 0.0);
    }
}

/// Springs in parallel have equal elongations. The force of each grows with its stiffness up to its strength,
/// and the final force is the sum of the strengths.
#[test]
fn beside_each_other_the_strengths_add_up() {
    let springs = vec![spring(0, 4.0, 1.0), spring(0, 1.0, 0.75), spring(0, 8.0, 0.5)];
    let motion = Chain { springs, length: |t| t }.simulate(0.01, 150).expect("it goes");
    for row in motion.rows() {
        let length = row[1];
        let expected = (4.0 * length).min(1.0) + length.min(0.75) + (8.0 * length).min(0.5);
        assert_near(row[2], expected, 1e-13);
    }
    assert_near(motion.column("force").expect("there is one").last().expect("a row"), 2.25, 1e-13);
}

/// One spring under the amplitude D dissipates 4 c (D - c / k) per cycle. If it does not yield, it dissipates
/// no energy.
#[test]
fn a_cycle_dissipates_its_loop() {
    for (stiffness, strength) in [(3.0, 1.0), (8.0, 0.5), (1.0, 2.0)] {
        let springs = vec![spring(0, stiffness, strength)];
        let chain = Chain { springs, length: |t| 1.5 * (std::f64::consts::TAU * t).sin() };
        let motion = chain.simulate(1.0 / 400.0, 1200).expect("it goes");
        let dissipated = |cycle: usize| motion.row(400 * cycle)[3];
        let loss = 4.0 * strength * (1.5 - strength / stiffness).max(0.0);
        for cycle in 1..3 {
            assert_near(dissipated(cycle + 1) - dissipated(cycle), loss, 1e-12);
        }
        // The work at the end of the spring equals the dissipation.
        let mut work = 0.0;
        for k in 400..800 {
            let (a, b) = (motion.row(k), motion.row(k + 1));
            work += 0.5 * (a[2] + b[2]) * (b[1] - a[1]);
        }
        assert!((work - loss).abs() < 5e-3 * loss.max(1e-9), "{work} {loss}");
    }
}

/// The stresses respect the strengths and the equilibrium at the nodes, the elongations are compatible, and
/// the dissipation is correct.
#[test]
fn stresses_are_admissible_and_elongations_fit_each_other() {
    let chain = Chain::default();
    let motion = chain.simulate(1.0 / 256.0, 768).expect("it goes");
    let mut before = 0.0;
    for row in motion.rows() {
        let (s, p) = (&row[4..9], &row[9..14]);
        for (stress, spring) in s.iter().zip(&chain.springs) {
            assert!(stress.abs() <= spring.strength * (1.0 + 1e-13));
        }
        assert_near(s[0] + s[1], s[2] + s[4], 1e-13);
        assert_near(s[2], s[3], 1e-13);
        assert_near(row[2], s[3] + s[4], 1e-13);
        let elongation = |i: usize| s[i] / chain.springs[i].stiffness + p[i];
        assert_near(elongation(0), elongation(1), 1e-12);
        assert_near(elongation(2) + elongation(3), elongation(4), 1e-12);
        assert_near(elongation(0) + elongation(4), row[1], 1e-12);
        assert!(row[3] >= before - 1e-14, "{} after {before}", row[3]);
        before = row[3];
    }
    // The stresses have converged, because the second and the third cycle agree up to rounding.
    assert_close("stresses", &motion.row(512)[4..9], &motion.row(768)[4..9], 1e-12, 0.0);
    assert_eq!(last(&motion, 's', 5).len(), 5);
}

/// Scaling forces, lengths and times by powers of two changes no bit of the significands.
#[test]
fn no_unit_counts() {
    let lengths: [fn(f64) -> f64; 2] = [|t| t * (3.0 - t), |t| 1024.0 * (t / 4.0) * (3.0 - t / 4.0)];
    let chain = |length: f64, force: f64, at: fn(f64) -> f64| Chain {
        springs: Chain::default()
            .springs
            .into_iter()
            .map(|s| Spring { stiffness: s.stiffness * force / length, strength: s.strength * force, ..s })
            .collect(),
        length: at,
    };
    let one = chain(1.0, 1.0, lengths[0]).simulate(0.0625, 48).expect("it goes");
    let other = chain(1024.0, 0.03125, lengths[1]).simulate(0.25, 48).expect("it goes");
    for (one, other) in one.rows().zip(other.rows()) {
        let scales = [4.0, 1024.0, 0.03125, 32.0].into_iter().chain([0.03125; 5]).chain([1024.0; 5]);
        let scaled: Vec<f64> = one.iter().zip(scales).map(|(value, scale)| value * scale).collect();
        assert_eq!(other, scaled);
    }
}
