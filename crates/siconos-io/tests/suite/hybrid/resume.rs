//! Runs of hybrid models that resume from a record: bit for bit, and only with the same model.

use std::convert::Infallible;

use siconos_hybrid::HybridRecord;
use siconos_io::hybrid::{HybridModel, HybridRun};
use siconos_io::model::RunError;
use siconos_io::snapshot::Recorded;

use super::model;

/// Advances a number of times, or to the end, and returns the rows as bits.
fn advance(run: &mut HybridRun, times: usize) -> Vec<Vec<u64>> {
    let mut rows = Vec::new();
    for _ in 0..times {
        let more = run.advance(|row| {
            rows.push(row.iter().map(|x| x.to_bits()).collect());
            Ok::<(), Infallible>(())
        });
        match more {
            Ok(true) => (),
            Ok(false) | Err(RunError::Ended(_)) => break,
            Err(error) => panic!("{error}"),
        }
    }
    rows
}

fn through_bytes((record, recorded): (HybridRecord, Recorded)) -> (HybridRecord, Recorded) {
    let bytes = postcard::to_allocvec(&record).expect("it can be written");
    (postcard::from_bytes(&bytes).expect("what was written is read"), recorded)
}

/// Checks that a run resumed from any of its records ends with the same bits and counts.
#[track_caller]
pub(super) fn assert_goes_on(model: &HybridModel, to: f64) {
    let begun = || model.run(Some(to)).expect("it begins");
    let mut first = begun();
    let whole = advance(&mut first, usize::MAX);
    assert!(whole.len() > 10, "{} rows", whole.len());
    let mut ahead = begun();
    let mut rows = Vec::new();
    let mut places = 0;
    loop {
        let (record, recorded) = through_bytes(ahead.record());
        let mut run = begun();
        run.resume(&record, &recorded).expect("the same model");
        let kept = recorded.rows as usize;
        assert!(kept <= rows.len());
        let all: Vec<_> = rows[..kept].iter().cloned().chain(advance(&mut run, usize::MAX)).collect();
        assert!(all == whole, "from t = {} on: {} rows, {}", record.t(), all.len(), whole.len());
        assert_eq!(run.answer(), first.answer());
        assert_eq!(run.solution().firings(), first.solution().firings());
        assert_eq!(run.solution().statistics(), first.solution().statistics());
        let next = advance(&mut ahead, 1);
        places += 1;
        if next.is_empty() && ahead.answer().is_some() {
            break;
        }
        rows.extend(next);
        if ahead.answer().is_some() {
            break;
        }
    }
    assert!(places >= 8, "{places} places");
}

/// Model with all kinds of pending state in a record: the armed one of two roots, a band that a guard has not
/// left, the count of a timed event, disabled events.
const STATEFUL: &str = r#"
[variables]
x = { initial = [1, 0], equation = "x'' = -x + u" }
z = { initial = 0.5, equation = "0 = z - x / 2" }
[discrete]
b = true
u = 0.0
n = { type = "integer", initial = 0 }
[parameters]
gain = 0.125
[[events]]
trigger = "x - 0.5"
requires = "b"
action = "n = n + 1"
[[events]]
trigger = "0.5 - x"
requires = "not b"
[[events]]
trigger = "t = [0.1, 0.7]"
action = "u = gain * x"
[[events]]
trigger = "x' = -0.6 .. 0.6"
action = "n = n + 10"
[[events]]
trigger = "t = 2"
action = "n = n + 1000"
enabled = false
[[events]]
trigger = "n > 20 and not b"
action = "n = 0"
"#;

#[test]
fn all_that_is_pending_is_kept() {
    assert_goes_on(&model(STATEFUL), 9.0);
    assert_goes_on(&model(STATEFUL), -9.0);
}

#[test]
fn every_method_goes_on() {
    for method in ["explicit", "high_order", "stiff", "auto"] {
        let oscillator = format!(
            "[settings]\nmethod = \"{method}\"\nrelative_tolerance = 1e-9\nabsolute_tolerance = 1e-9\n\
             restart_every = 0.75\n[variables]\nx = {{ initial = [2, 0], equation = \"x'' = 50 * (1 - x^2) * x' - x\" }}\n\
             [[events]]\ntrigger = \"x - 1\"\naction = \"x' = x' * 1.01\"\n"
        );
        assert_goes_on(&model(&oscillator), 20.0);
    }
}

#[test]
fn roots_that_come_back_at_once_and_events_that_accumulate() {
    let chattering = "[settings]\ndouble_cross = 0.05\n\
        [variables]\nx = { initial = 1, equation = \"x' = cos(t) + 0.6 * cos(7 * t)\" }\n\
        [discrete]\nn = { type = \"integer\", initial = 0 }\n\
        [[events]]\ntrigger = \"x - 1\"\naction = \"n = n + 1\"\n";
    assert_goes_on(&model(chattering), 20.0);
    let ball = "[variables]\ny = { initial = [1, 0], equation = \"y'' = -10\" }\n\
        [[events]]\ntrigger = \"decreasing(y)\"\naction = \"y' = -0.5 * y'\"\n";
    assert_goes_on(&model(ball), 3.0);
    let halting = "[variables]\ny = { initial = [1, 0], equation = \"y'' = -y\" }\n\
        [[events]]\ntrigger = \"t = [0.5, 0.5]\"\naction = \"y' = y' + 1\"\n\
        [[events]]\ntrigger = \"t = 6.25\"\naction = \"halt\"\n";
    assert_goes_on(&model(halting), 8.0);
}

/// Without restarts, a run can resume only from the start. With restarts, it can resume from each of them,
/// and the motion is nearly the same.
#[test]
fn restarts_cut_a_long_smooth_stretch() {
    let text = |settings: &str| {
        let of_model = "[variables]\nx = { initial = [1, 0], equation = \"x'' = -x\" }\n";
        model(&format!("{settings}{of_model}"))
    };
    let after_half = |model: &HybridModel| {
        let mut run = model.run(Some(20.0)).expect("it begins");
        while run.part_done() < 0.5 {
            advance(&mut run, 1);
        }
        run.record().0.t()
    };
    let (without, with) = (text(""), text("[settings]\nrestart_every = 1.5\n"));
    assert_eq!(after_half(&without), 0.0);
    assert_eq!(after_half(&with), 9.0);
    assert_goes_on(&with, 20.0);
    let end = |model: &HybridModel| {
        let mut run = model.run(Some(20.0)).expect("it begins");
        advance(&mut run, usize::MAX);
        run.last_row()[1]
    };
    assert!((end(&with) - 20.0_f64.cos()).abs() < 1e-9);
    assert!((end(&with) - end(&without)).abs() < 1e-9);
}

#[test]
fn records_of_other_models_are_refused_with_the_first_difference() {
    let ball = |more: &str, event: &str| {
        let y = "[variables]\ny = { initial = [1, 0], equation = \"y'' = -10\" }\n";
        model(&format!("{more}{y}[[events]]\n{event}\naction = \"y' = -0.5 * y'\"\n"))
    };
    let fall = "trigger = \"decreasing(y)\"";
    let mut run = ball("", fall).run(Some(1.0)).expect("it begins");
    advance(&mut run, usize::MAX);
    let (record, recorded) = run.record();
    let refused = |other: &HybridModel, to: f64| {
        let mut other = other.run(Some(to)).expect("it begins");
        other.resume(&record, &recorded).expect_err("it is another").to_string()
    };
    for (other, expected) in [
        (
            ball("", "trigger = \"increasing(y)\""),
            "event 1 does not match the record: its direction is `Rising`, but `Falling` in the record",
        ),
        (
            ball("", "trigger = \"t = 0.5\""),
            "event 1 does not match the record: its kind is `time`, but `root` in the record",
        ),
        (
            ball("[discrete]\nn = 1\n", fall),
            "the hybrid system does not match the record: its list of discrete variables is `n: Float`, but `` in the record",
        ),
        (
            ball("[settings]\nroot_tolerance = 1e-12\n", fall),
            "the solution does not match the record: its root_tolerance is `1e-12`, but `1e-13` in the record",
        ),
        (
            ball("", &format!("{fall}\n[[events]]\ntrigger = \"t = 3\"")),
            "the record has 1 events, but the model has 2",
        ),
        (
            ball("[time]\nstart = 0.5\n", fall),
            "the solution does not match the record: its t0 is `0.5`, but `0.0` in the record",
        ),
    ] {
        assert_eq!(refused(&other, 2.0), expected);
    }
    let same = ball("", fall);
    assert!(refused(&same, -1.0).contains("integrates to the right, away from t = -1"));
    assert!(refused(&same, 0.25).contains("beyond the end at t = 0.25"));
    let mut longer = same.run(Some(1.25)).expect("it begins");
    longer.resume(&record, &recorded).expect("further on the same way");
}

/// Records with numbers that no run can produce.
#[test]
fn records_that_were_changed_are_refused() {
    let model = model(STATEFUL);
    let mut run = model.run(Some(9.0)).expect("it begins");
    advance(&mut run, 30);
    let text = serde_json::to_string(&run.record().0).expect("it can be written");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let (_, recorded) = run.record();
    let refuse = |change: &dyn Fn(&mut serde_json::Value), expected: &str| {
        let mut changed = value.clone();
        change(&mut changed["restart"]);
        let read = serde_json::from_value::<HybridRecord>(changed).map_err(|error| error.to_string());
        let resumed = read.and_then(|record| {
            let mut run = model.run(Some(9.0)).expect("it begins");
            run.resume(&record, &recorded).map_err(|error| error.to_string())
        });
        let error = resumed.expect_err(expected);
        assert!(error.contains(expected), "{error}");
    };
    refuse(&|kept| kept["values"] = serde_json::json!([1.0]), "`values` must be 6 x 1, not 1 x 1");
    refuse(&|kept| kept["enabled"] = serde_json::json!([]), "`enabled` must be 6 x 1");
    refuse(&|kept| kept["guards"] = serde_json::json!([]), "`guards` must be 4 x 1");
    refuse(&|kept| kept["values"][3] = serde_json::json!(0.5), "`b` is 0.5; it must be true or false");
    refuse(&|kept| kept["t"] = serde_json::Value::Null, "null");
    let newer = text.replacen("\"format\":1", "\"format\":9", 1);
    let error = serde_json::from_str::<HybridRecord>(&newer).expect_err("a newer format").to_string();
    assert!(error.contains("has format 9, but this program reads formats up to 1"), "{error}");
}

/// Lengths and times in other units: the recorded values scale to the last bit.
#[test]
fn records_scale_with_the_units() {
    let ball = |size: f64| {
        let text = format!(
            "[settings]\nabsolute_tolerance = {:e}\n\
             [variables]\ny = {{ initial = [{:e}, 0], equation = \"y'' = -{:e}\" }}\n\
             [[events]]\ntrigger = \"decreasing(y)\"\naction = \"y' = -0.5 * y'\"\n",
            1e-12 * size,
            size,
            10.0 * size
        );
        model(&text)
    };
    let resumed = |size: f64| {
        let model = ball(size);
        let mut run = model.run(Some(1.2)).expect("it begins");
        while run.part_done() < 0.7 {
            advance(&mut run, 1);
        }
        let (record, recorded) = through_bytes(run.record());
        let mut run = model.run(Some(1.2)).expect("it begins");
        run.resume(&record, &recorded).expect("the same model");
        advance(&mut run, usize::MAX);
        (record.t(), run.last_row().iter().skip(1).map(|x| x / size).collect::<Vec<_>>())
    };
    let one = resumed(1.0);
    for power in [-40, 12] {
        assert_eq!(resumed(2.0_f64.powi(power)), one);
    }
}
