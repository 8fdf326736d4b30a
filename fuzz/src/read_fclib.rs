//! HDF5 files in FCLIB's format with datasets of any length, type and content: the reader does not panic, and
//! the result can be written and is then read as an equal problem.
//!
//! The files are valid HDF5, so that the reader of this project is tested and not the library.

use std::path::Path;

use hdf5::{File, Group, H5Type};
use siconos_io::fclib::FclibFile;

/// Datasets of a file. Each takes one byte for its type and length, followed by its entries.
const DATASETS: [&str; 29] = [
    "fclib_local/spacedim",
    "fclib_local/W/m",
    "fclib_local/W/n",
    "fclib_local/W/nz",
    "fclib_local/W/p",
    "fclib_local/W/i",
    "fclib_local/W/x",
    "fclib_local/vectors/q",
    "fclib_local/vectors/mu",
    "fclib_global/spacedim",
    "fclib_global/M/m",
    "fclib_global/M/n",
    "fclib_global/M/nz",
    "fclib_global/M/p",
    "fclib_global/M/i",
    "fclib_global/M/x",
    "fclib_global/H/m",
    "fclib_global/H/n",
    "fclib_global/H/nz",
    "fclib_global/H/p",
    "fclib_global/H/i",
    "fclib_global/H/x",
    "fclib_global/vectors/f",
    "fclib_global/vectors/w",
    "fclib_global/vectors/mu",
    "guesses/number_of_guesses",
    "guesses/1/r",
    "solution/r",
    "solution/u",
];

/// Writes a file that is built from the bytes, and reads it.
///
/// # Panics
///
/// If the reader or the writer panics, if the problem changes in the round trip, or if the temporary
/// files cannot be written.
pub fn check(bytes: &[u8]) {
    let folder = std::env::temp_dir();
    let name = |what: &str| folder.join(format!("siconos_fuzz_{what}_{}.hdf5", std::process::id()));
    let (path, copy) = (name("read"), name("copy"));
    write(&path, bytes).expect("a scratch file");
    if let Ok(read) = FclibFile::read(&path) {
        read.write(&copy).expect("it was read");
        assert_eq!(FclibFile::read(&copy).expect("it was written so"), read);
        std::fs::remove_file(&copy).expect("it is there");
    }
    std::fs::remove_file(&path).expect("it is there");
}

fn write(path: &Path, bytes: &[u8]) -> hdf5::Result<()> {
    let file = File::create(path)?;
    let mut bytes = bytes.iter().copied();
    for dataset in DATASETS {
        // 0 omits the dataset; missing bytes count as 0.
        let form = bytes.next().unwrap_or(0);
        let length = usize::from(form >> 3);
        let entries: Vec<i8> = bytes.by_ref().take(length).map(u8::cast_signed).collect();
        match form % 8 {
            0 => {}
            1 | 2 => put(&file, dataset, &entries.iter().map(|x| i32::from(*x)).collect::<Vec<_>>())?,
            3 => put(&file, dataset, &entries.iter().map(|x| i64::from(*x) << 40).collect::<Vec<_>>())?,
            4 => put(&file, dataset, &entries.iter().map(|x| f64::from(*x).exp2()).collect::<Vec<_>>())?,
            5 => put(&file, dataset, &entries.iter().map(|x| 1.0 / f64::from(*x)).collect::<Vec<_>>())?,
            _ => put(&file, dataset, &entries.iter().map(|x| 0.25 * f64::from(*x)).collect::<Vec<_>>())?,
        }
    }
    file.close()
}

fn put<T: H5Type>(file: &File, path: &str, entries: &[T]) -> hdf5::Result<()> {
    let mut group: Group = file.group("/")?;
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            group.new_dataset_builder().with_data(entries).create(part)?;
        } else {
            group = if group.link_exists(part) { group.group(part)? } else { group.create_group(part)? };
        }
    }
    Ok(())
}
