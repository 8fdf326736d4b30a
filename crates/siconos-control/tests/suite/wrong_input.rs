//! Invalid input is rejected with an error that contains the remedy.

use ndarray::{Array2, array};
use siconos_control::{
    ControlError, ControlLoop, EquivalentControl, ExplicitLinearSlidingMode, FunctionActuator, HeldPlant,
    LinearSensor, LinearSlidingMode, LuenbergerObserver, Pid, PidGains, Sampling,
    SlidingReducedOrderObserver, Twisting,
};
use siconos_kernel::prelude::*;

use super::grid;
use super::plants::{Plant, all_states, double_integrator};

const H: f64 = 0.1;
const SAMPLING: Sampling = Sampling::every(H);

fn held() -> HeldPlant {
    let (a, b) = double_integrator();
    HeldPlant::new(a, b, H).unwrap()
}

fn is_shape<T>(result: &Result<T, ControlError>) -> bool {
    matches!(result, Err(ControlError::Model(ModelError::WrongShape { .. })))
}

fn is_not_finite<T>(result: &Result<T, ControlError>) -> bool {
    matches!(result, Err(ControlError::Model(ModelError::NotFinite { .. })))
}

fn is_setting<T>(result: &Result<T, ControlError>) -> bool {
    matches!(result, Err(ControlError::Settings(SettingsError::OutOfRange { .. })))
}

#[test]
fn plants() {
    let (a, b) = double_integrator();
    assert!(is_shape(&HeldPlant::new(Array2::zeros((2, 3)), b.clone(), H)));
    assert!(is_shape(&HeldPlant::new(a.clone(), Array2::zeros((3, 1)), H)));
    assert!(is_not_finite(&HeldPlant::new(a.clone() * f64::NAN, b.clone(), H)));
    assert!(is_not_finite(&HeldPlant::new(a.clone(), b.clone() * f64::INFINITY, H)));
    for period in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(is_setting(&HeldPlant::new(a.clone(), b.clone(), period)));
    }
    let fast = HeldPlant::new(array![[1e5]], array![[1.0]], H);
    assert!(matches!(fast, Err(ControlError::Hold(_))), "{fast:?}");
}

#[test]
fn sliding_modes() {
    let make = |c: Array2<f64>, alpha: &[f64], kind| LinearSlidingMode::new(&held(), c, alpha, kind);
    let kind = EquivalentControl::FirstOrder;
    assert!(is_shape(&make(array![[1.0]], &[1.0], kind)));
    assert!(is_shape(&make(array![[1.0, 1.0]], &[1.0, 1.0], kind)));
    assert!(is_not_finite(&make(array![[1.0, f64::NAN]], &[1.0], kind)));
    for alpha in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(is_setting(&make(array![[1.0, 1.0]], &[alpha], kind)));
        let explicit = ExplicitLinearSlidingMode::new(&held(), array![[1.0, 1.0]], &[alpha], kind);
        assert!(is_setting(&explicit));
    }
    // sigma = q: the input does not act on its rate.
    let singular = make(array![[1.0, 0.0]], &[1.0], kind);
    assert!(
        matches!(singular, Err(ControlError::NoEquivalentControl { product: "C B", .. })),
        "{singular:?}"
    );
    let text = singular.unwrap_err().to_string();
    assert!(text.contains("C B") && text.contains("another surface"), "{text}");
    let none = make(array![[0.0, 0.0]], &[1.0], EquivalentControl::SecondOrder);
    assert!(matches!(none, Err(ControlError::NoEquivalentControl { product: "C Psi", .. })));
    let turned = make(array![[-1.0, -1.0]], &[1.0], kind);
    assert!(matches!(turned, Err(ControlError::NotMonotone { product: "C Psi", .. })));
}

#[test]
fn twisting_controllers() {
    let c = [1.0, 0.0];
    assert!(is_shape(&Twisting::implicit(&held(), &[1.0], [3.0, 2.0])));
    assert!(is_not_finite(&Twisting::explicit(&held(), &[1.0, f64::NAN], [3.0, 2.0])));
    for gains in [[2.0, 2.0], [2.0, 3.0], [3.0, 0.0], [3.0, -1.0], [f64::NAN, 1.0], [f64::INFINITY, 1.0]] {
        assert!(is_setting(&Twisting::implicit(&held(), &c, gains)), "{gains:?}");
    }
    assert!(is_setting(&Twisting::regularised(&held(), &c, [3.0, 2.0], [0.0, 1.0])));
    let turned = Twisting::implicit(&held(), &[-1.0, 0.0], [3.0, 2.0]);
    assert!(matches!(turned, Err(ControlError::NoTwist { value }) if value < 0.0));
    let two = HeldPlant::new(Array2::eye(2), Array2::eye(2), H).unwrap();
    assert!(is_shape(&Twisting::implicit(&two, &c, [3.0, 2.0])));
}

#[test]
fn pid_controllers() {
    let gains = PidGains::default();
    let is_setting =
        |result: Result<Pid, SettingsError>| matches!(result, Err(SettingsError::OutOfRange { .. }));
    assert!(is_setting(Pid::new(PidGains { proportional: f64::NAN, ..gains }, H)));
    assert!(is_setting(Pid::new(PidGains { filter_time: -1.0, ..gains }, H)));
    assert!(is_setting(Pid::new(PidGains { tracking_time: Some(0.5 * H), ..gains }, H)));
    assert!(is_setting(Pid::new(gains, 0.0)));
    let pid = || Pid::new(gains, H).unwrap();
    assert!(is_setting(pid().with_reference(f64::INFINITY)));
    assert!(is_setting(pid().with_bounds(1.0, -1.0)));
    assert!(is_setting(pid().with_bounds(f64::NAN, 1.0)));
    assert!(is_setting(pid().with_bounds(-1.0, f64::NAN)));
    assert!(pid().with_bounds(f64::NEG_INFINITY, f64::INFINITY).is_ok());
}

#[test]
fn observers() {
    let c = array![[1.0, 0.0]];
    let luenberger = |c: Array2<f64>, l: Array2<f64>, first| LuenbergerObserver::new(&held(), c, l, first);
    let l = array![[1.0], [1.0]];
    assert!(is_shape(&luenberger(array![[1.0]], l.clone(), vec![0.0; 2])));
    assert!(is_shape(&luenberger(c.clone(), array![[1.0, 1.0]], vec![0.0; 2])));
    assert!(is_shape(&luenberger(c.clone(), l.clone(), vec![0.0; 3])));
    assert!(is_not_finite(&luenberger(c.clone(), l.clone(), vec![0.0, f64::NAN])));
    let fine = luenberger(c.clone(), l.clone(), vec![0.0; 2]).unwrap();
    assert!(is_shape(&fine.with_feedthrough(array![[1.0, 2.0]])));
    let sliding = |g: Array2<f64>, alpha: &[f64]| {
        SlidingReducedOrderObserver::new(&held(), array![[1.0, 0.0]], g, alpha, vec![0.0; 2])
    };
    assert!(is_shape(&sliding(array![[1.0, 1.0]], &[1.0])));
    assert!(is_shape(&sliding(l.clone(), &[1.0, 1.0])));
    assert!(is_setting(&sliding(l, &[0.0])));
    let turned = sliding(array![[-1.0], [0.0]], &[1.0]);
    assert!(matches!(turned, Err(ControlError::NotMonotone { product: "C S G", .. })));
}

#[test]
fn loops() {
    let (a, b) = double_integrator();
    let plant = Plant::new(a.clone(), b.clone(), &[0.0; 2]);
    let other = Plant::new(a, b, &[0.0; 2]);
    let mut control = ControlLoop::default();
    let x = control.add_sensor(SAMPLING, all_states(&plant, 2));
    let none = || FunctionActuator::new(2, 1, |_, _, _| {});
    let mut another = ControlLoop::default();
    let stranger = another.add_sensor(SAMPLING, all_states(&plant, 2));
    let unknown = control.add_actuator(SAMPLING, none(), stranger, plant.u);
    assert!(matches!(unknown, Err(ControlError::UnknownSensor { .. })));
    assert!(control.sensor(stranger).is_err());
    assert!(is_shape(&control.add_actuator(SAMPLING, FunctionActuator::new(3, 1, |_, _, _| {}), x, plant.u)));
    let twisting = Twisting::explicit(&held(), &[1.0, 0.0], [3.0, 2.0]).unwrap();
    let error = control.add_actuator(Sampling::every(0.2), twisting, x, plant.u).unwrap_err();
    assert_eq!(error, ControlError::OtherPeriod { component: "an actuator", made_for: H, sampled: 0.2 });

    // Errors that can only be detected with the model.
    let schedule = |control: &mut ControlLoop| {
        let mut events = EventsManager::new(grid(1.0, H), EventSettings::default()).unwrap();
        control.schedule(&plant.model, &mut events)
    };
    assert_eq!(schedule(&mut control), Ok(()));
    let of = |sensor: LinearSensor| {
        let mut control = ControlLoop::default();
        control.add_sensor(SAMPLING, sensor);
        schedule(&mut control)
    };
    assert!(is_shape(&of(LinearSensor::new([plant.x], array![[1.0]]).unwrap())));
    let unknown = of(LinearSensor::new([other.x], array![[1.0, 0.0]]).unwrap());
    assert!(matches!(unknown, Err(ControlError::Model(ModelError::UnknownSystem { .. }))));
    let fed = LinearSensor::new([plant.x], array![[1.0, 0.0]]).unwrap();
    assert!(is_shape(&of(fed.clone().with_feedthrough(array![[1.0, 1.0]], plant.u).unwrap())));
    let unknown = of(fed.with_feedthrough(array![[1.0]], other.u).unwrap());
    assert!(matches!(unknown, Err(ControlError::Model(ModelError::UnknownParameter { .. }))));
    let set = |actuator: FunctionActuator, input| {
        let mut control = ControlLoop::default();
        let x = control.add_sensor(SAMPLING, all_states(&plant, 2));
        control.add_actuator(SAMPLING, actuator, x, input).unwrap();
        schedule(&mut control)
    };
    assert!(is_shape(&set(FunctionActuator::new(2, 2, |_, _, _| {}), plant.u)));
    let unknown = set(none(), other.u);
    assert!(matches!(unknown, Err(ControlError::Model(ModelError::UnknownParameter { .. }))));
    let mut control = ControlLoop::default();
    let y = control.add_sensor(SAMPLING, LinearSensor::new([plant.x], array![[1.0, 0.0]]).unwrap());
    let observer =
        LuenbergerObserver::new(&held(), array![[1.0, 0.0]], array![[1.0], [1.0]], vec![0.0; 2]).unwrap();
    control.add_observer(SAMPLING, observer, y, []).unwrap();
    assert!(is_shape(&schedule(&mut control)));
    for sampling in [Sampling::every(0.0), Sampling::every(f64::NAN), Sampling { first: -1.0, period: H }] {
        let mut control = ControlLoop::default();
        control.add_sensor(sampling, all_states(&plant, 2));
        assert!(matches!(schedule(&mut control), Err(ControlError::Event(_))));
    }
    let empty = LinearSensor::new([plant.x], Array2::zeros((0, 2)));
    assert!(matches!(empty, Err(ModelError::Empty { .. })));
}
