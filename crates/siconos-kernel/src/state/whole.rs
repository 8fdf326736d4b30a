//! Positions, velocities and states of all systems as single vectors, for controllers, optimisers and plots
//! in phase space.

use std::ops::Range;

use super::State;
use crate::model::{ModelError, NonSmoothDynamicalSystem, Places, check_finite, check_shape};

impl State {
    /// Returns the positions of all Lagrangian systems and bodies, concatenated in the order in which they
    /// were added to the model.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::prelude::*;
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// model.add_system(LagrangianLinear::new(vec![1.0, 2.0], vec![0.0; 2], array![1.0, 1.0]))?;
    /// let last = model.add_system(LagrangianLinear::new(vec![3.0], vec![4.0], array![1.0]))?;
    /// let mut state = State::new(&model, 0.0);
    /// assert_eq!(state.positions(&model)?, [1.0, 2.0, 3.0]);
    ///
    /// state.set_velocities(&model, &[0.0, 0.0, 5.0])?;
    /// assert_eq!(state.v(last), [5.0]);
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the state does not contain a system of the model: [`ModelError::UnknownSystem`].
    pub fn positions(&self, model: &NonSmoothDynamicalSystem) -> Result<Vec<f64>, ModelError> {
        self.gather(model, &self.q, |places| places.q.clone())
    }

    /// Returns the velocities of all Lagrangian systems and bodies, in the order of
    /// [`positions`](Self::positions).
    ///
    /// # Errors
    ///
    /// The errors of [`positions`](Self::positions).
    pub fn velocities(&self, model: &NonSmoothDynamicalSystem) -> Result<Vec<f64>, ModelError> {
        self.gather(model, &self.v, velocities)
    }

    /// Returns the states x of all first-order systems, concatenated in the order in which they were added to
    /// the model.
    ///
    /// # Errors
    ///
    /// The errors of [`positions`](Self::positions).
    pub fn first_order_states(&self, model: &NonSmoothDynamicalSystem) -> Result<Vec<f64>, ModelError> {
        self.gather(model, &self.v, first_order_states)
    }

    /// Sets the positions of all Lagrangian systems and bodies as [`set_position`](Self::set_position) does,
    /// in the order of [`positions`](Self::positions).
    ///
    /// # Errors
    ///
    /// The errors of [`positions`](Self::positions); also [`ModelError`] if the length is wrong or an entry
    /// is not finite. If an error is returned, the state is unchanged.
    pub fn set_positions(&mut self, model: &NonSmoothDynamicalSystem, q: &[f64]) -> Result<(), ModelError> {
        let ranges = self.checked_ranges(model, "q", q, |places| places.q.clone())?;
        let mut q = q.to_vec();
        let mut rest = &mut q[..];
        for (id, _) in model.systems().iter() {
            let places = self.known(id)?;
            let (own, others) = rest.split_at_mut(places.q.len());
            places.restore(own)?;
            rest = others;
        }
        scatter(&mut self.q, ranges, &q);
        self.mean_velocity.clear();
        self.rest.clear();
        self.expire_outputs();
        Ok(())
    }

    /// Sets the velocities of all Lagrangian systems and bodies, in the order of
    /// [`positions`](Self::positions).
    ///
    /// # Errors
    ///
    /// The errors of [`set_positions`](Self::set_positions).
    pub fn set_velocities(&mut self, model: &NonSmoothDynamicalSystem, v: &[f64]) -> Result<(), ModelError> {
        let ranges = self.checked_ranges(model, "v", v, velocities)?;
        scatter(&mut self.v, ranges, v);
        self.mean_velocity.clear();
        self.rest.clear();
        self.expire_outputs();
        Ok(())
    }

    /// Sets the states of all first-order systems, in the order of
    /// [`first_order_states`](Self::first_order_states).
    ///
    /// # Errors
    ///
    /// The errors of [`set_positions`](Self::set_positions).
    pub fn set_first_order_states(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        x: &[f64],
    ) -> Result<(), ModelError> {
        let ranges = self.checked_ranges(model, "x", x, first_order_states)?;
        scatter(&mut self.v, ranges, x);
        self.expire_outputs();
        Ok(())
    }

    fn gather(
        &self,
        model: &NonSmoothDynamicalSystem,
        from: &[f64],
        part: impl Fn(&Places) -> Range<usize>,
    ) -> Result<Vec<f64>, ModelError> {
        let mut whole = Vec::new();
        for range in self.ranges(model, part)? {
            whole.extend_from_slice(&from[range]);
        }
        Ok(whole)
    }

    fn checked_ranges(
        &self,
        model: &NonSmoothDynamicalSystem,
        what: &'static str,
        whole: &[f64],
        part: impl Fn(&Places) -> Range<usize>,
    ) -> Result<Vec<Range<usize>>, ModelError> {
        let ranges = self.ranges(model, part)?;
        check_shape(what, (ranges.iter().map(Range::len).sum(), 1), (whole.len(), 1))?;
        check_finite(what, whole)?;
        Ok(ranges)
    }

    fn ranges(
        &self,
        model: &NonSmoothDynamicalSystem,
        part: impl Fn(&Places) -> Range<usize>,
    ) -> Result<Vec<Range<usize>>, ModelError> {
        model.systems().iter().map(|(id, _)| Ok(part(self.known(id)?))).collect()
    }
}

/// Returns the range of the velocity of a Lagrangian system; empty for first-order systems.
pub(super) fn velocities(places: &Places) -> Range<usize> {
    if places.first_order { 0..0 } else { places.v.clone() }
}

/// Returns the range of the state of a first-order system; empty for other systems.
pub(super) fn first_order_states(places: &Places) -> Range<usize> {
    if places.first_order { places.v.clone() } else { 0..0 }
}

fn scatter(target: &mut [f64], ranges: Vec<Range<usize>>, mut whole: &[f64]) {
    for range in ranges {
        let (part, rest) = whole.split_at(range.len());
        target[range].copy_from_slice(part);
        whole = rest;
    }
}
