//! Reads the contact problems that Siconos keeps as test data, when they are at hand.
//!
//! See [`read`] for the order of their tokens.

use std::path::Path;

use crate::support::tokens::Tokens;
use siconos_numerics::contact::{
    ContactProblem, FrictionContactProblem, RollingFrictionProblem, SecondOrderConeProblem,
};
use siconos_testkit::contact::{OwnedLaw, contact_error};
use siconos_testkit::reference;

/// A problem of any of the classes.
#[derive(Debug)]
pub(crate) enum Problem {
    Plane(FrictionContactProblem<2>),
    Space(FrictionContactProblem<3>),
    Rolling(RollingFrictionProblem<5>),
    Cones(SecondOrderConeProblem),
}

impl Problem {
    pub(crate) fn view(&self) -> ContactProblem<'_> {
        match self {
            Self::Plane(problem) => problem.view(),
            Self::Space(problem) => problem.view(),
            Self::Rolling(problem) => problem.view(),
            Self::Cones(problem) => problem.view(),
        }
    }
}

/// The files that hold text, of all classes, as class/name; without those in HDF5.
pub(crate) const FILES: [&str; 23] = [
    "fc2d/FC2D_SliderCrankLagrangian00000.dat",
    "fc2d/FrictionContactProblem00031.dat",
    "fc2d/FrictionContactProblem00237.dat",
    "fc2d/fc2d_granularflowonwall_00667_00000.dat",
    "fc2d/fc2d_granularflowonwall_02020_00213.dat",
    "fc3d/BoxesStack1-i100000-32.hdf5.dat",
    "fc3d/Capsules-i100-889.dat",
    "fc3d/Capsules-i122-1617.dat",
    "fc3d/Confeti-ex03-Fc3D-SBM.dat",
    "fc3d/Confeti-ex13-4contact-Fc3D-SBM.dat",
    "fc3d/FC3D_Example1.dat",
    "fc3d/FC3D_Example1_SBM.dat",
    "fc3d/FrictionContact3D_1c.dat",
    "fc3d/FrictionContact3D_RR_1c.dat",
    "fc3d/NESpheres_10_1.dat",
    "fc3d/OneObject-i1028-138.hdf5.dat",
    "fc3d/RockPile_tob1.dat.gz",
    "fc3d/Rover1039.dat",
    "fc3d/Rover11035.dat",
    "fc3d/Rover3865.dat",
    "fc3d/Rover4396.dat",
    "rolling/RFC3D_cube_1.dat",
    "rolling/rockfall_14_25792.dat",
];

/// The file of second-order cones.
pub(crate) const CONES: &str = "soclcp/Example1_SOCLCP_SBM.dat";

/// Reads a file of which the class is the folder: `dim nc M q mu [mu_r]`, or `n nc M q starts tau` for cones.
pub(crate) fn read(folder: &Path, name: &str) -> Result<Problem, String> {
    let text = reference::text(&folder.join(name)).map_err(|error| error.to_string())?;
    let mut tokens = Tokens::of(&text);
    let (first, contacts): (usize, usize) = (tokens.next()?, tokens.next()?);
    let w = tokens.matrix()?;
    let q = tokens.vector(w.rows())?;
    let problem = if name.starts_with("soclcp") {
        let starts = tokens.list(contacts + 1)?;
        SecondOrderConeProblem::new(w, q, starts, tokens.vector(contacts)?).map(Problem::Cones)
    } else {
        let mu = tokens.vector(contacts)?;
        match first {
            2 => FrictionContactProblem::new(w, q, mu).map(Problem::Plane),
            3 => FrictionContactProblem::new(w, q, mu).map(Problem::Space),
            5 => RollingFrictionProblem::new(w, q, mu, tokens.vector(contacts)?).map(Problem::Rolling),
            other => return Err(format!("blocks of {other} components")),
        }
    };
    problem.map_err(|error| error.to_string())
}

/// The error of a point, from the data and the formulas alone; the law is the only thing taken from the crate.
pub(crate) fn measured_error(problem: &ContactProblem<'_>, r: &[f64]) -> f64 {
    let mut u = vec![0.0; r.len()];
    problem.w().add_product(1.0, r, &mut u);
    u.iter_mut().zip(problem.q()).for_each(|(u, q)| *u += q);
    let law = OwnedLaw::of(problem.law()).expect("a law that the measure knows");
    contact_error(&law, problem.w(), problem.q(), r, &u)
}
