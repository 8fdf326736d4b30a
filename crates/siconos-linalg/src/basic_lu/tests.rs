//! Tests of solutions (against known solutions and dense factors), of ranks, of units, and of reuse of the
//! workspace.

use super::super::{Csc, DenseLu, MatrixRef, power_of_two, singular_values};
use super::{BasicLu, LeftOver};

/// Pseudorandom numbers between -0.5 and 0.5.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() + 0.5) * n as f64) as usize % n
    }
}

/// Product $G H^T$ of two sparse matrices, `rows` and `turned`.
fn mechanism(rows: &[Vec<(usize, f64)>], turned: &[Vec<(usize, f64)>]) -> Csc {
    let of_pair = |i: usize, j: usize| {
        let common = rows[i].iter().flat_map(|a| turned[j].iter().map(move |b| (a, b)));
        common.filter(|(a, b)| a.0 == b.0).map(|(a, b)| a.1 * b.1).sum::<f64>()
    };
    let n = rows.len();
    let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let entries = places.map(|(i, j)| (i, j, of_pair(i, j))).filter(|(.., x)| *x != 0.0);
    Csc::from_triplets(n, n, entries).expect("entries of the matrix")
}

/// Constraint Jacobian of joints with five rows each: along a chain of bodies, and between `others` pairs of
/// distant bodies. Short loops would have more rows than velocities.
fn joints(bodies: usize, others: usize, draw: &mut Draw) -> Vec<Vec<(usize, f64)>> {
    let mut pairs: Vec<_> = (1..bodies).map(|k| (k - 1, k)).collect();
    pairs.extend((0..others).map(|k| (k, k + bodies / 2)));
    let velocities = |body: usize| (6 * body..6 * body + 6).collect::<Vec<_>>();
    let both = |(a, b): (usize, usize)| [velocities(a), velocities(b)].concat();
    let rows = pairs.into_iter().flat_map(|pair| std::iter::repeat_n(both(pair), 5));
    rows.map(|velocities| velocities.into_iter().map(|v| (v, draw.next())).collect()).collect()
}

fn turned(rows: &[Vec<(usize, f64)>], by: f64, draw: &mut Draw) -> Vec<Vec<(usize, f64)>> {
    rows.iter().map(|row| row.iter().map(|&(v, x)| (v, x + by * draw.next())).collect()).collect()
}

/// Solves for the right-hand side A `known`. Returns the largest residual and the solution.
fn residual(a: &Csc, lu: &mut BasicLu, known: &[f64]) -> (f64, Vec<f64>) {
    let mut b = vec![0.0; known.len()];
    MatrixRef::Csc(a).add_product(1.0, known, &mut b);
    let mut x = b.clone();
    lu.solve(&mut x);
    let mut left = b.clone();
    MatrixRef::Csc(a).add_product(-1.0, &x, &mut left);
    (left.iter().fold(0.0, |largest, left| left.abs().max(largest)), x)
}

#[test]
fn a_regular_matrix_has_the_solution_of_dense_factors() {
    let mut draw = Draw(1);
    for (bodies, others, by) in [(2, 0, 0.0), (8, 0, 0.0), (20, 3, 0.0), (20, 3, 0.3), (12, 2, 2.0)] {
        let rows = joints(bodies, others, &mut draw);
        let a = mechanism(&rows, &turned(&rows, by, &mut draw));
        let mut lu = BasicLu::default();
        assert_eq!(lu.factor(&a), Ok(rows.len()), "{bodies}, {by}");
        let known: Vec<_> = rows.iter().map(|_| draw.next()).collect();
        let (left, x) = residual(&a, &mut lu, &known);
        assert!(left < 1e-12, "{bodies}, {by}: {left:e}");
        let mut dense = DenseLu::default();
        dense.factor(a.to_dense().view()).expect("a regular matrix");
        let mut y = vec![0.0; known.len()];
        MatrixRef::Csc(&a).add_product(1.0, &known, &mut y);
        dense.solve(&mut y);
        let wrong = x
            .iter()
            .zip(&y)
            .zip(&known)
            .find(|((x, y), known)| (**x - **known).abs() > 1e-8_f64.max(100.0 * (**y - **known).abs()));
        assert_eq!(wrong, None, "{bodies}, {by}");
    }
}

#[test]
fn repeated_rows_get_basic_solutions_wherever_they_are() {
    let mut draw = Draw(2);
    for (case, by) in (0..24).flat_map(|case| [(case, 0.0), (case, 0.3)]) {
        let mut rows = joints(6 + case, case % 3, &mut draw);
        let mut others = turned(&rows, by, &mut draw);
        let rank = rows.len();
        for copy in 0..=case % 4 {
            let of = draw.below(rank);
            let place = draw.below(rows.len() + 1);
            let factor = [1.0, -2.0, 0.3, 1.0][copy];
            let times = |row: &[(usize, f64)]| row.iter().map(|&(v, x)| (v, factor * x)).collect::<Vec<_>>();
            let (row, other) = (times(&rows[of]), times(&others[of]));
            rows.insert(place, row);
            others.insert(place, other);
        }
        let a = mechanism(&rows, &others);
        let mut lu = BasicLu::default();
        assert_eq!(lu.factor(&a), Ok(rank), "{case}, {by}");
        let known: Vec<_> = rows.iter().map(|_| draw.next()).collect();
        let (left, x) = residual(&a, &mut lu, &known);
        assert!(left < 1e-11, "{case}, {by}: {left:e}");
        assert_eq!(x.iter().filter(|x| **x == 0.0).count(), rows.len() - rank, "{case}, {by}");
        let consistent = lu.left_over().iter().all(|left| left.value.abs() <= 1e-12 * left.terms);
        assert!(lu.left_over().len() == rows.len() - rank && consistent, "{case}: {:?}", lu.left_over());
    }
}

/// The diagonal is zero, as in a mechanism in which the direction of each reaction differs from the direction
/// of its constraint.
#[test]
fn pivots_are_looked_for_beside_the_diagonal() {
    let mut draw = Draw(3);
    for n in [2, 3, 10, 31] {
        let place = |i: usize| (i + 1) % n;
        let entries = (0..n).flat_map(|i| [(i, place(i), 1.0 + draw.next()), (i, place(i + 1), 0.1)]);
        let a = Csc::from_triplets(n, n, entries.collect::<Vec<_>>()).expect("entries");
        let mut lu = BasicLu::default();
        assert_eq!(lu.factor(&a), Ok(n));
        let known: Vec<_> = (0..n).map(|_| draw.next()).collect();
        let (left, _) = residual(&a, &mut lu, &known);
        assert!(left < 1e-14, "{n}: {left:e}");
    }
}

/// The matrices consist of small integers at random positions, with zeros on the diagonal and with zero rows
/// and columns. Many rows and columns must be passed from front to front.
#[test]
fn the_rank_is_that_of_the_singular_values() {
    let mut draw = Draw(6);
    let mut deficient = 0;
    for case in 0..300 {
        let n = 2 + case % 30;
        let entries: Vec<_> = (0..n * (1 + case % 4))
            .map(|_| (draw.below(n), draw.below(n), [-2.0, -1.0, 1.0, 1.0, 3.0][draw.below(5)]))
            .collect();
        let a = Csc::from_triplets(n, n, entries).expect("entries of the matrix");
        let values = singular_values(a.to_dense().view()).expect("singular values");
        let rank = values.iter().filter(|value| **value > 1e-9).count();
        deficient += usize::from(rank < n);
        let mut lu = BasicLu::default();
        assert_eq!(lu.factor(&a), Ok(rank), "{case}");
        let known: Vec<_> = (0..n).map(|_| draw.next()).collect();
        let (left, _) = residual(&a, &mut lu, &known);
        assert!(left < 1e-10, "{case}: {left:e}");
    }
    assert!((100..290).contains(&deficient), "{deficient}");
}

#[test]
fn nothing_is_left_of_equations_but_their_right_hand_side() {
    let mut lu = BasicLu::default();
    assert_eq!(lu.factor(&Csc::default()), Ok(0));
    lu.solve(&mut []);
    let zeros = Csc::from_triplets(2, 2, []).expect("no entries");
    assert_eq!(lu.factor(&zeros), Ok(0));
    let mut x = [1.0, -2.0];
    lu.solve(&mut x);
    assert_eq!(x, [0.0; 2]);
    let left = |row, value: f64| LeftOver { row, rounding: 0.0, value, terms: value.abs() };
    assert_eq!(lu.left_over(), [left(0, 1.0), left(1, -2.0)]);
    let infinite = Csc::from_triplets(1, 1, [(0, 0, f64::INFINITY)]).expect("an entry");
    assert!(lu.factor(&infinite).is_err());
}

fn solution(lu: &mut BasicLu, a: &Csc, b: &[f64]) -> (usize, Vec<u64>) {
    let rank = lu.factor(a).expect("finite entries");
    let mut x = b.to_vec();
    lu.solve(&mut x);
    (rank, x.iter().map(|x| x.to_bits()).collect())
}

fn problems(draw: &mut Draw) -> Vec<(Csc, Vec<f64>)> {
    let mut all = Vec::new();
    for (bodies, others, by) in [(3, 0, 0.0), (14, 3, 0.2), (9, 0, 0.0), (9, 0, 0.4)] {
        let mut rows = joints(bodies, others, draw);
        let mut reactions = turned(&rows, by, draw);
        rows.push(rows[4].clone());
        reactions.push(reactions[4].clone());
        let b: Vec<_> = rows.iter().map(|_| draw.next()).collect();
        all.push((mechanism(&rows, &reactions), b));
    }
    all
}

/// Every row and every column has a unit of its own.
#[test]
fn solutions_are_the_same_in_all_units() {
    let mut draw = Draw(4);
    for (a, b) in problems(&mut draw) {
        let (row_unit, column_unit) =
            (|i: usize| power_of_two(i as i32 * 7 % 23 - 11), |j: usize| power_of_two(j as i32 * 5 % 19 - 3));
        let mut scaled = a.clone();
        scaled.scale_entries(|i, j| row_unit(i) * column_unit(j));
        let scaled_b: Vec<_> = b.iter().enumerate().map(|(i, b)| b * row_unit(i)).collect();
        let (rank, expected) = solution(&mut BasicLu::default(), &a, &b);
        let (scaled_rank, found) = solution(&mut BasicLu::default(), &scaled, &scaled_b);
        assert_eq!(rank, scaled_rank);
        let back = found.iter().enumerate().map(|(j, x)| f64::from_bits(*x) * column_unit(j));
        assert!(back.zip(&expected).all(|(x, y)| x.to_bits() == *y));
    }
}

#[test]
fn used_factors_are_those_made_anew() {
    let mut draw = Draw(5);
    let all = problems(&mut draw);
    let mut used = BasicLu::default();
    for (a, b) in all.iter().chain(all.iter().rev()).chain(&all) {
        assert_eq!(solution(&mut used, a, b), solution(&mut BasicLu::default(), a, b));
    }
}
