//! Repeated solves allocate no memory if no problem is larger than the previous ones (n <= 24 for
//! factorisations).

use ndarray::{Array2, array, s};
use siconos_linalg::{BlockCsr, DenseLu, LARGEST_OWN_LU, Matrix};
use siconos_numerics::Solver;
use siconos_numerics::avi::{self, AviProblem};
use siconos_numerics::lcp::{Lcp, LcpProblem, Lemke, LemkeSettings, LemkeStart, ProjectedGaussSeidel};
use siconos_numerics::mlcp::{Elimination, MlcpProblem, MlcpRow};
use siconos_numerics::relay::{self, RelayProblem};
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::lcp::{KnownLcp, bead_column, clamped_chain};

const SIZES: [usize; 5] = [24, 3, 17, 1, 24];

/// Solves problems of changing sizes, each from zero and then from its solution. Returns the number of
/// allocations after the first round.
fn allocations_of(solver: &mut dyn Solver<Class = Lcp>, storage: fn(&KnownLcp) -> Matrix) -> usize {
    let problems: Vec<(KnownLcp, Matrix)> = SIZES
        .into_iter()
        .flat_map(|n| [bead_column(n), clamped_chain(n)])
        .map(|known| {
            let matrix = storage(&known);
            (known, matrix)
        })
        .collect();
    let (mut z, mut w) = ([0.0; 24], [0.0; 24]);
    let mut round = || {
        for (known, matrix) in &problems {
            let n = known.size();
            z.fill(0.0);
            for _ in ["cold", "warm"] {
                let problem = LcpProblem::new(matrix, &known.q).expect("it is square");
                let info = solver.solve(&problem, &mut z[..n], &mut w[..n]).expect("it is finite");
                assert!(info.status.is_success(), "{}: {info:?}", known.name);
            }
        }
    };
    round();
    count_allocations(round)
}

fn dense(known: &KnownLcp) -> Matrix {
    Matrix::from(known.m.clone())
}

fn block_rows(known: &KnownLcp) -> Matrix {
    let n = known.size();
    let blocks = (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i.abs_diff(*j) < 2);
    let blocks = blocks.map(|(i, j)| (i, j, known.m.slice(s![i..=i, j..=j]).to_owned())).collect();
    Matrix::from(BlockCsr::from_blocks(&vec![1; n], &vec![1; n], blocks).expect("blocks fit"))
}

#[test]
fn lemke() {
    for start in [LemkeStart::Cold, LemkeStart::WarmActiveSet] {
        let mut solver = Lemke::new(LemkeSettings { start, ..Default::default() }).expect("valid settings");
        assert_eq!(allocations_of(&mut solver, dense), 0, "{start:?}");
    }
}

#[test]
fn projected_gauss_seidel() {
    assert_eq!(allocations_of(&mut ProjectedGaussSeidel::default(), dense), 0);
    assert_eq!(allocations_of(&mut ProjectedGaussSeidel::default(), block_rows), 0);
}

#[test]
fn elimination() {
    let mut solver = Elimination::default();
    let rows: Vec<MlcpRow> =
        (0..24).map(|i| if i % 3 == 0 { MlcpRow::Equality } else { MlcpRow::Complementarity }).collect();
    let problems = SIZES.map(clamped_chain);
    let (mut z, mut w) = ([0.0; 24], [0.0; 24]);
    let mut round = || {
        for known in &problems {
            let n = known.size();
            z.fill(0.0);
            let problem = MlcpProblem::new(&known.m, &known.q, &rows[..n]).expect("it is square");
            let info = solver.solve(&problem, &mut z[..n], &mut w[..n]).expect("the block is regular");
            assert!(info.status.is_success(), "{}: {info:?}", known.name);
        }
    };
    round();
    assert_eq!(count_allocations(round), 0);
}

#[test]
fn factorisation_up_to_the_border() {
    let matrices: Vec<Array2<f64>> = SIZES.into_iter().map(|n| clamped_chain(n).m).collect();
    assert_eq!(SIZES.into_iter().max(), Some(LARGEST_OWN_LU));
    let mut lu = DenseLu::default();
    let mut b = [1.0; LARGEST_OWN_LU];
    let mut round = || {
        for a in &matrices {
            lu.factor(a.view()).expect("regular");
            lu.solve(&mut b[..a.nrows()]);
        }
    };
    round();
    assert_eq!(count_allocations(round), 0);
}

#[test]
fn rebuilding_a_block_matrix() {
    let mut matrix = BlockCsr::default();
    let mut build = |contacts: usize| {
        matrix.begin((0..contacts).map(|_| 3));
        for i in 0..contacts {
            matrix.push_block_row(3);
            for j in i.saturating_sub(1)..(i + 2).min(contacts) {
                matrix.push_block(j).fill(1.0);
            }
        }
    };
    build(50);
    assert_eq!(count_allocations(|| [50, 10, 49].into_iter().for_each(&mut build)), 0);
}

#[test]
fn small_relays_and_affine_inequalities() {
    let m = array![[2.0, 0.5, 0.0, 0.1], [-0.3, 1.5, 0.2, 0.0], [0.0, 0.1, 1.0, 0.4], [0.2, 0.0, -0.4, 2.0]];
    let (lower, upper) = ([-1.0; 4], [1.0; 4]);
    let mut square = Array2::zeros((8, 4));
    for i in 0..4 {
        (square[[2 * i, i]], square[[2 * i + 1, i]]) = (1.0, -1.0);
    }
    let k = [-1.0; 8];
    let (mut relay, mut avi) = (relay::Auto::default(), avi::Auto::default());
    let (mut z, mut w) = ([0.0; 4], [0.0; 4]);
    let (mut x, mut lambda) = ([0.0; 4], [0.0; 8]);
    let mut round = || {
        for step in 0..100 {
            let q = [0.0, 1.0, 2.0, 3.0].map(|phase| 3.0 * (0.1 * f64::from(step) + phase).sin());
            let problem = RelayProblem::new(&m, &q, &lower, &upper).expect("it fits");
            assert!(relay.solve(&problem, &mut z, &mut w).expect("it is finite").status.is_success());
            let problem = AviProblem::new(&m, &q, square.view(), &k).expect("it fits");
            assert!(avi.solve(&problem, &mut x, &mut lambda).expect("it is finite").status.is_success());
            assert!(z.iter().zip(x).all(|(z, x)| (z - x).abs() < 1e-12));
        }
    };
    round();
    assert_eq!(count_allocations(round), 0);
}
