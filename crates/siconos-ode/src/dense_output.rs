//! The accepted steps of an integration, kept: the solution at any time that has been reached.

use super::OdeError;
use super::segment::{Form, Segment, Unit};

/// The solution of an integration along all of its steps, as the polynomials of these.
///
/// An [`Integrator`](super::Integrator) that [records](super::Integrator::set_recording) fills it. Where the
/// state jumps, at a restart, it has the state after the jump.
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
    /// Components of the state.
    n: usize,
    steps: Vec<RecordedStep>,
    /// Term by term, step by step.
    terms: Vec<f64>,
}

/// One accepted step, of which a part may count only.
#[derive(Clone, Copy, Debug)]
struct RecordedStep {
    first: f64,
    last: f64,
    /// The part that counts begins and ends here.
    from: f64,
    until: f64,
    form: Form,
    unit: Unit,
    /// Where its terms begin.
    place: usize,
}

impl DenseOutput {
    /// The number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The times \[s\] between which there is a solution; none before the first step.
    #[must_use]
    pub fn span(&self) -> Option<(f64, f64)> {
        Some((self.steps.first()?.from, self.steps.last()?.until))
    }

    /// The ends of all steps \[s\], in order: the times at which the solution is most exact.
    pub fn times(&self) -> impl Iterator<Item = f64> + '_ {
        self.steps.first().map(|step| step.from).into_iter().chain(self.steps.iter().map(|step| step.until))
    }

    /// Writes the state at a time \[s\].
    ///
    /// # Errors
    ///
    /// [`OdeError::OutsideStep`] for a time before the first step or after the last;
    /// [`OdeError::WrongLength`] for a vector that does not fit.
    pub fn interpolate(&self, t: f64, x: &mut [f64]) -> Result<(), OdeError> {
        if x.len() != self.n {
            return Err(OdeError::WrongLength { what: "x", expected: self.n, found: x.len() });
        }
        let outside = |first, last| OdeError::OutsideStep { t, first, last };
        let (first, last) = self.span().ok_or(outside(f64::NAN, f64::NAN))?;
        if !(first..=last).contains(&t) {
            return Err(outside(first, last));
        }
        // The last step that begins at or before the time: behind a jump where there was one.
        let step = &self.steps[self.steps.partition_point(|step| step.from <= t) - 1];
        let (n, terms) = (self.n, &self.terms[step.place..]);
        let s = (t - step.first) / (step.last - step.first);
        for (i, value) in x.iter_mut().enumerate() {
            *value = step.unit.restored(step.form.value(|k| terms[k * n + i], s));
        }
        Ok(())
    }

    /// Forgets everything; the state has n components from here on.
    pub(super) fn clear(&mut self, n: usize) {
        self.n = n;
        self.steps.clear();
        self.terms.clear();
    }

    /// Forgets what comes after a time.
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

    /// Adds a step from `first` to `last`, of which the part up to `until` counts that is not there yet.
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
