//! Recorded samples of a component.

/// One sample of a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// Time \[s\].
    pub t: f64,
    /// Measured, estimated or set value: y, the estimate of x, or u.
    pub value: &'a [f64],
    /// [Terms](super::Actuator::terms) of an actuator; empty for other components.
    pub terms: &'a [f64],
}

/// Samples of a component in chronological order, stored as the rows of one table.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{ControlLoop, LinearSensor, Sampling};
/// use siconos_kernel::prelude::*;
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let decay = model.add_system(FirstOrderLinearTi::new(vec![4.0], array![[-2.0_f64.ln()]]))?;
/// let mut sim = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 2.0, 0.5)?)
///     .integrator(ZeroOrderHold::default())
///     .build()?;
/// let mut control = ControlLoop::default();
/// let half = control.add_sensor(Sampling::every(1.0), LinearSensor::new([decay], array![[0.5]])?);
/// control.schedule(&model, sim.events_mut())?;
/// let mut state = sim.initial_state(&model)?;
/// while let Some(report) = sim.step(&model, &mut state)? {
///     control.process(report.events, &model, &mut state)?;
/// }
/// let samples = control.sensor(half)?.samples();
/// assert_eq!(samples.times(), [0.0, 1.0, 2.0]);
/// assert!((samples.get(2).unwrap().value[0] - 0.5).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Number of entries of the value of a sample, and number of its terms.
    widths: [usize; 2],
    times: Vec<f64>,
    rows: Vec<f64>,
}

impl Samples {
    pub(super) fn new(widths: [usize; 2]) -> Self {
        Self { widths, ..Self::default() }
    }

    pub(super) fn push(&mut self, t: f64, value: &[f64], terms: &[f64]) {
        self.times.push(t);
        self.rows.extend_from_slice(value);
        self.rows.extend_from_slice(terms);
    }

    pub(super) fn clear(&mut self) {
        self.times.clear();
        self.rows.clear();
    }

    /// Returns the number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Returns `true` if the number of samples is 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Returns the times of all samples \[s\].
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Returns sample k, counted from 0, if it exists.
    #[must_use]
    pub fn get(&self, k: usize) -> Option<Sample<'_>> {
        let t = *self.times.get(k)?;
        let width = self.widths[0] + self.widths[1];
        let (value, terms) = self.rows[k * width..(k + 1) * width].split_at(self.widths[0]);
        Some(Sample { t, value, terms })
    }

    /// Returns all samples in chronological order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Sample<'_>> + DoubleEndedIterator {
        let width = self.widths[0] + self.widths[1];
        self.times.iter().enumerate().map(move |(k, &t)| {
            let (value, terms) = self.rows[k * width..(k + 1) * width].split_at(self.widths[0]);
            Sample { t, value, terms }
        })
    }
}
