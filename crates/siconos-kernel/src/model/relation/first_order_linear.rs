//! Linear relations of first-order systems.

use ndarray::{Array1, Array2, ArrayViewMut2};
use siconos_linalg::Matrix;

use super::RelationValues;
use super::support::Support;
use crate::model::coefficient::{Coefficient, MatrixCoefficient, VectorCoefficient};
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, ModelError, check_finite, check_shape};

/// Linear relation $y = C(t) x + F(t) z(t) + D(t) \lambda + e(t)$, $r = B(t) \lambda$.
///
/// As plain text: y = C x + F z + D lambda + e, r = B lambda. The vector x, of length N, is the concatenated
/// state of all systems of the interaction; y and lambda have m components. If the interaction also contains
/// Lagrangian systems or bodies, x contains their velocities, and r contains the generalised forces on them.
/// Each coefficient is a constant or a function of time. See the developer's notes of Siconos, 2.2 and 8.49.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::FirstOrderLinearRelation;
///
/// // A diode in series with a resistor R, across the capacitor C of an oscillator: y = -v + R i.
/// let (c, r) = (1e-6, 1e3);
/// let diode = FirstOrderLinearRelation::new(array![[-1.0, 0.0]], array![[-1.0 / c], [0.0]]).with_d(array![[r]]);
/// assert_eq!((diode.size(), diode.is_constant()), (1, true));
/// ```
///
/// # Circuits and mechanisms
///
/// An interaction between a first-order system and a Lagrangian system connects a circuit, a hydraulic line
/// or a controller with a mechanism. In a motor, the current i makes a torque K i, and the speed w induces
/// the voltage -K w. With y = (i, w) - lambda and the law
/// [`EqualityCondition`](crate::model::EqualityCondition), the multipliers are the current and the speed:
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// let (voltage, resistance, inductance, k, inertia) = (6.0, 2.0, 0.5, 0.8, 0.3);
/// let mut model = NonSmoothDynamicalSystem::new();
/// let circuit = FirstOrderLinearTi::new(vec![0.0], array![[-resistance / inductance]])
///     .with_source(vec![voltage / inductance]);
/// let circuit = model.add_system(circuit)?;
/// let rotor = model.add_system(LagrangianLinear::new(vec![0.0], vec![0.0], array![[inertia]]))?;
/// let motor = FirstOrderLinearRelation::new(
///     array![[1.0, 0.0], [0.0, 1.0]],
///     array![[0.0, -k / inductance], [k, 0.0]],
/// )
/// .with_d(array![[-1.0, 0.0], [0.0, -1.0]]);
/// model.add_interaction([circuit, rotor], motor, EqualityCondition::new(2)?)?;
/// let mut simulation = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 10.0, 1e-2)?)
///     .build()?;
/// let mut state = simulation.initial_state(&model)?;
/// simulation.run(&model, &mut state, |_, _| {})?;
/// // Without load, the induced voltage is the voltage of the source.
/// assert!((state.v(rotor)[0] - voltage / k).abs() < 1e-3);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
///
/// Such interactions are supported by [`TimeStepping`](crate::simulation::TimeStepping) if
/// [`MoreauJean`](crate::integrator::MoreauJean) integrates the Lagrangian systems and the scheme of the
/// first-order systems has theta_r = 1. Newton's method is not damped in islands with systems of both orders.
#[doc(alias = "FirstOrderLinearR")]
#[doc(alias = "FirstOrderLinearTIR")]
#[derive(Clone, Debug)]
pub struct FirstOrderLinearRelation {
    size: usize,
    c: MatrixCoefficient,
    b: MatrixCoefficient,
    d: Option<MatrixCoefficient>,
    e: Option<VectorCoefficient>,
    parameters: Option<(Array2<f64>, VectorCoefficient)>,
    /// C and B restricted to the states with nonzero coefficients, if these are few.
    support: Option<Support>,
}

impl FirstOrderLinearRelation {
    /// Creates the relation $y = C x$, $r = B \lambda$ with constant C (`m x N`) and B (`N x m`), in any
    /// storage. If there are many states and only a few have nonzero coefficients, only these coefficients
    /// are stored. A diode between two nodes therefore costs as much in a large circuit as in a small one.
    ///
    /// Shapes and finiteness are checked when the interaction is added to a model.
    #[must_use]
    pub fn new(c: impl Into<Matrix>, b: impl Into<Matrix>) -> Self {
        let (c, b) = (c.into(), b.into());
        Self {
            size: c.rows(),
            support: Support::of(&c, &b),
            c: MatrixCoefficient::constant(c),
            b: MatrixCoefficient::constant(b),
            d: None,
            e: None,
            parameters: None,
        }
    }

    /// Creates the relation $y = C(t) x$, $r = B(t) \lambda$ with `size` components. The functions
    /// `(at, out)` write `m x N` and `N x m` matrices, which are zeroed before the call.
    ///
    /// If a closure is first bound with `let`, its argument types must be written out.
    pub fn of_functions(
        size: usize,
        c: impl Fn(At<'_>, &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
        b: impl Fn(At<'_>, &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            size,
            support: None,
            c: MatrixCoefficient::of_time(c),
            b: MatrixCoefficient::of_time(b),
            d: None,
            e: None,
            parameters: None,
        }
    }

    /// Sets the direct feedthrough D, `m x m`. Default: none.
    #[must_use]
    pub fn with_d(mut self, d: Array2<f64>) -> Self {
        self.d = Some(MatrixCoefficient::constant(d));
        self
    }

    /// Sets the direct feedthrough to a function `D(at, out)`; `out` is `m x m` and is zeroed before the
    /// call.
    #[must_use]
    pub fn with_d_function(
        mut self,
        d: impl Fn(At<'_>, &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.d = Some(MatrixCoefficient::of_time(d));
        self
    }

    /// Sets the constant offset e, `m` entries. Default: none.
    #[must_use]
    pub fn with_offset(mut self, e: impl Into<Array1<f64>>) -> Self {
        self.e = Some(VectorCoefficient::Constant(e.into()));
        self
    }

    /// Sets the offset to a function `e(at, out)`; `out` is zeroed before the call.
    #[must_use]
    pub fn with_offset_function(mut self, e: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static) -> Self {
        self.e = Some(VectorCoefficient::of_time(e));
        self
    }

    /// Sets the parameters z with their matrix F (`m x p`). Default: none.
    #[must_use]
    pub fn with_parameters(mut self, f: Array2<f64>, z: impl Into<Array1<f64>>) -> Self {
        self.parameters = Some((f, VectorCoefficient::Constant(z.into())));
        self
    }

    /// Sets the parameters to a function `z(at, out)`, with a constant matrix F (`m x p`); `out` has p
    /// entries and is zeroed before the call.
    #[must_use]
    pub fn with_parameter_function(
        mut self,
        f: Array2<f64>,
        z: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.parameters = Some((f, VectorCoefficient::of_time(z)));
        self
    }

    /// Returns the number of components of y.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns `true` if C, B and D are constant. The matrix of the one-step nonsmooth problem is then
    /// constant.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.c.is_constant()
            && self.b.is_constant()
            && self.d.as_ref().is_none_or(MatrixCoefficient::is_constant)
    }

    /// Returns C.
    #[must_use]
    pub fn c(&self) -> Coefficient<'_, Matrix> {
        self.c.view()
    }

    /// Returns B.
    #[must_use]
    pub fn b(&self) -> Coefficient<'_, Matrix> {
        self.b.view()
    }

    /// Returns D, if any.
    #[must_use]
    pub fn d(&self) -> Option<Coefficient<'_, Matrix>> {
        self.d.as_ref().map(MatrixCoefficient::view)
    }

    /// Returns the offset e, if any.
    #[must_use]
    pub fn offset(&self) -> Option<Coefficient<'_, Array1<f64>>> {
        self.e.as_ref().map(VectorCoefficient::view)
    }

    /// Returns the matrix F and the parameters z, if any.
    #[must_use]
    pub fn parameters(&self) -> Option<(&Array2<f64>, Coefficient<'_, Array1<f64>>)> {
        self.parameters.as_ref().map(|(f, z)| (f, z.view()))
    }

    /// Returns `true` if D is constant or absent.
    #[must_use]
    pub fn has_constant_feedthrough(&self) -> bool {
        self.d.as_ref().is_none_or(MatrixCoefficient::is_constant)
    }

    /// Returns `true` if there is a term F z or e.
    #[must_use]
    pub fn has_offset(&self) -> bool {
        self.e.is_some() || self.parameters.is_some()
    }

    /// Returns the indices of the states that the relation reads or acts on, if they are few.
    pub(super) fn support(&self) -> Option<&[usize]> {
        self.support.as_ref().map(|support| &support.states[..])
    }

    pub(super) fn check(&self, columns: usize) -> Result<(), ModelError> {
        let m = self.size;
        self.c.check("C", (m, columns))?;
        self.b.check("B", (columns, m))?;
        if let Some(d) = &self.d {
            d.check("D", (m, m))?;
        }
        if let Some(e) = &self.e {
            e.check("e", m)?;
        }
        if let Some((f, z)) = &self.parameters {
            check_shape("F", (m, f.ncols()), f.dim())?;
            check_finite("F", f)?;
            z.check("z", f.ncols())?;
        }
        Ok(())
    }

    /// Writes C, B and D.
    pub(super) fn matrices_into(&self, at: At<'_>, values: &mut RelationValues) {
        match self.support.as_ref().filter(|_| values.is_of_support) {
            Some(support) => {
                values.c.assign(&support.c);
                values.b.assign(&support.b);
            }
            None => {
                self.c.write(at, &mut values.c.view_mut());
                self.b.write(at, &mut values.b.view_mut());
            }
        }
        if let Some(d) = &self.d {
            d.write(at, &mut values.d.view_mut());
        }
    }

    /// Returns `true` if $F z + e$ does not depend on time.
    pub fn has_constant_offset(&self) -> bool {
        self.e.as_ref().is_none_or(VectorCoefficient::is_constant)
            && self.parameters.as_ref().is_none_or(|(_, z)| z.is_constant())
    }

    /// Writes $F z + e$ to `values.offset`.
    pub(super) fn offset_into(&self, at: At<'_>, values: &mut RelationValues) {
        values.offset.fill(0.0);
        if let Some(e) = &self.e {
            e.add(at, &mut values.scratch_y, &mut values.offset);
        }
        if let Some((f, z)) = &self.parameters {
            let (value, scratch) = values.scratch_z.split_at_mut(f.ncols());
            value.fill(0.0);
            z.add(at, scratch, value);
            for (y, row) in values.offset.iter_mut().zip(f.rows()) {
                *y += row.iter().zip(&*value).map(|(f, z)| f * z).sum::<f64>();
            }
        }
    }

    /// Returns the length of the workspace for z and another vector of equal length.
    pub(super) fn parameter_room(&self) -> usize {
        self.parameters.as_ref().map_or(0, |(f, _)| 2 * f.ncols())
    }
}

impl HasParts for FirstOrderLinearRelation {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("FirstOrderLinearRelation");
        parts.count("size", self.size);
        self.c.list("C", &mut parts);
        self.b.list("B", &mut parts);
        self.d.iter().for_each(|d| d.list("D", &mut parts));
        self.e.iter().for_each(|e| e.list("e", &mut parts));
        if let Some((f, z)) = &self.parameters {
            parts.dense("F", f.view());
            z.list("z", &mut parts);
        }
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        let z = self.parameters.iter_mut().map(|(_, z)| z);
        let vectors = self.e.iter_mut().chain(z).filter_map(VectorCoefficient::origin_mut);
        let matrices = [&mut self.c, &mut self.b].into_iter().chain(&mut self.d);
        matrices.filter_map(MatrixCoefficient::origin_mut).chain(vectors).collect()
    }
}
