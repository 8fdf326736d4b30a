use siconos_kernel::prelude::*;
use siconos_kernel::siconos_numerics::contact::{ContactLaw, ContactProblem};
use siconos_kernel::siconos_numerics::Solver;
use siconos_kernel::siconos_numerics::siconos_linalg::MatrixRef;
#[test]
fn tmp_drum() {
    let drum = siconos_examples::scenes::rotating_drum::RotatingDrum { discs: 55, disc_radius: 0.018, omega: 1.0, mu: 0.5, h: 2e-3, t_end: 1.0, ..Default::default() };
    let scene = drum.scene().unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 2e-3).unwrap();
    let mut sim = scene.parts.simulation(grid).build().unwrap();
    let mut state = sim.initial_state(&scene.parts.model).unwrap();
    let error = loop { if let Err(e) = sim.step(&scene.parts.model, &mut state) { break e; } };
    println!("TMP {error} {}", state.step());
    let (m, q) = (sim.one_step_matrix().unwrap(), sim.one_step_vector().unwrap());
    let mu = vec![0.5; q.len() / 2];
    println!("TMP size {} ", q.len());
    let problem = ContactProblem::new(MatrixRef::Dense(m.view()), &q, ContactLaw::Coulomb { dimension: 2, mu: &mu }).unwrap();
    for name in ["auto", "plane-lemke", "interior-point", "newton-alart-curnier", "admm", "proximal-point", "nonsmooth-gauss-seidel"] {
        let Some(mut method) = siconos_kernel::siconos_numerics::contact::ContactMethod::from_name(name) else { println!("TMP no {name}"); continue };
        let (mut r, mut u) = (vec![0.0; q.len()], vec![0.0; q.len()]);
        let start = std::time::Instant::now();
        let solved = method.solve(&problem, &mut r, &mut u);
        println!("TMP {name}: {solved:?} {:?}", start.elapsed());
    }
}
