//! Exact trajectory of a random hybrid system.

use super::system::{Direction, Event, HybridProblem, Reset, Shape, TOOTH};

/// Maximum length of the steps in which Taylor series are summed \[s\].
const STEP: f64 = 4e-3;

/// Number of terms of a series. For all random matrices, the remainder is below rounding error.
const TERMS: usize = 16;

/// Threshold below which rounding can change a result, which is then undetermined. It applies to the time
/// between two events \[s\] and to the distance of an argument from a zero of its trigger.
const UNCLEAR: f64 = 1e-8;

/// Number of successive short intervals between firings of one event that are reported as an accumulation.
const ACCUMULATED_INTERVALS: usize = 8;
/// Length below which an interval between firings counts as short \[s\].
const ACCUMULATED: f64 = 1e-11;

/// Largest magnitude of the factor of A x + b for which the series converge to rounding accuracy.
const FASTEST: f64 = 20.0;

/// Maximum number of firings.
const MOST_FIRINGS: usize = 400;

/// Firing of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Firing {
    /// Time \[s\].
    pub t: f64,
    /// Number of the event, from 1.
    pub event: usize,
}

/// Reason why a trajectory ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// The end time of the problem was reached.
    Reached,
    /// Events occur at decreasing intervals.
    Accumulation {
        /// Time at which the accumulation is detected \[s\].
        t: f64,
    },
    /// On both sides of a switching surface, the motion is driven towards the surface.
    Sliding {
        /// Time at which the switching surface is reached \[s\].
        t: f64,
    },
}

/// Exact trajectory of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// Firings in order.
    pub firings: Vec<Firing>,
    /// Final state.
    pub x: Vec<f64>,
    /// Reason for the end.
    pub ending: Ending,
    /// Lower bound of the time \[s\] between two zero crossings of one trigger without an event between them.
    pub closest: f64,
    /// Largest magnitude of a rate of a state.
    pub fastest: f64,
}

/// Error: the trajectory cannot be determined reliably in floating point.
struct Unclear;

impl HybridProblem {
    /// Returns the trajectory, or `None` if it cannot be determined reliably in floating point.
    #[must_use]
    pub fn trajectory(&self) -> Option<Trajectory> {
        Walk::new(self).run().ok()
    }
}

/// Event that fires, or argument of a switch (switch, argument) that changes its sign.
#[derive(Clone, Copy, Debug)]
enum What {
    Event(usize),
    Switch(usize, usize),
}

struct Walk<'p> {
    problem: &'p HybridProblem,
    t: f64,
    x: Vec<f64>,
    factor: f64,
    /// For each argument of each switch, `true` if the argument is positive.
    sides: Vec<Vec<bool>>,
    is_on: Vec<bool>,
    /// For each event that has just fired and whose argument is still at a zero of its trigger, this zero. It
    /// is not crossed again.
    leaving: Vec<Option<f64>>,
    /// Number of firings of each event.
    counts: Vec<u32>,
    firings: Vec<Firing>,
    closest: f64,
    fastest: f64,
}

impl<'p> Walk<'p> {
    fn new(problem: &'p HybridProblem) -> Self {
        Self {
            problem,
            t: 0.0,
            x: problem.x0.clone(),
            factor: 1.0,
            sides: problem.switches.iter().map(|switch| vec![false; switch.arguments.len()]).collect(),
            is_on: vec![false; problem.switches.len()],
            leaving: vec![None; problem.events.len()],
            counts: vec![0; problem.events.len()],
            firings: Vec::new(),
            closest: f64::INFINITY,
            fastest: 0.0,
        }
    }

    fn sign(&self) -> f64 {
        self.problem.end.signum()
    }

    /// Computes the state at a time `time` after the current time, if no event or switch occurs.
    fn flow(&self, time: f64, x: &mut [f64]) {
        let n = self.x.len();
        let mut term = self.x.clone();
        let mut next = vec![0.0; n];
        x.copy_from_slice(&self.x);
        for k in 1..=TERMS {
            if k == 1 {
                self.problem.rates(self.factor, &self.is_on, &term, &mut next);
            } else {
                for (i, next) in next.iter_mut().enumerate() {
                    let row: f64 = self.problem.a[i].iter().zip(&term).map(|(a, x)| a * x).sum();
                    *next = self.factor * row;
                }
            }
            for i in 0..n {
                term[i] = next[i] * time / k as f64;
                x[i] += term[i];
            }
        }
    }

    fn rates_at(&self, x: &[f64]) -> Vec<f64> {
        let mut rates = vec![0.0; x.len()];
        self.problem.rates(self.factor, &self.is_on, x, &mut rates);
        rates
    }

    fn set_switches(&mut self) -> Result<(), Unclear> {
        let rates = self.rates_at(&self.x);
        for (switch, sides) in self.problem.switches.iter().zip(&mut self.sides) {
            for (argument, side) in switch.arguments.iter().zip(sides) {
                let (u, rate) = (argument.value(self.t, &self.x), argument.rate(self.t, &rates));
                if u.abs() <= UNCLEAR * (1.0 + rate.abs()) {
                    return Err(Unclear);
                }
                *side = u > 0.0;
            }
        }
        self.turn_on();
        Ok(())
    }

    fn turn_on(&mut self) {
        for (is_on, sides) in self.is_on.iter_mut().zip(&self.sides) {
            *is_on = sides.iter().all(|side| *side);
        }
    }

    fn run(mut self) -> Result<Trajectory, Unclear> {
        self.set_switches()?;
        let rates = self.rates_at(&self.x);
        for event in &self.problem.events {
            let u = event.guard.argument.value(self.t, &self.x);
            let rate = event.guard.argument.rate(self.t, &rates);
            if (u - event.guard.shape.nearest_boundary(u)).abs() <= UNCLEAR * (1.0 + rate.abs()) {
                return Err(Unclear);
            }
        }
        let sign = self.sign();
        loop {
            let left = (self.problem.end - self.t).abs();
            if left == 0.0 {
                return Ok(self.ended(Ending::Reached));
            }
            let time = sign * left.min(STEP);
            match self.first_within(time)? {
                None => {
                    let mut x = self.x.clone();
                    self.flow(time, &mut x);
                    self.fastest =
                        self.rates_at(&x).iter().fold(self.fastest, |most, rate| most.max(rate.abs()));
                    self.x = x;
                    self.t = if left <= STEP { self.problem.end } else { self.t + time };
                    self.leaving.fill(None);
                    if self.x.iter().any(|x| x.abs() > 1e3) {
                        return Err(Unclear);
                    }
                }
                Some((time, what)) => {
                    if (self.t + time - self.problem.end).abs() < UNCLEAR {
                        return Err(Unclear);
                    }
                    let mut x = self.x.clone();
                    self.flow(time, &mut x);
                    self.fastest =
                        self.rates_at(&x).iter().fold(self.fastest, |most, rate| most.max(rate.abs()));
                    (self.x, self.t) = (x, self.t + time);
                    let ending = match what {
                        What::Event(event) => self.fire(event)?,
                        What::Switch(switch, argument) => self.switch(switch, argument)?,
                    };
                    if let Some(ending) = ending {
                        return Ok(self.ended(ending));
                    }
                }
            }
        }
    }

    fn ended(self, ending: Ending) -> Trajectory {
        Trajectory { firings: self.firings, x: self.x, ending, closest: self.closest, fastest: self.fastest }
    }

    /// Returns the time of the earliest crossing within `time` of the current time, with its event or switch.
    fn first_within(&mut self, time: f64) -> Result<Option<(f64, What)>, Unclear> {
        let mut found: Vec<(f64, What)> = Vec::new();
        let mut closest = self.closest;
        for (number, event) in self.problem.events.iter().enumerate() {
            let guard = &event.guard;
            let next = |u: f64, rises: bool| guard.shape.next_boundary(u, rises);
            let leaving = self.leaving[number];
            let fires = |place: f64, rises: bool| self.fires(event, place, rises);
            let nearest = |u: f64| guard.shape.nearest_boundary(u);
            let first = self.first_crossing(time, &guard.argument, &next, &nearest, leaving, &fires)?;
            closest = closest.min(self.least_pair(time, guard));
            found.extend(first.map(|at| (at, What::Event(number))));
        }
        for (number, switch) in self.problem.switches.iter().enumerate() {
            for (place, argument) in switch.arguments.iter().enumerate() {
                let is_positive = self.sides[number][place];
                let next = |_u: f64, rises: bool| match (is_positive, rises) {
                    (true, false) | (false, true) => 0.0,
                    (_, true) => f64::INFINITY,
                    (_, false) => f64::NEG_INFINITY,
                };
                let nearest = |_u: f64| 0.0;
                let first = self.first_crossing(time, argument, &next, &nearest, None, &|_, _| true)?;
                found.extend(first.map(|at| (at, What::Switch(number, place))));
            }
        }
        self.closest = closest;
        found.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        match found[..] {
            [] => Ok(None),
            [(first, _), (second, _), ..] if (second - first).abs() < UNCLEAR => Err(Unclear),
            [first, ..] => Ok(Some(first)),
        }
    }

    /// Returns a lower bound of the time between two zero crossings of a trigger within `time` of the current
    /// time.
    fn least_pair(&self, time: f64, guard: &super::Guard) -> f64 {
        let mut x = self.x.clone();
        let mut at = |time: f64| {
            self.flow(time, &mut x);
            let rates = self.rates_at(&x);
            (guard.argument.value(self.t + time, &x), guard.argument.rate(self.t + time, &rates))
        };
        let (start, middle, end) = (at(0.0), at(0.5 * time), at(time));
        let fastest = start.1.abs().max(end.1.abs());
        let of_teeth = if guard.shape == Shape::Saw { TOOTH / fastest } else { f64::INFINITY };
        if start.1 * end.1 >= 0.0 {
            return of_teeth;
        }
        let bend = ((end.1 - start.1) / time).abs();
        let depth = [start.0, middle.0, end.0].map(|u| (u - guard.shape.nearest_boundary(u)).abs());
        // At its extremum, the argument can be closer to the boundary than at these three times, by at most
        // this amount.
        let slack = fastest * time.abs();
        let least = depth.into_iter().fold(f64::INFINITY, f64::min);
        of_teeth.min(if least > slack { f64::INFINITY } else { 2.0 * (2.0 * least / bend).sqrt() })
    }

    /// Returns `true` if an event fires when its argument crosses the boundary `place`. `rises` is `true` if
    /// the argument increases along the trajectory.
    fn fires(&self, event: &Event, place: f64, rises: bool) -> bool {
        let side = |u: f64| event.guard.shape.value(u) > 0.0;
        let becomes_positive = if rises { side(place + 1e-6) } else { side(place - 1e-6) };
        let increases = if self.sign() > 0.0 { becomes_positive } else { !becomes_positive };
        match event.direction {
            Direction::Any => true,
            Direction::Increasing => increases,
            Direction::Decreasing => !increases,
        }
    }

    /// Returns the earliest time at which an argument crosses one of its boundaries. Only crossings for which
    /// `counts` returns `true` are considered.
    fn first_crossing(
        &self,
        time: f64,
        argument: &super::Argument,
        next: &dyn Fn(f64, bool) -> f64,
        nearest: &dyn Fn(f64) -> f64,
        leaving: Option<f64>,
        counts: &dyn Fn(f64, bool) -> bool,
    ) -> Result<Option<f64>, Unclear> {
        let mut x = self.x.clone();
        let mut at = |time: f64| {
            self.flow(time, &mut x);
            let rates = self.rates_at(&x);
            (argument.value(self.t + time, &x), argument.rate(self.t + time, &rates))
        };
        let (start, end) = (at(0.0), at(time));
        let mut parts = vec![(0.0, start.0), (time, end.0)];
        if start.1 * end.1 < 0.0 {
            let (mut a, mut b) = (0.0, time);
            for _ in 0..60 {
                let middle = 0.5 * (a + b);
                *(if at(middle).1 * start.1 > 0.0 { &mut a } else { &mut b }) = middle;
            }
            let top = at(a).0;
            let is_at_start = leaving.is_some_and(|place| (place - nearest(top)).abs() < 1e-3);
            if (top - nearest(top)).abs() < UNCLEAR && !is_at_start {
                return Err(Unclear);
            }
            if is_at_start && a.abs() < 1e-5 {
                return Err(Unclear);
            }
            parts.insert(1, (a, top));
        }
        let mut leaving = leaving;
        for pair in parts.windows(2) {
            let ((from, mut u), (to, last)) = (pair[0], pair[1]);
            let rises = last > u;
            if let Some(place) = leaving.take() {
                // The argument starts at a boundary and leaves it in the first monotone part of the step.
                u = if rises { place + 1e-13 } else { place - 1e-13 };
            }
            loop {
                let place = next(u, rises);
                let is_within = if rises { place < last } else { place > last };
                if !is_within {
                    break;
                }
                if counts(place, rises) {
                    let (mut a, mut b) = (from, to);
                    for _ in 0..80 {
                        let middle = 0.5 * (a + b);
                        let is_before = (at(middle).0 < place) == rises;
                        *(if is_before { &mut a } else { &mut b }) = middle;
                    }
                    return Ok(Some(b));
                }
                u = if rises { place + 1e-13 } else { place - 1e-13 };
            }
        }
        Ok(None)
    }

    fn fire(&mut self, number: usize) -> Result<Option<Ending>, Unclear> {
        let event = &self.problem.events[number];
        self.counts[number] += 1;
        self.firings.push(Firing { t: self.t, event: number + 1 });
        let arguments = |walk: &Self| -> Vec<f64> {
            walk.problem.events.iter().map(|it| it.guard.argument.value(walk.t, &walk.x)).collect()
        };
        let before = arguments(self);
        match &event.reset {
            Reset::Nothing => (),
            Reset::Map { matrix, offset } => {
                let x = self.x.clone();
                for (i, value) in self.x.iter_mut().enumerate() {
                    *value = matrix[i].iter().zip(&x).map(|(m, x)| m * x).sum::<f64>() + offset[i];
                }
            }
            Reset::SendBack { state, distance, times, factor, put } => {
                let count = self.counts[number];
                if count <= *times {
                    self.x[*state] += distance * factor.powi(count as i32 - 1);
                } else {
                    self.x[*state] = *put;
                }
            }
            Reset::Turn { factor } => self.factor *= factor,
        }
        if self.factor.abs() > FASTEST {
            return Err(Unclear);
        }
        self.set_switches()?;
        let rates = self.rates_at(&self.x);
        self.leaving.fill(None);
        for (place, u) in arguments(self).into_iter().enumerate() {
            let guard = &self.problem.events[place].guard;
            let rate = guard.argument.rate(self.t, &rates);
            let own = guard.shape.nearest_boundary(u);
            let distance = (u - own).abs();
            if place == number && (u - before[place]).abs() < 1e-15 * (1.0 + u.abs()) {
                if rate.abs() < 1e-3 {
                    return Err(Unclear);
                }
                self.leaving[place] = Some(own);
            } else if place == number {
                // After an action has moved an argument back, its distance from the boundary is far above
                // rounding error, unless the firings of the event accumulate.
                if distance < 9e-13 * (1.0 + rate.abs()) {
                    let intervals = self.last_intervals(number, 3);
                    let shrinks = intervals.windows(2).all(|pair| pair[0] < 0.95 * pair[1]);
                    let accumulates = intervals.len() == 3 && shrinks && intervals[0] < 1e-6;
                    return if accumulates {
                        Ok(Some(Ending::Accumulation { t: self.t }))
                    } else {
                        Err(Unclear)
                    };
                }
            } else if distance < UNCLEAR * (1.0 + rate.abs()) {
                return Err(Unclear);
            }
        }
        if self.firings.len() >= MOST_FIRINGS {
            return Err(Unclear);
        }
        let intervals = self.last_intervals(number, ACCUMULATED_INTERVALS);
        let accumulates =
            intervals.len() == ACCUMULATED_INTERVALS && intervals.iter().all(|it| *it < ACCUMULATED);
        Ok(accumulates.then_some(Ending::Accumulation { t: self.t }))
    }

    /// Returns the last `count` intervals between firings of an event, the latest interval first.
    fn last_intervals(&self, number: usize, count: usize) -> Vec<f64> {
        let own = self.firings.iter().rev().filter(|it| it.event == number + 1).map(|it| it.t);
        let own: Vec<f64> = own.take(count + 1).collect();
        own.windows(2).map(|pair| (pair[0] - pair[1]).abs()).collect()
    }

    fn switch(&mut self, switch: usize, argument: usize) -> Result<Option<Ending>, Unclear> {
        let function = &self.problem.switches[switch].arguments[argument];
        let came = function.rate(self.t, &self.rates_at(&self.x));
        self.sides[switch][argument] = !self.sides[switch][argument];
        self.turn_on();
        let goes = function.rate(self.t, &self.rates_at(&self.x));
        if goes.abs() < 1e-3 {
            return Err(Unclear);
        }
        for event in &self.problem.events {
            let u = event.guard.argument.value(self.t, &self.x);
            if (u - event.guard.shape.nearest_boundary(u)).abs() < UNCLEAR {
                return Err(Unclear);
            }
        }
        self.leaving.fill(None);
        Ok((came * goes < 0.0).then_some(Ending::Sliding { t: self.t }))
    }
}
