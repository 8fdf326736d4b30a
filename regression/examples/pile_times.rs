//! Times of contact solvers for piles of spheres of increasing size: a figure with logarithmic axes and a
//! panel for each friction coefficient and error.
//!
//! `cargo run --release --package siconos-regression --example pile_times` writes
//! `docs/figures/contact_pile_times.svg`. Each solve starts at r = 0. The curve of a method ends where it
//! does not converge, or where the next solve is expected to take too long.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use siconos_figure::{Colour, Curve, Figure, Panel, Scale};
use siconos_linalg::Matrix;
use siconos_numerics::contact::{
    Auto, AutoSettings, Contact, GaussSeidelSettings, NonsmoothGaussSeidel, VelocityAdmm,
    VelocityAdmmSettings, VelocityInteriorPoint, VelocityInteriorPointSettings,
};
use siconos_numerics::{SolveInfo, Solver, SolverError};
use siconos_testkit::contact::{KnownContact, spheres, spheres_global};

/// Coefficients of friction, with the errors at which a point counts as a solution.
const CASES: [(f64, f64); 6] = [(0.1, 1e-3), (0.1, 1e-8), (0.3, 1e-3), (0.3, 1e-4), (1.0, 1e-3), (1.0, 1e-8)];

/// Numbers of contacts of the piles.
const CONTACTS: [usize; 8] = [200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000];

/// Expected time of a solve above which no larger pile is tried \[s\].
const PATIENCE: f64 = 30.0;

/// Time below which a solve is repeated and the shortest time is taken \[s\].
const WORTH_REPEATING: f64 = 0.1;

/// Largest numbers of Gauss-Seidel sweeps and of ADMM iterations.
const MOST_SWEEPS: usize = 20_000;
const MOST_ITERATIONS: usize = 3000;

/// Curves of a panel: names, and points of contacts and seconds.
type Case = Vec<(&'static str, Vec<(f64, f64)>)>;

/// Method of a curve.
#[derive(Clone, Copy, Debug)]
enum Curves {
    Sweeps,
    Admm,
    InteriorPoint,
    Auto,
}

const METHODS: [(Curves, &str); 4] = [
    (Curves::Sweeps, "sweeps"),
    (Curves::Admm, "ADMM"),
    (Curves::InteriorPoint, "interior points"),
    (Curves::Auto, "Auto"),
];

/// Pile in both formulations.
struct Pile {
    local: KnownContact,
    m: Matrix,
    h: Matrix,
}

impl Pile {
    fn of(contacts: usize, mu: f64) -> Self {
        let (local, global) = (spheres(contacts, mu, 1), spheres_global(contacts, mu, 1));
        let (m, h) = global.bodies();
        Self { local, m, h }
    }

    fn contacts(&self) -> f64 {
        self.local.law.view().blocks() as f64
    }

    /// Solves the contact problem and returns the result and the error.
    fn solve(&self, method: Curves, tolerance: f64) -> Result<(SolveInfo, f64), Box<dyn Error>> {
        let sweeps = GaussSeidelSettings { tolerance, max_iterations: MOST_SWEEPS, ..Default::default() };
        let admm = VelocityAdmmSettings {
            tolerance,
            max_iterations: MOST_ITERATIONS,
            ..VelocityAdmmSettings::for_piles()
        };
        let interior = VelocityInteriorPointSettings { tolerance, polish_from: 0.0, ..Default::default() };
        Ok(match method {
            Curves::Sweeps => self.solve_with(&mut NonsmoothGaussSeidel::new(sweeps)?)?,
            Curves::Admm => self.solve_with(&mut VelocityAdmm::new(admm)?)?,
            Curves::InteriorPoint => self.solve_with(&mut VelocityInteriorPoint::new(interior)?)?,
            Curves::Auto => {
                self.solve_with(&mut Auto::new(AutoSettings { tolerance, ..Default::default() })?)?
            }
        })
    }

    fn solve_with(&self, solver: &mut impl Solver<Class = Contact>) -> Result<(SolveInfo, f64), SolverError> {
        let (mut r, mut u) = (vec![0.0; self.local.q.len()], vec![0.0; self.local.q.len()]);
        let problem = self.local.view().with_bodies(&self.m, &self.h)?;
        let info = solver.solve(&problem, &mut r, &mut u)?;
        Ok((info, info.error))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut panels: Vec<Case> = Vec::new();
    for (mu, tolerance) in CASES {
        panels.push(Vec::new());
        for (method, name) in METHODS {
            let mut points: Vec<(f64, f64)> = Vec::new();
            for contacts in CONTACTS {
                let expected = points.last().map(|(n, t)| t * (contacts as f64 / n).powi(2));
                if expected.is_some_and(|expected| expected > PATIENCE) {
                    break;
                }
                let pile = Pile::of(contacts, mu);
                let Some(seconds) = time(&pile, method, tolerance)? else { break };
                points.push((pile.contacts(), seconds));
            }
            if let Some(panel) = panels.last_mut() {
                panel.push((name, points));
            }
            // After each curve, so that an interrupted run leaves the finished curves.
            draw(&panels)?;
        }
    }
    Ok(())
}

fn draw(panels: &[Case]) -> Result<(), Box<dyn Error>> {
    let of_case = |((mu, tolerance), curves): (&(f64, f64), &Case)| {
        let title = format!("friction {mu}, to {tolerance:.0e}");
        let panel = Panel {
            x_scale: Scale::Logarithmic,
            y_scale: Scale::Logarithmic,
            ..Panel::new(title, "contacts N", "time of a solve [s]")
        };
        let curves = curves.iter().enumerate().filter(|(_, (_, points))| !points.is_empty());
        curves.fold(panel, |panel, (number, (name, points))| {
            let label = match exponent(points) {
                Some(exponent) => format!("{name}, N^{exponent:.1}"),
                None => (*name).to_owned(),
            };
            panel.with(Curve::line(label, points.clone()).coloured(Colour::cycle(number)))
        })
    };
    let panels: Vec<Panel> = CASES.iter().zip(panels).map(of_case).collect();
    let title = "Piles of spheres, from r = 0: the time of a solve";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/figures/contact_pile_times.svg");
    std::fs::write(path, Figure::grid(title, 2, panels).with_size(1100, 1100).to_svg()?)?;
    Ok(())
}

/// Returns the shortest time of up to three solves, or `None` if a solve does not converge.
fn time(pile: &Pile, method: Curves, tolerance: f64) -> Result<Option<f64>, Box<dyn Error>> {
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let begin = Instant::now();
        let (info, error) = pile.solve(method, tolerance)?;
        best = best.min(begin.elapsed().as_secs_f64());
        let (name, contacts) = (&pile.local.name, pile.contacts());
        println!(
            "{name}, {contacts} contacts, to {tolerance:.0e}, {method:?}: {best:.4} s, {info:?}, {error:.2e}"
        );
        if error.is_nan() || error > 1.01 * tolerance {
            return Ok(None);
        }
        if best > WORTH_REPEATING {
            break;
        }
    }
    Ok(Some(best))
}

/// Returns the slope of a least-squares line through the logarithms, over piles of at least 1000 contacts, or
/// `None` for fewer than three points.
fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let large = points.iter().filter(|(n, _)| *n >= 1000.0);
    let logarithms: Vec<(f64, f64)> = large.map(|(n, t)| (n.ln(), t.ln())).collect();
    if logarithms.len() < 3 {
        return None;
    }
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
