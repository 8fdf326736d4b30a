//! Right-hand sides that switch with the time or the state: no step crosses a switch that has not been
//! located.

use siconos_hybrid::{HybridSolution, IntegrationOutcome};
use siconos_io::hybrid::HybridModel;
use siconos_io::model::AnyModel;

use super::{HEAD, assert_near, model, solution};

/// Returns the solution of x' = `rate` from x0 at a time.
#[track_caller]
fn reached(x0: f64, rate: &str, t: f64) -> HybridSolution {
    let text = format!("[variables]\nx = {{ initial = {x0:?}, equation = \"x' = {rate}\" }}\n");
    let mut solution = solution(&text);
    let answer = solution.at(t).unwrap_or_else(|error| panic!("{rate}: {error}"));
    assert_eq!(answer, IntegrationOutcome::Reached, "{rate}");
    solution
}

/// Pulses with integral 1 and any duration, between the times 0 and 100 or -100.
#[test]
fn no_pulse_of_the_time_is_missed() {
    for width in [10.0, 0.1, 1e-3, 1e-6, 1e-9] {
        let height = 1.0 / width;
        for (end, from) in [(100.0, 20.0), (-100.0, -20.0 - width), (100.0, 20.0 / 3.0)] {
            let to = from + width;
            // Exact integral, with rounded edges.
            let exact = (to - from) * height * f64::signum(end);
            let triangle =
                format!("2 * {height:?} * max(0, 1 - abs(t - {:?}) / {:?})", from + 0.5 * width, 0.5 * width);
            // The rounding of the time is significant for shorter triangles.
            let triangle = if width < 1e-6 { "0".to_owned() } else { triangle };
            for rate in [
                triangle,
                format!("if t > {from:?} and t < {to:?} then {height:?} else 0"),
                format!("if t >= {from:?} and t <= {to:?} then {height:?} else 0"),
                format!("if 2 * t - {:?} < 0 or t > {to:?} then 0 else {height:?}", 2.0 * from),
                format!("{height:?} / 2 * (sign(t - {from:?}) - sign(t - {to:?}))"),
                format!(
                    "{height:?} * (ceil(t / 1000 - {:?}) - ceil(t / 1000 - {:?}))",
                    from / 1000.0,
                    to / 1000.0
                ),
            ] {
                let x = reached(0.0, &rate, end).x()[0];
                let exact = if rate == "0" { 0.0 } else { exact };
                assert!((x - exact).abs() < 1e-6 + 1e-15 / width, "{rate}: {x} for {exact}");
            }
        }
    }
}

/// A pulse, without and with events at its edges.
#[test]
fn a_short_pulse_with_roots_at_its_edges_is_seen() {
    for events in ["", "[[events]]\ntrigger = \"t - 20\"\n[[events]]\ntrigger = \"t - 20.1\"\n"] {
        let text = format!(
            "[variables]\nx = {{ initial = 0, equation = \"x' = if t > 20 and t < 20.1 then 10000 else 0\" }}\n{events}"
        );
        let mut solution = solution(&text);
        assert_eq!(solution.at(100.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_near(solution.x()[0], 1000.0, 1e-8);
    }
}

/// Pulse-width modulation over 100 periods, written with remainders and with waves.
#[test]
fn periodic_switches_are_all_met() {
    for (rate, exact) in [
        ("if mod(t, 1) < 1e-3 then 1 else 0", 0.1),
        ("if t % 1 < 1e-3 then 1 else 0", 0.1),
        ("if mod(3 * t - 0.5, 3) < 3e-3 then 1 else 0", 0.1),
        ("if t - floor(t) < 1e-3 then 1 else 0", 0.1),
        ("if sin(2 * pi * t) > 0 then 1 else 0", 50.0),
        ("if cos(2 * pi * t) > 0.99999 then 1 else 0", 100.0 * 0.99999_f64.acos() / std::f64::consts::PI),
        ("round(t) - t", 0.0),
    ] {
        let x = reached(0.0, rate, 100.0).x()[0];
        assert!((x - exact).abs() < 1e-8, "{rate}: {x} for {exact}");
    }
}

/// A bump that starts at x = 0.5 and that x' = 1 crosses in 0.1 s to 1e-9 s.
#[test]
fn no_switch_of_the_state_is_missed() {
    for width in [0.1, 1e-3, 1e-6, 1e-9] {
        let height = 1.0 / width;
        let edge = 0.5 + width;
        for condition in [
            format!("x > 0.5 and x < {edge:?}"),
            format!("x^2 > 0.25 and sqrt(x) < sqrt({edge:?})"),
            format!("abs(x - {:?}) < {:?}", 0.5 * (0.5 + edge), 0.5 * (edge - 0.5)),
        ] {
            let text = format!(
                "[variables]\nx = {{ initial = 0, equation = \"x' = 1\" }}\n\
                 y = {{ initial = 0, equation = \"y' = if {condition} then {height:?} else 0\" }}\n"
            );
            let mut solution = solution(&text);
            assert_eq!(solution.at(10.0).expect("it goes"), IntegrationOutcome::Reached);
            assert_near(solution.x()[1], 1.0, 1e-6 + 1e-12 / width);
        }
    }
}

/// A discrete variable and a parameter determine the times at which the equations switch.
#[test]
fn times_of_switches_follow_what_they_read() {
    let model = model(
        "[variables]\nx = { initial = 0, equation = \"x' = if t > on and t < on + w then 1 / w else 0\" }\n\
         [discrete]\non = 5\n[parameters]\nw = 1e-6\n\
         [[events]]\ntrigger = \"t = [10, 10]\"\naction = \"on = t + 3\"\n",
    );
    let mut solution = model.solution().expect("it begins");
    assert_eq!(solution.at(25.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 3.0, 1e-6);
    solution.set_parameter(model.parameter("w").expect("it is there"), &[1e-3]).expect("it fits");
    assert_eq!(solution.at(100.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 10.0, 1e-6);
}

/// If the equations drive the motion to a switch from both sides, or switch at shrinking intervals, they do
/// not define how the motion continues.
#[test]
fn a_motion_that_stays_at_a_switch_ends_there() {
    for (rate, x0, at) in [
        ("if x < 1 then 1 else -1", 0.0, 1.0),
        ("if x < 1 then 1 else -1", 1.0, 0.0),
        ("-sign(x)", -0.5, 0.5),
        ("-sign(x - 0.1 * t)", 1.1, 1.0),
        ("0.5 - sign(x)", -0.3, 0.2),
    ] {
        let text = format!("[variables]\nx = {{ initial = {x0:?}, equation = \"x' = {rate}\" }}\n");
        let mut solution = solution(&text);
        let answer = solution.at(10.0).expect("it goes");
        let IntegrationOutcome::Sliding { t, .. } = answer else { panic!("{rate}: {answer}") };
        assert_near(t, at, 1e-9);
        assert!(answer.to_string().contains("switch back and forth"), "{answer}");
        assert_eq!(solution.at(10.0), Ok(answer));
    }
    // Twisting: from rest at 1 down to 0 in 2 s and to -1/3 in another 2/3 s; then the same with a third of
    // the amplitude.
    let text = "[variables]\nx = { initial = [1, 0], equation = \"x'' = -sign(x) - 0.5 * sign(x')\" }\n";
    let answer = solution(text).at(100.0).expect("it goes");
    let IntegrationOutcome::Sliding { t, .. } = answer else { panic!("{answer}") };
    assert_near(t, (8.0 / 3.0) / (1.0 - (1.0_f64 / 3.0).sqrt()), 1e-4);
}

/// A motion that crosses a switch, or that an event reverses at a switch, continues.
#[test]
fn a_motion_that_leaves_a_switch_goes_on() {
    let x = reached(0.0, "if x < 1 then 1 else 2", 3.0).x()[0];
    assert_near(x, 5.0, 1e-9);
    let x = reached(-1.0, "abs(x) + 0.5", 1.0).x()[0];
    // x reaches 0 at t = ln 3, which is after 1.
    assert_near(x, -1.5 * (-1.0_f64).exp() + 0.5, 1e-9);
    let mut turned = solution(
        "[variables]\nx = { initial = 0, equation = \"x' = s * (if x < 1 then 1 else 2)\" }\n[discrete]\ns = 1.0\n\
         [[events]]\ntrigger = \"increasing(x - 1)\"\naction = \"s = -1\"\n",
    );
    assert_eq!(turned.at(3.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(turned.x()[0], -1.0, 1e-9);
}

/// An algebraic variable jumps with the time and with the state.
#[test]
fn algebraic_variables_jump_with_their_equations() {
    let mut solution = solution(
        "[variables]\nx = { initial = 0, equation = \"x' = z\" }\n\
         z = { initial = 1, equation = \"0 = z - (if t < 1 then 1 else if x < 2 then 3 else 5)\" }\n",
    );
    assert_eq!(solution.at(3.0).expect("it goes"), IntegrationOutcome::Reached);
    // x reaches 1 at t = 1 and 2 a third later, and then grows at 5.
    assert_near(solution.x()[0], 2.0 + 5.0 * (2.0 - 1.0 / 3.0), 1e-7);
    assert_near(solution.x()[1], 5.0, 1e-9);
}

#[test]
fn a_comparison_for_equality_is_remarked_on() {
    let text =
        format!("{HEAD}[variables]\nx = {{ initial = 0, equation = \"x' = if x == 1 then 5 else 1\" }}\n");
    let remarks =
        AnyModel::parse(&text, "test.toml", &[]).and_then(|model| model.check()).expect("it is right");
    let [remark] = &remarks[..] else { panic!("{remarks:?}") };
    assert!(remark.message.contains("only at isolated times"), "{remark:?}");
    assert_eq!((remark.excerpt.line, remark.excerpt.column), (4, 40));
    let text = text.replace("x == 1", "x > 1");
    let remarks =
        HybridModel::parse(&text, "test.toml").and_then(|model| model.check()).expect("it is right");
    assert!(remarks.is_empty(), "{remarks:?}");
}
