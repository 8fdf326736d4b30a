//! Polymatrix games, which are complementarity problems with many ties.
//!
//! Each player chooses a strategy. The cost of a strategy is a sum over the other players, with one matrix
//! for each pair of players. An equilibrium in mixed strategies always exists. If all costs are positive, the
//! matrix is copositive-plus, and Lemke's method finds an equilibrium (Howson 1972; Miller and Zucker 1991).
//! Nearly all entries of q are 0, so that Lemke's method cycles without a rule for ties.

use ndarray::Array2;

use crate::random::RandomState;

/// Polymatrix game with positive integer costs.
#[derive(Clone, Debug)]
pub struct PolymatrixGame {
    /// Number of strategies of each player.
    pub strategies: Vec<usize>,
    /// Cost of the strategy of the row if the opponent chooses the strategy of the column. The rows and the
    /// columns are the strategies of all players in order.
    pub costs: Array2<f64>,
}

/// Pairs of players that play against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponents {
    /// Each player of the first half against each player of the second half. Every cost between two players
    /// of the same half is 1.
    OtherTeam,
    /// Every player against all others. Every cost between two strategies of the same player is 1.
    All,
}

impl PolymatrixGame {
    /// Returns a game with random integer costs from 1 to 250.
    #[must_use]
    pub fn random(strategies: Vec<usize>, opponents: Opponents, random: &mut RandomState) -> Self {
        let players = strategies.len();
        let owner: Vec<usize> =
            strategies.iter().enumerate().flat_map(|(i, &n)| std::iter::repeat_n(i, n)).collect();
        let half = players.div_ceil(2);
        let are_opponents = |i: usize, j: usize| match opponents {
            Opponents::OtherTeam => (i < half) != (j < half),
            Opponents::All => i != j,
        };
        let n = owner.len();
        let mut cost = |(r, c): (usize, usize)| {
            let drawn = f64::from(1 + random.word() % 250);
            if are_opponents(owner[r], owner[c]) { drawn } else { 1.0 }
        };
        Self { costs: Array2::from_shape_fn((n, n), &mut cost), strategies }
    }

    /// Returns M = [[P, -E^T], [E, 0]] and q = (0, -1). P contains the costs, and E sums the probabilities of
    /// each player. The unknowns z are the probabilities of all strategies followed by the costs of the
    /// players at an equilibrium.
    #[must_use]
    pub fn problem(&self) -> (Array2<f64>, Vec<f64>) {
        let (n, players) = (self.costs.nrows(), self.strategies.len());
        let mut m = Array2::zeros((n + players, n + players));
        m.slice_mut(ndarray::s![..n, ..n]).assign(&self.costs);
        let mut first = 0;
        for (player, &count) in self.strategies.iter().enumerate() {
            for s in first..first + count {
                m[[s, n + player]] = -1.0;
                m[[n + player, s]] = 1.0;
            }
            first += count;
        }
        let q = (0..n + players).map(|i| if i < n { 0.0 } else { -1.0 }).collect();
        (m, q)
    }

    /// Returns the distance of `z` from an equilibrium, the larger of two numbers. The first is the largest
    /// cost that a player could save by the best strategy, as a fraction of the largest cost. The second is
    /// the largest violation of the conditions that probabilities are nonnegative and have the sum 1. The
    /// costs of the players in `z` are ignored.
    #[must_use]
    pub fn regret(&self, z: &[f64]) -> f64 {
        let x = &z[..self.costs.nrows()];
        let costs = self.costs.dot(&ndarray::ArrayView1::from(x));
        let largest = self.costs.iter().fold(0.0_f64, |a, c| a.max(*c));
        let (mut worst, mut first) = (0.0_f64, 0);
        for &count in &self.strategies {
            let own = first..first + count;
            let total: f64 = x[own.clone()].iter().sum();
            let paid: f64 = own.clone().map(|s| x[s] * costs[s]).sum::<f64>() / total;
            let least = own.clone().map(|s| costs[s]).fold(f64::INFINITY, f64::min);
            let negative = x[own].iter().fold(0.0_f64, |a, x| a.max(-x));
            for miss in [(paid - least) / largest, (total - 1.0).abs(), negative] {
                // A NaN counts as an infinite distance.
                worst = if miss.is_nan() { f64::INFINITY } else { worst.max(miss) };
            }
            first += count;
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_pennies_is_played_half_and_half() {
        let costs = ndarray::array![
            [1.0, 1.0, 1.0, 2.0],
            [1.0, 1.0, 2.0, 1.0],
            [2.0, 1.0, 1.0, 1.0],
            [1.0, 2.0, 1.0, 1.0]
        ];
        let game = PolymatrixGame { strategies: vec![2, 2], costs };
        assert!(game.regret(&[0.5; 4]) < 1e-15);
        assert!(game.regret(&[1.0, 0.0, 0.5, 0.5]) > 0.1);
        assert!(game.regret(&[0.5, 0.6, 0.5, 0.5]) > 0.05);
        assert!(game.regret(&[f64::NAN, 0.5, 0.5, 0.5]).is_infinite());
        let (m, q) = game.problem();
        assert_eq!((m[[0, 4]], m[[4, 1]], m[[4, 2]], q[3], q[4]), (-1.0, 1.0, 0.0, 0.0, -1.0));
    }
}
