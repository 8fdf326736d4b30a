//! Repeated solves of mixed problems allocate no memory (up to 24 unknowns).

use siconos_numerics::Solver;
use siconos_numerics::mlcp::{
    Auto, Elimination, Mlcp, MlcpProblem, MlcpRow, ProjectedGaussSeidel, WarmActiveSet,
};
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::lcp::{KnownLcp, clamped_chain};

fn rows() -> Vec<MlcpRow> {
    (0..24).map(|i| if i % 3 == 0 { MlcpRow::Equality } else { MlcpRow::Complementarity }).collect()
}

/// Solves chains of the given sizes, from zero and from the previous solution. Returns the number of
/// allocations after two rounds: the first round determines the active sets, the second one uses them.
fn allocations_of(solver: &mut dyn Solver<Class = Mlcp>, sizes: &[usize]) -> usize {
    let problems: Vec<KnownLcp> = sizes.iter().map(|&n| clamped_chain(n)).collect();
    let rows = rows();
    let (mut z, mut w) = ([0.0; 24], [0.0; 24]);
    let mut round = || {
        for known in &problems {
            let n = known.size();
            z.fill(0.0);
            for _ in ["cold", "warm"] {
                let problem = MlcpProblem::new(&known.m, &known.q, &rows[..n]).expect("it is square");
                let info = solver.solve(&problem, &mut z[..n], &mut w[..n]).expect("the block is regular");
                assert!(info.status.is_success(), "{}: {info:?}", known.name);
            }
        }
    };
    round();
    round();
    count_allocations(round)
}

#[test]
fn solvers_of_changing_sizes() {
    let sizes = [24, 3, 17, 1, 24];
    assert_eq!(allocations_of(&mut Elimination::default(), &sizes), 0);
    assert_eq!(allocations_of(&mut ProjectedGaussSeidel::default(), &sizes), 0);
}

#[test]
fn known_active_sets_of_one_size() {
    for n in [1, 7, 24] {
        assert_eq!(allocations_of(&mut WarmActiveSet::new(Box::new(Elimination::default())), &[n]), 0);
        assert_eq!(allocations_of(&mut Auto::default(), &[n]), 0);
    }
}

#[test]
fn a_known_active_set_with_a_new_matrix() {
    let mut solver = WarmActiveSet::new(Box::new(Elimination::default()));
    let known = clamped_chain(12);
    let (softer, rows) = (&known.m * 0.5, &rows()[..12]);
    let (mut z, mut w) = ([0.0; 12], [0.0; 12]);
    let mut round = || {
        for m in [&known.m, &softer] {
            let problem = MlcpProblem::new(m, &known.q, rows).expect("it is square");
            let info = solver.solve(&problem, &mut z, &mut w).expect("the block is regular");
            assert!(info.status.is_success(), "{info:?}");
        }
    };
    round();
    assert_eq!(count_allocations(round), 0);
}
