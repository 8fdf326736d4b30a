//! Bifurcation diagram of the cam-follower for cam speeds from 300 to 800 rpm.
//!
//! At each speed, the follower is simulated until its transient has decayed. The diagram then shows, as
//! functions of the speed, the distance from the cam once per turn and the angle of the cam at each impact. A
//! motion with the period of the cam is one point, a motion with twice the period is two points, and a
//! chaotic motion is a band.
//!
//! The speeds are independent of each other and run in parallel. Each result is written to a [`Journal`] in
//! the folder of the figure immediately after it has been computed, so that an interrupted study can be
//! resumed.
//!
//! ![figure of this example](../../../figures/cam_follower_bifurcation.png)
//!
//! ```
//! use siconos_examples::cam_follower::bifurcation::Sweep;
//!
//! let speeds = Sweep::default().speeds();
//! assert_eq!((speeds.len(), speeds[0], speeds[500]), (501, 300.0, 800.0));
//! ```

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use siconos_figure::{Figure, Panel, kinds};
use siconos_io::study::Journal;

use super::CamFollower;
use super::maps::impact_map;
use super::scheme::{SCHEMES, Sampling, Scheme};
use crate::ExampleError;

/// Time step of time-stepping \[s\]. At the 0.1 ms of the developer's notes, discretisation errors hide the
/// periodic motions around 350 rpm.
const STEP: f64 = 2e-5;

/// Results at one speed.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedRecord {
    /// Speed \[rpm\].
    pub rpm: f64,
    /// Distance from the cam once per turn \[m\].
    pub distances: Vec<f64>,
    /// Angle of the cam at each impact \[deg\].
    pub impact_angles: Vec<f64>,
    /// Velocity relative to the cam before each impact \[m/s\].
    pub impact_velocities: Vec<f64>,
}

/// Columns of a journal. The number of rows is the number of turns or of impacts, whichever is larger;
/// missing values are NaN.
const COLUMNS: [&str; 3] = ["u - c [m]", "cam angle [deg]", "velocity before [m/s]"];

impl SpeedRecord {
    fn rows(&self) -> Vec<Vec<f64>> {
        let lists = [&self.distances, &self.impact_angles, &self.impact_velocities];
        let count = lists.iter().map(|list| list.len()).max().unwrap_or_default();
        let row = |k: usize| lists.iter().map(|list| list.get(k).copied().unwrap_or(f64::NAN)).collect();
        (0..count).map(row).collect()
    }

    fn of_rows(rpm: f64, rows: &[Vec<f64>]) -> Self {
        let [distances, impact_angles, impact_velocities] = [0, 1, 2]
            .map(|column| rows.iter().map(|row| row[column]).filter(|value| !value.is_nan()).collect());
        Self { rpm, distances, impact_angles, impact_velocities }
    }
}

/// Speeds of the study, and number of turns at each speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// Lowest speed \[rpm\].
    pub lowest: f64,
    /// Highest speed \[rpm\].
    pub highest: f64,
    /// Number of speeds, at least 2.
    pub count: usize,
    /// Number of turns of the transient.
    pub transient: usize,
    /// Number of turns that are drawn after the transient.
    pub turns: usize,
}

impl Default for Sweep {
    fn default() -> Self {
        Self { lowest: 300.0, highest: 800.0, count: 501, transient: 300, turns: 120 }
    }
}

impl Sweep {
    /// Returns the speeds \[rpm\].
    #[must_use]
    pub fn speeds(&self) -> Vec<f64> {
        let last = self.count.saturating_sub(1).max(1) as f64;
        (0..self.count).map(|k| self.lowest + (self.highest - self.lowest) * (k as f64 / last)).collect()
    }

    /// Computes the speeds that are not in the journal, in parallel. Returns the results of all speeds,
    /// sorted by speed.
    ///
    /// # Errors
    ///
    /// If a step fails, or if the journal cannot be read or written or belongs to another study. Results that
    /// are complete remain in the journal.
    pub fn run(
        &self,
        example: &CamFollower,
        scheme: Scheme,
        path: &Path,
        progress: &ProgressBar,
    ) -> Result<Vec<SpeedRecord>, ExampleError> {
        let columns = COLUMNS.map(str::to_owned);
        let journal = Journal::open(path, &columns, &self.identity(example, scheme))?;
        let speeds = self.speeds();
        let is_missing = |(point, _): &(usize, f64)| !journal.done().contains_key(point);
        let missing: Vec<_> = speeds.iter().copied().enumerate().filter(is_missing).collect();
        progress.set_length(speeds.len() as u64);
        progress.set_position((speeds.len() - missing.len()) as u64);
        let journal = Mutex::new(journal);
        missing.into_par_iter().try_for_each(|(point, rpm)| {
            let record = self.record(example, scheme, rpm)?;
            // If another thread panicked, the journal contains only complete points.
            journal.lock().unwrap_or_else(PoisonError::into_inner).note(point, record.rows())?;
            progress.inc(1);
            Ok::<(), ExampleError>(())
        })?;
        let journal = journal.into_inner().unwrap_or_else(PoisonError::into_inner);
        let done = journal.done().iter();
        Ok(done.map(|(point, rows)| SpeedRecord::of_rows(speeds[*point], rows)).collect())
    }

    /// Returns the settings that must be equal for all results in a journal.
    fn identity(&self, example: &CamFollower, scheme: Scheme) -> [String; 3] {
        let CamFollower { h, relative_start, .. } = example;
        let Self { lowest, highest, count, transient, turns } = self;
        [
            format!("{count} speeds from {lowest:?} to {highest:?} rpm"),
            format!("{turns} turns after a transient of {transient}"),
            format!("scheme {}, steps of {h:?} s, start {relative_start:?}", scheme.key),
        ]
    }

    /// Simulates one speed.
    fn record(&self, example: &CamFollower, scheme: Scheme, rpm: f64) -> Result<SpeedRecord, ExampleError> {
        let example = example.at(rpm);
        let sampling = Sampling::stroboscopic(&example, self.transient, self.turns);
        let run = (scheme.simulate)(&example, sampling)?;
        let (impact_angles, impact_velocities) = impact_map(&example.cam, &run).into_iter().unzip();
        Ok(SpeedRecord { rpm, distances: run.q, impact_angles, impact_velocities })
    }
}

/// Runs the example with every scheme. Writes the results of each scheme to
/// `cam_follower_bifurcation_<scheme>.slog`, and one figure `cam_follower_bifurcation`.
///
/// # Errors
///
/// If a step fails, or a file cannot be read or written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    std::fs::create_dir_all(output)
        .map_err(|source| ExampleError::Folder { path: output.to_owned(), source })?;
    let (sweep, example) = (Sweep::default(), CamFollower { h: STEP, ..CamFollower::default() });
    println!("cam-follower from {} to {} rpm, {} speeds", sweep.lowest, sweep.highest, sweep.count);
    let (mut panels, mut files) = (Vec::new(), Vec::new());
    for scheme in SCHEMES {
        let path = output.join(format!("cam_follower_bifurcation_{}.slog", scheme.key));
        let progress = ProgressBar::no_length().with_message(scheme.name);
        if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} speeds, {eta} left") {
            progress.set_style(style);
        }
        let records = sweep.run(&example, scheme, &path, &progress)?;
        progress.finish();
        let impacts: usize = records.iter().map(|record| record.impact_angles.len()).sum();
        println!("{}: {} speeds, {impacts} impacts drawn", scheme.name, records.len());
        panels.extend(diagram(scheme.name, &records));
        files.push(path);
    }
    let title = format!(
        "Cam-follower, {} turns after a transient of {}, {} speeds (time-stepping with h = 0.02 ms)",
        sweep.turns, sweep.transient, sweep.count
    );
    let height = 30 + 430 * panels.len() as u32;
    let figure = Figure::new(title, panels).with_size(1300, height);
    files.extend(crate::save(&figure, output, "cam_follower_bifurcation")?);
    Ok(files)
}

/// Returns two panels of a study, with the distances once per turn and the impact angles as functions of the
/// speed.
#[must_use]
pub fn diagram(scheme: &str, records: &[SpeedRecord]) -> [Panel; 2] {
    let points = |of: fn(&SpeedRecord) -> &[f64]| {
        records.iter().flat_map(|record| of(record).iter().map(|y| (record.rpm, *y))).collect::<Vec<_>>()
    };
    let panel = |title: &str, label: &str, points| {
        let panel = kinds::bifurcation("speed of the cam [rpm]", label, [("", points)]);
        Panel { title: format!("{title}, {scheme}"), ..panel }
    };
    let angles = points(|record| &record.impact_angles);
    [
        panel("Once per turn", "u - c [m]", points(|record| &record.distances)),
        panel("Impacts", "cam angle [°]", angles),
    ]
}
