//! Problems without a solution.

use ndarray::array;

use super::{Answer, KnownLcp};
use siconos_numerics::method::MatrixClass;

/// Returns problems without a solution: infeasible problems with a certificate, and a feasible problem.
#[must_use]
pub fn unsolvable() -> Vec<KnownLcp> {
    vec![
        KnownLcp {
            name: "one negative entry".into(),
            source: "w = -z - 1 < 0",
            m: array![[-1.0]],
            q: vec![-1.0],
            class: MatrixClass::General,
            answer: Answer::Infeasible { certificate: vec![1.0] },
        },
        KnownLcp {
            name: "negative couple".into(),
            source: "w = (-z_2 - 1, -z_1 - 1) < 0",
            m: array![[0.0, -1.0], [-1.0, 0.0]],
            q: vec![-1.0, -1.0],
            class: MatrixClass::General,
            answer: Answer::Infeasible { certificate: vec![1.0, 1.0] },
        },
        KnownLcp {
            name: "skew couple".into(),
            source: "w_2 = -z_1 - 1 < 0",
            m: array![[0.0, 1.0], [-1.0, 0.0]],
            q: vec![-1.0, -1.0],
            class: MatrixClass::PositiveSemidefinite,
            answer: Answer::Infeasible { certificate: vec![0.0, 1.0] },
        },
        KnownLcp {
            name: "two beads pressed by walls that close".into(),
            source: "the rows add up to w_1 + w_2 = -2",
            m: array![[1.0, -1.0], [-1.0, 1.0]],
            q: vec![-1.0, -1.0],
            class: MatrixClass::SymmetricPositiveSemidefinite,
            answer: Answer::Infeasible { certificate: vec![1.0, 1.0] },
        },
        KnownLcp {
            name: "floating chain".into(),
            source: "graph Laplacian: the rows add up to w_1 + w_2 + w_3 = -1/4",
            m: array![[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]],
            q: vec![-1.0, 0.5, 0.25],
            class: MatrixClass::SymmetricPositiveSemidefinite,
            answer: Answer::Infeasible { certificate: vec![1.0, 1.0, 1.0] },
        },
        KnownLcp {
            name: "infeasible linear program".into(),
            source: "x <= 1 and x >= 2 for one unknown x: w_2 + w_3 = -1",
            m: array![[0.0, 1.0, -1.0], [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
            q: vec![1.0, 1.0, -2.0],
            class: MatrixClass::PositiveSemidefinite,
            answer: Answer::Infeasible { certificate: vec![0.0, 1.0, 1.0] },
        },
        KnownLcp {
            name: "feasible, yet none".into(),
            source: "by hand: w_2 = 1 forces z_2 = 0, and then w_1 = -1; copositive but not plus",
            m: array![[0.0, 1.0], [0.0, 0.0]],
            q: vec![-1.0, 1.0],
            class: MatrixClass::General,
            answer: Answer::FeasibleWithoutSolution { feasible: vec![0.0, 1.0] },
        },
    ]
}
