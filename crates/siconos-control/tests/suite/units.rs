//! Units that differ by powers of two: the motion is bit-identical.

use ndarray::array;
use siconos_control::{
    ControlLoop, EquivalentControl, HeldPlant, LinearSensor, LinearSlidingMode, LuenbergerObserver, Pid,
    PidGains, Sampling, SlidingReducedOrderObserver, Twisting,
};

use super::plants::{Plant, all_states};

const H: f64 = 0.05;

/// Returns q, v and u over 5 s with a controller made for the given units. The results are converted back to
/// the original units.
fn run(which: usize, length: f64, force: f64) -> Vec<u64> {
    let a = array![[0.0, 1.0], [-3.0, -0.4]];
    let b = array![[0.0], [length / force]];
    let held = HeldPlant::new(a.clone(), b.clone(), H).unwrap();
    let plant = Plant::new(a, b, &[0.7 * length, 0.3 * length]);
    let sampling = Sampling::every(H);
    let mut control = ControlLoop::default();
    let id = if which == 0 {
        let q = LinearSensor::new([plant.x], array![[1.0, 0.0]]).unwrap();
        let q = control.add_sensor(sampling, q);
        let per = force / length;
        let gains = PidGains {
            proportional: 3.0 * per,
            integral: 0.7 * per,
            derivative: 1.3 * per,
            filter_time: 0.01,
            tracking_time: None,
        };
        let pid = Pid::new(gains, H).unwrap().with_bounds(-0.9 * force, 0.9 * force).unwrap();
        control.add_actuator(sampling, pid, q, plant.u).unwrap()
    } else if which < 4 {
        let x = control.add_sensor(sampling, all_states(&plant, 2));
        if which == 3 {
            let twisting = Twisting::implicit(&held, &[1.0, 0.0], [3.0 * force, 2.0 * force]).unwrap();
            control.add_actuator(sampling, twisting, x, plant.u).unwrap()
        } else {
            let kind = [EquivalentControl::FirstOrder, EquivalentControl::SecondOrder][which - 1];
            let sliding = LinearSlidingMode::new(&held, array![[2.0, 1.0]], &[2.0 * force], kind).unwrap();
            control.add_actuator(sampling, sliding, x, plant.u).unwrap()
        }
    } else {
        let q = LinearSensor::new([plant.x], array![[1.0, 0.0]]).unwrap();
        let q = control.add_sensor(sampling, q);
        let c = array![[1.0, 0.0]];
        let estimate = if which == 4 {
            let gain = array![[5.0], [7.0]];
            let observer = LuenbergerObserver::new(&held, c, gain, vec![0.0; 2]).unwrap();
            control.add_observer(sampling, observer, q, [plant.u]).unwrap()
        } else {
            let g = array![[1.0], [2.0]];
            let observer =
                SlidingReducedOrderObserver::new(&held, c, g, &[4.0 * length], vec![0.0; 2]).unwrap();
            control.add_observer(sampling, observer, q, [plant.u]).unwrap()
        };
        let twisting = Twisting::explicit(&held, &[1.0, 0.0], [3.0 * force, 2.0 * force]).unwrap();
        control.add_actuator(sampling, twisting, estimate, plant.u).unwrap()
    };
    let states = plant.run(&mut control, 5.0, H);
    let inputs = control.actuator(id).unwrap().samples();
    let of_states = states.iter().flatten().map(|x| (x / length).to_bits());
    of_states.chain(inputs.iter().map(|sample| (sample.value[0] / force).to_bits())).collect()
}

#[test]
fn no_controller_depends_on_the_units_of_length_and_force() {
    for which in 0..6 {
        let expected = run(which, 1.0, 1.0);
        for (length, force) in
            [(1024.0, 1.0), (1.0, 2.0_f64.powi(-20)), (2.0_f64.powi(-30), 2.0_f64.powi(25))]
        {
            assert!(run(which, length, force) == expected, "controller {which}: {length} {force}");
        }
    }
}
