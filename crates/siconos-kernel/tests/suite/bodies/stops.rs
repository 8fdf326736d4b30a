//! Stops for angles of half a revolution and more.

use std::f64::consts::PI;

use siconos_kernel::prelude::*;
use siconos_testkit::random::RandomState;

use super::{orientation, vector};

/// Body that rotates between stops, relative to a point in space or to a second body.
struct Turning {
    stops: (f64, f64),
    speed: f64,
    restitution: f64,
    h: f64,
    projection: Option<Projection>,
    has_second: bool,
}

impl Turning {
    /// Simulates up to the time `end`. The angle is integrated from the angular velocities, which have no
    /// branches.
    ///
    /// Returns the largest excess of the angle beyond a stop, and the relative angular velocities after the
    /// impacts.
    fn run(&self, end: f64, draw: &mut RandomState) -> Result<(f64, Vec<f64>), Error> {
        let (point, direction) = (vector(draw, 1.0), vector(draw, 1.0));
        let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        let axis = direction.map(|x| x / length);
        let ball = |orientation: Quaternion, speed: f64| {
            let omega = orientation.rotate_back(axis.map(|x| speed * x));
            NewtonEuler::new(1.0, 0.1, point, orientation).with_twist([0.0; 3], omega)
        };
        let bodies = [ball(orientation(draw), self.speed), ball(orientation(draw), 0.0)];
        let hinge = match self.has_second {
            true => Joint::revolute((&bodies[0], &bodies[1]), point, axis)?,
            false => Joint::revolute(&bodies[0], point, axis)?,
        };
        let stops = hinge.angle().expect("a hinge turns").stops(self.stops.0, self.stops.1)?;
        let of_body = bodies.each_ref().map(|body| Quaternion::of_body(body.q0()).rotate_back(axis));
        let mut model = NonSmoothDynamicalSystem::new();
        let mut ids = Vec::new();
        for body in bodies.into_iter().take(1 + usize::from(self.has_second)) {
            ids.push(model.add_system(body)?);
        }
        let condition = hinge.condition()?;
        model.add_interaction(ids.clone(), hinge, condition)?;
        model.add_interaction(ids.clone(), stops, NewtonImpact::new(self.restitution)?)?;
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, end, self.h)?)
            .integrator(MoreauJean { projection: self.projection, ..MoreauJean::default() })
            .build()?;
        let mut state = simulation.initial_state(&model)?;
        let rate = |state: &State| {
            let of = |(&id, axis): (&DynamicalSystemId, &[f64; 3])| -> f64 {
                state.v(id)[3..].iter().zip(axis).map(|(omega, axis)| omega * axis).sum()
            };
            let rates: Vec<f64> = ids.iter().zip(&of_body).map(of).collect();
            rates[0] - rates.get(1).unwrap_or(&0.0)
        };
        let (mut angle, mut omega, mut beyond, mut rates) = (0.0_f64, rate(&state), 0.0_f64, Vec::new());
        rates.push(omega);
        while simulation.step(&model, &mut state)?.is_some() {
            let next = rate(&state);
            angle += 0.5 * self.h * (omega + next);
            if (next - omega).abs() > 1e-9 {
                rates.push(next);
            }
            omega = next;
            beyond = beyond.max(angle - self.stops.1).max(self.stops.0 - angle);
        }
        Ok((beyond, rates))
    }

    /// Checks that the angle exceeds a stop by at most one step, and that every impact satisfies the impact
    /// law.
    fn check(&self, end: f64, draw: &mut RandomState) -> Result<(), Error> {
        let (beyond, rates) = self.run(end, draw)?;
        let Self { stops, speed, restitution, h, .. } = self;
        let name = format!("{stops:?}, {speed} rad/s, e = {restitution}, h = {h}, {:?}", self.projection);
        assert!(beyond <= 1.01 * h * speed, "{name}: {beyond} beyond a stop");
        let width = stops.1 - stops.0;
        for pair in rates.windows(2) {
            assert!((pair[1] + restitution * pair[0]).abs() < 1e-7 * speed, "{name}: {rates:?}");
        }
        if self.projection.is_none() {
            // One impact at the first stop. If e = 1, there is one more for each passage between the stops; a
            // passage is longer than the distance of the stops by at most a step at each end.
            let step = h * speed;
            let ways = (speed * end - stops.1 - step) / (width + 2.0 * step);
            let least = 1 + if *restitution == 1.0 { ways as usize } else { 0 };
            assert!(rates.len() > least, "{name}: {rates:?}");
        }
        Ok(())
    }
}

const WIDE: [(f64, f64); 6] =
    [(-PI, PI), (-3.1, 3.1), (-3.13, 3.13), (-1.5 * PI, 1.5 * PI), (-0.3, 2.5 * PI), (-0.1, 3.1)];

const PROJECTIONS: [Option<Projection>; 3] = [None, Some(Projection::Direct), Some(Projection::Combined)];

fn all(speeds: usize, h: f64, end: f64) -> Result<(), Error> {
    let mut draw = RandomState::new(4);
    for stops in WIDE.into_iter().chain([(-1.5, 1.5)]) {
        for restitution in [0.0, 0.5, 1.0] {
            for projection in PROJECTIONS {
                for k in 0..speeds {
                    let speed = 2.0 + 8.0 * (k as f64 + draw.between(0.0, 1.0)) / speeds as f64;
                    let has_second = k % 2 == 1;
                    Turning { stops, speed, restitution, h, projection, has_second }.check(end, &mut draw)?;
                }
            }
        }
    }
    Ok(())
}

#[test]
fn no_body_passes_a_stop_near_half_a_turn() -> Result<(), Error> {
    all(3, 1e-2, 4.0)
}

#[test]
#[ignore = "minutes: cargo xtask battery"]
fn battery_no_body_passes_a_stop_near_half_a_turn() -> Result<(), Error> {
    all(30, 1e-2, 20.0)?;
    all(30, 1e-3, 4.0)?;
    all(10, 0.1, 40.0)
}

#[test]
fn stops_through_more_turns_than_attitudes_tell_are_refused() -> Result<(), Error> {
    let body = NewtonEuler::new(1.0, 1.0, [0.0; 3], Quaternion::IDENTITY);
    let angle = Joint::revolute(&body, [0.0; 3], [0.0, 1.0, 0.0])?.angle().expect("it turns");
    for (lower, upper) in [(-4.8, 4.8), (-0.5, 9.0), (4.6, 5.0), (-5.0, -4.6)] {
        assert_eq!(angle.stops(lower, upper).err(), Some(ModelError::StopsOfAngle { lower, upper }));
    }
    for (lower, upper) in [(-PI, PI), (-4.7, 4.7), (0.0, 9.4), (-1.0, 8.0), (4.0, 5.0)] {
        assert!(angle.stops(lower, upper).is_ok(), "{lower}, {upper}");
    }
    let way = Joint::prismatic(&body, [0.0; 3], [0.0, 1.0, 0.0])?.displacement().expect("it slides");
    assert!(way.stops(-4.0, 40.0).is_ok());
    Ok(())
}

/// The gaps are compared with the exact angle, over two revolutions in both directions.
#[test]
fn gaps_of_stops_follow_the_angle() -> Result<(), Error> {
    let mut draw = RandomState::new(5);
    for (lower, upper) in WIDE {
        let (orientation, axis) = (orientation(&mut draw), [0.6, 0.0, -0.8]);
        let body = NewtonEuler::new(1.0, 1.0, [0.0; 3], orientation);
        let stops = Joint::revolute(&body, [0.0; 3], axis)?.angle().expect("it turns").stops(lower, upper)?;
        let mut model = NonSmoothDynamicalSystem::new();
        let id = model.add_system(body)?;
        let stops = model.add_interaction([id], stops, NewtonImpact::new(0.0)?)?;
        let mut state = State::new(&model, 0.0);
        let margin = 2.0 * PI - 0.5 * (upper - lower);
        for k in 0..=1000 {
            let angle = lower - 0.99 * margin + (upper - lower + 1.98 * margin) * f64::from(k) / 1000.0;
            let Quaternion([w, x, y, z]) = Quaternion::about(axis, angle) * orientation;
            state.set_position(id, &[0.0, 0.0, 0.0, w, x, y, z])?;
            let found = state.output(&model, stops)?;
            let off = (found[0] - (angle - lower)).abs().max((found[1] - (upper - angle)).abs());
            assert!(off < 1e-13, "{lower}, {upper}: {found:?} at {angle}");
        }
    }
    Ok(())
}

/// For narrow stops, the sign of the quaternion has no effect.
#[test]
fn narrow_stops_do_not_read_the_sign_of_an_attitude() -> Result<(), Error> {
    let body = NewtonEuler::new(1.0, 1.0, [0.0; 3], Quaternion::IDENTITY);
    let stops =
        Joint::revolute(&body, [0.0; 3], [1.0, 0.0, 0.0])?.angle().expect("it turns").stops(-0.5, 2.5)?;
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(body)?;
    let stops = model.add_interaction([id], stops, NewtonImpact::new(0.0)?)?;
    let mut state = State::new(&model, 0.0);
    for angle in [-2.0, -0.6, 0.0, 1.0, 2.6, 4.0] {
        for sign in [1.0, -1.0] {
            let Quaternion(turned) = Quaternion::about([1.0, 0.0, 0.0], angle);
            let [w, x, y, z] = turned.map(|q| sign * q);
            state.set_position(id, &[0.0, 0.0, 0.0, w, x, y, z])?;
            let found = state.output(&model, stops)?;
            assert!((found[0] - (angle + 0.5)).abs() < 1e-14, "{angle}: {found:?}");
            assert!((found[1] - (2.5 - angle)).abs() < 1e-14, "{angle}: {found:?}");
        }
    }
    Ok(())
}
