//! Systems, laws and simulations with all data, which are read back.

use ndarray::{Array2, array};
use siconos_kernel::model::{
    Coefficient, ControlTerm, DynamicalSystem, Frame, NonSmoothLaw, Origin, RelayBounds, RigidPlacement,
    UnitCircle, VectorField,
};
use siconos_kernel::prelude::*;

const UNKNOWN: &Origin = &Origin::Unknown;

#[test]
fn a_linear_lagrangian_system() {
    let (m, c, k) = (array![[2.0, 0.5], [0.5, 3.0]], array![0.1, 0.2], array![[4.0, -4.0], [-4.0, 4.0]]);
    let system = LagrangianLinear::new(vec![1.0, 2.0], vec![3.0, 4.0], m.clone())
        .with_damping(c.clone())
        .with_stiffness(k.clone());
    assert_eq!((system.q0(), system.v0()), (&[1.0, 2.0][..], &[3.0, 4.0][..]));
    assert_eq!(system.mass(), &m.into());
    assert_eq!((system.damping(), system.stiffness()), (Some(&c.into()), Some(&k.into())));
    assert_eq!(system.external_force(), None);
    let constant = system.clone().with_constant_external_force(vec![0.0, -9.81]);
    assert_eq!(constant.external_force(), Some(Coefficient::Constant(&array![0.0, -9.81])));
    let function = system.with_external_force(|_, _| ());
    assert_eq!(function.external_force(), Some(Coefficient::Function(UNKNOWN)));
}

#[test]
fn a_lagrangian_system() {
    let motor = ControlTerm::new(array![[1.0], [0.0]], |_, _, _, _| ())
        .with_jacobians(Jacobian::Constant(Array2::eye(2)), Jacobian::FiniteDifferenceWithStep(1e-3));
    let system = Lagrangian::new(vec![1.0, 2.0], vec![3.0, 4.0], array![5.0, 6.0])
        .with_internal_force(|_, _, _, _| (), Jacobian::FiniteDifference, Jacobian::Zero)
        .with_gyroscopic_force(
            |_, _, _, _| (),
            Jacobian::Zero,
            Jacobian::function(|_: At<'_>, _: &[f64], _: &[f64], _: &mut ndarray::ArrayViewMut2<'_, f64>| ()),
        )
        .with_constant_external_force(vec![7.0, 8.0])
        .with_control(motor);
    assert_eq!((system.q0(), system.v0()), (&[1.0, 2.0][..], &[3.0, 4.0][..]));
    assert_eq!(system.mass().constant(), Some(&array![5.0, 6.0].into()));
    let force = system.internal_force().unwrap();
    assert_eq!(
        (force.origin, force.jacobian_q, force.jacobian_v),
        (UNKNOWN, &Jacobian::FiniteDifference, &Jacobian::Zero)
    );
    let force = system.gyroscopic_force().unwrap();
    let Jacobian::Function(function) = force.jacobian_v else { panic!("it was given") };
    assert_eq!((force.jacobian_q, function.origin()), (&Jacobian::Zero, UNKNOWN));
    assert_eq!(system.external_force(), Some(Coefficient::Constant(&array![7.0, 8.0])));
    let control = system.control().unwrap();
    assert_eq!((control.inputs(), control.law()), (1, UNKNOWN));
    assert_eq!(control.matrix(), Coefficient::Constant(&array![[1.0], [0.0]]));
    assert_eq!(control.jacobian_q(), &Jacobian::Constant(Array2::eye(2)));
    assert_eq!(control.jacobian_v(), &Jacobian::FiniteDifferenceWithStep(1e-3));
    assert!(system.configuration().is_none());

    let turning = Lagrangian::of_mass_function(vec![1.0, 0.0], vec![0.0], |_, _, _| ())
        .with_configuration(UnitCircle)
        .with_control(ControlTerm::of_matrix_function(1, |_, _, _| (), |_, _, _, _| ()));
    assert_eq!(turning.mass(), Coefficient::Function(UNKNOWN));
    assert_eq!(turning.configuration().unwrap().name(), Some("UnitCircle"));
    assert_eq!(turning.control().unwrap().matrix(), Coefficient::Function(UNKNOWN));
    assert_eq!(turning.internal_force(), None);
}

#[test]
fn a_body() {
    let inertia = Inertia::from([1.0, 2.0, 2.5]);
    let body = NewtonEuler::new(3.0, inertia, [1.0, 2.0, 3.0], Quaternion::IDENTITY)
        .with_twist([4.0, 5.0, 6.0], [7.0, 8.0, 9.0])
        .with_rotation_update(RotationUpdate::Tangent)
        .with_constant_external_force([0.0, 0.0, -30.0])
        .with_external_moment(Frame::Space, |_, _| ())
        .with_constant_external_moment(Frame::Body, [0.1, 0.2, 0.3])
        .with_internal_force(Frame::Body, |_, _, _, _| (), Jacobian::Zero, Jacobian::FiniteDifference);
    assert_eq!(body.q0(), [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(body.v0(), [4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_eq!((body.mass(), body.inertia()), (3.0, &inertia));
    assert_eq!(body.rotation_update(), RotationUpdate::Tangent);
    assert_eq!(body.external_force(), Some(Coefficient::Constant(&array![0.0, 0.0, -30.0])));
    assert_eq!(body.external_moment(Frame::Space), Some(Coefficient::Function(UNKNOWN)));
    assert_eq!(body.external_moment(Frame::Body), Some(Coefficient::Constant(&array![0.1, 0.2, 0.3])));
    let (frame, force) = body.internal_force().unwrap();
    assert_eq!(
        (frame, force.jacobian_q, force.jacobian_v),
        (Frame::Body, &Jacobian::Zero, &Jacobian::FiniteDifference)
    );
    // The orientation is returned as it was given, so that a rebuilt body has the same bits.
    let orientation = Quaternion([0.9, 0.1, -0.3, 0.3]);
    let turned = NewtonEuler::new(1.0, 1.0, [0.0; 3], orientation);
    assert_eq!(turned.orientation(), orientation);
    assert_eq!(NewtonEuler::new(1.0, 1.0, [0.0; 3], turned.orientation()).q0(), turned.q0());
    assert_eq!(RigidPlacement::default().name(), Some("RigidPlacement"));
}

#[test]
fn first_order_systems() {
    let linear = FirstOrderLinear::new(vec![1.0], array![[-2.0]])
        .with_mass(array![3.0])
        .with_source(vec![4.0])
        .with_control(array![[5.0, 6.0]], |_, _| ());
    assert_eq!(linear.x0(), [1.0]);
    assert_eq!(linear.a().constant(), Some(&array![[-2.0]].into()));
    assert_eq!(linear.mass(), Some(&array![3.0].into()));
    assert_eq!(linear.source(), Some(Coefficient::Constant(&array![4.0])));
    assert_eq!(linear.control(), Some((&array![[5.0, 6.0]], UNKNOWN)));
    let of_time = FirstOrderLinear::of_matrix_function(vec![1.0], |_, _| ()).with_source_function(|_, _| ());
    assert_eq!(of_time.a(), Coefficient::Function(UNKNOWN));
    assert_eq!(of_time.source(), Some(Coefficient::Function(UNKNOWN)));
    assert_eq!((of_time.mass(), of_time.control()), (None, None));

    let system = FirstOrderNonlinear::new(vec![1.0], |_, _, _| (), Jacobian::FiniteDifference)
        .with_mass(array![2.0])
        .with_control(ControlTerm::new(array![[3.0]], |_, _, _, _| ()));
    let VectorField::Function { f, jacobian } = system.field() else { panic!("a function") };
    assert_eq!((f, jacobian), (UNKNOWN, &Jacobian::FiniteDifference));
    assert_eq!(system.mass().unwrap().constant(), Some(&array![2.0].into()));
    assert_eq!(system.control().unwrap().matrix(), Coefficient::Constant(&array![[3.0]]));
    let system = system.with_mass_function(|_, _, _| ());
    assert_eq!(system.mass(), Some(Coefficient::Function(UNKNOWN)));

    let lagrangian = Lagrangian::new(vec![1.0], vec![2.0], array![3.0]);
    let view = FirstOrderNonlinear::of_lagrangian(&lagrangian);
    let VectorField::OfLagrangian(seen) = view.field() else { panic!("a view") };
    assert_eq!((seen.q0(), seen.v0(), seen.mass()), (&[1.0][..], &[2.0][..], lagrangian.mass()));
    assert_eq!(view.mass(), None);
}

/// If the origin of the force of a linear Lagrangian system is known, it is also the origin of the source of
/// the first-order system.
#[test]
fn the_view_of_a_linear_system_keeps_what_is_known_of_the_force() {
    let mass = LagrangianLinear::new(vec![1.0], vec![2.0], array![3.0]);
    let source = |system: &LagrangianLinear| {
        FirstOrderLinear::of_lagrangian(system).source().unwrap().function().unwrap().clone()
    };
    let heavy = mass.clone().with_constant_external_force(vec![-0.1]);
    assert_eq!(source(&heavy), Origin::expressions([""; 0], ["0", "-0.1"]));
    let mut pushed = mass.with_external_force(|_, _| ());
    assert_eq!(source(&pushed), Origin::Unknown);
    pushed.set_origin("F_ext", Origin::expressions(["t"], ["sin(t)"])).unwrap();
    assert_eq!(source(&pushed), Origin::expressions(["t"], ["0", "sin(t)"]));
    pushed.set_origin("F_ext", Origin::registered("push")).unwrap();
    assert_eq!(source(&pushed), Origin::Unknown);
}

#[test]
fn laws() {
    assert_eq!(ComplementarityCondition::new(2).unwrap().size(), 2);
    assert_eq!(EqualityCondition::new(3).unwrap().size(), 3);
    let bounds = RelayBounds { lower: vec![-1.0, f64::NEG_INFINITY], upper: vec![2.0, 3.0] };
    let relay = Relay::new(bounds.lower.clone(), bounds.upper.clone()).unwrap();
    assert_eq!(relay.bounds(), Coefficient::Constant(&bounds));
    let relay = Relay::of_time(2, |_, _, _| ()).unwrap();
    assert_eq!((relay.size(), relay.bounds()), (2, Coefficient::Function(UNKNOWN)));
    let law = MixedComplementarityCondition::new(1, 2).unwrap();
    assert_eq!((law.equalities(), law.size()), (1, 3));
    let law = NormalCone::new(array![[1.0, 0.0]], vec![-1.0]).unwrap();
    assert_eq!((law.polyhedron().h(), law.polyhedron().k()), (array![[1.0, 0.0]].view(), &[-1.0][..]));
    assert_eq!(ConeComplementarity::second_order([3, 1]).unwrap().cones(), [3, 1]);
    let law = NonSmoothLaw::from(NewtonImpact::new(0.3).unwrap());
    assert!(law.functions().is_empty());
}

#[test]
fn simulations() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]);
    let circuit = FirstOrderLinearTi::new(vec![1.0], array![[-1.0]]);
    let [a, b] = [ball.clone(), ball].map(|ball| model.add_system(ball).unwrap());
    let c = model.add_system(circuit).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap();
    let (of_all, own) = (MoreauJean { theta: 0.75, ..MoreauJean::default() }, SchatzmanPaoli { theta: 0.25 });
    let newton = NewtonSettings { max_iterations: 7, ..NewtonSettings::default() };
    let simulation = TimeStepping::builder(&model)
        .discretisation(grid.clone())
        .integrator(of_all)
        .integrator_for(b, own)
        .integrator(BackwardEuler)
        .newton(newton)
        .on_non_convergence(OnNonConvergence::Warn)
        .tolerance(1e-9)
        .strict(true)
        .threads(std::num::NonZeroUsize::new(2).unwrap())
        .build()
        .unwrap();
    assert_eq!(simulation.integrator_of(&model, a), Ok(of_all.into()));
    assert_eq!(simulation.integrator_of(&model, b), Ok(own.into()));
    assert_eq!(simulation.integrator_of(&model, c), Ok(BackwardEuler.into()));
    assert_eq!((simulation.newton(), simulation.discretisation()), (&newton, &grid));
    assert_eq!(simulation.on_non_convergence(), OnNonConvergence::Warn);
    assert_eq!((simulation.solver(), simulation.tolerance()), ("auto", Some(1e-9)));
    assert_eq!(
        (simulation.is_strict(), simulation.has_energy_balance(), simulation.threads()),
        (true, false, 2)
    );
    let unknown = model.add_system(FirstOrderLinearTi::new(vec![1.0], array![[-1.0]])).unwrap();
    model.remove_system(unknown).unwrap();
    assert_eq!(simulation.integrator_of(&model, unknown), Err(ModelError::UnknownSystem { id: unknown }));
}

/// All data of a system are available from the model.
#[test]
fn a_system_of_a_model_is_one_of_these() {
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])).unwrap();
    let DynamicalSystem::LagrangianLinear(system) = model.system(id).unwrap() else { panic!("its family") };
    assert_eq!(system.q0(), [1.0]);
}
