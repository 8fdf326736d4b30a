//! Quantities that read a parameter follow its changes, whatever other terms they contain. A remark is given
//! if the kernel cannot follow a change.

use siconos_io::model::ModelFile;

use crate::same_bits::rows;

fn file(text: &str) -> ModelFile {
    ModelFile::parse(text, "model.toml").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns two first-order systems and a valve. Their matrices and vectors read u, which an event sets.
/// `also` is added to each of these expressions.
fn circuit(also: &str) -> String {
    let u = |number: &str| format!("\"{number} + u{also}\"");
    let [a, source, c, b, d, offset, z, mass] = ["-2", "0.5", "1", "1", "0.25", "0.5", "0.1", "2"].map(u);
    format!(
        "format = 1\nkind = \"model\"\n[parameters]\nu = 0\n\
         [systems.lag]\nfamily = \"first_order_linear\"\nx = 1\nA = {a}\nsource = {source}\n\
         [systems.tank]\nfamily = \"first_order_nonlinear\"\nx = 1\nf = \"-x * x\"\nmass = {mass}\n\
         [interactions.valve]\nsystems = \"lag\"\nlaw = \"complementarity\"\n\
         relation = {{ kind = \"first_order_linear\", C = {c}, B = {b}, D = {d}, offset = {offset}, F = 1, z = {z} }}\n\
         [events.turn]\ntimes = [0.25]\nset = {{ u = 0.75 }}\n\
         [simulation]\nkind = \"time_stepping\"\nend = 1\nstep = 1 / 64\n\
         [output.columns]\nx = \"lag.x\"\ny = \"valve.y\"\nlambda = \"valve.lambda\"\nlevel = \"tank.x\"\n"
    )
    .replace("step = 1 / 64", "step = 0.015625")
}

#[test]
fn matrices_and_vectors_follow_their_parameters() {
    let run = |text: &str| rows(file(text).build().unwrap_or_else(|error| panic!("{error}")));
    let bits = |rows: &[Vec<f64>]| rows.concat().into_iter().map(f64::to_bits).collect::<Vec<_>>();
    let followed = run(&circuit(""));
    // Time-dependent expressions are evaluated at each step in any case.
    assert!(bits(&followed) == bits(&run(&circuit(" + 0 * t"))));
    // The same with a single expression that reads u, without time-dependent ones.
    let frozen = run(&circuit("").replace("set = { u = 0.75 }", "set = { u = 0 }"));
    for (place, column) in ["x", "y", "level"].iter().zip([1, 2, 4]) {
        let last = |rows: &[Vec<f64>]| rows.last().map(|row| row[column]);
        assert_ne!(last(&followed), last(&frozen), "{place}");
    }
    let plain = circuit("").replace("+ u", "+ 0");
    let of_plain = run(&plain);
    for (key, number) in
        [("A", "-2"), ("source", "0.5"), ("C", "1"), ("offset", "0.5"), ("z", "0.1"), ("mass", "2")]
    {
        let alone = plain.replace(&format!("{key} = \"{number} + 0\""), &format!("{key} = \"{number} + u\""));
        assert_ne!(alone, plain, "{key}");
        assert!(bits(&run(&alone)) != bits(&of_plain), "{key} stays as it was at the start");
    }
}

/// Returns a cart on a slope and a body on a hinge, with parameters set by an event and a controller.
fn cart(mass: &str, radius: &str) -> String {
    format!(
        "format = 1\nkind = \"model\"\n[parameters]\nload = 1\nmotor = 0\nsize = 0.5\n\
         [systems.cart]\nfamily = \"lagrangian_linear\"\nq = 0\nmass = {mass}\nexternal_force = \"motor - load\"\n\
         [systems.ball]\nfamily = \"newton_euler\"\nmass = 1\ninertia = 0.1\nposition = [0, 0, 2]\n\
         [laws.hit]\nkind = \"newton_impact\"\nrestitution = 0.5\n\
         [interactions.floor]\nsystems = \"ball\"\nlaw = \"hit\"\n\
         relation = {{ kind = \"ball_and_plane\", rows = \"normal\", radius = {radius}, normal = [0, 0, 1] }}\n\
         [control.gauge]\nkind = \"linear_sensor\"\nsystems = \"cart\"\nC = [[1, 0]]\nperiod = 0.25\n\
         [control.drive]\nkind = \"pid\"\nsignal = \"gauge\"\ninput = \"motor\"\nproportional = 1\nperiod = 0.25\n\
         [events.more]\ntimes = [0.5]\nset = {{ load = 2, size = 0.25 }}\n\
         [simulation]\nkind = \"time_stepping\"\nend = 1\nstep = 0.25\n"
    )
}

#[test]
fn what_keeps_its_value_of_the_start_is_remarked() {
    let remarks = |text: &str| {
        let said = file(text).check().unwrap_or_else(|error| panic!("{error}"));
        said.into_iter().map(|fault| fault.message).collect::<Vec<_>>()
    };
    assert_eq!(remarks(&cart("1", "0.1")), [""; 0]);
    let kept = |what: &str, parameter: &str, part: &str| {
        format!("{what} sets `{parameter}`, but {part} keeps its initial value")
    };
    let mass = cart("\"1 + load + motor\"", "\"0.1 * size\"");
    assert_eq!(
        remarks(&mass),
        [
            kept("`drive`", "motor", "M of `cart`"),
            kept("the event `more`", "load", "M of `cart`"),
            kept("the event `more`", "size", "radius of `floor`"),
        ]
    );
}
