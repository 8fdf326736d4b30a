//! From the groups of a file to problem and points.

use siconos_numerics::contact::{FrictionContactProblem, GlobalFrictionProblem};
use siconos_numerics::linalg::BlockCsr;

use super::folder::Folder;
use super::sparse::read_sparse;
use super::{Fclib, FclibError, FclibErrorKind as Kind, Info, Point, PointSizes, point_sizes};
use crate::problem::Problem;

pub(super) fn read(root: &Folder) -> Result<Fclib, FclibError> {
    let (local, global) = ("fclib_local", "fclib_global");
    let (folder, problem) = match (root.has(local), root.has(global)) {
        (true, false) => {
            let folder = root.folder(local)?;
            let problem = read_local(&folder)?;
            (folder, problem)
        }
        (false, true) => {
            let folder = root.folder(global)?;
            let problem = read_global(&folder)?;
            (folder, problem)
        }
        (true, true) => return Err(FclibError::at("", Kind::NoProblem { found: "both" })),
        (false, false) => return Err(FclibError::at("", Kind::NoProblem { found: "neither" })),
    };
    let sizes = point_sizes(&problem);
    Ok(Fclib {
        info: read_info(&folder)?,
        guesses: read_guesses(root, sizes)?,
        solution: read_solution(root, sizes)?,
        problem,
    })
}

fn read_local(folder: &Folder) -> Result<Problem, FclibError> {
    // Equations between bodies beside the contacts.
    refuse(folder, &["V", "R"])?;
    let vectors = folder.folder("vectors")?;
    let dimension = read_dimension(folder)?;
    let q = vectors.numbers("q")?;
    let mu = read_mu(&vectors, dimension, q.len(), "q")?;
    let matrix = folder.folder("W")?;
    let w = read_sparse(&matrix, q.len(), q.len())?;
    let wrong = |error| folder.error("W", Kind::Problem(error));
    let w = BlockCsr::from_matrix((&w).into(), dimension).map_err(wrong)?;
    Ok(if dimension == 2 {
        FrictionContactProblem::<2>::new(w, q.into(), mu.into()).map_err(wrong)?.into()
    } else {
        FrictionContactProblem::<3>::new(w, q.into(), mu.into()).map_err(wrong)?.into()
    })
}

fn read_global(folder: &Folder) -> Result<Problem, FclibError> {
    refuse(folder, &["G"])?;
    let vectors = folder.folder("vectors")?;
    let dimension = read_dimension(folder)?;
    let (f, w) = (vectors.numbers("f")?, vectors.numbers("w")?);
    let mu = read_mu(&vectors, dimension, w.len(), "w")?;
    let m = read_sparse(&folder.folder("M")?, f.len(), f.len())?;
    let h = read_sparse(&folder.folder("H")?, f.len(), w.len())?;
    // The numbers were looked at one by one; only sums of entries at the same place may have grown too large.
    let wrong = |error| folder.error("H", Kind::Problem(error));
    Ok(if dimension == 2 {
        GlobalFrictionProblem::<2>::new(m, h, f.into(), w.into(), mu.into()).map_err(wrong)?.into()
    } else {
        GlobalFrictionProblem::<3>::new(m, h, f.into(), w.into(), mu.into()).map_err(wrong)?.into()
    })
}

fn refuse(folder: &Folder, members: &[&str]) -> Result<(), FclibError> {
    match members.iter().find(|member| folder.has(member)) {
        None => Ok(()),
        Some(member) => Err(folder.error(member, Kind::UnsupportedPart)),
    }
}

fn read_dimension(folder: &Folder) -> Result<usize, FclibError> {
    match folder.integer("spacedim")? {
        2 => Ok(2),
        3 => Ok(3),
        other => Err(folder.wrong_entry("spacedim", 0, other, "2 or 3")),
    }
}

/// The coefficients, one for each contact.
fn read_mu(
    vectors: &Folder,
    dimension: usize,
    size: usize,
    of: &'static str,
) -> Result<Vec<f64>, FclibError> {
    if !size.is_multiple_of(dimension) {
        let why = format!("a multiple of spacedim, {dimension}");
        return Err(vectors.wrong_length(of, size - size % dimension, &why, size));
    }
    let why = format!("{of} has {size} entries, {dimension} for each contact");
    let mu = vectors.numbers("mu")?;
    if mu.len() != size / dimension {
        return Err(vectors.wrong_length("mu", size / dimension, &why, mu.len()));
    }
    match mu.iter().position(|mu| *mu < 0.0) {
        None => Ok(mu),
        Some(contact) => Err(vectors.wrong_entry("mu", contact, mu[contact], "at or above 0")),
    }
}

fn read_info(folder: &Folder) -> Result<Info, FclibError> {
    if !folder.has("info") {
        return Ok(Info::default());
    }
    let info = folder.folder("info")?;
    Ok(Info {
        title: info.text("title")?,
        description: info.text("description")?,
        math_info: info.text("math_info")?,
    })
}

fn read_guesses(root: &Folder, sizes: Option<PointSizes>) -> Result<Vec<Point>, FclibError> {
    if !root.has("guesses") {
        return Ok(Vec::new());
    }
    let guesses = root.folder("guesses")?;
    let count = guesses.integer("number_of_guesses")?;
    if count < 0 {
        return Err(guesses.wrong_entry("number_of_guesses", 0, count, "at or above 0"));
    }
    // The first that is missing ends it: a file may announce any number of them.
    (1..=count).map(|number| read_point(&guesses.folder(&number.to_string())?, sizes)).collect()
}

fn read_solution(root: &Folder, sizes: Option<PointSizes>) -> Result<Option<Point>, FclibError> {
    if !root.has("solution") {
        return Ok(None);
    }
    read_point(&root.folder("solution")?, sizes).map(Some)
}

fn read_point(folder: &Folder, sizes: Option<PointSizes>) -> Result<Point, FclibError> {
    let sizes = sizes.unwrap_or(PointSizes { contacts: 0, freedoms: None });
    let why = "one for each unknown";
    Ok(Point {
        r: folder.numbers_or_zeros("r", sizes.contacts, why)?,
        u: folder.numbers_or_zeros("u", sizes.contacts, why)?,
        v: match sizes.freedoms {
            Some(freedoms) => folder.numbers_or_zeros("v", freedoms, why)?,
            None => Vec::new(),
        },
    })
}
