//! W and the Jacobian that the kernel passes to the solver. The interior-point method in velocity space
//! solves the problem with the Delassus matrix only if both are consistent with it.

use siconos_kernel::prelude::*;
use siconos_numerics::Attempt;

use super::discs::Discs;
use super::pyramid::{PLAN, Plan};
use super::watched::watched;

/// Returns the last attempt in velocity space. An earlier one may have had a small budget.
fn in_velocities(attempts: &[Attempt]) -> Option<&Attempt> {
    attempts.iter().rfind(|attempt| attempt.method == "velocity-interior-point")
}

/// Simulates from r = 0. Returns the fraction of the solves in which the bodies were known and the method in
/// velocity space succeeded.
fn known(
    (model, grid): (&NonSmoothDynamicalSystem, TimeDiscretisation),
    integrator: MoreauJean,
) -> Result<f64, Error> {
    let (solver, told) = watched();
    let mut simulation =
        TimeStepping::builder(model).discretisation(grid).integrator(integrator).solver(solver).build()?;
    let mut state = simulation.initial_state(model)?;
    simulation.run(model, &mut state, |report, _| {
        assert!(report.is_converged && report.solve.status.is_success(), "{:?}", report.solve);
    })?;
    let (mut known, mut solves) = (0, 0);
    for attempts in told.try_iter() {
        solves += 1;
        if let Some(attempt) = in_velocities(&attempts) {
            assert!(attempt.info.status.is_success(), "{attempts:?}");
            known += 1;
        }
    }
    Ok(f64::from(known) / f64::from(solves))
}

fn steps(count: usize) -> Result<TimeDiscretisation, Error> {
    let h = 1.0 / 128.0;
    Ok(TimeDiscretisation::uniform(0.0, count as f64 * h, h)?)
}

#[test]
fn balls_are_handed_over() -> Result<(), Error> {
    let pyramids = PLAN.build()?;
    assert_eq!(known((&pyramids.model, steps(2)?), MoreauJean::default())?, 1.0);
    Ok(())
}

/// W contains springs and dampers, and differs for the two step lengths.
#[test]
fn discs_on_springs_are_handed_over_for_their_step_length() -> Result<(), Error> {
    let discs = Discs { side: 15, mu: 1.0, stiffness: 3e4, damping: 40.0 }.build()?;
    let grid = TimeDiscretisation::from_times(vec![0.0, 0.01, 0.015, 0.025, 0.03])?;
    assert_eq!(known((&discs, grid), MoreauJean { theta: 0.75, ..MoreauJean::default() })?, 1.0);
    Ok(())
}

/// Contacts that are removed and added again change the rows and columns of the matrices.
#[test]
fn contacts_that_are_exchanged_give_the_bits_of_a_simulation_made_anew() -> Result<(), Error> {
    let mut pyramids = Plan { side: 4, mu: 0.3, ..PLAN }.build()?;
    let mut simulation = pyramids.simulation(1)?;
    let mut state = simulation.initial_state(&pyramids.model)?;
    for step in 0..3 {
        pyramids.exchange_contact_of_ground(4 * step)?;
        let mut other = state.clone();
        simulation.step(&pyramids.model, &mut state)?;
        pyramids.simulation(1)?.step(&pyramids.model, &mut other)?;
        assert!(pyramids.bits(0, &state) == pyramids.bits(0, &other), "step {step}");
    }
    Ok(())
}
