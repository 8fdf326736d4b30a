//! Balance of the kinetic energy over a step.

/// Balance of the kinetic energy of all Lagrangian systems and bodies over one step \[J\]:
///
/// $$ T_{k+1} - T_k = W_{forces} + W_N + W_T + W_R + W_P + W_{joints} + W_{scheme}. $$
///
/// As plain text: the change of the kinetic energy is the sum of these work terms.
///
/// - The work of a reaction ($W_N$, $W_T$, $W_R$, $W_P$, $W_{joints}$) is its impulse times the mean velocity
///   $(v_k + v_{k+1})/2$. This is exactly the change of kinetic energy due to the impulse. Impacts that gain
///   energy, which Newton's law of restitution with friction admits, are therefore visible.
/// - The work of forces $W_{forces}$ is the mean of the forces at both ends of the step times the
///   displacement $h (\theta v_{k+1} + (1 - \theta) v_k)$. For a weight or a linear spring it equals the loss
///   of potential energy.
/// - The remainder $W_{scheme}$ is the energy that the discretisation adds or removes. It is zero up to
///   rounding error and the tolerance of the Newton iteration if masses are constant, forces are linear in
///   position and velocity, and $\theta = 1/2$.
///
/// Enabled by [`TimeSteppingBuilder::energy_balance`](crate::simulation::TimeSteppingBuilder::energy_balance)
/// and reported in [`StepReport::energy`](crate::simulation::StepReport::energy).
///
/// Acary (2016), "Energy conservation and dissipation properties of time-integration methods for nonsmooth
/// elastodynamics with contact", ZAMM 96, computes the work of contacts with the velocity $v_{k+\theta}$
/// instead. For a pure impact with $\theta = 1$, this work differs from the change of energy due to the
/// impact.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![2.0])
///     .with_constant_external_force(vec![-2.0 * 9.81]);
/// let ball = model.add_system(ball)?;
/// model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), NewtonImpact::new(0.5)?)?;
/// let mut simulation = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 0.5, 1e-3)?)
///     .energy_balance(true)
///     .build()?;
/// let mut state = simulation.initial_state(&model)?;
/// let mut lost = 0.0;
/// simulation.run(&model, &mut state, |report, _| {
///     lost -= report.energy.expect("asked for").normal;
/// })?;
/// // The ball falls about one metre, and one impact leaves a quarter of its energy.
/// assert!((lost - 0.75 * 2.0 * 9.81).abs() < 0.1);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBalance {
    /// Kinetic energy at the end of the step.
    pub kinetic: f64,
    /// Change of the kinetic energy over the step.
    pub change: f64,
    /// Work of external, internal and control forces, of springs between systems, and of forces that
    /// first-order systems exert through mixed interactions.
    pub forces: f64,
    /// Work of contacts along their normals.
    pub normal: f64,
    /// Work of friction along the tangents of contacts, and of relays.
    pub tangential: f64,
    /// Work of rolling friction.
    pub rolling: f64,
    /// Positive work along the normals of contacts that remove their overlaps, with
    /// [`Projection::Gradual`](crate::integrator::Projection::Gradual). Other projections change positions
    /// only, and do no work.
    pub projection: f64,
    /// Work of joints and other equality constraints, including the work of motors. A joint whose equations
    /// do not depend on time does no work, apart from the discretisation error.
    pub joints: f64,
    /// Remainder of the balance, due to the discretisation.
    pub scheme: f64,
}

impl EnergyBalance {
    /// Returns the work of all reactions: contacts, friction and joints.
    #[must_use]
    pub fn reactions(&self) -> f64 {
        self.normal + self.tangential + self.rolling + self.projection + self.joints
    }
}
