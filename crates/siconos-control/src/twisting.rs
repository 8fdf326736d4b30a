//! The twisting controller: a second-order sliding mode by two signs.

use ndarray::Array2;

use super::linear::product;
use super::sign_relay::sign;
use super::{Actuator, ControlError, HeldPlant, Ports};
use siconos_kernel::engine::{check_finite, check_number, check_positive, check_shape};
use siconos_kernel::model::At;

/// How the signs of a [`Twisting`] controller are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Signs {
    /// Of the next sample, as the model foresees it.
    Implicit {
        /// What u does to the two variables in a period.
        response: [f64; 2],
    },
    /// At the sample.
    Explicit,
    /// At the sample, and linear within these distances from 0.
    Regularised { widths: [f64; 2] },
}

/// The twisting controller of one input: with an output $c x$ whose second derivative u acts on,
///
/// $$ u \in -r_1 \operatorname{Sgn}(\sigma_1) - r_2 \operatorname{Sgn}(\sigma_2), \qquad r_1 > r_2 > 0, $$
///
/// as plain text u in -r1 Sgn(sigma1) - r2 Sgn(sigma2), where sigma1 is the output and sigma2 its rate. Both
/// go to 0 in finite time, around the origin in ever smaller turns.
///
/// - [`implicit`](Self::implicit): the signs of the next sample, $\sigma_{i,k+1}$, foreseen by the model with
///   its exact step. Takes $\sigma_2 = c A x$ and $\sigma_1 = c (I + \theta h A) x$ with
///   $\theta = 1 - c \Psi / (h c A \Psi)$, so that u acts on $\sigma_1$ as on $h \sigma_2$: of a double
///   integrator, where $\theta = 1/2$, the step is then the implicit Euler step
///   $\sigma_{1,k+1} = \sigma_{1,k} + h \sigma_{2,k+1}$ of the paper, exactly. In finite time both are 0 and
///   stay so. (With $c x$ itself for $\sigma_1$ the step has a cycle of two samples with $c x = 0$ at each.)
/// - [`explicit`](Self::explicit): the signs at the sample of $c x$ and $c A x$, with sgn(0) = 0; chatters.
/// - [`regularised`](Self::regularised): the same with sgn replaced by a line of slope $1 / \epsilon_i$
///   within $\epsilon_i$ of 0; does not reach the origin in finite time, and chatters where $\epsilon_i$ is
///   small beside what a period does.
///
/// **The implicit step.** With $b = c A \Psi > 0$ and the values $a_i$ that $\sigma_{i,k+1}$ would have at u
/// = 0, $\sigma_{1,k+1} = a_1 + h b u$ and $\sigma_{2,k+1} = a_2 + b u$. The sum of u and both signs
/// increases with u, so there is one solution: the median of the five numbers at which it can vanish, namely
/// the two places $p_1 = -a_1 / (h b)$ and $p_2 = -a_2 / b$ of its jumps and the roots $r_1 + r_2$,
/// $-(r_1 + r_2)$ and, between the places, $r_2 - r_1$ when $p_1 \le p_2$, $r_1 - r_2$ otherwise. This is the
/// [relay problem](siconos_numerics::relay) of two unknowns in $\[-1, 1\]$, whose matrix is singular, solved
/// in closed form.
///
/// The [terms](Actuator::terms) are $\sigma_1$ and $\sigma_2$ at the sample.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{Actuator, HeldPlant, Twisting};
///
/// // A double integrator: at the origin after a while, to rounding.
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
    /// The rows of sigma1 and sigma2, `2 x n`.
    surface: Array2<f64>,
    /// Those at the next sample under u = 0.
    next: Array2<f64>,
    gains: [f64; 2],
    signs: Signs,
    sigma: [f64; 2],
}

impl Twisting {
    /// Implicit, with the output c, n numbers, and the gains r1 and r2 \[unit of u\].
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`]: c of another length or not finite, a plant of more than one input.
    /// [`ControlError::Settings`]: gains without r1 > r2 > 0. [`ControlError::NoTwist`]: c A Psi not above 0.
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

    /// Explicit; arguments and errors as for [`implicit`](Self::implicit), but c A Psi may be anything.
    ///
    /// # Errors
    ///
    /// See there.
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

    /// Regularised with two widths, of the output and of its rate in their units, each above 0.
    ///
    /// # Errors
    ///
    /// Those of [`explicit`](Self::explicit); [`ControlError::Settings`] for a width that is not above 0.
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

    /// Both variables at the last sample.
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
