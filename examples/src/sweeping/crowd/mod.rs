//! Crowd that leaves a room through a door.
//!
//! People are discs. They move towards the door at their desired velocities unless they would overlap each
//! other or the walls. The velocities of the discs are the velocities closest to the desired velocities for
//! which no distance $D_{ij}$ that is zero decreases (Maury and Venel 2011). A step linearises the distances
//! at the current positions,
//!
//! $$ D_{ij}(q_k) + G_{ij}(q_k) \cdot (q_{k+1} - q_k) \ge 0, $$
//!
//! as plain text D_ij(q_k) + G_ij(q_k) . (q_{k+1} - q_k) >= 0, and projects $q_k + h U(q_k)$ onto the
//! polyhedron of these inequalities. This is the catching-up algorithm for a set that depends on the state.
//! The set at the start of the step is used. The distance between two discs is a convex function, which is
//! never below its tangents. Therefore no two discs overlap after a step of any length, provided that every
//! pair that can touch has a row. Two discs in contact that rotate around each other are separated by the
//! error of the linearisation, which is of order $h^2$ per step.
//!
//! The multipliers are the forces between the discs. In front of the door the discs form arches, which hold
//! for a while and break. The figure shows the room at six times. Grey lines connect discs that push each
//! other strongly.
//!
#![cfg_attr(doc, doc = include_str!("../../../../docs/figures/sweeping_crowd.svg"))]
//!
//! ```
//! use siconos_examples::sweeping::crowd::Crowd;
//!
//! let crowd = Crowd::waiting(12);
//! let motion = crowd.simulate(0.05, 100)?;
//! let end = motion.row(100);
//! assert!(crowd.deepest_overlap(&end[1..]) < 1e-12);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```
//!
//! Reference: B. Maury, J. Venel (2011), "A discrete contact model for crowd motion", ESAIM: Mathematical
//! Modelling and Numerical Analysis 45, 145-168.

mod picture;

use std::path::{Path, PathBuf};

use siconos_io::trajectory::Table;
use siconos_sweeping::{CatchingUp, Inequalities, MovingPolyhedron};

use super::table;
use crate::ExampleError;

/// Largest distance, in units of the smallest radius, at which a pair has a row. In a step, nobody may move
/// by half this distance or more.
const REACH: f64 = 2.0;

/// Crowd in a room whose right wall has a door in its middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    /// Length of the room, from x = 0 to the wall with the door \[m\].
    pub length: f64,
    /// Width of the room, from y = 0 \[m\].
    pub width: f64,
    /// Width of the door \[m\].
    pub door: f64,
    /// Desired speed of all people \[m/s\].
    pub speed: f64,
    /// Radii \[m\].
    pub radii: Vec<f64>,
    /// Initial positions \[m\]: x and y of the first person, x and y of the second person, and so on.
    pub start: Vec<f64>,
}

impl Crowd {
    /// Creates a crowd of `count` people with radii from 0.18 m to 0.26 m, initially in slightly irregular
    /// rows. The size of the room depends on their number. The door is 1.1 m wide, and the desired speed is 1
    /// m/s.
    #[must_use]
    pub fn waiting(count: usize) -> Self {
        let rows = (count as f64).sqrt().ceil().max(2.0);
        let (spacing, width) = (0.56, 0.56 * rows + 1.0);
        let length = spacing * (count as f64 / rows).ceil() + 2.0;
        // The fractional parts of multiples of an irrational number form a low-discrepancy sequence.
        let spread = |k: usize, step: f64| (step * (k + 1) as f64).fract();
        let radii = (0..count).map(|k| 0.18 + 0.08 * spread(k, 0.618_033_988_749_895)).collect();
        let place = |k: usize| {
            let (column, row) = (k / rows as usize, k % rows as usize);
            let x = length - 1.2 - spacing * column as f64 + 0.03 * spread(k, 0.414_213_562_373_095);
            let y = 0.5 * (width - spacing * (rows - 1.0)) + spacing * row as f64;
            [x, y + 0.03 * spread(k, 0.732_050_807_568_877)]
        };
        Self { length, width, door: 1.1, speed: 1.0, radii, start: (0..count).flat_map(place).collect() }
    }

    /// Writes the desired velocities at the positions q. A disc moves towards the nearest point at which it
    /// fits through the door, and straight on beyond the door.
    pub fn wish(&self, q: &[f64], u: &mut [f64]) {
        for ((q, u), radius) in q.chunks_exact(2).zip(u.chunks_exact_mut(2)).zip(&self.radii) {
            let free = (0.5 * self.door - radius).max(0.0);
            let middle = 0.5 * self.width;
            let aim = [self.length, q[1].clamp(middle - free, middle + free)];
            let (dx, dy) = (aim[0] - q[0], aim[1] - q[1]);
            let distance = dx.hypot(dy);
            let (dx, dy) = if dx > 0.0 { (dx / distance, dy / distance) } else { (1.0, 0.0) };
            (u[0], u[1]) = (self.speed * dx, self.speed * dy);
        }
    }

    /// Calls `see` for each disc and wall, and for each pair of discs, whose distance is at most `reach`. The
    /// arguments are a number that identifies the pair, the distance, and its gradient as pairs of a
    /// coordinate and a derivative.
    fn for_each_distance(&self, q: &[f64], reach: f64, mut see: impl FnMut(usize, f64, &[(usize, f64)])) {
        let count = self.radii.len();
        let (lower, upper) = (0.5 * (self.width - self.door), 0.5 * (self.width + self.door));
        for (i, radius) in self.radii.iter().enumerate() {
            let (x, y) = (q[2 * i], q[2 * i + 1]);
            let number = count * count + 5 * i;
            // Beyond the wall with the door, the other walls do not limit a disc.
            if x <= self.length {
                let walls = [(x, 2 * i, 1.0), (y, 2 * i + 1, 1.0), (self.width - y, 2 * i + 1, -1.0)];
                for (wall, (from, coordinate, sign)) in walls.into_iter().enumerate() {
                    if from - radius <= reach {
                        see(number + wall, from - radius, &[(coordinate, sign)]);
                    }
                }
            }
            // The wall with the door consists of two pieces.
            for (wall, (from, to)) in [(0.0, lower), (upper, self.width)].into_iter().enumerate() {
                let (dx, dy) = (x - self.length, y - y.clamp(from, to));
                let distance = dx.hypot(dy);
                if distance - radius <= reach {
                    let gradient = [(2 * i, dx / distance), (2 * i + 1, dy / distance)];
                    see(number + 3 + wall, distance - radius, &gradient);
                }
            }
            for (j, other) in self.radii.iter().enumerate().skip(i + 1) {
                let (dx, dy) = (q[2 * j] - x, q[2 * j + 1] - y);
                let far = reach + radius + other;
                if dx.abs() > far || dy.abs() > far {
                    continue;
                }
                let distance = dx.hypot(dy);
                if distance <= far {
                    let (gx, gy) = (dx / distance, dy / distance);
                    let gradient = [(2 * i, -gx), (2 * i + 1, -gy), (2 * j, gx), (2 * j + 1, gy)];
                    see(count * i + j, distance - radius - other, &gradient);
                }
            }
        }
    }

    /// Adds the inequalities of the distances, linearised at q, to `rows`.
    fn write_rows(&self, q: &[f64], reach: f64, rows: &mut Inequalities) {
        self.for_each_distance(q, reach, |number, distance, gradient| {
            let here: f64 = gradient.iter().map(|(coordinate, entry)| entry * q[*coordinate]).sum();
            rows.push(number, gradient.iter().copied(), here - distance);
        });
    }

    /// Returns the largest overlap of discs with each other or with the walls \[m\], or 0 if there is none.
    #[must_use]
    pub fn deepest_overlap(&self, q: &[f64]) -> f64 {
        let mut deepest = 0.0_f64;
        self.for_each_distance(q, 0.0, |_number, distance, _gradient| deepest = deepest.max(-distance));
        deepest
    }

    /// Creates the sweeping process.
    ///
    /// # Errors
    ///
    /// If the crowd is empty.
    pub fn sweep(&self) -> Result<CatchingUp<MovingPolyhedron>, ExampleError> {
        let reach = REACH * self.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let (crowd, walkers) = (self.clone(), self.clone());
        let apart = MovingPolyhedron::by_rows_of_state(self.start.len(), move |_t, q, rows| {
            crowd.write_rows(q, reach, rows);
        })?;
        let process = CatchingUp::new(apart).with_perturbation(move |_t, q, f| {
            walkers.wish(q, f);
            f.iter_mut().for_each(|f| *f = -*f);
        });
        Ok(process.with_state_at_start())
    }

    /// Simulates with steps of h \[s\]. The table has the columns t, and x0, y0, x1, y1, ...
    ///
    /// # Errors
    ///
    /// If `h` is not positive, the crowd is empty, or discs overlap initially and cannot be separated.
    pub fn simulate(&self, h: f64, steps: u32) -> Result<Table, ExampleError> {
        let names: Vec<String> =
            (0..self.radii.len()).flat_map(|i| [format!("x{i}"), format!("y{i}")]).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        table(&mut self.sweep()?, &self.start, (h, steps), &names)
    }
}

/// Runs the example, prints the number of people inside, and writes `sweeping_crowd.svg` and `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    picture::run(output)
}
