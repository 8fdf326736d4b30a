//! Relations with few entries for many degrees of freedom. The motion agrees with the motion for dense rows,
//! and the memory is proportional to the number of entries.

use ndarray::{Array1, Array2};
use siconos_kernel::prelude::*;
use siconos_linalg::Csc;
use siconos_testkit::compare::{largest_difference, worse};

/// Creates two elastic bars of `n` nodes above each other and above a floor, with contacts between some of
/// their nodes. If `few` is `true`, the rows are sparse.
fn bars(n: usize, few: bool) -> Result<(NonSmoothDynamicalSystem, [DynamicalSystemId; 2]), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let stiffness = 300.0;
    let of_spring = |k: usize| {
        [(k, k, stiffness), (k + 1, k + 1, stiffness), (k, k + 1, -stiffness), (k + 1, k, -stiffness)]
    };
    let mut bar = |height: f64| -> Result<DynamicalSystemId, Error> {
        let k = Csc::from_triplets(n, n, (0..n - 1).flat_map(of_spring)).expect("entries within n x n");
        let mass = 1.0 / n as f64;
        let start: Vec<f64> = (0..n).map(|i| height + 0.01 * (i as f64).sin()).collect();
        Ok(model.add_system(
            LagrangianLinear::new(start, vec![0.0; n], Array1::from_elem(n, mass))
                .with_stiffness(k)
                .with_constant_external_force(vec![-9.81 * mass; n]),
        )?)
    };
    let (lower, upper) = (bar(0.05)?, bar(0.12)?);
    let relation = |entries: &[(usize, usize, f64)], rows: usize, columns: usize| {
        let sparse = Csc::from_triplets(rows, columns, entries.iter().copied()).expect("entries of H");
        if few {
            return LagrangianLinearRelation::new(sparse);
        }
        // A tiny entry in each column makes the rows dense, without an effect on the motion.
        let mut dense: Array2<f64> = sparse.to_dense();
        dense.iter_mut().filter(|h| **h == 0.0).for_each(|h| *h = f64::MIN_POSITIVE);
        LagrangianLinearRelation::new(dense)
    };
    for i in [0, n / 3, n - 1] {
        model.add_interaction([lower], relation(&[(0, i, 1.0)], 1, n), NewtonImpact::new(0.4)?)?;
    }
    let pairs = [(0, 1, -1.0), (0, n + 1, 1.0), (1, n - 2, -1.0), (1, 2 * n - 2, 1.0)];
    model.add_interaction([lower, upper], relation(&pairs, 2, 2 * n), NewtonImpact::new(0.4)?)?;
    Ok((model, [lower, upper]))
}

fn run(n: usize, few: bool) -> Result<(Vec<Vec<f64>>, usize), Error> {
    let (model, bars) = bars(n, few)?;
    let grid = TimeDiscretisation::uniform(0.0, 0.5, 1e-3)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    let mut state = simulation.initial_state(&model)?;
    let (mut track, mut impacts) = (Vec::new(), 0);
    simulation.run(&model, &mut state, |report, state| {
        impacts += report.active.len();
        track.push(bars.iter().flat_map(|&bar| [state.q(bar), state.v(bar)].concat()).collect());
    })?;
    Ok((track, impacts))
}

#[test]
fn the_motion_is_that_with_all_zeros() -> Result<(), Error> {
    for n in [16, 40] {
        let ((few, impacts), (all, expected)) = (run(n, true)?, run(n, false)?);
        assert!(impacts > 50, "{impacts} contacts");
        assert_eq!(impacts, expected);
        let off = few.iter().zip(&all).map(|(a, b)| largest_difference(a, b)).fold(0.0, worse);
        assert!(off < 1e-11, "{n} nodes: off by {off}");
    }
    Ok(())
}

#[test]
fn outputs_and_reactions_of_a_state_are_those_of_the_entries() -> Result<(), Error> {
    let (model, bars) = bars(40, true)?;
    let state = State::new(&model, 0.0);
    for (id, interaction) in model.interactions().iter() {
        let y = state.output(&model, id)?;
        let q: Vec<f64> = interaction.systems().iter().flat_map(|&bar| state.q(bar).to_vec()).collect();
        for (row, y) in y.iter().enumerate() {
            let expected = match (row, interaction.systems().len()) {
                (0, 2) => q[41] - q[1],
                (_, 2) => q[78] - q[38],
                _ => continue,
            };
            assert!((y - expected).abs() < 1e-15);
        }
    }
    assert_eq!(bars.len(), 2);
    Ok(())
}

#[test]
fn event_driven_motion_is_that_with_all_zeros() -> Result<(), Error> {
    let run = |few: bool| -> Result<Vec<f64>, Error> {
        let (model, bars) = bars(16, few)?;
        let grid = TimeDiscretisation::uniform(0.0, 0.12, 0.03)?;
        let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
        let mut state = simulation.initial_state(&model)?;
        simulation.run(&model, &mut state, |_, _| {})?;
        Ok(bars.iter().flat_map(|&bar| [state.q(bar), state.v(bar)].concat()).collect())
    };
    let off = largest_difference(&run(true)?, &run(false)?);
    assert!(off < 1e-9, "off by {off}");
    Ok(())
}

#[test]
fn a_matrix_of_another_width_or_with_an_entry_that_is_no_number_is_refused() -> Result<(), Error> {
    let (mut model, [lower, _]) = bars(20, true)?;
    let law = EqualityCondition::new(1)?;
    let wide = Csc::from_triplets(1, 21, [(0, 20, 1.0)]).expect("an entry");
    let refused = model.add_interaction([lower], LagrangianLinearRelation::new(wide), law);
    assert!(matches!(refused, Err(ModelError::WrongShape { .. })), "{refused:?}");
    let infinite = Csc::from_triplets(1, 20, [(0, 7, f64::INFINITY)]).expect("an entry");
    let refused = model.add_interaction([lower], LagrangianLinearRelation::new(infinite), law);
    assert!(matches!(refused, Err(ModelError::NotFinite { what: "H", .. })), "{refused:?}");
    Ok(())
}
