//! Names by which other programs call the values that outputs can read.

use siconos_expression::Scope;

/// Last parts of names that users of other programs try, with the last parts of the names to use instead.
const SYNONYMS: [(&[&str], &[&str]); 7] = [
    (&["reaction", "r", "contact_force", "normal_force", "f"], &["force", "reaction"]),
    (&["p", "momentum", "percussion"], &["impulse"]),
    (&["position", "pos", "q0"], &["q", "x"]),
    (&["velocity", "speed", "v", "qdot", "dq", "q1"], &["velocity", "q'", "x'"]),
    (&["acceleration", "a", "qddot", "q2"], &["q''", "y''"]),
    (&["distance", "h", "g", "penetration"], &["gap", "y"]),
    (&["multiplier", "lambda"], &["lambda", "force"]),
];

/// Returns the name in `scope` that is probably meant by a name which is not in `scope`, or `None` if there
/// is none. `ball.velocity` means `ball.q'`, and `reaction` means `floor.force` in a model with a contact
/// `floor`.
pub(super) fn meant<'s>(name: &str, scope: &'s Scope) -> Option<&'s str> {
    let name = without_index(name);
    let (owner, word) = match name.rsplit_once('.') {
        Some((owner, word)) => (Some(owner), word),
        None => (None, &*name),
    };
    let words = SYNONYMS.iter().find(|(tried, _)| tried.contains(&word))?.1;
    let is_meant = |known: &str, wanted: &str| {
        let known = without_index(known);
        match (known.rsplit_once('.'), owner) {
            (Some((of, last)), Some(owner)) => of == owner && last == wanted,
            (Some((_, last)), None) => last == wanted,
            (None, None) => known == wanted,
            (None, Some(_)) => false,
        }
    };
    words.iter().find_map(|wanted| scope.iter().map(|(known, _)| known).find(|known| is_meant(known, wanted)))
}

/// Removes an index in brackets: `ball.q[0]'` becomes `ball.q'`.
fn without_index(name: &str) -> String {
    match name.split_once('[') {
        Some((before, rest)) => format!("{before}{}", rest.split_once(']').map_or("", |(_, after)| after)),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use siconos_expression::{Name, Role, Scope, Symbol, ValueKind};

    use super::meant;

    #[test]
    fn names_of_other_programs_are_found() {
        let mut scope = Scope::new();
        let role = Role::Fixed("a value of the state");
        let names =
            ["ball.q[0]", "ball.q[1]", "ball.q[0]'", "floor.force[0]", "floor.impulse[0]", "floor.gap"];
        for (index, name) in (0..).zip(names) {
            let symbol = Symbol { slot: 2, index };
            scope.declare(name, Name { symbol, kind: ValueKind::Real, role }).expect("new names");
        }
        let cases = [
            ("reaction", Some("floor.force[0]")),
            ("floor.reaction[1]", Some("floor.force[0]")),
            ("ball.reaction", None),
            ("p", Some("floor.impulse[0]")),
            ("ball.velocity", Some("ball.q[0]'")),
            ("floor.distance", Some("floor.gap")),
            ("colour", None),
        ];
        for (name, expected) in cases {
            assert_eq!(meant(name, &scope), expected, "{name}");
        }
    }
}
