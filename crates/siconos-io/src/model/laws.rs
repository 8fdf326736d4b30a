//! Nonsmooth laws: under a name of their own, or in the interaction.

use siconos_expression::{Expression, Scope, Tape};
use siconos_kernel::error::ModelError;
use siconos_kernel::model::{
    At, Coefficient, ComplementarityCondition, EqualityCondition, NonSmoothLaw, Origin, Relay, UserFunctions,
};

use super::scopes::Scopes;
use super::values::{evaluated, expression, is_constant};
use super::write::Sheet;
use crate::document::{Faults, Form, Key, Node, Table, Value, needed, settings};

/// A law as its file describes it.
#[derive(Clone, Debug)]
pub(super) enum Law {
    /// Of numbers.
    Fixed(NonSmoothLaw),
    /// A relay whose bounds may depend on time and parameters.
    Relay { lower: Vec<Bound>, upper: Vec<Bound> },
}

/// A bound of a relay; nothing where there is none.
type Bound = Option<Expression>;

pub(super) const RELAY: [Key; 3] = [
    needed("kind", Form::Word(&["relay"]), "a multiplier between bounds"),
    needed("lower", Form::Vector, "the lower bounds, of time and parameters; `none` where there is none"),
    needed("upper", Form::Vector, "the upper bounds, of time and parameters; `none` where there is none"),
];

/// What stands for a bound that is not there.
const NO_BOUND: &str = "none";

/// Laws whose size may be left out, which is then that of the relation.
const SIZED: [(&str, fn(usize) -> Option<NonSmoothLaw>); 2] = [
    ("complementarity", |size| ComplementarityCondition::new(size).ok().map(Into::into)),
    ("equality", |size| EqualityCondition::new(size).ok().map(Into::into)),
];

/// Whether a law needs no settings, so that its word alone names it.
pub(super) fn is_word(word: &str) -> bool {
    SIZED.iter().any(|(known, _)| *known == word)
}

/// Reads a law for a relation of a size.
pub(super) fn read(value: &Value<'_>, size: usize, scopes: &Scopes, faults: &mut Faults<'_>) -> Option<Law> {
    if let Some(law) = of_relation(value, size) {
        return Some(Law::Fixed(law));
    }
    let law = match &value.node {
        Node::Table(table) if word(table) == Some("relay") => relay(table, value, scopes, faults)?,
        _ => Law::Fixed(settings(value, &scopes.constants, faults)?),
    };
    let block = law.size();
    if block == 0 || size % block != 0 {
        let message = format_args!("blocks of {block} components do not fit into a relation of {size}");
        faults.note(&value.span, message);
        return None;
    }
    Some(law)
}

/// The kind of a law, as the file says it.
fn word<'t>(table: &'t Table<'_>) -> Option<&'t str> {
    match &table.get("kind")?.node {
        Node::Text(word) => Some(&word.content),
        _ => None,
    }
}

/// A law of the size of the relation, where none is given.
fn of_relation(value: &Value<'_>, size: usize) -> Option<NonSmoothLaw> {
    let word = match &value.node {
        Node::Text(word) => &word.content,
        Node::Table(table) if table.entries.len() == 1 => word(table)?,
        _ => return None,
    };
    SIZED.iter().find(|(known, _)| *known == word).and_then(|(_, of)| of(size))
}

fn relay(table: &Table<'_>, value: &Value<'_>, scopes: &Scopes, faults: &mut Faults<'_>) -> Option<Law> {
    let [_, lower, upper] = table.clone().keyed(&RELAY, &value.span, faults);
    let [lower, upper] = [lower, upper].map(|value| bounds(&value?, &scopes.time, faults));
    let (lower, upper) = (lower?, upper?);
    if lower.len() != upper.len() {
        let (below, above) = (lower.len(), upper.len());
        faults.note(&value.span, format_args!("there are {below} lower bounds and {above} upper ones"));
        return None;
    }
    Some(Law::Relay { lower, upper })
}

fn bounds(value: &Value<'_>, scope: &Scope, faults: &mut Faults<'_>) -> Option<Vec<Bound>> {
    let mut one = |value: &Value<'_>| match &value.node {
        Node::Text(text) if text.content == NO_BOUND => Some(None),
        Node::Number { value: number, .. } if number.is_infinite() => Some(None),
        _ => expression(value, scope, faults).map(Some),
    };
    match &value.node {
        Node::Array(values) => values.iter().map(&mut one).collect::<Vec<_>>().into_iter().collect(),
        _ => Some(vec![one(value)?]),
    }
}

impl Law {
    /// The number of components of a block.
    fn size(&self) -> usize {
        match self {
            Self::Fixed(law) => law.size(),
            Self::Relay { lower, .. } => lower.len(),
        }
    }

    /// The law for these values of the parameters.
    ///
    /// # Errors
    ///
    /// [`ModelError`] for bounds that cross.
    pub(super) fn build(&self, parameters: &[f64]) -> Result<NonSmoothLaw, ModelError> {
        let (lower, upper) = match self {
            Self::Fixed(law) => return Ok(law.clone()),
            Self::Relay { lower, upper } => (lower, upper),
        };
        let given = |bounds: &[Bound]| bounds.iter().flatten().cloned().collect::<Vec<_>>();
        if [lower, upper].iter().all(|bounds| reads_nothing(bounds)) {
            let values = |bounds: &[Bound], none: f64| {
                let mut given = evaluated(&given(bounds), parameters).into_iter();
                bounds.iter().map(|bound| bound.as_ref().and_then(|_| given.next()).unwrap_or(none)).collect()
            };
            let law = Relay::new(values(lower, f64::NEG_INFINITY), values(upper, f64::INFINITY))?;
            return Ok(law.into());
        }
        let (low, high) = (Moving::new(lower, f64::NEG_INFINITY), Moving::new(upper, f64::INFINITY));
        let mut law =
            Relay::of_time(lower.len(), move |at: At<'_>, lower: &mut [f64], upper: &mut [f64]| {
                low.write(at, lower);
                high.write(at, upper);
            })?;
        let shown = |bound: &Bound| bound.as_ref().map_or_else(|| NO_BOUND.to_owned(), ToString::to_string);
        let texts = lower.iter().chain(upper).map(shown);
        law.set_origin("bounds", Origin::expressions(Vec::<String>::new(), texts))?;
        Ok(law.into())
    }
}

fn reads_nothing(bounds: &[Bound]) -> bool {
    bounds
        .iter()
        .flatten()
        .all(|bound| is_constant(std::slice::from_ref(bound)) && bound.constant().is_some())
}

/// Bounds as a function of time.
struct Moving {
    tape: Tape,
    /// What a bound that is not there counts as.
    none: f64,
    is_given: Vec<bool>,
}

impl Moving {
    fn new(bounds: &[Bound], none: f64) -> Self {
        let given: Vec<_> = bounds.iter().flatten().collect();
        let is_given = bounds.iter().map(Option::is_some).collect();
        Self { tape: Tape::compile(&given), none, is_given }
    }

    /// The bounds that are given are computed in front, and go to their places from the last one on.
    fn write(&self, at: At<'_>, out: &mut [f64]) {
        let mut next = self.tape.outputs();
        self.tape.evaluate(&[&[at.t], at.parameters().values()], &mut out[..next]);
        for (place, is_given) in self.is_given.iter().enumerate().rev() {
            if *is_given {
                next -= 1;
                out[place] = out[next];
            } else {
                out[place] = self.none;
            }
        }
    }
}

/// Writes a law under a key.
pub(super) fn write(law: &NonSmoothLaw, key: &Key, sheet: &mut Sheet<'_>) {
    let NonSmoothLaw::Relay(relay) = law else { return sheet.settings(key, law, None) };
    let bounds = match relay.bounds() {
        Coefficient::Constant(bounds) => [&bounds.lower, &bounds.upper].map(|bounds| {
            let bound = |bound: &f64| match bound.is_infinite() {
                true => Value::of_text(NO_BOUND),
                false => Value::of_number(*bound),
            };
            Value::of_array(bounds.iter().map(bound))
        }),
        Coefficient::Function(origin) => {
            let Some(texts) = sheet.texts("bounds", origin) else { return };
            let (lower, upper) = texts.split_at(texts.len() / 2);
            [lower, upper].map(|texts| Value::of_array(texts.iter().map(|text| Value::of_entry(text))))
        }
    };
    let [kind, lower, upper] = &RELAY;
    let [below, above] = bounds;
    let entries = [(kind.name, Value::of_text("relay")), (lower.name, below), (upper.name, above)];
    sheet.put(key, Value::of_table(entries));
}
