//! The class of problems whose blocks have different laws, and its methods.

use super::{
    Auto, AutoSettings, BlockGaussSeidel, BlockGaussSeidelSettings, EqualityElimination,
    GenericMechanicalProblem, Newton, SemismoothNewtonSettings, auto, elimination, gauss_seidel, newton,
    residual,
};
use crate::method::{Class, methods};

/// Class of [problems whose blocks have different laws](GenericMechanicalProblem): z are the unknowns, and w
/// = M z + q.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gmp;

impl Class for Gmp {
    type Problem<'a> = GenericMechanicalProblem;

    fn sizes(problem: &GenericMechanicalProblem) -> (usize, usize) {
        (problem.size(), problem.size())
    }

    fn error_of_point(problem: &GenericMechanicalProblem, z: &[f64], w: &mut [f64]) -> f64 {
        residual::error_of_point(problem, z, w)
    }

    fn siconos_error(problem: &GenericMechanicalProblem, z: &[f64], w: &[f64]) -> f64 {
        residual::siconos_error(problem, z, w)
    }
}

methods! {
    /// Method for problems whose blocks have different laws, with its settings; see
    /// [`Method`](crate::Method).
    ///
    /// ```
    /// use siconos_numerics::Method;
    /// use siconos_numerics::gmp::GmpMethod;
    ///
    /// let method = GmpMethod::from_name("gauss-seidel").unwrap();
    /// let text = serde_json::to_string(&method).unwrap();
    /// assert_eq!(serde_json::from_str::<GmpMethod>(&text).unwrap(), method);
    /// assert_eq!(method.build()?.name(), "gauss-seidel");
    /// # Ok::<(), siconos_numerics::SettingsError>(())
    /// ```
    pub enum GmpMethod for Gmp {
        /// The other methods, one after the other.
        Auto(AutoSettings); |_| &auto::DESCRIPTION => Auto::new,
        /// Sweeps over the blocks.
        GaussSeidel(BlockGaussSeidelSettings); |_| &gauss_seidel::DESCRIPTION => BlockGaussSeidel::new,
        /// Sweeps over the remaining blocks after the elimination of all equalities.
        EqualityElimination(BlockGaussSeidelSettings); |_| &elimination::DESCRIPTION => EqualityElimination::new,
        /// Semismooth Newton method over all blocks together.
        Newton(SemismoothNewtonSettings); |_| &newton::DESCRIPTION => Newton::new,
    }
}
