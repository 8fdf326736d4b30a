//! Serialised values can be read back unchanged, and invalid values in files are refused.

use serde::Serialize;
use serde::de::DeserializeOwned;
use siconos_kernel::model::NonSmoothLaw;
use siconos_kernel::prelude::*;

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
}

#[test]
fn settings_laws_and_grids_come_back() {
    let gyroscopic = GyroscopicTerm::Ends;
    let projection = Some(Projection::Combined);
    round_trip(&MoreauJean {
        theta: 0.7,
        gamma: 0.25,
        activation_threshold: Some(1e-6),
        gyroscopic,
        projection,
    });
    round_trip(&SchatzmanPaoli { theta: 0.25 });
    round_trip(&ModalExact { gamma: 1.0, activation_threshold: Some(1e-3) });
    round_trip(&NewtonSettings::default());
    round_trip(&OnNonConvergence::Warn);
    round_trip(&NonSmoothLaw::from(NewtonImpact::new(0.3).unwrap()));
    let friction =
        NewtonImpactFriction::in_plane(0.3, 0.5).unwrap().with_tangential_restitution(-0.2).unwrap();
    round_trip(&NonSmoothLaw::from(friction));
    round_trip(&NonSmoothLaw::from(EqualityCondition::new(3).unwrap()));
    round_trip(&NonSmoothLaw::from(ComplementarityCondition::new(2).unwrap()));
    round_trip(&TimeDiscretisation::uniform(0.1, 2.0, 0.3).unwrap());
    round_trip(&TimeDiscretisation::uniform(0.1, 2.0, 0.3).unwrap().exact_end());
    round_trip(&TimeDiscretisation::from_times(vec![0.0, 0.5, 0.6]).unwrap());
}

#[test]
fn missing_fields_have_their_defaults() {
    let scheme: MoreauJean = serde_json::from_str(r#"{"theta": 1.0}"#).unwrap();
    assert_eq!(scheme, MoreauJean { theta: 1.0, ..MoreauJean::default() });
}

#[test]
fn what_no_constructor_makes_no_file_brings_in() {
    assert!(serde_json::from_str::<NewtonImpact>(r#"{"restitution": 2.0}"#).is_err());
    let of_dimension = |d: usize, mu: f64| format!(r#"{{"dimension": {d}, "restitution": 0.0, "mu": {mu}}}"#);
    assert_eq!(
        serde_json::from_str::<NewtonImpactFriction>(&of_dimension(3, 0.5)).unwrap(),
        NewtonImpactFriction::in_space(0.0, 0.5).unwrap()
    );
    for wrong in [of_dimension(4, 0.5), of_dimension(2, -0.5)] {
        assert!(serde_json::from_str::<NewtonImpactFriction>(&wrong).is_err());
    }
    assert!(serde_json::from_str::<EqualityCondition>(r#"{"size": 0}"#).is_err());
    assert!(serde_json::from_str::<TimeDiscretisation>(r#"{"times": [0.0, 0.0]}"#).is_err());
    let negative = r#"{"uniform": {"t0": 0.0, "t_end": 1.0, "h": -0.1, "exact_end": false}}"#;
    assert!(serde_json::from_str::<TimeDiscretisation>(negative).is_err());
}

#[test]
fn sizes_beyond_all_bounds_are_refused_by_the_model() {
    let law: NonSmoothLaw = serde_json::from_value(serde_json::json!({
        "MixedComplementarity": { "equalities": u64::MAX, "complementarities": 1 }
    }))
    .unwrap();
    let cones: NonSmoothLaw =
        serde_json::from_value(serde_json::json!({ "Cone": { "sizes": [u64::MAX, 3] } })).unwrap();
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(FirstOrderLinearTi::new(vec![0.0], ndarray::array![[0.0]])).unwrap();
    for law in [law, cones] {
        let relation = FirstOrderLinearRelation::new(ndarray::array![[1.0]], ndarray::array![[1.0]]);
        let refused = model.add_interaction([id], relation, law);
        assert_eq!(refused, Err(ModelError::SizeNotMultiple { relation: 1, law: usize::MAX }));
    }
}
