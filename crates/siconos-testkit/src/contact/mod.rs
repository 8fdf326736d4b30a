//! Contact problems: piles that grow, and small ones with a planted solution.
//!
//! | function | bodies | size |
//! |---|---|---|
//! | [`spheres`] | spheres in close packing on the ground | any number of contacts |
//! | [`tower`] | boxes on top of each other, four contacts per face | four per box |
//! | [`discs`] | discs in the plane | any number of contacts |
//! | [`planted`] | none: random matrices of every rank, symmetric or not | small |
//!
//! The standing battery of such problems is in [`battery`], and the measure that judges it is [`velocity_error`].
//!
//! Piles: $W = H^T M^{-1} H$ from the geometry in block rows, one step under gravity from small random velocities.

mod assembly;
pub mod battery;
mod boxes;
mod discs;
mod measure;
mod planted;
mod spheres;
mod velocity_error;

use std::ops::Range;

use siconos_numerics::contact::{ContactLaw, ContactProblem};
use siconos_numerics::linalg::{Csc, Matrix};

pub use self::measure::{contact_error, nearest, siconos_contact_error, violation};
pub use self::planted::{Shape, planted, random_matrix};
pub use self::velocity_error::{global_velocity_error, velocity_error};
use assembly::Assembly;

/// The coefficients of a law, owned.
#[derive(Clone, Debug, PartialEq)]
pub enum OwnedLaw {
    /// Coulomb friction in 2 or 3 components.
    Coulomb {
        /// 2 or 3.
        dimension: usize,
        /// One per contact.
        mu: Vec<f64>,
    },
    /// Rolling friction in 3 or 5 components.
    Rolling {
        /// 3 or 5.
        dimension: usize,
        /// One per contact.
        mu: Vec<f64>,
        /// One per contact.
        mu_rolling: Vec<f64>,
    },
    /// Second-order cones.
    SecondOrder {
        /// First component of each cone, and the number of components at the end.
        starts: Vec<usize>,
        /// One per cone.
        tau: Vec<f64>,
    },
}

impl OwnedLaw {
    /// Coulomb friction with one coefficient for all contacts.
    #[must_use]
    pub fn coulomb(dimension: usize, contacts: usize, mu: f64) -> Self {
        Self::Coulomb { dimension, mu: vec![mu; contacts] }
    }

    /// Rolling friction with one pair of coefficients for all contacts.
    #[must_use]
    pub fn rolling(dimension: usize, contacts: usize, mu: f64, mu_rolling: f64) -> Self {
        Self::Rolling { dimension, mu: vec![mu; contacts], mu_rolling: vec![mu_rolling; contacts] }
    }

    /// Second-order cones of the given numbers of components, all of one slope.
    #[must_use]
    pub fn cones(sizes: &[usize], tau: f64) -> Self {
        let mut starts = vec![0];
        starts.extend(sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        }));
        Self::SecondOrder { starts, tau: vec![tau; sizes.len()] }
    }

    /// The law of one that is borrowed.
    #[must_use]
    pub fn of(law: ContactLaw<'_>) -> Option<Self> {
        Some(match law {
            ContactLaw::Coulomb { dimension, mu } => Self::Coulomb { dimension, mu: mu.to_vec() },
            ContactLaw::Rolling { dimension, mu, mu_rolling } => {
                Self::Rolling { dimension, mu: mu.to_vec(), mu_rolling: mu_rolling.to_vec() }
            }
            ContactLaw::SecondOrder { starts, tau } => {
                Self::SecondOrder { starts: starts.to_vec(), tau: tau.to_vec() }
            }
            _ => return None,
        })
    }

    /// The borrowed form.
    #[must_use]
    pub fn view(&self) -> ContactLaw<'_> {
        match self {
            Self::Coulomb { dimension, mu } => ContactLaw::Coulomb { dimension: *dimension, mu },
            Self::Rolling { dimension, mu, mu_rolling } => {
                ContactLaw::Rolling { dimension: *dimension, mu, mu_rolling }
            }
            Self::SecondOrder { starts, tau } => ContactLaw::SecondOrder { starts, tau },
        }
    }

    /// Contacts, or cones.
    #[must_use]
    pub fn blocks(&self) -> usize {
        match self {
            Self::Coulomb { mu, .. } | Self::Rolling { mu, .. } => mu.len(),
            Self::SecondOrder { tau, .. } => tau.len(),
        }
    }

    /// Number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        (0..self.blocks()).map(|i| self.range(i).len()).sum()
    }

    /// The unknowns of a block.
    #[must_use]
    pub fn range(&self, i: usize) -> Range<usize> {
        match self {
            Self::Coulomb { dimension, .. } | Self::Rolling { dimension, .. } => {
                i * dimension..(i + 1) * dimension
            }
            Self::SecondOrder { starts, .. } => starts[i]..starts[i + 1],
        }
    }

    /// The bounds of a block: each a coefficient and the components that it bounds.
    #[must_use]
    pub fn parts(&self, i: usize) -> Vec<(f64, Range<usize>)> {
        let d = self.range(i).len();
        match self {
            Self::Coulomb { mu, .. } => vec![(mu[i], 1..d)],
            Self::SecondOrder { tau, .. } => vec![(tau[i], 1..d)],
            Self::Rolling { mu, mu_rolling, .. } => {
                let middle = 1 + (d - 1) / 2;
                vec![(mu[i], 1..middle), (mu_rolling[i], middle..d)]
            }
        }
    }

    /// The shift $s(u)$ of a block.
    #[must_use]
    pub fn shift(&self, i: usize, u: &[f64]) -> f64 {
        match self {
            Self::SecondOrder { .. } => 0.0,
            _ => self.parts(i).iter().map(|(mu, part)| mu * measure::length(&u[part.clone()])).sum(),
        }
    }

    /// A name in a few words: the law, the blocks, the coefficients of the first.
    #[must_use]
    pub fn name(&self) -> String {
        let law = match self {
            Self::Coulomb { dimension, .. } => format!("coulomb{dimension}"),
            Self::Rolling { dimension, .. } => format!("rolling{dimension}"),
            Self::SecondOrder { .. } => "cones".to_owned(),
        };
        let coefficients = if self.blocks() > 0 { self.parts(0) } else { Vec::new() };
        let coefficients: Vec<String> = coefficients.iter().map(|(mu, _)| format!("{mu:.2}")).collect();
        format!("{law} x {} mu {}", self.blocks(), coefficients.join(" "))
    }
}

/// A contact problem that was made here.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownContact {
    /// Short and unique.
    pub name: String,
    /// The Delassus matrix.
    pub w: Matrix,
    /// The free velocity.
    pub q: Vec<f64>,
    /// The law.
    pub law: OwnedLaw,
    /// A solution, where one was planted.
    pub r: Option<Vec<f64>>,
    /// What the matrix is like, where it was drawn.
    pub shape: Option<Shape>,
}

impl KnownContact {
    /// The borrowed form that solvers take.
    ///
    /// # Panics
    ///
    /// When the fields do not fit.
    #[track_caller]
    #[must_use]
    pub fn view(&self) -> ContactProblem<'_> {
        ContactProblem::new(&self.w, &self.q, self.law.view()).expect("the data fit")
    }

    /// The error measure at `r`, with $u = W r + q$ formed here.
    ///
    /// # Panics
    ///
    /// When the sizes do not fit.
    #[track_caller]
    #[must_use]
    pub fn error(&self, r: &[f64]) -> f64 {
        contact_error(&self.law, self.w.view(), &self.q, r, &self.velocity(r))
    }

    /// $u = W r + q$.
    ///
    /// # Panics
    ///
    /// When the sizes do not fit.
    #[track_caller]
    #[must_use]
    pub fn velocity(&self, r: &[f64]) -> Vec<f64> {
        let mut u = vec![0.0; r.len()];
        self.w.view().add_product(1.0, r, &mut u);
        u.iter_mut().zip(&self.q).for_each(|(u, q)| *u += q);
        u
    }

    fn of<const D: usize, const F: usize>(name: String, assembly: &Assembly<D, F>, mu: f64) -> Self {
        let law = OwnedLaw::coulomb(D, assembly.contacts(), mu);
        Self { name, w: assembly.delassus().into(), q: assembly.free_velocity(), law, r: None, shape: None }
    }
}

/// The same in global form: $M v = H r + f$, $u = H^T v$.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownGlobal {
    /// Short and unique.
    pub name: String,
    /// The diagonal of the mass matrix.
    pub masses: Vec<f64>,
    /// Directions of the contacts, a row per degree of freedom.
    pub h: Csc,
    /// Momenta at the end of a step without reactions.
    pub f: Vec<f64>,
    /// The coefficients of friction, in space.
    pub mu: Vec<f64>,
}

/// A pile of spheres with at least that many contacts (less than 7 more).
#[must_use]
pub fn spheres(contacts: usize, mu: f64, seed: u32) -> KnownContact {
    KnownContact::of(format!("spheres {contacts}, mu {mu}"), &spheres::pile(contacts, seed), mu)
}

/// The same in global form.
#[must_use]
pub fn spheres_global(contacts: usize, mu: f64, seed: u32) -> KnownGlobal {
    let assembly = spheres::pile(contacts, seed);
    let (masses, h, f) = assembly.global();
    let name = format!("spheres {contacts}, mu {mu}");
    KnownGlobal { name, masses, h, f, mu: vec![mu; assembly.contacts()] }
}

/// A tower of boxes, with four contacts for each.
#[must_use]
pub fn tower(boxes: usize, mu: f64, seed: u32) -> KnownContact {
    KnownContact::of(format!("tower {boxes}, mu {mu}"), &boxes::tower(boxes, seed), mu)
}

/// A pile of discs in the plane with at least that many contacts (less than 4 more).
#[must_use]
pub fn discs(contacts: usize, mu: f64, seed: u32) -> KnownContact {
    KnownContact::of(format!("discs {contacts}, mu {mu}"), &discs::pile(contacts, seed), mu)
}
