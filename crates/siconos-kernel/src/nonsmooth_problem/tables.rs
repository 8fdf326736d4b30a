//! The tables of a simulation: where each system, interaction and unitary relation lies in the flat arrays.
//!
//! They are made anew when the model has changed, and are all that a step needs to know of its structure.

use std::ops::Range;

use ndarray::Array2;

use crate::arena::SideTable;
use crate::error::SimulationError;
use crate::integrator::MoreauJean;
use crate::model::{
    DynamicalSystem, DynamicalSystemId, Interaction, InteractionId, NewtonImpactFriction,
    NonSmoothDynamicalSystem, NonSmoothLaw, Relation,
};
use crate::simulation::UnitaryRelation;

/// One system.
#[derive(Clone, Debug)]
pub(crate) struct SystemEntry {
    pub(crate) id: DynamicalSystemId,
    pub(crate) dofs: Range<usize>,
    pub(crate) integrator: MoreauJean,
}

/// The classes of one-step problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProblemClass {
    /// Linear complementarity.
    Complementarity,
    /// With equalities among the rows.
    Mixed,
    /// Contacts with friction only, all with this number of components.
    Contact { dimension: usize },
    /// Friction beside other laws, or in the plane beside in space.
    Mechanical,
}

/// How an interaction enters the one-step problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ContactKind {
    /// At velocity level, while the predicted gap is closed.
    Unilateral { restitution: f64, gamma: f64, threshold: f64 },
    /// The same with friction: while the predicted gap, which is the first component of a block, is closed.
    Frictional { law: NewtonImpactFriction, gamma: f64, threshold: f64 },
    /// $\dot y = 0$ in every step.
    Bilateral,
    /// At position level with the compliance D, in every step.
    Compliant { equality: bool, theta: f64 },
}

/// One interaction.
#[derive(Clone, Debug)]
pub(crate) struct InteractionEntry {
    pub(crate) id: InteractionId,
    /// Its components in y and lambda.
    pub(crate) rows: Range<usize>,
    /// Its Jacobian, `rows x columns`, in the flat array of Jacobians.
    pub(crate) jacobian: Range<usize>,
    pub(crate) columns: usize,
    pub(crate) legs: Range<usize>,
    pub(crate) kind: ContactKind,
    /// D of a compliant relation.
    pub(crate) compliance: Option<Array2<f64>>,
    /// Whether its Jacobian is constant.
    pub(crate) constant: bool,
    pub(crate) rheonomous: bool,
}

impl InteractionEntry {
    /// $(D \lambda)$ of one component, for multipliers at position level.
    pub(crate) fn compliant_part(&self, row: usize, force: &[f64]) -> f64 {
        self.compliance.as_ref().map_or(0.0, |d| {
            let own = &force[self.rows.clone()];
            d.row(row - self.rows.start).iter().zip(own).map(|(d, force)| d * force).sum()
        })
    }
}

/// The part of an interaction that acts on one system.
#[derive(Clone, Debug)]
pub(crate) struct Leg {
    pub(crate) system: usize,
    pub(crate) dofs: Range<usize>,
    /// Where its columns lie in a row of the Jacobian.
    pub(crate) columns: Range<usize>,
}

/// One unitary relation.
#[derive(Clone, Debug)]
pub(crate) struct UnitaryEntry {
    pub(crate) name: UnitaryRelation,
    pub(crate) interaction: usize,
    pub(crate) rows: Range<usize>,
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    pub(crate) epoch: u64,
    pub(crate) systems: Vec<SystemEntry>,
    pub(crate) interactions: Vec<InteractionEntry>,
    pub(crate) legs: Vec<Leg>,
    pub(crate) unitary: Vec<UnitaryEntry>,
    pub(crate) dofs: usize,
    pub(crate) rows: usize,
    pub(crate) jacobian_len: usize,
}

impl Tables {
    /// Lays out a model; refuses what the integrators cannot carry.
    pub(crate) fn new(
        model: &NonSmoothDynamicalSystem,
        integrator: impl Fn(DynamicalSystemId) -> MoreauJean,
    ) -> Result<Self, SimulationError> {
        let mut tables = Self { epoch: model.epoch(), ..Self::default() };
        let mut places = SideTable::<DynamicalSystem, usize>::default();
        for (place, (id, system)) in model.systems().iter().enumerate() {
            let dofs = tables.dofs..tables.dofs + system.degrees_of_freedom();
            tables.dofs = dofs.end;
            tables.systems.push(SystemEntry { id, dofs, integrator: integrator(id) });
            places.insert(id, place);
        }
        for (id, interaction) in model.interactions().iter() {
            tables.push_interaction(id, interaction, &places)?;
        }
        Ok(tables)
    }

    fn push_interaction(
        &mut self,
        id: InteractionId,
        interaction: &Interaction,
        places: &SideTable<DynamicalSystem, usize>,
    ) -> Result<(), SimulationError> {
        let first_leg = self.legs.len();
        let mut columns = 0;
        for &system in interaction.systems() {
            let Some(&place) = places.get(system) else {
                return Err(crate::error::ModelError::UnknownSystem { id: system }.into());
            };
            let dofs = self.systems[place].dofs.clone();
            self.legs.push(Leg { system: place, columns: columns..columns + dofs.len(), dofs });
            columns += self.legs[self.legs.len() - 1].columns.len();
        }
        let legs = first_leg..self.legs.len();
        let kind = self.contact_kind(id, interaction, legs.clone())?;
        let rows = self.rows..self.rows + interaction.size();
        self.rows = rows.end;
        let jacobian = self.jacobian_len..self.jacobian_len + rows.len() * columns;
        self.jacobian_len = jacobian.end;
        let size = interaction.law().size();
        for block in 0..rows.len() / size {
            let start = rows.start + block * size;
            self.unitary.push(UnitaryEntry {
                name: UnitaryRelation { interaction: id, block },
                interaction: self.interactions.len(),
                rows: start..start + size,
            });
        }
        self.interactions.push(InteractionEntry {
            id,
            rows,
            jacobian,
            columns,
            legs,
            kind,
            compliance: compliance(interaction.relation()).cloned(),
            constant: interaction.relation().has_constant_jacobian(),
            rheonomous: interaction.relation().is_rheonomous(),
        });
        Ok(())
    }

    /// How the interaction enters the problem; every combination of relation, law and integrator is accepted or
    /// refused here.
    fn contact_kind(
        &self,
        id: InteractionId,
        interaction: &Interaction,
        legs: Range<usize>,
    ) -> Result<ContactKind, SimulationError> {
        let agreed = |setting, value: fn(&MoreauJean) -> f64| {
            let mut values =
                self.legs[legs.clone()].iter().map(|leg| value(&self.systems[leg.system].integrator));
            let first = values.next().unwrap_or_default();
            match values.find(|&second| second != first) {
                None => Ok(first),
                Some(second) => {
                    Err(SimulationError::IntegratorsDisagree { interaction: id, setting, first, second })
                }
            }
        };
        let compliant = compliance(interaction.relation()).is_some();
        if compliant {
            let refused = |what, instead| {
                Err(SimulationError::Unsupported { interaction: id, integrator: "MoreauJean", what, instead })
            };
            let theta = agreed("theta", |scheme| scheme.theta)?;
            let instead = "take a ComplementarityCondition, or drop D";
            match interaction.law() {
                NonSmoothLaw::NewtonImpact(_) => {
                    return refused("restitution on a compliant relation", instead);
                }
                NonSmoothLaw::NewtonImpactFriction(_) => {
                    return refused("friction on a compliant relation", instead);
                }
                NonSmoothLaw::Complementarity(_) | NonSmoothLaw::Equality(_) => {}
            }
            if theta == 0.0 {
                return refused("a compliant relation with theta = 0", "take theta above 0");
            }
            let equality = matches!(interaction.law(), NonSmoothLaw::Equality(_));
            return Ok(ContactKind::Compliant { equality, theta });
        }
        let unilateral = |restitution| {
            let gamma = agreed("gamma", |scheme| scheme.gamma)?;
            let threshold = agreed("activation_threshold", |scheme| scheme.activation_threshold)?;
            Ok(ContactKind::Unilateral { restitution, gamma, threshold })
        };
        match *interaction.law() {
            NonSmoothLaw::Equality(_) => Ok(ContactKind::Bilateral),
            NonSmoothLaw::Complementarity(_) => unilateral(0.0),
            NonSmoothLaw::NewtonImpact(law) => unilateral(law.restitution()),
            NonSmoothLaw::NewtonImpactFriction(law) => Ok(ContactKind::Frictional {
                law,
                gamma: agreed("gamma", |scheme| scheme.gamma)?,
                threshold: agreed("activation_threshold", |scheme| scheme.activation_threshold)?,
            }),
        }
    }

    /// The legs of an interaction.
    pub(crate) fn legs_of(&self, interaction: usize) -> &[Leg] {
        &self.legs[self.interactions[interaction].legs.clone()]
    }

    /// Where row `row` (of all rows) of an interaction's Jacobian lies in the flat array.
    pub(crate) fn jacobian_row(&self, interaction: usize, row: usize) -> Range<usize> {
        let entry = &self.interactions[interaction];
        let start = entry.jacobian.start + (row - entry.rows.start) * entry.columns;
        start..start + entry.columns
    }

    /// The class that the one-step problem belongs to; `None` as long as there is no interaction.
    pub(crate) fn class(&self) -> Option<ProblemClass> {
        let classes = self.interactions.iter().map(|entry| match entry.kind {
            ContactKind::Bilateral | ContactKind::Compliant { equality: true, .. } => ProblemClass::Mixed,
            ContactKind::Unilateral { .. } | ContactKind::Compliant { equality: false, .. } => {
                ProblemClass::Complementarity
            }
            ContactKind::Frictional { law, .. } => ProblemClass::Contact { dimension: law.dimension() },
        });
        classes.reduce(|a, b| match (a, b) {
            (a, b) if a == b => a,
            (ProblemClass::Complementarity | ProblemClass::Mixed, ProblemClass::Complementarity)
            | (ProblemClass::Complementarity, ProblemClass::Mixed) => ProblemClass::Mixed,
            _ => ProblemClass::Mechanical,
        })
    }
}

fn compliance(relation: &Relation) -> Option<&Array2<f64>> {
    match relation {
        Relation::LagrangianLinear(relation) => relation.compliance(),
        Relation::LagrangianScleronomous(_) | Relation::LagrangianRheonomous(_) => None,
    }
}
