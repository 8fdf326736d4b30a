//! Envelopes keep the extremes of a trajectory of any length.

use std::num::NonZeroUsize;

use siconos_io::trajectory::Envelope;
use siconos_testkit::allocation::peak_bytes;

fn envelope(intervals: usize, rows: impl IntoIterator<Item = (f64, f64)>) -> Envelope {
    let mut envelope = Envelope::new(2, 0, NonZeroUsize::new(intervals).expect("positive"));
    rows.into_iter().for_each(|(t, q)| envelope.push_row(&[t, q]));
    envelope
}

#[test]
fn a_short_trajectory_is_unchanged() {
    let rows: Vec<_> = (0..7).map(|k| (f64::from(k), f64::from(k * k % 5))).collect();
    for intervals in [7, 8, 100] {
        assert_eq!(envelope(intervals, rows.clone()).points(1), rows);
    }
    assert!(envelope(3, []).points(1).is_empty());
}

#[test]
fn every_interval_has_its_extremes_in_order() {
    for (most, count) in [(1, 9), (2, 9), (3, 10), (4, 64), (5, 1000), (64, 1000)] {
        // Values without a pattern, and two rows at each time, as at impacts.
        let rows: Vec<_> = (0..count).map(|k| (f64::from(k / 2), f64::from(k * 7919 % 1009))).collect();
        let envelope = envelope(most, rows.clone());
        assert_eq!(envelope.rows(), rows.len() as u64);
        let mut width = 1;
        while rows.len().div_ceil(width) > most {
            width *= 2;
        }
        let extremes = |interval: &[(f64, f64)]| {
            let lowest = interval.iter().copied().reduce(|a, b| if b.1 < a.1 { b } else { a });
            let highest = interval.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
            let is_extreme = |row: &(f64, f64)| Some(*row) == lowest || Some(*row) == highest;
            interval.iter().copied().filter(is_extreme).collect::<Vec<_>>()
        };
        let expected: Vec<_> = rows.chunks(width).flat_map(extremes).collect();
        assert_eq!(envelope.points(1), expected, "{most} intervals, {count} rows");
    }
}

#[test]
fn values_that_are_not_finite_are_gaps() {
    let row = |k: i32| match k {
        40 => f64::NAN,
        90 => f64::INFINITY,
        _ => f64::from(k),
    };
    let points = envelope(4, (0..128).map(|k| (f64::from(k), row(k)))).points(1);
    let shown: Vec<_> = points.iter().map(|(t, q)| (*t, format!("{q}"))).collect();
    let times: Vec<_> = shown.iter().map(|(t, _)| *t).collect();
    assert_eq!(times, [0.0, 31.0, 32.0, 40.0, 63.0, 64.0, 90.0, 95.0, 96.0, 127.0]);
    assert_eq!((&*shown[3].1, &*shown[6].1), ("NaN", "inf"));
    let all_nan = envelope(2, (0..100).map(|k| (f64::from(k), f64::NAN))).points(1);
    assert!((1..=2).contains(&all_nan.len()) && all_nan.iter().all(|(_, q)| q.is_nan()));
}

#[test]
fn memory_does_not_grow_with_the_rows() {
    let peak = |count: i32| peak_bytes(|| drop(envelope(64, (0..count).map(|k| (f64::from(k), 1.0)))));
    assert_eq!(peak(1000), peak(1_000_000));
}

#[test]
fn the_drawn_rows_contain_the_points_of_all_columns() {
    let rows: Vec<[f64; 3]> =
        (0..1000).map(|k| [k, k % 37, (k % 53) - 7]).map(|row| row.map(f64::from)).collect();
    let mut of_rows = Envelope::new(3, 0, NonZeroUsize::new(8).expect("positive"));
    rows.iter().for_each(|row| of_rows.push_row(row));
    let drawn = of_rows.drawn_rows();
    assert!(drawn.is_sorted_by(|a, b| a < b) && drawn.len() <= 3 * 2 * 8, "{drawn:?}");
    assert_eq!((drawn.first(), drawn.last()), (Some(&0), Some(&999)));
    for column in 0..3 {
        let is_drawn = |(x, y): &(f64, f64)| {
            drawn.iter().map(|row| rows[*row as usize]).any(|row| row[0] == *x && row[column] == *y)
        };
        assert!(of_rows.points(column).iter().all(is_drawn), "{column}");
    }
    // If no intervals have been joined, each row is drawn.
    let short = envelope(8, (0..5).map(|k| (f64::from(k), 1.0)));
    assert_eq!(short.drawn_rows(), [0, 1, 2, 3, 4]);
}
