//! Twisting controller: a second-order sliding mode with two signs.

use ndarray::Array2;

use super::linear::product;
use super::sign_relay::sign;
use super::{Actuator, ControlError, HeldPlant, Ports};
use siconos_kernel::engine::{check_finite, check_number, check_positive, check_shape};
use siconos_kernel::model::At;

/// Signs that a [`Twisting`] controller uses.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Signs {
    /// Signs at the next sample, as predicted by the model.
    Implicit {
        /// Change of sigma1 and of sigma2 in one period, per unit of u.
        response: [f64; 2],
    },
    /// Signs at the current sample.
    Explicit,
    /// Signs at the current sample. A sign is replaced by a linear function if its argument is closer to 0
    /// than its width.
    Regularised { widths: [f64; 2] },
}

/// Twisting controller with one input u that acts on the second derivative of an output $c x$:
///
/// $$ u \in -r_1 \operatorname{Sgn}(\sigma_1) - r_2 \operatorname{Sgn}(\sigma_2), \qquad r_1 > r_2 > 0, $$
///
/// as plain text u in -r1 Sgn(sigma1) - r2 Sgn(sigma2), where sigma1 is the output and sigma2 its rate. Both
/// sigma1 and sigma2 go to 0 in finite time, on a trajectory that winds around the origin in ever smaller
/// loops.
///
/// - [`implicit`](Self::implicit) uses the signs at the next sample, $\sigma_{i,k+1}$, as predicted by the
///   exact step of the model. The variables are $\sigma_2 = c A x$ and $\sigma_1 = c (I + \theta h A) x$ with
///   $\theta = 1 - c \Psi / (h c A \Psi)$, so u acts on $\sigma_1$ as on $h \sigma_2$. For a double
///   integrator, $\theta = 1/2$, and the step is exactly the implicit Euler step
///   $\sigma_{1,k+1} = \sigma_{1,k} + h \sigma_{2,k+1}$ of the paper. Both variables reach 0 in finite time
///   and remain 0. (With $\sigma_1 = c x$, the step would have a cycle of two samples, at both of which
///   $c x = 0$.)
/// - [`explicit`](Self::explicit) uses the signs of $c x$ and $c A x$ at the sample, with sgn(0) = 0. It
///   chatters.
/// - [`regularised`](Self::regularised) replaces sgn in the explicit controller by a line of slope
///   $1 / \epsilon_i$ within $\epsilon_i$ of 0. It does not reach the origin in finite time, and it chatters
///   if $\epsilon_i$ is small compared with the change of $\sigma_i$ in one period.
///
/// **The implicit step.** Let $b = c A \Psi > 0$, and let $a_i$ be the value of $\sigma_{i,k+1}$ for u = 0.
/// Then $\sigma_{1,k+1} = a_1 + h b u$ and $\sigma_{2,k+1} = a_2 + b u$. The sum of u and both sign terms
/// increases with u, so there is exactly one solution. It is the median of five values: the positions
/// $p_1 = -a_1 / (h b)$ and $p_2 = -a_2 / b$ of the two jumps, $r_1 + r_2$, $-(r_1 + r_2)$, and $r_2 - r_1$
/// if $p_1 \le p_2$, $r_1 - r_2$ otherwise. This is the closed-form solution of a
/// [relay problem](siconos_numerics::relay) with two unknowns in $\[-1, 1\]$ and a singular matrix.
///
/// The [terms](Actuator::terms) are $\sigma_1$ and $\sigma_2$ at the sample.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{Actuator, HeldPlant, Twisting};
///
/// // A double integrator reaches the origin, up to rounding.
/// let plant = HeldPlant::new(array![[0.0, 1.0], [0.0, 0.0]], array![[0.0], [1.0]], 0.1)?;
/// let mut twisting = Twisting::implicit(&plant, &[1.0, 0.0], [3.0, 2.0])?;
/// let (mut x, mut u) = ([1.0, 0.0], [0.0]);
/// for _ in 0..200 {
///     twisting.act(0.0.into(), &x, &mut u)?;
///     x = [x[0] + 0.1 * x[1] + 0.005 * u[0], x[1] + 0.1 * u[0]];
/// }
/// assert!(x[0].abs() < 1e-12 && x[1].abs() < 1e-12);
/// # Ok::<(), siconos_control::ControlError>(())
/// ```
///
/// References: O. Huber, V. Acary, B. Brogliato, F. Plestan (2016), "Implicit discrete-time twisting
/// controller without numerical chattering: analysis and experimental results", Control Engineering Practice
/// 46, 129-141.
#[doc(alias = "ExplicitTwisting")]
#[derive(Clone, Debug)]
pub struct Twisting {
    ports: Ports,
    /// Rows for sigma1 and sigma2, `2 x n`.
    surface: Array2<f64>,
    /// Rows for sigma1 and sigma2 at the next sample if u = 0.
    next: Array2<f64>,
    gains: [f64; 2],
    signs: Signs,
    sigma: [f64; 2],
}

impl Twisting {
    /// Creates an implicit controller for the output c x, where c has n entries, with the gains r1 and r2
    /// \[unit of u\].
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`] if c has the wrong length or is not finite, or if the plant has more than one
    /// input; [`ControlError::Settings`] unless r1 > r2 > 0; [`ControlError::NoTwist`] if c A Psi is not
    /// positive.
    pub fn implicit(plant: &HeldPlant, c: &[f64], gains: [f64; 2]) -> Result<Self, ControlError> {
        let mut twisting = Self::explicit(plant, c, gains)?;
        let h = plant.period();
        let response = twisting.surface.dot(plant.psi());
        let on_rate = response[[1, 0]];
        if !(on_rate > 0.0 && on_rate.is_finite()) {
            return Err(ControlError::NoTwist { value: on_rate });
        }
        let shift = h - response[[0, 0]] / on_rate;
        let rate = twisting.surface.row(1).to_owned();
        twisting.surface.row_mut(0).scaled_add(shift, &rate);
        twisting.next = twisting.surface.dot(plant.phi());
        twisting.signs = Signs::Implicit { response: [h * on_rate, on_rate] };
        Ok(twisting)
    }

    /// Creates an explicit controller. The arguments are as for [`implicit`](Self::implicit), but c A Psi can
    /// have any value.
    ///
    /// # Errors
    ///
    /// See [`implicit`](Self::implicit), except for [`ControlError::NoTwist`].
    pub fn explicit(plant: &HeldPlant, c: &[f64], gains: [f64; 2]) -> Result<Self, ControlError> {
        let n = plant.states();
        check_shape("B of a plant to twist", (n, 1), plant.b().dim())?;
        check_shape("c of a twisting controller", (n, 1), (c.len(), 1))?;
        check_finite("c of a twisting controller", c)?;
        check_positive("r2", gains[1])?;
        check_number("r1", gains[0], |r1| r1 > gains[1] && r1.is_finite(), "finite and above r2")?;
        let mut surface = Array2::zeros((2, n));
        surface.row_mut(0).iter_mut().zip(c).for_each(|(to, c)| *to = *c);
        let rate = surface.row(0).dot(plant.a());
        surface.row_mut(1).assign(&rate);
        let next = surface.dot(plant.phi());
        Ok(Self {
            ports: plant.controller_ports(),
            surface,
            next,
            gains,
            signs: Signs::Explicit,
            sigma: [0.0; 2],
        })
    }

    /// Creates a regularised controller with two widths, one for the output and one for its rate. Both must
    /// be positive.
    ///
    /// # Errors
    ///
    /// See [`explicit`](Self::explicit); also [`ControlError::Settings`] if a width is not positive.
    pub fn regularised(
        plant: &HeldPlant,
        c: &[f64],
        gains: [f64; 2],
        widths: [f64; 2],
    ) -> Result<Self, ControlError> {
        for width in widths {
            check_positive("width", width)?;
        }
        Ok(Self { signs: Signs::Regularised { widths }, ..Self::explicit(plant, c, gains)? })
    }
}

impl Actuator for Twisting {
    fn ports(&self) -> Ports {
        self.ports
    }

    fn act(&mut self, _at: At<'_>, x: &[f64], u: &mut [f64]) -> Result<(), ControlError> {
        product(&self.surface, x, &mut self.sigma);
        let ([r1, r2], [sigma1, sigma2]) = (self.gains, self.sigma);
        u[0] = match self.signs {
            Signs::Explicit => -r1 * sign(sigma1) - r2 * sign(sigma2),
            Signs::Regularised { widths } => {
                let [first, second] = [sigma1 / widths[0], sigma2 / widths[1]];
                -r1 * first.clamp(-1.0, 1.0) - r2 * second.clamp(-1.0, 1.0)
            }
            Signs::Implicit { response } => {
                let mut free = [0.0; 2];
                product(&self.next, x, &mut free);
                let places = [-free[0] / response[0], -free[1] / response[1]];
                let between = if places[0] <= places[1] { r2 - r1 } else { r1 - r2 };
                median([places[0], places[1], r1 + r2, -(r1 + r2), between])
            }
        };
        Ok(())
    }

    fn terms(&self) -> &[f64] {
        &self.sigma
    }

    fn restart(&mut self) {
        self.sigma = [0.0; 2];
    }

    /// sigma1 and sigma2 at the last sample.
    fn memory(&self) -> Vec<f64> {
        self.sigma.to_vec()
    }

    fn recall(&mut self, memory: &[f64]) -> bool {
        self.restart();
        let sigma = memory.try_into().ok();
        self.sigma = sigma.unwrap_or(self.sigma);
        sigma.is_some()
    }
}

fn median(mut numbers: [f64; 5]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[2]
}
