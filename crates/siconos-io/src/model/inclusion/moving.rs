//! Moving sets that are read from files.

use ndarray::ArrayViewMut2;
use siconos_expression::{Expression, Tape};
use siconos_kernel::ModelError;
use siconos_numerics::cone::{ConvexSet, ConvexSetError, Interval, Polyhedron};
use siconos_sweeping::{
    FixedSet, Inequalities, MovingFrame, MovingPolyhedron, MovingSet, Projection, SweepingError,
};

use super::super::scopes::{FIRST, TIME};
use super::closures::{matrix_of_vector, of_time, of_vector, reads};
use super::set::{Frame, SetDescription};
use super::shape::Shape;

/// A moving set that is read from a file.
pub(super) struct FileSet(Box<dyn MovingSet + Send>);

impl MovingSet for FileSet {
    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn project(&mut self, t: f64, u: &[f64], x: &mut [f64]) -> Result<Projection, SweepingError> {
        self.0.project(t, u, x)
    }

    fn inequalities(&mut self, t: f64, u: &[f64]) -> Result<Option<&Inequalities>, SweepingError> {
        self.0.inequalities(t, u)
    }

    fn depends_on_state(&self) -> bool {
        self.0.depends_on_state()
    }
}

impl std::fmt::Debug for FileSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileSet").field("n", &self.dimension()).finish_non_exhaustive()
    }
}

impl SetDescription {
    /// Builds the set of points with n components.
    pub(super) fn build(&self, n: usize) -> Result<FileSet, SweepingError> {
        Ok(FileSet(match self {
            Self::Shape(Shape::Orthant, None) => Box::new(MovingPolyhedron::orthant(n)?),
            Self::Shape(shape, None) => Box::new(FixedSet::new(n, shape.clone())),
            Self::Shape(shape, Some(frame)) => framed(shape.clone(), frame, n),
            Self::Box(lower, upper) => Box::new(MovingBox::new(lower, upper)),
            Self::Polyhedron(h, k) => Box::new(moving_polyhedron(&h.entries, k, n)?),
        }))
    }
}

fn moving_polyhedron(
    h: &[Expression],
    k: &[Expression],
    n: usize,
) -> Result<MovingPolyhedron, SweepingError> {
    let reads_bank = |slot| reads(h, slot) || reads(k, slot);
    let (write_h, write_k) = (matrix_of_vector(h), of_vector(k));
    if reads_bank(FIRST) {
        let write = move |t: f64, u: &[f64], mut h: ArrayViewMut2<'_, f64>, k: &mut [f64]| {
            write_h(t, u, &mut h);
            write_k(t, u, k);
        };
        return MovingPolyhedron::of_state(n, k.len(), write);
    }
    if reads_bank(TIME) {
        let write = move |t: f64, mut h: ArrayViewMut2<'_, f64>, k: &mut [f64]| {
            write_h(t, &[], &mut h);
            write_k(t, &[], k);
        };
        return MovingPolyhedron::new(n, k.len(), write);
    }
    let mut matrix = ndarray::Array2::zeros((k.len(), n));
    write_h(0.0, &[], &mut matrix.view_mut());
    let mut bounds = vec![0.0; k.len()];
    write_k(0.0, &[], &mut bounds);
    Ok(MovingPolyhedron::fixed(&Polyhedron::new(matrix, bounds)?))
}

/// Builds a set that is moved by a frame.
fn framed(shape: Shape, frame: &Frame, n: usize) -> Box<dyn MovingSet + Send> {
    let Frame { shift, rotation, scale } = frame;
    let of_scale = || scale.as_ref().map(|scale| of_time(std::slice::from_ref(scale)));
    // c + s R y = s (c / s + R y)
    let (scale, factor) = (of_scale(), of_scale());
    let shift = shift.as_ref().map(|shift| of_time(shift));
    let write_shift = move |t: f64, origin: &mut [f64]| {
        shift.iter().for_each(|shift| shift(t, origin));
        if let Some(factor) = &factor {
            let mut value = [1.0];
            factor(t, &mut value);
            origin.iter_mut().for_each(|origin| *origin /= value[0]);
        }
    };
    let set = match rotation {
        None => MovingFrame::translated(n, shape, write_shift),
        Some(rotation) => {
            let axes = matrix_of_vector(&rotation.entries);
            MovingFrame::new(n, shape, move |t, origin, mut matrix| {
                write_shift(t, origin);
                axes(t, &[], &mut matrix);
            })
        }
    };
    match scale {
        None => Box::new(set),
        Some(scale) => Box::new(Scaled { set, scale: Box::new(scale) }),
    }
}

type OfTime = dyn Fn(f64, &mut [f64]) + Send + Sync;

/// A set that is scaled by a function of time.
struct Scaled {
    set: MovingFrame<Shape>,
    scale: Box<OfTime>,
}

impl MovingSet for Scaled {
    fn dimension(&self) -> usize {
        self.set.dimension()
    }

    fn project(&mut self, t: f64, u: &[f64], x: &mut [f64]) -> Result<Projection, SweepingError> {
        let mut scale = [1.0];
        (self.scale)(t, &mut scale);
        let [value] = scale;
        if !(value.is_finite() && value > 0.0) {
            return Err(ConvexSetError::NotPositive { what: "scale", value }.into());
        }
        x.iter_mut().for_each(|x| *x /= value);
        let projection = self.set.project(t, u, x)?;
        x.iter_mut().for_each(|x| *x *= value);
        Ok(projection)
    }
}

/// A box with moving bounds.
struct MovingBox {
    tape: Tape,
    depends_on_state: bool,
    /// Index of the component that each lower bound limits. In `values`, the upper bounds follow the lower
    /// bounds.
    lower: Vec<usize>,
    upper: Vec<usize>,
    values: Vec<f64>,
    bounds: (Vec<f64>, Vec<f64>),
}

impl MovingBox {
    fn new(lower: &[Option<Expression>], upper: &[Option<Expression>]) -> Self {
        let n = lower.len();
        let there: Vec<_> = lower.iter().chain(upper).flatten().collect();
        let places = |bounds: &[Option<Expression>]| -> Vec<usize> {
            bounds.iter().enumerate().filter(|(_, bound)| bound.is_some()).map(|(place, _)| place).collect()
        };
        Self {
            tape: Tape::compile(&there),
            depends_on_state: there.iter().any(|bound| reads(std::slice::from_ref(*bound), FIRST)),
            values: vec![0.0; there.len()],
            lower: places(lower),
            upper: places(upper),
            bounds: (vec![f64::NEG_INFINITY; n], vec![f64::INFINITY; n]),
        }
    }
}

impl MovingSet for MovingBox {
    fn dimension(&self) -> usize {
        self.bounds.0.len()
    }

    fn project(&mut self, t: f64, u: &[f64], x: &mut [f64]) -> Result<Projection, SweepingError> {
        let Self { tape, lower, upper, values, bounds, .. } = self;
        tape.evaluate(&[&[t], &[], u], values);
        if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            let value = values[index];
            return Err(ModelError::NotFiniteAt { what: "bounds", t, index, value }.into());
        }
        let (of_lower, of_upper) = values.split_at(lower.len());
        lower.iter().zip(of_lower).for_each(|(place, value)| bounds.0[*place] = *value);
        upper.iter().zip(of_upper).for_each(|(place, value)| bounds.1[*place] = *value);
        Interval::new(&bounds.0, &bounds.1).map_err(ConvexSetError::from)?.project(x);
        Ok(Projection::EXACT)
    }

    fn depends_on_state(&self) -> bool {
        self.depends_on_state
    }
}
