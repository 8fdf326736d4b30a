//! Balls of equal mass in a row: Newton's cradle.

/// Point masses of mass 1 on a line, free of forces, with the gaps $y_i = x_{i+1} - x_i \ge 0$.
///
/// If there are gaps between the balls, each collision has only two balls (the sequential case), and Newton's
/// law of restitution gives $v_i^+ = \tfrac12 ((1 - e) v_i + (1 + e) v_{i+1})$,
/// $v_{i+1}^+ = \tfrac12 ((1 + e) v_i + (1 - e) v_{i+1})$. With e = 1 the two balls exchange their
/// velocities.
///
/// If balls touch each other, use [`simultaneous_impact`], which applies one law to all contacts together.
#[derive(Clone, Debug)]
pub struct Cradle {
    restitution: f64,
    positions: Vec<f64>,
    velocities: Vec<f64>,
}

/// Collision of balls `left` and `left + 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Collision {
    /// Time of the collision.
    pub t: f64,
    /// Index of the left ball.
    pub left: usize,
    /// Positions of all balls.
    pub positions: Vec<f64>,
    /// Velocities of all balls after the collision.
    pub velocities: Vec<f64>,
}

impl Cradle {
    /// Creates a cradle with balls at increasing positions.
    ///
    /// # Panics
    ///
    /// If the numbers of positions and velocities differ, if a gap is not positive, or if the restitution is
    /// not in [0, 1].
    #[track_caller]
    #[must_use]
    pub fn new(restitution: f64, positions: Vec<f64>, velocities: Vec<f64>) -> Self {
        assert_eq!(positions.len(), velocities.len(), "one velocity for each ball");
        assert!(
            positions.windows(2).all(|pair| pair[0] < pair[1]),
            "the gaps must be positive: {positions:?}"
        );
        assert!((0.0..=1.0).contains(&restitution), "restitution is {restitution}");
        Self { restitution, positions, velocities }
    }

    /// Returns all collisions up to `t_end`, in chronological order.
    ///
    /// # Panics
    ///
    /// If two collisions that share a ball occur at the same time (to within a relative 1e-12), because their
    /// order is undefined and [`simultaneous_impact`] applies a different law. Also if there are more than
    /// 10^4 collisions.
    #[track_caller]
    #[must_use]
    pub fn collisions(&self, t_end: f64) -> Vec<Collision> {
        let (mut t, mut x, mut v) = (0.0, self.positions.clone(), self.velocities.clone());
        let mut collisions: Vec<Collision> = Vec::new();
        loop {
            let last = collisions.last().map(|collision| collision.left);
            let meetings: Vec<(f64, usize)> = (0..x.len().saturating_sub(1))
                // Two balls that have just collided do not collide again before another collision.
                .filter(|&i| Some(i) != last && v[i] > v[i + 1])
                .map(|i| (t + (x[i + 1] - x[i]).max(0.0) / (v[i] - v[i + 1]), i))
                .collect();
            let Some(&(next, left)) = meetings.iter().min_by(|a, b| a.0.total_cmp(&b.0)) else {
                return collisions;
            };
            if next > t_end {
                return collisions;
            }
            let shared =
                meetings.iter().any(|&(other, i)| i.abs_diff(left) == 1 && other - next <= 1e-12 * next);
            assert!(!shared, "two collisions with a ball in common at t = {next}");
            assert!(collisions.len() < 10_000, "the collisions do not end");
            for (x, v) in x.iter_mut().zip(&v) {
                *x += (next - t) * v;
            }
            let (a, b, e) = (v[left], v[left + 1], self.restitution);
            v[left] = 0.5 * ((1.0 - e) * a + (1.0 + e) * b);
            v[left + 1] = 0.5 * ((1.0 + e) * a + (1.0 - e) * b);
            t = next;
            collisions.push(Collision { t, left, positions: x.clone(), velocities: v.clone() });
        }
    }

    /// Returns positions and velocities at `t`. The value at a collision is the right limit.
    #[must_use]
    pub fn state(&self, t: f64) -> (Vec<f64>, Vec<f64>) {
        let collisions = self.collisions(t);
        let (from, x, v) = match collisions.last() {
            Some(last) => (last.t, &last.positions, &last.velocities),
            None => (0.0, &self.positions, &self.velocities),
        };
        (x.iter().zip(v).map(|(x, v)| x + (t - from) * v).collect(), v.clone())
    }
}

/// Returns the velocities after ball 0 hits the first of `others` balls with `speed`, by Newton's law applied
/// to all contacts together. The `others` balls are at rest and touch each other, and all masses are equal.
///
/// The law requires $0 \le \dot y^+ + e \dot y^- \perp p \ge 0$ (Moreau 1988; Glocker 2001, for simultaneous
/// contacts). If all contacts are active, the touching balls have no relative velocity and move as one body
/// of mass m = `others`:
///
/// $$ v_0^+ = \frac{1 - e m}{1 + m} v, \qquad v_i^+ = \frac{1 + e}{1 + m} v. $$
///
/// All impulses $p_i = (m - i) v_i^+$ are positive, so all contacts are active. For m = 1 and e = 1 the balls
/// exchange their velocities. For m = 2 the balls leave with $(-1, 2, 2) v / 3$, which conserves energy and
/// momentum but is not the behaviour of steel balls.
///
/// ```
/// use siconos_testkit::exact::simultaneous_impact;
///
/// assert_eq!(simultaneous_impact(1.0, 3.0, 1), [0.0, 3.0]);
/// assert_eq!(simultaneous_impact(1.0, 3.0, 2), [-1.0, 2.0, 2.0]);
/// ```
#[must_use]
pub fn simultaneous_impact(restitution: f64, speed: f64, others: u32) -> Vec<f64> {
    let m = f64::from(others);
    let mut velocities = vec![(1.0 - restitution * m) * speed / (1.0 + m)];
    velocities.extend((0..others).map(|_| (1.0 + restitution) * speed / (1.0 + m)));
    velocities
}
