//! Interactions that are removed during a motion. A run that continues, a run with a new simulation, and a
//! run with a record in a rebuilt model agree bit for bit.

use siconos_kernel::prelude::*;

use super::world::{Plan, World, plans};

/// Step after which an interaction is removed.
const REMOVED_AFTER: usize = 100;

/// Number of steps that are compared.
const COMPARED: usize = 30;

/// Builds a world of two copies. `removed` is the interaction to be removed, in insertion order.
fn build(plan: Plan, removed: Option<usize>) -> Result<World, Error> {
    let mut world = Plan { copies: 2, ..plan }.build()?;
    if let Some(order) = removed {
        remove(&mut world.model, order)?;
    }
    Ok(world)
}

fn remove(model: &mut NonSmoothDynamicalSystem, order: usize) -> Result<(), Error> {
    let id = model.interactions().ids().nth(order).expect("an interaction of the world");
    model.remove_interaction(id)?;
    Ok(())
}

/// Returns the bits of all vectors of a state, with their names.
fn bits(model: &NonSmoothDynamicalSystem, state: &State) -> Vec<(String, Vec<u64>)> {
    let mut all = Vec::new();
    let mut add = |what: String, x: &[f64]| all.push((what, x.iter().map(|x| x.to_bits()).collect()));
    for (k, id) in model.systems().ids().enumerate() {
        let vectors =
            [state.q(id), state.v(id), state.v_before(id), state.acceleration(id), state.impulse(id)];
        add(format!("system {k}"), &vectors.concat());
    }
    for (k, id) in model.interactions().ids().enumerate() {
        for level in [Level::Position, Level::Velocity, Level::Acceleration] {
            add(format!("y of {k}, {level:?}"), state.y(id, level));
            add(format!("lambda of {k}, {level:?}"), state.lambda(id, level));
        }
    }
    all
}

#[test]
fn a_record_after_a_removal_continues_bit_for_bit() -> Result<(), Error> {
    for (number, plan) in plans().into_iter().enumerate() {
        let count = build(plan, None)?.model.interactions().len();
        for removed in 0..count {
            let mut world = build(plan, None)?;
            let mut simulation = world.simulation(1)?;
            let mut state = simulation.initial_state(&world.model)?;
            for _ in 0..REMOVED_AFTER {
                simulation.step(&world.model, &mut state)?;
            }
            remove(&mut world.model, removed)?;
            let rebuilt = build(plan, Some(removed))?;
            let mut restored = State::restore(&rebuilt.model, &state.record(&world.model)?)?;
            let mut other = rebuilt.simulation(1)?;
            for step in 0..COMPARED {
                let mut copy = state.clone();
                simulation.step(&world.model, &mut state)?;
                other.step(&rebuilt.model, &mut restored)?;
                world.simulation(1)?.step(&world.model, &mut copy)?;
                let found = bits(&world.model, &state);
                let at = format!("plan {number}, interaction {removed}, step {step}");
                for (kind, others) in
                    [("restored", bits(&rebuilt.model, &restored)), ("copied", bits(&world.model, &copy))]
                {
                    let off = found.iter().zip(&others).find(|(a, b)| a != b);
                    assert!(off.is_none(), "{at}, {kind}: {:?}", off.map(|((name, _), _)| name));
                }
            }
        }
    }
    Ok(())
}

/// Without a removal, a restored record continues with the same bits, for each kind of projection.
#[test]
fn a_restored_record_continues_bit_for_bit() -> Result<(), Error> {
    for (number, plan) in plans().into_iter().enumerate() {
        let world = build(plan, None)?;
        let mut simulation = world.simulation(1)?;
        let mut state = simulation.initial_state(&world.model)?;
        for step in 0..2 * REMOVED_AFTER {
            let mut restored = State::restore(&world.model, &state.record(&world.model)?)?;
            simulation.step(&world.model, &mut state)?;
            world.simulation(1)?.step(&world.model, &mut restored)?;
            assert_eq!(
                bits(&world.model, &state),
                bits(&world.model, &restored),
                "plan {number}, step {step}"
            );
        }
    }
    Ok(())
}
