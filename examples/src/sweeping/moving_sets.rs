//! Points that are dragged by moving sets: a translating disc and a rotating square.
//!
//! The point in the disc is at rest until the rim reaches it. Then the rim pulls it along its normal, like a
//! toy on a string, and the point draws a tractrix: from (0, -1) its position is
//! $(t - \tanh t, -1 / \cosh t)$. The point in the square is pushed towards the centre by each side that
//! passes. In the end the square rotates without touching the point.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/sweeping_moving_sets.svg"))]
//!
//! ```
//! let motion = siconos_examples::sweeping::moving_sets::in_a_disc(1e-3, 2000)?;
//! let end = motion.row(2000);
//! assert!((end[1] - (2.0 - 2.0_f64.tanh())).abs() < 1e-3);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_numerics::cone::{Ball, Polyhedron};
use siconos_sweeping::{CatchingUp, MovingFrame};

use super::{outline, table};
use crate::{ExampleError, pairs};

/// Angular velocity of the square \[rad/s\].
const RATE: f64 = 1.0;

/// Simulates a point that starts at (0, -1) in the disc of radius 1 around (t, 0). The table has the columns
/// t, x, y.
///
/// # Errors
///
/// If `h` is not positive.
pub fn in_a_disc(h: f64, steps: u32) -> Result<Table, ExampleError> {
    let disc = Ball::new(vec![0.0; 2], 1.0)?;
    let moving = MovingFrame::translated(2, disc, |t, centre| centre[0] = t);
    table(&mut CatchingUp::new(moving), &[0.0, -1.0], (h, steps), &["x", "y"])
}

/// Simulates a point that starts near a corner of the rotating square between -1 and 1. The table has the
/// columns t, x, y.
///
/// # Errors
///
/// If `h` is not positive.
pub fn in_a_square(h: f64, steps: u32) -> Result<Table, ExampleError> {
    let rows = ndarray::array![[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let square = Polyhedron::new(rows, vec![-1.0; 4])?;
    let turning = MovingFrame::new(2, square, |t, _centre, mut axes| {
        let (sine, cosine) = (RATE * t).sin_cos();
        (axes[[0, 0]], axes[[0, 1]]) = (cosine, -sine);
        (axes[[1, 0]], axes[[1, 1]]) = (sine, cosine);
    });
    table(&mut CatchingUp::new(turning), &[1.0, 0.95], (h, steps), &["x", "y"])
}

/// Runs the example, prints the positions of the point in the disc, and writes `sweeping_moving_sets.svg` and
/// `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let (disc, square) = (in_a_disc(5e-3, 600)?, in_a_square(2e-3, 1500)?);
    println!("a disc drags a point along");
    for k in (0..=600).step_by(100) {
        if let [t, x, y] = disc.row(k) {
            println!(
                "t = {t:4.1} s: ({x:9.6}, {y:9.6}), exact ({:9.6}, {:9.6})",
                t - t.tanh(),
                -1.0 / t.cosh()
            );
        }
    }
    let mut of_disc = Panel::drawing("A disc moves to the right");
    for t in [0.0, 1.0, 2.0, 3.0] {
        of_disc = of_disc.with(Curve::line("", outline(120, (1.0, 0.0), (t, 0.0))).coloured(Colour::Grey));
    }
    let of_disc = of_disc.with(Curve::line("point", pairs(&disc, "x", "y")?).coloured(Colour::Orange));
    let mut of_square = Panel::drawing("A square turns to the left");
    let corner = 0.25 * std::f64::consts::PI;
    for t in [0.0, 0.4, 0.8] {
        let edges = outline(4, (2.0_f64.sqrt(), corner + RATE * t), (0.0, 0.0));
        of_square = of_square.with(Curve::line("", edges).coloured(Colour::Grey));
    }
    let of_square = of_square.with(Curve::line("point", pairs(&square, "x", "y")?).coloured(Colour::Orange));
    let figure = Figure::grid("Moving sets and what they drag along", 2, vec![of_disc, of_square]);
    crate::save(&figure, output, "sweeping_moving_sets")
}
