//! State for the crate `differential-equations`: a vector whose length is known only at run time.
//!
//! The crate copies states in each step. To avoid allocations, short states are stored in place, and the
//! memory of long states is reused.

use std::cell::{Cell, RefCell};

use differential_equations::tolerance::Tolerance;
use differential_equations::traits::State;

/// Maximum length of a state that is stored in place.
pub(super) const IN_PLACE: usize = 12;

thread_local! {
    /// Length of the vectors that [`State::zeros`] returns. `differential-equations` calls `zeros` without a
    /// length, and its Radau5 never resizes the result. The adapter sets the length before each call of the
    /// crate.
    static LENGTH: Cell<usize> = const { Cell::new(0) };

    /// Unused memory of long states.
    static SPARE: RefCell<Vec<Vec<f64>>> = const { RefCell::new(Vec::new()) };
}

/// Maximum number of unused vectors that are kept. The solvers of `differential-equations` hold fewer
/// vectors than this.
const MOST_SPARE: usize = 64;

/// Sets the length of the zero vectors that this thread creates from then on.
pub(super) fn set_length_of_zeros(length: usize) {
    LENGTH.set(length);
}

/// State vector.
#[derive(Debug)]
pub(super) struct Values {
    length: usize,
    in_place: [f64; IN_PLACE],
    /// Entries of a long state; empty if the state is stored in place.
    long: Vec<f64>,
}

impl Values {
    fn of_zeros(length: usize) -> Self {
        let long = if length > IN_PLACE {
            let mut long = spare();
            long.clear();
            long.resize(length, 0.0);
            long
        } else {
            Vec::new()
        };
        Self { length, in_place: [0.0; IN_PLACE], long }
    }

    pub(super) fn from_slice(values: &[f64]) -> Self {
        let mut state = Self::of_zeros(values.len());
        state.as_mut_slice().copy_from_slice(values);
        state
    }

    pub(super) fn as_slice(&self) -> &[f64] {
        if self.length > IN_PLACE { &self.long } else { &self.in_place[..self.length] }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [f64] {
        if self.length > IN_PLACE { &mut self.long } else { &mut self.in_place[..self.length] }
    }
}

/// Returns an unused vector, or an empty one if there is none.
fn spare() -> Vec<f64> {
    SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten().unwrap_or_default()
}

impl Clone for Values {
    fn clone(&self) -> Self {
        let mut long = Vec::new();
        if self.length > IN_PLACE {
            long = spare();
            long.clone_from(&self.long);
        }
        Self { length: self.length, in_place: self.in_place, long }
    }
}

impl Drop for Values {
    fn drop(&mut self) {
        if self.length > IN_PLACE {
            let long = std::mem::take(&mut self.long);
            // An error means that the thread ends and its memory is freed.
            let _ = SPARE.try_with(|spare| {
                let mut spare = spare.borrow_mut();
                if spare.len() < MOST_SPARE {
                    spare.push(long);
                }
            });
        }
    }
}

impl State<f64> for Values {
    fn len(&self) -> usize {
        self.length
    }

    fn get_component(&self, index: usize) -> f64 {
        self.as_slice()[index]
    }

    fn set_component(&mut self, index: usize, value: f64) {
        self.as_mut_slice()[index] = value;
    }

    fn map_components_mut<F: FnMut(usize, &mut f64)>(&mut self, mut f: F) {
        for (index, value) in self.as_mut_slice().iter_mut().enumerate() {
            f(index, value);
        }
    }

    fn zeros_like(&self) -> Self {
        Self::of_zeros(self.length)
    }

    fn zeros() -> Self {
        Self::of_zeros(LENGTH.get())
    }

    fn mul_add_assign(&mut self, alpha: f64, other: &Self) {
        for (value, other) in self.as_mut_slice().iter_mut().zip(other.as_slice()) {
            *value += alpha * other;
        }
    }

    fn add_scaled(&mut self, alpha: f64, other: &Self) -> &mut Self {
        self.mul_add_assign(alpha, other);
        self
    }

    fn scale_mut(&mut self, alpha: f64) {
        for value in self.as_mut_slice() {
            *value *= alpha;
        }
    }

    fn error_norm(
        &self,
        new: &Self,
        error: &Self,
        absolute: &Tolerance<f64>,
        relative: &Tolerance<f64>,
    ) -> f64 {
        let pairs = self.as_slice().iter().zip(new.as_slice()).zip(error.as_slice());
        let squares = pairs.enumerate().map(|(i, ((a, b), error))| {
            let weight = absolute[i] + relative[i] * a.abs().max(b.abs());
            (error / weight).powi(2)
        });
        squares.sum()
    }
}
