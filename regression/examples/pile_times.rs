//! How long contact solvers take as a pile of spheres grows: a figure on two logarithmic axes.
//!
//! `cargo run --release --package siconos-regression --example pile_times` writes
//! `docs/figures/contact_pile_times.svg`. Each solve begins at r = 0; a method leaves where it did not
//! converge, or where the next solve is expected to take minutes.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use siconos_figure::{Curve, Figure, Panel, Scale};
use siconos_numerics::Method;
use siconos_numerics::contact::ContactMethod;
use siconos_testkit::contact::{KnownContact, spheres};

/// The error at which a point counts as a solution.
const TOLERANCE: f64 = 1e-4;

/// The coefficient of friction of all contacts.
const MU: f64 = 0.3;

/// Contacts of the piles.
const CONTACTS: [usize; 8] = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000];

/// No larger pile is tried whose solve is expected to take longer \[s\].
const PATIENCE: f64 = 60.0;

/// A solve of less than this is repeated, and the best time counts \[s\].
const WORTH_REPEATING: f64 = 0.5;

/// The methods by name.
const METHODS: [&str; 4] = ["nonsmooth-gauss-seidel", "interior-point", "proximal-point", "auto"];

/// Sweeps of Gauss-Seidel at most.
const MOST_SWEEPS: usize = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut curves: Vec<(&str, Vec<(f64, f64)>)> = Vec::new();
    for name in METHODS {
        curves.push((name, Vec::new()));
        for contacts in CONTACTS {
            let Some((_, points)) = curves.last_mut() else { break };
            // As if dense matrices were factorised.
            let expected = points.last().map(|(n, seconds)| seconds * (contacts as f64 / n).powi(3));
            if expected.is_some_and(|expected| expected > PATIENCE) {
                break;
            }
            let problem = spheres(contacts, MU, 1);
            let Some(seconds) = time(name, &problem)? else { break };
            points.push((problem.law.view().blocks() as f64, seconds));
            // After each point, so that a run that is cut short leaves what it has.
            draw(&curves)?;
        }
    }
    Ok(())
}

fn draw(curves: &[(&str, Vec<(f64, f64)>)]) -> Result<(), Box<dyn Error>> {
    let mut panel = Panel {
        x_scale: Scale::Logarithmic,
        y_scale: Scale::Logarithmic,
        ..Panel::new("", "contacts N", "time of a solve [s]")
    };
    for (name, points) in curves {
        let label = match exponent(points) {
            Some(exponent) => format!("{name}, time ~ N^{exponent:.1}"),
            None => (*name).to_owned(),
        };
        panel = panel.with(Curve::line(label, points.clone()));
    }
    let title = format!("Piles of spheres, friction {MU}, from r = 0 to an error of {TOLERANCE:.0e}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/figures/contact_pile_times.svg");
    std::fs::write(path, Figure::new(title, vec![panel]).with_size(880, 420).to_svg()?)?;
    Ok(())
}

/// The best time of a few solves, if they converge.
fn time(name: &str, problem: &KnownContact) -> Result<Option<f64>, Box<dyn Error>> {
    let mut method = ContactMethod::from_name(name).ok_or("there is no such method")?;
    method.set_tolerance(TOLERANCE);
    if name == "nonsmooth-gauss-seidel" {
        method.set_max_iterations(MOST_SWEEPS);
    }
    let mut solver = method.build()?;
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let (mut r, mut u) = (vec![0.0; problem.q.len()], vec![0.0; problem.q.len()]);
        let begin = Instant::now();
        let info = solver.solve(&problem.view(), &mut r, &mut u)?;
        best = best.min(begin.elapsed().as_secs_f64());
        println!("{name}, {} contacts: {best:.4} s, {info:?}", problem.law.view().blocks());
        if !info.status.is_success() {
            return Ok(None);
        }
        if best > WORTH_REPEATING {
            break;
        }
    }
    Ok(Some(best))
}

/// The slope of the line through the logarithms, by least squares; from three points on.
fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    if points.len() < 3 {
        return None;
    }
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(n, t)| (n.ln(), t.ln())).collect();
    let count = logarithms.len() as f64;
    let mean_x = logarithms.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logarithms.iter().map(|(_, y)| y).sum::<f64>() / count;
    let (mut products, mut squares) = (0.0, 0.0);
    for (x, y) in logarithms {
        products += (x - mean_x) * (y - mean_y);
        squares += (x - mean_x) * (x - mean_x);
    }
    Some(products / squares)
}
