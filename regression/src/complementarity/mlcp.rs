//! Mixed linear complementarity: problems and methods.

use std::path::Path;

use ndarray::Array2;
use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::method::{BoxedSolver, MethodDescription};
use siconos_numerics::mlcp::{
    self, Elimination, Enumeration, MixedLinearComplementarityProblem, MlcpMethod, MlcpProblem, MlcpRow,
};
use siconos_numerics::{SolveInfo, Solver, SolverError};
use siconos_testkit::mlcp::{KnownMlcp, every_family, mixed_backward_error, mixed_error};

use super::files::Files;
use super::survey::{Case, Origin, Point, Solutions, Survey};
use super::surveyed::{Surveyed, hand_over, survey};

/// Error at which a point counts as a solution, for every method.
const TOLERANCE: f64 = 1e-10;

/// Maximum number of complementarity rows for enumeration.
const LARGEST_ENUMERATED: usize = 12;

/// Data of one problem.
struct Mlcp {
    m: Array2<f64>,
    q: Vec<f64>,
    rows: Vec<MlcpRow>,
    /// `true` if the equations can be eliminated and the solution is unique.
    is_regular_and_unique: bool,
}

pub(super) fn run(references: Option<&Path>) -> Survey {
    let files = Files::read(references, ProblemClass::Mlcp);
    let mut cases: Vec<Case<Mlcp>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend([8, 40].into_iter().flat_map(|n| every_family(n, 1)).map(of_family));
    survey(&cases, files)
}

fn of_file((name, problem): &(String, Problem)) -> Option<Case<Mlcp>> {
    let Problem::Mlcp(problem) = problem else { return None };
    let view = MixedLinearComplementarityProblem::view(problem);
    let data = Mlcp {
        m: view.m().to_dense(),
        q: view.q().to_vec(),
        rows: view.rows().to_vec(),
        is_regular_and_unique: false,
    };
    let (size, solutions) = (view.size(), Solutions::Unknown);
    Some(Case { name: name.clone(), size, origin: Origin::File, solutions, excuse: None, problem: data })
}

fn of_family(known: KnownMlcp) -> Case<Mlcp> {
    let is_regular_and_unique = known.has_regular_equations && known.is_unique;
    let KnownMlcp { name, m, q, rows, .. } = known;
    let (size, problem) = (q.len(), Mlcp { m, q, rows, is_regular_and_unique });
    Case { name, size, origin: Origin::Drawn, solutions: Solutions::Exist, excuse: None, problem }
}

impl Surveyed for Mlcp {
    type Method = MlcpMethod;

    fn tolerance(&self, _: bool) -> f64 {
        TOLERANCE
    }

    fn leaves_out(&self, method: &MethodDescription, _: bool) -> bool {
        let pairs = self.rows.iter().filter(|row| **row == MlcpRow::Complementarity).count();
        method.name == Enumeration::default().name() && pairs > LARGEST_ENUMERATED
    }

    /// Random problems with regular equations have a definite matrix, so the reduced problem has a definite
    /// one as well.
    fn promises(&self, method: &MethodDescription, is_default: bool) -> bool {
        (is_default || method.name == Elimination::default().name()) && self.is_regular_and_unique
    }

    fn solve(&self, solver: &mut BoxedSolver<mlcp::Mlcp>, z: &mut [f64]) -> Result<SolveInfo, SolverError> {
        hand_over(&MlcpProblem::new(&self.m, &self.q, &self.rows)?, solver, z)
    }

    fn measure(&self, z: &[f64]) -> Point {
        Point {
            error: mixed_error(&self.m, &self.q, &self.rows, z),
            backward: mixed_backward_error(&self.m, &self.q, &self.rows, z),
        }
    }
}
