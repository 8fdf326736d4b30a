//! Sweeping processes in files: the same motions as in processes built in Rust, and errors.

use std::convert::Infallible;

use ndarray::array;
use siconos_io::model::inclusion::InclusionModel;
use siconos_io::model::{AnyModel, ResumeError, RunError};
use siconos_numerics::cone::{
    Ball, ConvexSet, Ellipsoid, HalfSpace, Intersection, Orthant, Polyhedron, SecondOrderCone, Simplex,
};
use siconos_sweeping::{AdaptiveSettings, CatchingUp, MovingFrame, MovingPolyhedron, MovingSet};

const STEPS: usize = 300;
const H: f64 = 0.01;

fn file(state: &str, process: &str, set: &str) -> String {
    format!(
        "format = 1\nkind = \"sweeping\"\n[state]\n{state}\n[process]\n{process}\n[set]\n{set}\n\
         [simulation]\nkind = \"time_stepping\"\nstep = {H:?}\nsteps = {STEPS}\n"
    )
}

fn rows_of(text: &str) -> Vec<Vec<f64>> {
    let mut run = InclusionModel::parse(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    rows(&mut run)
}

fn rows(model: &mut InclusionModel) -> Vec<Vec<f64>> {
    let mut rows = Vec::new();
    let push = |row: &[f64]| {
        rows.push(row.to_vec());
        Ok::<(), Infallible>(())
    };
    model.run().expect("it begins").to_end(push).expect("it goes to its end");
    rows
}

/// Returns the states of a process built in Rust, at the times of the file.
fn states(mut sweep: CatchingUp<impl MovingSet>, u0: &[f64]) -> Vec<Vec<f64>> {
    let mut u = u0.to_vec();
    let mut rows = Vec::new();
    for k in 0..=STEPS {
        let t = H * k as f64;
        let report = if k == 0 { sweep.begin(t, &mut u) } else { sweep.step(t - H, H, &mut u) };
        assert!(report.expect("a step").status.is_success());
        rows.push([&[t], &u[..]].concat());
    }
    rows
}

fn assert_same(found: &[Vec<f64>], expected: &[Vec<f64>], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let bits = |row: &[f64]| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let different = found.iter().zip(expected).position(|(a, b)| bits(a) != bits(b));
    assert_eq!(different, None, "{what}: row {:?}", different.map(|row| (&found[row], &expected[row])));
}

/// Compares the motion in a set that moves on a circle, while one coordinate falls.
fn assert_same_motion(set: &str, in_rust: impl ConvexSet) {
    let start = [0.5, -0.25, 2.0];
    let text = file("x = [0.5, -0.25, 2]", "", &format!("{set}\nshift = [\"sin(t)\", \"cos(t)\", \"-t\"]"));
    let moving = MovingFrame::translated(3, in_rust, |t: f64, c: &mut [f64]| {
        (c[0], c[1], c[2]) = (t.sin(), t.cos(), -t);
    });
    assert_same(&rows_of(&text), &states(CatchingUp::new(moving), &start), set);
}

#[test]
fn words_for_sets_are_the_sets() {
    assert_same_motion("kind = \"orthant\"", Orthant);
    let clamp = |x: &mut [f64]| x.iter_mut().for_each(|x| *x = x.clamp(-0.5, 1.0));
    assert_same_motion("kind = \"box\"\nlower = -0.5\nupper = [1, 1, 1]", clamp);
    let half_space = HalfSpace::new(vec![1.0, 2.0, -1.0], 0.25).expect("a half-space");
    assert_same_motion("kind = \"half_space\"\na = [1, 2, -1]\nb = 0.25", half_space);
    let ball = Ball::new(vec![0.0, 0.5, 0.0], 1.5).expect("a ball");
    assert_same_motion("kind = \"ball\"\ncentre = [0, 0.5, 0]\nradius = 1.5", ball);
    let q = array![[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 3.0]];
    let ellipsoid = Ellipsoid::new(vec![0.0; 3], q.view()).expect("an ellipsoid");
    let words = "kind = \"ellipsoid\"\nQ = [[2, 0.5, 0], [0.5, 1, 0], [0, 0, 3]]";
    assert_same_motion(words, ellipsoid);
    assert_same_motion("kind = \"simplex\"\nsum = 2", Simplex::new(2.0).expect("a simplex"));
    let cone = SecondOrderCone::new(3, 0.5).expect("a cone");
    assert_same_motion("kind = \"second_order_cone\"\ncoefficient = 0.5", cone);
    let wedge = || Polyhedron::new(array![[1.0, 0.0, 1.0], [0.0, 1.0, -1.0]], vec![0.0, -1.0]);
    let of_wedge = "kind = \"polyhedron\"\nH = [[1, 0, 1], [0, 1, -1]]\nk = [0, -1]";
    assert_same_motion(of_wedge, wedge().expect("a wedge"));
    let mut both = Intersection::default();
    both.add(wedge().expect("a wedge"));
    both.add(Ball::new(vec![0.0; 3], 1.5).expect("a ball"));
    let words = "kind = \"intersection\"\nsets = [{ kind = \"polyhedron\", H = [[1, 0, 1], [0, 1, -1]], \
                 k = [0, -1] }, { kind = \"ball\", radius = 1.5 }]";
    assert_same_motion(words, both);
}

/// x stays above a level, and falls at a rate equal to its height. The rate is given as a linear term, and as
/// a function with its derivative.
#[test]
fn perturbations_are_those_of_rust() {
    let level = || MovingPolyhedron::new(1, 1, |t, mut h, k| (h[[0, 0]], k[0]) = (1.0, 0.5 * t));
    let set = "kind = \"half_space\"\na = 1\nb = \"0.5 * t\"";
    let linear = CatchingUp::new(level().expect("a level"))
        .with_linear_perturbation(array![[2.0]], |t: f64, g: &mut [f64]| g[0] = t.cos())
        .expect("a perturbation");
    let found = rows_of(&file("x = 3", "f = \"2 * x + cos(t)\"", set));
    assert_same(&found, &states(linear, &[3.0]), "linear");
    let cubic = CatchingUp::new(level().expect("a level"))
        .with_perturbation(|_t, x: &[f64], f: &mut [f64]| f[0] = x[0] * x[0] * x[0])
        .with_jacobian(|_t, x: &[f64], mut j| j[[0, 0]] = 3.0 * (x[0] * x[0]));
    let found = rows_of(&file("x = 3", "f = \"x^3\"", set));
    let expected = states(cubic, &[3.0]);
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a[1] - b[1]).abs() <= 1e-12 * b[1], "{a:?} and {b:?}");
    }
}

/// A step function has no derivative and is not a linear function.
#[test]
fn a_function_with_the_derivative_of_a_constant_is_none() {
    let text = file("x = 1", "f = \"sign(x - 0.5)\"", "kind = \"orthant\"");
    let mut run = InclusionModel::parse(&text, "test.toml").expect("a process").run().expect("it begins");
    for _ in 0..25 {
        assert!(run.advance(|_row| Ok::<(), Infallible>(())).expect("a step"));
    }
    assert!((run.state()[0] - 0.75).abs() < 1e-12, "{:?}", run.state());
}

/// A formula gives an array, with names for its entries.
#[test]
fn a_state_may_be_a_formula() {
    let rows = rows_of(&file(
        "x = { size = 3, entry = \"i\" }",
        "f = { size = 3, entry = \"x[0] + i\" }",
        "kind = \"orthant\"",
    ));
    assert_eq!((rows[0].len(), rows[0][3]), (4, 2.0));
}

#[test]
fn a_set_may_grow() {
    let set = "kind = \"ball\"\nradius = 1\nscale = \"exp(-t)\"\nshift = [\"t\", 0]";
    for row in rows_of(&file("x = 1\ny = 0.5", "", set)) {
        let [t, x, y] = row[..] else { panic!("three columns") };
        assert!((x - t).hypot(y) <= (-t).exp() * (1.0 + 1e-14), "{row:?}");
    }
}

/// Lengths and times in other units: the same motion to the last bit.
#[test]
fn units_do_not_count() {
    let text = |length: f64, time: f64| {
        format!(
            "format = 1\nkind = \"sweeping\"\n[constants]\nm = {length:?}\ns = {time:?}\n[state]\n\
             x = \"3 * m\"\ny = \"-m\"\n[process]\nf = [\"0.3 * x / s + 0.1 * y / s\", \"m / s * cos(t / s)\"]\n\
             [set]\nkind = \"polyhedron\"\nH = [[1, \"0.2 * sin(t / s)\"], [0, 1]]\n\
             k = [\"0.7 * m * t / s\", \"-m\"]\n[simulation]\nkind = \"time_stepping\"\nstep = \"s / 64\"\n\
             steps = 300\n"
        )
    };
    let plain = rows_of(&text(1.0, 1.0));
    for (length, time) in [(1024.0, 1.0), (2.0_f64.powi(-20), 4096.0)] {
        let scaled: Vec<_> = rows_of(&text(length, time))
            .iter()
            .map(|row| vec![row[0] / time, row[1] / length, row[2] / length])
            .collect();
        assert_same(&scaled, &plain, "in other units");
    }
}

#[test]
fn what_stands_beside_does_not_count() {
    let alone =
        rows_of(&file("x = 0", "", "kind = \"box\"\nlower = \"sin(t) - 0.25\"\nupper = \"sin(t) + 0.25\""));
    let set =
        "kind = \"box\"\nlower = [\"sin(t) - 0.25\", \"-inf\"]\nupper = [\"sin(t) + 0.25\", \"1e30 * t\"]";
    let beside: Vec<_> =
        rows_of(&file("x = 0\nfar = 1e20", "", set)).iter().map(|row| row[..2].to_vec()).collect();
    assert_same(&beside, &alone, "beside another");
}

/// Returns a process with a level that jumps from 0 to 2 after 1 s and continues to move; x falls.
fn with_a_jump(jumps: &str) -> String {
    let text = file("x = 1", "f = 0.5", "kind = \"half_space\"\na = 1\nb = \"if t < 1 then 0 else 1 + t^2\"");
    let begin = text.find("kind = \"time_stepping\"").expect("a simulation");
    format!("{}kind = \"adaptive\"\nend = 2\nlengths = {{ tolerance = 1e-4 }}\n{jumps}", &text[..begin])
}

#[test]
fn steps_choose_their_length() {
    let in_rust = MovingPolyhedron::new(1, 1, |t, mut h, k| {
        (h[[0, 0]], k[0]) = (1.0, if t < 1.0 { 0.0 } else { 1.0 + t * t });
    });
    let mut sweep = CatchingUp::new(in_rust.expect("a level"))
        .with_linear_perturbation(array![[0.0]], |_t, f: &mut [f64]| f[0] = 0.5)
        .expect("a perturbation");
    let settings = AdaptiveSettings { tolerance: 1e-4, ..AdaptiveSettings::default() };
    let motion = sweep.integrate((0.0, 2.0), &mut [1.0], settings).expect("it goes");
    assert!(motion.is_complete);
    let states = motion.times().iter().enumerate();
    let expected: Vec<_> = states.map(|(k, t)| vec![*t, motion.state(k).expect("a state")[0]]).collect();
    assert!(expected.len() < 128, "the scheme of the file begins anew after that");
    assert_same(&rows_of(&with_a_jump("")), &expected, "steps of a length of their own");
}

#[test]
fn a_state_jumps_where_the_file_says() {
    let rows = rows_of(&with_a_jump("jumps = [1]"));
    let at = rows.iter().position(|row| row[0] == 1.0).expect("a row of the jump");
    let ([before, x], [_, y]) = (&rows[at - 1][..], &rows[at][..]) else { panic!("two columns") };
    assert_eq!((*before, *y), (1.0_f64.next_down(), 2.0));
    assert!((x - 0.5).abs() < 1e-12, "{x}");
    assert_eq!(rows.last().map(|row| row[0]), Some(2.0));
}

/// With variable step lengths, the record contains the next step length.
#[test]
fn chosen_steps_go_on_to_the_same_bits() {
    let text = file("x = 1\ny = 0", "f = [\"-y\", \"x\"]", "kind = \"ball\"\nradius = 2\nshift = [\"t\", 0]");
    let begin = text.find("kind = \"time_stepping\"").expect("a simulation");
    let text = format!(
        "{}kind = \"adaptive\"\nend = 9\njumps = [3, 6]\nlengths = {{ tolerance = 1e-6 }}",
        &text[..begin]
    );
    let model = InclusionModel::parse(&text, "test.toml").expect("a process");
    let whole = rows_of(&text);
    assert!(whole.len() > 200, "{} rows", whole.len());
    for stop in [1, 128, 129] {
        let mut run = model.run().expect("it begins");
        let mut rows = Vec::new();
        let mut take = |row: &[f64]| {
            rows.push(row.to_vec());
            Ok::<(), Infallible>(())
        };
        for _ in 0..stop {
            assert!(run.advance(&mut take).expect("a step"));
        }
        let (record, recorded) = run.record();
        rows.truncate(recorded.rows as usize);
        let mut again = model.run().expect("it begins");
        again.resume(&record, &recorded).expect("the same process");
        let mut take = |row: &[f64]| {
            rows.push(row.to_vec());
            Ok::<(), Infallible>(())
        };
        again.to_end(&mut take).expect("it goes to its end");
        assert_same(&rows, &whole, "gone on");
    }
}

fn ends_with(text: &str) -> String {
    let model = AnyModel::parse(text, "test.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut run = model.run(None).expect("it begins");
    match run.to_end(|_row| Ok::<(), Infallible>(())) {
        Err(RunError::Inclusion(error)) => error.to_string(),
        other => panic!("it came to {other:?}"),
    }
}

#[test]
fn what_goes_wrong_on_the_way_is_said() {
    let closing = "kind = \"polyhedron\"\nH = [[1], [-1]]\nk = [\"t\", \"t - 2\"]";
    let message = ends_with(&file("x = 1", "", closing));
    assert!(message.starts_with("the set is empty at t = 1.01"), "{message}");
    let message = ends_with(&file("x = 1", "", "kind = \"box\"\nlower = \"2 * t - 1\"\nupper = \"1 - t\""));
    assert!(message.contains("bound"), "{message}");
    let message = ends_with(&file("x = 1", "f = \"sqrt(1 - t)\"", "kind = \"orthant\""));
    assert!(message.contains("`f`") || message.contains("f at t"), "{message}");
    let message = ends_with(&file("x = 1", "", "kind = \"ball\"\nradius = 1\nscale = \"1 - t\""));
    assert!(message.contains("`scale`"), "{message}");
}

#[test]
fn a_process_does_not_go_on_from_another() {
    let model = |state: &str, step: f64| {
        let text = file(state, "", "kind = \"orthant\"").replace("step = 0.01", &format!("step = {step:?}"));
        InclusionModel::parse(&text, "test.toml").expect("a process")
    };
    let mut run = model("x = 1", H).run().expect("it begins");
    for _ in 0..200 {
        assert!(run.advance(|_row| Ok::<(), Infallible>(())).expect("a step"));
    }
    let (record, recorded) = run.record();
    assert_eq!((record.t(), recorded.rows), (1.28, 129));
    let resume = |state: &str, step| model(state, step).run().expect("it begins").resume(&record, &recorded);
    resume("x = 1", H).expect("the same process");
    assert!(matches!(resume("y = 1", H), Err(ResumeError::Variable { place: 0, .. })));
    assert!(matches!(resume("x = [1, 1]", H), Err(ResumeError::Variable { .. })));
    assert!(matches!(resume("x = 1", 0.02), Err(ResumeError::Time { step: 128, .. })));
}

/// Two discs without a common point: the error states the failed step and the possible cause.
#[test]
fn an_intersection_without_a_point_is_reported() {
    let set = "kind = \"intersection\"\nsettings = { max_cycles = 100 }\n\
               sets = [{ kind = \"ball\", centre = [0, 0], radius = 1 }, { kind = \"ball\", centre = [3, 0], radius = 1 }]";
    let text = file("x = 0\ny = 0", "", set);
    let model = InclusionModel::parse(&text, "discs.toml").unwrap_or_else(|error| panic!("{error}"));
    let mut run = model.run().expect("it begins");
    let error = run.to_end(|_row| Ok::<_, Infallible>(())).expect_err("there is no point").to_string();
    assert_eq!(
        error,
        "no solution was found in the step to t = 0: maximum number of iterations reached; there may be none, for \
         example if the set is empty"
    );
}
