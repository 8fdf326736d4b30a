//! Writer of devices.

use siconos_expression::Expression;

use super::{Device, DeviceKind, Field, KEYS};
use crate::document::{Form, Key, Value};
use crate::model::registered::VectorFunction;
use crate::model::table_writer::matrices::{matrix, vector};
use crate::model::table_writer::registered;

/// Writes devices with the keys that the reader expects.
pub(in crate::model) fn write(devices: &[Device]) -> Value<'static> {
    Value::of_table(devices.iter().map(|device| (device.name.clone(), device.written())))
}

impl Device {
    fn written(&self) -> Value<'static> {
        let place = DeviceKind::ALL.iter().position(|(_, own)| *own == self.kind).unwrap_or_default();
        let kind = ("kind", Value::of_text(DeviceKind::ALL[place].0));
        let value = |key: &Key| Some((key.name, self.fields.get(key.name)?.written(key.form)?));
        Value::of_table(std::iter::once(kind).chain(KEYS[place].iter().filter_map(value)))
    }
}

impl Field {
    fn written(&self, form: Form) -> Option<Value<'static>> {
        let entries =
            |own: &[Expression]| own.iter().map(|own| Value::of_entry(&own.to_string())).collect::<Vec<_>>();
        Some(match (self, form) {
            (Self::Numbers(own), _) => vector(entries(own)),
            (Self::Matrix(own), _) => matrix((own.rows, own.columns), entries(&own.entries)),
            (Self::Names(names), _) => vector(names.iter().map(|(name, _)| Value::of_text(name)).collect()),
            (Self::Feedback(VectorFunction::Expressions(own)), _) => vector(entries(own)),
            (Self::Feedback(VectorFunction::Registered(own)), _) => registered(&own.name, Some(own.size)),
            (Self::Count(place), Form::Word(words)) => Value::of_text(*words.get(*place)?),
            (Self::Count(count), _) => Value::of_count(*count),
        })
    }
}
