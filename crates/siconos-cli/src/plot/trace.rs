//! Curves of any number of points, with a bounded number of lines.

use siconos_figure::kinds::Points;

use super::grid::{Grid, Place};
use super::long_file::TimedPoints;
use super::undrawn::Undrawn;

/// Maximum distance between the points of a curve and a line that replaces them, in cells of the grid.
const TOLERANCE: f64 = 0.4;

/// Lines of a curve. Successive points are joined to one line if they are close to it, and a line is omitted
/// if other lines have covered all cells of a grid that it crosses.
///
/// The lines before and after each line with a new cell are kept as well, so that a piece of a curve is not
/// too short to be drawn as a line.
pub(super) struct Trace {
    grid: Grid,
    /// Cells that the jumps have covered.
    jumps: Grid,
    t: Vec<f64>,
    points: Points,
    /// Number of points above which the cells are enlarged.
    most: usize,
    open: Option<Open>,
    /// Line that was omitted last. It ends at the start of the open line.
    omitted: Option<(Node, Node)>,
    /// `true` if the next line is kept, because the line before it has a new cell.
    is_next_kept: bool,
    undrawn: Undrawn,
}

/// Point of a curve at a time, with its position in the grid.
#[derive(Clone, Copy)]
struct Node {
    t: f64,
    point: (f64, f64),
    place: Place,
}

/// Line to which points are added.
#[derive(Clone, Copy)]
struct Open {
    from: Node,
    /// Point at the largest distance from the start, where the line ends.
    tip: Node,
    /// Last point, which is close to the tip.
    last: Node,
    /// Distance between the start and the tip, in cells.
    length: f64,
    /// Right and left limit of the directions in which all points are close to the line.
    cone: Option<(Place, Place)>,
}

const BREAK: (f64, f64) = (f64::NAN, f64::NAN);

impl Trace {
    pub(super) fn new(grid: Grid, most: usize) -> Self {
        Self {
            jumps: grid.clone(),
            grid,
            t: Vec::new(),
            points: Points::new(),
            most,
            open: None,
            omitted: None,
            is_next_kept: false,
            undrawn: Undrawn::default(),
        }
    }

    /// Adds a point. Two successive points with the same time are a jump. A point that the axes cannot show
    /// is a break.
    pub(super) fn push(&mut self, t: f64, point: (f64, f64)) {
        let Some(place) = self.grid.place(point) else {
            self.undrawn.note(point);
            self.end_piece();
            return;
        };
        let node = Node { t, point, place };
        match &mut self.open {
            None => self.open = Some(Open::new(node)),
            Some(open) if open.last.t == t && open.last.point != point => {
                let from = open.last;
                self.jump(from, node);
            }
            Some(open) => {
                if !open.add(node) {
                    let (tip, last) = (open.tip, open.last);
                    self.end_line();
                    self.turn(tip, last, node);
                }
            }
        }
        if self.points.len() > self.most {
            self.enlarge_cells();
        }
    }

    /// Continues the curve from the end of a line to a point that is too far from this line. `last` is the
    /// last point that was close to it.
    fn turn(&mut self, tip: Node, last: Node, node: Node) {
        let mut next = Open::new(tip);
        if !next.add(last) || !next.add(node) {
            self.open = Some(next);
            self.end_at_last();
            next = Open::new(last);
            next.add(node);
        }
        self.open = Some(next);
    }

    /// Ends the curve at its last point. Returns the kept lines.
    pub(super) fn finish(mut self) -> TimedPoints {
        self.end_piece();
        let Self { mut t, mut points, undrawn, .. } = self;
        let undrawn = undrawn.finish(&mut points);
        t.resize(points.len(), f64::NAN);
        TimedPoints { t, points, undrawn }
    }

    /// Ends the open line at its tip. Keeps the line, or omits it.
    fn end_line(&mut self) {
        let Some(Open { from, tip: to, .. }) = self.open.take() else { return };
        let is_new = self.grid.mark_line(from.place, to.place);
        if is_new && let Some((start, end)) = self.omitted {
            self.keep_line(start, end);
        }
        if is_new || self.is_next_kept {
            self.keep_line(from, to);
            self.omitted = None;
        } else {
            self.omitted = Some((from, to));
        }
        self.is_next_kept = is_new;
    }

    /// Ends the open line, and adds a line from its tip to the last point.
    fn end_at_last(&mut self) {
        let Some(Open { tip, last, .. }) = self.open else { return };
        self.end_line();
        if tip.point != last.point {
            self.open = Some(Open { tip: last, ..Open::new(tip) });
            self.end_line();
        }
    }

    /// Interrupts the curve.
    fn end_piece(&mut self) {
        self.end_at_last();
        (self.omitted, self.is_next_kept) = (None, false);
        self.keep_break();
    }

    /// Ends the open line at a jump, and starts a line after it.
    fn jump(&mut self, from: Node, to: Node) {
        let is_new = self.jumps.mark_line(from.place, to.place);
        self.end_at_last();
        if is_new {
            if let Some((start, end)) = self.omitted {
                self.keep_line(start, end);
            }
            self.keep(to);
        } else {
            self.end_piece();
        }
        (self.omitted, self.is_next_kept) = (None, is_new);
        self.open = Some(Open::new(to));
    }

    /// Keeps a line. It continues the last line that was kept if it starts at its end.
    fn keep_line(&mut self, from: Node, to: Node) {
        if self.points.last() != Some(&from.point) {
            self.keep_break();
            self.keep(from);
        }
        self.keep(to);
    }

    fn keep(&mut self, node: Node) {
        self.t.push(node.t);
        self.points.push(node.point);
    }

    fn keep_break(&mut self) {
        if self.points.last().is_some_and(|point| !point.0.is_nan()) {
            self.t.push(f64::NAN);
            self.points.push(BREAK);
        }
    }

    /// Adds the kept lines and the open line to a grid with larger cells.
    fn enlarge_cells(&mut self) {
        let mut coarser = Self { undrawn: self.undrawn, ..Self::new(self.grid.coarser(), self.most) };
        for (t, point) in self.t.iter().zip(&self.points) {
            coarser.push(*t, *point);
        }
        if let Some(Open { from, tip, last, .. }) = &self.open {
            if self.points.last() != Some(&from.point) {
                coarser.end_piece();
            }
            [from, tip, last].into_iter().for_each(|node| coarser.push(node.t, node.point));
        }
        *self = coarser;
    }
}

impl Open {
    fn new(from: Node) -> Self {
        Self { from, tip: from, last: from, length: 0.0, cone: None }
    }

    /// Adds a point to the line. Returns `false` if a point would then be too far from the line, or if the
    /// curve has turned back.
    fn add(&mut self, node: Node) -> bool {
        let way = (node.place.0 - self.from.place.0, node.place.1 - self.from.place.1);
        let distance = way.0.hypot(way.1);
        if distance < self.length - TOLERANCE {
            return false;
        }
        if distance > TOLERANCE {
            let sine = TOLERANCE / distance;
            let cosine = (1.0 - sine * sine).sqrt();
            let own = (rotated(way, cosine, -sine), rotated(way, cosine, sine));
            self.cone = Some(match self.cone {
                None => own,
                Some((right, left)) if cross(right, way) < 0.0 || cross(way, left) < 0.0 => return false,
                Some((right, left)) => (
                    if cross(right, own.0) > 0.0 { own.0 } else { right },
                    if cross(own.1, left) > 0.0 { own.1 } else { left },
                ),
            });
        }
        if distance >= self.length {
            (self.tip, self.length) = (node, distance);
        }
        self.last = node;
        true
    }
}

fn rotated((x, y): Place, cosine: f64, sine: f64) -> Place {
    (cosine * x - sine * y, sine * x + cosine * y)
}

/// Returns a positive number if `b` is to the left of `a`.
fn cross(a: Place, b: Place) -> f64 {
    a.0 * b.1 - a.1 * b.0
}

#[cfg(test)]
mod tests {
    use siconos_figure::Scale;

    use super::{TimedPoints, Trace};
    use crate::plot::grid::{Grid, Range};

    const SIDE: usize = 500;

    fn trace(
        most: usize,
        points: impl IntoIterator<Item = (f64, (f64, f64))>,
    ) -> (Vec<f64>, Vec<(f64, f64)>) {
        let range = Range::new((-1.0, 1.0), Scale::Linear);
        let mut trace = Trace::new(Grid::new((range, range), SIDE), most);
        points.into_iter().for_each(|(t, point)| trace.push(t, point));
        let TimedPoints { t, points, .. } = trace.finish();
        (t, points)
    }

    /// Motion along a spiral with the given number of points for each turn.
    fn spiral(turns: u32, per_turn: u32, shrink: f64) -> impl Iterator<Item = (f64, (f64, f64))> + Clone {
        (0..turns * per_turn).map(move |k| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(per_turn);
            let radius = (-shrink * angle).exp();
            (f64::from(k), (radius * angle.cos(), radius * angle.sin()))
        })
    }

    /// Returns the cells that lines cross, or that are next to them.
    fn cells<'p>(points: impl IntoIterator<Item = &'p (f64, f64)>) -> std::collections::BTreeSet<(i32, i32)> {
        let mut cells = std::collections::BTreeSet::new();
        let mut before: Option<(f64, f64)> = None;
        for point in points {
            let place = (0.5 * SIDE as f64 * (point.0 + 1.0), 0.5 * SIDE as f64 * (point.1 + 1.0));
            if let Some(from) = before.filter(|from| from.0.is_finite() && place.0.is_finite()) {
                let parts = 2 * ((place.0 - from.0).abs().max((place.1 - from.1).abs()) as u32 + 1);
                for part in 0..=parts {
                    let part = f64::from(part) / f64::from(parts);
                    let at = |from: f64, to: f64| (from + part * (to - from)).floor() as i32;
                    cells.insert((at(from.0, place.0), at(from.1, place.1)));
                }
            }
            before = Some(place);
        }
        cells
    }

    fn is_near(cell: &(i32, i32), cells: &std::collections::BTreeSet<(i32, i32)>) -> bool {
        (-1..=1).any(|x| (-1..=1).any(|y| cells.contains(&(cell.0 + x, cell.1 + y))))
    }

    #[test]
    fn the_lines_cover_the_same_cells() {
        for shrink in [0.0, 0.001, 0.02] {
            let all: Vec<_> = spiral(20, 500, shrink).map(|(_, point)| point).collect();
            let (t, kept) = trace(usize::MAX, spiral(20, 500, shrink));
            assert_eq!(t.len(), kept.len());
            assert!(kept.len() < all.len() / 5, "{} points of {}", kept.len(), all.len());
            let (all, kept) = (cells(&all), cells(&kept));
            assert!(all.iter().all(|cell| is_near(cell, &kept)), "{shrink}");
            assert!(kept.iter().all(|cell| is_near(cell, &all)), "{shrink}");
        }
    }

    /// A spike between two points that turn back, and noisy tracks with one far point.
    #[test]
    fn each_point_is_near_a_line() {
        let unit = 2.0 / SIDE as f64;
        let spike = [(0.0, 0.0), (10.0, 0.0), (9.65, 0.35), (30.0, 50.0), (9.6, 0.3), (5.0, 0.0)];
        let mut tracks = vec![spike.map(|(x, y)| (unit * x, unit * y)).to_vec()];
        for k in 0..200_u32 {
            let noise = |k: u32, factor: f64| 2.0 * (factor * f64::from(k)).fract() - 1.0;
            let at = |j: u32| {
                let k = 97 * k + j;
                let far = if j == 20 { 0.5 } else { 0.0 };
                (unit * (f64::from(j) + noise(k, 0.754_877_67)), unit * noise(k, 0.569_840_29) + far)
            };
            tracks.push((0..40).map(at).collect());
        }
        for points in tracks {
            let (_, kept) = trace(usize::MAX, points.iter().enumerate().map(|(k, point)| (k as f64, *point)));
            let kept = cells(&kept);
            for (x, y) in points {
                let cell = [x, y].map(|x| (0.5 * SIDE as f64 * (x + 1.0)).floor() as i32);
                assert!(is_near(&(cell[0], cell[1]), &kept), "{x} {y}");
            }
        }
    }

    #[test]
    fn a_periodic_motion_does_not_need_more_points_with_each_period() {
        let points = |turns: u32| trace(usize::MAX, spiral(turns, 1000, 0.0)).1.len();
        let (one, some, many) = (points(1), points(50), points(200));
        // Lines that replace different points of the circle cross different cells next to it.
        assert!(one > 30 && some < 12 * one && many < some + one, "{one}, {some} and {many} points");
    }

    #[test]
    fn the_number_of_points_is_bounded() {
        let noise = (0..50_000_u32).map(|k| {
            let turn = |factor: f64| 2.0 * (factor * f64::from(k)).fract() - 1.0;
            (f64::from(k), (turn(0.754_877_67), turn(0.569_840_29)))
        });
        let (_, kept) = trace(300, noise);
        assert!(kept.len() <= 301, "{} points", kept.len());
    }

    #[test]
    fn straight_lines_turn_back_at_their_ends() {
        let there = (0..=1000).map(|k| f64::from(k) / 1000.0);
        let again = there.clone().chain(there.clone().rev()).chain(there.map(|x| -x));
        let (_, kept) = trace(usize::MAX, again.enumerate().map(|(k, x)| (k as f64, (x, 0.0))));
        assert_eq!(kept[..kept.len() - 1], [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0)], "{kept:?}");
    }

    #[test]
    fn jumps_and_breaks_are_kept_once() {
        // An impact in each of many periods.
        let period = |k: u32| {
            let t = f64::from(4 * k);
            [(t, (-1.0, 0.0)), (t + 1.0, (1.0, 0.5)), (t + 1.0, (1.0, -0.5)), (t + 2.0, (-1.0, -0.5))]
        };
        let gap = |k: u32| (f64::from(4 * k + 3), (f64::NAN, 0.0));
        let motion = (0..1000).flat_map(|k| period(k).into_iter().chain([gap(k)]));
        let (t, kept) = trace(usize::MAX, motion);
        let jumps: Vec<_> = (1..t.len()).filter(|place| t[*place] == t[place - 1]).collect();
        assert_eq!(jumps.len(), 1, "{t:?}");
        assert_eq!(kept[jumps[0] - 1..=jumps[0]], [(1.0, 0.5), (1.0, -0.5)]);
        assert_eq!(kept.iter().filter(|point| point.0.is_nan()).count(), 1, "{kept:?}");
        assert_eq!(kept.len(), 5);
    }
}
