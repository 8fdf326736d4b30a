//! Generation of random systems.

use super::system::{Argument, Direction, Event, Guard, HybridProblem, Reset, Shape, Switch, Wave};
use crate::random::RandomState;

/// Family of random hybrid systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Smooth triggers.
    Smooth,
    /// Smooth and discontinuous triggers.
    Jumps,
    /// Smooth and discontinuous triggers. The right-hand side also has terms that are active for short times,
    /// down to 1e-6 s.
    Pulses,
}

/// Returns the system with the given number in a family.
#[must_use]
pub fn draw(family: Family, number: u32) -> HybridProblem {
    let mut random = RandomState::new(7_919 * number + family as u32);
    let n = random.integer(1, 3) as usize;
    let a = (0..n).map(|_| (0..n).map(|_| random.between(-1.5, 1.5)).collect()).collect();
    let b = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
    let x0 = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
    let events = (0..random.integer(1, 3)).map(|_| event(family, n, &mut random)).collect();
    let switches = if family == Family::Pulses {
        (0..random.integer(1, 3)).map(|_| switch(n, &mut random)).collect()
    } else {
        Vec::new()
    };
    let end = random.between(1.0, 4.0) * if random.uniform() < 0.5 { 1.0 } else { -1.0 };
    HybridProblem { a, b, x0, switches, events, end }
}

fn argument(n: usize, random: &mut RandomState) -> Argument {
    let weights = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
    let slope = if random.uniform() < 0.25 { random.between(-1.0, 1.0) } else { 0.0 };
    let wave = (random.uniform() < 0.3)
        .then(|| Wave { amplitude: random.between(0.2, 1.0), frequency: random.between(0.5, 6.0) });
    Argument { weights, slope, wave, level: random.between(-1.0, 1.0) }
}

fn event(family: Family, n: usize, random: &mut RandomState) -> Event {
    let shapes = [Shape::Sign, Shape::Choice, Shape::Stairs, Shape::Saw, Shape::Smooth];
    let shape = if family == Family::Smooth { Shape::Smooth } else { shapes[random.integer(0, 4) as usize] };
    let argument = argument(n, random);
    let direction =
        [Direction::Any, Direction::Increasing, Direction::Decreasing][random.integer(0, 2) as usize];
    let reset = match random.integer(0, 7) {
        0 => Reset::Nothing,
        1 => Reset::Turn { factor: -random.between(0.3, 1.2) },
        2 | 3 => {
            let mut entry = || random.between(-0.8, 0.8);
            let matrix = (0..n).map(|_| (0..n).map(|_| entry()).collect()).collect();
            Reset::Map { matrix, offset: (0..n).map(|_| entry()).collect() }
        }
        _ => {
            let state =
                (0..n).max_by(|i, j| argument.weights[*i].abs().total_cmp(&argument.weights[*j].abs()));
            let state = state.unwrap_or(0);
            let size = 10.0_f64.powf(random.between(-12.0, 0.0));
            let distance = if random.uniform() < 0.5 { size } else { -size };
            let factor = if random.uniform() < 0.3 { random.between(0.02, 0.9) } else { 1.0 };
            let times = if factor < 1.0 { 100 } else { random.integer(1, 6) as u32 };
            Reset::SendBack { state, distance, times, factor, put: random.between(-1.0, 1.0) }
        }
    };
    Event { guard: Guard { argument, shape }, direction, reset }
}

/// Returns a term of the right-hand side that is active during a time interval, in a half-space, or in a
/// strip.
fn switch(n: usize, random: &mut RandomState) -> Switch {
    let mut rate: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
    let mut arguments = if random.uniform() < 0.6 {
        let width = 10.0_f64.powf(random.between(-6.0, -0.5));
        let from = random.between(0.05, 3.0) * if random.uniform() < 0.5 { 1.0 } else { -1.0 };
        rate.iter_mut().for_each(|rate| *rate *= 0.3 / width);
        let at = |slope: f64, level: f64| Argument { weights: vec![0.0; n], slope, wave: None, level };
        vec![at(1.0, from), at(-1.0, -(from + width))]
    } else {
        vec![argument(n, random)]
    };
    if let [only] = &arguments[..]
        && random.uniform() < 0.5
    {
        let width = 10.0_f64.powf(random.between(-5.0, -0.5));
        let weights = only.weights.iter().map(|weight| -weight).collect();
        let wave = only.wave.map(|wave| Wave { amplitude: -wave.amplitude, ..wave });
        arguments.push(Argument { weights, slope: -only.slope, wave, level: -only.level - width });
    }
    Switch { arguments, rate }
}
