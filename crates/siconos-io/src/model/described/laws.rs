//! Formulas and keys of nonsmooth laws.

use super::{Variant, variant};
use crate::document::{Form, Key, needed, optional};

const SIZE: [Key; 1] =
    [optional("size", Form::Count, "number of components; default: as many as the relation has")];

const RESTITUTION: Key = needed(
    "restitution",
    Form::Number,
    "coefficient of restitution e, from 0 (no rebound) to 1 (no loss of energy)",
);

const FRICTION: [Key; 6] = [
    needed("dimension", Form::Count, "components of a contact without rolling: 2 in the plane, 3 in space"),
    RESTITUTION,
    optional(
        "tangential_restitution",
        Form::Number,
        "restitution of the sliding velocity, from 0 to 1; default 0",
    ),
    needed("mu", Form::Number, "coefficient of friction"),
    optional(
        "mu_rolling",
        Form::Number,
        "rolling friction, as a length in metres, which adds rolling components to the contact; default: none",
    ),
    optional("cohesion", Form::Number, "tension that the contact withstands, in newtons; default 0"),
];

const MULTIPLE_IMPACT: [Key; 3] = [
    needed("stiffness", Form::Number, "stiffness k of the force k delta^exponent, in N/m^exponent"),
    needed(
        "exponent",
        Form::Number,
        "exponent of the compression delta: 1 for a linear spring, 1.5 for Hertz's law",
    ),
    RESTITUTION,
];

/// Laws whose keys follow from their Rust types.
pub(in super::super) const LAWS: &[Variant] = &[
    variant(
        "complementarity",
        "0 <= y, 0 <= lambda, y lambda = 0. For contacts of Lagrangian systems: no rebound.",
        &SIZE,
    ),
    variant("equality", "y = 0; lambda has any sign. For joints and other constraints.", &SIZE),
    variant(
        "newton_impact",
        "While y <= 0: y'+ + e y'- >= 0, impulse >= 0, and their product is 0. y > 0 is an open gap; a positive impulse pushes the bodies apart.",
        &[RESTITUTION],
    ),
    variant(
        "multiple_impact",
        "As `newton_impact`, but simultaneous impacts are resolved by the compression delta of each contact, which returns e^2 of its energy. In event-driven simulations.",
        &MULTIPLE_IMPACT,
    ),
    variant(
        "newton_impact_friction",
        "`newton_impact` for the first component (N), and Coulomb friction for the others (T): |lambda_T| <= mu lambda_N; while the contact slides, lambda_T = -mu lambda_N u_T / |u_T|, opposite to the sliding velocity u_T.",
        &FRICTION,
    ),
    variant(
        "mixed_complementarity",
        "y = 0 for the first components; 0 <= y, 0 <= lambda, y lambda = 0 for the others.",
        &[
            needed("equalities", Form::Count, "number of equalities"),
            needed("complementarities", Form::Count, "number of complementary pairs"),
        ],
    ),
    variant(
        "spring",
        "lambda = -(k y + c y'). A stretched spring (y > 0) pulls: lambda < 0.",
        &[
            needed("stiffness", Form::Number, "stiffness k, in N/m or N m/rad"),
            optional("damping", Form::Number, "damping c, in N s/m or N m s/rad; default 0"),
        ],
    ),
    variant(
        "cone",
        "y and lambda lie in a product of second-order cones, |(lambda_1, ..)| <= lambda_0, and y lambda = 0.",
        &[needed(
            "sizes",
            Form::Vector,
            "number of components of each cone; 1 for the half-line lambda >= 0",
        )],
    ),
];

/// Returns the formula of a law whose keys are listed.
pub(in super::super) fn formula(keys: &[Key]) -> &'static str {
    let is_computed = keys.iter().any(|key| key.name == "bounds");
    match keys.first().map(|key| key.form) {
        Some(Form::Word(["relay"])) if is_computed => {
            "The same law, with bounds that a function of the program computes."
        }
        Some(Form::Word(["relay"])) => {
            "lambda = upper where y < 0, lambda = lower where y > 0, lower <= lambda <= upper where y = 0. With the bounds -1 and 1, lambda = -sign(y). For Lagrangian systems, y' takes the place of y, and the bounds are forces."
        }
        Some(Form::Word(["normal_cone"])) => {
            "lambda in P = {h lambda >= k}, and -y in the normal cone of P at lambda."
        }
        _ => "",
    }
}
