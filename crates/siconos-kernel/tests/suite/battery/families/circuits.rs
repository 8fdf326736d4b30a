//! Circuits with diodes, relays and saturations; sliding modes and sweeping processes.

use ndarray::array;
use siconos_kernel::prelude::*;

use crate::battery::draw::Draw;
use crate::battery::scene::{FlowRows, LinearFlow, Scene, Wave};
use crate::battery::units::{ACCELERATION, CURRENT, FREQUENCY, LENGTH, NUMBER, TIME, VELOCITY, VOLTAGE};

fn complementarity(size: usize) -> ComplementarityCondition {
    ComplementarityCondition::new(size).expect("a row at least")
}

/// Adds a diode and a resistor connected to an oscillator of an inductor and a capacitor.
pub(crate) fn diode(scene: &mut Scene, draw: &mut Draw) {
    let (c, l, r) = (draw.magnitude(1e-3, 1e-1), draw.magnitude(1e-2, 1.0), draw.magnitude(0.1, 10.0));
    let states = vec![VOLTAGE, CURRENT];
    let oscillator = scene.linear_flow(&LinearFlow {
        states,
        x0: vec![draw.between(-10.0, 10.0), draw.between(-1.0, 1.0)],
        a: array![[0.0, -1.0 / c], [1.0 / l, 0.0]],
        source: Vec::new(),
    });
    let rows = FlowRows {
        rows: vec![VOLTAGE],
        multipliers: vec![CURRENT],
        c: array![[-1.0, 0.0]],
        b: array![[-1.0 / c], [0.0]],
        d: Some(array![[r]]),
        e: if draw.chance(0.5) { Vec::new() } else { vec![draw.between(-1.0, 1.0)] },
    };
    scene.linear_coupling(&[oscillator], &rows, complementarity(1));
}

/// Adds a bridge of four diodes connected to an oscillator (Acary and Brogliato 2008, section 14.1). The rows
/// alternate between currents and voltages, and so do the multipliers.
pub(crate) fn bridge(scene: &mut Scene, draw: &mut Draw) {
    let (c, l, r) = (draw.magnitude(1e-3, 1e-1), draw.magnitude(1e-2, 1.0), draw.magnitude(1.0, 100.0));
    let oscillator = scene.linear_flow(&LinearFlow {
        states: vec![VOLTAGE, CURRENT],
        x0: vec![draw.between(-10.0, 10.0), 0.0],
        a: array![[0.0, -1.0 / c], [1.0 / l, 0.0]],
        source: Vec::new(),
    });
    let g = 1.0 / r;
    let rows = FlowRows {
        rows: vec![CURRENT, CURRENT, VOLTAGE, VOLTAGE],
        multipliers: vec![VOLTAGE, VOLTAGE, CURRENT, CURRENT],
        c: array![[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
        b: array![[0.0, 0.0, -1.0 / c, 1.0 / c], [0.0, 0.0, 0.0, 0.0]],
        d: Some(array![[g, g, -1.0, 0.0], [g, g, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]),
        e: Vec::new(),
    };
    scene.linear_coupling(&[oscillator], &rows, complementarity(4));
}

/// Adds a few systems x' = -x + 2 sin(w t) + lambda, 0 <= x + lambda _|_ lambda >= 0.
pub(crate) fn driven_diodes(scene: &mut Scene, draw: &mut Draw) {
    for _ in 0..draw.count(1, 3) {
        let source = Wave { constant: 0.0, amplitude: 2.0, frequency: draw.between(1.0, 20.0) };
        let flow = scene.linear_flow(&LinearFlow {
            states: vec![VOLTAGE],
            x0: vec![draw.between(-1.0, 1.0)],
            a: array![[-1.0]],
            source: vec![source],
        });
        let rows = FlowRows {
            rows: vec![VOLTAGE],
            multipliers: vec![VOLTAGE],
            c: array![[1.0]],
            b: array![[1.0]],
            d: Some(array![[1.0]]),
            e: Vec::new(),
        };
        scene.linear_coupling(&[flow], &rows, complementarity(1));
    }
}

/// Adds a sweeping process: the state has to stay in a half-line.
pub(crate) fn swept(scene: &mut Scene, draw: &mut Draw) {
    let flow = scene.linear_flow(&LinearFlow {
        states: vec![LENGTH],
        x0: vec![draw.between(0.1, 1.0)],
        a: array![[draw.between(-1.0, 0.0)]],
        source: vec![Wave { constant: -1.0, amplitude: 3.0, frequency: draw.between(1.0, 10.0) }],
    });
    let rows = FlowRows {
        rows: vec![LENGTH],
        multipliers: vec![VELOCITY],
        c: array![[1.0]],
        b: array![[1.0]],
        d: None,
        e: vec![0.0],
    };
    scene.linear_coupling(&[flow], &rows, complementarity(1));
}

/// Adds a mass with a sliding mode. The relay acts on a combination of position and velocity.
pub(crate) fn sliding_mode(scene: &mut Scene, draw: &mut Draw) {
    let flow = scene.linear_flow(&LinearFlow {
        states: vec![LENGTH, VELOCITY],
        x0: vec![draw.between(-1.0, 1.0), draw.between(-1.0, 1.0)],
        a: array![[0.0, 1.0], [draw.between(-1.0, 1.0), draw.between(-1.0, 0.0)]],
        source: vec![
            Wave::default(),
            Wave { constant: 0.0, amplitude: 0.5, frequency: draw.between(1.0, 10.0) },
        ],
    });
    let rows = FlowRows {
        rows: vec![VELOCITY],
        multipliers: vec![ACCELERATION],
        c: array![[draw.between(0.5, 3.0), 1.0]],
        b: array![[0.0], [1.0]],
        d: None,
        e: Vec::new(),
    };
    let bound = scene.of(draw.between(1.0, 5.0), ACCELERATION);
    scene.linear_coupling(&[flow], &rows, Relay::symmetric(1, bound).expect("a positive bound"));
}

/// Adds two relays with coupled outputs and different bounds, as a relay law or as the equivalent normal cone
/// to a box.
pub(crate) fn two_relays(scene: &mut Scene, draw: &mut Draw, as_normal_cone: bool) {
    let (p, q) = (draw.between(0.1, 1.0), draw.between(-0.5, 0.5));
    let flow = scene.linear_flow(&LinearFlow {
        states: vec![CURRENT, CURRENT],
        x0: vec![draw.between(-1.0, 1.0), draw.between(-1.0, 1.0)],
        a: array![[-0.1, 1.0], [-1.0, -0.1]],
        source: Vec::new(),
    });
    let rate = CURRENT / TIME;
    let rows = FlowRows {
        rows: vec![CURRENT; 2],
        multipliers: vec![rate; 2],
        c: array![[1.0, q], [q, 1.0]],
        b: array![[1.0, q], [q, 1.0]],
        d: Some(array![[p * 0.1, 0.0], [0.0, p * 0.1]]),
        e: Vec::new(),
    };
    let (low, high) = (draw.between(0.5, 2.0), draw.between(0.5, 2.0));
    let (low, high) = (scene.of(low, rate), scene.of(high, rate));
    if as_normal_cone {
        let faces = array![[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
        let law = NormalCone::new(faces, vec![-low, -low, -high, -high]).expect("a box");
        scene.linear_coupling(&[flow], &rows, law);
    } else {
        let law = Relay::new(vec![-low; 2], vec![high; 2]).expect("ordered bounds");
        scene.linear_coupling(&[flow], &rows, law);
    }
}

/// Adds the nonlinear system x' = -k x^3 + a sin(w t) + lambda with a relay on x.
pub(crate) fn cubic_relay(scene: &mut Scene, draw: &mut Draw) {
    let k = scene.of(draw.between(0.1, 2.0), FREQUENCY / (CURRENT * CURRENT));
    let amplitude = scene.of(draw.between(0.5, 4.0), CURRENT * FREQUENCY);
    let frequency = scene.of(draw.between(1.0, 10.0), FREQUENCY);
    let x0 = scene.of(draw.between(-1.0, 1.0), CURRENT);
    let field = FirstOrderNonlinear::new(
        vec![x0],
        move |at, x, f| f[0] = -k * x[0] * x[0] * x[0] + amplitude * (frequency * at.t).sin(),
        Jacobian::of_state(move |_at, x, j| j[[0, 0]] = -3.0 * k * x[0] * x[0]),
    );
    let id = scene.system(vec![CURRENT], field);
    let rows = FlowRows {
        rows: vec![NUMBER * CURRENT],
        multipliers: vec![CURRENT * FREQUENCY],
        c: array![[1.0]],
        b: array![[1.0]],
        d: None,
        e: Vec::new(),
    };
    let bound = scene.of(draw.between(0.5, 2.0), CURRENT * FREQUENCY);
    scene.linear_coupling(&[id], &rows, Relay::symmetric(1, bound).expect("a positive bound"));
}
