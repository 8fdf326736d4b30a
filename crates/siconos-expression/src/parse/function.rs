//! Declaration of user-defined functions, and expansion of their calls. Functions are parsed in topological
//! order of their calls.

use std::collections::BTreeMap;
use std::ops::Range;

use super::lexer::{Lines, TokenKind, tokens};
use super::parser::{Operand, Parser};
use crate::error::{ParseError, ParseErrorKind};
use crate::expression::Operation;
use crate::function::{FunctionDefinition, FunctionError, FunctionErrorKind, FunctionErrors, MAX_ARGUMENTS};
use crate::names;
use crate::scope::{Body, Function, Scope, ScopeError};
use crate::symbol::Type;

impl Scope {
    /// Adds functions, which can call each other in any order. All other names that they read must already
    /// have been declared.
    ///
    /// Valid functions are declared even if other functions have errors. The name of a function with an error
    /// stays declared, and an expression that calls the function is rejected with
    /// [`InvalidFunction`](crate::ParseErrorKind::InvalidFunction). Functions that are invalid only because
    /// they call an invalid function are not listed among the errors.
    ///
    /// # Errors
    ///
    /// [`FunctionErrors`], with one error per invalid function, if a name, an argument or an expression is
    /// invalid. Names must be plain, not reserved and not declared before. A function has at most
    /// [`MAX_ARGUMENTS`] arguments, and calls must not be recursive. All functions of the scope together have
    /// at most [`MAX_NODES`](crate::MAX_NODES) operations and operands after expansion.
    pub fn declare_functions(&mut self, definitions: &[FunctionDefinition]) -> Result<(), FunctionErrors> {
        let mut declaration = Declaration { definitions, errors: Vec::new() };
        let heads: Vec<bool> = (0..definitions.len()).map(|place| declaration.head(self, place)).collect();
        let calls = declaration.calls(&heads);
        let order = declaration.order(&calls);

        let mut nodes =
            self.functions().filter_map(|(_, function)| function.body()).map(|body| body.nodes.len()).sum();
        for place in order {
            let FunctionDefinition { name, arguments, text } = &definitions[place];
            match body(self, arguments, text, nodes) {
                Ok(body) => {
                    nodes += body.nodes.len();
                    self.set_body(name, body);
                }
                // The error is reported for the called function.
                Err(ParseError { kind: ParseErrorKind::InvalidFunction { .. }, .. }) => {}
                Err(error) => declaration.note(place, FunctionErrorKind::Text(error)),
            }
        }
        let mut errors = declaration.errors;
        errors.sort_by_key(|error| error.definition);
        if errors.is_empty() { Ok(()) } else { Err(FunctionErrors(errors)) }
    }

    /// Adds one function, which can call functions that have been declared before.
    ///
    /// ```
    /// use siconos_expression::{Scope, parse_number};
    ///
    /// let mut scope = Scope::new();
    /// scope.declare_function("lerp", &["a", "b", "s"], "a + s * (b - a)")?;
    /// assert_eq!(parse_number("lerp(1, 3, 0.25)", &scope)?.constant(), Some(1.5));
    /// let error = parse_number("lerp(1, 3)", &scope).unwrap_err();
    /// assert_eq!(error.to_string(), "`lerp` takes 3 arguments, found 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`declare_functions`](Self::declare_functions).
    pub fn declare_function(
        &mut self,
        name: &str,
        arguments: &[&str],
        text: &str,
    ) -> Result<(), FunctionErrors> {
        self.declare_functions(&[FunctionDefinition::new(name, arguments.iter().copied(), text)])
    }
}

/// Call of a function that is declared together with the caller: the index of the called function, and the
/// byte range of its name in the text.
type Call = (usize, Range<usize>);

struct Declaration<'d> {
    definitions: &'d [FunctionDefinition],
    errors: Vec<FunctionError>,
}

impl Declaration<'_> {
    fn note(&mut self, definition: usize, kind: FunctionErrorKind) {
        self.errors.push(FunctionError { definition, name: self.definitions[definition].name.clone(), kind });
    }

    /// Declares the name and the number of arguments of a function. Returns `true` if the text of the
    /// function must be parsed.
    fn head(&mut self, scope: &mut Scope, place: usize) -> bool {
        let FunctionDefinition { name, arguments, .. } = &self.definitions[place];
        if let Err(error) = scope.add_function(name, Function::faulty(arguments.len())) {
            self.note(place, FunctionErrorKind::Name(error));
            return false;
        }
        if arguments.len() > MAX_ARGUMENTS {
            let (name, found, limit) = (name.clone(), arguments.len(), MAX_ARGUMENTS);
            let error = ScopeError::TooManyArguments { name, found, limit };
            self.note(place, FunctionErrorKind::Name(error));
            return false;
        }
        let mut is_right = true;
        for (argument, name) in arguments.iter().enumerate() {
            if let Err(error) = check_argument(name, &arguments[..argument]) {
                self.note(place, FunctionErrorKind::Argument { argument, error });
                is_right = false;
            }
        }
        is_right
    }

    /// Returns, for each function, its calls of functions that are declared together with it, or `None` if
    /// its text is not parsed.
    fn calls(&mut self, heads: &[bool]) -> Vec<Option<Vec<Call>>> {
        let mut places = BTreeMap::new();
        for (place, definition) in self.definitions.iter().enumerate() {
            places.entry(definition.name.as_str()).or_insert(place);
        }
        let mut calls = Vec::with_capacity(heads.len());
        for (place, is_right) in heads.iter().enumerate() {
            calls.push(if *is_right { self.calls_of(place, &places) } else { None });
        }
        calls
    }

    fn calls_of(&mut self, place: usize, places: &BTreeMap<&str, usize>) -> Option<Vec<Call>> {
        let FunctionDefinition { arguments, text, .. } = &self.definitions[place];
        let tokens = match tokens(text, Lines::AreBlanks) {
            Ok(tokens) => tokens,
            Err(error) => {
                self.note(place, FunctionErrorKind::Text(error));
                return None;
            }
        };
        let calls = tokens.windows(2).filter_map(|pair| {
            let is_call = pair[0].kind == TokenKind::Name && pair[1].kind == TokenKind::Sign("(");
            let name = is_call.then(|| &text[pair[0].span.clone()])?;
            let called = places.get(name).filter(|_| !arguments.iter().any(|argument| argument == name))?;
            Some((*called, pair[0].span.clone()))
        });
        Some(calls.collect())
    }

    /// Returns a topological order of the functions: each function follows the functions that it calls.
    /// Cycles of calls are reported as errors.
    fn order(&mut self, calls: &[Option<Vec<Call>>]) -> Vec<usize> {
        let mut marks = vec![Mark::New; calls.len()];
        let mut order = Vec::new();
        let mut circles = 0;
        for first in 0..calls.len() {
            // Stack of the depth-first search: each function is called by the previous one. The second number
            // counts the calls that have been followed.
            let mut path: Vec<(usize, usize)> = Vec::new();
            if marks[first] == Mark::New {
                marks[first] = Mark::UnderWay;
                path.push((first, 0));
            }
            while let Some((place, followed)) = path.last_mut() {
                let place = *place;
                let call = calls[place].as_ref().and_then(|calls| calls.get(*followed));
                *followed += 1;
                match call.map(|(called, _)| (*called, marks[*called])) {
                    Some((called, Mark::New)) => {
                        marks[called] = Mark::UnderWay;
                        path.push((called, 0));
                    }
                    Some((called, Mark::UnderWay)) if circles < MOST_CIRCLES => {
                        circles += 1;
                        let start = path.iter().position(|(place, _)| *place == called).unwrap_or_default();
                        self.note_circle(&path[start..], calls);
                    }
                    Some(_) => {}
                    None => {
                        path.pop();
                        marks[place] = Mark::Done;
                        order.extend(calls[place].is_some().then_some(place));
                    }
                }
            }
        }
        order
    }

    /// Reports a cycle: the last function of `path` calls the first. The error is reported at the call in the
    /// first function.
    fn note_circle(&mut self, path: &[(usize, usize)], calls: &[Option<Vec<Call>>]) {
        let Some(&(first, followed)) = path.first() else { return };
        let Some((_, span)) = calls[first].as_ref().and_then(|calls| calls.get(followed - 1)) else { return };
        let members = path.iter().map(|(place, _)| *place).chain([first]);
        let functions = members.map(|place| self.definitions[place].name.clone()).collect();
        let error = ParseError::new(span.clone(), ParseErrorKind::RecursiveFunctions { functions });
        self.note(first, FunctionErrorKind::Text(error));
    }
}

/// Maximum number of cycles that are reported.
const MOST_CIRCLES: usize = 20;

/// State of a function in the search for cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    New,
    UnderWay,
    Done,
}

/// Checks the name of an argument. It must differ from the preceding arguments, but can hide a name of the
/// scope.
fn check_argument(name: &str, before: &[String]) -> Result<(), ScopeError> {
    let owned = || name.to_owned();
    if !names::is_plain_name(name) {
        return Err(ScopeError::NotPlain { name: owned() });
    }
    if let Some(what) = names::reserved(name) {
        return Err(ScopeError::Reserved { name: owned(), what });
    }
    if before.iter().any(|other| other == name) {
        return Err(ScopeError::Twice { name: owned() });
    }
    Ok(())
}

/// Parses the text of a function. `nodes` is the number of nodes of the other functions in the scope.
fn body(scope: &Scope, arguments: &[String], text: &str, nodes: usize) -> Result<Body, ParseError> {
    let mut parser = Parser::new(text, scope, Lines::AreBlanks)?.for_function(arguments, nodes);
    let operand = parser.whole_expression()?;
    parser.expect_end()?;
    let nodes = parser.take_nodes(&operand)?;
    Ok(Body { nodes, variables: parser.variables, value_type: operand.value_type })
}

impl Parser<'_> {
    /// Parses the arguments of a call of a user-defined function, and adds the expanded function.
    pub(super) fn user_call(
        &mut self,
        name: &str,
        function: &Function,
        span: Range<usize>,
    ) -> Result<Operand, ParseError> {
        let first_node = self.nodes.len();
        let name_span = span.clone();
        let (arguments, span) = self.all_arguments(span)?;
        let (function_name, expected, found) = (name.to_owned(), function.arguments(), arguments.len());
        if found != expected {
            let kind = ParseErrorKind::ArgumentCount { function: function_name, expected, found };
            return Err(ParseError::new(span, kind));
        }
        arguments.iter().try_for_each(|argument| argument.expect(Type::Number))?;
        let Some(body) = function.body() else {
            return Err(ParseError::new(name_span, ParseErrorKind::InvalidFunction { name: function_name }));
        };

        let ends = arguments.iter().skip(1).map(|next| next.first_node).chain([self.nodes.len()]);
        let places: Vec<Range<usize>> = arguments
            .iter()
            .zip(ends)
            .map(|(argument, end)| argument.first_node - first_node..end - first_node)
            .collect();
        let given = self.nodes.split_off(first_node);
        let mut length = 0;
        let mut is_used = vec![false; places.len()];
        for node in &body.nodes {
            length += match node.operation {
                Operation::Read(place) if place < places.len() => {
                    is_used[place] = true;
                    places[place].len()
                }
                _ => 1,
            };
        }
        self.make_room(length, &span)?;
        // Unused arguments count towards the limit as well, so that the parsing effort is limited.
        let unused = places.iter().zip(is_used).filter(|(_, is_used)| !is_used);
        self.elsewhere += unused.map(|(place, _)| place.len()).sum::<usize>();
        for node in &body.nodes {
            let operation = match node.operation {
                Operation::Read(place) => match places.get(place) {
                    Some(argument) => {
                        self.nodes.extend_from_slice(&given[argument.clone()]);
                        continue;
                    }
                    None => {
                        let variable = &body.variables[place];
                        self.read(&variable.name, variable.symbol, false)
                    }
                },
                operation => operation,
            };
            self.push(operation, node.value_type, &span);
        }
        Ok(Operand { value_type: body.value_type, span, first_node })
    }
}
