//! Chain of plastic springs under a cyclic load.
//!
//! Spring i between two nodes of a line carries the stress $s_i = a_i (e_i - p_i)$, where $e_i$ is its
//! elongation, $p_i$ its plastic elongation and $a_i$ its stiffness. The stress is bounded by the strength
//! $c_i$. At the bound, the plastic elongation grows. The admissible stresses lie in the box of the
//! strengths, and are in equilibrium at each free node. Let $A$ be the matrix of the stiffnesses and g(t)
//! elongations with the prescribed total length. Then y = s - A g is swept, in the norm of $A^{-1}$, by the
//! polyhedron of the admissible stresses minus A g (Moreau 1974; Gudoshnikov and Makarenkov 2021). The
//! multipliers of the box are the increments of the plastic elongations. The multipliers of the nodes are the
//! displacements of the nodes.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/sweeping_plastic_chain.svg"))]
//!
//! ```
//! use siconos_examples::sweeping::plastic_chain::{Chain, Spring};
//!
//! // Two springs in series: the weaker one yields and limits the force of the chain.
//! let spring = |from, strength| Spring { from, to: from + 1, stiffness: 2.0, strength };
//! let chain = Chain { springs: vec![spring(0, 0.75), spring(1, 0.5)], length: |t| t };
//! let motion = chain.simulate(0.125, 16)?;
//! assert_eq!(motion.row(16)[..3], [2.0, 2.0, 0.5]);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```
//!
//! References: J. J. Moreau (1974), "On unilateral constraints, friction and plasticity", in New Variational
//! Techniques in Mathematical Physics, CIME, 171-322. I. Gudoshnikov, O. Makarenkov (2021), "Stabilization of
//! the response of cyclically loaded lattice spring models with plasticity", ESAIM: Control, Optimisation and
//! Calculus of Variations 27, S8.

use std::path::{Path, PathBuf};

use ndarray::{Array1, Array2};
use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_sweeping::{CatchingUp, Inequalities, MovingPolyhedron};

use crate::{ExampleError, pairs};

/// Elastic, perfectly plastic spring between two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Node at the left end.
    pub from: usize,
    /// Node at the right end.
    pub to: usize,
    /// Force per elongation \[N/m\]. Must be positive.
    pub stiffness: f64,
    /// Force at which the spring yields in tension and in compression \[N\]. Must be positive.
    pub strength: f64,
}

/// Springs along a line. Node 0 is fixed, and the last node is moved. All other nodes are free.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Springs, each between two nodes.
    pub springs: Vec<Spring>,
    /// Elongation of the chain \[m\] as a function of time \[s\], relative to the length of the chain without
    /// stress.
    pub length: fn(f64) -> f64,
}

impl Default for Chain {
    /// Returns five springs between four nodes, pulled back and forth once per second. Three of the springs
    /// yield, each at a different load.
    fn default() -> Self {
        let spring = |from, to, stiffness, strength| Spring { from, to, stiffness, strength };
        let springs = vec![
            spring(0, 1, 4.0, 1.0),
            spring(0, 1, 2.0, 0.3),
            spring(1, 2, 3.0, 0.8),
            spring(2, 3, 5.0, 1.5),
            spring(1, 3, 1.0, 0.6),
        ];
        Self { springs, length: |t| 1.2 * (std::f64::consts::TAU * t).sin() }
    }
}

impl Chain {
    /// Returns the index of the last node.
    fn end(&self) -> usize {
        self.springs.iter().map(|spring| spring.from.max(spring.to)).max().unwrap_or(0)
    }

    /// Returns the force of spring `i` if all free nodes keep their initial positions.
    fn forced(&self, t: f64, i: usize) -> f64 {
        let Spring { from, to, stiffness, .. } = self.springs[i];
        let at = |node: usize| if node == self.end() { (self.length)(t) } else { 0.0 };
        stiffness * (at(to) - at(from))
    }

    /// Returns the index of each spring at a node, with the sign 1 if the node is the right end of the spring
    /// and -1 if it is the left end.
    fn pulls(&self, node: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.springs.iter().enumerate().filter_map(move |(i, spring)| match node {
            node if node == spring.to => Some((i, 1.0)),
            node if node == spring.from => Some((i, -1.0)),
            _ => None,
        })
    }

    /// Writes the inequalities of the moving set: the admissible stresses minus the [forces](Self::forced) at
    /// fixed inner nodes.
    fn write_rows(&self, t: f64, rows: &mut Inequalities) {
        for (i, spring) in self.springs.iter().enumerate() {
            let forced = self.forced(t, i);
            rows.push(2 * i, [(i, 1.0)], -spring.strength - forced);
            rows.push(2 * i + 1, [(i, -1.0)], forced - spring.strength);
        }
        for node in 1..self.end() {
            let label = 2 * (self.springs.len() + node);
            let forced: f64 = self.pulls(node).map(|(i, sign)| sign * self.forced(t, i)).sum();
            rows.push(label, self.pulls(node), -forced);
            rows.push(label + 1, self.pulls(node).map(|(i, sign)| (i, -sign)), forced);
        }
    }

    /// Simulates with steps of h \[s\] from a state without stress. The table has the columns t, length,
    /// force, dissipated, the stresses s0, s1, .., and the plastic elongations p0, p1, .. The force is the
    /// force at the moved end.
    ///
    /// # Errors
    ///
    /// If `h` or a stiffness is not positive.
    pub fn simulate(&self, h: f64, steps: u32) -> Result<Table, ExampleError> {
        let n = self.springs.len();
        let names = ["t", "length", "force", "dissipated"].map(String::from).into_iter();
        let names = names.chain((0..n).map(|i| format!("s{i}"))).chain((0..n).map(|i| format!("p{i}")));
        let mut table = Table::new(names);
        let chain = self.clone();
        let set = MovingPolyhedron::by_rows(n, move |t, rows| chain.write_rows(t, rows))?;
        let compliance: Array1<f64> = self.springs.iter().map(|spring| 1.0 / spring.stiffness).collect();
        let mut sweep = CatchingUp::new(set).with_metric(Array2::from_diag(&compliance).view())?;
        let mut y: Vec<f64> = (0..n).map(|i| -self.forced(0.0, i)).collect();
        let (mut stresses, mut plastic, mut dissipated) = (vec![0.0; n], vec![0.0; n], 0.0);
        for k in 0..=steps {
            let t = h * f64::from(k);
            let report = if k == 0 { sweep.begin(t, &mut y)? } else { sweep.step(t - h, h, &mut y)? };
            if !report.status.is_success() {
                return Err(ExampleError::NoSolution { t });
            }
            for (i, box_constraints) in sweep.multipliers().chunks_exact(2).take(n).enumerate() {
                stresses[i] = y[i] + self.forced(t, i);
                plastic[i] += box_constraints[1] - box_constraints[0];
                dissipated += stresses[i] * (box_constraints[1] - box_constraints[0]);
            }
            let force: f64 = self.pulls(self.end()).map(|(i, sign)| sign * stresses[i]).sum();
            let mut row = vec![t, (self.length)(t), force, dissipated];
            row.extend_from_slice(&stresses);
            row.extend_from_slice(&plastic);
            table.push_row(&row)?;
        }
        Ok(table)
    }
}

/// Runs the example, prints the dissipation of each cycle, and writes `sweeping_plastic_chain.svg` and
/// `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    const PER_CYCLE: u32 = 800;
    let chain = Chain::default();
    let motion = chain.simulate(1.0 / f64::from(PER_CYCLE), 3 * PER_CYCLE)?;
    for cycle in 1..=3 {
        let at = |cycle: u32| motion.row((cycle * PER_CYCLE) as usize)[3];
        println!("cycle {cycle} dissipates {:.6} J", at(cycle) - at(cycle - 1));
    }
    let curve = |i: usize, x: &str, kind: char| -> Result<Curve, ExampleError> {
        let Spring { from, to, .. } = chain.springs[i];
        let label = format!("{from}-{to}{}", if i == 1 { " weak" } else { "" });
        let points = pairs(&motion, x, &format!("{kind}{i}"))?;
        // Springs 1-2 and 2-3 are in series and have equal stresses, so one curve is drawn below the other.
        let is_below = i == 2 && kind == 's';
        let curve = if is_below { Curve::underlay(label, points) } else { Curve::line(label, points) };
        Ok(curve.coloured(Colour::cycle(i)))
    };
    let stresses = |mut panel: Panel, x: &str| -> Result<Panel, ExampleError> {
        for i in 0..chain.springs.len() {
            panel = panel.with(curve(i, x, 's')?);
        }
        Ok(panel)
    };
    let force = Panel::new("Force of the chain", "elongation [m]", "force [N]")
        .with(Curve::line("", pairs(&motion, "length", "force")?));
    let loops = stresses(Panel::new("Springs between nodes", "elongation [m]", "stress [N]"), "length")?;
    let over_time = stresses(Panel::new("Stresses", "time t [s]", "stress [N]"), "t")?;
    let mut plastic = Panel::new("Plastic parts of those that yield", "time t [s]", "elongation [m]");
    for i in 0..chain.springs.len() {
        if pairs(&motion, "t", &format!("p{i}"))?.iter().any(|(_, p)| *p != 0.0) {
            plastic = plastic.with(curve(i, "t", 'p')?);
        }
    }
    let panels = vec![force, loops, over_time, plastic];
    let figure = Figure::grid("Five springs that yield, pulled to and fro three times", 2, panels);
    crate::save(&figure, output, "sweeping_plastic_chain")
}
