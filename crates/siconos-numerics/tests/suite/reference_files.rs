//! Linear complementarity problems from the test data of Siconos, if the files are available.

use crate::support::lcp_files;
use ndarray::Array2;
use siconos_numerics::lcp::{LcpProblem, Lemke, LemkeSettings, LemkeStart};
use siconos_numerics::{Solver, Status};
use siconos_testkit::lcp::{LARGEST_ENUMERATED, Measures, enumerate_solutions};

const FILES: [&str; 12] = [
    "lcp_CPS_1.dat",
    "lcp_CPS_2.dat",
    "lcp_CPS_3.dat",
    "lcp_CPS_4.dat",
    "lcp_CPS_5.dat",
    "lcp_Pang_isolated_sol.dat",
    "lcp_deudeu.dat",
    "lcp_deudeu_block.dat",
    "lcp_exp_murty.dat",
    "lcp_mmc.dat",
    "lcp_ortiz.dat",
    "lcp_trivial.dat",
];

/// Solvable problem of a bimatrix game, on which a pivoting method may end on a ray.
const MAY_FAIL: &str = "lcp_CPS_3.dat";

fn problems() -> Vec<(&'static str, Array2<f64>, Vec<f64>)> {
    let problem = |name| lcp_files::problem(name).map(|(m, q)| (name, m, q));
    FILES.into_iter().map_while(problem).collect()
}

#[test]
fn lemke_solves_them() {
    for (name, m, q) in problems() {
        for start in [LemkeStart::Cold, LemkeStart::WarmActiveSet] {
            let mut solver =
                Lemke::new(LemkeSettings { start, ..Default::default() }).expect("valid settings");
            let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
            let problem = LcpProblem::new(&m, &q).expect("it is square");
            let info = solver.solve(&problem, &mut z, &mut w).expect("it is dense and finite");
            let point = Measures::of(m.view(), &q, &z);
            println!("{name}: {}, {} pivots, error {:e}", info.status, info.iterations, point.natural);
            assert!(info.status.is_success() || name == MAY_FAIL, "{name}: {info:?}");
            assert!(info.status != Status::Converged || point.natural <= 1e-10, "{name}: {point:?}");
        }
    }
}

#[test]
fn the_reading_is_right_where_an_oracle_can_tell() {
    // All problems are solvable if read column by column; two of them are not if read row by row.
    for (name, m, q) in problems().into_iter().filter(|(_, _, q)| q.len() <= LARGEST_ENUMERATED) {
        assert!(!enumerate_solutions(m.view(), &q).is_empty(), "{name} has no solution");
        if ["lcp_CPS_4.dat", "lcp_Pang_isolated_sol.dat"].contains(&name) {
            assert!(enumerate_solutions(m.t(), &q).is_empty(), "{name} is solvable either way");
        }
    }
}

#[test]
fn the_two_storages_of_one_problem_agree() {
    let problems = problems();
    let find = |wanted| problems.iter().find(|(name, ..)| *name == wanted).map(|(_, m, q)| (m, q));
    assert_eq!(find("lcp_deudeu.dat"), find("lcp_deudeu_block.dat"));
}
