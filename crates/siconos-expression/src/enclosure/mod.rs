//! Bounds of an expression and of its time derivative (slope) over a time interval, by interval arithmetic.
//!
//! The bounds of each variable, [`ValueAndSlopeBounds`], contain an interval of values and an interval of
//! slopes. The bounds of the expression are computed operation by operation (Moore 1966, "Interval
//! analysis"), with derivatives in forward mode as in a [`Jacobian`](crate::Jacobian). The mean value form
//! gives a second bound of a continuous value, from its value at the middle of the time interval and its
//! slope. The bounds include rounding errors of a few units in the last place. If a variable occurs twice,
//! both occurrences are treated as independent variables, so the bounds are wider than necessary. The excess
//! is proportional to the square of the length of the time interval.

mod course;
mod interval;

use std::cell::RefCell;

pub use course::ValueAndSlopeBounds;
pub use interval::Interval;

use crate::expression::Expression;
use crate::graph::{Graph, Id, Value};
use crate::symbol::Symbol;

thread_local! {
    /// Workspace for the bounds of all values of a graph, at the middle of the time interval and over the
    /// whole time interval. Each evaluation on a thread reuses the memory of the previous one.
    static COURSES: RefCell<(Vec<ValueAndSlopeBounds>, Vec<ValueAndSlopeBounds>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// Expression, compiled for the computation of its bounds.
///
/// ```
/// use siconos_expression::{ValueAndSlopeBounds, Enclosure, Interval, ValueKind, Name, Role, Scope, Symbol, parse_number};
///
/// let mut scope = Scope::new();
/// scope.declare("x", Name { symbol: Symbol { slot: 0, index: 0 }, kind: ValueKind::Real, role: Role::State })?;
/// let saw = Enclosure::compile(&parse_number("0.3 - mod(x, 1)", &scope)?);
/// let over = |lower: f64, upper: f64| {
///     let (range, middle) = (Interval { lower, upper }, Interval::point(0.5 * (lower + upper)));
///     // x changes at the rate 2, so the time interval is half as long as the range of x.
///     let x = ValueAndSlopeBounds { range, middle, slope: Interval::point(2.0), is_continuous: true };
///     saw.course(0.25 * (upper - lower), |_| x)
/// };
/// // Within one tooth of the saw the value decreases; over a jump it has both signs.
/// let tooth = over(5.4, 5.9);
/// assert!(tooth.is_continuous && tooth.slope.contains(-2.0) && tooth.range.upper < 0.0);
/// assert!(!over(5.9, 6.1).is_continuous && over(5.9, 6.1).range.contains(0.2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Enclosure {
    graph: Graph,
    output: Id,
}

impl Enclosure {
    /// Compiles an expression.
    pub fn compile(expression: &Expression) -> Self {
        let mut graph = Graph::default();
        let output = graph.insert(expression);
        Self { graph, output }
    }

    /// Returns the bounds of the expression over a time interval. `of_symbol` returns the bounds of each
    /// symbol that the expression reads, and `reach` is half the length of the time interval. Only the first
    /// evaluation on a thread allocates memory.
    pub fn course(
        &self,
        reach: f64,
        of_symbol: impl Fn(Symbol) -> ValueAndSlopeBounds,
    ) -> ValueAndSlopeBounds {
        COURSES.with_borrow_mut(|(middles, courses)| {
            self.follow(middles, |symbol| of_symbol(symbol).at_middle(), |_, course| course);
            self.follow(courses, of_symbol, |place, course| course.about(middles[place].range, reach));
            courses[self.output.index()]
        })
    }

    /// Computes the bounds of all values in order. `change` is applied to the bounds of each value before the
    /// next value is computed.
    fn follow(
        &self,
        courses: &mut Vec<ValueAndSlopeBounds>,
        of_symbol: impl Fn(Symbol) -> ValueAndSlopeBounds,
        change: impl Fn(usize, ValueAndSlopeBounds) -> ValueAndSlopeBounds,
    ) {
        courses.clear();
        for (place, value) in self.graph.values().iter().enumerate() {
            let at = |id: Id| courses[id.index()];
            let course = match *value {
                Value::Number(bits) => ValueAndSlopeBounds::number(f64::from_bits(bits)),
                Value::Input(symbol) => of_symbol(symbol),
                Value::Unary(unary, a) => at(a).unary(unary),
                Value::Binary(binary, a, b) => at(a).binary(binary, at(b)),
                Value::Power(base, exponent) => at(base).power(exponent),
                Value::Select(condition, then, otherwise) => at(condition).chosen(at(then), at(otherwise)),
            };
            courses.push(change(place, course));
        }
    }
}
