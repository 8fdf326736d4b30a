//! Quantities that read a parameter follow its changes, whatever other terms they contain. A remark is given
//! if the kernel cannot follow a change.

use siconos_io::model::{AnyModel, ModelFile};

use crate::same_bits::rows;

fn file(text: &str) -> ModelFile {
    ModelFile::parse(text, "model.toml").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns two first-order systems and a valve. Their matrices and vectors read u, which an event sets.
/// `also` is added to each of these expressions.
fn circuit(also: &str) -> String {
    let u = |number: &str| format!("\"{number} + u{also}\"");
    let [a, source, c, b, d, offset, z, mass] = ["-2", "0.5", "1", "1", "0.25", "0.5", "0.1", "2"].map(u);
    format!(
        "format = 1\nkind = \"model\"\n[parameters]\nu = 0\n\
         [systems.lag]\nfamily = \"first_order_linear\"\nx = 1\nA = {a}\nsource = {source}\n\
         [systems.tank]\nfamily = \"first_order_nonlinear\"\nx = 1\nf = \"-x * x\"\nmass = {mass}\n\
         [interactions.valve]\nsystems = \"lag\"\nlaw = \"complementarity\"\n\
         relation = {{ kind = \"first_order_linear\", C = {c}, B = {b}, D = {d}, offset = {offset}, F = 1, z = {z} }}\n\
         [events.turn]\ntimes = [0.25]\nset = {{ u = 0.75 }}\n\
         [simulation]\nkind = \"time_stepping\"\nend = 1\nstep = 1 / 64\n\
         [output.columns]\nx = \"lag.x\"\ny = \"valve.y\"\nlambda = \"valve.lambda\"\nlevel = \"tank.x\"\n"
    )
    .replace("step = 1 / 64", "step = 0.015625")
}

#[test]
fn matrices_and_vectors_follow_their_parameters() {
    let run = |text: &str| rows(file(text).build().unwrap_or_else(|error| panic!("{error}")));
    let bits = |rows: &[Vec<f64>]| rows.concat().into_iter().map(f64::to_bits).collect::<Vec<_>>();
    let followed = run(&circuit(""));
    // Time-dependent expressions are evaluated at each step in any case.
    assert!(bits(&followed) == bits(&run(&circuit(" + 0 * t"))));
    // The same with a single expression that reads u, without time-dependent ones.
    let frozen = run(&circuit("").replace("set = { u = 0.75 }", "set = { u = 0 }"));
    for (place, column) in ["x", "y", "level"].iter().zip([1, 2, 4]) {
        let last = |rows: &[Vec<f64>]| rows.last().map(|row| row[column]);
        assert_ne!(last(&followed), last(&frozen), "{place}");
    }
    let plain = circuit("").replace("+ u", "+ 0");
    let of_plain = run(&plain);
    for (key, number) in
        [("A", "-2"), ("source", "0.5"), ("C", "1"), ("offset", "0.5"), ("z", "0.1"), ("mass", "2")]
    {
        let alone = plain.replace(&format!("{key} = \"{number} + 0\""), &format!("{key} = \"{number} + u\""));
        assert_ne!(alone, plain, "{key}");
        assert!(bits(&run(&alone)) != bits(&of_plain), "{key} stays as it was at the start");
    }
}

/// Returns a cart on a slope and a body on a hinge, with parameters set by an event and a controller.
fn cart(mass: &str, radius: &str) -> String {
    format!(
        "format = 1\nkind = \"model\"\n[parameters]\nload = 1\nmotor = 0\nsize = 0.5\n\
         [systems.cart]\nfamily = \"lagrangian_linear\"\nq = 0\nmass = {mass}\nexternal_force = \"motor - load\"\n\
         [systems.ball]\nfamily = \"newton_euler\"\nmass = 1\ninertia = 0.1\nposition = [0, 0, 2]\n\
         [laws.hit]\nkind = \"newton_impact\"\nrestitution = 0.5\n\
         [interactions.floor]\nsystems = \"ball\"\nlaw = \"hit\"\n\
         relation = {{ kind = \"ball_and_plane\", rows = \"normal\", radius = {radius}, normal = [0, 0, 1] }}\n\
         [control.gauge]\nkind = \"linear_sensor\"\nsystems = \"cart\"\nC = [[1, 0]]\nperiod = 0.25\n\
         [control.drive]\nkind = \"pid\"\nsignal = \"gauge\"\ninput = \"motor\"\nproportional = 1\nperiod = 0.25\n\
         [events.more]\ntimes = [0.5]\nset = {{ load = 2, size = 0.25 }}\n\
         [simulation]\nkind = \"time_stepping\"\nend = 1\nstep = 0.25\n"
    )
}

#[test]
fn what_keeps_its_value_of_the_start_is_remarked() {
    let remarks = |text: &str| {
        let said = file(text).check().unwrap_or_else(|error| panic!("{error}"));
        said.into_iter().map(|fault| fault.message).collect::<Vec<_>>()
    };
    assert_eq!(remarks(&cart("1", "0.1")), [""; 0]);
    let kept = |what: &str, parameter: &str, part: &str| {
        format!("{what} sets `{parameter}`, but {part} keeps its initial value")
    };
    let mass = cart("\"1 + load + motor\"", "\"0.1 * size\"");
    assert_eq!(
        remarks(&mass),
        [
            kept("`drive`", "motor", "M of `cart`"),
            kept("the event `more`", "load", "M of `cart`"),
            kept("the event `more`", "size", "radius of `floor`"),
        ]
    );
}

/// Returns a ball whose restitution reads a parameter that an event sets.
fn laws(simulation: &str) -> String {
    laws_and("", simulation)
}

/// Returns the ball together with other parts of a model.
fn laws_and(others: &str, simulation: &str) -> String {
    format!(
        "format = 1\nkind = \"model\"\n[constants]\nhalf = 0.5\n[functions]\ntwice = \"a -> 2 * a\"\n\
         [parameters]\ne = 0.5\nmu = [1, 0.4]\n\
         [systems.ball]\nfamily = \"lagrangian_linear\"\nq = 1\nmass = 1\nexternal_force = -9.81\n\
         [interactions.floor]\nsystems = \"ball\"\nrelation = {{ kind = \"lagrangian_linear\", H = 1 }}\n\
         law = {{ kind = \"newton_impact\", restitution = \"twice(half * e)\" }}\n\
         {others}[events.harder]\ntimes = [0.6]\nset = {{ e = 0.8, mu = [1, 0.2] }}\n\
         [simulation]\n{simulation}end = 1.5\n"
    )
}

/// A block whose friction reads a parameter that the event sets.
const BLOCK: &str = "[systems.block]\nfamily = \"lagrangian_linear\"\nq = [0, 0]\nv = [9, 0]\n\
                     mass = { diagonal = [1, 1] }\nexternal_force = [0, -10]\n\
                     [interactions.slide]\nsystems = \"block\"\nlaw = \"rough\"\n\
                     relation = { kind = \"lagrangian_linear\", H = [[0, 1], [1, 0]] }\n\
                     [laws.rough]\nkind = \"newton_impact_friction\"\ndimension = 2\nrestitution = 0\nmu = \"mu[1]\"\n";

const BY_STEPS: &str = "kind = \"time_stepping\"\nstep = 0.001\n";
const BY_EVENTS: &str = "kind = \"event_driven\"\nstep = 0.1\n";

/// Returns the ratios of the speeds after and before each impact of the ball.
fn ratios(rows: &[Vec<f64>]) -> Vec<f64> {
    let impacts = rows.windows(2).filter(|pair| pair[0][2] < 0.0 && pair[1][2] > 0.0);
    impacts.map(|pair| -pair[1][2] / pair[0][2]).collect()
}

#[test]
fn laws_follow_parameters_that_events_set() {
    for simulation in [BY_STEPS, BY_EVENTS] {
        let rows = rows(file(&laws(simulation)).build().expect("a model"));
        let ratios = ratios(&rows);
        assert!(ratios.len() > 2, "{ratios:?}");
        // The first impact is at 0.45 s.
        assert!((ratios[0] - 0.5).abs() < 1e-10, "{ratios:?}");
        assert!(ratios[1..3].iter().all(|ratio| (ratio - 0.8).abs() < 1e-10), "{ratios:?}");
    }
    let run = rows(file(&laws_and(BLOCK, BY_STEPS)).build().expect("a model"));
    // The block decelerates by 4, and after 0.6 s by 2.
    let speed = |t: f64| run.iter().rfind(|row| row[0] <= t + 1e-9).map_or(f64::NAN, |row| row[5]);
    assert!((speed(0.6) - (9.0 - 4.0 * 0.6)).abs() < 1e-9, "{}", speed(0.6));
    assert!((speed(1.5) - (9.0 - 4.0 * 0.6 - 2.0 * 0.9)).abs() < 1e-9, "{}", speed(1.5));
}

#[test]
fn a_run_with_changed_laws_is_resumed_bit_for_bit() {
    for simulation in [BY_STEPS, BY_EVENTS] {
        let text = laws(simulation);
        let whole = rows(file(&text).build().expect("a model"));
        for stop in [0.3, 0.55, 0.6, 0.9] {
            let mut first = file(&text).build().expect("a model");
            while first.state.t < stop {
                assert!(first.advance(|_| Ok::<_, std::convert::Infallible>(())).expect("a step"));
            }
            let (state, recorded) = first.record().expect("a record");
            let mut second = file(&text).build().expect("a model");
            second.resume(&state, &recorded).expect("the same model");
            let mut rest = Vec::new();
            second
                .to_end(|row| {
                    rest.push(row.to_vec());
                    Ok::<_, std::convert::Infallible>(())
                })
                .expect("a run");
            assert!(!rest.is_empty() && whole.ends_with(&rest), "{simulation} {stop}");
        }
    }
}

#[test]
fn an_invalid_law_ends_the_run_with_its_name() {
    let text = laws(BY_STEPS).replace("e = 0.8", "e = 1.25");
    let mut run = file(&text).build().expect("a model");
    let error = run.to_end(|_| Ok::<_, std::convert::Infallible>(())).expect_err("above 1").to_string();
    assert_eq!(
        error,
        "the law of `floor` is invalid for the current parameter values: the coefficient of restitution must be between 0 and 1, not 1.25"
    );
    assert!((run.state.t - 0.6).abs() < 2e-3, "{}", run.state.t);
    let mut file = file(&laws(BY_STEPS));
    file.set("e", &[-1.0]).expect("a parameter");
    let error = file.build().expect_err("below 0").to_string();
    assert!(error.contains("the coefficient of restitution must be between 0 and 1, not -1"), "{error}");
}

/// The written model has the expressions of the laws, also after an event has changed them.
#[test]
fn laws_are_written_with_their_expressions() {
    let mut run = file(&laws(BY_STEPS)).build().expect("a model");
    let at_start = run.written();
    assert_eq!(at_start.unwritten, []);
    assert!(at_start.text.contains("restitution = \"2.0 * (0.5 * e)\""), "{}", at_start.text);
    run.to_end(|_| Ok::<_, std::convert::Infallible>(())).expect("a run");
    assert_eq!(run.written(), at_start);
    let again = rows(file(&at_start.text).build().expect("a model"));
    assert!(again == rows(file(&laws(BY_STEPS)).build().expect("a model")));
}

/// Settings, steps and sizes read parameters when the file is read. Neither `set` nor events can change them.
#[test]
fn settings_and_sizes_read_parameters_once() {
    let text = "format = 1\nkind = \"model\"\n[parameters]\nn = 4\nh = 0.01\nlevel = 1e-9\nweight = 0.75\nother = 1\n\
                [systems.chain]\nfamily = \"lagrangian_linear\"\nq = { size = \"n\", entry = \"0.1 * i\" }\n\
                mass = { rows = \"n\", columns = \"n\", entry = \"if i == j then other else 0\" }\n\
                [simulation]\nkind = \"time_stepping\"\nend = 1\nstep = \"h\"\ntolerance = \"level\"\n\
                integrator = { kind = \"moreau_jean\", theta = \"weight\" }\nnewton = { max_iterations = \"10 * n\" }\n";
    let plain = text
        .replace("\"n\"", "4")
        .replace("\"h\"", "0.01")
        .replace("\"level\"", "1e-9")
        .replace("\"weight\"", "0.75")
        .replace("\"10 * n\"", "40");
    assert!(rows(file(text).build().expect("a model")) == rows(file(&plain).build().expect("a model")));
    let mut model = file(text);
    for (name, is_fixed) in [("n", true), ("level", true), ("weight", true), ("h", false), ("other", false)] {
        let set = model.set(name, &[0.02]).map_err(|error| error.to_string());
        assert_eq!(set.is_err(), is_fixed, "{name}: {set:?}");
        if let Err(error) = set {
            assert!(error.starts_with(&format!("the parameter `{name}` is read only once")), "{error}");
        }
        let event = format!("{text}[events.change]\ntimes = [0.5]\nset = {{ {name} = 0.5 }}\n");
        let read = ModelFile::parse(&event, "model.toml").map(drop).map_err(|error| error.to_string());
        assert_eq!(read.is_err(), name != "other", "{name}: {read:?}");
        if let Err(error) = read {
            assert!(error.contains(&format!("`change` sets `{name}`, but a setting")), "{error}");
        }
    }
    let changes = ["n=3", "h=0.05", "weight=0.5"].map(|change| change.parse().expect("an override"));
    let AnyModel::Model(file) = AnyModel::parse(text, "model.toml", &changes).expect("a model") else {
        panic!("a model")
    };
    let rows = rows(file.build().expect("a model"));
    assert_eq!((rows.len(), rows[0].len()), (21, 7));
    let bad = text.replace("n = 4", "n = 4.5");
    let error = ModelFile::parse(&bad, "model.toml").expect_err("half an entry").to_string();
    assert!(error.contains("this is 4.5; it must be a whole number"), "{error}");
}
