//! Properties of the crowd: people do not overlap, people without contact walk as desired, and neither units
//! nor distant people change the motion.

use siconos_examples::sweeping::crowd::Crowd;
use siconos_testkit::compare::{assert_close, worse};

/// Returns the states of a simulation without their times.
fn states(crowd: &Crowd, h: f64, steps: u32) -> Vec<Vec<f64>> {
    let motion = crowd.simulate(h, steps).expect("it goes");
    motion.rows().map(|row| row[1..].to_vec()).collect()
}

#[test]
fn nobody_overlaps_and_who_is_free_walks_as_he_wishes() {
    let crowd = Crowd::waiting(30);
    for h in [0.1, 0.02] {
        let (mut sweep, mut q) = (crowd.sweep().expect("there are people"), crowd.start.clone());
        let (mut wish, mut free) = (vec![0.0; q.len()], 0);
        for k in 0..(6.0 / h) as u32 {
            let before = q.clone();
            crowd.wish(&q, &mut wish);
            assert!(sweep.step(h * f64::from(k), h, &mut q).expect("it goes").status.is_success());
            // The linearised distances are lower bounds of the distances, so no discs overlap.
            assert!(crowd.deepest_overlap(&q) < 1e-13, "{} at step {k}", crowd.deepest_overlap(&q));
            let mut is_pushed = vec![false; crowd.radii.len()];
            let rows = sweep.set().rows();
            for (row, _) in sweep.multipliers().iter().enumerate().filter(|(_, push)| **push > 0.0) {
                rows.entries(row).for_each(|(coordinate, _)| is_pushed[coordinate / 2] = true);
            }
            for (i, _) in is_pushed.iter().enumerate().filter(|(_, is_pushed)| !**is_pushed) {
                for coordinate in [2 * i, 2 * i + 1] {
                    let moved = before[coordinate] + h * wish[coordinate];
                    assert!((q[coordinate] - moved).abs() < 1e-14, "person {i} at step {k}");
                }
                free += 1;
            }
            // The projection does not increase the norm of the velocities.
            let size = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>();
            let moved: Vec<f64> = q.iter().zip(&before).map(|(q, before)| (q - before) / h).collect();
            assert!(size(&moved) <= size(&wish) * (1.0 + 1e-12));
        }
        assert!(free > 30, "{free}");
        let outside = q.chunks_exact(2).filter(|q| q[0] > crowd.length).count();
        assert!(outside >= 5, "{outside} have left");
    }
}

/// Scaling lengths and times by powers of two changes no bit of the significands.
#[test]
fn no_unit_counts() {
    let crowd = Crowd::waiting(12);
    let expected = states(&crowd, 0.0625, 48);
    for (length, time) in [(12, 0), (-20, 0), (0, 9), (7, -15)] {
        let power = |exponent: i32| 2.0_f64.powi(exponent);
        let scaled = |values: &[f64]| values.iter().map(|x| x * power(length)).collect::<Vec<f64>>();
        let other = Crowd {
            length: crowd.length * power(length),
            width: crowd.width * power(length),
            door: crowd.door * power(length),
            speed: crowd.speed * power(length - time),
            radii: scaled(&crowd.radii),
            start: scaled(&crowd.start),
        };
        let found = states(&other, 0.0625 * power(time), 48);
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, &scaled(expected), "2^{length} m, 2^{time} s");
        }
    }
}

/// An additional person who has already left does not change the motion of the others.
#[test]
fn a_person_far_away_changes_nothing() {
    let crowd = Crowd::waiting(16);
    let mut more = crowd.clone();
    more.radii.push(0.25);
    more.start.extend([crowd.length + 40.0, 0.5 * crowd.width]);
    for (few, many) in states(&crowd, 0.05, 80).iter().zip(states(&more, 0.05, 80)) {
        assert_close("q", few, &many[..few.len()], 1e-12, 0.0);
        assert_eq!(many.len(), few.len() + 2);
    }
    let last = states(&more, 0.05, 80).pop().expect("there are states");
    assert_close("far", &last[32..], &[crowd.length + 44.0, 0.5 * crowd.width], 1e-12, 0.0);
}

/// Each halving of the step changes the positions by less than the previous halving.
#[test]
fn shorter_steps_come_closer_to_each_other() {
    let crowd = Crowd::waiting(9);
    let ends: Vec<Vec<f64>> = (0..4)
        .map(|halving| {
            let steps = 20 << halving;
            states(&crowd, 1.0 / f64::from(steps), steps).pop().expect("there are states")
        })
        .collect();
    let apart = |k: usize| ends[k].iter().zip(&ends[k + 1]).map(|(a, b)| (a - b).abs()).fold(0.0, worse);
    assert!(apart(2) < 0.5 * apart(0) && apart(0) < 0.05, "{} {} {}", apart(0), apart(1), apart(2));
}
