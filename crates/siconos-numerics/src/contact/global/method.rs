//! The class of contact problems in global form, and its methods.

use super::residual;
use super::{
    GlobalAdmm, GlobalAdmmSettings, GlobalAuto, GlobalAutoSettings, GlobalGaussSeidel,
    GlobalGaussSeidelSettings, GlobalInteriorPoint, GlobalInteriorPointSettings, GlobalNewton,
    GlobalNewtonSettings, GlobalProblem, GlobalProximalPoint, GlobalProximalPointSettings, Reduced,
    ReducedSettings, admm, auto, gauss_seidel, interior_point, newton, proximal_point, reduced,
};
use crate::method::{Class, methods};

/// The class of [contact problems with the velocities of the bodies](GlobalProblem): z the reactions r and
/// behind them the velocities v of the bodies, w the velocities $u = H^T v + w$ of the contacts. The guess of
/// v is read only where M is singular; else v follows from r.
#[derive(Clone, Copy, Debug, Default)]
pub struct GlobalContact;

impl Class for GlobalContact {
    type Problem<'a> = GlobalProblem<'a>;

    fn sizes(problem: &GlobalProblem<'_>) -> (usize, usize) {
        (problem.size() + problem.degrees_of_freedom(), problem.size())
    }

    fn error_of_point(problem: &GlobalProblem<'_>, z: &[f64], u: &mut [f64]) -> f64 {
        let (r, v) = z.split_at(problem.size());
        residual::global_error_of_point(problem, r, v, u)
    }

    fn siconos_error(problem: &GlobalProblem<'_>, z: &[f64], u: &[f64]) -> f64 {
        let (r, v) = z.split_at(problem.size());
        residual::global_siconos_error_of_point(problem, r, v, &mut u.to_vec())
    }
}

methods! {
    /// The choice of a method for contact problems in global form, with its settings; see
    /// [`Method`](crate::Method).
    ///
    /// ```
    /// use siconos_numerics::Method;
    /// use siconos_numerics::contact::GlobalContactMethod;
    ///
    /// let method = GlobalContactMethod::from_name("reduced").unwrap();
    /// let text = serde_json::to_string(&method).unwrap();
    /// assert_eq!(serde_json::from_str::<GlobalContactMethod>(&text).unwrap(), method);
    /// assert_eq!(method.build()?.name(), "reduced");
    /// # Ok::<(), siconos_numerics::SettingsError>(())
    /// ```
    pub enum GlobalContactMethod for GlobalContact {
        /// The others in turn.
        Auto(GlobalAutoSettings); |_| &auto::DESCRIPTION => GlobalAuto::new,
        /// The local problem.
        Reduced(ReducedSettings); |_| &reduced::DESCRIPTION => Reduced::new,
        /// Sweeps in the velocities.
        GaussSeidel(GlobalGaussSeidelSettings); |_| &gauss_seidel::DESCRIPTION => GlobalGaussSeidel::new,
        /// Semismooth Newton on the whole system.
        Newton(GlobalNewtonSettings); |_| &newton::DESCRIPTION => GlobalNewton::new,
        /// Alternating directions.
        Admm(GlobalAdmmSettings); |_| &admm::DESCRIPTION => GlobalAdmm::new,
        /// Cone programs with the shift held.
        InteriorPoint(GlobalInteriorPointSettings);
            |_| &interior_point::DESCRIPTION => GlobalInteriorPoint::new,
        /// Proximal points around Newton's method in the velocities.
        ProximalPoint(GlobalProximalPointSettings);
            |_| &proximal_point::DESCRIPTION => GlobalProximalPoint::new,
    }
}
