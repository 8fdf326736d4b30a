//! Section 9 of the developer's notes of Siconos: equations (9.3) and (9.4) of the explicit scheme, checked
//! with public quantities.

use ndarray::{Array1, Array2, arr1, arr2};
use siconos_kernel::integrator::GyroscopicTerm;
use siconos_kernel::model::Frame;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::ContactJacobian;
use siconos_linalg::DenseLu;
use siconos_testkit::compare::worse;
use siconos_testkit::random::RandomState;

fn numbers<const N: usize>(draw: &mut RandomState, size: f64) -> [f64; N] {
    std::array::from_fn(|_| draw.between(-size, size))
}

/// Returns the largest entry of a vector that should be zero, relative to the size of its terms.
fn off(difference: &Array1<f64>, size: &Array1<f64>) -> f64 {
    let largest = |x: &Array1<f64>| x.iter().fold(0.0, |m: f64, x| worse(m, x.abs()));
    largest(difference) / largest(size).max(1.0)
}

#[test]
fn the_reduced_equations_hold_between_what_can_be_read() -> Result<(), Error> {
    let (mut draw, h, mut pressed) = (RandomState::new(9), 1e-2, 0);
    for _ in 0..100 {
        // I = A A^T + 1, so that it is positive definite.
        let a = Array2::from_shape_fn((3, 3), |_| draw.between(-1.0, 1.0));
        let inertia = a.dot(&a.t()) + Array2::<f64>::eye(3);
        let inertia: [[f64; 3]; 3] =
            std::array::from_fn(|i| std::array::from_fn(|j| inertia[[i.min(j), i.max(j)]]));
        let orientation = Quaternion(numbers(&mut draw, 1.0)).normalised();
        let body = NewtonEuler::new(draw.between(0.5, 3.0), inertia, numbers(&mut draw, 1.0), orientation)
            .with_twist(numbers(&mut draw, 2.0), numbers(&mut draw, 2.0))
            .with_constant_external_force(numbers(&mut draw, 5.0))
            .with_constant_external_moment(Frame::Body, numbers(&mut draw, 2.0));
        // y = C (q - q_0) - c t, closed at the start, with the rate -c.
        let (c, rate) =
            (Array2::from_shape_fn((2, 7), |_| draw.between(-1.0, 1.0)), numbers::<2>(&mut draw, 1.0));
        let (own, q0) = (c.clone(), arr1(body.q0()));
        let relation = NewtonEulerRelation::new(2, move |at, q, y| {
            let moved = own.dot(&(&arr1(q) - &q0));
            (0..2).for_each(|i| y[i] = moved[i] - rate[i] * at.t);
        });
        let own = c.clone();
        let relation = relation
            .with_derivative(move |_, _, out| out.assign(&own))
            .with_time_derivative(move |_, _, out| (0..2).for_each(|i| out[i] = -rate[i]));
        let mut model = NonSmoothDynamicalSystem::new();
        let id = model.add_system(body.clone())?;
        let contact = model.add_interaction([id], relation, NewtonImpact::new(0.0)?)?;
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 0.1, h)?)
            .integrator(MoreauJean { gyroscopic: GyroscopicTerm::Explicit, ..MoreauJean::default() })
            .newton(NewtonSettings {
                contact_jacobian: ContactJacobian::AtBeginning,
                ..NewtonSettings::default()
            })
            .tolerance(1e-15)
            .build()?;
        let mut state = simulation.initial_state(&model)?;
        for _ in 0..10 {
            let q: [f64; 7] = state.q(id).try_into().expect("seven coordinates");
            let v: [f64; 6] = state.v(id).try_into().expect("six velocities");
            let ct = c.dot(&arr2(&NewtonEuler::tangent(&q)));
            let force = arr1(&body.total_force(state.t, &q, &v));
            simulation.step(&model, &mut state)?;
            let (before, after) = (arr1(&v), arr1(state.v(id)));
            // The multiplier of the kernel is an impulse: h times the multiplier of the notes.
            let impulse = arr1(state.lambda(contact, Level::Velocity));
            let w = simulation.iteration_matrix(&model, id)?.expect("after a step");
            let free = arr1(simulation.free_velocity(id)?.expect("after a step"));
            pressed += impulse.iter().filter(|p| **p > 0.0).count();
            // Equation (9.3), and the residual of the free motion.
            let momentum = w.dot(&(&after - &before));
            assert!(off(&(&momentum - h * &force - ct.t().dot(&impulse)), &momentum) < 1e-13);
            let residual = w.dot(&(&before - &free));
            assert!(off(&(&residual + h * &force), &residual) < 1e-13);
            // Equation (9.4), with the response to (C T)^T from one linear system per row.
            let mut response = Array2::zeros((6, 2));
            for k in 0..2 {
                let mut lu = DenseLu::default();
                lu.factor(w.view()).expect("the mass is regular");
                let mut x = ct.row(k).to_vec();
                lu.solve(&mut x);
                response.column_mut(k).assign(&arr1(&x));
            }
            assert!(off(&(&after - &free - response.dot(&impulse)), &after) < 1e-13);
            // The reduced equation.
            let reduced = ct.dot(&response).dot(&impulse) + ct.dot(&free) - arr1(&rate);
            let velocity = ct.dot(&after) - arr1(&rate);
            assert!(off(&(&velocity - &reduced), &velocity) < 1e-13);
        }
    }
    assert!(pressed > 200, "{pressed} impulses");
    Ok(())
}
