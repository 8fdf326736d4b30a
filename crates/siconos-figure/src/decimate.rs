//! Reduction of the number of points without a visible change of the picture.
//!
//! A trajectory has tens of thousands of points, and a panel a few hundred pixels. The extrema must be kept:
//! the peak of an impact force can be a single point. Therefore, among successive points in one pixel column,
//! the first, the lowest, the highest and the last are kept. The line through them covers the same pixels as
//! the line through all points. The curve can have any shape: a phase portrait that passes through a column
//! many times keeps four points of each passage.
//!
//! In a second step, points within a tenth of a pixel of the line through the remaining points are removed
//! (Douglas and Peucker 1973), so smooth curves need few points.

use std::collections::{BTreeMap, BTreeSet};

/// Position in the picture, in pixels from the upper left corner.
pub(crate) type Pixel = (f64, f64);

/// Width of a column in pixels, for curves that are not functions of x.
const TURNING: f64 = 0.2;

/// Maximum deviation from a straight line that is not visible, in pixels.
const STRAIGHT: f64 = 0.1;

/// Width in pixels below which a piece of a curve between two gaps is drawn as a vertical line.
const NARROW: f64 = 0.2;

/// Size in pixels of a cell in which only one dot of a curve is kept.
const DOT_CELL: f64 = 1.0;
/// Maximum number of dots of a curve.
const MOST_DOTS: usize = 1200;

/// Size in pixels of a cell in which only one dot of a cloud is kept.
const FINE_CELL: f64 = 0.5;
/// Maximum number of dots of a cloud.
const MOST_FINE_DOTS: usize = 50_000;

/// Pieces of a curve between its gaps.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Segments {
    /// Polylines with a reduced number of points.
    pub(crate) long: Vec<Vec<Pixel>>,
    /// Pieces of invisible width, as vertical lines. A curve with a gap in each of a thousand periods has
    /// many of them in one pixel column, and most of them overlap.
    pub(crate) short: Vec<(Pixel, Pixel)>,
    /// Pieces that are small enough to be drawn as a single point.
    pub(crate) lonely: Vec<Pixel>,
}

impl Segments {
    fn take(&mut self, stretch: &[Pixel]) {
        let Some(&first) = stretch.first() else { return };
        let range = |of: fn(&Pixel) -> f64| {
            let ends = (f64::INFINITY, f64::NEG_INFINITY);
            stretch.iter().map(of).fold(ends, |(low, high), x| (low.min(x), high.max(x)))
        };
        let ((left, right), (top, bottom)) = (range(|place| place.0), range(|place| place.1));
        if right - left >= NARROW {
            self.long.push(simplified(&thin(stretch)));
        } else if bottom - top >= STRAIGHT {
            self.short.push(((first.0, top), (first.0, bottom)));
        } else {
            self.lonely.push(first);
        }
    }
}

/// Splits a curve at the points that are not finite.
pub(crate) fn stretches(points: impl IntoIterator<Item = Pixel>) -> Segments {
    let mut stretches = Segments::default();
    let mut current = Vec::new();
    for point in points {
        if point.0.is_finite() && point.1.is_finite() {
            current.push(point);
        } else {
            stretches.take(&current);
            current.clear();
        }
    }
    stretches.take(&current);
    stretches
}

/// Keeps the first, the lowest, the highest and the last of successive points in one pixel column.
fn thin(points: &[Pixel]) -> Vec<Pixel> {
    // If the curve is not a function of x, its extrema in x must be kept as well, so the columns are narrow.
    let width = if points.is_sorted_by(|a, b| a.0 <= b.0) { 1.0 } else { TURNING };
    let mut kept = Vec::with_capacity(points.len().min(4096));
    for cell in points.chunk_by(|a, b| (a.0 / width).floor() == (b.0 / width).floor()) {
        let mut indices = [0, 0, 0, cell.len() - 1];
        for (index, point) in cell.iter().enumerate() {
            if point.1 < cell[indices[1]].1 {
                indices[1] = index;
            }
            if point.1 > cell[indices[2]].1 {
                indices[2] = index;
            }
        }
        indices.sort_unstable();
        let mut previous = None;
        for index in indices {
            if previous != Some(index) {
                kept.push(cell[index]);
            }
            previous = Some(index);
        }
    }
    kept
}

/// Removes the points within `STRAIGHT` of the line through the remaining points.
fn simplified(points: &[Pixel]) -> Vec<Pixel> {
    let mut keep = vec![false; points.len()];
    let mut spans = Vec::new();
    if let Some(last) = points.len().checked_sub(1) {
        (keep[0], keep[last]) = (true, true);
        spans.push((0, last));
    }
    while let Some((first, last)) = spans.pop() {
        let mut farthest = (first, STRAIGHT);
        for index in first + 1..last {
            let distance = distance_to_segment(points[index], points[first], points[last]);
            if distance > farthest.1 {
                farthest = (index, distance);
            }
        }
        if farthest.0 != first {
            keep[farthest.0] = true;
            spans.extend([(first, farthest.0), (farthest.0, last)]);
        }
    }
    points.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(&point, _)| point).collect()
}

fn distance_to_segment(point: Pixel, from: Pixel, to: Pixel) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (px, py) = (point.0 - from.0, point.1 - from.1);
    let length_squared = dx * dx + dy * dy;
    let s = if length_squared > 0.0 { ((px * dx + py * dy) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    (px - s * dx).hypot(py - s * dy)
}

/// Removes lines of two points that are covered by other lines. Vertical lines that overlap in one pixel
/// column are merged. If several of the remaining lines start and end in the same cells of the picture, only
/// the first is kept.
pub(crate) fn strokes(pairs: impl IntoIterator<Item = (Pixel, Pixel)>) -> Vec<[Pixel; 2]> {
    let cell = |x: f64| (x / DOT_CELL).floor() as i64;
    let mut upright: BTreeMap<i64, Vec<(f64, f64, f64)>> = BTreeMap::new();
    let (mut taken, mut strokes) = (BTreeSet::new(), Vec::new());
    for (from, to) in pairs {
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        if !length.is_finite() || length < STRAIGHT {
            continue;
        }
        if from.0 == to.0 {
            upright.entry(cell(from.0)).or_default().push((from.1.min(to.1), from.1.max(to.1), from.0));
        } else if taken.insert([from.0, from.1, to.0, to.1].map(cell)) {
            strokes.push([from, to]);
        }
    }
    for mut column in upright.into_values() {
        column.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut column = column.into_iter();
        let Some(mut open) = column.next() else { continue };
        for next in column {
            if next.0 <= open.1 {
                open.1 = open.1.max(next.1);
            } else {
                strokes.push([(open.2, open.0), (open.2, open.1)]);
                open = next;
            }
        }
        strokes.push([(open.2, open.0), (open.2, open.1)]);
    }
    strokes
}

/// Size of dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grain {
    /// Dots that are seen one by one.
    Coarse,
    /// Dots that form a cloud.
    Fine,
}

/// Keeps one dot of each group of dots that would cover each other.
///
/// If too many dots remain, the groups are enlarged, so that a cloud keeps its shape.
pub(crate) fn dots(points: impl IntoIterator<Item = Pixel>, grain: Grain) -> Vec<Pixel> {
    let mut dots: Vec<Pixel> =
        points.into_iter().filter(|point| point.0.is_finite() && point.1.is_finite()).collect();
    let (mut cell, most) = match grain {
        Grain::Coarse => (DOT_CELL, MOST_DOTS),
        Grain::Fine => (FINE_CELL, MOST_FINE_DOTS),
    };
    loop {
        let mut taken = BTreeSet::new();
        dots.retain(|point| taken.insert(((point.0 / cell).round() as i64, (point.1 / cell).round() as i64)));
        if dots.len() <= most {
            return dots;
        }
        cell *= 1.2;
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Grain, MOST_DOTS, Pixel, STRAIGHT, Segments, distance_to_segment, dots, simplified, stretches,
        strokes, thin,
    };

    /// A noisy curve over 400 pixel columns, identical in each test run.
    fn noise(count: u32) -> Vec<Pixel> {
        (0..count)
            .map(|k| {
                let x = 400.0 * f64::from(k) / f64::from(count);
                (x, 100.0 * (12.9898 * f64::from(k)).sin() * (78.233 * f64::from(k)).cos())
            })
            .collect()
    }

    /// Returns the lowest and the highest point of each pixel column.
    fn envelope(points: &[Pixel]) -> Vec<(f64, f64)> {
        let mut envelope = vec![(f64::INFINITY, f64::NEG_INFINITY); 400];
        for &(x, y) in points {
            let (low, high) = envelope[x as usize];
            envelope[x as usize] = (low.min(y), high.max(y));
        }
        envelope
    }

    #[test]
    fn a_long_curve_becomes_short_and_keeps_its_envelope() {
        let points = noise(100_000);
        let kept = thin(&points);
        assert!(kept.len() <= 4 * 400, "{} points", kept.len());
        assert_eq!(envelope(&kept), envelope(&points));
        assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
    }

    #[test]
    fn a_peak_of_one_point_stays() {
        let mut points: Vec<Pixel> = (0..50_000).map(|k| (0.005 * f64::from(k), 10.0)).collect();
        points[31_415].1 = -80.0;
        let kept = stretches(points).long.remove(0);
        assert!(kept.iter().any(|point| point.1 == -80.0));
        assert!(kept.len() < 1000);
    }

    #[test]
    fn a_smooth_curve_needs_few_points_and_stays_in_place() {
        let points: Vec<Pixel> =
            (0..2000).map(|k| (0.2 * f64::from(k), 100.0 * (0.01 * f64::from(k)).sin())).collect();
        let kept = simplified(&points);
        assert!(kept.len() < 300, "{} points", kept.len());
        for &point in &points {
            let nearest = kept
                .windows(2)
                .map(|pair| distance_to_segment(point, pair[0], pair[1]))
                .fold(f64::INFINITY, f64::min);
            assert!(nearest <= STRAIGHT, "{point:?} is {nearest} away");
        }
    }

    #[test]
    fn a_short_curve_stays_as_it_is() {
        let points: Vec<Pixel> = (0..100).map(|k| (3.0 * f64::from(k), 2.0 * f64::from(k % 2))).collect();
        assert_eq!(stretches(points.iter().copied()).long, [points]);
    }

    #[test]
    fn a_gap_breaks_the_curve() {
        let nan = f64::NAN;
        let points =
            [(nan, 0.0), (0.0, 0.0), (1.0, 1.0), (2.0, nan), (nan, nan), (3.0, 3.0), (f64::INFINITY, 1.0)];
        let Segments { long, short, lonely } = stretches(points);
        assert_eq!((long, lonely), (vec![vec![(0.0, 0.0), (1.0, 1.0)]], vec![(3.0, 3.0)]));
        assert!(short.is_empty());
        assert_eq!(stretches([(nan, 1.0)]), Segments::default());
    }

    #[test]
    fn a_stretch_too_narrow_to_be_seen_is_an_upright_line_or_a_dot() {
        let points = [(3.0, 1.0), (3.1, 9.0), (3.15, 4.0), (f64::NAN, 0.0), (5.0, 2.0), (5.1, 2.05)];
        let Segments { long, short, lonely } = stretches(points);
        assert!(long.is_empty());
        assert_eq!((short, lonely), (vec![((3.0, 1.0), (3.0, 9.0))], vec![(5.0, 2.0)]));
    }

    #[test]
    fn each_passage_of_a_phase_portrait_keeps_its_points() {
        let circle = |k: u32| (0.01 * f64::from(k)).sin_cos();
        let points: Vec<Pixel> =
            (0..6283).map(circle).map(|(s, c)| (200.0 + 150.0 * c, 200.0 + 150.0 * s)).collect();
        let kept = stretches(points).long.remove(0);
        let top = kept.iter().filter(|point| point.1 > 349.9).count();
        assert!(top >= 10, "ten turns pass the top, {top} points are there");
    }

    #[test]
    fn strokes_that_cover_each_other_are_one() {
        let stem = |x: f64, y: f64| ((x, 100.0), (x, y));
        // Two lines with a gap between them in one column, a line that closes the gap, and a line in another
        // column.
        let apart = [((3.1, 10.0), (3.1, 20.0)), ((3.2, 40.0), (3.2, 30.0))];
        assert_eq!(strokes(apart), [[(3.1, 10.0), (3.1, 20.0)], [(3.2, 30.0), (3.2, 40.0)]]);
        let joined = apart.into_iter().chain([((3.7, 35.0), (3.7, 15.0)), stem(4.0, 90.0)]);
        assert_eq!(strokes(joined), [[(3.1, 10.0), (3.1, 40.0)], [(4.0, 90.0), (4.0, 100.0)]]);
        let many = strokes((0..100_000).map(|k| stem(f64::from(k) / 250.0, f64::from(k % 100))));
        assert_eq!(many.len(), 400);
        assert!(many.iter().all(|[low, high]| low.1 < 4.0 && high.1 == 100.0));
        // Lines that are not vertical are kept, without duplicates.
        let slope = ((0.0, 0.0), (10.0, 5.0));
        assert_eq!(strokes([slope, slope, (slope.1, slope.0)]).len(), 2);
        assert!(strokes([((f64::NAN, 0.0), (0.0, 1.0)), ((3.0, 5.0), (3.0, 5.01))]).is_empty());
    }

    #[test]
    fn dots_that_cover_each_other_are_one() {
        assert_eq!(
            dots([(1.0, 1.0), (1.1, 0.9), (5.0, 5.0), (f64::NAN, 1.0)], Grain::Coarse),
            [(1.0, 1.0), (5.0, 5.0)]
        );
        let many = dots(noise(100_000), Grain::Coarse);
        assert!(many.len() <= MOST_DOTS && many.len() > MOST_DOTS / 4, "{} dots", many.len());
    }
}
