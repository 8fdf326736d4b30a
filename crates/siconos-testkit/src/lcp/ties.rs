//! Degenerate problems. In some, $z_i = w_i = 0$ for some i. In others, rows are tied in every ratio test.
//! The data are integers, so that ties are exact.

use ndarray::{Array2, array};

use super::{Answer, KnownLcp};
use siconos_numerics::method::MatrixClass;

/// Returns degenerate problems with known solutions.
#[must_use]
pub fn degenerate() -> Vec<KnownLcp> {
    let mut problems = degenerate_points();
    problems.extend(lexicographic_ties());
    problems
}

fn degenerate_points() -> Vec<KnownLcp> {
    vec![
        KnownLcp {
            name: "q of zeros".into(),
            source: "z = 0 is the only solution of a homogeneous problem with a P-matrix",
            m: array![[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]],
            q: vec![0.0; 3],
            class: MatrixClass::SymmetricPositiveDefinite,
            answer: Answer::Unique(vec![0.0; 3]),
        },
        KnownLcp {
            name: "q with zeros".into(),
            source: "q >= 0, so z = 0; rows 1 and 3 have z_i = w_i = 0",
            m: array![[3.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 3.0]],
            q: vec![0.0, 2.0, 0.0],
            class: MatrixClass::SymmetricPositiveDefinite,
            answer: Answer::Unique(vec![0.0; 3]),
        },
        KnownLcp {
            name: "barely closed".into(),
            source: "bead column, bottom impulse just stops the second contact: z = (1, 0, 0), w = (0, 0, 1)",
            m: array![[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]],
            q: vec![-1.0, 1.0, 1.0],
            class: MatrixClass::SymmetricPositiveDefinite,
            answer: Answer::Unique(vec![1.0, 0.0, 0.0]),
        },
        KnownLcp {
            name: "degenerate and not symmetric".into(),
            source: "z = (1, 0, 2, 0) and w = 0 chosen, q = -M z; dominant rows",
            m: array![
                [5.0, 1.0, -1.0, 2.0],
                [-1.0, 4.0, 1.0, 1.0],
                [2.0, -1.0, 6.0, 1.0],
                [1.0, 1.0, 1.0, 4.0]
            ],
            q: vec![-3.0, -1.0, -14.0, -3.0],
            class: MatrixClass::DiagonallyDominant,
            answer: Answer::Unique(vec![1.0, 0.0, 2.0, 0.0]),
        },
    ]
}

fn lexicographic_ties() -> Vec<KnownLcp> {
    let table = array![[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 1.0, -1.0]];
    vec![
        KnownLcp {
            name: "table on four legs".into(),
            source: "statics: M = A A^T, row (1, x, y) per leg; the load goes to either diagonal, or to all four",
            m: table.dot(&table.t()),
            q: vec![-1.0; 4],
            class: MatrixClass::SymmetricPositiveSemidefinite,
            answer: Answer::Several(vec![vec![0.5, 0.0, 0.5, 0.0], vec![0.0, 0.5, 0.0, 0.5], vec![0.25; 4]]),
        },
        KnownLcp {
            name: "five contacts, one force".into(),
            source: "M of ones: only the sum of z counts",
            m: Array2::ones((5, 5)),
            q: vec![-1.0; 5],
            class: MatrixClass::SymmetricPositiveSemidefinite,
            answer: Answer::Several(
                (0..5).map(|i| (0..5).map(|j| f64::from(u8::from(i == j))).collect()).collect(),
            ),
        },
        KnownLcp {
            name: "equal rows, strictly copositive".into(),
            source: "rows 1 and 2 agree; by hand, z_1 + z_2 = 1 or z_3 = 1",
            m: array![[1.0, 1.0, 3.0], [1.0, 1.0, 3.0], [2.0, 2.0, 1.0]],
            q: vec![-1.0; 3],
            class: MatrixClass::StrictlyCopositive,
            answer: Answer::Several(vec![vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]]),
        },
        KnownLcp {
            name: "cyclic sextuple with ties".into(),
            source: "circulant P-matrix with 1, 2 on six places in two triples; z = 1/3 by symmetry",
            m: Array2::from_shape_fn((6, 6), |(i, j)| match (6 + j - i) % 6 {
                0 => 1.0,
                2 => 2.0,
                _ => 0.0,
            }),
            q: vec![-1.0; 6],
            class: MatrixClass::PMatrix,
            answer: Answer::Unique(vec![1.0 / 3.0; 6]),
        },
    ]
}
