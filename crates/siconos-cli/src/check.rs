//! Check of a model file. The file is read, the model is built, and all errors are reported.

use std::io::{self, Write};

use serde::Serialize;
use siconos_io::document::DocumentError;
use siconos_io::model::AnyModel;

use crate::answer::{PROGRAM, write_json};
use crate::arguments::{CheckArguments, Format};
use crate::run;

/// Result of a check.
#[derive(Debug, Serialize)]
pub(crate) struct Checked {
    format: usize,
    program: &'static str,
    file: String,
    valid: bool,
    faults: Vec<Fault>,
    /// Remarks on probable mistakes in a model without errors.
    remarks: Vec<Fault>,
    /// All errors, formatted as text for people.
    #[serde(skip)]
    shown: Option<String>,
}

#[derive(Debug, Serialize)]
struct Fault {
    /// Line, counted from 1; `None` if the error has no position in the file.
    line: Option<usize>,
    column: Option<usize>,
    /// Number of the event that contains the error, in a hybrid model.
    event: Option<usize>,
    message: String,
}

impl Fault {
    fn of(fault: &siconos_io::document::Diagnostic) -> Self {
        Self {
            line: Some(fault.excerpt.line),
            column: Some(fault.excerpt.column),
            event: fault.event,
            message: fault.message.clone(),
        }
    }
}

impl Checked {
    pub(crate) fn code(&self) -> u8 {
        if self.valid { 0 } else { crate::BAD_INPUT }
    }

    /// Returns the errors as text for people.
    pub(crate) fn complaint(&self) -> Option<&str> {
        self.shown.as_deref()
    }
}

/// Reads and builds a model. An error means bad usage.
pub(crate) fn run(arguments: &CheckArguments) -> Result<Checked, String> {
    let overrides = run::overrides(&arguments.set)?;
    let model = AnyModel::read(&arguments.file, &overrides);
    let (remarks, wrong) = match model.and_then(|model| model.check()) {
        Ok(remarks) => (remarks, None),
        Err(wrong) => (Vec::new(), Some(wrong)),
    };
    let faults = match &wrong {
        None => Vec::new(),
        Some(DocumentError::Diagnostics { diagnostics, .. }) => diagnostics.iter().map(Fault::of).collect(),
        Some(other) => vec![Fault { line: None, column: None, event: None, message: other.to_string() }],
    };
    Ok(Checked {
        format: 1,
        program: PROGRAM,
        file: arguments.file.display().to_string(),
        valid: wrong.is_none(),
        faults,
        remarks: remarks.iter().map(Fault::of).collect(),
        shown: wrong.map(|wrong| wrong.to_string()),
    })
}

/// Writes the output. In the text format, only the remarks are written; the caller prints the errors.
pub(crate) fn write(writer: &mut dyn Write, checked: &Checked, format: Format) -> io::Result<()> {
    match format {
        Format::Json => write_json(writer, checked),
        Format::Text if checked.valid => {
            for Fault { line, column, message, .. } in &checked.remarks {
                let place = [line, column].map(|place| place.unwrap_or_default().to_string()).join(":");
                writeln!(writer, "{}:{place}: remark: {message}", checked.file)?;
            }
            writeln!(writer, "{}: no errors", checked.file)
        }
        Format::Text => Ok(()),
    }
}
