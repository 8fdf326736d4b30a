//! Clipping to a rectangle, and dashes.

use crate::decimate::Pixel;

/// Rectangle with vertical and horizontal sides, in pixels of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rectangle {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Rectangle {
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(crate) fn contains(&self, (x, y): Pixel) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// Returns the entry and exit points of a segment that intersects the rectangle (Liang and Barsky 1984),
    /// or `None` for any other segment.
    fn clip_segment(&self, from: Pixel, to: Pixel) -> Option<(Pixel, Pixel)> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (direction, distance) in [
            (-dx, from.0 - self.left),
            (dx, self.right - from.0),
            (-dy, from.1 - self.top),
            (dy, self.bottom - from.1),
        ] {
            if direction == 0.0 {
                if distance < 0.0 {
                    return None;
                }
            } else if direction < 0.0 {
                enter = enter.max(distance / direction);
            } else {
                leave = leave.min(distance / direction);
            }
        }
        let at = |s: f64| {
            if s == 0.0 {
                from
            } else if s == 1.0 {
                to
            } else {
                (from.0 + s * dx, from.1 + s * dy)
            }
        };
        (enter <= leave).then(|| (at(enter), at(leave)))
    }

    /// Returns the parts of a line inside the rectangle.
    pub(crate) fn clip(&self, line: &[Pixel]) -> Vec<Vec<Pixel>> {
        let mut parts: Vec<Vec<Pixel>> = Vec::new();
        for pair in line.windows(2) {
            let Some((from, to)) = self.clip_segment(pair[0], pair[1]) else { continue };
            match parts.last_mut() {
                Some(part) if part.last() == Some(&from) => part.push(to),
                _ => parts.push(vec![from, to]),
            }
        }
        parts
    }
}

/// Maximum number of dashes of a line. In a line with more dashes, single dashes could not be seen, so the
/// dashes are lengthened. This keeps the file small.
const MOST_DASHES: f64 = 400.0;

/// Cuts a line into dashes. The entries of `pattern` alternate between dash lengths and gap lengths, starting
/// with a dash and ending with a gap. An empty pattern leaves the line solid.
pub(crate) fn dashes(line: &[Pixel], pattern: &[f64]) -> Vec<Vec<Pixel>> {
    if pattern.is_empty() {
        return vec![line.to_vec()];
    }
    let length: f64 = line.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
    let per_period = (pattern.len() / 2) as f64;
    let stretch = (length * per_period / (pattern.iter().sum::<f64>() * MOST_DASHES)).max(1.0);

    let mut dashes = Vec::new();
    let mut current: Vec<Pixel> = line.first().copied().into_iter().collect();
    // Dashes have even indices in the pattern, gaps have odd indices.
    let mut place = 0;
    let mut left = pattern[place] * stretch;
    for pair in line.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut rest = distance(from, to);
        while rest > left {
            let s = left / rest;
            from = (from.0 + s * (to.0 - from.0), from.1 + s * (to.1 - from.1));
            rest -= left;
            if place % 2 == 0 {
                current.push(from);
                dashes.push(std::mem::take(&mut current));
            } else {
                current = vec![from];
            }
            place = (place + 1) % pattern.len();
            left = pattern[place] * stretch;
        }
        left -= rest;
        if place % 2 == 0 {
            current.push(to);
        }
    }
    if current.len() > 1 {
        dashes.push(current);
    }
    dashes
}

fn distance(a: Pixel, b: Pixel) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

#[cfg(test)]
mod tests {
    use super::{MOST_DASHES, Rectangle, dashes};

    const UNIT: Rectangle = Rectangle { left: 0.0, top: 0.0, right: 1.0, bottom: 1.0 };

    #[test]
    fn a_line_inside_stays_whole() {
        let line = [(0.0, 0.0), (0.5, 1.0), (1.0, 0.25)];
        assert_eq!(UNIT.clip(&line), [line]);
    }

    #[test]
    fn a_line_that_leaves_and_returns_is_two_lines() {
        let line = [(0.5, 0.5), (0.5, 2.0), (0.75, 2.0), (0.75, 0.5)];
        assert_eq!(UNIT.clip(&line), [[(0.5, 0.5), (0.5, 1.0)], [(0.75, 1.0), (0.75, 0.5)]]);
        assert!(UNIT.clip(&[(-1.0, 0.5), (0.5, 2.0)]).is_empty());
    }

    #[test]
    fn dashes_run_around_corners() {
        let corner = [(0.0, 0.0), (3.0, 0.0), (3.0, 3.0)];
        let expected = [vec![(0.0, 0.0), (2.0, 0.0)], vec![(3.0, 0.0), (3.0, 2.0)]];
        assert_eq!(dashes(&corner, &[2.0, 1.0]), expected);
        let expected =
            [vec![(0.0, 0.0), (2.0, 0.0)], vec![(3.0, 0.0), (3.0, 1.0)], vec![(3.0, 2.0), (3.0, 3.0)]];
        assert_eq!(dashes(&corner, &[2.0, 1.0, 1.0, 1.0]), expected);
        assert_eq!(dashes(&corner, &[]), [corner]);
        assert!(dashes(&[], &[2.0, 1.0]).is_empty());
    }

    #[test]
    fn a_tangle_has_few_dashes() {
        let tangle: Vec<_> = (0..900).map(|k| (f64::from(k), 300.0 * f64::from(k % 2))).collect();
        for pattern in [&[6.0, 4.0][..], &[9.0, 3.0, 2.0, 3.0]] {
            assert!(dashes(&tangle, pattern).len() as f64 <= MOST_DASHES + 1.0);
        }
    }
}
