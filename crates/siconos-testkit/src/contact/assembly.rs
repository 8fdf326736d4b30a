//! Delassus matrix of bodies in contact, assembled from their geometry.

use std::collections::BTreeMap;

use siconos_linalg::{BlockCsr, Csc};

/// Length of the time step \[s\]. The reactions are impulses over one step.
pub(super) const STEP: f64 = 5e-3;

/// Acceleration of gravity \[m/s^2\].
pub(super) const GRAVITY: f64 = 9.81;

/// One side of a contact: the index of the body, and the contact velocity that a unit velocity in each of its
/// degrees of freedom causes.
pub(super) struct Side<const D: usize, const F: usize> {
    pub(super) body: usize,
    pub(super) columns: [[f64; D]; F],
}

/// Bodies with `F` degrees of freedom and a diagonal mass matrix. Contacts with `D` components connect two
/// bodies, or a body and the ground.
///
/// The velocity of a contact is $u = H^T v$: the velocity of the second body minus the velocity of the first,
/// in the frame of the contact. The first direction of this frame points to the second body. A contact with
/// the ground has one side only.
pub(super) struct Assembly<const D: usize, const F: usize> {
    masses: Vec<[f64; F]>,
    /// Velocities at the end of a step without reactions.
    velocities: Vec<[f64; F]>,
    contacts: Vec<Vec<Side<D, F>>>,
}

impl<const D: usize, const F: usize> Assembly<D, F> {
    pub(super) fn new() -> Self {
        Self { masses: Vec::new(), velocities: Vec::new(), contacts: Vec::new() }
    }

    pub(super) fn contacts(&self) -> usize {
        self.contacts.len()
    }

    /// Adds a body and returns its index.
    pub(super) fn push_body(&mut self, mass: [f64; F], velocity: [f64; F]) -> usize {
        self.masses.push(mass);
        self.velocities.push(velocity);
        self.masses.len() - 1
    }

    /// Adds a contact of the body of `above` with the body of `below`, or with the ground if `below` is
    /// `None`.
    pub(super) fn push_contact(&mut self, below: Option<Side<D, F>>, above: Side<D, F>) {
        let mut sides = vec![above];
        if let Some(Side { body, columns }) = below {
            sides.push(Side { body, columns: columns.map(|row| row.map(|x| -x)) });
        }
        self.contacts.push(sides);
    }

    /// Returns the assembly with `E` instead of `D` components for each contact. `more` computes the new
    /// columns of a side from its present columns and its sign, which is 1 for the second body and -1 for the
    /// first.
    pub(super) fn with_components<const E: usize>(
        self,
        more: impl Fn([[f64; D]; F], f64) -> [[f64; E]; F],
    ) -> Assembly<E, F> {
        let of_side =
            |(side, sign): (Side<D, F>, f64)| Side { body: side.body, columns: more(side.columns, sign) };
        let of_contact =
            |sides: Vec<Side<D, F>>| sides.into_iter().zip([1.0, -1.0]).map(of_side).collect::<Vec<_>>();
        let contacts = self.contacts.into_iter().map(of_contact).collect();
        Assembly { masses: self.masses, velocities: self.velocities, contacts }
    }

    /// Returns $W = H^T M^{-1} H$, stored in block rows.
    pub(super) fn delassus(&self) -> BlockCsr {
        let mut of_body: Vec<Vec<(usize, &Side<D, F>)>> = Vec::new();
        of_body.resize_with(self.masses.len(), Vec::new);
        for (contact, sides) in self.contacts.iter().enumerate() {
            sides.iter().for_each(|side| of_body[side.body].push((contact, side)));
        }
        let mut w = BlockCsr::default();
        w.begin(self.contacts.iter().map(|_| D));
        for sides in &self.contacts {
            let mut row: BTreeMap<usize, [[f64; D]; D]> = BTreeMap::new();
            for side in sides {
                let mass = &self.masses[side.body];
                for (other, of_other) in &of_body[side.body] {
                    let block = row.entry(*other).or_insert([[0.0; D]; D]);
                    for ((left, right), mass) in side.columns.iter().zip(&of_other.columns).zip(mass) {
                        for (row, a) in block.iter_mut().zip(left) {
                            row.iter_mut().zip(right).for_each(|(x, b)| *x += a * b / mass);
                        }
                    }
                }
            }
            w.push_block_row(D);
            for (column, block) in row {
                w.push_block(column).copy_from_slice(block.as_flattened());
            }
        }
        w
    }

    /// Returns the free velocity $q = H^T v$ of the contacts: the velocity without reactions.
    pub(super) fn free_velocity(&self) -> Vec<f64> {
        let mut q = vec![0.0; D * self.contacts.len()];
        for (sides, q) in self.contacts.iter().zip(q.as_chunks_mut::<D>().0) {
            for side in sides {
                for (columns, v) in side.columns.iter().zip(&self.velocities[side.body]) {
                    q.iter_mut().zip(columns).for_each(|(q, column)| *q += column * v);
                }
            }
        }
        q
    }

    /// Returns the data of the global formulation $M v = H r + f$, $u = H^T v$: the diagonal of M, H and the
    /// momenta f.
    pub(super) fn global(&self) -> (Vec<f64>, Csc, Vec<f64>) {
        let masses = self.masses.as_flattened().to_vec();
        let f = masses.iter().zip(self.velocities.as_flattened()).map(|(m, v)| m * v).collect();
        let mut entries = Vec::new();
        for (contact, sides) in self.contacts.iter().enumerate() {
            for side in sides {
                for (k, columns) in side.columns.iter().enumerate() {
                    let row = side.body * F + k;
                    let columns = columns.iter().enumerate().filter(|(_, x)| **x != 0.0);
                    entries.extend(columns.map(|(j, x)| (row, contact * D + j, *x)));
                }
            }
        }
        let columns = D * self.contacts.len();
        let h = Csc::from_triplets(masses.len(), columns, entries).expect("the entries lie within");
        (masses, h, f)
    }
}

/// Returns the columns of a [`Side`] for a body in space. The contact velocity in each direction e of the
/// frame is $e \cdot (v + \omega \times l)$, where l = `lever` is the vector from the centre of mass of the
/// body to the contact.
pub(super) fn columns_in_space(frame: &[[f64; 3]; 3], lever: [f64; 3]) -> [[f64; 3]; 6] {
    let mut columns = [[0.0; 3]; 6];
    for (j, e) in frame.iter().enumerate() {
        let turn = cross(lever, *e);
        for k in 0..3 {
            columns[k][j] = e[k];
            columns[3 + k][j] = turn[k];
        }
    }
    columns
}

/// Returns the columns of a [`Side`] for a body in the plane, which has two velocities and an angular
/// velocity.
pub(super) fn columns_in_the_plane(frame: &[[f64; 2]; 2], lever: [f64; 2]) -> [[f64; 2]; 3] {
    let mut columns = [[0.0; 2]; 3];
    for (j, e) in frame.iter().enumerate() {
        columns[0][j] = e[0];
        columns[1][j] = e[1];
        columns[2][j] = lever[0] * e[1] - lever[1] * e[0];
    }
    columns
}

/// Returns a right-handed frame whose first direction is the given unit vector.
pub(super) fn frame_of(normal: [f64; 3]) -> [[f64; 3]; 3] {
    let least = (0..3).min_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(0);
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let across = cross(normal, axis);
    let length = across.iter().map(|x| x * x).sum::<f64>().sqrt();
    let first = across.map(|x| x / length);
    [normal, first, cross(normal, first)]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
