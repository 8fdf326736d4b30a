//! Contact problems from the test data of Siconos, if the files are available.
//!
//! The order of the tokens is described at [`read`].

use std::path::Path;

use crate::support::tokens::Tokens;
use siconos_linalg::MatrixRef;
use siconos_numerics::contact::{ContactData, ContactLawData, ContactProblem, Operator};
use siconos_testkit::contact::contact_error;
use siconos_testkit::reference;

/// Text files of all classes, as class/name. HDF5 files are not included.
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

/// File of second-order cones.
pub(crate) const CONES: &str = "soclcp/Example1_SOCLCP_SBM.dat";

/// Reads a file. Its folder is the class of the problem. Tokens: `dim nc M q mu [mu_r]`, or
/// `n nc M q starts tau` for cones.
pub(crate) fn read(folder: &Path, name: &str) -> Result<ContactData, String> {
    let text = reference::text(&folder.join(name)).map_err(|error| error.to_string())?;
    let mut tokens = Tokens::of(&text);
    let (first, contacts): (usize, usize) = (tokens.next()?, tokens.next()?);
    let w = tokens.matrix()?;
    let q = tokens.vector(w.rows())?;
    let law = if name.starts_with("soclcp") {
        let starts = tokens.list(contacts + 1)?;
        ContactLawData::SecondOrder { starts, tau: tokens.list(contacts)? }
    } else {
        let mu: Vec<f64> = tokens.list(contacts)?;
        if name.starts_with("rolling") {
            ContactLawData::rolling(first, mu, tokens.list(contacts)?)
        } else {
            ContactLawData::coulomb(first, mu)
        }
    };
    ContactData::new(w, q, law).map_err(|error| error.to_string())
}

/// Returns the error of a point, computed from the data and the formulas. Only the law is taken from the
/// crate.
pub(crate) fn measured_error(problem: &ContactProblem<'_>, r: &[f64]) -> f64 {
    let mut u = vec![0.0; r.len()];
    let w = delassus(problem);
    w.add_product(1.0, r, &mut u);
    u.iter_mut().zip(problem.q()).for_each(|(u, q)| *u += q);
    contact_error(&problem.law().into(), w, problem.q(), r, &u)
}

/// Returns W of a problem without bodies.
pub(crate) fn delassus<'a>(problem: &ContactProblem<'a>) -> MatrixRef<'a> {
    let Operator::Delassus(w) = problem.operator() else { panic!("a problem with bodies: {problem:?}") };
    w
}
