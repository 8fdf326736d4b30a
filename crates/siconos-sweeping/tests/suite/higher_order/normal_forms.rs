//! Normal form, compared with the coordinates in which a system was created.

use ndarray::{Array1, Array2, array, s};
use siconos_kernel::analysis::LinearSystem;
use siconos_sweeping::higher_order::{HigherOrderSweeping, NormalForm};
use siconos_testkit::compare::{largest_difference, worse};
use siconos_testkit::random::RandomState;

use super::systems::{Disguised, assert_step, draw_state};

fn all(random: &mut RandomState) -> impl Iterator<Item = Disguised> {
    let sizes = (0..3 * 3 * 4 * 4).map(|k| (1 + k % 3, 1 + k / 3 % 3, k / 9 % 4));
    sizes.map(|sizes| Disguised::draw(random, sizes))
}

#[test]
fn the_transformation_gives_the_equations_of_the_normal_form() {
    for disguised in all(&mut RandomState::new(6)) {
        let Disguised { r, m, system, .. } = &disguised;
        let (r, m, n) = (*r, *m, system.states());
        let rows = r * m;
        let form = NormalForm::of(system).unwrap();
        assert_eq!((form.relative_degree(), form.multipliers(), form.states()), (r, m, n));
        assert!(largest_difference(&form.leading().to_owned(), &disguised.leading) == 0.0);
        let (to, back) = (form.to_normal(), form.to_original());
        let size = to.iter().chain(&back).fold(1.0_f64, |size, x| size.max(x.abs()));
        assert!(largest_difference(&to.dot(&back), &Array2::eye(n)) < 1e-13 * size * size);
        // T A T^-1 and T B, entry by entry.
        let mut rates = Array2::zeros((n, n));
        (0..rows - m).for_each(|p| rates[[p, p + m]] = 1.0);
        rates.slice_mut(s![rows - m..rows, ..]).assign(&form.last_rate());
        let (a, b) = form.zero_dynamics();
        rates.slice_mut(s![rows.., rows..]).assign(&a);
        rates.slice_mut(s![rows.., ..m]).assign(&b);
        let found = to.dot(&system.a()).dot(&back);
        let size = size * size * (1.0 + system.a().iter().fold(0.0_f64, |size, x| size.max(x.abs())));
        assert!(largest_difference(&found, &rates) < 1e-12 * size, "{found} {rates}");
        let mut inputs = Array2::zeros((n, m));
        inputs.slice_mut(s![rows - m..rows, ..]).assign(&form.leading());
        assert!(largest_difference(&to.dot(&system.b()), &inputs) < 1e-12 * size);
        // lambda and its derivatives do not act on xi.
        let mut column = system.b().to_owned();
        for _ in 0..r {
            let moved = to.slice(s![rows.., ..]).dot(&column);
            assert!(moved.iter().all(|x| x.abs() < 1e-12 * size), "{moved}");
            column = system.a().dot(&column);
        }
        // z is unique, and so are its rates by z.
        let of_z = form.last_rate().slice(s![.., ..rows]).to_owned();
        assert!(
            largest_difference(&of_z, &disguised.rates.slice(s![rows - m..rows, ..rows]).to_owned())
                < 1e-11 * size
        );
    }
}

#[test]
fn a_motion_is_the_same_in_all_coordinates() {
    let mut random = RandomState::new(7);
    let systems: Vec<_> = all(&mut random).collect();
    let (mut worst, mut swept) = (0.0, 0);
    for disguised in systems {
        let n = disguised.system.states();
        let source = Array1::from(draw_state(&mut random, n));
        let start = Array1::from(draw_state(&mut random, n));
        let there = disguised.basis.dot(&source);
        let mut by_basis = HigherOrderSweeping::of(&disguised.system)
            .unwrap()
            .with_source(there.as_slice().unwrap())
            .unwrap();
        let mut plain = HigherOrderSweeping::of(&disguised.undisguised())
            .unwrap()
            .with_source(source.as_slice().unwrap())
            .unwrap();
        let mut a = by_basis.state(disguised.basis.dot(&start).as_slice().unwrap()).unwrap();
        let mut b = plain.state(start.as_slice().unwrap()).unwrap();
        for _ in 0..50 {
            let before = a.clone();
            let report = by_basis.step(0.02, &mut a).unwrap();
            assert!(report.info.status.is_success());
            assert_step(&before, &a, report.mu);
            let other = plain.step(0.02, &mut b).unwrap();
            let size = 1.0 + b.z().iter().fold(0.0_f64, |size, z| size.max(z.abs()));
            let off = worse(
                largest_difference(&report.mu.to_owned(), &other.mu.to_owned()),
                largest_difference(&a.z().to_owned(), &b.z().to_owned()),
            );
            worst = worse(worst, off / size);
            swept += report.mu.iter().filter(|mu| **mu > 0.0).count();
        }
        let x = disguised.basis.dot(&Array1::from(plain.x(&b).unwrap()));
        let size = 1.0 + x.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        assert!(largest_difference(&by_basis.x(&a).unwrap(), &x) < 1e-10 * size);
    }
    println!("relative difference {worst:.1e}, {swept} measures");
    assert!(worst < 1e-10 && swept > 2000);
}

#[test]
fn two_chains_in_other_coordinates_land_as_they_do_alone() {
    // z_3' = H lambda, H = diag(2, 4), and a filter of both, xi' = z_1 + z_2 - xi. The first component lands
    // with z_2 = -sqrt 2 and rests, because lambda = 1/2 removes z_3 = -1. The second component takes off
    // again.
    let mut rates = Array2::zeros((7, 7));
    (0..4).for_each(|p| rates[[p, p + 2]] = 1.0);
    rates.row_mut(6).assign(&array![1.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0]);
    let mut random = RandomState::new(14);
    let contact = 2.0 - 2.0_f64.sqrt();
    for count in [50, 100, 333, 1000] {
        let leading = array![[2.0, 0.0], [0.0, 4.0]];
        let disguised = Disguised::of(&mut random, (3, 2), rates.clone(), leading);
        let mut sweeping = HigherOrderSweeping::of(&disguised.system).unwrap();
        let start = disguised.basis.dot(&array![1.0, 1.0, 0.0, -2.0, -1.0, 1.0, 0.5]);
        let mut state = sweeping.state(start.as_slice().unwrap()).unwrap();
        let h = 3.0 / f64::from(count);
        let mut atoms = Array2::<f64>::zeros((3, 2));
        for k in 1..=count {
            let report = sweeping.step(h, &mut state).unwrap();
            atoms += &report.mu;
            let t = f64::from(k) * h;
            let first = (1.0 - 0.5 * t * t).max(0.0);
            let second = if t < contact { 1.0 - 2.0 * t + 0.5 * t * t } else { 0.5 * (t - contact).powi(2) };
            for (y, exact) in state.y().iter().zip([first, second]) {
                assert!((y - exact).abs() <= 5.0 * h, "N = {count}: {} h", (y - exact).abs() / h);
            }
        }
        let root = 2.0_f64.sqrt();
        let off = largest_difference(&atoms, &array![[0.0, 0.0], [root, root], [0.5, 0.0]]);
        assert!(off <= 3.0 * h, "N = {count}: {atoms}");
    }
}

#[test]
fn the_step_is_implicit_euler_in_the_original_coordinates() {
    // x' = x + h (A x' + e) + J mu with J the columns of T^-1, times H for the last order.
    let mut random = RandomState::new(8);
    let systems: Vec<_> = all(&mut random).collect();
    for disguised in systems {
        let Disguised { r, m, system, .. } = &disguised;
        let source = Array1::from(draw_state(&mut random, system.states()));
        let mut sweeping =
            HigherOrderSweeping::of(system).unwrap().with_source(source.as_slice().unwrap()).unwrap();
        let start = Array1::from(draw_state(&mut random, system.states()));
        let mut state = sweeping.state(start.as_slice().unwrap()).unwrap();
        let back = sweeping.normal_form().to_original().to_owned();
        let h = 0.05;
        let mut x = start;
        for _ in 0..20 {
            let mut jump = Array1::zeros(r * m);
            let report = sweeping.step(h, &mut state).unwrap();
            for ((i, j), mu) in report.mu.indexed_iter() {
                if i + 1 < *r {
                    jump[i * m + j] += mu;
                } else {
                    (0..*m).for_each(|k| jump[i * m + k] += disguised.leading[[k, j]] * mu);
                }
            }
            let next = Array1::from(sweeping.x(&state).unwrap());
            let rate = system.a().dot(&next) + &source;
            let residual = &next - &x - &(rate * h) - back.slice(s![.., ..r * m]).dot(&jump);
            let size = 1.0 + next.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            assert!(residual.iter().all(|x| x.abs() < 1e-11 * size), "{residual}");
            x = next;
        }
    }
}

#[test]
fn the_zero_dynamics_go_on_while_y_rests() {
    // A mass rests on the floor, and a filter of its height evolves freely: xi' = -3 xi + 3 y.
    let a = array![[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [3.0, 0.0, -3.0]];
    let (b, c) = (array![[0.0], [1.0], [0.0]], array![[1.0, 0.0, 0.0]]);
    let system = LinearSystem::new(a, b, c, array![[0.0]]).unwrap();
    let mut sweeping = HigherOrderSweeping::of(&system).unwrap().with_source(&[0.0, -9.81, 0.0]).unwrap();
    let mut state = sweeping.state(&[-0.5, -1.0, 2.0]).unwrap();
    // The jumps do not act on the filter.
    let jump = sweeping.jump(&state).unwrap();
    assert_eq!(sweeping.x(&jump.after).unwrap(), [0.0, 0.0, 2.0]);
    let mut exact = 2.0;
    for _ in 0..100 {
        let _ = sweeping.step(0.01, &mut state).unwrap();
        exact /= 1.03;
        let x = sweeping.x(&state).unwrap();
        assert!(x[..2] == [0.0, 0.0] && (x[2] - exact).abs() < 1e-14, "{x:?}");
    }
}

#[test]
fn a_source_that_acts_on_the_first_derivative_is_part_of_the_second() {
    // x_1' = x_2 + 3, x_2' = lambda: y' = z_2 = x_2 + 3.
    let system = LinearSystem::new(
        array![[0.0, 1.0], [0.0, 0.0]],
        array![[0.0], [1.0]],
        array![[1.0, 0.0]],
        array![[0.0]],
    )
    .unwrap();
    let mut sweeping = HigherOrderSweeping::of(&system).unwrap().with_source(&[3.0, 0.0]).unwrap();
    let mut state = sweeping.state(&[0.0, -5.0]).unwrap();
    assert_eq!(state.z(), array![[0.0], [-2.0]]);
    let jump = sweeping.jump(&state).unwrap();
    assert_eq!(sweeping.x(&jump.after).unwrap(), [0.0, -3.0]);
    for _ in 0..10 {
        let _ = sweeping.step(0.1, &mut state).unwrap();
        assert_eq!(sweeping.x(&state).unwrap(), [0.0, -3.0]);
    }
    // Another source replaces the first one.
    let sweeping = sweeping.with_source(&[0.0, 0.0]).unwrap();
    assert_eq!(sweeping.state(&[0.0, -5.0]).unwrap().z(), array![[0.0], [-5.0]]);
}
