//! Table and figures of the cam-follower for every scheme. The developer's notes have the same figures: the
//! profile (figure 10.1), and the motion at 358, 660 and 700 rpm, as a function of time (10.2) and in state
//! space (10.3).

use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_io::trajectory::Table;

use super::scheme::{Run, SCHEMES, Sampling, share_axes};
use super::sketch::sketch;
use super::{Cam, CamFollower, Form};
use crate::ExampleError;

/// Speeds of the notes \[rpm\].
const SPEEDS: [f64; 3] = [358.0, 660.0, 700.0];

/// End of the time series, and start of the motion in state space \[s\].
const SERIES_END: f64 = 2.0;
const SETTLED: f64 = 3.0;

/// Duration of the motion in state space \[s\].
const SHOWN: f64 = 1.2;

/// Difference, as a fraction of the height of the cam, below which two curves count as equal. Impacts of
/// about 20 m/s whose times differ by one step of 0.1 ms cause an eighth of this difference.
const AGREEMENT: f64 = 0.1;

/// Runs the example, prints a table of the three speeds, and writes the figures.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let mut files = crate::save(&profile_figure(), output, "cam_profile")?;
    println!("cam-follower by time-stepping, h = 0.1 ms, T = 5 s; rheonomic form against translated form");
    println!(
        "{:>6} {:>8} {:>9} {:>12} {:>18} {:>19}",
        "rpm", "steps", "impacts", "u max [m]", "max impulse [N s]", "forms agree until"
    );
    let mut overview = vec![sketch(&Cam::new(60.0, 0.0))];
    let mut space = Vec::new();
    let mut series = Vec::new();
    for rpm in SPEEDS {
        let example = CamFollower::default().at(rpm);
        let rheonomic = example.simulate(Form::Rheonomic)?;
        let translated = example.simulate(Form::Translated)?;
        let impacts = rheonomic.rows().filter(|row| row[3] > 0.0).count();
        let highest = rheonomic.rows().map(|row| row[1]).fold(f64::MIN, f64::max);
        let hardest = rheonomic.rows().map(|row| row[3]).fold(0.0, f64::max);
        let agreement = agreement(&rheonomic, &translated);
        let until = agreement.map_or_else(|| "the end".to_owned(), |t| format!("t = {t:.3} s"));
        println!("{rpm:6.0} {:8} {impacts:9} {highest:12.4} {hardest:18.4} {until:>19}", rheonomic.len() - 1);
        let runs = SCHEMES
            .map(|scheme| (scheme.simulate)(&example, Sampling::over(example.t_end, example.h)))
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?;
        series.push(series_panel(&example.cam, &runs));
        overview.extend(runs.last().map(|run| overview_panel(&example.cam, run)));
        let mut row: Vec<_> =
            SCHEMES.iter().zip(&runs).map(|(scheme, run)| space_panel(rpm, scheme.name, run)).collect();
        share_axes(&mut row, 0.05);
        space.append(&mut row);
    }
    let overview = Figure::grid("", 2, overview).with_size(1100, 620);
    files.extend(crate::save(&overview, output, "cam_follower")?);
    println!(
        "(at 660 rpm the motion is chaotic: two discretisations can agree only until their differences have"
    );
    println!(" grown to the size of the motion; a smaller step moves that time on by little)");
    let over_time = Figure::new("Cam-follower over time (time-stepping with h = 0.1 ms)", series);
    files.extend(crate::save(&over_time.with_size(1100, 1050), output, "cam_follower_time_series")?);
    let in_space = Figure::grid(
        "Cam-follower in state space, relative to the cam, 3 s to 5 s (time-stepping with h = 0.1 ms)",
        SCHEMES.len(),
        space,
    );
    let width = 200 + 450 * SCHEMES.len() as u32;
    files.extend(crate::save(&in_space.with_size(width, 1200), output, "cam_follower_state_space")?);
    Ok(files)
}

/// Returns the earliest time at which two simulations differ by more than a tenth of the cam's height, or
/// `None` if they never do.
pub(crate) fn agreement(a: &Table, b: &Table) -> Option<f64> {
    a.rows().zip(b.rows()).find(|(a, b)| (a[1] - b[1]).abs() > AGREEMENT * Cam::height()).map(|(a, _)| a[0])
}

fn series_panel(cam: &Cam, runs: &[Run]) -> Panel {
    let window = |t: &f64| *t <= SERIES_END;
    let lift = runs.iter().take(1).flat_map(|run| &run.t).take_while(|t| window(t));
    let lift = lift.map(|t| (*t, cam.position(*t))).collect();
    let mut panel = Panel::new(format!("{} rpm", cam.rpm()), "t [s]", "position [m]");
    for (index, (scheme, run)) in SCHEMES.iter().zip(runs).enumerate() {
        let points = run.t.iter().zip(&run.q).take_while(|(t, _)| window(t));
        let points = points.map(|(t, q)| (*t, q + cam.position(*t))).collect();
        let label = format!("follower u, {}", scheme.name);
        // The first scheme is drawn as a line. The other schemes are dashed lines above it.
        panel =
            panel.with(if index == 0 { Curve::line(label, points) } else { Curve::dashed(label, points) });
    }
    panel.with(Curve::line("cam c", lift).coloured(Colour::Grey))
}

/// Returns a panel with the event-driven motion after the transient.
fn overview_panel(cam: &Cam, run: &Run) -> Panel {
    let window = run.t.partition_point(|t| *t < SETTLED)..run.t.partition_point(|t| *t <= SETTLED + SHOWN);
    let of_cam = run.t[window.clone()].iter().map(|t| (*t, cam.position(*t))).collect();
    let of_follower = window.map(|k| (run.t[k], run.q[k] + cam.position(run.t[k]))).collect();
    let kind = match cam.rpm() {
        rpm if rpm < 500.0 => "the same after three turns",
        rpm if rpm < 680.0 => "chaotic",
        _ => "the same after each turn",
    };
    let name = format!("{:.0} rpm: {kind}", cam.rpm());
    Panel::new(name, "t [s]", "position [m]")
        .with(Curve::line("cam", of_cam).coloured(Colour::Grey))
        .with(Curve::line("follower", of_follower).coloured(Colour::Blue))
}

fn space_panel(rpm: f64, scheme: &str, run: &Run) -> Panel {
    let settled = run.t.partition_point(|t| *t < SETTLED);
    let points = run.q[settled..].iter().copied().zip(run.v[settled..].iter().copied()).collect();
    Panel::new(format!("{rpm} rpm, {scheme}"), "u - c [m]", "u' - c' [m/s]").with(Curve::line("", points))
}

fn profile_figure() -> Figure {
    let cam = Cam::new(60.0, 0.0);
    let omega = cam.angular_velocity();
    let samples: Vec<_> =
        (0..=2000).map(|i| f64::from(i) / 2000.0).map(|turn| (360.0 * turn, cam.lift(turn))).collect();
    let curve = |of: &dyn Fn(&super::Lift) -> f64| {
        Curve::line("", samples.iter().map(|(x, lift)| (*x, of(lift))).collect())
    };
    let panel = |title: &str, label: &str| Panel::new(title, "cam angle [°]", label);
    Figure::new(
        "Profile of the cam",
        vec![
            panel("Position", "c [m]").with(curve(&|lift| lift.c)),
            panel("Velocity", "c' / ω [m]").with(curve(&|lift| lift.c_dot / omega)),
            panel("Acceleration", "c'' / ω² [m]").with(curve(&|lift| lift.c_ddot / (omega * omega))),
        ],
    )
    .with_size(900, 950)
}
