//! `tidy`: the rules of the project that a program can check.
//!
//! | file | rules |
//! | --- | --- |
//! | [`layout`] | module docs, lengths of files, tabs, trailing blanks, last newline |
//! | [`names`] | names that are allowed in some places only, such as linear algebra, files, the testkit |
//! | [`cycles`] | no cycles of imports between the modules of a library |
//! | [`parameters`] | no tuples of unlike elements as parameters, at most seven arguments |
//! | [`prose`] | width of comments, first words of doc comments, refused phrases |
//! | [`subjects`] | length of commit subjects |
//! | [`manifests`] | shared licence and lints, direction of the dependencies |
//! | [`tracked`] | no generated files under version control, except for listed ones |
//!
//! [`source`] removes comments and literals from a source first, so that the rules apply to code only.
//! [`modules`] reads the sources of a crate, without its tests, as [`tokens`]. All violations are listed, as
//! `path:line: text`, before the command fails.

mod crates;
mod cycles;
mod imports;
mod layout;
mod manifests;
mod modules;
mod names;
mod offence;
mod parameters;
mod prose;
mod report;
mod source;
mod subjects;
mod tokens;
mod tracked;

pub(crate) use report::run;
