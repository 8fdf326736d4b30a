//! The results of a sweep in a file that grows with it: one line of JSON per speed, after one for the
//! settings.
//!
//! A sweep that was stopped goes on where it was: what is in the file is not computed again. A line that was
//! cut off while it was written is dropped, and a file with other settings is begun anew.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::ExampleError;

/// What a sweep computes; results belong together only if all of this is equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepSettings {
    /// The scheme.
    pub scheme: String,
    /// Turns that are skipped.
    pub transient: usize,
    /// Turns that are recorded.
    pub turns: usize,
    /// Longest time step \[s\].
    pub h: f64,
    /// Distance from the cam \[m\] and velocity relative to it \[m/s\] at the start.
    pub start: (f64, f64),
}

/// What is kept of one speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedRecord {
    /// The speed \[rpm\].
    pub rpm: f64,
    /// Distance from the cam once per turn \[m\].
    pub distances: Vec<f64>,
    /// Angle of the cam at each impact \[deg\].
    pub impact_angles: Vec<f64>,
    /// Velocity relative to the cam before each impact \[m/s\].
    pub impact_velocities: Vec<f64>,
}

/// The open file and what was in it.
#[derive(Debug)]
pub struct SweepFile {
    path: PathBuf,
    file: File,
    /// The speeds that are done.
    pub done: Vec<SpeedRecord>,
}

impl SweepFile {
    /// Opens a file, or begins one.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or written.
    pub fn open(path: &Path, settings: &SweepSettings) -> Result<Self, ExampleError> {
        let failed = |source| ExampleError::File { path: path.to_owned(), source };
        let text = match fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        let mut lines = text.lines();
        let fits = lines.next().and_then(|line| serde_json::from_str::<SweepSettings>(line).ok());
        let done: Vec<SpeedRecord> = if fits.as_ref() == Some(settings) {
            lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
        } else {
            Vec::new()
        };
        // Written anew beside the old one and moved there, so that a line that was cut off does not stay in
        // its middle and nothing is lost if this is stopped as well.
        let fresh = path.with_extension("partial");
        let mut file = File::create(&fresh).map_err(failed)?;
        write_line(&mut file, settings).map_err(failed)?;
        for record in &done {
            write_line(&mut file, record).map_err(failed)?;
        }
        drop(file);
        fs::rename(&fresh, path).map_err(failed)?;
        let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        Ok(Self { path: path.to_owned(), file, done })
    }

    /// Whether a speed is done \[rpm\].
    #[must_use]
    pub fn holds(&self, rpm: f64) -> bool {
        self.done.iter().any(|record| record.rpm == rpm)
    }

    /// Adds a speed.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn append(&mut self, record: SpeedRecord) -> Result<(), ExampleError> {
        write_line(&mut self.file, &record)
            .map_err(|source| ExampleError::File { path: self.path.clone(), source })?;
        self.done.push(record);
        Ok(())
    }
}

/// The line in one piece, so that it is there or not.
fn write_line(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}
