//! Many equalities, redundant equations, and contradictory equations.

mod mechanism;

use ndarray::{Array1, Array2};
use siconos_linalg::{Csc, DenseLu, MatrixRef};
use siconos_numerics::gmp::{Auto, EqualityElimination, GenericMechanicalProblem, Gmp, MechanicalLaw};
use siconos_numerics::{Contradiction, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::compare::largest_difference;
use siconos_testkit::random::RandomState as Random;

use self::mechanism::{Interaction, Mechanism, about};

type Solution = (SolveInfo, Vec<f64>, Vec<f64>);

fn solve(solver: &mut dyn Solver<Class = Gmp>, problem: &GenericMechanicalProblem) -> Solution {
    let (mut z, mut w) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    let info = solver.solve(problem, &mut z, &mut w).expect("the data are fine");
    (info, z, w)
}

fn eliminated(problem: &GenericMechanicalProblem) -> Solution {
    solve(&mut EqualityElimination::default(), problem)
}

/// Returns the unknowns of all laws except equalities.
fn others(problem: &GenericMechanicalProblem, x: &[f64]) -> Vec<f64> {
    let laws = problem.laws().iter().enumerate();
    let others = laws.filter(|(_, law)| !matches!(law, MechanicalLaw::Equality { .. }));
    others.flat_map(|(block, _)| x[problem.range(block)].to_vec()).collect()
}

/// Creates a chain of bars with contacts at its end and at one of its hinges.
fn chain_on_the_ground(bodies: usize, random: &mut Random) -> Mechanism {
    let mut chain = Mechanism::chain(bodies, random);
    chain.touch(bodies - 1);
    chain.touch(bodies / 2);
    chain
}

/// Chains with stops only. The reference tries every active set of stops, with dense factors of the whole
/// matrix.
#[test]
fn the_solution_is_that_of_dense_factors() {
    let mut random = Random::new(5);
    for bodies in [7, 12, 20] {
        let mut chain = Mechanism::chain(bodies, &mut random);
        for (body, d) in [(bodies - 1, [0.0, 1.0, 0.0]), (bodies / 2, [0.2, 1.0, 0.1]), (1, [0.0, -1.0, 0.3])]
        {
            let rows = vec![mechanism::along(d, [0.2, -0.1, 0.0])];
            chain.interactions.push(Interaction::on(MechanicalLaw::Complementarity { size: 1 }, body, rows));
        }
        // With skew, the matrix is not symmetric: the impulse of a row acts in another direction than its
        // velocity.
        for skew in [0.0, 0.02] {
            let mut m = Csc::from_matrix((&chain.matrix()).into());
            m.values_mut().iter_mut().for_each(|x| *x *= 1.0 + skew * random.between(-1.0, 1.0));
            let (n, q) = (m.rows(), chain.q());
            let solutions = (0..8_usize).filter_map(|set| {
                let bears = |i: usize| i < n - 3 || set >> (n - 1 - i) & 1 == 1;
                let rows: Vec<_> = (0..n).filter(|&i| bears(i)).collect();
                let block = Array2::from_shape_fn((rows.len(), rows.len()), |(i, j)| m.get(rows[i], rows[j]));
                let mut x: Vec<_> = rows.iter().map(|&i| -q[i]).collect();
                let mut lu = DenseLu::default();
                lu.factor(block.view()).ok()?;
                lu.solve(&mut x);
                let (mut z, mut w) = (vec![0.0; n], q.clone());
                rows.iter().zip(&x).for_each(|(&i, x)| z[i] = *x);
                MatrixRef::from(&m).add_product(1.0, &z, &mut w);
                let holds = (n - 3..n).all(|i| z[i] >= 0.0 && w[i] >= -1e-9);
                holds.then_some(z)
            });
            let expected: Vec<_> = solutions.collect();
            let problem = chain.problem_with(m.clone(), q.clone());
            let (info, z, _) = eliminated(&problem);
            assert!(info.status.is_success() && info.iterations < 100, "{bodies}, {skew}: {info:?}");
            let near = expected.iter().map(|expected| largest_difference(expected, &z));
            assert!(near.fold(f64::INFINITY, f64::min) < 1e-7, "{bodies}, {skew}");
        }
    }
}

#[test]
fn a_long_chain_takes_few_sweeps_in_every_storage() {
    let chain = chain_on_the_ground(300, &mut Random::new(1));
    let [blocks, columns, _] = chain.problems();
    let (info, z, w) = eliminated(&blocks);
    assert!(info.status.is_success() && info.iterations < 60, "{info:?}");
    assert!(others(&blocks, &z)[0] > 0.0, "the end is on the ground");
    let (info, z_by_columns, w_by_columns) = eliminated(&columns);
    assert!(info.status.is_success() && largest_difference(&w_by_columns, &w) < 1e-9, "{info:?}");
    assert!(largest_difference(&z_by_columns, &z) < 1e-7);
    let mut auto = Auto::default();
    let (info, by_auto, _) = solve(&mut auto, &blocks);
    assert!(info.status.is_success(), "{info:?}, {:?}", auto.trace());
    assert!(largest_difference(&others(&blocks, &by_auto), &others(&blocks, &z)) < 1e-6);
}

#[test]
fn a_joint_made_twice_changes_no_motion() {
    let mut random = Random::new(2);
    for (bodies, twice) in [(3, 1), (12, 4), (60, 0), (60, 31), (60, 59)] {
        let chain = chain_on_the_ground(bodies, &mut random);
        let mut doubled = chain.clone();
        doubled.interactions.insert(twice / 2, chain.interactions[twice].clone());
        let problem = chain.problem();
        let (known, z, w) = eliminated(&problem);
        assert!(known.status.is_success(), "{bodies}: {known:?}");
        for doubled in doubled.problems() {
            let (info, z_of_doubled, w_of_doubled) = eliminated(&doubled);
            assert!(info.status.is_success(), "{bodies}, {twice}: {info:?}");
            let same = |a: &[f64], b: &[f64]| largest_difference(&others(&doubled, a), &others(&problem, b));
            assert!(same(&z_of_doubled, &z) < 1e-7 && same(&w_of_doubled, &w) < 1e-8, "{bodies}, {twice}");
            // The solution is basic: redundant rows have zero impulses.
            let zeros = z_of_doubled.iter().zip(doubled.laws().iter().flat_map(|law| {
                std::iter::repeat_n(matches!(law, MechanicalLaw::Equality { .. }), law.size())
            }));
            assert!(zeros.filter(|(z, is_equality)| *is_equality && **z == 0.0).count() >= 5, "{bodies}");
        }
    }
}

/// The mechanism alone, and several copies of it in one problem, which uses sparse factors.
#[test]
fn a_plane_mechanism_with_joints_of_space() {
    let mut random = Random::new(3);
    let mut many = Mechanism::default();
    for copies in 1..=6 {
        let one = Mechanism::slider_crank(&mut random);
        let first = many.free.len();
        many.free.extend(&one.free);
        many.interactions.extend(one.interactions.into_iter().map(|mut interaction| {
            interaction.rows.iter_mut().for_each(|(body, _)| *body += first);
            interaction
        }));
        for problem in many.problems() {
            let mut solver = EqualityElimination::default();
            let (info, z, _) = solve(&mut solver, &problem);
            assert!(info.status.is_success(), "{copies}: {info:?}");
            // The rank is 17 of 20. More impulses may be 0 if no load acts there.
            assert!(z.iter().filter(|z| **z == 0.0).count() >= 3 * copies, "{copies}: {z:?}");
            assert_eq!(solver.contradiction(), None);
        }
    }
}

#[test]
fn equations_that_contradict_each_other_are_named() {
    let mut random = Random::new(4);
    for (bodies, twice, row) in [(3, 1, 0), (40, 7, 4), (40, 39, 2), (260, 100, 1)] {
        let mut chain = chain_on_the_ground(bodies, &mut random);
        let joint = chain.interactions[twice].clone();
        chain.interactions.push(joint);
        let mut q = chain.q();
        let copy = chain.laws().len() - 1;
        let last_rows = q.len() - 5;
        // One of the two joints prescribes another velocity.
        q[last_rows + row] += 1e-3;
        let problem = chain.problem_with(chain.matrix(), q);
        for solver in
            [&mut EqualityElimination::default() as &mut dyn Solver<Class = Gmp>, &mut Auto::default()]
        {
            let (info, _, w) = solve(solver, &problem);
            assert_eq!(info.status, Status::NoSolution, "{}, {bodies}: {:?}", solver.name(), solver.trace());
            let named = solver.contradiction().expect("an equation is named");
            assert!(problem.range(named.block).contains(&named.row), "{named:?}");
            let is_one_of_them = named == Contradiction { row: last_rows + row, block: copy }
                || named == Contradiction { row: 5 * twice + row, block: twice };
            assert!(is_one_of_them, "{named:?}, {bodies}, {twice}");
            // All other equations are satisfied.
            let laws = problem.laws().iter().enumerate();
            let joints = laws.filter(|(_, law)| matches!(law, MechanicalLaw::Equality { .. }));
            let mut held = joints.flat_map(|(block, _)| problem.range(block)).filter(|row| *row != named.row);
            assert!(held.all(|row| w[row].abs() < 1e-8) && w[named.row].abs() > 1e-4, "{bodies}, {twice}");
            // The contradiction does not affect the next problem.
            let (info, ..) = solve(solver, &chain.problem());
            assert!(info.status.is_success() && solver.contradiction().is_none(), "{}", solver.name());
        }
    }
}

/// Two equations are inconsistent in M_ee, but an impulse of the stop can make them consistent. This
/// contradiction is not a proof that the problem has no solution.
#[test]
fn an_equation_that_other_laws_decide_is_no_proof() {
    let laws = vec![MechanicalLaw::Equality { size: 2 }, MechanicalLaw::Complementarity { size: 1 }];
    // Rows 0 and 1 coincide in M_ee, and the stop acts on row 1 only.
    let m = ndarray::array![[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 1.0]];
    let problem = GenericMechanicalProblem::new(m, ndarray::array![1.0, 0.0, 2.0], laws).expect("it fits");
    let mut solver = EqualityElimination::default();
    let (info, ..) = solve(&mut solver, &problem);
    assert!(!info.status.is_success() && info.status != Status::NoSolution, "{info:?}");
    assert!(solver.contradiction().is_some_and(|named| named.block == 0), "{:?}", solver.contradiction());
}

/// A body of 0.2 ng between the ground and a body of a kilogram: rounding errors nearly hide the effect of
/// the heavy body.
#[test]
fn a_pivot_in_doubt_is_no_proof() {
    let laws = vec![MechanicalLaw::Equality { size: 1 }; 2];
    let m = ndarray::array![[1.0, -1.0], [-1.0, 1.0 + (-42_f64).exp2()]];
    let problem = GenericMechanicalProblem::new(m, ndarray::array![0.0, 1.0], laws).expect("it fits");
    let (info, ..) = eliminated(&problem);
    assert_ne!(info.status, Status::NoSolution);
}

fn bits((info, z, w): &Solution) -> (Status, usize, Vec<u64>) {
    (info.status, info.iterations, z.iter().chain(w).map(|x| x.to_bits()).collect())
}

fn all_kinds(random: &mut Random) -> Vec<Mechanism> {
    let mut all = vec![Mechanism::slider_crank(random)];
    for (bodies, twice) in [(4, None), (20, None), (20, Some(8)), (9, Some(2))] {
        let mut chain = chain_on_the_ground(bodies, random);
        chain.interactions.extend(twice.map(|twice: usize| chain.interactions[twice].clone()));
        all.push(chain);
    }
    // A joint of a body that is already prevented from these rotations by the ground.
    let mut chain = chain_on_the_ground(11, random);
    let rows = vec![about([1.0, 0.0, 0.0]), about([0.0, 1.0, 0.0]), [0.0; 6]];
    chain.interactions.push(Interaction::on(MechanicalLaw::Equality { size: 3 }, 0, rows));
    all.push(chain);
    all
}

#[test]
fn units_by_powers_of_two_change_no_bit() {
    for mechanism in all_kinds(&mut Random::new(6)) {
        let expected = eliminated(&mechanism.problem());
        for (of_m, of_q) in [(30, 0), (-41, 17), (0, -60), (12, 12)] {
            let (of_m, of_q) = (f64::from(of_m).exp2(), f64::from(of_q).exp2());
            let mut m = mechanism.matrix();
            m.scale_entries(|_, _| of_m);
            let q = mechanism.q().iter().map(|q| of_q * q).collect();
            let (info, z, w) = eliminated(&mechanism.problem_with(m, q));
            let back =
                (info, z.iter().map(|z| z * of_m / of_q).collect(), w.iter().map(|w| w / of_q).collect());
            assert_eq!(bits(&back), bits(&expected));
        }
    }
}

#[test]
fn a_used_solver_is_a_new_one() {
    let all = all_kinds(&mut Random::new(7));
    let (mut elimination, mut auto) = (EqualityElimination::default(), Auto::default());
    // One after the other, back, and each twice: the pattern stays there.
    for mechanism in all.iter().chain(all.iter().rev()).flat_map(|mechanism| [mechanism; 2]) {
        let problem = mechanism.problem();
        let used = solve(&mut elimination, &problem);
        assert_eq!(bits(&used), bits(&eliminated(&problem)));
        let used = solve(&mut auto, &problem);
        assert_eq!(bits(&used), bits(&solve(&mut Auto::default(), &problem)));
    }
}

#[test]
fn what_is_not_finite_is_refused() {
    let chain = chain_on_the_ground(30, &mut Random::new(8));
    let mut m = chain.matrix();
    m.scale_entries(|i, j| if (i, j) == (3, 3) { f64::NAN } else { 1.0 });
    assert!(GenericMechanicalProblem::new(m, Array1::from(chain.q()), chain.laws()).is_err());
    let problem = chain.problem();
    let (mut z, mut w) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    z[4] = f64::NAN;
    let refused = EqualityElimination::default().solve(&problem, &mut z, &mut w);
    assert!(matches!(refused, Err(SolverError::Problem(_))), "{refused:?}");
}
