//! Wrong input and its errors.

use ndarray::array;
use siconos_kernel::ModelError;
use siconos_sweeping::fesd::{Fesd, FesdError, FesdSettings, FesdStatus, FilippovSystem, SweepingSystem};

use super::method;
use super::orders::circle;

#[test]
fn other_numbers_of_stages_and_settings_outside_their_ranges_are_refused() {
    for stages in [0, 5] {
        let error = Fesd::new(circle(), stages, FesdSettings::default()).expect_err("no such method");
        assert!(matches!(error, FesdError::Settings(_)) && error.to_string().contains("stages"), "{error}");
    }
    for settings in [
        FesdSettings { elements: 0, ..FesdSettings::default() },
        FesdSettings { tolerance: 0.0, ..FesdSettings::default() },
        FesdSettings { tolerance: f64::NAN, ..FesdSettings::default() },
        FesdSettings { max_iterations: 0, ..FesdSettings::default() },
    ] {
        assert!(matches!(Fesd::new(circle(), 2, settings), Err(FesdError::Settings(_))));
    }
}

#[test]
fn bad_steps_are_refused_and_leave_the_state() {
    let mut fesd = method(circle(), 2);
    for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut x = [0.5, 0.0];
        assert!(matches!(fesd.step(0.0, h, &mut x), Err(FesdError::Settings(_))), "h = {h}");
        assert_eq!(x, [0.5, 0.0]);
    }
    let error = fesd.step(0.0, 0.1, &mut [0.5, f64::NAN]).expect_err("no state");
    assert!(matches!(error, FesdError::Model(ModelError::NotFinite { what: "x", index: 1, .. })), "{error}");
    let error = fesd.step(f64::NAN, 0.1, &mut [0.5, 0.0]).expect_err("no time");
    assert!(matches!(error, FesdError::Model(ModelError::NotFinite { what: "t", .. })), "{error}");
    assert!(matches!(fesd.step(0.0, 0.1, &mut [0.5]), Err(FesdError::Model(_))));
}

#[test]
fn functions_that_give_no_numbers_are_named_with_the_entry() {
    let system = FilippovSystem::two_modes(2, |_t, x| x[0], |_t, _x, _f| (), |_t, _x, f| f[1] = f64::NAN);
    let mut fesd = method(system.expect("a system"), 2);
    let mut x = [1.0, 0.0];
    let error = fesd.step(0.5, 0.1, &mut x).expect_err("no numbers");
    let FesdError::Model(ModelError::NotFiniteAt { what: "f of a mode", t, index: 1, value }) = error else {
        panic!("{error}")
    };
    assert!(t == 0.5 && value.is_nan() && x == [1.0, 0.0]);
    let system = FilippovSystem::two_modes(1, |_t, _x| f64::INFINITY, |_t, _x, _f| (), |_t, _x, _f| ());
    let error =
        method(system.expect("a system"), 2).step(0.0, 0.1, &mut [1.0]).expect_err("no numbers").to_string();
    assert!(error.contains("`c`"), "{error}");
}

#[test]
fn systems_without_meaning_are_refused() {
    let new = |n, signs| FilippovSystem::new(n, signs, |_t, _x, _c| (), |_i, _t, _x, _f| ());
    assert!(matches!(new(0, array![[1.0], [-1.0]]), Err(FesdError::Model(_))));
    assert!(matches!(new(1, array![[]]), Err(FesdError::Model(_))));
    assert!(matches!(new(1, array![[1.0], [f64::NAN]]), Err(FesdError::Model(_))));
    let error = new(1, array![[1.0, 1.0], [1.0, 0.0]]).expect_err("no sign");
    assert_eq!(error, FesdError::Sign { mode: 1, function: 1, value: 0.0 });
    let error = new(1, array![[1.0], [-1.0], [1.0]]).expect_err("one region");
    assert_eq!(error, FesdError::SameRegion { first: 0, second: 2 });
    let new = |n, m| SweepingSystem::new(n, m, |_t, _x, _f| (), |_t, _x, _h| (), |_t, _x, _g| ());
    assert!(matches!(new(0, 1), Err(FesdError::Model(_))));
    assert!(matches!(new(1, 0), Err(FesdError::Model(_))));
}

#[test]
fn a_state_outside_the_set_is_refused_with_the_constraint() {
    let system = SweepingSystem::new(
        1,
        2,
        |_t, _x, f| f[0] = 1.0,
        |_t, x, h| (h[0], h[1]) = (x[0] + 10.0, x[0] - 1.0),
        |_t, _x, mut g| g.fill(1.0),
    );
    let mut x = [0.75];
    let error = method(system.expect("a system"), 2).step(0.0, 0.1, &mut x).expect_err("outside");
    assert_eq!(error, FesdError::Outside { t: 0.0, index: 1, value: -0.25 });
    assert_eq!(x, [0.75]);
}

/// A field without a solution: x grows beyond all bounds in finite time.
#[test]
fn a_step_without_solution_has_a_status_and_the_state_so_far() {
    let system =
        FilippovSystem::two_modes(1, |_t, x| x[0], |_t, _x, f| f[0] = -1.0, |_t, x, f| f[0] = x[0] * x[0]);
    let mut x = [1.0];
    let report = method(system.expect("a system"), 3).step(0.0, 2.0, &mut x).expect("a report").clone();
    assert_eq!(report.status, FesdStatus::NoContinuation, "{report:?}");
    assert!(x[0] >= 1.0 && x[0].is_finite());
}
