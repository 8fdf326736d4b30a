//! Points of a curve that a logarithmic axis cannot show.

use siconos_figure::kinds::Points;

/// Finite points of a curve without a place on its axes, because a coordinate is not positive.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Undrawn {
    first: Option<(f64, f64)>,
    count: usize,
}

impl Undrawn {
    /// Counts a point that the axes cannot show. A point that is not finite is a gap, and not counted.
    pub(super) fn note(&mut self, point: (f64, f64)) {
        if point.0.is_finite() && point.1.is_finite() {
            self.first.get_or_insert(point);
            self.count += 1;
        }
    }

    /// Returns the number of points that are not among the points of the curve. If the curve would have no
    /// point, one of them is added, so that its panel can state that no value can be drawn.
    pub(super) fn finish(self, points: &mut Points) -> usize {
        let has_point = points.iter().any(|(x, y)| x.is_finite() && y.is_finite());
        match self.first.filter(|_| !has_point) {
            Some(first) => {
                points.push(first);
                self.count - 1
            }
            None => self.count,
        }
    }
}
