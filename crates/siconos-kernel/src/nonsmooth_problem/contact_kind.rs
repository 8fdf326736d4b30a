//! Form of an interaction in the one-step problem, as determined by its relation, law and integrators.

use ndarray::Array2;

use crate::integrator::{Activation, ConstraintLevel, D1MinusLinear, FitError, Projection, Scheme, Weights};
use crate::model::{
    At, Interaction, LawDescription, ModelError, NonSmoothLaw, Refusal, Relation, RelationId, RowLaw,
    SpringDamper,
};

/// Form of an interaction in the one-step problem, without the parameters of its law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ContactKind {
    pub(crate) holds: ImposedVariables,
    /// `true` for contacts that open and close.
    pub(crate) has_gap: bool,
    /// `true` if the multiplier is a force; the unknown of the one-step problem is then the impulse of this
    /// force.
    pub(crate) is_force: bool,
    /// `true` for joints: equalities at velocity level.
    pub(crate) is_joint: bool,
    /// Condition on the predicted gap (the first component of a unitary relation) under which a contact is
    /// active.
    pub(crate) activation: Option<Activation>,
    /// Projection of the positions at the end of a step; `None` if they are not projected.
    pub(crate) projection: Option<Projection>,
    /// `true` for contacts whose velocities remove their overlaps: those with `Projection::Gradual`.
    pub(crate) is_gradual: bool,
}

/// Variables in which the law of an interaction is imposed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ImposedVariables {
    /// No variables: the interaction was removed.
    #[default]
    Nothing,
    /// y and lambda of first-order systems.
    States(Weights),
    /// Rate of y, with an impulse as multiplier.
    Velocities,
    /// Force of a spring: the mean of the forces at both ends of a step, with the weights theta and 1 -
    /// theta.
    Spring { spring: SpringDamper, theta: f64 },
    /// y, including the term D lambda if the relation has a compliance D, and the force lambda. `theta` is
    /// the weight theta of the integrators.
    Positions { theta: f64 },
    /// Forces and impulses, in two separate problems.
    ForcesAndImpulses(D1MinusLinear),
}

impl ContactKind {
    /// Returns the number of components of one unitary relation, the smallest part of an interaction that can
    /// be active separately. This is the size of the law, or 1 if each component has its own complementarity
    /// condition. Components coupled by a compliance D stay together, as do the components of first-order
    /// systems, which are always active.
    pub(super) fn unitary_size(&self, interaction: &Interaction) -> usize {
        let couples = |d: &Array2<f64>| d.indexed_iter().any(|((i, j), d)| i != j && *d != 0.0);
        let law = interaction.law();
        let may_separate = match self.holds {
            ImposedVariables::Velocities | ImposedVariables::ForcesAndImpulses(_) => true,
            ImposedVariables::Positions { .. } => {
                interaction.relation().compliance().is_none_or(|d| !couples(d))
            }
            ImposedVariables::Nothing | ImposedVariables::States(_) | ImposedVariables::Spring { .. } => {
                false
            }
        };
        let separates = may_separate && law.description().rows == RowLaw::Complementarity;
        if separates { 1 } else { law.size() }
    }

    fn set_projection_of_contact(&mut self, projection: Option<Projection>) {
        self.is_gradual = projection == Some(Projection::Gradual);
        self.projection = projection.filter(|_| !self.is_gradual);
    }

    /// Returns `true` if every one-step problem contains the interaction.
    pub(super) fn is_always_active(&self) -> bool {
        !(self.has_gap
            || matches!(self.holds, ImposedVariables::Nothing | ImposedVariables::ForcesAndImpulses(_)))
    }

    /// Returns `true` for joints and springs, whose reactions act along Jacobian rows evaluated at the
    /// midpoint of a step.
    pub(crate) fn reacts_in_middle(&self) -> bool {
        self.is_joint || matches!(self.holds, ImposedVariables::Spring { .. })
    }

    /// Returns the weights of the integrators of first-order systems, or `None` for second-order systems.
    #[inline(always)]
    pub(crate) fn weights(&self) -> Option<&Weights> {
        match &self.holds {
            ImposedVariables::States(weights) => Some(weights),
            _ => None,
        }
    }

    /// Returns the time within a step at which the law is imposed.
    pub(crate) fn at_law<'a>(&self, begin: At<'a>, end: At<'a>) -> At<'a> {
        self.weights().map_or(end, |weights| end.time(weights.time_of_law(begin.t, end.t)))
    }

    /// Creates the form for a relation, a law and integrators (one per system), or rejects the combination.
    pub(super) fn new<'s>(
        id: RelationId,
        interaction: &Interaction,
        schemes: impl Iterator<Item = &'s Scheme> + Clone,
    ) -> Result<Self, FitError> {
        let of_order = |is_first| schemes.clone().filter(move |scheme| scheme.is_first_order() == is_first);
        match (of_order(true).next(), of_order(false).next()) {
            (Some(first), None) => Self::of_first_order(id, interaction, first, of_order(true)),
            (Some(first), Some(_)) => {
                let mut second_order = of_order(false);
                match second_order.find_map(|scheme| refusal_of_mixed(first, scheme)) {
                    Some((name, refusal)) => Err(FitError::of_relation(id, name, refusal)),
                    None => Self::of_first_order(id, interaction, first, of_order(true)),
                }
            }
            (None, Some(first)) => Self::of_lagrangian(id, interaction, first, of_order(false)),
            (None, None) => Err(ModelError::NoSystem.into()),
        }
    }

    /// Creates the form of a detected contact for the integrators of its bodies, or rejects the integrators.
    pub(super) fn of_contact<'s>(
        id: RelationId,
        law: &NonSmoothLaw,
        schemes: impl Iterator<Item = &'s Scheme> + Clone,
    ) -> Result<Self, FitError> {
        for scheme in schemes.clone() {
            if scheme.is.level != ConstraintLevel::Velocities {
                let refused = Refusal::new("detected contacts", "use MoreauJean");
                return Err(FitError::of_relation(id, scheme.is.name, refused));
            }
        }
        let projection = agreed_projection(id, schemes.clone())?;
        check_cohesion(id, law, projection, schemes.clone())?;
        let activation = agreed_activation(id, schemes.filter_map(|scheme| scheme.activation))?;
        let holds = ImposedVariables::Velocities;
        let mut kind = Self { holds, has_gap: true, activation: Some(activation), ..Self::default() };
        kind.set_projection_of_contact(projection);
        Ok(kind)
    }

    fn of_first_order<'s>(
        id: RelationId,
        interaction: &Interaction,
        first: &Scheme,
        schemes: impl Iterator<Item = &'s Scheme> + Clone,
    ) -> Result<Self, FitError> {
        let weights = schemes.map(|scheme| &scheme.weights);
        let is_held = |weights: &Weights| f64::from(u8::from(weights.hold.is_some()));
        agreed(id, "theta_r", weights.clone().map(|weights| weights.theta_r))?;
        agreed(id, "gamma", weights.clone().map(|weights| weights.gamma))?;
        agreed(id, "h of the unknown", weights.clone().map(|weights| weights.scale(0.5)))?;
        agreed(id, "hold", weights.clone().map(is_held))?;
        let mut refused = interaction.law().description().refused.first_order;
        if interaction.relation().has_k() {
            agreed(id, "theta", weights.map(|weights| weights.theta))?;
            let instead = "use FullyImplicit, or a relation with K zero";
            let of_hold = first.weights.hold.map(|_| Refusal::new("an input that depends on x", instead));
            refused = refused.or(of_hold);
        }
        match refused {
            Some(refusal) => Err(FitError::of_relation(id, first.is.name, refusal)),
            None => Ok(Self { holds: ImposedVariables::States(first.weights), ..Self::default() }),
        }
    }

    fn of_lagrangian<'s>(
        id: RelationId,
        interaction: &Interaction,
        first: &Scheme,
        schemes: impl Iterator<Item = &'s Scheme> + Clone,
    ) -> Result<Self, FitError> {
        let refuse = |refusal| FitError::of_relation(id, first.is.name, refusal);
        if let Some(refusal) = refusal(interaction, first, schemes.clone()) {
            return Err(refuse(refusal));
        }
        let theta = |what| match agreed(id, "theta", schemes.clone().map(|scheme| scheme.weights.theta))? {
            0.0 => Err(refuse(Refusal::new(what, "use theta above 0"))),
            theta => Ok(theta),
        };
        let law = interaction.law();
        let LawDescription { rows, opens, is_force, .. } = *law.description();
        let is_compliant = interaction.relation().compliance().is_some();
        let holds = match (first.is.level, law) {
            (ConstraintLevel::Forces, _) => ImposedVariables::ForcesAndImpulses(first.half_explicit),
            (ConstraintLevel::Velocities, NonSmoothLaw::Spring(spring)) => {
                ImposedVariables::Spring { spring: *spring, theta: theta("a spring with theta = 0")? }
            }
            (ConstraintLevel::Velocities, _) if !is_compliant => ImposedVariables::Velocities,
            _ => ImposedVariables::Positions { theta: theta("a compliant relation with theta = 0")? },
        };
        let mut kind = Self {
            holds,
            has_gap: opens
                && matches!(holds, ImposedVariables::Velocities | ImposedVariables::ForcesAndImpulses(_)),
            is_force: is_force || matches!(holds, ImposedVariables::Positions { .. }),
            is_joint: holds == ImposedVariables::Velocities && rows == RowLaw::Equality,
            ..Self::default()
        };
        let is_contact = holds == ImposedVariables::Velocities && kind.has_gap;
        if is_contact || kind.is_joint {
            let projection = agreed_projection(id, schemes.clone())?;
            match kind.is_joint {
                true => kind.projection = projection.map(|_| Projection::Direct),
                false => kind.set_projection_of_contact(projection),
            }
        }
        if is_contact {
            check_cohesion(id, law, kind.projection, schemes.clone())?;
            kind.activation = Some(agreed_activation(id, schemes.filter_map(|scheme| scheme.activation))?);
        }
        Ok(kind)
    }
}

/// Returns the reason why an integrator does not support an interaction between systems of both orders, with
/// the name of this integrator. `first` is the scheme of a first-order system, `second` that of a Lagrangian
/// system.
fn refusal_of_mixed(first: &Scheme, second: &Scheme) -> Option<(&'static str, Refusal)> {
    let what = "an interaction between first-order and Lagrangian systems";
    if second.is.level != ConstraintLevel::Velocities {
        return Some((second.is.name, Refusal::new(what, "use MoreauJean for the Lagrangian systems")));
    }
    let is_implicit = first.weights.theta_r == 1.0;
    let instead = "use EulerMoreau or another scheme with theta_r = 1 for the first-order systems";
    (!is_implicit).then(|| (first.is.name, Refusal::new(what, instead)))
}

/// Returns the reason why the integrators of second-order systems do not support an interaction, if there is
/// one.
fn refusal<'s>(
    interaction: &Interaction,
    first: &Scheme,
    mut schemes: impl Iterator<Item = &'s Scheme>,
) -> Option<Refusal> {
    let (level, refused) = (first.is.level, &interaction.law().description().refused);
    let is_compliant = interaction.relation().compliance().is_some();
    let is_linear = matches!(interaction.relation(), Relation::LagrangianLinear(_));
    let is_like_first = |other: &Scheme| {
        let has_same_thresholds =
            level != ConstraintLevel::Forces || other.half_explicit == first.half_explicit;
        other.is.level == level && has_same_thresholds
    };
    refused
        .lagrangian
        .or(refused.compliant.filter(|_| is_compliant))
        .or_else(|| {
            let what =
                "systems whose integrators enforce contacts at different levels or with different settings";
            let instead = "give all systems of an interaction the same integrator";
            (!schemes.all(is_like_first)).then_some(Refusal::new(what, instead))
        })
        .or(refused.off_velocities.filter(|_| level != ConstraintLevel::Velocities))
        .or(match level {
            ConstraintLevel::Positions if !is_linear => {
                Some(Refusal::new("a relation that is not linear", "use MoreauJean"))
            }
            ConstraintLevel::Forces if is_compliant => {
                Some(Refusal::new("a compliant relation", "drop D, or use MoreauJean"))
            }
            _ => None,
        })
}

/// Returns the common value of a setting in the integrators of an interaction, or an error if the values
/// differ.
fn agreed(
    relation: RelationId,
    setting: &'static str,
    mut values: impl Iterator<Item = f64>,
) -> Result<f64, FitError> {
    let first = values.next().unwrap_or_default();
    match values.find(|&second| second != first) {
        None => Ok(first),
        Some(second) => Err(FitError::IntegratorsDisagree { relation, setting, first, second }),
    }
}

/// Rejects cohesion with the combined projection, which starts each step without contacts, so it could not
/// find a contact that is closed only because of cohesion.
fn check_cohesion<'s>(
    id: RelationId,
    law: &NonSmoothLaw,
    projection: Option<Projection>,
    mut schemes: impl Iterator<Item = &'s Scheme>,
) -> Result<(), FitError> {
    match schemes.next() {
        Some(scheme) if law.cohesion() != 0.0 && projection == Some(Projection::Combined) => {
            let instead = "use Projection::Direct, or no projection";
            let refused = Refusal::new("cohesion with the combined projection", instead);
            Err(FitError::of_relation(id, scheme.is.name, refused))
        }
        _ => Ok(()),
    }
}

/// Returns the common projection of positions.
fn agreed_projection<'s>(
    id: RelationId,
    schemes: impl Iterator<Item = &'s Scheme> + Clone,
) -> Result<Option<Projection>, FitError> {
    let code = |scheme: &Scheme| match scheme.projection {
        None => 0.0,
        Some(Projection::Direct) => 1.0,
        Some(Projection::Combined) => 2.0,
        Some(Projection::Gradual) => 3.0,
    };
    agreed(id, "projection (0 none, 1 direct, 2 combined, 3 gradual)", schemes.clone().map(code))?;
    Ok(schemes.clone().next().and_then(|scheme| scheme.projection))
}

/// Returns the common activation condition. Integrators that set no threshold take the common threshold of
/// the others.
fn agreed_activation(
    relation: RelationId,
    activations: impl Iterator<Item = Activation> + Clone,
) -> Result<Activation, FitError> {
    let gamma = agreed(relation, "gamma", activations.clone().map(|activation| activation.gamma))?;
    let mut given = activations.filter_map(|activation| activation.threshold).peekable();
    let threshold = match given.peek() {
        None => None,
        Some(_) => Some(agreed(relation, "activation_threshold", given)?),
    };
    Ok(Activation { gamma, threshold })
}
