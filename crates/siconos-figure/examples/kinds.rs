//! Draws each kind of figure, with motions that are known in closed form or from a simple recurrence.
//!
//! `cargo run --package siconos-figure --example kinds -- FOLDER` writes them as PNG and SVG.

use std::error::Error;
use std::path::{Path, PathBuf};

use siconos_figure::kinds::{self, Contact, Orbit, Points, Profile};
use siconos_figure::{Colour, Curve, Figure, Panel};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("target/kinds"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let ball = Ball::thrown();
    save(&folder, "time_series", Figure::new("A ball that bounces", time_series(&ball)))?;
    save(&folder, "many_series", Figure::new("Forty pendulums", vec![family(40)]))?;
    save(&folder, "dozen_series", Figure::new("A dozen pendulums", vec![family(12)]))?;
    save(&folder, "phase_portrait", Figure::new("A ball that bounces", vec![phase_portrait(&ball)]))?;
    save(&folder, "maps", Figure::grid("Two maps", 2, maps()).with_size(1100, 460))?;
    save(&folder, "bifurcation", Figure::new("Logistic map", vec![bifurcation()]).with_size(1100, 460))?;
    save(&folder, "energy", Figure::new("Energy of a ball", vec![energy(&ball)?]))?;
    save(&folder, "gap_and_impulse", Figure::new("Contact of a ball", contact(&ball)?.to_vec()))?;
    save(&folder, "convergence", Figure::new("Two methods", vec![convergence()]).with_size(880, 420))?;
    save(&folder, "performance_profile", Figure::new("Five methods", vec![profile()]).with_size(900, 480))
}

fn save(folder: &Path, name: &str, figure: Figure) -> Result<(), Box<dyn Error>> {
    for extension in ["png", "svg"] {
        figure.save(folder.join(name).with_extension(extension))?;
    }
    Ok(())
}

/// A ball of 1 kg under gravity that keeps 0.8 of its speed at each impact. Each impact has two rows.
struct Ball {
    t: Vec<f64>,
    height: Vec<f64>,
    velocity: Vec<f64>,
    impulse: Vec<f64>,
}

const GRAVITY: f64 = 9.81;
const RESTITUTION: f64 = 0.8;

impl Ball {
    fn thrown() -> Self {
        let mut ball = Self { t: vec![], height: vec![], velocity: vec![], impulse: vec![] };
        let (mut start, mut speed) = (0.0, 6.0);
        for _flight in 0..12 {
            let flight = 2.0 * speed / GRAVITY;
            for part in 0..=40 {
                let s = flight * f64::from(part) / 40.0;
                let impulse = if part == 0 && start > 0.0 { speed * (1.0 + 1.0 / RESTITUTION) } else { 0.0 };
                ball.t.push(if part == 40 { start + flight } else { start + s });
                ball.height.push(s * (speed - 0.5 * GRAVITY * s));
                ball.velocity.push(speed - GRAVITY * s);
                ball.impulse.push(impulse);
            }
            start += flight;
            speed *= RESTITUTION;
        }
        ball
    }

    fn over_time(&self, values: &[f64]) -> Points {
        self.t.iter().copied().zip(values.iter().copied()).collect()
    }
}

fn time_series(ball: &Ball) -> Vec<Panel> {
    vec![
        kinds::time_series("height q [m]", [("", ball.over_time(&ball.height))]),
        kinds::time_series("velocity v [m/s]", [("", ball.over_time(&ball.velocity))]),
    ]
}

/// Pendulums of different lengths.
fn family(count: u32) -> Panel {
    let swing = |k: u32| {
        let omega = 2.0 + 0.05 * f64::from(k);
        let at = |step: u32| (0.01 * f64::from(step), (omega * 0.01 * f64::from(step)).cos());
        (format!("pendulum {k}"), (0..600).map(at).collect::<Points>())
    };
    kinds::time_series("angle [rad]", (0..count).map(swing))
}

fn phase_portrait(ball: &Ball) -> Panel {
    let points = ball.height.iter().copied().zip(ball.velocity.iter().copied()).collect();
    let orbit = Orbit { label: String::new(), t: ball.t.clone(), points };
    kinds::phase_portrait("height q [m]", "velocity v [m/s]", [orbit])
}

/// The attractor of Hénon's map, and the impacts of a ball on a vibrating table.
fn maps() -> Vec<Panel> {
    let henon = |(x, y): &(f64, f64)| Some((1.0 - 1.4 * x * x + y, 0.3 * x));
    let attractor = std::iter::successors(Some((0.0, 0.0)), henon).skip(100).take(20_000).collect();
    // The motion of the table is small compared with the flights, so the speed alone determines the phase of
    // the next impact.
    let shaken =
        |(phase, speed): &(f64, f64)| Some((phase + speed, 0.5 * speed + 6.0 * (phase + speed).cos().abs()));
    let impacts = std::iter::successors(Some((0.1, 1.0)), shaken).skip(100).take(4000);
    let impacts = impacts.map(|(phase, speed)| (phase.to_degrees(), -speed)).collect();
    vec![
        Panel { title: "Henon".to_owned(), ..kinds::poincare_map("x [1]", "y [1]", [("", attractor)]) },
        Panel {
            title: "Impacts".to_owned(),
            ..kinds::impact_map("phase of the table [°]", 360.0, "speed before [1]", [("", impacts)])
        },
    ]
}

fn bifurcation() -> Panel {
    let settled = |r: f64| {
        let orbit = std::iter::successors(Some(0.4), move |x: &f64| Some(r * x * (1.0 - x)));
        orbit.skip(500).take(120).map(move |x| (r, x))
    };
    let cloud = (0..=1200).flat_map(|k| settled(2.8 + 0.001 * f64::from(k))).collect();
    kinds::bifurcation("growth r [1]", "population x [1]", [("", cloud)])
}

fn energy(ball: &Ball) -> Result<Panel, Box<dyn Error>> {
    let kinetic = ball.velocity.iter().map(|v| 0.5 * v * v).collect::<Vec<_>>();
    let potential = ball.height.iter().map(|q| GRAVITY * q).collect::<Vec<_>>();
    Ok(kinds::energy(&ball.t, [("kinetic", kinetic), ("potential", potential)])?)
}

fn contact(ball: &Ball) -> Result<[Panel; 2], Box<dyn Error>> {
    let contact = Contact { label: String::new(), gap: ball.height.clone(), impulse: ball.impulse.clone() };
    Ok(kinds::gap_and_impulse(&ball.t, [contact])?)
}

/// x' = -x to t = 1, by Euler's method and by the midpoint rule.
fn convergence() -> Panel {
    let error = |steps: u32, factor: f64| (factor.powi(steps.cast_signed()) - (-1.0_f64).exp()).abs();
    let over_steps = |factor: fn(f64) -> f64| {
        let counts = (0..10).map(|k| 4_u32 << k);
        counts.map(|n| (1.0 / f64::from(n), error(n, factor(1.0 / f64::from(n))))).collect::<Points>()
    };
    let methods = [
        ("explicit Euler", over_steps(|h| 1.0 - h)),
        ("midpoint", over_steps(|h| (1.0 - 0.5 * h) / (1.0 + 0.5 * h))),
    ];
    let panel = kinds::convergence("step h [s]", "error at t = 1 s [1]", methods, &[1.0, 2.0]);
    panel.with(Curve::dashed("rounding", vec![(1e-3, 2e-16), (0.25, 2e-16)]).coloured(Colour::Orange))
}

fn profile() -> Panel {
    let method = |k: u32| Profile {
        label: format!("method {k}"),
        ratios: (0..30_u32 - 3 * k)
            .map(|problem| 1.0 + f64::from((problem * (k + 3)) % 17) * f64::from(k) / 4.0)
            .collect(),
    };
    kinds::performance_profile(30, (0..5).map(method))
}
