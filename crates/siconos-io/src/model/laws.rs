//! Nonsmooth laws, which are named in `[laws]` or written in an interaction.

use std::collections::BTreeMap;
use std::ops::Range;

use siconos_expression::{Expression, Scope, Tape, parse_number};
use siconos_kernel::ModelError;
use siconos_kernel::model::{
    At, Coefficient, ComplementarityCondition, EqualityCondition, NonSmoothLaw, NormalCone, Origin, Relay,
    UserFunctions,
};

use super::adjustable::AdjustableSettings;
use super::registered::Registered;
use super::registry::{Arguments, Registry};
use super::scopes::Scopes;
use super::table_writer::{TableWriter, numbers, registered, registered_name};
use super::values::{evaluated, expression, is_constant, matrix, of_column, row_count, sized};
use crate::document::{
    Diagnostics, Form, Key, Node, Table, TreeEntry, Value, needed, note_unknown, optional, settings,
};

/// A law as described in the file.
#[derive(Clone, Debug)]
pub(super) enum Law {
    /// Law with constant data.
    Fixed(NonSmoothLaw),
    /// Law whose numbers read parameters. `initial` is the law for the parameter values in the file.
    Adjustable { settings: AdjustableSettings, initial: NonSmoothLaw },
    /// Relay with bounds that can depend on time and parameters.
    Relay { lower: Vec<Bound>, upper: Vec<Bound>, gain: Gain },
    /// Relay with bounds that are a function of the program.
    RelayOfRegistry(Registered, Gain),
}

/// Bound of a relay; `None` if the relay is unbounded on this side.
type Bound = Option<Expression>;

/// Gain of a relay, which can depend on parameters; `None` if it is infinite.
type Gain = Option<Expression>;

const GAIN: Key = optional(
    "gain",
    Form::Number,
    "gain k: lambda = -k y between the bounds; it can depend on parameters; default: infinite",
);

pub(super) const RELAY: [Key; 4] = [
    needed("kind", Form::Word(&["relay"]), "relay with bounds on the multipliers"),
    needed(
        "lower",
        Form::Vector,
        "lower bounds, which can depend on time and parameters; `-inf` for no bound",
    ),
    needed(
        "upper",
        Form::Vector,
        "upper bounds, which can depend on time and parameters; `inf` for no bound",
    ),
    GAIN,
];

pub(super) const RELAY_OF_FUNCTION: [Key; 3] = [
    needed("kind", Form::Word(&["relay"]), "relay with bounds on the multipliers"),
    needed(
        "bounds",
        Form::Function,
        "function of time that computes `size` lower and `size` upper bounds, instead of `lower` and `upper`; infinite for no bound",
    ),
    GAIN,
];

/// Keys of the laws whose keys do not follow from their Rust types.
pub(super) const KEYS: [&[Key]; 3] = [&RELAY, &RELAY_OF_FUNCTION, &NORMAL_CONE];

pub(super) const NORMAL_CONE: [Key; 3] = [
    needed("kind", Form::Word(&["normal_cone"]), "multipliers in the polyhedron h lambda >= k"),
    needed("h", Form::Matrix, "h, constant: a row for each inequality, a column for each multiplier"),
    needed("k", Form::Vector, "k, constant: an entry for each inequality"),
];

/// Error in building a law for given values of the parameters.
#[derive(Debug, thiserror::Error)]
pub(super) enum LawError {
    #[error("{0}")]
    Settings(String),
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Returns `true` if [`KEYS`] lists the keys of a law. The keys of all other laws follow from their Rust
/// types.
pub(super) fn has_keys(word: &str) -> bool {
    matches!(word, "relay" | "normal_cone")
}

/// Name in the kernel of the function that computes the bounds.
const BOUNDS: &str = "bounds";

/// Word for a missing bound.
const NO_BOUND: &str = "none";

/// Constructor of a law of a given size.
type OfSize = fn(usize) -> Option<NonSmoothLaw>;

/// Laws that need no size in the file. They have the size of their relation.
pub(super) const SIZED: [(&str, OfSize); 2] = [
    ("complementarity", |size| ComplementarityCondition::new(size).ok().map(Into::into)),
    ("equality", |size| EqualityCondition::new(size).ok().map(Into::into)),
];

/// A law as written in the file, before its relation is known.
#[derive(Clone, Debug)]
pub(super) enum Written {
    /// Law that has the size of its relation.
    OfRelation(OfSize),
    OfItsOwn(Law),
}

/// Laws of a file by name; `None` for a law that has an error.
pub(super) type NamedLaws = BTreeMap<String, Option<Written>>;

/// Reads the table of laws.
pub(super) fn read_all(table: Table<'_>, scopes: &Scopes, diagnostics: &mut Diagnostics<'_>) -> NamedLaws {
    let read = |TreeEntry { key, value, .. }: TreeEntry<'_>, diagnostics: &mut Diagnostics<'_>| {
        (key.into_owned(), read(&value, scopes, diagnostics))
    };
    table.entries.into_iter().map(|entry| read(entry, diagnostics)).collect()
}

/// Reads the law of an interaction. The value is a law, the name of a law in `[laws]`, or the name of a law
/// that needs no settings.
pub(super) fn of_interaction(
    value: &Value<'_>,
    named: &NamedLaws,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Written> {
    let Node::Text(name) = &value.node else { return read(value, scopes, diagnostics) };
    match named.get(&*name.content) {
        Some(law) => law.clone(),
        None if named.is_empty() || SIZED.iter().any(|(known, _)| *known == name.content) => {
            read(value, scopes, diagnostics)
        }
        None => {
            let names = named.keys().map(String::as_str).chain(SIZED.iter().map(|(word, _)| *word));
            note_unknown(("law", &name.content), &value.span, names, diagnostics);
            None
        }
    }
}

/// Reads a law.
fn read(value: &Value<'_>, scopes: &Scopes, diagnostics: &mut Diagnostics<'_>) -> Option<Written> {
    if let Some(of) = of_relation(value) {
        return Some(Written::OfRelation(of));
    }
    let law = match &value.node {
        Node::Table(table) if word(table) == Some("relay") => {
            let [_, bounds, _] = &RELAY_OF_FUNCTION;
            match table.get(bounds.name) {
                Some(_) => relay_of_registry(table, value, scopes, diagnostics)?,
                None => relay(table, value, scopes, diagnostics)?,
            }
        }
        Node::Table(table) if word(table) == Some("normal_cone") => {
            normal_cone(table, value, &scopes.constants, diagnostics)?
        }
        _ => {
            let law = settings(value, scopes.numbers(), diagnostics)?;
            match AdjustableSettings::new(value, &scopes.parameters) {
                Some(settings) => Law::Adjustable { settings, initial: law },
                None => Law::Fixed(law),
            }
        }
    };
    Some(Written::OfItsOwn(law))
}

impl Written {
    /// Returns the number of components, or `None` if the law has the size of its relation.
    pub(super) fn size(&self) -> Option<usize> {
        match self {
            Self::OfRelation(_) => None,
            Self::OfItsOwn(law) => Some(law.size()),
        }
    }

    /// Returns the law for a relation of this size.
    pub(super) fn for_size(
        self,
        size: usize,
        span: &Range<usize>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Law> {
        let law = match self {
            Self::OfRelation(of) => return of(size).map(Law::Fixed),
            Self::OfItsOwn(law) => law,
        };
        let block = law.size();
        if block > 0 && size.is_multiple_of(block) {
            return Some(law);
        }
        let s = |count: usize| if count == 1 { "" } else { "s" };
        let message = format!(
            "this law has blocks of {block} component{}, but the size of the relation, {size}, is not a multiple of {block}",
            s(block)
        );
        diagnostics.note(span, message);
        None
    }
}

/// Returns the kind of a law in the file.
fn word<'t>(table: &'t Table<'_>) -> Option<&'t str> {
    match &table.get("kind")?.node {
        Node::Text(word) => Some(&word.content),
        _ => None,
    }
}

/// Returns the constructor of a law that has the size of its relation.
fn of_relation(value: &Value<'_>) -> Option<OfSize> {
    let word = match &value.node {
        Node::Text(word) => &word.content,
        Node::Table(table) if table.entries.len() == 1 => word(table)?,
        _ => return None,
    };
    SIZED.iter().find(|(known, _)| *known == word).map(|(_, of)| *of)
}

fn relay(
    table: &Table<'_>,
    value: &Value<'_>,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Law> {
    let [_, lower, upper, gain] = table.clone().keyed(&RELAY, &value.span, diagnostics);
    let gain = read_gain(gain, scopes, diagnostics);
    let lower = lower.and_then(|lower| bounds(&lower, f64::NEG_INFINITY, &scopes.time, diagnostics));
    let upper = upper.and_then(|upper| bounds(&upper, f64::INFINITY, &scopes.time, diagnostics));
    let (lower, upper, gain) = (lower?, upper?, gain?);
    if lower.len() != upper.len() {
        let (below, above) = (lower.len(), upper.len());
        let message =
            format!("`lower` has {below} entries and `upper` has {above}; their numbers must be equal");
        diagnostics.note(&value.span, message);
        return None;
    }
    if lower.is_empty() {
        diagnostics.note(&value.span, "a relay requires at least one bound");
        return None;
    }
    Some(Law::Relay { lower, upper, gain })
}

fn relay_of_registry(
    table: &Table<'_>,
    value: &Value<'_>,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Law> {
    let [_, bounds, gain] = table.clone().keyed(&RELAY_OF_FUNCTION, &value.span, diagnostics);
    let gain = read_gain(gain, scopes, diagnostics);
    let registered = Registered::read(&bounds?, Arguments::Bounds, diagnostics)?;
    Some(Law::RelayOfRegistry(registered, gain?))
}

/// Reads the gain of a relay. Returns `None` if it has an error.
fn read_gain(value: Option<Value<'_>>, scopes: &Scopes, diagnostics: &mut Diagnostics<'_>) -> Option<Gain> {
    let Some(value) = value else { return Some(None) };
    let gain = expression(&value, &scopes.parameters, diagnostics)?;
    // The gain is checked for the values of the parameters in the file.
    if let Some(k) = scopes.numbers().value(&gain)
        && let Err(error) = Relay::symmetric(1, 0.0).and_then(|relay| relay.with_gain(k))
    {
        diagnostics.note(&value.span, error);
        return None;
    }
    Some(Some(gain))
}

/// Sets the gain of a relay for these values of the parameters.
fn with_gain(relay: Relay, gain: &Gain, parameters: &[f64]) -> Result<Relay, ModelError> {
    match gain {
        Some(gain) => relay.with_gain(evaluated(std::slice::from_ref(gain), parameters)[0]),
        None => Ok(relay),
    }
}

fn normal_cone(
    table: &Table<'_>,
    value: &Value<'_>,
    constants: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Law> {
    let [_, h, k] = table.clone().keyed(&NORMAL_CONE, &value.span, diagnostics);
    let rows = h.as_ref().and_then(row_count);
    let h = h.and_then(|h| matrix(&h, (None, None), constants, diagnostics));
    let k = k.and_then(|k| sized(&k, rows, constants, diagnostics));
    match NormalCone::new(h?.values(&[])?, evaluated(&k?, &[])) {
        Ok(law) => Some(Law::Fixed(law.into())),
        Err(error) => {
            diagnostics.note(&value.span, error);
            None
        }
    }
}

/// Reads the lower or the upper bounds. `none` is the infinite value of a missing bound. A bound is missing
/// if the file contains the word [`NO_BOUND`], or a number or a constant expression equal to `none`.
fn bounds(
    value: &Value<'_>,
    none: f64,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Bound>> {
    let mut one = |value: &Value<'_>| match &value.node {
        Node::Text(text) if text.content == NO_BOUND => Some(None),
        Node::Number { value: number, .. } if *number == none => Some(None),
        Node::Text(text) if constant(&text.content, scope) == Some(none) => Some(None),
        _ => expression(value, scope, diagnostics).map(Some),
    };
    match &value.node {
        Node::Array(values) => {
            let read: Vec<_> = values.iter().map(|entry| one(of_column(entry, value))).collect();
            read.into_iter().collect()
        }
        _ => Some(vec![one(value)?]),
    }
}

/// Returns the value of an expression that reads no names.
fn constant(text: &str, scope: &Scope) -> Option<f64> {
    parse_number(text, scope).ok()?.constant()
}

impl Law {
    /// Returns the number of components of the law.
    fn size(&self) -> usize {
        match self {
            Self::Fixed(law) | Self::Adjustable { initial: law, .. } => law.size(),
            Self::Relay { lower, .. } => lower.len(),
            Self::RelayOfRegistry(own, _) => own.size,
        }
    }

    /// Returns the law for the parameter values in the file, or `None` for a relay.
    fn initial(&self) -> Option<&NonSmoothLaw> {
        match self {
            Self::Fixed(law) | Self::Adjustable { initial: law, .. } => Some(law),
            Self::Relay { .. } | Self::RelayOfRegistry(..) => None,
        }
    }

    /// Returns `true` if the law is a spring.
    pub(super) fn is_spring(&self) -> bool {
        matches!(self.initial(), Some(NonSmoothLaw::Spring(_)))
    }

    /// Returns the number of components of each contact if the law is a contact law: the first component is
    /// unilateral, and all others are tangential.
    pub(super) fn contact_block(&self) -> Option<usize> {
        match self.initial()? {
            NonSmoothLaw::Complementarity(_)
            | NonSmoothLaw::NewtonImpact(_)
            | NonSmoothLaw::MultipleImpact(_) => Some(1),
            law @ NonSmoothLaw::NewtonImpactFriction(_) => Some(law.size()),
            _ => None,
        }
    }

    /// Returns `true` if the law between Lagrangian systems gives impulses, which can be infinite forces.
    pub(super) fn is_rigid(&self) -> bool {
        match self.initial() {
            Some(NonSmoothLaw::Equality(_) | NonSmoothLaw::MixedComplementarity(_)) => true,
            _ => self.contact_block().is_some(),
        }
    }

    /// Returns the function of the program that computes the bounds, if the law has one.
    pub(super) fn registered(&self) -> Option<&Registered> {
        match self {
            Self::RelayOfRegistry(own, _) => Some(own),
            _ => None,
        }
    }

    /// Returns the settings of a law whose numbers read parameters.
    pub(super) fn adjustable(&self) -> Option<&AdjustableSettings> {
        match self {
            Self::Adjustable { settings, .. } => Some(settings),
            _ => None,
        }
    }

    /// Builds the law for these values of the parameters.
    ///
    /// # Errors
    ///
    /// [`LawError`] if a number is outside its range, or a lower bound is above its upper bound.
    pub(super) fn build(&self, parameters: &[f64], registry: &Registry) -> Result<NonSmoothLaw, LawError> {
        let (lower, upper, gain) = match self {
            Self::Fixed(law) => return Ok(law.clone()),
            Self::Adjustable { settings, .. } => {
                return settings.read(parameters).map_err(LawError::Settings);
            }
            Self::Relay { lower, upper, gain } => (lower, upper, gain),
            Self::RelayOfRegistry(own, gain) => {
                let bounds = own.bounds(registry);
                let write = move |at: At<'_>, lower: &mut [f64], upper: &mut [f64]| match &bounds {
                    Some(bounds) => bounds(at, lower, upper),
                    // A function that the registry does not contain has been reported before.
                    None => [lower, upper].into_iter().for_each(|bounds| bounds.fill(f64::NAN)),
                };
                let mut law = Relay::of_time(own.size, write)?;
                law.set_origin(BOUNDS, Origin::registered(&own.name))?;
                return Ok(with_gain(law, gain, parameters)?.into());
            }
        };
        let given = |bounds: &[Bound]| bounds.iter().flatten().cloned().collect::<Vec<_>>();
        if [lower, upper].iter().all(|bounds| is_constant(&given(bounds))) {
            let values = |bounds: &[Bound], none: f64| {
                let mut given = evaluated(&given(bounds), parameters).into_iter();
                bounds.iter().map(|bound| bound.as_ref().and_then(|_| given.next()).unwrap_or(none)).collect()
            };
            // This also checks the order of bounds that depend on parameters, for the values at the start.
            let law = Relay::new(values(lower, f64::NEG_INFINITY), values(upper, f64::INFINITY))?;
            if [lower, upper].iter().all(|bounds| reads_nothing(bounds)) {
                return Ok(with_gain(law, gain, parameters)?.into());
            }
        }
        let (low, high) = (Moving::new(lower, f64::NEG_INFINITY), Moving::new(upper, f64::INFINITY));
        let mut law =
            Relay::of_time(lower.len(), move |at: At<'_>, lower: &mut [f64], upper: &mut [f64]| {
                low.write(at, lower);
                high.write(at, upper);
            })?;
        let shown = |bound: &Bound| bound.as_ref().map_or_else(|| NO_BOUND.to_owned(), ToString::to_string);
        let texts = lower.iter().chain(upper).map(shown);
        law.set_origin(BOUNDS, Origin::expressions(Vec::<String>::new(), texts))?;
        Ok(with_gain(law, gain, parameters)?.into())
    }
}

fn reads_nothing(bounds: &[Bound]) -> bool {
    bounds.iter().flatten().all(|bound| bound.constant().is_some())
}

/// Bounds of one side as a function of time.
struct Moving {
    tape: Tape,
    /// Value of a missing bound.
    none: f64,
    is_given: Vec<bool>,
}

impl Moving {
    fn new(bounds: &[Bound], none: f64) -> Self {
        let given: Vec<_> = bounds.iter().flatten().collect();
        let is_given = bounds.iter().map(Option::is_some).collect();
        Self { tape: Tape::compile(&given), none, is_given }
    }

    /// Writes the bounds. The bounds in the file are evaluated into the first entries of `out` and then moved
    /// to their indices. The last bound is moved first, so that no bound is overwritten.
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
pub(super) fn write(law: &NonSmoothLaw, key: &Key, table_writer: &mut TableWriter<'_>) {
    let written = match law {
        NonSmoothLaw::Relay(law) => written_relay(law, table_writer),
        NonSmoothLaw::NormalCone(law) => {
            let [kind, h, k] = &NORMAL_CONE;
            let polyhedron = law.polyhedron();
            let bounds = polyhedron.k().iter().map(|bound| Value::of_number(*bound));
            Some(Value::of_table([
                (kind.name, Value::of_text("normal_cone")),
                (h.name, numbers(polyhedron.h())),
                (k.name, Value::of_array(bounds)),
            ]))
        }
        law => return table_writer.settings(key, law, None),
    };
    written.into_iter().for_each(|value| table_writer.put(key, value));
}

fn written_relay(relay: &Relay, table_writer: &mut TableWriter<'_>) -> Option<Value<'static>> {
    let [below, above] = match relay.bounds() {
        Coefficient::Constant(bounds) => [&bounds.lower, &bounds.upper]
            .map(|bounds| Value::of_array(bounds.iter().map(|bound| Value::of_number(*bound)))),
        Coefficient::Function(origin) if let Some(name) = registered_name(origin) => {
            let [kind, bounds, _] = &RELAY_OF_FUNCTION;
            let of_registry = registered(name, Some(relay.size()));
            let entries = [(kind.name, Value::of_text("relay")), (bounds.name, of_registry)];
            return Some(Value::of_table(entries.into_iter().chain(written_gain(relay))));
        }
        Coefficient::Function(origin) => {
            let texts = table_writer.texts(BOUNDS, origin)?;
            let (lower, upper) = texts.split_at(texts.len() / 2);
            [lower, upper].map(|texts| Value::of_array(texts.iter().map(|text| Value::of_entry(text))))
        }
    };
    let [kind, lower, upper, _] = &RELAY;
    let entries = [(kind.name, Value::of_text("relay")), (lower.name, below), (upper.name, above)];
    Some(Value::of_table(entries.into_iter().chain(written_gain(relay))))
}

/// Returns the key of the gain of a relay, if the gain is finite.
fn written_gain(relay: &Relay) -> Option<(&'static str, Value<'static>)> {
    relay.gain().is_finite().then(|| (GAIN.name, Value::of_number(relay.gain())))
}
