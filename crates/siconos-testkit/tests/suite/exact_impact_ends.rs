//! Ends of the motion of impact oscillators: situations in which arcs and impacts do not determine the next
//! impact, and situations close to them.

use siconos_testkit::compare::assert_close_scalar;
use siconos_testkit::exact::{Arc, End, ImpactOscillator, Obstacle, Oscillator, Scan, Until};

/// Returns an oscillator u'' + u = 0 above a fixed floor.
fn cosine_above(floor: f64, cell: f64) -> ImpactOscillator {
    let oscillator = Oscillator::new(1.0, 0.0, 1.0, 0.0);
    ImpactOscillator::new(oscillator, 0.9, Obstacle::fixed(floor), Scan::cells(cell))
}

/// Returns a body that falls on an obstacle under gravity 1.
fn falling_on(obstacle: Obstacle, restitution: f64) -> ImpactOscillator {
    ImpactOscillator::new(Oscillator::new(1.0, 0.0, 0.0, -1.0), restitution, obstacle, Scan::cells(1e-2))
}

const TOP: Arc = Arc { t: 0.0, u: 1.0, v: 0.0 };

#[test]
fn a_contact_without_velocity_is_grazing() {
    let motion = cosine_above(-1.0, 0.01).solve(TOP, Until::Time(10.0));
    let End::Grazing { t } = motion.end else { panic!("{:?}", motion.end) };
    assert_close_scalar("time", t, std::f64::consts::PI, 1e-6, 0.0);
    assert!(motion.impacts.is_empty());
}

#[test]
fn next_to_grazing_it_misses_or_hits() {
    let misses = cosine_above(-1.0 - 1e-9, 0.01).solve(TOP, Until::Time(10.0));
    assert_eq!((misses.end, misses.impacts.len()), (End::TimeReached, 0));
    let hits = cosine_above(-1.0 + 1e-9, 0.01).solve(TOP, Until::Impacts { count: 1, latest: 10.0 });
    assert_eq!(hits.impacts.len(), 1);
    // cos t = -1 + x at t = pi - sqrt(2 x), with the speed sqrt(2 x) to first order.
    let off = 2e-9_f64.sqrt();
    assert_close_scalar("time", hits.impacts[0].t, std::f64::consts::PI - off, 1e-10, 0.0);
    assert_close_scalar("speed", hits.impacts[0].v_minus, -off, 1e-10, 0.0);
}

#[test]
fn a_dip_inside_one_cell_is_seen() {
    // The body is below the floor for a time of 0.09 within one cell of 0.5, but not at the ends of the cell.
    let motion = cosine_above(-0.999, 0.5).solve(TOP, Until::Impacts { count: 1, latest: 10.0 });
    assert_eq!(motion.end, End::ImpactsReached);
    assert_close_scalar("time", motion.impacts[0].t, (-0.999_f64).acos(), 1e-13, 0.0);
}

#[test]
fn without_restitution_a_falling_body_stays_down() {
    let motion = falling_on(Obstacle::fixed(0.0), 0.0).solve(TOP, Until::Time(10.0));
    let End::PersistentContact { t } = motion.end else { panic!("{:?}", motion.end) };
    assert_close_scalar("time", t, 2.0_f64.sqrt(), 1e-14, 0.0);
    assert_eq!((motion.impacts.len(), motion.impacts[0].v_plus), (1, 0.0));
}

#[test]
fn at_rest_on_the_floor_nothing_happens() {
    let rest = Arc { t: 2.0, u: 0.0, v: 0.0 };
    let motion = falling_on(Obstacle::fixed(0.0), 0.9).solve(rest, Until::Time(10.0));
    assert_eq!((motion.end, motion.t_end), (End::PersistentContact { t: 2.0 }, 2.0));
    assert_eq!(motion.state(2.0), (0.0, 0.0));
}

#[test]
fn from_a_floor_that_falls_away_it_would_leave() {
    // The floor accelerates downwards at 3, which is more than the gravity of 1.
    let floor = Obstacle::new(|t| -1.5 * t * t, |t| -3.0 * t);
    let motion = falling_on(floor, 0.9).solve(Arc { t: 0.0, u: 0.0, v: 0.0 }, Until::Time(1.0));
    assert_eq!((motion.end, motion.impacts.len()), (End::SlowImpact { t: 0.0 }, 0));
}

#[test]
fn a_body_that_touches_and_approaches_starts_with_an_impact() {
    let start = Arc { t: 1.0, u: 0.0, v: -2.0 };
    let motion = falling_on(Obstacle::fixed(0.0), 0.5).solve(start, Until::Impacts { count: 2, latest: 9.0 });
    assert_eq!((motion.impacts[0].t, motion.impacts[0].v_plus), (1.0, 1.0));
    assert_close_scalar("second", motion.impacts[1].t, 3.0, 1e-14, 0.0);
    assert_eq!(motion.state(1.0), (0.0, 1.0));
}

#[test]
fn a_body_that_touches_and_leaves_just_flies() {
    let start = Arc { t: 0.0, u: 0.0, v: 1.0 };
    let motion = falling_on(Obstacle::fixed(0.0), 1.0).solve(start, Until::Time(9.0));
    assert_eq!(motion.end, End::TimeReached);
    let times: Vec<f64> = motion.impacts.iter().map(|impact| impact.t).collect();
    siconos_testkit::compare::assert_close("times", &times, &[2.0, 4.0, 6.0, 8.0], 1e-13, 0.0);
}

#[test]
fn a_start_below_the_obstacle_is_refused() {
    let motion = falling_on(Obstacle::fixed(1.5), 0.5).solve(TOP, Until::Time(1.0));
    assert_eq!(motion.end, End::StartsInside { depth: 0.5 });
}

#[test]
fn impacts_that_do_not_come_end_with_the_time() {
    let motion = cosine_above(-2.0, 0.1).solve(TOP, Until::Impacts { count: 3, latest: 20.0 });
    assert_eq!((motion.end, motion.t_end), (End::TimeReached, 20.0));
    assert_close_scalar("cosine", motion.state(20.0).0, 20.0_f64.cos(), 1e-14, 0.0);
}

#[test]
fn slow_bounces_above_the_resolution_are_followed() {
    // The speed after the first impact is 1e-7, and the flight lasts 2e-7. The first cells have the length
    // 1e-8.
    let start = Arc { t: 0.0, u: 0.0, v: 1e-7 };
    let motion = falling_on(Obstacle::fixed(0.0), 1.0).solve(start, Until::Impacts { count: 3, latest: 1.0 });
    assert_eq!(motion.end, End::ImpactsReached);
    assert_close_scalar("third", motion.impacts[2].t, 6e-7, 1e-15, 0.0);
}

#[test]
#[should_panic(expected = "outside the motion")]
fn nothing_is_told_beyond_the_end() {
    let motion = falling_on(Obstacle::fixed(0.0), 0.0).solve(TOP, Until::Time(10.0));
    let _ = motion.state(2.0);
}
