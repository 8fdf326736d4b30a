//! What lies where in x and y.

use std::ops::Range;

use ndarray::Array2;
use siconos_numerics::linalg::DenseLu;

use super::ModeError;
use crate::model::dynamical_system::FirstOrderScratch;
use crate::model::relation::RelationValues;
use crate::model::{
    DynamicalSystem, DynamicalSystemId, InteractionId, NonSmoothDynamicalSystem, NonSmoothLaw, Relation,
};

/// A system and where it lies in x.
#[derive(Clone, Debug)]
pub(super) struct SystemEntry {
    pub(super) id: DynamicalSystemId,
    pub(super) places: Range<usize>,
    /// M; `None` when it is the identity or has not been factorised yet.
    pub(super) mass: Option<DenseLu>,
    pub(super) mass_varies: bool,
    pub(super) matrix: Array2<f64>,
    pub(super) work: Vec<f64>,
    pub(super) scratch: FirstOrderScratch,
}

/// An interaction, its rows, and where the states of its relation lie in x.
#[derive(Clone, Debug)]
pub(super) struct RelationEntry {
    pub(super) id: InteractionId,
    pub(super) rows: Range<usize>,
    pub(super) columns: Vec<usize>,
    pub(super) is_linear: bool,
    pub(super) constant_matrices: bool,
    pub(super) depends_on_time: bool,
    pub(super) values: RelationValues,
    pub(super) x: Vec<f64>,
    pub(super) lambda: Vec<f64>,
}

/// The systems in the order of x, the interactions in the order of y, and which rows of y are equalities.
pub(super) struct Layout {
    pub(super) systems: Vec<SystemEntry>,
    pub(super) relations: Vec<RelationEntry>,
    pub(super) is_equality: Vec<bool>,
}

impl Layout {
    pub(super) fn of(model: &NonSmoothDynamicalSystem) -> Result<Self, ModeError> {
        let mut systems = Vec::new();
        let mut states = 0;
        for id in model.coupled_systems().systems {
            let system = model.system(id)?;
            let n = system.degrees_of_freedom();
            let (mass_varies, room, scratch) = match system {
                DynamicalSystem::FirstOrderNonlinear(system) => {
                    (!system.has_constant_mass(), 0, system.scratch())
                }
                DynamicalSystem::FirstOrderLinear(system) => {
                    (false, system.scratch_len(), FirstOrderScratch::default())
                }
                _ => (false, 0, FirstOrderScratch::default()),
            };
            systems.push(SystemEntry {
                id,
                places: states..states + n,
                mass: None,
                mass_varies,
                matrix: Array2::zeros((n, n)),
                work: vec![0.0; room.max(n)],
                scratch,
            });
            states += n;
        }
        let mut relations = Vec::new();
        let mut is_equality = Vec::new();
        for (id, interaction) in model.interactions().iter() {
            let relation = interaction.relation();
            let of = |system: &DynamicalSystemId| systems.iter().find(|entry| entry.id == *system);
            let columns: Vec<usize> =
                interaction.systems().iter().filter_map(of).flat_map(|entry| entry.places.clone()).collect();
            let rows = is_equality.len()..is_equality.len() + interaction.size();
            let equalities = match interaction.law() {
                law @ NonSmoothLaw::Equality(_) => law_rows(law.size(), law.size()),
                NonSmoothLaw::MixedComplementarity(law) => law_rows(law.size(), law.equalities()),
                law => law_rows(law.size(), 0),
            };
            is_equality.extend(equalities.iter().cycle().take(rows.len()));
            let (is_linear, depends_on_time) = match relation {
                Relation::FirstOrderLinear(linear) => {
                    (true, !linear.is_constant() || !linear.has_constant_offset())
                }
                _ => (false, true),
            };
            relations.push(RelationEntry {
                id,
                is_linear,
                constant_matrices: relation.has_constant_jacobian(),
                depends_on_time,
                values: RelationValues::of(relation, columns.len()),
                x: vec![0.0; columns.len()],
                lambda: vec![0.0; rows.len()],
                rows,
                columns,
            });
        }
        Ok(Self { systems, relations, is_equality })
    }
}

/// One block of a law: which of its rows are equalities.
fn law_rows(size: usize, equalities: usize) -> Vec<bool> {
    (0..size).map(|k| k < equalities).collect()
}
