//! Figure of the room at several times.

use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel};

use super::Crowd;
use crate::ExampleError;
use crate::sweeping::outline;

/// Number of time steps per second of the motion.
const PER_SECOND: u32 = 50;

/// Times at which the room is drawn \[s\].
const INSTANTS: [u32; 6] = [0, 2, 5, 9, 14, 20];

/// Fraction of the largest force above which a force is drawn.
const STRONG: f64 = 0.2;

/// Colours of the discs. The colour depends on the initial column of the disc.
const COLOURS: [Colour; 5] =
    [Colour::Blue, Colour::Green, Colour::Orange, Colour::Vermillion, Colour::Purple];

/// Returns a panel with the room, the discs, and lines between discs that push each other strongly.
fn panel(crowd: &Crowd, title: String, q: &[f64], pushes: &[(usize, f64)]) -> Panel {
    let count = crowd.radii.len();
    let at = |i: usize| (q[2 * i], q[2 * i + 1]);
    let mut panel = Panel::drawing(title);
    let beyond = crowd.length + 1.6;
    panel.x_range = Some((-0.1, beyond));
    panel.y_range = Some((-0.1, crowd.width + 0.1));
    let strongest = pushes.iter().fold(0.0_f64, |most, (_, push)| most.max(*push));
    for (number, push) in pushes {
        if *number < count * count && *push > STRONG * strongest {
            let ends = vec![at(number / count), at(number % count)];
            panel = panel.with(Curve::underlay("", ends).coloured(Colour::Grey));
        }
    }
    let (lower, upper) = (0.5 * (crowd.width - crowd.door), 0.5 * (crowd.width + crowd.door));
    let (right, top) = (crowd.length, crowd.width);
    let walls = vec![(right, lower), (right, 0.0), (0.0, 0.0), (0.0, top), (right, top), (right, upper)];
    panel = panel.with(Curve::line("", walls).coloured(Colour::Black));
    for (i, radius) in crowd.radii.iter().enumerate() {
        let (x, y) = at(i);
        if x + radius < beyond {
            let colour = COLOURS[i * COLOURS.len() / count];
            panel = panel.with(Curve::line("", outline(40, (*radius, 0.0), (x, y))).coloured(colour));
        }
    }
    panel
}

pub(super) fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let crowd = Crowd::waiting(100);
    let (mut sweep, mut q) = (crowd.sweep()?, crowd.start.clone());
    let (h, mut deepest, mut panels) = (1.0 / f64::from(PER_SECOND), 0.0_f64, Vec::new());
    println!("{} people in a room of {:.1} m x {:.1} m", crowd.radii.len(), crowd.length, crowd.width);
    let last = INSTANTS[INSTANTS.len() - 1] * PER_SECOND;
    for k in 0..=last {
        if k > 0 {
            let t = h * f64::from(k - 1);
            if !sweep.step(t, h, &mut q)?.status.is_success() {
                return Err(ExampleError::NoSolution { t: t + h });
            }
        }
        deepest = deepest.max(crowd.deepest_overlap(&q));
        if let Some(t) = INSTANTS.into_iter().find(|t| t * PER_SECOND == k) {
            let labels = sweep.set().rows().labels().iter().copied();
            let pushes: Vec<(usize, f64)> = labels.zip(sweep.multipliers().iter().copied()).collect();
            let inside = q.chunks_exact(2).filter(|q| q[0] < crowd.length).count();
            println!(
                "t = {t:2} s: {inside:3} inside, {} push each other",
                pushes.iter().filter(|p| p.1 > 0.0).count()
            );
            panels.push(panel(&crowd, format!("t = {t} s: {inside} inside"), &q, &pushes));
        }
    }
    println!("no two have overlapped by more than {deepest:.1e} m");
    let figure = Figure::grid("A crowd leaves a room; grey: who pushes hard", 3, panels).with_size(1000, 590);
    crate::save(&figure, output, "sweeping_crowd")
}
