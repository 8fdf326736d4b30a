//! Small problems from the literature, and small problems with a planted solution.

use ndarray::{Array2, array};

use super::{Answer, KnownLcp};
use siconos_numerics::method::MatrixClass;

/// Returns small problems with known solutions. Most of them are from textbooks.
#[must_use]
pub fn textbook() -> Vec<KnownLcp> {
    let mut problems = definite();
    problems.extend(cycling());
    problems.extend(semidefinite());
    problems.extend(general());
    problems
}

fn definite() -> Vec<KnownLcp> {
    vec![
        KnownLcp {
            name: "empty".into(),
            source: "nothing to solve",
            m: Array2::zeros((0, 0)),
            q: vec![],
            class: MatrixClass::SymmetricPositiveDefinite,
            answer: Answer::Unique(vec![]),
        },
        KnownLcp {
            name: "trivial diagonal".into(),
            source: "z_i = 1 / i; also in the test data of Siconos (lcp_trivial)",
            m: Array2::from_diag(&array![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
            q: vec![-1.0; 9],
            class: MatrixClass::SymmetricPositiveDefinite,
            answer: Answer::Unique((1..=9).map(|i| 1.0 / f64::from(i)).collect()),
        },
        KnownLcp {
            name: "nothing touches".into(),
            source: "q > 0, so z = 0",
            m: array![[2.0, 1.0], [1.0, 2.0]],
            q: vec![1.0, 3.0],
            class: MatrixClass::SymmetricPositiveDefinite,
            answer: Answer::Unique(vec![0.0, 0.0]),
        },
        KnownLcp {
            name: "both active".into(),
            source: "z = -M^-1 q by hand; also in the test data of Siconos (lcp_deudeu)",
            m: array![[2.0, 1.0], [1.0, 2.0]],
            q: vec![-5.0, -6.0],
            class: MatrixClass::SymmetricPositiveDefinite,
            answer: Answer::Unique(vec![4.0 / 3.0, 7.0 / 3.0]),
        },
        KnownLcp {
            name: "one active".into(),
            source: "by hand: z = (1/2, 0), w = (0, 9/2)",
            m: array![[2.0, 1.0], [1.0, 2.0]],
            q: vec![-1.0, 4.0],
            class: MatrixClass::SymmetricPositiveDefinite,
            answer: Answer::Unique(vec![0.5, 0.0]),
        },
        KnownLcp {
            name: "three active in turn".into(),
            source: "a public question on principal pivoting, which drops row 1 again: z = (0, 1, 7) / 239 by hand",
            m: array![[60.0, 26.0, 37.0], [26.0, 36.0, 29.0], [37.0, 29.0, 30.0]],
            q: vec![-1.0; 3],
            class: MatrixClass::SymmetricPositiveDefinite,
            answer: Answer::Unique(vec![0.0, 1.0 / 239.0, 7.0 / 239.0]),
        },
        KnownLcp {
            name: "dominant".into(),
            source: "z = (1, 0, 2) and w = (0, 3, 0) chosen, q = w - M z",
            m: array![[4.0, -1.0, 2.0], [1.0, 5.0, -3.0], [-2.0, 1.0, 4.0]],
            q: vec![-8.0, 8.0, -6.0],
            class: MatrixClass::DiagonallyDominant,
            answer: Answer::Unique(vec![1.0, 0.0, 2.0]),
        },
        KnownLcp {
            name: "skew and identity".into(),
            source: "z = (2, 1, 0) and w = (0, 0, 1) chosen, q = w - M z; symmetric part is the identity",
            m: array![[1.0, -4.0, 3.0], [4.0, 1.0, -5.0], [-3.0, 5.0, 1.0]],
            q: vec![2.0, -9.0, 2.0],
            class: MatrixClass::PositiveDefinite,
            answer: Answer::Unique(vec![2.0, 1.0, 0.0]),
        },
    ]
}

/// Returns P-matrices on which a pivoting method cycles if it chooses pivots only by the signs of entries.
fn cycling() -> Vec<KnownLcp> {
    vec![KnownLcp {
        name: "cyclic triple".into(),
        source: "the cycling example in the tests of Drake's Lemke solver; z = 1/3 by symmetry",
        m: array![[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]],
        q: vec![-1.0; 3],
        class: MatrixClass::PMatrix,
        answer: Answer::Unique(vec![1.0 / 3.0; 3]),
    }]
}

fn semidefinite() -> Vec<KnownLcp> {
    vec![
        KnownLcp {
            name: "all ones".into(),
            source: "Cottle, Pang, Stone (1992), remark 4.1.14: the solutions are z_1 + z_2 = 1",
            m: array![[1.0, 1.0], [1.0, 1.0]],
            q: vec![-1.0, -1.0],
            class: MatrixClass::SymmetricPositiveSemidefinite,
            answer: Answer::Several(vec![vec![1.0, 0.0], vec![0.0, 1.0], vec![0.5, 0.5]]),
        },
        KnownLcp {
            name: "ray of solutions".into(),
            source: "Cottle, Pang, Stone (1992), example 4.4.16: z = (t, 1 + t), t >= 0",
            m: array![[1.0, -1.0], [-1.0, 1.0]],
            q: vec![1.0, -1.0],
            class: MatrixClass::SymmetricPositiveSemidefinite,
            answer: Answer::Several(vec![vec![0.0, 1.0], vec![5.0, 6.0]]),
        },
        KnownLcp {
            name: "linear program".into(),
            source: "minimise x_1 + 2 x_2 with x_1 + x_2 >= 3, x_2 >= 1: x = (2, 1), duals (1, 1)",
            m: array![
                [0.0, 0.0, -1.0, 0.0],
                [0.0, 0.0, -1.0, -1.0],
                [1.0, 1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0, 0.0]
            ],
            q: vec![1.0, 2.0, -3.0, -1.0],
            class: MatrixClass::PositiveSemidefinite,
            answer: Answer::Unique(vec![2.0, 1.0, 1.0, 1.0]),
        },
    ]
}

/// Returns problems with matrices for which no method is required to find a solution. A failure must be
/// reported.
fn general() -> Vec<KnownLcp> {
    vec![
        KnownLcp {
            name: "indefinite triple".into(),
            source: "Cottle, Pang, Stone (1992), example 4.4.7; Floudas, Pardalos et al. (1999), problem 10.2.3",
            m: array![[0.0, -1.0, 2.0], [2.0, 0.0, -2.0], [-1.0, 1.0, 0.0]],
            q: vec![-3.0, 6.0, -1.0],
            class: MatrixClass::General,
            answer: Answer::Unique(vec![0.0, 1.0, 3.0]),
        },
        KnownLcp {
            name: "isolated".into(),
            source: "test data of Siconos (lcp_Pang_isolated_sol); by hand: rows 2 and 3 leave only z_1 = 1",
            m: array![[0.0, -1.0, -1.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]],
            q: vec![0.0, -1.0, 1.0],
            class: MatrixClass::General,
            answer: Answer::Unique(vec![1.0, 0.0, 0.0]),
        },
        KnownLcp {
            name: "bimatrix game".into(),
            source: "Cottle, Pang, Stone (1992), example 4.4.23; Floudas, Pardalos et al. (1999), problem 10.2.4: \
                     three equilibria, and Lemke's ray with the covering vector of ones meets none",
            m: array![
                [0.0, 0.0, 10.0, 20.0],
                [0.0, 0.0, 30.0, 15.0],
                [10.0, 20.0, 0.0, 0.0],
                [30.0, 15.0, 0.0, 0.0]
            ],
            q: vec![-1.0; 4],
            class: MatrixClass::General,
            answer: Answer::Several(vec![
                vec![0.1, 0.0, 0.1, 0.0],
                vec![0.0, 1.0 / 15.0, 0.0, 1.0 / 15.0],
                vec![1.0 / 90.0, 2.0 / 45.0, 1.0 / 90.0, 2.0 / 45.0],
            ]),
        },
    ]
}
