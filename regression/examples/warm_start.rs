//! Effect of warm starts: a pile of spheres settles over 200 steps, each solved from r = 0 and from the
//! reactions of the previous step, by Gauss-Seidel sweeps, by ADMM in velocity space and by the automatic
//! choice.
//!
//! `cargo run --release --package siconos-regression --example warm_start` prints iterations and seconds. The
//! set of contacts is constant, so that ADMM with a constant penalty factorises once for all steps. A step
//! counts as unsolved if the error of the returned reactions exceeds the tolerance.

use std::error::Error;
use std::time::Instant;

use siconos_linalg::{Matrix, MatrixRef};
use siconos_numerics::contact::{
    Auto, AutoSettings, ContactProblem, GaussSeidelSettings, NonsmoothGaussSeidel, VelocityAdmm,
    VelocityAdmmSettings, error_of_point,
};
use siconos_numerics::{SolveInfo, Solver, SolverError};
use siconos_testkit::contact::{KnownContact, KnownGlobal, spheres, spheres_global};

const CONTACTS: usize = 1000;
const STEPS: usize = 200;
const TOLERANCE: f64 = 1e-3;
const MOST_ITERATIONS: usize = 50_000;

/// Method that solves one step of a pile with free velocities q and writes r.
type Step<'a> = Box<dyn FnMut(&[f64], &mut [f64]) -> Result<SolveInfo, SolverError> + 'a>;

/// Pile in both formulations.
struct Pile {
    local: KnownContact,
    global: KnownGlobal,
    m: Matrix,
    h: Matrix,
}

impl Pile {
    fn of(mu: f64) -> Self {
        let (local, global) = (spheres(CONTACTS, mu, 1), spheres_global(CONTACTS, mu, 1));
        let (m, h) = global.bodies();
        Self { local, global, m, h }
    }

    fn methods(&self) -> Result<Vec<(&'static str, Step<'_>)>, Box<dyn Error>> {
        let sweeps = GaussSeidelSettings {
            tolerance: TOLERANCE,
            max_iterations: MOST_ITERATIONS,
            ..Default::default()
        };
        let mut sweeps = NonsmoothGaussSeidel::new(sweeps)?;
        let admm = VelocityAdmmSettings {
            tolerance: TOLERANCE,
            max_iterations: MOST_ITERATIONS,
            ..VelocityAdmmSettings::for_piles()
        };
        let mut admm = VelocityAdmm::new(admm)?;
        let mut auto = Auto::new(AutoSettings { tolerance: TOLERANCE, ..Default::default() })?;
        let law = || self.local.law.view();
        let n = self.local.q.len();
        let mut u = vec![0.0; n];
        let mut of_auto = u.clone();
        let mut of_admm = u.clone();
        let swept = step(move |q, r| sweeps.solve(&ContactProblem::new(&self.local.w, q, law())?, r, &mut u));
        let alternated = step(move |q, r| {
            admm.solve(&ContactProblem::of_bodies(&self.m, &self.h, q, law())?, r, &mut of_admm)
        });
        let chosen = step(move |q, r| {
            let problem = ContactProblem::new(&self.local.w, q, law())?.with_bodies(&self.m, &self.h)?;
            auto.solve(&problem, r, &mut of_auto)
        });
        Ok(vec![("sweeps", swept), ("ADMM", alternated), ("Auto", chosen)])
    }
}

fn step<'a>(method: impl FnMut(&[f64], &mut [f64]) -> Result<SolveInfo, SolverError> + 'a) -> Step<'a> {
    Box::new(method)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{CONTACTS} contacts, {STEPS} steps, to {TOLERANCE:.0e}");
    println!(
        "{:>5} {:>7} {:>6} {:>11} {:>9} {:>8}",
        "mu", "method", "guess", "iterations", "seconds", "unsolved"
    );
    for mu in [0.1, 0.3, 1.0] {
        let pile = Pile::of(mu);
        for (name, mut method) in pile.methods()? {
            for (guess, is_warm) in [("cold", false), ("warm", true)] {
                let (iterations, unsolved, seconds) = settle(&pile, &mut method, is_warm)?;
                println!("{mu:>5} {name:>7} {guess:>6} {iterations:>11} {seconds:>9.2} {unsolved:>8}");
            }
        }
    }
    Ok(())
}

/// Returns the iterations, the number of unsolved steps, and the seconds of all steps.
fn settle(pile: &Pile, method: &mut Step<'_>, is_warm: bool) -> Result<(usize, usize, f64), SolverError> {
    let Pile { local, global, .. } = pile;
    let (n, freedoms) = (local.q.len(), global.f.len());
    let h = MatrixRef::from(&global.h);
    // The first momenta contain one step of gravity and random velocities; further steps add the same
    // gravity.
    let gravity: Vec<f64> =
        (0..freedoms).map(|i| if i % 6 == 2 { -9.81 * 5e-3 * global.masses[i] } else { 0.0 }).collect();
    let mut f = global.f.clone();
    let (mut r, mut q) = (vec![0.0; n], local.q.clone());
    let mut u = vec![0.0; n];
    let (mut iterations, mut unsolved, mut seconds) = (0, 0, 0.0);
    for _ in 0..STEPS {
        if !is_warm {
            r.fill(0.0);
        }
        let begin = Instant::now();
        let info = method(&q, &mut r)?;
        seconds += begin.elapsed().as_secs_f64();
        iterations += info.iterations;
        let problem = ContactProblem::new(&local.w, &q, local.law.view())?;
        let error = error_of_point(&problem, &r, &mut u);
        unsolved += usize::from(error.is_nan() || error > 1.01 * TOLERANCE);
        // Momenta of the next step, and its free velocities.
        h.add_product(1.0, &r, &mut f);
        f.iter_mut().zip(&gravity).for_each(|(f, g)| *f += g);
        let v: Vec<f64> = f.iter().zip(&global.masses).map(|(f, m)| f / m).collect();
        q.fill(0.0);
        h.add_transposed_product(1.0, &v, &mut q);
    }
    Ok((iterations, unsolved, seconds))
}
