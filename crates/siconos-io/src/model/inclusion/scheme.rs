//! Time-stepping schemes of all kinds of processes.

use siconos_numerics::Status;
use siconos_sweeping::dvi::{Boundary, BoundarySettings, Dvi, DviSolution, DviStepper, solve_boundary_value};
use siconos_sweeping::{AdaptiveStep, CatchingUp};

use super::moving::FileSet;
use super::step_rule::Adaptive;
use crate::run_error::InclusionError;

/// Step of a time grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessStep {
    /// Index of the step, from 0.
    pub(super) number: usize,
    pub(super) from: f64,
    pub(super) to: f64,
    /// Step length \[s\].
    pub(super) h: f64,
}

/// Scheme that takes the steps.
#[derive(Debug)]
pub(super) enum Scheme {
    Sweeping(Box<CatchingUp<FileSet>>),
    Dvi(Box<DviStepper<'static>>),
    Ends(Box<Ends>),
}

impl Scheme {
    /// Replaces `x`, the initial state in the file, by the state with which the process starts. The two
    /// differ if the process starts with a jump, or if boundary conditions determine the state.
    pub(super) fn begin(&mut self, t: f64, x: &mut [f64]) -> Result<(), InclusionError> {
        match self {
            Self::Sweeping(sweep) => {
                let report = sweep.begin(t, x)?;
                solved(t, report.status)
            }
            Self::Dvi(_) => Ok(()),
            Self::Ends(ends) => {
                x.copy_from_slice(ends.solution()?.x(0));
                Ok(())
            }
        }
    }

    /// Takes a step. If no solution of the step is found, returns an error and sets `x` to the best iterate.
    pub(super) fn step(&mut self, step: ProcessStep, x: &mut [f64]) -> Result<(), InclusionError> {
        let ProcessStep { number, from, to, h } = step;
        match self {
            Self::Sweeping(sweep) => {
                let report = sweep.step(to - h, h, x)?;
                solved(to, report.status)
            }
            Self::Dvi(stepper) => {
                let step = stepper.step(from, h, x)?;
                solved(to, step.info.status)
            }
            Self::Ends(ends) => {
                x.copy_from_slice(ends.solution()?.x(number + 1));
                ends.at = number + 1;
                Ok(())
            }
        }
    }

    /// Takes an adaptive step, or performs the jump that is due. Returns `false` if the run has ended.
    pub(super) fn adaptive_step(
        &mut self,
        step_rule: &mut Adaptive,
        x: &mut [f64],
    ) -> Result<bool, InclusionError> {
        // Only sweeping processes have adaptive steps.
        let Self::Sweeping(sweep) = self else { return Ok(false) };
        if let Some(jump) = step_rule.jump() {
            solved(jump, sweep.begin(jump, x)?.status)?;
            step_rule.progress.t = jump;
            return Ok(true);
        }
        let Some(goal) = step_rule.goal() else { return Ok(false) };
        let shortest = step_rule.shortest();
        match sweep.adaptive_step(&mut step_rule.progress, (goal, shortest), x, &step_rule.settings)? {
            AdaptiveStep::Taken => Ok(true),
            AdaptiveStep::Unsolved(report) => {
                Err(InclusionError::Unsolved { t: step_rule.progress.t, status: report.status })
            }
            AdaptiveStep::TooMany => Err(InclusionError::TooMany { tried: step_rule.progress.tried }),
        }
    }

    /// Discards all data except the state and the input.
    pub(super) fn forget(&mut self) -> Result<(), InclusionError> {
        match self {
            Self::Sweeping(sweep) => sweep.forget(),
            Self::Dvi(stepper) => stepper.forget()?,
            Self::Ends(_) => (),
        }
        Ok(())
    }

    /// Returns the input that the next step needs, or an empty slice if it does not need one.
    pub(super) fn input(&self) -> &[f64] {
        match self {
            Self::Dvi(stepper) => stepper.u(),
            Self::Sweeping(_) | Self::Ends(_) => &[],
        }
    }

    /// Sets the input for the next step.
    pub(super) fn set_input(&mut self, u: &[f64]) -> Result<(), InclusionError> {
        match self {
            Self::Dvi(stepper) => Ok(stepper.set_u(u)?),
            Self::Sweeping(_) | Self::Ends(_) => Ok(()),
        }
    }

    /// Writes the values that outputs read in addition to the state.
    pub(super) fn write_values(&self, out: &mut [f64]) {
        match self {
            Self::Sweeping(sweep) => write(out, [sweep.reaction(), sweep.multipliers()]),
            Self::Dvi(stepper) => write(out, [stepper.u(), stepper.w()]),
            Self::Ends(ends) => match &ends.solution {
                Some(solution) if ends.at > 0 => write(out, [solution.u(ends.at), &[]]),
                _ => out.fill(0.0),
            },
        }
    }
}

/// Writes two vectors one after the other. The remaining entries of `out` become 0.
fn write(out: &mut [f64], [first, second]: [&[f64]; 2]) {
    out.fill(0.0);
    out.iter_mut().zip(first.iter().chain(second)).for_each(|(to, value)| *to = *value);
}

fn solved(t: f64, status: Status) -> Result<(), InclusionError> {
    if status.is_success() { Ok(()) } else { Err(InclusionError::Unsolved { t, status }) }
}

/// Boundary value problem. It is solved as a whole when the run starts. Each step then reads a node of the
/// solution.
#[derive(Debug)]
pub(super) struct Ends {
    dvi: Dvi,
    boundary: Boundary,
    settings: BoundarySettings,
    span: (f64, f64),
    steps: usize,
    solution: Option<DviSolution>,
    /// Index of the current node.
    at: usize,
}

impl Ends {
    pub(super) fn new(
        dvi: Dvi,
        boundary: Boundary,
        settings: BoundarySettings,
        span: (f64, f64),
        steps: usize,
    ) -> Self {
        Self { dvi, boundary, settings, span, steps, solution: None, at: 0 }
    }

    /// Returns the solution. The first call computes it.
    fn solution(&mut self) -> Result<&DviSolution, InclusionError> {
        let Self { dvi, boundary, settings, span, steps, solution, .. } = self;
        match solution {
            Some(solution) => Ok(solution),
            None => {
                let found = solve_boundary_value(dvi, boundary, *span, *steps, settings)?;
                let status = found.info.status;
                if !status.is_success() {
                    return Err(InclusionError::Ends { status });
                }
                Ok(solution.insert(found.solution))
            }
        }
    }
}
