//! Conversion of a problem with its initial guesses and its solution to the groups of an FCLIB file.

use siconos_linalg::{Matrix, slice};
use siconos_numerics::contact::{BodiesData, ContactData, ContactLaw, OperatorData};

use super::folder::Hdf5Group;
use super::sparse::write_sparse;
use super::{ContactState, FclibError, FclibErrorKind as Kind, FclibFile, point_sizes};
use crate::problem_class::Problem;

/// Returns an error if the format does not support some of the data, or if a vector has the wrong length.
pub(super) fn check(file: &FclibFile) -> Result<(), FclibError> {
    let Some(sizes) = point_sizes(&file.problem) else {
        return Err(FclibError::at("", Kind::UnsupportedClass { class: file.problem.class() }));
    };
    let guesses = file.guesses.iter().enumerate().map(|(k, point)| (format!("guesses/{}", k + 1), point));
    for (name, point) in guesses.chain(file.solution.iter().map(|point| ("solution".to_owned(), point))) {
        let ContactState { r, u, v } = point;
        let freedoms = sizes.freedoms.unwrap_or(0);
        for (member, expected, found) in
            [("r", sizes.contacts, r.len()), ("u", sizes.contacts, u.len()), ("v", freedoms, v.len())]
        {
            if expected != found {
                let kind = Kind::WrongLength { expected: expected.to_string(), found };
                return Err(FclibError::at(format!("{name}/{member}"), kind));
            }
        }
    }
    Ok(())
}

/// Writes the contents of a file, which [`check`] must have accepted.
pub(super) fn write(root: &Hdf5Group, file: &FclibFile) -> Result<(), FclibError> {
    let folder = match &file.problem {
        Problem::Contact(problem) => match problem.operator() {
            OperatorData::Delassus(w) => write_local(root, problem, w)?,
            OperatorData::Bodies(bodies) => write_global(root, problem, bodies)?,
        },
        other => return Err(FclibError::at("", Kind::UnsupportedClass { class: other.class() })),
    };
    let info = folder.create_folder("info")?;
    info.write_text("title", &file.info.title)?;
    info.write_text("description", &file.info.description)?;
    info.write_text("math_info", &file.info.math_info)?;
    if !file.guesses.is_empty() {
        let guesses = root.create_folder("guesses")?;
        guesses.write_sizes("number_of_guesses", &[file.guesses.len()])?;
        for (k, point) in file.guesses.iter().enumerate() {
            write_point(&guesses.create_folder(&(k + 1).to_string())?, point)?;
        }
    }
    if let Some(point) = &file.solution {
        write_point(&root.create_folder("solution")?, point)?;
    }
    Ok(())
}

fn write_local(root: &Hdf5Group, problem: &ContactData, w: &Matrix) -> Result<Hdf5Group, FclibError> {
    let folder = root.create_folder("fclib_local")?;
    folder.write_sizes("spacedim", &[problem.law().uniform_dimension().unwrap_or(0)])?;
    write_sparse(&folder.create_folder("W")?, w.view())?;
    let vectors = folder.create_folder("vectors")?;
    vectors.write("q", problem.q())?;
    write_law(&vectors, problem.law())?;
    Ok(folder)
}

fn write_global(
    root: &Hdf5Group,
    problem: &ContactData,
    bodies: &BodiesData,
) -> Result<Hdf5Group, FclibError> {
    let law = problem.law();
    let rolls = matches!(law, ContactLaw::Rolling { .. });
    let folder = root.create_folder(if rolls { "fclib_global_rolling" } else { "fclib_global" })?;
    folder.write_sizes("spacedim", &[law.uniform_dimension().unwrap_or(0)])?;
    write_sparse(&folder.create_folder("M")?, bodies.m.view())?;
    write_sparse(&folder.create_folder("H")?, bodies.h.view())?;
    let vectors = folder.create_folder("vectors")?;
    vectors.write("f", slice(&bodies.f))?;
    vectors.write("w", slice(&bodies.w))?;
    write_law(&vectors, law)?;
    Ok(folder)
}

fn write_law(vectors: &Hdf5Group, law: ContactLaw<'_>) -> Result<(), FclibError> {
    match law {
        ContactLaw::Coulomb { mu, .. } => vectors.write("mu", mu),
        ContactLaw::Rolling { mu, mu_rolling, .. } => {
            vectors.write("mu", mu)?;
            vectors.write("mu_r", mu_rolling)
        }
        // `check` returns an error for these classes.
        _ => Ok(()),
    }
}

fn write_point(folder: &Hdf5Group, point: &ContactState) -> Result<(), FclibError> {
    folder.write("r", &point.r)?;
    folder.write("u", &point.u)?;
    if point.v.is_empty() { Ok(()) } else { folder.write("v", &point.v) }
}
