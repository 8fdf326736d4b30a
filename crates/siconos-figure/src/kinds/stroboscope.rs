//! Sampling of a motion once per period.

use super::Points;
use crate::FigureError;

/// Samples a motion at the multiples of the period (0, `period`, 2 `period`, ..) that lie within the motion,
/// by linear interpolation between its points. At a jump, the point after the jump is the sample.
///
/// The times must not decrease. A sample is omitted if one of the two points next to it is not finite.
///
/// # Errors
///
/// If the number of points differs from the number of times ([`FigureError::Lengths`]), if the period is not
/// positive and finite, or is shorter than the mean interval between the times ([`FigureError::Period`]), or
/// if the times decrease ([`FigureError::Order`]).
///
/// ```
/// use siconos_figure::kinds::once_per_period;
///
/// let t: Vec<f64> = (0..=100).map(|k| 0.1 * f64::from(k)).collect();
/// let points: Vec<_> = t.iter().map(|t| (*t, 2.0 * t)).collect();
/// let seen = once_per_period(&t, &points, 2.5)?;
/// assert_eq!(seen.len(), 5);
/// assert!((seen[1].0 - 2.5).abs() < 1e-12 && (seen[1].1 - 5.0).abs() < 1e-12);
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
pub fn once_per_period(t: &[f64], points: &[(f64, f64)], period: f64) -> Result<Points, FigureError> {
    if points.len() != t.len() {
        let (what, expected, found) = ("the motion".to_owned(), t.len(), points.len());
        return Err(FigureError::Lengths { what, expected, found });
    }
    let (Some(&first), Some(&last)) = (t.first(), t.last()) else { return Ok(Points::new()) };
    let mut stroboscope = Stroboscope::new((first, last), t.len(), period)?;
    let mut samples = Points::new();
    for (t, point) in t.iter().zip(points) {
        stroboscope.push(*t, *point, &mut samples)?;
    }
    stroboscope.finish(&mut samples);
    Ok(samples)
}

/// Sampling of a motion that is known point by point, see [`once_per_period`].
///
/// ```
/// use siconos_figure::kinds::Stroboscope;
///
/// let mut samples = Vec::new();
/// let mut stroboscope = Stroboscope::new((0.0, 10.0), 101, 2.5)?;
/// for k in 0..=100 {
///     let t = 0.1 * f64::from(k);
///     stroboscope.push(t, (t, 2.0 * t), &mut samples)?;
/// }
/// stroboscope.finish(&mut samples);
/// assert_eq!(samples.len(), 5);
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stroboscope {
    period: f64,
    /// First multiple of the period.
    from: f64,
    /// Number of multiples of the period.
    turns: usize,
    /// Index of the next multiple.
    turn: usize,
    /// Number of points so far.
    count: usize,
    previous: Option<(f64, (f64, f64))>,
}

impl Stroboscope {
    /// Prepares the sampling of a motion of `count` points between the times `first` and `last`.
    ///
    /// # Errors
    ///
    /// If the period is not positive and finite, or is shorter than the mean interval between the times
    /// ([`FigureError::Period`]).
    pub fn new((first, last): (f64, f64), count: usize, period: f64) -> Result<Self, FigureError> {
        let (from, to) = ((first / period).ceil(), (last / period).floor());
        if !(period > 0.0 && period.is_finite()) || to - from >= count as f64 {
            return Err(FigureError::Period { period, span: last - first, points: count });
        }
        // The motion may contain no multiple of the period.
        let turns = if to >= from { (to - from) as usize + 1 } else { 0 };
        Ok(Self { period, from, turns, turn: 0, count: 0, previous: None })
    }

    /// Adds a point of the motion, and appends the samples before it to `samples`.
    ///
    /// # Errors
    ///
    /// If the times decrease ([`FigureError::Order`]).
    pub fn push(&mut self, t: f64, point: (f64, f64), samples: &mut Points) -> Result<(), FigureError> {
        if let Some((before, _)) = self.previous
            && ![before, t].is_sorted()
        {
            return Err(FigureError::Order { place: self.count, before, at: t });
        }
        while let Some(at) = self.next_time().filter(|at| *at < t) {
            self.turn += 1;
            // A multiple of the period before the first point has no sample.
            let Some((before, from)) = self.previous else { continue };
            let part = (at - before) / (t - before);
            let inside = (from.0 + part * (point.0 - from.0), from.1 + part * (point.1 - from.1));
            samples.extend(drawn(if at > before { inside } else { from }));
        }
        self.previous = Some((t, point));
        self.count += 1;
        Ok(())
    }

    /// Appends the sample at the last point to `samples`.
    pub fn finish(mut self, samples: &mut Points) {
        while self.next_time().is_some() {
            self.turn += 1;
            samples.extend(self.previous.and_then(|(_, point)| drawn(point)));
        }
    }

    /// Returns the time of the next sample. It is a multiple of the period, not a sum, because sums would
    /// accumulate rounding errors.
    fn next_time(&self) -> Option<f64> {
        (self.turn < self.turns).then_some((self.from + self.turn as f64) * self.period)
    }
}

/// Returns a point if it is finite.
fn drawn(point: (f64, f64)) -> Option<(f64, f64)> {
    (point.0.is_finite() && point.1.is_finite()).then_some(point)
}
