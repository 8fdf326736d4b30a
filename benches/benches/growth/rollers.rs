//! Steps of one body with many contacts.

use criterion::Criterion;
use ndarray::{Array1, Array2, array};
use siconos_kernel::prelude::*;

use crate::{H, bench_steps};

/// Benches steps of a slab that moves on rollers on the ground. There is friction above and below each
/// roller.
pub(crate) fn slab(criterion: &mut Criterion) {
    for rollers in [100, 300, 1000, 10_000] {
        bench_steps(criterion, &format!("growth/slab_on_rollers/{rollers}"), H, || slab_on(rollers));
    }
}

/// Radius of a roller \[m\].
const RADIUS: f64 = 0.05;

fn slab_on(rollers: usize) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let distance = 2.5 * RADIUS;
    let half = 0.5 * distance * rollers as f64;
    let mut body = |mass: f64, gyration: f64, speed: f64| {
        let inertia = mass * gyration * gyration;
        let body = LagrangianLinear::new(
            vec![0.0; 3],
            vec![speed, 0.0, 0.0],
            Array1::from(vec![mass, mass, inertia]),
        )
        .with_constant_external_force(vec![0.0, -9.81 * mass, 0.0]);
        model.add_system(body).expect("a body")
    };
    let slab = body(2.0 * rollers as f64, half / 3.0_f64.sqrt(), 1.0);
    let rollers: Vec<_> =
        (0..rollers).map(|k| body(1.0 + 0.1 * (7 * k % 9) as f64, RADIUS / 2.0_f64.sqrt(), 0.0)).collect();
    let law = |mu: f64| NewtonImpactFriction::in_plane(0.0, mu).expect("coefficients");
    for (k, roller) in rollers.into_iter().enumerate() {
        // The rollers penetrate slightly, so that rounding does not open a contact.
        let closed = |rows: Array2<f64>| LagrangianLinearRelation::new(rows).with_offset(array![-1e-6, 0.0]);
        let below = closed(array![[0.0, 1.0, 0.0], [1.0, 0.0, RADIUS]]);
        model.add_interaction([roller], below, law(0.3)).expect("a contact");
        let lever = distance * (k as f64 + 0.5) - half;
        let above = array![[0.0, 1.0, lever, 0.0, -1.0, 0.0], [1.0, 0.0, 0.0, -1.0, 0.0, RADIUS]];
        model.add_interaction([slab, roller], closed(above), law(0.2)).expect("a contact");
    }
    model
}
