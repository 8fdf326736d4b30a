//! Cells of a panel, and the cells that a curve has covered.

use siconos_figure::Scale;

/// Range of the values of a column that an axis can show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    /// Coordinate of the smallest value on the axis.
    low: f64,
    /// Coordinate of the largest value on the axis.
    high: f64,
    scale: Scale,
}

impl Range {
    /// Creates a range from the smallest and the largest value that the scale can show.
    pub(super) fn new((least, most): (f64, f64), scale: Scale) -> Self {
        Self { low: scale.place(least), high: scale.place(most), scale }
    }

    /// Returns the position of a value: 0 at the smallest value, 1 at the largest. It is not finite if the
    /// axis cannot show the value.
    fn fraction(self, value: f64) -> f64 {
        let place = self.scale.place(value);
        // Halves, because the whole length can exceed the range of f64.
        let (off, length) = (0.5 * place - 0.5 * self.low, 0.5 * self.high - 0.5 * self.low);
        if off == 0.0 { 0.0 } else { off / length }
    }
}

/// Square grid over the ranges of two columns, with a mark for each covered cell.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    ranges: (Range, Range),
    /// Number of cells in each direction.
    side: usize,
    marks: Vec<u64>,
}

/// Position in a grid, in units of cells.
pub(super) type Place = (f64, f64);

impl Grid {
    pub(super) fn new(ranges: (Range, Range), side: usize) -> Self {
        let words = (side * side).div_ceil(u64::BITS as usize);
        Self { ranges, side, marks: vec![0; words] }
    }

    /// Returns an empty grid whose cells are twice as large.
    pub(super) fn coarser(&self) -> Self {
        Self::new(self.ranges, (self.side / 2).max(1))
    }

    /// Returns the position of a point, or `None` if an axis cannot show it.
    pub(super) fn place(&self, (x, y): (f64, f64)) -> Option<Place> {
        let side = self.side as f64;
        let place = (side * self.ranges.0.fraction(x), side * self.ranges.1.fraction(y));
        (place.0.is_finite() && place.1.is_finite()).then_some(place)
    }

    /// Marks the cell that contains a position. Returns `true` if it was not marked before.
    pub(super) fn mark(&mut self, place: Place) -> bool {
        let cell = self.index(place.1) * self.side + self.index(place.0);
        let (word, bit) = (cell / u64::BITS as usize, 1 << (cell % u64::BITS as usize));
        let is_new = self.marks[word] & bit == 0;
        self.marks[word] |= bit;
        is_new
    }

    /// Marks all cells that a straight line crosses. Returns `true` if one of them was not marked before.
    pub(super) fn mark_line(&mut self, from: Place, to: Place) -> bool {
        let mut is_new = self.mark(from) | self.mark(to);
        // The positions in the middle between successive crossings of the lines between cells.
        let mut crossings = [Crossings::new(from.0, to.0), Crossings::new(from.1, to.1)];
        let mut before = 0.0;
        loop {
            let [a, b] = &mut crossings;
            let next = if a.next <= b.next { a } else { b };
            let at = next.next.min(1.0);
            let middle = 0.5 * (before + at);
            is_new |= self.mark((from.0 + middle * (to.0 - from.0), from.1 + middle * (to.1 - from.1)));
            if at >= 1.0 {
                return is_new;
            }
            before = at;
            next.advance();
        }
    }

    /// Returns the index of the cell of a coordinate. The upper end belongs to the last cell.
    fn index(&self, coordinate: f64) -> usize {
        (coordinate as usize).min(self.side - 1)
    }
}

/// Crossings of a line with the integers, as fractions of its length.
struct Crossings {
    from: f64,
    length: f64,
    /// Integer at the next crossing.
    integer: f64,
    step: f64,
    /// Fraction at the next crossing; infinite if there is none.
    next: f64,
}

impl Crossings {
    fn new(from: f64, to: f64) -> Self {
        let length = to - from;
        let (integer, step) =
            if length > 0.0 { (from.floor() + 1.0, 1.0) } else { (from.ceil() - 1.0, -1.0) };
        let mut crossings = Self { from, length, integer, step, next: f64::INFINITY };
        crossings.update();
        crossings
    }

    fn advance(&mut self) {
        self.integer += self.step;
        self.update();
    }

    fn update(&mut self) {
        if self.length != 0.0 {
            self.next = (self.integer - self.from) / self.length;
        }
    }
}

#[cfg(test)]
mod tests {
    use siconos_figure::Scale;

    use super::{Grid, Range};

    fn grid(side: usize) -> Grid {
        let range = Range::new((0.0, 1.0), Scale::Linear);
        Grid::new((range, range), side)
    }

    fn count(grid: &Grid) -> u32 {
        grid.marks.iter().map(|word| word.count_ones()).sum()
    }

    #[test]
    fn a_line_marks_the_cells_that_it_crosses() {
        for (from, to, cells) in [
            ((0.5, 0.5), (0.6, 0.6), 1),
            ((0.5, 0.5), (7.5, 0.5), 8),
            ((0.5, 7.5), (0.5, 0.5), 8),
            ((0.25, 0.5), (7.25, 7.5), 15),
            ((7.9, 0.1), (0.1, 1.8), 9),
            ((0.0, 0.0), (8.0, 8.0), 8),
        ] {
            let mut grid = grid(8);
            assert!(grid.mark_line(from, to));
            assert_eq!(count(&grid), cells, "{from:?} to {to:?}");
            assert!(!grid.mark_line(to, from), "the same cells");
            assert!(
                !grid.mark_line(from, (0.5 * (from.0 + to.0), 0.5 * (from.1 + to.1))),
                "half of the line"
            );
        }
    }

    #[test]
    fn places_have_the_scale_of_the_axis() {
        let ranges = (Range::new((1.0, 1e4), Scale::Logarithmic), Range::new((2.0, 2.0), Scale::Linear));
        let grid = Grid::new(ranges, 8);
        assert_eq!(grid.place((100.0, 2.0)), Some((4.0, 0.0)));
        assert!(grid.place((0.0, 2.0)).is_none());
        let whole = Range::new((f64::MIN, f64::MAX), Scale::Linear);
        let grid = Grid::new((whole, whole), 8);
        assert_eq!(grid.place((0.0, f64::MAX)), Some((4.0, 8.0)));
        assert!(grid.place((f64::NAN, 0.0)).is_none());
    }
}
