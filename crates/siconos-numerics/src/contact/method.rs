//! Class of contact problems, and the list of its methods.

use super::classical::{
    ConjugateProjectedGradient, ConjugateProjectedGradientSettings, ConvexFixedPoint,
    ConvexFixedPointSettings, DeSaxceFixedPoint, DeSaxceSettings, Extragradient, FixedPointProjection,
    PanagiotopoulosFixedPoint, PanagiotopoulosSettings, TrescaFixedPoint, TrescaSettings,
    conjugate_projected_gradient, convex_fixed_point, de_saxce, extragradient, panagiotopoulos, tresca,
};
use super::{
    Admm, AdmmSettings, Auto, AutoSettings, ColouredGaussSeidel, ColouredGaussSeidelSettings, ContactProblem,
    GaussSeidelSettings, InteriorPoint, InteriorPointSettings, Newton, NewtonSettings, NonsmoothGaussSeidel,
    PlaneEnumeration, PlaneEnumerationSettings, PlaneLemke, PlaneLemkeSettings, ProximalPoint,
    ProximalPointSettings, VelocityAdmm, VelocityAdmmSettings, VelocityInteriorPoint,
    VelocityInteriorPointSettings, VelocityNewton, VelocityNewtonSettings, VelocityProximalPoint,
    VelocityProximalPointSettings, admm, auto, bodies, error, gauss_seidel, interior_point, newton, plane,
    proximal_point,
};
use crate::engine::fixed_point::FixedPointSettings;
use crate::method::{Class, methods};

/// Class of [contact problems](ContactProblem). In terms of the generic interface, z is the vector of
/// reactions r, and w is the vector of velocities u = W r + q.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contact;

impl Class for Contact {
    type Problem<'a> = ContactProblem<'a>;

    fn sizes(problem: &ContactProblem<'_>) -> (usize, usize) {
        (problem.size(), problem.size())
    }

    fn error_of_point(problem: &ContactProblem<'_>, r: &[f64], u: &mut [f64]) -> f64 {
        error::error_of_point(problem, r, u)
    }

    fn siconos_error(problem: &ContactProblem<'_>, r: &[f64], u: &[f64]) -> f64 {
        error::siconos_error(problem, r, u)
    }
}

methods! {
    /// Method for contact problems, with its settings; see [`Method`](crate::Method).
    ///
    /// ```
    /// use siconos_numerics::Method;
    /// use siconos_numerics::contact::ContactMethod;
    ///
    /// let method = ContactMethod::from_name("nonsmooth-gauss-seidel").unwrap();
    /// let text = serde_json::to_string(&method).unwrap();
    /// assert_eq!(serde_json::from_str::<ContactMethod>(&text).unwrap(), method);
    /// assert_eq!(method.build()?.name(), "nonsmooth-gauss-seidel");
    /// # Ok::<(), siconos_numerics::SettingsError>(())
    /// ```
    pub enum ContactMethod for Contact {
        /// Automatic choice of the method.
        Auto(AutoSettings); |_| &auto::DESCRIPTION => Auto::new,
        /// Gauss-Seidel sweeps over the contacts.
        NonsmoothGaussSeidel(GaussSeidelSettings); |_| &gauss_seidel::DESCRIPTION => NonsmoothGaussSeidel::new,
        /// Fixed-point iteration of projections with an adaptive step length. Each iteration needs one
        /// product with W.
        FixedPointProjection(FixedPointSettings); |_| &extragradient::FIXED_POINT => FixedPointProjection::new,
        /// Extragradient method. Each projection has an adaptive step length and is corrected by a second
        /// projection.
        Extragradient(FixedPointSettings); |_| &extragradient::EXTRAGRADIENT => Extragradient::new,
        /// Fixed-point iteration of projections with a constant step length.
        DeSaxce(DeSaxceSettings); |_| &de_saxce::DESCRIPTION => DeSaxceFixedPoint::new,
        /// Fixed-point iteration over problems whose friction bounds are fixed. The bounds are updated from
        /// the normal reactions.
        Tresca(TrescaSettings); |_| &tresca::DESCRIPTION => TrescaFixedPoint::new,
        /// Fixed-point iteration over convex programs, in each of which the shift is fixed.
        ConvexFixedPoint(ConvexFixedPointSettings); |_| &convex_fixed_point::DESCRIPTION => ConvexFixedPoint::new,
        /// Alternation between a problem for the normal reactions and a problem for the tangential reactions.
        Panagiotopoulos(PanagiotopoulosSettings);
            |_| &panagiotopoulos::DESCRIPTION => PanagiotopoulosFixedPoint::new,
        /// ADMM with W. A factorisation is reused for many steps.
        Admm(AdmmSettings); |_| &admm::DESCRIPTION => Admm::new,
        /// Proximal point method: a sequence of regularised problems.
        ProximalPoint(ProximalPointSettings); |_| &proximal_point::DESCRIPTION => ProximalPoint::new,
        /// Interior-point method with W.
        InteriorPoint(InteriorPointSettings); |_| &interior_point::DESCRIPTION => InteriorPoint::new,
        /// Gauss-Seidel sweeps on several threads. Contacts without a common body are solved in parallel.
        ColouredGaussSeidel(ColouredGaussSeidelSettings);
            |_| &gauss_seidel::coloured::DESCRIPTION => ColouredGaussSeidel::new,
        /// Projected conjugate gradient method.
        ConjugateProjectedGradient(ConjugateProjectedGradientSettings);
            |_| &conjugate_projected_gradient::DESCRIPTION => ConjugateProjectedGradient::new,
        /// Lemke's method for contacts in the plane.
        PlaneLemke(PlaneLemkeSettings); |_| &plane::lemke::DESCRIPTION => PlaneLemke::new,
        /// Enumeration of all combinations of contact modes, for a few contacts in the plane.
        PlaneEnumeration(PlaneEnumerationSettings);
            |_| &plane::enumeration::DESCRIPTION => PlaneEnumeration::new,
        /// Semismooth Newton method for all contacts together. The setting `function` selects one of four
        /// contact functions.
        Newton(NewtonSettings) at newton in NewtonSettings::of_each_function(); newton::describe => Newton::new,
        /// Semismooth Newton method whose unknowns are the velocities and the reactions together.
        VelocityNewton(VelocityNewtonSettings); |_| &bodies::newton::DESCRIPTION => VelocityNewton::new,
        /// ADMM in velocity space.
        VelocityAdmm(VelocityAdmmSettings); |_| &bodies::admm::DESCRIPTION => VelocityAdmm::new,
        /// Interior-point method in velocity space.
        VelocityInteriorPoint(VelocityInteriorPointSettings);
            |_| &bodies::interior_point::DESCRIPTION => VelocityInteriorPoint::new,
        /// Proximal point method in velocity space.
        VelocityProximalPoint(VelocityProximalPointSettings);
            |_| &bodies::proximal_point::DESCRIPTION => VelocityProximalPoint::new,
    }
}
