//! Each component of a complementarity condition between Lagrangian systems is a separate contact.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;

/// A particle on the floor moves towards a wall. The floor and the wall are rows of one relation with one
/// law.
#[test]
fn a_wall_stops_a_particle_where_it_stands_and_not_at_a_distance() {
    let mut model = NonSmoothDynamicalSystem::new();
    let particle = LagrangianLinear::new(vec![0.0, 0.0], vec![1.0, 0.0], array![1.0, 1.0])
        .with_external_force(|_, f| f[1] = -10.0);
    let particle = model.add_system(particle).unwrap();
    let floor_and_wall =
        LagrangianLinearRelation::new(array![[0.0, 1.0], [-1.0, 0.0]]).with_offset(vec![0.0, 0.5]);
    let law = ComplementarityCondition::new(2).unwrap();
    let contact = model.add_interaction([particle], floor_and_wall, law).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.01).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid.clone()).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    sim.step(&model, &mut state).unwrap();
    let floor = UnitaryRelation { relation: contact.into(), block: 0 };
    assert!(sim.index_set().iter().eq([floor]), "the wall is half a metre away");
    sim.run(&model, &mut state, |_, _| ()).unwrap();
    assert!((state.q(particle)[0] - 0.5).abs() < 0.01, "{:?}", state.q(particle));

    let mut events = EventDriven::builder(&model).discretisation(grid).build().unwrap();
    let mut state = events.initial_state(&model).unwrap();
    events.run(&model, &mut state, |_, _| ()).unwrap();
    assert!((state.q(particle)[0] - 0.5).abs() < 1e-9, "{:?}", state.q(particle));
}

/// Formulation of the sides of a room.
#[derive(Clone, Copy, PartialEq)]
enum Sides {
    /// One relation with one law for all sides.
    Together,
    /// One interaction per side.
    Apart,
}

/// Creates two particles in the plane within a polygon with linear, nonlinear or compliant sides.
fn room(sides: Sides, kind: Kind) -> (NonSmoothDynamicalSystem, [DynamicalSystemId; 2]) {
    const SIDES: usize = 5;
    let direction = |side: usize| (1.3 * side as f64).sin_cos();
    let mut model = NonSmoothDynamicalSystem::new();
    let particle = |v: [f64; 2]| {
        LagrangianLinear::new(vec![0.1, 0.2], v.to_vec(), array![1.0, 1.0])
            .with_external_force(|_, f| f[1] = -9.81)
    };
    let ids = [[1.0, 0.3], [-0.7, 0.5]].map(|v| model.add_system(particle(v)).unwrap());
    for id in ids {
        let groups: Vec<Vec<usize>> = match sides {
            Sides::Together => vec![(0..SIDES).collect()],
            Sides::Apart => (0..SIDES).map(|side| vec![side]).collect(),
        };
        for group in groups {
            let law = ComplementarityCondition::new(group.len()).unwrap();
            let h = Array2::from_shape_fn((group.len(), 2), |(row, column)| {
                let (sin, cos) = direction(group[row]);
                if column == 0 { -cos } else { -sin }
            });
            let linear = LagrangianLinearRelation::new(h).with_offset(vec![1.0; group.len()]);
            match kind {
                Kind::Linear => model.add_interaction([id], linear, law),
                Kind::Compliant => {
                    let d = Array2::eye(group.len()) * 1e-3;
                    model.add_interaction([id], linear.with_compliance(d), law)
                }
                Kind::Nonlinear => {
                    let curved = LagrangianScleronomousRelation::new(group.len(), move |_, q, y| {
                        for (y, side) in y.iter_mut().zip(&group) {
                            let (sin, cos) = direction(*side);
                            *y = 1.0 - (cos * q[0] + sin * q[1]).sinh();
                        }
                    });
                    model.add_interaction([id], curved, law)
                }
            }
            .unwrap();
        }
    }
    (model, ids)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Linear,
    Nonlinear,
    Compliant,
}

/// Returns the bits of all positions and velocities.
fn bits(state: &State, ids: [DynamicalSystemId; 2]) -> Vec<u64> {
    ids.iter().flat_map(|&id| state.q(id).iter().chain(state.v(id))).map(|x| x.to_bits()).collect()
}

#[test]
fn n_components_are_n_interactions_to_the_last_bit() {
    for kind in [Kind::Linear, Kind::Nonlinear, Kind::Compliant] {
        let runs = [Sides::Together, Sides::Apart].map(|sides| {
            let (model, ids) = room(sides, kind);
            let grid = TimeDiscretisation::uniform(0.0, 2.0, 1e-3).unwrap();
            let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
            let mut state = sim.initial_state(&model).unwrap();
            let (mut motion, mut active) = (Vec::new(), 0);
            sim.run(&model, &mut state, |report, state| {
                motion.extend(bits(state, ids));
                active = active.max(report.active.len());
            })
            .unwrap();
            (motion, active)
        });
        assert!(runs[0].1 >= 3, "{kind:?}: sides are hit");
        assert!(runs[0] == runs[1], "{kind:?}");
    }
}

#[test]
fn n_components_are_n_interactions_in_event_driven_simulation() {
    for kind in [Kind::Linear, Kind::Nonlinear] {
        let runs = [Sides::Together, Sides::Apart].map(|sides| {
            let (model, ids) = room(sides, kind);
            let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.1).unwrap();
            let mut sim = EventDriven::builder(&model).discretisation(grid).build().unwrap();
            let mut state = sim.initial_state(&model).unwrap();
            let (mut motion, mut impacts) = (Vec::new(), 0);
            sim.run(&model, &mut state, |report, state| {
                motion.extend(bits(state, ids));
                impacts += report.impacts.len();
            })
            .unwrap();
            (motion, impacts)
        });
        assert!(runs[0].1 >= 2, "{kind:?}: sides are hit");
        assert!(runs[0] == runs[1], "{kind:?}");
    }
}

#[test]
fn components_that_a_compliance_couples_stay_one_block() {
    let active = |d: Array2<f64>| {
        let mut model = NonSmoothDynamicalSystem::new();
        let body = LagrangianLinear::new(vec![0.1, 0.1], vec![-1.0, -1.0], array![1.0, 1.0]);
        let body = model.add_system(body).unwrap();
        let relation = LagrangianLinearRelation::new(Array2::eye(2)).with_compliance(d);
        model.add_interaction([body], relation, ComplementarityCondition::new(2).unwrap()).unwrap();
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap();
        let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        sim.step(&model, &mut state).unwrap().unwrap().active.len()
    };
    assert_eq!(active(array![[1e-3, 0.0], [0.0, 1e-3]]), 2);
    assert_eq!(active(array![[1e-3, 1e-4], [1e-4, 1e-3]]), 1);
}
