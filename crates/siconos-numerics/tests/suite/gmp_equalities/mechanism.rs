//! Mechanisms of rigid bodies in space, and the problems for their impulses.

use ndarray::{Array1, Array2};
use siconos_linalg::{BlockCsr, Csc, Matrix};
use siconos_numerics::gmp::{GenericMechanicalProblem, MechanicalLaw};
use siconos_testkit::random::RandomState as Random;

pub(crate) type Vector = [f64; 3];

const AXES: [Vector; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Row of a constraint for one body: coefficients of its translational and angular velocity.
pub(crate) type Row = [f64; 6];

/// Returns the row of the velocity along d of a point at r from the centre.
pub(crate) fn along(d: Vector, r: Vector) -> Row {
    [d[0], d[1], d[2], r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]]
}

/// Returns the row of the angular velocity about d.
pub(crate) fn about(d: Vector) -> Row {
    [0.0, 0.0, 0.0, d[0], d[1], d[2]]
}

/// Returns the rows that keep a point at a fixed position.
pub(crate) fn point(r: Vector) -> Vec<Row> {
    AXES.map(|d| along(d, r)).to_vec()
}

/// Interaction with the rows of its bodies.
#[derive(Clone, Debug)]
pub(crate) struct Interaction {
    pub(crate) law: MechanicalLaw,
    pub(crate) rows: Vec<(usize, Vec<Row>)>,
}

impl Interaction {
    pub(crate) fn on(law: MechanicalLaw, body: usize, rows: Vec<Row>) -> Self {
        Self { law, rows: vec![(body, rows)] }
    }

    /// Creates a joint of a body with the previous one, or with the ground.
    pub(crate) fn joint(before: Option<(usize, Vec<Row>)>, (body, rows): (usize, Vec<Row>)) -> Self {
        let law = MechanicalLaw::Equality { size: rows.len() };
        let minus =
            |(body, rows): (usize, Vec<Row>)| (body, rows.iter().map(|row| row.map(|x| -x)).collect());
        Self { law, rows: before.map(minus).into_iter().chain([(body, rows)]).collect() }
    }

    /// Returns the velocities in the rows of the interaction for given body velocities.
    fn velocities(&self, bodies: &[Row]) -> Vec<f64> {
        let mut velocities = vec![0.0; self.law.size()];
        for (body, rows) in &self.rows {
            for (velocity, row) in velocities.iter_mut().zip(rows) {
                *velocity += row.iter().zip(&bodies[*body]).map(|(a, v)| a * v).sum::<f64>();
            }
        }
        velocities
    }

    /// Returns the matrix of the effect of another interaction's impulses on these velocities.
    fn response(&self, other: &Self) -> Option<Array2<f64>> {
        let mut response = None;
        for (body, rows) in &self.rows {
            for (_, others) in other.rows.iter().filter(|(other, _)| other == body) {
                let sum = response.get_or_insert_with(|| Array2::zeros((self.law.size(), other.law.size())));
                for ((i, j), entry) in sum.indexed_iter_mut() {
                    *entry += (0..6).map(|k| rows[i][k] * MOBILITY[k] * others[j][k]).sum::<f64>();
                }
            }
        }
        response
    }
}

/// Inverse mass and inverse moments of inertia of every body.
const MOBILITY: Row = [1.0, 1.0, 1.0, 10.0, 12.0, 11.0];

/// Interactions, and the free velocities of the bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mechanism {
    pub(crate) interactions: Vec<Interaction>,
    pub(crate) free: Vec<Row>,
}

impl Mechanism {
    /// Creates falling bodies with small rotations.
    pub(crate) fn falling(bodies: usize, random: &mut Random) -> Self {
        let free = (0..bodies)
            .map(|_| std::array::from_fn(|k| random.between(-0.1, 0.1) - if k == 1 { 1.0 } else { 0.0 }));
        Self { free: free.collect(), interactions: Vec::new() }
    }

    /// Creates a chain of bars, each on a hinge at the end of the previous one, the first one on the ground.
    pub(crate) fn chain(bodies: usize, random: &mut Random) -> Self {
        let mut chain = Self::falling(bodies, random);
        for body in 0..bodies {
            let mut near = |x: f64| [x, random.between(-0.03, 0.03), random.between(-0.03, 0.03)];
            let (end, start) = (near(0.5), near(-0.5));
            let normals = [[1.0, start[1], end[1]], [end[2], 1.0, start[2]]].map(about);
            let hinge = |r| [point(r), normals.to_vec()].concat();
            let before = body.checked_sub(1).map(|before| (before, hinge(end)));
            chain.interactions.push(Interaction::joint(before, (body, hinge(start))));
        }
        chain
    }

    /// Adds a contact with the ground below the end of a bar.
    pub(crate) fn touch(&mut self, body: usize) {
        let r = [0.5, -0.1, 0.0];
        let rows = [1, 0, 2].map(|axis| along(AXES[axis], r)).to_vec();
        self.interactions.push(Interaction::on(MechanicalLaw::Friction3 { mu: 0.4 }, body, rows));
    }

    /// Creates a crank, a rod and a slider in a plane with spatial joints: 20 rows of rank 17. The slider
    /// hits a stop.
    pub(crate) fn slider_crank(random: &mut Random) -> Self {
        let mut mechanism = Self::falling(3, random);
        let half = |x: f64, y: f64| [0.5 * x, 0.5 * y, 0.0];
        let hinge = |r: Vector| [point(r), AXES[..2].iter().map(|d| about(*d)).collect()].concat();
        let back = |r: Vector| r.map(|x| -x);
        let (crank, rod) = (half(0.6, 0.8), half(1.3, -0.8));
        let slide = [AXES[1], AXES[2]].map(|d| along(d, [0.0; 3])).into_iter().chain(AXES.map(about));
        mechanism.interactions = vec![
            Interaction::joint(None, (0, hinge(back(crank)))),
            Interaction::joint(Some((0, hinge(crank))), (1, hinge(back(rod)))),
            Interaction::on(MechanicalLaw::Complementarity { size: 1 }, 2, vec![along(AXES[0], [0.0; 3])]),
            Interaction::joint(Some((1, hinge(rod))), (2, hinge([0.0; 3]))),
            Interaction::joint(None, (2, slide.collect())),
        ];
        mechanism
    }

    /// Returns the velocities of all interactions without impulses.
    pub(crate) fn q(&self) -> Vec<f64> {
        self.interactions.iter().flat_map(|interaction| interaction.velocities(&self.free)).collect()
    }

    pub(crate) fn laws(&self) -> Vec<MechanicalLaw> {
        self.interactions.iter().map(|interaction| interaction.law.clone()).collect()
    }

    pub(crate) fn matrix(&self) -> BlockCsr {
        let sizes: Vec<_> = self.interactions.iter().map(|interaction| interaction.law.size()).collect();
        let mut of_body = vec![Vec::new(); self.free.len()];
        for (k, interaction) in self.interactions.iter().enumerate() {
            interaction.rows.iter().for_each(|(body, _)| of_body[*body].push(k));
        }
        let mut blocks = Vec::new();
        for (i, interaction) in self.interactions.iter().enumerate() {
            let mut beside: Vec<_> = interaction.rows.iter().flat_map(|(body, _)| &of_body[*body]).collect();
            beside.sort_unstable();
            beside.dedup();
            let responses = beside.into_iter().map(|&j| (j, interaction.response(&self.interactions[j])));
            blocks.extend(responses.filter_map(|(j, response)| Some((i, j, response?))));
        }
        BlockCsr::from_blocks(&sizes, &sizes, blocks).expect("blocks of the laws")
    }

    pub(crate) fn problem_with(&self, m: impl Into<Matrix>, q: Vec<f64>) -> GenericMechanicalProblem {
        GenericMechanicalProblem::new(m, Array1::from(q), self.laws()).expect("the parts fit")
    }

    pub(crate) fn problem(&self) -> GenericMechanicalProblem {
        self.problem_with(self.matrix(), self.q())
    }

    /// Returns the problem in all storage formats: blocks, columns, and dense.
    pub(crate) fn problems(&self) -> [GenericMechanicalProblem; 3] {
        let (blocks, q) = (self.matrix(), self.q());
        let columns = Csc::from_matrix((&blocks).into());
        let all = blocks.to_dense();
        [
            self.problem_with(blocks, q.clone()),
            self.problem_with(columns, q.clone()),
            self.problem_with(all, q),
        ]
    }
}
