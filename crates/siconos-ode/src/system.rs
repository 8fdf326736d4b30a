//! What is integrated: f, its Jacobian where it is known, and the guards.

use super::course::{Bounds, Course};

/// The direction in which a guard fires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Crossing {
    /// From positive to negative: a gap that closes.
    Falling,
    /// From negative to positive.
    Rising,
    /// Either way.
    #[default]
    Any,
}

impl Crossing {
    /// Whether a guard that leaves the side with this sign fires.
    pub(super) fn accepts(self, side: i8) -> bool {
        match self {
            Self::Falling => side > 0,
            Self::Rising => side < 0,
            Self::Any => true,
        }
    }

    /// The direction in the time that runs the other way.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Falling => Self::Rising,
            Self::Rising => Self::Falling,
            Self::Any => Self::Any,
        }
    }
}

/// Where a guard counts as zero after a restart, and what becomes of it where it leaves.
///
/// The guard has no side until it has left the band $[-\text{width}, \text{width}]$.
///
/// ```
/// use siconos_ode::{Crossing, ZeroBand};
///
/// // A gap that has just closed: rounding leaves it near zero, and it fires if the motion goes on below.
/// let band = ZeroBand { width: 1e-12, fires: Some(Crossing::Falling) };
/// assert!(!band.is_left_firing(-1e-13) && band.is_left_firing(-1e-11) && !band.is_left_firing(1e-11));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ZeroBand {
    /// Half of the width of the band \[unit of the guard\], at least 0.
    pub width: f64,
    /// The ends of the band through which the guard fires: the lower one is a guard that falls, the upper one
    /// a guard that rises. `None`: the guard leaves its band without an event.
    pub fires: Option<Crossing>,
}

impl ZeroBand {
    /// Whether a guard with this value has left the band through an end at which it fires.
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

/// A smooth system with guards. Only the first two methods have to be written.
///
/// The methods take `&mut self`, so that a system can keep scratch memory; as functions of t and x they must
/// not change between two restarts.
pub trait OdeSystem {
    /// The number n of states.
    fn dimension(&self) -> usize;

    /// Writes f(t, x) \[unit of the state / s\] to `f`; both vectors have n entries.
    fn compute_f(&mut self, t: f64, x: &[f64], f: &mut [f64]);

    /// Writes the Jacobian $\partial f / \partial x$ to `jacobian`, by rows, n x n, zero on entry, and
    /// returns true; or returns false, and it is taken by differences (the default).
    fn compute_jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> bool {
        let _ = (t, x, jacobian);
        false
    }

    /// Whether there is a mass matrix M in $M \dot x = f(t, x)$. Default: none, M is the identity.
    ///
    /// [`Method::Stiff`](super::Method::Stiff) takes one, the other methods refuse.
    fn has_mass(&self) -> bool {
        false
    }

    /// Writes the mass matrix of a system that [has](Self::has_mass) one, by rows, n x n, zero on entry.
    ///
    /// It is asked for once after each restart, and constant from there. It may be singular: a
    /// differential-algebraic system of index 1, whose state has to be consistent at the restart.
    fn compute_mass(&mut self, mass: &mut [f64]) {
        let _ = mass;
    }

    /// Puts the end of an accepted step back to where the motion has to stay, onto a constraint or an
    /// invariant, and returns true; or returns false where it is near enough as it is (the default). The
    /// integration goes on from there (Hairer, Wanner 1996, section VII.2, "coordinate projection").
    fn project(&mut self, t: f64, x: &mut [f64]) -> bool {
        let _ = (t, x);
        false
    }

    /// The number of guards. Default 0.
    fn guards(&self) -> usize {
        0
    }

    /// The direction in which a guard fires. Default [`Crossing::Any`].
    fn crossing(&self, guard: usize) -> Crossing {
        let _ = guard;
        Crossing::Any
    }

    /// The degree of a guard as a polynomial of t and x: 1 for a linear one. Default `None`: not a
    /// polynomial, or not known.
    ///
    /// **All** roots of such a guard along the dense output are then found, however close to each other, as
    /// far as [rounding](super#what-is-a-root) lets them be told apart. That holds while the degree is at
    /// most 2. With [`Method::Explicit`](super::Method::Explicit) it holds up to 4, and with
    /// [`Method::Stiff`](super::Method::Stiff) up to 5, but for steps that are [taken again](super) where a
    /// root lies in them. Above, the guard is looked at in samples, as others are.
    fn guard_degree(&self, guard: usize) -> Option<usize> {
        let _ = guard;
        None
    }

    /// Returns `true` if [`guard_course`](Self::guard_course) gives bounds of the guard. Default `false`.
    fn knows_course(&self, guard: usize) -> bool {
        let _ = guard;
        false
    }

    /// Returns bounds of the guard over the times t \[s\], given the courses `x` of the state components. If
    /// the bounds are valid, **all** crossings of the guard are found, jumps included, down to the width to
    /// which roots are located. Wider bounds only cost time. Default: [`Course::UNKNOWN`].
    fn guard_course(&mut self, guard: usize, t: Bounds, x: &dyn Fn(usize) -> Course) -> Course {
        let _ = (guard, t, x);
        Course::UNKNOWN
    }

    /// The band in which the guard counts as zero after a restart, for one that has just fired, say, and is
    /// off zero by rounding only. It comes to have a side when it has left the band. Default `None`: the sign
    /// at the restart counts.
    fn zero_band(&self, guard: usize) -> Option<ZeroBand> {
        let _ = guard;
        None
    }

    /// Returns `true` if f jumps or has a kink where the guard crosses zero. In a system with such a guard no
    /// ordinary step crosses a root: the step ends just before the root, and a step of a few
    /// [location](super::RootLocation) widths crosses it. Default `false`: f is smooth between restarts.
    fn is_switch(&self, guard: usize) -> bool {
        let _ = guard;
        false
    }

    /// Writes all guards g(t, x) to `g`. The default writes nothing.
    fn compute_guards(&mut self, t: f64, x: &[f64], g: &mut [f64]) {
        let _ = (t, x, g);
    }
}

/// A function of t and x that writes to a slice, as a plain function; what stands for closures that are not
/// given.
type Plain = fn(f64, &[f64], &mut [f64]);

/// A system made of closures `(t, x, out)`.
///
/// ```
/// use siconos_ode::{Crossing, OdeFunctions, OdeSystem};
///
/// // A ball that falls, and the gap to the ground.
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
    /// A system of `dimension` states with the right-hand side `f`, without guards.
    pub fn new(dimension: usize, f: F) -> Self {
        Self { dimension, f, jacobian: None, crossings: Vec::new(), degrees: Vec::new(), guards: None }
    }
}

impl<F, J, G> OdeFunctions<F, J, G> {
    /// Adds the Jacobian of f, by rows.
    pub fn with_jacobian<K: FnMut(f64, &[f64], &mut [f64])>(self, jacobian: K) -> OdeFunctions<F, K, G> {
        let Self { dimension, f, crossings, degrees, guards, .. } = self;
        OdeFunctions { dimension, f, jacobian: Some(jacobian), crossings, degrees, guards }
    }

    /// Sets the guards: one direction for each, and the function that writes them all.
    pub fn with_guards<H: FnMut(f64, &[f64], &mut [f64])>(
        self,
        crossings: Vec<Crossing>,
        guards: H,
    ) -> OdeFunctions<F, J, H> {
        let Self { dimension, f, jacobian, degrees, .. } = self;
        OdeFunctions { dimension, f, jacobian, crossings, degrees, guards: Some(guards) }
    }

    /// Declares which guards are polynomials of t and x, and of which degree; see
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
