//! Linear sensor with an optional delay.

use ndarray::Array2;

use super::linear::add_product;
use super::{ControlError, Sensor};
use siconos_kernel::engine::{check_finite, check_shape};
use siconos_kernel::model::{DynamicalSystemId, NonSmoothDynamicalSystem, ParameterId};
use siconos_kernel::{ModelError, State};

/// Sensor with the output $y = C x + D u$, optionally delayed by some samples.
///
/// x is the state of a first-order system or (q, v) of a Lagrangian system; the states of several systems are
/// concatenated. u is the current value of a parameter. If an actuator sets u at the same time, the sensor
/// reads the previous value.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{ControlLoop, LinearSensor, Sampling};
/// use siconos_kernel::prelude::*;
///
/// // A ball in free fall. Its height is measured with a delay of two samples.
/// let mut model = NonSmoothDynamicalSystem::new();
/// let ball = model.add_system(LagrangianLinear::new(vec![10.0], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = -9.81))?;
/// let mut sim = EventDriven::builder(&model).discretisation(TimeDiscretisation::uniform(0.0, 0.3, 0.1)?).build()?;
/// let mut control = ControlLoop::default();
/// let sensor = LinearSensor::new([ball], array![[1.0, 0.0]])?.with_delay(2);
/// let height = control.add_sensor(Sampling::every(0.1), sensor);
/// control.schedule(&model, sim.events_mut())?;
/// let mut state = sim.initial_state(&model)?;
/// while let Some(report) = sim.step(&model, &mut state)? {
///     control.process(report.events, &model, &mut state)?;
/// }
/// let seen: Vec<f64> = control.sensor(height)?.samples().iter().map(|sample| sample.value[0]).collect();
/// assert_eq!(seen[..3], [10.0, 10.0, 10.0]);
/// assert!((seen[3] - (10.0 - 0.5 * 9.81 * 0.01)).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinearSensor {
    systems: Vec<DynamicalSystemId>,
    c: Array2<f64>,
    feedthrough: Option<(Array2<f64>, ParameterId)>,
    x: Vec<f64>,
    /// Delay in samples.
    delay: usize,
    /// Measurements that have not been output yet, the oldest at index `oldest`; empty without delay.
    waiting: Vec<f64>,
    oldest: usize,
    is_waiting: bool,
}

impl LinearSensor {
    /// Creates a sensor for the states of one or more systems. C is `p x n`, where n is the total number of
    /// entries of these states.
    ///
    /// # Errors
    ///
    /// [`ModelError::Empty`] if C is empty; [`ModelError::NotFinite`] if an entry is not finite.
    pub fn new(
        systems: impl IntoIterator<Item = DynamicalSystemId>,
        c: Array2<f64>,
    ) -> Result<Self, ModelError> {
        if c.is_empty() {
            return Err(ModelError::Empty { what: "C of a sensor" });
        }
        check_finite("C of a sensor", &c)?;
        Ok(Self {
            systems: systems.into_iter().collect(),
            x: Vec::with_capacity(c.ncols()),
            c,
            feedthrough: None,
            delay: 0,
            waiting: Vec::new(),
            oldest: 0,
            is_waiting: false,
        })
    }

    /// Adds the feedthrough D u. D is `p x m`, and u is a parameter with m entries.
    ///
    /// # Errors
    ///
    /// [`ModelError::WrongShape`] if D and C have different numbers of rows; [`ModelError::NotFinite`] if an
    /// entry is not finite.
    pub fn with_feedthrough(mut self, d: Array2<f64>, u: ParameterId) -> Result<Self, ModelError> {
        check_shape("D of a sensor", (self.c.nrows(), d.ncols()), d.dim())?;
        check_finite("D of a sensor", &d)?;
        self.feedthrough = Some((d, u));
        Ok(self)
    }

    /// Delays each measurement by a number of samples. Until the first delayed measurement is available, the
    /// sensor outputs the first measurement. Default: 0.
    #[must_use]
    pub fn with_delay(mut self, samples: usize) -> Self {
        self.delay = samples;
        self.waiting = vec![0.0; samples * self.c.nrows()];
        self
    }

    /// Stores the measurement in `y` for later output, and overwrites `y` with the delayed measurement that
    /// is due.
    fn exchange(&mut self, y: &mut [f64]) {
        let p = y.len();
        if !self.is_waiting {
            self.waiting.chunks_exact_mut(p).for_each(|waiting| waiting.copy_from_slice(y));
            self.is_waiting = true;
        }
        y.swap_with_slice(&mut self.waiting[self.oldest * p..(self.oldest + 1) * p]);
        self.oldest = (self.oldest + 1) % self.delay;
    }
}

impl Sensor for LinearSensor {
    fn size(&self) -> usize {
        self.c.nrows()
    }

    fn check(&self, model: &NonSmoothDynamicalSystem) -> Result<(), ControlError> {
        let mut n = 0;
        for &id in &self.systems {
            let system = model.system(id)?;
            n += if system.is_first_order() { 0 } else { system.q0().len() };
            n += system.degrees_of_freedom();
        }
        check_shape("C of a sensor", (self.c.nrows(), n), self.c.dim())?;
        if let Some((d, id)) = &self.feedthrough {
            let u = model.parameters().get(*id).ok_or(ModelError::UnknownParameter { id: *id })?;
            check_shape("D of a sensor", (self.c.nrows(), u.initial().len()), d.dim())?;
        }
        Ok(())
    }

    fn measure(
        &mut self,
        _model: &NonSmoothDynamicalSystem,
        state: &State,
        y: &mut [f64],
    ) -> Result<(), ControlError> {
        self.x.clear();
        for &id in &self.systems {
            match (state.try_x(id), state.try_q(id), state.try_v(id)) {
                (Some(x), _, _) => self.x.extend_from_slice(x),
                (None, Some(q), Some(v)) => {
                    self.x.extend_from_slice(q);
                    self.x.extend_from_slice(v);
                }
                _ => return Err(ModelError::UnknownSystem { id }.into()),
            }
        }
        check_shape("the state that a sensor measures", (self.c.ncols(), 1), (self.x.len(), 1))?;
        y.fill(0.0);
        add_product(&self.c, &self.x, y);
        if let Some((d, id)) = &self.feedthrough {
            let id = *id;
            let u = state.at().parameters().get(id).ok_or(ModelError::UnknownParameter { id })?;
            check_shape("u of a sensor", (d.ncols(), 1), (u.len(), 1))?;
            add_product(d, u, y);
        }
        if self.delay > 0 {
            self.exchange(y);
        }
        Ok(())
    }

    fn restart(&mut self) {
        self.oldest = 0;
        self.is_waiting = false;
    }

    /// Measurements that have not been output yet, oldest first; empty before the first sample.
    fn memory(&self) -> Vec<f64> {
        let (newer, older) = self.waiting.split_at(self.oldest * self.c.nrows());
        if self.is_waiting { [older, newer].concat() } else { Vec::new() }
    }

    fn recall(&mut self, memory: &[f64]) -> bool {
        self.restart();
        if memory.is_empty() {
            return true;
        }
        let fits = memory.len() == self.waiting.len();
        if fits {
            self.waiting.copy_from_slice(memory);
            self.is_waiting = true;
        }
        fits
    }
}
