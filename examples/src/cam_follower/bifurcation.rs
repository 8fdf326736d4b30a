//! How the motion of the cam-follower changes with the speed of the cam: a bifurcation diagram from 300 to
//! 800 rpm.
//!
//! For each speed the follower runs until its motion has settled; then the distance from the cam once per
//! turn, and the angle of the cam at each impact, are drawn above the speed. A motion with the period of the
//! cam is one point, one of twice the period two points, chaos a band.
//!
//! The speeds are independent of each other and run in parallel. Each result goes to a file beside the figure
//! as soon as it is there ([`SweepFile`]); a sweep that was stopped goes on where it was.
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

use super::CamFollower;
use super::maps::impact_map;
use super::scheme::{SCHEMES, Sampling, Scheme};
pub use super::sweep_file::{SpeedRecord, SweepFile, SweepSettings};
use crate::ExampleError;

/// Time step of time-stepping \[s\]; with the 0.1 ms of the notes the periodic motions around 350 rpm drown
/// in the errors of the steps.
const STEP: f64 = 2e-5;

/// Which speeds, and how long at each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// Lowest speed \[rpm\].
    pub lowest: f64,
    /// Highest speed \[rpm\].
    pub highest: f64,
    /// Number of speeds, at least 2.
    pub count: usize,
    /// Turns until the motion is taken for settled.
    pub transient: usize,
    /// Turns that are drawn.
    pub turns: usize,
}

impl Default for Sweep {
    fn default() -> Self {
        Self { lowest: 300.0, highest: 800.0, count: 501, transient: 300, turns: 120 }
    }
}

impl Sweep {
    /// The speeds \[rpm\].
    #[must_use]
    pub fn speeds(&self) -> Vec<f64> {
        let last = self.count.saturating_sub(1).max(1) as f64;
        (0..self.count).map(|k| self.lowest + (self.highest - self.lowest) * (k as f64 / last)).collect()
    }

    /// Runs what is not yet in the file, in parallel; returns all results by increasing speed.
    ///
    /// # Errors
    ///
    /// A step that fails, or a file that cannot be read or written; what was done before is in the file.
    pub fn run(
        &self,
        example: &CamFollower,
        scheme: Scheme,
        path: &Path,
        progress: &ProgressBar,
    ) -> Result<Vec<SpeedRecord>, ExampleError> {
        let settings = SweepSettings {
            scheme: scheme.key.to_owned(),
            transient: self.transient,
            turns: self.turns,
            h: example.h,
            start: example.relative_start,
        };
        let file = SweepFile::open(path, &settings)?;
        let speeds = self.speeds();
        let missing: Vec<f64> = speeds.iter().copied().filter(|rpm| !file.holds(*rpm)).collect();
        progress.set_length(speeds.len() as u64);
        progress.set_position((speeds.len() - missing.len()) as u64);
        let file = Mutex::new(file);
        missing.into_par_iter().try_for_each(|rpm| {
            let record = self.record(example, scheme, rpm)?;
            // A panic elsewhere leaves whole lines behind.
            file.lock().unwrap_or_else(PoisonError::into_inner).append(record)?;
            progress.inc(1);
            Ok::<(), ExampleError>(())
        })?;
        let file = file.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut done = file.done;
        done.retain(|record| speeds.contains(&record.rpm));
        done.sort_by(|a, b| a.rpm.total_cmp(&b.rpm));
        Ok(done)
    }

    /// One speed.
    fn record(&self, example: &CamFollower, scheme: Scheme, rpm: f64) -> Result<SpeedRecord, ExampleError> {
        let example = example.at(rpm);
        let sampling = Sampling::stroboscopic(&example, self.transient, self.turns);
        let run = (scheme.simulate)(&example, sampling)?;
        let (impact_angles, impact_velocities) = impact_map(&example.cam, &run).into_iter().unzip();
        Ok(SpeedRecord { rpm, distances: run.q, impact_angles, impact_velocities })
    }
}

/// Runs the example for every scheme: writes the results of each to `cam_follower_bifurcation_<scheme>.jsonl`
/// and one figure `cam_follower_bifurcation`.
///
/// # Errors
///
/// A step that fails, or a file that cannot be read or written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    std::fs::create_dir_all(output)
        .map_err(|source| ExampleError::Folder { path: output.to_owned(), source })?;
    let (sweep, example) = (Sweep::default(), CamFollower { h: STEP, ..CamFollower::default() });
    println!("cam-follower from {} to {} rpm, {} speeds", sweep.lowest, sweep.highest, sweep.count);
    let (mut panels, mut files) = (Vec::new(), Vec::new());
    for scheme in SCHEMES {
        let path = output.join(format!("cam_follower_bifurcation_{}.jsonl", scheme.key));
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

/// The panels of a sweep: distance once per turn, and angle of impacts, over the speed.
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
