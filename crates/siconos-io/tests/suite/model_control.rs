//! Sensors, observers, controllers and events in model files: the same bits as built in Rust, runs that
//! resume from any step, and results that do not depend on units.

use std::convert::Infallible;

use ndarray::{Array2, array};
use siconos_control::{
    ControlLoop, EquivalentControl, HeldPlant, LinearSensor, LinearSlidingMode, LuenbergerObserver, Sampling,
    SlidingReducedOrderObserver, Twisting,
};
use siconos_io::document::Override;
use siconos_io::model::{AnyModel, BuiltModel, ModelFile, RunError};
use siconos_kernel::prelude::*;

use super::same_bits::rows;

/// Returns a cart driven by a force, with these devices, events and columns.
fn text(rest: &str, columns: &str) -> String {
    format!(
        r#"
format = 1
kind = "model"

[constants]
length = 1
mass = 1
time = 1

[parameters]
motor = 0
second = 0
third = 0
fourth = 0
pair = [0, 0]

[systems.cart]
family = "lagrangian_linear"
q = "0.25 * length"
v = "0.5 * length / time"
mass = "mass"
external_force = "motor + second + third + fourth"

{rest}

[simulation]
kind = "time_stepping"
end = "2 * time"
step = "time / 64"

[output.columns]
q = "cart.q"
v = "cart.q'"
{columns}
"#
    )
}

const SENSOR: &str = r#"
[control.sensor]
kind = "linear_sensor"
systems = "cart"
C = [[1, 0], [0, 1]]
delay = 2
period = "time / 32"
"#;

const PLANT: &str = r#"
A = [[0, 1], [0, 0]]
B = [[0], [1]]
period = "time / 16"
"#;

fn parsed(text: &str, set: &[&str]) -> ModelFile {
    let set: Vec<Override> = set.iter().map(|text| text.parse().expect("a value to set")).collect();
    match AnyModel::parse(text, "control.toml", &set).unwrap_or_else(|error| panic!("{error}")) {
        AnyModel::Model(model) => *model,
        other => panic!("a model, and no {other:?}"),
    }
}

fn built(text: &str, set: &[&str]) -> BuiltModel {
    parsed(text, set).build().unwrap_or_else(|error| panic!("{error}"))
}

fn bits(rows: &[Vec<f64>]) -> Vec<u64> {
    rows.iter().flatten().map(|value| value.to_bits()).collect()
}

/// Runs the same cart in Rust with the additions of `add`. Returns q and v at the start and after each step,
/// followed by the values of `read`.
fn of_rust<Added>(
    add: impl FnOnce(&mut ControlLoop, DynamicalSystemId, ParameterId) -> Added,
    read: impl Fn(&ControlLoop, &Added) -> Vec<f64>,
) -> Vec<Vec<f64>> {
    let mut model = NonSmoothDynamicalSystem::new();
    let motor = model.add_parameter("motor", vec![0.0]).expect("a parameter");
    let cart = LagrangianLinear::new(vec![0.25], vec![0.5], array![[1.0]])
        .with_external_force(move |at: At<'_>, out: &mut [f64]| out[0] = at[motor][0]);
    let cart = model.add_system(cart).expect("a system");
    let grid = TimeDiscretisation::uniform(0.0, 2.0, 1.0 / 64.0).expect("a grid");
    let mut simulation = TimeStepping::builder(&model).discretisation(grid).build().expect("it fits");
    let mut control = ControlLoop::default();
    let added = add(&mut control, cart, motor);
    control.schedule(&model, simulation.events_mut()).expect("it fits");
    let mut state = simulation.initial_state(&model).expect("a state");
    let mut rows = Vec::new();
    while let Some(report) = simulation.step(&model, &mut state).expect("a step") {
        control.process(report.events, &model, &mut state).expect("a sample");
        let own = [state.t, state.q(cart)[0], state.v(cart)[0]];
        rows.push([&own[..], &read(&control, &added)].concat());
    }
    rows
}

fn plant() -> HeldPlant {
    HeldPlant::new(array![[0.0, 1.0], [0.0, 0.0]], array![[0.0], [1.0]], 1.0 / 16.0).expect("a plant")
}

fn sensor(control: &mut ControlLoop, cart: DynamicalSystemId) -> siconos_control::SensorId {
    let sensor = LinearSensor::new([cart], Array2::eye(2)).expect("a sensor").with_delay(2);
    control.add_sensor(Sampling::every(1.0 / 32.0), sensor)
}

#[test]
fn an_observer_and_a_twisting_controller_are_those_of_rust() {
    let rest = format!(
        "{SENSOR}\n[control.observer]\nkind = \"luenberger_observer\"\nsensor = \"sensor\"\ninputs = \"motor\"\n\
         C = [[1, 0], [0, 1]]\nL = [[1, 0], [0, 2]]\nestimate = [0.125, 0]\n{PLANT}\n\
         [control.twist]\nkind = \"twisting\"\nsignal = \"observer\"\ninput = \"motor\"\nc = [1, 0]\n\
         gains = [3, 2]\nfirst = 0.125\n{PLANT}"
    );
    let columns =
        "y = \"sensor.y[0]\"\nx = \"observer.estimate[1]\"\nu = \"twist.u\"\ns = \"twist.sigma[1]\"";
    let found = rows(built(&text(&rest, columns), &[]));
    let expected = of_rust(
        |control, cart, motor| {
            let sensor = sensor(control, cart);
            let gain = array![[1.0, 0.0], [0.0, 2.0]];
            let observer = LuenbergerObserver::new(&plant(), Array2::eye(2), gain, vec![0.125, 0.0]);
            let sampling = Sampling::every(1.0 / 16.0);
            let observer = observer.expect("an observer");
            let observer = control.add_observer(sampling, observer, sensor, [motor]).expect("it fits");
            let twisting = Twisting::implicit(&plant(), &[1.0, 0.0], [3.0, 2.0]).expect("a controller");
            let late = Sampling { first: 0.125, ..sampling };
            (sensor, observer, control.add_actuator(late, twisting, observer, motor).expect("it fits"))
        },
        |control, (sensor, observer, twist)| {
            let number = |value: Option<&[f64]>, place: usize| value.map_or(0.0, |value| value[place]);
            let twist = control.actuator(*twist).expect("it is there");
            vec![
                number(control.sensor(*sensor).expect("it is there").value(), 0),
                number(control.observer(*observer).expect("it is there").value(), 1),
                number(twist.value(), 0),
                twist.device().terms()[1],
            ]
        },
    );
    assert_eq!(found.len(), expected.len());
    assert!(bits(&found) == bits(&expected));
}

#[test]
fn a_sliding_observer_and_a_sliding_mode_are_those_of_rust() {
    let rest = format!(
        "{SENSOR}\n[control.observer]\nkind = \"sliding_observer\"\nsensor = \"sensor\"\ninputs = \"motor\"\n\
         C = [[1, 0], [0, 1]]\nG = [[1, 0], [0, 1]]\namplitudes = [2, 3]\n{PLANT}\n\
         [control.slide]\nkind = \"sliding_mode\"\nsignal = \"observer\"\ninput = \"motor\"\nC = [[2, 1]]\n\
         amplitudes = 2\nequivalent = \"second_order\"\n{PLANT}"
    );
    let columns = "x = \"observer.estimate[0]\"\nu = \"slide.u\"\ns = \"slide.switched\"";
    let found = rows(built(&text(&rest, columns), &[]));
    let expected = of_rust(
        |control, cart, motor| {
            let sensor = sensor(control, cart);
            let sampling = Sampling::every(1.0 / 16.0);
            let (eye, alpha) = (Array2::eye(2), [2.0, 3.0]);
            let observer = SlidingReducedOrderObserver::new(&plant(), eye.clone(), eye, &alpha, vec![0.0; 2]);
            let observer = observer.expect("an observer");
            let observer = control.add_observer(sampling, observer, sensor, [motor]).expect("it fits");
            let (surface, equivalent) = (array![[2.0, 1.0]], EquivalentControl::SecondOrder);
            let sliding =
                LinearSlidingMode::new(&plant(), surface, &[2.0], equivalent).expect("a controller");
            (observer, control.add_actuator(sampling, sliding, observer, motor).expect("it fits"))
        },
        |control, (observer, slide)| {
            let slide = control.actuator(*slide).expect("it is there");
            vec![
                control.observer(*observer).expect("it is there").value().expect("a sample")[0],
                slide.value().expect("a sample")[0],
                slide.device().terms()[1],
            ]
        },
    );
    assert_eq!(found.len(), expected.len());
    assert!(bits(&found) == bits(&expected));
}

/// Returns devices of every kind with a state.
fn all_devices() -> String {
    let observers = format!(
        "[control.linear]\nkind = \"luenberger_observer\"\nsensor = \"sensor\"\ninputs = \"motor\"\n\
         C = [[1, 0], [0, 1]]\nD = [[0], [0.5]]\nL = [[1, 0], [0, 2]]\n{PLANT}\n\
         [control.signs]\nkind = \"sliding_observer\"\nsensor = \"sensor\"\ninputs = \"motor\"\n\
         C = [[1, 0], [0, 1]]\nG = [[1, 0], [0, 1]]\namplitudes = [2, 3]\n{PLANT}"
    );
    let of_linear = "signal = \"linear\"\ninput = \"motor\"";
    let of_signs = |input: &str| format!("signal = \"signs\"\ninput = \"{input}\"");
    let [second, third] = ["second", "third"].map(of_signs);
    let actuators = format!(
        "[control.twist]\nkind = \"twisting\"\n{of_linear}\nc = [1, 0]\ngains = [3, 2]\nform = \"regularised\"\n\
         widths = [0.1, 0.2]\n{PLANT}\n\
         [control.slide]\nkind = \"sliding_mode\"\n{second}\nC = [[2, 1]]\namplitudes = 2\n\
         equivalent = \"second_order\"\nfirst = 0.5\n{PLANT}\n\
         [control.chatter]\nkind = \"explicit_sliding_mode\"\n{third}\nC = [[2, 1]]\namplitudes = 1\n\
         equivalent = \"second_order\"\nfirst = 1\n{PLANT}\n\
         [control.place]\nkind = \"linear_sensor\"\nsystems = \"cart\"\nC = [[1, 0]]\nD = [[0.25]]\n\
         input = \"motor\"\nperiod = 0.03125\n\
         [control.pid]\nkind = \"pid\"\nsignal = \"place\"\ninput = \"fourth\"\nproportional = 1\nintegral = 2\n\
         derivative = 0.5\nreference = \"1 + sin(t)\"\nfirst = 1.5\nperiod = 0.03125\n"
    );
    let events = "[events.odd]\nevery = 0.25\nset = { pair = [\"pair[1] + pid.u\", \"pair[0] + 1\"] }\n\
                  [events.twice]\ntimes = [0, 0.75, 1.75]\nset = { motor = \"motor + pair[0]\" }";
    let columns = "l = \"linear.estimate[1]\"\ns = \"signs.estimate[1]\"\nu = \"motor + second + third + fourth\"\n\
                   w = \"slide.switched + chatter.sigma + pid.integral + twist.sigma[0]\"\n\
                   p = \"pair[0] + 10 * pair[1]\"";
    text(&format!("{SENSOR}\n{observers}\n{actuators}\n{events}"), columns)
}

#[test]
fn all_devices_go_on_from_every_step() {
    let file = parsed(&all_devices(), &[]);
    let whole = rows(file.build().expect("a model"));
    // The start with its events, and 128 steps.
    assert_eq!(whole.len(), 129);
    for stop in 0..=129 {
        let mut first = file.build().expect("a model");
        let mut begun = Vec::new();
        for _ in 0..stop {
            let keep = |row: &[f64]| {
                begun.push(row.to_vec());
                Ok::<_, Infallible>(())
            };
            first.advance(keep).expect("a step");
        }
        let (state, recorded) = first.record().expect("a record");
        let mut second = file.build().expect("a model");
        second.resume(&state, &recorded).expect("the same model");
        begun.extend(rows(second));
        assert!(bits(&begun) == bits(&whole), "stopped after {stop} steps");
    }
}

#[test]
fn records_of_other_devices_are_refused() {
    let with = |delay: usize| text(&SENSOR.replace("delay = 2", &format!("delay = {delay}")), "");
    let mut first = built(&with(2), &[]);
    for _ in 0..5 {
        first.advance(|_| Ok::<_, Infallible>(())).expect("a step");
    }
    let (state, recorded) = first.record().expect("a record");
    for (other, expected) in
        [(with(3), "a different sensor at index 1"), (text("", ""), "it has 1 sensors, not 0")]
    {
        let error = built(&other, &[]).resume(&state, &recorded).expect_err("another loop").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// Lengths, masses and times in other units: scaling by a power of two changes only the exponents.
#[test]
fn samples_do_not_depend_on_units() {
    let rest = format!(
        "{SENSOR}\n[control.pid]\nkind = \"pid\"\nsignal = \"height\"\ninput = \"motor\"\n\
         proportional = \"3 * mass / time / time\"\nintegral = \"mass / time / time / time\"\n\
         derivative = \"2 * mass / time\"\nfilter_time = \"time / 8\"\nreference = \"length\"\n\
         upper = \"2 * mass * length / time / time\"\nperiod = \"time / 32\"\n\
         [control.height]\nkind = \"linear_sensor\"\nsystems = \"cart\"\nC = [[1, 0]]\nperiod = \"time / 32\"\n\
         [events.kick]\nevery = \"time / 4\"\nset = {{ motor = \"motor + cart.q * mass / time / time / 8\" }}"
    );
    let text = text(&rest, "u = \"pid.u\"\ni = \"pid.integral\"\ny = \"sensor.y[0]\"");
    let plain = rows(built(&text, &[]));
    for (length, mass, time) in [(1024.0, 1.0, 1.0), (1.0, 1.0 / 4096.0, 1.0), (2.0, 4.0, 1.0 / 1024.0)] {
        let set = [
            format!("constants.length={length}"),
            format!("constants.mass={mass}"),
            format!("constants.time={time}"),
        ];
        let scaled = rows(built(&text, &set.each_ref().map(String::as_str)));
        let force = mass * length / time / time;
        let units = [time, length, length / time, force, force, length];
        let expected: Vec<Vec<f64>> =
            plain.iter().map(|row| row.iter().zip(units).map(|(x, unit)| x * unit).collect()).collect();
        assert_eq!(scaled.len(), expected.len());
        assert!(bits(&scaled) == bits(&expected), "{length} m, {mass} kg, {time} s");
    }
}

fn ends_with(rest: &str) -> String {
    match built(&text(rest, ""), &[]).to_end(|_| Ok::<_, Infallible>(())) {
        Err(RunError::Control(error)) => error.to_string(),
        Err(RunError::Event(error)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_cannot_go_on_is_said() {
    let nan = "[events.bad]\ntimes = [1]\nset = { motor = \"sqrt(-1 - cart.q * cart.q)\" }";
    assert_eq!(ends_with(nan), "the event `bad` sets the parameter `motor` to NaN; it must be finite");
    let between = SENSOR.replace("time / 32", "time / 63");
    assert!(ends_with(&between).contains("multiples of"), "{}", ends_with(&between));
    let pid = "[control.pid]\nkind = \"pid\"\nsignal = \"late\"\ninput = \"motor\"\nperiod = 0.125\n\
               [control.late]\nkind = \"linear_sensor\"\nsystems = \"cart\"\nC = [[1, 0]]\nperiod = 0.125\nfirst = 1";
    assert!(ends_with(pid).contains("before its first sample"), "{}", ends_with(pid));
}

#[test]
fn events_set_parameters_together_and_when_it_is_time() {
    let events = "[events.swap]\ntimes = [0.5, 1]\nset = { pair = [\"pair[1] + 1\", \"pair[0] - t\"] }";
    let found = rows(built(&text(events, "a = \"pair[0]\"\nb = \"pair[1]\""), &[]));
    for row in &found {
        let expected = match row[0] {
            t if t < 0.5 => [0.0, 0.0],
            t if t < 1.0 => [1.0, -0.5],
            _ => [0.5, 0.0],
        };
        assert_eq!(row[3..], expected, "t = {}", row[0]);
    }
    // The start has one row, with or without an event.
    assert_eq!(found.len(), 129);
    let at_start = events.replace("[0.5, 1]", "[0]");
    let found = rows(built(&text(&at_start, "a = \"pair[0]\""), &[]));
    assert_eq!((found.len(), found[0][3]), (129, 1.0));
}
