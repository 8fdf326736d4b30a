//! Rejected input, and results of integrations that cannot continue.

use siconos_ode::SettingsError;
use siconos_ode::{
    Advance, Crossing, Integrator, Method, OdeError, OdeFunctions, OdeSettings, OdeSystem, Tolerance,
};

use super::{METHODS, clock, integrator, oscillator, settings};

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let base = OdeSettings::default;
    let wrong = [
        ("relative_tolerance", OdeSettings { relative_tolerance: Tolerance::All(0.0), ..base() }),
        (
            "relative_tolerance",
            OdeSettings { relative_tolerance: Tolerance::Each(vec![1e-3, -1.0]), ..base() },
        ),
        ("absolute_tolerance", OdeSettings { absolute_tolerance: Tolerance::All(0.0), ..base() }),
        ("absolute_tolerance", OdeSettings { absolute_tolerance: Tolerance::All(f64::NAN), ..base() }),
        ("h_initial", OdeSettings { h_initial: Some(0.0), ..base() }),
        ("h_max", OdeSettings { h_max: -1.0, ..base() }),
        ("samples", OdeSettings { samples: 0, ..base() }),
        ("max_steps", OdeSettings { max_steps: 0, ..base() }),
        ("root_tolerance", OdeSettings { root_tolerance: 0.0, ..base() }),
    ];
    for (field, chosen) in wrong {
        let Err(SettingsError::OutOfRange { name, .. }) = Integrator::new(chosen) else {
            panic!("{field} was taken")
        };
        assert_eq!(name, field);
    }
    let text = serde_json::to_string(&settings(Method::Stiff, 1e-7)).expect("it can be written");
    let text = text.replace("null", "1e300");
    let read: OdeSettings = serde_json::from_str(&text).expect("it can be read");
    assert_eq!(read.method, Method::Stiff);
    assert_eq!(serde_json::from_str::<OdeSettings>("{}").expect("defaults"), OdeSettings::default());
}

#[test]
fn wrong_data_are_refused() {
    let mut system = oscillator(vec![Crossing::Any], &[0.5]);
    let mut integrator = integrator(Method::Auto, 1e-8);
    assert_eq!(integrator.advance(&mut system, 1.0), Err(OdeError::NotStarted));
    assert!(matches!(integrator.restart(f64::NAN, &[1.0, 0.0]), Err(OdeError::Time { .. })));
    let wrong = integrator.restart(0.0, &[1.0, f64::INFINITY]);
    assert_eq!(wrong, Err(OdeError::State { index: 1, value: f64::INFINITY }));
    integrator.restart(2.0, &[1.0]).expect("it is finite");
    let wrong = integrator.advance(&mut system, 3.0);
    assert_eq!(wrong, Err(OdeError::WrongLength { what: "x", expected: 2, found: 1 }));
    integrator.restart(2.0, &[1.0, 0.0]).expect("it is finite");
    assert_eq!(integrator.advance(&mut system, 1.0), Err(OdeError::Backward { t: 2.0, t_out: 1.0 }));
    assert!(matches!(integrator.advance(&mut system, f64::INFINITY), Err(OdeError::Time { .. })));
    assert_eq!(integrator.advance(&mut system, 2.0), Ok(Advance::Reached { t: 2.0 }));
    assert_eq!(integrator.advance(&mut system, 2.1), Ok(Advance::Reached { t: 2.1 }));
    let mut more = oscillator(vec![Crossing::Any; 2], &[0.5; 2]);
    let wrong = integrator.advance(&mut more, 3.0);
    assert_eq!(wrong, Err(OdeError::GuardsChanged { expected: 1, found: 2 }));
    let chosen = OdeSettings { absolute_tolerance: Tolerance::Each(vec![1e-8; 3]), ..OdeSettings::default() };
    let wrong = Integrator::new(chosen).expect("valid settings").restart(0.0, &[1.0, 0.0]);
    assert_eq!(wrong, Err(OdeError::WrongLength { what: "absolute_tolerance", expected: 2, found: 3 }));
}

#[test]
fn what_is_not_finite_gives_a_typed_error() {
    for method in METHODS {
        let mut integrator = integrator(method, 1e-8);
        let mut system = clock(vec![Crossing::Any; 2], |x, g| (g[0], g[1]) = (1.0, (0.5 - x).sqrt()));
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let wrong = integrator.advance(&mut system, 1.0);
        assert!(matches!(wrong, Err(OdeError::Guard { guard: 1, .. })), "{method:?}: {wrong:?}");
        // The integrator stays at the last valid time, the end of a step before the guard becomes NaN.
        let (t, x) = (integrator.t(), integrator.x()[0]);
        assert!((0.0..=0.5).contains(&t) && (x - t).abs() < 1e-12, "{method:?}: {t} {x}");

        // f is NaN at the start, or for x > 1/2, which the state reaches because x' = 1.
        let mut at_once = OdeFunctions::new(1, |_t, _x: &[f64], f: &mut [f64]| f[0] = f64::NAN);
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let wrong = integrator.advance(&mut at_once, 1.0);
        assert!(matches!(wrong, Err(OdeError::RightHandSide { index: 0, .. })), "{method:?}: {wrong:?}");
        let mut later = OdeFunctions::new(1, |_t, x: &[f64], f: &mut [f64]| {
            f[0] = if x[0] > 0.5 { f64::NAN } else { 1.0 };
        });
        integrator.restart(0.0, &[0.0]).expect("it is finite");
        let Err(OdeError::RightHandSide { t, .. }) = integrator.advance(&mut later, 1.0) else {
            panic!("{method:?}: it went through NaN")
        };
        assert!((t - 0.5).abs() < 1e-6, "{method:?}: {t}");
        let (reached, x) = (integrator.t(), integrator.x()[0]);
        assert!(reached > 0.0 && reached <= t && (x - reached).abs() < 1e-12, "{method:?}: {reached} {x}");
    }
    let mut bad_jacobian = OdeFunctions::new(1, |_t, x: &[f64], f: &mut [f64]| f[0] = -x[0])
        .with_jacobian(|_t, _x, j: &mut [f64]| j[0] = f64::INFINITY);
    let mut integrator = integrator(Method::Stiff, 1e-8);
    integrator.restart(0.0, &[1.0]).expect("it is finite");
    let wrong = integrator.advance(&mut bad_jacobian, 1.0);
    assert!(matches!(wrong, Err(OdeError::Jacobian { row: 0, column: 0, .. })), "{wrong:?}");
}

#[test]
fn a_singularity_ends_with_a_status_at_the_time_reached() {
    for method in METHODS {
        // The solution of x' = x^2 from 1 is 1 / (1 - t).
        let mut system = OdeFunctions::new(1, |_t, x: &[f64], f: &mut [f64]| f[0] = x[0] * x[0]);
        let mut integrator = integrator(method, 1e-8);
        integrator.restart(0.0, &[1.0]).expect("it is finite");
        match integrator.advance(&mut system, 2.0) {
            Ok(Advance::StepTooSmall { t, .. }) => assert!((t - 1.0).abs() < 1e-5, "{method:?}: {t}"),
            other => panic!("{method:?}: {other:?}"),
        }
        let chosen = OdeSettings { max_steps: 5, ..settings(method, 1e-8) };
        let mut integrator = Integrator::new(chosen).expect("valid settings");
        let mut system = oscillator(vec![], &[]);
        integrator.restart(0.0, &[1.0, 0.0]).expect("it is finite");
        let Ok(Advance::MaxSteps { t }) = integrator.advance(&mut system, 20.0) else { panic!("{method:?}") };
        assert!(t > 0.0 && t < 20.0 && (integrator.x()[0] - t.cos()).abs() < 1e-6);
        while integrator.advance(&mut system, 20.0) != Ok(Advance::Reached { t: 20.0 }) {}
        assert!((integrator.x()[0] - 20f64.cos()).abs() < 1e-5);
    }
}

/// M x' = -x.
struct WithMass([f64; 1]);

impl OdeSystem for WithMass {
    fn dimension(&self) -> usize {
        1
    }

    fn compute_f(&mut self, _t: f64, x: &[f64], f: &mut [f64]) {
        f[0] = -x[0];
    }

    fn has_mass(&self) -> bool {
        true
    }

    fn compute_mass(&mut self, mass: &mut [f64]) {
        mass.copy_from_slice(&self.0);
    }
}

#[test]
fn a_mass_matrix_is_refused_where_it_cannot_be_taken() {
    for method in [Method::Explicit, Method::HighOrder, Method::Auto] {
        let mut integrator = integrator(method, 1e-8);
        integrator.restart(0.0, &[1.0]).expect("it is finite");
        let wrong = integrator.advance(&mut WithMass([2.0]), 1.0);
        assert_eq!(wrong, Err(OdeError::MassNeedsStiff { method }));
    }
    let mut integrator = integrator(Method::Stiff, 1e-8);
    integrator.restart(0.0, &[1.0]).expect("it is finite");
    let wrong = integrator.advance(&mut WithMass([f64::NAN]), 1.0);
    assert!(matches!(wrong, Err(OdeError::Mass { row: 0, column: 0, .. })), "{wrong:?}");
    // With a zero mass and a constant nonzero f, the equations of the stages have no solution for any step
    // length.
    let mut impossible = OdeFunctions::new(1, |_t, _x: &[f64], f: &mut [f64]| f[0] = 1.0);
    struct Massless<'a>(&'a mut dyn OdeSystem);
    impl OdeSystem for Massless<'_> {
        fn dimension(&self) -> usize {
            1
        }
        fn compute_f(&mut self, t: f64, x: &[f64], f: &mut [f64]) {
            self.0.compute_f(t, x, f);
        }
        fn has_mass(&self) -> bool {
            true
        }
    }
    integrator.restart(0.0, &[1.0]).expect("it is finite");
    let end = integrator.advance(&mut Massless(&mut impossible), 1.0);
    assert!(matches!(end, Ok(Advance::StepTooSmall { .. })), "{end:?}");
}
