//! Errors and large models with several threads, compared with one thread.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ndarray::array;
use siconos_kernel::prelude::*;

use super::model::{add_to, model};
use super::simulation;

/// Returns a record of the whole state after a number of steps, in which numbers are written exactly.
fn after(steps: usize, model: &NonSmoothDynamicalSystem, threads: usize) -> Result<String, Error> {
    let mut simulation = simulation(model, threads)?;
    let mut state = simulation.initial_state(model)?;
    for _ in 0..steps {
        simulation.step(model, &mut state)?;
    }
    Ok(serde_json::to_string(&state.record(model)?).expect("numbers"))
}

#[test]
fn thousands_of_parts_move_alike() -> Result<(), Error> {
    let mut model = model(None)?;
    for _ in 1..30 {
        add_to(&mut model, None)?;
    }
    assert!(model.systems().len() > 3000);
    let expected = after(40, &model, 1)?;
    for threads in [2, 7] {
        assert!(after(40, &model, threads)? == expected, "{threads} threads");
    }
    Ok(())
}

/// Environment variable that requests the bits from the other process.
const WANTED: &str = "SICONOS_BITS_WANTED";

#[test]
fn another_process_makes_the_same_bits() -> Result<(), Error> {
    let name = "threads::attacks::another_process_makes_the_same_bits";
    let bits = |threads| after(150, &model(None)?, threads);
    if env::var_os(WANTED).is_some() {
        println!("{}", bits(3)?);
        return Ok(());
    }
    let this = env::current_exe().expect("a test has a program");
    let other = Command::new(this).args(["--exact", name, "--nocapture"]).env(WANTED, "1").output();
    let said = String::from_utf8(other.expect("it runs").stdout).expect("text");
    assert!(said.contains(&bits(1)?), "{said}");
    Ok(())
}

/// Adds circuits with infeasible diodes: w = -1 for all z.
fn add_infeasible(model: &mut NonSmoothDynamicalSystem) -> Result<(), Error> {
    for rows in [2, 3] {
        let circuit = model.add_system(FirstOrderLinear::new(vec![0.0], array![[-1.0]]))?;
        let zero = ndarray::Array2::zeros((rows, 1));
        let diodes = FirstOrderLinearRelation::new(zero.clone(), zero.reversed_axes());
        let diodes = diodes.with_offset(vec![-1.0; rows]);
        model.add_interaction([circuit], diodes, ComplementarityCondition::new(rows)?)?;
    }
    Ok(())
}

#[test]
fn what_has_no_solution_is_said_alike_and_leaves_the_state() -> Result<(), Error> {
    let mut model = model(None)?;
    add_infeasible(&mut model)?;
    add_to(&mut model, None)?;
    let said = |threads| -> Result<_, Error> {
        let mut simulation = simulation(&model, threads)?;
        let mut state = simulation.initial_state(&model)?;
        let before = format!("{state:?}");
        let error = simulation.step(&model, &mut state).expect_err("no solution");
        assert_eq!(format!("{state:?}"), before);
        Ok(format!("{error:?}"))
    };
    let expected = said(1)?;
    assert!(expected.contains("NoSolution"), "{expected}");
    for threads in [2, 5] {
        assert_eq!(said(threads)?, expected);
    }
    Ok(())
}

#[test]
fn a_panic_of_the_user_reaches_the_caller() -> Result<(), Error> {
    let mut model = model(None)?;
    let is_sound = Arc::new(AtomicBool::new(false));
    let mended = Arc::clone(&is_sound);
    let rotor = Lagrangian::new(vec![0.1], vec![1.0], array![2.0]).with_internal_force(
        move |at, _q, _v, f| {
            assert!(at.t < 0.1 || mended.load(Ordering::Relaxed), "no force from {} s on", at.t);
            f[0] = 0.0;
        },
        Jacobian::Zero,
        Jacobian::Zero,
    );
    model.add_system(rotor)?;
    add_to(&mut model, None)?;
    for threads in [1, 2, 5] {
        let mut simulation = simulation(&model, threads)?;
        let mut state = simulation.initial_state(&model)?;
        let panic = loop {
            let step = || simulation.step(&model, &mut state).map(|report| report.is_some());
            match catch_unwind(AssertUnwindSafe(step)) {
                Ok(goes_on) => assert!(goes_on?, "the run ends without a panic"),
                Err(panic) => break panic,
            }
        };
        let said = panic.downcast_ref::<String>().expect("a message");
        assert!(said.starts_with("no force from 0.1"), "{said}");
        // The simulation has lost its workspace. The state is the state before the step.
        let refused = simulation.step(&model, &mut state).map(|report| report.is_some());
        assert!(matches!(refused, Err(SimulationError::Interrupted)), "{refused:?}");
        assert!(state.t < 0.1);
        is_sound.store(true, Ordering::Relaxed);
        let mut rebuilt = self::simulation(&model, threads)?;
        assert!(rebuilt.step(&model, &mut state)?.is_some());
        is_sound.store(false, Ordering::Relaxed);
    }
    Ok(())
}

#[test]
fn an_event_driven_simulation_says_that_a_panic_has_ended_it() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = Lagrangian::new(vec![0.1], vec![1.0], array![2.0]).with_external_force(|at, f| {
        assert!(at.t < 0.5, "no force from {} s on", at.t);
        f[0] = 1.0;
    });
    model.add_system(mass)?;
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.25)?;
    let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
    let mut state = simulation.initial_state(&model)?;
    let run = || simulation.run(&model, &mut state, |_, _| ());
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    let refused = simulation.step(&model, &mut state).map(|report| report.is_some());
    assert!(matches!(refused, Err(SimulationError::Interrupted)), "{refused:?}");
    Ok(())
}
