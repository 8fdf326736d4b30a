//! Tests of the limits on effort.

use ndarray::Array2;
use siconos_linalg::cost::dense_factorisation;

use super::*;

#[test]
fn large_problems_get_more() {
    let m = Array2::<f64>::eye(1000);
    let effort = EffortLimit::default().of(MatrixRef::from(&m));
    assert_eq!(effort.limit(), 100.0 * dense_factorisation(1000));
}

#[test]
fn an_account_ends_at_its_limit_and_not_below_zero() {
    let limit = EffortLimit::of_operations(10.0);
    let mut effort = limit.of_cost(1e9);
    assert_eq!((effort.iterations(3.0, 100), effort.iterations(3.0, 2)), (3, 2));
    effort.spend(12.0);
    assert!(effort.is_exhausted());
    assert_eq!(effort.iterations(1.0, 5), 0);
    assert_eq!(EffortLimit::unlimited().of_cost(1e30).iterations(1e12, usize::MAX), usize::MAX);
}

#[test]
fn limits_outside_their_range_are_refused() {
    for (operations, factorisations) in
        [(0.0, 1.0), (f64::NAN, 1.0), (f64::INFINITY, 1.0), (1.0, -1.0), (1.0, f64::NAN)]
    {
        assert!(EffortLimit { operations, factorisations }.check().is_err());
    }
}
