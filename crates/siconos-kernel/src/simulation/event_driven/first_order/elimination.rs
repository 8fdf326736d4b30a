//! Gaussian elimination in D, which separates the combinations of outputs that depend on lambda from the
//! others.

/// Decomposition $E D = (U; 0)$ of a square matrix D, where E is regular. The first `rank` rows of E are the
/// combinations of outputs that depend on lambda. The other rows of E span the left null space of D (Golub
/// and Van Loan 2013, section 3.4.8, complete pivoting).
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    size: usize,
    rank: usize,
    combinations: Vec<f64>,
    rest: Vec<f64>,
    row_sizes: Vec<f64>,
    column_sizes: Vec<f64>,
    used: Vec<bool>,
}

/// Maximum size of a pivot that counts as zero, relative to the largest entries of its row and column.
const NEGLIGIBLE: f64 = 1e-12;

impl Elimination {
    /// Decomposes the square matrix of `size` rows with the entries `entry(row, column)`.
    pub(super) fn run(&mut self, size: usize, entry: impl Fn(usize, usize) -> f64) {
        self.size = size;
        for vector in [&mut self.combinations, &mut self.rest] {
            vector.clear();
            vector.resize(size * size, 0.0);
        }
        for vector in [&mut self.row_sizes, &mut self.column_sizes] {
            vector.clear();
            vector.resize(size, 0.0);
        }
        self.used.clear();
        self.used.resize(size, false);
        for i in 0..size {
            self.combinations[i * size + i] = 1.0;
            for j in 0..size {
                let value = entry(i, j);
                self.rest[i * size + j] = value;
                self.row_sizes[i] = self.row_sizes[i].max(value.abs());
                self.column_sizes[j] = self.column_sizes[j].max(value.abs());
            }
        }
        self.rank = 0;
        while let Some((row, column)) = self.pivot() {
            self.eliminate(row, column);
        }
    }

    /// Returns the number of combinations of outputs that depend on lambda, which is the rank of D.
    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    /// Returns the coefficients of combination k of the outputs. The combinations that depend on lambda have
    /// the smallest indices.
    pub(super) fn combination(&self, k: usize) -> &[f64] {
        &self.combinations[k * self.size..(k + 1) * self.size]
    }

    /// Returns the row and column of the remaining entry that is largest relative to its row and column.
    fn pivot(&self) -> Option<(usize, usize)> {
        let mut best = (NEGLIGIBLE, None);
        for i in self.rank..self.size {
            for j in (0..self.size).filter(|j| !self.used[*j]) {
                let size = self.row_sizes[i].min(self.column_sizes[j]);
                let relative = self.rest[i * self.size + j].abs() / size;
                if size > 0.0 && relative > best.0 {
                    best = (relative, Some((i, j)));
                }
            }
        }
        best.1
    }

    fn eliminate(&mut self, row: usize, column: usize) {
        let (n, k) = (self.size, self.rank);
        self.rank += 1;
        self.used[column] = true;
        self.row_sizes.swap(k, row);
        for j in 0..n {
            self.rest.swap(k * n + j, row * n + j);
            self.combinations.swap(k * n + j, row * n + j);
        }
        for i in k + 1..n {
            let factor = self.rest[i * n + column] / self.rest[k * n + column];
            if factor == 0.0 {
                continue;
            }
            for j in 0..n {
                self.rest[i * n + j] -= factor * self.rest[k * n + j];
                self.combinations[i * n + j] -= factor * self.combinations[k * n + j];
            }
            self.rest[i * n + column] = 0.0;
        }
    }
}
