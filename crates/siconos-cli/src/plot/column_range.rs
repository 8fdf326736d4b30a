//! Range of the values of a column, determined row by row.

use siconos_figure::Scale;

use super::grid::Range;

/// Range of the values of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnRange {
    /// First value that is not NaN, and last value; NaN without such values.
    ends: (f64, f64),
    /// Minimum and maximum of the finite values; infinite if there are none.
    extremes: (f64, f64),
    /// Minimum of the positive finite values; infinite if there are none.
    least_positive: f64,
    has_gap: bool,
}

impl Default for ColumnRange {
    fn default() -> Self {
        Self {
            ends: (f64::NAN, f64::NAN),
            extremes: (f64::INFINITY, f64::NEG_INFINITY),
            least_positive: f64::INFINITY,
            has_gap: false,
        }
    }
}

impl ColumnRange {
    pub(super) fn add(&mut self, value: f64) {
        if self.ends.0.is_nan() {
            self.ends.0 = value;
        }
        self.ends.1 = value;
        if !value.is_finite() {
            self.has_gap = true;
            return;
        }
        let (least, most) = &mut self.extremes;
        (*least, *most) = (least.min(value), most.max(value));
        if value > 0.0 {
            self.least_positive = self.least_positive.min(value);
        }
    }

    /// Returns the first and the last value.
    pub(super) fn ends(&self) -> (f64, f64) {
        self.ends
    }

    /// Returns the minimum and the maximum of the finite values.
    pub(super) fn extremes(&self) -> (f64, f64) {
        self.extremes
    }

    /// Returns the common value if all values are finite and equal.
    pub(super) fn constant(&self) -> Option<f64> {
        let (least, most) = self.extremes;
        (!self.has_gap && least == most).then_some(least)
    }

    /// Returns the range of the values that an axis can show.
    pub(super) fn on_axis(&self, scale: Scale) -> Range {
        let least = match scale {
            Scale::Linear => self.extremes.0,
            Scale::Logarithmic => self.least_positive,
        };
        Range::new((least, self.extremes.1), scale)
    }
}
