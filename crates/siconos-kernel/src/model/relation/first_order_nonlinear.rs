//! Nonlinear relations of first-order systems.

use std::ops::Index;
use std::sync::Arc;

use ndarray::{Array1, Array2};

use super::RelationValues;
use super::relation_jacobian::{RelationJacobian, write};
use crate::model::closure::Closure;
use crate::model::dynamical_system::{JacobianMismatch, check_step, compare_jacobians};
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, ModelError, ParameterId, Parameters, check_finite, check_shape};

type VectorFn = Closure<dyn Fn(RelationPoint<'_>, &mut [f64]) + Send + Sync>;

/// Point at which a relation is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct RelationPoint<'a> {
    /// The time \[s\].
    pub t: f64,
    /// States of all systems of the interaction, concatenated, `N` entries.
    pub x: &'a [f64],
    /// The multipliers, `m` entries.
    pub lambda: &'a [f64],
    /// The constants z of the relation.
    pub z: &'a [f64],
    /// The parameters of the model; `point[parameter]` reads them.
    pub parameters: &'a Parameters,
}

impl Index<ParameterId> for RelationPoint<'_> {
    type Output = [f64];

    /// Returns the values of a parameter of the model.
    ///
    /// # Panics
    ///
    /// If the id belongs to another model; see [`Parameters::get`].
    #[track_caller]
    fn index(&self, id: ParameterId) -> &[f64] {
        &self.parameters[id]
    }
}

impl<'a> RelationPoint<'a> {
    /// Returns the time with the parameters of the model.
    #[must_use]
    pub fn at(&self) -> At<'a> {
        At::new(self.t, self.parameters)
    }
}

/// Nonlinear relation $y = h(t, x, \lambda, z)$, $r = g(t, x, \lambda, z)$.
///
/// The vector x, of length N, is the concatenated state of all systems of the interaction; y and lambda have
/// m components. A step linearises with $C = \partial_x h$ (`m x N`), $D = \partial_\lambda h$ (`m x m`),
/// $K = \partial_x g$ (`N x N`) and $B = \partial_\lambda g$ (`N x m`). Each Jacobian must be given, declared
/// zero, or declared as approximated by finite differences. A relation in which one of them is missing is
/// rejected when it is added to a model. See the developer's notes of Siconos, 8.1 to 8.24.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::{FirstOrderNonlinearRelation, Relation, RelationJacobian};
///
/// // A current r = lambda (1 + x^2) that keeps x^2 + lambda >= 1.
/// let relation = FirstOrderNonlinearRelation::new(
///     1,
///     |at, y| y[0] = at.x[0] * at.x[0] + at.lambda[0] - 1.0,
///     |at, r| r[0] = at.lambda[0] * (1.0 + at.x[0] * at.x[0]),
/// )
/// .with_c(RelationJacobian::function(|at, c| c[[0, 0]] = 2.0 * at.x[0]))
/// .with_d(RelationJacobian::Constant(array![[1.0]]))
/// .with_k(RelationJacobian::function(|at, k| k[[0, 0]] = 2.0 * at.x[0] * at.lambda[0]))
/// .with_b(RelationJacobian::FiniteDifference);
/// relation.check_jacobians(0.0, &[0.7], &[0.2], 1e-6)?;
/// # Ok::<(), siconos_kernel::model::JacobianMismatch>(())
/// ```
#[doc(alias = "FirstOrderNonLinearR")]
#[derive(Clone, Debug)]
pub struct FirstOrderNonlinearRelation {
    size: usize,
    h: VectorFn,
    g: VectorFn,
    c: Option<RelationJacobian>,
    d: Option<RelationJacobian>,
    k: Option<RelationJacobian>,
    b: Option<RelationJacobian>,
    z: Vec<f64>,
}

impl FirstOrderNonlinearRelation {
    /// Creates a relation with `size` components and the functions `h(point, y)` and `g(point, r)`. The last
    /// argument of each function is zeroed before the call.
    ///
    /// If a closure is first bound with `let`, its argument types must be written out.
    pub fn new(
        size: usize,
        h: impl Fn(RelationPoint<'_>, &mut [f64]) + Send + Sync + 'static,
        g: impl Fn(RelationPoint<'_>, &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        let (h, g) = (Closure::new(Arc::new(h) as _), Closure::new(Arc::new(g) as _));
        Self { size, h, g, c: None, d: None, k: None, b: None, z: Vec::new() }
    }

    /// Creates a relation of type 1: $y = h(t, x, z)$, $r = g(t, \lambda, z)$. The functions are given as
    /// `h(at, x, z, y)` and `g(at, lambda, z, r)`, together with the Jacobians C and B. D and K are zero.
    #[doc(alias = "FirstOrderType1R")]
    pub fn type_1(
        size: usize,
        h: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        g: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        (c, b): (RelationJacobian, RelationJacobian),
    ) -> Self {
        Self::new(size, move |at, y| h(at.at(), at.x, at.z, y), move |at, r| g(at.at(), at.lambda, at.z, r))
            .with_c(c)
            .with_d(RelationJacobian::Zero)
            .with_k(RelationJacobian::Zero)
            .with_b(b)
    }

    /// Creates a relation of type 2: $y = h(t, x, \lambda, z)$, $r = g(t, \lambda, z)$. The functions are
    /// given as `h(point, y)` and `g(at, lambda, z, r)`, together with the Jacobians C, D and B. K is zero.
    #[doc(alias = "FirstOrderType2R")]
    pub fn type_2(
        size: usize,
        h: impl Fn(RelationPoint<'_>, &mut [f64]) + Send + Sync + 'static,
        g: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        (c, d, b): (RelationJacobian, RelationJacobian, RelationJacobian),
    ) -> Self {
        Self::new(size, h, move |at, r| g(at.at(), at.lambda, at.z, r))
            .with_c(c)
            .with_d(d)
            .with_k(RelationJacobian::Zero)
            .with_b(b)
    }

    /// Sets $C = \partial_x h$, `m x N`.
    #[must_use]
    pub fn with_c(mut self, c: RelationJacobian) -> Self {
        self.c = Some(c);
        self
    }

    /// Sets $D = \partial_\lambda h$, `m x m`.
    #[must_use]
    pub fn with_d(mut self, d: RelationJacobian) -> Self {
        self.d = Some(d);
        self
    }

    /// Sets $K = \partial_x g$, `N x N`.
    #[must_use]
    pub fn with_k(mut self, k: RelationJacobian) -> Self {
        self.k = Some(k);
        self
    }

    /// Sets $B = \partial_\lambda g$, `N x m`.
    #[must_use]
    pub fn with_b(mut self, b: RelationJacobian) -> Self {
        self.b = Some(b);
        self
    }

    /// Sets the constants z that h and g read. Default: none. For values that change during a simulation, use
    /// a parameter of the model:
    /// [`NonSmoothDynamicalSystem::add_parameter`](crate::model::NonSmoothDynamicalSystem::add_parameter).
    #[must_use]
    pub fn with_parameters(mut self, z: impl Into<Array1<f64>>) -> Self {
        self.z = z.into().to_vec();
        self
    }

    /// Returns the number of components of y.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Compares each user-supplied Jacobian with central differences at one point.
    ///
    /// # Errors
    ///
    /// If the difference in an entry exceeds `tolerance` times the larger of 1 and the largest magnitude of
    /// an entry. The error reports the entry with the largest difference.
    ///
    /// # Panics
    ///
    /// If `x` or `lambda` is shorter than the user functions assume, or a Jacobian has the wrong shape.
    pub fn check_jacobians<'a>(
        &self,
        at: impl Into<At<'a>>,
        x: &[f64],
        lambda: &[f64],
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        let at = at.into();
        let mut given = RelationValues::new(self.size, x.len(), true, 0);
        self.matrices_into(at, x, lambda, &mut given);
        let by_difference = Some(RelationJacobian::FiniteDifference);
        let reference = Self {
            c: by_difference.clone(),
            d: by_difference.clone(),
            k: by_difference.clone(),
            b: by_difference,
            ..self.clone()
        };
        let mut expected = RelationValues::new(self.size, x.len(), true, 0);
        reference.matrices_into(at, x, lambda, &mut expected);
        for (what, given, expected) in [
            ("C", &given.c, &expected.c),
            ("D", &given.d, &expected.d),
            ("K", &given.k, &expected.k),
            ("B", &given.b, &expected.b),
        ] {
            compare_jacobians(what, given, expected, tolerance)?;
        }
        Ok(())
    }

    /// Returns the origin of h.
    #[must_use]
    pub fn h(&self) -> &Origin {
        self.h.origin_or_unknown()
    }

    /// Returns the origin of g.
    #[must_use]
    pub fn g(&self) -> &Origin {
        self.g.origin_or_unknown()
    }

    /// Returns C, or `None` if it was not set.
    #[must_use]
    pub fn c(&self) -> Option<&RelationJacobian> {
        self.c.as_ref()
    }

    /// Returns D, or `None` if it was not set.
    #[must_use]
    pub fn d(&self) -> Option<&RelationJacobian> {
        self.d.as_ref()
    }

    /// Returns K, or `None` if it was not set.
    #[must_use]
    pub fn k(&self) -> Option<&RelationJacobian> {
        self.k.as_ref()
    }

    /// Returns B, or `None` if it was not set.
    #[must_use]
    pub fn b(&self) -> Option<&RelationJacobian> {
        self.b.as_ref()
    }

    /// Returns the constants z.
    #[must_use]
    pub fn parameters(&self) -> &[f64] {
        &self.z
    }

    /// Returns `true` if r depends on x. In this case, the systems of the interaction share one iteration
    /// matrix W.
    pub(crate) fn has_k(&self) -> bool {
        !matches!(self.k, Some(RelationJacobian::Zero) | None)
    }

    /// Returns (D, B) if h and g are known to be affine in lambda with constant matrices, and r does not
    /// depend on x; otherwise `None`. In the result, D is `None` if it is zero.
    #[must_use]
    pub fn constant_in_lambda(&self) -> Option<(Option<&Array2<f64>>, &Array2<f64>)> {
        let d = match &self.d {
            Some(RelationJacobian::Zero) => None,
            Some(RelationJacobian::Constant(d)) => Some(d),
            _ => return None,
        };
        match (&self.k, &self.b) {
            (Some(RelationJacobian::Zero), Some(RelationJacobian::Constant(b))) => Some((d, b)),
            _ => None,
        }
    }

    pub(super) fn check(&self, columns: usize) -> Result<(), ModelError> {
        let m = self.size;
        for (what, jacobian, shape) in [
            ("C", &self.c, (m, columns)),
            ("D", &self.d, (m, m)),
            ("K", &self.k, (columns, columns)),
            ("B", &self.b, (columns, m)),
        ] {
            match jacobian {
                None => return Err(ModelError::MissingJacobian { what }),
                Some(RelationJacobian::Constant(matrix)) => {
                    check_shape(what, shape, matrix.dim())?;
                    check_finite(what, matrix)?;
                }
                Some(RelationJacobian::FiniteDifferenceWithStep(step)) => check_step(*step)?,
                Some(_) => {}
            }
        }
        check_finite("z", &self.z)
    }

    fn point<'a>(&'a self, at: At<'a>, x: &'a [f64], lambda: &'a [f64]) -> RelationPoint<'a> {
        RelationPoint { t: at.t, x, lambda, z: &self.z, parameters: at.parameters() }
    }

    /// Writes h into y and g into r.
    pub(super) fn functions_into(&self, at: At<'_>, x: &[f64], lambda: &[f64], values: &mut RelationValues) {
        let at = self.point(at, x, lambda);
        values.y.fill(0.0);
        (self.h.0)(at, &mut values.y);
        values.r.fill(0.0);
        (self.g.0)(at, &mut values.r);
    }

    /// Writes C, D, K and B. K is written only if `values` has storage for it.
    pub(super) fn matrices_into(&self, at: At<'_>, x: &[f64], lambda: &[f64], values: &mut RelationValues) {
        let at = self.point(at, x, lambda);
        let RelationValues { c, d, k, b, differences, .. } = values;
        write(&self.c, at, x, &mut differences[0], c, |x, y| (self.h.0)(RelationPoint { x, ..at }, y));
        write(&self.d, at, lambda, &mut differences[1], d, |lambda, y| {
            (self.h.0)(RelationPoint { lambda, ..at }, y);
        });
        if !k.is_empty() {
            write(&self.k, at, x, &mut differences[2], k, |x, r| (self.g.0)(RelationPoint { x, ..at }, r));
        }
        write(&self.b, at, lambda, &mut differences[3], b, |lambda, r| {
            (self.g.0)(RelationPoint { lambda, ..at }, r);
        });
    }

    /// Returns `true` if any of the Jacobians C, D, K, B is computed by finite differences.
    pub(super) fn uses_differences(&self) -> bool {
        let by_difference = |jacobian: &&RelationJacobian| {
            matches!(
                jacobian,
                RelationJacobian::FiniteDifference | RelationJacobian::FiniteDifferenceWithStep(_)
            )
        };
        [&self.c, &self.d, &self.k, &self.b].into_iter().flatten().any(|jacobian| by_difference(&jacobian))
    }
}

impl HasParts for FirstOrderNonlinearRelation {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("FirstOrderNonlinearRelation");
        parts.count("size", self.size);
        parts.function("h", &self.h);
        parts.function("g", &self.g);
        for (name, jacobian) in [("C", &self.c), ("D", &self.d), ("K", &self.k), ("B", &self.b)] {
            jacobian.iter().for_each(|jacobian| jacobian.list(name, &mut parts));
        }
        parts.vector("z", &self.z[..]);
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        let jacobians = [&mut self.c, &mut self.d, &mut self.k, &mut self.b].into_iter().flatten();
        let functions = [self.h.origin_mut(), self.g.origin_mut()].into_iter().flatten();
        functions.chain(jacobians.filter_map(RelationJacobian::origin_mut)).collect()
    }
}
