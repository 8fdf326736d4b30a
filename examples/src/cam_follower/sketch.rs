//! Drawing of the cam and the follower, to scale (figure 10.1 a and b of the developer's notes).

use std::f64::consts::TAU;

use siconos_figure::{Colour, Curve, Panel};

use super::Cam;

/// Distance \[m\] between the two drawings, and distance \[m\] from the axis of the cam to the frame that
/// holds the spring.
const APART: f64 = 2.0;
const FRAME: f64 = 1.75;

/// Half the width of the mass, its height, and its distance from the tip of the follower \[m\].
const HALF_MASS: f64 = 0.16;
const MASS: f64 = 0.2;
const ROD: f64 = 0.3;

/// Number of windings of the spring, and half its width \[m\].
const WINDINGS: u32 = 7;
const HALF_SPRING: f64 = 0.09;

/// Returns a panel with two drawings of the cam and the follower in contact. In the first drawing the base
/// circle is at the top. The second drawing is half a turn later, with the nose at the top.
pub(super) fn sketch(cam: &Cam) -> Panel {
    let mut panel = Panel::drawing("Cam and follower, base circle up and nose up");
    for (index, t) in [-0.25 * cam.turn(), 0.25 * cam.turn()].into_iter().enumerate() {
        let middle = APART * index as f64;
        let at = |points: Vec<(f64, f64)>| points.into_iter().map(|(x, y)| (middle + x, y)).collect();
        let tip = Cam::axis_below() + cam.position(t);
        let grey = |points| Curve::line("", at(points)).coloured(Colour::Grey);
        let blue = |points| Curve::line("", at(points)).coloured(Colour::Blue);
        panel = panel
            .with(grey(outline(cam, t)))
            .with(grey(circle(0.05)))
            .with(blue(vec![(0.0, tip), (0.0, tip + ROD)]))
            .with(blue(mass(tip + ROD)))
            .with(grey(spring(tip + ROD + MASS)))
            .with(grey(vec![(-0.4, FRAME), (0.4, FRAME)]));
    }
    panel
}

/// Returns the contour of the cam at time t. The point above the axis is in contact at t. The point to the
/// left of the axis is in contact a quarter turn later.
fn outline(cam: &Cam, t: f64) -> Vec<(f64, f64)> {
    let points = (0..=360).map(|degree| TAU * f64::from(degree) / 360.0);
    let point = |angle: f64| {
        let radius = Cam::axis_below() + cam.position(t + angle / cam.angular_velocity());
        (-radius * angle.sin(), radius * angle.cos())
    };
    points.map(point).collect()
}

fn circle(radius: f64) -> Vec<(f64, f64)> {
    let point = |degree: i32| f64::from(degree).to_radians().sin_cos();
    (0..=360).step_by(10).map(point).map(|(sin, cos)| (radius * sin, radius * cos)).collect()
}

fn mass(bottom: f64) -> Vec<(f64, f64)> {
    let (left, right, top) = (-HALF_MASS, HALF_MASS, bottom + MASS);
    vec![(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]
}

fn spring(bottom: f64) -> Vec<(f64, f64)> {
    let corners = 2 * WINDINGS;
    let height = |corner: f64| bottom + (FRAME - bottom) * corner / f64::from(corners + 1);
    let side = |corner: u32| if corner.is_multiple_of(2) { HALF_SPRING } else { -HALF_SPRING };
    let mut points = vec![(0.0, bottom)];
    points.extend((1..=corners).map(|corner| (side(corner), height(f64::from(corner)))));
    points.push((0.0, FRAME));
    points
}
