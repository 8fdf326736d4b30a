//! Collections: lists of files with a time for each file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::VtkError;
use super::xml::attribute;

/// List of files with a time for each file. ParaView shows it as an animation.
///
/// ```
/// use siconos_io::vtk::Collection;
///
/// let mut film = Collection::default();
/// film.push(0.0, "run/000000.vtp");
/// film.push(0.01, "run/000001.vtp");
/// let mut file = Vec::new();
/// film.to_pvd(&mut file)?;
/// assert!(String::from_utf8_lossy(&file).contains(r#"timestep="0.01""#));
/// # Ok::<(), siconos_io::vtk::VtkError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collection {
    entries: Vec<(f64, String)>,
}

impl Collection {
    /// Adds a file, with its path relative to the folder of the collection, and its time \[s\].
    pub fn push(&mut self, time: f64, file: impl Into<String>) {
        self.entries.push((time, file.into()));
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if the collection is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Writes a `.pvd` file at `path` and replaces an existing file.
    ///
    /// # Errors
    ///
    /// If XML cannot represent a name, or the file cannot be written. The [`VtkError`] states the path.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), VtkError> {
        let path = path.as_ref();
        let write = || self.to_pvd(File::create(path)?);
        write().map_err(|error| error.in_file(path))
    }

    /// Writes a `.pvd` file to `writer`.
    ///
    /// # Errors
    ///
    /// If XML cannot represent a name, or the writer fails.
    pub fn to_pvd(&self, writer: impl Write) -> Result<(), VtkError> {
        let mut writer = BufWriter::new(writer);
        writer.write_all(
            b"<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
        )?;
        for (time, file) in &self.entries {
            let file = attribute(file)?;
            writeln!(writer, "<DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{file}\"/>")?;
        }
        writer.write_all(b"</Collection>\n</VTKFile>\n")?;
        Ok(writer.flush()?)
    }
}
