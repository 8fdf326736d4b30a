//! Record of the accepted steps of an integration, which gives the solution at any time up to the current
//! time.

use super::OdeError;
use super::segment::{Form, Segment, Unit};

/// Solution of an integration over all of its steps, stored as one polynomial per step.
///
/// It is filled by an [`Integrator`](super::Integrator) that [records](super::Integrator::set_recording) its
/// steps. If the state jumps at a restart, the solution at that time is the state after the jump.
///
/// ```
/// use siconos_ode::{Integrator, OdeFunctions, OdeSettings};
///
/// let mut oscillator = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| (f[0], f[1]) = (x[1], -x[0]));
/// let mut integrator = Integrator::new(OdeSettings::default())?;
/// integrator.set_recording(true);
/// integrator.restart(0.0, &[0.0, 1.0])?;
/// let _ = integrator.advance(&mut oscillator, 10.0)?;
/// let mut x = [0.0; 2];
/// integrator.recorded(1.0, &mut x)?;
/// assert!((x[0] - 1.0_f64.sin()).abs() < 1e-8);
/// # Ok::<(), siconos_ode::OdeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DenseOutput {
    /// Number of components of the state.
    n: usize,
    steps: Vec<RecordedStep>,
    /// Terms of the polynomials of all steps. The terms of a step are contiguous.
    terms: Vec<f64>,
}

/// Recorded step. Its polynomial covers the times `first` to `last` and is valid from `from` to `until`.
#[derive(Clone, Copy, Debug)]
struct RecordedStep {
    first: f64,
    last: f64,
    /// Start and end of the valid time interval \[s\].
    from: f64,
    until: f64,
    form: Form,
    unit: Unit,
    /// Index in `terms` of the first term of this step.
    place: usize,
}

impl DenseOutput {
    /// Returns the number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Returns the times \[s\] between which the solution is known; `None` before the first step.
    #[must_use]
    pub fn span(&self) -> Option<(f64, f64)> {
        Some((self.steps.first()?.from, self.steps.last()?.until))
    }

    /// Iterates over the start and the ends of all steps \[s\], in increasing order. At these times the
    /// solution is most accurate.
    pub fn times(&self) -> impl Iterator<Item = f64> + '_ {
        self.steps.first().map(|step| step.from).into_iter().chain(self.steps.iter().map(|step| step.until))
    }

    /// Writes the state at a time \[s\] to `x`.
    ///
    /// # Errors
    ///
    /// [`OdeError::OutsideStep`] if the time is before the start of the first step or after the end of the
    /// last; [`OdeError::WrongLength`] if the length of `x` differs from the number of components.
    pub fn interpolate(&self, t: f64, x: &mut [f64]) -> Result<(), OdeError> {
        if x.len() != self.n {
            return Err(OdeError::WrongLength { what: "x", expected: self.n, found: x.len() });
        }
        let outside = |first, last| OdeError::OutsideStep { t, first, last };
        let (first, last) = self.span().ok_or(outside(f64::NAN, f64::NAN))?;
        if !(first..=last).contains(&t) {
            return Err(outside(first, last));
        }
        // The latest step that starts at or before the time. At a jump, this is the step after the jump.
        let step = &self.steps[self.steps.partition_point(|step| step.from <= t) - 1];
        let (n, terms) = (self.n, &self.terms[step.place..]);
        let s = (t - step.first) / (step.last - step.first);
        for (i, value) in x.iter_mut().enumerate() {
            *value = step.unit.restored(step.form.value(|k| terms[k * n + i], s));
        }
        Ok(())
    }

    /// Deletes all steps. The state has n components from then on.
    pub(super) fn clear(&mut self, n: usize) {
        self.n = n;
        self.steps.clear();
        self.terms.clear();
    }

    /// Deletes the solution after time `t` \[s\].
    pub(super) fn cut(&mut self, t: f64) {
        while self.steps.last().is_some_and(|step| step.from >= t) {
            self.steps.pop();
        }
        if let Some(step) = self.steps.last_mut() {
            step.until = step.until.min(t);
            let end = step.place + (step.form.degree() + 1) * self.n;
            self.terms.truncate(end);
        } else {
            self.terms.clear();
        }
    }

    /// Adds the step from `first` to `last` up to the time `until`, except times that have been added before.
    pub(super) fn push(&mut self, (first, last): (f64, f64), until: f64, segment: &Segment) {
        let from = self.steps.last().map_or(first, |step| step.until.max(first));
        if until <= from {
            return;
        }
        let place = self.terms.len();
        for term in segment.terms() {
            self.terms.extend_from_slice(term);
        }
        self.steps.push(RecordedStep {
            first,
            last,
            from,
            until,
            form: segment.form(),
            unit: segment.unit(),
            place,
        });
    }
}
