//! From problem and points to the groups of a file.

use siconos_numerics::contact::{FrictionContactProblem, GlobalProblem, GlobalRollingProblem};

use super::folder::Folder;
use super::sparse::write_sparse;
use super::{Fclib, FclibError, FclibErrorKind as Kind, Point, point_sizes};
use crate::problem::Problem;

/// Sees to it that everything has a place in the format and the right length.
pub(super) fn check(file: &Fclib) -> Result<(), FclibError> {
    let Some(sizes) = point_sizes(&file.problem) else {
        return Err(FclibError::at("", Kind::UnsupportedClass { class: file.problem.class() }));
    };
    let guesses = file.guesses.iter().enumerate().map(|(k, point)| (format!("guesses/{}", k + 1), point));
    for (name, point) in guesses.chain(file.solution.iter().map(|point| ("solution".to_owned(), point))) {
        let Point { r, u, v } = point;
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

/// Writes what [`check`] has accepted.
pub(super) fn write(root: &Folder, file: &Fclib) -> Result<(), FclibError> {
    let folder = match &file.problem {
        Problem::Fc2d(problem) => write_local(root, problem)?,
        Problem::Fc3d(problem) => write_local(root, problem)?,
        Problem::Gfc2d(problem) => write_global(root, "fclib_global", 2, &problem.view(), problem.mu())?.0,
        Problem::Gfc3d(problem) => write_global(root, "fclib_global", 3, &problem.view(), problem.mu())?.0,
        Problem::Grolling2d(problem) => write_global_rolling(root, problem)?,
        Problem::Grolling3d(problem) => write_global_rolling(root, problem)?,
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

fn write_local<const D: usize>(
    root: &Folder,
    problem: &FrictionContactProblem<D>,
) -> Result<Folder, FclibError> {
    let folder = root.create_folder("fclib_local")?;
    folder.write_sizes("spacedim", &[D])?;
    write_sparse(&folder.create_folder("W")?, problem.w().view())?;
    let vectors = folder.create_folder("vectors")?;
    vectors.write("q", problem.q())?;
    vectors.write("mu", problem.mu())?;
    Ok(folder)
}

/// Writes what every problem in global form has, and returns its group and that of its vectors.
fn write_global(
    root: &Folder,
    group: &str,
    dimension: usize,
    problem: &GlobalProblem<'_>,
    mu: &[f64],
) -> Result<(Folder, Folder), FclibError> {
    let folder = root.create_folder(group)?;
    folder.write_sizes("spacedim", &[dimension])?;
    write_sparse(&folder.create_folder("M")?, problem.m())?;
    write_sparse(&folder.create_folder("H")?, problem.h())?;
    let vectors = folder.create_folder("vectors")?;
    vectors.write("f", problem.f())?;
    vectors.write("w", problem.w())?;
    vectors.write("mu", mu)?;
    Ok((folder, vectors))
}

fn write_global_rolling<const D: usize>(
    root: &Folder,
    problem: &GlobalRollingProblem<D>,
) -> Result<Folder, FclibError> {
    let (folder, vectors) = write_global(root, "fclib_global_rolling", D, &problem.view(), problem.mu())?;
    vectors.write("mu_r", problem.mu_rolling())?;
    Ok(folder)
}

fn write_point(folder: &Folder, point: &Point) -> Result<(), FclibError> {
    folder.write("r", &point.r)?;
    folder.write("u", &point.u)?;
    if point.v.is_empty() { Ok(()) } else { folder.write("v", &point.v) }
}
