//! Motions with other scales than one second and one unit, and events whose times differ from the end by
//! rounding.

use siconos_hybrid::IntegrationOutcome;

use super::{HEAD, assert_near, assert_refused, firings, model};

/// An electron crosses a micrometre in sqrt(2 * 1e-6 / a), a tenth of a picosecond.
#[test]
fn an_event_of_a_run_of_femtoseconds_is_seen() {
    let acceleration = 1.758820010772163e20;
    let text = format!(
        "[constants]\na = {acceleration:?}\n[time]\nend = 1.6102052787852985e-13\n\
         [variables]\nq = {{ initial = [0, 0], equation = \"q'' = a\" }}\n\
         [[events]]\ntrigger = \"increasing(q - 1e-6)\"\naction = \"halt\"\n"
    );
    let model = model(&text);
    let answer = model.solution().expect("it begins").at(model.end.expect("it has one")).expect("it goes");
    let IntegrationOutcome::Halted { t, event: 1, .. } = answer else { panic!("{answer}") };
    let exact = f64::sqrt(2e-6 / acceleration);
    // The absolute tolerance is 1e-12, and the distance is 1e-6.
    assert_near(t / exact, 1.0, 1e-7);
}

/// A ball that loses half of its speed at each impact, in units of time from seconds to attoseconds, has the
/// same impacts and the same accumulation.
#[test]
fn the_unit_of_time_does_not_matter() {
    for unit in [1.0, 1e-3, 1e-9, 1e-15, 1e-18] {
        let text = format!(
            "[time]\nend = {:?}\n[variables]\ny = {{ initial = [1, 0], equation = \"y'' = {:?}\" }}\n\
             [[events]]\ntrigger = \"decreasing(y)\"\naction = \"y' = -0.5 * y'\"\n\
             [[events]]\ntrigger = \"t = [{:?}, {:?}]\"\n",
            1.0 * unit,
            -32.0 / (unit * unit),
            0.125 * unit,
            0.125 * unit,
        );
        let model = model(&text);
        let mut solution = model.solution().expect("it begins");
        let answer = solution.at(unit).expect("it goes");
        // A fall takes a quarter of the unit; the bounces last 1/4, 1/8, .. of the unit.
        let IntegrationOutcome::Accumulation { t, .. } = answer else { panic!("{unit:e}: {answer}") };
        assert_near(t / unit, 0.75, 1e-6);
        let fired = firings(&solution);
        let impacts: Vec<f64> = fired.iter().filter(|it| it.0 == 1).map(|it| it.1 / unit).take(6).collect();
        for (k, impact) in impacts.iter().enumerate() {
            assert_near(*impact, 0.75 - 0.5_f64.powi(k as i32 + 1), 1e-9);
        }
        assert_eq!(fired.iter().filter(|it| it.0 == 2).count(), 5, "{unit:e}");
    }
}

/// Because of rounding, k periods may end just before or just after the end time. In both cases, the event
/// occurs at the end time.
#[test]
fn a_periodic_event_at_the_end_fires() {
    for (period, count) in [(0.1, 3), (0.1, 6), (0.1, 7), (0.1, 12), (0.05, 3), (1e-4, 1000), (0.7, 9)] {
        for way in [1.0, -1.0] {
            let end = format!("{:.4}", way * period * f64::from(count));
            let start = if way > 0.0 { period } else { -period * f64::from(count) };
            let text = format!(
                "[time]\nend = {end}\n[variables]\nx = {{ initial = 0, equation = \"x' = 1\" }}\n[discrete]\nk = 0\n\
                 [[events]]\ntrigger = \"t = [{start:?}, {period:?}]\"\naction = \"k = k + 1\"\nfire_initial = false\n"
            );
            let mut run = model(&text).run(None).expect("it begins");
            run.to_end(|_| Ok::<_, std::convert::Infallible>(())).expect("it goes");
            assert_eq!(run.last_row()[2], f64::from(count), "{period} {end}");
            assert_near(run.last_row()[0], way * period * f64::from(count), 1e-12);
        }
    }
}

/// Reading the solution at an event and continuing gives the same result as continuing at once.
#[test]
fn a_time_that_is_asked_for_at_an_event_changes_nothing() {
    let text = format!(
        "{HEAD}[variables]\nx = {{ initial = 1, equation = \"x' = -x\" }}\n[discrete]\nk = 0\n\
         [[events]]\ntrigger = \"t = [0.1, 0.1]\"\naction = \"k = k + 1; x = x + 0.1\"\n"
    );
    let model = siconos_io::hybrid::HybridModel::parse(&text, "pulses.toml").expect("it is right");
    let mut at_once = model.solution().expect("it begins");
    assert_eq!(at_once.at(1.05).expect("it goes"), IntegrationOutcome::Reached);
    let mut in_steps = model.solution().expect("it begins");
    for k in 1..=10 {
        assert_eq!(in_steps.at(f64::from(k) / 10.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(in_steps.discrete(), [f64::from(k)]);
        // A second request gives the same result.
        assert_eq!(in_steps.at(f64::from(k) / 10.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(in_steps.discrete(), [f64::from(k)]);
    }
    assert_eq!(in_steps.at(1.05).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!((at_once.x(), firings(&at_once)), (in_steps.x(), firings(&in_steps)));
}

#[test]
fn what_is_shown_fits_a_parameter_that_is_set() {
    let model = model(
        "[variables]\nx = { initial = 1, equation = \"x' = z\" }\nz = { initial = 0, equation = \"0 = z - p * x\" }\n\
         [parameters]\np = -1\n",
    );
    let p = model.parameter("p").expect("it is there");
    let mut solution = model.solution().expect("it begins");
    solution.set_parameter(p, &[-2.0]).expect("it fits");
    assert_eq!(solution.x(), [1.0, -2.0]);
    assert_eq!(solution.at(1.0).expect("it goes"), IntegrationOutcome::Reached);
    let x = solution.x()[0];
    solution.set_parameter(p, &[3.0]).expect("it fits");
    assert_eq!(solution.x(), [x, 3.0 * x]);
}

#[test]
fn a_root_that_nothing_moves_between_events_is_refused() {
    let text = |trigger: &str| {
        format!(
            "[variables]\nx = {{ initial = 0, equation = \"x' = 1\" }}\n[discrete]\nn = 0\n\
             [[events]]\ntrigger = \"{trigger}\"\naction = \"x = 0\"\n"
        )
    };
    assert_refused(
        &text("n - 3"),
        "
test.toml:8:12: event 1: this reads nothing that changes between events, so it never crosses zero; write a condition \
         such as `n == 3`, which is tested at the other events
  |
8 | trigger = \"n - 3\"
  |            ^^^^^",
    );
    for trigger in ["increasing(n)", "[n - 1, x > 2]", "n = 0 .. 3"] {
        let text = format!("{HEAD}{}", text(trigger));
        let error =
            siconos_io::hybrid::HybridModel::parse(&text, "test.toml").expect_err(trigger).to_string();
        assert!(error.contains("never crosses zero"), "{trigger}: {error}");
    }
}
