//! Clouds of any number of points, with a bounded number of dots.

use siconos_figure::kinds::{Points, SPARSE};

use super::grid::Grid;
use super::undrawn::Undrawn;

/// Dots of a cloud. Among the points in one cell of a grid, only the first is kept.
pub(super) struct Cloud {
    grid: Grid,
    points: Points,
    /// Number of dots above which the cells are enlarged.
    most: usize,
    undrawn: Undrawn,
}

impl Cloud {
    pub(super) fn new(grid: Grid, most: usize) -> Self {
        Self { grid, points: Points::new(), most, undrawn: Undrawn::default() }
    }

    /// Adds a point. A point that the axes cannot show is only counted.
    pub(super) fn push(&mut self, point: (f64, f64)) {
        let Some(place) = self.grid.place(point) else {
            self.undrawn.note(point);
            return;
        };
        // If there are few points, their number determines the size of the dots.
        let is_kept = self.grid.mark(place) || self.points.len() < SPARSE;
        if !is_kept {
            return;
        }
        self.points.push(point);
        if self.points.len() > self.most.max(2 * SPARSE) {
            let coarser = Self { undrawn: self.undrawn, ..Self::new(self.grid.coarser(), self.most) };
            let points = std::mem::take(&mut self.points);
            *self = coarser;
            points.into_iter().for_each(|point| self.push(point));
        }
    }

    /// Returns the dots, and the number of points that the axes cannot show.
    pub(super) fn finish(mut self) -> (Points, usize) {
        let undrawn = self.undrawn.finish(&mut self.points);
        (self.points, undrawn)
    }
}

#[cfg(test)]
mod tests {
    use siconos_figure::Scale;
    use siconos_figure::kinds::SPARSE;

    use super::Cloud;
    use crate::plot::grid::{Grid, Range};

    fn cloud(side: usize, most: usize, points: impl IntoIterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
        let range = Range::new((0.0, 1.0), Scale::Linear);
        let mut cloud = Cloud::new(Grid::new((range, range), side), most);
        points.into_iter().for_each(|point| cloud.push(point));
        cloud.finish().0
    }

    /// Points that fill the unit square.
    fn filling(count: u32) -> impl Iterator<Item = (f64, f64)> {
        (0..count).map(|k| ((0.754_877_67 * f64::from(k)).fract(), (0.569_840_29 * f64::from(k)).fract()))
    }

    #[test]
    fn each_cell_has_a_dot() {
        let dots = cloud(50, usize::MAX, filling(100_000));
        assert!((2500..2500 + SPARSE).contains(&dots.len()), "{} dots", dots.len());
        let mut cells: Vec<_> = dots.iter().map(|(x, y)| ((50.0 * x) as u8, (50.0 * y) as u8)).collect();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 2500);
        // The dots are points, in their order.
        let mut points = filling(100_000);
        assert!(dots.iter().all(|dot| points.any(|point| point == *dot)));
    }

    #[test]
    fn few_points_are_kept() {
        let points = [(0.5, 0.5), (0.5, 0.5), (f64::NAN, 0.5), (0.25, 1.0)];
        assert_eq!(cloud(100, 1000, points), [(0.5, 0.5), (0.5, 0.5), (0.25, 1.0)]);
        let many = std::iter::repeat_n((0.5, 0.5), 100_000);
        assert_eq!(cloud(100, 1000, many).len(), SPARSE);
    }

    #[test]
    fn the_number_of_dots_is_bounded() {
        let dots = cloud(2000, 1000, filling(100_000));
        assert!((250..=1000).contains(&dots.len()), "{} dots", dots.len());
    }
}
