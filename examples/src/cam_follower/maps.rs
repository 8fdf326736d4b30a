//! Impact map and stroboscopic map of the cam-follower at 660 rpm, where its motion is chaotic (figure 10.4
//! of the developer's notes).
//!
//! Each impact is a point of the impact map. Its coordinates are the angle of the cam at the impact, and the
//! velocity relative to the cam before the impact. The stroboscopic map samples the state relative to the cam
//! once per turn, at the angle at which the lift starts. A periodic motion consists of a few points in each
//! map. The chaotic attractor is a folded curve with structure at every scale. The orbits of two schemes soon
//! diverge from each other, but both schemes fill the same attractor.
//!
//! ![figure of this example](../../../figures/cam_follower_maps.png)
//!
//! ```
//! use siconos_examples::cam_follower::{CamFollower, Sampling, maps, run_time_stepping};
//!
//! let example = CamFollower::default().at(358.0);
//! let run = run_time_stepping(&example, Sampling::stroboscopic(&example, 10, 3))?;
//! let map = maps::impact_map(&example.cam, &run);
//! assert!(map.iter().all(|(angle, v)| (0.0..360.0).contains(angle) && *v < 0.0));
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Figure, Panel, kinds};

use super::scheme::{Run, SCHEMES, Sampling, share_axes};
use super::{Cam, CamFollower};
use crate::ExampleError;

/// Speed of the notes \[rpm\].
const SPEED: f64 = 660.0;
/// Number of turns of the transient, and number of turns that are drawn after it.
const TRANSIENT: usize = 200;
const TURNS: usize = 6000;
/// Time step of time-stepping \[s\]. At the 0.1 ms of the developer's notes, a quarter of the impacts with 30
/// to 50 m/s is missing; with this step, a twentieth. Discretisation errors act as noise on the attractor.
const STEP: f64 = 2e-5;

/// Returns a point for each impact: the angle of the cam \[deg\] in \[0, 360), and the velocity relative to
/// the cam before the impact \[m/s\].
#[must_use]
pub fn impact_map(cam: &Cam, run: &Run) -> Vec<(f64, f64)> {
    run.impacts.iter().map(|impact| (cam.degrees(impact.t), impact.v_minus)).collect()
}

/// Returns a point for each sample: the distance from the cam \[m\], and the velocity relative to the cam
/// \[m/s\].
#[must_use]
pub fn stroboscopic_map(run: &Run) -> Vec<(f64, f64)> {
    run.q.iter().copied().zip(run.v.iter().copied()).collect()
}

/// Runs the example, prints the numbers of impacts and mean values, and writes `cam_follower_maps`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = CamFollower { h: STEP, ..CamFollower::default() }.at(SPEED);
    let sampling = Sampling::stroboscopic(&example, TRANSIENT, TURNS);
    println!("cam-follower at {SPEED} rpm: {TURNS} turns after a transient of {TRANSIENT}");
    println!(
        "{:<14} {:>8} {:>16} {:>22} {:>20}",
        "scheme", "impacts", "impacts a turn", "mean approach [m/s]", "mean distance [m]"
    );
    let (mut impacts, mut strobes) = (Vec::new(), Vec::new());
    for scheme in SCHEMES {
        let run = (scheme.simulate)(&example, sampling)?;
        let mean = |sum: f64, count: usize| sum / count.max(1) as f64;
        println!(
            "{:<14} {:8} {:16.4} {:22.4} {:20.5}",
            scheme.name,
            run.impacts.len(),
            mean(run.impacts.len() as f64, run.t.len().saturating_sub(1)),
            mean(run.impacts.iter().map(|impact| -impact.v_minus).sum(), run.impacts.len()),
            mean(run.q.iter().sum(), run.q.len()),
        );
        let title = |of: &str| format!("{of}, {}", scheme.name);
        let cloud = [("", impact_map(&example.cam, &run))];
        let label = "u' - c' before the impact [m/s]";
        let panel = kinds::impact_map("cam angle [°]", 360.0, label, cloud);
        impacts.push(Panel { title: title("Impact map"), ..panel });
        let panel = kinds::poincare_map("u - c [m]", "u' - c' [m/s]", [("", stroboscopic_map(&run))]);
        strobes.push(Panel { title: title("Stroboscopic map"), ..panel });
    }
    let title = format!("Cam-follower at {SPEED} rpm, {TURNS} turns (time-stepping with h = 0.02 ms)");
    share_axes(&mut impacts, 0.04);
    share_axes(&mut strobes, 0.04);
    for panel in &mut impacts {
        panel.x_range = Some((0.0, 360.0));
    }
    impacts.append(&mut strobes);
    let width = 200 + 550 * SCHEMES.len() as u32;
    let figure = Figure::grid(title, SCHEMES.len(), impacts).with_size(width, 1100);
    crate::save(&figure, output, "cam_follower_maps")
}
