//! Row of bodies, which is the test problem for the equations of the two Newton methods in velocity space.

use ndarray::{Array1, Array2};
use siconos_linalg::{Matrix, dot};

use super::BodiesProblem;
use crate::contact::ContactLaw;
use crate::engine::semismooth_newton::SemismoothSystem;

pub(super) const BODIES: usize = 4;

/// Reactions for which, at small velocities, one contact sticks, one slides and one is open.
pub(super) const REACTIONS: [f64; 9] = [2.0, 0.1, 0.2, 1.0, 2.5, 0.3, -4.0, 1.0, 0.5];

/// Row of bodies with two translations and one rotation each, and with a contact between neighbours.
pub(super) struct RowOfBodies {
    m: Matrix,
    h: Array2<f64>,
    q: Vec<f64>,
    mu: Vec<f64>,
}

impl RowOfBodies {
    /// Creates the row. The rotational velocities of the bodies are divided by `length`.
    pub(super) fn new(length: f64) -> Self {
        let freedom = |i: usize| if i % 3 == 2 { length } else { 1.0 };
        let number = |i: usize, j: usize| ((7 * i + 13 * j + i * j) as f64).sin();
        let (n, size) = (3 * BODIES, 3 * (BODIES - 1));
        let m = Matrix::from(Array1::from_shape_fn(n, |i| (1.0 + i as f64 / 4.0) * freedom(i).powi(2)));
        let touches = |i: usize, j: usize| (j / 3..=j / 3 + 1).contains(&(i / 3));
        let entry = |(i, j)| if touches(i, j) { number(i, j) * freedom(i) } else { 0.0 };
        let h = Array2::from_shape_fn((n, size), entry);
        Self { m, h, q: vec![0.25; size], mu: vec![0.3, 0.8, 0.5] }
    }

    pub(super) fn problem(&self) -> BodiesProblem<'_> {
        let law = ContactLaw::Coulomb { dimension: 3, mu: &self.mu };
        BodiesProblem::new(self.m.view(), (&self.h).into(), &self.q, law)
    }

    /// Asserts that one contact sticks, one slides and one is open for these reactions.
    #[track_caller]
    pub(super) fn check_states(&self, reactions: &[f64]) {
        let is_closed_and_slides =
            |(r, mu): (&[f64], &f64)| (r[0] > 0.0, r[1].hypot(r[2]) > 0.999 * mu * r[0]);
        let contacts = reactions.chunks_exact(3).zip(&self.mu).map(is_closed_and_slides);
        assert!(contacts.eq([(true, false), (true, true), (false, false)]), "{reactions:?}");
    }
}

/// Returns the residual, the direction and the gradient of a system at `x`.
pub(super) fn equations(system: &mut impl SemismoothSystem, x: &[f64]) -> [Vec<f64>; 3] {
    let [mut phi, mut d, mut g] = [(); 3].map(|()| vec![0.0; x.len()]);
    system.residual(x, &mut phi);
    system.direction(x, &phi, &mut d).expect("regular");
    system.gradient(x, &phi, &mut g);
    [phi, d, g]
}

/// Asserts that the direction and the gradient at `x` agree with finite differences of the equations, and
/// that they are bit-identical for every unit of length. A step along the gradient then does not depend on
/// this unit. `of` takes the unit of length and the unknowns, and returns the residual, the direction and the
/// gradient.
#[track_caller]
pub(super) fn check_equations(x: &[f64], of: impl Fn(f64, &[f64]) -> [Vec<f64>; 3]) {
    check_derivatives(x, |x| of(1.0, x));
    let expected = of(1.0, x);
    for length in [0.25, 8.0, 1024.0] {
        assert_eq!(of(length, x), expected, "{length}");
    }
}

#[track_caller]
fn check_derivatives(x: &[f64], of: impl Fn(&[f64]) -> [Vec<f64>; 3]) {
    let [phi, d, g] = of(x);
    let step = 1e-7;
    let along = |direction: &[f64], sign: f64| {
        let moved: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + sign * step * d).collect();
        of(&moved)[0].clone()
    };
    let (after, before) = (along(&d, 1.0), along(&d, -1.0));
    for ((after, before), phi) in after.iter().zip(&before).zip(&phi) {
        let slope = (after - before) / (2.0 * step);
        assert!((slope + phi).abs() < 1e-6, "{slope} beside {phi}");
    }
    for (i, g) in g.iter().enumerate() {
        let unit: Vec<f64> = (0..x.len()).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
        let merit = |phi: Vec<f64>| 0.5 * dot(&phi, &phi);
        let slope = (merit(along(&unit, 1.0)) - merit(along(&unit, -1.0))) / (2.0 * step);
        assert!((slope - g).abs() < 1e-6, "{i}: {slope} beside {g}");
    }
}
