//! Support for the tests of contact solvers: files, random problems, and the error of the test kit.
use std::path::Path;

use crate::support::contact_files::{self, measured_error};
use ndarray::Array2;
use proptest::prelude::*;
use siconos_linalg::{BlockCsr, Matrix};
use siconos_numerics::contact::{Contact, ContactLawData, ContactMethod, ContactProblem, OperatorData};
use siconos_numerics::{Method, SolveInfo, Solver, SolverError, Status};

/// Contact problem that owns its data.
#[derive(Clone, Debug)]
pub(crate) struct Owned {
    pub(crate) w: Matrix,
    pub(crate) q: Vec<f64>,
    pub(crate) law: ContactLawData,
}

impl Owned {
    /// Reads a reference file. The name of its folder is the class of the problem.
    #[track_caller]
    pub(crate) fn read(folder: &Path, file: &str) -> Self {
        let class = folder.file_name().and_then(|class| class.to_str()).expect("the folder of a class");
        let problem = contact_files::read(
            folder.parent().expect("it lies in the references"),
            &format!("{class}/{file}"),
        );
        let problem = problem.unwrap_or_else(|error| panic!("{file}: {error}"));
        let OperatorData::Delassus(w) = problem.operator() else { panic!("{file}: a problem with bodies") };
        Self { w: w.clone(), q: problem.q().to_vec(), law: problem.law().into() }
    }

    pub(crate) fn view(&self) -> ContactProblem<'_> {
        ContactProblem::new(&self.w, &self.q, self.law.view()).expect("the data fit")
    }

    /// Solves from r = 0.
    pub(crate) fn solve(
        &self,
        solver: &mut dyn Solver<Class = Contact>,
    ) -> Result<(SolveInfo, Vec<f64>), SolverError> {
        let (mut r, mut u) = (vec![0.0; self.q.len()], vec![0.0; self.q.len()]);
        let info = solver.solve(&self.view(), &mut r, &mut u)?;
        Ok((info, r))
    }

    /// Returns the error of a point, computed by the test kit.
    pub(crate) fn measure(&self, r: &[f64]) -> f64 {
        measured_error(&self.view(), r)
    }
}

/// Creates a method by its name, with default settings.
pub(crate) fn solver(name: &str) -> Box<dyn Solver<Class = Contact>> {
    ContactMethod::from_name(name).expect("it is in the table").build().expect("default settings")
}

/// Solves from zero, and checks the report of the solver with the error of the test kit.
#[track_caller]
pub(crate) fn solve(
    solver: &mut dyn Solver<Class = Contact>,
    problem: &ContactProblem<'_>,
) -> (SolveInfo, Vec<f64>, Vec<f64>) {
    let (mut r, mut u) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    let info = solver.solve(problem, &mut r, &mut u).unwrap_or_else(|e| panic!("{}: {e}", solver.name()));
    let measured = measured_error(problem, &r);
    assert!(
        (info.error - measured).abs() <= 1e-12 + 1e-6 * measured,
        "{}: {info:?} {measured:e}",
        solver.name()
    );
    assert_eq!(
        info.status == Status::Converged,
        measured <= solver.tolerance(),
        "{} {info:?}",
        solver.name()
    );
    (info, r, u)
}

/// Returns `true` if two vectors agree to `tolerance`, relative to the larger of 1 and the second vector.
pub(crate) fn near(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    let largest = b.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= tolerance * largest)
}

pub(crate) fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Creates bodies in a row, each in contact with the next `reach` ones: W = H^T M^-1 H with random
/// directions, which is symmetric positive semidefinite like a Delassus matrix. It has `d` components per
/// contact and is stored in block rows.
pub(crate) fn pile(contacts: usize, reach: usize, d: usize, seed: u64) -> (Matrix, Vec<f64>) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    };
    const FREEDOMS: usize = 6;
    // Contact k is between body k / reach and the body k % reach + 1 places further on.
    let bodies = |k: usize| [k / reach, k / reach + k % reach + 1];
    let jacobians: Vec<[Array2<f64>; 2]> = (0..contacts)
        .map(|_| {
            [0, 1].map(|_| {
                Array2::from_shape_fn((FREEDOMS, d), |(i, j)| random() + 2.0 * f64::from(u8::from(i == j)))
            })
        })
        .collect();
    let mut blocks = Vec::new();
    for i in 0..contacts {
        for j in 0..contacts {
            let mut block = Array2::zeros((d, d));
            let mut coupled = false;
            for (a, body) in bodies(i).into_iter().enumerate() {
                for (b, other) in bodies(j).into_iter().enumerate() {
                    if body == other {
                        coupled = true;
                        block += &jacobians[i][a].t().dot(&jacobians[j][b]);
                    }
                }
            }
            if coupled {
                blocks.push((i, j, block));
            }
        }
    }
    let sizes = vec![d; contacts];
    let w = BlockCsr::from_blocks(&sizes, &sizes, blocks).expect("the blocks fit");
    let q = (0..contacts * d).map(|k| random() - if k % d == 0 { 0.7 } else { 0.0 }).collect();
    (w.into(), q)
}

/// Generates random Coulomb problems with a positive definite matrix.
pub(crate) fn random_coulomb(
    dimension: usize,
    contacts: std::ops::Range<usize>,
) -> impl Strategy<Value = Owned> {
    (contacts, 1_usize..4, any::<u64>(), 0.0..1.2_f64).prop_map(move |(contacts, reach, seed, mu)| {
        let (w, q) = pile(contacts, reach, dimension, seed);
        let mu = (0..contacts).map(|i| mu * (1.0 + (i % 3) as f64) / 3.0).collect();
        Owned { w, q, law: ContactLawData::Coulomb { dimension, mu } }
    })
}
