//! Contact problems: piles of any size, and small problems with a planted solution.
//!
//! | function | bodies | size |
//! |---|---|---|
//! | [`spheres`] | spheres in close packing on the ground | at least the given number of contacts |
//! | [`tower`] | boxes on top of each other, four contacts per face | four contacts per box |
//! | [`wall`] | bricks in running bond | at least the given number of contacts |
//! | [`discs`] | discs in the plane | at least the given number of contacts |
//! | [`plate_global`] | a plate on spheres, only in the global formulation | two contacts per sphere |
//! | [`rolling_spheres`], [`rolling_discs`] | spheres or discs that roll | at least the number of contacts |
//! | [`at_rest`] | boxes, towers, walls, piles, rows of spheres, nearly at rest | 4 to 1000 contacts |
//! | [`planted`] | none: random matrices with full or lower rank, symmetric or not | small |
//!
//! The battery of random problems is in [`battery`]. Its solutions are checked with [`velocity_error`].
//!
//! For piles, $W = H^T M^{-1} H$ is assembled in block rows from the geometry. The vector q is the free
//! velocity at the end of one step under gravity that starts with small random velocities.

mod assembly;
mod at_rest;
pub mod battery;
mod boxes;
mod discs;
mod law;
mod measure;
mod planted;
mod spheres;
mod velocity_error;

use ndarray::Array1;
use siconos_linalg::{Csc, Matrix};
use siconos_numerics::contact::{BodiesData, ContactData, ContactLawData, ContactProblem};

pub use self::at_rest::at_rest;
pub use self::boxes::Laying;
pub use self::law::{cones, coulomb, name_of_law, parts, rolling, shift};
pub use self::measure::{contact_error, nearest, siconos_contact_error, violation};
pub use self::planted::{Shape, planted, random_matrix};
pub use self::velocity_error::velocity_error;
use assembly::Assembly;

/// Contact problem with its Delassus matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownContact {
    /// Short unique name.
    pub name: String,
    /// Delassus matrix.
    pub w: Matrix,
    /// Free velocity.
    pub q: Vec<f64>,
    /// Contact law.
    pub law: ContactLawData,
    /// Solution, if it is known.
    pub r: Option<Vec<f64>>,
    /// Properties of the matrix, if it is random.
    pub shape: Option<Shape>,
}

impl KnownContact {
    /// Returns a borrowed view of the problem, as solvers take it.
    ///
    /// # Panics
    ///
    /// If the sizes of the fields differ.
    #[track_caller]
    #[must_use]
    pub fn view(&self) -> ContactProblem<'_> {
        ContactProblem::new(&self.w, &self.q, self.law.view()).expect("the data fit")
    }

    /// Returns the error of the reactions `r` by [`contact_error`]. The function computes $u = W r + q$
    /// itself.
    ///
    /// # Panics
    ///
    /// If the sizes differ.
    #[track_caller]
    #[must_use]
    pub fn error(&self, r: &[f64]) -> f64 {
        contact_error(&self.law, self.w.view(), &self.q, r, &self.velocity(r))
    }

    /// Returns $u = W r + q$.
    ///
    /// # Panics
    ///
    /// If the sizes differ.
    #[track_caller]
    #[must_use]
    pub fn velocity(&self, r: &[f64]) -> Vec<f64> {
        let mut u = vec![0.0; r.len()];
        self.w.view().add_product(1.0, r, &mut u);
        u.iter_mut().zip(&self.q).for_each(|(u, q)| *u += q);
        u
    }

    fn of<const D: usize, const F: usize>(name: String, assembly: &Assembly<D, F>, mu: f64) -> Self {
        Self::with_law(name, assembly, coulomb(D, assembly.contacts(), mu))
    }

    fn with_law<const D: usize, const F: usize>(
        name: String,
        assembly: &Assembly<D, F>,
        law: ContactLawData,
    ) -> Self {
        Self { name, w: assembly.delassus().into(), q: assembly.free_velocity(), law, r: None, shape: None }
    }
}

/// Contact problem in the global formulation $M v = H r + f$, $u = H^T v$.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownGlobal {
    /// Short unique name.
    pub name: String,
    /// Diagonal of the mass matrix M.
    pub masses: Vec<f64>,
    /// Matrix H of the contact directions, with a row for each degree of freedom and a column for each
    /// unknown of the contacts.
    pub h: Csc,
    /// Momenta f at the end of a step without reactions.
    pub f: Vec<f64>,
    /// Contact law.
    pub law: ContactLawData,
}

impl KnownGlobal {
    /// Returns the mass matrix M and the matrix H.
    #[must_use]
    pub fn bodies(&self) -> (Matrix, Matrix) {
        (Matrix::from(Array1::from(self.masses.clone())), Matrix::from(self.h.clone()))
    }

    /// Returns the problem as contact data in the global formulation.
    ///
    /// # Panics
    ///
    /// If the sizes of the fields differ.
    #[track_caller]
    #[must_use]
    pub fn data(&self) -> ContactData {
        let ((m, h), w) = (self.bodies(), Array1::zeros(self.h.columns()));
        let bodies = BodiesData { m, h, f: self.f.clone().into(), w };
        ContactData::of_bodies(bodies, self.law.clone()).expect("the data fit")
    }

    fn of<const D: usize, const F: usize>(name: String, assembly: &Assembly<D, F>, mu: f64) -> Self {
        Self::with_law(name, assembly, coulomb(D, assembly.contacts(), mu))
    }

    fn with_law<const D: usize, const F: usize>(
        name: String,
        assembly: &Assembly<D, F>,
        law: ContactLawData,
    ) -> Self {
        let (masses, h, f) = assembly.global();
        Self { name, masses, h, f, law }
    }
}

/// Returns a pile of spheres with at least the given number of contacts, and at most 6 more.
#[must_use]
pub fn spheres(contacts: usize, mu: f64, seed: u32) -> KnownContact {
    KnownContact::of(format!("spheres {contacts}, mu {mu}"), &spheres::pile(contacts, seed), mu)
}

/// Returns [`spheres`] in the global formulation.
#[must_use]
pub fn spheres_global(contacts: usize, mu: f64, seed: u32) -> KnownGlobal {
    KnownGlobal::of(format!("spheres {contacts}, mu {mu}"), &spheres::pile(contacts, seed), mu)
}

/// Returns the given number of spheres on the ground under a plate, with two contacts per sphere. All
/// contacts with the plate are coupled with each other, so half of the rows of W are dense.
#[must_use]
pub fn plate_global(spheres: usize, mu: f64, seed: u32) -> KnownGlobal {
    KnownGlobal::of(format!("plate on {spheres}, mu {mu}"), &spheres::under_a_plate(spheres, seed), mu)
}

/// Returns a tower of boxes, with four contacts per box.
#[must_use]
pub fn tower(boxes: usize, mu: f64, seed: u32) -> KnownContact {
    KnownContact::of(format!("tower {boxes}, mu {mu}"), &boxes::tower(boxes, seed), mu)
}

/// Returns [`tower`] in the global formulation.
#[must_use]
pub fn tower_global(boxes: usize, mu: f64, seed: u32) -> KnownGlobal {
    KnownGlobal::of(format!("tower {boxes}, mu {mu}"), &boxes::tower(boxes, seed), mu)
}

/// Returns a wall with at least the given number of contacts. It has as many courses as bricks in a course.
#[must_use]
pub fn wall(contacts: usize, mu: f64, seed: u32) -> KnownContact {
    KnownContact::of(format!("wall {contacts}, mu {mu}"), &boxes::wall(contacts, seed), mu)
}

/// Returns [`wall`] in the global formulation.
#[must_use]
pub fn wall_global(contacts: usize, mu: f64, seed: u32) -> KnownGlobal {
    KnownGlobal::of(format!("wall {contacts}, mu {mu}"), &boxes::wall(contacts, seed), mu)
}

/// Returns a pile of discs in the plane with at least the given number of contacts, and at most 3 more.
#[must_use]
pub fn discs(contacts: usize, mu: f64, seed: u32) -> KnownContact {
    KnownContact::of(format!("discs {contacts}, mu {mu}"), &discs::pile(contacts, seed), mu)
}

/// Returns [`discs`] in the global formulation.
#[must_use]
pub fn discs_global(contacts: usize, mu: f64, seed: u32) -> KnownGlobal {
    KnownGlobal::of(format!("discs {contacts}, mu {mu}"), &discs::pile(contacts, seed), mu)
}

/// Returns [`spheres`] with rolling friction, in both formulations. `mu` contains the coefficient of sliding
/// friction and the coefficient of rolling friction \[m\].
#[must_use]
pub fn rolling_spheres(contacts: usize, mu: (f64, f64), seed: u32) -> (KnownContact, KnownGlobal) {
    in_both_forms(
        format!("rolling spheres {contacts}, mu {mu:?}"),
        &spheres::rolling_pile(contacts, seed),
        mu,
    )
}

/// Returns [`discs`] with rolling friction, in both formulations. `mu` contains the coefficient of sliding
/// friction and the coefficient of rolling friction \[m\].
#[must_use]
pub fn rolling_discs(contacts: usize, mu: (f64, f64), seed: u32) -> (KnownContact, KnownGlobal) {
    in_both_forms(format!("rolling discs {contacts}, mu {mu:?}"), &discs::rolling_pile(contacts, seed), mu)
}

fn in_both_forms<const D: usize, const F: usize>(
    name: String,
    assembly: &Assembly<D, F>,
    (mu, mu_rolling): (f64, f64),
) -> (KnownContact, KnownGlobal) {
    let law = rolling(D, assembly.contacts(), mu, mu_rolling);
    let local = KnownContact::with_law(name.clone(), assembly, law.clone());
    (local, KnownGlobal::with_law(name, assembly, law))
}
