//! Systems that the tests share, and the properties of every step.

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate};
use siconos_kernel::analysis::LinearSystem;
use siconos_sweeping::higher_order::{HigherOrderState, HigherOrderSweeping};
use siconos_testkit::random::RandomState;

/// z_1' = z_2, .., z_r' = lambda: x is z.
pub(super) fn chain(r: usize) -> HigherOrderSweeping {
    let a = Array2::from_shape_fn((r, r), |(i, j)| f64::from(u8::from(j == i + 1)));
    let unit = |k: usize| Array1::from_shape_fn(r, |i| f64::from(u8::from(i == k)));
    let (b, c) = (unit(r - 1).insert_axis(Axis(1)), unit(0).insert_axis(Axis(0)));
    let system = LinearSystem::new(a, b, c, Array2::zeros((1, 1))).unwrap();
    HigherOrderSweeping::of(&system).unwrap()
}

/// System that is created in normal coordinates and transformed without rounding: all entries are small
/// multiples of powers of two.
pub(super) struct Disguised {
    pub(super) r: usize,
    pub(super) m: usize,
    /// Matrix that maps normal coordinates to x, and its inverse.
    pub(super) basis: Array2<f64>,
    pub(super) inverse: Array2<f64>,
    /// Rates in normal coordinates, and H.
    pub(super) rates: Array2<f64>,
    pub(super) leading: Array2<f64>,
    pub(super) system: LinearSystem,
}

impl Disguised {
    /// Creates a random system with m components of relative degree r and `zeros` zero dynamics.
    pub(super) fn draw(random: &mut RandomState, (r, m, zeros): (usize, usize, usize)) -> Self {
        let (n, rows, last) = (r * m + zeros, r * m, (r - 1) * m);
        let mut sixteenths = |most: i32| f64::from(random.integer(-most, most)) / 16.0;
        let mut rates = Array2::zeros((n, n));
        for p in 0..last {
            rates[[p, p + m]] = 1.0;
        }
        for i in last..n {
            for k in (0..n).filter(|&k| i < rows || k < m || k >= rows) {
                rates[[i, k]] = sixteenths(12);
            }
        }
        // Diagonally dominant, hence a P-matrix, and not symmetric.
        let leading = Array2::from_shape_fn((m, m), |(j, k)| {
            if j == k { 2.0 + sixteenths(8) } else { sixteenths(20) / m as f64 }
        });
        // Multiples of 1/16, also after the division.
        let leading = leading.mapv(|x| (x * 16.0).round() / 16.0);
        Self::of(random, (r, m), rates, leading)
    }

    /// Transforms a system with given rates in normal coordinates to random coordinates.
    pub(super) fn of(
        random: &mut RandomState,
        (r, m): (usize, usize),
        rates: Array2<f64>,
        leading: Array2<f64>,
    ) -> Self {
        let (n, rows, last) = (rates.nrows(), r * m, (r - 1) * m);
        let (basis, inverse) = unimodular(random, n);
        let mut b = Array2::zeros((n, m));
        b.slice_mut(ndarray::s![last..rows, ..]).assign(&leading);
        let c = inverse.slice(ndarray::s![..m, ..]).to_owned();
        let a = basis.dot(&rates).dot(&inverse);
        let system = LinearSystem::new(a, basis.dot(&b), c, Array2::zeros((m, m))).unwrap();
        Self { r, m, basis, inverse, rates, leading, system }
    }

    /// Returns the system in normal coordinates.
    pub(super) fn undisguised(&self) -> LinearSystem {
        let (b, c) = (self.inverse.dot(&self.system.b()), self.system.c().dot(&self.basis));
        LinearSystem::new(self.rates.clone(), b, c, Array2::zeros((self.m, self.m))).unwrap()
    }
}

/// Returns a random integer matrix with an integer inverse: lower times upper triangular, with unit
/// diagonals.
fn unimodular(random: &mut RandomState, n: usize) -> (Array2<f64>, Array2<f64>) {
    let mut sparse = |is_inside: fn(usize, usize) -> bool| {
        Array2::from_shape_fn((n, n), |(i, j)| match (i == j, is_inside(i, j)) {
            (true, _) => 1.0,
            (false, true) if random.integer(0, n as i32 - 1) < 2 => f64::from(random.integer(-1, 1)),
            _ => 0.0,
        })
    };
    let (lower, upper) = (sparse(|i, j| i > j), sparse(|i, j| i < j));
    let inverse = inverse_of_triangular(&upper.t().to_owned()).t().dot(&inverse_of_triangular(&lower));
    (lower.dot(&upper), inverse)
}

fn inverse_of_triangular(lower: &Array2<f64>) -> Array2<f64> {
    let n = lower.nrows();
    let mut inverse = Array2::<f64>::eye(n);
    for i in 0..n {
        for k in 0..i {
            let row = inverse.row(k).to_owned() * lower[[i, k]];
            inverse.row_mut(i).zip_mut_with(&row, |x, y| *x -= y);
        }
    }
    inverse
}

/// Returns random numbers, some of which are 0, as for constraints at rest.
pub(super) fn draw_state(random: &mut RandomState, n: usize) -> Vec<f64> {
    (0..n).map(|_| if random.integer(0, 3) == 0 { 0.0 } else { random.between(-1.0, 1.0) }).collect()
}

/// Checks the properties of every solved step.
pub(super) fn assert_step(before: &HigherOrderState, after: &HigherOrderState, mu: ArrayView2<'_, f64>) {
    assert!(after.y().iter().all(|y| *y >= 0.0), "{after:?}");
    for ((i, j), mu) in mu.indexed_iter() {
        let z = after.z()[[i, j]];
        assert!(*mu >= 0.0 && mu * z == 0.0, "order {}, component {j}: mu {mu}, z {z}", i + 1);
        if i >= before.constrained_orders(j) {
            assert_eq!(*mu, 0.0);
        } else {
            assert!(z >= 0.0, "order {}, component {j}: {z}", i + 1);
        }
    }
}

/// Returns z row by row, followed by xi.
pub(super) fn normal_values(state: &HigherOrderState) -> Vec<f64> {
    state.z().iter().chain(state.zero_dynamics()).copied().collect()
}

/// Returns a linear mechanical system with x = (q, v) and contacts along the rows of `directions`.
pub(super) fn mechanical(
    [mass_inverse, damping, stiffness]: [&Array2<f64>; 3],
    directions: &Array2<f64>,
) -> LinearSystem {
    let (m, d) = directions.dim();
    let (zero, one) = (Array2::zeros((d, d)), Array2::eye(d));
    let lower = concatenate![Axis(1), -mass_inverse.dot(stiffness), -mass_inverse.dot(damping)];
    let a = concatenate![Axis(0), concatenate![Axis(1), zero, one], lower];
    let b = concatenate![Axis(0), Array2::zeros((d, m)), mass_inverse.dot(&directions.t())];
    let c = concatenate![Axis(1), directions.clone(), Array2::zeros((m, d))];
    LinearSystem::new(a, b, c, Array2::zeros((m, m))).unwrap()
}
