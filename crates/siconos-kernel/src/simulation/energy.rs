//! What becomes of the kinetic energy in a step.

/// The balance of the kinetic energy of all Lagrangian systems and bodies over one step, in \[J\]:
///
/// $$ T_{k+1} - T_k = W_{forces} + W_N + W_T + W_R + W_{joints} + W_{scheme}. $$
///
/// As plain text: the change of the kinetic energy is the sum of the works. Reactions are impulses and work
/// on the mean $(v_k + v_{k+1})/2$ of the velocities before and behind, which is exactly what an impulse
/// changes of the energy: impacts that gain energy, which Newton's law of restitution with friction admits,
/// show here. Forces work along the way of the step: $W_{forces}$ is the mean of the forces at both ends
/// times the displacement $h (\theta v_{k+1} + (1 - \theta) v_k)$, so that a weight or a linear spring give
/// what they lose of their potential energy. The rest is $W_{scheme}$, what the discretisation adds or
/// takes. With constant masses, forces that are linear in position and velocity, and $\theta = 1/2$, nothing
/// is left over but rounding and the tolerance of Newton's loop.
///
/// Asked for by
/// [`TimeSteppingBuilder::energy_balance`](crate::simulation::TimeSteppingBuilder::energy_balance), and in
/// [`StepReport::energy`](crate::simulation::StepReport::energy). (Acary 2016, "Energy conservation and
/// dissipation properties of time-integration methods for nonsmooth elastodynamics with contact", ZAMM 96,
/// takes the work of contacts at $v_{k+\theta}$: in a step of pure impact with $\theta = 1$ that is not what
/// the impact changes.)
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
/// // The ball falls through about one metre, and keeps a quarter of its energy in the one impact.
/// assert!((lost - 0.75 * 2.0 * 9.81).abs() < 0.1);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBalance {
    /// The kinetic energy at the end of the step.
    pub kinetic: f64,
    /// By how much it has changed over the step.
    pub change: f64,
    /// The work of external, internal and control forces, and of springs between systems.
    pub forces: f64,
    /// The work of contacts along their normals.
    pub normal: f64,
    /// The work of friction along the tangents of contacts.
    pub tangential: f64,
    /// The work of rolling friction.
    pub rolling: f64,
    /// The work of equalities: what motors put in. Joints whose equations do not depend on time do none but
    /// for the errors of the step.
    pub joints: f64,
    /// What remains.
    pub scheme: f64,
}

impl EnergyBalance {
    /// The work of all reactions: of contacts, friction and joints.
    #[must_use]
    pub fn reactions(&self) -> f64 {
        self.normal + self.tangential + self.rolling + self.joints
    }
}
