//! Conversion of the groups of an FCLIB file to a problem with its initial guesses and its solution.

use siconos_linalg::BlockCsr;
use siconos_numerics::ProblemError;
use siconos_numerics::contact::{BodiesData, ContactData, ContactLawData};

use super::folder::Hdf5Group;
use super::sparse::read_sparse;
use super::{
    ContactState, FclibError, FclibErrorKind as Kind, FclibFile, PointSizes, ProblemInfo, point_sizes,
};
use crate::problem_class::Problem;

/// Function that reads a problem from its group.
type Read = fn(&Hdf5Group) -> Result<Problem, FclibError>;

/// Groups that can contain a problem, with their readers. A file has exactly one of these groups.
const PROBLEMS: [(&str, Read); 3] = [
    ("fclib_local", read_local),
    ("fclib_global", read_global),
    ("fclib_global_rolling", read_global_rolling),
];

pub(super) fn read(root: &Hdf5Group) -> Result<FclibFile, FclibError> {
    let mut found = PROBLEMS.iter().filter(|(name, _)| root.has(name));
    let (Some((name, read)), None) = (found.next(), found.next()) else {
        let count = PROBLEMS.iter().filter(|(name, _)| root.has(name)).count();
        return Err(FclibError::at("", Kind::NoProblem { found: count }));
    };
    let folder = root.folder(name)?;
    let problem = read(&folder)?;
    let sizes = point_sizes(&problem);
    Ok(FclibFile {
        info: read_info(&folder)?,
        guesses: read_guesses(root, sizes)?,
        solution: read_solution(root, sizes)?,
        problem,
    })
}

fn read_local(folder: &Hdf5Group) -> Result<Problem, FclibError> {
    // `V` and `R` describe equality constraints between bodies, which are not supported.
    refuse(folder, &["V", "R"])?;
    let vectors = folder.folder("vectors")?;
    let dimension = read_dimension(folder, [2, 3])?;
    let q = vectors.numbers("q")?;
    let mu = read_mu(&vectors, dimension, q.len(), "q")?;
    let matrix = folder.folder("W")?;
    let w = read_sparse(&matrix, q.len(), q.len())?;
    let wrong = |error: ProblemError| folder.error("W", Kind::Problem(error));
    let w = BlockCsr::from_matrix((&w).into(), dimension).map_err(|error| wrong(error.into()))?;
    Ok(ContactData::new(w, q.into(), ContactLawData::coulomb(dimension, mu)).map_err(wrong)?.into())
}

fn read_global(folder: &Hdf5Group) -> Result<Problem, FclibError> {
    let dimension = read_dimension(folder, [2, 3])?;
    read_global_with(folder, dimension, |_, mu| Ok(ContactLawData::coulomb(dimension, mu)))
}

fn read_global_rolling(folder: &Hdf5Group) -> Result<Problem, FclibError> {
    let dimension = read_dimension(folder, [3, 5])?;
    read_global_with(folder, dimension, |vectors, mu| {
        let mu_rolling = read_coefficients(vectors, "mu_r", mu.len(), "one for each contact")?;
        Ok(ContactLawData::rolling(dimension, mu, mu_rolling))
    })
}

/// Reads a problem in global form. `law` creates the law from the group `vectors` and the coefficients of
/// friction.
fn read_global_with(
    folder: &Hdf5Group,
    dimension: usize,
    law: impl Fn(&Hdf5Group, Vec<f64>) -> Result<ContactLawData, FclibError>,
) -> Result<Problem, FclibError> {
    refuse(folder, &["G"])?;
    let vectors = folder.folder("vectors")?;
    let (f, w) = (vectors.numbers("f")?, vectors.numbers("w")?);
    let mu = read_mu(&vectors, dimension, w.len(), "w")?;
    let m = read_sparse(&folder.folder("M")?, f.len(), f.len())?;
    let h = read_sparse(&folder.folder("H")?, f.len(), w.len())?;
    // Each entry has been checked, but a sum of entries at the same position can overflow.
    let wrong = |error| folder.error("H", Kind::Problem(error));
    let bodies = BodiesData { m: m.into(), h: h.into(), f: f.into(), w: w.into() };
    Ok(ContactData::of_bodies(bodies, law(&vectors, mu)?).map_err(wrong)?.into())
}

fn refuse(folder: &Hdf5Group, members: &[&str]) -> Result<(), FclibError> {
    match members.iter().find(|member| folder.has(member)) {
        None => Ok(()),
        Some(member) => Err(folder.error(member, Kind::UnsupportedPart)),
    }
}

fn read_dimension(folder: &Hdf5Group, possible: [usize; 2]) -> Result<usize, FclibError> {
    let found = folder.integer("spacedim")?;
    let dimension = usize::try_from(found).ok().filter(|dimension| possible.contains(dimension));
    dimension.ok_or_else(|| {
        let [plane, space] = possible;
        folder.wrong_entry("spacedim", 0, found, format_args!("{plane} or {space}"))
    })
}

/// Reads the coefficients of friction, one for each contact.
fn read_mu(
    vectors: &Hdf5Group,
    dimension: usize,
    size: usize,
    of: &'static str,
) -> Result<Vec<f64>, FclibError> {
    if !size.is_multiple_of(dimension) {
        let why = format!("a multiple of spacedim, {dimension}");
        return Err(vectors.wrong_length(of, size - size % dimension, &why, size));
    }
    let why = format!("{of} has {size} entries, {dimension} for each contact");
    read_coefficients(vectors, "mu", size / dimension, &why)
}

/// Reads `count` numbers, which must be non-negative and can be infinite.
fn read_coefficients(
    vectors: &Hdf5Group,
    member: &str,
    count: usize,
    why: &str,
) -> Result<Vec<f64>, FclibError> {
    let coefficients = vectors.numbers_or_infinity(member)?;
    if coefficients.len() != count {
        return Err(vectors.wrong_length(member, count, why, coefficients.len()));
    }
    match coefficients.iter().position(|x| x.is_nan() || *x < 0.0) {
        None => Ok(coefficients),
        Some(contact) => Err(vectors.wrong_entry(member, contact, coefficients[contact], "nonnegative")),
    }
}

fn read_info(folder: &Hdf5Group) -> Result<ProblemInfo, FclibError> {
    if !folder.has("info") {
        return Ok(ProblemInfo::default());
    }
    let info = folder.folder("info")?;
    Ok(ProblemInfo {
        title: info.text("title")?,
        description: info.text("description")?,
        math_info: info.text("math_info")?,
    })
}

fn read_guesses(root: &Hdf5Group, sizes: Option<PointSizes>) -> Result<Vec<ContactState>, FclibError> {
    if !root.has("guesses") {
        return Ok(Vec::new());
    }
    let guesses = root.folder("guesses")?;
    let count = guesses.integer("number_of_guesses")?;
    if count < 0 {
        return Err(guesses.wrong_entry("number_of_guesses", 0, count, "nonnegative"));
    }
    // A file can declare any number of guesses; reading stops at the first guess that is missing.
    (1..=count).map(|number| read_point(&guesses.folder(&number.to_string())?, sizes)).collect()
}

fn read_solution(root: &Hdf5Group, sizes: Option<PointSizes>) -> Result<Option<ContactState>, FclibError> {
    if !root.has("solution") {
        return Ok(None);
    }
    read_point(&root.folder("solution")?, sizes).map(Some)
}

fn read_point(folder: &Hdf5Group, sizes: Option<PointSizes>) -> Result<ContactState, FclibError> {
    let sizes = sizes.unwrap_or(PointSizes { contacts: 0, freedoms: None });
    let why = "one for each unknown";
    Ok(ContactState {
        r: folder.numbers_or_zeros("r", sizes.contacts, why)?,
        u: folder.numbers_or_zeros("u", sizes.contacts, why)?,
        v: match sizes.freedoms {
            Some(freedoms) => folder.numbers_or_zeros("v", freedoms, why)?,
            None => Vec::new(),
        },
    })
}
