//! Contacts that a simulation rejects, with the reason.

use std::sync::Arc;

use ndarray::array;
use siconos_kernel::detection::{
    ContactKey, ContactSet, ContactSource, DetectedContact, DetectionError, DetectionInput,
};
use siconos_kernel::model::{ContactPoints, NonSmoothLaw};
use siconos_kernel::prelude::*;
use siconos_numerics::lcp;

use super::balls::falling_ball;

/// Contacts that are detected in each step, whatever the state.
#[derive(Debug)]
struct Fixed(Vec<DetectedContact>);

impl ContactSource for Fixed {
    fn laws(&self) -> Vec<Arc<NonSmoothLaw>> {
        self.0.iter().map(|contact| Arc::clone(&contact.law)).collect()
    }

    fn detect(&mut self, _: DetectionInput<'_>, contacts: &mut ContactSet) -> Result<(), DetectionError> {
        self.0.iter().for_each(|contact| contacts.push(contact.clone()));
        Ok(())
    }
}

fn contact(first: DynamicalSystemId) -> DetectedContact {
    DetectedContact {
        key: ContactKey { bodies: [1, 0], contactors: [0; 2], features: [0; 2] },
        first,
        second: None,
        points: ContactPoints { first: [0.0; 3], second: [0.0; 3], normal: [0.0, 0.0, 1.0] },
        gap: 0.0,
        radii: [0.0; 2],
        accuracy: 0.0,
        size: 0.1,
        surface_velocity: [0.0; 3],
        law: Arc::new(NewtonImpactFriction::in_space(0.0, 0.5).unwrap().into()),
    }
}

#[test]
fn each_rejected_contact_is_named_with_the_reason() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_named_system("ball", falling_ball(0.1, [0.0, 0.0, 0.1], [0.0; 3])).unwrap();
    let planar = LagrangianLinear::planar_body(1.0, 0.1, [0.0; 3]);
    let disc = model.add_named_system("disc", planar).unwrap();
    let bead = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]);
    let bead = model.add_named_system("bead", bead).unwrap();
    let good = || contact(ball);
    let points = |normal| ContactPoints { normal, ..good().points };
    let in_plane = || Arc::new(NewtonImpactFriction::in_plane(0.0, 0.5).unwrap().into());
    let cases = [
        (vec![good(), good()], "contact 1.0.0 on 0.0.0 was detected twice"),
        (
            vec![DetectedContact { gap: f64::NAN, ..good() }],
            "contact 1.0.0 on 0.0.0: the gap, accuracy, size or radii contains NaN",
        ),
        (vec![DetectedContact { points: points([0.0, 0.0, 2.0]), ..good() }], "the normal has length 2"),
        (vec![contact(bead)], "system `bead` is neither a rigid body nor a planar body"),
        (
            vec![DetectedContact { second: Some(disc), ..good() }],
            "systems `ball` and `disc` cannot touch; one moves in space",
        ),
        (vec![DetectedContact { second: Some(ball), ..good() }], "a body does not touch itself"),
        (vec![contact(disc)], "the law NewtonImpactFriction does not suit a contact of bodies in the plane"),
        (vec![DetectedContact { size: -0.1, ..good() }], "the size is -0.1; it must not be negative"),
        (vec![DetectedContact { radii: [0.0, -1.0], ..good() }], "the radius of the second body is -1"),
        (
            vec![DetectedContact { second: Some(bead), surface_velocity: [1.0, 0.0, 0.0], ..good() }],
            "the surface velocity is [1.0, 0.0, 0.0], but only a contact with an obstacle can have one",
        ),
        (
            vec![DetectedContact { law: in_plane(), ..contact(disc) }],
            "the normal has the third component 1; for planar bodies it must be 0",
        ),
        (
            vec![DetectedContact {
                law: in_plane(),
                points: ContactPoints { first: [0.0, 0.0, 0.5], ..points([0.0, 1.0, 0.0]) },
                ..contact(disc)
            }],
            "the point of the first body has the third component 0.5",
        ),
    ];
    for (contacts, expected) in cases {
        let mut sim = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap())
            .contacts(Fixed(contacts))
            .build()
            .unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        let error = sim.step(&model, &mut state).unwrap_err();
        assert!(matches!(error, SimulationError::Detection { step: 1, .. }), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

/// Contacts with a friction law, of which the source lists other laws.
#[derive(Debug)]
struct Unlisted(DetectedContact, Vec<Arc<NonSmoothLaw>>);

impl ContactSource for Unlisted {
    fn laws(&self) -> Vec<Arc<NonSmoothLaw>> {
        self.1.clone()
    }

    fn detect(&mut self, _: DetectionInput<'_>, contacts: &mut ContactSet) -> Result<(), DetectionError> {
        contacts.push(self.0.clone());
        Ok(())
    }
}

#[test]
fn laws_that_a_source_does_not_list_are_named() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_system(falling_ball(0.1, [0.0, 0.0, 0.1], [0.0; 3])).unwrap();
    let builder = || {
        TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap())
            .solver(lcp::Lemke::default())
    };
    for listed in [vec![], vec![Arc::new(NewtonImpact::new(0.0).unwrap().into())]] {
        let mut sim = builder().contacts(Unlisted(contact(ball), listed)).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        let error = sim.step(&model, &mut state).unwrap_err().to_string();
        assert!(error.contains("the law NewtonImpactFriction is missing from the laws"), "{error}");
    }
    let listed = vec![Arc::new(EqualityCondition::new(3).unwrap().into())];
    let error = builder().contacts(Unlisted(contact(ball), listed)).build().unwrap_err().to_string();
    assert!(error.contains("lists the law EqualityCondition; use NewtonImpact,"), "{error}");
}

#[test]
fn integrators_that_do_not_support_detected_contacts_are_named() {
    let mut model = NonSmoothDynamicalSystem::new();
    let disc = model.add_system(LagrangianLinear::planar_body(1.0, 0.1, [0.0; 3])).unwrap();
    let law = Arc::new(NewtonImpactFriction::in_plane(0.0, 0.5).unwrap().into());
    let points = ContactPoints { normal: [0.0, 1.0, 0.0], ..contact(disc).points };
    let step = |integrator: Integrator| {
        let touching = DetectedContact { law: Arc::clone(&law), points, ..contact(disc) };
        let mut sim = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap())
            .integrator(integrator)
            .contacts(Fixed(vec![touching]))
            .build()?;
        let mut state = sim.initial_state(&model)?;
        sim.step(&model, &mut state)?;
        Ok::<_, Error>(())
    };
    for scheme in [SchatzmanPaoli::default().into(), D1MinusLinear::default().into()] {
        let error = step(scheme).unwrap_err().to_string();
        let expected = "contact 1.0.0 on 0.0.0: ";
        assert!(error.starts_with(expected) && error.ends_with("; use MoreauJean"), "{error}");
    }
    step(MoreauJean::default().into()).unwrap();
}
