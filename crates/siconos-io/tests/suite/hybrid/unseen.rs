//! Models with events that are easily missed: triggers that are moved back by a small distance, triggers with
//! jumps, and pairs of roots that are closer than the samples of a step.

use siconos_hybrid::IntegrationOutcome;
use siconos_testkit::compare::assert_firings;

use super::{assert_near, firings, model, solution};

/// Returns the value of a variable at the end of a model, which must be reached, and the number of events
/// that fired.
#[track_caller]
fn at_end(text: &str, variable: &str) -> (f64, usize) {
    let model = model(text);
    let mut solution = model.solution().expect("it begins");
    let end = model.end.expect("it has an end");
    assert_eq!(solution.at(end).expect("it goes"), IntegrationOutcome::Reached);
    let variable = model.system.variable(variable).expect("it is there");
    (solution.value(variable), firings(&solution).len())
}

#[test]
fn a_root_that_is_sent_back_by_a_millionth_fires_again() {
    let text = |distance: f64| {
        format!(
            "[time]\nend = 3.5\n[variables]\nx = {{ initial = 0, equation = \"x' = 1\" }}\n[discrete]\nn = 0\n\
             [[events]]\ntrigger = \"increasing(x - 1)\"\n\
             action = \"n = n + 1; x = if n == 1 then 1 - {distance:e} else 0\"\n"
        )
    };
    for distance in [1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 3e-6] {
        let (x, count) = at_end(&text(distance), "x");
        assert_eq!(count, 4, "{distance:e}");
        assert_near(x, 0.5 - distance, 1e-11);
    }
}

/// The doses are 2e-6 s apart: 51 of them in 101 microseconds.
#[test]
fn a_drop_that_keeps_a_concentration_at_its_threshold_falls_each_time() {
    let first = 10.0 * 2.0_f64.ln();
    let text = format!(
        "[time]\nend = {:?}\n[variables]\nc = {{ initial = 1, equation = \"c' = -0.1 * c\" }}\n[discrete]\nn = 0\n\
         [[events]]\ntrigger = \"decreasing(c - 0.5)\"\naction = \"c = c + 1e-7; n = n + 1\"\n",
        first + 1.01e-4
    );
    let (c, count) = at_end(&text, "c");
    assert_eq!(count, 51);
    assert!((0.5..0.5 + 1e-7).contains(&c), "{c}");
}

/// Each spike raises the threshold by 1e-7, and the tenth resets the state. v = 2 (1 - exp(-t)) reaches 1 at
/// t = ln 2.
#[test]
fn a_neuron_whose_threshold_rises_fires_ten_times_in_a_row() {
    let text = "[time]\nend = 1.6\n[variables]\nv = { initial = 0, equation = \"v' = 2 - v\" }\n\
                [discrete]\nth = 1.0\nn = 0\nspikes = 0\n[[events]]\ntrigger = \"increasing(v - th)\"\n\
                action = \"th = th + 1e-7; n = n + 1; spikes = spikes + 1; if n == 10 { v = 0; th = 1; n = 0 }\"\n";
    assert_eq!(at_end(text, "spikes"), (20.0, 20));
}

#[test]
fn hysteresis_of_a_width_of_1e_7_is_seen_however_it_is_written() {
    // x moves up and down between 1 and 1 + 1e-7.
    let head = "[time]\nend = 0.50000085\n[variables]\nx = { initial = 0.5, equation = \"x' = s\" }\n\
                [discrete]\ns = 1.0\n";
    let by_choice =
        "[[events]]\ntrigger = \"if s > 0 then x - (1 + 1e-7) else x - 1\"\naction = \"s = -s\"\n";
    let by_range = "[[events]]\ntrigger = \"x = 1 .. 1.0000001\"\naction = \"s = -s\"\n[[events]]\ntrigger = \"x = 0 .. 1\"\n";
    let by_two = "[[events]]\ntrigger = \"increasing(x - 1.0000001)\"\naction = \"s = -1\"\n\
                  [[events]]\ntrigger = \"decreasing(x - 1)\"\naction = \"s = 1\"\n";
    assert_eq!(at_end(&format!("{head}{by_choice}"), "s").1, 8);
    assert_eq!(at_end(&format!("{head}{by_two}"), "s").1, 8);
    assert!(at_end(&format!("{head}{by_range}"), "s").1 >= 8);
}

#[test]
fn jumps_fire_as_often_as_they_are_met() {
    for trigger in [
        "1 - x",
        "sign(1 - x)",
        "decreasing(sign(1 - x))",
        "[sign(x - 1), x > 0.5]",
        "if x > 1 then -1 else 1",
        "clamp(1e14 * (1 - x), -1, 1)",
        "0.5 - floor(x)",
        "x % 1 - x + 0.5",
    ] {
        let text = format!(
            "[time]\nend = 10.5\n[variables]\nx = {{ initial = 0, equation = \"x' = 1\" }}\n[discrete]\nk = 0\n\
             [[events]]\ntrigger = \"{trigger}\"\naction = \"x = 0; k = k + 1\"\n"
        );
        let (x, count) = at_end(&text, "x");
        assert_eq!(count, 10, "{trigger}");
        assert_near(x, 0.5, 1e-10);
    }
}

#[test]
fn a_sawtooth_comparator_fires_at_all_edges_whatever_the_steps() {
    for trigger in [
        "0.3 - mod(t, 1)",
        "0.3 - mod(x, 1)",
        "if mod(x, 1) < 0.3 then 1 else -1",
        "if t % 1 < 0.3 then 1 else -1",
    ] {
        for settings in ["", "[settings]\nh_max = 0.01\n"] {
            let text = format!(
                "[time]\nend = 10.5\n[variables]\nx = {{ initial = 0, equation = \"x' = 1\" }}\n\
                 [[events]]\ntrigger = \"{trigger}\"\n{settings}"
            );
            let mut solution = solution(&text);
            assert_eq!(solution.at(10.5).expect("it goes"), IntegrationOutcome::Reached);
            let edges = (0..21).map(|k| (1, f64::from(k / 2) + if k % 2 == 0 { 0.3 } else { 1.0 }));
            assert_firings(&firings(&solution), &edges.collect::<Vec<_>>(), 1e-11);
        }
    }
}

#[test]
fn a_start_at_a_jump_has_the_side_of_its_value() {
    let text = "[time]\nend = 4\n[variables]\nx = { initial = -1, equation = \"x' = 1\" }\n\
                [[events]]\ntrigger = \"floor(x) + 0.5\"\n";
    assert_eq!(at_end(text, "x").1, 1);
}

/// Pairs of roots at 1 - d and 1 + d, and functions that only touch zero or come close to it, in steps of any
/// length.
#[test]
fn pairs_of_roots_are_found_however_close() {
    for depth in [1e-2, 1e-5, 1e-8, 1e-10] {
        let distance = f64::sqrt(depth);
        for function in [
            format!("(t - 1)^2 - {depth:?}"),
            format!("cosh(t - 1) - 1 - {depth:?} / 2"),
            format!("1 - {depth:?} / 2 - cos(x - 1)"),
            format!("abs(x - 1) - {distance:?}"),
            format!("if abs(t - 1) < {distance:?} then -1 else 2"),
            format!("sqrt(1e-6 + (x - 1)^2) - sqrt(1e-6 + {depth:?})"),
        ] {
            let text = format!(
                "[variables]\nx = {{ initial = 0, equation = \"x' = 1\" }}\n[[events]]\ntrigger = \"{function}\"\n"
            );
            let mut solution = solution(&text);
            assert_eq!(solution.at(5.0).expect("it goes"), IntegrationOutcome::Reached);
            // Where the function is flat, its rounding limits the accuracy.
            let tolerance = 1e-11 + 4e-16 / distance + 0.1 * depth * distance;
            assert_firings(&firings(&solution), &[(1, 1.0 - distance), (1, 1.0 + distance)], tolerance);
        }
        for function in [
            format!("(t - 1)^2 + {depth:?}"),
            format!("cosh(t - 1) - 1 + {depth:?}"),
            "abs(x - 1)".to_owned(),
        ] {
            let text = format!(
                "[time]\nend = 100\n[variables]\nx = {{ initial = 0, equation = \"x' = 1\" }}\n\
                 [[events]]\ntrigger = \"{function}\"\n"
            );
            assert_eq!(at_end(&text, "x").1, 0, "{function}");
        }
    }
}

/// A wave that is faster than the steps.
#[test]
fn all_roots_of_a_fast_wave_are_found_in_steps_of_any_length() {
    for (frequency, count) in [(10.0, 31), (100.0, 318), (1000.0, 3183)] {
        let text = format!(
            "[time]\nend = 10\n[variables]\nx = {{ initial = 0, equation = \"x' = 1\" }}\n\
             [[events]]\ntrigger = \"sin({frequency:?} * t)\"\n"
        );
        assert_eq!(at_end(&text, "x").1, count, "{frequency}");
    }
}
