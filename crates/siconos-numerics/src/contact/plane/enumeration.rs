//! Enumeration for contact problems in the plane.

use serde::{Deserialize, Serialize};

use super::{PlaneWorkspace, UNKNOWNS, coefficients, solve_by};
use crate::cascade::{Budget, Stage};
use crate::contact::{Contact, ContactProblem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::SolveInfo;
use crate::lcp::{Enumeration, EnumerationSettings};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`PlaneEnumeration`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlaneEnumerationSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of bases that are examined. Default: $2^{24}$.
    pub max_iterations: usize,
    /// Maximum number of contacts in a problem. It limits the number of bases, which is $8^{n_c}$ for $n_c$
    /// contacts. Default: 8. Must be at most 20.
    pub largest_contacts: usize,
}

impl Default for PlaneEnumerationSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 1 << 24, largest_contacts: 8 }
    }
}

/// Enumeration of the contact modes of all contacts, for plane problems with few contacts.
///
/// **Problem.** [`ContactProblem`] of any form, with Coulomb's law in the plane and few contacts.
///
/// **Method.** Write the contact problem as the linear complementarity problem of
/// [`PlaneLemke`](super::PlaneLemke), with three unknowns per contact, and solve it by [`Enumeration`]. Every
/// basis assigns one of the modes open, stick, slide left and slide right to every contact.
///
/// **Guarantee.** The method finds a solution of every problem that has one, for any matrix, after examining
/// at most $8^{n_c}$ bases, where $n_c$ is the number of contacts.
///
/// **Result.** With `Converged`, a solution was found. With `NoSolution`, no solution exists, as in the
/// Painlevé paradox with a matrix W that is not positive semidefinite. With `NotFound` and `MaxIterations`
/// (see [`Enumeration`]), `r` is the initial guess, projected onto the cones. `iterations` is the number of
/// bases that were examined.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, PlaneEnumeration};
/// use siconos_numerics::Status;
///
/// // Friction pulls the contact towards the ground, and W is not positive semidefinite. No solution exists
/// // (Painlevé 1895).
/// let w = array![[1.0, 1.0], [1.0, 0.1]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[2.0] };
/// let problem = ContactProblem::new(&w, &[-1.0, 10.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let mut solver = PlaneEnumeration::default();
/// assert_eq!(solver.solve(&problem, &mut r, &mut u)?.status, Status::NoSolution);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_2D_ENUM (405)")]
#[derive(Clone, Debug, Default)]
pub struct PlaneEnumeration {
    settings: PlaneEnumerationSettings,
    enumeration: Enumeration,
    memory: PlaneWorkspace,
}

impl PlaneEnumeration {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not positive, or if the maximum number of contacts is not from 1 to 20.
    pub fn new(settings: PlaneEnumerationSettings) -> Result<Self, SettingsError> {
        let mut inner = EnumerationSettings::default();
        SettingsError::check_tolerance(settings.tolerance)?;
        inner.tolerance = inner.tolerance.min(settings.tolerance);
        inner.max_iterations = settings.max_iterations;
        if !(1..=20).contains(&settings.largest_contacts) {
            let (name, value) = ("largest_contacts", settings.largest_contacts as f64);
            return Err(SettingsError::OutOfRange { name, value, must_be: "from 1 to 20" });
        }
        inner.largest_size = UNKNOWNS * settings.largest_contacts;
        let enumeration = Enumeration::new(inner)?;
        Ok(Self { settings, enumeration, memory: PlaneWorkspace::default() })
    }
}

impl Stage for PlaneEnumeration {
    fn set_budget(&mut self, budget: &Budget) {
        self.enumeration.set_budget(budget);
    }
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "plane-enumeration",
    siconos: "ENUM (405)",
    guarantee: Guarantee::of(&[MatrixClass::General]).only(Scope::FewUnknowns),
    storage: "any; Coulomb in the plane",
    reference: "Acary and Brogliato (2008), section 13.3.7",
};

impl Solver for PlaneEnumeration {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        let mu = coefficients(self.name(), problem)?;
        if mu.len() > self.settings.largest_contacts {
            let (found, takes) = ("this number of contacts", "at most `largest_contacts` contacts");
            return Err(Unsupported { solver: self.name(), found, takes });
        }
        Ok(())
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.supports(problem)?;
        let (name, tolerance) = (self.name(), self.settings.tolerance);
        solve_by(name, &mut self.enumeration, &mut self.memory, problem, tolerance, r, u)
    }
}
