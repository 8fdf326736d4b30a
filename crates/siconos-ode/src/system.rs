//! System to be integrated: f, its Jacobian if known, and the guards.

use super::course::{Bounds, ValueBounds};

/// Direction in which a guard fires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Crossing {
    /// From positive to negative, for example a gap that closes.
    Falling,
    /// From negative to positive.
    Rising,
    /// In either direction.
    #[default]
    Any,
}

impl Crossing {
    /// Returns `true` if a guard fires when it leaves the side with the sign `side`.
    pub(super) fn accepts(self, side: i8) -> bool {
        match self {
            Self::Falling => side > 0,
            Self::Rising => side < 0,
            Self::Any => true,
        }
    }

    /// Returns the direction of the same crossing in reversed time.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Falling => Self::Rising,
            Self::Rising => Self::Falling,
            Self::Any => Self::Any,
        }
    }
}

/// Band around zero in which a guard counts as zero after a restart, with the ends of the band at which the
/// guard fires.
///
/// The guard does not have a side until it has left the band $[-\text{width}, \text{width}]$.
///
/// ```
/// use siconos_ode::{Crossing, ZeroBand};
///
/// // Rounding leaves a gap that has just closed near zero. It fires if it becomes negative again.
/// let band = ZeroBand { width: 1e-12, fires: Some(Crossing::Falling) };
/// assert!(!band.is_left_firing(-1e-13) && band.is_left_firing(-1e-11) && !band.is_left_firing(1e-11));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ZeroBand {
    /// Half-width of the band \[unit of the guard\]. Must not be negative.
    pub width: f64,
    /// Direction in which the guard fires if it leaves the band: through the lower end (falling), through the
    /// upper end (rising), or through either. `None` if the guard leaves the band without firing.
    pub fires: Option<Crossing>,
}

impl ZeroBand {
    /// Returns `true` if a guard with this value has left the band through an end at which it fires.
    #[must_use]
    pub fn is_left_firing(self, value: f64) -> bool {
        let (below, above) = (value < -self.width, value > self.width);
        match self.fires {
            None => false,
            Some(Crossing::Falling) => below,
            Some(Crossing::Rising) => above,
            Some(Crossing::Any) => below || above,
        }
    }
}

/// Smooth system with guards. Only the first two methods must be implemented.
///
/// The methods take `&mut self`, so that a system can use a workspace. The functions of t and x that they
/// compute must not change between two restarts.
pub trait OdeSystem {
    /// Returns the dimension n of the state.
    fn dimension(&self) -> usize;

    /// Writes f(t, x) \[unit of the state / s\] to `f`; both vectors have n entries.
    fn compute_f(&mut self, t: f64, x: &[f64], f: &mut [f64]);

    /// Writes the Jacobian $\partial f / \partial x$ to `jacobian` and returns `true`. The matrix is n x n,
    /// is stored row by row and is zero on entry. Default: returns `false`, and the Jacobian is approximated
    /// by finite differences.
    fn compute_jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> bool {
        let _ = (t, x, jacobian);
        false
    }

    /// Returns `true` if the system has a mass matrix M, so that $M \dot x = f(t, x)$. Default: `false`, and
    /// M is the identity.
    ///
    /// Only [`Method::Stiff`](super::Method::Stiff) supports a mass matrix.
    fn has_mass(&self) -> bool {
        false
    }

    /// Writes the mass matrix to `mass`. The matrix is n x n, is stored row by row and is zero on entry. This
    /// method is called only if [`has_mass`](Self::has_mass) returns `true`.
    ///
    /// The matrix is read once after each restart and is constant until the next restart. If it is singular,
    /// the system must be a differential-algebraic system of index 1, and its state must be consistent at the
    /// restart.
    fn compute_mass(&mut self, mass: &mut [f64]) {
        let _ = mass;
    }

    /// Projects the state `x` at the end of an accepted step onto a constraint or an invariant, and returns
    /// `true`. The integration continues from the projected state (Hairer, Wanner 1996, section VII.2,
    /// "coordinate projection"). Default: returns `false` and does not change the state.
    fn project(&mut self, t: f64, x: &mut [f64]) -> bool {
        let _ = (t, x);
        false
    }

    /// Returns the number of guards. Default: 0.
    fn guards(&self) -> usize {
        0
    }

    /// Returns the direction in which a guard fires. Default: [`Crossing::Any`].
    fn crossing(&self, guard: usize) -> Crossing {
        let _ = guard;
        Crossing::Any
    }

    /// Returns the degree of a guard as a polynomial of t and x, for example 1 if it is linear. Default:
    /// `None`, which means that the guard is not a polynomial or that its degree is unknown.
    ///
    /// **All** roots of a polynomial guard on the dense output are found, however close to each other, up to
    /// the limits of [rounding](super#definition-of-a-root). With all methods, this holds up to degree 2. In
    /// steps that are not [repeated](super) in smaller steps, it holds up to degree 4 with
    /// [`Method::Explicit`](super::Method::Explicit), and up to degree 5 with
    /// [`Method::Stiff`](super::Method::Stiff). A guard of higher degree is sampled like any other guard.
    fn guard_degree(&self, guard: usize) -> Option<usize> {
        let _ = guard;
        None
    }

    /// Returns `true` if [`guard_bounds`](Self::guard_bounds) returns bounds of the guard. Default: `false`.
    fn has_guard_bounds(&self, guard: usize) -> bool {
        let _ = guard;
        false
    }

    /// Returns bounds of the guard over the times `t` \[s\], from the bounds `x` of the state components. If
    /// the bounds are valid, **all** crossings of the guard are found, including jumps, down to the width to
    /// which roots are located. If the bounds are wide, the search only takes longer. Default:
    /// [`ValueBounds::UNKNOWN`].
    fn guard_bounds(&mut self, guard: usize, t: Bounds, x: &dyn Fn(usize) -> ValueBounds) -> ValueBounds {
        let _ = (guard, t, x);
        ValueBounds::UNKNOWN
    }

    /// Returns the band in which the guard counts as zero after a restart, for example if it has just fired
    /// and differs from zero only by rounding. The guard has no side until it has left the band. Default:
    /// `None`, which means that the side is the sign at the restart.
    fn zero_band(&self, guard: usize) -> Option<ZeroBand> {
        let _ = guard;
        None
    }

    /// Returns `true` if f jumps or has a kink where the guard crosses zero. Default: `false`, which means
    /// that f is smooth between restarts.
    ///
    /// In a system with such a guard, ordinary steps end just before a root. A short step, whose length is a
    /// few times the width to which roots are [located](super::RootLocation), crosses the root.
    fn is_switch(&self, guard: usize) -> bool {
        let _ = guard;
        false
    }

    /// Writes all guards g(t, x) to `g`. Default: writes nothing.
    fn compute_guards(&mut self, t: f64, x: &[f64], g: &mut [f64]) {
        let _ = (t, x, g);
    }
}

/// Plain function of t and x that writes to a slice. It is the type of the functions that an [`OdeFunctions`]
/// does not have.
type Plain = fn(f64, &[f64], &mut [f64]);

/// System defined by closures `(t, x, out)`.
///
/// ```
/// use siconos_ode::{Crossing, OdeFunctions, OdeSystem};
///
/// // A falling ball, and its distance from the ground.
/// let mut ball = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
///     f[0] = x[1];
///     f[1] = -9.81;
/// })
/// .with_guards(vec![Crossing::Falling], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0]);
/// let mut g = [0.0];
/// ball.compute_guards(0.0, &[1.5, 0.0], &mut g);
/// assert_eq!(g, [1.5]);
/// ```
#[derive(Clone, Debug)]
pub struct OdeFunctions<F, J = Plain, G = Plain> {
    dimension: usize,
    f: F,
    jacobian: Option<J>,
    crossings: Vec<Crossing>,
    degrees: Vec<Option<usize>>,
    guards: Option<G>,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> OdeFunctions<F> {
    /// Creates a system with `dimension` states and the right-hand side `f`, without guards.
    pub fn new(dimension: usize, f: F) -> Self {
        Self { dimension, f, jacobian: None, crossings: Vec::new(), degrees: Vec::new(), guards: None }
    }
}

impl<F, J, G> OdeFunctions<F, J, G> {
    /// Adds the Jacobian of f, stored row by row.
    pub fn with_jacobian<K: FnMut(f64, &[f64], &mut [f64])>(self, jacobian: K) -> OdeFunctions<F, K, G> {
        let Self { dimension, f, crossings, degrees, guards, .. } = self;
        OdeFunctions { dimension, f, jacobian: Some(jacobian), crossings, degrees, guards }
    }

    /// Sets the guards: a direction for each, and a function that writes all of them.
    pub fn with_guards<H: FnMut(f64, &[f64], &mut [f64])>(
        self,
        crossings: Vec<Crossing>,
        guards: H,
    ) -> OdeFunctions<F, J, H> {
        let Self { dimension, f, jacobian, degrees, .. } = self;
        OdeFunctions { dimension, f, jacobian, crossings, degrees, guards: Some(guards) }
    }

    /// Declares the degrees of guards that are polynomials of t and x; see
    /// [`guard_degree`](OdeSystem::guard_degree).
    #[must_use]
    pub fn with_guard_degrees(self, degrees: Vec<Option<usize>>) -> Self {
        Self { degrees, ..self }
    }
}

impl<F, J, G> OdeSystem for OdeFunctions<F, J, G>
where
    F: FnMut(f64, &[f64], &mut [f64]),
    J: FnMut(f64, &[f64], &mut [f64]),
    G: FnMut(f64, &[f64], &mut [f64]),
{
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn compute_f(&mut self, t: f64, x: &[f64], f: &mut [f64]) {
        (self.f)(t, x, f);
    }

    fn compute_jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> bool {
        match &mut self.jacobian {
            None => false,
            Some(function) => {
                function(t, x, jacobian);
                true
            }
        }
    }

    fn guards(&self) -> usize {
        self.crossings.len()
    }

    fn crossing(&self, guard: usize) -> Crossing {
        self.crossings[guard]
    }

    fn guard_degree(&self, guard: usize) -> Option<usize> {
        self.degrees.get(guard).copied().flatten()
    }

    fn compute_guards(&mut self, t: f64, x: &[f64], g: &mut [f64]) {
        if let Some(function) = &mut self.guards {
            function(t, x, g);
        }
    }
}
