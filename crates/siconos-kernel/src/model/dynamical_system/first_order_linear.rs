//! Linear first-order systems.

use ndarray::{Array1, Array2, ArrayViewMut2};
use siconos_linalg::Matrix;

use super::{check_initial_state, write_mass};
use crate::model::coefficient::{Coefficient, MatrixCoefficient, VectorCoefficient};
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, ModelError, check_finite, check_matrix, check_shape};

/// Linear first-order system with coefficients that can depend on time
///
/// $$ M \dot x = A(t) x + T u(t) + b(t) + r, \qquad x(t_0) = x_0 $$
///
/// (as plain text: M x' = A(t) x + T u(t) + b(t) + r). The interactions determine the input r. See the
/// developer's notes of Siconos, 3.3. For constant coefficients, use [`FirstOrderLinearTi`], which converts
/// to this type.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::FirstOrderLinear;
///
/// // A capacitor C charged through a resistor R by a mains voltage.
/// let (c, r) = (1e-6, 1e3);
/// let capacitor = FirstOrderLinear::new(vec![0.0], array![[-1.0 / (r * c)]])
///     .with_source_function(move |at, b| b[0] = 325.0 * (314.16 * at.t).sin() / (r * c));
/// assert!(!capacitor.is_time_invariant());
/// ```
#[doc(alias = "FirstOrderLinearDS")]
#[doc(alias = "LinearDS")]
#[derive(Clone, Debug)]
pub struct FirstOrderLinear {
    x0: Vec<f64>,
    mass: Option<Matrix>,
    a: MatrixCoefficient,
    source: Option<VectorCoefficient>,
    control: Option<(Array2<f64>, VectorCoefficient)>,
}

impl FirstOrderLinear {
    /// Creates a system with the initial state `x0` (`n`) and a constant matrix A, `n x n` in any storage (a
    /// vector is taken as the diagonal). The cost of a step depends on the number of stored entries of A and
    /// M. For many states, pass A as a [`Csc`](siconos_linalg::Csc) if most entries are zero.
    ///
    /// Shapes and finiteness are checked when the system is added to a model.
    pub fn new(x0: impl Into<Array1<f64>>, a: impl Into<Matrix>) -> Self {
        Self {
            x0: x0.into().to_vec(),
            mass: None,
            a: MatrixCoefficient::constant(a),
            source: None,
            control: None,
        }
    }

    /// Creates a system with a matrix function `A(at, out)`; `out` is `n x n` and is zeroed before the call.
    ///
    /// If a closure is first bound with `let`, its argument types must be written out.
    pub fn of_matrix_function(
        x0: impl Into<Array1<f64>>,
        a: impl Fn(At<'_>, &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self { a: MatrixCoefficient::of_time(a), ..Self::new(x0, Matrix::default()) }
    }

    /// Sets the matrix M, `n x n` (a vector is taken as the diagonal). Default: the identity.
    #[must_use]
    pub fn with_mass(mut self, mass: impl Into<Matrix>) -> Self {
        self.mass = Some(mass.into());
        self
    }

    /// Sets a constant source b, `n` entries. Default: none.
    #[must_use]
    pub fn with_source(mut self, b: impl Into<Array1<f64>>) -> Self {
        self.source = Some(VectorCoefficient::Constant(b.into()));
        self
    }

    /// Sets the source to a function `b(at, out)`; `out` is zeroed before the call.
    #[must_use]
    pub fn with_source_function(mut self, b: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static) -> Self {
        self.source = Some(VectorCoefficient::of_time(b));
        self
    }

    /// Sets the origin of the source.
    pub(super) fn with_source_origin(mut self, origin: Origin) -> Self {
        if let Some(slot) = self.source.as_mut().and_then(VectorCoefficient::origin_mut) {
            *slot = origin;
        }
        self
    }

    /// Sets the control term T u(t): T is `n x m`, and `u(at, out)` writes the `m` inputs; `out` is zeroed
    /// before the call. Default: none.
    #[must_use]
    pub fn with_control(
        mut self,
        matrix: Array2<f64>,
        u: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.control = Some((matrix, VectorCoefficient::of_time(u)));
        self
    }

    /// Returns the initial state.
    #[must_use]
    pub fn x0(&self) -> &[f64] {
        &self.x0
    }

    /// Returns A.
    #[must_use]
    pub fn a(&self) -> Coefficient<'_, Matrix> {
        self.a.view()
    }

    /// Returns M, or `None` for the identity.
    #[must_use]
    pub fn mass(&self) -> Option<&Matrix> {
        self.mass.as_ref()
    }

    /// Returns the source b, if any.
    #[must_use]
    pub fn source(&self) -> Option<Coefficient<'_, Array1<f64>>> {
        self.source.as_ref().map(VectorCoefficient::view)
    }

    /// Returns the matrix T of the control term and the origin of u, if any.
    #[must_use]
    pub fn control(&self) -> Option<(&Array2<f64>, &Origin)> {
        let (matrix, u) = self.control.as_ref()?;
        Some((matrix, u.view().function()?))
    }

    /// Returns `true` if A and the source are constant, and the system has no control term.
    #[must_use]
    pub fn is_time_invariant(&self) -> bool {
        self.has_constant_matrix()
            && self.control.is_none()
            && self.source.as_ref().is_none_or(VectorCoefficient::is_constant)
    }

    /// Returns `true` if there is a source or a control term.
    #[must_use]
    pub fn has_source(&self) -> bool {
        self.source.is_some() || self.control.is_some()
    }

    /// Returns `true` if A is constant.
    #[must_use]
    pub fn has_constant_matrix(&self) -> bool {
        self.a.is_constant()
    }

    /// Writes M to an `n x n` matrix.
    ///
    /// # Panics
    ///
    /// If `out` is not `n x n`.
    pub fn mass_into(&self, out: &mut ArrayViewMut2<'_, f64>) {
        write_mass(self.mass.as_ref(), out);
    }

    /// Writes A(t) to an `n x n` matrix.
    ///
    /// # Panics
    ///
    /// If `out` is not `n x n`.
    pub fn matrix_into(&self, at: At<'_>, out: &mut ArrayViewMut2<'_, f64>) {
        self.a.write(at, out);
    }

    /// Adds b(t) + T u(t) to `out`, which has `n` entries; `scratch` has [`scratch_len`](Self::scratch_len)
    /// entries.
    ///
    /// # Panics
    ///
    /// If `scratch` or `out` has fewer entries.
    pub fn add_source(&self, at: At<'_>, scratch: &mut [f64], out: &mut [f64]) {
        if let Some(source) = &self.source {
            source.add(at, &mut scratch[..out.len()], out);
        }
        if let Some((matrix, u)) = &self.control {
            let (inputs, scratch) = scratch.split_at_mut(matrix.ncols());
            inputs.fill(0.0);
            u.add(at, &mut scratch[..matrix.ncols()], inputs);
            for (target, row) in out.iter_mut().zip(matrix.rows()) {
                *target += row.iter().zip(&*inputs).map(|(t, u)| t * u).sum::<f64>();
            }
        }
    }

    /// Returns the length of the workspace for [`add_source`](Self::add_source).
    #[must_use]
    pub fn scratch_len(&self) -> usize {
        let inputs = self.control.as_ref().map_or(0, |(matrix, _)| matrix.ncols());
        self.x0.len().max(2 * inputs)
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        check_initial_state(&self.x0)?;
        let n = self.x0.len();
        self.a.check("A", (n, n))?;
        if let Some(mass) = &self.mass {
            check_matrix("M", (n, n), mass)?;
        }
        if let Some(source) = &self.source {
            source.check("b", n)?;
        }
        if let Some((matrix, _)) = &self.control {
            check_shape("T", (n, matrix.ncols()), matrix.dim())?;
            check_finite("T", matrix)?;
        }
        Ok(())
    }
}

impl HasParts for FirstOrderLinear {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("FirstOrderLinear");
        parts.count("number of states", self.x0.len());
        self.mass.iter().for_each(|mass| parts.matrix("M", mass));
        self.a.list("A", &mut parts);
        self.source.iter().for_each(|source| source.list("b", &mut parts));
        if let Some((matrix, u)) = &self.control {
            parts.dense("T", matrix.view());
            u.list("u", &mut parts);
        }
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        let control = self.control.iter_mut().map(|(_, u)| u);
        let vectors = self.source.iter_mut().chain(control).filter_map(VectorCoefficient::origin_mut);
        self.a.origin_mut().into_iter().chain(vectors).collect()
    }
}

/// Linear, time-invariant first-order system
///
/// $$ M \dot x = A x + b + r, \qquad x(t_0) = x_0 $$
///
/// (as plain text: M x' = A x + b + r). The matrices of a step are computed once per step size.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::{FirstOrderLinearTi, NonSmoothDynamicalSystem};
///
/// // An oscillator of a capacitor C [F] and an inductor L [H]; x = (voltage of C [V], current of L [A]).
/// let (c, l) = (1e-6, 1e-2);
/// let oscillator = FirstOrderLinearTi::new(vec![10.0, 0.0], array![[0.0, -1.0 / c], [1.0 / l, 0.0]]);
/// let mut model = NonSmoothDynamicalSystem::new();
/// model.add_system(oscillator)?;
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "FirstOrderLinearTIDS")]
#[derive(Clone, Debug)]
pub struct FirstOrderLinearTi(FirstOrderLinear);

impl FirstOrderLinearTi {
    /// Creates a system with the initial state `x0` (`n`) and the matrix A, as in [`FirstOrderLinear::new`].
    ///
    /// Shapes and finiteness are checked when the system is added to a model.
    pub fn new(x0: impl Into<Array1<f64>>, a: impl Into<Matrix>) -> Self {
        Self(FirstOrderLinear::new(x0, a))
    }

    /// Sets the matrix M, `n x n` (a vector is taken as the diagonal). Default: the identity.
    #[must_use]
    pub fn with_mass(self, mass: impl Into<Matrix>) -> Self {
        Self(self.0.with_mass(mass))
    }

    /// Sets the constant source b, `n` entries. Default: none.
    #[must_use]
    pub fn with_source(self, b: impl Into<Array1<f64>>) -> Self {
        Self(self.0.with_source(b))
    }
}

impl From<FirstOrderLinearTi> for FirstOrderLinear {
    fn from(system: FirstOrderLinearTi) -> Self {
        system.0
    }
}
