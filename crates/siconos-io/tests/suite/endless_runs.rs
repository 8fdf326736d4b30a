//! Runs without end, and runs that a condition ends.

use siconos_io::model::{AnyModel, AnyRun, ModelFile};

use crate::same_bits::bits_of_rows;

/// Returns a ball that falls from 1 m onto a floor.
fn ball(simulation: &str) -> String {
    format!(
        "format = 1\nkind = \"model\"\n[systems.ball]\nfamily = \"lagrangian_linear\"\nq = 1\nmass = 1\n\
         external_force = -9.81\n[interactions.floor]\nsystems = \"ball\"\n\
         relation = {{ kind = \"lagrangian_linear\", H = [[1]] }}\n\
         law = {{ kind = \"newton_impact\", restitution = 0.5 }}\n[simulation]\n{simulation}"
    )
}

fn run(text: &str, to: Option<f64>) -> AnyRun {
    AnyModel::parse(text, "ball.toml", &[]).map(|model| model.run(to)).expect("a model").expect("a run")
}

#[test]
fn a_run_without_end_has_the_rows_of_any_other() {
    let finite = ball("kind = \"time_stepping\"\nend = 2\nstep = 1e-3\n");
    let whole = bits_of_rows(&mut run(&finite, None), usize::MAX);
    for (text, to) in [(finite.replace("end = 2", "end = inf"), None), (finite.clone(), Some(f64::INFINITY))]
    {
        let mut endless = run(&text, to);
        assert_eq!(bits_of_rows(&mut endless, whole.len() - 1), whole);
        let AnyRun::Model(built) = &endless else { panic!("a model") };
        assert_eq!(built.steps(), None);
        assert!(built.written().text.contains("end = inf"), "{}", built.written().text);
        // The run continues.
        assert_eq!(bits_of_rows(&mut endless, 10).len(), 10);
    }
    let shortened = bits_of_rows(&mut run(&finite.replace("end = 2", "end = inf"), Some(2.0)), usize::MAX);
    assert_eq!(shortened, whole);
}

#[test]
fn a_condition_ends_a_run() {
    for kind in ["time_stepping", "event_driven"] {
        let text = ball(&format!(
            "kind = \"{kind}\"\nend = inf\nstep = 1e-3\nstop_when = \"t > 0.1 and ball.q < 0.5\"\n"
        ));
        let mut stopped = run(&text, None);
        let last =
            bits_of_rows(&mut stopped, usize::MAX).pop().expect("a row").into_iter().map(f64::from_bits);
        let last: Vec<_> = last.collect();
        // The ball has fallen half a metre.
        let fall = (2.0 * 0.5 / 9.81_f64).sqrt();
        assert!(
            (last[0] - fall).abs() <= 1e-3 && last[0] >= fall - 1e-3 && last[1] < 0.5,
            "{kind}: {last:?}"
        );
        let AnyRun::Model(built) = &stopped else { panic!("a model") };
        assert!(built.is_stopped());
        let mut again = run(&built.written().text, None);
        assert_eq!(bits_of_rows(&mut again, usize::MAX).len(), built.recorder.rows() as usize);
        // A run that resumes at its end does not continue.
        let (state, recorded) = stopped.record().expect("a state");
        let mut resumed = run(&text, None);
        resumed.resume(&state, &recorded).expect("the same model");
        let rest = bits_of_rows(&mut resumed, usize::MAX);
        assert_eq!(resumed.t(), stopped.t(), "{kind}: {} rows", rest.len());
    }
}

#[test]
fn a_condition_that_holds_at_the_start_ends_the_run_there() {
    let mut stopped =
        run(&ball("kind = \"time_stepping\"\nend = 1\nstep = 1e-3\nstop_when = \"ball.q > 0.5\"\n"), None);
    assert_eq!(bits_of_rows(&mut stopped, usize::MAX).len(), 1);
    assert_eq!(stopped.t(), 0.0);
}

#[test]
fn wrong_ends_are_refused() {
    let cases = [
        ("end = inf\nsteps = 3\nstep = 0.1", "this cannot be combined with an infinite `end`"),
        ("end = inf\nstep = 0.1\nexact_end = true", "this cannot be combined with an infinite `end`"),
        ("end = inf", "the key `step` is missing"),
        ("end = nan\nstep = 0.1", "this is NaN; it must be finite"),
        ("end = 1\nstep = 0.1\nstop_when = \"ball.q\"", "expected a condition"),
        ("end = 1\nstep = 0.1\nstop_when = \"bal.q < 0\"", "unknown name `bal.q`; did you mean `ball.q`?"),
    ];
    for (keys, expected) in cases {
        let text = ball(&format!("kind = \"time_stepping\"\n{keys}\n"));
        let error =
            ModelFile::parse(&text, "ball.toml").and_then(|file| file.build()).expect_err(keys).to_string();
        assert!(error.contains(expected), "{keys}: {error}");
    }
}

/// An event halts a hybrid run without end. Its intervals do not change the solution.
#[test]
fn a_hybrid_run_without_end_is_halted_by_an_event() {
    let text = "format = 1\nkind = \"hybrid\"\n[time]\nend = inf\n[variables]\n\
                y = { initial = [1, 0], equation = \"y'' = -y\" }\n\
                [[events]]\ntrigger = \"t - 95\"\naction = \"halt\"\n[output]\nstep = 10\n";
    let endless = bits_of_rows(&mut run(text, None), usize::MAX);
    let finite = bits_of_rows(&mut run(&text.replace("end = inf", "end = 200"), None), usize::MAX);
    assert_eq!(endless, finite);
    assert_eq!(endless.len(), 12, "the start, nine times of the grid, and both sides of the event");
    for row in &endless {
        let [t, y, _] = row[..] else { panic!("three columns") };
        assert!((f64::from_bits(y) - f64::from_bits(t).cos()).abs() < 1e-9);
    }
}

#[test]
fn a_process_can_have_no_end() {
    let text = "format = 1\nkind = \"sweeping\"\n[state]\nx = 0\n\
                [set]\nkind = \"box\"\nlower = [\"t\"]\nupper = [\"t + 1\"]\n\
                [simulation]\nkind = \"time_stepping\"\nend = 1\nstep = 0.01\n";
    let whole = bits_of_rows(&mut run(text, None), usize::MAX);
    let mut endless = run(&text.replace("end = 1", "end = inf"), None);
    assert_eq!(bits_of_rows(&mut endless, whole.len() - 1), whole);
    let AnyRun::Inclusion(process) = &endless else { panic!("a process") };
    assert_eq!((process.steps(), process.span()), (None, (0.0, f64::INFINITY)));
}
