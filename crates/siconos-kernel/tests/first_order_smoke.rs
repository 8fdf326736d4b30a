//! smoke
use ndarray::array;
use siconos_kernel::prelude::*;

fn table(name: &str) -> Option<Vec<Vec<f64>>> {
    let text = std::fs::read_to_string(format!("/work/shared/reference/trajectories/{name}")).ok()?;
    Some(text.lines().skip(1).map(|l| l.split_whitespace().map(|x| x.parse().unwrap()).collect()).collect())
}

fn bridge() -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let (l, c, r) = (1e-2, 1e-6, 1e3);
    let mut model = NonSmoothDynamicalSystem::new();
    let s = model
        .add_system(FirstOrderLinearTi::new(vec![10.0, 0.0], array![[0.0, -1.0 / c], [1.0 / l, 0.0]]))
        .unwrap();
    let rel = FirstOrderLinearRelation::new(
        array![[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
        array![[0.0, 0.0, -1.0 / c, 1.0 / c], [0.0; 4]],
    )
    .with_d(array![
        [1.0 / r, 1.0 / r, -1.0, 0.0],
        [1.0 / r, 1.0 / r, 0.0, -1.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0]
    ]);
    let i = model.add_interaction([s], rel, ComplementarityCondition::new(4).unwrap()).unwrap();
    (model, s, i)
}

#[test]
fn diode_bridge() {
    let (model, s, i) = bridge();
    let table = table("DiodeBridge.ref").unwrap();
    let mut sim = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 5e-3, 1e-6).unwrap())
        .integrator(EulerMoreau::default())
        .build()
        .unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut worst = [0.0f64; 8];
    for row in &table[1..] {
        sim.step(&model, &mut state).unwrap().unwrap();
        let (x, y, l) = (state.x(s), state.y(i, Level::Position), state.lambda(i, Level::Position));
        let mine = [state.t, x[0], x[1], y[0], -l[0], -l[1], l[2], y[0] + l[2]];
        for k in 0..8 {
            worst[k] = worst[k].max((mine[k] - row[k]).abs());
        }
    }
    println!("{worst:?}");
    assert!(worst.iter().all(|w| *w < 1e-9), "{worst:?}");
}

#[test]
fn relays() {
    for (name, b, x0) in [
        ("SimpleExampleRelay.ref", array![[2.0, 0.0], [0.0, 2.0]], vec![1.0, -1.0]),
        ("Filippov.ref", array![[2.0, -52.0], [52.0, 2.0]], vec![3.0, 3.0]),
    ] {
        let mut model = NonSmoothDynamicalSystem::new();
        let s = model.add_system(FirstOrderLinearTi::new(x0, array![[0.0, 0.0], [0.0, 0.0]])).unwrap();
        let rel = FirstOrderLinearRelation::new(array![[1.0, 0.0], [0.0, 1.0]], b);
        let i = model.add_interaction([s], rel, Relay::symmetric(2, 1.0).unwrap()).unwrap();
        let table = table(name).unwrap();
        let mut sim = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 2.0, 1e-3).unwrap())
            .build()
            .unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        let mut worst = [0.0f64; 5];
        for row in &table[1..] {
            sim.step(&model, &mut state).unwrap().unwrap();
            let (x, l) = (state.x(s), state.lambda(i, Level::Position));
            let mine = [state.t, x[0], x[1], l[0], l[1]];
            for k in 0..5 {
                worst[k] = worst[k].max((mine[k] - row[k]).abs());
            }
        }
        println!("{name} {worst:?}");
        assert!(worst.iter().all(|w| *w < 1e-9), "{worst:?}");
    }
}
