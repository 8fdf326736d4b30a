//! Balls.

use siconos_linalg::norm;

use super::error::check_positive;
use super::{ConvexSet, ConvexSetError};
use crate::engine::check_finite;

/// The ball $\lbrace x : \lVert x - c \rVert \le r \rbrace$. In the plane, the ball is a disc.
///
/// ```
/// use siconos_numerics::cone::{Ball, ConvexSet};
///
/// let disc = Ball::new(vec![1.0, 0.0], 2.0)?;
/// let mut x = [7.0, 0.0];
/// disc.project(&mut x);
/// assert_eq!(x, [3.0, 0.0]);
/// # Ok::<(), siconos_numerics::cone::ConvexSetError>(())
/// ```
#[doc(alias = "disc")]
#[derive(Clone, Debug, PartialEq)]
pub struct Ball {
    centre: Vec<f64>,
    radius: f64,
}

impl Ball {
    /// Creates the ball with the centre c and the radius r. The radius must be positive.
    ///
    /// # Errors
    ///
    /// If the radius is not positive ([`ConvexSetError::NotPositive`]), or if the centre is not finite
    /// ([`ConvexSetError::Problem`]).
    pub fn new(centre: Vec<f64>, radius: f64) -> Result<Self, ConvexSetError> {
        check_finite("the centre", &centre)?;
        check_positive("radius", radius)?;
        Ok(Self { centre, radius })
    }
}

impl ConvexSet for Ball {
    fn project(&self, x: &mut [f64]) {
        x.iter_mut().zip(&self.centre).for_each(|(x, c)| *x -= c);
        let distance = norm(x);
        if distance > self.radius {
            let factor = self.radius / distance;
            x.iter_mut().for_each(|x| *x *= factor);
        }
        x.iter_mut().zip(&self.centre).for_each(|(x, c)| *x += c);
    }
}
